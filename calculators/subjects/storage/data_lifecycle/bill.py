"""The bill: what a byte costs on each tier, and what the plan costs by year and tier."""

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from calculators.declare import AnyFormula, Formula, formulas_of, record, step
from calculators.subjects.storage.data_lifecycle import media
from calculators.subjects.storage.data_lifecycle.estate import Plan
from calculators.subjects.storage.data_lifecycle.media import Medium, Owning
from calculators.subjects.storage.data_lifecycle.restores import Restores
from calculators.subjects.storage.data_lifecycle.streams import (
    COLD,
    HOT,
    LOCAL,
    MONTHS_A_YEAR,
    WARM,
    Estate,
    Stream,
    grown,
    movement_between,
)


def _tier(tier: str, label: str) -> AnyFormula:
    names = media.FIELDS[tier]

    def medium(*given: object) -> Medium:
        return Medium(**dict(zip(names, given, strict=True)))  # type: ignore[arg-type]

    medium.__doc__ = f"Medium of the {tier} tier."
    wired = tuple(f"{tier}_{name}" for name in names)
    return Formula(
        name=f"{tier}_tier",
        role="record",
        function=medium,
        label=label,
        wired=wired,
        written=f"Medium({', '.join(wired)})",
    )


hot_tier = _tier("hot", "Medium of the hot tier")
warm_tier = _tier("warm", "Medium of the warm tier")
cold_tier = _tier("cold", "Medium of the cold tier")


@record("Cost of owning")
def owning(
    capital_rate: float,
    operations: float,
    colocation_per_kw_month: float,
    pue: float,
    price_per_kwh: float,
    calendar_month: float,
) -> Owning:
    """Interest, operations, space and power of owned media."""
    return Owning(capital_rate, operations, colocation_per_kw_month + pue * price_per_kwh, calendar_month)


@dataclass(frozen=True)
class Prices:
    """Prices of the bill besides the media of the tiers."""

    owning: Owning
    restores: Restores
    versions: float  # in a month
    object_size: float
    other_object_size: float
    trend: float  # a year
    local_rate: float  # USD/B/s
    egress_rate: float  # USD/s
    replication_price: float  # USD/B

    def size(self, stream: Stream) -> float:
        """Size of the objects in which a stream is stored [B]."""
        return self.object_size if stream.name in {"raw", "archive"} else self.other_object_size


@record("Prices")
def prices(
    owning: Owning,
    restores: Restores,
    versions_per_month: float,
    object_size: float,
    other_object_size: float,
    media_price_trend: float,
    local_tb_month: float,
    egress: float,
    egress_per_gb: float,
    replication_price: float,
) -> Prices:
    """Prices of the bill besides the media of the tiers."""
    return Prices(
        owning,
        restores,
        versions_per_month,
        object_size,
        other_object_size,
        media_price_trend,
        local_tb_month,
        egress * egress_per_gb,
        replication_price,
    )


def kept_by_month(billed: list[float], medium: Medium, prices: Prices) -> list[float]:
    """Cost of keeping in each month [USD], of the mean of the bytes billed at both its ends [B]."""
    means = [(before + after) / 2 for before, after in pairwise(billed)]
    month = prices.owning.month
    if medium.rented:
        return [medium.rent_rate(mean) * month for mean in means]
    rate = prices.owning.byte_rate(medium) * month
    if not prices.trend:
        return [mean * rate for mean in means]
    years = ((number + 1 / 2) / MONTHS_A_YEAR for number in range(len(means)))
    return [mean * rate * grown(prices.trend, time) for mean, time in zip(means, years, strict=True)]


def even_rate(medium: Medium, prices: Prices) -> float | None:
    """Cost of each byte in every month [USD/B/s]; None where it depends on the month or on the amount."""
    if medium.rented:
        return medium.rent if medium.rent_next is None else None
    return None if prices.trend else prices.owning.byte_rate(medium)


def byte_months(bytes_: list[float]) -> float:
    """Sum over all months of the mean of the bytes at both ends [B]."""
    return sum(bytes_) - (bytes_[0] + bytes_[-1]) / 2


def billed(plan: Plan, tier: int, medium: Medium, prices: Prices) -> list[float]:
    """Bytes billed on a tier by month: what it needs, least object sizes and overheads of a rented one [B]."""
    total = plan.needed[tier]
    for stream in plan.estate.streams:
        beyond = medium.billed_share(prices.size(stream)) - 1
        if beyond:
            total = [
                before + beyond * bytes_ for before, bytes_ in zip(total, on(plan.estate, stream, tier), strict=True)
            ]
    return total


def on(estate: Estate, stream: Stream, tier: int) -> list[float]:
    """Bytes of a stream on a tier by month, with replicas, on the cold one with backups [B]."""
    held = estate.course(stream).held
    copies = estate.copies(stream)
    found = held[tier] if copies == 1 else [copies * bytes_ for bytes_ in held[tier]]
    if tier == COLD and stream.irreplaceable and estate.backups:
        whole = map(sum, zip(*held, strict=True))
        found = [here + estate.backups * bytes_ for here, bytes_ in zip(found, whole, strict=True)]
    return found


def drives_by_month(estate: Estate, medium: Medium, prices: Prices) -> list[float]:
    """Cost of tape drives in each month [USD]; 0 where the medium is no tape."""
    restores = prices.restores
    if medium.rented or medium.tape_drive_rate is None:
        return [0.0] * estate.months
    one = prices.owning.purchase_rate(restores.drive_price, restores.drive_refresh) * estate.month
    return [one * restores.drives_used(medium, raw) for raw in estate.raw_on(COLD)[1:]]


def fees(estate: Estate, tier: int, medium: Medium, prices: Prices, start: int, end: int) -> float:
    """Fees of a rented tier between the ends of two months [USD]: requests, retrieval, early deletion."""
    if not medium.rented:
        return 0
    return sum(stream_fees(estate, stream, tier, medium, prices, start, end) for stream in estate.streams)


def stream_fees(
    estate: Estate, stream: Stream, tier: int, medium: Medium, prices: Prices, start: int, end: int
) -> float:
    """Fees of one stream on a rented tier between the ends of two months [USD]."""
    size, course, copies, total = prices.size(stream), estate.course(stream), estate.copies(stream), 0.0
    if stream.stays[tier] > 0:
        came = course.entered[tier][end] - course.entered[tier][start]
        out = course.left[tier][end] - course.left[tier][start]
        total += came * copies * medium.write_fee(size) + out * copies * medium.early_fee(stream.stays[tier])
        total += out * stream.passed_below(tier) * medium.read_fee(size)
    if stream.irreplaceable and tier == COLD:
        entered = course.entered[stream.first]
        total += estate.backups * (entered[end] - entered[start]) * medium.write_fee(size)
    if stream.name == "raw":
        reads = sum(course.held[COLD][start + 1 : end + 1])
        if tier == WARM:
            reads += sum(course.held[WARM][start + 1 : end + 1])
        total += reads * prices.restores.reread_share * prices.versions * medium.read_fee(size)
    return total


class Year(NamedTuple):
    """The bill of a year by line [USD]."""

    local: float
    hot: float
    warm: float
    cold: float
    drives: float
    fees: float
    transfer: float


@dataclass(frozen=True)
class Bill:
    """The bill by year; the last one may be shorter."""

    years: tuple[Year, ...]

    @property
    def total(self) -> float:
        """The whole bill [USD]."""
        return sum(map(sum, self.years))

    def line(self, name: str) -> float:
        """One line over all years [USD]."""
        return float(sum(getattr(year, name) for year in self.years))


@record("Bill by year")
def bill(plan: Plan, hot_tier: Medium, warm_tier: Medium, cold_tier: Medium, prices: Prices) -> Bill:
    """The bill by year and line."""
    months, month = plan.estate.months, plan.estate.month
    tiers = {HOT: hot_tier, WARM: warm_tier, COLD: cold_tier}
    kept = {tier: kept_by_month(billed(plan, tier, medium, prices), medium, prices) for tier, medium in tiers.items()}
    drives = drives_by_month(plan.estate, cold_tier, prices)
    if not any(plan.needed[COLD]):
        drives = [0.0] * plan.estate.months  # a library that nothing ever goes to
    on_nodes = plan.needed[LOCAL]
    years = []
    for start in range(0, months, MONTHS_A_YEAR):
        end = min(start + MONTHS_A_YEAR, months)
        local = [prices.local_rate * month * (on_nodes[n] + on_nodes[n + 1]) / 2 for n in range(start, end)]
        moved = movement_between(plan.estate, start, end)
        sent = prices.egress_rate * month * (end - start)
        years.append(
            Year(
                local=sum(local),
                hot=sum(kept[HOT][start:end]),
                warm=sum(kept[WARM][start:end]),
                cold=sum(kept[COLD][start:end]),
                drives=sum(drives[start:end]),
                fees=sum(fees(plan.estate, tier, medium, prices, start, end) for tier, medium in tiers.items()),
                transfer=sent + plan.estate.sites * moved.irreplaceable * prices.replication_price,
            )
        )
    return Bill(tuple(years))


@step("USD", "Bill over the plan", rises_with=("operations", "capital_rate", "egress"))
def bill_total(bill: Bill) -> float:
    """Cost of all years of the plan [USD]."""
    return bill.total


@step("USD", "Bill of the first year")
def bill_first_year(bill: Bill) -> float:
    """Cost of the first year [USD]."""
    return sum(bill.years[0])


@step("USD", "Bill of the last year")
def bill_last_year(bill: Bill) -> float:
    """Cost of the last year of the plan, which may be a shorter one [USD]."""
    return sum(bill.years[-1])


@step("USD", "Bill: local NVMe", rises_with=("local_tb_month",))
def local_cost(bill: Bill) -> float:
    """Cost of data on the GPU nodes' own drives over the plan [USD]."""
    return bill.line("local")


@step("USD", "Bill: hot tier", rises_with=("hot_media_price",))
def hot_cost(bill: Bill) -> float:
    """Cost of keeping the hot tier over the plan [USD]."""
    return bill.line("hot")


@step("USD", "Bill: warm tier", rises_with=("warm_media_price",))
def warm_cost(bill: Bill) -> float:
    """Cost of keeping the warm tier over the plan [USD]."""
    return bill.line("warm")


@step("USD", "Bill: cold tier", rises_with=("cold_media_price",))
def cold_cost(bill: Bill) -> float:
    """Cost of keeping the cold tier over the plan, tape drives apart [USD]."""
    return bill.line("cold")


@step("USD", "Bill: tape drives", rises_with=("tape_drive_price",))
def drives_cost(bill: Bill) -> float:
    """Cost of tape drives over the plan [USD]."""
    return bill.line("drives")


@step("USD", "Bill: requests, retrieval", rises_with=("warm_retrieval", "cold_put"))
def fees_cost(bill: Bill) -> float:
    """Fees of rented tiers over the plan [USD]: requests, retrieval, early deletion."""
    return bill.line("fees")


@step("USD", "Bill: transfer", rises_with=("egress_per_gb",))
def transfer_cost(bill: Bill) -> float:
    """Cost of egress and of transfer to replica sites over the plan [USD]."""
    return bill.line("transfer")


@step("USD/TB/month", "Bill per TB and month")
def bill_per_tb_month(bill: Bill, plan: Plan) -> float:
    """The bill over the data held, on the mean of the ends of all months [USD/B/s]."""
    estate = plan.estate
    held = sum(map(byte_months, estate.held))
    return bill.total / (held * estate.month) if held else 0


@step("USD/TB/month", "Hot tier: cost per TB", rises_with=("hot_media_price",))
def hot_tb_month(hot_tier: Medium, owning: Owning) -> float:
    """Cost of a stored TB for a month on the hot tier [USD/B/s]."""
    return owning.byte_rate(hot_tier)


@step("USD/TB/month", "Warm tier: cost per TB", rises_with=("warm_media_price", "warm_rent"))
def warm_tb_month(warm_tier: Medium, owning: Owning, warm_held: float, object_size: float) -> float:
    """Cost of a stored TB for a month on the warm tier at what it holds [USD/B/s]."""
    return unit_rate(owning, warm_tier, warm_held, object_size)


@step("USD/TB/month", "Cold tier: cost per TB", rises_with=("cold_media_price", "cold_rent"))
def cold_tb_month(cold_tier: Medium, owning: Owning, cold_held: float, object_size: float) -> float:
    """Cost of a stored TB for a month on the cold tier, without reads and drives [USD/B/s]."""
    return unit_rate(owning, cold_tier, cold_held, object_size)


def unit_rate(owning: Owning, medium: Medium, held: float, object_size: float) -> float:
    """Cost of each byte where `held` [B] are kept; in the first price tier where nothing is [USD/B/s]."""
    amount = held or 1
    return owning.keep_rate(medium, amount, object_size) / amount


FORMULAS = formulas_of(globals())

"""Tables: by month, by kind of data, the bill and what to buy by year, placements, break-even reads, conventions."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import facts, units
from calculators.declare.tables import Table
from calculators.subjects.storage.data_lifecycle import media
from calculators.subjects.storage.data_lifecycle.bill import Bill, Year
from calculators.subjects.storage.data_lifecycle.estate import Plan
from calculators.subjects.storage.data_lifecycle.placement import NEVER, reads_to_break_even, stay_to_break_even
from calculators.subjects.storage.data_lifecycle.streams import COLD, HOT, LOCAL, MONTHS_A_YEAR, TIERS, WARM

_STEPS = 12  # rows from today to the end
_YEARS = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 10), (11, 20))
_NONE = "–"
_KINDS = {
    "raw": "Raw data",
    "prepared": "Prepared data",
    "staged": "Staged on GPU nodes",
    "checkpoints": "Checkpoints",
    "models": "Released models",
    "cache": "KV caches",
    "index": "Vector index",
    "logs": "Logs",
    "archive": "Archive",
}
_NEIGHBORS = (
    ("medium-tlc-file", "medium-qlc-object"),
    ("medium-tlc-file", "medium-hdd-object"),
    ("medium-qlc-object", "medium-hdd-object"),
    ("medium-hdd-object", "medium-tape-lto9"),
    ("medium-s3-standard", "medium-s3-ia"),
    ("medium-s3-standard", "medium-s3-glacier-instant"),
    ("medium-s3-ia", "medium-s3-glacier-instant"),
    ("medium-s3-standard", "medium-s3-deep-archive"),
    ("medium-gcs-standard", "medium-gcs-archive"),
)
_LISTED = {key: media.listed(key) for pair in _NEIGHBORS for key in pair}
_RATIOS = (
    ("landed in late 2025", float(facts.fact("ssd-to-hdd-price").value)),
    ("second quarter of 2025", float(facts.fact("ssd-over-hdd-2026.q2_2025").value)),
    ("first quarter of 2026", float(facts.fact("ssd-over-hdd-2026.q1_2026").value)),
    ("April 2026", float(facts.fact("ssd-over-hdd-2026.april_2026").value)),
)
_OWNED = ((HOT, "hot"), (WARM, "warm"), (COLD, "cold"))


def _bytes(value: float) -> str:
    return units.text(value, "B") if value else _NONE


def _dollars(value: float) -> str:
    return units.text(value, "USD") if value else _NONE


def month_rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Table of each tier's needs at thirteen moments, from today to the end of the plan."""
    plan: Plan = values["plan"]
    flows = plan.estate
    for step in range(_STEPS + 1):
        number = round(step * flows.months / _STEPS)
        needed = [plan.needed[tier][number] for tier in TIERS]
        held = sum(tier[number] for tier in flows.held)
        yield (
            f"Month {number}",
            *(_bytes(needed[tier]) for tier in (LOCAL, HOT, WARM, COLD)),
            _bytes(held),
        )


def kind_rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Table of each kind of data on every tier in the month shown, one copy."""
    estate, number = values["estate"], int(values["month_number"])
    streams = {stream.name: stream for stream in estate.streams}
    for name, label in _KINDS.items():
        found = streams.get(name)
        held = [estate.course(found).held[tier][number] if found else 0 for tier in TIERS]
        yield label, *map(_bytes, held)


def bill_rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """The bill by year and line."""
    bill: Bill = values["bill"]
    for first, last in _YEARS:
        years = bill.years[first - 1 : last]
        lines = [sum(getattr(year, name) for year in years) for name in Year._fields]
        local, hot, warm, cold, drives, fees, transfer = lines
        name = f"Year {first}" if first == last else f"Years {first} to {last}"
        yield (name, *map(_dollars, (local + hot, warm, cold + drives, fees + transfer, sum(lines))))


def purchase_rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Raw bytes to buy by year and tier: growth of the peak, and what is replaced."""
    bought = {name: purchases(values["plan"], tier, values[f"{name}_tier"]) for tier, name in _OWNED}
    for first, last in _YEARS:
        name = f"Year {first}" if first == last else f"Years {first} to {last}"
        yield name, *(_bytes(sum(bought[tier][first - 1 : last])) for _, tier in _OWNED)


def purchases(plan: Plan, tier: int, medium: media.Medium) -> list[float]:
    """Raw bytes bought in each year of the plan [B]; nothing where the tier is rented."""
    if medium.rented:
        return []
    bought: list[float] = []
    had = 0.0
    life = int(medium.refresh / (MONTHS_A_YEAR * plan.estate.month))
    for start in range(0, plan.estate.months, MONTHS_A_YEAR):
        peak = max(plan.needed[tier][start : start + MONTHS_A_YEAR + 1]) * medium.raw_per_stored
        year = start // MONTHS_A_YEAR
        bought.append(max(0.0, peak - had) + (bought[year - life] if year >= life else 0.0))
        had = max(had, peak)
    return bought


def placement_rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """The best placement of each pair of media."""
    for one in values["search"].best_of_each_pair:
        yield (
            media.name_of(one.warm),
            media.name_of(one.cold),
            f"{one.months} month{'s' if one.months > 1 else ''}",
            units.text(one.cost, "USD"),
            "too late" if one.late else "in time",
        )


def break_even_rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """From how many reads a month the faster medium costs less, and when moving down has paid."""
    terms = values["terms"]
    for fast, slow in _NEIGHBORS:
        reads = reads_to_break_even(_LISTED[fast], _LISTED[slow], terms)
        stay = stay_to_break_even(_LISTED[fast], _LISTED[slow], terms)
        yield (
            f"{media.name_of(fast)} over {media.name_of(slow)}",
            "always" if not reads else "never" if reads >= NEVER else f"{units.text(reads, '1')} a month",
            "never" if stay is None else units.text(stay, "s") if stay else "at once",
        )


def convention_rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each convention, who uses it, and what it gives for these values."""
    end = values["stored_at_end"]
    yield (
        "A terabyte of 10¹² or 2⁴⁰ bytes",
        "Drives and guides the first, providers' bills the second",
        f"{units.text(end, 'B')} or {units.text(end, 'B', binary=True)}; a price per TB differs by 7% to 10%",
    )
    yield (
        "Price of flash over disk",
        "Vendors, by quarter",
        "; ".join(f"{ratio:g} ({when})" for when, ratio in _RATIOS)
        + f"; here {units.text(_over(values['hot_media_price'], values['warm_media_price']), '1')}",
    )
    raw = values["estate"].raw
    before = raw.initial if raw else 0
    after = (
        before + raw.rate * MONTHS_A_YEAR * values["calendar_month"] * (1 + values["ingest_growth"] / 2) if raw else 0
    )
    yield (
        "Growth of what arrives, or of what is held",
        "This calculator the first, most capacity plans the second",
        f"{{ingest_growth}} a year: raw data grows by about {units.text(_over(after, before) - 1, 'share')} in year 1",
    )
    yield (
        "Tiering as a move, or as a cache",
        "Archives the first, file system caches the second",
        "{stored_at_end} where data moves; a cache keeps {hot_held} on the tier below as well",
    )
    yield (
        "Three copies with or without the replica",
        "Backup vendors without, since it repeats deletions",
        "{replica_sites} replicas and {backup_copies} backups next to the original",
    )
    yield (
        "Retention as stated, or as run",
        "Policies the first, full file systems the second",
        "{deleted} must be deleted in the month shown; a rule that nothing runs deletes nothing",
    )
    yield (
        "Cost at list prices, or as paid",
        "Calculators the first, contracts less",
        "{bill_total} at the prices given",
    )


def _over(part: float, whole: float) -> float:
    return part / whole if whole else 0


MONTHS = Table(
    name="months",
    title="By month",
    about="What every tier needs room for, working space included, and all data held.",
    columns=("Month", "Local", "Hot", "Warm", "Cold", "All data"),
    rows=month_rows,
)
KINDS = Table(
    name="kinds",
    title="By kind of data",
    about="In the month shown, one copy, without backups and working space.",
    columns=("Data", "Local", "Hot", "Warm", "Cold"),
    rows=kind_rows,
)
BILL = Table(
    name="years",
    title="Bill by year",
    about="Interest, operations, space and power of owned media; rent and fees of rented ones.",
    columns=("Year", "Local and hot", "Warm", "Cold and drives", "Fees, transfer", "Total"),
    rows=bill_rows,
)
PURCHASES = Table(
    name="purchases",
    title="What to buy",
    about="Raw capacity for the peak of each year, with what is replaced. Order it the lead time before.",
    columns=("Year", "Hot", "Warm", "Cold"),
    rows=purchase_rows,
)
PLACEMENTS = Table(
    name="placements",
    title="Placements",
    about="The cheapest of each pair of warm and cold media, among 160; the hot tier stays as it is.",
    columns=("Warm", "Cold", "Cold after", "Bill", "Restore"),
    rows=placement_rows,
)
BREAK_EVEN = Table(
    name="break_even",
    title="When the faster medium pays",
    about="Reads of a byte in a month above which it costs less there, and the stay after which a move down pays.",
    columns=("Media", "From reads", "Move pays after"),
    rows=break_even_rows,
)
CONVENTIONS = Table(
    name="conventions",
    title="Where the field disagrees",
    about="What each way of counting gives for the present numbers.",
    columns=("Way of counting", "Who uses it", "Result for this estate"),
    rows=convention_rows,
)

"""The estate: months of the plan, the streams of data, and the plan of room for them and for working space."""

from dataclasses import dataclass
from functools import lru_cache
from operator import add

from calculators.declare import formulas_of, record, step
from calculators.subjects.storage.data_lifecycle.streams import (
    COLD,
    HOT,
    LOCAL,
    MONTHS_A_YEAR,
    WARM,
    Estate,
    Stream,
    grown,
    level,
)
from calculators.units import DAY, MONTH, YEAR

_PLANS = 64
_SAME = 1e-12  # of an amount: less is rounding
_DAYS_A_YEAR = YEAR / DAY


@step("s", "Month (1/12 year)")
def calendar_month() -> float:
    """Length of a month, a twelfth of a year [s]."""
    return MONTH


@step("1", "Months of the plan", rises_with=("growth_years",))
def plan_months(growth_years: float) -> float:
    """Whole months of the plan, at least one.

    >>> plan_months(3), plan_months(0)
    (36, 1)
    """
    return max(1, round(MONTHS_A_YEAR * growth_years))


@step("month", "Last month of the plan")
def last_month(plan_months: float, calendar_month: float) -> float:
    """End of the plan [s]."""
    return plan_months * calendar_month


@step("1", "Number of the month shown")
def month_number(shown_month: float, plan_months: float, calendar_month: float) -> float:
    """Number of the month shown; the last one at most."""
    return min(plan_months, round(shown_month / calendar_month))


@record("Raw data")
def raw_stream(
    ingest: float,
    ingest_growth: float,
    raw_data: float,
    hot_landing: float,
    raw_kept: float,
    raw_reduction: float,
    cold_after: float,
    kept_for: float,
    calendar_month: float,
) -> Stream | None:
    """Raw data by age: landed hot, warm until it goes cold, cold until it is deleted; None without any.

    Of what is held at month 0, what triage has deleted since had arrived too.
    """
    landed = min(raw_data, ingest * hot_landing) if ingest and hot_landing else raw_data
    initial = landed + (raw_data - landed) / raw_kept
    if not ingest and not initial:
        return None
    return Stream(
        name="raw",
        initial=initial,
        rate=ingest,
        growth=ingest_growth,
        stays=raw_stays(hot_landing, cold_after, kept_for),
        year=MONTHS_A_YEAR * calendar_month,
        passed=(1, raw_kept if hot_landing else 1, 1),
        reduction=raw_reduction,
        irreplaceable=True,
    )


def raw_stays(hot_landing: float, cold_after: float, kept_for: float) -> tuple[float, float, float, float]:
    """Time that raw data stays on each tier [s]."""
    warm = max(0.0, cold_after - hot_landing)
    return 0.0, hot_landing, warm, max(0.0, kept_for - hot_landing - warm)


@record("Prepared data")
def prepared_stream(
    prepared_data: float,
    version_interval: float,
    hot_versions: float,
    warm_versions: float,
    prepared_growth: float,
    calendar_month: float,
) -> Stream | None:
    """Versions of the prepared data, newest hot; None where none is kept."""
    stays = (0.0, hot_versions * version_interval, warm_versions * version_interval, 0.0)
    return _level("prepared", prepared_data / version_interval, prepared_growth, stays, calendar_month)


@record("Prepared data staged on the nodes")
def staged_stream(
    prepared_data: float, version_interval: float, staged_share: float, prepared_growth: float, calendar_month: float
) -> Stream | None:
    """Prepared data on the GPU nodes' own drives; None where nothing is staged."""
    stays = (version_interval, 0.0, 0.0, 0.0)
    return _level("staged", staged_share * prepared_data / version_interval, prepared_growth, stays, calendar_month)


@record("Checkpoints")
def checkpoint_stream(
    checkpoint_size: float,
    checkpoint_interval: float,
    training_share: float,
    hot_checkpoints: float,
    warm_checkpoints: float,
    cold_checkpoints: float,
    warm_interval: float,
    cold_interval: float,
    checkpoint_growth: float,
    calendar_month: float,
) -> Stream | None:
    """Checkpoints, written while training runs; the numbers retained are on each tier, whatever its share of time."""
    warm = max(warm_interval, checkpoint_interval)
    cold = max(cold_interval, warm)
    stays = (
        0.0,
        hot_checkpoints * checkpoint_interval / training_share,
        warm_checkpoints * warm / training_share,
        cold_checkpoints * cold / training_share,
    )
    rate = checkpoint_size / checkpoint_interval * training_share
    passed = (1.0, checkpoint_interval / warm, warm / cold)
    return _level("checkpoints", rate, checkpoint_growth, stays, calendar_month, passed)


@record("Released models")
def model_stream(
    weights_size: float,
    weight_versions: float,
    releases_per_year: float,
    kept_for: float,
    checkpoint_growth: float,
    calendar_month: float,
) -> Stream | None:
    """Weights of released models: the newest hot, then cold until deleted; None without any."""
    year = MONTHS_A_YEAR * calendar_month
    hot = weight_versions * year / releases_per_year
    if not weights_size:
        return None
    return Stream(
        name="models",
        initial=weights_size * weight_versions,
        rate=weights_size * releases_per_year / year,
        growth=checkpoint_growth,
        stays=(0.0, hot, 0.0, max(0.0, kept_for - hot)),
        year=year,
        irreplaceable=True,
    )


@record("KV caches")
def cache_stream(kv_kept: float, kv_written: float, cache_growth: float, calendar_month: float) -> Stream | None:
    """KV caches on the GPU nodes' own drives; None without any."""
    stays = (kv_kept / kv_written if kv_written else 0.0, 0.0, 0.0, 0.0)
    return _level("cache", kv_written, cache_growth, stays, calendar_month)


@record("Vector index")
def index_stream(
    shared_index_kept: float, index_rebuild: float, index_growth: float, calendar_month: float
) -> Stream | None:
    """The vector index on the hot tier, built again and again; None without one."""
    return _level(
        "index", shared_index_kept / index_rebuild, index_growth, (0.0, index_rebuild, 0.0, 0.0), calendar_month
    )


@record("Logs")
def log_stream(
    logs_per_day: float,
    log_retention: float,
    log_archived: float,
    log_archive_years: float,
    log_growth: float,
    calendar_month: float,
) -> Stream | None:
    """Logs in object storage, then a share of them in the archive; None without any."""
    year = MONTHS_A_YEAR * calendar_month
    stays = (0.0, 0.0, log_retention, log_archive_years * year if log_archived else 0.0)
    return _level(
        "logs", logs_per_day * _DAYS_A_YEAR / year, log_growth, stays, calendar_month, (1.0, 1.0, log_archived)
    )


@record("Archive")
def archive_stream(
    archive_standing: float,
    archive_per_month: float,
    archive_growth: float,
    archive_years: float,
    calendar_month: float,
) -> Stream | None:
    """Regulated records, straight to the cold tier; None without any."""
    if not archive_standing and not archive_per_month:
        return None
    year = MONTHS_A_YEAR * calendar_month
    stays = (0.0, 0.0, 0.0, archive_years * year)
    return Stream("archive", archive_standing, archive_per_month, archive_growth, stays, year, irreplaceable=True)


def _level(
    name: str,
    rate: float,
    growth: float,
    stays: tuple[float, float, float, float],
    month: float,
    passed: tuple[float, float, float] = (1.0, 1.0, 1.0),
) -> Stream | None:
    if not rate or not sum(stays):
        return None
    return level(name, rate, growth, stays, MONTHS_A_YEAR * month, passed)


@record("Estate")
def estate(
    raw_stream: Stream | None,
    prepared_stream: Stream | None,
    staged_stream: Stream | None,
    checkpoint_stream: Stream | None,
    model_stream: Stream | None,
    cache_stream: Stream | None,
    index_stream: Stream | None,
    log_stream: Stream | None,
    archive_stream: Stream | None,
    plan_months: float,
    calendar_month: float,
    replica_sites: float,
    backup_copies: float,
) -> Estate:
    """All data that is kept."""
    streams = (
        *(raw_stream, prepared_stream, staged_stream, checkpoint_stream, model_stream),
        *(cache_stream, index_stream, log_stream, archive_stream),
    )
    kept = tuple(stream for stream in streams if stream is not None)
    return Estate(kept, int(plan_months), calendar_month, replica_sites, backup_copies)


@dataclass(frozen=True)
class Plan:
    """An estate and the working space next to its data: scratch on the hot tier, recalled raw data on the warm one."""

    estate: Estate
    scratch: float  # B at month 0
    scratch_growth: float  # a year
    staged: float  # share of the raw data on the cold tier that is on the warm tier at once

    @property
    def needed(self) -> tuple[list[float], ...]:
        """Bytes that each tier must have room for by month, data and working space."""
        return _needed(self)

    def scratch_at(self, number: float) -> float:
        """Scratch space in a month [B]."""
        return self.scratch * grown(self.scratch_growth, number / MONTHS_A_YEAR)

    def at(self, tier: int) -> float:
        """The most that a tier must have room for [B]."""
        return max(self.needed[tier])

    def at_month(self, tier: int) -> float:
        """The first month in which a tier must have room for the most [s]."""
        most = self.at(tier) * (1 - _SAME)
        return next(n for n, needed in enumerate(self.needed[tier]) if needed >= most) * self.estate.month


@lru_cache(maxsize=_PLANS)
def _needed(plan: Plan) -> tuple[list[float], ...]:
    held = plan.estate.held
    months = range(plan.estate.months + 1)
    hot = [plan.scratch_at(number) for number in months] if plan.scratch else [0.0] * len(months)
    warm = [plan.staged * bytes_ for bytes_ in plan.estate.raw_on(COLD)]
    return held[LOCAL], list(map(add, held[HOT], hot)), list(map(add, held[WARM], warm)), held[COLD]


@record("Plan")
def plan(
    estate: Estate,
    scratch_factor: float,
    prepared_data: float,
    prepared_growth: float,
    recall_staged: float,
    reread_share: float,
) -> Plan:
    """The estate, with the working space of preparation and recall."""
    return Plan(estate, scratch_factor * prepared_data, prepared_growth, recall_staged * reread_share)


FORMULAS = formulas_of(globals())

"""Limits: when what was bought is full, and what runs short first."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import sub
from typing import NamedTuple

from calculators.declare import formulas_of, record, step
from calculators.subjects.storage.data_lifecycle.bill import Prices
from calculators.subjects.storage.data_lifecycle.estate import Plan
from calculators.subjects.storage.data_lifecycle.media import Medium
from calculators.subjects.storage.data_lifecycle.rates import busy
from calculators.subjects.storage.data_lifecycle.restores import delivered_in
from calculators.subjects.storage.data_lifecycle.streams import COLD, HOT, MONTHS_A_YEAR, WARM, flows, grown

RECALL, RESTORE = "recall from cold", "restore from cold"
Supply = tuple[float, float, float | None]
_SAME = 1e-9  # of an amount or a window: what rounding leaves above it is neither full nor late


@step("month", "Hot tier: full in", not_applicable="not within the plan")
def hot_runs_out(plan: Plan, hot_tier: Medium, hot_bought: float | None) -> float | None:
    """The first month in which the hot tier needs more than was bought [s]; None if it never does, or is as needed."""
    return _runs_out(plan, HOT, hot_tier, hot_bought)


@step("month", "Warm tier: full in", not_applicable="not within the plan")
def warm_runs_out(plan: Plan, warm_tier: Medium, warm_bought: float | None) -> float | None:
    """The first month in which the warm tier needs more than was bought [s]; None if it never does, or is as needed."""
    return _runs_out(plan, WARM, warm_tier, warm_bought)


@step("month", "Cold tier: full in", not_applicable="not within the plan")
def cold_runs_out(plan: Plan, cold_tier: Medium, cold_bought: float | None) -> float | None:
    """The first month in which the cold tier holds more than was bought [s]; None if it never does, or is as needed."""
    return _runs_out(plan, COLD, cold_tier, cold_bought)


def _runs_out(plan: Plan, tier: int, medium: Medium, bought: float | None) -> float | None:
    if bought is None:
        return None
    usable = bought / medium.raw_per_stored
    full = next((number for number, needed in enumerate(plan.needed[tier]) if needed > usable * (1 + _SAME)), None)
    return None if full is None else full * plan.estate.month


@step("month", "First tier full in", not_applicable="not within the plan")
def runs_out(hot_runs_out: float | None, warm_runs_out: float | None, cold_runs_out: float | None) -> float | None:
    """The first month in which a tier needs more than was bought [s]."""
    return min((one for one in (hot_runs_out, warm_runs_out, cold_runs_out) if one is not None), default=None)


@dataclass(frozen=True)
class Work:
    """Resources that work on the data needs each month."""

    trained: float  # B/s
    prepared: float  # B at month 0
    growth: float  # a year
    passes: float
    written: float
    core_seconds: float  # s/B
    cores: float
    longest: float  # s, half of the time between versions
    busy_share: float


@record("Work on the data")
def data_work(
    training_read: float,
    training_share: float,
    prepared_data: float,
    prepared_growth: float,
    prep_passes: float,
    prep_written: float,
    prep_core_seconds: float,
    prep_cores: float,
    version_interval: float,
    busy_share: float,
) -> Work:
    """Resources that work on the data needs each month."""
    return Work(
        training_read * training_share,
        prepared_data,
        prepared_growth,
        prep_passes,
        prep_written,
        prep_core_seconds,
        prep_cores,
        version_interval / 2,
        busy_share,
    )


class Limit(NamedTuple):
    """Resource that runs short, and its first month."""

    name: str
    month: int


@record("What runs short")
def limits(
    plan: Plan,
    data_work: Work,
    prices: Prices,
    hot_tier: Medium,
    warm_tier: Medium,
    cold_tier: Medium,
    hot_bought: float | None,
    warm_bought: float | None,
    cold_bought: float | None,
) -> tuple[Limit, ...]:
    """Capacity, bandwidth, preparation, recall and restore that run short within the plan, the earliest first."""
    found = {
        f"{name} capacity": max(1, round(full / plan.estate.month))
        for tier, name, medium, bought in (
            (HOT, "hot", hot_tier, hot_bought),
            (WARM, "warm", warm_tier, warm_bought),
            (COLD, "cold", cold_tier, cold_bought),
        )
        if (full := _runs_out(plan, tier, medium, bought)) is not None
    }
    supplies = list(_supplies(plan, prices, cold_tier, cold_bought, data_work.busy_share))
    checks = {
        "hot bandwidth": _bandwidth(
            plan, HOT, hot_tier, hot_bought, _hot_rates(plan, data_work, prices), data_work.busy_share
        ),
        "warm bandwidth": _bandwidth(
            plan, WARM, warm_tier, warm_bought, _warm_rates(plan, prices), data_work.busy_share
        ),
        "preparation": _preparation(plan, data_work, prices),
        RECALL: _recall(prices, cold_tier, supplies),
        RESTORE: _restore(prices, cold_tier, supplies),
    }
    for name, short in checks.items():
        first = next((number for number, is_short in enumerate(short, 1) if is_short), None)
        if first is not None:
            found[name] = first
    return tuple(Limit(name, number) for name, number in sorted(found.items(), key=lambda one: one[1]))


def _by_month(until: list[float]) -> Iterator[float]:
    return map(sub, until[1:], until)


def _hot_rates(plan: Plan, work: Work, prices: Prices) -> Iterator[tuple[float, float]]:
    """Reads and writes of the hot tier by month [B/s]."""
    found, month = flows(plan.estate), plan.estate.month
    for number, (moved, entered) in enumerate(
        zip(_by_month(found.moved[HOT]), _by_month(found.entered[HOT]), strict=True), 1
    ):
        prepared = prices.versions * work.prepared * grown(work.growth, number / MONTHS_A_YEAR)
        read = work.trained + (moved + prepared * (work.passes - 1)) / month
        yield read, (entered + prepared * work.written) / month


def _warm_rates(plan: Plan, prices: Prices) -> Iterator[tuple[float, float]]:
    """Reads and writes of the warm tier by month [B/s]."""
    estate, found = plan.estate, flows(plan.estate)
    often = prices.restores.reread_share * prices.versions
    by_month = zip(
        _by_month(found.moved[WARM]),
        _by_month(found.entered[WARM]),
        estate.raw_on(WARM)[1:],
        estate.raw_on(COLD)[1:],
        strict=True,
    )
    for moved, entered, warm, cold in by_month:
        yield (moved + often * (warm + cold)) / estate.month, (entered + often * cold) / estate.month


def _bandwidth(
    plan: Plan,
    tier: int,
    medium: Medium,
    bought: float | None,
    rates: Iterable[tuple[float, float]],
    busy_share: float,
) -> Iterator[bool]:
    for needed, (read, written) in zip(plan.needed[tier][1:], rates, strict=True):
        capacity = needed * medium.raw_per_stored if bought is None else bought
        yield busy(medium, read, written, capacity) > busy_share


def _preparation(plan: Plan, work: Work, prices: Prices) -> Iterator[bool]:
    estate = plan.estate
    longest = work.longest * work.cores
    each = prices.restores.reread_share * work.core_seconds
    for hot, warm, cold in zip(*(estate.raw_on(tier)[1:] for tier in (HOT, WARM, COLD)), strict=True):
        yield (hot + warm + cold) * each > longest


def _recall(prices: Prices, medium: Medium, supplies: Iterable[Supply]) -> Iterator[bool]:
    restores = prices.restores
    for _, raw, supply in supplies:
        recalled = restores.reread_share * raw
        yield recalled > 0 and delivered_in(medium, recalled, supply) > restores.recall_window * (1 + _SAME)


def _restore(prices: Prices, medium: Medium, supplies: Iterable[Supply]) -> Iterator[bool]:
    restores = prices.restores
    for held, _, supply in supplies:
        amount = min(restores.restore, held)
        yield delivered_in(medium, amount, supply) > restores.restore_window * (1 + _SAME)


def _supplies(plan: Plan, prices: Prices, medium: Medium, bought: float | None, busy_share: float) -> Iterator[Supply]:
    """All data and raw data on the cold tier [B], and the rate at which it delivers [B/s], by month."""
    for needed, held, raw in zip(
        plan.needed[COLD][1:], plan.estate.held[COLD][1:], plan.estate.raw_on(COLD)[1:], strict=True
    ):
        capacity = needed * medium.raw_per_stored if bought is None else bought
        yield held, raw, prices.restores.supply(medium, raw, capacity, busy_share)


FORMULAS = formulas_of(globals())

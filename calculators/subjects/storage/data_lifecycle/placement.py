"""Placement: when moving data to a cheaper tier pays, and the cheapest of many placements."""

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from calculators.declare import formulas_of, record, step
from calculators.subjects.storage.data_lifecycle import media
from calculators.subjects.storage.data_lifecycle.bill import (
    Bill,
    Prices,
    billed,
    byte_months,
    drives_by_month,
    even_rate,
    fees,
    kept_by_month,
    on,
    stream_fees,
)
from calculators.subjects.storage.data_lifecycle.estate import Plan, raw_stays
from calculators.subjects.storage.data_lifecycle.limits import RECALL, RESTORE, Limit
from calculators.subjects.storage.data_lifecycle.media import Medium, Owning
from calculators.subjects.storage.data_lifecycle.restores import delivered_in
from calculators.subjects.storage.data_lifecycle.streams import COLD, WARM

_AGES = (1, 3, 6, 12, 18, 24, 36, 120)  # months after which raw data goes cold
_SEARCHES = 16
_LISTED = {key: media.listed(key) for key in {*media.WARM_CHOICES, *media.COLD_CHOICES}}
_CHOICES = (*((WARM, key) for key in media.WARM_CHOICES), *((COLD, key) for key in media.COLD_CHOICES))
_SAME = 1e-9  # of a window: what rounding leaves above it is not late
NEVER = 1e6  # reads a month that no medium delivers: the faster one never pays


@dataclass(frozen=True)
class Terms:
    """Terms of a comparison of two media: cost of owning, object size, busy share, and a tape drive's month."""

    owning: Owning
    object_size: float
    busy_share: float
    drive_rate: float  # USD/s of a tape drive
    efficiency: float


@record("Terms of placement")
def terms(
    owning: Owning,
    object_size: float,
    busy_share: float,
    tape_drive_price: float,
    tape_drive_refresh: float,
    tape_efficiency: float,
) -> Terms:
    """Terms of a comparison of two media."""
    drive = owning.purchase_rate(tape_drive_price, tape_drive_refresh)
    return Terms(owning, object_size, busy_share, drive, tape_efficiency)


def rates(fast: Medium, slow: Medium, terms: Terms) -> tuple[float, float]:
    """Cost of a byte on both media, rented ones at their first price tier [USD/B/s]."""
    fast_rate, slow_rate = (terms.owning.keep_rate(medium, 1, terms.object_size) for medium in (fast, slow))
    return fast_rate, slow_rate


def reads_to_break_even(fast: Medium, slow: Medium, terms: Terms) -> float:
    """Reads of each byte in a month above which it costs less on the faster medium: the five-minute rule.

    Gray and Putzolu's rule with a fee where the slower medium is rented, a drive's time where it is tape. On owned
    disks a read takes bandwidth, which is bought as capacity: above what they deliver, more are bought for speed alone.
    """
    fast_rate, slow_rate = rates(fast, slow, terms)
    month = terms.owning.month
    if slow.rented:
        fee = slow.read_fee(terms.object_size) - fast.read_fee(terms.object_size)
        return _reads((fast_rate - slow_rate) * month, fee)
    if slow.tape_drive_rate is not None:
        return _reads(
            (fast_rate - slow_rate) * month,
            terms.drive_rate / (slow.tape_drive_rate * terms.efficiency * terms.busy_share),
        )
    turns = slow.read_per_tb * slow.raw_per_stored * terms.busy_share * month
    return min(NEVER, turns * fast_rate / slow_rate) if slow_rate else NEVER


def _reads(saved: float, fee: float) -> float:
    if saved <= 0:
        return 0.0
    return min(NEVER, saved / fee) if fee > 0 else NEVER


def stay_to_break_even(fast: Medium, slow: Medium, terms: Terms) -> float | None:
    """Time that data must stay on the slower medium, never read, until its move has paid [s]; None if never."""
    fast_rate, slow_rate = rates(fast, slow, terms)
    move = slow.write_fee(terms.object_size) + fast.read_fee(terms.object_size)
    if fast_rate <= slow_rate:
        return None
    early = (slow_rate * slow.least_stay + move) / fast_rate
    return early if early < slow.least_stay else move / (fast_rate - slow_rate)


@step("1/month", "Break-even reads: warm over cold")
def break_even_reads(warm_tier: Medium, cold_tier: Medium, terms: Terms) -> float:
    """Reads of each byte in a month above which it costs less on the warm tier than on the cold one [1/s]."""
    return reads_to_break_even(warm_tier, cold_tier, terms) / terms.owning.month


@step("1/month", "Break-even reads: hot over warm")
def hot_break_even_reads(hot_tier: Medium, warm_tier: Medium, terms: Terms) -> float:
    """Reads of each byte in a month above which it costs less on the hot tier than on the warm one [1/s]."""
    return reads_to_break_even(hot_tier, warm_tier, terms) / terms.owning.month


@step("s", "Stay on cold that pays the move", not_applicable="never")
def break_even_stay(warm_tier: Medium, cold_tier: Medium, terms: Terms) -> float | None:
    """Time that data must stay on the cold tier, never read, before moving it there has paid [s]."""
    return stay_to_break_even(warm_tier, cold_tier, terms)


@step("share", "Staged share at break-even")
def staged_break_even(warm_tier: Medium, cold_tier: Medium, terms: Terms) -> float:
    """Share of the cold data staged on the warm tier at once above which moving it down costs more than it saves."""
    fast_rate, slow_rate = rates(warm_tier, cold_tier, terms)
    return max(0, 1 - slow_rate / fast_rate) if fast_rate else 0


@step("1/month", "Cold tier: reads of each byte", rises_with=("reread_share",))
def cold_reads(reread_share: float, version_interval: float) -> float:
    """Reads of each byte of raw data on the cold tier [1/s]."""
    return reread_share / version_interval


@step("1/month", "Hot tier: reads of each byte")
def hot_reads(hot_read_rate: float, hot_held: float) -> float:
    """Reads of each byte of the hot tier [1/s]; 0 where it is empty."""
    return hot_read_rate / hot_held if hot_held else 0


@dataclass(frozen=True)
class Placement:
    """A choice of media for the warm and cold tier, and of the age at which raw data goes cold."""

    cost: float  # USD over the plan
    warm: str
    cold: str
    months: int
    late: bool  # whether restore or recall misses its window


@dataclass(frozen=True)
class Search:
    """Start of a search of placements."""

    plan: Plan
    prices: Prices
    elsewhere: float  # USD over the plan of what no placement changes
    hot_landing: float
    kept_for: float
    restore: float
    restore_window: float
    busy_share: float

    @property
    def placements(self) -> tuple[Placement, ...]:
        """All placements, the cheapest first."""
        return _placements(self)

    @property
    def cheapest(self) -> Placement | None:
        """The cheapest placement that restores and recalls in time; None where none does."""
        return next((one for one in self.placements if not one.late), None)

    @property
    def best_of_each_pair(self) -> tuple[Placement, ...]:
        """The cheapest placement of each pair of media, the cheapest pair first; late ones only where all are."""
        found: dict[tuple[str, str], Placement] = {}
        for one in sorted(self.placements, key=lambda each: each.late):
            found.setdefault((one.warm, one.cold), one)
        return tuple(sorted(found.values(), key=_by_cost))


@record("Search of placements")
def search(
    plan: Plan,
    prices: Prices,
    bill: Bill,
    hot_landing: float,
    kept_for: float,
    cold_restore: float,
    cold_restore_window: float,
    busy_share: float,
) -> Search:
    """Start of a search of placements."""
    elsewhere = bill.line("local") + bill.line("hot") + bill.line("transfer")
    return Search(plan, prices, elsewhere, hot_landing, kept_for, cold_restore, cold_restore_window, busy_share)


@lru_cache(maxsize=_SEARCHES)
def _placements(search: Search) -> tuple[Placement, ...]:
    """Every placement. Costs of the tiers add up, and what other data costs is the same for all ages of raw data."""
    estate, prices = search.plan.estate, search.prices
    rest = replace(estate, streams=tuple(one for one in estate.streams if one.name != "raw"))
    others = {choice: _Others.of(replace(search.plan, estate=rest), *choice, prices) for choice in _CHOICES}
    found = []
    for months in _AGES:
        aged = _aged(search, months)
        raw = {tier: _raw(aged, tier) for tier in (WARM, COLD)}
        costs = {choice: _cost(aged, *choice, prices, others[choice], raw[choice[0]]) for choice in _CHOICES}
        late = {key: _late(aged, _LISTED[key], search) for key in media.COLD_CHOICES}
        for one, other in product(media.WARM_CHOICES, media.COLD_CHOICES):
            cost = search.elsewhere + costs[WARM, one] + costs[COLD, other]
            found.append(Placement(cost, one, other, months, late[other]))
    return tuple(sorted(found, key=_by_cost))


def _by_cost(placement: Placement) -> float:
    """The cost to nine digits: ages beyond the plan cost the same, and the youngest of them comes first."""
    return float(f"{placement.cost:.9g}")


def _aged(search: Search, months: int) -> Plan:
    """The plan where raw data goes cold after so many months."""
    estate = search.plan.estate
    age = min(months * estate.month, search.kept_for)
    stays = raw_stays(search.hot_landing, age, search.kept_for)
    streams = tuple(replace(one, stays=stays) if one.name == "raw" else one for one in estate.streams)
    return replace(search.plan, estate=replace(estate, streams=streams))


class _Others(NamedTuple):
    """All data but raw on a medium: bytes billed by month and their sum [B], and fees [USD]."""

    billed: list[float]
    byte_months: float
    fees: float

    @classmethod
    def of(cls, plan: Plan, tier: int, key: str, prices: Prices) -> "_Others":
        """Streams of a plan without raw data."""
        found = billed(plan, tier, _LISTED[key], prices)
        return cls(found, byte_months(found), fees(plan.estate, tier, _LISTED[key], prices, 0, plan.estate.months))


class _Raw(NamedTuple):
    """Raw data on a tier by month: stored, and staged for a recall [B]; both as a sum over months."""

    stored: list[float]
    staged: list[float]
    stored_months: float
    staged_months: float


def _raw(aged: Plan, tier: int) -> _Raw | None:
    estate = aged.estate
    if estate.raw is None:
        return None
    stored = on(estate, estate.raw, tier)
    staged = [aged.staged * cold for cold in estate.raw_on(COLD)] if tier == WARM else [0.0] * len(stored)
    return _Raw(stored, staged, byte_months(stored), byte_months(staged))


def _cost(aged: Plan, tier: int, key: str, prices: Prices, others: _Others, raw: _Raw | None) -> float:
    """Cost of a tier on a medium over the plan [USD]."""
    medium, estate = _LISTED[key], aged.estate
    # A library that nothing ever goes to is not paid for.
    goes_there = medium.tape_drive_rate and (any(estate.raw_on(COLD)) or any(others.billed))
    charged = others.fees + (sum(drives_by_month(estate, medium, prices)) if goes_there else 0)
    rate = even_rate(medium, prices)
    if raw is None or estate.raw is None:
        return charged + sum(kept_by_month(others.billed, medium, prices))
    share = medium.billed_share(prices.size(estate.raw))
    if medium.rented:
        charged += stream_fees(estate, estate.raw, tier, medium, prices, 0, estate.months)
    if rate is not None:
        amount = others.byte_months + share * raw.stored_months + raw.staged_months
        return charged + amount * rate * estate.month
    by_month = zip(others.billed, raw.stored, raw.staged, strict=True)
    return charged + sum(kept_by_month([rest + share * held + more for rest, held, more in by_month], medium, prices))


def _late(plan: Plan, medium: Medium, search: Search) -> bool:
    """Whether restore or recall misses its window at the end of the plan."""
    restores, held, raw = search.prices.restores, plan.estate.held[COLD][-1], plan.estate.raw_on(COLD)[-1]
    supply = restores.supply(medium, raw, held * medium.raw_per_stored, search.busy_share)
    restore = delivered_in(medium, min(search.restore, held), supply)
    recall = restores.reread_share * raw
    return restore > search.restore_window * (1 + _SAME) or (
        recall > 0 and delivered_in(medium, recall, supply) > restores.recall_window * (1 + _SAME)
    )


@step("USD", "Cheapest placement that restores in time", not_applicable="none restores in time")
def cheapest_bill(search: Search, bill_total: float, limits: tuple[Limit, ...]) -> float | None:
    """Cost of the cheapest placement that restores and recalls in time [USD]: of the menu's media and ages, or as set.

    None where every placement is late.
    """
    found = [search.cheapest.cost] if search.cheapest else []
    is_late = any(limit.name in {RECALL, RESTORE} for limit in limits)
    return min([*found, *([] if is_late else [bill_total])], default=None)


FORMULAS = formulas_of(globals())

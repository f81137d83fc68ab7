"""Recommendations: what can be bought or set, 10% more or an option of each, solved again, the most valuable first.

A property of a device alone (peak FLOP/s, a switch's ports) is not sold: its menu is. Shares that are measured or
assumed, such as overlaps, efficiencies and failure rates, belong to the uncertainty of the answer.

Of a menu the record that is worth most is shown, on as many GPUs, and where its price is unknown the best that has
one. What describes the job stays: its model, tokens and batch, how FLOPs are counted, and the precision it is trained
in. So does what the reader states as a target, and what is computed; only reading from storage, which follows writing
by default, may move by itself. A change that turns something red comes after all that do not, and the one of these that
saves most keeps the last place.
"""

import dataclasses
import math
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from calculators import units
from calculators.answers.explore.search import Search
from calculators.declare import REFUSED, Choice, Input, Preset, Quantity, Verdict
from calculators.facts import Record
from calculators.machine import wiring
from calculators.machine.asynchronous import each_together
from calculators.machine.kinds import Machine, Trial
from calculators.machine.resources import buildable, prices
from calculators.machine.resources.prices import Unpriced
from calculators.machine.resources.rates import MORE
from calculators.subjects.serving.inference.verdicts import CACHE_NVFP4

MOST = 10
_FIXED = frozenset(
    (
        *("gpus_per_node", "gpus_per_domain", "deadline", "budget", "measured_rate"),
        *("training_precision", "fp8_speedup", "fp4_speedup", "matrix_reach", "step_range", "training_software"),
        *("cache_bytes", "entry_bytes", "logged_cache_memory", "gpu_memory_utilization"),
        "arithmetic",  # as narrow as weights and GPU allow already
    )
)
# Targets and needs that the reader states, prices, and the size of what is bought: to relax one is no advice.
_STATED = frozenset(
    (
        *("write_window", "target_utilization", "spare_replicas", "sessions", "session_context", "growth_years"),
        *("log_retention", "logs_per_day", "rollouts_stored_per_day"),
        *("checkpoint_size", "prepared_data", "raw_data", "raw_tier"),
        *("price_per_gpu_hour", "search_node_price", "node_units", "rack_units", "rack_nodes"),
    )
)
_SOLVED = frozenset(("gpus", "checkpoint_interval"))  # by rungs, and by its best
_MOVES_ALONE = frozenset(("read_bandwidth",))
_COMES_WITH = frozenset(("server",))  # its accelerator
_OF_THE_HALL = frozenset(("rack_limit",))  # only racks sold whole bring their own
_SHARES_OF_A_STEP = frozenset(("Communication overlap",))  # which a slower step lowers too
_BY_REPLICAS = frozenset(("One replica down (N−1)",))  # which more GPUs of any kind fix
# An interval that is longer than the best because drives bear no shorter one.
_LONGER = frozenset(("Checkpoint interval",))
# Groups whose quantities are bought or set; of other groups only menus and choices are.
_DECIDED = frozenset(
    (
        *("run", "save", "store", "tiers", "near", "keep", "restart", "spares", "upkeep", "tree"),
        *("fleet", "engine", "tier", "hall", "pools", "search_node"),
    )
)
_ASSUMED = frozenset(
    (
        *("rare_failure_share", "durable_stall", "durable_time_to_safe", "durable_restore_time", "checkpoint_stall"),
        *("time_to_safe", "node_failure_share", "corruption_gpu_mtbf", "corruption_delay", "straggler_loss"),
        *("rollout_efficiency", "mfu", "goodput", "serving_tokens_per_second_per_gpu"),
        *("paid", "growth", "checkpoint_growth", "log_growth"),
    )
)
_NOTICEABLE = 1e-3  # of the run's time, price or power
_MUCH = 0.1  # of time or price: what a change that breaks something must save to be shown before the least of others


@dataclass(frozen=True, kw_only=True)
class Change:
    """A single change: the new input, in words and as text; what it saves, of each measure; what it turns red.

    `unpriced` says what is unknown of its price; where that is the whole price, `price` is worth nothing. `is_dark`:
    the power of the device is unknown, and `power` is worth nothing. `gpus` are those that it takes [GPU].
    """

    title: str
    given: Mapping[str, str]
    first: float
    price: float
    power: float
    gpus: float
    breaks: tuple[str, ...]
    fixes: tuple[str, ...]
    unpriced: Unpriced | None = None
    is_dark: bool = False


def changes(found: Machine, most: int = MOST) -> list[Change]:
    """The most valuable changes, the best first."""
    return Search(each_best(found, most)).run()


def each_best(found: Machine, most: int = MOST) -> Generator[None, None, list[Change]]:
    """Most valuable changes, with a pause after each trial."""
    known = []
    for one in each_change(found):
        known += [one] if one is not None else []
        yield
    return _shown(found, ranked(known), most)


def _shown(found: Machine, order: list[Change], most: int) -> list[Change]:
    """The first of them; in the last place one that breaks something, where it saves much: a trade to decide on."""
    kept, others = order[:most], [one for one in order[most:] if one.breaks]
    first, price, _ = (float(found.values[measure.result]) for measure in found.kind.measures)
    trade = max(others, key=lambda one: max(one.first / first, one.price / price), default=None)
    if trade and not kept[-1].breaks and max(trade.first / first, trade.price / price) >= _MUCH:
        kept[-1] = trade
    return kept


def ranked(known: list[Change]) -> list[Change]:
    """In order: changes that fix something first, those that break something last; then by time saved, then money."""
    return sorted(known, key=lambda one: (bool(one.breaks), -len(one.fixes), -one.first, -one.price, one.title))


def worthwhile(found: Machine) -> Iterator[Change]:
    """Every change worth something, one after the other."""
    return (one for one in each_change(found) if one is not None)


def each_change(found: Machine) -> Iterator[Change | None]:
    """Every change worth something, and None after each trial, where there may be a pause."""
    before = _red(found, found.values)
    yield from _worth(found.proposals(), found, before)
    together = yield from each_together(found, before, lambda after: _red(found, after) - _LONGER)
    if together is not None:
        title, given, after = together
        one = _change(found, after, before, title, given)
        yield one and dataclasses.replace(one, breaks=tuple(title for title in one.breaks if title not in _LONGER))
    without_tier = yield from buildable.each_without_tier(found)
    if without_tier is not None:
        title, given, after = without_tier
        one = _change(found, after, before, title, given)
        fixes = tuple(title for title in one.fixes if title in buildable.OF_TIER) if one else ()
        yield one and _of_known_worth(found, dataclasses.replace(one, fixes=fixes))
    for menu in found.calculator.presets:
        if menu.group not in found.kind.job and menu.name not in _COMES_WITH:
            yield from _best_of(_of_menu(found, menu, before))
    of_menus = {name for menu in found.calculator.presets for name in menu.fills}
    for name, declared in found.calculator.inputs.items():
        if declared.group in found.kind.job or name in _FIXED | _STATED | _SOLVED | _ASSUMED:
            continue
        if isinstance(declared, Quantity) and (declared.group not in _DECIDED or name in of_menus - _OF_THE_HALL):
            continue
        if found.resolved.origins[name] == "computed" and name not in _MOVES_ALONE:
            continue
        options = [one for one in _possible(found, declared) if not buildable.needs_its_tier(found, name, one)]
        worth = _worth(_solved(found, declared, options), found, before)
        yield from worth if isinstance(declared, Choice) else _better(worth)


def _of_menu(found: Machine, menu: Preset, before: frozenset[str]) -> Iterator[Change | None]:
    """Each other record of a menu that is worth something, with what is not known of its price, and pauses."""
    present = menu.by_key.get(found.resolved.presets[menu.name])
    for record in menu.records:
        if record is present or prices.is_of_another(found, record) or _is_none(found, record):
            continue
        yield None
        after = yield from found.chosen(menu.name, record.key)
        if after is None or buildable.is_part_of_a_rack(after) or buildable.exceeds_host_link(found, after):
            continue
        title = f"{menu.label}: {record.name}{f' instead of {present.name}' if present else ''}"
        one = _change(found, after, before, title + buildable.racks_of(found, after), {menu.name: record.key})
        yield None if one is None else _sold(found, menu, record, one, after)


def _sold(found: Machine, menu: Preset, record: Record, one: Change, after: Mapping[str, Any]) -> Change | None:
    """Change to a device, with what is unknown of it; None if what is known is no gain.

    A slower accelerator fixes nothing by needing more of itself, nor does one replica down where more of it are needed.
    """
    is_dark = buildable.lacks_watts(found, menu, record)
    one = dataclasses.replace(one, unpriced=prices.of_record(found, menu, record), is_dark=is_dark)
    if menu.name == "accelerator" and one.first < 0 and not is_no_run(found, found.values):
        fixes = () if buildable.is_slower(found, after) else tuple(sorted({*one.fixes} - _BY_REPLICAS))
        one = dataclasses.replace(one, fixes=fixes)
    return _of_known_worth(found, one)


def _of_known_worth(found: Machine, one: Change) -> Change | None:
    """The change, where what is known of it is a gain or fixes something."""
    price = 0.0 if one.unpriced and one.unpriced.wholly else one.price
    gains = zip((one.first, price, 0.0 if one.is_dark else one.power), found.kind.measures, strict=True)
    is_gain = any(gain > _NOTICEABLE * found.values[measure.result] for gain, measure in gains)
    return one if is_gain or one.fixes else None


def _is_none(found: Machine, record: Record) -> bool:
    """Whether a record is no choice of this system: no offer, or a cache that its GPUs cannot read."""
    is_narrow = record.value("cache_bytes") == CACHE_NVFP4 and found.values["peak_flops_fp4"] is None
    return is_narrow or prices.is_no_offer(found, record)


def _solved(found: Machine, declared: Input, options: Iterable[Any]) -> Iterator[Trial | None]:
    """Each option of an input, solved again, and pauses."""
    for option in options:
        after = yield from found.solved({declared.name: option})
        yield {declared.name: option}, after


def _better(worth: Iterator[Change | None]) -> Iterator[Change | None]:
    """Of a quantity, which may rise or fall, the better of both."""
    known = yield from _gathered(worth)
    yield from ranked(known)[:1]


def _best_of(worth: Iterator[Change | None]) -> Iterator[Change | None]:
    """Of a menu its best record, and the best whose price is known where that of the first is not."""
    known = ranked((yield from _gathered(worth)))
    yield from known[:1]
    if known and known[0].unpriced and known[0].unpriced.wholly:
        yield from [one for one in known if not (one.unpriced and one.unpriced.wholly)][:1]


def _gathered(worth: Iterator[Change | None]) -> Generator[None, None, list[Change]]:
    """All of them, with the pauses."""
    known = []
    for one in worth:
        if one is None:
            yield
        else:
            known.append(one)
    return known


def _worth(trials: Iterable[Trial | None], found: Machine, before: frozenset[str]) -> Iterator[Change | None]:
    """Trials that save time, money or power, or fix what was red, and pauses."""
    for trial in trials:
        yield None
        if trial is None:
            continue
        changed, after = trial
        if after is None:
            continue
        inputs = [found.calculator.inputs[name] for name in changed if changed[name] != found.values[name]]
        now = found.values
        words = [f"{one.label}: {one.text(changed[one.name])} instead of {one.text(now[one.name])}" for one in inputs]
        given = {one.name: one.box(changed[one.name]) for one in inputs}
        one = _change(found, after, before, ", ".join(words), given)
        if one is not None:
            yield one


def _change(
    found: Machine, after: Mapping[str, Any], before: frozenset[str], title: str, given: Mapping[str, str]
) -> Change | None:
    """Change with its effects; None if it is worth nothing, frameworks refuse it, or a run still does not fit."""
    if found.calculator.is_refused(after) or (is_no_run(found, found.values) and is_no_run(found, after)):
        return None
    values, red = found.values, _red(found, after)
    names = [measure.result for measure in found.kind.measures]
    first, price, power = (float(values[name] - after[name]) for name in names)
    fixes = tuple(sorted(before - red - (_SHARES_OF_A_STEP if first < 0 else frozenset())))
    gains = any(values[name] - after[name] > _NOTICEABLE * values[name] for name in names)
    if not gains and not fixes:
        return None
    breaks = tuple(sorted((red - before) | _worse(found, after)))
    is_sooner_or_cheaper = any(values[name] - after[name] > _NOTICEABLE * values[name] for name in names[:2])
    costs = any(after[name] - values[name] > _NOTICEABLE * values[name] for name in names[:2])
    if (breaks or costs) and not fixes and not is_sooner_or_cheaper:
        return None  # less power alone, for a run no sooner and no cheaper, is worth no bad verdict, time or money
    gpus = float(after["gpus"])
    return Change(
        title=title, given=given, first=first, price=price, power=power, gpus=gpus, breaks=breaks, fixes=fixes
    )


def _possible(found: Machine, declared: Input) -> Iterator[Any]:
    """What is required of a rate that is too slow; 10% more or less and the other options of every other input."""
    short = [one for one in found.kind.rates if one.inputs[0] == declared.name and one.is_short(found.values)]
    if short and isinstance(declared, Quantity):
        enough = units.rounded_up(found.values[short[0].required], declared.unit)
        yield from [enough] if enough <= declared.hard[1] else []
        return
    yield from _options(declared, found.values[declared.name])


def _options(declared: Input, value: Any) -> Iterator[Any]:
    """10% more and less, or a step, or every other option."""
    if isinstance(declared, Choice):
        yield from (option.value for option in declared.options.values() if option.value != value)
        return
    if value is None:
        return
    low, high = declared.hard
    for moved in (value * (1 + MORE), value / (1 + MORE)):
        wanted = _whole(declared, value, moved)
        if low <= wanted <= high and wanted != value:
            yield wanted


def _whole(declared: Quantity, value: float, moved: float) -> float:
    """The moved value, as whole as the input is: a step at least, twice or half where it goes in powers of two."""
    if not declared.whole:
        return moved
    if declared.doubling:
        return value * 2 if moved > value else float(value // 2)
    return float(max(value + 1, round(moved)) if moved > value else min(value - 1, round(moved)))


def _worse(found: Machine, after: Mapping[str, Any]) -> frozenset[str]:
    """Capacities that are exceeded already, and would be by more."""
    before, red = found.values, _red(found, found.values)
    grown = {
        one.title: before[one.there] is not None
        and after[one.asked] / after[one.there] > before[one.asked] / before[one.there]
        for one in found.kind.capacities
        if one.title in red
    }
    return frozenset(f"{title} (exceeded by more)" for title, more in grown.items() if more)


def _red(found: Machine, values: Mapping[str, Any]) -> frozenset[str]:
    """Titles of exceeded capacities and bad verdicts, and of many GPUs that are paid and do not work."""
    origins = found.resolved.origins
    exceeded = {
        one.title
        for one in found.kind.capacities
        if (not one.only_given or origins[one.there] == "yours")
        and values[one.there] is not None
        and values[one.asked] > values[one.there]
    }
    exceeded |= {one.title for one in found.kind.rates if one.exceeded and one.is_short(values)}
    judged = {
        formula.label.rstrip("?")
        for formula in found.calculator.of_role("verdict")
        if formula.name not in found.kind.diagnoses
        and isinstance(verdict := values[formula.name], Verdict)
        and (verdict.level == "bad" or verdict.word == REFUSED)
    }
    idle = {"Idle GPUs"} if wiring.gpus_left_over(values["gpus"], values.get("layout_gpus", math.inf)) else set()
    return frozenset(exceeded | judged | idle)


def is_no_run(found: Machine, values: Mapping[str, Any]) -> bool:
    """Whether a run does not fit or no engine starts, so that nothing of it is sooner or cheaper."""
    calculator = found.calculator
    is_run = calculator.steps[found.kind.measures[0].result].unit == "s"
    no_engine = values.get("cache_refused") or values.get("concurrent_sequences", 0) > values.get("max_sequences", 0)
    return bool((is_run or no_engine) and calculator.unanswered and calculator.unanswered(values))

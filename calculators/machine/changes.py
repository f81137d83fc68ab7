"""What to change next: each input a tenth or a step, each option of each choice, solved anew, the most valuable first.

What describes the job stays: its model, tokens and batch, how FLOPs are counted, and the precision it is trained in.
So does what is computed; only reading from storage, which follows writing unless somebody says otherwise, may move by
itself. A change that turns something red stands behind all that do not.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from calculators import units
from calculators.declare import Choice, Input, Quantity, Values, Verdict
from calculators.machine import layouts, sizes
from calculators.machine.capacities import CAPACITIES
from calculators.machine.rates import MORE
from calculators.machine.standing import Standing

MOST = 10
_JOB = frozenset(("model", "shape", "count", "batch", "shard", "precision"))
_FIXED = frozenset(("gpus_per_node", "gpus_per_domain", "deadline", "budget", "measured_rate"))
_SOLVED = frozenset(("gpus", "checkpoint_interval"))  # by rungs, and by its best
_MOVES_ALONE = frozenset(("read_bandwidth",))
_NOTICEABLE = 1e-4  # of the run's time, price or power
_WATCHED = ("step_time", "tokens_per_step", "training_memory")


@dataclass(frozen=True, kw_only=True)
class Change:
    """A single change: what is given anew, in words and as texts; what it saves [s, USD, W]; what it turns red."""

    title: str
    given: Mapping[str, str]
    time: float
    price: float
    power: float
    breaks: tuple[str, ...]
    mends: tuple[str, ...]


def changes(found: Standing, most: int = MOST) -> list[Change]:
    """The most valuable changes, the best first."""
    return ranked(list(tried(found)))[:most]


def ranked(known: list[Change]) -> list[Change]:
    """Those that mend something first, those that break something last; among them by time saved, then money."""
    return sorted(known, key=lambda one: (bool(one.breaks), -len(one.mends), -one.time, -one.price, one.title))


def tried(found: Standing) -> Iterator[Change]:
    """Every change worth something, one after the other, so that they may come in slices."""
    before = _red(found, found.values)
    yield from _worth(_freed(found), found, before)
    yield from _worth(_sized(found), found, before)
    for name, declared in found.calculator.inputs.items():
        if declared.group in _JOB or name in _FIXED | _SOLVED:
            continue
        if found.resolved.origins[name] == "computed" and name not in _MOVES_ALONE:
            continue
        options = _options(declared, found.values[name])
        worth = _worth(((declared, option, _after(found, {name: option})) for option in options), found, before)
        yield from worth if isinstance(declared, Choice) else _better(worth)


def _better(worth: Iterator[Change]) -> Iterator[Change]:
    """Of a quantity, which may rise or fall, the better of both."""
    yield from ranked(list(worth))[:1]


Trial = tuple[Input, Any, Values | None]


def _worth(trials: Iterable[Trial], found: Standing, before: frozenset[str]) -> Iterator[Change]:
    """Those of the trials that save time, money or power, or mend what was red."""
    values = found.values
    for declared, option, after in trials:
        if after is None:
            continue
        red = _red(found, after)
        saved = {name: values[name] - after[name] for name in ("training_duration", "run_price", "facility_power")}
        mends = tuple(sorted(before - red))
        gains = any(saved[name] > _NOTICEABLE * values[name] for name in saved)
        if not gains and not mends:
            continue
        yield Change(
            title=f"{declared.label}: {declared.text(option)} instead of {declared.text(values[declared.name])}",
            given={declared.name: declared.box(option)},
            time=saved["training_duration"],
            price=saved["run_price"],
            power=saved["facility_power"],
            breaks=tuple(sorted((red - before) | _worse(found, after))),
            mends=mends,
        )


def _options(declared: Input, value: Any) -> Iterator[Any]:
    """A tenth more and less, or a step, or every other option."""
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


def _after(found: Standing, given: Mapping[str, Any]) -> Values | None:
    """Every value after a change, in the best layout for it; nothing where it is refused or gives no number."""
    calculator, name = found.calculator, next(iter(given))
    try:
        layout = _best(found, given) if calculator.behind("step_time") & {name} or name == "gpu_memory" else {}
        after = calculator.after(found.values, {**layout, **given})
    except ArithmeticError:
        return None
    refused = any(check.function(*[after[need] for need in check.needs]) for check in calculator.of_role("check"))
    return None if refused else after


def _best(found: Standing, given: Mapping[str, Any]) -> dict[str, Any]:
    """The fastest layout that fits with this change, among the best of the present; of more memory, among all."""
    calculator, values = found.calculator, found.values
    if "gpu_memory" in given:
        again = layouts.search(calculator, calculator.after(values, given), found.pinned, most=1)
        return again.best[0].inputs if again.best else {}
    trial = calculator.trials(values, (*layouts.NAMES, *given), _WATCHED)
    after = [(trial({**one.inputs, **given}), one) for one in found.layout.best]
    fitting = [pair for pair in after if pair[0]["training_memory"] <= values["gpu_memory"]] or after[:1]
    return min(fitting, key=lambda pair: pair[0]["step_time"] / pair[0]["tokens_per_step"])[1].inputs


def _freed(found: Standing) -> Iterator[Trial]:
    """What the reader pinned and would be better left to be found: the interval between saves, the layout."""
    calculator = found.calculator
    if found.resolved.origins["checkpoint_interval"] == "yours":
        best = found.free["best_interval"]
        yield calculator.inputs["checkpoint_interval"], best, found.free
    if found.pinned:
        again = layouts.search(calculator, found.values, frozenset(), most=1)
        if again.best and again.fits:
            for name in sorted(found.pinned & again.best[0].inputs.keys()):
                wanted = again.best[0].inputs[name]
                if wanted != found.values[name]:
                    freed = layouts.search(calculator, found.values, found.pinned - {name}, most=1)
                    yield calculator.inputs[name], freed.best[0].inputs[name], _laid_out(found, freed)


def _laid_out(found: Standing, again: layouts.Found) -> Values:
    return found.calculator.after(found.values, again.best[0].inputs)


def _sized(found: Standing) -> Iterator[Trial]:
    """One rung of GPUs more and less."""
    ladder = sizes.rungs(int(found.values["gpus_per_node"]))
    present = found.values["gpus"]
    more, less = [one for one in ladder if one > present][:1], [one for one in ladder if one < present][-1:]
    for gpus in (*more, *less):
        after = sizes.fastest(found.calculator, found.resolved.settled, found.pinned, gpus)
        if after:
            yield found.calculator.inputs["gpus"], gpus, Values(after, found.values.given)


def _worse(found: Standing, after: Mapping[str, Any]) -> frozenset[str]:
    """Capacities that are exceeded already, and would be by more."""
    before, red = found.values, _red(found, found.values)
    grown = {
        one.title: before[one.there] is not None
        and after[one.asked] / after[one.there] > before[one.asked] / before[one.there]
        for one in CAPACITIES
        if one.title in red
    }
    return frozenset(f"{title}, further" for title, more in grown.items() if more)


def _red(found: Standing, values: Mapping[str, Any]) -> frozenset[str]:
    """What is red: capacities that are exceeded, and verdicts, by their titles."""
    origins = found.resolved.origins
    exceeded = {
        one.title
        for one in CAPACITIES
        if (not one.only_given or origins[one.there] == "yours")
        and values[one.there] is not None
        and values[one.asked] > values[one.there]
    }
    judged = {
        formula.label.rstrip("?")
        for formula in found.calculator.of_role("verdict")
        if isinstance(verdict := values[formula.name], Verdict) and verdict.level == "bad"
    }
    return frozenset(exceeded | judged)


def described(found: Standing) -> list[dict[str, Any]]:
    """The most valuable changes as plain data, with finished texts."""
    return [
        {
            "title": one.title,
            "given": dict(one.given),
            "time": one.time,
            "time_text": _saved(one.time, "s", "sooner", "later"),
            "price": one.price,
            "price_text": _saved(one.price, "USD", "less", "more"),
            "power": one.power,
            "power_text": _saved(one.power, "W", "less", "more"),
            "breaks": list(one.breaks),
            "mends": list(one.mends),
        }
        for one in changes(found)
    ]


def _saved(amount: float, unit: str, better: str, worse: str) -> str:
    """An amount that is saved, or not."""
    if not amount:
        return "the same"
    return f"{units.text(abs(amount), unit)} {better if amount > 0 else worse}"

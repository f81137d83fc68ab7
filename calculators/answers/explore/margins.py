"""Margins: how far each input may move before a verdict changes, and which input is closest to that.

A verdict is evaluated at every stop of an input's slider, and each change is narrowed down to the last value with one
verdict and the first with the other. Counts, such as GPUs that fill domains or do not, may change it and change it back
between two stops, so every whole number near the present count is tried. Values that a constraint refuses are skipped.
"""

import itertools
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calculators.answers import sliders
from calculators.answers.explore import ends_of
from calculators.answers.explore.closest import away, closest_of, one_by_one, ranked
from calculators.answers.explore.search import Pauses, search
from calculators.answers.explore.thresholds import InputTrials, Threshold, VerdictCurve, by_level
from calculators.answers.explore.trials import Trials
from calculators.declare import Calculator, Choice, Quantity, Values, Verdict

_NEXT_TO = 1e-4  # of a value: how close a threshold is that comes with a default
_AT_ONCE = 8  # trials between two pauses where no trial needs a search; a pause costs time as well


@dataclass(frozen=True, kw_only=True)
class Margin:
    """Closest thresholds of one quantity along its slider, below and above its present value.

    `down` and `up` are the thresholds in each direction, the closest first; `distance` is the factor to the closest,
    infinite where there is none or the present value is 0. `in_range`: it lies within the input's stated range.
    """

    name: str
    verdict: str
    down: tuple[Threshold, ...]
    up: tuple[Threshold, ...]
    distance: float
    in_range: bool


@dataclass(frozen=True, kw_only=True)
class OtherOption:
    """Another option of a choice, with which a verdict has another level."""

    name: str
    verdict: str
    value: Any
    becomes: Verdict


@search
def margins(
    calculator: Calculator,
    values: Mapping[str, Any],
    verdicts: Sequence[str],
    found: dict[str, list[Margin]] | None = None,
) -> Pauses[dict[str, list[Margin]]]:
    """The margin of every quantity that can change a verdict, by verdict, the closest first.

    `found` is filled on the way: first with the closest of each verdict, then input by input, the quick ones first.
    A value of an input is tried once for all verdicts, and forgotten before the next input.
    """
    trials = _trials(calculator, values, verdicts)
    order = list(trials)
    at_once = {name: one for name, one in trials.items() if name not in calculator.searched}
    found = {} if found is None else found
    for some in (at_once, trials) if calculator.searched else (trials,):
        for verdict in verdicts:
            closest = yield from _closest(calculator, values, verdict, some)
            found[verdict] = [closest] if closest else []
    quick = {verdict: next(iter(those), None) for verdict, those in found.items()}
    for name in sorted(order, key=lambda name: name in calculator.searched):
        of_input = trials.pop(name)
        for verdict in of_input.verdicts:
            one = yield from margin(calculator, values, of_input.declared, verdict, of_input)
            closest = quick[verdict]
            if closest and closest.name == name:
                found[verdict].remove(closest)
                # it may change and change back between two stops
                one = closest if one is None or _is_closer(closest, one) else one
            found[verdict] += [one] if one else []
    for verdict, those in found.items():
        closest = quick[verdict]
        those.sort(key=lambda one: order.index(one.name))
        if closest:  # of two as close, the one that `nearest` finds
            those.sort(key=lambda one: one.name != closest.name)
        those.sort(key=lambda one: ranked(one.distance))
    return found


@search
def nearest(
    calculator: Calculator,
    values: Mapping[str, Any],
    verdicts: Sequence[str],
    found: dict[str, Margin | None] | None = None,
) -> Pauses[dict[str, Margin | None]]:
    """The closest margin of each verdict, quickly: the first of `margins`, so that every place says the same.

    `found` is filled verdict by verdict, so that a page can show the closest so far.
    A value of an input is tried once for all verdicts. Missed may be an input that changes a verdict and changes it
    back within a factor of √2, where another input changes it once.
    """
    trials = _trials(calculator, values, verdicts)
    found = {} if found is None else found
    if calculator.searched:  # what needs no search comes first
        at_once = {name: one for name, one in trials.items() if name not in calculator.searched}
        for verdict in verdicts:
            found[verdict] = yield from _closest(calculator, values, verdict, at_once)
    for verdict in verdicts:
        quick = yield from _closest(calculator, values, verdict, trials)
        if quick and calculator.searched:  # each trial needs a search
            found[verdict] = quick
            continue
        if quick:
            whole = yield from margin(calculator, values, trials[quick.name].declared, verdict, trials[quick.name])
            found[verdict] = quick if whole is None or _is_closer(quick, whole) else whole
            continue
        found[verdict] = None
        for declared in reaching(calculator, verdict):  # an absent value, or 0, is at no distance from another
            if declared.name in trials and not values[declared.name]:
                one = yield from margin(calculator, values, trials[declared.name].declared, verdict)
                found[verdict] = found[verdict] or one
    return found


def _trials(calculator: Calculator, values: Mapping[str, Any], verdicts: Sequence[str]) -> dict[str, InputTrials]:
    """Trials of every quantity that one of the verdicts may depend on, shared by all verdicts."""
    reached = {
        name: [verdict for verdict in verdicts if reaches(calculator, name, verdict)] for name in calculator.explored
    }
    return {
        name: InputTrials(calculator, values, declared, of)
        for name, of in reached.items()
        if of and isinstance(declared := calculator.inputs[name], Quantity)
    }


def _is_by_default(calculator: Calculator, values: Mapping[str, Any], line: VerdictCurve) -> Pauses[bool]:
    """Whether an input is next to a threshold only because it is, not being given, as large as a result."""
    declared = line.declared
    if declared.whole or not isinstance(values, Values) or declared.name in values.given or not line.present:
        return False
    fallback = declared.fallback(values.given)
    if fallback is None or fallback.name not in calculator.steps:
        return False
    for shift in (-_NEXT_TO, _NEXT_TO):
        verdict = yield from line.each_at(line.present * (1 + shift))
        if verdict is not None and line.changed(verdict):
            return True
    return False


def _is_closer(one: Margin, other: Margin) -> bool:
    return ranked(one.distance) < ranked(other.distance)


@search
def margin(
    calculator: Calculator,
    values: Mapping[str, Any],
    declared: Quantity,
    verdict: str,
    trials: InputTrials | None = None,
) -> Pauses[Margin | None]:
    """The margin of one quantity; None where no value on its slider changes it, or it is there by default."""
    trials = trials or InputTrials(calculator, values, declared, [verdict])
    if reaches(calculator, declared.name, verdict) and (
        yield from _is_by_default(calculator, values, VerdictCurve(trials, verdict))
    ):
        return None
    found = yield from thresholds(calculator, values, declared.name, verdict, trials=trials)
    present, level = values[declared.name], values[verdict].level
    if present is None:  # no value yet: the ends of the stretch on which the verdict stays as it is
        down = [threshold for threshold in found if threshold.above.level == level][:1]
        up = [threshold for threshold in found if threshold.below.level == level and threshold not in down][:1]
    else:
        down = [threshold for threshold in reversed(found) if threshold.first <= present]
        up = [threshold for threshold in found if threshold.last >= present]
    if not down and not up:
        return None
    ends = _distances(present, down, up)
    return Margin(
        name=declared.name,
        verdict=verdict,
        down=tuple(down),
        up=tuple(up),
        distance=min(ends),
        in_range=in_range(declared, values, down, up),
    )


@search
def other_options(calculator: Calculator, values: Mapping[str, Any], verdict: str) -> Pauses[list[OtherOption]]:
    """Options of choices that give the verdict another level, all other inputs unchanged."""
    found = []
    for declared in reaching(calculator, verdict):
        if not isinstance(declared, Choice):
            continue
        trials = Trials(calculator, values, {declared.name}, {verdict})
        for option in declared.options.values():
            if option.value == values[declared.name]:
                continue
            after = yield from trials.each_after({declared.name: option.value})
            yield
            if after and by_level(after[verdict]) != by_level(values[verdict]):
                found.append(
                    OtherOption(name=declared.name, verdict=verdict, value=option.value, becomes=after[verdict])
                )
    return found


@search
def thresholds(
    calculator: Calculator,
    values: Mapping[str, Any],
    name: str,
    verdict: str,
    ends: tuple[float, float] | None = None,
    compared_by: Callable[[Verdict], Hashable] = by_level,
    trials: InputTrials | None = None,
) -> Pauses[list[Threshold]]:
    """Thresholds of a verdict along one quantity's slider, or between `ends`, ascending; none for a choice.

    `trials` of the quantity, between `ends` if there are any, may be shared by several verdicts.
    """
    declared = calculator.inputs[name]
    if isinstance(declared, Choice) or not reaches(calculator, name, verdict):
        return []
    if ends:
        declared = sliders.spanning(declared, *ends)
    line = VerdictCurve(trials or InputTrials(calculator, values, declared, [verdict]), verdict, compared_by)
    if not (yield from line.moves()):
        return []
    present, (low, high) = values[name], declared.slider
    here_too = [] if present is None or (ends and not low <= present <= high) else [present]
    stops = sorted({*sliders.stops(declared), *here_too, *one_by_one(calculator, declared, present)})
    known = []
    for stop in stops:
        if found := (yield from line.each_at(stop)):
            known.append((stop, found))
        yield
    changes: list[Threshold] = []
    for (here, one), (there, other) in itertools.pairwise(known):
        if compared_by(one) != compared_by(other):
            changes += yield from line.thresholds_between(here, one, there, other)
    return changes


def _closest(
    calculator: Calculator, values: Mapping[str, Any], verdict: str, trials: Mapping[str, InputTrials]
) -> Pauses[Margin | None]:
    """A quantity close to changing a verdict, with that one threshold.

    Searched within growing factors of the present values in both directions, and narrowed down only where the verdict
    has changed, so it takes few trials. Counts next to the present ones are tried one by one where they are closer.
    Missed may be a verdict that changes and changes back within a factor of √2, and a count without effect at the first
    and last value tried.
    """
    lines = []
    for declared in reaching(calculator, verdict):
        if declared.name in trials and (values[declared.name] or 0) > 0:
            line = VerdictCurve(trials[declared.name], verdict)
            lines += [] if (yield from _is_by_default(calculator, values, line)) else [line]
    found = yield from closest_of(calculator, lines, 1 if calculator.searched else _AT_ONCE)
    if found is None:
        return None
    line, threshold, up = found
    present = line.present
    downward, upward = ((), (threshold,)) if up else ((threshold,), ())
    return Margin(
        name=line.declared.name,
        verdict=verdict,
        down=downward,
        up=upward,
        distance=min(_distances(present, downward, upward)),
        in_range=in_range(line.declared, values, downward, upward),
    )


def reaches(calculator: Calculator, name: str, verdict: str) -> bool:
    """Whether a verdict may depend on an input at all."""
    return name in calculator.steps[verdict].needs or name in calculator.behind(verdict)


def reaching(calculator: Calculator, verdict: str) -> tuple[Quantity | Choice, ...]:
    """The inputs on which a verdict may depend, those that matter most first."""
    return tuple(calculator.inputs[name] for name in calculator.explored if reaches(calculator, name, verdict))


def _distances(
    present: float | None, down: tuple[Threshold, ...] | list[Threshold], up: tuple[Threshold, ...] | list[Threshold]
) -> list[float]:
    return [
        *(away(present, threshold, up=False) for threshold in down[:1]),
        *(away(present, threshold, up=True) for threshold in up[:1]),
    ]


def in_range(
    declared: Quantity,
    values: Mapping[str, Any],
    down: tuple[Threshold, ...] | list[Threshold],
    up: tuple[Threshold, ...] | list[Threshold],
) -> bool:
    """Whether one of the closest thresholds, down or up, is within the stated range of the input."""
    ends = ends_of(declared, values)
    if ends is None:
        return False
    return any(ends[0] <= threshold.last for threshold in down[:1]) or any(
        threshold.first <= ends[1] for threshold in up[:1]
    )

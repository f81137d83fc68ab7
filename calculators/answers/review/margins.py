"""Margins as text and data: how far each input may move before a verdict changes.

Values are rounded so that the words hold: "holds down to 1.21 TB/s" where it is 1.2034.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calculators import units
from calculators.answers.explore import margins as explored
from calculators.answers.explore.closest import ranked
from calculators.answers.explore.grids import LEVELS
from calculators.answers.explore.margins import Margin, OtherOption
from calculators.answers.explore.search import Run, Search, StoppedError
from calculators.answers.explore.thresholds import Threshold
from calculators.declare import REFUSED, Calculator, Choice, Quantity, Verdict

_TIMES_FROM = 2.0  # an increase of more than this is text_lines as a multiple
_TWO_DIGITS = 2
_LEAP = 1.02  # thresholds are found much closer, but where a check refuses what lies between
_NO_PROPORTION = 1e-4  # a threshold this close is written without a percentage
NO_VERDICTS = "This calculator has no verdicts, so it has no thresholds."


def phrase(calculator: Calculator, values: Mapping[str, Any], margin: Margin) -> str:
    """Phrase for a margin: "fits up to 105B parameters, tight up to 125B parameters, then does not fit"."""
    declared = _quantity(calculator, margin.name)
    now: Verdict = values[margin.verdict]
    ways = [_way(declared, now, margin.down, up=False), _way(declared, now, margin.up, up=True)]
    text = "; ".join(filter(None, ways))
    return text if values[margin.name] is not None else f"once set, {text}"


def closest_sentence(calculator: Calculator, values: Mapping[str, Any], margin: Margin | None) -> str:
    """The closest threshold of a verdict in a sentence."""
    if margin is None:
        return "No single input changes this verdict within its slider range."
    declared = _quantity(calculator, margin.name)
    present = values[margin.name]
    up = bool(margin.up) and (not margin.down or _factor(present, margin.up[0], up=True) <= margin.distance)
    thresholds = margin.up if up else margin.down
    text = f"{declared.label}: {_way(declared, values[margin.verdict], thresholds[:1], up=up)}"
    if present is not None:
        text += f"; now {declared.text(present)}{_change(declared, present, thresholds[0], up=up)}"
    in_range = explored.in_range(declared, values, () if up else thresholds[:1], thresholds[:1] if up else ())
    return f"{text}.{' The threshold is within the stated range.' if in_range else ''}"


def lines(calculator: Calculator, values: Mapping[str, Any], run: Run = Search.run) -> list[str]:
    """Every verdict with its closest threshold, every margin and every option that changes it, for a terminal.

    Raises StoppedError where `run` ends before anything is found; of what it leaves out, the last line says so.
    """
    text_lines = []
    everything = _found(calculator, values, run)
    for formula in calculator.of_role("verdict"):
        found = everything.margins.get(formula.name, [])
        text_lines += [f"{formula.label}: {values[formula.name].word}."]
        text_lines += [f"  Closest threshold: {_closest(calculator, values, found, everything.unfinished)}"]
        for margin in found:
            declared = calculator.inputs[margin.name]
            reached = "; within the stated range" if margin.in_range else ""
            now = declared.text(values[margin.name])
            text_lines += [f"    {declared.label} (now {now}): {phrase(calculator, values, margin)}{reached}"]
        text_lines += _option_lines(calculator, everything.options.get(formula.name, ()))
        text_lines += [""]
    return [*text_lines, everything.unfinished] if everything.unfinished else text_lines[:-1] or [NO_VERDICTS]


def described(calculator: Calculator, values: Mapping[str, Any], run: Run = Search.run) -> dict[str, Any]:
    """Margins as plain data, values in base units; `first` is the first value with the other word.

    Raises StoppedError as `lines` does; a sentence under "unfinished" says what is left out.
    """
    everything = _found(calculator, values, run)
    margins_of = {
        formula.name: {
            **_word(values[formula.name]),
            **_described(calculator, values, everything.margins.get(formula.name, []), everything.unfinished),
            "options": [
                {"input": one.name, "option": calculator.inputs[one.name].box(one.value), **_word(one.becomes)}
                for one in everything.options.get(formula.name, ())
            ],
        }
        for formula in calculator.of_role("verdict")
    }
    return {"margins": margins_of, **({"unfinished": everything.unfinished} if everything.unfinished else {})}


@dataclass(frozen=True, kw_only=True)
class _Found:
    """Margins and options by verdict; where the search was stopped, a sentence that says how far it came."""

    margins: Mapping[str, Sequence[Margin]]
    options: Mapping[str, Sequence[OtherOption]]
    unfinished: str = ""


def _found(calculator: Calculator, values: Mapping[str, Any], run: Run) -> _Found:
    """All of them, or as many as `run` finds. Raises StoppedError where it finds none."""
    names = [formula.name for formula in calculator.of_role("verdict")]
    margins_of: dict[str, list[Margin]] = {}
    options: dict[str, list[OtherOption]] = {}
    try:
        run(explored.margins(calculator, values, names, margins_of))
        for name in names:
            options[name] = run(explored.other_options(calculator, values, name))
    except StoppedError as error:
        if not any(margins_of.values()):
            raise
        for those in margins_of.values():
            those.sort(key=lambda one: ranked(one.distance))
        unfinished = (
            f"{error.sentence}. Found until then: what is above; other inputs and options may change a verdict."
        )
        return _Found(margins=margins_of, options=options, unfinished=unfinished)
    return _Found(margins=margins_of, options=options)


def _closest(calculator: Calculator, values: Mapping[str, Any], found: Sequence[Margin], unfinished: str) -> str:
    if unfinished and not found:
        return "none found so far."
    return closest_sentence(calculator, values, found[0] if found else None)


def _described(
    calculator: Calculator, values: Mapping[str, Any], found: Sequence[Margin], unfinished: str
) -> dict[str, Any]:
    return {
        "nearest": _closest(calculator, values, found, unfinished),
        "margins": [
            {
                "input": margin.name,
                "now": values[margin.name],
                "unit": units.base_symbol(_quantity(calculator, margin.name).unit),
                "text": phrase(calculator, values, margin),
                "factor": margin.distance if math.isfinite(margin.distance) else None,
                "within_hedge": margin.in_range,
                "down": [{"last": e.first, "first": e.last, **_word(e.below)} for e in margin.down],
                "up": [{"last": e.last, "first": e.first, **_word(e.above)} for e in margin.up],
            }
            for margin in found
        ],
    }


def _word(verdict: Verdict) -> dict[str, str]:
    return {"level": verdict.level, "word": verdict.word}


def _option_lines(calculator: Calculator, options: Sequence[OtherOption]) -> list[str]:
    text_lines = []
    for one in options:
        declared = calculator.inputs[one.name]
        text_lines += [f"    {declared.label}, “{declared.text(one.value)}”: {one.becomes.word}"]
    return text_lines


def _way(declared: Quantity, now: Verdict, thresholds: Sequence[Threshold], *, up: bool) -> str:
    """Words of a verdict on the way from the present value in one direction, up to the worst there is.

    Where the level stays and the word changes on the way to the first threshold, that is the level.
    """
    if not thresholds:
        return ""
    nearest, *others = thresholds
    here, there = _sides(nearest, up=up)
    if here.level == "bad":
        return f"{_quoted(there, here)} {_from(declared, nearest, up=up)}{_worse(declared, there, others, up=up)}"
    stretches = [f"{_quoted(here) if here.word == now.word else here.level} {_until(declared, nearest, up=up)}"]
    if here.word == REFUSED and there.level != "bad":  # counts beyond are refused again
        return f"{stretches[0]}, {_quoted(there)} at {_first(declared, nearest, up=up)}"
    if others and there.level == "tight":
        nearest, *others = others
        stretches.append(f"{_quoted(there, here)} {_until(declared, nearest, up=up)}")
        here, there = _sides(nearest, up=up)
    worse = _worse(declared, there, others, up=up)
    if _is_leap(declared, nearest):  # what lies between is refused
        first = _first(declared, nearest, up=up)
        start = f"from {first} on" if up else f"from {first} down"
        return f"{', '.join(stretches)}, {_quoted(there, here)} {start}{worse}"
    return f"{', '.join(stretches)}, then {_quoted(there, here)}{worse}"


def _worse(declared: Quantity, there: Verdict, beyond: Sequence[Threshold], *, up: bool) -> str:
    """The worst level beyond, where it is worse than the last one in words: "; does not fit at 120 GPUs and below"."""
    if not beyond:
        return ""
    worst = min(beyond, key=lambda one: LEVELS.index(_sides(one, up=up)[1].level))  # the first of them
    verdict = _sides(worst, up=up)[1]
    if LEVELS.index(verdict.level) >= LEVELS.index(there.level):
        return ""
    return f"; {_quoted(verdict, there)} {_from(declared, worst, up=up)}"


def _sides(threshold: Threshold, *, up: bool) -> tuple[Verdict, Verdict]:
    """The verdicts before and behind a threshold, seen from the present value."""
    return (threshold.below, threshold.above) if up else (threshold.above, threshold.below)


def _first(declared: Quantity, threshold: Threshold, *, up: bool) -> str:
    """The first value behind a threshold, rounded to where the verdict is that one."""
    return _text(declared, threshold.first, math.inf) if up else _text(declared, threshold.last, -math.inf)


def _from(declared: Quantity, threshold: Threshold, *, up: bool) -> str:
    first = _first(declared, threshold, up=up)
    return f"from {first} on" if up else f"at {first} and below"


def _is_leap(declared: Quantity, threshold: Threshold) -> bool:
    """Whether the values on both sides of a threshold are so far apart that both are shown."""
    return threshold.first - threshold.last > 1 if declared.whole else threshold.first > threshold.last * _LEAP > 0


def _quoted(verdict: Verdict, other: Verdict | None = None) -> str:
    """Its word, in quotes where commas in it would break the sentence; with its level if the other's is the same."""
    if other and verdict.word == REFUSED:  # of a verdict that was bad for another reason
        return REFUSED.replace(" ", " still ")
    word = f"“{verdict.word}”" if {",", ";"} & {*verdict.word} else verdict.word
    return f"{word} ({verdict.level})" if other and other.word == verdict.word else word


def _until(declared: Quantity, threshold: Threshold, *, up: bool) -> str:
    """The last value that still holds, rounded to where it holds."""
    if up:
        return f"up to {_text(declared, threshold.last, -math.inf)}"
    return f"down to {_text(declared, threshold.first, math.inf)}"


def _text(declared: Quantity, value: float, toward: float) -> str:
    if declared.whole:
        return declared.text(value)
    return units.text_toward(value, toward, declared.unit, binary=declared.binary)


def _change(declared: Quantity, present: float, threshold: Threshold, *, up: bool) -> str:
    """Distance of the threshold from the present value: "; 31% more changes it"."""
    factor = _factor(present, threshold, up=up)
    if not math.isfinite(factor):
        return ""
    if declared.whole and abs((threshold.first if up else threshold.last) - present) == 1:
        return f"; one {'more' if up else 'less'} changes it"
    if up and factor > _TIMES_FROM:
        return f"; {units.text(factor, '1', digits=_TWO_DIGITS)}× as much changes it"
    share = factor - 1 if up else 1 - 1 / factor
    if share < _NO_PROPORTION:
        return f"; any {'increase' if up else 'decrease'} changes it"
    return f"; {units.text(share, 'share', digits=_TWO_DIGITS)} {'more' if up else 'less'} changes it"


def _factor(present: float | None, threshold: Threshold, *, up: bool) -> float:
    value = threshold.first if up else threshold.last
    if present is None or present <= 0 or value <= 0:
        return math.inf
    return value / present if up else present / value


def _quantity(calculator: Calculator, name: str) -> Quantity:
    declared = calculator.inputs[name]
    if isinstance(declared, Choice):
        message = f"{name} has no margin: it is a choice"
        raise TypeError(message)
    return declared

"""How far from the edge: what each input may become before a verdict changes, in words and as data.

Values are rounded so that the words hold: "holds down to 1.21 TB/s" where it is 1.2034.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from calculators import units
from calculators.answers.explore import margins as explored
from calculators.answers.explore.margins import Margin, OtherOption
from calculators.answers.explore.thresholds import Threshold
from calculators.declare import Calculator, Choice, Quantity, Verdict

_TIMES_FROM = 2.0  # an increase of more than this is told as a multiple
_TWO_DIGITS = 2
_LEAP = 1.02  # edges are found much closer, but where a check refuses what lies between
_NO_PROPORTION = 1e-4  # an edge so near is told as standing on it


def phrase(calculator: Calculator, values: Mapping[str, Any], margin: Margin) -> str:
    """What an input may become: "fits until 105B parameters, tight until 125B parameters, then does not fit"."""
    declared = _quantity(calculator, margin.name)
    ways = [_way(declared, margin.down, up=False), _way(declared, margin.up, up=True)]
    said = "; ".join(filter(None, ways))
    return said if values[margin.name] is not None else f"once it is given, {said}"


def closest_sentence(calculator: Calculator, values: Mapping[str, Any], margin: Margin | None) -> str:
    """The nearest edge in plain words, to stand beside its verdict."""
    if margin is None:
        return "No input alone changes this along its slider."
    declared = _quantity(calculator, margin.name)
    present = values[margin.name]
    up = bool(margin.up) and (not margin.down or _edge_factor(present, margin.up[0], up=True) <= margin.distance)
    edges = margin.up if up else margin.down
    said = f"{declared.label}: {_way(declared, edges, up=up)}"
    if present is not None:
        said += f"; now {declared.text(present)}{_change(declared, present, edges[0], up=up)}"
    return f"{said}.{' The edge lies within what it may be.' if margin.in_hedge else ''}"


def lines(calculator: Calculator, values: Mapping[str, Any]) -> list[str]:
    """Every verdict with its nearest edge, every margin and every option that changes it, for a terminal."""
    told = []
    for formula in calculator.of_role("verdict"):
        verdict: Verdict = values[formula.name]
        found = explored.margins(calculator, values, formula.name).run()
        told += [f"{formula.label} {verdict.word[:1].upper()}{verdict.word[1:]}."]
        told += [f"  Nearest edge: {closest_sentence(calculator, values, found[0] if found else None)}"]
        for margin in found:
            declared = calculator.inputs[margin.name]
            hedged = "; within what it may be" if margin.in_hedge else ""
            now = declared.text(values[margin.name])
            told += [f"    {declared.label} (now {now}): {phrase(calculator, values, margin)}{hedged}"]
        told += _option_lines(calculator, explored.other_options(calculator, values, formula.name).run())
        told += [""]
    return told[:-1] or ["This calculator passes no verdict, so there is no edge to be near to."]


def described(calculator: Calculator, values: Mapping[str, Any]) -> dict[str, Any]:
    """The same as plain data, values in base units; `first` is the first value with the other word."""
    return {
        formula.name: {
            "level": values[formula.name].level,
            "word": values[formula.name].word,
            **_described(calculator, values, formula.name),
        }
        for formula in calculator.of_role("verdict")
    }


def _described(calculator: Calculator, values: Mapping[str, Any], verdict: str) -> dict[str, Any]:
    found = explored.margins(calculator, values, verdict).run()
    return {
        "nearest": closest_sentence(calculator, values, found[0] if found else None),
        "margins": [
            {
                "input": margin.name,
                "now": values[margin.name],
                "unit": units.base_symbol(_quantity(calculator, margin.name).unit),
                "text": phrase(calculator, values, margin),
                "factor": margin.distance if math.isfinite(margin.distance) else None,
                "within_hedge": margin.in_hedge,
                "down": [{"last": e.first, "first": e.last, **_word(e.below)} for e in margin.down],
                "up": [{"last": e.last, "first": e.first, **_word(e.above)} for e in margin.up],
            }
            for margin in found
        ],
        "options": [
            {"input": one.name, "option": calculator.inputs[one.name].box(one.value), **_word(one.becomes)}
            for one in explored.other_options(calculator, values, verdict).run()
        ],
    }


def _word(verdict: Verdict) -> dict[str, str]:
    return {"level": verdict.level, "word": verdict.word}


def _option_lines(calculator: Calculator, options: Sequence[OtherOption]) -> list[str]:
    told = []
    for one in options:
        declared = calculator.inputs[one.name]
        told += [f"    {declared.label}, “{declared.text(one.value)}”: {one.becomes.word}"]
    return told


def _way(declared: Quantity, edges: Sequence[Threshold], *, up: bool) -> str:
    """What is met on the way from the present value, in one direction."""
    if not edges:
        return ""
    nearest = edges[0]
    here, there = (nearest.below, nearest.above) if up else (nearest.above, nearest.below)
    if here.level == "bad":
        first = _text(declared, nearest.first, math.inf) if up else _text(declared, nearest.last, -math.inf)
        return f"{_quoted(there, here)} {f'from {first} on' if up else f'at {first} and below'}"
    held = [f"{_quoted(here)} {_until(declared, nearest, up=up)}"]
    if len(edges) > 1 and there.level == "tight":
        held.append(f"{_quoted(there, here)} {_until(declared, edges[1], up=up)}")
        here, there = there, edges[1].above if up else edges[1].below
        nearest = edges[1]
    if _is_leap(declared, nearest):  # what lies between is refused
        first = _text(declared, nearest.first, math.inf) if up else _text(declared, nearest.last, -math.inf)
        return f"{', '.join(held)}, {_quoted(there, here)} {f'from {first} on' if up else f'from {first} down'}"
    return f"{', '.join(held)}, then {_quoted(there, here)}"


def _is_leap(declared: Quantity, edge: Threshold) -> bool:
    """Whether the first value with the other word is so far from the last with the one that both are to be said."""
    return edge.first - edge.last > 1 if declared.whole else edge.first > edge.last * _LEAP > 0


def _quoted(verdict: Verdict, other: Verdict | None = None) -> str:
    """Its word, between quotes where a comma would break the sentence; with its level where the other's is the same."""
    word = f"“{verdict.word}”" if "," in verdict.word else verdict.word
    return f"{word} ({verdict.level})" if other and other.word == verdict.word else word


def _until(declared: Quantity, edge: Threshold, *, up: bool) -> str:
    """The last value that still holds, rounded to where it holds."""
    if up:
        return f"until {_text(declared, edge.last, -math.inf)}"
    return f"down to {_text(declared, edge.first, math.inf)}"


def _text(declared: Quantity, value: float, toward: float) -> str:
    if declared.whole:
        return declared.text(value)
    return units.text_toward(value, toward, declared.unit, binary=declared.binary)


def _change(declared: Quantity, present: float, edge: Threshold, *, up: bool) -> str:
    """How far the edge is, in proportion: ", 31% more changes it"."""
    factor = _edge_factor(present, edge, up=up)
    if not math.isfinite(factor):
        return ""
    if declared.whole and abs((edge.first if up else edge.last) - present) == 1:
        return f", one {'more' if up else 'less'} changes it"
    if up and factor > _TIMES_FROM:
        return f", {units.text(factor, '1', digits=_TWO_DIGITS)} times as much changes it"
    share = factor - 1 if up else 1 - 1 / factor
    if share < _NO_PROPORTION:
        return f", anything {'more' if up else 'less'} changes it"
    return f", {units.text(share, 'share', digits=_TWO_DIGITS)} {'more' if up else 'less'} changes it"


def _edge_factor(present: float | None, edge: Threshold, *, up: bool) -> float:
    value = edge.first if up else edge.last
    if present is None or present <= 0 or value <= 0:
        return math.inf
    return value / present if up else present / value


def _quantity(calculator: Calculator, name: str) -> Quantity:
    declared = calculator.inputs[name]
    if isinstance(declared, Choice):
        message = f"{name} has no margin: it is a choice"
        raise TypeError(message)
    return declared

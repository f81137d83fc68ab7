"""Texts of recommendations: what each saves (time or GPUs, money, power), what it fixes and what it breaks."""

from collections.abc import Iterable, Mapping
from typing import Any

from calculators import units
from calculators.declare import Formula
from calculators.machine.changes import Change, changes, is_no_run
from calculators.machine.kinds import Machine, Measure

_SAME = "the same"
_NO_WATTS = "its power is not known: enter it"
_ROUNDING = 1e-9  # of a measure: less than that is no saving


def described(found: Machine, known: Iterable[Change] | None = None) -> list[dict[str, Any]]:
    """The most valuable changes as plain data, with finished texts; or those that are `known`."""
    first, price, power = found.kind.measures
    return [
        {
            "title": one.title,
            "given": dict(one.given),
            "saves": {
                first.result: one.first,
                price.result: None if one.unpriced and one.unpriced.wholly else one.price,
                power.result: None if one.is_dark else one.power,
            },
            "first_text": _first(found, first, one),
            "price_text": _priced(found, price, one),
            "power_text": _NO_WATTS if one.is_dark else _effect(found, power, one.power),
            "breaks": list(one.breaks),
            "fixes": list(one.fixes),
            "mends": list(one.fixes),
        }
        for one in (changes(found) if known is None else known)
    ]


def effects(one: Mapping[str, Any]) -> str:
    """Text of what a change, as `described`, fixes and breaks."""
    message = (("fixes", one["fixes"]), ("breaks", one["breaks"]))
    return "; ".join(f"{word} {', '.join(titles)}" for word, titles in message if titles)


def _first(found: Machine, measure: Measure, one: Change) -> str:
    """What comes first, and the GPUs in whole machines where it takes others than now."""
    effect, gpus = _effect(found, measure, one.first), found.values["gpus"]
    if one.gpus == gpus or "gpus" in one.given:  # its title says so
        return effect
    counted = f"{units.text(one.gpus, 'GPU')} instead of {units.text(gpus, 'GPU')}"
    return counted if effect == _SAME else f"{counted} ({effect})"


def _priced(found: Machine, measure: Measure, one: Change) -> str:
    """Money that a change saves, and what is unknown of that."""
    effect = _effect(found, measure, one.price)
    if one.unpriced is None:
        return effect
    return one.unpriced.words if one.unpriced.wholly else f"{effect}; {one.unpriced.words}"


def _effect(found: Machine, measure: Measure, amount: float) -> str:
    """Text of the saving, or of the measure itself where a run did not fit before: "12 days"."""
    if not is_no_run(found, found.values):
        return saved(found, measure, amount)
    text = found.calculator.text(measure.result, found.values[measure.result] - amount)
    return f"{text} {measure.better.partition(' ')[2]}".rstrip()  # per year, by load alone


def saved(found: Machine, measure: Measure, amount: float) -> str:
    """An amount that is saved, or not."""
    declared = found.calculator.steps[measure.result]
    if abs(amount) <= _ROUNDING * abs(found.values[measure.result]) or not isinstance(declared, Formula):
        return _SAME
    return f"{units.text(abs(amount), declared.unit)} {measure.better if amount > 0 else measure.worse}"

"""A state next to its baseline, as finished text: which inputs differ, and the difference behind each number."""

import math
import re
from collections.abc import Mapping
from typing import Any

from calculators import units
from calculators.answers.input_state import InputState
from calculators.declare import Calculator, Choice

_NAME = re.compile(r"\{(\w+)\}")
_DIGITS = 2
_MOST = 10.0  # times the baseline: beyond, a percentage says less than the number itself


def differences(calculator: Calculator, values: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, str]:
    """Difference of each number and verdict in the answer, by name; none for those that read the same.

    "+55.5 days, +80%" of a number, "−6.2 points" of a share, "was too slow" of a verdict or a choice. Where a choice in
    the sentence differs (money per hour or per month, all-reduce or all-gather), numbers are of two kinds and say what
    they were.
    """
    judged = (formula.name for formula in calculator.of_role("verdict"))
    named = _NAME.findall(calculator.answer)
    choices = [name for name in named if isinstance(calculator.declared(name), Choice)]
    alike = all(values[name] == before[name] for name in choices)
    names = dict.fromkeys((*named, *calculator.headline, *judged))
    found = {name: _difference(calculator, name, values[name], before[name], alike=alike) for name in names}
    return {name: text for name, text in found.items() if text}


def _difference(calculator: Calculator, name: str, now: Any, then: Any, *, alike: bool) -> str:
    was = calculator.text(name, then)
    if calculator.text(name, now) == was:
        return ""
    declared = calculator.declared(name)
    if isinstance(declared, Choice) or not (alike and _is_number(now) and _is_number(then)):
        return f"was {was}"
    sign = "+" if now > then else "−"
    if declared.unit == "share":
        return f"{sign}{units.text(abs(now - then), 'share', digits=_DIGITS).removesuffix('%')} points"
    amount = f"{sign}{declared.text(abs(now - then))}"
    if then <= 0 or now >= _MOST * then:
        return amount
    return f"{amount}, {sign}{units.text(abs(now - then) / then, 'share', digits=_DIGITS)}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def unlike(calculator: Calculator, before: InputState, after: InputState) -> list[str]:
    """Inputs that differ: "Storage write bandwidth 400 GB/s instead of 100 GB/s"."""
    found = []
    for preset in calculator.presets:
        chosen = [preset.by_key.get(each.presets.get(preset.name, "")) for each in (after, before)]
        names = [record.name if record else "none" for record in chosen]
        found += [] if names[0] == names[1] else [f"{preset.label} {names[0]} instead of {names[1]}"]
    for name, declared in calculator.inputs.items():
        if name in after.values and "yours" in {before.origins[name], after.origins[name]}:
            now, was = (declared.text(each.values[name]) for each in (after, before))
            found += [] if now == was else [f"{declared.label} {now} instead of {was}"]
    return found


def difference_text(calculator: Calculator, before: InputState, after: InputState) -> str:
    """Sentence on the inputs that differ."""
    found = unlike(calculator, before, after)
    return f"Differs from the baseline in: {'; '.join(found)}." if found else "This is the baseline."

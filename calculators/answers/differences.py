"""Differences from the defaults, listed for the reader who opens a link."""

from collections import Counter
from collections.abc import Sequence

from calculators.answers import links
from calculators.answers.input_state import InputState, parse_inputs
from calculators.answers.messages import Answer, Difference
from calculators.declare import Calculator, Values


def response(
    calculator: Calculator, resolved: InputState, values: Values, states: Sequence[str], *, own: bool = False
) -> Answer:
    """Address (empty for the defaults), link to copy with `states` pinned to it, and differences from the defaults.

    `own`: the link to copy has the reader's own numbers, not the keys of own records.
    """
    parts = links.differing(calculator, resolved)
    copied = links.with_own_numbers(calculator, resolved, parts) if own else parts
    found = differences(calculator, resolved, parts)
    return {
        "link": links.stamp(calculator, values, parts) if found else "",
        "stamped": links.stamp(calculator, values, copied, states),
        "differences": found,
        "groups": changed_in_groups(calculator, found),
    }


def differences(calculator: Calculator, resolved: InputState, parts: list[links.Part]) -> list[Difference]:
    """Inputs that each part of a link sets, with their defaults."""
    found: list[Difference] = []
    for name, _ in parts:
        default = parse_inputs(calculator, {other: text for other, text in parts if other != name})
        now, then = (_text(calculator, name, state) for state in (resolved, default))
        label = _label(calculator, name)
        found.append({"name": name, "text": f"{label}: {now}" + (f", default {then}" if then != now else "")})
    return found


def changed_in_groups(calculator: Calculator, found: list[Difference]) -> dict[str, str]:
    """Number of changed inputs by group: "2 changed"."""
    inputs = [calculator.inputs[one["name"]] for one in found if one["name"] in calculator.inputs]
    return {group: f"{count} changed" for group, count in Counter(one.group for one in inputs).items()}


def _label(calculator: Calculator, name: str) -> str:
    preset = next((preset for preset in calculator.presets if preset.name == name), None)
    return preset.label if preset else calculator.inputs[name].label


def _text(calculator: Calculator, name: str, state: InputState) -> str:
    preset = next((preset for preset in calculator.presets if preset.name == name), None)
    if preset is None:
        return calculator.inputs[name].text(state.values[name])
    chosen = preset.by_key.get(state.presets[name])
    return chosen.name if chosen else "none"

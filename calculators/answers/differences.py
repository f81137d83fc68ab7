"""Differences: what stands otherwise than by default, so that whoever receives a link sees it in one place."""

from collections import Counter

from calculators.answers import links
from calculators.answers.messages import Difference
from calculators.answers.resolve import Resolved, resolve
from calculators.declare import Calculator


def differences(calculator: Calculator, resolved: Resolved, parts: list[links.Part]) -> list[Difference]:
    """What a link of these parts says, each with what would stand there if it were not given."""
    found: list[Difference] = []
    for name, _ in parts:
        otherwise = resolve(calculator, {other: text for other, text in parts if other != name})
        now, then = (_text(calculator, name, state) for state in (resolved, otherwise))
        label = _label(calculator, name)
        found.append({"name": name, "text": f"{label}: {now}" + (f", otherwise {then}" if then != now else "")})
    return found


def changed_in_groups(calculator: Calculator, found: list[Difference]) -> dict[str, str]:
    """Of each group of inputs in which something differs, how many do: "2 changed"."""
    inputs = [calculator.inputs[one["name"]] for one in found if one["name"] in calculator.inputs]
    return {group: f"{count} changed" for group, count in Counter(one.group for one in inputs).items()}


def _label(calculator: Calculator, name: str) -> str:
    preset = next((preset for preset in calculator.presets if preset.name == name), None)
    return preset.label if preset else calculator.inputs[name].label


def _text(calculator: Calculator, name: str, state: Resolved) -> str:
    preset = next((preset for preset in calculator.presets if preset.name == name), None)
    if preset is None:
        return calculator.inputs[name].text(state.values[name])
    chosen = preset.by_key.get(state.presets[name])
    return chosen.name if chosen else "none"

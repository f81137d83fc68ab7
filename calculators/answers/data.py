"""A state as plain data: inputs with their origin, results, warnings and remarks, for JSON."""

from collections.abc import Mapping
from typing import Any

from calculators import units
from calculators.answers import answer
from calculators.answers.explore.bands import bands, ends_of_bands
from calculators.answers.input_state import InputState, parsing_notes
from calculators.declare import Calculator, Choice, Values, Verdict


def described(calculator: Calculator, resolved: InputState, values: Values) -> dict[str, Any]:
    """Inputs, results, warnings and remarks as plain data; numbers in base units, each with its unit."""
    inputs = {
        name: {
            "value": declared.box(values[name]) if isinstance(declared, Choice) else values[name],
            "unit": "" if isinstance(declared, Choice) else units.base_symbol(declared.unit),
            "text": declared.text(values[name]),
            "origin": resolved.origins[name],
            **({"computed": resolved.words[name]} if name in resolved.words else {}),
        }
        for name, declared in calculator.inputs.items()
    }
    results = {name: _result(calculator, name, values) for name in calculator.steps}
    texts = bands(calculator, values)
    for name, (low, high) in ends_of_bands(calculator, values).items():
        results[name]["band"] = {"low": low, "high": high, "text": texts[name]}
    for old, new in calculator.result_aliases.items():
        results[old] = results[new] if new in results else _result(calculator, new, values)
    return {
        "calculator": calculator.name,
        "presets": dict(resolved.presets),
        "inputs": inputs,
        "results": results,
        "warnings": answer.warnings(calculator, values),
        "remarks": parsing_notes(calculator, resolved),
    }


def _result(calculator: Calculator, name: str, values: Mapping[str, Any]) -> dict[str, Any]:
    declared, value = calculator.declared(name), values[name]
    if isinstance(value, Verdict):
        reason = answer.filled(calculator, value.reason, values)
        return {"value": value.word, "unit": "", "text": f"{value.word}: {reason}", "level": value.level}
    unit = "" if isinstance(declared, Choice) else units.base_symbol(declared.unit)
    return {"value": value, "unit": unit, "text": declared.text(value)}

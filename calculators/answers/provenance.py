"""Provenance: the fact or the formula behind the present value of an input."""

from calculators.answers.input_state import InputState
from calculators.declare import Calculator, Quantity
from calculators.facts import Fact


def fact(calculator: Calculator, resolved: InputState, name: str) -> Fact | None:
    """The fact behind an input's present value: of the chosen record or of the default; None where there is none."""
    origin = resolved.origins[name]
    if origin == "preset":
        for preset in reversed(calculator.presets):  # of two menus that fill an input, the later one does
            record, field = preset.by_key.get(resolved.presets[preset.name]), preset.fills.get(name)
            if record and field and field in record.fields:
                return record.fields[field]
    declared = calculator.inputs[name]
    return declared.fact if origin == "default" and isinstance(declared, Quantity) else None


def computing(calculator: Calculator, resolved: InputState, name: str) -> str:
    """Label of the formula or input from which an input is computed; empty where it is not computed."""
    if resolved.origins[name] != "computed":
        return ""
    declared = calculator.computed_inputs.get(name)
    way = declared.fallback(resolved.explicit) if declared else None
    return calculator.declared(way.name).label if way else ""

"""JSON Schema of a calculator on the command line: `python -m calculators schema inference`, for scripts and agents."""

import json
import sys
from collections.abc import Sequence
from typing import Any

from calculators import units
from calculators.answers.suggestions import close_name
from calculators.catalog import CALCULATORS
from calculators.cli.machine import COMMAND as MACHINE
from calculators.cli.options import OptionParser, refused
from calculators.declare import Calculator, Choice, Input, InputError, Preset, Quantity
from calculators.page.machine import MACHINES

COMMAND = "schema"
_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def main(arguments: Sequence[str]) -> int:
    """Print the schema of a calculator's inputs, its results listed; return the exit code."""
    known = [*CALCULATORS, *MACHINES]
    parser = OptionParser(
        prog=f"python -m calculators {COMMAND}",
        description="The inputs of a calculator as JSON Schema, and its results",
    )
    parser.add_argument("name", metavar="NAME", help=", ".join(known))
    name = parser.parse_args(arguments).name.replace("-", "_")
    if name not in known:
        return refused(InputError({"name": f"no calculator “{name}”{close_name(name, known)}"}))
    calculator = MACHINES[name]() if name in MACHINES else CALCULATORS[name]
    sys.stdout.write(json.dumps(schema(calculator), indent=2, ensure_ascii=False) + "\n")
    return 0


def schema(calculator: Calculator) -> dict[str, Any]:
    """JSON Schema of what may be given; results under "x-results", with units as the library gives them."""
    properties = {menu.name: _of_menu(menu) for menu in calculator.presets}
    properties |= {name: _of_input(declared) for name, declared in calculator.inputs.items()}
    return {
        "$schema": _DRAFT,
        "title": calculator.title,
        "description": calculator.question,
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "x-command": f"python -m calculators {MACHINE if calculator.name in MACHINES else calculator.name} --json",
        "x-results": [
            {
                "name": name,
                "title": formula.label,
                "unit": units.base_symbol(formula.unit) if formula.unit else "",
                "role": formula.role,
            }
            for name, formula in calculator.steps.items()
            if formula.role in {"step", "verdict"}
        ],
    }


def _of_menu(menu: Preset) -> dict[str, Any]:
    return {
        "title": menu.label,
        "description": f"Fills {', '.join(menu.fills)}",
        "enum": ["none", *(record.key for record in menu.records)],
        "default": menu.default or "none",
    }


def _of_input(declared: Input) -> dict[str, Any]:
    about = {"title": declared.label, "description": declared.help}
    if isinstance(declared, Choice):
        return {**about, "enum": list(declared.options)}
    return {**about, "type": ["number", "string"], **_range(declared), "x-unit": declared.unit}


def _range(declared: Quantity) -> dict[str, float]:
    """The limits of a number, in the declared unit; a text may have any unit of the same kind."""
    factor = units.unit(declared.unit).factor
    low, high = declared.hard
    return {"minimum": low / factor, "maximum": high / factor}

"""A design as a file, with the limits that it must keep: `python -m calculators check design.toml`, for CI.

    calculator = "machine"

    [given]
    gpus = "4,096"
    write_bandwidth = "400 GB/s"

    [limits]
    training_duration = "<= 240 days"
    fits = "good"

Exit code 0 where every limit is kept, 1 where one is broken, 2 where the file cannot be read so.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.answers.review import solve
from calculators.answers.review.solution import Limit, Wanted, goal
from calculators.answers.suggestions import close_name
from calculators.catalog import CALCULATORS
from calculators.cli.machine import COMMAND as MACHINE
from calculators.cli.options import OptionParser, refused
from calculators.cli.toml_file import read_as, tables
from calculators.declare import REFUSED, Calculator, InputError, Values, Verdict
from calculators.machine.state import machine_state

COMMAND = "check"
BROKEN = 1
_KEYS = ("calculator", "given", "limits")
_LEVELS = ("bad", "tight", "good")
_SAME = 1e-9


@dataclass(frozen=True, kw_only=True)
class Checked:
    """One limit: the result's name, what is wanted and what there is as texts, and whether it is kept."""

    name: str
    label: str
    wanted: str
    found: str
    is_kept: bool


def main(arguments: Sequence[str]) -> int:
    """Print every limit and whether it is kept; return the exit code."""
    parser = OptionParser(
        prog=f"python -m calculators {COMMAND}",
        description="Whether a design keeps its limits; exit code 1 where it does not",
    )
    parser.add_argument("file", metavar="FILE", help="a design in TOML: calculator, [given] and [limits]")
    parser.add_argument("--json", action="store_true", help="as JSON")
    options = parser.parse_args(arguments)
    try:
        found = read_as(options.file, checked)
    except InputError as error:
        return refused(error)
    if options.json:
        plain = [
            {"name": one.name, "label": one.label, "limit": one.wanted, "value": one.found, "kept": one.is_kept}
            for one in found
        ]
        sys.stdout.write(json.dumps(plain, indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.writelines(_line(one) for one in found)
    return 0 if all(one.is_kept for one in found) else BROKEN


def checked(text: str) -> list[Checked]:
    """Every limit of a design. Raises InputError, or ValueError for a text that is not such a file."""
    design = _read(text)
    name = str(design.get("calculator", MACHINE)).replace("-", "_")
    given = {str(key): str(value) for key, value in design.get("given", {}).items()}
    calculator, values = _evaluated(name, given)
    targets = [solve.target(calculator, _query(key, wanted)) for key, wanted in design["limits"].items()]
    return [_judged(calculator, values, key, wanted) for key, wanted in targets]


def _read(text: str) -> Mapping[str, Any]:
    design, problems = tables(text, _KEYS)
    for table in ("given", "limits"):
        if not isinstance(design.get(table, {}), Mapping):
            problems[table] = f"{table} must be a table: [{table}]"
    if not design.get("limits"):
        problems["limits"] = 'no limits: write [limits] and a line such as training_duration = "<= 90 days"'
    if problems:
        raise InputError(problems)
    return design


def _evaluated(name: str, given: Mapping[str, str]) -> tuple[Calculator, Values]:
    if name == MACHINE:
        found = machine_state(given)
        return found.calculator, found.values
    if name not in CALCULATORS:
        raise InputError({"calculator": f"no calculator “{name}”{close_name(name, [*CALCULATORS, MACHINE])}"})
    calculator = CALCULATORS[name]
    return calculator, answer.evaluated(calculator, valid_inputs(calculator, given))


def _query(name: str, wanted: Any) -> str:
    text = str(wanted).strip()
    return f"{name}{text}" if text.startswith(("<", ">", "≤", "≥", "=")) else f"{name}={text}"


def _judged(calculator: Calculator, values: Values, name: str, wanted: Wanted) -> Checked:
    formula, value = calculator.steps[name], values[name]
    if isinstance(value, Verdict):
        is_kept = _LEVELS.index(value.level) >= _LEVELS.index(str(wanted)) and value.word != REFUSED
        found = f"{value.level}, {value.word}"
    else:
        no_answer = answer.supposed(calculator, values)
        found = calculator.text(name, value) + no_answer
        if isinstance(wanted, Limit):
            is_kept = wanted.allows(value)
        else:
            is_kept = isinstance(value, int | float) and abs(value - float(wanted)) <= _SAME * abs(value)
        is_kept = is_kept and not no_answer
    return Checked(name=name, label=formula.label, wanted=goal(formula, wanted), found=found, is_kept=is_kept)


def _line(one: Checked) -> str:
    return f"{'kept  ' if one.is_kept else 'BROKEN'}  {one.label}: {one.found} (limit: {one.wanted})\n"

"""The command line's options of a design review: what moves an answer, how far it is from its edges, what would."""

import argparse
import json
from typing import Any

from calculators.answers.resolve import Resolved
from calculators.answers.review import margins
from calculators.declare import Calculator, InputError, Values

OPTIONS = ("margins",)
_BESIDE = ("json",)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that ask for an exploration in place of the answer, each with --json."""
    group = parser.add_argument_group(
        "design review", "one of them at a time; with --json as data, values in base units"
    )
    group.add_argument(
        "--margins", action="store_true", help="for each verdict how far every input may move before it changes"
    )


def output(
    calculator: Calculator, resolved: Resolved, values: Values, options: argparse.Namespace, others: tuple[str, ...]
) -> str | None:
    """What the option that was given tells; nothing where none was. `others` are options that tell something else."""
    given = [name for name in OPTIONS if getattr(options, name)]
    if not given:
        return None
    clash = [*given[1:], *(name for name in others if name not in _BESIDE and getattr(options, name, None))]
    if clash:
        message = f"--{given[0]} and --{clash[0].replace('_', '-')} are told one at a time"
        raise InputError({clash[0]: message})
    lines, data = _TOLD[given[0]](calculator, resolved, values, options)
    if options.json:
        return json.dumps({"calculator": calculator.name, **data}, indent=2, ensure_ascii=False) + "\n"
    return "\n".join(lines) + "\n"


_Told = tuple[list[str], dict[str, Any]]


def _margins(calculator: Calculator, _resolved: Resolved, values: Values, options: argparse.Namespace) -> _Told:
    if options.json:
        return [], {"margins": margins.described(calculator, values)}
    return margins.lines(calculator, values), {}


_TOLD = {"margins": _margins}

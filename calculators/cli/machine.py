"""The system planner on the command line: `python -m calculators machine …`."""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import cast

from calculators.catalog import CALCULATORS
from calculators.cli import model, review, runs, spreadsheet
from calculators.cli.options import OptionParser, flag, refused, unknown_options
from calculators.declare import Choice, InputError, RunReader
from calculators.machine import solved_layout
from calculators.machine.description import machine
from calculators.machine.machines import FOUND, LAID_OUT, LIKE, PUBLISHED, existing
from calculators.machine.report import comparison, formats, record_sections
from calculators.machine.state import JOB, WORKLOADS, State, machine_state, workload_of
from calculators.machine.training import TRAINING
from calculators.machine.workload import Workload
from calculators.page.machine import PLACES

COMMAND = "machine"
_COMPARED = "compare_with"
_OUTPUTS = frozenset(
    ("json", "markdown", "config", "measured", spreadsheet.OPTION, _COMPARED, *review.OPTIONS, *review.WITH_THEM)
)


def main(arguments: Sequence[str]) -> int:
    """Print a system's answer, comparison or review; return the exit code."""
    workload = workload_of(_job_of(arguments))
    parser = _parser(workload)
    options, unknown = parser.parse_known_args(arguments)
    calculator = workload.calculator() if workload else machine()
    texts = {name: text for name, text in vars(options).items() if text is not None and name not in _OUTPUTS}
    try:
        if unknown:
            raise InputError(unknown_options(parser, unknown))  # noqa: TRY301  reported like all others
        if options.config:
            texts = {**model.of_configuration(calculator, options.config), **texts}
        if workload is None and options.measured:
            reader = cast("RunReader", CALCULATORS["training_time"].run_reader)
            return runs.of_system(COMMAND, reader, options, lambda given: machine_state({**given, **texts}).values)
        patience = review.patience_of(options)
        found = machine_state(texts, patience.run_whole)
        changed = comparison.changed(texts, options.compare_with) if options.compare_with else None
        other = None if changed is None else machine_state(changed, patience.run_whole)
    except InputError as error:
        return refused(error)
    reviewed = None
    try:
        if options.xlsx:
            sys.stdout.write(_saved(found, options))
            return 0
        calculator, resolved = solved_layout.reviewed(found)
        reviewed = review.output(
            calculator,
            resolved,
            found.values,
            options,
            ("markdown", spreadsheet.OPTION, _COMPARED),
            PLACES[found.calculator.name],
            record_sections.each_part(found),
            patience,
        )
    except InputError as error:
        return refused(error)
    if reviewed is not None:
        sys.stdout.write(reviewed)
    elif options.json:
        plain = formats.described(found) if other is None else comparison.described(found, other)
        sys.stdout.write(json.dumps(plain, indent=2, ensure_ascii=False) + "\n")
    elif other is not None:
        sys.stdout.write("\n".join(comparison.lines(found, other)) + "\n")
    else:
        sys.stdout.write(formats.markdown(found) if options.markdown else formats.readable(found))
    return 0


def _saved(found: State, options: argparse.Namespace) -> str:
    """Save a system as a spreadsheet; return the message to print. Raises InputError."""
    if options.compare_with:
        raise InputError({_COMPARED: "--xlsx and --compare-with cannot be combined"})
    place = PLACES[found.calculator.name]
    return spreadsheet.saved(options.xlsx, found.calculator, found.resolved, found.values, place)


def _job_of(arguments: Sequence[str]) -> dict[str, str]:
    """The workload, read before anything else: it decides which inputs there are."""
    parser = OptionParser(prog=COMMAND, add_help=False)
    parser.add_argument(flag(JOB), default="")
    found: dict[str, str] = vars(parser.parse_known_args(arguments)[0])
    return found


def _parser(workload: Workload | None) -> OptionParser:
    """Options of a workload, by default of training."""
    calculator, kind = (workload.calculator(), workload.kind) if workload else (machine(), TRAINING)
    parser = OptionParser(prog=f"python -m calculators {COMMAND}", description=calculator.question)
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="everything as JSON, values in base units")
    output.add_argument("--markdown", action="store_true", help="the design in Markdown, for a review document")
    output.add_argument("--xlsx", metavar="FILE", help=spreadsheet.HELP)
    parser.add_argument("--config", metavar="FILE", help="a model's config.json instead of the model menu")
    parser.add_argument(
        flag(_COMPARED),
        "--beside",
        dest=_COMPARED,
        metavar="INPUT=VALUE",
        nargs="+",
        help="compare with a second system: this one with these inputs changed",
    )
    if workload:
        parser.add_argument(flag(JOB), metavar="KIND", help=f"the workload: {kind.name}")
    else:
        reader = cast("RunReader", CALCULATORS["training_time"].run_reader)
        parser.add_argument("--measured", metavar="FILE", help=f"{reader.formats}, next to the speed of this system")
    review.add_options(parser)
    known = ", ".join(existing())
    parser.add_argument(
        "--preset", flag(LIKE), dest=LIKE, metavar="NAME", help=f"start from a published system: {known}"
    )
    parser.add_argument(
        "--layout",
        flag(LAID_OUT),
        dest=LAID_OUT,
        metavar="HOW",
        help=f"with --preset, its parallelism: {FOUND} by search, or as {PUBLISHED}",
    )
    first = parser.add_argument_group("main inputs")
    other = parser.add_argument_group("other inputs, computed or defaults unless given")
    asked = {name for field in kind.form for name in field.names}
    others = ", ".join(one.kind.name for one in WORKLOADS.values())
    for preset in calculator.presets:
        known = ", ".join(record.key for record in preset.records)
        flags = [flag(alias) for alias in (preset.name, *preset.aliases)]
        about = f"{preset.label}: none, {known}".replace("%", "%%")
        group = first if preset.name in asked else other
        group.add_argument(*flags, dest=preset.name, metavar="NAME", help=about)
    for name, declared in calculator.inputs.items():
        flags = [flag(alias) for alias in (name, *declared.aliases)]
        known = f": {', '.join(declared.options)}" if isinstance(declared, Choice) else ""
        also = f", or {others}, which have inputs of their own" if name == JOB else ""
        about = f"{declared.label}{known}{also}. {declared.help}".replace("%", "%%")
        (first if name in asked else other).add_argument(*flags, dest=name, metavar="VALUE", help=about)
    return parser

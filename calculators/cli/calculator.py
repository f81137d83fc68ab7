"""One calculator on the command line: its options, and its answer in the form that was asked for."""

import argparse
import json
import sys
from collections.abc import Sequence

from calculators.answers import answer, config_file, data, explain, markdown
from calculators.answers.input_state import InputState, valid_inputs
from calculators.answers.suggestions import suggestion
from calculators.catalog import LOGS
from calculators.cli import model, review, runs, spreadsheet, text
from calculators.cli.options import OptionParser, flag, read_file, refused, unknown_options
from calculators.declare import Calculator, Choice, InputError, Quantity, Values

_DASHES = "--"  # which argparse takes for nothing at all
_OUTPUTS = ("json", "markdown", "explain", "log", "measured", "config", spreadsheet.OPTION)


def run(calculator: Calculator, given: Sequence[str]) -> int:
    """Print the answer of a calculator; return the exit code."""
    known = parser(calculator)
    options, unknown = known.parse_known_args(given)
    outputs = {*_OUTPUTS, *review.OPTIONS, *review.WITH_THEM, *(table.name for table in calculator.tables)}
    typed = {key: words for key, words in vars(options).items() if words is not None and key not in outputs}
    texts = {key: _DASHES if words == [] else words for key, words in typed.items()}
    try:
        if config_file.menu_of(calculator) and options.config:
            texts = {**model.of_configuration(calculator, options.config), **texts}
        if unknown:
            problems = unknown_options(known, unknown)
            raise InputError({**problems, **_problems(calculator, texts)})  # noqa: TRY301  reported like all others
        resolved = valid_inputs(calculator, texts)
        if calculator.measurement and options.measured:
            return runs.of_measurement(calculator, texts, options)
        if calculator.run_reader and options.measured:
            return runs.of_checked(calculator, texts, options)
        values = answer.evaluated(calculator, resolved)
        sys.stdout.write(_output(calculator, resolved, values, options))
        if config_file.menu_of(calculator) and options.config and not _is_for_programs(calculator, options):
            sys.stdout.write(_about_file(calculator, options.config))
    except InputError as error:
        return refused(error)
    return 0


def _problems(calculator: Calculator, texts: dict[str, str]) -> dict[str, str]:
    try:
        valid_inputs(calculator, texts)
    except InputError as error:
        return error.problems
    return {}


def parser(calculator: Calculator) -> OptionParser:
    """The options of a calculator: its inputs and menus, and what it can print."""
    parser = OptionParser(prog=f"python -m calculators {calculator.name}", description=calculator.question)
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="inputs and results as JSON, values in base units")
    output.add_argument("--markdown", action="store_true", help="a table for a review document")
    for table in calculator.tables:
        output.add_argument(flag(table.name), action="store_true", help=f"{table.title}: a table in Markdown")
    output.add_argument("--explain", metavar="RESULT", help="the formulas behind a result, with numbers")
    output.add_argument("--xlsx", metavar="FILE", help=spreadsheet.HELP)
    if calculator.name in LOGS:
        output.add_argument("--log", metavar="FILE", help="analyze a log of events or Slurm accounting instead")
    if calculator.measurement:
        parser.add_argument(
            "--measured", metavar="FILE", help=f"{calculator.measurement.pasted}, compared with the model"
        )
    if calculator.run_reader:
        parser.add_argument("--measured", metavar="FILE", help=f"{calculator.run_reader.formats}, next to the limits")
    if config_file.menu_of(calculator):
        parser.add_argument("--config", metavar="FILE", help="a model's config.json instead of the model menu")
    review.add_options(parser)
    for preset in calculator.presets:
        known = ", ".join(record.key for record in preset.records)
        flags = [flag(alias) for alias in (preset.name, *preset.aliases)]
        about = f"{preset.label}: none, {known}".replace("%", "%%")
        parser.add_argument(*flags, dest=preset.name, metavar="NAME", help=about)
    for name, declared in calculator.inputs.items():
        flags = [flag(alias) for alias in (name, *declared.aliases)]
        parser.add_argument(*flags, dest=name, metavar="VALUE", help=_help(declared).replace("%", "%%"))
    return parser


def _is_for_programs(calculator: Calculator, options: argparse.Namespace) -> bool:
    """Whether one of the outputs was asked for that other programs read, or a part of the answer alone."""
    names = (*_OUTPUTS, *review.OPTIONS, *(table.name for table in calculator.tables))
    return any(getattr(options, name, None) for name in names if name != "config")


def _about_file(calculator: Calculator, file: str) -> str:
    """Lines on the configuration file, below the answer."""
    lines = config_file.summary(calculator, read_file(file))
    return "\n".join(["", f"From {file}", *(f"  {line}" for line in lines)]) + "\n"


def _help(declared: Quantity | Choice) -> str:
    if isinstance(declared, Choice):
        return f"{declared.label}: {', '.join(declared.options)} (default {declared.default})"
    about = f"{declared.label}. {declared.help}".rstrip(". ") + "."
    return f"{about} In {declared.unit} unless it names a unit ({_default(declared)})"


def _default(declared: Quantity) -> str:
    """The default of an input, and the ways in which it is computed."""
    ways = [
        f"{one.word}{' when given ' + ' or '.join(map(flag, one.when)) if one.when else ''}"
        for one in declared.fallbacks
    ]
    if declared.default is not None or declared.not_applicable:
        ways.append(declared.box(declared.default))
    return f"default {', else '.join(ways)}"


def _output(calculator: Calculator, resolved: InputState, values: Values, options: argparse.Namespace) -> str:
    others = (*_OUTPUTS, *(table.name for table in calculator.tables))
    reviewed = review.output(calculator, resolved, values, options, others)
    if reviewed is not None:
        return reviewed
    if options.xlsx:
        return spreadsheet.saved(options.xlsx, calculator, resolved, values)
    if options.json:
        return json.dumps(data.described(calculator, resolved, values), indent=2, ensure_ascii=False) + "\n"
    if options.markdown:
        return markdown.table(calculator, resolved, values)
    return _part(calculator, resolved, values, options)


def _part(calculator: Calculator, resolved: InputState, values: Values, options: argparse.Namespace) -> str:
    """One table of the answer, the working of a result, or the answer as people read it."""
    for table in calculator.tables:
        if getattr(options, table.name):
            return "\n".join(markdown.table_lines(calculator, table, values)) + "\n"
    if options.explain:
        wanted = options.explain.replace("-", "_")
        if wanted not in calculator.steps:
            meant = suggestion(calculator, wanted, list(calculator.steps))
            raise InputError({"explain": f"“{options.explain}” is no result; {meant}"})
        return text.working(calculator, explain.formulas_behind(calculator, wanted), values)
    return text.readable(calculator, resolved, values)

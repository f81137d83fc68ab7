"""The command line: `python -m calculators` lists the calculators, `python -m calculators NAME --help` their inputs."""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from calculators import importing
from calculators.answers import answer, config_file, data, explain, markdown, measurement
from calculators.answers.input_state import InputState, parsing_notes, valid_inputs
from calculators.answers.suggestions import suggestion
from calculators.catalog import CALCULATORS, LOGS
from calculators.cli import machine, review
from calculators.cli.machine import COMMAND as MACHINE
from calculators.cli.options import BAD_INPUT, did_you_mean, flag, refused
from calculators.cli.options import unknown as of_unknown
from calculators.declare import AnyFormula, Calculator, Choice, InputError, Quantity, Values, Verdict

_NEGATIVE = re.compile(r"-[.\d]")
_LONGEST_LABEL = 34
_DASHES = "--"  # which argparse takes for nothing at all


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code: 0, or 2 for input that cannot be calculated with."""
    given = list(_with_negatives(sys.argv[1:] if arguments is None else arguments))
    if not given or given[0] in {"-h", "--help"}:
        sys.stdout.write(_listing())
        return 0
    name = given[0].replace("-", "_")
    if name == importing.COMMAND:
        return importing.main(given[1:])
    if name == MACHINE:
        return machine.main(given[1:])
    if name not in CALCULATORS:
        known = [*CALCULATORS, MACHINE, importing.COMMAND]
        there = did_you_mean(name, known) or f"; there are {', '.join(known)}"
        sys.stderr.write(f"no calculator {given[0]!r}{there}\n")
        return BAD_INPUT
    calculator = CALCULATORS[name]
    if name in LOGS and any(word.partition("=")[0] == "--log" for word in given):
        return _of_log(name, given[1:])
    return _calculated(calculator, given[1:])


def _with_negatives(given: Sequence[str]) -> Iterator[str]:
    """The arguments, a negative value tied to its option: argparse would take “-1us” for an option of its own."""
    option = ""
    for word in given:
        if option and _NEGATIVE.match(word):
            yield f"{option}={word}"
            option = ""
            continue
        if option:
            yield option
        option = word if word.startswith("--") and "=" not in word else ""
        if not option:
            yield word
    if option:
        yield option


def _calculated(calculator: Calculator, given: Sequence[str]) -> int:
    """What a calculator answers; the exit code."""
    parser = _parser(calculator)
    options, unknown = parser.parse_known_args(given)
    outputs = {*_OUTPUTS, *review.OPTIONS, *review.WITH_THEM, *(sheet.name for sheet in calculator.tables)}
    taken = {key: text for key, text in vars(options).items() if text is not None and key not in outputs}
    texts = {key: _DASHES if text == [] else text for key, text in taken.items()}
    try:
        if config_file.menu_of(calculator) and options.config:
            texts = {**importing.of_configuration(calculator, options.config), **texts}
        if unknown:
            raise InputError(_problems_of_unknown(calculator, texts, of_unknown(parser, unknown)))  # noqa: TRY301  reported like all others
        resolved = valid_inputs(calculator, texts)
        if calculator.measurement and options.measured:
            return _of_measurement(calculator, texts, options)
        values = answer.evaluated(calculator, resolved)
        sys.stdout.write(_output(calculator, resolved, values, options))
    except InputError as error:
        return refused(error)
    return 0


def _read(file: str) -> str:
    """The text of a file. Raises OSError with a sentence where there is none."""
    try:
        return Path(file).read_text("utf-8")
    except UnicodeDecodeError:
        message = "this is no text; give the log as it was written, unpacked"
        raise OSError(message) from None
    except OSError as error:
        message = f"it cannot be read: {(error.strerror or str(error)).lower()}"
        raise OSError(message) from None


def _of_log(name: str, given: Sequence[str]) -> int:
    """What a log of a job that ran says; nothing is calculated with beside it."""
    parser = argparse.ArgumentParser(prog=f"python -m calculators {name}", allow_abbrev=False)
    parser.add_argument("--log", metavar="FILE", required=True)
    parser.add_argument("--json", action="store_true")
    options, beside = parser.parse_known_args(given)
    if beside:
        sys.stderr.write(f"--log tells what a log says; beside it only --json has a meaning, not {beside[0]}\n")
        return BAD_INPUT
    described_log, report = LOGS[name]
    try:
        text = _read(options.log)
        told = json.dumps(described_log(text), indent=2, ensure_ascii=False) + "\n" if options.json else report(text)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{options.log}: {error}\n")
        return BAD_INPUT
    sys.stdout.write(told)
    return 0


def _of_measurement(calculator: Calculator, texts: dict[str, str], options: argparse.Namespace) -> int:
    """What a measured run says beside the model in this state. Raises InputError."""
    try:
        values, found = measurement.compared(calculator, texts, _read(options.measured))
    except (OSError, LookupError) as error:
        sys.stderr.write(f"{options.measured}: {error}\n")
        return BAD_INPUT
    except InputError:
        raise
    except ValueError as error:
        sys.stderr.write(f"{options.measured}: {error}\n")
        return BAD_INPUT
    if options.json:
        told = json.dumps(measurement.described(calculator, values, found), indent=2, ensure_ascii=False) + "\n"
    else:
        told = measurement.report(calculator, values, found)
    sys.stdout.write(told)
    return 0


_OUTPUTS = ("json", "markdown", "explain", "log", "measured", "config")


def _problems_of_unknown(calculator: Calculator, texts: dict[str, str], problems: dict[str, str]) -> dict[str, str]:
    """Problems of unknown options, together with those of the options that are known."""
    try:
        valid_inputs(calculator, texts)
    except InputError as error:
        problems.update(error.problems)
    return problems


def _listing() -> str:
    width = max(map(len, CALCULATORS))
    lines = [f"  {name:<{width}}  {calculator.question}" for name, calculator in CALCULATORS.items()]
    return (
        "python -m calculators NAME [--input VALUE …] [--json | --markdown | --explain RESULT]\n"
        "python -m calculators NAME [--input …] [--json] "
        "--margins | --solve … | --sweep … | --tornado … | --compare … | --record\n"
        "python -m calculators model --config FILE [--json]\n"
        "python -m calculators machine [--like NAME] [--input …] [--beside INPUT=VALUE …] [--json | --markdown]\n\n"
        + "\n".join(lines)
        + "\n"
    )


def _parser(calculator: Calculator) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"python -m calculators {calculator.name}", description=calculator.question, allow_abbrev=False
    )
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="inputs and results as JSON, values in base units")
    output.add_argument("--markdown", action="store_true", help="a table for a review document")
    for sheet in calculator.tables:
        output.add_argument(flag(sheet.name), action="store_true", help=f"{sheet.title}: a table in Markdown")
    output.add_argument("--explain", metavar="RESULT", help="the chain of formulas that leads to a result")
    if calculator.name in LOGS:
        output.add_argument("--log", metavar="FILE", help="what a log of events, or Slurm's accounting, says instead")
    if calculator.measurement:
        parser.add_argument("--measured", metavar="FILE", help=f"{calculator.measurement.pasted}: beside the model")
    if config_file.menu_of(calculator):
        parser.add_argument("--config", metavar="FILE", help="a model's own config.json, in place of the menu")
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


def _help(declared: Quantity | Choice) -> str:
    if isinstance(declared, Choice):
        return f"{declared.label}: {', '.join(declared.options)} (default {declared.default})"
    about = f"{declared.label}. {declared.help}".rstrip(". ") + "."
    return f"{about} In {declared.unit} unless it names a unit ({_otherwise(declared)})"


def _otherwise(declared: Quantity) -> str:
    """What an input is when nobody gives it."""
    ways = [
        f"{one.word}{' when given ' + ' or '.join(map(flag, one.when)) if one.when else ''}"
        for one in declared.fallbacks
    ]
    if declared.default is not None or declared.not_applicable:
        ways.append(declared.box(declared.default))
    return f"default {', else '.join(ways)}"


def _output(calculator: Calculator, resolved: InputState, values: Values, options: argparse.Namespace) -> str:
    others = (*_OUTPUTS, *(sheet.name for sheet in calculator.tables))
    told = review.output(calculator, resolved, values, options, others)
    if told is not None:
        return told
    if options.json:
        return json.dumps(data.described(calculator, resolved, values), indent=2, ensure_ascii=False) + "\n"
    if options.markdown:
        return markdown.table(calculator, resolved, values)
    for sheet in calculator.tables:
        if getattr(options, sheet.name):
            return "\n".join(markdown.table_lines(calculator, sheet, values)) + "\n"
    if options.explain:
        wanted = options.explain.replace("-", "_")
        if wanted not in calculator.steps:
            meant = suggestion(calculator, wanted, list(calculator.steps))
            raise InputError({"explain": f"“{options.explain}” is no result; {meant}"})
        return _working(calculator, explain.chain(calculator, wanted), values)
    return _readable(calculator, resolved, values)


def _readable(calculator: Calculator, resolved: InputState, values: Values) -> str:
    lines = [calculator.question, "", answer.sentence(calculator, values)]
    lines += answer.verdict_lines(calculator, values)
    lines += [f"Warning: {text}" for text in answer.warnings(calculator, values)]
    lines += [f"Note: {text}" for text in parsing_notes(calculator, resolved)]
    lines += ["", "Inputs"]
    for preset in calculator.presets:
        lines.append(f"  {preset.label:<{_LONGEST_LABEL}} {resolved.presets[preset.name] or 'none':>24}")
    for name, declared in calculator.inputs.items():
        shown = declared.box(values[name]) if isinstance(declared, Choice) else declared.text(values[name])
        lines.append(
            f"  {declared.label:<{_LONGEST_LABEL}} {shown:>24}  {resolved.words.get(name) or resolved.origins[name]}"
        )
    other = answer.also(calculator, values)
    lines += ["", "Results, and ranges as published runs would have them" if calculator.bands else "Results"]
    for name in [*calculator.headline, *(n for n in calculator.steps if n not in calculator.headline)]:
        formula = calculator.steps[name]
        lines.append(
            f"  {formula.label:<{_LONGEST_LABEL}} {formula.text(values[name]):>24}  {other.get(name, '')}".rstrip()
        )
    lines += ["", "Working", ""]
    return "\n".join(lines) + _working(calculator, list(calculator.steps.values()), values)


def _working(calculator: Calculator, formulas: Sequence[AnyFormula], values: Values) -> str:
    blocks = []
    texts = answer.texts(calculator, values)
    for formula in formulas:
        cited = "; ".join(source.title for source in formula.sources)
        value = values[formula.name]
        if isinstance(value, Verdict):
            steps = [f"    {value.word}: {answer.filled(calculator, value.reason, values)}"]
        else:
            steps = [
                *_indented("= ", explain.symbolic(formula)),
                *_indented("= ", explain.substituted(calculator, formula, texts)),
                f"    = {formula.text(value)}",
            ]
        lines = [
            f"  {formula.name} ({formula.label})",
            *steps,
            *([f"    source: {cited}"] if cited else []),
        ]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _indented(sign: str, text: str) -> list[str]:
    first, *rest = text.splitlines()
    return [f"    {sign}{first}", *(f"      {line}" for line in rest)]


def console() -> None:
    """Run the command line as an installed command."""
    sys.exit(main())


if __name__ == "__main__":
    console()

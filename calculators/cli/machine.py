"""The machine on the command line: `python -m calculators machine …`."""

import argparse
import json
import sys
from collections.abc import Sequence
from types import MappingProxyType

from calculators import importing
from calculators.cli import review
from calculators.cli.options import flag, refused
from calculators.cli.options import unknown as of_unknown
from calculators.declare import Choice, InputError
from calculators.machine import beside, exploring, recorded, told
from calculators.machine.description import machine
from calculators.machine.machines import FOUND, LAID_OUT, LIKE, PUBLISHED, existing
from calculators.machine.service import SERVING, service
from calculators.machine.stand import JOB, kind_of, stand
from calculators.machine.training import TRAINING

COMMAND = "machine"
_PLACES = MappingProxyType({TRAINING.name: "machine/", SERVING.name: "machine/serving/"})
_OUTPUTS = frozenset(("json", "markdown", "config", beside.BESIDE, *review.OPTIONS, *review.WITH_THEM))


def main(arguments: Sequence[str]) -> int:
    """Tell what comes of a machine; return the exit code."""
    serves = kind_of(_job_of(arguments)) is SERVING
    parser = _parser(serves=serves)
    options, unknown = parser.parse_known_args(arguments)
    calculator = service() if serves else machine()
    texts = {name: text for name, text in vars(options).items() if text is not None and name not in _OUTPUTS}
    try:
        if unknown:
            raise InputError(of_unknown(parser, unknown))  # noqa: TRY301  reported like all others
        if options.config:
            texts = {**importing.of_configuration(calculator, options.config), **texts}
        found = stand(texts)
        other = stand(beside.changed(texts, options.beside)) if options.beside else None
    except InputError as error:
        return refused(error)
    reviewed = None
    try:
        calculator, resolved = exploring.reviewed(found)
        reviewed = review.output(
            calculator,
            resolved,
            found.values,
            options,
            ("markdown", beside.BESIDE),
            _PLACES[found.kind.name],
            recorded.each_part(found),
        )
    except InputError as error:
        return refused(error)
    if reviewed is not None:
        sys.stdout.write(reviewed)
    elif options.json:
        plain = told.described(found) if other is None else beside.described(found, other)
        sys.stdout.write(json.dumps(plain, indent=2, ensure_ascii=False) + "\n")
    elif other is not None:
        sys.stdout.write("\n".join(beside.lines(found, other)) + "\n")
    else:
        sys.stdout.write(told.markdown(found) if options.markdown else told.readable(found))
    return 0


def _job_of(arguments: Sequence[str]) -> dict[str, str]:
    """What is to be done with it, before anything else is read: it decides what else is asked."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument(flag(JOB), default="")
    return vars(parser.parse_known_args(arguments)[0])


def _parser(*, serves: bool) -> argparse.ArgumentParser:
    calculator, kind = (service(), SERVING) if serves else (machine(), TRAINING)
    parser = argparse.ArgumentParser(
        prog=f"python -m calculators {COMMAND}", description=calculator.question, allow_abbrev=False
    )
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="everything as JSON, values in base units")
    output.add_argument("--markdown", action="store_true", help="the design as Markdown, for a review document")
    parser.add_argument("--config", metavar="FILE", help="a model's own config.json, in place of the menu")
    parser.add_argument(
        flag(beside.BESIDE),
        metavar="INPUT=VALUE",
        nargs="+",
        help="a second machine, as this one but for these inputs",
    )
    if serves:
        parser.add_argument(flag(JOB), metavar="KIND", help="what is done with it: it serves")
    review.add_options(parser)
    known = ", ".join(existing())
    parser.add_argument(flag(LIKE), metavar="NAME", help=f"a machine that exists, to start from: {known}")
    parser.add_argument(flag(LAID_OUT), metavar="HOW", help=f"with {flag(LIKE)}: {FOUND}, or as {PUBLISHED}")
    first = parser.add_argument_group("the short form")
    other = parser.add_argument_group("what is otherwise computed or assumed, and may be pinned")
    asked = {name for field in kind.form for name in field.names}
    for preset in calculator.presets:
        known = ", ".join(record.key for record in preset.records)
        flags = [flag(alias) for alias in (preset.name, *preset.aliases)]
        about = f"{preset.label}: none, {known}".replace("%", "%%")
        group = first if preset.name in asked else other
        group.add_argument(*flags, dest=preset.name, metavar="NAME", help=about)
    for name, declared in calculator.inputs.items():
        flags = [flag(alias) for alias in (name, *declared.aliases)]
        known = f": {', '.join(declared.options)}" if isinstance(declared, Choice) else ""
        also = f", or {SERVING.name}: then other questions are asked" if name == JOB else ""
        about = f"{declared.label}{known}{also}. {declared.help}".replace("%", "%%")
        (first if name in asked else other).add_argument(*flags, dest=name, metavar="VALUE", help=about)
    return parser

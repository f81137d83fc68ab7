"""The command line: which calculator is meant, and the list of all of them."""

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from calculators.catalog import CALCULATORS, LOGS
from calculators.cli import benchmark, calculator, design, machine, mcp, model, offers, runs, schema
from calculators.cli.options import BAD_INPUT, did_you_mean

_COMMANDS: Mapping[str, Callable[[Sequence[str]], int]] = MappingProxyType(
    {one.COMMAND: one.main for one in (machine, model, benchmark, design, offers, schema, mcp)}
)
_NEGATIVE = re.compile(r"-[.\d]")


def main(arguments: Sequence[str]) -> int:
    """Run the command line; return the exit code: 0, 1 for a broken limit, 2 for wrong input."""
    given = list(_with_negatives(arguments))
    if not given or given[0] in {"-h", "--help"}:
        sys.stdout.write(_listing())
        return 0
    name = given[0].replace("-", "_")
    if name in _COMMANDS:
        return _COMMANDS[name](given[1:])
    if name not in CALCULATORS:
        known = [*CALCULATORS, *_COMMANDS]
        there = did_you_mean(name, known) or f"; there are {', '.join(known)}"
        sys.stderr.write(f"no calculator “{given[0]}”{there}\n")
        return BAD_INPUT
    if name in LOGS and any(word.partition("=")[0] == "--log" for word in given):
        return runs.of_log(name, given[1:])
    return calculator.run(CALCULATORS[name], given[1:])


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


def _listing() -> str:
    width = max(map(len, CALCULATORS))
    lines = [f"  {name:<{width}}  {calculator.question}" for name, calculator in CALCULATORS.items()]
    return (
        "python -m calculators NAME [--input VALUE …] [--json | --markdown | --explain RESULT]\n"
        "python -m calculators NAME [--input …] [--json] "
        "--margins | --solve … | --sweep … | --tornado … | --compare … | --record\n"
        "python -m calculators model --config FILE [--json]\n"
        "python -m calculators benchmark FILE [--input VALUE …] [--json]   (vLLM, SGLang, AIPerf, /metrics, traces)\n"
        "python -m calculators check design.toml [--json]\n"
        "python -m calculators offers offers.toml [--json]\n"
        "python -m calculators schema NAME\n"
        "python -m calculators mcp   (each calculator as a tool of a Model Context Protocol server)\n"
        "python -m calculators machine [--preset NAME] [--input …] [--compare-with INPUT=VALUE …] "
        "[--json | --markdown]\n"
        "python -m calculators --facts FILE …   with your own prices, hardware and models\n\n" + "\n".join(lines) + "\n"
    )

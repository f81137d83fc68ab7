"""A measured run of serving next to the model: `python -m calculators benchmark result.json --accelerator h100-sxm`.

Lengths and load are read from the file; model, accelerator and layout are options, as of `inference`.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from calculators import units
from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from calculators.cli import calculator, requests, scrapes
from calculators.cli.options import BAD_INPUT, read_file, refused, unknown_options
from calculators.declare import InputError, Values
from calculators.measured import request_log
from calculators.measured.serving import BenchmarkError, ServingRun
from calculators.subjects.serving.inference import measured_run
from calculators.subjects.serving.inference.benchmark import runs

COMMAND = "benchmark"
_INFERENCE = "inference"
_MOST_RUNS = 1000  # half a second next to the model
_USAGE = (
    "python -m calculators benchmark FILE [FILE …] [--model NAME] [--accelerator NAME] [--input VALUE …] [--json]\n"
    "python -m calculators benchmark EARLIER LATER --interval 5min [--input VALUE …] [--json]   (/metrics)\n"
    "python -m calculators benchmark REQUESTS [--json]   (a log of requests: rate, lengths, repeated prompts)\n"
)


@dataclass(frozen=True, kw_only=True)
class Row:
    """A metric: measured and modeled in base units; None where the model has no such load."""

    name: str
    label: str
    unit: str
    measured: float
    modelled: float | None


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A run with its metrics, sentences on it, and what to look at."""

    run: ServingRun
    values: Values
    rows: tuple[Row, ...]
    verdict: str
    reasons: tuple[str, ...]


def main(arguments: Sequence[str]) -> int:
    """Print every run next to the model; return the exit code."""
    names = [word for word in arguments if word in {"-h", "--help"}]
    first = next((place for place, word in enumerate(arguments) if word.startswith("-")), len(arguments))
    if names or not first:
        (sys.stdout if names else sys.stderr).write(_USAGE)
        return 0 if names else BAD_INPUT
    inference = CALCULATORS[_INFERENCE]
    known = calculator.parser(inference)
    known.add_argument(f"--{scrapes.INTERVAL}", metavar="TIME", help="time between two scrapes of /metrics")
    options, unknown = known.parse_known_args(arguments[first:])
    inputs = {*inference.inputs, *(preset.name for preset in inference.presets)}
    typed = {key: text for key, text in vars(options).items() if key in inputs and text is not None}
    try:
        if unknown:
            raise InputError(unknown_options(known, unknown))  # noqa: TRY301  reported like all others
        files = arguments[:first]
        if scrapes.are_these([_text(file) for file in files]):
            return _of_scrapes(scrapes.read(files, options.interval), typed, is_json=options.json)
        if len(files) == 1 and request_log.recognizes(_text(files[0])):
            return requests.of_log(files[0], _text(files[0]), is_json=options.json)
        read = [(file, run) for file in files for run in _read(file)]
        if len(read) > _MOST_RUNS:
            message = f"{', '.join(files)}: {len(read):,} runs are in it: give at most {_MOST_RUNS:,} at a time"
            raise InputError({"file": message})  # noqa: TRY301  reported like all others
        found = [(file, compared(run, typed)) for file, run in read]
    except InputError as error:
        return refused(error)
    if options.json:
        sys.stdout.write(json.dumps([_data(file, one) for file, one in found], indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write("\n".join(line for file, one in found for line in _lines(file, one)))
    return 0


def _text(file: str) -> str:
    try:
        return read_file(file)
    except ValueError as error:
        raise InputError({"file": f"{file}: {error}"}) from None


def _of_scrapes(found: scrapes.Scrapes, typed: dict[str, str], *, is_json: bool) -> int:
    """Print scrapes, and next to the model where they give a rate; return the exit code. Raises InputError."""
    run = found.run
    one = None if run is None else compared(run, typed)
    name = found.files[-1]
    if is_json:
        comparison = None if one is None else _data(name, one)
        sys.stdout.write(json.dumps({**scrapes.data(found), "comparison": comparison}, indent=2) + "\n")
    else:
        messages = [*scrapes.lines(found), "", *(() if one is None else _lines(name, one))]
        sys.stdout.write("\n".join(messages))
    return 0


def _read(file: str) -> list[ServingRun]:
    try:
        return runs(_text(file))
    except InputError:
        raise
    except (BenchmarkError, ValueError) as error:
        raise InputError({"file": f"{file}: {error}"}) from None


def compared(run: ServingRun, typed: dict[str, str]) -> Comparison:
    """A run next to the model in the state that it and the reader give. Raises InputError."""
    values = _modeled(tuple({**measured_run.NO_TARGETS, **run.given, **typed}.items()))
    served = values["served_request_rate"]
    metrics = (
        (
            "output_throughput",
            "Output tokens/s",
            "token/s",
            run.tokens_per_second,
            served and served * run.output_tokens,
        ),
        ("request_throughput", "Requests/s", "request/s", run.requests_per_second, served),
        ("ttft", "TTFT, mean", "ms", run.ttft, values["ttft"]),
        ("ttft_p99", "TTFT, p99", "ms", run.ttft_p99, values["ttft_p99"]),
        ("tpot", "TPOT, mean", "ms", run.tpot, values["user_tpot"]),
        ("tpot_p99", "TPOT, p99", "ms", run.tpot_p99, values["user_tpot_p99"]),
    )
    rows = tuple(
        Row(name=name, label=label, unit=unit, measured=measured, modelled=modelled)
        for name, label, unit, measured, modelled in metrics
        if measured is not None
    )
    reasons = tuple(f"{one.looks}. {one.look_at}" for one in measured_run.reasons(run, values))
    return Comparison(run=run, values=values, rows=rows, verdict=_verdict(run, values), reasons=reasons)


@lru_cache(128)
def _modeled(given: tuple[tuple[str, str], ...]) -> Values:
    """Values of a state: runs repeated at one load are modeled once. Raises InputError."""
    inference = CALCULATORS[_INFERENCE]
    return answer.evaluated(inference, valid_inputs(inference, dict(given)))


def _verdict(run: ServingRun, values: Values) -> str:
    if measured_run.is_short(run):
        return f"TPOT is not judged: {run.output_tokens:,.1f} output tokens are too few. Go by TTFT and requests/s."
    least, most = values["user_tpot_at_least"], values["user_tpot_at_most"]
    word = "faster than" if run.tpot < least else "slower than" if run.tpot > most else "as"
    ends = f"{units.text(least, 'ms')} to {units.text(most, 'ms')}"
    return f"TPOT is {word} modeled: {units.text(run.tpot, 'ms')} measured, {ends} by the errors on published runs."


def _lines(file: str, one: Comparison) -> Iterator[str]:
    inference = CALCULATORS[_INFERENCE]
    yield f"{file}: {measured_run.described(one.run)}"
    yield f"Modeled: {inference.text('parameters', one.values['parameters'])}, one replica of " + inference.text(
        "serving_tensor_parallel", one.values["serving_tensor_parallel"]
    )
    yield f"{'':18}{'measured':>18}{'modeled':>18}{'ratio':>9}"
    for row in one.rows:
        modelled = "none" if row.modelled is None else units.text(row.modelled, row.unit)
        ratio = "" if not row.modelled else f"{row.measured / row.modelled:.2f}"
        yield f"{row.label:18}{units.text(row.measured, row.unit):>18}{modelled:>18}{ratio:>9}"
    yield one.verdict
    yield from (f"Look at: {reason}" for reason in one.reasons)
    yield ""


def _data(file: str, one: Comparison) -> dict[str, Any]:
    return {
        "file": file,
        "input_tokens": one.run.input_tokens,
        "output_tokens": one.run.output_tokens,
        "concurrent_users": one.run.users,
        "request_rate": one.run.request_rate,
        "metrics": [
            {"name": row.name, "unit": units.base_symbol(row.unit), "measured": row.measured, "modeled": row.modelled}
            for row in one.rows
        ],
        "verdict": one.verdict,
        "reasons": list(one.reasons),
    }

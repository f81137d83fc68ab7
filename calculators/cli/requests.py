"""A log of requests on the command line: rate, lengths and repeated prompts, as options of `inference`."""

import json
import sys
from dataclasses import asdict

from calculators import units
from calculators.declare import InputError
from calculators.measured import request_log
from calculators.measured.request_log import Lengths, RequestLog

_MINUTE = 60


def of_log(file: str, text: str, *, is_json: bool) -> int:
    """Print what the log says; return the exit code. Raises InputError."""
    try:
        found = request_log.log(text)
    except ValueError as error:
        raise InputError({"file": f"{file}: {error}"}) from None
    sys.stdout.write(json.dumps(_data(file, found), indent=2) + "\n" if is_json else _text(file, found))
    return 0


def _text(file: str, found: RequestLog) -> str:
    share = "not known: the log has no hashes of prompts" if found.prefix_share is None else None
    options = " ".join(f"--{name.replace('_', '-')} {text}" for name, text in found.given.items())
    mean, busiest = (units.text(rate, "request/s") for rate in (found.rate, found.busiest_minute / _MINUTE))
    length = units.text(found.seconds, "s")
    lines = (
        f"{file}: {units.counted(found.requests, 'request')} in {length}, {mean}; {busiest} in the busiest minute",
        f"  {'Input tokens':22} {_named(found.prompt)}",
        f"  {'Output tokens':22} {_named(found.output)}",
        f"  {'Repeated prompts':22} {share or units.text(found.prefix_share or 0.0, 'share')}",
        f"As a state: python -m calculators inference {options}",
    )
    return "\n".join(lines) + "\n"


def _named(lengths: Lengths) -> str:
    return f"mean {lengths.mean:,.0f}, p50 {lengths.p50:,.0f}, p90 {lengths.p90:,.0f}, p99 {lengths.p99:,.0f}"


def _data(file: str, found: RequestLog) -> dict[str, object]:
    return {
        "file": file,
        "requests": found.requests,
        "seconds": found.seconds,
        "request_rate": found.rate,
        "busiest_minute": found.busiest_minute,
        "input_tokens": asdict(found.prompt),
        "output_tokens": asdict(found.output),
        "prefix_cache_hit_rate": found.prefix_share,
        "given": found.given,
    }

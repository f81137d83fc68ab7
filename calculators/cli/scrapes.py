"""Prometheus text of vLLM or SGLang on the command line: traffic between two scrapes next to the model, or totals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from calculators import units
from calculators.cli.options import read_file
from calculators.declare import InputError
from calculators.measured import prometheus
from calculators.measured.prometheus import Mean, Spread, Traffic
from calculators.measured.serving import ServingRun

INTERVAL = "interval"
_MOST = 2
_TOTALS = (
    "One scrape gives totals since the server started, and no rate: give a later scrape too, and --interval, the time "
    "between them."
)


@dataclass(frozen=True, kw_only=True)
class Scrapes:
    """One or two scrapes, the time between them [s], and the run that they amount to, if a rate is known."""

    files: tuple[str, ...]
    traffic: Traffic
    interval: float | None

    @property
    def run(self) -> ServingRun | None:
        """The traffic as a run at its arrival rate; None without a rate."""
        if self.interval is None:
            return None
        return prometheus.run(self.traffic, self.interval)


def are_these(texts: Sequence[str]) -> bool:
    """Whether any of these texts is a scrape."""
    return any(prometheus.recognizes(text) for text in texts)


def read(files: Sequence[str], interval: str | None) -> Scrapes:
    """The scrapes in files, the earlier one first. Raises InputError."""
    if len(files) > _MOST:
        raise InputError({"file": f"{len(files)} scrapes: give one, or an earlier and a later one"})
    try:
        seconds = None if interval is None else units.parse(interval, "s")
    except ValueError as error:
        raise InputError({INTERVAL: f"--interval: {error}"}) from None
    if seconds is not None and seconds <= 0:
        raise InputError({INTERVAL: f"--interval must be more than 0 s, not {interval}"})
    texts = [read_file(file) for file in files]
    try:
        if len(files) == 1 and seconds is None and (parts := prometheus.parted(texts[0])):
            earlier, seconds, later = parts
            return Scrapes(files=tuple(files), traffic=prometheus.traffic(later, earlier), interval=seconds)
    except ValueError as error:
        raise InputError({"file": f"{files[0]}: {error}"}) from None
    if len(files) == _MOST and seconds is None:
        raise InputError({INTERVAL: "two scrapes need the time between them: --interval 5min"})
    if len(files) == 1 and seconds is not None:
        raise InputError({INTERVAL: "--interval needs two scrapes, the earlier one first: one gives totals"})
    try:
        seen = prometheus.traffic(texts[-1], texts[0] if len(texts) == _MOST else "")
    except ValueError as error:
        raise InputError({"file": f"{', '.join(files)}: {error}"}) from None
    return Scrapes(files=tuple(files), traffic=seen, interval=seconds)


def lines(found: Scrapes) -> Iterator[str]:
    """Text of the scrapes for readers."""
    seen = found.traffic
    rate = "" if found.interval is None else f", {units.text(seen.completed / found.interval, 'request/s')}"
    completed = units.counted(seen.completed, "request")
    yield f"{' → '.join(found.files)}: {completed} completed, {seen.failed:,.0f} not{rate}"
    for label, spread, unit in _spreads(seen):
        open_ended = spread.at_least if isinstance(spread, Spread) else ()
        message = ", ".join(
            f"{name} {'at least ' if name in open_ended else ''}{_text(value, unit)}"
            for name, value in _named(spread).items()
        )
        yield f"  {label:22} {message}"
    share = "not stated" if seen.prefix_share is None else units.text(seen.prefix_share, "share")
    yield f"  {'Prefix-cache hit rate':22} {share}"
    yield f"  Quantiles are as coarse as the buckets of {seen.engine}'s histograms."
    if isinstance(seen.prompt, Mean):
        yield "  Lengths are means alone: start SGLang with --collect-tokens-histogram for their quantiles."
    if found.interval is None:
        yield f"  {_TOTALS}"


def data(found: Scrapes) -> dict[str, Any]:
    """Scrapes as plain data in base units."""
    seen = found.traffic
    return {
        "files": list(found.files),
        "engine": seen.engine,
        "interval": found.interval,
        "completed": seen.completed,
        "not_completed": seen.failed,
        "request_rate": None if found.interval is None else seen.completed / found.interval,
        **{label.lower().replace(" ", "_"): _named(spread) for label, spread, _ in _spreads(seen)},
        "beyond_buckets": {
            label.lower().replace(" ", "_"): list(spread.at_least)
            for label, spread, _ in _spreads(seen)
            if isinstance(spread, Spread) and spread.at_least
        },
        "prefix_cache_hit_rate": seen.prefix_share,
        "note": _TOTALS if found.interval is None else "",
    }


def _spreads(seen: Traffic) -> tuple[tuple[str, Spread | Mean, str], ...]:
    return (
        ("Input tokens", seen.prompt, "token"),
        ("Output tokens", seen.output, "token"),
        ("TTFT", seen.ttft, "s"),
        ("TPOT", seen.tpot, "s"),
    )


def _named(spread: Spread | Mean) -> dict[str, float]:
    if isinstance(spread, Mean):
        return {"mean": spread.mean}
    return {"mean": spread.mean, "p50": spread.p50, "p90": spread.p90, "p99": spread.p99}


def _text(value: float, unit: str) -> str:
    return f"{value:,.0f}" if unit == "token" else units.text(value, unit)

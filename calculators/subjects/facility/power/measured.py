"""Measured GPU power next to what this calculator assumes: mean and peak per GPU, and a node with its other parts.

The average share is of a server's rating; it is taken for its GPUs too. nvidia-smi's power.draw is a mean over one
second from Ampere on (its --help-query-gpu): shorter peaks do not show.
"""

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from calculators import units
from calculators.declare import CheckedRun, MeasuredResult, Reason
from calculators.measured import gpu_power
from calculators.measured.gpu_power import PowerLog
from calculators.vocabulary.acceptance import PASSED

_LOADED = 0.5  # mean utilization below which a log says nothing about training
_HIGH, _LOW = 0.99, 0.01
_FEW = 30  # samples per GPU
_AT_LIMIT = 0.98  # of the rating

read = gpu_power.read


def check(log: PowerLog, values: Mapping[str, Any]) -> CheckedRun:
    """A log next to a state."""
    gpus = log.gpus
    doubt = _doubt(log)
    rating, share = values["gpu_power"], values["average_share"]
    average, peak = log.mean, _quantile(log.watts, _HIGH)
    results = [
        _at_most("gpu_power_mean", "Mean power per GPU", average, share * rating, rating, doubt),
        _at_most("gpu_power_p99", "Peak power per GPU (p99)", peak, values["swing_high"] * rating, rating, doubt),
        MeasuredResult(
            name="gpu_power_p1", label="Lowest power per GPU (p1)", unit="W", measured=_quantile(log.watts, _LOW)
        ),
    ]
    if len(gpus) == values["node_gpus"]:
        rest = (values["node_power"] - values["node_gpus"] * rating) * share
        node = sum(log.means.values()) + rest
        label = f"Mean node power, with {units.text(rest, 'W')} assumed besides the GPUs"
        results.append(
            _at_most("node_power_mean", label, node, values["node_power"] * share, values["node_power"], doubt)
        )
    if log.busy is not None:
        results.append(MeasuredResult(name="utilization", label="Mean utilization", unit="share", measured=log.busy))
    samples = len(log.watts) // len(gpus)
    counted = f"{units.counted(len(gpus), 'GPU')}, {units.counted(samples, 'sample')} each"
    return CheckedRun(run=counted, results=tuple(results), reasons=tuple(_reasons(log, peak, doubt, values)))


def _at_most(name: str, label: str, measured: float, assumed: float, rating: float, doubt: str) -> MeasuredResult:
    """A power that should be as assumed and must be within the rating."""
    return MeasuredResult(
        name=name,
        label=label,
        unit="W",
        measured=measured,
        passing=assumed,
        failing=rating,
        at_most=True,
        doubt=doubt,
    )


def _doubt(log: PowerLog) -> str:
    """Why a low power says nothing; empty where nothing says so."""
    if log.busy is not None and log.busy < _LOADED:
        return f"the GPUs were busy {units.text(log.busy, 'share')} of the time: measure while the job trains"
    fewest = min(len(gpu.watts) for gpu in log.gpus)
    return f"{units.counted(fewest, 'sample')} per GPU: log for a minute at least" if fewest < _FEW else ""


def _quantile(ordered: Sequence[float], share: float) -> float:
    """The value that a share of the others do not exceed, of values in rising order."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _reasons(log: PowerLog, peak: float, doubt: str, values: Mapping[str, Any]) -> Iterator[Reason]:
    """Findings, the most important first."""
    if doubt:
        yield Reason(
            name="not under load", looks=doubt, look_at="A log of at least a minute of steady steps, idle time cut."
        )
    typical = median(log.means.values())
    low = {name: each for name, each in log.means.items() if each < PASSED * typical}
    if low and len(log.gpus) > 1:
        named = ", ".join(f"{name} ({units.text(each, 'W')})" for name, each in low.items())
        yield Reason(
            name="GPUs below the others",
            looks=f"GPU {named} draws less than {PASSED:.0%} of the median, {units.text(typical, 'W')}",
            look_at="Thermal or power slowdown (clocks_event_reasons), its power limit, a pipeline stage with less "
            "work.",
        )
    if peak >= _AT_LIMIT * values["gpu_power"]:
        yield Reason(
            name="at the power limit",
            looks=f"Peaks reach the rating, {units.text(values['gpu_power'], 'W')}: clocks fall to stay there",
            look_at="clocks_event_reasons.sw_power_cap, and the rating entered here.",
        )


def given(_log: PowerLog) -> Mapping[str, str]:
    """Inputs that a power log states: none."""
    return {}

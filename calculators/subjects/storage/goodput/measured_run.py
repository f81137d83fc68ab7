"""A measured job or cluster next to the forecast: goodput by each definition, time by activity, failures."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from calculators import units
from calculators.declare import CheckedRun, MeasuredResult, Reason
from calculators.declare.measurements import Reading
from calculators.subjects.storage.goodput import event_log, measured
from calculators.subjects.storage.goodput.cluster import Cluster
from calculators.subjects.storage.goodput.event_log import Clock

_FEW = 10  # stops or failures below which a rate is hardly known: its 95% interval then spans a factor of four
_LOOK_AT = {
    "recomputed work": "More frequent checkpoints, or asynchronous ones.",
    "checkpoint stalls": "Asynchronous checkpoints, a faster storage system, or a longer interval.",
    "failure detection": "Watchdogs and time-outs of collectives: they wait minutes by default.",
    "start and load": "Container start, compilation, loading of the checkpoint, creation of communicators.",
    "waiting for nodes": "Spare nodes, or a shorter repair.",
}


def read(text: str) -> Reading:
    """A cluster in an accounting of many jobs, else the clock of one job. Raises LogError."""
    yield 0
    return event_log.read(text)


def given(_run: Cluster | Clock) -> Mapping[str, str]:
    """Inputs that a run states: none."""
    return {}


def check(run: Cluster | Clock, values: Mapping[str, Any]) -> CheckedRun:
    """Compare a job or cluster with the values of a state. Raises LogError where nothing ran."""
    return _of_cluster(run, values) if isinstance(run, Cluster) else _of_job(run, values)


def _of_job(log: Clock, values: Mapping[str, Any]) -> CheckedRun:
    spent = measured.spent(log)
    shares = {name: seconds / log.elapsed for name, seconds in spent.items()}
    own, *others = measured.definitions(log)
    results = [
        MeasuredResult(
            name="goodput",
            label=f"Goodput, {'at most' if log.at_most else 'as forecast here'}",
            unit="share",
            measured=own.value,
            passing=values["goodput"],
            failing=-math.inf,
            doubt="accounting has no checkpoints and starts: recomputed work and loading count as progress"
            if log.at_most
            else "",
        ),
        *(MeasuredResult(name=one.name, label=one.name, unit="share", measured=one.value) for one in others),
        *(MeasuredResult(name=name, label=f"Time: {name}", unit="s", measured=each) for name, each in spent.items()),
    ]
    by_means = measured.forecast(log)
    if by_means is not None:
        label = "Goodput by the formula with this log's means"
        results.append(MeasuredResult(name="forecast", label=label, unit="share", measured=by_means))
    stops = f"{units.counted(log.failures, 'failure')} and {units.counted(log.interruptions, 'interruption')}"
    message = f"{stops} in {units.text(log.elapsed, 's')}"
    return CheckedRun(run=message, results=tuple(results), reasons=tuple(_reasons(log, shares)))


def _reasons(log: Clock, shares: Mapping[str, float]) -> Iterator[Reason]:
    lost = {name: share for name, share in shares.items() if name in _LOOK_AT and share > 0}
    for name, share in sorted(lost.items(), key=lambda one: -one[1]):
        yield Reason(name=name, looks=f"{units.text(share, 'share')} of the time", look_at=_LOOK_AT[name])
    if 0 < log.stops < _FEW:
        yield Reason(
            name="few stops",
            looks=f"{units.counted(log.stops, 'stop')} alone: a longer log may say something else",
            look_at="The accounting of the whole cluster, whose failures are more.",
        )


def _of_cluster(found: Cluster, values: Mapping[str, Any]) -> CheckedRun:
    few = f"{units.counted(found.failures, 'failure')} alone" if found.failures < _FEW else ""
    results = [
        MeasuredResult(
            name="node_failures_per_1000_node_days",
            label="Node failures (NODE_FAIL) in 1,000 node-days",
            unit="1",
            measured=found.rate,
        ),
        *(
            MeasuredResult(name=state, label=f"Node-days that ended as {state}", unit="1", measured=days)
            for state, days in found.node_days.items()
        ),
    ]
    reasons = []
    if found.gpu_mtbf is not None:
        results.insert(
            0,
            MeasuredResult(
                name="gpu_mtbf",
                label="Mean time between node failures, per GPU",
                unit="s",
                measured=found.gpu_mtbf,
                passing=values["gpu_mtbf"],
                failing=-math.inf,
                doubt=few,
            ),
        )
    elif found.failures:
        reasons.append(
            Reason(
                name="GPUs are not stated",
                looks="No attempt has its GPUs, so that failures per GPU are not known",
                look_at="Print AllocTRES as well.",
            )
        )
    else:
        reasons.append(
            Reason(
                name="no node failed",
                looks="The rate is not known, only small",
                look_at="Accounting of more months.",
            )
        )
    total = sum(found.node_days.values())
    running = f", {units.counted(found.running, 'attempt')} still running" if found.running else ""
    message = f"{units.counted(found.jobs, 'job')}, {total:,.1f} node-days{running}"
    return CheckedRun(run=message, results=tuple(results), reasons=tuple(reasons))

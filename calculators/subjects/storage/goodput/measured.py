"""Measured goodput: each definition for one log, and the forecast of this calculator."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calculators import units
from calculators.subjects.storage.goodput import cluster, renewal
from calculators.subjects.storage.goodput.cluster import Cluster
from calculators.subjects.storage.goodput.event_log import Clock, read
from calculators.subjects.storage.goodput.log_text import LogError


@dataclass(frozen=True, kw_only=True)
class Definition:
    """One definition of goodput: its user, quotient, source and value for the log."""

    name: str
    of: str
    source: str
    value: float


def definitions(log: Clock) -> tuple[Definition, ...]:
    """Every definition for one log. Raises LogError where nothing ran."""
    if not log.elapsed or not log.running:
        raise LogError("Nothing ran in this log: it needs a start, training and an end")
    up_again = log.noticing + log.starting + log.waiting
    at_reference = Definition(
        name="Google, at the reference speed",
        of="lasting steps at the speed of the fastest / time from the first start to the end",
        source="AI-Hypercomputer/resiliency, its example of goodput measurement (read 2026-11-22)",
        value=log.steps_kept * log.step_time / log.elapsed,
    )
    return (
        Definition(
            name="This calculator",
            of="lasting progress / time since the first start",
            source="goodput of this calculator, which forecasts it",
            value=log.kept / log.elapsed,
        ),
        Definition(
            name="Google, runtime goodput",
            of="time of lasting steps / time from the first start to the end",
            source="AI-Hypercomputer/ml-goodput-measurement, its calculator (read 2026-11-22)",
            value=log.kept / log.elapsed,
        ),
        *((at_reference,) if log.step_time else ()),
        Definition(
            name="Meta, ETTR",
            of="lasting progress / time since the job was first queued",
            source="Kokolis et al., 2025, arXiv:2410.21680 (quotations)",
            value=log.kept / (log.elapsed + log.queued),
        ),
        Definition(
            name="NVIDIA, while scheduled",
            of="lasting progress / time in which the job had its nodes",
            source="productive as in NVIDIA/nv-one-logger at 9a1cd40, over the Slurm job's time as in Megatron-LM "
            "at d98e8a6 (read 2026-11-22); the program that divides is not public",
            value=log.kept / (log.elapsed - log.waiting),
        ),
        Definition(
            name="Availability, wall clock",
            of="1 - recovery / time since the first start",
            source="Salpekar et al., 2026, arXiv:2602.00277 (abstract): 44% is (18 - 10) min / 18 min",
            value=1 - up_again / log.elapsed,
        ),
        Definition(
            name="Steps without checkpoints",
            of="lasting progress / running without stalls",
            source="what throughput logs show: only recomputed work is missing",
            value=log.kept / (log.kept + log.lost),
        ),
    )


def forecast(log: Clock) -> float | None:
    """Goodput by the exact form with this log's means; None if nothing stopped it or no checkpoint was saved.

    An interruption loses work as a failure does, so both count here.
    """
    if not log.stops or not log.stalls or not log.saves or not log.stalled:
        return None
    between_stops, stall = log.running / log.stops, log.stalled / log.stalls
    safe = max(stall, sum(log.saves) / len(log.saves))
    work = max((log.kept + log.lost) / log.stalls, safe - stall)
    running = renewal.running_share(
        between_stops, (log.noticing + log.waiting) / log.stops, log.starting / (log.stops + 1)
    )
    return renewal.one_tier_share(running, between_stops, work, stall, safe)


def spent(log: Clock) -> dict[str, float]:
    """Wall-clock time by activity [s]."""
    return {
        "lasting progress": log.kept,
        "recomputed work": log.lost,
        "checkpoint stalls": log.stalled,
        "failure detection": log.noticing,
        "start and load": log.starting,
        "waiting for nodes": log.waiting,
        "queued before the first start": log.queued,
    }


def described(text: str) -> dict[str, Any]:
    """The log as plain data: of one job, or of a whole cluster. Raises LogError."""
    log = read(text)
    return cluster.described(log) if isinstance(log, Cluster) else _described(log)


def _described(log: Clock) -> dict[str, Any]:
    return {
        "seconds": spent(log),
        "failures": log.failures,
        "interruptions": log.interruptions,
        "states": dict(log.states),
        "jobs": log.jobs,
        "at_most": log.at_most,
        "definitions": [
            {"name": one.name, "value": one.value, "of": one.of, "source": one.source} for one in definitions(log)
        ],
        "forecast": forecast(log),
    }


def _counted(found: Mapping[str, Any]) -> list[str]:
    """Sentences on what the two counts contain."""
    states = ", ".join(f"{count} {state}" for state, count in found["states"].items())
    lines = [f"Attempts that did not complete, by accounting state: {states}."] if states else []
    if found["jobs"] > 1:
        lines.append(
            f"The attempts have {found['jobs']} job numbers: they count as one job, submitted again each time."
        )
    lines.append("A stop by the user, the scheduler or a time limit is an interruption, not a failure; both lose work.")
    if found["interruptions"]:
        lines.append("A hang that an operator ended by hand looks the same: count it as a failure if you know of one.")
    return lines


def report(text: str) -> str:
    """Text of the log: time by activity, every definition with its source, the forecast. Raises LogError."""
    log = read(text)
    if isinstance(log, Cluster):
        return cluster.report(log)
    found = _described(log)
    lines = ["Wall-clock time by activity"]
    lines += [f"  {name:<32} {units.text(each, 's'):>10}" for name, each in found["seconds"].items()]
    lines += [f"  {'failures':<32} {found['failures']:>10}", f"  {'interruptions':<32} {found['interruptions']:>10}"]
    lines += ["", *_counted(found), "", "Goodput, by definition"]
    most = "at most " if found["at_most"] else ""
    for one in found["definitions"]:
        lines += [
            f"  {one['name']:<28} {most + units.text(one['value'], 'share'):>14}   {one['of']}",
            f"  {'':<28} {'':>14}   {one['source']}",
        ]
    if found["at_most"]:
        lines += [
            "",
            "Accounting has no checkpoints and starts: recomputed work and loading count as progress here.",
        ]
    if found["forecast"] is not None:
        lines += ["", f"Goodput by the exact form with this log's means: {units.text(found['forecast'], 'share')}"]
    return "\n".join(lines) + "\n"

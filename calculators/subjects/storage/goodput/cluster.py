"""Slurm's accounting of a whole cluster: how its node time ended, and how often a node failed.

`sacct --allusers --parsable2 --duplicates --format=JobID,State,Submit,Start,End,NNodes,AllocTRES` prints it. The
failure rate counts attempts that Slurm ended because a node failed (NODE_FAIL), in a thousand node-days of jobs. A job
that fails by itself (FAILED) may or may not be hardware: it is counted apart.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from calculators import units
from calculators.subjects.storage.goodput.accounting import Attempt

_NODE_FAILED = "NODE_FAIL"
_DAY = 86_400.0
_THOUSAND = 1000


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """Accounting of many jobs: node-days and attempts by final state, GPU-days, number of jobs.

    `gpu_days` is 0 where no attempt states its GPUs. `running` attempts have no end yet and count in nothing else.
    """

    jobs: int
    running: int = 0
    states: Mapping[str, int]
    node_days: Mapping[str, float]
    gpu_days: float

    @property
    def failures(self) -> int:
        """Attempts that a failing node ended."""
        return self.states.get(_NODE_FAILED, 0)

    @property
    def rate(self) -> float:
        """Node failures in a thousand node-days."""
        return self.failures / sum(self.node_days.values()) * _THOUSAND

    @property
    def gpu_mtbf(self) -> float | None:
        """Mean time between node failures, per GPU [s]; None without a failure or GPUs."""
        return self.gpu_days * _DAY / self.failures if self.failures and self.gpu_days else None


def cluster(found: Sequence[Attempt]) -> Cluster | None:
    """The cluster in attempts of jobs at the same time, with their nodes; None for those of one job."""
    overlaps = any(later.start < earlier.end for earlier, later in itertools.pairwise(found))
    if not overlaps or not all(one.nodes and one.number for one in found):
        return None
    attempted, found = found, [one for one in found if isfinite(one.end)]
    if not found:
        return None
    node_days: dict[str, float] = {}
    for one in found:
        node_days[one.state] = node_days.get(one.state, 0.0) + one.nodes * one.run / _DAY
    return Cluster(
        jobs=len({one.number for one in found}),
        running=len(attempted) - len(found),
        states=Counter(one.state for one in found),
        node_days=node_days,
        gpu_days=_gpu_days(found),
    )


def _gpu_days(found: Iterable[Attempt]) -> float:
    return sum(one.gpus * one.run for one in found) / _DAY


def described(found: Cluster) -> dict[str, Any]:
    """The cluster as plain data, times in seconds."""
    return {
        "jobs": found.jobs,
        "still_running": found.running,
        "states": dict(found.states),
        "node_days": dict(found.node_days),
        "gpu_days": found.gpu_days,
        "node_failures": found.failures,
        "node_failures_per_1000_node_days": found.rate,
        "gpu_mtbf": found.gpu_mtbf,
    }


def report(found: Cluster) -> str:
    """Text of the cluster: node time by final state, failure rate, MTBF per GPU."""
    total = sum(found.node_days.values())
    lines = [f"{units.counted(found.jobs, 'job')}, {total:,.1f} node-days"]
    if found.running:
        lines.append(f"Left out: {units.counted(found.running, 'attempt')} still running.")
    lines += ["", "Node time by how the attempt ended"]
    for state, days in sorted(found.node_days.items(), key=lambda one: -one[1]):
        share = units.text(days / total, "share")
        attempts_made = units.counted(found.states[state], "attempt")
        lines.append(f"  {state:<16} {attempts_made:>17} {days:>12,.1f} node-days {share:>8}")
    lines += ["", f"Node failures (NODE_FAIL): {found.failures:,}, {found.rate:.2f} in 1,000 node-days"]
    if found.gpu_mtbf is not None:
        lines.append(
            f"Mean time between them, per GPU: {units.text(found.gpu_mtbf, 's')} (--gpu-mtbf of goodput). "
            "Failures that ended a job as FAILED come on top."
        )
    elif found.failures:
        lines.append("Print AllocTRES as well for the mean time between failures per GPU.")
    else:
        lines.append("No node failed in this time: the rate is not known, only small.")
    return "\n".join(lines) + "\n"

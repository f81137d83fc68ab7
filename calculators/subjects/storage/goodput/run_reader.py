"""The reader's own job or cluster on the page of this calculator; what reads it is imported when it comes."""

from collections.abc import Mapping
from typing import Any

from calculators.declare import CheckedRun, RunReader
from calculators.declare.measurements import Reading


def _read(text: str) -> Reading:
    from calculators.subjects.storage.goodput import measured_run  # noqa: PLC0415  not part of the snapshot

    return measured_run.read(text)


def _check(run: Any, values: Mapping[str, Any]) -> CheckedRun:
    from calculators.subjects.storage.goodput import measured_run  # noqa: PLC0415  the same

    return measured_run.check(run, values)


RUN_READER = RunReader(
    title="Your own job or cluster",
    about="Where the time of your job went, its goodput by every definition next to the forecast above, or how often "
    "nodes of your cluster failed. Nothing leaves this page.",
    formats="events of a job (time,event), or sacct --parsable2 of a job or of a whole cluster",
    read=_read,
    given=lambda _run: {},
    check=_check,
    apart=True,
)

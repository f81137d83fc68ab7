"""The reader's own benchmark or traffic on the page of this calculator; what reads it is imported when it comes."""

from collections.abc import Mapping
from typing import Any

from calculators.declare import CheckedRun, RunReader
from calculators.declare.measurements import Reading


def _read(text: str) -> Reading:
    from calculators.subjects.serving.inference import measured_run  # noqa: PLC0415  not part of the snapshot

    return measured_run.read(text)


def _given(run: Any) -> Mapping[str, str]:
    from calculators.subjects.serving.inference import measured_run  # noqa: PLC0415  the same

    return measured_run.given(run)


def _assumed(run: Any) -> Mapping[str, str]:
    from calculators.subjects.serving.inference import measured_run  # noqa: PLC0415  the same

    return measured_run.assumed(run)


def _check(run: Any, values: Mapping[str, Any]) -> CheckedRun:
    from calculators.subjects.serving.inference import measured_run  # noqa: PLC0415  the same

    return measured_run.check(run, values)


RUN_READER = RunReader(
    title="Your own benchmark or traffic",
    about="Latencies and rates of a load generator next to this model and accelerator, on one replica without targets; "
    "or rate, lengths and repeated prompts of your traffic. Nothing leaves this page.",
    formats="JSON of vllm bench serve, SGLang's bench_serving or AIPerf; a log of requests (CSV or JSON lines); "
    "/metrics of vLLM or SGLang",
    read=_read,
    given=_given,
    check=_check,
    assumed=_assumed,
    apart=True,
)

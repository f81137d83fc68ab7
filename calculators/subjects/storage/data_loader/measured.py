"""A storage measurement next to what the loader needs: MLPerf Storage's utilization, or the time of a read."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from calculators import units
from calculators.declare import CheckedRun, MeasuredResult, Reason
from calculators.declare.measurements import PASS
from calculators.measured import storage
from calculators.measured.record import ReadError, StorageRun
from calculators.subjects.storage.data_loader.verdicts import FED_FROM

_SAME_WORKLOAD = 0.15  # of the sample size and of the rate of a busy accelerator, either way
_SAME_SIZE = 2.0  # times the sample, either way
_SAME_LOAD = 0.5  # of the loader's outstanding reads, at least

read = storage.read


def check(every: Sequence[StorageRun], values: Mapping[str, Any]) -> CheckedRun:
    """A run next to the limits of a state. Raises ReadError where it says nothing of a loader."""
    runs = [run for run in every if _says_something(run)]
    if not runs:
        message = "no training by MLPerf Storage and no latency of reads in this text: give one of them, or use"
        raise ReadError(f"{message} storage_demand --measured for bandwidth")
    results = tuple(_utilization(run, values) if run.kind == "training" else _read(run, values) for run in runs)
    reasons = _reasons(runs, values) if any(one.state != PASS for one in results) else ()
    model = f"the model gives {units.text(values['printed_utilization'], 'share')} utilization"
    return CheckedRun(run=f"{_report(runs[0])}; {model}", results=results, reasons=tuple(reasons))


def _says_something(run: StorageRun) -> bool:
    return run.kind == "training" or (run.kind == "read" and run.latency is not None)


def _report(run: StorageRun) -> str:
    if run.accelerators is None:
        return run.tool
    hosts = "" if run.nodes is None else f" on {run.nodes:,} host{'s' if run.nodes > 1 else ''}"
    return f"{run.tool}, {run.accelerators:,} accelerator{'s' if run.accelerators > 1 else ''}{hosts}"


def _utilization(run: StorageRun, values: Mapping[str, Any]) -> MeasuredResult:
    other = _other_workload(run, values)
    share = run.utilization
    if share is None:
        share = (run.rate or 0.0) / (run.accelerators or 1) / values["gpu_rate"]
    cached = "the run says potential_caching: the hosts' memory can hold its data" if run.may_be_cached else ""
    return MeasuredResult(
        name="accelerator_utilization",
        label="GPU utilization",
        unit="share",
        measured=share,
        passing=FED_FROM,
        failing=FED_FROM,
        doubt=other or cached,
        comparable=not other,
    )


def _other_workload(run: StorageRun, values: Mapping[str, Any]) -> str:
    """Why a run is not of the workload entered; empty where nothing says so."""
    if not run.rate or not run.bandwidth:
        return "the run states no samples per second"
    size, entered = run.bandwidth / run.rate, values["sample_bytes"]
    if abs(size / entered - 1) > _SAME_WORKLOAD:
        return f"samples of {units.text(size, 'B')} in the run, {units.text(entered, 'B')} here: choose its workload"
    if run.accelerators is None:
        return "the run does not say how many accelerators it had"
    if run.utilization:
        busy, demand = run.rate / run.accelerators / run.utilization, values["gpu_rate"]
        if abs(busy / demand - 1) > _SAME_WORKLOAD:
            rates = f"{units.text(busy, 'sample/s')} by a busy accelerator of the run, {units.text(demand, 'sample/s')}"
            return f"{rates} here: choose its workload and accelerator"
    return ""


def _read(run: StorageRun, values: Mapping[str, Any]) -> MeasuredResult:
    """Mean time of a read; at most what the outstanding reads allow by Little's law."""
    size, sample = run.request, values["sample_bytes"]
    alike = size is not None and sample / _SAME_SIZE <= size <= sample * _SAME_SIZE
    stated = "of several sizes" if size is None else f"of {units.text(size, 'B')}"
    missed = FED_FROM * values["gpu_rate"] * (1 - values["cache_hit_share"])
    doubt = _less_load(run, values) if alike else f"reads {stated}, and a sample is {units.text(sample, 'B')}"
    return MeasuredResult(
        name="read_time",
        label=f"Mean time of a read {stated}",
        unit="s",
        measured=run.latency or 0.0,
        passing=values["read_time"] if missed else None,
        failing=values["reads_in_flight"] / missed if missed else None,
        at_most=True,
        doubt=doubt,
        comparable=alike,
    )


def _less_load(run: StorageRun, values: Mapping[str, Any]) -> str:
    """Why a short read may be one of an idle system; empty at the loader's own load."""
    there, here = (run.depth or 1) * (run.jobs or 1), values["reads_in_flight"] * values["gpus_at_work"]
    if there >= here * _SAME_LOAD:
        return ""
    outstanding = f"{there:,.0f} request{'s' if there > 1 else ''} outstanding per node in the run"
    return f"{outstanding}, {here:,.0f} here: reads take longer under load"


def _reasons(runs: list[StorageRun], values: Mapping[str, Any]) -> Iterator[Reason]:
    slow = [run for run in runs if run.utilization is not None and run.utilization < FED_FROM]
    if slow and values["printed_utilization"] >= FED_FROM:
        yield Reason(
            name="slower than storage and workers entered",
            looks=f"The model has a GPU compute {units.text(values['printed_utilization'], 'share')} of the time",
            look_at="reader.read_threads of the run against the workers entered, then the bandwidth of the same file "
            "with storage_demand --measured.",
        )
    less = (_less_load(run, values) for run in runs if run.kind == "read")
    if looks := next((one for one in less if one), ""):
        yield Reason(
            name="less load than the loader's",
            looks=f"{looks[:1].upper()}{looks[1:]}",
            look_at="fio numjobs × iodepth as many as the node's outstanding reads, with bs as large as a sample.",
        )


def given(runs: Sequence[StorageRun]) -> Mapping[str, str]:
    """Inputs that a run states: accelerators, and those of a host."""
    run = runs[0]
    if not run.accelerators:
        return {}
    shared = run.nodes and run.accelerators % run.nodes == 0
    per_node = {"gpus_per_node": str(run.accelerators // run.nodes)} if run.nodes and shared else {}
    return {"gpus": str(run.accelerators), **per_node}

"""MLPerf Storage: summary.json of a run, mlperf_storage_report.json of five, or the [METRIC] lines of its output.

Names as DLIO's statscounter.py writes them (mlcommons/storage at caa90c9 and its results of v1.0). Its "MB" are MiB
and the "GB" of a checkpoint GiB: it divides bytes by 1,024.
"""

import re
from collections.abc import Mapping
from typing import Any

from calculators.measured.record import Kind, ReadError, StorageRun, count, field, json_of, line_of, number

_METRIC = re.compile(r"\[METRIC\] ([^:]+): +(\S+)(?: \(±?\S+\))?")
_TRAINING_RATE, _TRAINING_IO = "train_throughput_mean_samples_per_second", "train_io_mean_MB_per_second"
_AU, _MET = "train_au_mean_percentage", "train_au_meet_expectation"
_PHASES: tuple[tuple[str, Kind], ...] = (("save", "write"), ("load", "read"))
_LINES = {
    "Number of Simulated Accelerators": "num_accelerators",
    "Training Accelerator Utilization [AU] (%)": _AU,
    "Training Throughput (samples/second)": _TRAINING_RATE,
    "Training I/O Throughput (MB/second)": _TRAINING_IO,
    "train_au_meet_expectation": _MET,
    "Checkpoint save duration (seconds)": "save_checkpoint_duration_mean_seconds",
    "Checkpoint save I/O Throughput (GB/second)": "save_checkpoint_io_mean_GB_per_second",
    "Checkpoint load duration (seconds)": "load_checkpoint_duration_mean_seconds",
    "Checkpoint load I/O Throughput (GB/second)": "load_checkpoint_io_mean_GB_per_second",
}
_MIB, _GIB = 2.0**20, 2.0**30
_PERCENT = 1e-2
_TOOL = "MLPerf Storage"


def recognizes(text: str) -> bool:
    """Whether a text is a result of MLPerf Storage."""
    marks = ('"train_au_', "_checkpoint_io_mean_GB_per_second", '"train_throughput_mean_', "[METRIC] ")
    return any(mark in text for mark in marks)


def runs(text: str) -> list[StorageRun]:
    """Training or checkpoint results. Raises ReadError."""
    if text.lstrip().startswith("{"):
        return _of_json(text)
    lines = [(match[1].strip(), match[2]) for match in _METRIC.finditer(text)]
    names = [name for name, _ in lines]
    if twice := [name for name in names if names.count(name) > 1]:
        message = f"“{twice[0]}” is in the output {names.count(twice[0])} times: give the output of one run"
        raise ReadError(message)
    metric = {_LINES[name]: value for name, value in lines if name in _LINES}
    stated = metric.pop("num_accelerators", None)
    return _of_metric(metric, None, None if stated is None else count("the output", "accelerators", stated))


def _of_json(text: str) -> list[StorageRun]:
    try:
        whole = json_of(text)
    except ValueError as error:
        line = line_of(text, getattr(error, "pos", 0))
        message = f"line {line}: the JSON ends or breaks here: copy the whole file, of one run"
        raise ReadError(message) from None
    if "overall" in whole:
        return [_of_report(whole["overall"])]
    metric = field("the file", whole, "metric")
    hosts = count("the file", "num_hosts", whole["num_hosts"]) if "num_hosts" in whole else None  # since v1.0
    accelerators = count("the file", "num_accelerators", field("the file", whole, "num_accelerators"))
    cached = any(whole.get("potential_caching") or ())
    return _of_metric(metric, hosts, accelerators, cached=cached)


def _of_report(overall: Mapping[str, Any]) -> StorageRun:
    name = "train_throughput_mean_MB_per_second"
    stated = number("overall", name, field("overall", overall, name))
    accelerators = count("overall", "train_num_accelerators", field("overall", overall, "train_num_accelerators"))
    workload = f"{overall.get('model', 'training')} on {overall.get('accelerator', 'accelerators')}"
    return StorageRun(
        tool=_TOOL,
        name=workload,
        kind="training",
        bandwidth=stated * _MIB,
        rate=number("overall", _TRAINING_RATE, field("overall", overall, _TRAINING_RATE)),
        accelerators=accelerators,
    )


def _of_metric(
    metric: Mapping[str, Any], hosts: int | None, accelerators: int | None, *, cached: bool = False
) -> list[StorageRun]:
    found = []
    if _TRAINING_IO in metric or _TRAINING_RATE in metric:
        failed = str(field("metric", metric, _MET)) != "success"
        utilization = number("metric", _AU, field("metric", metric, _AU)) * _PERCENT
        found.append(
            StorageRun(
                tool=_TOOL,
                name="training",
                kind="training",
                nodes=hosts,
                bandwidth=number("metric", _TRAINING_IO, field("metric", metric, _TRAINING_IO)) * _MIB,
                rate=number("metric", _TRAINING_RATE, field("metric", metric, _TRAINING_RATE)),
                accelerators=accelerators,
                utilization=utilization,
                may_be_cached=cached,
                failed="the accelerators were utilized less than the benchmark requires" if failed else "",
            )
        )
    for phase, kind in _PHASES:
        name = f"{phase}_checkpoint_io_mean_GB_per_second"
        if name not in metric:
            continue
        duration = f"{phase}_checkpoint_duration_mean_seconds"
        bandwidth = number("metric", name, metric[name]) * _GIB
        seconds = number("metric", duration, field("metric", metric, duration))
        found.append(
            StorageRun(
                tool=_TOOL,
                name=f"checkpoint {phase}",
                kind=kind,
                nodes=hosts,
                bandwidth=bandwidth,
                seconds=seconds,
                moved=bandwidth * seconds,
                is_synced=True,
                may_be_cached=cached,
            )
        )
    if not found:
        message = f"metric has neither {_TRAINING_IO} nor save_checkpoint_io_mean_GB_per_second: the run did not finish"
        raise ReadError(message)
    return found

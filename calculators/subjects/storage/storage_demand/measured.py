"""A storage measurement next to what the job requires: fio, IOR, mdtest, elbencho or MLPerf Storage.

Limits are those of the acceptance table, for as many nodes as the run had: it passes at what the hardware should
deliver and fails below what the job needs. A rate that a cache can have made does not pass.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from calculators import units
from calculators.declare import CheckedRun, MeasuredResult, Reason
from calculators.declare.measurements import PASS
from calculators.measured import storage
from calculators.measured.record import StorageRun
from calculators.subjects.storage.storage_demand import acceptance
from calculators.subjects.storage.storage_demand.commands import JOBS, MIB
from calculators.units import MINUTE

_SAME_SIZE = 2.0  # times the job's read size, either way
_WITH_FIO = ("fio", "elbencho")
_READ_AGAIN = 1.01  # bytes read ÷ bytes of the files
_ON_FILES = ("File creation", "File stat", "File read", "File removal")

read = storage.read


def check(runs: Sequence[StorageRun], values: Mapping[str, Any]) -> CheckedRun:
    """A run next to the limits of a state."""
    results: list[MeasuredResult] = []
    reasons: dict[str, Reason] = {}
    for run in runs:
        results += (of_run := [*_results(run, values)])
        if any(result.state != PASS for result in of_run):
            reasons |= {reason.name: reason for reason in _reasons(run, values)}
    nodes, most = runs[0].nodes, values["gpu_nodes"]
    of = "nodes not stated, taken as all" if nodes is None else f"{nodes:,} of the job's {most:,.0f} nodes"
    return CheckedRun(run=f"{runs[0].tool}, {of}", results=tuple(results), reasons=tuple(reasons.values()))


def _results(run: StorageRun, values: Mapping[str, Any]) -> Iterator[MeasuredResult]:
    if run.kind == "metadata":
        yield _operations(run, values)
        return
    if run.kind == "read" and run.is_random:
        yield _requests(run, values)
    elif run.kind == "write":
        yield from _written(run, values)
    else:
        yield _read(run, values)
    if run.latency is not None:
        yield MeasuredResult(
            name=f"{run.kind}_latency", label=f"Mean {run.kind} latency", unit="s", measured=run.latency
        )
    if run.latency_p99 is not None:
        yield MeasuredResult(
            name=f"{run.kind}_latency_p99", label=f"p99 {run.kind} latency", unit="s", measured=run.latency_p99
        )


def _nodes(run: StorageRun, most: float) -> float:
    """Client nodes of a run, at most those of the job; all of them where the output does not say."""
    return float(most if run.nodes is None else min(run.nodes, most))


def _of_slowest(run: StorageRun) -> float:
    """Bandwidth as acceptance counts it [B/s]: the slowest node's, times all."""
    if run.slowest_node is None or run.nodes is None:
        return run.bandwidth or 0.0
    return run.slowest_node * run.nodes


def _read(run: StorageRun, values: Mapping[str, Any]) -> MeasuredResult:
    nodes = _nodes(run, values["gpu_nodes"])
    per_node = values["training_read"] / values["gpu_nodes"] if run.kind == "training" else values["read_per_gpu_node"]
    return MeasuredResult(
        name="training_read" if run.kind == "training" else "read_bandwidth",
        label="Read bandwidth of emulated training" if run.kind == "training" else "Read bandwidth",
        unit="B/s",
        measured=_of_slowest(run),
        passing=acceptance.read_by(values, nodes),
        failing=per_node * nodes,
        doubt=_doubt(run, values),
        fails=run.failed,
    )


def _requests(run: StorageRun, values: Mapping[str, Any]) -> MeasuredResult:
    nodes = _nodes(run, values["gpu_nodes"])
    size, needed = run.request, values["read_size"]
    alike = size is not None and needed / _SAME_SIZE <= size <= needed * _SAME_SIZE
    stated = "of several sizes" if size is None else f"of {units.text(size, 'B')}"
    other = "" if alike else f"requests {stated}, and the job reads {units.text(needed, 'B')}"
    return MeasuredResult(
        name="read_iops",
        label=f"Random reads {stated}",
        unit="IOPS",
        measured=run.rate or 0.0,
        passing=acceptance.requests_served(values, nodes),
        failing=values["request_demand"] * nodes / values["gpu_nodes"],
        doubt=other or _doubt(run, values),
        comparable=alike,
        fails=run.failed,
    )


def _written(run: StorageRun, values: Mapping[str, Any]) -> Iterator[MeasuredResult]:
    nodes, doubt = _nodes(run, values["writer_nodes"]), _doubt(run, values)
    bandwidth = _of_slowest(run)
    yield MeasuredResult(
        name="write_bandwidth",
        label="Random write bandwidth" if run.is_random else "Write bandwidth",
        unit="B/s",
        measured=bandwidth,
        passing=acceptance.written_by(values, nodes),
        failing=values["write_per_writer_node"] * nodes,
        doubt="the job writes sequentially" if run.is_random else doubt,
        comparable=not run.is_random,
        fails=run.failed,
    )
    size = values["checkpoint_size"]
    if size and bandwidth and nodes >= values["writer_nodes"] and not run.is_random:
        yield MeasuredResult(
            name="checkpoint_time",
            label="Checkpoint at this rate",
            unit="s",
            measured=size / bandwidth,
            passing=size / acceptance.writing(values),
            failing=values["write_window"],
            at_most=True,
            doubt=doubt,
            fails=run.failed,
        )


def _operations(run: StorageRun, values: Mapping[str, Any]) -> MeasuredResult:
    share = _nodes(run, values["gpu_nodes"]) / values["gpu_nodes"]
    is_of_files = run.name in _ON_FILES or run.tool == "elbencho"
    return MeasuredResult(
        name=run.name.lower().replace(" ", "_"),
        label=run.name,
        unit="IOPS",
        measured=run.rate or 0.0,
        passing=acceptance.metadata_served(values) * share if is_of_files else None,
        failing=values["metadata_demand"] * share,
    )


def _line_rate(run: StorageRun, values: Mapping[str, Any]) -> float | None:
    """Bandwidth of the client nodes' ports [B/s]; None where the output does not say how many there were."""
    return None if run.nodes is None else float(run.nodes * values["client_network"])


def _doubt(run: StorageRun, values: Mapping[str, Any]) -> str:
    """Why a rate that passes may be a cache's; empty where nothing says so."""
    if reason := next(_caches(run, values), None):
        return reason.looks
    return ""


def _caches(run: StorageRun, values: Mapping[str, Any]) -> Iterator[Reason]:
    """Signs of a cache: what is read or written there is not what storage does."""
    ports = _line_rate(run, values)
    if ports is not None and (run.bandwidth or 0.0) > ports:
        yield Reason(
            name="faster than the network",
            looks=f"{units.text(run.bandwidth or 0.0, 'B/s')} is more than the nodes' ports carry, "
            f"{units.text(ports, 'B/s')}: the client's page cache, or other ports than entered here",
            look_at="Data larger than the clients' memory, direct I/O, and for IOR -C and -e (IOR's tutorial, on the "
            "page cache). If storage is local, enter its bandwidth as the nodes' network.",
        )
    if run.may_be_cached:
        yield Reason(
            name="data set fits in memory",
            looks="The run says potential_caching: its data per host is not larger than the host's memory",
            look_at="Set --client-host-memory-in-gb and take the number of files that `mlpstorage training datasize` "
            "prints.",
        )
    if run.reads_own_data:
        yield Reason(
            name="each node reads what it wrote",
            looks="Write and read in one run without -C: a node reads its own data from its page cache",
            look_at="IOR's -C (reorderTasks), with -Q for the tasks per node: another node reads each file back.",
        )
    if run.is_synced is False:
        yield Reason(
            name="no fsync",
            looks="The time ends before data is on storage: neither direct I/O nor an fsync at the end",
            look_at="IOR -e, fio end_fsync=1 (its default is 0), elbencho --direct: its --sync comes after the time "
            "of the phase.",
        )
    if _is_read_again(run) and run.is_direct is not True:
        yield Reason(
            name="files read more than once",
            looks=f"{units.text(run.moved or 0.0, 'B')} read of files of {units.text(run.files_bytes or 0.0, 'B')}, "
            "through the page cache",
            look_at="A larger size=, direct=1: with time_based fio loops over the same files.",
        )


def _is_read_again(run: StorageRun) -> bool:
    if run.kind != "read" or not run.files_bytes or run.moved is None:
        return False
    return run.moved > _READ_AGAIN * run.files_bytes


def _reasons(run: StorageRun, values: Mapping[str, Any]) -> Iterator[Reason]:
    """Likely reasons, likeliest first: errors, caches, then how the load was made."""
    if run.failed:
        yield Reason(name="the run failed", looks=run.failed, look_at="The tool's own messages, before any rate.")
    yield from _caches(run, values)
    if run.kind == "metadata":
        if run.is_shared_file:
            yield Reason(
                name="one directory for all tasks",
                looks="mdtest ran without -u: every task creates in the same directory",
                look_at="-u (a directory per task), unless the job's files are in one directory.",
            )
    else:
        yield from _load(run, values)
    if run.nodes is not None and run.nodes < values["gpu_nodes"]:
        yield Reason(
            name="fewer nodes than the job",
            looks=f"{run.nodes} of {values['gpu_nodes']:,.0f} nodes: limits are scaled to them",
            look_at="Run from all nodes at once before acceptance: fio --client=hosts.list, mpirun --hostfile hosts.",
        )


def _load(run: StorageRun, values: Mapping[str, Any]) -> Iterator[Reason]:
    """Notes on the load: request size, tasks, queue depth, page cache, time, one file."""
    if run.request is not None and run.request < MIB and not run.is_random and run.kind != "training":
        yield Reason(
            name="small requests",
            looks=f"Sequential requests of {units.text(run.request, 'B')}: overhead per request, not bandwidth",
            look_at="bs=1M or more; fio's default is 4 KiB (its HOWTO), IOR's -t 256 KiB.",
        )
    if run.jobs is not None and run.jobs < JOBS:
        tasks = f"{run.jobs:,.0f} task{'s' if run.jobs != 1 else ''} per node"
        yield Reason(
            name="few tasks per node",
            looks=f"{tasks}; the acceptance commands use {JOBS}",
            look_at="fio numjobs (its default is 1), IOR's and mdtest's tasks per node, elbencho --threads.",
        )
    if run.depth is not None and run.depth <= 1 and run.tool in _WITH_FIO:
        yield Reason(
            name="queue depth 1",
            looks="Each task waits for its request before it sends the next",
            look_at="iodepth of 16 or more with ioengine=libaio and direct=1: on synchronous engines iodepth has no "
            "effect (fio's HOWTO); elbencho --iodepth.",
        )
    if run.is_direct is False and run.tool in _WITH_FIO:
        yield Reason(
            name="buffered I/O",
            looks="Requests pass the page cache: fio and elbencho are not direct by default",
            look_at="direct=1 (fio), --direct (elbencho).",
        )
    is_whole = run.kind == "write" and (run.moved or 0.0) >= values["checkpoint_size"] > 0
    if run.seconds is not None and run.seconds < MINUTE and not is_whole:
        yield Reason(
            name="too short",
            looks=f"{units.text(run.seconds, 's')}: start, ramp and the last task weigh on the mean",
            look_at="At least one minute on one node and five on all; fio time_based=1 with runtime=, ramp_time=. "
            "IO500 writes for five minutes.",
        )
    if run.is_shared_file and run.tool == "IOR":
        yield Reason(
            name="one shared file",
            looks="All tasks use one file: they wait for each other's locks",
            look_at="IOR -F, a file per task, as checkpoints are written; a single file if yours are.",
        )


def given(_runs: Sequence[StorageRun]) -> Mapping[str, str]:
    """Inputs that a storage measurement states: none."""
    return {}

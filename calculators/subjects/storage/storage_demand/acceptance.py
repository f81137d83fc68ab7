"""Acceptance tests of storage, from one client to all, with limits from the job and from the hardware."""

from collections.abc import Iterator, Mapping
from math import ceil, floor
from typing import Any

from calculators import facts, units
from calculators.declare.tables import Table
from calculators.subjects.storage.storage_demand import commands as test
from calculators.subjects.storage.storage_demand.commands import JOBS, MIB, MOUNT, NO_CHECKPOINTS
from calculators.units import MINUTE
from calculators.vocabulary import acceptance
from calculators.vocabulary.acceptance import at_least, at_most

_UTILIZATION = facts.fact("mlperf-utilization-required").text
_NO_BAND = (NO_CHECKPOINTS,) * 3
_LONGEST = "At the path's calculated bandwidth; and at the time limit"


def reading(values: Mapping[str, Any]) -> float:
    """Read bandwidth of drives, storage ports and reader ports together [B/s]."""
    return float(min(values["read_supply"], values["store_network"], values["reader_supply"]))


def writing(values: Mapping[str, Any]) -> float:
    """Write bandwidth of drives, storage ports and writer ports together [B/s]."""
    return float(min(values["write_supply"], values["store_network"], values["client_supply"]))


def read_by(values: Mapping[str, Any], nodes: float) -> float:
    """Read bandwidth of some GPU nodes at once [B/s]: their ports, or all there is."""
    return min(float(nodes * values["client_network"] * values["path_efficiency"]), reading(values))


def written_by(values: Mapping[str, Any], nodes: float) -> float:
    """Write bandwidth of some GPU nodes at once [B/s]: their ports, or all there is."""
    return min(float(nodes * values["client_network"] * values["path_efficiency"]), writing(values))


def requests_served(values: Mapping[str, Any], nodes: float) -> float:
    """Read requests that some GPU nodes get at once [1/s]: of all storage nodes, or at the bandwidth's limit."""
    return float(min(values["storage_nodes"] * values["node_iops"], read_by(values, nodes) / values["read_size"]))


def metadata_served(values: Mapping[str, Any]) -> float:
    """Metadata operations of all storage nodes [1/s]."""
    return float(values["storage_nodes"] * values["node_metadata_rate"])


def _reads(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    port = read_by(values, 1)
    yield (
        "Read by one node alone",
        *at_least(port, values["read_per_gpu_node"], "B/s"),
        "{path_efficiency} of a node's {client_network}, or all there is; and the job's read rate per node",
        test.fio_steady("one", "read", MIB, 16, port, MINUTE, clients="one.list"),
    )
    yield (
        "Read by {gpu_nodes} at once: the slowest node × all",
        *at_least(reading(values), values["read_demand"], "B/s"),
        "The lowest of drives, storage ports and reader ports; and the job's read demand, {read_demand}",
        test.fio_steady("read", "read", MIB, 16, reading(values) / values["gpu_nodes"]),
    )
    requests = requests_served(values, values["gpu_nodes"])
    yield (
        "Random reads of {read_size}",
        *at_least(requests, values["request_demand"], "IOPS"),
        "IOPS of {storage_nodes}, or the bandwidth's limit; and the training demand, {request_demand}",
        test.fio_steady("requests", "randread", values["read_size"], 32, reading(values) / values["gpu_nodes"]),
    )


def _checkpoints(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Checkpoint write and restore, timed: mean rates hide the last writer, for which all wait."""
    size, saved = values["checkpoint_size"], bool(values["checkpoint_size"])
    each_copy = values["restore_window"] / values["restore_copies"]
    yield (
        "Write of one checkpoint by {writer_nodes} at once, until the last writer is done",
        *(at_most(size / writing(values), values["write_window"], "s") if saved else _NO_BAND),
        _LONGEST + " for {checkpoint_size}, {write_window}",
        test.ior(values["writer_nodes"], size, "-w") if saved else f"# {NO_CHECKPOINTS}",
    )
    yield (
        "The same checkpoint read back by other nodes, with empty caches",
        *(at_most(size / reading(values), each_copy, "s") if saved else _NO_BAND),
        _LONGEST + ", {restore_window} for replicas that read: {restore_copies}",
        test.ior(values["writer_nodes"], size, "-r") if saved else f"# {NO_CHECKPOINTS}",
    )
    model, emulated = test.nearest_model(size)
    yield (
        f"Checkpoint of MLPerf Storage, {model}",
        *(at_most(emulated / writing(values), emulated / values["write_demand"], "s") if saved else _NO_BAND),
        "The same two rates, for the model nearest to {checkpoint_size}",
        test.mlperf_checkpointing(values),
    )


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Every test: pass, investigate and fail limits, the reason, and the command."""
    yield from _reads(values)
    yield from _checkpoints(values)
    operations = metadata_served(values)
    yield (
        "Files created, looked up, read and deleted, one directory per task",
        *at_least(operations, values["metadata_demand"], "IOPS"),
        "{storage_nodes} at {node_metadata_rate} each; and the training demand, {metadata_demand}",
        test.mdtest(values["gpu_nodes"], operations),
    )
    carried = max(1, floor(test.emulated_accelerators(reading(values))))
    needed = max(1, ceil(test.emulated_accelerators(values["training_read"])))
    yield (
        f"MLPerf Storage training at {_UTILIZATION} accelerator utilization",
        *at_least(carried, needed, "GPU"),
        "Emulated H100 on 3D-UNet at the storage system's read bandwidth; and at this job's {training_read}",
        test.mlperf_training(values["gpu_nodes"], needed),
    )
    bought = values["storage_nodes"] * values["drives_per_node"] * values["drive_capacity"] / values["protection"]
    yield (
        "Usable capacity as seen by a client",
        *at_least(bought, values["hot_stored"] / values["fill_share"], "B"),
        "Drives of {storage_nodes} less protection; and hot data, {hot_stored}, at {fill_share} full",
        f"df -B1 {MOUNT}",
    )
    yield (
        "One drive pulled during reads and a checkpoint",
        f"Rebuilt within {units.text(values['rebuild_time'], 's')}, reads and checkpoints as above",
        "Slower than that, with {read_demand} read and checkpoints within {write_window}",
        "Reads below {read_demand}, a checkpoint over {write_window}, or any byte that differs",
        "The rebuild takes {rebuild_share} of the drives' bandwidth while the job continues",
        "fio --client=hosts.list read.fio  # then pull a drive; another day, a node",
    )
    wear = at_most(values["writes_per_drive_and_day"], values["drive_writes_per_day"], "1")
    yield (
        "Wear: drive writes per day, after a day of checkpoints",
        *(wear if values["store_written_per_day"] else _NO_BAND),
        (f"Checkpoints {'and new KV caches ' if values['kv_written'] else ''}with protection; and the drives' rating"),
        "nvme smart-log /dev/nvme0  # data_units_written before and after, in thousands of 512 bytes",
    )


ACCEPTANCE = Table(
    name=acceptance.NAME,
    title=acceptance.TITLE,
    about=(
        "The lower limit is what the job needs: below it, storage fails. The upper limit is what the hardware given "
        "here should deliver: between the two, something that was paid for is missing. The commands "
        f"write into {MOUNT} with {JOBS} tasks per node; hosts.list and hosts name all nodes, one.list a single one; "
        "each runs fio --server. "
        "Options as in fio's HOWTO (axboe/fio at f534438), IOR's and mdtest's (hpc/ior at 5fcf0ba) and mlpstorage's "
        "(mlcommons/storage at caa90c9), read 2026-11-22."
    ),
    columns=acceptance.COLUMNS,
    rows=rows,
    commands=True,
)

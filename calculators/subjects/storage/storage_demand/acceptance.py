"""The acceptance of a store: from one client to all of them, with what the job needs and what the hardware promises."""

from collections.abc import Iterator, Mapping
from math import ceil, floor
from typing import Any

from calculators import facts, units
from calculators.declare.tables import Table
from calculators.subjects.storage.storage_demand import commands as test
from calculators.subjects.storage.storage_demand.commands import JOBS, MIB, MOUNT, NO_SAVES
from calculators.units import MINUTE
from calculators.vocabulary import acceptance
from calculators.vocabulary.acceptance import at_least, at_most

_UTILIZATION = facts.fact("mlperf-utilization-required").text
_NO_BAND = (NO_SAVES,) * 3
_LONGEST = "The path as fast as this page reckons; and the time allowed"


def _reading(values: Mapping[str, Any]) -> float:
    """What drives, ports of the store and ports of the readers carry together [B/s]."""
    return float(min(values["read_supply"], values["store_network"], values["reader_supply"]))


def _writing(values: Mapping[str, Any]) -> float:
    return float(min(values["write_supply"], values["store_network"], values["client_supply"]))


def _reads(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    port = min(values["client_network"] * values["path_efficiency"], _reading(values))
    yield (
        "One node reads alone",
        *at_least(port, values["read_per_gpu_node"], "B/s"),
        "{path_efficiency} of a node's {client_network}, or all there is; and what the job reads on each node",
        test.fio_steady("one", "read", MIB, 16, port, MINUTE),
    )
    yield (
        "Reads from {gpu_nodes} at once: the slowest, times all",
        *at_least(_reading(values), values["read_demand"], "B/s"),
        "The least of what drives, ports and readers carry; and what the job reads, {read_demand}",
        test.fio_steady("read", "read", MIB, 16, _reading(values) / values["gpu_nodes"]),
    )
    requests = min(values["storage_nodes"] * values["node_iops"], _reading(values) / values["read_size"])
    yield (
        "Requests of {read_size} at random places",
        *at_least(requests, values["request_demand"], "IOPS"),
        "Served by {storage_nodes}, or as many as bandwidth carries; and what training asks, {request_demand}",
        test.fio_steady("requests", "randread", values["read_size"], 32, _reading(values) / values["gpu_nodes"]),
    )


def _saves(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """The save and its way back, by the clock: means hide the last writer, for whom all wait."""
    size, saved = values["checkpoint_size"], bool(values["checkpoint_size"])
    each_copy = values["restore_window"] / values["restore_copies"]
    yield (
        "One save, from {writer_nodes} at once, until the last writer is done",
        *(at_most(size / _writing(values), values["write_window"], "s") if saved else _NO_BAND),
        _LONGEST + " for {checkpoint_size}, {write_window}",
        test.ior(values["writer_nodes"], size, "-w") if saved else f"# {NO_SAVES}",
    )
    yield (
        "The same read back by other nodes than wrote it, caches emptied",
        *(at_most(size / _reading(values), each_copy, "s") if saved else _NO_BAND),
        _LONGEST + ", {restore_window} for as many copies: {restore_copies}",
        test.ior(values["writer_nodes"], size, "-r") if saved else f"# {NO_SAVES}",
    )
    model, emulated = test.nearest_model(size)
    yield (
        f"A save as MLPerf Storage writes it, {model}",
        *(at_most(emulated / _writing(values), emulated / values["write_demand"], "s") if saved else _NO_BAND),
        "The same two rates, for the model that is nearest to {checkpoint_size}",
        test.mlperf_checkpointing(values),
    )


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Every test: what passes, what to look into, what fails, why, and the command."""
    yield from _reads(values)
    yield from _saves(values)
    operations = values["storage_nodes"] * values["node_metadata_rate"]
    yield (
        "Files created, looked up, read and deleted, a directory for each task",
        *at_least(operations, values["metadata_demand"], "IOPS"),
        "Served by {storage_nodes} at {node_metadata_rate} each; and what training asks, {metadata_demand}",
        test.mdtest(values["gpu_nodes"], operations),
    )
    carried = max(1, floor(test.emulated_accelerators(_reading(values))))
    needed = max(1, ceil(test.emulated_accelerators(values["training_read"])))
    yield (
        f"Training as MLPerf Storage emulates it, {_UTILIZATION} of its time computing",
        *at_least(carried, needed, "GPU"),
        "Emulated H100 on 3D-UNet that read what the store carries; and what this job reads, {training_read}",
        test.mlperf_training(values["gpu_nodes"], needed),
    )
    full = values["hot_stored"] / values["fill_share"]
    yield (
        "Usable capacity, as a client sees it",
        *at_least(full, values["hot_stored"], "B"),
        "What is kept hot with {fill_share} as full; and the same with no room left",
        f"df -B1 {MOUNT}",
    )
    yield (
        "A drive pulled while all read and a save runs",
        f"Whole again within {units.text(values['rebuild_time'], 's')}, reads and saves as above",
        "Slower than that, with {read_demand} read and saves within {write_window}",
        "Reads below {read_demand}, a save beyond {write_window}, or a byte that differs",
        "{rebuild_share} of the drives' rate goes to the rebuild; the job goes on meanwhile",
        "fio --client=hosts.list read.fio  # then pull a drive; another day, a node",
    )
    wear = at_most(values["writes_per_drive_and_day"], values["drive_writes_per_day"], "1")
    yield (
        "Wear: times a day each drive is filled, after a day of saves",
        *(wear if values["store_written_per_day"] else _NO_BAND),
        (
            f"What the saves {'and new caches ' if values['kv_written'] else ''}come to with their protection; "
            "and what the drives are rated for"
        ),
        "nvme smart-log /dev/nvme0  # data_units_written before and after, in thousands of 512 bytes",
    )


ACCEPTANCE = Table(
    name=acceptance.NAME,
    title=acceptance.TITLE,
    about=(
        "The lower end is what the job needs: below it the store fails, whatever it cost. The upper end is what the "
        "hardware given here should carry: between the two, something that was paid for is missing. The commands "
        f"write into {MOUNT}, {JOBS} tasks on each node; hosts.list and hosts name the nodes, each runs fio --server. "
        "Options as in fio's HOWTO (axboe/fio at f534438), IOR's and mdtest's (hpc/ior at 5fcf0ba) and mlpstorage's "
        "(mlcommons/storage at caa90c9), read 2026-11-22."
    ),
    columns=acceptance.COLUMNS,
    rows=rows,
    commands=True,
)

"""The tender: what a store must sustain, how that was computed, and the commands that test it, with these figures."""

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any

from calculators.declare.tables import Table
from calculators.subjects.storage.storage_demand import commands as test
from calculators.subjects.storage.storage_demand.commands import JOBS, MIB, MOUNT, NO_SAVES


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Every requirement: what, how much, how that was computed, and how to test it."""
    saved = bool(values["checkpoint_size"])
    fragment = "fragment" if values["data_fragments"] == 1 else "fragments"
    written = values["checkpoint_size"] / values["writer_nodes"] / JOBS
    accelerators = max(1, ceil(test.emulated_accelerators(values["training_read"])))
    read = values["checkpoint_size"] * values["restore_copies"] / values["gpu_nodes"] / JOBS
    answered = ", {kv_read} of caches for answers" if values["kv_read"] else ""
    yield (
        "Reading, all GPU nodes at once, sustained",
        "{read_demand}, which is {read_per_gpu_node} for each of {gpu_nodes}",
        (
            f"{{training_read}} for training{answered}, and the larger of a restore ({{restore_read}}) and of loading "
            "weights ({weights_load_rate})"
        ),
        test.fio_steady("read", "read", MIB, 16, values["read_per_gpu_node"]),
    )
    beside = ", and new caches beside it" if values["kv_written"] else ""
    yield (
        "Writing one save, all that write at once, until it is safe",
        f"{_written(values)}, {{write_per_writer_node}} for each of {{writer_nodes}}"
        if values["write_demand"]
        else NO_SAVES,
        f"Checkpoint size over the time allowed{beside}; the next save begins after {{effective_interval}}",
        test.fio_save("save", "write", written, "end_fsync=1"),
    )
    yield (
        "Restoring",
        "{checkpoint_size} within {restore_window}, copies read: {restore_copies}; {restore_read}"
        if saved
        else NO_SAVES,
        "Copies read times checkpoint size, over the time allowed; with empty caches",
        test.fio_save("restore", "read", read, "invalidate=1"),
    )
    yield (
        "Read requests",
        "{request_demand} of {read_size}",
        "What training reads, over the size of a request",
        test.fio_steady("requests", "randread", values["read_size"], 32, values["read_per_gpu_node"]),
    )
    yield (
        "Metadata",
        "{metadata_demand}, files created, looked up and read in one directory tree"
        if values["metadata_demand"]
        else "None from training, whose samples lie packed; environments and people ask for some",
        "GPUs, times samples a second, times files of a sample, times {operations_per_file} for each",
        test.mdtest(values["gpu_nodes"], values["metadata_demand"]),
    )
    yield (
        "Training as MLPerf Storage emulates it",
        "{training_read} at the utilization its rules ask for",
        "As many emulated H100 on 3D-UNet as read what this job reads; MEMORY and HOSTS are yours",
        test.mlperf_training(values["gpu_nodes"], accelerators),
    )
    yield (
        "Checkpoints as MLPerf Storage writes them",
        "{write_demand}, by bytes over seconds" if saved else NO_SAVES,
        "The model whose checkpoint is nearest to {checkpoint_size}" if saved else NO_SAVES,
        test.mlperf_checkpointing(values),
    )
    yield (
        "Usable capacity of the hot tier",
        (
            "{hot_stored} of data at {fill_share} full; {hot_raw} raw, "
            "with {data_fragments} data and {parity_fragments} parity fragments"
        ),
        "Prepared data, checkpoints kept hot and versions of weights; {growth} of growth a year, years: {growth_years}",
        f"df -B1 {MOUNT}",
    )
    yield (
        "Endurance",
        (
            "{store_written_per_day} a day for {drive_warranty}: at least {writes_per_drive_and_day} drive writes a "
            "day on {drives} of {drive_capacity}"
        )
        if values["store_written_per_day"]
        else NO_SAVES,
        (
            f"Saves {'and new caches ' if values['kv_written'] else ''}of a day, times {{protection}} for protection, "
            "over the drives"
        ),
        "nvme smart-log /dev/nvme0  # percentage_used and data_units_written, before and after a day of saves",
    )
    yield (
        "Rebuild under load",
        "Whole again within {rebuild_time} of a lost drive, reading and writing as above meanwhile",
        f"{{data_fragments}} {fragment} read and one written for each lost, by {{rebuild_share}} of the drives' rate",
        "fio --client=hosts.list read.fio  # then take one drive out, and one node",
    )


def _written(values: Mapping[str, Any]) -> str:
    """What is written at once, and at which rate."""
    saves = ["{checkpoint_size} within {write_window}"] if values["checkpoint_size"] else []
    caches = ["{kv_written} of new caches"] if values["kv_written"] else []
    return " beside ".join([*saves, *caches]) + ": {write_demand}"


TENDER = Table(
    name="tender",
    title="For a tender",
    about=(
        "What the store must sustain, how that was computed, and how to test it. Every GPU node takes part at once: "
        "hosts.list and hosts name them, and each runs fio --server. Keep the slowest node's figure. "
        "The commands write: run them in a directory made for it. Their options are those of fio's HOWTO (repository "
        "axboe/fio at f534438), of mdtest (hpc/ior at 5fcf0ba) and of mlpstorage for MLPerf Storage v2.0 "
        "(mlcommons/storage at caa90c9), read 2026-11-22."
    ),
    columns=("Requirement", "At least", "How computed", "How to test it"),
    rows=rows,
    commands=True,
)

"""Tender: what storage must sustain, how it is calculated, and the commands that test it, with these figures."""

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any

from calculators.declare.tables import Table
from calculators.subjects.storage.storage_demand import commands as test
from calculators.subjects.storage.storage_demand.commands import JOBS, MIB, MOUNT, NO_CHECKPOINTS


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Every requirement: what, how much, how it is calculated, and how to test it."""
    saved = bool(values["checkpoint_size"])
    fragment = "fragment" if values["data_fragments"] == 1 else "fragments"
    written = values["checkpoint_size"] / values["writer_nodes"] / JOBS
    accelerators = max(1, ceil(test.emulated_accelerators(values["training_read"])))
    read = values["checkpoint_size"] * values["restore_copies"] / values["gpu_nodes"] / JOBS
    served = ", {kv_read} for KV-cache reads" if values["kv_read"] else ""
    yield (
        "Reads, all GPU nodes at once, sustained",
        "{read_demand}: {read_per_gpu_node} for each of {gpu_nodes}",
        (
            f"{{training_read}} for training{served}, and the larger of a restore ({{restore_read}}) and weight "
            "loading ({weights_load_rate})"
        ),
        test.fio_steady("read", "read", MIB, 16, values["read_per_gpu_node"]),
    )
    caches = ", plus new KV caches" if values["kv_written"] else ""
    yield (
        "Write of one checkpoint, all writers at once, until it is restorable",
        f"{_written(values)}, {{write_per_writer_node}} for each of {{writer_nodes}}"
        if values["write_demand"]
        else NO_CHECKPOINTS,
        f"Checkpoint size ÷ time limit{caches}; the next checkpoint begins after {{effective_interval}}",
        test.fio_checkpoint("checkpoint", "write", written, "end_fsync=1"),
    )
    yield (
        "Restore",
        "{checkpoint_size} within {restore_window}, replicas that read: {restore_copies}; {restore_read}"
        if saved
        else NO_CHECKPOINTS,
        "Replicas that read × checkpoint size ÷ time limit; with empty caches",
        test.fio_checkpoint("restore", "read", read, "invalidate=1"),
    )
    yield (
        "Read requests",
        "{request_demand} of {read_size}",
        "Training read rate ÷ request size",
        test.fio_steady("requests", "randread", values["read_size"], 32, values["read_per_gpu_node"]),
    )
    yield (
        "Metadata",
        "{metadata_demand}, files created, looked up and read in one directory tree"
        if values["metadata_demand"]
        else "None from training with packed samples; software environments and users add some",
        "GPUs × samples/s × files per sample × {operations_per_file} per file",
        test.mdtest(values["gpu_nodes"], values["metadata_demand"]),
    )
    yield (
        "Training as MLPerf Storage emulates it",
        "{training_read} at the utilization that its rules require",
        "As many emulated H100 on 3D-UNet as read at this job's rate; set MEMORY and HOSTS",
        test.mlperf_training(values["gpu_nodes"], accelerators),
    )
    yield (
        "Checkpoints as MLPerf Storage writes them",
        "{write_demand}, as bytes ÷ seconds" if saved else NO_CHECKPOINTS,
        "The model whose checkpoint is nearest to {checkpoint_size}" if saved else NO_CHECKPOINTS,
        test.mlperf_checkpointing(values),
    )
    yield (
        "Usable capacity of the hot tier",
        (
            "{hot_stored} of data at {fill_share} full; {hot_raw} raw, "
            "with {data_fragments} data and {parity_fragments} parity fragments"
        ),
        "Prepared data, hot checkpoints, weights; {growth} data growth per year, years: {growth_years}",
        f"df -B1 {MOUNT}",
    )
    yield (
        "Endurance",
        (
            "{store_written_per_day} per day for {drive_warranty}: at least {writes_per_drive_and_day} drive writes "
            "per day on {drives} of {drive_capacity}"
        )
        if values["store_written_per_day"]
        else NO_CHECKPOINTS,
        (
            f"Checkpoints {'and new KV caches ' if values['kv_written'] else ''}per day × {{protection}} "
            "for protection ÷ drives"
        ),
        "nvme smart-log /dev/nvme0  # percentage_used, data_units_written; before and after a day of checkpoints",
    )
    yield (
        "Rebuild under load",
        "Rebuilt within {rebuild_time} of a drive failure, with reads and writes as above",
        f"{{data_fragments}} {fragment} read, one written per lost fragment, at {{rebuild_share}} of the drives' rate",
        "fio --client=hosts.list read.fio  # then pull one drive, and one node",
    )


def _written(values: Mapping[str, Any]) -> str:
    """Concurrent writes and their rate."""
    checkpoints = ["{checkpoint_size} within {write_window}"] if values["checkpoint_size"] else []
    caches = ["{kv_written} of new KV caches"] if values["kv_written"] else []
    return " and ".join([*checkpoints, *caches]) + ": {write_demand}"


TENDER = Table(
    name="tender",
    title="Requirements for a tender",
    about=(
        "What storage must sustain, how it is calculated, and how to test it. All GPU nodes run the tests at once: "
        "hosts.list and hosts name them, and each runs fio --server. Record the slowest node's figure. "
        "The commands write: run them in a directory of their own. Their options are those of fio's HOWTO (repository "
        "axboe/fio at f534438), of mdtest (hpc/ior at 5fcf0ba) and of mlpstorage for MLPerf Storage v2.0 "
        "(mlcommons/storage at caa90c9), read 2026-11-22."
    ),
    columns=("Requirement", "At least", "How it is calculated", "How to test it"),
    rows=rows,
    commands=True,
)

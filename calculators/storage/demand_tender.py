"""The tender: what a store must sustain, how that was computed, and the commands that test it, with these figures."""

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any

from calculators import facts, units
from calculators.declare.sheets import Sheet
from calculators.units import GIB, MINUTE

_MOUNT = "/mnt/store"
_JOBS = 8  # writers on a node: one for each GPU of the usual node
_MIB = 2.0**20
_NO_SAVES = "None: no saves come here"
_STEADY = 5 * MINUTE
_MODELS = {
    "llama3-8b": ("mlperf-checkpoint-sizes.llama_8b", 8),
    "llama3-70b": ("mlperf-checkpoint-sizes.llama_70b", 64),
    "llama3-405b": ("mlperf-v3-checkpoints.llama_405b", 512),
    "llama3-1t": ("mlperf-v3-checkpoints.llama_1t", 1024),
}


def _job(name: str, *options: str) -> str:
    return "\n".join([f"# {name}.fio, run with: fio --client=hosts.list {name}.fio", f"[{name}]", *options])


def _common(mode: str, block: float, jobs: int, depth: int) -> tuple[str, ...]:
    return (
        f"directory={_MOUNT}",
        f"rw={mode}",
        f"bs={block:.0f}",
        "ioengine=libaio",
        "direct=1",
        f"iodepth={depth}",
        f"numjobs={jobs}",
        "group_reporting=1",
        "filename_format=$clientuid.$jobnum.$filenum",
    )


def _mebibytes(size: float) -> str:
    return f"size={max(1, ceil(size / _MIB))}M"


def _steady(rate: float) -> tuple[str, ...]:
    """Files that last as long as the test, so that no cache of the store holds them."""
    return (_mebibytes(rate * _STEADY / _JOBS), "time_based=1", f"runtime={_STEADY:.0f}")


def _training(values: Mapping[str, Any]) -> str:
    emulated = float(facts.fact("workload-unet3d-h100.samples_per_second").value)
    sample = float(facts.fact("workload-unet3d-h100.sample_bytes").value)
    least = float(facts.fact("mlperf-utilization-required").value)
    accelerators = max(1, ceil(values["training_read"] / (emulated * sample * least)))
    hosts = min(values["gpu_nodes"], accelerators)
    emulation = (
        f"--model unet3d --accelerator-type h100 --num-client-hosts {hosts:.0f} --client-host-memory-in-gb MEMORY"
    )
    data = f"--hosts HOSTS --data-dir {_MOUNT}/unet3d --params dataset.num_files_train=FILES"
    return (
        f"mlpstorage training datasize {emulation} --max-accelerators {accelerators}  # prints how many FILES\n"
        f"mlpstorage training datagen --model unet3d --num-processes {accelerators} {data}\n"
        f"mlpstorage training run {emulation} --num-accelerators {accelerators} {data}"
    )


def _checkpointing(values: Mapping[str, Any]) -> str:
    sizes = {model: float(facts.fact(key).value) for model, (key, _) in _MODELS.items()}
    model = min(sizes, key=lambda one: abs(sizes[one] - values["checkpoint_size"]))
    if not values["write_demand"]:
        return _NO_SAVES
    longest = units.text(sizes[model] / values["write_demand"], "s")
    return (
        f"mlpstorage checkpointing run --model {model} --num-processes {_MODELS[model][1]} "
        f"--client-host-memory-in-gb MEMORY --hosts HOSTS --checkpoint-folder {_MOUNT}/checkpoints\n"
        f"# {sizes[model] / GIB:,.0f} GiB: each write may last {longest}; judge by seconds, not by mean rates"
    )


def _metadata(values: Mapping[str, Any]) -> str:
    tasks = max(1, int(values["gpu_nodes"])) * _JOBS
    files = max(1000, ceil(values["metadata_demand"] * MINUTE / tasks))
    return f"mpirun --hostfile hosts -np {tasks} mdtest -F -u -i 3 -n {files} -N {_JOBS} -d {_MOUNT}/mdtest"


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Every requirement: what, how much, how that was computed, and how to test it."""
    saved = values["checkpoint_size"] > 0
    fragment = "fragment" if values["data_fragments"] == 1 else "fragments"
    written = values["checkpoint_size"] / values["writer_nodes"] / _JOBS
    read = values["checkpoint_size"] * values["restore_copies"] / values["gpu_nodes"] / _JOBS
    yield (
        "Reading, all GPU nodes at once, sustained",
        "{read_demand}, which is {read_per_gpu_node} for each of {gpu_nodes}",
        (
            "{training_read} for training, and the larger of a restore ({restore_read}) and of loading weights "
            "({weights_load_rate})"
        ),
        _job("read", *_common("read", _MIB, _JOBS, 16), *_steady(values["read_per_gpu_node"])),
    )
    yield (
        "Writing one save, all that write at once, until it is safe",
        "{checkpoint_size} within {write_window}: {write_demand}, {write_per_writer_node} for each of {writer_nodes}"
        if saved
        else _NO_SAVES,
        "Checkpoint size over the time allowed; the next save begins after {effective_interval}",
        _job("save", *_common("write", 16 * _MIB, _JOBS, 4), _mebibytes(written), "end_fsync=1"),
    )
    yield (
        "Restoring",
        "{checkpoint_size} within {restore_window}, copies read: {restore_copies}; {restore_read}"
        if saved
        else _NO_SAVES,
        "Copies read times checkpoint size, over the time allowed; with empty caches",
        _job("restore", *_common("read", 16 * _MIB, _JOBS, 4), _mebibytes(read), "invalidate=1"),
    )
    yield (
        "Read requests",
        "{request_demand} of {read_size}",
        "What training reads, over the size of a request",
        _job("requests", *_common("randread", values["read_size"], _JOBS, 32), *_steady(values["read_per_gpu_node"])),
    )
    yield (
        "Metadata",
        "{metadata_demand}, files created, looked up and read in one directory tree"
        if values["metadata_demand"]
        else "None from training, whose samples lie packed; environments and people ask for some",
        "GPUs, times samples a second, times files of a sample, times {operations_per_file} for each",
        _metadata(values),
    )
    yield (
        "Training as MLPerf Storage emulates it",
        "{training_read} at the utilization its rules ask for",
        "As many emulated H100 on 3D-UNet as read what this job reads; MEMORY and HOSTS are yours",
        _training(values),
    )
    yield (
        "Checkpoints as MLPerf Storage writes them",
        "{write_demand}, by bytes over seconds" if saved else _NO_SAVES,
        "The model whose checkpoint is nearest to {checkpoint_size}" if saved else _NO_SAVES,
        _checkpointing(values),
    )
    yield (
        "Usable capacity of the hot tier",
        (
            "{hot_stored} of data at {fill_share} full; {hot_raw} raw, "
            "with {data_fragments} data and {parity_fragments} parity fragments"
        ),
        "Prepared data, checkpoints kept hot and versions of weights; {growth} of growth a year, years: {growth_years}",
        f"df -B1 {_MOUNT}",
    )
    yield (
        "Endurance",
        (
            "{store_written_per_day} a day for {drive_warranty}: at least {writes_per_drive_and_day} drive writes a "
            "day on {drives} of {drive_capacity}"
        )
        if saved
        else _NO_SAVES,
        "Saves of a day, times {protection} for protection, over the drives",
        "nvme smart-log /dev/nvme0  # percentage_used and data_units_written, before and after a day of saves",
    )
    yield (
        "Rebuild under load",
        "Whole again within {rebuild_time} of a lost drive, reading and writing as above meanwhile",
        f"{{data_fragments}} {fragment} read and one written for each lost, by {{rebuild_share}} of the drives' rate",
        "fio --client=hosts.list read.fio  # then take one drive out, and one node",
    )


TENDER = Sheet(
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

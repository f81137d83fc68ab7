"""Commands that test a store, with a job's figures in them: fio, IOR, mdtest and MLPerf Storage."""

from collections.abc import Mapping
from math import ceil
from typing import Any

from calculators import facts, units
from calculators.units import GIB, MINUTE

MOUNT = "/mnt/store"
JOBS = 8  # writers on a node: one for each GPU of the usual node
MIB = 2.0**20
NO_SAVES = "None: no saves come here"
_LARGE = 16  # MiB of a request in a save
_STEADY = 5 * MINUTE
_LEAST_FILES = 1000
_EMULATED_RATE = float(facts.fact("workload-unet3d-h100.samples_per_second").value)
_SAMPLE = float(facts.fact("workload-unet3d-h100.sample_bytes").value)
_LEAST_UTILIZATION = float(facts.fact("mlperf-utilization-required").value)
_MODELS = {
    "llama3-8b": (float(facts.fact("mlperf-checkpoint-sizes.llama_8b").value), 8),
    "llama3-70b": (float(facts.fact("mlperf-checkpoint-sizes.llama_70b").value), 64),
    "llama3-405b": (float(facts.fact("mlperf-v3-checkpoints.llama_405b").value), 512),
    "llama3-1t": (float(facts.fact("mlperf-v3-checkpoints.llama_1t").value), 1024),
}


def fio(name: str, mode: str, block: float, depth: int, *options: str) -> str:
    """A job file of fio for every node at once."""
    common = (
        f"directory={MOUNT}",
        f"rw={mode}",
        f"bs={block:.0f}",
        "ioengine=libaio",
        "direct=1",
        f"iodepth={depth}",
        f"numjobs={JOBS}",
        "group_reporting=1",
        "filename_format=$clientuid.$jobnum.$filenum",
    )
    return "\n".join(
        [f"# {name}.fio, run with: fio --client=hosts.list {name}.fio", f"[{name}]", *common, *options],
    )


def fio_save(name: str, mode: str, each: float, *options: str) -> str:
    """The part of a save that each writer moves [B], in large requests."""
    return fio(name, mode, _LARGE * MIB, 4, _size(each), *options)


def fio_steady(name: str, mode: str, block: float, depth: int, rate: float, time: float = _STEADY) -> str:
    """A node's rate [B/s] kept up, on files that last as long as the test, so that no cache of the store holds them."""
    return fio(name, mode, block, depth, _size(rate * time / JOBS), "time_based=1", f"runtime={time:.0f}")


def ior(nodes: float, size: float, *options: str) -> str:
    """A file for each writer, `size` [B] in all, from every node at once; each is read back by another node."""
    each = _LARGE * max(1, ceil(size / nodes / JOBS / MIB / _LARGE))
    tasks = nodes * JOBS
    asked = f"-F -e -g -C -Q {JOBS} -t {_LARGE}m -b {each}m -k {' '.join(options)}"
    return f"mpirun --hostfile hosts -np {tasks:.0f} ior -a POSIX {asked} -o {MOUNT}/ior/save"


def mdtest(nodes: float, rate: float) -> str:
    """Files created, looked up, read and deleted for about a minute at `rate` [1/s]."""
    tasks = max(1, int(nodes)) * JOBS
    files = max(_LEAST_FILES, ceil(rate * MINUTE / tasks))
    return f"mpirun --hostfile hosts -np {tasks} mdtest -F -u -i 3 -n {files} -N {JOBS} -d {MOUNT}/mdtest"


def emulated_accelerators(read: float) -> float:
    """The H100 that MLPerf Storage would have to emulate on 3D-UNet to read so fast [B/s], idle as its rules allow."""
    return read / (_EMULATED_RATE * _SAMPLE * _LEAST_UTILIZATION)


def mlperf_training(nodes: float, accelerators: int) -> str:
    """The three steps of MLPerf Storage's training benchmark."""
    hosts = min(nodes, accelerators)
    emulation = (
        f"--model unet3d --accelerator-type h100 --num-client-hosts {hosts:.0f} --client-host-memory-in-gb MEMORY"
    )
    data = f"--hosts HOSTS --data-dir {MOUNT}/unet3d --params dataset.num_files_train=FILES"
    return (
        f"mlpstorage training datasize {emulation} --max-accelerators {accelerators}  # prints how many FILES\n"
        f"mlpstorage training datagen --model unet3d --num-processes {accelerators} {data}\n"
        f"mlpstorage training run {emulation} --num-accelerators {accelerators} {data} "
        f"--checkpoint-folder {MOUNT}/unet3d-checkpoints"
    )


def nearest_model(checkpoint_size: float) -> tuple[str, float]:
    """The model of MLPerf Storage whose checkpoint is nearest, and its size [B]."""
    sizes = {model: size for model, (size, _) in _MODELS.items()}
    model = min(sizes, key=lambda one: abs(sizes[one] - checkpoint_size))
    return model, sizes[model]


def mlperf_checkpointing(values: Mapping[str, Any]) -> str:
    """MLPerf Storage's checkpoint that is nearest to the job's, with how long each write may last."""
    if not values["checkpoint_size"]:
        return NO_SAVES
    model, size = nearest_model(values["checkpoint_size"])
    longest = units.text(size / values["write_demand"], "s")
    return (
        f"mlpstorage checkpointing run --model {model} --num-processes {_MODELS[model][1]} "
        f"--client-host-memory-in-gb MEMORY --hosts HOSTS --checkpoint-folder {MOUNT}/checkpoints\n"
        f"# {size / GIB:,.0f} GiB: each write may last {longest}; judge by seconds, not by mean rates"
    )


def _size(size: float) -> str:
    return f"size={max(1, ceil(size / MIB))}M"

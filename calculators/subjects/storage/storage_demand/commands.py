"""Commands that test storage, with a job's figures: fio, IOR, mdtest and MLPerf Storage."""

from collections.abc import Mapping
from math import ceil
from typing import Any

from calculators import facts, units
from calculators.units import GIB, MINUTE

MOUNT = "/mnt/store"
JOBS = 8  # writers per node: one per GPU of a typical node
MIB = 2.0**20
NO_CHECKPOINTS = "None: no checkpoints are written here"
_LARGE = 16  # MiB per request of a checkpoint
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


def fio(name: str, mode: str, block: float, depth: int, *options: str, clients: str = "hosts.list") -> str:
    """Job file of fio for all nodes at once, or for those that the file `clients` names."""
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
        [f"# {name}.fio, run with: fio --client={clients} {name}.fio", f"[{name}]", *common, *options],
    )


def fio_checkpoint(name: str, mode: str, each: float, *options: str) -> str:
    """Job file of fio of the part of a checkpoint that each writer moves [B], in large requests."""
    return fio(name, mode, _LARGE * MIB, 4, _size(each), *options)


def fio_steady(
    name: str,
    mode: str,
    block: float,
    depth: int,
    rate: float,
    time: float = _STEADY,
    *,
    clients: str = "hosts.list",
) -> str:
    """Job file of fio of a node's rate [B/s], on files large enough for the whole test, so that no cache holds them."""
    steady = (_size(rate * time / JOBS), "time_based=1", f"runtime={time:.0f}")
    return fio(name, mode, block, depth, *steady, clients=clients)


def ior(nodes: float, size: float, *options: str) -> str:
    """Command of IOR: a file per writer, `size` [B] in all, from all nodes at once; another node reads each back."""
    each = _LARGE * max(1, ceil(size / nodes / JOBS / MIB / _LARGE))
    tasks = nodes * JOBS
    layout = f"-F -e -g -C -Q {JOBS} -t {_LARGE}m -b {each}m -k {' '.join(options)}"
    return f"mpirun --hostfile hosts -np {tasks:.0f} ior -a POSIX {layout} -o {MOUNT}/ior/save"


def mdtest(nodes: float, rate: float) -> str:
    """Command of mdtest: files created, looked up, read and deleted for about a minute at `rate` [1/s]."""
    tasks = max(1, int(nodes)) * JOBS
    files = max(_LEAST_FILES, ceil(rate * MINUTE / tasks))
    return f"mpirun --hostfile hosts -np {tasks} mdtest -F -u -i 3 -n {files} -N {JOBS} -d {MOUNT}/mdtest"


def emulated_accelerators(read: float) -> float:
    """H100 GPUs that MLPerf Storage must emulate on 3D-UNet to read at `read` [B/s], at its required utilization."""
    return read / (_EMULATED_RATE * _SAMPLE * _LEAST_UTILIZATION)


def mlperf_training(nodes: float, accelerators: int) -> str:
    """Commands of MLPerf Storage's training benchmark: datasize, datagen, run."""
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
    """MLPerf Storage model with the nearest checkpoint size, and that size [B]."""
    sizes = {model: size for model, (size, _) in _MODELS.items()}
    model = min(sizes, key=lambda one: abs(sizes[one] - checkpoint_size))
    return model, sizes[model]


def mlperf_checkpointing(values: Mapping[str, Any]) -> str:
    """MLPerf Storage's checkpointing command nearest to the job's size, with the time limit of each write."""
    if not values["checkpoint_size"]:
        return NO_CHECKPOINTS
    model, size = nearest_model(values["checkpoint_size"])
    longest = units.text(size / values["write_demand"], "s")
    return (
        f"mlpstorage checkpointing run --model {model} --num-processes {_MODELS[model][1]} "
        f"--client-host-memory-in-gb MEMORY --hosts HOSTS --checkpoint-folder {MOUNT}/checkpoints\n"
        f"# {size / GIB:,.0f} GiB: each write may last {longest}; judge by seconds, not by mean rates"
    )


def _size(size: float) -> str:
    return f"size={max(1, ceil(size / MIB))}M"

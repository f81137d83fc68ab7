"""Values that one calculator passes to another only within a system: batch, failures, what storage must hold."""

import math

from calculators import facts
from calculators.declare import constraint, formulas_of, step, warning
from calculators.machine.form import THOUSAND, Paid
from calculators.subjects.training.training_time.flops import Counted
from calculators.units import MILLION, YEAR
from calculators.vocabulary.money import Per, shown_per

_TEXT = "workload-text-405b"
_ROUNDING = 1 + 1e-9
_FEW_IDLE = 0.05  # of all GPUs
TOKEN_BYTES = float(facts.fact(f"{_TEXT}.sample_bytes").value) / float(
    facts.fact("llama-3-1-405b.sequence_length").value
)


@step("s", "MTBF per GPU at that failure rate", falls_with=("failure_rate",))
def gpu_mtbf_of_rate(failure_rate: float, gpus: float, layout_gpus: float) -> float:
    """Mean time between failures of one GPU [s] where 1,000 of them fail `failure_rate` times a second.

    A failure of a GPU that the layout leaves idle stops no job: averaged over all GPUs they fail less often.

    >>> gpu_mtbf_of_rate(1000 / 180_000, 16, 16), gpu_mtbf_of_rate(1000 / 180_000, 16, 8)
    (180000.0, 360000.0)
    """
    return THOUSAND / failure_rate * (gpus / layout_gpus)


@step("micro-batch", "Micro-batches per batch", rises_with=("batch_tokens",))
def dealt_micro_batches(
    batch_tokens: float,
    micro_batch: float,
    sequence_length: float,
    data_parallel: float,
    interleave: float,
    pipeline_parallel: float,
) -> float:
    """Micro-batches of each replica in the batch, at least one.

    Where stages interleave, whole rounds of the pipeline's size, as Megatron Core demands.

    >>> dealt_micro_batches(16_777_216, 1, 8192, 128, 1, 16), dealt_micro_batches(1_000_000, 1, 8192, 128, 1, 1)
    (16, 1)
    >>> dealt_micro_batches(16_777_216, 1, 8192, 100, 2, 8)  # 20 of 16
    16
    """
    each = batch_tokens // (micro_batch * sequence_length * data_parallel)
    return max(1, each if interleave == 1 or each < pipeline_parallel else each - each % pipeline_parallel)


@step("share", "MFU of a step in this layout")
def layout_utilization(
    utilization_counts: Counted,
    flops_per_token: float,
    model_flops_per_token: float,
    tokens_per_step: float,
    gpus: float,
    arithmetic_flops: float,
    step_time: float,
) -> float:
    """FLOPs of a step, as they are counted, over what all GPUs, idle ones too, could do in its time [share]."""
    flops = (flops_per_token if utilization_counts == "hardware" else model_flops_per_token) * tokens_per_step
    return flops / (gpus * arithmetic_flops * step_time)


@step("sample/s", "Sequences/s per GPU")
def sequence_rate(tokens_per_second_per_gpu: float, sequence_length: float) -> float:
    """Samples that the loader must deliver to a GPU [sample/s]: whole sequences, at the speed at which steps run."""
    return tokens_per_second_per_gpu / sequence_length


@step("GPU", "Idle GPUs")
def idle_gpus(gpus: float, layout_gpus: float) -> float:
    """GPUs that the layout leaves over [GPU]."""
    return max(0.0, gpus - layout_gpus)


@warning
def gpus_left_over(gpus: float, layout_gpus: float) -> str:
    """Many GPUs that the layout leaves idle."""
    if layout_gpus >= gpus * (1 - _FEW_IDLE):
        return ""
    return (
        "The layout uses {layout_gpus} of {gpus}: {idle_gpus} stay idle, paid for all the same. The batch has no more "
        "sequences for them, or no layout of more that leaves {memory_margin} of the memory free is faster."
    )


@step("B", "Memory that a layout may fill", binary=True)
def memory_limit(gpu_memory: float, memory_margin: float) -> float:
    """Memory per GPU that layouts are searched in [B]: what the margin leaves."""
    return gpu_memory * (1 - memory_margin)


@step("B", "Sequence size", source="llama3-herd")
def sequence_bytes(sequence_length: float) -> float:
    """A sequence as it is stored [B]: four bytes for each token.

    >>> sequence_bytes(8192)
    32768.0
    """
    return sequence_length * TOKEN_BYTES


@step("B", "Stored training tokens", source="llama3-herd")
def tokens_stored(tokens: float) -> float:
    """All tokens of the run as training reads them [B].

    >>> tokens_stored(15.6e12)  # the workload of text says 62.4 TB
    62400000000000.0
    """
    return tokens * TOKEN_BYTES


@step("node", "Storage nodes")
def storage_nodes(
    write_bandwidth: float,
    read_bandwidth: float,
    storage_node_write: float,
    storage_node_read: float,
    fewest_nodes: float,
) -> float:
    """Nodes of the store that write and read so much, and at least as many as protection needs.

    >>> storage_nodes(400e9, 800e9, 80e9, 80e9, 5), storage_nodes(40e9, 80e9, 80e9, 80e9, 5)
    (10, 5)
    """
    rates = max(write_bandwidth / storage_node_write, read_bandwidth / storage_node_read)
    return max(fewest_nodes, math.ceil(rates))


@constraint("write_bandwidth")
def nodes_write_as_much(write_bandwidth: float, write_supply: float) -> str:
    """Storage nodes given that write less than the storage system is said to."""
    if write_bandwidth <= write_supply * _ROUNDING:
        return ""
    return "{storage_nodes} write {write_supply}, not {write_bandwidth}: give more nodes, or a lower write bandwidth"


@constraint("read_bandwidth")
def nodes_read_as_much(read_bandwidth: float, read_supply: float) -> str:
    """Storage nodes given that read less than the storage system is said to."""
    if read_bandwidth <= read_supply * _ROUNDING:
        return ""
    return "{storage_nodes} read {read_supply}, not {read_bandwidth}: give more nodes, or a lower read bandwidth"


@step("B", "Capacity of the storage nodes")
def capacity_of_nodes(storage_nodes: float, drives_per_node: float, drive_capacity: float) -> float:
    """Capacity of all storage drives as sold [B]."""
    return storage_nodes * drives_per_node * drive_capacity


@step("IOPS", "Metadata operations available")
def metadata_supply(storage_nodes: float, node_metadata_rate: float) -> float:
    """Metadata operations that the storage nodes serve [IOPS]."""
    return storage_nodes * node_metadata_rate


@step("USD", "Cost of the run", rises_with=("gpu_hours",))
def run_price(
    paid: Paid,
    training_cost: float,
    run_owned: float,
    storage_cost: float | None,
    training_duration: float,
    book_years: float,
) -> float:
    """Cost of the run [USD]: GPU-hours at their rent, or what used hours cost their owner.

    A storage system with a price of its own is paid besides rented GPUs, in a straight line over its years.

    >>> run_price("rent", 3.0, 2.0, None, 1, 10), run_price("own", 3.0, 2.0, 5.0, 1, 10)
    (3.0, 2.0)
    >>> run_price("rent", 3.0, 2.0, 5.0, 1, 10)
    3.5
    """
    if paid == "own":
        return run_owned
    return training_cost + (0 if storage_cost is None else storage_cost * training_duration / book_years)


@step("USD", "Cost, as shown", rises_with=("gpu_hours",))
def run_shown(money_per: Per, run_price: float, training_duration: float, gpus: float, tokens: float) -> float:
    """Cost of the run [USD], in total, or per hour, month, year of it or per million training tokens."""
    year = run_price / training_duration * YEAR
    return shown_per(money_per, year=year, gpus=gpus, million=run_price / tokens * MILLION, whole=run_price)


FORMULAS = formulas_of(globals())

"""What one calculator hands to another only within a machine: batch, failures, what a store must hold."""

import math

from calculators import facts
from calculators.declare import formulas_of, step
from calculators.machine.form import THOUSAND, Paid
from calculators.subjects.training.training_time.flops import Counted

_TEXT = "workload-text-405b"
TOKEN_BYTES = float(facts.fact(f"{_TEXT}.sample_bytes").value) / float(
    facts.fact("llama-3-1-405b.sequence_length").value
)


@step("s", "MTBF per GPU at that failure rate", falls_with=("failure_rate",))
def gpu_mtbf_of_rate(failure_rate: float) -> float:
    """How long one GPU runs between failures [s] where 1,000 of them fail `failure_rate` times a second.

    >>> gpu_mtbf_of_rate(1000 / 180_000)
    180000.0
    """
    return THOUSAND / failure_rate


@step("micro-batch", "Micro-batches per batch", rises_with=("batch_tokens",))
def dealt_micro_batches(batch_tokens: float, micro_batch: float, sequence_length: float, data_parallel: float) -> float:
    """As many micro-batches as the batch has for each replica, and one at least.

    >>> dealt_micro_batches(16_777_216, 1, 8192, 128), dealt_micro_batches(1_000_000, 1, 8192, 128)
    (16, 1)
    """
    return max(1, batch_tokens // (micro_batch * sequence_length * data_parallel))


@step("share", "MFU of a step in this layout")
def layout_utilization(
    utilization_counts: Counted,
    flops_per_token: float,
    model_flops_per_token: float,
    tokens_per_step: float,
    layout_gpus: float,
    peak_flops: float,
    step_time: float,
) -> float:
    """FLOPs of a step, as they are counted, over what its GPUs could do in its time [share]."""
    flops = (flops_per_token if utilization_counts == "hardware" else model_flops_per_token) * tokens_per_step
    return flops / (layout_gpus * peak_flops * step_time)


@step("sample/s", "Sequences/s per GPU")
def sequence_rate(tokens_per_second_per_gpu: float, sequence_length: float) -> float:
    """What the loader must bring a GPU [sample/s]: whole sequences, at the speed at which steps run."""
    return tokens_per_second_per_gpu / sequence_length


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
    """Nodes of the store that write and read so much, and as many as protection asks for at least.

    >>> storage_nodes(400e9, 800e9, 80e9, 80e9, 5), storage_nodes(40e9, 80e9, 80e9, 80e9, 5)
    (10, 5)
    """
    rates = max(write_bandwidth / storage_node_write, read_bandwidth / storage_node_read)
    return max(fewest_nodes, math.ceil(rates))


@step("B", "Capacity of the storage nodes")
def capacity_of_nodes(storage_nodes: float, drives_per_node: float, drive_capacity: float) -> float:
    """What all drives of the store hold as sold [B]."""
    return storage_nodes * drives_per_node * drive_capacity


@step("IOPS", "Metadata operations available")
def metadata_supply(storage_nodes: float, node_metadata_rate: float) -> float:
    """What the store's nodes serve of them [IOPS]."""
    return storage_nodes * node_metadata_rate


@step("USD", "Cost of the run", rises_with=("gpu_hours",))
def run_price(paid: Paid, training_cost: float, run_owned: float) -> float:
    """What the run costs [USD]: GPU-hours at their rent, or what used hours cost their owner.

    >>> run_price("rent", 3.0, 2.0), run_price("own", 3.0, 2.0)
    (3.0, 2.0)
    """
    return training_cost if paid == "rent" else run_owned


FORMULAS = formulas_of(globals())

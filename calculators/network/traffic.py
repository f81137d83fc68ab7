"""Traffic: what one GPU of a training job sends and reads in one step, by each way of splitting the job.

Factors of (n-1)/n stand where a ring over n ranks moves that share of a buffer; latency is left out.
"""

from calculators.declare import step


@step("B", "Activations of a microbatch", source="megatron-2021", rises_with=("sequence_length", "hidden"))
def message(sequence_length: float, hidden: float, bytes_per_activation: float) -> float:
    """What one layer hands on for a microbatch of one sequence [B]: `sequence_length` by `hidden` numbers.

    >>> message(8192, 8192, 2)
    134217728
    """
    return sequence_length * hidden * bytes_per_activation


@step("1", "All-reduces of tensor parallelism", source="megatron-2021")
def all_reduces(layers: float, pipeline_parallel: float, micro_batches: float) -> float:
    """How many all-reduces tensor parallelism puts into one step of a stage.

    Four for each layer and microbatch: after attention and after the MLP, forward and backward.

    >>> all_reduces(80, 4, 32)
    2560.0
    """
    return 4 * (layers / pipeline_parallel) * micro_batches


@step("B", "Sent for tensor parallelism", source=("megatron-2021", "nccl-tests-performance"), rises_with=("message",))
def tensor_traffic(message: float, all_reduces: float, tensor_parallel: float) -> float:
    """What each GPU sends in a step for tensor parallelism [B]: 2(n-1)/n of a `message` [B] for each all-reduce.

    >>> tensor_traffic(8, 10, 4)
    120.0
    """
    return 2 * (tensor_parallel - 1) / tensor_parallel * message * all_reduces


@step("parameter", "Parameters on the fullest GPU", falls_with=("tensor_parallel",))
def gpu_parameters(
    parameters: float, vocabulary: float, hidden: float, tensor_parallel: float, pipeline_parallel: float
) -> float:
    """The parameters of a GPU in a stage that holds one of the two tables of words.

    The layers are shared by the stages, then stage and table by the ranks of tensor parallelism.

    >>> gpu_parameters(1000, 10, 10, 2, 4)
    150.0
    """
    table = vocabulary * hidden
    return ((parameters - 2 * table) / pipeline_parallel + table) / tensor_parallel


@step("B", "Sent for data parallelism", source="nccl-tests-performance", rises_with=("gpu_parameters",))
def data_traffic(gpu_parameters: float, gradient_bytes: float, weight_bytes: float, data_parallel: float) -> float:
    """What each GPU sends in a step for data parallelism with a sharded optimizer [B].

    Gradients in a reduce-scatter, weights in an all-gather, each (n-1)/n of the bytes.

    >>> data_traffic(100, 4, 2, 2)
    300.0
    """
    return gpu_parameters * (gradient_bytes + weight_bytes) * (data_parallel - 1) / data_parallel


@step("1", "Hand-overs between stages")
def hand_overs(micro_batches: float) -> float:
    """How many microbatches a stage hands on in a step, activations forward and gradients back."""
    return 2 * micro_batches


@step("B", "Sent between stages", source="megatron-2021", rises_with=("message",), falls_with=("tensor_parallel",))
def pipeline_traffic(message: float, hand_overs: float, tensor_parallel: float) -> float:
    """What each GPU sends in a step to the next stage and to the one before [B], its share of each `message` [B]."""
    return message / tensor_parallel * hand_overs


@step("B", "Shard of a checkpoint")
def checkpoint_shard(parameters: float, checkpoint_bytes_per_parameter: float, gpus: float) -> float:
    """What each GPU writes of a checkpoint [B]."""
    return parameters * checkpoint_bytes_per_parameter / gpus


@step("B", "Samples read")
def samples_read(
    sequence_length: float, micro_batches: float, data_parallel: float, bytes_per_token: float, gpus: float
) -> float:
    """What each GPU's share of a step's samples weighs [B]."""
    return sequence_length * micro_batches * data_parallel * bytes_per_token / gpus


@step("s", "Time on the wire", rises_with=("traffic",), falls_with=("wire", "wire_share"))
def time_on_wire(traffic: float, wire: float, wire_share: float) -> float:
    """How long `traffic` [B] takes over a `wire` [B/s] of which a `wire_share` is reached."""
    return traffic / (wire * wire_share)


@step("B/s", "Rate reached", rises_with=("wire", "wire_share"))
def rate_reached(wire: float, wire_share: float) -> float:
    """What is reached [B/s] of a `wire` [B/s]."""
    return wire * wire_share


@step("share", "Share of the wire", source="nccl-tests-performance", rises_with=("bus_bandwidth",))
def wire_share(bus_bandwidth: float, wire: float) -> float:
    """What a collective's `bus_bandwidth` [B/s] is of the `wire` [B/s] beneath it."""
    return bus_bandwidth / wire


@step("s", "Time through the core", rises_with=("time_on_wire",))
def time_through_core(time_on_wire: float, oversubscription: float) -> float:
    """How long it takes [s] when all must cross a core with a wire for each `oversubscription` wires below it."""
    return time_on_wire * oversubscription


@step("share", "Cost of the core, of a step")
def core_cost(time_through_core: float, time_on_wire: float, step_duration: float) -> float:
    """What crossing the core adds to a step [share of `step_duration` in s] when none of it hides."""
    return (time_through_core - time_on_wire) / step_duration

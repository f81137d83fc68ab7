"""One step of training: arithmetic, bubble, what each way of splitting the job takes, and what of it is exposed."""

from calculators import facts
from calculators.declare import formulas_of, step
from calculators.vocabulary.recipes import Recompute

BACKWARD = float(facts.fact("backward-share").value)


@step("token", "Tokens per step", rises_with=("sequence_length", "micro_batches"))
def tokens_per_step(micro_batch: float, micro_batches: float, sequence_length: float, data_parallel: float) -> float:
    """Tokens of one optimizer step [token].

    >>> tokens_per_step(1, 32, 8192, 32)
    8388608
    """
    return micro_batch * micro_batches * sequence_length * data_parallel


@step("s", "Arithmetic of a step", source="megatron-2021", falls_with=("peak_flops", "matmul_utilization"))
def compute_time(
    active_parameters: float,
    tokens_per_step: float,
    layout_gpus: float,
    peak_flops: float,
    matmul_utilization: float,
    recompute: Recompute,
) -> float:
    """What kernels take in a step [s]: six FLOPs for each parameter and token, eight where the forward runs twice."""
    flops = (8 if recompute == "full" else 6) * active_parameters * tokens_per_step
    return flops / (layout_gpus * peak_flops * matmul_utilization)


@step("share", "Bubble, of the arithmetic", source="megatron-2021", falls_with=("micro_batches", "interleave"))
def bubble_share(pipeline_parallel: float, micro_batches: float, interleave: float) -> float:
    """What stages wait for each other at both ends of a step, over the arithmetic [share].

    >>> bubble_share(4, 32, 1)
    0.09375
    """
    return (pipeline_parallel - 1) / (interleave * micro_batches)


@step("s", "Bubble")
def bubble_time(compute_time: float, bubble_share: float) -> float:
    """What stages wait for each other [s]."""
    return compute_time * bubble_share


@step("B/s", "Network of a GPU in collectives")
def nic_reached(nic_bandwidth: float, nic_efficiency: float) -> float:
    """What a ring reaches of one GPU's share of the network [B/s]."""
    return nic_bandwidth * nic_efficiency


@step("1", "Links over network")
def link_over_network(domain_bandwidth: float, nic_reached: float) -> float:
    """How many times as fast a collective is inside a domain as over one GPU's share of the network [1]."""
    return domain_bandwidth / nic_reached


@step("s", "Tensor parallelism")
def tensor_time(
    tensor_bytes: float, tensor_parallel: float, gpus_per_domain: float, domain_bandwidth: float, nic_reached: float
) -> float:
    """What its transfers take in a step [s]; tensor ranks stand closest to each other."""
    return tensor_bytes / (domain_bandwidth if tensor_parallel <= gpus_per_domain else nic_reached)


@step("s", "Context parallelism")
def context_time(
    context_bytes: float,
    tensor_parallel: float,
    context_parallel: float,
    gpus_per_domain: float,
    domain_bandwidth: float,
    nic_reached: float,
) -> float:
    """What its transfers take in a step [s]; context ranks stand next to the tensor ranks.

    >>> context_time(6, 4, 2, 8, 3, 1), context_time(6, 4, 4, 8, 3, 1)
    (2.0, 6.0)
    """
    inside = tensor_parallel * context_parallel <= gpus_per_domain
    return context_bytes / (domain_bandwidth if inside else nic_reached)


@step("s", "Expert parallelism")
def expert_time(
    expert_bytes: float,
    expert_link_bytes: float,
    link_bandwidth: float,
    nic_bandwidth: float,
    all_to_all_link_efficiency: float,
    all_to_all_nic_efficiency: float,
) -> float:
    """What its transfers take in a step [s]: network and links carry their parts at the same time.

    >>> expert_time(6, 4, 16, 2, 0.5, 1), expert_time(6, 4, 1, 2, 0.5, 1)
    (3.0, 16.0)
    """
    network = expert_bytes / (nic_bandwidth * all_to_all_nic_efficiency)
    return max(network, expert_link_bytes / (link_bandwidth / 2 * all_to_all_link_efficiency))


@step("s", "Experts of one layer, forward", source="deepseek-isca")
def expert_layer_time(
    expert_token_bytes: float,
    micro_batch: float,
    sequence_length: float,
    context_parallel: float,
    tensor_parallel: float,
    nic_bandwidth: float,
    all_to_all_nic_efficiency: float,
) -> float:
    """What a GPU's tokens of one micro-batch take over the network to a layer's experts and back [s]."""
    tokens = micro_batch * sequence_length / (context_parallel * tensor_parallel)
    return tokens * expert_token_bytes / (nic_bandwidth * all_to_all_nic_efficiency)


@step("s", "Hand-overs between stages")
def pipeline_time(
    pipeline_bytes: float,
    tensor_parallel: float,
    context_parallel: float,
    expert_parallel: float,
    pipeline_parallel: float,
    gpus_per_domain: float,
    domain_bandwidth: float,
    nic_reached: float,
) -> float:
    """What a GPU's hand-overs take in a step [s].

    >>> pipeline_time(6, 2, 1, 1, 4, 8, 3, 1), pipeline_time(6, 2, 2, 1, 4, 8, 3, 1)
    (2.0, 6.0)
    """
    inside = tensor_parallel * context_parallel * expert_parallel * pipeline_parallel <= gpus_per_domain
    return pipeline_bytes / (domain_bandwidth if inside else nic_reached)


@step("rank", "Replicas in one domain")
def data_peers(
    tensor_parallel: float,
    context_parallel: float,
    pipeline_parallel: float,
    data_parallel: float,
    gpus_per_domain: float,
) -> float:
    """Ranks of one data-parallel group that stand in the same domain [rank], and share its cards in a ring.

    >>> data_peers(8, 1, 4, 32, 8), data_peers(1, 1, 1, 512, 8)
    (1, 8)
    """
    apart = tensor_parallel * context_parallel * pipeline_parallel
    return max(1, min(data_parallel, gpus_per_domain // apart))


@step("s", "Data parallelism")
def data_time(
    data_bytes: float,
    layout_gpus: float,
    gpus_per_domain: float,
    domain_bandwidth: float,
    nic_reached: float,
    data_peers: float,
) -> float:
    """What replicas take to exchange gradients and weights in a step [s]; they stand furthest apart.

    Replicas that share a domain run their rings over all of its cards.

    >>> data_time(6, 8, 8, 4, 1, 1), data_time(6, 16, 8, 4, 1, 2), data_time(6, 16, 8, 4, 1, 8)
    (1.5, 3.0, 1.5)
    """
    if layout_gpus <= gpus_per_domain:
        return data_bytes / domain_bandwidth
    return data_bytes / min(domain_bandwidth, nic_reached * data_peers)


@step("s", "Tensor parallelism, exposed")
def exposed_tensor_time(tensor_time: float, tensor_overlap: float) -> float:
    """What of it arithmetic waits for [s]."""
    return tensor_time * (1 - tensor_overlap)


@step("s", "Context parallelism, exposed")
def exposed_context_time(context_time: float, context_overlap: float) -> float:
    """What of it arithmetic waits for [s]."""
    return context_time * (1 - context_overlap)


@step("s", "Expert parallelism, exposed")
def exposed_expert_time(expert_time: float, expert_overlap: float) -> float:
    """What of it arithmetic waits for [s]."""
    return expert_time * (1 - expert_overlap)


@step("s", "Hand-overs, exposed")
def exposed_pipeline_time(pipeline_time: float, pipeline_overlap: float) -> float:
    """What of it arithmetic waits for [s]."""
    return pipeline_time * (1 - pipeline_overlap)


@step("s", "Data parallelism, exposed")
def exposed_data_time(data_time: float, data_overlap: float, compute_time: float) -> float:
    """What of it arithmetic waits for [s]; it cannot hide behind more than the backward pass."""
    return max(data_time * (1 - data_overlap), data_time - compute_time * BACKWARD)


@step("s", "Exposed communication")
def exposed_time(
    exposed_tensor_time: float,
    exposed_context_time: float,
    exposed_expert_time: float,
    exposed_pipeline_time: float,
    exposed_data_time: float,
) -> float:
    """What arithmetic waits for in a step [s]."""
    inner = exposed_tensor_time + exposed_context_time + exposed_expert_time
    return inner + exposed_pipeline_time + exposed_data_time


@step("s", "Hidden communication")
def hidden_time(
    tensor_time: float,
    context_time: float,
    expert_time: float,
    pipeline_time: float,
    data_time: float,
    exposed_time: float,
) -> float:
    """What overlaps with arithmetic [s]."""
    return max(0.0, tensor_time + context_time + expert_time + pipeline_time + data_time - exposed_time)


@step("s", "Time of a step")
def step_time(compute_time: float, bubble_share: float, exposed_time: float) -> float:
    """Arithmetic, bubble and what is exposed [s]."""
    return compute_time * (1 + bubble_share) + exposed_time


@step("share", "Exposed communication, of the step")
def exposed_share(exposed_time: float, step_time: float) -> float:
    """What of a step arithmetic waits for communication [share]."""
    return exposed_time / step_time


@step("share", "Exposed communication and bubble, of the step")
def waiting_share(compute_time: float, step_time: float) -> float:
    """What of a step is no arithmetic [share]."""
    return 1 - compute_time / step_time


@step("share", "MFU that the layout allows", source="megatron-2021", rises_with=("matmul_utilization",))
def layout_mfu(
    active_parameters: float, tokens_per_step: float, layout_gpus: float, peak_flops: float, step_time: float
) -> float:
    """Model FLOPs of a step over what GPUs could do in its time [share]: utilization inside kernels, less waiting."""
    return 6 * active_parameters * tokens_per_step / (layout_gpus * peak_flops * step_time)


@step("B", "Sent over the network")
def network_bytes(
    data_bytes: float,
    tensor_bytes: float,
    context_bytes: float,
    pipeline_bytes: float,
    expert_bytes: float,
    layout_gpus: float,
    tensor_parallel: float,
    context_parallel: float,
    expert_parallel: float,
    pipeline_parallel: float,
    gpus_per_domain: float,
) -> float:
    """What each GPU sends over the network in a step [B]: of every kind that leaves the domain."""
    reach = tensor_parallel * context_parallel
    stages = reach * expert_parallel * pipeline_parallel
    sent = (
        (tensor_bytes, tensor_parallel),
        (context_bytes, reach),
        (pipeline_bytes, stages),
        (data_bytes, layout_gpus),
    )
    return expert_bytes + sum(size for size, ranks in sent if ranks > gpus_per_domain)


@step("B", "Sent over the scale-up links")
def link_bytes(
    data_bytes: float,
    tensor_bytes: float,
    context_bytes: float,
    pipeline_bytes: float,
    expert_bytes: float,
    expert_link_bytes: float,
    network_bytes: float,
) -> float:
    """What each GPU sends over the scale-up links in a step [B]."""
    sent = data_bytes + tensor_bytes + context_bytes + pipeline_bytes + expert_bytes
    return max(0.0, sent - network_bytes) + expert_link_bytes


FORMULAS = formulas_of(globals())

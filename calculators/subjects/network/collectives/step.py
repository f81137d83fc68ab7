"""One training step: compute, pipeline bubble, and the communication time of each parallelism, total and exposed."""

from typing import NamedTuple

from calculators import facts
from calculators.declare import formulas_of, record, step
from calculators.vocabulary.recipes import Recompute

BACKWARD = float(facts.fact("backward-share").value)


@step("token", "Tokens per step", rises_with=("sequence_length", "micro_batches"))
def tokens_per_step(micro_batch: float, micro_batches: float, sequence_length: float, data_parallel: float) -> float:
    """Tokens of one optimizer step [token].

    >>> tokens_per_step(1, 32, 8192, 32)
    8388608
    """
    return micro_batch * micro_batches * sequence_length * data_parallel


@step("s", "Compute time per step", source="megatron-2021", falls_with=("arithmetic_flops", "matmul_utilization"))
def compute_time(
    active_parameters: float,
    tokens_per_step: float,
    layout_gpus: float,
    arithmetic_flops: float,
    matmul_utilization: float,
    recompute: Recompute,
) -> float:
    """Compute time of a step [s]: 6 FLOPs per parameter and token, 8 with full recomputation."""
    flops = (8 if recompute == "full" else 6) * active_parameters * tokens_per_step
    return flops / (layout_gpus * arithmetic_flops * matmul_utilization)


@step("share", "Pipeline bubble ÷ compute time", source="megatron-2021", falls_with=("micro_batches", "interleave"))
def bubble_share(pipeline_parallel: float, micro_batches: float, interleave: float) -> float:
    """Time that stages wait for each other at both ends of a step, over compute time [share].

    >>> bubble_share(4, 32, 1)
    0.09375
    """
    return (pipeline_parallel - 1) / (interleave * micro_batches)


@step("s", "Pipeline bubble per step")
def bubble_time(compute_time: float, bubble_share: float) -> float:
    """Time that stages wait for each other in a step [s]."""
    return compute_time * bubble_share


@step("B/s", "Ring bandwidth per GPU over the network")
def nic_reached(nic_bandwidth: float, nic_efficiency: float) -> float:
    """Bandwidth that a ring reaches on one GPU's share of the network [B/s]."""
    return nic_bandwidth * nic_efficiency


@step("1", "Scale-up ÷ network ring bandwidth")
def link_over_network(domain_bandwidth: float, nic_reached: float) -> float:
    """Ring bandwidth inside a domain over that of one GPU's share of the network [1]."""
    return domain_bandwidth / nic_reached


class InsideDomain(NamedTuple):
    """Whether the ranks of each parallelism, with those placed closer, fit in one scale-up domain."""

    tensor: bool
    context: bool
    pipeline: bool
    data: bool


@record("Parallelism inside a scale-up domain")
def inside_domain(
    tensor_parallel: float,
    context_parallel: float,
    expert_parallel: float,
    pipeline_parallel: float,
    layout_gpus: float,
    gpus_per_domain: float,
) -> InsideDomain:
    """Parallelism whose ranks stay in one domain: placed in the order tensor, context, expert, pipeline, data.

    >>> inside_domain(4, 2, 1, 4, 64, 8)
    InsideDomain(tensor=True, context=True, pipeline=False, data=False)
    """
    context = tensor_parallel * context_parallel
    pipeline = context * expert_parallel * pipeline_parallel
    return InsideDomain(*(ranks <= gpus_per_domain for ranks in (tensor_parallel, context, pipeline, layout_gpus)))


@step("s", "Tensor-parallel time per step")
def tensor_time(
    tensor_bytes: float, tensor_parallel: float, gpus_per_domain: float, domain_bandwidth: float, nic_reached: float
) -> float:
    """Time of tensor-parallel transfers in a step [s]; tensor ranks are placed closest to each other."""
    return tensor_bytes / (domain_bandwidth if tensor_parallel <= gpus_per_domain else nic_reached)


@step("s", "Context-parallel time per step")
def context_time(
    context_bytes: float, inside_domain: InsideDomain, domain_bandwidth: float, nic_reached: float
) -> float:
    """Time of context-parallel transfers in a step [s]; context ranks are placed next to the tensor ranks."""
    return context_bytes / (domain_bandwidth if inside_domain.context else nic_reached)


@step("s", "Expert-parallel time per step")
def expert_time(
    expert_bytes: float,
    expert_link_bytes: float,
    link_bandwidth: float,
    nic_bandwidth: float,
    all_to_all_link_efficiency: float,
    all_to_all_nic_efficiency: float,
) -> float:
    """Time of expert-parallel transfers in a step [s]: network and links run at the same time.

    >>> expert_time(6, 4, 16, 2, 0.5, 1), expert_time(6, 4, 1, 2, 0.5, 1)
    (3.0, 16.0)
    """
    network = expert_bytes / (nic_bandwidth * all_to_all_nic_efficiency)
    return max(network, expert_link_bytes / (link_bandwidth / 2 * all_to_all_link_efficiency))


@step("s", "Expert network time per layer, forward", source="deepseek-isca")
def expert_layer_time(
    expert_token_bytes: float,
    micro_batch: float,
    sequence_length: float,
    context_parallel: float,
    tensor_parallel: float,
    nic_bandwidth: float,
    all_to_all_nic_efficiency: float,
) -> float:
    """Time for one GPU's tokens of a micro-batch over the network to a layer's experts and back [s]."""
    tokens = micro_batch * sequence_length / (context_parallel * tensor_parallel)
    return tokens * expert_token_bytes / (nic_bandwidth * all_to_all_nic_efficiency)


@step("s", "Pipeline transfer time per step")
def pipeline_time(
    pipeline_bytes: float, inside_domain: InsideDomain, domain_bandwidth: float, nic_reached: float
) -> float:
    """Time of a GPU's transfers between pipeline stages in a step [s]."""
    return pipeline_bytes / (domain_bandwidth if inside_domain.pipeline else nic_reached)


@step("rank", "Data-parallel ranks per domain")
def data_peers(
    tensor_parallel: float,
    context_parallel: float,
    pipeline_parallel: float,
    data_parallel: float,
    gpus_per_domain: float,
) -> float:
    """Ranks of one data-parallel group in the same domain [rank]; their rings share its NICs.

    >>> data_peers(8, 1, 4, 32, 8), data_peers(1, 1, 1, 512, 8)
    (1, 8)
    """
    apart = tensor_parallel * context_parallel * pipeline_parallel
    return max(1, min(data_parallel, gpus_per_domain // apart))


@step("s", "Data-parallel time per step")
def data_time(
    data_bytes: float,
    layout_gpus: float,
    gpus_per_domain: float,
    domain_bandwidth: float,
    nic_reached: float,
    data_peers: float,
) -> float:
    """Time that replicas exchange gradients and weights in a step [s]; they are placed furthest apart.

    Replicas that share a domain run their rings over all of its NICs.

    >>> data_time(6, 8, 8, 4, 1, 1), data_time(6, 16, 8, 4, 1, 2), data_time(6, 16, 8, 4, 1, 8)
    (1.5, 3.0, 1.5)
    """
    if layout_gpus <= gpus_per_domain:
        return data_bytes / domain_bandwidth
    return data_bytes / min(domain_bandwidth, nic_reached * data_peers)


@step("s", "Exposed tensor-parallel time per step")
def exposed_tensor_time(tensor_time: float, tensor_overlap: float) -> float:
    """Tensor-parallel time that compute waits for [s]."""
    return tensor_time * (1 - tensor_overlap)


@step("s", "Exposed context-parallel time per step")
def exposed_context_time(context_time: float, context_overlap: float) -> float:
    """Context-parallel time that compute waits for [s]."""
    return context_time * (1 - context_overlap)


@step("s", "Exposed expert-parallel time per step")
def exposed_expert_time(expert_time: float, expert_overlap: float) -> float:
    """Expert-parallel time that compute waits for [s]."""
    return expert_time * (1 - expert_overlap)


@step("s", "Exposed pipeline transfer time per step")
def exposed_pipeline_time(pipeline_time: float, pipeline_overlap: float) -> float:
    """Pipeline transfer time that compute waits for [s]."""
    return pipeline_time * (1 - pipeline_overlap)


@step("s", "Exposed data-parallel time per step")
def exposed_data_time(data_time: float, data_overlap: float, compute_time: float) -> float:
    """Data-parallel time that compute waits for [s]; at most the backward pass can overlap it."""
    return max(data_time * (1 - data_overlap), data_time - compute_time * BACKWARD)


@step("s", "Exposed communication per step")
def exposed_time(
    exposed_tensor_time: float,
    exposed_context_time: float,
    exposed_expert_time: float,
    exposed_pipeline_time: float,
    exposed_data_time: float,
) -> float:
    """Communication that compute waits for in a step [s]."""
    inner = exposed_tensor_time + exposed_context_time + exposed_expert_time
    return inner + exposed_pipeline_time + exposed_data_time


@step("s", "Overlapped communication per step")
def hidden_time(
    tensor_time: float,
    context_time: float,
    expert_time: float,
    pipeline_time: float,
    data_time: float,
    exposed_time: float,
) -> float:
    """Communication that overlaps with compute in a step [s]."""
    return max(0.0, tensor_time + context_time + expert_time + pipeline_time + data_time - exposed_time)


@step("s", "Step time")
def step_time(compute_time: float, bubble_share: float, exposed_time: float) -> float:
    """Step time [s]: compute, pipeline bubble and exposed communication."""
    return compute_time * (1 + bubble_share) + exposed_time


@step("share", "Exposed communication, share of step")
def exposed_share(exposed_time: float, step_time: float) -> float:
    """Exposed communication over step time [share]."""
    return exposed_time / step_time


@step("share", "Communication and bubble, share of step")
def waiting_share(compute_time: float, step_time: float) -> float:
    """Part of the step time that is not compute [share]."""
    return 1 - compute_time / step_time


@step("share", "MFU of the layout, modeled", source="megatron-2021", rises_with=("matmul_utilization",))
def layout_mfu(
    active_parameters: float, tokens_per_step: float, layout_gpus: float, arithmetic_flops: float, step_time: float
) -> float:
    """Model FLOPs of a step over the peak FLOPs of its GPUs in that time [share]: kernel utilization less waiting."""
    return 6 * active_parameters * tokens_per_step / (layout_gpus * arithmetic_flops * step_time)


@step("B", "Network traffic per GPU and step")
def network_bytes(
    data_bytes: float,
    tensor_bytes: float,
    context_bytes: float,
    pipeline_bytes: float,
    expert_bytes: float,
    inside_domain: InsideDomain,
) -> float:
    """Bytes that each GPU sends over the network in a step [B]: all traffic that leaves the domain."""
    sent = (tensor_bytes, context_bytes, pipeline_bytes, data_bytes)
    return expert_bytes + sum(size for size, inside in zip(sent, inside_domain, strict=True) if not inside)


@step("B", "Scale-up traffic per GPU and step")
def link_bytes(
    data_bytes: float,
    tensor_bytes: float,
    context_bytes: float,
    pipeline_bytes: float,
    expert_bytes: float,
    expert_link_bytes: float,
    network_bytes: float,
) -> float:
    """Bytes that each GPU sends over the scale-up links in a step [B]."""
    sent = data_bytes + tensor_bytes + context_bytes + pipeline_bytes + expert_bytes
    return max(0.0, sent - network_bytes) + expert_link_bytes


FORMULAS = formulas_of(globals())

"""Traffic per GPU and step of each parallelism, one way.

A ring over n ranks moves (n-1)/n of a buffer.
"""

import math
from typing import Literal, NamedTuple

from calculators.declare import formulas_of, record, step
from calculators.llm.adapters import mixer_layers
from calculators.vocabulary.recipes import Recompute

Dispatcher = Literal["per-node", "alltoall"]
WEIGHT_BYTES = 2  # weights travel in 16 bits, independent of the optimizer state
WHOLE_SHARDS = 3


@step("B", "Activations per layer and micro-batch", source="megatron-2021", rises_with=("sequence_length", "hidden"))
def activation_slab(
    micro_batch: float, sequence_length: float, context_parallel: float, hidden: float, activation_bytes: float
) -> float:
    """Activations that one layer passes on for a micro-batch [B].

    >>> activation_slab(1, 8192, 1, 8192, 2)
    134217728.0
    """
    return micro_batch * sequence_length / context_parallel * hidden * activation_bytes


@step("parameter", "Parameters per GPU in the gradient exchange", falls_with=("tensor_parallel",))
def exchanged_parameters(
    parameters: float,
    routed_parameters: float,
    tensor_parallel: float,
    pipeline_parallel: float,
    expert_parallel: float,
) -> float:
    """Parameters of one GPU whose gradients replicas exchange [parameter]: experts are sharded further.

    >>> exchanged_parameters(70e9, 0, 8, 4, 1), exchanged_parameters(70e9, 60e9, 2, 4, 6)
    (2187500000.0, 2500000000.0)
    """
    routed = min(routed_parameters, parameters)
    return (parameters - routed + routed / expert_parallel) / (tensor_parallel * pipeline_parallel)


@step("B", "Gradients per GPU", rises_with=("gradient_bytes",))
def gradient_slab(exchanged_parameters: float, gradient_bytes: float) -> float:
    """Size of one GPU's gradients [B]."""
    return exchanged_parameters * gradient_bytes


@step("B", "Weights per GPU, 16-bit")
def weight_slab(exchanged_parameters: float) -> float:
    """Size of one GPU's weights in 16 bits [B]."""
    return exchanged_parameters * WEIGHT_BYTES


@step("B", "Data-parallel traffic per GPU and step", source=("zero", "ml-engineering-network"))
def data_bytes(
    zero_stage: int, gradient_slab: float, weight_slab: float, data_parallel: float, micro_batches: float
) -> float:
    """Bytes that each GPU sends in a step for data parallelism [B].

    ZeRO stage 0 all-reduces gradients; stages 1 and 2 scatter them and gather weights, which is as much; stage 3
    gathers weights twice and scatters gradients for every micro-batch.

    >>> data_bytes(0, 20e9, 20e9, 1e9, 1), data_bytes(3, 20e9, 20e9, 1e9, 1)
    (39999999960.0, 59999999940.0)
    >>> data_bytes(0, 40e9, 20e9, 4, 2), data_bytes(1, 40e9, 20e9, 4, 2), data_bytes(3, 40e9, 20e9, 4, 2)
    (60000000000.0, 45000000000.0, 120000000000.0)
    """
    once = (data_parallel - 1) / data_parallel
    if zero_stage == WHOLE_SHARDS:
        return once * micro_batches * (gradient_slab + 2 * weight_slab)
    return once * (gradient_slab + weight_slab if zero_stage else 2 * gradient_slab)


@step("B", "Tensor-parallel traffic per GPU and step", source="megatron-2021", rises_with=("sequence_length", "hidden"))
def tensor_bytes(
    activation_slab: float,
    layers: float,
    block_layers: float,
    pipeline_parallel: float,
    micro_batches: float,
    tensor_parallel: float,
    recompute: Recompute,
) -> float:
    """Bytes that each GPU sends in a step for tensor parallelism [B]: two all-reduces per block and micro-batch.

    Three with full recomputation. A layer has two blocks, attention and feed-forward; in Nemotron-H a layer is one.
    Sequence parallelism sends as much, in other collectives.

    >>> tensor_bytes(1e6, 80, 80, 4, 2, 8, "full"), tensor_bytes(1e6, 80, 80, 4, 2, 8, "selective")  # 1.75 MB each
    (420000000.0, 280000000.0)
    >>> tensor_bytes(1e6, 118, 54, 1, 1, 8, "none") / 1.75e6
    236.0
    """
    times = 3 if recompute == "full" else 2
    blocks = mixer_layers(layers, block_layers) + block_layers
    once = 2 * (tensor_parallel - 1) / tensor_parallel
    return times * blocks / pipeline_parallel * micro_batches * activation_slab * once


@step("B", "Pipeline traffic per GPU and step", source="megatron-2021")
def pipeline_bytes(
    activation_slab: float, micro_batches: float, interleave: float, tensor_parallel: float, pipeline_parallel: float
) -> float:
    """Bytes that each GPU sends in a step to the next and the previous stage [B], scattered over tensor ranks.

    >>> pipeline_bytes(1e6, 32, 5, 8, 4), pipeline_bytes(1e6, 32, 5, 8, 1)
    (40000000.0, 0.0)
    """
    return 2 * micro_batches * interleave * activation_slab / tensor_parallel if pipeline_parallel > 1 else 0.0


class Sequences(NamedTuple):
    """Sequences of a micro-batch, their length [token], and the bytes of an activation value."""

    number: float
    length: float
    value_bytes: float


class Replica(NamedTuple):
    """A replica's layers, the stages and tensor ranks that share them, and its micro-batches per step."""

    layers: float
    stages: float
    tensor_ranks: float
    micro_batches: float


@record("Sequences of a micro-batch")
def sequences_of_micro_batch(micro_batch: float, sequence_length: float, activation_bytes: float) -> Sequences:
    """Sequences of one micro-batch, their length and precision."""
    return Sequences(micro_batch, sequence_length, activation_bytes)


@record("Replica")
def replica_layout(layers: float, pipeline_parallel: float, tensor_parallel: float, micro_batches: float) -> Replica:
    """Layers of one replica, how they are split, and its micro-batches."""
    return Replica(layers, pipeline_parallel, tensor_parallel, micro_batches)


@step("B", "Context-parallel traffic per GPU and step")
def context_bytes(
    sequences_of_micro_batch: Sequences,
    context_parallel: float,
    kv_heads: float,
    head_dim: float,
    replica_layout: Replica,
) -> float:
    """Bytes that each GPU sends in a step for context parallelism [B]: keys and values forward, gradients backward.

    The backward pass sends both, twice the forward pass.

    >>> context_bytes(Sequences(1, 8192, 2), 2, 8, 128, Replica(80, 4, 4, 2))
    503316480.0
    """
    once = (context_parallel - 1) / context_parallel
    values = 2 * kv_heads * head_dim / replica_layout.tensor_ranks
    number, length, value_bytes = sequences_of_micro_batch
    keys_and_values = values * number * length * value_bytes
    return 3 * once * keys_and_values * replica_layout.layers / replica_layout.stages * replica_layout.micro_batches


@step("1", "Domains per expert-parallel group")
def expert_domains(
    expert_parallel: float, tensor_parallel: float, context_parallel: float, gpus_per_domain: float
) -> float:
    """Domains over which the experts of a layer are spread [1]; tensor and context ranks are placed first.

    >>> expert_domains(16, 2, 2, 8), expert_domains(2, 2, 1, 8), expert_domains(1, 16, 1, 8)
    (8, 1, 1)
    """
    return (
        math.ceil(expert_parallel * tensor_parallel * context_parallel / gpus_per_domain) if expert_parallel > 1 else 1
    )


@step("1", "Expected domains per token")
def expected_domains(experts: float, experts_per_token: float, expert_domains: float) -> float:
    """Mean number of domains that hold the experts of one token [1], for a router that chooses evenly.

    >>> round(expected_domains(256, 8, 8), 2)
    5.29
    """
    elsewhere = math.floor(experts - experts / expert_domains)
    return expert_domains * (1 - _none_of(elsewhere, experts, min(experts_per_token, experts)))


def _none_of(elsewhere: float, experts: float, chosen: float) -> float:
    """Probability that all chosen experts are among those elsewhere [share]: C(e, k) of C(E, k)."""
    if chosen > elsewhere:
        return 0.0
    ways = math.lgamma(elsewhere + 1) - math.lgamma(elsewhere - chosen + 1)
    return math.exp(ways - math.lgamma(experts + 1) + math.lgamma(experts - chosen + 1))


@step("1", "Token copies sent to other domains", source="deepseek-isca")
def remote_copies(
    expected_domains: float,
    expert_domains: float,
    nodes_per_token: float | None,
    experts_per_token: float,
    expert_dispatcher: Dispatcher,
) -> float:
    """Copies of a token that cross the network [1]: one per other domain, up to the router's limit.

    A plain all-to-all sends one for each expert that is elsewhere.

    >>> [remote_copies(*given, 8, "per-node") for given in ((5.0, 8, None), (5.0, 8, 4), (2.0, 8, 4))]
    [4.375, 3.5, 1.75]
    >>> remote_copies(5.0, 8, None, 8, "alltoall")
    7.0
    """
    if expert_dispatcher == "alltoall":
        return experts_per_token * (expert_domains - 1) / expert_domains
    reached = expected_domains if nodes_per_token is None else min(expected_domains, nodes_per_token)
    return reached * (expert_domains - 1) / expert_domains


@step("1", "Token copies sent inside a domain")
def local_copies(
    experts_per_token: float, expert_parallel: float, expert_domains: float, expert_dispatcher: Dispatcher
) -> float:
    """Copies of a token sent to other GPUs of the domain that holds it or received it [1].

    Where tensor ranks fill a domain, it holds at most one rank of the group, and no copy is sent inside it. A plain
    all-to-all sends over links only those for experts in the token's own domain.

    >>> [local_copies(8, *group, "per-node") for group in ((64, 8), (2, 1), (1, 1), (2, 2), (2, 4))]
    [7.0, 4.0, 0.0, 0.0, 0.0]
    >>> local_copies(8, 64, 8, "alltoall")
    0.875
    """
    ranks = expert_parallel / expert_domains
    if expert_parallel == 1:
        return 0.0
    own = 1 / expert_domains if expert_dispatcher == "alltoall" else 1.0
    return experts_per_token * max(0.0, ranks - 1) / max(1.0, ranks) * own


@step("B", "Expert traffic per token and layer", source="deepseek-isca")
def expert_token_bytes(
    expert_hidden: float, dispatch_bytes: float, combine_bytes: float, remote_copies: float
) -> float:
    """Bytes per token over the network to the experts of a layer and back [B], forward pass.

    >>> expert_token_bytes(7000, 1, 2, 9)  # the paper's example, DeepSeek-V3 with its hidden size rounded
    189000
    """
    return expert_hidden * (dispatch_bytes + combine_bytes) * remote_copies


@step("1", "Trips of a token to its experts")
def expert_trips(recompute: Recompute) -> float:
    """Times that a layer sends a token to its experts and back in a step [1]: forward, backward, and to recompute.

    >>> expert_trips("full"), expert_trips("selective")
    (3, 2)
    """
    return 3 if recompute == "full" else 2


@step("token", "Tokens routed to experts per GPU and step")
def routed_tokens(
    micro_batch: float,
    sequence_length: float,
    context_parallel: float,
    tensor_parallel: float,
    micro_batches: float,
    expert_layers: float,
    pipeline_parallel: float,
    expert_trips: float,
) -> float:
    """Tokens of a GPU in a step, counted once per layer with experts and trip to them [token].

    >>> routed_tokens(1, 8192, 2, 4, 3, 10, 5, 2)  # 8192 / 8 in each of 3 micro-batches, through 10 / 5 layers, twice
    12288.0
    """
    own = micro_batch * sequence_length / (context_parallel * tensor_parallel) * micro_batches
    return expert_trips * own * expert_layers / pipeline_parallel


@step("B", "Expert-parallel network traffic per GPU and step")
def expert_bytes(routed_tokens: float, expert_token_bytes: float) -> float:
    """Bytes that each GPU sends over the network in a step to experts and back [B]."""
    return routed_tokens * expert_token_bytes


@step("B", "Expert-parallel scale-up traffic per GPU and step")
def expert_link_bytes(
    routed_tokens: float, expert_hidden: float, dispatch_bytes: float, combine_bytes: float, local_copies: float
) -> float:
    """Bytes that each GPU sends over the scale-up links in a step to experts and back [B]."""
    return routed_tokens * expert_hidden * (dispatch_bytes + combine_bytes) * local_copies


FORMULAS = formulas_of(globals())

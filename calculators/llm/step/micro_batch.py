"""Time of one micro-batch forward and backward on a GPU, by kind of work, for all layers of a model."""

from typing import Literal, NamedTuple

from calculators.declare import formulas_of, record
from calculators.llm.step.adapters import VALUE_BYTES
from calculators.llm.step.constants import KERNELS, REFERENCE_FLOPS, REFERENCE_MEMORY, STATE_GROWTH, Kernels
from calculators.llm.step.shapes import TILE, AttentionWork, StepShapes
from calculators.vocabulary.precision import Precision
from calculators.vocabulary.recipes import Recompute

Software = Literal["megatron", "pytorch"]
Graphs = Literal["none", "parts", "step"]
WEIGHT_BYTES = {"bf16": 2.0, "fp8": 1.0, "mxfp8": 1.0, "nvfp4": 0.5625}  # 4 bits, and 8 for the scale of 16 values
# Bytes that pass over a score in 16 bits where attention is not one kernel. Forward: a product writes it, softmax reads
# half of the square and writes it, a product reads it. Backward: a product writes its gradient, softmax reads half of
# both and writes it, and three products read one or the other. Megatron-LM's scaled_upper_triang_masked_softmax.
SCORE_FORWARD, SCORE_BACKWARD = 2 + 1 + 2 + 2, 2 + 2 * 1 + 2 + 3 * 2
DROPOUT = 2 + 2 + 1  # either way: PyTorch's reads and writes a score, and a mask of one byte
SMALLEST_HEAD = 256  # keys and values together below which attention loses part of its share


class StepDevice(NamedTuple):
    """A GPU in a step: rates of matrix products in the training precision and in bf16, of attention and of memory.

    A group of kernels takes `launch`, in a model without experts `dense_launch`, or `hybrid_launch` where some of its
    layers have a state.
    """

    flops: float
    flops_16: float
    attention: float
    memory: float
    precision: Precision
    launch: float
    dense_launch: float
    hybrid_launch: float


class RankWork(NamedTuple):
    """Tokens of a micro-batch on one GPU, the length of their sequences, and how layers are divided."""

    tokens: float
    sequence: float
    tensor_ranks: float
    expert_ranks: float
    expert_tensor_ranks: float
    recompute: Recompute
    modules: str
    fused_attention: bool
    sequence_parallel: bool = True
    added_bytes: float = 0  # of a parameter's gradient sum, where a kernel of its own adds to it
    dropout: bool = False  # of attention scores


class MicroBatch(NamedTuple):
    """Seconds of a micro-batch on a GPU that has all layers, by kind of work."""

    matrices: float
    experts: float
    attention: float
    states: float
    memory: float
    launches: float
    adapters: float
    logits: float

    @property
    def layers(self) -> float:
        """All of it but the output layer [s]."""
        return sum(self) - self.logits


@record("Device in a training step")
def step_device(
    arithmetic_flops: float,
    peak_flops: float,
    matrix_reach: float,
    memory_bandwidth: float,
    training_precision: Precision,
    cuda_graphs: Graphs,
    training_software: Software,
) -> StepDevice:
    """Rates of a GPU in the precision of its matrix products, and what a group of kernels takes to launch.

    `matrix_reach` is the share of peak that its large products reach, over that of the devices of the fit.
    """
    rates = arithmetic_flops * matrix_reach, peak_flops * matrix_reach, memory_bandwidth
    return device_of(rates, training_precision, cuda_graphs, training_software, KERNELS)


def device_of(
    rates: tuple[float, float, float], precision: Precision, graphs: Graphs, software: Software, kernels: Kernels
) -> StepDevice:
    """Time of a micro-batch with any constants; `rates` are those of matrix products, of bf16 and of memory.

    A graph of the whole step saves dense layers no more than graphs of parts: their host runs ahead of the GPU, which
    with experts it cannot, since it waits for how many tokens each has. Nor can it with the many small kernels of
    layers with a state; but without experts a graph holds a layer whole, which saves what a graph of the step does.
    """
    tuned = kernels.pytorch if software == "pytorch" else 1.0
    flops, flops_16, memory = (rate * tuned for rate in rates)
    saved = {"none": 1.0, "parts": kernels.graphs_of_parts, "step": kernels.graph_of_step}[graphs]
    launch = kernels.launch / tuned
    attention = kernels.attention * flops_16
    return StepDevice(
        flops=flops,
        flops_16=flops_16,
        attention=min(attention, kernels.attention_2) if software == "pytorch" else attention,
        memory=memory * kernels.memory,
        precision=precision,
        launch=launch * saved,
        dense_launch=launch * max(saved, kernels.graphs_of_parts),
        hybrid_launch=launch * (1.0 if graphs == "none" else kernels.graph_of_step),
    )


@record("Work of a rank in a training step")
def rank_work(
    micro_batch_tokens: float,
    sequence_length: float,
    tensor_parallel: float,
    expert_parallel: float,
    expert_tensor_parallel: float,
    recompute: Recompute,
    recompute_modules: str,
    flash_attention: bool,  # noqa: FBT001  an input of the graph
    sequence_parallel: bool,  # noqa: FBT001  an input of the graph
    gradient_bytes: float,
    gradient_accumulation_fusion: bool,  # noqa: FBT001  an input of the graph
    attention_dropout: float,
) -> RankWork:
    """Tokens of a micro-batch on one GPU and the ranks that divide its layers."""
    return RankWork(
        tokens=micro_batch_tokens,
        sequence=sequence_length,
        tensor_ranks=tensor_parallel,
        expert_ranks=expert_parallel,
        expert_tensor_ranks=expert_tensor_parallel,
        recompute=recompute,
        modules=recompute_modules,
        fused_attention=flash_attention,
        sequence_parallel=sequence_parallel,
        added_bytes=0 if gradient_accumulation_fusion else gradient_bytes,
        dropout=attention_dropout > 0,
    )


@record("Time of a micro-batch")
def micro_batch_times(step_shapes: StepShapes, step_device: StepDevice, rank_work: RankWork) -> MicroBatch:
    """Seconds of one micro-batch by kind of work."""
    return times_of(step_shapes, step_device, rank_work, KERNELS)


def times_of(shapes: StepShapes, device: StepDevice, work: RankWork, kernels: Kernels) -> MicroBatch:
    """Time of a layer's work with any constants.

    A weight matrix is multiplied forward, and backward for the gradients of its input and of itself; recomputation
    multiplies it once more, of every second one with torchtitan's per-op, and frozen weights have no gradient of their
    own. What norms and activation functions take to be computed again is left out.
    """
    full = work.recompute == "full"
    modules = frozenset(work.modules.split("+")) if work.recompute == "selective" else frozenset[str]()
    if "moe" in modules:
        modules |= {"router", "shared_experts"}
    again = 1.0 if full else 0.5 if "per-op" in modules else 0.0
    times = (2.0 if shapes.frozen else 3.0) + again
    tokens, ranks = work.tokens, work.tensor_ranks
    reached = _share(device.precision, kernels) * device.flops
    half = kernels.matrix_half * device.flops / REFERENCE_FLOPS
    value = WEIGHT_BYTES[device.precision]
    fed = tokens / (tokens + half)
    seconds = 0.0
    for rows, columns, layers, split, module in shapes.products:
        inner = rows / ranks if split == "rows" else rows
        outer = columns / ranks if split == "columns" else columns
        rate = reached * fed * inner / (inner + half) * outer / (outer + half)
        moved = value * (tokens * inner + inner * outer) + 2 * tokens * outer
        repeated = times + (module in modules)
        seconds += repeated * layers * max(2 * tokens * inner * outer / rate, moved / device.memory)
    logits = _logits(shapes, device, tokens, ranks, kernels)
    experts, sent = _experts(shapes, device, work, kernels) if shapes.experts.layers else (0.0, 0.0)
    states, kept = _states(shapes, device, work, kernels, again=full) if shapes.states.layers else (0.0, 0.0)
    dense = device.hybrid_launch if shapes.states.layers else device.dense_launch
    launch = device.launch if shapes.experts.layers else dense
    groups = (
        14 * shapes.attention.layers + 8 * shapes.dense_layers + 24 * shapes.experts.layers + 14 * shapes.states.layers
    )
    return MicroBatch(
        matrices=seconds,
        experts=(times + ("moe" in modules)) * experts,
        attention=_attention(shapes.attention, device, work, kernels, again=full or "core_attn" in modules),
        states=states,
        memory=(_moved(shapes, device, work) + sent + kept) * (1.4 if full else 1.0) / device.memory
        + times * _unpacked(shapes, work) / device.memory
        + _added(shapes, work) / device.memory,
        launches=(groups * times / 3 + sum(one.number for one in shapes.adapters.matrices if not one.expert)) * launch,
        adapters=_adapters(shapes, device, work, kernels, again),
        logits=logits,
    )


def _share(precision: Precision, kernels: Kernels) -> float:
    """Share of peak that a large matrix product reaches."""
    if precision == "bf16":
        return kernels.matrix_16
    return kernels.matrix_4 if precision == "nvfp4" else kernels.matrix_8


def _logits(shapes: StepShapes, device: StepDevice, tokens: float, ranks: float, kernels: Kernels) -> float:
    """Output layer and loss [s], in bf16 whatever the precision of the layers."""
    half = kernels.matrix_half * device.flops_16 / REFERENCE_FLOPS
    columns = shapes.vocab / ranks
    filled = tokens / (tokens + half) * shapes.hidden / (shapes.hidden + half) * columns / (columns + half)
    flops = (2 if shapes.frozen else 3) * 2 * tokens * shapes.hidden * columns
    product = flops / (kernels.matrix_16 * filled * device.flops_16)
    return shapes.outputs * (product + 16 * tokens * columns / device.memory)


def _attention(work: AttentionWork, device: StepDevice, rank: RankWork, kernels: Kernels, *, again: bool) -> float:
    """Attention scores [s]: forward once, backward 2.5 times, once more where they are recomputed.

    A causal token sees half of the sequence on average, or its window, of which a tile at the edge is wasted.
    """
    causal = rank.sequence / 2
    near = causal
    if work.window < rank.sequence:
        near = min(causal, work.window - work.window**2 / (2 * rank.sequence) + TILE)
    near = min(causal, near + work.compressed_entries * causal)
    pairs = (work.layers - work.window_layers) * causal + work.window_layers * near
    width = work.query_width + work.value_width
    times = 3.5 + again
    if not rank.fused_attention:  # every score of the square is computed, written and read several times
        scores = rank.tokens * rank.sequence * work.layers * work.heads / rank.tensor_ranks
        flops = (times - 0.5) * 2 * scores * (work.query_width + work.value_width)
        dropped = DROPOUT if rank.dropout else 0
        moved = scores * ((SCORE_FORWARD + dropped) * (1 + again) + SCORE_BACKWARD + dropped)
        return flops / (kernels.matrix_16 * device.flops_16) + moved / device.memory
    flops = times * 2 * rank.tokens * pairs * work.heads / rank.tensor_ranks * width
    return flops / (device.attention * min(1.0, width / SMALLEST_HEAD + 0.25))


def _experts(shapes: StepShapes, device: StepDevice, rank: RankWork, kernels: Kernels) -> tuple[float, float]:
    """Routed experts forward [s], and the bytes that routing and activations move forward and backward [B].

    Tokens are spread evenly. Each tensor rank routes its own tokens; the router multiplies in bf16.
    """
    work = shapes.experts
    tokens = rank.tokens / rank.tensor_ranks
    own = tokens * work.per_token
    of_one = own * rank.expert_ranks * rank.expert_tensor_ranks / work.experts
    width = work.width / rank.expert_tensor_ranks
    half = kernels.matrix_half * device.flops / REFERENCE_FLOPS
    crowd = kernels.expert_half * device.flops / REFERENCE_FLOPS
    filled = of_one / (of_one + crowd) * work.input_width / (work.input_width + half) * width / (width + half)
    flops = 2 * own * work.input_width * work.width * work.matrices
    value = WEIGHT_BYTES[device.precision]
    weights = work.experts / rank.expert_ranks * work.input_width * width * work.matrices
    moved = value * (weights + own * work.input_width) + 2 * own * work.input_width
    reached = _share(device.precision, kernels) * filled * device.flops
    seconds = max(flops / reached, moved / device.memory)
    casts = 0 if device.precision == "bf16" else 6 * (work.input_width + work.width)
    around = 20 * shapes.hidden + work.per_token * (
        kernels.routing * work.input_width + (4 + 4 * work.matrices) * work.width + casts
    )
    return work.layers * seconds, work.layers * tokens * around


def _states(
    shapes: StepShapes, device: StepDevice, rank: RankWork, kernels: Kernels, *, again: bool
) -> tuple[float, float]:
    """Scans of layers with a state [s], and the bytes that the layers move around them, both forward and backward [B].

    Memory bounds the kernels of `mamba_ssm`, whose passes are counted: forward they read and write tokens in 16 bits
    three times, backward eleven times; states at the end of each chunk in 16 or 32 bits, which the backward pass
    computes again.
    """
    layers, width, values = shapes.states
    tokens = rank.tokens / rank.tensor_ranks  # norms of the sequence are divided
    forward, backward = 6 * width + 12 * values / TILE, 22 * width + 34 * values / TILE
    scanned = layers * tokens * ((1 + again) * forward + backward)
    moved = layers * tokens * (24 * shapes.hidden + 60 * width)
    faster = device.memory / kernels.memory / REFERENCE_MEMORY
    return scanned / (kernels.state * REFERENCE_MEMORY * faster**STATE_GROWTH), moved


def _moved(shapes: StepShapes, device: StepDevice, rank: RankWork) -> float:
    """Bytes that norms, activations and casts around attention and dense blocks move forward and backward [B]."""
    work, low = shapes.attention, device.precision != "bf16"
    inner = work.heads * work.query_width + work.kv_values
    around = 24 * shapes.hidden / (rank.tensor_ranks if rank.sequence_parallel else 1)
    attention = around + 12 * inner / rank.tensor_ranks
    dense = around + (16 * shapes.dense_width + low * 6 * (shapes.hidden + shapes.dense_width)) / rank.tensor_ranks
    return rank.tokens * (work.layers * attention + shapes.dense_layers * dense)


def _unpacked(shapes: StepShapes, rank: RankWork) -> float:
    """Bytes that a GPU moves each time its packed frozen weights are written out in 16 bits [B]; 0 unless packed."""
    unpacked = shapes.adapters.unpacked_bytes
    return unpacked * _weights(shapes, rank) if unpacked else 0.0


def _added(shapes: StepShapes, rank: RankWork) -> float:
    """Bytes that a GPU moves to add a micro-batch's gradients to their sum [B]; 0 where the products add them.

    Megatron-LM's `main_grad.add_(grad)`: a gradient in 16 bits is read, the sum is read and written.
    """
    if shapes.frozen or not rank.added_bytes:
        return 0.0
    return (VALUE_BYTES + 2 * rank.added_bytes) * _weights(shapes, rank)


def _weights(shapes: StepShapes, rank: RankWork) -> float:
    """Weights of all layers that one GPU multiplies."""
    dense = sum(
        one.rows * one.columns * one.layers / (1 if one.split == "none" else rank.tensor_ranks)
        for one in shapes.products
    )
    work = shapes.experts
    expert = work.input_width * work.width * work.matrices / (rank.expert_ranks * rank.expert_tensor_ranks)
    return dense + work.layers * work.experts * expert


def _adapters(shapes: StepShapes, device: StepDevice, rank: RankWork, kernels: Kernels, again: float) -> float:
    """Adapters' products, and the sums of their results with those of frozen matrices [s].

    Two thin products forward and four backward, in bf16; `again` of the forward ones are recomputed. Each sum, of
    outputs forward and of the input's gradient backward, reads two tensors and writes one. Tensor ranks divide both
    matrices of an adapter, as in Megatron Bridge.
    """
    per_flops = device.flops_16 / REFERENCE_FLOPS
    half, crowd = kernels.matrix_half * per_flops, kernels.expert_half * per_flops
    width, experts = shapes.adapters.rank, shapes.experts
    seconds = 0.0
    for one in shapes.adapters.matrices:
        if one.expert:
            ranks = rank.expert_tensor_ranks
            tokens = rank.tokens / rank.tensor_ranks * experts.per_token * ranks
            layers, held = one.number / experts.experts, experts.experts / rank.expert_ranks
            fed = tokens / held / (tokens / held + crowd)
        else:
            tokens, ranks, layers, held = rank.tokens, rank.tensor_ranks, one.number, 1.0
            fed = tokens / (tokens + half)
        inner = one.rows / ranks if one.split == "rows" else one.rows
        outer = one.columns if one.split == "none" else one.columns / ranks
        sums = 3 * VALUE_BYTES * tokens * (inner + (1 + again) * outer) / device.memory
        products = 0.0
        for rows, columns in ((inner, width / ranks if one.split == "columns" else width), (width, outer)):
            rate = kernels.matrix_16 * device.flops_16 * fed * rows / (rows + half) * columns / (columns + half)
            moved = VALUE_BYTES * (tokens * (rows + columns) + held * rows * columns)
            products += max(2 * tokens * rows * columns / rate, moved / device.memory)
        seconds += layers * ((3 + again) * products + sums)
    return seconds


MICRO_BATCH = formulas_of(globals())

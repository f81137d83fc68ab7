"""A training layout: batch, degrees of parallelism, what replicas share and in which precision."""

from typing import Any

from calculators import facts, units
from calculators.declare import (
    Default,
    Option,
    choice,
    computed,
    constraint,
    formulas_of,
    quantity,
    step,
    switch,
    warning,
)
from calculators.vocabulary.inputs import SHARD

BATCH, PRECISION = "batch", "precision"
RECIPE = "recipe-adam-bf16-18"
TENSOR_RANKS, STAGES = 8, 4  # the default layout
# Embedding and output may each stand in a layer's place: Llama 3 405B's first and last stage hold a layer less, and
# Megatron Core can account for both when it splits a pipeline.
ENDS = 2
_EVERY_DIGIT = 9  # of GPUs, of which there are at most ten million
OF_THE_LAYOUT = computed("layout_gpus", "the layout's")


@step("GPU", "GPUs of the layout")
def layout_gpus(
    tensor_parallel: float, pipeline_parallel: float, data_parallel: float, context_parallel: float
) -> float:
    """How many GPUs the layout takes: the product of its degrees. Expert-parallel ranks are among them."""
    return tensor_parallel * pipeline_parallel * data_parallel * context_parallel


@step("rank", "Replicas that the GPUs make")
def layout_replicas(gpus: float, tensor_parallel: float, pipeline_parallel: float, context_parallel: float) -> float:
    """Data-parallel ranks for which `gpus` suffice when each replica takes the product of the other degrees [rank]."""
    return max(1, gpus // (tensor_parallel * pipeline_parallel * context_parallel))


@constraint("pipeline_parallel")
def stages_have_layers(pipeline_parallel: float, layers: float, interleave: float) -> str:
    """A stage without layers does nothing; where stages interleave, embedding and output may take a layer's place."""
    if pipeline_parallel * interleave <= layers + (ENDS if interleave > 1 else 0):
        return ""
    return "Pipeline parallel times interleaving must not exceed {layers}"


@constraint("context_parallel")
def context_has_tokens(context_parallel: float, sequence_length: float) -> str:
    """Each context-parallel rank takes two pieces of the sequence, one from its start and one from its end."""
    if context_parallel == 1 or 2 * context_parallel <= sequence_length:
        return ""
    return (
        "Context parallelism deals out a sequence in two pieces for each rank: "
        "{sequence_length} cannot be dealt to {context_parallel}"
    )


@constraint("expert_parallel")
def experts_for_ranks(expert_parallel: float, experts: float) -> str:
    """Ranks take whole experts, the same number each."""
    if expert_parallel > experts:
        return "Expert parallel must not exceed {experts}"
    return "The {experts} must divide evenly among the expert-parallel ranks" if experts % expert_parallel else ""


@warning
def gpus_left_over(gpus: float, layout_gpus: float) -> str:
    """GPUs that the layout has no use for, or lacks."""
    if gpus == layout_gpus:
        return ""
    takes, there = "{layout_gpus}", "{gpus}"
    if units.text(layout_gpus, "GPU") == units.text(gpus, "GPU"):  # millions, of which three digits are alike
        takes, there = (units.text(one, "GPU", digits=_EVERY_DIGIT) for one in (layout_gpus, gpus))
    return (
        f"The layout takes {takes}, not {there}: frameworks refuse to start so, "
        "and what is said here of the layout holds for its own."
    )


@warning
def idle_stages(micro_batches: float, pipeline_parallel: float) -> str:
    """A pipeline needs at least as many micro-batches as stages."""
    if micro_batches >= pipeline_parallel:
        return ""
    return "With fewer micro-batches per step than stages, some stages never work at the same time as the others."


@warning
def nothing_to_interleave(interleave: float, pipeline_parallel: float) -> str:
    """Groups of layers alternate with those of other stages, so there must be others (Megatron Core asserts it)."""
    if interleave == 1 or pipeline_parallel > 1:
        return ""
    return "Interleaving alternates groups of layers between stages, and there is one stage: Megatron Core refuses it."


@warning
def uneven_rounds(interleave: float, micro_batches: float, pipeline_parallel: float) -> str:
    """Interleaved schedules run groups of at least as many micro-batches as stages (Megatron Core asserts it)."""
    if interleave == 1 or micro_batches % pipeline_parallel == 0:
        return ""
    if micro_batches < pipeline_parallel:
        return (
            "Megatron Core refuses to interleave with fewer micro-batches than stages: {micro_batches} on "
            "{pipeline_parallel}."
        )
    return (
        "Megatron Core interleaves groups of as many micro-batches as stages, unless another size is set, and refuses "
        "to leave some over: {micro_batches} on {pipeline_parallel}."
    )


FORMULAS = formulas_of(globals())


def micro_batch() -> Any:
    """Sequences of one micro-batch."""
    return quantity(
        1,
        "sequence",
        "Micro-batch",
        hard=(1, 100e3),
        slider=(1, 32),
        scale="log",
        doubling=True,
        whole=True,
        help="Sequences that one data-parallel rank works on at once.",
        group=BATCH,
        aliases=("micro_batch_size",),
    )


def micro_batches() -> Any:
    """Micro-batches of one optimizer step."""
    return quantity(
        32,
        "micro-batch",
        "Micro-batches per step",
        hard=(1, 1e6),
        slider=(1, 256),
        scale="log",
        doubling=True,
        whole=True,
        help="How many of them a pipeline runs through per optimizer step. Fewer than stages leave stages idle.",
        group=BATCH,
    )


def _degree(
    otherwise: Default | tuple[Default, ...],
    label: str,
    help: str,  # noqa: A002  the word readers know
    alias: str,
    *,
    hard: float = 100e3,
    usual: float = 64,
) -> Any:
    return quantity(
        otherwise,
        "rank",
        label,
        hard=(1, hard),
        slider=(1, usual),
        scale="log",
        doubling=True,
        whole=True,
        help=help,
        group=SHARD,
        aliases=(alias,),
    )


def pipeline_parallel(default: float) -> Any:
    """Stages of the pipeline."""
    return _degree(default, "Pipeline parallel", "Stages of consecutive layers.", "pp", hard=10_000)


def data_parallel(default: float) -> Any:
    """Replicas, as many as the GPUs make where their number is given."""
    return _degree(
        (computed("layout_replicas", "what the GPUs make", when=("gpus",)), default),
        "Data parallel",
        "Replicas that each take their own sequences; ZeRO shards over them.",
        "dp",
        usual=1024,
    )


def context_parallel() -> Any:
    """Ranks that share each sequence."""
    return _degree(1, "Context parallel", "GPUs that share each sequence.", "cp", hard=10_000)


def expert_parallel() -> Any:
    """Ranks among which experts are spread."""
    return _degree(
        1, "Expert parallel", "GPUs among which a layer's experts are spread, taken from the data-parallel ranks.", "ep"
    )


def expert_tensor_parallel() -> Any:
    """Ranks that share each expert."""
    return _degree(
        computed("tensor_parallel", "as tensor parallel"),
        "Expert tensor parallel",
        "GPUs that share each expert's matrices. 1 leaves experts whole, and more ranks to spread them over.",
        "etp",
        hard=1024,
        usual=32,
    )


def sequence_parallel() -> Any:
    """Whether tensor ranks also split what lies between the blocks."""
    return switch(
        default=True,
        label="Sequence parallel",
        help="Tensor ranks also split what lies between the blocks, along the sequence.",
        group=SHARD,
        aliases=("sp",),
    )


def interleave() -> Any:
    """Groups of layers for each stage."""
    return quantity(
        1,
        "1",
        "Pipeline interleaving",
        hard=(1, 1000),
        slider=(1, 8),
        whole=True,
        help="Groups of layers per stage. More of them shorten the pipeline's bubble and keep more activations.",
        group=SHARD,
        aliases=("virtual_pipeline_parallel", "vpp"),
    )


def zero_stage() -> Any:
    """What data-parallel ranks share."""
    return choice(
        "1",
        "ZeRO stage",
        {
            "0": Option(value=0, label="0: every replica holds everything"),
            "1": Option(value=1, label="1: shard the optimizer"),
            "2": Option(value=2, label="2: and the gradients"),
            "3": Option(value=3, label="3: and the weights (FSDP)"),
        },
        help="What data-parallel ranks share instead of each holding it.",
        group=SHARD,
        aliases=("zero",),
    )


def gradient_bytes() -> Any:
    """Bytes of one gradient."""
    return quantity(
        facts.fact(f"{RECIPE}.gradient_bytes"),
        "B/parameter",
        "Bytes per gradient",
        hard=(0, 16),
        slider=(0, 8),
        help="4 where micro-batches are summed in fp32.",
        group=PRECISION,
    )


def activation_bytes() -> Any:
    """Bytes of one activation."""
    return quantity(
        2,
        "B/value",
        "Bytes per activation",
        hard=(0.5, 8),
        slider=(1, 4),
        help="2 for bf16. Dropout masks are counted at half of it.",
        group=PRECISION,
    )

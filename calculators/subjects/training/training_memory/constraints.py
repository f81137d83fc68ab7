"""Constraints on a training layout: divisibility of heads, layers and experts."""

from calculators.declare import AnyFormula, constraint, formulas_of
from calculators.llm.heads import active_within_all, enough_experts, enough_heads, heads_divide, uneven_kv_heads

_BF16 = 2


@constraint("kv_heads", speaks="heads=96&kv_heads=12&tp=8", silent="tp=16")
def kv_heads_divide(kv_heads: float, tensor_parallel: float, kv_lora_rank: float) -> str:
    """Ranks share the key-value heads evenly, or each head is kept on equally many ranks; latent attention has none."""
    return "" if kv_lora_rank > 0 else uneven_kv_heads(kv_heads, tensor_parallel)


@constraint(
    "weight_bytes_trained",
    speaks="accelerator=a100-sxm-80gb&recipe=recipe-deepseek-fp8",
    silent="recipe=recipe-deepseek-fp8",
)
def narrow_weights_have_units(weight_bytes_trained: float, fp8_speedup: float | None) -> str:
    """Weights of 8 bits are multiplied in 8 bits, for which a device needs units."""
    if weight_bytes_trained >= _BF16 or fp8_speedup:
        return ""
    return (
        "Training with {weight_bytes_trained} needs FP8 units, which this accelerator does not have: choose a recipe "
        "in bf16, or enter its 8-bit speedup"
    )


@constraint("dense_layers", speaks="dense_layers=81", silent="dense_layers=80")
def enough_layers(dense_layers: float, layers: float) -> str:
    """Dense layers are some of the layers."""
    return "" if dense_layers <= layers else "Leading dense layers must be at most {layers}, not {dense_layers}"


@constraint(
    "expert_parallel",
    speaks="model=mixtral-8x7b&expert_parallel=8&dp=4",
    silent="model=mixtral-8x7b&expert_parallel=8&dp=8",
)
def experts_divide(
    expert_parallel: float,
    expert_tensor_parallel: float,
    tensor_parallel: float,
    data_parallel: float,
    context_parallel: float,
) -> str:
    """Experts are spread over whole ranks of the tensor-, data- and context-parallel groups."""
    if (tensor_parallel * data_parallel * context_parallel) % (expert_tensor_parallel * expert_parallel):
        return (
            "Expert parallel × expert tensor parallel must divide tensor parallel × data parallel × context parallel, "
            "whose ranks they use: {expert_parallel} × {expert_tensor_parallel} does not divide "
            "{tensor_parallel} × {data_parallel} × {context_parallel}"
        )
    return ""


@constraint("shard_group", speaks="shard_group=3", silent="shard_group=4")
def groups_divide(shard_group: float, data_ranks: float) -> str:
    """Shard groups are of one size, and together all data-parallel ranks."""
    if data_ranks % shard_group == 0:
        return ""
    return "The ZeRO shard group must divide data parallel × context parallel, {data_ranks}: {shard_group} does not"


CONSTRAINTS: tuple[AnyFormula, ...] = (
    active_within_all,
    heads_divide,
    enough_heads,
    enough_experts,
    *formulas_of(globals()),
)

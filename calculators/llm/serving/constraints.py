"""Constraints on a served model and its parallelism, and warnings where they do not divide evenly."""

from calculators.declare import AnyFormula, constraint, formulas_of, warning
from calculators.llm.heads import active_within_all, enough_experts, enough_heads, serving_heads_divide
from calculators.llm.serving.attention import LATENT_WIDTH, Attention
from calculators.llm.shape import MOSTLY_TABLES, is_small

_ROUNDING = 1e-9
# Verdicts on replicas, which hold for engines that start
_ON_THE_ENGINE = (
    *("serving_fits", "targets_met", "enough_replicas", "replica_failure", "offload_pays_off", "engine_fits"),
    *("pools_wait", "split_chosen", "transfer_hidden"),
)


_NOT_DENSE = (
    "Only {active_parameters} of {parameters} are active, so this is a mixture of experts: "
    "give its experts and experts per token"
)
_TOO_FEW_ACTIVE = (
    "{experts_per_token} of {experts} is a larger share than {active_parameters} of {parameters}: "
    "give more active parameters or fewer experts per token"
)
_ALL_ACTIVE = (
    "With {experts_per_token} of {experts} not all {parameters} can be active: "
    "give all parameters as well, or the active ones"
)


@constraint("experts", speaks="parameters=70B&active_parameters=10B", silent="model=deepseek-v3")
def experts_explain_active(
    active_parameters: float, parameters: float, experts: float, experts_per_token: float
) -> str:
    """Inactive parameters belong to experts that a token does not choose, so they bound the active ones."""
    chosen = experts_per_token / experts
    if chosen > 1 or active_parameters > parameters * (1 + _ROUNDING):
        return ""
    if chosen == 1:
        dense = active_parameters >= parameters * (1 - _ROUNDING)
        return "" if dense else _NOT_DENSE
    if active_parameters < parameters * chosen * (1 - _ROUNDING):
        return _TOO_FEW_ACTIVE
    return _ALL_ACTIVE if active_parameters >= parameters else ""


@constraint("attention_layers", speaks="attention_layers=100", silent="attention_layers=40")
def attention_within_layers(attention_layers: float, layers: float, state_per_sequence: float) -> str:
    """Attention layers are at most all layers; a model without them keeps a state instead."""
    if attention_layers == 0 and state_per_sequence == 0:
        return "A model without attention layers keeps a state: give its state per sequence, which is 0 B"
    return (
        "" if attention_layers <= layers else "Layers with attention must be at most {layers}, not {attention_layers}"
    )


@constraint("kv_heads", speaks="attention=mha&heads=64&kv_heads=8", silent="attention=mha&heads=64&kv_heads=64")
def mha_kv_heads(attention: Attention, kv_heads: float, heads: float) -> str:
    """Multi-head attention has as many key-value heads as query heads."""
    if attention != "mha" or kv_heads == heads:
        return ""
    return (
        "Multi-head attention needs as many key-value heads as attention heads, {heads}: "
        "for {kv_heads} choose grouped-query attention"
    )


@constraint("kv_lora_rank", speaks="kv_lora_rank=512", silent="attention=mla&kv_lora_rank=512")
def latent_belongs_to_latent_attention(attention: Attention, kv_lora_rank: float) -> str:
    """Only latent attention (MLA) has a latent."""
    if attention == "mla" or kv_lora_rank == 0:
        return ""
    return "A latent of {kv_lora_rank} belongs to latent attention (MLA): choose it, or leave the width out"


@constraint("serving_tensor_parallel", speaks="heads=96&kv_heads=12&tp=8", silent="heads=96&kv_heads=12&tp=24")
def cached_heads_divide(attention: Attention, kv_heads: float, serving_tensor_parallel: float) -> str:
    """Ranks hold equally many key-value heads, or equally many ranks hold the same one (vLLM's models assert it)."""
    if attention not in {"gqa", "hybrid"}:
        return ""
    if kv_heads % serving_tensor_parallel == 0 or serving_tensor_parallel % kv_heads == 0:
        return ""
    return (
        "{kv_heads} of keys and values do not divide evenly over {serving_tensor_parallel}: engines such as vLLM "
        "refuse it. Use a divisor of {kv_heads}, or a multiple, whose ranks hold copies"
    )


@constraint(
    "serving_expert_parallel", speaks="serving_expert_parallel=8", silent="model=deepseek-v3&serving_expert_parallel=16"
)
def groups_share_experts(
    serving_expert_parallel: float, serving_tensor_parallel: float, experts: float, expert_groups: float
) -> str:
    """Experts are divided over whole tensor-parallel groups, and every GPU has at least one."""
    if serving_expert_parallel > experts:
        return (
            "{experts} cannot be divided over {serving_expert_parallel}: "
            "use at most as many GPUs as experts, or give the experts"
        )
    if serving_expert_parallel <= serving_tensor_parallel:
        if serving_tensor_parallel % serving_expert_parallel == 0:
            return ""
        return (
            "{serving_tensor_parallel} cannot be divided into {serving_expert_parallel} that hold experts: "
            "use a divisor, or a multiple where groups of ranks share the experts"
        )
    if expert_groups % 1:
        return "{serving_expert_parallel} cannot form whole groups of {serving_tensor_parallel}: use a multiple"
    return ""


@constraint("kv_lora_rank", speaks="attention=mla&kv_lora_rank=0", silent="attention=mla")
def latent_has_width(attention: Attention, kv_lora_rank: float) -> str:
    """Latent attention caches its latent, so the latent has a width."""
    if attention != "mla" or kv_lora_rank > 0:
        return ""
    return f"MLA latent width must be above 0 with latent attention: DeepSeek's is {LATENT_WIDTH:.0f}"


@constraint("logged_cache_memory", speaks="logged_cache_memory=100GB", silent="logged_cache_memory=50GB")
def log_within_memory(logged_cache_memory: float | None, gpu_memory: float) -> str:
    """KV-cache memory that an engine logged is at most the memory of the GPU."""
    if logged_cache_memory is None or logged_cache_memory <= gpu_memory:
        return ""
    return (
        "Available KV-cache memory from the engine log must be at most the GPU's {gpu_memory}, not "
        "{logged_cache_memory}: choose the accelerator that the log is from, or divide the figure if it is for several"
    )


@warning(speaks="model=deepseek-v3&serving_expert_parallel=24", silent="model=deepseek-v3")
def uneven_experts(experts: float, serving_expert_parallel: float) -> str:
    """Experts that do not divide evenly: the GPU with the most of them is fuller than calculated."""
    if experts % serving_expert_parallel == 0:
        return ""
    return (
        "{experts} cannot be divided evenly over {serving_expert_parallel}: memory is calculated as if they could. "
        "Engines refuse it, give some GPUs one expert more, or replicate popular experts until the division is even."
    )


@warning(speaks="ffn_hidden=1001", silent="", refuses=_ON_THE_ENGINE)
def uneven_served_block(
    ffn_hidden: float,
    usual_ffn_hidden: float,
    likely_ffn_hidden: float,
    experts: float,
    serving_tensor_parallel: float,
    serving_expert_parallel: float,
) -> str:
    """A feed-forward block that ranks cannot share evenly; a default width is only an estimate."""
    if ffn_hidden % serving_tensor_parallel == 0 or ffn_hidden in {usual_ffn_hidden, likely_ffn_hidden}:
        return ""
    if experts > 1 and serving_expert_parallel > 1:
        return ""
    return (
        "A feed-forward width of {ffn_hidden} does not divide evenly over {serving_tensor_parallel}: "
        "engines such as vLLM refuse it, unless the weights are padded."
    )


@warning(speaks="model=gpt-3-175b&context=4096", silent="model=gpt-3-175b&context=2048")
def context_beyond_positions(context: float, positions: float | None) -> str:
    """A context longer than the model supports."""
    if positions is None or context <= positions:
        return ""
    return (
        "A context of {context} is more than the {positions} that the model supports: memory is calculated, but "
        "expect no useful output there unless the model's context is extended."
    )


@warning(speaks="model=none&parameters=500M", silent="model=none&parameters=500M&layers=24")
def small_served_model(
    parameters: float,
    layers: float,
    likely_layers: float,
    sized_layers: float,
    input_table_parameters: float,
    output_parameters: float,
    count_correction: float,
) -> str:
    """A small model of which only the size is known: embedding tables of a large vocabulary leave it hardly a layer."""
    tables = (input_table_parameters + output_parameters) * count_correction
    is_estimated = layers in {likely_layers, sized_layers}
    return MOSTLY_TABLES if is_estimated and is_small(parameters, tables) else ""


CONSTRAINTS: tuple[AnyFormula, ...] = (
    active_within_all,
    enough_experts,
    enough_heads,
    serving_heads_divide,
    *formulas_of(globals()),
)

"""Where the numbers of the KV cache stop being good: what inputs cannot be together, and what to be warned of."""

from calculators.declare import AnyFormula, constraint, formulas_of, warning
from calculators.llm.heads import active_within_all, enough_experts, enough_heads, serving_heads_divide
from calculators.subjects.serving.kv_cache.attention import LATENT_WIDTH, Attention
from calculators.subjects.serving.kv_cache.capacity import LONGEST_CONTEXT

_ROUNDING = 1e-9
_FEW, _MOST = 0.2, 0.8
_NOT_DENSE = (
    "Only {active_parameters} of {parameters} are active, so this is a mixture of experts: "
    "give its experts and experts per token"
)
_TOO_FEW_ACTIVE = (
    "{experts_per_token} per token of {experts} is a larger part than {active_parameters} of {parameters}: "
    "more must be active, or fewer chosen"
)
_ALL_ACTIVE = (
    "With {experts_per_token} per token of {experts} not all {parameters} can be active: "
    "give all parameters as well, or those active"
)


@constraint("experts")
def experts_explain_active(
    active_parameters: float, parameters: float, experts: float, experts_per_token: float
) -> str:
    """What a token leaves unused are experts that it does not choose: without experts nothing, else at most those."""
    chosen = experts_per_token / experts
    if chosen > 1 or active_parameters > parameters * (1 + _ROUNDING):
        return ""
    if chosen == 1:
        dense = active_parameters >= parameters * (1 - _ROUNDING)
        return "" if dense else _NOT_DENSE
    if active_parameters < parameters * chosen * (1 - _ROUNDING):
        return _TOO_FEW_ACTIVE
    return _ALL_ACTIVE if active_parameters >= parameters else ""


@constraint("attention_layers")
def attention_within_layers(attention_layers: float, layers: float, state_per_sequence: float) -> str:
    """No model has more layers with attention than layers; one that has none keeps a state instead."""
    if attention_layers == 0 and state_per_sequence == 0:
        return "A model without layers with attention keeps a state: give its state per sequence, which is 0 B"
    return "" if attention_layers <= layers else "Layers with attention must not exceed {layers}"


@constraint("kv_heads")
def mha_kv_heads(attention: Attention, kv_heads: float, heads: float) -> str:
    """Multi-head attention has as many key-value heads as heads."""
    if attention != "mha" or kv_heads == heads:
        return ""
    return (
        "With multi-head attention each of {heads} has keys and values of its own, "
        "so key-value heads must be as many: with {kv_heads} choose grouped-query attention"
    )


@constraint("kv_lora_rank")
def latent_belongs_to_latent_attention(attention: Attention, kv_lora_rank: float) -> str:
    """No other attention has a latent."""
    if attention == "mla" or kv_lora_rank == 0:
        return ""
    return "A latent of {kv_lora_rank} belongs to latent attention: choose it, or leave the width out"


@constraint("serving_tensor_parallel")
def cached_heads_divide(attention: Attention, kv_heads: float, serving_tensor_parallel: float) -> str:
    """Ranks hold equally many key-value heads, or equally many ranks hold the same one (vLLM's models assert it)."""
    if attention not in {"gqa", "hybrid"}:
        return ""
    if kv_heads % serving_tensor_parallel == 0 or serving_tensor_parallel % kv_heads == 0:
        return ""
    return (
        "{kv_heads} of keys and values cannot be shared evenly by {serving_tensor_parallel}: "
        "engines such as vLLM refuse it, and take a divisor of {kv_heads} or a multiple, whose ranks hold copies"
    )


@constraint("serving_expert_parallel")
def groups_share_experts(
    serving_expert_parallel: float, serving_tensor_parallel: float, experts: float, expert_groups: float
) -> str:
    """Whole groups of tensor-parallel ranks share the experts, and every GPU has at least one."""
    if serving_expert_parallel > experts:
        return (
            "{experts} cannot be dealt out over {serving_expert_parallel}: "
            "at most as many would do, or give the experts"
        )
    if serving_expert_parallel <= serving_tensor_parallel:
        if serving_tensor_parallel % serving_expert_parallel == 0:
            return ""
        return (
            "{serving_tensor_parallel} cannot be divided into {serving_expert_parallel} that hold experts: "
            "engines take a divisor, or a multiple where groups of ranks share the experts"
        )
    if expert_groups % 1:
        return (
            "Whole groups of {serving_tensor_parallel} cannot be made of {serving_expert_parallel}: a multiple would do"
        )
    return ""


@constraint("kv_lora_rank")
def latent_has_width(attention: Attention, kv_lora_rank: float) -> str:
    """Latent attention caches its latent, so there must be one."""
    if attention != "mla" or kv_lora_rank > 0:
        return ""
    return f"MLA latent width must be above 0 with latent attention: DeepSeek's is {LATENT_WIDTH:.0f}"


@constraint("logged_cache_memory")
def log_within_memory(logged_cache_memory: float | None, gpu_memory: float) -> str:
    """No engine finds more room than the GPU has."""
    if logged_cache_memory is None or logged_cache_memory <= gpu_memory:
        return ""
    return (
        "Cache memory per GPU from a log must be at most its {gpu_memory}, not {logged_cache_memory}: "
        "choose the accelerator that the log is from, or divide the log's figure if it is for several GPUs"
    )


@warning
def heads_replicated(attention: Attention, cached_heads: float, serving_tensor_parallel: float) -> str:
    """More ranks than heads to share among them."""
    if serving_tensor_parallel <= cached_heads:
        return ""
    why = (
        "Latent attention has one cache for all heads"
        if attention == "mla"
        else "There are more tensor-parallel ranks than key-value heads"
    )
    return (
        why + ", so ranks hold copies, as in vLLM: each GPU keeps {cache_share_per_gpu} of the cache "
        "however many more there are, and all of them together hold it {cache_replication} times."
    )


@warning
def uneven_experts(experts: float, serving_expert_parallel: float) -> str:
    """Experts that are not dealt out evenly: the GPU with the most of them is fuller than counted."""
    if experts % serving_expert_parallel == 0:
        return ""
    return (
        "{experts} cannot be dealt out evenly over {serving_expert_parallel}: memory is counted as if they could. "
        "Engines refuse it, give some GPUs one more than others, or copy popular experts until they can."
    )


@warning
def uneven_served_block(
    ffn_hidden: float,
    usual_ffn_hidden: float,
    likely_ffn_hidden: float,
    experts: float,
    serving_tensor_parallel: float,
    serving_expert_parallel: float,
) -> str:
    """A feed-forward block that ranks cannot share evenly; a width that nobody gave is only a guess."""
    if ffn_hidden % serving_tensor_parallel == 0 or ffn_hidden in {usual_ffn_hidden, likely_ffn_hidden}:
        return ""
    if experts > 1 and serving_expert_parallel > 1:
        return ""
    return (
        "A feed-forward width of {ffn_hidden} cannot be shared evenly by {serving_tensor_parallel}: "
        "engines such as vLLM refuse it, unless the weights are padded."
    )


@warning
def log_contradicts_weights(
    logged_cache_memory: float | None, serving_weight_memory: float, serving_overhead: float, gpu_memory: float
) -> str:
    """The cache that an engine logged does not fit beside the weights that are counted here."""
    if logged_cache_memory is None or logged_cache_memory + serving_weight_memory + serving_overhead <= gpu_memory:
        return ""
    return (
        "The log's {logged_cache_memory} and weights of {serving_weight_memory} do not fit into {gpu_memory} together: "
        "another GPU, model or width of weights was logged than is set here."
    )


@warning
def context_beyond_positions(context: float, positions: float | None) -> str:
    """A sequence longer than the model knows positions."""
    if positions is None or context <= positions:
        return ""
    return (
        "A context of {context} is more than the {positions} this model is made for: "
        "the memory is counted, but no answer can be expected there unless the model is lengthened."
    )


@warning
def no_context_limit(max_context: float) -> str:
    """Memory sets no limit to the context."""
    if max_context < LONGEST_CONTEXT:
        return ""
    return "Memory sets no limit to the context here; what the model was trained for does."


@warning
def expert_popularity(experts_touched: float, experts: float) -> str:
    """Between few experts and all of them, which ones a batch chooses matters."""
    if not _FEW < experts_touched / experts < _MOST:
        return ""
    return (
        "In each layer a step is taken to touch {experts_touched}, of {experts} that are all equally popular: "
        "where sequences prefer the same ones, fewer weights are read and decoding may be faster than the bound."
    )


@warning
def speed_is_a_bound(decode_tokens_per_second: float) -> str:
    """The decoding speed is an upper bound, always."""
    if decode_tokens_per_second <= 0:
        return ""
    return (
        "{decode_tokens_per_second} is an upper bound, by memory bandwidth alone: engines measured stay below it, "
        "the more so with small models, many GPUs, mixtures of experts and large batches."
    )


@warning
def sequences_wait(sequences: float, max_sequences: float) -> str:
    """Sequences that must wait."""
    if sequences <= max_sequences or max_sequences <= 0:
        return ""
    return "Speeds are for the {max_sequences} with room at full context; the rest wait or are pushed out."


CAUTIONS: tuple[AnyFormula, ...] = (
    active_within_all,
    enough_experts,
    enough_heads,
    serving_heads_divide,
    *formulas_of(globals()),
)

# What cannot be together, or is dealt out unevenly, of any model that is served, whatever is asked of it.
SERVED_CHECKS: tuple[AnyFormula, ...] = (
    attention_within_layers,
    experts_explain_active,
    mha_kv_heads,
    latent_belongs_to_latent_attention,
    cached_heads_divide,
    groups_share_experts,
    latent_has_width,
    log_within_memory,
    uneven_experts,
    uneven_served_block,
)

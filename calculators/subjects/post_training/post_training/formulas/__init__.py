"""Formulas of post-training, in the order in which they are computed."""

from calculators.declare import AnyFormula
from calculators.llm import heads, shape
from calculators.llm.serving import (
    attention,
    batching,
    cache_size,
    compute,
    exchange,
    latency,
    memory,
    step,
    tokens,
    weight_reads,
)
from calculators.llm.size import MODEL_SIZE
from calculators.subjects.post_training.post_training.formulas import (
    demands,
    engine,
    lengths,
    loop,
    phases,
    results,
    trainer,
    work,
)

_DIMENSIONS_BY_SIZE = ("layers", "heads", "head_dim", "ffn_hidden")
# The decoding step of Inference, and what it is made of: the same formulas, so that both say the same.
DECODING: tuple[AnyFormula, ...] = (
    compute.product_bits,
    compute.serving_peak_flops,
    compute.typical_compute_efficiency,
    compute.typical_bandwidth_efficiency,
    compute.typical_expert_imbalance,
    compute.expert_traffic_time,
    compute.token_compute_time,
    compute.expert_compute_time,
    compute.attention_flops_rate,
    compute.sequence_decode_compute_time,
    compute.sequence_decode_expert_time,
    latency.typical_layer_latency,
    latency.typical_allreduce_latency,
    latency.token_allreduce_time,
    latency.sequence_own_latency,
    latency.fixed_latency,
    exchange.token_exchange_time,
    exchange.exchange_latency,
    step.extra_output_layer_read,
    step.cache_read_per_sequence,
    step.sequence_cache_time,
    tokens.accepted_tokens_per_step,
    batching.shared_read_time,
    batching.all_experts_time,
    batching.step_reads,
    batching.drafting,
    cache_size.cached_heads,
    cache_size.cached_values,
    cache_size.cache_entry,
    cache_size.cache_per_token,
    cache_size.cache_share_per_gpu,
    cache_size.cache_per_token_per_gpu,
    cache_size.global_layers,
    memory.routed_share,
    memory.expert_groups,
    memory.serving_weight_memory,
    memory.cache_budget,
    weight_reads.lookup_table_parameters,
    weight_reads.shared_weights_read,
    *attention.ATTENTION_FORMULAS,
    heads.heads_width,
    *MODEL_SIZE,
    *(one for one in shape.LIKELY_SHAPE if one.name.partition("_")[2] in _DIMENSIONS_BY_SIZE),
)

FORMULAS: tuple[AnyFormula, ...] = (
    *work.FORMULAS,
    *lengths.FORMULAS,
    *engine.FORMULAS,
    *trainer.FORMULAS,
    *loop.FORMULAS,
    *results.FORMULAS,
    *phases.FORMULAS,
    *demands.FORMULAS,
    *DECODING,
)

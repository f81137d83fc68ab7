"""Compute: FLOPs of prefill and decode, and the rate at which engines do them in each precision."""

from calculators import facts
from calculators.declare import formulas_of, step
from calculators.llm.serving.engine import Arithmetic

_WIDEST, _NARROW, _NARROWEST = 16, 8, 4
_EIGHT_BITS_BELOW, _FOUR_BITS_BELOW = 1.5, 0.75  # bytes a weight, scales included
_DENSE = float(facts.fact("serving-compute-efficiency").value)
_EXPERTS = float(facts.fact("serving-compute-efficiency-experts").value)
_BANDWIDTH = float(facts.fact("serving-bandwidth-efficiency").value)
_IMBALANCE = float(facts.fact("serving-expert-imbalance").value)
_FOUR_BITS = float(facts.fact("serving-compute-efficiency-fp4").value)
_EXPERT_TRAFFIC = float(facts.fact("serving-expert-traffic").value)
_ATTENTION = float(facts.fact("serving-attention-efficiency.wide").value)
_ATTENTION_NARROW = float(facts.fact("serving-attention-efficiency.narrow").value)
_SMALL_HEADS = float(facts.fact("serving-attention-efficiency.small_heads").value)
_SMALL_HEADS_FP4 = float(facts.fact("serving-attention-efficiency.small_heads_fp4").value)
_SMALL = 64


@step("1", "Bits of matrix products")
def product_bits(
    arithmetic: Arithmetic, weight_bytes: float, peak_flops_fp8: float | None, peak_flops_fp4: float | None
) -> float:
    """Precision of matrix products [1]: 16, 8 or 4 bits, as narrow as weights and GPU allow unless it is set.

    Weights narrower than anything the GPU multiplies are dequantized to 16 bits, as 4 bits are before Blackwell.

    >>> product_bits("auto", 1, 1979, None), product_bits("auto", 0.5, 1979, None), product_bits("auto", 0.5, 1, 1)
    (8, 16, 4)
    """
    if arithmetic == "4" or (arithmetic == "auto" and weight_bytes < _FOUR_BITS_BELOW):
        return _WIDEST if peak_flops_fp4 is None else _NARROWEST
    if arithmetic == "8" or (arithmetic == "auto" and weight_bytes < _EIGHT_BITS_BELOW):
        return _WIDEST if peak_flops_fp8 is None else _NARROW
    return _WIDEST


@step("FLOP/s", "Peak FLOPs at the compute precision")
def serving_peak_flops(
    product_bits: float, peak_flops: float, peak_flops_fp8: float | None, peak_flops_fp4: float | None
) -> float:
    """Peak rate of one GPU in the precision of its matrix products [FLOP/s]."""
    rate = peak_flops_fp4 if product_bits == _NARROWEST else peak_flops_fp8 if product_bits == _NARROW else peak_flops
    return peak_flops if rate is None else rate


@step("share", "Typical compute efficiency")
def typical_compute_efficiency(experts: float, product_bits: float, device_efficiency: float) -> float:
    """Share of peak FLOPs that matrix products reach [share]: less in 4 bits, and less with a mixture of experts."""
    narrow = _FOUR_BITS if product_bits == _NARROWEST else _DENSE
    return min(1, (min(narrow, _EXPERTS) if experts > 1 else narrow) * device_efficiency)


@step("share", "Typical memory bandwidth efficiency")
def typical_bandwidth_efficiency(device_efficiency: float) -> float:
    """Share of the datasheet's memory bandwidth that engines reach [share].

    >>> typical_bandwidth_efficiency(1), typical_bandwidth_efficiency(0.5), typical_bandwidth_efficiency(2)
    (0.8, 0.4, 1)
    """
    return min(1, _BANDWIDTH * device_efficiency)


@step("1", "Typical expert load imbalance")
def typical_expert_imbalance(experts: float, serving_expert_parallel: float) -> float:
    """Load of the fullest GPU over the mean [1]: 1 in dense models, and where every GPU has a slice of each expert."""
    return _IMBALANCE if experts > 1 and serving_expert_parallel > 1 else 1


@step("FLOP", "Attention FLOPs of a prompt", rises_with=("input_tokens",))
def prompt_attention_flops(
    attention_layers: float,
    global_layers: float,
    window: float,
    attention_width: float,
    uncached_input_tokens: float,
    input_tokens: float,
    prefix_cache_hit_rate: float,
) -> float:
    """FLOPs of scores and sums over one prompt [FLOP]: four for each pair of tokens and each unit of width.

    Each uncached token attends to the cached tokens and the uncached ones before it; in sliding-window layers at most
    to the window.

    >>> prompt_attention_flops(80, 80, 0, 8192, 4000, 4000, 0)
    20971520000000.0
    """
    pairs = uncached_input_tokens * input_tokens * prefix_cache_hit_rate + uncached_input_tokens**2 / 2
    seen = global_layers * pairs + (attention_layers - global_layers) * min(pairs, uncached_input_tokens * window)
    return 4 * attention_width * seen


@step("FLOP", "Prefill FLOPs of a prompt", source="pope-2022", rises_with=("input_tokens",))
def prefill_flops(
    active_parameters: float,
    lookup_table_parameters: float,
    uncached_input_tokens: float,
    prompt_attention_flops: float,
) -> float:
    """FLOPs to prefill one prompt [FLOP]: two for each active parameter and uncached token, and attention."""
    return 2 * max(0, active_parameters - lookup_table_parameters) * uncached_input_tokens + prompt_attention_flops


@step("FLOP", "FLOPs per sequence and step")
def sequence_flops(
    active_parameters: float,
    lookup_table_parameters: float,
    sequence_tokens: float,
    prompt_attention_flops: float,
    output_tokens: float,
    accepted_tokens_per_step: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """FLOPs of a step for each concurrent sequence [FLOP], its share of prefill included."""
    of_prompts = 0 if disaggregated else prompt_attention_flops * accepted_tokens_per_step / output_tokens
    return 2 * max(0, active_parameters - lookup_table_parameters) * sequence_tokens + of_prompts


@step("s", "Expert traffic time per token, all ranks")
def expert_traffic_time(
    expert_layers: float,
    experts_per_token: float,
    expert_hidden: float,
    memory_bandwidth: float,
    bandwidth_efficiency: float,
) -> float:
    """Time to move a token's copies in memory on all ranks together [s], so many bytes a value; 0 in a dense model.

    Each expert that receives a copy gathers it, scales it, writes it between two products and sums it up.

    >>> round(expert_traffic_time(10, 2, 1000, 1e12, 0.8) * 1e9)
    1000
    """
    values = expert_layers * experts_per_token * expert_hidden
    return values * _EXPERT_TRAFFIC / (memory_bandwidth * bandwidth_efficiency)


@step("s", "Compute time per token, all ranks", falls_with=("compute_efficiency",))
def token_compute_time(
    active_parameters: float,
    lookup_table_parameters: float,
    serving_tensor_parallel: float,
    serving_peak_flops: float,
    compute_efficiency: float,
    expert_traffic_time: float,
) -> float:
    """Time that the ranks of a replica compute for one token, attention left out [s].

    Matrix products, two FLOPs for each parameter, and the traffic of its copies in layers with experts.

    >>> [round(token_compute_time(8e9, 0, 1, 100e12, 0.5, traffic) * 1e6) for traffic in (0, 1e-6)]
    [320, 321]
    """
    products = 2 * max(0, active_parameters - lookup_table_parameters) / (serving_peak_flops * compute_efficiency)
    return (products + expert_traffic_time) / serving_tensor_parallel


@step("s", "Expert compute time per token, all ranks", falls_with=("compute_efficiency",))
def expert_compute_time(
    parameters: float,
    routed_share: float,
    experts: float,
    experts_per_token: float,
    serving_tensor_parallel: float,
    serving_peak_flops: float,
    compute_efficiency: float,
    expert_traffic_time: float,
) -> float:
    """Part of a token's compute time that its routed experts take, traffic included [s]; 0 in a dense model.

    >>> round(expert_compute_time(8e9, 0.5, 4, 2, 1, 100e12, 0.5, 1e-6) * 1e6)
    81
    """
    products = 2 * parameters * routed_share * experts_per_token / experts / (serving_peak_flops * compute_efficiency)
    return (products + expert_traffic_time) / serving_tensor_parallel if routed_share else 0


@step("FLOP/s", "FLOPs of attention kernels", source="aiconfigurator-systems")
def attention_flops_rate(
    peak_flops: float,
    peak_flops_fp8: float | None,
    peak_flops_fp4: float | None,
    cache_bytes: float,
    head_dim: float,
    device_efficiency: float,
) -> float:
    """Rate at which one GPU attends over a prompt [FLOP/s]: a share of the 16-bit peak, larger over a cache in 8 bits.

    Scores and sums are products of activations, which weights in 4 bits do not make narrower. Each score is one
    exponential however wide its head: heads of 64 values do half the products for it, and a GPU with units for 4 bits
    is faster in products alone.

    >>> [attention_flops_rate(989e12, fp8, None, *of, 1) / 1e12 for fp8, of in ((1979e12, (2, 128)), (None, (1, 128)))]
    [494.5, 494.5]
    >>> round(attention_flops_rate(989e12, 1979e12, None, 1, 128, 1) / 1e12, 2)
    642.85
    >>> [round(attention_flops_rate(1e15, 2e15, fp4, 2, 64, 1) / 1e12) for fp4 in (None, 4e15)]
    [390, 295]
    """
    narrow = peak_flops_fp8 is not None and cache_bytes <= 1
    small = _SMALL_HEADS if peak_flops_fp4 is None else _SMALL_HEADS_FP4
    share = (_ATTENTION_NARROW if narrow else _ATTENTION) * (small if head_dim <= _SMALL else 1)
    return peak_flops * min(1, share * device_efficiency)


@step("s", "Compute time per sequence and step", falls_with=("compute_efficiency",))
def sequence_compute_time(
    token_compute_time: float,
    sequence_tokens: float,
    prompt_attention_flops: float,
    output_tokens: float,
    accepted_tokens_per_step: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
    serving_tensor_parallel: float,
    attention_flops_rate: float,
    sequence_decode_compute_time: float,
    expert_imbalance: float,
) -> float:
    """Time that the busiest ranks compute for one sequence of a step [s], at the efficiency that engines reach.

    Its share of prefill is spread over experts as evenly as thousands of tokens are.

    >>> round(sequence_compute_time(1e-6, 9, 4e12, 500, 2, False, 4, 400e12, 2e-6, 1.25), 8)
    1.94e-05
    """
    of_prompts = 0 if disaggregated else prompt_attention_flops * accepted_tokens_per_step / output_tokens
    even = sequence_tokens * token_compute_time + of_prompts / (serving_tensor_parallel * attention_flops_rate)
    return even + sequence_decode_compute_time * (1 - 1 / expert_imbalance)


@step("s", "Compute time per sequence and step, decode only", falls_with=("compute_efficiency",))
def sequence_decode_compute_time(token_compute_time: float, draft_tokens: float, expert_imbalance: float) -> float:
    """Time that the busiest ranks compute for one sequence of a step without prefill [s].

    >>> sequence_decode_compute_time(160e-6, 1, 1)
    0.00032
    """
    return token_compute_time * expert_imbalance * (draft_tokens + 1)


@step("s", "Expert compute time per sequence and step, decode only")
def sequence_decode_expert_time(expert_compute_time: float, draft_tokens: float, expert_imbalance: float) -> float:
    """Time that the busiest ranks compute in experts for one sequence of a step without prefill [s].

    >>> sequence_decode_expert_time(80e-6, 1, 1)
    0.00016
    """
    return expert_compute_time * expert_imbalance * (draft_tokens + 1)


@step("s", "Expert compute time per sequence and step")
def sequence_expert_time(
    expert_compute_time: float, sequence_tokens: float, sequence_decode_expert_time: float, expert_imbalance: float
) -> float:
    """Time that the busiest ranks compute in experts for one sequence of a step [s], its share of prefill included.

    >>> sequence_expert_time(80e-6, 9, 80e-6, 1)
    0.00072
    """
    return sequence_tokens * expert_compute_time + sequence_decode_expert_time * (1 - 1 / expert_imbalance)


@step("s", "Compute time of a step")
def serving_compute_time(concurrent_sequences: float, sequence_compute_time: float) -> float:
    """Time that all ranks compute in a step [s]."""
    return concurrent_sequences * sequence_compute_time


FORMULAS = formulas_of(globals())

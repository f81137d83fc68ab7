"""Warnings where the predictions of inference are less accurate, and how far published runs were off."""

from calculators import facts
from calculators.declare import constraint, formulas_of, warning
from calculators.llm.serving.attention import Attention
from calculators.llm.serving.engine import Arithmetic, PrefillSchedule
from calculators.subjects.serving.inference.formulas.band import (
    FASTEST_TESTED,
    FEW_EXPERTS,
    LONG_PROMPT,
    MOST_EXPERTS,
    ONE_DOMAIN,
    decided_by_engine,
    is_widened,
    narrow_mixture,
    shared_by_groups,
)
from calculators.subjects.serving.inference.inputs.fleet import Tier

_H100_PEAK = float(facts.fact("h100-sxm.peak_flops").value)
_H100_PRICE = float(facts.fact("price-per-gpu-hour-h100").value)
_GROUPS_OFF = facts.fact("serving-band.groups").text
_NARROW_OFF = facts.fact("serving-band.narrow_experts").text
_LONG_OFF = facts.fact("serving-band.long_prompts").text
_PCIE_5 = facts.fact("pcie-5-x16.one_way")
_PCIE_6 = facts.fact("pcie-6-x16.one_way")
_C2C = facts.fact("nvlink-c2c-gh200.one_way")
_ENGINES = {
    name: f"{facts.fact(f'serving-engine-kernels.{name}').value:.0f}" for name in ("tensorrt_llm", "vllm", "sglang")
}
_HALF = 0.5
_NARROW_RANKS = 8
_WIDE = 2.0
_WIDEST_FOR_FOUR_BITS = 1.5  # attention and tables in 16 bits: 1.03 in Gemma 4 31B
_WIDE_FOR_FOUR_BITS = 0.8
_MANY = 512


@constraint("arithmetic", speaks="accelerator=a100-sxm-80gb&arithmetic=8", silent="arithmetic=8&weight_bytes=1")
def compute_rate_known(arithmetic: Arithmetic, peak_flops_fp8: float | None, peak_flops_fp4: float | None) -> str:
    """A compute precision needs the GPU's peak rate in it."""
    if arithmetic == "8" and peak_flops_fp8 is None:
        return "This GPU has no rate for 8 bits: set the compute precision to auto, or give the 8-bit peak FLOPs"
    if arithmetic == "4" and peak_flops_fp4 is None:
        return "This GPU has no rate for 4 bits: set the compute precision to auto, or give the 4-bit peak FLOPs"
    return ""


@constraint("request_rate", speaks="concurrent_users=100&request_rate=5", silent="concurrent_users=100&think_time=10")
def rate_or_users(concurrent_users: float | None, request_rate: float, user_request_rate: float) -> str:
    """A request rate and concurrent users exclude each other: users send what follows from their number."""
    if concurrent_users is None or request_rate == user_request_rate:
        return ""
    return (
        "Requests per second and concurrent users exclude each other: {concurrent_users} users send "
        "{user_request_rate}; leave one of the two out"
    )


@constraint(
    "offload_bandwidth",
    speaks="offload_tier=storage&offload_bandwidth=51GB/s",
    silent="offload_tier=storage&offload_bandwidth=51GB/s&nic_bandwidth=100GB/s",
)
def offload_within_links(offload_tier: Tier, offload_bandwidth: float, nic_bandwidth: float) -> str:
    """A GPU reads shared storage over its network card, drives over PCIe, and host memory over C2C at most."""
    if offload_tier == "storage" and offload_bandwidth > nic_bandwidth:
        return (
            "Shared storage reaches a GPU over its network card: {offload_bandwidth} is more than {nic_bandwidth}. "
            "Give a lower read bandwidth, or the network bandwidth per GPU"
        )
    if offload_tier == "drives" and offload_bandwidth > _PCIE_6.value:
        return f"Drives reach a GPU over PCIe, {_PCIE_6.text} with version 6 and 16 lanes, not {{offload_bandwidth}}"
    if offload_tier == "host" and offload_bandwidth > _C2C.value:
        return f"Host memory reaches a GPU over {_C2C.text} of NVLink-C2C at most, not {{offload_bandwidth}}"
    return ""


@warning(speaks="offload_tier=host&offload_bandwidth=64GB/s", silent="offload_tier=host&offload_bandwidth=60GB/s")
def host_memory_over_pcie(offload_tier: Tier, offload_bandwidth: float) -> str:
    """Host memory faster than PCIe 5 carries."""
    if offload_tier != "host" or offload_bandwidth <= _PCIE_5.value:
        return ""
    return (
        "{offload_bandwidth} from host memory needs NVLink-C2C, as GH200 and GB200 have it, or PCIe 6: "
        f"PCIe 5 carries {_PCIE_5.text} to a GPU."
    )


@constraint("arithmetic", speaks="arithmetic=8", silent="arithmetic=8&weight_bytes=1")
def products_as_wide_as_weights(arithmetic: Arithmetic, weight_bytes: float) -> str:
    """Products in 8 or 4 bits take weights of that width; some parts, such as tables, may stay in 16 bits."""
    if arithmetic == "8" and weight_bytes >= _WIDE:
        return (
            "8-bit products need 8-bit weights, not {weight_bytes}: choose the weight precision fp8, or 1 byte per "
            "served weight, or set the compute precision to auto"
        )
    if arithmetic == "4" and weight_bytes >= _WIDEST_FOR_FOUR_BITS:
        return (
            "4-bit products need 4-bit weights, not {weight_bytes}: choose the weight precision nvfp4, or 0.56 bytes "
            "per served weight, or set the compute precision to auto"
        )
    return ""


@warning(speaks="accelerator=b200-sxm&precision=fp8&arithmetic=4", silent="accelerator=b200-sxm&precision=fp8")
def products_narrower_than_weights(arithmetic: Arithmetic, weight_bytes: float) -> str:
    """Products in 4 bits of weights that are 8 bits wide in the mean: right only for a mixture of 4 and 16 bits."""
    if arithmetic != "4" or weight_bytes < _WIDE_FOR_FOUR_BITS:
        return ""
    return (
        "4-bit products need 4-bit weights: with {weight_bytes} that holds only where some parts stay in 16 bits next "
        "to weights of 4. Weights in FP8 multiply in 8 bits: set the compute precision to auto."
    )


@warning(speaks="", silent="batch=1")
def target_within_band(max_sequences: float, tpot_at_least: float, tpot_at_most: float, tpot_target: float) -> str:
    """TPOT target within the range of published runs: it may be missed or met."""
    if max_sequences < 1 or not tpot_at_least <= tpot_target <= tpot_at_most:
        return ""
    return (
        "A full batch of {concurrent_sequences} has a TPOT of {tpot_at_least} to {tpot_at_most}, as far as published "
        "runs were from predictions, and the target is {tpot_target}: measure before you commit to it."
    )


@warning(speaks="layer_latency=1ms", silent="")
def latency_dominates(
    serving_latency_share: float,
    latency_time: float,
    layer_exchange_time: float,
    expert_layers: float,
    serving_expert_parallel: float,
    gpus_per_domain: float,
) -> str:
    """Fixed latency is more than half of a step, so faster memory does not help."""
    if serving_latency_share <= _HALF:
        return ""
    if layer_exchange_time * expert_layers > _HALF * latency_time:
        far = serving_expert_parallel > gpus_per_domain
        return (
            "{serving_latency_share} of a step is latency, most of it the all-to-all with experts on other "
            + ("nodes" if far else "GPUs")
            + ": "
            + ("a faster network, or experts within one scale-up domain," if far else "faster links, or fewer groups,")
            + " would help more than faster memory."
        )
    return (
        "{serving_latency_share} of a step is latency: faster memory or narrower weights help little here, "
        "fewer GPUs per replica or larger batches help more."
    )


@warning(speaks="weight_bytes=1", silent="")
def narrow_weights_many_ranks(weight_bytes: float, serving_tensor_parallel: float) -> str:
    """Quantized weights over many tensor-parallel ranks."""
    if weight_bytes >= _WIDE or serving_tensor_parallel < _NARROW_RANKS:
        return ""
    return (
        "With quantized weights over {serving_tensor_parallel} a step may not get faster: one tool's kernels for 70B "
        "take 9.94 ms in bf16 and 9.85 ms in fp8, because quantizing on the fly costs as much as it saves."
    )


@warning(speaks="sessions=10000", silent="sessions=10000&offload_tier=host")
def sessions_exceed_memory(
    sessions: float, resident_sessions: float, replicas: float | None, offload_tier: Tier
) -> str:
    """More sessions than GPU memory keeps, and no offload tier for the others."""
    if offload_tier != "none" or replicas is None or sessions <= resident_sessions * replicas:
        return ""
    return (
        "GPU memory keeps fewer than {sessions} of {session_context} ({resident_sessions} per replica), and there is "
        "no offload tier: KV caches are evicted before they are used again, and throughput collapses. In one published "
        "run twice the sessions (32 instead of 16, on four MI355X) served 1/6 of the requests; with host memory as a "
        "tier they did not collapse."
    )


@warning(speaks="model=deepseek-v3&accelerator=h200-sxm", silent="")
def cache_on_every_rank(attention: Attention, serving_tensor_parallel: float) -> str:
    """Latent attention (MLA) with its KV cache replicated on every rank."""
    if attention != "mla" or serving_tensor_parallel == 1:
        return ""
    return (
        "MLA keeps the whole KV cache on each of {serving_tensor_parallel}: with tensor parallelism 1 and expert "
        "parallelism over the GPUs (data-parallel attention), each GPU would hold different sequences."
    )


@warning(speaks="model=deepseek-v3&accelerator=h200-sxm&disaggregated=yes&batch=16", silent="")
def popular_experts(experts_touched: float, experts: float) -> str:
    """Between few experts and all of them, expert popularity decides how much a step reads."""
    if experts <= 1 or not FEW_EXPERTS < experts_touched / experts < MOST_EXPERTS:
        return ""
    return (
        "A step is assumed to read {experts_touched} of {experts} in each layer, all equally popular. Where sequences "
        "prefer the same experts it reads fewer: steps of MoE models were predicted up to {speed_understated} too "
        "long, and the range is as wide."
    )


@warning(speaks="input_tokens=20000", silent="input_tokens=20000&disaggregated=yes")
def long_prompts_mixed(
    input_tokens: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
    prefill_schedule: PrefillSchedule,
) -> str:
    """Prefill of long prompts in the same batches as decode."""
    if input_tokens <= LONG_PROMPT or disaggregated:
        return ""
    if prefill_schedule == "chunks":
        return (
            "Prefill of {input_tokens} in the same batches as decode: published runs of dense models with 20,000 and "
            "32,768 tokens match when prefill runs in whole chunks, but none is longer. The range is as wide as runs "
            "were off without chunks."
        )
    return (
        "Prefill of {input_tokens} in the same batches as decode: spread over all steps, published runs of 20,000 "
        f"tokens were predicted up to {_LONG_OFF} too fast; in whole chunks, as engines do, they match. The range is "
        "as wide."
    )


@warning(speaks="tp=16", silent="")
def beyond_nvlink_domain(serving_tensor_parallel: float, serving_expert_parallel: float) -> str:
    """More GPUs than the one scale-up domain on which constants were fitted."""
    if max(serving_tensor_parallel, serving_expert_parallel) <= ONE_DOMAIN:
        return ""
    return (
        "Constants are fitted within one NVLink domain of 8 GPUs. Beyond it the most popular experts delay the others, "
        "which is not counted: DeepSeek's production ran at half of its own profile, and the range is as wide."
    )


@warning(speaks="tp=16", silent="")
def ranks_leave_domain(serving_tensor_parallel: float, gpus_per_domain: float) -> str:
    """Tensor parallelism over the network, with two all-reduces in every layer."""
    if serving_tensor_parallel <= gpus_per_domain:
        return ""
    return (
        "Tensor parallelism over {serving_tensor_parallel} leaves the scale-up domain of {gpus_per_domain}: every "
        "layer then waits for the network twice, and steps are counted as if scale-up links reached all ranks."
    )


@warning(
    speaks="model=deepseek-v3&accelerator=h200-sxm&tp=1&serving_expert_parallel=32",
    silent="model=deepseek-v3&accelerator=h200-sxm",
)
def expert_groups_wait(experts: float, serving_tensor_parallel: float, serving_expert_parallel: float) -> str:
    """Groups of GPUs that share experts wait for the slowest group."""
    if not shared_by_groups(experts, serving_tensor_parallel, serving_expert_parallel):
        return ""
    return (
        "Groups of GPUs share the experts: each step waits for the fullest GPU, counted as {expert_imbalance} times "
        f"the mean for every model. Published runs of this kind were predicted up to {_GROUPS_OFF} too fast, and the "
        "range is as wide."
    )


@warning(speaks="model=deepseek-v3&weight_bytes=0.5", silent="weight_bytes=0.5")
def four_bit_experts(experts: float, weight_bytes: float) -> str:
    """A mixture of experts with 4-bit weights."""
    if not narrow_mixture(experts, weight_bytes):
        return ""
    return (
        "All matrix products are assumed to run in 4 bits. Published 4-bit MoE models keep attention in 16 bits, and "
        f"each expert sees few tokens: they were predicted up to {_NARROW_OFF} too fast, and the range is as wide."
    )


@warning(speaks="model=llama-3-1-405b&accelerator=a100-sxm-80gb&weight_bytes=1", silent="weight_bytes=1")
def dequantized_weights(product_bits: float, weight_bytes: float, parameters: float) -> str:
    """Quantized weights of a very large model that are dequantized before each product."""
    if not is_widened(product_bits, weight_bytes, parameters):
        return ""
    return (
        "Weights of {weight_bytes} are dequantized to 16 bits before each product: 405B on eight A100 was predicted "
        "64% too fast, and the range is as wide."
    )


@warning(speaks="batch=1", silent="batch=5")
def few_sequences(concurrent_sequences: float, serving_tensor_parallel: float) -> str:
    """A few sequences over several ranks: the engine decides."""
    if not decided_by_engine(concurrent_sequences, serving_tensor_parallel):
        return ""
    return (
        "{concurrent_sequences} over {serving_tensor_parallel}: latency of the engine's kernels decides. Those of "
        f"TensorRT-LLM 1.3 alone make {_ENGINES['tensorrt_llm']} tokens/s of Llama 3 70B over eight H100, vLLM 0.24's "
        f"{_ENGINES['vllm']} and SGLang 0.5.14's {_ENGINES['sglang']}, because all-reduces take 4, 23 and 31 µs; 86 "
        "are predicted. The range is as wide."
    )


@warning(speaks="batch=600", silent="batch=512")
def many_sequences(concurrent_sequences: float) -> str:
    """More concurrent sequences than the constants were fitted on."""
    if concurrent_sequences <= _MANY:
        return ""
    return (
        "{concurrent_sequences} per replica: constants are fitted on 1 to 512, and predictions beyond that were less "
        "accurate."
    )


@warning(speaks="accelerator=b200-sxm", silent="")
def outside_fitted_devices(memory_bandwidth: float, weight_bytes: float) -> str:
    """Devices and weight precisions for which no published run was fitted."""
    if memory_bandwidth <= FASTEST_TESTED and weight_bytes >= 1:
        return ""
    fitted = "Constants are fitted on A100 and H100 with weights of 1 and 2 bytes, and tested on H200: "
    if memory_bandwidth <= FASTEST_TESTED:
        return fitted + "narrower weights are outside that."
    return (
        fitted
        + "this GPU is outside that. Llama 3.1 405B on eight MI300X took 37 to 60% longer than predicted in 2024."
    )


@warning(speaks="peak_flops=2.5PFLOP/s", silent="")
def price_of_another_device(price_per_gpu_hour: float, peak_flops: float) -> str:
    """The rent of an H100 with the peak FLOPs of another device."""
    if price_per_gpu_hour != _H100_PRICE or peak_flops == _H100_PEAK:
        return ""
    return (
        "{price_per_gpu_hour} is the price of an H100, but {peak_flops} is the peak of another GPU: "
        "set its own price before comparing the cost per million tokens."
    )


FORMULAS = formulas_of(globals())

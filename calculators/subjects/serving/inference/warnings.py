"""Where the numbers of inference stop being good, and by how much: each widens what is to be believed."""

from calculators import facts
from calculators.declare import constraint, formulas_of, warning
from calculators.subjects.serving.inference.band import (
    FASTEST_TESTED,
    FEW_EXPERTS,
    LONG_PROMPT,
    MOST_EXPERTS,
    ONE_DOMAIN,
    is_widened,
    narrow_mixture,
    shared_by_groups,
)
from calculators.subjects.serving.inference.inputs import Arithmetic, PromptsRead, Tier
from calculators.subjects.serving.kv_cache.attention import Attention
from calculators.vocabulary.inputs import PRICE

_H100_PEAK = float(facts.fact("h100-sxm.peak_flops").value)
_H100_PRICE = float(facts.fact(PRICE).value)
_GROUPS_OFF = facts.fact("serving-band.groups").text
_NARROW_OFF = facts.fact("serving-band.narrow_experts").text
_HALF = 0.5
_NARROW_RANKS = 8
_WIDE = 2.0
_MANY = 512


@constraint("arithmetic")
def rate_is_known(arithmetic: Arithmetic, peak_flops_fp8: float | None, peak_flops_fp4: float | None) -> str:
    """Arithmetic that is asked for must have a rate."""
    if arithmetic == "8" and peak_flops_fp8 is None:
        return "This GPU has no rate for 8 bits: leave the arithmetic to the weights, or give the rate"
    if arithmetic == "4" and peak_flops_fp4 is None:
        return "This GPU has no rate for 4 bits: leave the arithmetic to the weights, or give the rate"
    return ""


@warning
def target_within_band(max_sequences: float, tpot_at_least: float, tpot_at_most: float, tpot_target: float) -> str:
    """A target that published runs like this may miss or meet."""
    if max_sequences < 1 or not tpot_at_least <= tpot_target <= tpot_at_most:
        return ""
    return (
        "The target of {tpot_target} lies between {tpot_at_least} and {tpot_at_most}, as far as published runs lay "
        "from what was predicted: measure before you promise."
    )


@warning
def mostly_latency(
    serving_latency_share: float,
    latency_time: float,
    layer_exchange_time: float,
    expert_layers: float,
    serving_expert_parallel: float,
    gpus_per_domain: float,
) -> str:
    """Where faster memory does not help."""
    if serving_latency_share <= _HALF:
        return ""
    if layer_exchange_time * expert_layers > _HALF * latency_time:
        far = serving_expert_parallel > gpus_per_domain
        return (
            "{serving_latency_share} of a step is latency, most of it tokens on their way to experts on other "
            + ("nodes" if far else "GPUs")
            + ": "
            + ("a faster network, or experts within one domain of links," if far else "faster links, or fewer groups,")
            + " gains more than faster memory."
        )
    return (
        "{serving_latency_share} of a step is latency: faster memory or narrower weights gain little here, "
        "fewer GPUs for each copy or larger batches more."
    )


@warning
def narrow_over_many(weight_bytes: float, serving_tensor_parallel: float) -> str:
    """Narrow weights over many ranks."""
    if weight_bytes >= _WIDE or serving_tensor_parallel < _NARROW_RANKS:
        return ""
    return (
        "With narrow weights over {serving_tensor_parallel} a step may gain nothing: a tool's kernels for 70B take "
        "9.94 ms in bf16 and 9.85 ms in fp8, because quantizing on the fly costs as much as it saves."
    )


@warning
def the_cliff(sessions: float, resident_sessions: float, copies: float | None, tier: Tier) -> str:
    """More sessions than memory keeps, and nowhere to put the others."""
    if tier != "none" or copies is None or sessions <= resident_sessions * copies:
        return ""
    return (
        "Memory keeps less than {sessions} of {session_context} ({resident_sessions} in each copy), and there is no "
        "tier behind it: caches are dropped before they are used again, and throughput falls off a cliff. Twice the "
        "sessions served a sixth as many requests in one published run (32 in place of 16, on four MI355X); with host "
        "memory as a tier they did not."
    )


@warning
def cache_on_every_rank(attention: Attention, serving_tensor_parallel: float) -> str:
    """Latent attention held on every rank."""
    if attention != "mla" or serving_tensor_parallel == 1:
        return ""
    return (
        "Latent attention keeps the whole cache on each of {serving_tensor_parallel}: with tensor parallel 1 and "
        "experts dealt out over the GPUs every GPU would hold other sequences."
    )


@warning
def popular_experts(experts_touched: float, experts: float) -> str:
    """Between few experts and all, which are popular matters."""
    if experts <= 1 or not FEW_EXPERTS < experts_touched / experts < MOST_EXPERTS:
        return ""
    return (
        "A step is taken to read {experts_touched} of {experts} in each layer, all equally popular. Where sequences "
        "prefer the same ones it reads fewer: steps of mixtures were predicted up to {speed_understated} too long, and "
        "ranges reach as far."
    )


@warning
def long_prompts_along(
    prompt: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
    prompts_read: PromptsRead,
) -> str:
    """Long prompts in one batch with answers."""
    if prompt <= LONG_PROMPT or disaggregated:
        return ""
    if prompts_read == "chunks":
        return (
            "Prompts of {prompt} in one batch with answers: published rows of 20,000 tokens agree when they are read "
            "in whole chunks, but none is longer: ranges reach as far as rows were off without that."
        )
    return (
        "Prompts of {prompt} in one batch with answers: spread over all steps, published rows of 20,000 tokens were "
        "predicted up to 36 % too fast; read in whole chunks, as engines do, they agree. Ranges reach as far."
    )


@warning
def beyond_the_domain(serving_tensor_parallel: float, serving_expert_parallel: float) -> str:
    """More GPUs than one domain of links has."""
    if max(serving_tensor_parallel, serving_expert_parallel) <= ONE_DOMAIN:
        return ""
    return (
        "Fitted within one NVLink domain of eight. Beyond it popular experts hold the others up, which is not counted: "
        "DeepSeek's production ran at half of its own profile, and ranges reach as far."
    )


@warning
def ranks_leave_domain(serving_tensor_parallel: float, gpus_per_domain: float) -> str:
    """Ranks that wait for each other at every layer, over the network."""
    if serving_tensor_parallel <= gpus_per_domain:
        return ""
    return (
        "Tensor parallelism over {serving_tensor_parallel} leaves the scale-up domain of {gpus_per_domain}: every "
        "layer then waits for the network twice, and steps are counted as if links reached all ranks."
    )


@warning
def groups_wait(experts: float, serving_tensor_parallel: float, serving_expert_parallel: float) -> str:
    """Groups of GPUs that share experts wait for the fullest of them."""
    if not shared_by_groups(experts, serving_tensor_parallel, serving_expert_parallel):
        return ""
    return (
        "Groups of GPUs share the experts: each step waits for the group with most to read and for the most popular "
        f"experts, which is not counted. Published runs of this kind were predicted up to {_GROUPS_OFF} too fast, and "
        "ranges reach as far."
    )


@warning
def experts_in_four_bits(experts: float, weight_bytes: float) -> str:
    """A mixture whose weights have four bits."""
    if not narrow_mixture(experts, weight_bytes):
        return ""
    return (
        "Every product is taken to run in four bits. In mixtures published so, attention stays in 16 bits and experts "
        f"see few tokens each: they were predicted up to {_NARROW_OFF} too fast, and ranges reach as far."
    )


@warning
def widened_on_the_fly(product_bits: float, weight_bytes: float, parameters: float) -> str:
    """Narrow weights of a very large model that are widened before each product."""
    if not is_widened(product_bits, weight_bytes, parameters):
        return ""
    return (
        "Weights of {weight_bytes} are widened to 16 bits before each product: 405B on eight A100 was predicted "
        "64 % too fast, and ranges reach as far."
    )


@warning
def many_running(running: float) -> str:
    """More sequences than the constants were fitted on."""
    if running <= _MANY:
        return ""
    return "Fitted on 1 to 512 running sequences: {running} extend that, and predictions for them were less sure."


@warning
def checked_where_it_was_fitted(memory_bandwidth: float, weight_bytes: float) -> str:
    """Devices and precisions of which no row was fitted."""
    if memory_bandwidth <= FASTEST_TESTED and weight_bytes >= 1:
        return ""
    fitted = "Constants were fitted on A100 and H100, weights of one and two bytes, and tested on H200: "
    if memory_bandwidth <= FASTEST_TESTED:
        return fitted + "narrower weights extend that."
    return (
        fitted
        + "this device extends that. Llama 3.1 405B on eight MI300X took 37 to 60% longer than predicted in 2024."
    )


@warning
def price_of_another_device(price_per_gpu_hour: float, peak_flops: float) -> str:
    """The rent of an H100 beside the peak of another device."""
    if price_per_gpu_hour != _H100_PRICE or peak_flops == _H100_PEAK:
        return ""
    return (
        "{price_per_gpu_hour} is the price of an H100, and {peak_flops} is another device's peak: what a million "
        "tokens cost compares once its own is given."
    )


FORMULAS = formulas_of(globals())

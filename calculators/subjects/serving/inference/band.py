"""Between which ends published runs lay, where a speed is predicted: for time per token, throughput, GPUs and costs."""

from calculators import facts
from calculators.declare import formulas_of, step
from calculators.subjects.serving.inference import fleet

_BAND: float = facts.fact("serving-band.share").value
_LONG: float = facts.fact("serving-band.long_prompts").value
_EXPERTS: float = facts.fact("serving-band.experts").value
_BEYOND: float = facts.fact("serving-band.beyond_domain").value
_OVERLAP: float = facts.fact("serving-band.overlap").value
_WIDENED: float = facts.fact("serving-band.widened").value
_WIDENED_AGREED: float = facts.fact("serving-band.widened_agreed").value
LONG_PROMPT: float = facts.fact("serving-band.long_prompt").value
FEW_EXPERTS: float = facts.fact("serving-band.few_experts").value
MOST_EXPERTS: float = facts.fact("serving-band.most_experts").value
_GROUPS: float = facts.fact("serving-band.groups").value
_NARROW_EXPERTS: float = facts.fact("serving-band.narrow_experts").value
_FASTER: float = facts.fact("serving-band.faster_memory").value
FASTEST_TESTED = float(facts.fact("h200-sxm.memory_bandwidth").value)
ONE_DOMAIN: float = facts.fact("serving-band.domain").value
_WIDE_BITS, _WIDE_BYTES, _FOUR_BITS_BELOW = 16, 2, 0.75


def is_widened(product_bits: float, weight_bytes: float, parameters: float) -> bool:
    """Whether a model is served from narrow weights that are widened first, and larger than those that ran well so."""
    return product_bits == _WIDE_BITS and weight_bytes < _WIDE_BYTES and parameters > _WIDENED_AGREED


def shared_by_groups(experts: float, serving_tensor_parallel: float, serving_expert_parallel: float) -> bool:
    """Whether several groups of GPUs, each with sequences of its own, share a mixture's experts."""
    return experts > 1 and serving_expert_parallel > serving_tensor_parallel


def narrow_mixture(experts: float, weight_bytes: float) -> bool:
    """Whether it is a mixture whose weights have four bits."""
    return experts > 1 and weight_bytes < _FOUR_BITS_BELOW


def _behind(off: float) -> float:
    """What is left of a number that may be too large by this share; a fifth less at the least."""
    return min(1 - _BAND, 1 / (1 + off))


@step("share", "Runs slower than predicted", source="tensorrt-llm-perf")
def speed_overstated(
    input_tokens: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
    serving_tensor_parallel: float,
    serving_expert_parallel: float,
    product_bits: float,
    weight_bytes: float,
    parameters: float,
    memory_bandwidth: float,
    experts: float,
) -> float:
    """By how much predictions of speed were too high over published runs [share]: a fifth, and more for some.

    For prompts over 16,000 tokens in one batch with answers, for narrow weights of large models that are widened before
    each product, beyond one domain of links, where groups share experts, for mixtures in four bits, and on memory
    faster than any tested. The largest of them counts.

    >>> [speed_overstated(prompt, False, 8, 1, 16, 2, 70e9, 3.35e12, 1) for prompt in (16000, 16001)]
    [0.2, 0.36]
    """
    return max(
        _BAND,
        _LONG if input_tokens > LONG_PROMPT and not disaggregated else 0,
        _BEYOND if max(serving_tensor_parallel, serving_expert_parallel) > ONE_DOMAIN else 0,
        _GROUPS if shared_by_groups(experts, serving_tensor_parallel, serving_expert_parallel) else 0,
        _NARROW_EXPERTS if narrow_mixture(experts, weight_bytes) else 0,
        _WIDENED if is_widened(product_bits, weight_bytes, parameters) else 0,
        _FASTER if memory_bandwidth > FASTEST_TESTED else 0,
    )


@step("share", "Runs faster than predicted", source="aiconfigurator-systems")
def speed_understated(
    experts_touched: float, experts: float, serving_expert_parallel: float, gpus_per_domain: float
) -> float:
    """By how much predictions of speed were too low over published runs [share]: a fifth, and more for some mixtures.

    Between few of the experts and nearly all, popular ones make a step read less than is counted; over the network
    half of a batch may be on its way while the other half is computed.

    >>> [speed_understated(touched, 256, 8, 8) for touched in (51.2, 52, 204.8)]
    [0.2, 0.49, 0.2]
    >>> [speed_understated(experts, experts, 16, 8) for experts in (1, 2)]
    [0.2, 0.255]
    """
    return max(
        _BAND,
        _EXPERTS if FEW_EXPERTS < experts_touched / experts < MOST_EXPERTS else 0,
        _OVERLAP if experts > 1 and serving_expert_parallel > gpus_per_domain else 0,
    )


@step("s", "Time per output token, at least")
def tpot_at_least(tpot: float, speed_understated: float) -> float:
    """Time per output token [s] where runs are as much faster as published ones were."""
    return tpot * _behind(speed_understated)


@step("s", "Time per output token, at most")
def tpot_at_most(tpot: float, speed_overstated: float) -> float:
    """Time per output token [s] where runs are as much slower as published ones were."""
    return tpot * (1 + speed_overstated)


@step("token/s", "Tokens per second each user reads, at least")
def tokens_per_second_per_user_at_least(tokens_per_second_per_user: float, speed_overstated: float) -> float:
    """Tokens per second each user reads [token/s] where runs are as much slower as published ones were."""
    return tokens_per_second_per_user * _behind(speed_overstated)


@step("token/s", "Tokens per second each user reads, at most")
def tokens_per_second_per_user_at_most(tokens_per_second_per_user: float, speed_understated: float) -> float:
    """Tokens per second each user reads [token/s] where runs are as much faster as published ones were."""
    return tokens_per_second_per_user * (1 + speed_understated)


@step("token/s", "Tokens written per second and GPU, at least")
def serving_tokens_per_second_per_gpu_at_least(
    serving_tokens_per_second_per_gpu: float, speed_overstated: float
) -> float:
    """Tokens written for each GPU [token/s] where runs are as much slower as published ones were.

    >>> round(serving_tokens_per_second_per_gpu_at_least(100, 0.2), 2)
    80.0
    >>> round(serving_tokens_per_second_per_gpu_at_least(136, 0.36), 2)
    100.0
    """
    return serving_tokens_per_second_per_gpu * _behind(speed_overstated)


@step("token/s", "Tokens written per second and GPU, at most")
def serving_tokens_per_second_per_gpu_at_most(
    serving_tokens_per_second_per_gpu: float, speed_understated: float
) -> float:
    """Tokens written for each GPU [token/s] where runs are as much faster as published ones were."""
    return serving_tokens_per_second_per_gpu * (1 + speed_understated)


def _gpus_at(
    speed: float,
    serving_gpus: float | None,
    replicas: float | None,
    replicas_needed: float | None,
    request_rate: float,
    replica_request_rate: float,
    prefill_time: float,
    serving_max_sequences: float,
    target_utilization: float,
    spare_replicas: float,
    expert_groups: float,
    serving_tensor_parallel: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
) -> float | None:
    """GPUs where all runs at so many times its speed [GPU]; as many copies as were given, where they were."""
    if replicas is None or replicas != replicas_needed:
        return serving_gpus
    planned = (target_utilization, spare_replicas, expert_groups)
    writing = fleet.replicas_needed(request_rate, replica_request_rate * speed, serving_max_sequences, *planned)
    reading = fleet.prefill_replicas(request_rate, prefill_time / speed, *planned, disaggregated)
    return fleet.serving_gpus(writing, reading, serving_tensor_parallel)


@step("GPU", "GPUs, at least", not_applicable="no number of GPUs")
def serving_gpus_at_least(
    serving_gpus: float | None,
    replicas: float | None,
    replicas_needed: float | None,
    request_rate: float,
    replica_request_rate: float,
    prefill_time: float,
    serving_max_sequences: float,
    target_utilization: float,
    spare_replicas: float,
    expert_groups: float,
    serving_tensor_parallel: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
    speed_understated: float,
) -> float | None:
    """GPUs for the same traffic [GPU] where runs are as much faster as published ones were; given copies stay."""
    return _gpus_at(
        1 + speed_understated,
        serving_gpus,
        replicas,
        replicas_needed,
        request_rate,
        replica_request_rate,
        prefill_time,
        serving_max_sequences,
        target_utilization,
        spare_replicas,
        expert_groups,
        serving_tensor_parallel,
        disaggregated,
    )


@step("GPU", "GPUs, at most", not_applicable="no number of GPUs")
def serving_gpus_at_most(
    serving_gpus: float | None,
    replicas: float | None,
    replicas_needed: float | None,
    request_rate: float,
    replica_request_rate: float,
    prefill_time: float,
    serving_max_sequences: float,
    target_utilization: float,
    spare_replicas: float,
    expert_groups: float,
    serving_tensor_parallel: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
    speed_overstated: float,
) -> float | None:
    """GPUs for the same traffic [GPU] where runs are as much slower as published ones were; given copies stay."""
    return _gpus_at(
        _behind(speed_overstated),
        serving_gpus,
        replicas,
        replicas_needed,
        request_rate,
        replica_request_rate,
        prefill_time,
        serving_max_sequences,
        target_utilization,
        spare_replicas,
        expert_groups,
        serving_tensor_parallel,
        disaggregated,
    )


def _with(cost: float | None, now: float | None, then: float | None) -> float | None:
    """What this would cost with other GPUs than now [USD]."""
    return None if cost is None or now is None or then is None else cost * then / now


@step("USD", "A million tokens written, at least", not_applicable="no sum of money")
def cost_per_million_output_at_least(
    cost_per_million_output: float | None, serving_gpus: float | None, serving_gpus_at_least: float | None
) -> float | None:
    """What a million written tokens cost [USD] with as few GPUs as may do."""
    return _with(cost_per_million_output, serving_gpus, serving_gpus_at_least)


@step("USD", "A million tokens written, at most", not_applicable="no sum of money")
def cost_per_million_output_at_most(
    cost_per_million_output: float | None, serving_gpus: float | None, serving_gpus_at_most: float | None
) -> float | None:
    """What a million written tokens cost [USD] with as many GPUs as it may take."""
    return _with(cost_per_million_output, serving_gpus, serving_gpus_at_most)


@step("USD", "A million tokens read and written, at least", not_applicable="none")
def cost_per_million_total_at_least(
    cost_per_million_total: float | None, serving_gpus: float | None, serving_gpus_at_least: float | None
) -> float | None:
    """What a million tokens read and written cost [USD] with as few GPUs as may do."""
    return _with(cost_per_million_total, serving_gpus, serving_gpus_at_least)


@step("USD", "A million tokens read and written, at most", not_applicable="none")
def cost_per_million_total_at_most(
    cost_per_million_total: float | None, serving_gpus: float | None, serving_gpus_at_most: float | None
) -> float | None:
    """What a million tokens read and written cost [USD] with as many GPUs as it may take."""
    return _with(cost_per_million_total, serving_gpus, serving_gpus_at_most)


FORMULAS = formulas_of(globals())
BANDS = {
    name: (f"{name}_at_least", f"{name}_at_most")
    for name in (
        "serving_gpus",
        "tpot",
        "cost_per_million_output",
        "serving_tokens_per_second_per_gpu",
        "tokens_per_second_per_user",
        "cost_per_million_total",
    )
}

"""Ranges of predicted speeds, as far as published runs were off: for TPOT, throughput, GPUs and costs."""

from collections.abc import Callable
from typing import Any, NamedTuple

from calculators import facts
from calculators.declare import AnyFormula, Formula, formulas_of, record, step, variant
from calculators.subjects.serving.inference.formulas import fleet, load, throughput

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
_FEW: float = facts.fact("serving-band.few_sequences").value
_FEW_SEQUENCES: float = facts.fact("serving-band.few_from").value
_FASTER: float = facts.fact("serving-band.faster_memory").value
FASTEST_TESTED = float(facts.fact("h200-sxm.memory_bandwidth").value)
ONE_DOMAIN: float = facts.fact("serving-band.domain").value
_WIDE_BITS, _WIDE_BYTES, _FOUR_BITS_BELOW = 16, 2, 0.75


def is_widened(product_bits: float, weight_bytes: float, parameters: float) -> bool:
    """Whether quantized weights are dequantized first, in a model larger than those that ran well so."""
    return product_bits == _WIDE_BITS and weight_bytes < _WIDE_BYTES and parameters > _WIDENED_AGREED


def shared_by_groups(experts: float, serving_tensor_parallel: float, serving_expert_parallel: float) -> bool:
    """Whether several groups of GPUs, each with sequences of its own, share the experts."""
    return experts > 1 and serving_expert_parallel > serving_tensor_parallel


def narrow_mixture(experts: float, weight_bytes: float) -> bool:
    """Whether the model is a mixture of experts with 4-bit weights."""
    return experts > 1 and weight_bytes < _FOUR_BITS_BELOW


def times(off: float) -> float:
    """Factor of a number that may be too small by this share."""
    return 1 + off


def behind(off: float) -> float:
    """Factor of a number that may be too large by this share: at most 0.8."""
    return min(1 - _BAND, 1 / (1 + off))


def decided_by_engine(concurrent_sequences: float, serving_tensor_parallel: float) -> bool:
    """Whether latency of the engine's kernels decides: a few sequences over several ranks."""
    return concurrent_sequences <= _FEW_SEQUENCES and serving_tensor_parallel >= _FEW_SEQUENCES


@step("share", "Published runs slower than predicted by up to", source="tensorrt-llm-perf")
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
    """Share by which predicted speeds were too high over published runs [share]: 20%, and more for some.

    For prompts over 16,000 tokens in one batch with decode, for quantized weights of large models that are dequantized
    before each product, beyond one scale-up domain, where groups share experts, for 4-bit mixtures of experts, and on
    memory faster than any tested. The largest of them counts.

    >>> [speed_overstated(prompt, False, 8, 1, 16, 2, 70e9, 3.35e12, 1) for prompt in (16000, 16001)]
    [0.2, 0.32]
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


@step("share", "Published runs faster than predicted by up to", source="aiconfigurator-systems")
def speed_understated(
    experts_touched: float,
    experts: float,
    serving_expert_parallel: float,
    gpus_per_domain: float,
    concurrent_sequences: float,
    serving_tensor_parallel: float,
) -> float:
    """Share by which predicted speeds were too low over published runs [share]: 20%, and more for some mixtures.

    Between few of the experts and nearly all, popular ones make a step read less than is counted; over the network,
    engines overlap two half batches; with few sequences over several ranks, kernels of one engine are faster.

    >>> [speed_understated(touched, 256, 8, 8, 64, 8) for touched in (51.2, 52, 204.8)]
    [0.2, 0.49, 0.2]
    >>> [speed_understated(experts, experts, 16, 8, 64, 8) for experts in (1, 2)]
    [0.2, 0.255]
    >>> [speed_understated(1, 1, 1, 8, sequences, ranks) for sequences, ranks in ((1, 8), (4, 4), (5, 8), (1, 2))]
    [0.3, 0.3, 0.2, 0.2]
    """
    return max(
        _BAND,
        _EXPERTS if FEW_EXPERTS < experts_touched / experts < MOST_EXPERTS else 0,
        _OVERLAP if experts > 1 and serving_expert_parallel > gpus_per_domain else 0,
        _FEW if decided_by_engine(concurrent_sequences, serving_tensor_parallel) else 0,
    )


def _end(result: AnyFormula, end: str, factor: Callable[[float], float], off: str) -> AnyFormula:
    """`result` where published runs ended: times a factor of the share `off` by which they were."""

    def at_end(value: float, off: float) -> float:
        return value * factor(off)

    label = f"{result.label}, {end.replace('_', ' ')}"
    at_end.__doc__ = f"{label} [{result.unit}], as far as published runs were off."
    return Formula(
        name=f"{result.name}_{end}",
        role="step",
        function=at_end,
        unit=result.unit,
        label=label,
        wired=(result.name, off),
        written=f"{result.name} * {factor.__name__}({off})",
    )


tpot_at_least = _end(throughput.tpot, "at_least", behind, "speed_understated")
tpot_at_most = _end(throughput.tpot, "at_most", times, "speed_overstated")
user_tpot_at_least = _end(load.user_tpot, "at_least", behind, "speed_understated")
user_tpot_at_most = _end(load.user_tpot, "at_most", times, "speed_overstated")
_PER_USER, _PER_GPU = throughput.tokens_per_second_per_user, throughput.serving_tokens_per_second_per_gpu
tokens_per_second_per_user_at_least = _end(_PER_USER, "at_least", behind, "speed_overstated")
tokens_per_second_per_user_at_most = _end(_PER_USER, "at_most", times, "speed_understated")
serving_tokens_per_second_per_gpu_at_least = _end(_PER_GPU, "at_least", behind, "speed_overstated")
serving_tokens_per_second_per_gpu_at_most = _end(_PER_GPU, "at_most", times, "speed_understated")


class FleetPlan(NamedTuple):
    """Traffic, targets and headroom that decide how many replicas are needed at a given speed."""

    request_rate: float
    serving_max_sequences: float
    target_utilization: float
    spare_replicas: float
    expert_groups: float
    disaggregated: bool
    serving_tensor_parallel: float
    objective_replicas: float | None
    user_replicas: float | None


@record("Fleet plan")
def fleet_plan(
    request_rate: float,
    serving_max_sequences: float,
    target_utilization: float,
    spare_replicas: float,
    expert_groups: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
    serving_tensor_parallel: float,
    objective_replicas: float | None,
    user_replicas: float | None,
) -> FleetPlan:
    """Traffic, targets and headroom that decide how many replicas are needed at a given speed."""
    return FleetPlan(
        request_rate,
        serving_max_sequences,
        target_utilization,
        spare_replicas,
        expert_groups,
        disaggregated,
        serving_tensor_parallel,
        objective_replicas,
        user_replicas,
    )


def gpus_at_speed(
    speed: float,
    plan: FleetPlan,
    replica_request_rate: float,
    prefill_time: float,
    serving_gpus: float | None,
    replicas: float | None,
    replicas_needed: float | None,
) -> float | None:
    """GPUs for the same traffic where all runs at so many times its speed [GPU]; given replicas stay as many."""
    if replicas is None or replicas != replicas_needed:
        return serving_gpus
    rate, most, utilization, spare, groups, disaggregated, ranks, *fewest = plan
    fewest = [None if one is None else one / speed for one in fewest]
    decoding = fleet.replicas_needed(rate, replica_request_rate * speed, most, utilization, spare, groups, *fewest)
    prefilling = fleet.prefill_replicas(rate, prefill_time / speed, utilization, spare, groups, disaggregated)
    return fleet.serving_gpus(decoding, prefilling, ranks)


def _gpus(end: str, factor: Callable[[float], float], off: str) -> AnyFormula:
    """GPUs where published runs ended: at a speed that is this factor of the share by which they were off."""

    def at_end(off: float, *others: Any) -> float | None:
        return gpus_at_speed(factor(off), *others)

    others = ("fleet_plan", "replica_request_rate", "prefill_time", "serving_gpus", "replicas", "replicas_needed")
    label = f"GPUs, {end.replace('_', ' ')}"
    at_end.__doc__ = f"{label} [GPU], as far as published runs were off; given replicas stay as many."
    return Formula(
        name=f"serving_gpus_{end}",
        role="step",
        function=at_end,
        unit="GPU",
        label=label,
        not_applicable="no number of GPUs",
        wired=(off, *others),
        written=f"gpus_at_speed({factor.__name__}({off}), {', '.join(others)})",
    )


serving_gpus_at_least = _gpus("at_least", times, "speed_understated")
serving_gpus_at_most = _gpus("at_most", behind, "speed_overstated")


def _with_gpus(cost: AnyFormula, end: str, through: tuple[AnyFormula, ...] = ()) -> AnyFormula:
    """A cost with as many GPUs as at this end of their range."""
    label = f"{cost.label}, {end.replace('_', ' ')}"
    changes = {"serving_gpus": f"serving_gpus_{end}"}
    return variant(cost, changes, name=f"{cost.name}_{end}", label=label, through=through)


cost_per_million_output_at_least = _with_gpus(fleet.cost_per_million_output, "at_least")
cost_per_million_output_at_most = _with_gpus(fleet.cost_per_million_output, "at_most")
cost_per_million_total_at_least = _with_gpus(fleet.cost_per_million_total, "at_least")
cost_per_million_total_at_most = _with_gpus(fleet.cost_per_million_total, "at_most")
_PERIODS = (fleet.cost_per_million_output, fleet.fleet_cost_per_year)
fleet_cost_at_least = _with_gpus(fleet.fleet_cost, "at_least", _PERIODS)
fleet_cost_at_most = _with_gpus(fleet.fleet_cost, "at_most", _PERIODS)

FORMULAS = formulas_of(globals())
BANDS = {
    name: (f"{name}_at_least", f"{name}_at_most")
    for name in (
        "serving_gpus",
        "tpot",
        "user_tpot",
        "cost_per_million_output",
        "fleet_cost",
        "serving_tokens_per_second_per_gpu",
        "tokens_per_second_per_user",
        "cost_per_million_total",
    )
}

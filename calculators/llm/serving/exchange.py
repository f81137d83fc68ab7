"""All-to-all exchange of tokens with experts, where groups of GPUs share the experts: over links and the network."""

import math

from calculators import facts
from calculators.declare import formulas_of, step

_THERE_AND_BACK: float = facts.fact("expert-dispatch-bytes").value + facts.fact("expert-combine-bytes").value
_ONE_WAY: float = facts.fact("serving-exchange-latency").value
_TWO_RANKS: float = facts.fact("serving-allreduce-latency.two").value
_EACH_DOUBLING: float = facts.fact("serving-allreduce-latency.each_doubling").value


@step("s", "All-to-all transfer time per token and layer", source="deepep-v1")
def token_exchange_time(
    expert_hidden: float,
    experts_per_token: float,
    serving_tensor_parallel: float,
    serving_expert_parallel: float,
    gpus_per_domain: float,
    nic_bandwidth: float,
    all_to_all_nic_efficiency: float,
    link_bandwidth: float,
    allreduce_link_efficiency: float,
) -> float:
    """Time that one token adds to a layer's all-to-all [s]: one byte a value out, two back, for each expert.

    Experts are spread evenly: the share outside a domain is that of the GPUs outside it, and the share in other groups
    of the domain that of their GPUs; ranks of a replica share the work. Network and links send at once: the slower
    counts. DeepSeek-V3 over 16 GPUs: 8 copies of 7,168 values, half of them to the other node; over 8, 7/8 of them over
    links of 450 GB/s one way.

    >>> [round(token_exchange_time(7168, 8, ranks, 16, 8, 50e9, 0.89, 900e9, 0.7) * 128 * 1e6) for ranks in (1, 2)]
    [247, 124]
    >>> [round(token_exchange_time(7168, 8, 1, gpus, 8, 50e9, 0.89, 900e9, 0.7) * 128 * 1e6) for gpus in (8, 1)]
    [61, 0]
    """
    outside = max(0, 1 - gpus_per_domain / serving_expert_parallel)
    near = min(serving_expert_parallel, gpus_per_domain)
    inside = max(0, near - serving_tensor_parallel) / serving_expert_parallel
    sent = experts_per_token * expert_hidden * _THERE_AND_BACK / serving_tensor_parallel
    over_network = outside / (nic_bandwidth * all_to_all_nic_efficiency)
    return sent * max(over_network, inside / (link_bandwidth / 2 * allreduce_link_efficiency))


@step("s", "All-to-all latency per layer", source="deepep-v1")
def exchange_latency(serving_expert_parallel: float, serving_tensor_parallel: float, gpus_per_domain: float) -> float:
    """Latency of an all-to-all however few its tokens [s], out and back: in a domain as all-reduces of as many ranks.

    0 where one group of ranks has all experts.

    >>> [round(exchange_latency(gpus, 1, 8) * 1e6, 1) for gpus in (1, 2, 3, 8, 16)]
    [0.0, 6.0, 6.6, 8.0, 66.0]
    """
    if serving_expert_parallel > gpus_per_domain:
        return 2 * _ONE_WAY
    if serving_expert_parallel <= serving_tensor_parallel:
        return 0
    return 2 * (_TWO_RANKS + _EACH_DOUBLING * math.log2(serving_expert_parallel / 2))


@step("s", "All-to-all time per layer", source="deepep-v1")
def layer_exchange_time(serving_tokens_per_step: float, token_exchange_time: float, exchange_latency: float) -> float:
    """Time a layer of a step waits for its tokens to reach experts of other groups and return [s].

    Counted in full: engines that overlap two half batches hide part of it.
    """
    return serving_tokens_per_step * token_exchange_time + exchange_latency


FORMULAS = formulas_of(globals())

"""Tokens on their way to experts and back, where experts are dealt out over more than one domain of fast links."""

from calculators import facts
from calculators.declare import formulas_of, step

_THERE_AND_BACK: float = facts.fact("expert-dispatch-bytes").value + facts.fact("expert-combine-bytes").value
_ONE_WAY: float = facts.fact("serving-exchange-latency").value


@step("s", "A token to its experts and back, its bytes alone", source="deepep-v1")
def token_exchange_time(
    expert_hidden: float,
    experts_per_token: float,
    serving_tensor_parallel: float,
    serving_expert_parallel: float,
    gpus_per_domain: float,
    nic_bandwidth: float,
    all_to_all_nic_efficiency: float,
) -> float:
    """What one token adds to a layer's exchange over the network [s]: one byte a value out, two back, for each expert.

    Experts are spread evenly, so those outside a domain are as many as GPUs outside it; ranks of a copy share the work.
    DeepSeek-V3 over 16 GPUs: 8 copies of 7,168 values, half of them to the other node.

    >>> [round(token_exchange_time(7168, 8, ranks, 16, 8, 50e9, 0.89) * 128 * 1e6) for ranks in (1, 2)]
    [247, 124]
    >>> token_exchange_time(7168, 8, 1, 8, 8, 50e9, 0.89)
    0.0
    """
    outside = max(0, 1 - gpus_per_domain / serving_expert_parallel)
    sent = experts_per_token * expert_hidden * _THERE_AND_BACK * outside / serving_tensor_parallel
    return sent / (nic_bandwidth * all_to_all_nic_efficiency)


@step("s", "Latency of an exchange with experts", source="deepep-v1")
def exchange_latency(serving_expert_parallel: float, gpus_per_domain: float) -> float:
    """What an exchange costs however few its tokens [s], out and back; nothing within a domain.

    >>> [round(exchange_latency(gpus, 8) * 1e6) for gpus in (8, 16)]
    [0, 66]
    """
    return 2 * _ONE_WAY if serving_expert_parallel > gpus_per_domain else 0


@step("s", "Tokens to experts and back, in a layer", source="deepep-v1")
def layer_exchange_time(serving_tokens_per_step: float, token_exchange_time: float, exchange_latency: float) -> float:
    """How long a layer of a step waits for its tokens to reach experts on other nodes and return [s].

    Counted in full: engines that compute one half of a batch while the other is on its way hide part of it.
    """
    return serving_tokens_per_step * token_exchange_time + exchange_latency


FORMULAS = formulas_of(globals())

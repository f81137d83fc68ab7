"""Latency: the time of a step that neither bandwidth nor compute explains, per layer, all-reduce and sequence."""

import math

from calculators import facts
from calculators.declare import formulas_of, step

_LAYER = float(facts.fact("serving-layer-latency").value)
_EXPERT_LAYER = float(facts.fact("serving-expert-layer-latency").value)
_TWO_RANKS = float(facts.fact("serving-allreduce-latency.two").value)
_EACH_DOUBLING = float(facts.fact("serving-allreduce-latency.each_doubling").value)
_WIDE = 2.0  # bytes of a value that is all-reduced


@step("s", "Typical latency per layer")
def typical_layer_latency(experts: float) -> float:
    """Latency of a layer however few its tokens [s]; more where it routes to experts."""
    return _EXPERT_LAYER if experts > 1 else _LAYER


@step("s", "Typical all-reduce latency")
def typical_allreduce_latency(serving_tensor_parallel: float) -> float:
    """Latency of an all-reduce of a small message in one NVLink domain [s]: 3 µs for 2 ranks, 0.5 µs per doubling.

    >>> [round(typical_allreduce_latency(ranks) * 1e6, 1) for ranks in (1, 2, 4, 8)]
    [0.0, 3.0, 3.5, 4.0]
    """
    ranks = serving_tensor_parallel
    return _TWO_RANKS + _EACH_DOUBLING * math.log2(ranks / 2) if ranks > 1 else 0


@step("s", "All-reduce transfer time per token")
def token_allreduce_time(
    hidden: float, serving_tensor_parallel: float, link_bandwidth: float, allreduce_link_efficiency: float
) -> float:
    """Time that one token's values add to an all-reduce [s]: 16 bits each, over one direction of the links.

    >>> round(token_allreduce_time(8192, 8, 900e9, 0.7) * 1e9, 1)
    91.0
    """
    sent = hidden * _WIDE * 2 * (serving_tensor_parallel - 1) / serving_tensor_parallel
    return sent / (link_bandwidth / 2 * allreduce_link_efficiency)


@step("s", "Fixed per-step latency", rises_with=("layer_latency",))
def fixed_latency(
    layers: float, layer_latency: float, allreduce_latency: float, expert_layers: float, exchange_latency: float
) -> float:
    """Latency of a step however small its batch [s]: every layer with two all-reduces, and all-to-alls with experts."""
    return layers * (layer_latency + 2 * allreduce_latency) + expert_layers * exchange_latency


@step("s", "Latency per sequence, slower all-reduces of decode included", source="aiconfigurator-systems")
def sequence_own_latency(
    layers: float,
    token_allreduce_time: float,
    draft_tokens: float,
    sequence_latency: float,
    allreduce_link_efficiency: float,
    allreduce_decode_efficiency: float,
) -> float:
    """Bookkeeping of a sequence in a step, and what all-reduces of few tokens take longer than those of prompts [s].

    >>> sequence_own_latency(80, 0, 0, 10e-6, 0.7, 0.35), round(sequence_own_latency(80, 91e-9, 0, 10e-6, 0.7, 0.35), 8)
    (1e-05, 2.456e-05)
    """
    slower = allreduce_link_efficiency / allreduce_decode_efficiency - 1
    return sequence_latency + 2 * layers * token_allreduce_time * (draft_tokens + 1) * slower


@step("s", "Added latency per sequence")
def added_latency_per_sequence(
    layers: float,
    token_allreduce_time: float,
    expert_layers: float,
    token_exchange_time: float,
    sequence_tokens: float,
    sequence_own_latency: float,
) -> float:
    """Latency that one more sequence adds to a step [s]: transfers of its tokens between GPUs, and bookkeeping."""
    of_token = 2 * layers * token_allreduce_time + expert_layers * token_exchange_time
    return of_token * sequence_tokens + sequence_own_latency


@step("s", "Latency of a step", rises_with=("layer_latency",))
def latency_time(fixed_latency: float, concurrent_sequences: float, added_latency_per_sequence: float) -> float:
    """Latency of a step that memory bandwidth does not shorten [s]: layers, all-reduces, experts and sequences."""
    return fixed_latency + concurrent_sequences * added_latency_per_sequence


@step("share", "Latency share of a step")
def serving_latency_share(latency_time: float, serving_step_time: float) -> float:
    """Share of a step that is latency [share]."""
    return latency_time / serving_step_time if serving_step_time > 0 else 0


FORMULAS = formulas_of(globals())

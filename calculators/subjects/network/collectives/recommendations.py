"""For collectives: changes that may hide more of the communication, or shorten the bubble."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from calculators.subjects.network.collectives.algorithms import ENOUGH_HALF_SIZES
from calculators.subjects.network.collectives.verdicts import HIDDEN_TO

WAITING_FROM = 0.1
NOTICEABLE = 0.1  # of what is exposed; a change that can mend no more is none worth proposing
DEEPSEEK_NODES = 4


def recommendations(values: Mapping[str, Any]) -> Iterable[tuple[str, Mapping[str, Any]]]:
    """Changes that may shorten what a step waits, the cheapest first; before them a message that is large enough."""
    if values["message_size"] < values["half_size"]:
        enough = ENOUGH_HALF_SIZES * values["half_size"]
        yield "Send {message_size} at once", {"message_size": 2.0 ** math.ceil(math.log2(enough))}
    if values["exposed_share"] < HIDDEN_TO and values["waiting_share"] < WAITING_FROM:
        return
    for label, changes in _candidates(values):
        if any(values[name] != value for name, value in changes.items()):
            yield label, changes


def _candidates(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if values["zero_stage"] == 3:  # noqa: PLR2004  the stage of that name
        yield "ZeRO stage 1 in place of 3", {"zero_stage": 1}
    if values["tensor_parallel"] > values["gpus_per_domain"]:
        yield (
            "Tensor parallelism within one domain",
            {"tensor_parallel": 2 ** (int(values["gpus_per_domain"]).bit_length() - 1)},
        )
    if values["expert_domains"] > DEEPSEEK_NODES and values["nodes_per_token"] is None:
        yield "A router that uses four domains for a token", {"nodes_per_token": DEEPSEEK_NODES}
    if values["bubble_step_share"] >= WAITING_FROM:
        yield "Twice the micro-batches per step", {"micro_batches": values["micro_batches"] * 2}
        if values["layers"] % (values["pipeline_parallel"] * values["interleave"] * 2) == 0:
            yield "Twice the interleaving", {"interleave": values["interleave"] * 2}
    if values["tensor_parallel"] > 1:
        yield "Half of tensor parallelism hidden", {"tensor_overlap": 0.5}
    inside = values["tensor_parallel"] <= values["gpus_per_domain"]
    if values["exposed_time"] - inside * values["exposed_tensor_time"] > NOTICEABLE * values["exposed_time"]:
        yield "Twice the network", {"nic_bandwidth": values["nic_bandwidth"] * 2}

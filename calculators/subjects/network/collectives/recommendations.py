"""Recommendations: changes that overlap more communication, or shorten the pipeline bubble."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from calculators import facts
from calculators.subjects.network.collectives.algorithms import ENOUGH_HALF_SIZES
from calculators.subjects.network.collectives.verdicts import HIDDEN_TO

WAITING_FROM = 0.1
NOTICEABLE = 0.1  # of exposed communication; a change that saves less is not proposed
DEEPSEEK_NODES = 4
_HALF = 0.5
_SLOT = float(facts.fact("pcie-5-x16.one_way").value)  # no faster card serves a GPU of which nothing else is known


def recommendations(values: Mapping[str, Any]) -> Iterable[tuple[str, Mapping[str, Any]]]:
    """Changes that may reduce exposed time, cheapest first, after a message size that is bandwidth-bound."""
    if values["message_size"] < values["half_size"]:
        enough = ENOUGH_HALF_SIZES * values["half_size"]
        yield "Send {message_size} per collective", {"message_size": 2.0 ** math.ceil(math.log2(enough))}
    if values["exposed_share"] < HIDDEN_TO and values["waiting_share"] < WAITING_FROM:
        return
    for label, changes in _candidates(values):
        if any(values[name] != value for name, value in changes.items()):
            yield label, changes


def _candidates(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if values["zero_stage"] == 3:  # noqa: PLR2004  the stage of that name
        yield "Use ZeRO stage 1 instead of 3", {"zero_stage": 1}
    if values["tensor_parallel"] > values["gpus_per_domain"]:
        yield (
            "Keep tensor parallelism inside one domain",
            {"tensor_parallel": 2 ** (int(values["gpus_per_domain"]).bit_length() - 1)},
        )
    if values["expert_domains"] > DEEPSEEK_NODES and values["nodes_per_token"] is None:
        yield "Limit the router to four domains per token", {"nodes_per_token": DEEPSEEK_NODES}
    if values["bubble_step_share"] >= WAITING_FROM:
        yield "Double the micro-batches per step", {"micro_batches": values["micro_batches"] * 2}
        if values["layers"] % (values["pipeline_parallel"] * values["interleave"] * 2) == 0:
            yield "Double the virtual pipeline stages per GPU", {"interleave": values["interleave"] * 2}
    if values["tensor_parallel"] > 1 and values["tensor_overlap"] < _HALF:
        yield "Overlap half of the tensor-parallel time", {"tensor_overlap": _HALF}
    inside = values["tensor_parallel"] <= values["gpus_per_domain"]
    waits = values["exposed_time"] - inside * values["exposed_tensor_time"] > NOTICEABLE * values["exposed_time"]
    if waits and values["nic_bandwidth"] * 2 <= _SLOT:
        yield "Double the network bandwidth per GPU", {"nic_bandwidth": values["nic_bandwidth"] * 2}

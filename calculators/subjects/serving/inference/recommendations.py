"""Recommendations for inference: changes that may meet the targets, or need fewer GPUs."""

from collections.abc import Iterator, Mapping
from typing import Any

_RANKS = (1, 2, 4, 8)
EXPERT_RANKS = (8.0, 16.0, 32.0, 64.0)  # GPUs over which experts are divided, each of which attends to its sequences
_FP8 = 1.0
_DRAFTS = 3.0


def recommendations(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Changes of load, parallelism and engine, each alone; FP8 weights with other ranks, wide expert parallelism."""
    narrow: dict[str, Any] = {}
    yield from _of_load(values)
    if values["weight_bytes"] > _FP8:
        narrow["weight_bytes"] = _FP8
        yield "weights in FP8", {"weight_bytes": _FP8, "arithmetic": "auto"}
    if values["cache_bytes"] > _FP8 and values["entry_bytes"] is None:
        yield "KV cache in FP8", {"cache_bytes": _FP8}
    for ranks in _RANKS:
        if ranks == values["serving_tensor_parallel"] or values["heads"] % ranks:
            continue
        yield "replicas of {serving_tensor_parallel}", {"serving_tensor_parallel": float(ranks)}
        if narrow:
            yield (
                "replicas of {serving_tensor_parallel}, weights in FP8",
                {"serving_tensor_parallel": float(ranks), "weight_bytes": _FP8, "arithmetic": "auto"},
            )
    yield from _wide(values)
    if values["draft_tokens"] == 0 and values["tpot"] > values["tpot_target"]:
        yield "speculative decoding with {draft_tokens} per step", {"draft_tokens": _DRAFTS}
    if not values["disaggregated"]:
        yield "disaggregated prefill/decode", {"disaggregated": True}


def _of_load(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The largest batch that memory and the TPOT target allow, and as many replicas as both targets need at p95."""
    if (batch := values["sequences_within_target"]) != values["concurrent_sequences"]:
        yield "a batch of {concurrent_sequences} per replica", {"concurrent_sequences": batch}
    if values["sizing"] == "load":
        yield "replicas sized for the p95 targets", {"sizing": "objective"}


def _wide(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Experts over more GPUs, each of which attends to sequences of its own."""
    for wide in EXPERT_RANKS:
        present = values["serving_tensor_parallel"], values["serving_expert_parallel"]
        if wide <= values["experts"] and present != (1, wide):
            changed = {"serving_tensor_parallel": 1.0, "serving_expert_parallel": wide}
            yield "data-parallel attention, experts over {serving_expert_parallel}", changed

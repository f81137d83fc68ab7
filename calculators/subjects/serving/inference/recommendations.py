"""Recommendations for inference: changes that may meet the targets, or need fewer GPUs."""

from collections.abc import Iterator, Mapping
from typing import Any

_RANKS = (1, 2, 4, 8)
_FP8 = 1.0
_DRAFTS = 3.0


def recommendations(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Changes of parallelism and engine, each alone and FP8 weights with other ranks."""
    narrow: dict[str, Any] = {}
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
    if values["draft_tokens"] == 0 and values["tpot"] > values["tpot_target"]:
        yield "speculative decoding with {draft_tokens} per step", {"draft_tokens": _DRAFTS}
    if not values["disaggregated"]:
        yield "disaggregated prefill/decode", {"disaggregated": True}

"""Recommendations for a KV cache that does not fit: lower precision, more GPUs, then fewer sequences."""

from collections.abc import Iterator, Mapping
from typing import Any

_MOST_RANKS = 64
_FP8 = 1.0
_TIMES = (2, 3, 4, 6, 8, 16)


def narrower_and_wider(values: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Changes of precision and tensor parallelism, cheapest first: cache in FP8, weights in FP8, more ranks, all."""
    cache = values["cache_bytes"] > _FP8 and values["entry_bytes"] is None
    weights = values["weight_bytes"] > _FP8
    narrow: dict[str, Any] = {}
    if cache:
        narrow["cache_bytes"] = _FP8
        yield "Store the KV cache in FP8: {cache_bytes}", {"cache_bytes": _FP8}
    if weights:
        narrow["weight_bytes"] = _FP8
        yield "Serve the weights in FP8: {weight_bytes}", {"weight_bytes": _FP8}
    if cache and weights:
        yield "Use FP8 for KV cache and weights: {weight_bytes}", narrow
    wider = [values["serving_tensor_parallel"] * times for times in _TIMES]
    for ranks in (ranks for ranks in wider if ranks <= _MOST_RANKS):
        yield "Split the model over {serving_tensor_parallel}", {"serving_tensor_parallel": ranks}
        if narrow:
            yield (
                "Split the model over {serving_tensor_parallel}, all in FP8",
                {**narrow, "serving_tensor_parallel": ranks},
            )


def as_much_as_fits(
    label: str, changes: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The changes together with as many sequences, or as long a context, as then fits."""
    for name, most, limit in (
        ("sequences", "max_sequences", "limit concurrency to {sequences}"),
        ("context", "max_context", "limit the context to {context}"),
    ):
        if 1 <= after[most] < after[name]:
            text = f"{label}, and {limit}" if label else limit[0].upper() + limit[1:]
            yield text, {**changes, name: float(after[most])}

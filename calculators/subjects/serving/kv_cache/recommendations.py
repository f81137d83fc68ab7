"""What may make a cache fit: narrower numbers, more ranks, and then as much as there is room for."""

from collections.abc import Iterator, Mapping
from typing import Any

_MOST_RANKS = 64
_FP8 = 1.0
_TIMES = (2, 3, 4, 6, 8, 16)


def widths_and_ranks(values: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Changes of the engine's settings, the cheapest first: a narrower cache, narrower weights, more ranks, all."""
    cache = values["cache_bytes"] > _FP8 and values["entry_bytes"] is None
    weights = values["weight_bytes"] > _FP8
    narrow: dict[str, Any] = {}
    if cache:
        narrow["cache_bytes"] = _FP8
        yield "Keep the cache in fp8: {cache_bytes}", {"cache_bytes": _FP8}
    if weights:
        narrow["weight_bytes"] = _FP8
        yield "Serve the weights in fp8: {weight_bytes}", {"weight_bytes": _FP8}
    if cache and weights:
        yield "Keep cache and weights in fp8: {weight_bytes}", narrow
    wider = [values["serving_tensor_parallel"] * times for times in _TIMES]
    for ranks in (ranks for ranks in wider if ranks <= _MOST_RANKS):
        yield "Spread the model over {serving_tensor_parallel}", {"serving_tensor_parallel": ranks}
        if narrow:
            yield (
                "Spread the model over {serving_tensor_parallel}, all in fp8",
                {**narrow, "serving_tensor_parallel": ranks},
            )


def as_much_as_fits(
    label: str, changes: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The changes with the sequences, or with the context, for which there is then room."""
    for name, most, what in (
        ("sequences", "max_sequences", "serve {sequences} at once"),
        ("context", "max_context", "limit the context to {context}"),
    ):
        if 1 <= after[most] < after[name]:
            said = f"{label}, and {what}" if label else what[0].upper() + what[1:]
            yield said, {**changes, name: float(after[most])}

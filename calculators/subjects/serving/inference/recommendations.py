"""For inference: changes that may serve the same traffic at all, or with fewer GPUs."""

from collections.abc import Iterator, Mapping
from typing import Any

_RANKS = (1, 2, 4, 8)
_FP8 = 1.0
_DRAFTS = 3.0


def recommendations(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Changes of the layout and the engine, each alone and narrow weights with fewer ranks; then a longer target."""
    narrow: dict[str, Any] = {}
    if values["weight_bytes"] > _FP8:
        narrow["weight_bytes"] = _FP8
        yield "weights in fp8", {"weight_bytes": _FP8, "arithmetic": "auto"}
    if values["cache_bytes"] > _FP8 and values["entry_bytes"] is None:
        yield "the cache in fp8", {"cache_bytes": _FP8}
    for ranks in _RANKS:
        if ranks == values["serving_tensor_parallel"] or values["heads"] % ranks:
            continue
        yield "copies over {serving_tensor_parallel}", {"serving_tensor_parallel": float(ranks)}
        if narrow:
            yield (
                "copies over {serving_tensor_parallel}, weights in fp8",
                {"serving_tensor_parallel": float(ranks), "weight_bytes": _FP8, "arithmetic": "auto"},
            )
    if values["draft_tokens"] == 0 and values["tpot"] > values["tpot_target"]:
        yield "{draft_tokens} drafted for each step", {"draft_tokens": _DRAFTS}
    if not values["disaggregated"]:
        yield "prompts read on copies of their own", {"disaggregated": True}
    yield "{tpot_target} allowed a token", {"tpot_target": 2 * values["tpot_target"]}

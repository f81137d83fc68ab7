"""Recommendations for serving in samples: changes that fit, come in time, or need fewer GPUs."""

from collections.abc import Iterator, Mapping
from typing import Any

_EIGHT_BITS = 1.0
_FACTORS = (0.25, 0.5, 2.0, 4.0)


def changes(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Changes of precision and batch, each alone."""
    if values["measured_serving_rate"] is None and values["served_value_bytes"] > _EIGHT_BITS:
        yield "values in 8 bits", {"served_value_bytes": _EIGHT_BITS}
    if values["embedding_bytes"] and values["served_embedding_share"] > 1 / 2:
        yield "embedding rows in 16 bits", {"served_embedding_share": 1 / 2}
    batches = [max(1.0, float(int(values["serving_batch"] * factor))) for factor in _FACTORS]
    most = values["largest_serving_batch"]
    if most is not None and most < values["serving_batch"] * min(_FACTORS):
        batches.append(float(most))
    if values["sample_latency"] > values["sample_latency_target"] and values["serving_batch"] > 1:
        batches.append(1.0)
    is_measured = values["measured_serving_rate"] is not None
    for batch in batches:
        if batch == values["serving_batch"]:
            continue
        if is_measured:  # at another batch
            yield "batch of {serving_batch}, speed calculated", {"serving_batch": batch, "measured_serving_rate": None}
        else:
            yield "batch of {serving_batch}", {"serving_batch": batch}

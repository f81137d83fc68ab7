"""Where the field disagrees: what each count of the cache's bytes makes of the present service."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import units
from calculators.declare.tables import Table
from calculators.subjects.serving.attention import WINDOWED


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each convention, who uses it, and what it makes of these values."""
    yield (
        "The heads that are cached, each value once",
        "vLLM and this page",
        "{cache_per_token}, {cache_per_sequence} for {context}",
    )
    shared = values["heads"] / values["cached_heads"]
    if values["attention"] not in {"mla", "compressed"} and shared != 1:
        every = units.text(values["cache_per_token"] * shared, "B/token", binary=True)
        yield (
            "All query heads, as if none were shared",
            "LLM-Tools, run for Llama 3 70B",
            f"{every}, {units.text(shared, '1')} times as much",
        )
    if 0 < values["attention_layers"] < values["layers"]:
        every = values["cache_per_token"] * values["layers"] / values["attention_layers"]
        yield (
            "Every layer caches its tokens",
            "calculators that know no layers with a state",
            f"{units.text(every, 'B/token', binary=True)}, beside {{cache_per_token}}",
        )
    if values["attention"] in WINDOWED:
        windowless = units.text(values["cache_per_token"] * values["context"], "B", binary=True)
        yield (
            "Every layer sees the whole context",
            "calculators that know no sliding windows",
            f"{windowless} for {{context}}, beside {{cache_per_sequence}}",
        )
    held = "once" if values["cache_replication"] == 1 else "{cache_replication} times"
    yield (
        "Whole heads on each rank of tensor parallelism",
        "vLLM's ranks, and this page per GPU",
        f"{{cache_per_token_per_gpu}} on each of {{serving_tensor_parallel}}, so each value is held {held}",
    )
    entry = values["cached_values"] * values["attention_layers"]
    one, two = (units.text(entry * size, "B/token", binary=True) for size in (1, 2))
    yield "A value of one byte or of two", "servers with an FP8 cache; the default of most", f"{one} or {two}"
    size = values["cache_per_sequence"]
    yield (
        "Decimal or binary sizes",
        "vendors' GB; what drivers and engines print",
        f"{units.text(size, 'B')} or {units.text(size, 'B', binary=True)} for {{context}}",
    )


CONVENTIONS = Table(
    name="conventions",
    title="Where the field disagrees",
    about="What each way of counting makes of the present service.",
    columns=("Way of counting", "Who uses it", "What it makes of this service"),
    rows=rows,
)

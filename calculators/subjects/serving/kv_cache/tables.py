"""Table of conventions: each way of counting the KV cache, applied to this service."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import units
from calculators.declare.tables import Table
from calculators.llm.serving.attention import WINDOWED


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each way of counting, who uses it, and its result for these values."""
    yield (
        "KV heads only, each value once",
        "vLLM and this page",
        "{cache_per_token}, {cache_per_sequence} for {context}",
    )
    shared = values["heads"] / values["cached_heads"]
    if values["attention"] not in {"mla", "compressed"} and shared != 1:
        every = units.text(values["cache_per_token"] * shared, "B/token", binary=True)
        yield (
            "All query heads, as if none shared a KV head",
            "LLM-Tools, run for Llama 3 70B",
            f"{every}, {units.text(shared, '1')} times as much",
        )
    if 0 < values["attention_layers"] < values["layers"]:
        every = values["cache_per_token"] * values["layers"] / values["attention_layers"]
        yield (
            "Every layer caches its tokens",
            "calculators without linear-attention layers",
            f"{units.text(every, 'B/token', binary=True)}, compared with {{cache_per_token}}",
        )
    if values["attention"] in WINDOWED:
        windowless = units.text(values["cache_per_token"] * values["context"], "B", binary=True)
        yield (
            "Every layer has full attention",
            "calculators without sliding windows",
            f"{windowless} for {{context}}, compared with {{cache_per_sequence}}",
        )
    held = "once" if values["cache_replication"] == 1 else "{cache_replication} times"
    yield (
        "Whole KV heads on each tensor-parallel rank",
        "vLLM, and this page per GPU",
        f"{{cache_per_token_per_gpu}} on each of {{serving_tensor_parallel}}, so each value is held {held}",
    )
    entry = values["cached_values"] * values["attention_layers"]
    one, two = (units.text(entry * size, "B/token", binary=True) for size in (1, 2))
    yield "One byte or two per value", "engines with an FP8 KV cache; the default of most", f"{one} or {two}"
    size = values["cache_per_sequence"]
    yield (
        "Decimal or binary sizes",
        "vendors' GB; what drivers and engines print",
        f"{units.text(size, 'B')} or {units.text(size, 'B', binary=True)} for {{context}}",
    )


CONVENTIONS = Table(
    name="conventions",
    title="Where the field disagrees",
    about="Each way of counting, applied to this service.",
    columns=("Way of counting", "Who uses it", "Result for this service"),
    rows=rows,
)

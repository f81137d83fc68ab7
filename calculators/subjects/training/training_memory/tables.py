"""Where the field disagrees: what each count of Adam's bytes, and each gigabyte, makes of the present job."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import facts, units
from calculators.declare.tables import Table
from calculators.llm.adapters import ADAPTERS

_RECIPES = tuple(facts.records("rules", "recipe-").values())
_PARTS = ("weight_bytes_trained", "gradient_bytes", "master_bytes", "optimizer_bytes")


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each convention, who uses it, and what it gives for these values."""
    adapters = values["job"] in ADAPTERS
    each, besides = ("trained parameter", " besides the frozen weights") if adapters else ("parameter", "")
    for record in _RECIPES:
        parts = [float(record.value(part)) for part in _PARTS]
        found = record.fields[_PARTS[0]]
        states = units.text(values["trainable_parameters"] * sum(parts), "B", binary=True)
        counted = " + ".join(f"{part:g}" for part in parts)
        yield (
            record.name.partition(" (")[0],
            found.source.title if found.source else f"an {found.kind}",
            f"{counted} = {sum(parts):g} B per {each}: {states} of states{besides}, unsharded",
        )
    memory = values["gpu_memory"]
    decimal = units.text(memory * units.parse("1 GB", "B") / units.GIB, "B", binary=True)
    yield (
        "GPU memory in GiB, or in 10⁹ bytes",
        "drivers and frameworks; some calculators",
        f"{{gpu_memory}}; the same number of decimal GB is {decimal}",
    )
    yield (
        "Tensor memory, or memory reserved by the allocator",
        "formulas on paper; this page, with its overhead",
        "{tensor_memory}, or {training_memory}",
    )


CONVENTIONS = Table(
    name="conventions",
    title="Where the field disagrees",
    about="What each way of counting makes of the present job.",
    columns=("Way of counting", "Who uses it", "What it makes of this job"),
    rows=rows,
)

"""Where the field disagrees: what each count of a parameter's bytes, and each gigabyte, makes of the present save."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import facts, units
from calculators.declare.tables import Table

_SAVES = tuple(facts.records("rules", "ckpt-").values())


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each convention, who uses it, and what it makes of these values."""
    for record in sorted(_SAVES, key=lambda record: float(record.value("value"))):
        found = record.fields["value"]
        size = values["trainable_parameters"] * found.value
        rate = size / values["write_window"]
        yield (
            _began(record.name.removeprefix("Checkpoint: ")),
            found.source.title if found.source else f"a {found.kind}",
            f"{found.text}: {units.text(size, 'B')}, {units.text(rate, 'B/s')} to land it in {{write_window}}",
        )
    size = values["checkpoint_size"]
    yield (
        "Binary sizes under a decimal name",
        "MLPerf Storage's table, BLOOM's log, GPT-NeoX's README",
        f"{{checkpoint_size}} is {units.text(size, 'B', binary=True)}, and is printed with that number as GB or TB",
    )
    yield (
        "Averaged over the interval, not landed in a window",
        "plans that divide by the interval",
        "{average_write_bandwidth}, beside {required_write_bandwidth} while a save lands",
    )


def _began(words: str) -> str:
    return words[:1].upper() + words[1:]


CONVENTIONS = Table(
    name="conventions",
    title="Where the field disagrees",
    about="What each way of counting makes of the present save.",
    columns=("Way of counting", "Who uses it", "What it makes of this save"),
    rows=rows,
)

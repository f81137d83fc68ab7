"""Conventions: checkpoint size and bandwidth by each way of counting bytes per parameter and gigabytes."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import facts, units
from calculators.declare.tables import Table

_SAVES = tuple(facts.records("rules", "ckpt-").values())


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each convention, its users, and the size and bandwidth it gives."""
    for record in sorted(_SAVES, key=lambda record: float(record.value("value"))):
        found = record.fields["value"]
        size = values["trainable_parameters"] * found.value
        rate = size / values["write_window"]
        yield (
            _capitalized(record.name.removeprefix("Checkpoint: ")),
            found.source.title if found.source else f"a {found.kind}",
            f"{found.text}: {units.text(size, 'B')}, {units.text(rate, 'B/s')} to write it in {{write_window}}",
        )
    size = values["checkpoint_size"]
    yield (
        "Binary sizes under a decimal name",
        "MLPerf Storage's table, BLOOM's log, GPT-NeoX's README",
        f"{{checkpoint_size}} is {units.text(size, 'B', binary=True)}, and is printed with that number as GB or TB",
    )
    yield (
        "Averaged over the interval, without a time limit",
        "plans that divide by the interval",
        "{average_write_bandwidth}, compared with {required_write_bandwidth} during a write",
    )


def _capitalized(words: str) -> str:
    return words[:1].upper() + words[1:]


CONVENTIONS = Table(
    name="conventions",
    title="Where the field disagrees",
    about="Checkpoint size and bandwidth by each way of counting.",
    columns=("Convention", "Used by", "This checkpoint"),
    rows=rows,
)

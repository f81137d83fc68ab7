"""Offers: the page's table of bids, its fields by group, and the example in it with its results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calculators.catalog import CALCULATORS
from calculators.page.offers import BIDS, EXAMPLE, QUOTED, RESULTS, SHEETS, response

if TYPE_CHECKING:
    from collections.abc import Mapping

_KINDS = {"bought": "Bought", "rented": "Rented", QUOTED: "Price as quoted"}
_HEADINGS = {
    ("cost", "bought"): "GPUs, bought",
    ("cost", "rented"): "GPUs, rented",
    ("data_lifecycle", "bought"): "Storage, bought",
    ("data_lifecycle", "rented"): "Storage, rented",
}


@dataclass(frozen=True)
class Group:
    """Fields of one kind: the units for which they are shown, the kind of bid, a heading, names with labels."""

    units: str
    kind: str
    heading: str
    fields: tuple[tuple[str, str], ...]


def sheet() -> Mapping[str, Any]:
    """Data of the template."""
    return {
        "bids": BIDS,
        "columns": 1 + len(BIDS),  # with the one of labels
        "kinds": _KINDS,
        "units": {key: one.title for key, one in SHEETS.items()},
        "common": _common(),
        "groups": _groups(),
        "results": RESULTS,
        "given": EXAMPLE,
        "answer": response(EXAMPLE)["offers"],
    }


def _common() -> list[tuple[str, str, str]]:
    """Terms of all bids: name, label, and the units for which they are shown."""
    found: dict[str, list[str]] = {}
    labels: dict[str, str] = {}
    for key, one in SHEETS.items():
        for name in one.common:
            found.setdefault(name, []).append(key)
            labels[name] = CALCULATORS[one.calculator].inputs[name].label
    return [(name, labels[name], " ".join(keys)) for name, keys in found.items()]


def _groups() -> list[Group]:
    found: dict[tuple[str, str], list[str]] = {}
    terms: dict[tuple[str, str], tuple[str, ...]] = {}
    for key, one in SHEETS.items():
        for kind, declared in one.kinds.items():
            found.setdefault((one.calculator, kind), []).append(key)
            terms[one.calculator, kind] = declared.terms
    groups = []
    for (calculator, kind), keys in found.items():
        inputs = CALCULATORS[calculator].inputs
        fields = tuple((name, inputs[name].label) for name in terms[calculator, kind])
        groups.append(Group(" ".join(keys), kind, _HEADINGS[calculator, kind], fields))
    return [
        *groups,
        Group(" ".join(SHEETS), QUOTED, "Any offer, as quoted", (("price", "Price in the unit compared"),)),
    ]

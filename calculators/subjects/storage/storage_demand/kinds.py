"""Kinds of inputs of storage demand: bandwidths, amounts of data, times and growth, with their hard ranges."""

from typing import Any, Literal

from calculators import facts
from calculators.declare import quantity
from calculators.subjects.storage.storage_demand.groups import CACHES
from calculators.vocabulary.groups import RETENTION
from calculators.vocabulary.storage import of_workload

TEXT = "workload-text-405b"
LARGEST, FASTEST = 1e21, 1e15
Tier = Literal["hot", "warm", "cold"]


def text_fact(field: str) -> facts.Fact:
    """Field of the workload that reads text."""
    return of_workload(field, TEXT)


def node_fact(field: str) -> facts.Fact:
    """Field of a storage node with sixteen drives."""
    return facts.fact(f"store-sixteen-drives.{field}")


def rate(default: Any, label: str, slider: tuple[float, float], *, group: str, about: str = "") -> Any:
    """Input of a bandwidth [B/s] above 0."""
    return quantity(default, "B/s", label, hard=(1e3, FASTEST), slider=slider, scale="log", help=about, group=group)


def rate_or_none(label: str, *, about: str, group: str = CACHES) -> Any:
    """Input of a bandwidth [B/s]; 0 where there is none."""
    return quantity(0, "B/s", label, hard=(0, FASTEST), slider=(0, 100e9), help=about, group=group)


def amount(default: Any, label: str, slider: tuple[float, float], *, group: str, about: str = "") -> Any:
    """Input of an amount of data [B]."""
    hard = (0, LARGEST)
    return quantity(default, "B", label, hard=hard, slider=slider, scale="log", help=about, group=group)


def duration(
    default: Any,
    label: str,
    hard: tuple[float, float],
    slider: tuple[float, float],
    *,
    group: str,
    about: str = "",
    aliases: tuple[str, ...] = (),
) -> Any:
    """Input of a time [s]."""
    return quantity(
        default, "s", label, hard=hard, slider=slider, scale="log", help=about, group=group, aliases=aliases
    )


def yearly_growth(label: str, about: str) -> Any:
    """Input of a growth per year [share]; 0 by default."""
    return quantity(0, "share", label, hard=(-0.9, 10), slider=(0, 1), help=about, group=RETENTION)

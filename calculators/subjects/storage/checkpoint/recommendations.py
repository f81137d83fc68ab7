"""Recommendations: asynchronous checkpoints, a longer interval or limit, or more write bandwidth."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import units
from calculators.subjects.storage.checkpoint.verdicts import TIGHT_FROM

_LATER, _ALLOWING = "every {checkpoint_interval}", "allow {write_window} for the write"


def recommendations(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Changes that may turn a red verdict, cheapest first; none where writes finish in time."""
    if values["write_in_time"].level != "bad":
        return
    late = values["write_duration"] > values["write_window"]
    window = {"write_window": units.rounded_up(values["write_duration"], "s")} if late else {}
    if values["checkpoint_mode"] == "synchronous":
        copied = values["checkpoint_size_per_gpu"] / values["snapshot_bandwidth"]
        rarer = _rarer(values, values["durable_time_to_safe"] + copied)
        yield (
            _sentence("Write asynchronously", [_LATER] if rarer else [], [_ALLOWING] if late else []),
            {"checkpoint_mode": "asynchronous", **rarer, **window},
        )
    rarer = _rarer(values, values["durable_time_to_safe"])
    if rarer:
        yield _sentence("Checkpoint", [_LATER], [_ALLOWING] if late else []), {**rarer, **window}
    elif window:
        yield _sentence("", [], [_ALLOWING]), window
    spare = values["durable_interval"] * TIGHT_FROM - values["snapshot_duration"]
    if spare > 0:
        needed = values["checkpoint_size"] / min(values["write_window"], spare)
        yield "Raise storage write bandwidth to {write_bandwidth}", {"write_bandwidth": units.rounded_up(needed, "B/s")}


def _rarer(values: Mapping[str, Any], safe_after: float) -> dict[str, float]:
    """The interval with half of it to spare after a write, where the present one is too short."""
    soonest = max(values["time_to_safe"], safe_after / values["persist_every"])
    if soonest <= values["checkpoint_interval"]:
        return {}
    return {"checkpoint_interval": units.rounded_up(soonest / TIGHT_FROM, "s")}


def _sentence(first: str, how: list[str], then: list[str]) -> str:
    text = " and ".join(filter(None, [" ".join(filter(None, [first, *how])), *then]))
    return text[0].upper() + text[1:]

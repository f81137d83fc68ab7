"""Recommendations: the best interval, faster checkpoints, faster recovery, more spare nodes."""

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any

from calculators import facts, units
from calculators.subjects.storage.goodput.spares import ENOUGH

_VERDICTS = ("time_kept", "interval_right", "keeps_up")
# As fast as published: the lower ends of the ranges.
_NOTICED, _RESTARTED = (facts.fact(key).low or 0.0 for key in ("failure-detection-time", "restart-after-detection"))
_STALL, _SAVE = (facts.fact(f"bytecheckpoint-405b.{part}").value for part in ("training_blocked", "save"))
_HALVINGS = 4


def recommendations(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Changes that may improve a bad verdict, the cheapest first, alone and together; none if no verdict is bad."""
    if all(values[name].level != "bad" for name in _VERDICTS):
        return
    changes: dict[str, Any] = {}
    labels: list[str] = []
    for label, change in _single_changes(values):
        yield label, change
        labels.append(label)
        changes |= change
        if len(labels) > 1:
            yield _joined_labels(labels), dict(changes)
    for halvings in range(1, _HALVINGS + 1):
        yield "Run on {gpus}, with fewer failures", {"gpus": float(values["gpus"] // 2**halvings)}


def _single_changes(values: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    fewest = ceil(values["durable_time_to_safe"] / values["interval"])
    if values["persist_every"] < fewest and (values["rare_failure_share"] is not None or values["persist_every"] > 1):
        yield "Persist one checkpoint in {persist_every}", {"persist_every": float(fewest)}
    elif values["interval_right"].level == "bad":
        yield (
            "Checkpoint every {checkpoint_interval}",
            {"checkpoint_interval": units.rounded_up(values["best_interval"], "s")},
        )
    if values["checkpoint_stall"] > _STALL:
        yield "Checkpoint asynchronously, with a stall of {checkpoint_stall}", {"checkpoint_stall": _STALL}
    if values["time_to_safe"] > _SAVE:
        yield "Make checkpoints restorable within {time_to_safe}", {"time_to_safe": _SAVE}
    if values["waiting_for_spare"] > ENOUGH:
        yield "Keep {spare_nodes} spare", {"spare_nodes": values["spares_needed"]}
    if values["detection_time"] > _NOTICED:
        yield "Detect failures within {detection_time}", {"detection_time": _NOTICED}
    if values["restart_time"] > _RESTARTED:
        yield "Restart within {restart_time}", {"restart_time": _RESTARTED}


def _joined_labels(labels: list[str]) -> str:
    first, *others = labels
    *between, last = (one[0].lower() + one[1:] for one in others)
    return f"{', '.join([first, *between])} and {last}"

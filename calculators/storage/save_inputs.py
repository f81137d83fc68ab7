"""Inputs about saves that several calculators ask for: how often a save begins, and how many are kept."""

from typing import Any

from calculators import facts
from calculators.declare import Otherwise, quantity
from calculators.model.vocabulary import KEEP, SAVE
from calculators.units import DAY, MINUTE


def checkpoint_interval(otherwise: Otherwise, *, shortest: float = 5 * MINUTE, about: str = "") -> Any:
    """From the start of one save to the start of the next; its slider begins at the `shortest` [s]."""
    return quantity(
        otherwise,
        "s",
        "Checkpoint interval",
        hard=(1, 30 * DAY),
        slider=(shortest, 6 * 60 * MINUTE),
        scale="log",
        help=f"From the start of one save to the start of the next. {about}".strip(),
        group=SAVE,
        aliases=("interval",),
    )


def hot_checkpoints() -> Any:
    """The newest checkpoints, where a restart reads."""
    return quantity(
        facts.fact("retention-hot"),
        "checkpoint",
        "Kept hot",
        hard=(0, 1e6),
        slider=(1, 48),
        whole=True,
        help="The newest ones, on the tier a restart reads from.",
        group=KEEP,
    )


def warm_checkpoints() -> Any:
    """Recent history in object storage."""
    return quantity(
        14,
        "checkpoint",
        "Kept warm",
        hard=(0, 1e6),
        slider=(0, 400),
        whole=True,
        help="Recent history in object storage, to roll back a loss spike and to evaluate: one a day for two weeks.",
        group=KEEP,
    )

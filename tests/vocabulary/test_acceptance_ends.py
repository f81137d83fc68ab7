"""Ends of an acceptance test: what passes, what to look into, what to send back; nothing in two of them."""

from __future__ import annotations

import pytest

from calculators.vocabulary.acceptance import at_least, at_most


@pytest.mark.parametrize(
    ("passing", "failing", "unit", "ends"),
    [
        (1.2e12, 95e9, "B/s", ("1.2 TB/s or more", "95 GB/s to 1.2 TB/s", "below 95 GB/s")),
        (95e9, 95e9, "B/s", ("95 GB/s or more", "nothing between", "below 95 GB/s")),
        (400e9, 0, "B/s", ("400 GB/s or more", "below 400 GB/s", "by no figure of this job")),
        (400e9, 1e9, "B/s", ("400 GB/s or more", "1 to 400 GB/s", "below 1 GB/s")),
        (2, 1, "GPU", ("2 GPUs or more", "1 to 2 GPUs", "below 1 GPU")),
        (0.5, 0.4, "share", ("50% or more", "40% to 50%", "below 40%")),
    ],
)
def test_more_is_better(passing: float, failing: float, unit: str, ends: tuple[str, str, str]) -> None:
    assert at_least(passing, failing, unit) == ends


@pytest.mark.parametrize(
    ("passing", "failing", "ends"),
    [
        (3, 30, ("3 s or less", "3 to 30 s", "more than 30 s")),
        (30, 30, ("30 s or less", "nothing between", "more than 30 s")),
        (60, 30, ("30 s or less", "nothing between", "more than 30 s")),
        (30, 240, ("30 s or less", "30 s to 4 min", "more than 4 min")),
    ],
)
def test_less_is_better(passing: float, failing: float, ends: tuple[str, str, str]) -> None:
    assert at_most(passing, failing, "s") == ends

"""Training layouts: a valid one, and which ranks share which blocks; the verdict at its boundary."""

from __future__ import annotations

import pytest

from calculators.catalog import CALCULATORS
from calculators.subjects.training.training_memory import warnings
from calculators.subjects.training.training_memory.verdicts import fits
from tests.subjects.training.training_memory.answer_texts import answer_texts

MEMORY = CALCULATORS["training_memory"]


def test_what_would_do_is_accepted() -> None:
    assert answer_texts(MEMORY, {"heads": 96, "kv_heads": 12, "tensor_parallel": 6, "sequence_length": 8190}) == {}


def test_dense_blocks_are_shared_by_the_tensor_ranks_and_experts_by_their_own() -> None:
    sentence = warnings.uneven_feed_forward.function
    assert "{tensor_parallel}" in sentence(1001, 1, 2, 1, 8, 7)
    assert sentence(1001, 1, 2, 1, 7, 8) == ""
    assert "{expert_tensor_parallel}" in sentence(1001, 1, 2, 4, 7, 8)
    assert sentence(1001, 1, 2, 4, 8, 7) == ""


@pytest.mark.parametrize(
    ("needed", "most", "level"), [(70, 80, "good"), (70, 81, "tight"), (80, 88, "tight"), (81, 89, "bad")]
)
def test_a_range_that_reaches_beyond_the_memory_is_never_called_good(needed: float, most: float, level: str) -> None:
    assert fits.function(needed, 60, most, 80, (50, 10, 10, 5, 0, 5, 0, 0), 0, 1).level == level


def test_a_verdict_that_the_low_end_would_reverse_says_so() -> None:
    assert "low end" in fits.function(81, 80, 89, 80, (50, 10, 10, 5, 0, 5, 0, 0), 0, 1).reason
    assert "low end" not in fits.function(90, 81, 99, 80, (50, 10, 10, 5, 0, 5, 0, 0), 0, 1).reason


def test_what_does_not_fit_in_host_memory_does_not_fit() -> None:
    assert fits.function(70, 60, 75, 80, (50, 10, 10, 5, 0, 5, 0, 0), 1, 1).level == "good"
    assert fits.function(70, 60, 75, 80, (50, 10, 10, 5, 0, 5, 0, 0), 2, 1).level == "bad"


def test_what_takes_memory_is_shown_as_memory_is_counted() -> None:
    taken = {name: formula.binary for name, formula in MEMORY.steps.items() if formula.unit == "B"}
    assert len(taken) > 10
    assert [name for name, binary in taken.items() if not binary] == []

"""Training layouts: a valid one, and which ranks share which blocks; the verdict at its boundary."""

from __future__ import annotations

from calculators.catalog import CALCULATORS
from calculators.subjects.training.training_memory import warnings
from calculators.subjects.training.training_memory.verdicts import fits
from tests.subjects.training.training_memory.said import said

MEMORY = CALCULATORS["training_memory"]


def test_what_would_do_is_accepted() -> None:
    assert said(MEMORY, {"heads": 96, "kv_heads": 12, "tensor_parallel": 6, "sequence_length": 8190}) == {}


def test_dense_blocks_are_shared_by_the_tensor_ranks_and_experts_by_their_own() -> None:
    said = warnings.uneven_feed_forward.function
    assert "{tensor_parallel}" in said(1001, 1, 2, 1, 8, 7)
    assert said(1001, 1, 2, 1, 7, 8) == ""
    assert "{expert_tensor_parallel}" in said(1001, 1, 2, 4, 7, 8)
    assert said(1001, 1, 2, 4, 8, 7) == ""


def test_what_fills_the_memory_to_the_last_byte_fits() -> None:
    assert fits.function(80, 80, 50, 10, 10, 5, 0, 5).level == "tight"
    assert fits.function(81, 80, 51, 10, 10, 5, 0, 5).level == "bad"


def test_what_takes_memory_is_shown_as_memory_is_counted() -> None:
    taken = {name: formula.binary for name, formula in MEMORY.steps.items() if formula.unit == "B"}
    assert len(taken) > 10
    assert [name for name, binary in taken.items() if not binary] == []

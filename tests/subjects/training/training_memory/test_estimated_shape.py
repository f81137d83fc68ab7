"""Dimensions of a model of which only the size is known: whole heads for ranks, whole groups of layers for stages."""

from __future__ import annotations

import pytest

from calculators.subjects.training.training_memory import estimated_shape


def layers(pipeline: float, interleave: float) -> float:
    return estimated_shape.fitting_shape(70.6e9, 1, pipeline, interleave, 1, 128_256, True)["layers"]


@pytest.mark.parametrize(
    ("pipeline", "interleave", "expected"),
    # 67 would make up the parameters: the nearest that four, six and fifteen divide.
    [(1, 1, 67), (4, 1, 68), (2, 3, 66), (3, 2, 66), (5, 3, 60)],
)
def test_layers_come_in_whole_stages(pipeline: float, interleave: float, expected: float) -> None:
    assert layers(pipeline, interleave) == expected


def test_heads_are_dealt_out_evenly() -> None:
    """8,928 wide are 69.75 heads of 128: the nearest that eight key-value heads and six ranks divide is 72."""
    shape = estimated_shape.fitting_shape(70.6e9, 6, 1, 1, 1, 128_256, True)
    assert (shape["heads"], shape["kv_heads"]) == (72, 8)

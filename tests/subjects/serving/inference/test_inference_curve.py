"""Throughput over interactivity: the curve, the present state, the target, and published points."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest

from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import Values
from calculators.page.exploration import exploration
from calculators.page.tradeoff import tradeoff
from calculators.subjects.serving.inference.curve import marks, operating, places

CALCULATOR = CALCULATORS["inference"]
NIM = {
    "model": "llama-3-70b",
    "precision": "fp8",
    "cache_precision": "cache-fp8",
    "serving_tensor_parallel": 2,
    "input_tokens": 5000,
    "output_tokens": 500,
}


def values(**given: Any) -> Values:
    return answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, given))


def test_the_curve_runs_from_batch_one_to_all_that_memory_holds() -> None:
    assert places({"serving_max_sequences": 50}) == [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 50]
    assert places({"serving_max_sequences": 32}) == [1, 2, 3, 4, 6, 8, 12, 16, 24, 32]
    assert places({"serving_max_sequences": 0}) == [1]
    assert places({"serving_max_sequences": 1}) == [1]


@pytest.mark.parametrize("given", [{}, {"tpot_target": "16 ms"}, {"concurrent_sequences": 21}])
def test_the_present_state_is_on_the_curve(given: dict[str, Any]) -> None:
    """The step bends where compute outweighs reads, so the curve is not straight between two of its batches."""
    drawn = ET.fromstring(tradeoff(CALCULATOR, values(**given))[0])  # noqa: S314  drawn just now
    dot = next(one.attrib for one in drawn.iter() if one.tag.endswith("circle"))
    (line,) = (one.attrib for one in drawn.iter() if one.tag.endswith("polyline"))
    assert f"{dot['cx']},{dot['cy']}" in line["points"].split()


def test_published_points_are_drawn_for_their_own_service_only() -> None:
    """NIM prints 18.58 ms and 51.67 tokens/s of two GPUs at one client."""
    found = marks(values(**NIM))
    assert len(found) == 5
    assert found[0].across == pytest.approx(1 / 0.01858)
    assert found[0].up == pytest.approx(51.67 / 2)
    others = ({"input_tokens": 4999}, {"precision": "bf16"}, {"accelerator": "h200-sxm"})
    for other in (*others, {"serving_tensor_parallel": 4}, {"serving_tensor_parallel": 1}):
        assert marks(values(**{**NIM, **other})) == []


def test_the_picture_has_curve_target_present_state_and_published_points() -> None:
    drawn, message = tradeoff(CALCULATOR, values(**NIM))
    picture = ET.fromstring(drawn)  # noqa: S314  our own
    names = [one.tag.rpartition("}")[2] for one in picture.iter()]
    assert names.count("polyline") == 1
    assert names.count("circle") == 2
    assert names.count("rect") == 5
    assert {"full batch", "at this load", "TPOT target"} <= {
        one.text for one in picture.iter() if one.tag.endswith("text")
    }
    assert message.startswith("Output tokens/s per GPU over output tokens/s per user, full batch, from 1 sequence")
    assert "5 published points are marked: NIM 1.8" in message


def test_a_target_beyond_the_curve_has_no_line() -> None:
    drawn, _ = tradeoff(CALCULATOR, values(tpot_target="1 ms"))
    assert "TPOT target" not in drawn


def test_an_exploration_has_the_curve_where_the_calculator_has_one() -> None:
    found = values()
    assert exploration(CALCULATOR, found)["tradeoff"] == tradeoff(CALCULATOR, found)[0]
    assert tradeoff(CALCULATORS["kv_cache"], {}) == ("", "")


def test_the_operating_point_is_that_of_the_load() -> None:
    """A user's tokens/s, and all requests' tokens over all GPUs; none where the fleet is overloaded."""
    found = values(request_rate=5)
    point = operating(found)
    assert point is not None
    assert point.across == pytest.approx(found["tokens_per_second_per_user"])
    assert point.up == pytest.approx(5 * 500 / found["serving_gpus"])
    assert operating(values(request_rate=100, replicas=1)) is None
    apart = values(request_rate=50, disaggregated="yes")
    assert operating(apart).up == pytest.approx(50 * 500 / apart["serving_gpus"])  # type: ignore[union-attr]

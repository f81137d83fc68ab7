"""Questions whose answer does not apply: results that are None now or at every value, ranges whose middle is usual."""

from __future__ import annotations

import json
from typing import Any

import pytest

from calculators.bridge import respond
from calculators.cli.main import main


def ask(**question: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(respond(json.dumps({"python": [], "day": "2026-11-22", **question})))
    return found


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("inference", "degraded_utilization"),
        ("sample_training", "largest_trained_batch"),
        ("sample_inference", "largest_serving_batch"),
        ("data_lifecycle", "break_even_stay"),
    ],
)
def test_what_moves_a_result_is_told_where_some_change_leaves_none(name: str, result: str) -> None:
    found = ask(asks=["choices"], calculator=name, given={}, result=result, review={"result": result})
    assert "failure" not in found
    assert found["about"] == result


@pytest.mark.parametrize(
    "wanted",
    [
        ("sample_inference", "measured_peak_share=1"),
        ("retrieval", "cold_latency=1"),
        ("data_lifecycle", "cold_supply=480MB/s"),
    ],
)
def test_a_target_is_looked_for_where_an_input_leaves_no_value(
    wanted: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    name, target = wanted
    assert main([name, "--solve", target]) == 0
    assert "target" in capsys.readouterr().out


def test_a_range_whose_middle_is_the_default_stays_in_the_link() -> None:
    found = ask(asks=["answer", "link"], calculator="training_time", given={"mfu": "30%–50%"})
    assert "mfu=30%25%E2%80%9350%25" in found["link"]
    again = ask(asks=["answer"], calculator="training_time", fragment=found["link"])
    assert again["sentence"] == found["sentence"]

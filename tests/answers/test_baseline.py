"""The difference from a baseline, behind each number of an answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from calculators.answers import baseline
from calculators.answers.answer import evaluated
from calculators.answers.input_state import parse_inputs
from calculators.bridge import respond
from calculators.catalog import CALCULATORS


def against(name: str, given: dict[str, str], before: dict[str, str]) -> dict[str, str]:
    calculator = CALCULATORS[name]
    now, then = (evaluated(calculator, parse_inputs(calculator, texts)) for texts in (given, before))
    return baseline.differences(calculator, now, then)


def test_a_number_says_how_much_more_or_less_and_in_percent() -> None:
    """5.68 TB at 100 instead of 40 GB/s: 56.8 s instead of 142 s, which is 60 % less."""
    found = against("checkpoint", {"write_bandwidth": "100GB/s"}, {"write_bandwidth": "40GB/s"})
    assert found["write_bandwidth"] == "+60 GB/s, +150%"
    assert found["write_duration"] == "−85.2 s, −60%"
    assert found["stall_share"].endswith(" points")
    assert found["write_in_time"] == "was too slow"
    assert "checkpoint_size" not in found


def test_numbers_of_two_kinds_say_what_they_were() -> None:
    """Dollars a month less dollars an hour are nothing."""
    found = against("cost", {"money_per": "month"}, {})
    assert found["money_per"].startswith("was ")
    assert {text.partition(" ")[0] for text in found.values()} == {"was"}


def test_beyond_ten_times_the_baseline_there_is_no_percentage() -> None:
    found = against("checkpoint", {"write_bandwidth": "800GB/s"}, {"write_bandwidth": "40GB/s"})
    assert found["write_bandwidth"] == "+760 GB/s"


def test_of_one_state_nothing_differs() -> None:
    for name in CALCULATORS:
        assert against(name, {}, {}) == {}


def ask(**question: Any) -> dict[str, Any]:
    report = respond(json.dumps({"asks": ["answer"], "calculator": "checkpoint", **question}))
    found: dict[str, Any] = json.loads(report)
    return found


def test_an_answer_with_a_baseline_says_which_inputs_differ() -> None:
    found = ask(given={"write_bandwidth": "100GB/s"}, states=["write_bandwidth=40GB/s&v=0.1.0", "parameters=8B"])
    assert found["against"]["write_bandwidth"] == "+60 GB/s, +150%"
    message = "Differs from the baseline in: Storage write bandwidth 100 GB/s instead of 40 GB/s."
    assert found["cells"]["against.text"] == message
    assert ask(given={"model": "llama-3-8b"}, states=["model=llama-3-8b"])["cells"]["against.text"] == (
        "This is the baseline."
    )
    assert "against" not in ask()


@pytest.mark.parametrize("link", ["parameters=0", "nothing=here&write_bandwidth=none", "%%%"])
def test_a_baseline_without_an_answer_is_none(link: str) -> None:
    found = ask(states=[link])
    assert "failure" not in found
    assert found["texts"] == ask()["texts"]

"""The command line in a design review: margins, solutions, sweeps, tornados and comparisons, for any calculator."""

from __future__ import annotations

import json
from typing import Any

import pytest

from calculators.__main__ import main
from calculators.catalog import CALCULATORS

NAMES = sorted(CALCULATORS)
Captured = pytest.CaptureFixture[str]


def run(capsys: Captured, *arguments: str) -> str:
    """What is printed where nothing is wrong."""
    code = main(arguments)
    captured = capsys.readouterr()
    assert (code, captured.err) == (0, "")
    return captured.out


def refused(capsys: Captured, *arguments: str) -> str:
    """The one sentence that says what was wrong."""
    code = main(arguments)
    captured = capsys.readouterr()
    assert (code, captured.out) == (2, "")
    assert len(captured.err.splitlines()) == 1
    return captured.err.rstrip("\n")


def as_json(capsys: Captured, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(capsys, *arguments, "--json"))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_margins_are_told_of_every_verdict_as_text_and_as_data(name: str, capsys: Captured) -> None:
    verdicts = CALCULATORS[name].of_role("verdict")
    text, data = run(capsys, name, "--margins"), as_json(capsys, name, "--margins")
    assert list(data["margins"]) == [formula.name for formula in verdicts]
    for formula in verdicts:
        assert formula.label in text
        assert f"Nearest edge: {data['margins'][formula.name]['nearest']}" in text


def test_the_margin_of_a_save_is_the_bandwidth_it_asks_for(capsys: Captured) -> None:
    """Its verdict turns where bytes by window pass the bandwidth: 405B parameters of 14 B in 60 s are 94.5 GB/s."""
    data = as_json(capsys, "checkpoint", "--parameters", "405B", "--margins")
    found = {one["input"]: one for one in data["margins"]["drains"]["margins"]}
    (edge,) = found["write_bandwidth"]["up"]
    assert edge["first"] == pytest.approx(405e9 * 14 / 60)
    assert found["write_bandwidth"]["text"] == "drains from 94.5 GB/s on"


def test_one_exploration_is_told_at_a_time(capsys: Captured) -> None:
    assert refused(capsys, "checkpoint", "--margins", "--markdown") == (
        "--margins and --markdown are told one at a time"
    )

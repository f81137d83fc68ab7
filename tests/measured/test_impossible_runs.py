"""Runs whose figures cannot be: one sentence, on the page and on the command line, and never a failure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from calculators.bridge import respond
from calculators.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

_NOTHING = "A time or count of this run is 0 or no finite number"
_ENDED_AT_ONCE = "time,event\n5,started\n5,ended"
_WATTS = "timestamp, power.draw [W]\n2026/11/01 10:00:00.000, {0} W\n2026/11/01 10:00:01.000, {0} W\n"


def on_the_page(calculator: str, text: str) -> dict[str, Any]:
    asked = {"asks": ["answer", "measured"], "calculator": calculator, "python": [], "measured": text}
    found: dict[str, Any] = json.loads(respond(json.dumps(asked)))
    return found


@pytest.mark.parametrize("text", [_ENDED_AT_ONCE, "time,event\n600,started"])
def test_a_job_of_no_time_has_no_goodput(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = on_the_page("goodput", text)
    assert "failure" not in found
    assert _NOTHING in found["compared"]["problem"]
    assert found["texts"]["goodput"] == "93.3%", "the answer stays"
    file = tmp_path / "job.csv"
    file.write_text(text, "utf-8")
    assert main(["goodput", "--measured", str(file)]) == 2
    assert _NOTHING in capsys.readouterr().err


def test_power_below_nothing_is_refused_and_does_not_pass() -> None:
    assert on_the_page("power", _WATTS.format(650))["compared"]["problem"] == ""
    found = on_the_page("power", _WATTS.format(-273))["compared"]
    assert found["problem"].endswith("of this run is -273: correct the values that it comes from")


@pytest.mark.parametrize(
    "head", ["", "#       size         count      type   redop    root     time   algbw   busbw #wrong\n"]
)
def test_a_row_that_is_cut_after_its_count_is_no_bandwidth(head: str) -> None:
    """Its count was read as 8,388,608 GB/s."""
    row = "    16777216       4194304     float     sum      -1    205.0   81.84  143.22      0"
    found = on_the_page("collectives", f"# nThread 1 nGpus 8\n{head}{row}\n    33554432       8388608")["compared"]
    assert found["problem"] == ""
    assert "The best measured is 143 GB/s" in found["sentence"]

"""A pasted run of the reader's own, as the page of a calculator receives it next to its limits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from calculators import bridge
from calculators.catalog import CALCULATORS

LOGS = Path(__file__).parents[1] / "logs"


def _compared(name: str, text: str, given: dict[str, str] | None = None) -> dict[str, Any]:
    question = {"asks": ["measured"], "calculator": name, "given": given or {}, "measured": text}
    compared: dict[str, Any] = json.loads(bridge.respond(json.dumps(question)))["compared"]
    return compared


def test_a_storage_run_has_its_state_its_limits_and_reasons() -> None:
    compared = _compared("storage_demand", (LOGS / "fio-mixed-interrupted.json").read_text("utf-8"))
    assert compared["sentence"] == "Investigate: fio, 1 of the job's 2,048 nodes."
    assert compared["rows"][0] == {
        "label": "Read bandwidth",
        "measured": "31.4 MB/s",
        "limits": "pass at 40 GB/s or more, fail below 23.1 MB/s",
        "state": "Investigate",
    }
    assert compared["causes"][0]["name"] == "Small requests."


def test_inputs_that_the_log_states_are_named_unless_the_reader_set_them() -> None:
    log = (LOGS / "megatron-gpt2-64.txt").read_text("utf-8")
    assert "Read from it: GPUs in the job 64, Sequence length 1024." in _compared("training_time", log)["sentence"]
    stated = _compared("training_time", log, {"gpus": "128"})["sentence"]
    assert stated.endswith("Read from it: Sequence length 1024.")


@pytest.mark.parametrize("name", [name for name, one in CALCULATORS.items() if one.run_reader])
def test_nothing_pasted_is_no_problem_and_what_is_not_a_run_is_one(name: str) -> None:
    nothing = {"curves": {}, "problem": "", "sentence": "", "rows": [], "causes": []}
    assert _compared(name, " \n") == nothing
    assert _compared(name, "a shopping list")["problem"]
    packed = _compared(name, (b"\x1f\x8b\x08\x00" * 20).decode("utf-8", "replace"))
    assert packed["problem"].startswith("this is not plain text: unpack it")

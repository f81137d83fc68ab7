"""The calculator and its case in docs/adding.md are right as they are printed."""

from __future__ import annotations

import re
import sys
import textwrap
import tomllib
from importlib import import_module
from typing import TYPE_CHECKING

from builder.pages import cases
from builder.paths import ROOT
from calculators.answers.input_state import parse_inputs

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from calculators.declare import Calculator


def block(kind: str) -> str:
    """The first block of that kind in the steps of a new calculator."""
    found = re.search(rf" +```{kind}\n(.*?) +```\n", (ROOT / "docs" / "adding.md").read_text("utf-8"), re.DOTALL)
    assert found
    return textwrap.dedent(found[1])


def test_the_calculator_to_start_from_gives_what_its_case_expects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "transfer_of_docs.py").write_text(block("python"), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    calculator: Calculator = import_module("transfer_of_docs").CALCULATOR
    monkeypatch.delitem(sys.modules, "transfer_of_docs")
    (case,) = tomllib.loads(block("toml"))["case"]
    assert case.keys() >= cases._NEEDED
    values = calculator.evaluate(parse_inputs(calculator, case["given"]).values)
    assert values["moving_time"] == 1e15 / (12.5e9 * 0.8) == 100_000

"""The calculators as a library: called by name, answered by attribute, and as docs/python.md shows them."""

from __future__ import annotations

import doctest
import html
import importlib
import importlib.util
import sys
import textwrap
from pathlib import Path

import pytest

import calculators
from builder.paths import ROOT
from calculators.catalog import CALCULATORS
from calculators.declare import InputError
from calculators.library import Question


def test_the_examples_of_the_documentation_hold() -> None:
    text = (ROOT / "docs/python.md").read_text("utf-8")
    example = doctest.DocTestParser().get_doctest(text, {}, "docs/python.md", "docs/python.md", 0)
    assert len(example.examples) >= 5
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    runner.run(example)
    assert runner.failures == 0


def test_the_calculator_of_the_documentation_is_accepted_as_printed(tmp_path: Path) -> None:
    """1 PB over 8.75 GB/s."""
    printed = (ROOT / "docs/adding.md").read_text("utf-8").partition("   ```python\n")[2].partition("   ```\n")[0]
    module = tmp_path / "transfer.py"
    module.write_text(textwrap.dedent(printed), "utf-8")
    found = importlib.util.spec_from_file_location("transfer", module)
    assert found
    assert found.loader
    transfer = importlib.util.module_from_spec(found)
    sys.modules["transfer"] = transfer  # a dataclass looks there for its module
    try:
        found.loader.exec_module(transfer)
        answered = Question(transfer.CALCULATOR)()
        assert answered.moving_time == pytest.approx(1e15 / 8.75e9)
        assert "1 PB / (12.5 GB/s * 70%) = 31.7 h" in answered.working("moving_time")
        assert "is low: use more streams" in Question(transfer.CALCULATOR)(moving_share="40%").warnings[0]
    finally:
        del sys.modules["transfer"]


@pytest.mark.parametrize("name", sorted(CALCULATORS))
def test_every_calculator_is_a_function_of_the_package(name: str) -> None:
    question = getattr(calculators, name)
    assert isinstance(question, Question)
    result = question()
    for value in result.values:
        assert getattr(result, value) == result.values[value]
    assert repr(result) == f"{name}(): {result.sentence}"
    for headline in result.calculator.headline:
        assert result.text(headline) in result.working(headline)
    shown = result._repr_html_()
    assert "<details>" in shown
    for headline in result.calculator.headline:
        formula = result.calculator.steps[headline]
        assert (
            html.escape(result.text(headline) if formula.role == "verdict" else formula.label).lower() in shown.lower()
        )


def test_modules_of_the_package_stay_modules() -> None:
    for name in ("units", "facts", "declare", "subjects"):
        assert (
            getattr(calculators, name, importlib.import_module(f"calculators.{name}")).__name__ == f"calculators.{name}"
        )


def test_the_package_lists_its_calculators_and_an_answer_how_it_was_read() -> None:
    assert set(CALCULATORS) <= set(dir(calculators))
    read = calculators.kv_cache(context="128k")
    assert read.remarks == ["Context per sequence: “128k” was read as 131,072 tokens: a length of 128k is 128 × 1,024."]
    assert html.escape(read.remarks[0]) in read._repr_html_()


def test_what_is_no_calculator_and_what_is_no_result_is_named() -> None:
    with pytest.raises(AttributeError, match="there is no calculator 'checkpoints'; there are training_memory"):
        _ = calculators.checkpoints
    result = calculators.checkpoint()
    with pytest.raises(AttributeError, match="checkpoint has neither an input nor a result 'size'"):
        _ = result.size


def test_all_that_is_wrong_is_reported_at_once() -> None:
    with pytest.raises(InputError) as refused:
        calculators.checkpoint(parameters="0", gpus="many", colour="red")
    assert list(refused.value.problems) == ["parameters", "gpus", "colour"]


def test_an_older_name_of_a_result_still_answers() -> None:
    result = calculators.training_memory(model="llama-3-70b")
    assert result.total_parameters == result.parameters


def test_explorations_of_an_answer_are_those_of_the_command_line() -> None:
    """14 B for each of 405B parameters in 60 s are 94.5 GB/s: there the verdict turns, and there solving leads."""
    saved = calculators.checkpoint(parameters="405B")
    margins = {one["input"]: one for one in saved.margins().data["write_in_time"]["margins"]}
    assert margins["write_bandwidth"]["up"][0]["first"] == pytest.approx(94.5e9)
    (found,) = saved.solve("write_duration", 60.0, "write_bandwidth").data["solutions"]
    assert found["answers"][0]["value"] == pytest.approx(94.5e9)
    swept = saved.sweep("write_bandwidth", result="write_duration", lines="parameters=70B,405B")
    assert [line["value"] for line in swept.data["lines"]] == [70e9, 405e9]
    assert swept.picture == swept._repr_svg_()
    assert repr(saved.tornado("checkpoint_size")) == saved.tornado("checkpoint_size").text
    compared = saved.compare("parameters=70B", calculators.checkpoint(parameters="1B"), result="checkpoint_size")
    assert [one["after"] for one in compared.data["attributions"]] == [70e9 * 14, 1e9 * 14]


def test_a_comparison_may_be_of_another_result_and_a_sweep_begin_or_end_anywhere() -> None:
    """5.67 TB at 40 GB/s take 141.75 s, at 80 GB/s half of it."""
    saved = calculators.checkpoint(parameters="405B")
    other = "parameters=405B&write_bandwidth=80GB/s"
    (first,) = saved.compare(other).data["attributions"]
    (asked,) = saved.compare(other, result="checkpoint_stall").data["attributions"]
    assert (first["result"], asked["result"]) == ("write_duration", "checkpoint_stall")
    assert (asked["before"], asked["after"]) == pytest.approx((141.75, 70.875))
    whole, above, below = (
        saved.sweep("write_bandwidth", *ends, result="write_duration").data["points"]
        for ends in ((), ("100 GB/s",), ("", "100 GB/s"))
    )
    assert (above[0], above[-1]) == pytest.approx((100e9, whole[-1]))
    assert (below[0], below[-1]) == pytest.approx((whole[0], 100e9))


def test_a_notebook_shows_the_working_of_the_first_result() -> None:
    saved = calculators.checkpoint(parameters="405B")
    shown = saved._repr_html_()
    assert html.escape(saved.working("checkpoint_size")) in shown
    assert "required_write_bandwidth = " not in shown

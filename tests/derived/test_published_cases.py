"""Published figures: what others measured or printed, compared with what the calculators give for the same inputs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from builder.pages import cases
from builder.pages.cases import Case, CaseError
from builder.paths import ROOT
from calculators.catalog import CALCULATORS
from tests.each import each

ALL = [case for name in CALCULATORS for case in cases.load(name)]
HELD = [pytest.param(case, id=f"{case.calculator}: {case.name}") for case in ALL if not case.why]
MISSED = [pytest.param(case, id=f"{case.calculator}: {case.name}") for case in ALL if case.why]
USUAL = 0.01
RIGHT: dict[str, Any] = {
    "name": "A case",
    "source": "A paper",
    "url": "https://example.org",
    "strength": "independent",
    "kind": "measured",
    "printed": "980 GB",
    "given": {"parameters": "70B", "recipe": "none"},
    "expect": {"checkpoint_size": "980 GB"},
    "tolerance": 0.001,
    "reason": "half the last printed digit",
}


@each(HELD)
def test_a_published_figure_is_reproduced(case: Case) -> None:
    for outcome in cases.evaluate(case):
        text = f"{outcome.result}: printed {outcome.printed_text}, here {outcome.ours_text} ({outcome.error_text})"
        assert outcome.error <= case.tolerance + 1e-12, text


@each(MISSED)
def test_a_miss_really_misses_and_says_why(case: Case) -> None:
    assert len(case.why) > 20
    assert max(outcome.error for outcome in cases.evaluate(case)) > USUAL, "this is reproduced: make it a case"


@each(HELD)
def test_a_tolerance_beyond_one_percent_has_its_reason(case: Case) -> None:
    assert case.reason
    if case.tolerance > USUAL:
        assert len(case.reason) > 20


@pytest.mark.parametrize("name", sorted(CALCULATORS))
def test_every_result_is_the_subject_of_a_case(name: str) -> None:
    calculator = CALCULATORS[name]
    expected = {result for case in cases.load(name) if not case.why for result in case.expect}
    expected |= {calculator.result_aliases.get(result, result) for result in expected}
    # An input that a formula computes speaks for that formula.
    expected |= {
        one.name for input_, it in calculator.computed_inputs.items() if input_ in expected for one in it.fallbacks
    }
    missing = set(calculator.steps) - expected
    assert not missing, f"add these to `expect` of a case in tests/cases/{name}.toml"


def test_thirty_figures_are_independent_of_us_and_of_the_formulas() -> None:
    independent = [case for case in ALL if case.strength == "independent" and not case.why]
    assert len(independent) >= 30


def test_every_case_file_belongs_to_a_calculator() -> None:
    assert {path.stem for path in cases.FOLDER.glob("*.toml")} == {*CALCULATORS, "machine"}


def test_hand_derived_figures_show_their_arithmetic() -> None:
    for case in ALL:
        if case.strength == "hand_derived":
            assert re.search(r"\d", case.reason), case.name


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"tolerence": 0.1}, "no such case has tolerence"),
        ({"why": "Because."}, "no such case has why"),
        ({"strength": "strong"}, "strength must be one of"),
        ({"expect": {}}, "expects nothing"),
        ({"requests": 100}, "a number of requests changes only output_rate"),
        ({"expect": {"checkpoint_weight": "980 GB"}}, "expects checkpoint_weight, which is no result"),
        ({"url": "", "evidence": "primary"}, "needs the address of its source"),
        ({"tolerance": None}, "says nothing about tolerance"),
        ({"given": None}, "says nothing about given"),
        ({"reason": None}, "says nothing about reason"),
    ],
)
def test_a_case_that_says_something_impossible_is_refused_by_name(changed: dict[str, Any], text: str) -> None:
    entry = {key: value for key, value in {**RIGHT, **changed}.items() if value is not None}
    with pytest.raises(CaseError, match=rf"checkpoint\.toml: 'A case': .*{text}"):
        cases._case("checkpoint", entry, frozenset(("tolerance", "reason")))


def test_a_file_holds_cases_and_misses_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "checkpoint.toml").write_text("[[cases]]\n", "utf-8")
    monkeypatch.setattr(cases, "FOLDER", tmp_path)
    with pytest.raises(CaseError, match=r"holds \[\[case\]\] and \[\[miss\]\], not cases"):
        cases.load.__wrapped__("checkpoint")


def right(**changed: Any) -> Case:
    """A case that holds, but for what is changed."""
    return cases._case("checkpoint", {**RIGHT, **changed}, frozenset(("tolerance", "reason")))


def test_a_case_that_holds_has_no_error() -> None:
    (outcome,) = cases.evaluate(right())
    assert (outcome.error, outcome.error_text) == (0, "exact")
    assert (outcome.printed_text, outcome.ours_text) == ("980 GB", "980 GB")


def test_an_error_is_relative_and_signed() -> None:
    (outcome,) = cases.evaluate(right(expect={"checkpoint_size": "1000 GB"}))
    assert outcome.error == pytest.approx(0.02)
    assert outcome.error_text == "−2.00%"


@pytest.mark.parametrize(
    ("expected", "ours"),
    [
        ("980 GB", "980 GB"),
        ("912.7 GiB", "912.7 GiB"),
        ("980000 MB", "980,000 MB"),
        ("980000000000 B", "980,000,000,000 B"),
        (980e9, "980 GB"),
    ],
)
def test_our_figure_is_in_the_unit_of_the_one_expected(expected: object, ours: str) -> None:
    assert cases.evaluate(right(expect={"checkpoint_size": expected}))[0].ours_text == ours


def test_a_memory_that_a_source_prints_in_gb_is_in_gb() -> None:
    case = next(case for case in cases.load("training_memory") if case.printed == "120GB")
    assert [outcome.ours_text for outcome in cases.evaluate(case)] == ["120 GB"]


def test_an_unknown_input_in_a_case_is_an_error() -> None:
    with pytest.raises(ValueError, match="colour"):
        cases.evaluate(right(given={"colour": "red"}))


def test_a_verdict_is_expected_by_its_word() -> None:
    assert cases.evaluate(right(expect={"write_in_time": "finishes before the next checkpoint"}))[0].error == 0
    assert cases.evaluate(right(expect={"write_in_time": "write too slow"}))[0].error == 1


def test_the_readmes_example_of_a_case_is_accepted_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    example = (ROOT / "docs/adding.md").read_text("utf-8").rpartition("```toml\n")[2].partition("```")[0]
    (tmp_path / "training_time.toml").write_text(example, "utf-8")
    monkeypatch.setattr(cases, "FOLDER", tmp_path)
    (case,) = cases.load.__wrapped__("training_time")
    for outcome in cases.evaluate(case):
        assert outcome.error <= case.tolerance

"""How far a calculator was off is on its page: over all published figures, missed ones too, each kind alone."""

from __future__ import annotations

from typing import Any

import pytest

from builder.pages import accuracy, cases
from builder.pages.accuracy import Record
from builder.pages.cases import Case, Outcome
from builder.pages.view import View
from calculators.catalog import CALCULATORS
from tooling import published


def judged(
    name: str, *errors: float, kind: str = "measured", strength: str = "independent", **more: Any
) -> tuple[Case, tuple[Outcome, ...]]:
    """A published case, and how far off each of its figures was."""
    given: dict[str, Any] = {"calculator": "checkpoint", "source": "", "printed": "", "given": {}, "expect": {}}
    outcomes = (
        Outcome(result="", printed_text="", ours_text="", error=error, error_text="", is_share=error != 1)
        for error in errors
    )
    return Case(name=name, kind=kind, strength=strength, **given, **more), tuple(outcomes)


def test_the_median_and_the_worst_of_all_figures_appear_with_the_number_of_runs() -> None:
    found = accuracy.accuracy(
        [
            judged("one", 0.002, 0.031),
            judged("two", 0.039, 1.0),  # a verdict that differs has no share
            judged("three", 0.25, why="it was throttled"),
            judged("printed", 0.00005, kind="published_calculation"),
            judged("ours", 0.9, strength="hand_derived"),
            judged("a tool", 0.8, strength="peer"),
        ]
    )
    assert found == [
        Record(of="measured runs", runs="3", median="3.5%", worst="25%", missed="1"),
        Record(
            of="published calculation",
            runs="1",
            median="less than 0.01%",
            worst="less than 0.01%",
            missed="",
        ),
    ]


@pytest.mark.parametrize(
    ("error", "text"),
    [(0, "less than 0.01%"), (0.0032, "0.32%"), (0.0183, "1.8%"), (0.0996, "10%"), (0.114, "11%"), (2.17, "217%")],
)
def test_an_error_is_reported_with_two_digits(error: float, text: str) -> None:
    assert accuracy.percent(error) == text


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", CALCULATORS)
def test_every_calculator_says_how_far_off_it_was(name: str) -> None:
    view = View(CALCULATORS[name])
    published = [case for case in cases.load(name) if case.strength not in accuracy.OUR_OWN]
    assert bool(view.accuracy) == bool(published)
    missed = {row.name for row in view.misses}
    assert sum(int(record.missed or 0) for record in view.accuracy) <= len(missed)


def test_rows_of_a_table_are_counted_with_those_that_miss() -> None:
    rows = [
        judged("Table, row 1", 0.0),
        judged("Table, row 2", 0.01, 0.03),
        judged("Table, row 3", 0.3, why="misprint"),
    ]
    assert accuracy.reproduced(rows, "Table", 0.02) == "1 of 3"
    assert accuracy.reproduced(rows, "Table", 0.03) == "2 of 3"
    with pytest.raises(LookupError, match="no case is named 'Rack'"):
        accuracy.reproduced(rows, "Rack", 0.02)


@pytest.mark.daily(3)
def test_the_command_line_says_what_the_pages_say() -> None:
    assert published.TARGET.read_text("utf-8") == published.text(), "run `python -m tooling.published`"

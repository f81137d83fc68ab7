"""Counts for the home page: facts, published figures, how far off; and one published run next to the calculated one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builder.pages import accuracy, numbers
from calculators import facts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from builder.pages.view import CaseRow, View


def counts(views: Sequence[View]) -> list[tuple[str, str]]:
    """Counts of the numbers and of the calculators' published figures: each count, and of what."""
    stated = sum(len(record.fields) for records in numbers.tables().values() for record in records)
    judged = [pair for view in views for pair in view.judged]
    measured = next(one for one in accuracy.accuracy(judged) if one.of == "measured runs")
    return [
        (f"{stated:,}", f"numbers with a date, from {len(facts.sources()):,} sources"),
        (measured.runs, "measured runs, published by others, calculated here"),
        (measured.median, f"median error over them; {measured.missed} are listed as misses"),
    ]


def run(view: View, named: str) -> CaseRow:
    """A published figure of a calculator by its case's name. Raises LookupError if there is none."""
    found = [row for row in (*view.cases, *view.misses) if row.name == named]
    if not found:
        message = f"{view.calculator.name} has no published figure {named!r}"
        raise LookupError(message)
    return found[0]

"""Accuracy: how far a calculator was off over all its published figures, those it misses too. Its real error bar.

Measured and calculated figures are counted apart: the second only show that the same is calculated here.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from builder.pages.cases import Case, Outcome

MEASURED = ("measured", "reported_accounting")
OUR_OWN = ("peer", "hand_derived")  # other tools that we ran, and results worked out by hand: not published
_ONE_PERCENT, _TEN_PERCENT = 0.01, 0.1


@dataclass(frozen=True, kw_only=True)
class Record:
    """Accuracy on one kind of published figures, each part as finished text; `missed` counts those not reproduced."""

    of: str
    runs: str
    median: str
    worst: str
    missed: str


def accuracy(judged: Iterable[tuple[Case, Sequence[Outcome]]]) -> list[Record]:
    """One record for what was measured and one for what was calculated, as far as there is any."""
    published = [(case, outcomes) for case, outcomes in judged if case.strength not in OUR_OWN]
    kinds = {
        "measured run": [pair for pair in published if pair[0].kind in MEASURED],
        "published calculation": [pair for pair in published if pair[0].kind not in MEASURED],
    }
    return [record for of, pairs in kinds.items() if (record := _record(of, pairs))]


def reproduced(judged: Iterable[tuple[Case, Sequence[Outcome]]], named: str, within: float) -> str:
    """Of the cases with these words in their names, how many have every figure within a share: "19 of 19"."""
    found = [all(one.error <= within for one in outcomes) for case, outcomes in judged if named in case.name]
    if not found:
        message = f"no case is named {named!r}"
        raise LookupError(message)
    return f"{sum(found):,} of {len(found):,}"


def _record(of: str, judged: Sequence[tuple[Case, Sequence[Outcome]]]) -> Record | None:
    figures = [(outcome.error, case) for case, outcomes in judged for outcome in outcomes if outcome.is_share]
    if not figures:
        return None
    errors = [error for error, _ in figures]
    cases = {case.name: case for _, case in figures}
    missed = sum(bool(case.why) for case in cases.values())
    return Record(
        of=of if len(cases) == 1 else f"{of}s",
        runs=f"{len(cases):,}",
        median=percent(statistics.median(errors)),
        worst=percent(max(errors)),
        missed=f"{missed:,}" if missed else "",
    )


def percent(error: float) -> str:
    """Error for readers: two digits, and never a zero that only rounding made."""
    if error < _ONE_PERCENT**2:
        return "less than 0.01%"
    if error < _TEN_PERCENT:
        return f"{100 * error:.2g}%" if error >= _ONE_PERCENT else f"{100 * error:.2f}%"
    return f"{100 * error:,.0f}%"

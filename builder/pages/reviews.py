"""Reviews: what a good design record says, as the explore panel would make it of the same state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from builder.pages import amounts
from calculators.answers import input_state
from calculators.answers.answer import evaluated
from calculators.answers.links import link
from calculators.answers.record.contents import AuthorTexts, Contents, contents
from calculators.catalog import CALCULATORS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def record(
    which: str, title: str, notes: str, considered: Sequence[Mapping[str, Any]], given: Mapping[str, Any]
) -> Contents:
    """Design record of a calculator's state with the alternatives considered. Raises InputError where one is none."""
    calculator = CALCULATORS[which]
    resolved = input_state.valid_inputs(calculator, amounts.typed(given))
    links = [link(calculator, input_state.valid_inputs(calculator, amounts.typed(each))) for each in considered]
    values = evaluated(calculator, resolved)
    text = AuthorTexts(title=title, notes=notes, alternatives=links)
    return contents(calculator, resolved, values, text)

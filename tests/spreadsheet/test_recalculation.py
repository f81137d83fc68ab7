"""An exported workbook recalculates to what the engine gives in the same state."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import REFUSED
from calculators.spreadsheet.workbook import workbook
from tests.spreadsheet.evaluator import CellError, Evaluation
from tests.spreadsheet.files import SOFFICE, Book, recalculated, typed
from tests.spreadsheet.states import differences, exported, live, states, typed_cells

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any

_STATES = 20 if os.environ.get("EVERY") else 6
_OF_LIBREOFFICE = 20 if os.environ.get("EVERY") else 1


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", CALCULATORS)
def test_a_changed_input_cell_recalculates_to_the_engines_results(name: str) -> None:
    book = Book(exported(name).content)
    drawn = states(name, _STATES)
    assert len(drawn) > _STATES
    wrong: list[str] = []
    for state in drawn:
        evaluation = Evaluation(book, typed_cells(name, state))

        def found(cell: str, among: Evaluation = evaluation) -> Any:
            try:
                return among.value(cell)
            except CellError as error:
                return error

        wrong += differences(name, state, found)
        assert len(live(name, state)) > 0
    assert not wrong


@pytest.mark.skipif(not SOFFICE, reason="LibreOffice is not installed (Debian: libreoffice-calc-nogui)")
def test_libreoffice_recalculates_to_the_engines_results(tmp_path: Path) -> None:
    drawn = {
        f"{name}-{place}": (name, state)
        for name in CALCULATORS
        for place, state in enumerate(states(name, _OF_LIBREOFFICE))
    }
    contents = {key: typed(exported(name).content, typed_cells(name, state)) for key, (name, state) in drawn.items()}
    books = recalculated(contents, tmp_path)
    wrong = [one for key, (name, state) in drawn.items() for one in differences(name, state, books[key].value)]
    assert not wrong


@pytest.mark.parametrize("name", CALCULATORS)
def test_most_results_are_formulas(name: str, record_property: Callable[[str, object], None]) -> None:
    found = exported(name)
    record_property("live", f"{found.live} of {found.results}")
    least = {"data_lifecycle": 0.4}  # the plan over months is a loop
    assert found.live / found.results >= least.get(name, 0.85)


def test_another_state_is_exported_with_its_own_values() -> None:
    """The menu's record and the numbers of the state are in the cells, and recalculate to its results."""
    calculator = CALCULATORS["kv_cache"]
    resolved = valid_inputs(calculator, {"model": "llama-3-8b", "context": "32k", "sequences": "40"})
    values = answer.evaluated(calculator, resolved)
    made = workbook(calculator, resolved, values)
    book = Book(made.content)
    assert book.value("context") == 32_768
    assert book.value("sequences") == 40
    evaluation = Evaluation(book)
    assert evaluation.value("cache_memory_per_gpu") == pytest.approx(values["cache_memory_per_gpu"], rel=1e-9)
    assert evaluation.value("serving_fits") == values["serving_fits"].word


@pytest.mark.parametrize("exported", [8193, 8192])
def test_a_layout_that_frameworks_refuse_is_refused_in_its_workbook(exported: int) -> None:
    """A sequence of 8,193 tokens over 4 tensor ranks with sequence parallelism; 8,192 are accepted."""
    calculator, tensor = CALCULATORS["training_memory"], {"tensor_parallel": 4}
    states = {n: valid_inputs(calculator, {**tensor, "sequence_length": n}) for n in (8193, 8192)}
    accepted = answer.evaluated(calculator, states[8192])["fits"]
    values = answer.evaluated(calculator, states[exported])
    book = Book(workbook(calculator, states[exported], values).content)
    label = calculator.steps["fits"].label
    row = next(place[1:] for (sheet, place), text in book.values.items() if (sheet, text) == ("Results", label))
    for changed, state, level in (
        ({}, values["fits"].word, values["fits"].level),
        ({"sequence_length": 8192}, accepted.word, accepted.level),
        ({"sequence_length": 8193}, REFUSED, "tight"),
    ):
        evaluation = Evaluation(book, changed)
        found = [evaluation.value_at(("Results", f"{column}{row}")) for column in "BCD"]
        assert found == [state, level, values["fits"].word]

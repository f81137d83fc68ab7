"""Menus of records in a workbook: another record fills its values into the inputs that were not entered."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from calculators.spreadsheet.workbook import Workbook, workbook
from tests.spreadsheet.evaluator import Evaluation
from tests.spreadsheet.files import SOFFICE, Book, recalculated, typed
from tests.spreadsheet.states import State, differences, exported

if TYPE_CHECKING:
    from pathlib import Path

# Calculator, menu, key and text of a record: one with other attention; one without the tokens of its training, which
# are then computed; a precision over that of the model; one with a few values.
_CHOSEN = [
    ("kv_cache", "model", "deepseek-v3", "DeepSeek-V3 671B"),
    ("training_time", "model", "qwen3-32b", "Qwen3 32B"),
    ("inference", "precision", "fp8", "fp8 (W8A8)"),
    ("checkpoint", "model", "llama-3-8b", "Llama 3 8B"),
]


def made(name: str, given: dict[str, str]) -> Workbook:
    """Workbook of a state."""
    calculator = CALCULATORS[name]
    resolved = valid_inputs(calculator, given)
    return workbook(calculator, resolved, answer.evaluated(calculator, resolved))


def state(name: str, menu: str, key: str) -> State:
    """Every value of the engine with another record in a menu of the default state."""
    calculator, start = CALCULATORS[name], exported(name).exported
    values = answer.evaluated(calculator, valid_inputs(calculator, {menu: key}))
    changes = {one: values[one] for one in calculator.inputs if values[one] != start.values[one]}
    return State(changes, values)


@cache
def default_book(name: str) -> Book:
    """Cells of a calculator's default state."""
    return Book(exported(name).content)


@pytest.mark.parametrize(("name", "menu", "key", "text"), _CHOSEN)
def test_another_record_recalculates_to_the_engines_results(name: str, menu: str, key: str, text: str) -> None:
    after = Evaluation(default_book(name), {menu: text})
    found = state(name, menu, key)
    assert found.changes
    assert not list(differences(name, found, after.value))


def test_the_cache_of_deepseek_v3_is_61_layers_of_576_latent_dimensions() -> None:
    """512 + 64 dimensions of 2 bytes in each of 61 layers."""
    after = Evaluation(default_book("kv_cache"), {"model": "DeepSeek-V3 671B"})
    assert after.value("cache_per_token") == 61 * (512 + 64) * 2


def test_an_input_that_was_entered_does_not_follow_its_menu() -> None:
    found = Book(made("kv_cache", {"model": "llama-3-8b", "layers": "20"}).content)
    after = Evaluation(found, {"model": "Llama 3 70B"})
    assert found.formula("layers") == ""
    assert found.formula("heads") == f"INDEX({_column(found, 'heads')},model.row)"
    assert (after.value("layers"), after.value("heads")) == (20, 64)


def _column(found: Book, name: str) -> str:
    return found.formula(name).removeprefix("INDEX(").partition(",")[0]


def test_a_record_that_the_calculator_refuses_next_to_the_inputs_is_not_offered() -> None:
    """Ten layers cannot hold the 16 with attention of Qwen3.5 27B."""
    rows = made("kv_cache", {"layers": "10"}).exported.made.menus.by_name["model"].rows
    assert "llama-3-8b" in rows
    assert "qwen3-5-27b" not in rows


def test_the_cell_of_a_menu_offers_the_records_of_its_table() -> None:
    text = default_book("checkpoint").parts["xl/worksheets/sheet2.xml"].decode()
    menu = exported("checkpoint").exported.made.menus.by_name["model"]
    assert f"<formula1>{menu.cells()}</formula1>" in text
    assert list(menu.rows)[menu.place] == "llama-3-1-405b"


def test_a_source_gives_way_with_its_record() -> None:
    found = default_book("kv_cache")
    sheet, place = found.names["layers"]
    source: Any = (sheet, f"K{place[1:]}")
    assert str(Evaluation(found).value_at(source)).startswith(str(found.values[source]))
    after = Evaluation(found, {"model": "Llama 3 8B"})
    assert after.value_at(source) == "of another record: see the page"


@pytest.mark.skipif(not SOFFICE, reason="LibreOffice is not installed (Debian: libreoffice-calc-nogui)")
def test_libreoffice_follows_a_menu(tmp_path: Path) -> None:
    contents = {name: typed(exported(name).content, {menu: text}) for name, menu, _, text in _CHOSEN}
    books = recalculated(contents, tmp_path)
    for name, menu, key, _ in _CHOSEN:
        assert not list(differences(name, state(name, menu, key), books[name].value))

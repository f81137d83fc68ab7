"""A workbook says what is an input, a formula and a value, where each comes from, and is the same file each time."""

from __future__ import annotations

import base64
import json
import zipfile
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest

from calculators.__main__ import main
from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.bridge import respond
from calculators.catalog import CALCULATORS
from calculators.declare import Quantity
from calculators.machine.state import machine_state
from calculators.spreadsheet.archive import Entry, Sheet, address, written
from calculators.spreadsheet.workbook import workbook
from tests.spreadsheet.evaluator import Evaluation, parsed
from tests.spreadsheet.files import Book, typed
from tests.spreadsheet.states import exported

if TYPE_CHECKING:
    from pathlib import Path

    Captured = pytest.CaptureFixture[str]

_VALUE = "value: computed by the product"
_STALE = "out of date: inputs behind it have changed"


def book(name: str) -> Book:
    """Workbook of a calculator's default state."""
    return Book(exported(name).content)


def row(found: Book, name: str) -> dict[str, Any]:
    """Row of a named cell by the heads of its sheet."""
    sheet, place = found.names[name]
    number = place.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    heads = {place[:-1]: value for (one, place), value in found.values.items() if one == sheet and place[1:] == "1"}
    return {head: found.values.get((sheet, f"{column}{number}")) for column, head in heads.items()}


def test_the_sheets_are_results_inputs_formulas_sources_and_menus() -> None:
    assert list(book("checkpoint").paths) == ["Results", "Inputs", "Formulas", "Sources", "Menus"]


def test_an_input_has_its_unit_range_limits_and_source() -> None:
    found = row(book("checkpoint"), "write_bandwidth")
    assert found["Base unit"] == "B/s"
    limits = CALCULATORS["checkpoint"].inputs["write_bandwidth"]
    assert isinstance(limits, Quantity)
    assert (found["Minimum"], found["Maximum"]) == limits.hard
    assert found["Origin"] == "default"
    declared = CALCULATORS["kv_cache"].inputs["gpu_memory"]
    found = row(book("kv_cache"), "gpu_memory")
    assert (found["Input"], found["Base unit"]) == (declared.label, "B")
    assert found["Origin"] == "menu"
    assert "https://" in found["Source"]


def test_a_formula_reads_as_the_python_of_the_calculator() -> None:
    found = book("checkpoint")
    assert found.formula("checkpoint_size") == "trainable_parameters*checkpoint_bytes_per_parameter"
    assert (
        row(found, "checkpoint_size")["Calculation in Python"]
        == "trainable_parameters * checkpoint_bytes_per_parameter"
    )


def test_a_value_is_marked_and_says_when_it_is_out_of_date() -> None:
    name = "goodput"
    made = exported(name).exported
    result = next(one for one, cell in made.made.cells.items() if cell.reason)
    calculator = CALCULATORS[name]
    numbers = [one for one, value in made.values.items() if one in calculator.inputs and isinstance(value, float)]
    moved = next(one for one in numbers if one in calculator.behind(result))
    still = next(one for one in numbers if one not in calculator.behind(result))
    found = book(name)
    assert found.formula(made.made.cells[result].name) == ""
    assert row(found, result)["Kind"] == _VALUE
    sheet, place = found.names[result]
    kind = (sheet, f"E{place[1:]}")
    for typed_in, text in ((moved, _STALE), (still, _VALUE)):
        content = typed(exported(name).content, {typed_in: made.values[typed_in] * 2})
        after = Book(content)
        assert Evaluation(after).value_at(kind) == text


@pytest.mark.parametrize("name", ["goodput", "cost"])
def test_no_input_has_changed_at_export(name: str) -> None:
    """The best interval and a price per byte are computed, with another last digit than in Python."""
    evaluation = Evaluation(book(name))
    changed = exported(name).exported.changed.values()
    assert not [one for one in changed if evaluation.value_at(("Inputs", one.replace("$", "").partition("!")[2]))]


def test_a_result_says_when_values_behind_it_are_out_of_date() -> None:
    """What adapters keep and recomputation drops is no formula; it depends on the hidden size, and memory on it."""
    found = book("training_memory")
    label = CALCULATORS["training_memory"].steps["training_memory"].label
    cells = {value: place for place, value in found.values.items() if place[0] == "Results" and isinstance(value, str)}
    kind = ("Results", f"E{cells[label][1][1:]}")
    values = ", ".join(f"{one}, {one}.around, {one}.within" for one in ("adapter_activation", "dropped_activation"))
    assert Evaluation(found).value_at(kind) == f"formula, from values: {values}"
    after = Evaluation(found, {"hidden": 2 * found.value("hidden")})
    assert after.value_at(kind) == f"formula, from values that are out of date: {values}"


def test_a_verdict_is_live_and_its_reason_goes_with_the_numbers_it_names() -> None:
    found = book("kv_cache")
    cells = {value: place for place, value in found.values.items() if place[0] == "Results" and isinstance(value, str)}
    label = CALCULATORS["kv_cache"].steps["serving_fits"].label
    line = cells[label][1][1:]
    before, after = Evaluation(found), Evaluation(found, {"sequences": 1e6})
    assert before.value_at(("Results", f"B{line}")) == "fits"
    assert "there is room for" in before.value_at(("Results", f"F{line}"))
    assert after.value_at(("Results", f"B{line}")) == "does not fit"
    assert after.value_at(("Results", f"C{line}")) == "bad"
    assert after.value_at(("Results", f"F{line}")) == "inputs have changed: see the formula"


def test_a_constant_of_a_formula_is_a_cell_with_its_source() -> None:
    found = book("checkpoint")
    of_constants = [name for name, (sheet, _) in found.names.items() if sheet == "Sources"]
    assert "DAY" in of_constants
    assert found.value("DAY") == 24 * 60 * 60
    assert any("https://" in str(row(found, name)["Source"]) for name in of_constants)


def test_a_constant_that_counts_repetitions_says_that_no_cell_changes_it() -> None:
    """The years in which owning may pay back are written out, one after the other."""
    assert row(book("cost"), "YEARS_LOOKED_AT")["Kind"] == "counts repetitions: not to be changed here"
    assert row(book("cost"), "YEAR")["Kind"] == "constant of the formula"


def test_the_same_state_is_the_same_file() -> None:
    calculator = CALCULATORS["checkpoint"]
    resolved = valid_inputs(calculator, {})
    again = workbook(calculator, resolved, answer.evaluated(calculator, resolved))
    assert again.content == exported("checkpoint").content


def test_a_text_never_begins_a_formula_and_no_character_breaks_the_file() -> None:
    sheet = Sheet("Own", (10,))
    sheet.add(Entry('=1+1 & <b> "x" \x00 é'))
    found = Book(written([sheet], "A & B"))
    assert found.values["Own", "A1"] == '=1+1 & <b> "x"  é'
    assert not found.formulas


def test_addresses_count_columns_in_letters() -> None:
    assert [address(column, 7) for column in (0, 25, 26, 701, 702)] == ["A7", "Z7", "AA7", "ZZ7", "AAA7"]


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", CALCULATORS)
def test_the_command_line_writes_the_file(name: str, tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "state.xlsx"
    assert main([name, "--xlsx", str(file)]) == 0
    live, results = exported(name).live, exported(name).results
    assert f"{live} of {results} results are live formulas" in capsys.readouterr().out
    assert zipfile.ZipFile(BytesIO(file.read_bytes())).testzip() is None


def test_the_command_line_refuses_other_files_and_combinations(tmp_path: Path, capsys: Captured) -> None:
    assert main(["checkpoint", "--xlsx", str(tmp_path / "state.csv")]) == 2
    assert "must end in .xlsx" in capsys.readouterr().err
    assert main(["checkpoint", "--xlsx", str(tmp_path / "no/state.xlsx")]) == 2
    assert "cannot be written: no such file or directory" in capsys.readouterr().err
    assert main(["checkpoint", "--xlsx", str(tmp_path / "state.xlsx"), "--margins"]) == 2
    assert "--margins and --xlsx cannot be combined" in capsys.readouterr().err


def test_a_systems_state_is_a_spreadsheet_too(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "system.xlsx"
    assert main(["machine", "--model", "llama-3-8b", "--gpus", "64", "--xlsx", str(file)]) == 0
    assert "results are live formulas" in capsys.readouterr().out
    found = Book(file.read_bytes())
    assert found.value("gpus") == 64
    assert _VALUE in row(found, "tensor_parallel")["Origin"]
    after = Evaluation(found, {"accelerator": "NVIDIA B200 SXM 180 GB"})
    assert after.value("server") == "DGX B200: eight GPUs, 14.3 kW, air"
    sheet, place = found.names["tensor_parallel"]
    assert "out of date: searched for with other records" in after.value_at((sheet, f"J{place[1:]}"))
    evaluation = Evaluation(found)
    assert evaluation.value("training_duration") == pytest.approx(found.value("training_duration"), rel=1e-9)


def within_limits(found: Book) -> list[str]:
    """Formulas that Excel refuses: longer than 8,192 characters, deeper than 64 calls, with more than 255 arguments."""
    wrong = []
    for place, formula in found.formulas.items():
        depth, most = shape(parsed(formula))
        if len(formula) > 8192 or depth > 64 or most > 255:
            wrong.append(f"{place}: {len(formula)} characters, {depth} deep, {most} arguments")
    return wrong


def shape(tree: Any) -> tuple[int, int]:
    """Depth of calls in a formula's tree, and the most arguments of one."""
    kind, *inside = tree
    if kind in {"value", "name"}:
        return 0, 0
    below = [shape(one) for one in inside if isinstance(one, tuple)]
    is_call = kind == "call"
    depth = max((one for one, _ in below), default=0) + is_call
    return depth, max([len(inside) - 1 if is_call else 0, *(most for _, most in below)])


@pytest.mark.parametrize("name", CALCULATORS)
def test_excel_takes_every_formula(name: str) -> None:
    assert not within_limits(book(name))


@pytest.mark.daily(4)
@pytest.mark.parametrize("given", [{}, {"job": "serve"}, {"job": "rag"}, {"job": "rl"}])
def test_excel_takes_every_formula_of_a_system(given: dict[str, str]) -> None:
    state = machine_state(given)
    found = Book(workbook(state.calculator, state.resolved, state.values).content)
    assert not within_limits(found)
    assert len({name.lower() for name in found.names}) == len(found.names)


def test_the_bridge_hands_the_file_to_the_page() -> None:
    request = {"asks": ["spreadsheet"], "calculator": "checkpoint", "given": {}, "record": {"address": "https://here/"}}
    found = Book(base64.b64decode(json.loads(respond(json.dumps(request)))["spreadsheet"]))
    assert found.value("checkpoint_size") == book("checkpoint").value("checkpoint_size")
    assert any(str(value).startswith("https://here/#") for value in found.values.values())

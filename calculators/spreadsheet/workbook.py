"""Workbook: a state of a calculator as an .xlsx file whose results recalculate when an input cell is changed.

Every input and result is a cell with a name, so that formulas read as the calculator's Python does. What no formula of
a spreadsheet computes is a value, marked so, which says when inputs behind it have changed.
"""

from dataclasses import dataclass

from calculators.answers.input_state import InputState
from calculators.declare import Calculator, Values
from calculators.spreadsheet.archive import written
from calculators.spreadsheet.sheets.exported import WorkbookState
from calculators.spreadsheet.sheets.formulas import formulas_sheet
from calculators.spreadsheet.sheets.inputs import inputs_sheet
from calculators.spreadsheet.sheets.records import menus_sheet
from calculators.spreadsheet.sheets.results import results_sheet
from calculators.spreadsheet.sheets.sources import sources_sheet
from calculators.spreadsheet.translation import translation


@dataclass(frozen=True)
class Workbook:
    """Bytes of an .xlsx file, with what was exported; `live` of its `results` are formulas."""

    content: bytes
    exported: WorkbookState
    live: int
    results: int


def workbook(calculator: Calculator, resolved: InputState, values: Values, page: str = "") -> Workbook:
    """Workbook of a state; `page` is the address of the calculator's page."""
    exported = WorkbookState(calculator, resolved, values, translation(calculator, resolved, values))
    inputs = inputs_sheet(exported)  # first: the other sheets refer to its cells
    sheets = [results_sheet(exported, page), inputs, formulas_sheet(exported), sources_sheet(exported)]
    if exported.made.menus.by_name:
        sheets.append(menus_sheet(exported))
    content = written(sheets, f"{calculator.title}: {calculator.question}")
    return Workbook(content, exported, exported.live, len(exported.results))

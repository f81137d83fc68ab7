"""Sheet of formulas: every result with its formula as a cell, and below it the parts that have cells of their own."""

from calculators import facts
from calculators.answers import explain
from calculators.declare import AnyFormula, Verdict
from calculators.spreadsheet.archive import Entry, Sheet, Style
from calculators.spreadsheet.cells import FAILED, NONE
from calculators.spreadsheet.formats import base_unit, number_format
from calculators.spreadsheet.helpers import Helper
from calculators.spreadsheet.sheets.exported import HEAD, NOTE, TEXT, VALUE_FILL, WorkbookState

FORMULAS = "Formulas"
_WIDTHS = (46, 20, 14, 22, 42, 60, 44, 34)
_HEADS = ("Result", "Value", "Base unit", "As exported", "Kind", "Calculation in Python", "Source", "Name in formulas")
_NOT_USED = "not used"


def formulas_sheet(exported: WorkbookState) -> Sheet:
    """The sheet, results in the order in which they are computed."""
    sheet = Sheet(FORMULAS, _WIDTHS, frozen=1)
    sheet.add(*(Entry(head, style=HEAD) for head in _HEADS))
    helpers: dict[str, list[Helper]] = {}
    for helper in exported.made.helpers.made:
        helpers.setdefault(exported.made.helper_owners.get(helper.name, ""), []).append(helper)
    for name, formula in exported.calculator.computed.items():
        if name in exported.made.cells and name not in exported.calculator.inputs:
            _result(exported, sheet, formula)
        for helper in helpers.get(name, ()):
            if helper.role != "constant":
                _helper(exported, sheet, helper, name)
    return sheet


def _result(exported: WorkbookState, sheet: Sheet, formula: AnyFormula) -> None:
    found, level = exported.made.cells[formula.name], exported.made.levels.get(formula.name)
    present = exported.values[formula.name]
    shown = formula.text(present)
    value = shown if found.value is None else found.value
    number = "" if level else number_format(formula.unit, value)
    style = Style(number=number, fill="" if found.formula else VALUE_FILL)
    sheet.add(
        Entry(formula.label, style=TEXT),
        Entry(value, found.formula, style, found.name),
        "" if isinstance(present, Verdict) else base_unit(formula.unit),
        shown,
        exported.kind(formula.name, found),
        Entry("" if level else explain.symbolic(formula).removeprefix("return "), style=TEXT),
        Entry("; ".join(_cited(one) for one in formula.sources), style=TEXT),
        found.name,
    )
    if level:
        style = Style(fill="" if level.formula else VALUE_FILL)
        sheet.add(
            Entry(f"{formula.label}: level", style=NOTE),
            Entry(level.value, level.formula, style, level.name, is_level=True),
            "",
            level.value,
            exported.kind(formula.name, level),
            "",
            "",
            level.name,
        )


def _helper(exported: WorkbookState, sheet: Sheet, helper: Helper, owner: str) -> None:
    cell, is_value = helper.cell, helper.role == "value"
    value = _NOT_USED if cell.value is FAILED else NONE if cell.value is None else cell.value
    sheet.add(
        Entry(f"    {helper.name}", style=NOTE),
        Entry(value, "" if is_value else cell.text, Style(fill=VALUE_FILL if is_value else ""), helper.name),
        "",
        "",
        exported.mark(owner) if is_value else "formula: part of a result",
        "",
        "",
        helper.name,
    )


def _cited(source: facts.Source) -> str:
    return f"{source.title} ({', '.join(str(one) for one in (source.by, source.year) if one)})"

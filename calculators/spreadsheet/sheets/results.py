"""Sheet of results: the question, the answer as exported, main results and verdicts, warnings."""

from collections.abc import Mapping

from calculators.answers import answer, links
from calculators.answers.input_state import parsing_notes
from calculators.declare import AnyFormula, Verdict
from calculators.spreadsheet.archive import Entry, Sheet, Style
from calculators.spreadsheet.formats import base_unit, number_format
from calculators.spreadsheet.sheets.exported import HEAD, TEXT, TITLE, VALUE, WorkbookState, literal
from calculators.spreadsheet.sheets.inputs import INPUTS
from calculators.version import VERSION

RESULTS = "Results"
_WIDTHS = (46, 20, 14, 26, 42, 80)


def results_sheet(exported: WorkbookState, page: str) -> Sheet:
    """The sheet; `page` is the address of the calculator's page, for the link to this state."""
    calculator, values = exported.calculator, exported.values
    sheet = Sheet(RESULTS, _WIDTHS)
    sheet.add(Entry(calculator.title, style=TITLE))
    sheet.add(calculator.question)
    sheet.add("As exported", answer.sentence(calculator, values, exported.resolved))
    sheet.add("Link", f"{page}#{links.stamped(calculator, exported.resolved, values)}")
    sheet.add("Made with", f"{calculator.title}, Infrastructure for AI, version {VERSION}")
    sheet.add(
        "How to use",
        f"Change a yellow cell on {INPUTS}, or choose another record there: {exported.live} of "
        f"{len(exported.results)} results are formulas and recalculate. The others, if any, are marked “{VALUE}”, and "
        "say when they are out of date. Numbers are in "
        "base units (bytes, seconds, dollars, shares from 0 to 1).",
    )
    sheet.add()
    sheet.add(*(Entry(head, style=HEAD) for head in ("Main results", "Value", "Base unit", "As exported", "Kind")))
    for name in calculator.headline:
        formula = calculator.computed.get(name)
        if formula is not None and not isinstance(values[name], Verdict):
            _headline(exported, sheet, formula)
    sheet.add()
    heads = ("Verdict", "State", "Level", "As exported", "Kind", "Reason, as exported")
    sheet.add(*(Entry(head, style=HEAD) for head in heads))
    for name, judged in answer.verdicts(calculator, values).items():
        _verdict(exported, sheet, name, judged)
    notes = [*answer.warnings(calculator, values), *parsing_notes(calculator, exported.resolved)]
    if notes:
        sheet.add()
        sheet.add(Entry("Warnings and notes, as exported", style=HEAD))
        for note in notes:
            sheet.add(note)
    return sheet


def _headline(exported: WorkbookState, sheet: Sheet, formula: AnyFormula) -> None:
    found = exported.made.cells[formula.name]
    shown = formula.text(exported.values[formula.name])
    value = shown if found.value is None else found.value
    sheet.add(
        Entry(formula.label, style=TEXT),
        Entry(value, found.name, Style(number=number_format(formula.unit, value))),
        base_unit(formula.unit),
        shown,
        exported.kind_now(formula.name, found),
    )


def _verdict(exported: WorkbookState, sheet: Sheet, name: str, judged: Mapping[str, str]) -> None:
    """A verdict; its reason has the numbers of the exported state, so it goes once an input was changed."""
    found, level = exported.made.cells[name], exported.made.levels[name]
    changed = exported.changed_behind(name)
    reason = judged["reason"] or judged["word"]
    text = literal(reason)
    formula = f'IF({changed},"inputs have changed: see the formula",{text})' if changed else text
    sheet.add(
        Entry(exported.calculator.steps[name].label, style=TEXT),
        Entry(judged["word"], found.name),
        Entry(judged["level"], level.name, is_level=True),
        judged["word"],
        exported.kind_now(name, found),
        Entry(reason, formula, TEXT),
    )

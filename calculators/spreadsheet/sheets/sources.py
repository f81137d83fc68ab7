"""Sheet of sources: constants of formulas as cells, facts behind inputs, cited works, what is assumed and left out."""

import ast
import importlib
import inspect
from functools import cache
from typing import Any

from calculators import facts
from calculators.answers import provenance
from calculators.spreadsheet.archive import Entry, Sheet, Style
from calculators.spreadsheet.formats import base_unit
from calculators.spreadsheet.helpers import Helper
from calculators.spreadsheet.sheets.exported import HEAD, INPUT_FILL, TEXT, WorkbookState, source_text

SOURCES = "Sources"
_WIDTHS = (34, 18, 14, 14, 22, 44, 60, 26)


def sources_sheet(exported: WorkbookState) -> Sheet:
    """The sheet; a constant is a cell too, and changing it recalculates."""
    calculator = exported.calculator
    sheet = Sheet(SOURCES, _WIDTHS)
    _heads(sheet, "Constant of formulas", "Value", "Low", "High", "Kind", "Module", "Source", "Read")
    for helper in exported.made.helpers.made:
        if helper.role == "constant":
            _constant(sheet, helper, counts=helper.name in exported.made.helpers.counting)
    sheet.add()
    _heads(sheet, "Fact behind an input, as exported", "Value", "Low", "High", "Kind", "Fact", "Source", "Read")
    for name, declared in calculator.inputs.items():
        if known := provenance.fact(calculator, exported.resolved, name):
            low, high = known.spread or ("", "")
            kind = known.kind + (", unchecked" if known.unchecked else "")
            source = Entry(source_text(known), style=TEXT)
            unit = base_unit(known.unit)
            name_of_fact = f"{known.name} [{unit}]" if unit else known.name
            sheet.add(declared.label, _plain(known.value), low, high, kind, name_of_fact, source, known.reading)
    sheet.add()
    _heads(sheet, "Source of a formula", "", "", "", "Year", "By", "Address", "Read")
    for one in {one.key: one for formula in calculator.computed.values() for one in formula.sources}.values():
        sheet.add(Entry(one.title, style=TEXT), "", "", "", one.year, one.by, one.url, one.reading)
    for title, texts in (("Assumptions", calculator.assumptions), ("Not modeled", calculator.omits)):
        sheet.add()
        _heads(sheet, title)
        for text in texts:
            sheet.add(text)
    return sheet


def _heads(sheet: Sheet, *heads: str) -> None:
    sheet.add(*(Entry(head, style=HEAD) for head in heads))


def _constant(sheet: Sheet, helper: Helper, *, counts: bool) -> None:
    """Constant with the facts that its module takes it from; one that counts repetitions cannot be changed here."""
    module, texts = _assigned(helper.module, helper.declared)
    known = [one for one in map(_fact, texts) if one]
    low, high = (known[0].spread or ("", "")) if [one.value for one in known] == [helper.cell.value] else ("", "")
    sheet.add(
        helper.name,
        Entry(helper.cell.value, style=Style(fill="" if counts else INPUT_FILL), name=helper.name),
        low,
        high,
        "counts repetitions: not to be changed here"
        if counts
        else "; ".join(dict.fromkeys(one.kind for one in known)) or "constant of the formula",
        module,
        Entry("; ".join(f"{one.name}: {source_text(one)}" for one in known), style=TEXT),
        "; ".join(dict.fromkeys(one.reading for one in known)),
    )


def _fact(key: str) -> facts.Fact | None:
    try:
        return facts.fact(key)
    except facts.FactError:
        return None


@cache
def _assigned(module: str, name: str) -> tuple[str, tuple[str, ...]]:
    """Module that assigns a constant, and the texts in what it assigns, keys of facts among them."""
    try:
        tree = ast.parse(inspect.getsource(importlib.import_module(module)))
    except (ImportError, OSError, TypeError, ValueError):
        return module, ()
    for one in tree.body:
        if isinstance(one, ast.ImportFrom) and one.module:
            for alias in one.names:
                if (alias.asname or alias.name) == name:
                    return _assigned(one.module, alias.name)
        targets = one.targets if isinstance(one, ast.Assign) else [one.target] if isinstance(one, ast.AnnAssign) else []
        named = {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}
        if name in named:
            found = (node.value for node in ast.walk(one) if isinstance(node, ast.Constant))
            return module, tuple(text for text in found if isinstance(text, str))
    return module, ()


def _plain(value: Any) -> Any:
    return value if isinstance(value, bool | int | float | str) else str(value)

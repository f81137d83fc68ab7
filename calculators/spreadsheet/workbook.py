"""Workbook: a state of a calculator as an .xlsx file whose results recalculate when an input cell is changed.

Every input and result is a cell with a name, so that formulas read as the calculator's Python does. What no formula of
a spreadsheet computes is a value, marked so, and says when inputs behind it have changed.
"""

import ast
import importlib
import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from calculators import facts, units
from calculators.answers import answer, explain, links, provenance
from calculators.answers.input_state import InputState, parsing_notes
from calculators.declare import AnyFormula, Calculator, Choice, InputError, Quantity, Values, Verdict
from calculators.spreadsheet.archive import Entry, Sheet, Style, address, written
from calculators.spreadsheet.cells import FAILED
from calculators.spreadsheet.formats import number_format
from calculators.spreadsheet.helpers import Helper
from calculators.spreadsheet.translation import Computed, Translation, translation
from calculators.version import VERSION

_TITLE, _HEAD = Style(bold=True), Style(bold=True, fill="FFE4E8EE", wrap=True)
_TEXT = Style(wrap=True)
_NOTE = Style(italic=True, color="FF555555", wrap=True)
_INPUT_FILL, _VALUE_FILL = "FFFFF7D6", "FFECECEC"
_VALUE = "value: computed by the product"
_STALE = "out of date: inputs behind it have changed"
_ORIGINS = {"yours": "entered", "preset": "menu", "default": "default", "computed": "computed"}
_MOST_BEHIND = 200  # arguments of OR
_RESULTS, _INPUTS, _FORMULAS, _SOURCES = "Results", "Inputs", "Formulas", "Sources"


@dataclass(frozen=True)
class Workbook:
    """Bytes of an .xlsx file, how many of its results are formulas, the names of cells, and which are values."""

    content: bytes
    translation: Translation
    live: int
    results: int


def workbook(calculator: Calculator, resolved: InputState, values: Values, page: str = "") -> Workbook:
    """Workbook of a state; `page` is the address of the calculator's page."""
    return _Writer(calculator, resolved, values).workbook(page)


class _Writer:
    def __init__(self, calculator: Calculator, resolved: InputState, values: Values) -> None:
        self._calculator, self._resolved, self._values = calculator, resolved, values
        self._made = translation(calculator, resolved.explicit, values)
        self._changed: dict[str, str] = {}

    def workbook(self, page: str) -> Workbook:
        inputs = self._inputs()
        formulas = self._formulas()
        names = [name for name in self._calculator.steps if name in self._made.cells]
        live = sum(self._made.live(name) for name in names)
        sheets = [self._results(page, live, len(names)), inputs, formulas, self._sources()]
        content = written(sheets, f"{self._calculator.title}: {self._calculator.question}")
        return Workbook(content, self._made, live, len(names))

    # Inputs

    def _inputs(self) -> Sheet:
        sheet = Sheet(_INPUTS, (44, 20, 14, 22, 10, 14, 14, 14, 14, 18, 44, 26, 30, 60), frozen=1)
        heads = ("Input", "Value", "Unit", "As exported", "Changed", "Range: low", "Range: high", "Minimum", "Maximum")
        sheet.add(*(Entry(head, style=_HEAD) for head in (*heads, "Origin", "Source", "Read", "Name in formulas", "About")))
        for preset in self._calculator.presets:
            record = preset.by_key.get(self._resolved.presets[preset.name])
            about = "Menu. Its values are in the cells below whose origin is “menu”; this cell changes nothing."
            sheet.add(preset.label, record.name if record else "none", "", "", "", "", "", "", "", "menu", "", "", "", Entry(about, style=_NOTE))
        group = None
        for name, declared in self._calculator.inputs.items():
            if name not in self._made.cells:
                continue
            title = self._calculator.groups.get(declared.group, declared.group)
            if title != group:
                group = title
                sheet.add(Entry(title, style=_TITLE))
            self._input(sheet, name)
        return sheet

    def _input(self, sheet: Sheet, name: str) -> None:
        declared, found = self._calculator.inputs[name], self._made.cells[name]
        row = len(sheet.rows) + 1
        word = self._resolved.words.get(name, "")
        value = declared.text(None) if found.value is None and isinstance(declared, Quantity) else found.value
        shown = declared.text(self._values[name])
        unit = "" if isinstance(declared, Choice) else units.base_symbol(declared.unit)
        number = "" if isinstance(declared, Choice) else number_format(declared.unit, value)
        style = Style(number=number, fill=_INPUT_FILL, color="" if found.formula else "FF0000CC")
        spread = self._values.ranges.get(name) or (declared.spread if isinstance(declared, Quantity) else None) or ("", "")
        hard = declared.hard if isinstance(declared, Quantity) else ("", "")
        entry = Entry(
            value,
            found.formula,
            style,
            found.name,
            tuple(declared.options) if isinstance(declared, Choice) else (),
            hard if isinstance(declared, Quantity) and not declared.not_applicable else None,  # type: ignore[arg-type]
        )
        self._changed[name] = address(4, row, _INPUTS)
        changed = f"{address(1, row)}<>{_literal(value)}"
        known = provenance.fact(self._calculator, self._resolved, name)
        origin = self._resolved.origins[name]
        sheet.add(
            Entry(declared.label, style=_TEXT),
            entry,
            unit,
            shown if isinstance(declared, Quantity) else f"{value} ({shown})",
            Entry(False, changed),
            *(Entry(end, style=Style(number=number)) for end in (*spread, *hard)),
            word or _ORIGINS[origin],
            Entry(_source_text(known) if known else provenance.computing(self._calculator, self._resolved, name), style=_TEXT),
            known.reading if known else "",
            found.name,
            Entry(declared.help, style=_NOTE),
        )

    # Formulas

    def _formulas(self) -> Sheet:
        sheet = Sheet(_FORMULAS, (46, 20, 14, 22, 42, 60, 44, 34), frozen=1)
        heads = ("Result", "Value", "Unit", "As exported", "Kind", "Calculation", "Source", "Name in formulas")
        sheet.add(*(Entry(head, style=_HEAD) for head in heads))
        for name, formula in self._calculator.computed.items():
            if name in self._made.cells and name not in self._calculator.inputs:
                self._result(sheet, formula)
            for helper in self._made.helpers.made:
                if self._made.helper_owners.get(helper.name) == name and helper.role != "constant":
                    self._helper(sheet, helper, name)
        return sheet

    def _result(self, sheet: Sheet, formula: AnyFormula) -> None:
        name = formula.name
        found, level = self._made.cells[name], self._made.levels.get(name)
        shown = formula.text(self._values[name])
        value = shown if found.value is None else found.value
        unit = "" if isinstance(self._values[name], Verdict) else units.base_symbol(formula.unit)
        source = "; ".join(_cited(one) for one in formula.sources)
        calculation = "" if formula.role == "verdict" else explain.symbolic(formula).removeprefix("return ")
        style = Style(number="" if level else number_format(formula.unit, value), fill="" if found.formula else _VALUE_FILL)
        sheet.add(
            Entry(formula.label, style=_TEXT),
            Entry(value, found.formula, style, found.name),
            unit,
            shown,
            self._kind(name, found),
            Entry(calculation, style=_TEXT),
            Entry(source, style=_TEXT),
            found.name,
        )
        if level:
            sheet.add(
                Entry(f"{formula.label}: level", style=_NOTE),
                Entry(level.value, level.formula, Style(fill="" if level.formula else _VALUE_FILL), level.name, is_level=True),
                "",
                level.value,
                self._kind(name, level),
                "",
                "",
                level.name,
            )

    def _helper(self, sheet: Sheet, helper: Helper, owner: str) -> None:
        cell = helper.cell
        value = "not used" if cell.value is FAILED else "none" if cell.value is None else cell.value
        is_value = helper.role == "value"
        sheet.add(
            Entry(f"    {helper.name}", style=_NOTE),
            Entry(value, "" if is_value else cell.text, Style(fill=_VALUE_FILL if is_value else ""), helper.name),
            "",
            "",
            self._mark(owner) if is_value else "formula: part of a result",
            "",
            "",
            helper.name,
        )

    def _kind(self, name: str, found: Computed) -> Entry:
        if not found.formula:
            return self._mark(name)
        behind = self._values_behind(name)
        return Entry(f"formula, from values: {', '.join(behind)}" if behind else "formula", style=_TEXT)

    def _mark(self, name: str) -> Entry:
        """Mark of a value: that the product computed it, and whether an input behind it has changed since."""
        behind = [self._changed[one] for one in self._calculator.inputs if one in self._behind(name) and one in self._changed]
        if not behind or len(behind) > _MOST_BEHIND:
            return Entry(_VALUE, style=_TEXT)
        return Entry(_VALUE, f'IF(OR({",".join(behind)}),"{_STALE}","{_VALUE}")', _TEXT)

    def _behind(self, name: str) -> frozenset[str]:
        return self._calculator.behind(name)

    def _values_behind(self, name: str) -> list[str]:
        """Results behind a formula that are values."""
        found: dict[str, None] = {}
        seen, waiting = set[str](), [name]
        while waiting:
            one = waiting.pop()
            if one in seen:
                continue
            seen.add(one)
            if one != name and one in self._made.cells and self._made.cells[one].reason:
                found[self._made.cells[one].name] = None
            found |= {
                helper.name: None
                for helper in self._made.helpers.made
                if helper.role == "value" and self._made.helper_owners.get(helper.name) == one
            }
            waiting += self._needs.get(one, ())
        return list(found)

    @property
    def _needs(self) -> Mapping[str, tuple[str, ...]]:
        calculator = self._calculator
        return calculator.needs(self._resolved.explicit, (*calculator.computed, *calculator.computed_inputs))

    # Results

    def _results(self, page: str, live: int, whole: int) -> Sheet:
        calculator, values = self._calculator, self._values
        sheet = Sheet(_RESULTS, (46, 20, 14, 26, 42, 80))
        sheet.add(Entry(calculator.title, style=_TITLE))
        sheet.add(Entry(calculator.question, style=_TEXT))
        sheet.add("As exported", Entry(answer.sentence(calculator, values, self._resolved)))
        sheet.add("Link", f"{page}#{links.stamped(calculator, self._resolved, values)}")
        sheet.add("Made with", f"{calculator.title}, Infrastructure for AI, version {VERSION}")
        sheet.add(
            "How to use",
            f"Change a yellow cell on {_INPUTS}: {live} of {whole} results are formulas and recalculate. The others are "
            "values, marked “value: computed by the product”; they say when they are out of date.",
        )
        sheet.add()
        sheet.add(*(Entry(head, style=_HEAD) for head in ("Main results", "Value", "Unit", "As exported", "Kind")))
        for name in calculator.headline:
            formula = calculator.computed.get(name)
            if formula is not None and not isinstance(values[name], Verdict):
                self._headline(sheet, name, formula)
        sheet.add()
        sheet.add(*(Entry(head, style=_HEAD) for head in ("Verdict", "State", "Level", "As exported", "Kind", "Reason, as exported")))
        for name, judged in answer.verdicts(calculator, values).items():
            found, level = self._made.cells[name], self._made.levels[name]
            reason = f"{judged['word']}. {judged['reason']}"
            guarded = f'IF({found.name}<>{_literal(found.value)},"(state has changed)",{_joined(reason)})'
            sheet.add(
                Entry(calculator.steps[name].label, style=_TEXT),
                Entry(found.value, found.name),
                Entry(level.value, level.name, is_level=True),
                found.value,
                self._kind(name, found),
                Entry(reason, guarded, _TEXT),
            )
        notes = [*answer.warnings(calculator, values), *parsing_notes(calculator, self._resolved)]
        if notes:
            sheet.add()
            sheet.add(Entry("Warnings and notes, as exported", style=_HEAD))
            for note in notes:
                sheet.add(Entry(note))
        return sheet

    def _headline(self, sheet: Sheet, name: str, formula: AnyFormula) -> None:
        found = self._made.cells[name]
        shown = formula.text(self._values[name])
        value = shown if found.value is None else found.value
        number = number_format(formula.unit, value)
        unit = units.base_symbol(formula.unit)
        sheet.add(
            Entry(formula.label, style=_TEXT), Entry(value, found.name, Style(number=number)), unit, shown, self._kind(name, found)
        )

    # Sources

    def _sources(self) -> Sheet:
        sheet = Sheet(_SOURCES, (34, 18, 14, 14, 14, 44, 60, 26))
        sheet.add(*(Entry(head, style=_HEAD) for head in ("Constant of formulas", "Value", "Low", "High", "Kind", "Module", "Source", "Read")))
        for helper in self._made.helpers.made:
            if helper.role == "constant":
                _constant(sheet, helper)
        sheet.add()
        sheet.add(*(Entry(head, style=_HEAD) for head in ("Fact behind an input", "Value", "Low", "High", "Kind", "Fact", "Source", "Read")))
        for name in self._calculator.inputs:
            if known := provenance.fact(self._calculator, self._resolved, name):
                low, high = known.spread or ("", "")
                kind = known.kind + (", unchecked" if known.unchecked else "")
                sheet.add(self._calculator.inputs[name].label, _plain(known.value), low, high, kind, known.name, Entry(_source_text(known), style=_TEXT), known.reading)
        sheet.add()
        sheet.add(*(Entry(head, style=_HEAD) for head in ("Source of a formula", "", "", "", "Year", "By", "Address", "Read")))
        cited = {one.key: one for formula in self._calculator.computed.values() for one in formula.sources}
        for one in cited.values():
            sheet.add(Entry(one.title, style=_TEXT), "", "", "", one.year, one.by, one.url, one.reading)
        for title, texts in (("Assumptions", self._calculator.assumptions), ("Not modeled", self._calculator.omits)):
            sheet.add()
            sheet.add(Entry(title, style=_HEAD))
            for text in texts:
                sheet.add(text)
        return sheet


def _constant(sheet: Sheet, helper: Helper) -> None:
    """Constant with the facts that its module takes it from."""
    module, keys = _assigned(helper.module, helper.declared)
    cited = [_fact(key) for key in keys]
    known = [one for one in cited if one]
    alone = known[0] if len(known) == 1 else None
    low, high = (alone.spread or ("", "")) if alone and alone.value == helper.cell.value else ("", "")
    kind = "; ".join(dict.fromkeys(one.kind for one in known)) or "constant of the formula"
    sheet.add(
        helper.name,
        Entry(helper.cell.value, style=Style(fill=_INPUT_FILL), name=helper.name),
        low,
        high,
        kind,
        module,
        Entry("; ".join(f"{one.name}: {_source_text(one)}" for one in known), style=_TEXT),
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
        if name in named and one.value is not None:  # type: ignore[union-attr]
            found = (node.value for node in ast.walk(one) if isinstance(node, ast.Constant))
            return module, tuple(text for text in found if isinstance(text, str))
    return module, ()


def _cited(source: facts.Source) -> str:
    return f"{source.title} ({', '.join(str(one) for one in (source.by, source.year) if one)})"


def _source_text(known: facts.Fact) -> str:
    if known.source is None:
        return known.kind
    where = f", {known.where}" if known.where else ""
    return f"{known.source.title}{where}, {known.source.url}"


def _plain(value: Any) -> Any:
    return value if isinstance(value, bool | int | float | str) else str(value)


def _literal(value: Any) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return repr(float(value)).upper()
    return _joined(str(value))


def _joined(text: str, most: int = 250) -> str:
    """Text within a formula, in pieces that a formula takes."""
    pieces = [text[start : start + most] for start in range(0, len(text), most)] or [""]
    return "&".join('"' + piece.replace('"', '""') + '"' for piece in pieces)

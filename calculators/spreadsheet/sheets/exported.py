"""State that is exported, with what its sheets say alike: marks of values, sources, looks."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from calculators import facts
from calculators.answers.input_state import InputState
from calculators.declare import Calculator, Values
from calculators.spreadsheet.archive import Entry, Style
from calculators.spreadsheet.menus import Menu
from calculators.spreadsheet.translation import Computed, Translation

TITLE, HEAD = Style(bold=True), Style(bold=True, fill="FFE4E8EE", wrap=True)
TEXT = Style(wrap=True)
NOTE = Style(italic=True, color="FF555555", wrap=True)
INPUT_FILL, VALUE_FILL = "FFFFF7D6", "FFECECEC"
VALUE = "value: computed by the product"
_STALE = "out of date: inputs behind it have changed"
_MOST_ARGUMENTS = 200  # of OR; a spreadsheet takes 255
_NAME = re.compile(r'"[^"]*"|([A-Za-z_][\w.]*)')
_PIECE = 250  # characters of a text within a formula


@dataclass
class WorkbookState:
    """A state, its translation, and by input the address of the cell that says whether it was changed."""

    calculator: Calculator
    resolved: InputState
    values: Values
    made: Translation
    changed: dict[str, str] = field(default_factory=dict)

    @property
    def results(self) -> list[str]:
        """Results with a cell of their own."""
        return [name for name in self.calculator.steps if name in self.made.cells]

    @property
    def live(self) -> int:
        """Results that are formulas."""
        return sum(bool(self.made.cells[name].formula) for name in self.results)

    def kind(self, name: str, found: Computed) -> Entry:
        """Kind of a result's cell: a formula, one that takes values, or a value."""
        if not found.formula:
            return self.mark(name)
        behind = self.values_behind(found)
        return Entry(f"formula, from values: {', '.join(behind)}" if behind else "formula", style=TEXT)

    def kind_now(self, name: str, found: Computed) -> Entry:
        """Kind of a result's cell; of one that takes values also whether inputs behind these have changed since."""
        kind = self.kind(name, found)
        behind = self.values_behind(found) if found.formula else ()
        changed = self._changed_behind({self.made.helper_owners.get(one, one) for one in behind})
        if not changed:
            return kind
        stale = f"formula, from values that are out of date: {', '.join(behind)}"
        return Entry(kind.value, f"IF({changed},{literal(stale)},{literal(kind.value)})", TEXT)

    def mark(self, name: str) -> Entry:
        """Mark of a value: that the product computed it, and whether an input behind it has changed since."""
        changed = self.changed_behind(name)
        return Entry(VALUE, f'IF({changed},"{_STALE}","{VALUE}")' if changed else "", TEXT)

    def changed_behind(self, name: str) -> str:
        """Formula that is true where an input behind a result was changed; empty where none is behind it."""
        return self._changed_behind({name})

    def _changed_behind(self, names: Iterable[str]) -> str:
        moving = {one for name in names for one in self.calculator.behind(name)}
        places = [place for one, place in self.changed.items() if one in moving]
        parts = [places[start : start + _MOST_ARGUMENTS] for start in range(0, len(places), _MOST_ARGUMENTS)]
        tests = [f"OR({','.join(part)})" for part in parts]
        return tests[0] if len(tests) == 1 else f"OR({','.join(tests)})" if tests else ""

    def values_behind(self, found: Computed) -> tuple[str, ...]:
        """Names of cells and records behind a formula that hold values which the product computes."""
        return self._values_in(found.name, found.formula)

    def _values_in(self, name: str, formula: str) -> tuple[str, ...]:
        found = dict.fromkeys(self.made.records.get(name, ()))
        for each in dict.fromkeys(match for match in _NAME.findall(formula) if match):
            found |= dict.fromkeys(self._behind(each))
        return tuple(found)

    def _behind(self, name: str) -> tuple[str, ...]:
        if name not in self._known:
            self._known[name] = ()
            if name in self._valued:
                self._known[name] = (name,)
            elif name in self._formulas:
                self._known[name] = self._values_in(name, self._formulas[name])
        return self._known[name]

    def menu_formula(self, name: str) -> str:
        """Formula of a menu that follows another one: the server of the accelerator; empty for others."""
        found = ""
        for menu in self.made.menus.filling(name):
            found = f"INDEX({menu.cells(name)},{self.made.row_cells[menu.preset.name]})"
        return found

    def another_record(self, name: str) -> str:
        """Formula that is true where a menu that fills an input is at another record; empty without such a menu."""
        return self._moved(self.made.menus.filling(name))

    def moved_menus(self) -> str:
        """Formula that is true where any menu is at another record."""
        return self._moved(self.made.menus.by_name.values())

    def _moved(self, menus: Iterable[Menu]) -> str:
        tests = [f"{self.made.menu_cells[one.preset.name]}<>{literal(one.rows[one.chosen])}" for one in menus]
        return f"OR({','.join(tests)})" if len(tests) > 1 else "".join(tests)

    @cached_property
    def _known(self) -> dict[str, tuple[str, ...]]:
        return {}

    @cached_property
    def _valued(self) -> frozenset[str]:
        """Names of cells with values which the product computes."""
        results = [one.name for one in self.made.every() if one.reason]
        return frozenset([*results, *(one.name for one in self.made.helpers.made if one.role == "value")])

    @cached_property
    def _formulas(self) -> dict[str, str]:
        own = {one.name: one.formula for one in self.made.every() if one.formula}
        return own | {one.name: one.cell.text for one in self.made.helpers.made if one.role == "helper"}


def source_text(known: facts.Fact) -> str:
    """Where a fact was read."""
    if known.source is None:
        return known.kind
    where = f", {known.where}" if known.where else ""
    return f"{known.source.title}{where}, {known.source.url}"


def literal(value: Any) -> str:
    """A value as a formula writes it; a long text in pieces."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return repr(float(value)).upper()
    text = str(value)
    pieces = [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)] or [""]
    return "&".join('"' + piece.replace('"', '""') + '"' for piece in pieces)

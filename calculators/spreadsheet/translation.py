"""Translation of a state: every input and result as a cell, with a formula where there is one."""

import graphlib
import math
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from calculators.answers.input_state import InputState
from calculators.declare import REFUSED, AnyFormula, Calculator, Choice, Input, Level, Values, Verdict
from calculators.spreadsheet.cells import FAILED, Cell, UntranslatableError, constant
from calculators.spreadsheet.helpers import Helpers, Names
from calculators.spreadsheet.interpreter import ERRORS, Interpreter
from calculators.spreadsheet.menus import Menus, menus
from calculators.spreadsheet.values import Cases, Closure, Opaque, Unknown, cell, parts, rebuilt

_SAME = 1e-9  # of a value: a formula that differs by more from the product is not used
_LONGEST = 8000
_OF_THE_PRODUCT = "computed by the product"


class FixedError(Exception):
    """An input that a menu fills has no formula: the menus of this state are exported as values."""


@dataclass(frozen=True)
class Computed:
    """A cell of the graph: its name in formulas, its formula or why there is none, and its value."""

    name: str
    value: Any
    formula: str = ""
    reason: str = ""


@dataclass
class Translation:
    """Cells of a state by the name of the input or result, their helper cells, and levels of verdicts."""

    cells: dict[str, Computed] = field(default_factory=dict)
    levels: dict[str, Computed] = field(default_factory=dict)
    helpers: Helpers = field(default_factory=lambda: Helpers(Names()))
    helper_owners: dict[str, str] = field(default_factory=dict)
    records: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of the product, by the result that reads them
    menus: Menus = field(default_factory=lambda: Menus({}))
    menu_cells: dict[str, str] = field(default_factory=dict)  # names of the cells in which a record is chosen
    row_cells: dict[str, str] = field(default_factory=dict)  # and of those with its place among the menu's records

    def every(self) -> tuple[Computed, ...]:
        """Cells of inputs, results and levels."""
        return (*self.cells.values(), *self.levels.values())


def translation(calculator: Calculator, resolved: InputState, values: Values) -> Translation:
    """Cells of a state; `values` are all its values."""
    try:
        return _Translator(calculator, resolved.explicit, values, menus(calculator, resolved)).translated()
    except (FixedError, graphlib.CycleError):
        return _Translator(calculator, resolved.explicit, values, Menus({})).translated()


class _Translator:
    def __init__(self, calculator: Calculator, given: Mapping[str, Any], values: Values, followed: Menus) -> None:
        self._calculator = calculator
        self._values = values
        self._needs = dict(calculator.needs(given, (*calculator.computed, *calculator.computed_inputs)))
        self._known: dict[str, Any] = {}
        self._made = Translation(menus=followed)
        self._ways = {name: followed.ways(name) for name in followed.computing()}
        for name, ways in self._ways.items():
            self._needs[name] = tuple(dict.fromkeys(need for way in ways for need in self._needs_of(name, way)))
        self._names = {
            name: self._made.helpers.names.new(name)
            for name in (*calculator.inputs, *calculator.computed)
            if name in calculator.inputs or calculator.computed[name].role != "record"
        } | {name: name for name in calculator.computed if name not in calculator.inputs}
        new = self._made.helpers.names.new
        self._made.menu_cells.update({name: new(name) for name in followed.by_name})
        self._made.row_cells.update({name: new(f"{name}.row") for name in followed.by_name})

    def translated(self) -> Translation:
        for name, declared in self._calculator.inputs.items():
            if name not in self._needs:
                self._input(name, declared)
        order = graphlib.TopologicalSorter(self._needs).static_order()
        for name in [one for one in order if one in self._needs]:
            self._computed(name, self._needs[name])
        return self._made

    def _input(self, name: str, declared: Input) -> None:
        value = self._values[name]
        if isinstance(declared, Choice):
            key = declared.key(value)
            menu = Cell(self._names[name], key, kind="text")
            options = {option: one.value for option, one in declared.options.items()}
            self._known[name] = Cases(menu, options)
            self._made.cells[name] = Computed(self._names[name], key, self._looked_up(name, key, {}))
            return
        self._made.cells[name] = Computed(self._names[name], value, self._looked_up(name, value, {}))
        self._known[name] = Cell(self._names[name], value, optional=bool(declared.not_applicable) or value is None)

    def _looked_up(self, name: str, value: Any, ways: Mapping[str, Cell]) -> str:
        """Formula of an input that follows menus; empty for others. Raises FixedError where it is not this value."""
        if not self._made.menus.filling(name):
            return ""
        found = self._made.menus.formula(name, self._made.row_cells, ways)
        if len(found.text) > _LONGEST or not _same(found.value, value):
            raise FixedError(name)
        return found.text

    def _followed(self, name: str) -> None:
        """Input that is computed for some records of its menus, and looked up for others."""
        before = len(self._made.helpers.made)
        self._made.helpers.records.clear()
        ways = {way: self._way(name, way) for way in self._ways[name]}
        value, declared = self._values[name], self._calculator.inputs[name]
        self._made.cells[name] = Computed(self._names[name], value, self._looked_up(name, value, ways))
        optional = value is None or bool(getattr(declared, "not_applicable", ""))
        optional = optional or any(one.optional for one in ways.values())
        self._known[name] = Cell(self._names[name], value, optional=optional)
        self._record(name, before)

    def _way(self, name: str, way: str) -> Cell:
        """Cell of an input as it is computed under one name. Raises FixedError where no formula does that."""
        try:
            if way != name:
                return cell(self._known[way])
            formula = self._calculator.computed[name]
            made = cell(Interpreter(self._made.helpers, name).result(formula.function, self._needed(formula)))
            _check(made, formula.function(*(self._values[need] for need in formula.needs)))
        except (UntranslatableError, *ERRORS) as error:
            raise FixedError(name) from error
        return made

    def _needs_of(self, name: str, way: str) -> tuple[str, ...]:
        formula = self._calculator.computed.get(name)
        return formula.needs if way == name and formula else (way,)

    def _needed(self, formula: AnyFormula) -> list[Any]:
        return [self._known[need] for need in formula.needs]

    def _computed(self, name: str, needs: tuple[str, ...]) -> None:
        if name in self._ways:
            self._followed(name)
            return
        formula = self._calculator.computed.get(name)
        if formula is None or (name in self._calculator.inputs and formula.needs != needs):
            self._copy(name, needs[0])
            return
        helpers = self._made.helpers
        before = len(helpers.made)
        helpers.records.clear()
        try:
            found = Interpreter(helpers, name).result(formula.function, self._needed(formula))
            for warning in self._calculator.refusals.get(name, ()):
                said = Interpreter(helpers, name).result(warning.function, self._needed(warning))
                found = Interpreter(helpers, name).result(_refused, [found.level, found.word, said])
            self._accept(formula, found)
        except UntranslatableError as error:
            helpers.undone(before)
            self._as_value(formula, str(error))
        self._record(name, before)

    def _record(self, name: str, before: int) -> None:
        """Note which helper cells after the first ones, and which records of the product, a cell uses."""
        helpers = self._made.helpers
        self._made.records[self._names[name]] = tuple(helpers.records)
        for helper in helpers.made[before:]:
            self._made.helper_owners[helper.name] = name
            self._made.records[helper.name] = tuple(helpers.records)

    def _copy(self, name: str, other: str) -> None:
        """Input that is a copy of another value."""
        known, value = cell(self._known[other]), self._values[name]
        declared = self._calculator.inputs[name]
        self._made.cells[name] = Computed(self._names[name], value, known.text)
        optional = known.optional or bool(getattr(declared, "not_applicable", ""))
        self._known[name] = Cell(self._names[name], value, kind=known.kind, optional=optional)

    def _accept(self, formula: AnyFormula, found: Any) -> None:
        """Use what was translated. Raises UntranslatableError where it is not what the product computes."""
        name, value = formula.name, self._values[formula.name]
        if isinstance(found, Opaque):
            raise UntranslatableError(_OF_THE_PRODUCT)
        if formula.role == "record":
            _check_record(found, value)
            kept = self._made.helpers.kept
            self._known[name] = rebuilt(
                found, lambda path, part: kept(f"{name}{path}", part) if isinstance(part, Cell) else part
            )
        elif isinstance(value, Verdict):
            self._verdict(name, value, found.level, found.word)
        else:
            made = self._checked(found, value)
            self._made.cells[name] = Computed(self._names[name], value, made.text)
            optional = made.optional or _may_be_none(formula)
            self._known[name] = Cell(self._names[name], value, kind=made.kind, optional=optional)

    def _verdict(self, name: str, value: Verdict, level: Any, word: Any) -> None:
        """Cells of a verdict's level and word, each a formula if it can be."""
        names = (self._made.helpers.names.new(f"{name}.level"), self._names[name])
        made = []
        for own, found, wanted in zip(names, (level, word), (value.level, value.word), strict=True):
            try:
                made.append(Computed(own, wanted, self._checked(found, wanted).text))
            except UntranslatableError as error:
                made.append(Computed(own, wanted, reason=str(error)))
        self._made.levels[name], self._made.cells[name] = made
        cells: list[Any] = [Cell(one.name, one.value, kind="text") for one in made]
        self._known[name] = Verdict(level=cells[0], word=cells[1])

    def _checked(self, found: Any, value: Any) -> Cell:
        """Cell of what was translated, which gives this value."""
        made = cell(found)
        _check(made, value)
        if any(helper.role == "value" and helper.name == made.text for helper in self._made.helpers.made):
            raise UntranslatableError(_OF_THE_PRODUCT)
        return made

    def _as_value(self, formula: AnyFormula, reason: str) -> None:
        name, value = formula.name, self._values[formula.name]
        if formula.role == "record":
            self._known[name] = Opaque(name, value)
        elif isinstance(value, Verdict):
            self._verdict(name, value, Unknown(reason), Unknown(reason))
        else:
            self._made.cells[name] = Computed(self._names[name], value, reason=reason)
            is_scalar = value is None or isinstance(value, bool | int | float | str)
            self._known[name] = self._reference(formula, value) if is_scalar else Opaque(name, value)

    def _reference(self, formula: AnyFormula, value: Any) -> Cell:
        optional = _may_be_none(formula) or value is None
        return Cell(self._names[formula.name], value, kind=constant(value).kind, optional=optional)


def _refused(level: Level, word: str, said: str) -> Verdict:
    """A verdict on a layout of which a warning may say that frameworks refuse it."""
    refused = said != "" and level != "bad"
    return Verdict(level="tight" if refused else level, word=REFUSED if refused else word)


def _may_be_none(formula: AnyFormula) -> bool:
    returned = formula.function.__annotations__.get("return")
    return bool(formula.not_applicable) or type(None) in typing.get_args(returned)


def _check(made: Cell, value: Any) -> None:
    """Raise UntranslatableError where a formula's value is not that of the product."""
    if len(made.text) > _LONGEST:
        raise UntranslatableError("a formula longer than a cell takes")
    if made.value is FAILED or not _same(made.value, value):
        raise UntranslatableError(f"the formula gives {made.value!r}, not {value!r}")


def _check_record(found: Any, value: Any) -> None:
    """Check every number of a record."""
    ours, theirs = list(_leaves(found)), list(_leaves(value))
    for place, one in enumerate(ours):
        if isinstance(one, Cell):
            _check(one, theirs[place] if len(theirs) == len(ours) else one.value)


def _leaves(value: Any) -> Iterator[Any]:
    """Numbers and texts in a record, in order."""
    if isinstance(value, Cell | Cases | Opaque | Closure | Unknown):
        yield value
        return
    inside = list(parts(value))
    if not inside:
        yield value
    for part in inside:
        yield from _leaves(part)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=_SAME, abs_tol=1e-300)
    return bool(one == other)

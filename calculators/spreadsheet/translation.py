"""Translation of a state: every input and result as a cell, with a formula where there is one."""

import graphlib
import math
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from calculators.declare import AnyFormula, Calculator, Choice, Input, Values, Verdict
from calculators.spreadsheet.cells import FAILED, Cell, UntranslatableError, constant
from calculators.spreadsheet.helpers import Helpers, Names
from calculators.spreadsheet.interpreter import Interpreter
from calculators.spreadsheet.values import Cases, Opaque, cell, rebuilt, symbolic

_SAME = 1e-9  # of a value: a formula that differs by more from the product is not used
_LONGEST = 8000


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

    def every(self) -> tuple[Computed, ...]:
        """Cells of inputs, results and levels."""
        return (*self.cells.values(), *self.levels.values())


def translation(calculator: Calculator, given: Mapping[str, Any], values: Values) -> Translation:
    """Cells of a state in which these inputs are given; `values` are all its values."""
    return _Translator(calculator, given, values).translated()


class _Translator:
    def __init__(self, calculator: Calculator, given: Mapping[str, Any], values: Values) -> None:
        self._calculator = calculator
        self._values = values
        self._needs = calculator.needs(given, (*calculator.computed, *calculator.computed_inputs))
        self._known: dict[str, Any] = {}
        self._made = Translation()
        self._names = {
            name: self._made.helpers.names.new(name)
            for name in (*calculator.inputs, *calculator.computed)
            if name in calculator.inputs or calculator.computed[name].role != "record"
        } | {name: name for name in calculator.computed if name not in calculator.inputs}

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
            self._made.cells[name] = Computed(self._names[name], key)
            return
        self._made.cells[name] = Computed(self._names[name], value)
        self._known[name] = Cell(self._names[name], value, optional=bool(declared.not_applicable) or value is None)

    def _computed(self, name: str, needs: tuple[str, ...]) -> None:
        formula = self._calculator.computed.get(name)
        if formula is None or (name in self._calculator.inputs and formula.needs != needs):
            self._copy(name, needs[0])
            return
        helpers = self._made.helpers
        before = len(helpers.made)
        try:
            found = self._result(formula)
            self._accept(formula, found)
        except UntranslatableError as error:
            helpers.undone(before)
            self._as_value(formula, str(error))
        for helper in helpers.made[before:]:
            self._made.helper_owners[helper.name] = name

    def _copy(self, name: str, other: str) -> None:
        known = self._known[other]
        one = known if isinstance(known, Cell) else cell(known)
        self._made.cells[name] = Computed(self._names[name], self._values[name], one.text)
        declared = self._calculator.inputs[name]
        optional = one.optional or bool(getattr(declared, "not_applicable", ""))
        self._known[name] = Cell(self._names[name], self._values[name], kind=one.kind, optional=optional)

    def _result(self, formula: AnyFormula) -> Any:
        interpreter = Interpreter(self._made.helpers, formula.name)
        return interpreter.result(formula.function, [self._known[need] for need in formula.needs])

    def _accept(self, formula: AnyFormula, found: Any) -> None:
        """Use what was translated. Raises UntranslatableError where it is not what the product computes."""
        name, value = formula.name, self._values[formula.name]
        if isinstance(found, Opaque):
            raise UntranslatableError("computed by the product")
        if formula.role == "record":
            self._known[name] = rebuilt(found, lambda path, part: self._field(f"{name}{path}", part))
            _check_record(found, value)
            return
        if isinstance(value, Verdict):
            level, word = cell(found.level), cell(found.word)
            _check(level, value.level)
            _check(word, value.word)
            own, of_level = self._names[name], self._made.helpers.names.new(f"{name}.level")
            self._made.cells[name] = Computed(own, value.word, word.text)
            self._made.levels[name] = Computed(of_level, value.level, level.text)
            self._known[name] = Verdict(
                level=Cell(of_level, value.level, kind="text"),
                word=Cell(own, value.word, kind="text"),  # type: ignore[arg-type]
            )
            return
        made = cell(found)
        _check(made, value)
        if any(helper.role == "value" and helper.name == made.text for helper in self._made.helpers.made):
            raise UntranslatableError("computed by the product")
        self._made.cells[name] = Computed(self._names[name], value, made.text)
        optional = made.optional or _may_be_none(formula)
        self._known[name] = Cell(self._names[name], value, kind=made.kind, optional=optional)

    def _field(self, path: str, part: Any) -> Any:
        return self._made.helpers.kept(path, part) if isinstance(part, Cell) else part

    def _as_value(self, formula: AnyFormula, reason: str) -> None:
        name, value = formula.name, self._values[formula.name]
        if formula.role == "record":
            self._known[name] = Opaque(name, value)
            return
        own = self._names[name]
        if isinstance(value, Verdict):
            of_level = self._made.helpers.names.new(f"{name}.level")
            self._made.cells[name] = Computed(own, value.word, reason=reason)
            self._made.levels[name] = Computed(of_level, value.level, reason=reason)
            self._known[name] = Verdict(
                level=Cell(of_level, value.level, kind="text"),
                word=Cell(own, value.word, kind="text"),  # type: ignore[arg-type]
            )
            return
        self._made.cells[name] = Computed(own, value, reason=reason)
        if value is None or isinstance(value, bool | int | float | str):
            kind = constant(value).kind
            self._known[name] = Cell(own, value, kind=kind, optional=_may_be_none(formula) or value is None)
        else:
            self._known[name] = Opaque(name, value)


def _may_be_none(formula: AnyFormula) -> bool:
    returned = formula.function.__annotations__.get("return")
    return bool(formula.not_applicable) or type(None) in typing.get_args(returned)


def _check(made: Cell, value: Any) -> None:
    """Raise UntranslatableError where a formula's value is not that of the product."""
    if len(made.text) > _LONGEST:
        raise UntranslatableError("a formula longer than a cell takes")
    if made.value is FAILED or not same(made.value, value):
        raise UntranslatableError(f"the formula gives {made.value!r}, not {value!r}")


def _check_record(found: Any, value: Any) -> None:
    """The same of every number of a record."""
    ours, theirs = [], []
    rebuilt(found, lambda _, part: ours.append(part))
    rebuilt(value, lambda _, part: theirs.append(part)) if not _is_plain(value) else theirs.append(value)
    for one in ours:
        if isinstance(one, Cell) and one.value is FAILED:
            raise UntranslatableError("a record with an error in it")


def _is_plain(value: Any) -> bool:
    return not symbolic(value) and not isinstance(value, tuple | list | Mapping)


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same for readers."""
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=_SAME, abs_tol=1e-300)
    return bool(one == other)

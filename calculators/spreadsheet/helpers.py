"""Helper cells: local variables of formulas, module constants and values of records, each in a cell of its own."""

import re
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from calculators.spreadsheet.cells import ATOM, FAILED, Cell, UntranslatableError, both, constant
from calculators.spreadsheet.values import Opaque

Role = Literal["helper", "constant", "value"]
_LONG = 40  # characters from which a part that is used twice gets a cell of its own
_VERY_LONG = 300
_LONGEST = 7500  # a spreadsheet takes 8,192
_MOST = 3000  # helper cells of a workbook
_LIKE_A_CELL = re.compile(r"[A-Za-z]{1,3}[0-9]+|[Rr][0-9]*([Cc][0-9]*)?|[Cc][0-9]*")
_NOT_IN_A_NAME = re.compile(r"[^\w.]+", re.ASCII)


class Names:
    """Names of cells: those of inputs and results as they are, others made unlike them."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def new(self, wanted: str) -> str:
        """Name that no other cell has and that no spreadsheet takes for an address."""
        name = _NOT_IN_A_NAME.sub("_", wanted).strip(".")
        if not name or name[0].isdigit() or _LIKE_A_CELL.fullmatch(name) or name.upper() in {"TRUE", "FALSE"}:
            name = f"{name}_" if name and not name[0].isdigit() else f"_{name}"
        made, number = name, 1
        while made.lower() in self._taken:
            number += 1
            made = f"{name}_{number}"
        self._taken.add(made.lower())
        return made


@dataclass(frozen=True)
class Helper:
    """Helper cell: its name, what it holds, and of a constant the module that declares it under `declared`."""

    name: str
    role: Role
    cell: Cell
    module: str = ""
    declared: str = ""


@dataclass
class Helpers:
    """Helper cells of a workbook, in order of creation."""

    names: Names
    made: list[Helper] = field(default_factory=list)
    path: list[Cell] = field(default_factory=list)
    records: dict[str, None] = field(default_factory=dict)  # of the product, read since this was last emptied
    counting: set[str] = field(default_factory=set)  # constants that count repetitions, which no cell changes
    _known: dict[object, Cell] = field(default_factory=dict)

    def kept(self, name: str, cell: Cell, uses: int = 2) -> Cell:
        """The cell itself if it is short or used once, else a reference to a helper cell with its formula."""
        length = len(cell.text)
        if cell.rank == ATOM and "(" not in cell.text and '"' not in cell.text:
            return cell
        if length < _LONG or (uses < 2 and length < _VERY_LONG):  # noqa: PLR2004
            return cell
        return self.referred(name, cell)

    def referred(self, name: str, cell: Cell) -> Cell:
        """Reference to a helper cell with this formula, which is not computed where its branch is not taken."""
        guarded = self._guarded(cell)
        if guarded.text in self._known:
            return self._known[guarded.text]
        if len(guarded.text) > _LONGEST:
            raise UntranslatableError("a formula longer than a cell takes")
        return self._add(guarded.text, Helper(self.names.new(name), "helper", guarded))

    def _guarded(self, cell: Cell) -> Cell:
        if not cell.fails or not self.path:
            return cell
        condition, *others = self.path
        for other in others:
            condition = both(condition, other)
        text = f'IF({condition.text},{cell.text},"not used")'
        value = cell.value if condition.value is True else FAILED
        return replace(cell, text=text, value=value, rank=ATOM, fails=True)

    def constant_of(self, module: str, name: str, value: float) -> Cell:
        """Reference to the cell of a module's constant."""
        key = (name, value, type(value))
        if key in self._known:
            return self._known[key]
        made = self.names.new(name.lstrip("_"))
        return self._add(key, Helper(made, "constant", constant(value), module, name))

    def value_of(self, path: str, value: Any) -> Any:
        """Reference to a cell with a value that the product computes; the record itself where it is no scalar."""
        self.records[path.partition(".")[0]] = None
        if value is None or isinstance(value, bool | int | float | str):
            found = constant(value)
            return found if value is None else self._value(path, found)
        return Opaque(path, value)

    def _value(self, path: str, found: Cell) -> Cell:
        key = ("value", path)
        return self._known[key] if key in self._known else self._add(key, Helper(self.names.new(path), "value", found))

    def _add(self, key: object, helper: Helper) -> Cell:
        if len(self.made) >= _MOST:
            raise UntranslatableError("more helper cells than a workbook should have")
        self.made.append(helper)
        found = helper.cell
        reference = Cell(helper.name, found.value, kind=found.kind, optional=found.optional, fails=found.fails)
        self._known[key] = replace(reference, fixed=helper.role == "constant")
        return self._known[key]

    def undone(self, count: int) -> None:
        """Forget the helper cells after the first `count`: their formula could not be translated."""
        gone = {helper.name for helper in self.made[count:]}
        self.made[count:] = []
        self._known = {key: cell for key, cell in self._known.items() if cell.text not in gone}

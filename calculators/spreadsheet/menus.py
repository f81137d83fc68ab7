"""Menus: what each record of a menu fills into inputs, as a table in which the cells of these inputs look it up."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calculators.answers.input_state import InputState, parse_inputs, parse_value
from calculators.declare import Calculator, Choice, Input, Preset
from calculators.spreadsheet.archive import address
from calculators.spreadsheet.cells import Cell, constant

MENUS = "Menus"
_BEFORE_RECORDS = 2  # rows of a table: its title, the heads of its columns
_FIRST_ROW = 3  # of the first table, after the sheet's note
_PATTERNS = frozenset("*?~")  # which MATCH takes for patterns


@dataclass(frozen=True)
class Way:
    """Entry of a record without a value for the input, which is then computed under this name."""

    name: str

    @property
    def text(self) -> str:
        """Text of the entry in its table."""
        return f"computed: {self.name}"


class _Missing:
    text = "–"


MISSING = _Missing()  # entry of a record that leaves an input to another menu


@dataclass(frozen=True)
class Menu:
    """Records of a menu as rows, by key, with their text; by input (or menu that follows) the entries of its column."""

    preset: Preset
    chosen: str
    rows: Mapping[str, str]
    columns: Mapping[str, tuple[Any, ...]]
    top: int = 0  # row of the sheet in which the table begins

    @property
    def place(self) -> int:
        """Place of the chosen record among the rows, from 0."""
        return list(self.rows).index(self.chosen)

    @property
    def height(self) -> int:
        """Rows of the table with the empty one after it."""
        return _BEFORE_RECORDS + len(self.rows) + 1

    def cells(self, name: str = "") -> str:
        """Address of an input's column; of the records' names without an input."""
        column = [*self.columns].index(name) + 1 if name else 0
        first = self.top + _BEFORE_RECORDS
        last = address(column, first + len(self.rows) - 1, MENUS).partition("!")[2]
        return f"{address(column, first, MENUS)}:{last}"


@dataclass(frozen=True)
class Menus:
    """Menus of a state that inputs follow, by name."""

    by_name: Mapping[str, Menu]

    def filling(self, name: str) -> list[Menu]:
        """Menus with a column for an input, or for another menu; the last that has a value decides."""
        return [menu for menu in self.by_name.values() if name in menu.columns]

    def ways(self, name: str) -> list[str]:
        """Names under which an input is computed for some record."""
        entries = (entry for menu in self.filling(name) for entry in menu.columns[name])
        return list(dict.fromkeys(entry.name for entry in entries if isinstance(entry, Way)))

    def computing(self) -> set[str]:
        """Inputs that are computed for some record."""
        return {name for menu in self.by_name.values() for name in menu.columns if self.ways(name)}

    def formula(self, name: str, rows: Mapping[str, str], ways: Mapping[str, Cell]) -> Cell:
        """Cell of an input that follows its menus; `rows` names by menu the cell with the place of its record."""
        found = constant(MISSING.text)
        for menu in self.filling(name):
            entries = menu.columns[name]
            there = f"INDEX({menu.cells(name)},{rows[menu.preset.name]})"
            present, text = entries[menu.place], there
            value = found.value if present is MISSING else present
            for way in dict.fromkeys(one.name for one in entries if isinstance(one, Way)):
                text = f'IF({there}="{Way(way).text}",{ways[way].text},{text})'
                value = ways[way].value if present == Way(way) else value
            if MISSING in entries:
                text = f'IF({there}="{MISSING.text}",{found.text},{text})'
            found = Cell(text, value)
        return found


def menus(calculator: Calculator, resolved: InputState) -> Menus:
    """Menus of a state, without the records that the calculator refuses next to its other inputs.

    Nor is a record among the rows that would change how inputs outside its menu are computed.
    """
    base = parse_inputs(calculator, resolved.given)
    states = {preset.name: _states(calculator, resolved, base, preset) for preset in calculator.presets}
    following = _following(calculator, resolved, base, states)
    found: dict[str, Menu] = {}
    for preset in calculator.presets:
        needed = {base.presets[preset.name], *following.get(preset.name, ())}
        offered = needed | preset.by_key.keys() | {preset.default}
        rows = {
            key: state
            for key, state in states[preset.name].items()
            if key in needed or (key in offered and not state.problems)
        }
        columns = {
            name: tuple(_entry(calculator, preset, key, name, state, earlier) for key, state in rows.items())
            for name in preset.fills
            if _follows(resolved, name)
            for earlier in [any(name in menu.columns for menu in found.values())]
        }
        others = {
            name: tuple(names_of(calculator, name)[state.presets[name]] for state in rows.values())
            for name, keys in following.items()
            if name != preset.name and keys & {state.presets[name] for state in rows.values()} - {base.presets[name]}
        }
        texts = names_of(calculator, preset.name)
        named = {key: texts[key] for key in rows}
        found[preset.name] = Menu(preset, base.presets[preset.name], named, {**columns, **others})
    return Menus(_placed(found))


def names_of(calculator: Calculator, menu: str) -> dict[str, str]:
    """Text of each record of a menu in its cell by key, none included: no two alike, and none a pattern."""
    preset = next(one for one in calculator.presets if one.name == menu)
    found = {"": preset.none}
    taken = {preset.none.lower()}
    for key, record in preset.by_key.items():
        is_plain = record.name.lower() not in taken and _PATTERNS.isdisjoint(record.name)
        found[key] = record.name if is_plain else key
        taken.add(found[key].lower())
    return found


def shown(declared: Input, entry: Any) -> Any:
    """Content of a table's cell."""
    if isinstance(entry, Way | _Missing):
        return entry.text
    return declared.text(None) if entry is None and not isinstance(declared, Choice) else entry


def _placed(menus: Mapping[str, Menu]) -> dict[str, Menu]:
    found, top = {}, _FIRST_ROW
    for name, menu in menus.items():
        found[name] = Menu(menu.preset, menu.chosen, menu.rows, menu.columns, top)
        top += menu.height
    return found


def _states(calculator: Calculator, resolved: InputState, base: InputState, preset: Preset) -> dict[str, InputState]:
    """State by record, none among them, in which only this menu is another."""
    chosen = base.presets[preset.name]
    found = {}
    for key in ("", *preset.by_key):
        if key == chosen:
            found[key] = base
            continue
        state = parse_inputs(calculator, {**resolved.given, preset.name: key or "none"})
        moved = [one for one in calculator.presets if state.presets.get(one.name) != base.presets[one.name]]
        filled = {name for one in moved for name in one.fills}
        others = calculator.computed_inputs.keys() - filled
        if preset.name not in state.problems and all(
            _way(calculator, name, state) == _way(calculator, name, base) for name in others
        ):
            found[key] = state
    return found


def _following(
    calculator: Calculator, resolved: InputState, base: InputState, states: Mapping[str, Mapping[str, InputState]]
) -> dict[str, set[str]]:
    """Records that other menus choose, by the menu that follows them: the server of an accelerator."""
    found: dict[str, set[str]] = {}
    for preset in calculator.presets:
        if preset.name in resolved.given:
            continue
        for other, rows in states.items():
            keys = {state.presets[preset.name] for state in rows.values()}
            if other != preset.name and keys != {base.presets[preset.name]}:
                found.setdefault(preset.name, set()).update(keys)
    return found


def _follows(resolved: InputState, name: str) -> bool:
    """Whether an input takes a menu's value: the reader has not entered one, and no search found one."""
    origin = resolved.origins[name]
    return origin != "yours" and not (origin == "computed" and name in resolved.explicit)


def _entry(
    calculator: Calculator,
    preset: Preset,
    key: str,
    name: str,
    state: InputState,
    is_filled: bool,  # noqa: FBT001
) -> Any:
    """Entry of a record in an input's column; `is_filled` if an earlier menu has a value where this one has none."""
    declared, own = calculator.inputs[name], preset.filled(key)
    if name in own and name in state.explicit:
        value = own[name]
        if isinstance(declared, Choice):
            return declared.key(parse_value(declared, value) if isinstance(value, str) else value)
        return value
    if is_filled:
        return MISSING
    computed = calculator.computed_inputs.get(name)
    way = computed.fallback(state.explicit) if computed else None
    if way:
        return Way(way.name)
    value = calculator.defaults[name]
    return declared.key(value) if isinstance(declared, Choice) else value


def _way(calculator: Calculator, name: str, state: InputState) -> str:
    """Name under which an input is computed; empty where it is given, or has a plain default."""
    way = calculator.computed_inputs[name].fallback(state.explicit)
    return way.name if way and name not in state.explicit else ""

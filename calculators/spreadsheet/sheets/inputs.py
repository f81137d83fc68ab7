"""Sheet of inputs: a yellow cell for each, its unit, range, limits, origin and source."""

from typing import Any

from calculators.answers import provenance
from calculators.declare import Choice, Preset, Quantity
from calculators.spreadsheet.archive import Entry, Sheet, Style, address
from calculators.spreadsheet.formats import base_unit, number_format
from calculators.spreadsheet.menus import names_of
from calculators.spreadsheet.sheets.exported import (
    HEAD,
    INPUT_FILL,
    NOTE,
    TEXT,
    TITLE,
    VALUE,
    WorkbookState,
    literal,
    source_text,
)

INPUTS = "Inputs"
_WIDTHS = (44, 20, 14, 22, 10, 14, 14, 14, 14, 18, 44, 26, 30, 60)
_HEADS = ("Input", "Value", "Base unit", "As exported", "Changed", "Range: low", "Range: high", "Minimum", "Maximum")
_MORE_HEADS = ("Origin", "Source", "Read", "Name in formulas", "About")
_VALUE, _CHANGED = 1, 4  # columns
_ORIGINS = {"yours": "entered", "preset": "menu", "default": "default", "computed": "computed"}
_FIXED = "fixed: see About"
_NOT = (
    "Menu of the page: its values are in the cells below with origin “menu”; change those, this cell changes nothing. "
    "For another record, choose it on the page and export again."
)
_FOLLOWED = (
    "Choose another record from the list: the inputs that it fills take its values from the sheet Menus. A value typed "
    "over such an input stays."
)
_SET_ALONE = "Other defaults depend on whether it is set: their formulas are those of the exported state."
_ROUNDING = 1e-9  # of a computed value, which a spreadsheet may round otherwise than the calculator
_OF_OTHER_RECORDS = "out of date: searched for with other records in the menus"
_TYPED = Style(fill=INPUT_FILL, color="FF0000CC")


def inputs_sheet(exported: WorkbookState) -> Sheet:
    """The sheet; the addresses of cells that say whether an input was changed are left in `exported`."""
    calculator = exported.calculator
    sheet = Sheet(INPUTS, _WIDTHS, frozen=1)
    sheet.add(*(Entry(head, style=HEAD) for head in (*_HEADS, *_MORE_HEADS)))
    for preset in calculator.presets:
        sheet.add(*_menu(exported, preset, len(sheet.rows) + 1))
    groups: dict[str, list[str]] = {}
    for name, declared in calculator.inputs.items():
        if name in exported.made.cells:
            groups.setdefault(declared.group, []).append(name)
    for group, names in groups.items():
        sheet.add(Entry(calculator.groups.get(group, group), style=TITLE))
        for name in names:
            row = len(sheet.rows) + 1
            exported.changed[name] = address(_CHANGED, row, INPUTS)
            sheet.add(*_row(exported, name, row))
    return sheet


def _menu(exported: WorkbookState, preset: Preset, row: int) -> list[Entry | str]:
    """A menu of records: a list in its cell, or its record alone where nothing follows it."""
    menu = exported.made.menus.by_name.get(preset.name)
    if menu is None:
        chosen = names_of(exported.calculator, preset.name)[exported.resolved.presets.get(preset.name, "")]
        return [
            preset.label,
            chosen,
            Entry(_FIXED, style=NOTE),
            *([""] * 6),
            "menu",
            "",
            "",
            "",
            Entry(_NOT, style=NOTE),
        ]
    chosen, name = menu.rows[menu.chosen], exported.made.menu_cells[preset.name]
    formula = exported.menu_formula(preset.name)
    style = Style(fill=INPUT_FILL, color="" if formula else _TYPED.color)
    entered = [
        exported.calculator.inputs[one].label
        for one in preset.fills
        if one not in menu.columns and one in exported.made.cells
    ]
    about = f"{_FOLLOWED} Entered or searched for, so not changed: {', '.join(entered)}." if entered else _FOLLOWED
    return [
        preset.label,
        Entry(chosen, formula, style, name, options_in=menu.cells()),
        "",
        chosen,
        Entry(False, f"{address(_VALUE, row)}<>{literal(chosen)}"),
        *([""] * 4),
        "menu",
        "",
        "",
        name,
        Entry(about, style=NOTE),
    ]


def _row(exported: WorkbookState, name: str, row: int) -> list[Entry | str | float | None]:
    declared, found = exported.calculator.inputs[name], exported.made.cells[name]
    value = declared.text(None) if found.value is None and isinstance(declared, Quantity) else found.value
    shown = declared.text(exported.values[name])
    changed = _differs(address(_VALUE, row), value) if found.formula else f"{address(_VALUE, row)}<>{literal(value)}"
    others = exported.another_record(name)
    about = declared.help
    if exported.calculator.decides(name) and not found.formula:
        about = f"{about} {_SET_ALONE}".strip()
    described: tuple[Entry | str, ...]
    if isinstance(declared, Choice):
        cell = Entry(value, found.formula, _TYPED, found.name, options=tuple(declared.options))
        described = ("", f"{value} ({shown})", Entry(False, changed), "", "", "", "")
    else:
        number = number_format(declared.unit, value)
        style = Style(number=number, fill=INPUT_FILL, color="" if found.formula else _TYPED.color)
        limits = None if declared.not_applicable else declared.hard
        cell = Entry(value, found.formula, style, found.name, limits=limits)
        spread = exported.values.ranges.get(name) or declared.spread or ("", "")
        ends = (Entry(end, style=Style(number=number_format(declared.unit, end))) for end in (*spread, *declared.hard))
        described = (base_unit(declared.unit), shown, Entry(False, changed), *ends)
    known = provenance.fact(exported.calculator, exported.resolved, name)
    source = source_text(known) if known else provenance.computing(exported.calculator, exported.resolved, name)
    return [
        Entry(declared.label, style=TEXT),
        cell,
        *described,
        _origin(exported, name),
        _unless(others, "of another record: see the page", source),
        _unless(others, "", known.reading if known else ""),
        found.name,
        Entry(about, style=NOTE),
    ]


def _differs(place: str, value: Any) -> str:
    """Formula that is true where a computed cell has another value, not where it is rounded otherwise."""
    if isinstance(value, bool | str):
        return f"{place}<>{literal(value)}"
    return f"IF(ISNUMBER({place}),ABS({place}-{literal(value)})>{literal(_ROUNDING * abs(value))},TRUE)"


def _unless(changed: str, other: str, text: str) -> Entry:
    """A text of the exported record, which gives way to another once its menu is at another record."""
    return Entry(text, f"IF({changed},{literal(other)},{literal(text)})" if changed and text else "", TEXT)


def _origin(exported: WorkbookState, name: str) -> Entry:
    """Where the value comes from; of one that was searched for, that no formula computes it."""
    origin = exported.resolved.origins[name]
    word = exported.resolved.words.get(name) or _ORIGINS[origin]
    if origin != "computed" or exported.made.cells[name].formula:
        return Entry(word, style=TEXT)
    text, moved = f"{word}; {VALUE}", exported.moved_menus()
    return Entry(text, f"IF({moved},{literal(f'{word}; {_OF_OTHER_RECORDS}')},{literal(text)})" if moved else "", TEXT)

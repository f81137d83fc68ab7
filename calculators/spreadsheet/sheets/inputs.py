"""Sheet of inputs: a yellow cell for each, its unit, range, limits, origin and source."""

from calculators.answers import provenance
from calculators.declare import Choice, Quantity
from calculators.spreadsheet.archive import Entry, Sheet, Style, address
from calculators.spreadsheet.formats import base_unit, number_format
from calculators.spreadsheet.sheets.exported import (
    HEAD,
    INPUT_FILL,
    NOTE,
    TEXT,
    TITLE,
    VALUE,
    Exported,
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
_OF_A_MENU = (
    "Menu of the page: its values are in the cells below with origin “menu”; change those, this cell changes nothing. "
    "For another record, choose it on the page and export again."
)
_SET_ALONE = "Other defaults depend on whether it is set: their formulas are those of the exported state."
_TYPED = Style(fill=INPUT_FILL, color="FF0000CC")


def inputs_sheet(exported: Exported) -> Sheet:
    """The sheet; the addresses of cells that say whether an input was changed are left in `exported`."""
    calculator = exported.calculator
    sheet = Sheet(INPUTS, _WIDTHS, frozen=1)
    sheet.add(*(Entry(head, style=HEAD) for head in (*_HEADS, *_MORE_HEADS)))
    for preset in calculator.presets:
        record = preset.by_key.get(exported.resolved.presets.get(preset.name, ""))
        shown = record.name if record else "none"
        sheet.add(
            preset.label,
            shown,
            Entry(_FIXED, style=NOTE),
            *([""] * 6),
            "menu",
            "",
            "",
            "",
            Entry(_OF_A_MENU, style=NOTE),
        )
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


def _row(exported: Exported, name: str, row: int) -> list[Entry | str | float | None]:
    declared, found = exported.calculator.inputs[name], exported.made.cells[name]
    value = declared.text(None) if found.value is None and isinstance(declared, Quantity) else found.value
    shown = declared.text(exported.values[name])
    changed = f"{address(_VALUE, row)}<>{literal(value)}"
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
        Entry(source, style=TEXT),
        known.reading if known else "",
        found.name,
        Entry(about, style=NOTE),
    ]


def _origin(exported: Exported, name: str) -> Entry:
    """Where the value comes from; of one that was searched for, that no formula computes it."""
    origin = exported.resolved.origins[name]
    word = exported.resolved.words.get(name) or _ORIGINS[origin]
    searched = origin == "computed" and not exported.made.cells[name].formula
    return Entry(f"{word}; {VALUE}" if searched else word, style=TEXT)

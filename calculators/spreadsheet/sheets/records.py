"""Sheet of menus: a table for each, with its records as rows and the inputs that they fill as columns."""

from calculators.declare import Choice
from calculators.spreadsheet.archive import Entry, Sheet, Style
from calculators.spreadsheet.formats import base_unit, number_format
from calculators.spreadsheet.menus import MENUS, Menu, Way, shown
from calculators.spreadsheet.sheets.exported import HEAD, NOTE, TITLE, WorkbookState

_WIDTHS = (34, *([16] * 45))
_NOTE = (
    "What each record of a menu fills into inputs, in base units. The cells of Inputs look their values up here. In "
    "italics: no value of the record, but the input's default, or the name under which it is then computed. "
    "Records that the calculator refuses next to the exported inputs are left out."
)
_NO_VALUE = Style(italic=True, color=NOTE.color)


def menus_sheet(exported: WorkbookState) -> Sheet:
    """The sheet; a value of a record may be changed here too."""
    sheet = Sheet(MENUS, _WIDTHS)
    sheet.add(Entry(_NOTE, style=Style(italic=True, color=NOTE.color)))
    sheet.add()
    for menu in exported.made.menus.by_name.values():
        _table(exported, sheet, menu)
        sheet.add()
    return sheet


def _table(exported: WorkbookState, sheet: Sheet, menu: Menu) -> None:
    calculator, made = exported.calculator, exported.made
    name = menu.preset.name
    position = f"MATCH({made.menu_cells[name]},{menu.cells()},0)"
    sheet.add(
        Entry(menu.preset.label, style=TITLE),
        "Row of the chosen record",
        Entry(menu.place + 1, position, name=made.row_cells[name]),
    )
    sheet.add(Entry("Record", style=HEAD), *(Entry(_head(exported, one), style=HEAD) for one in menu.columns))
    for place, (key, text) in enumerate(menu.rows.items()):
        filled = menu.preset.filled(key)
        entries = [Entry(text)]
        for one, column in menu.columns.items():
            if one not in calculator.inputs:  # a menu that follows this one
                entries.append(Entry(column[place]))
                continue
            declared, value = calculator.inputs[one], column[place]
            number = "" if isinstance(declared, Choice) else number_format(declared.unit, value)
            is_own = one in filled and not isinstance(value, Way)
            entries.append(Entry(shown(declared, value), style=Style(number=number) if is_own else _default(number)))
        sheet.add(*entries)


def _default(number: str) -> Style:
    return Style(italic=True, color=_NO_VALUE.color, number=number)


def _head(exported: WorkbookState, name: str) -> str:
    """Label of a column with its unit."""
    declared = exported.calculator.inputs.get(name)
    if declared is None:
        return next(one.label for one in exported.calculator.presets if one.name == name)
    unit = "" if isinstance(declared, Choice) else base_unit(declared.unit)
    return f"{declared.label} [{unit}]" if unit else declared.label

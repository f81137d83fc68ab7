"""Archive: sheets as the bytes of an .xlsx file, an Office Open XML workbook; the same sheets give the same bytes."""

import io
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from calculators.spreadsheet.cells import FAILED, number_text

_LONG_AGO = (1980, 1, 1, 0, 0, 0)
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONGEST_LIST = 255
_LONGEST_CELL = 32_000
_FIRST_OWN_FORMAT = 164
_LETTERS = 26
_COLORS = {"good": ("FF1B5E20", "FFE3F1E4"), "tight": ("FF7A4F00", "FFFFF1D6"), "bad": ("FF8E1B1B", "FFFBE4E4")}


@dataclass(frozen=True)
class Style:
    """Look of a cell: font, fill (a color), number format, whether its text is wrapped."""

    bold: bool = False
    italic: bool = False
    color: str = ""
    fill: str = ""
    number: str = ""
    wrap: bool = False


PLAIN = Style()


@dataclass(frozen=True)
class Entry:
    """Content of a cell: a value, or a formula with its value in the exported state; `name` is its defined name.

    It offers a menu of `options`, or of those in the cells `options_in`.
    """

    value: Any = ""
    formula: str = ""
    style: Style = PLAIN
    name: str = ""
    options: tuple[str, ...] = ()
    options_in: str = ""
    limits: tuple[float, float] | None = None
    is_level: bool = False


@dataclass
class Sheet:
    """Sheet: its rows of cells, the widths of its columns, and how many rows stay while the others scroll."""

    title: str
    widths: Sequence[float]
    rows: list[list[Entry]] = field(default_factory=list)
    frozen: int = 0

    def add(self, *entries: Entry | str | float | None) -> int:
        """Add a row; its number in the sheet."""
        self.rows.append([one if isinstance(one, Entry) else Entry(one) for one in entries])
        return len(self.rows)


def address(column: int, row: int, sheet: str = "") -> str:
    """Absolute address of a cell, columns counted from 0 and rows from 1.

    >>> address(27, 3, "Inputs")
    'Inputs!$AB$3'
    """
    return f"{sheet}!${_letters(column)}${row}" if sheet else f"{_letters(column)}{row}"


def _letters(column: int) -> str:
    found = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, _LETTERS)
        found = chr(ord("A") + letter) + found
    return found


def written(sheets: Sequence[Sheet], title: str) -> bytes:
    """Bytes of a workbook of these sheets."""
    styles = {PLAIN: 0}
    for sheet in sheets:
        for row in sheet.rows:
            for entry in row:
                styles.setdefault(entry.style, len(styles))
    places = range(1, len(sheets) + 1)
    members = {
        "[Content_Types].xml": _content_types(places),
        "_rels/.rels": _relations(
            [
                ("officeDocument", "xl/workbook.xml", _DOCUMENT),
                ("metadata/core-properties", "docProps/core.xml", _PACKAGE),
            ]
        ),
        "docProps/core.xml": _properties(title),
        "xl/workbook.xml": _workbook(sheets),
        "xl/_rels/workbook.xml.rels": _relations(
            [
                *(("worksheet", f"worksheets/sheet{place}.xml", _DOCUMENT) for place in places),
                ("styles", "styles.xml", _DOCUMENT),
            ]
        ),
        "xl/styles.xml": _styles(styles),
        **{f"xl/worksheets/sheet{place}.xml": _sheet(sheets[place - 1], styles) for place in places},
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in members.items():
            archive.writestr(zipfile.ZipInfo(name, _LONG_AGO), (_HEAD + text).encode(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _content_types(places: Iterable[int]) -> str:
    package = "application/vnd.openxmlformats-package"
    parts = {"/xl/workbook.xml": f"{_KIND}.sheet.main+xml", "/xl/styles.xml": f"{_KIND}.styles+xml"}
    parts |= {f"/xl/worksheets/sheet{place}.xml": f"{_KIND}.worksheet+xml" for place in places}
    parts["/docProps/core.xml"] = f"{package}.core-properties+xml"
    listed = "".join(f'<Override PartName="{name}" ContentType="{kind}"/>' for name, kind in parts.items())
    defaults = {"rels": f"{package}.relationships+xml", "xml": "application/xml"}
    first = "".join(f'<Default Extension="{ending}" ContentType="{kind}"/>' for ending, kind in defaults.items())
    return f'<Types xmlns="{_PACKAGE}/content-types">{first}{listed}</Types>'


def _relations(targets: Sequence[tuple[str, str, str]]) -> str:
    listed = ""
    for place, (kind, target, family) in enumerate(targets, start=1):
        full = f"{family}/{kind}" if family == _DOCUMENT else f"{family}/relationships/{kind}"
        listed += f'<Relationship Id="rId{place}" Type="{full}" Target="{target}"/>'
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{listed}</Relationships>'


def _properties(title: str) -> str:
    spaces = f'xmlns:cp="{_PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    return f"<cp:coreProperties {spaces}><dc:title>{_text(title)}</dc:title></cp:coreProperties>"


def _workbook(sheets: Sequence[Sheet]) -> str:
    listed = "".join(
        f'<sheet name={quoteattr(sheet.title)} sheetId="{place}" r:id="rId{place}"/>'
        for place, sheet in enumerate(sheets, start=1)
    )
    names = "".join(
        f"<definedName name={quoteattr(entry.name)}>{address(column, row, sheet.title)}</definedName>"
        for sheet in sheets
        for row, entries in enumerate(sheet.rows, start=1)
        for column, entry in enumerate(entries)
        if entry.name
    )
    return (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_DOCUMENT}"><sheets>{listed}</sheets>'
        f'<definedNames>{names}</definedNames><calcPr calcId="0" fullCalcOnLoad="1"/></workbook>'
    )


def _styles(styles: Mapping[Style, int]) -> str:
    numbers = list(dict.fromkeys(style.number for style in styles if style.number))
    fills = list(dict.fromkeys(style.fill for style in styles if style.fill))
    fonts = list(dict.fromkeys((style.bold, style.italic, style.color) for style in styles))
    formats = "".join(
        f'<numFmt numFmtId="{_FIRST_OWN_FORMAT + place}" formatCode={quoteattr(code)}/>'
        for place, code in enumerate(numbers)
    )
    if numbers:
        formats = f'<numFmts count="{len(numbers)}">{formats}</numFmts>'
    faces = "".join(_font(*font) for font in fonts)
    grounds = "".join(_fill(color) for color in fills)
    looks = ""
    for style in styles:
        number = _FIRST_OWN_FORMAT + numbers.index(style.number) if style.number else 0
        fill = fills.index(style.fill) + 2 if style.fill else 0
        font = fonts.index((style.bold, style.italic, style.color))
        align = f'<alignment vertical="top"{" wrapText=" + quoteattr("1") if style.wrap else ""}/>'
        looks += (
            f'<xf numFmtId="{number}" fontId="{font}" fillId="{fill}" borderId="0" xfId="0" applyNumberFormat="1" '
            f'applyFont="1" applyFill="1" applyAlignment="1">{align}</xf>'
        )
    levels = "".join(
        f'<dxf><font><color rgb="{ink}"/></font><fill><patternFill><bgColor rgb="{ground}"/></patternFill></fill></dxf>'
        for ink, ground in _COLORS.values()
    )
    return (
        f'<styleSheet xmlns="{_MAIN}">{formats}'
        f'<fonts count="{len(fonts)}">{faces}</fonts><fills count="{len(fills) + 2}"><fill><patternFill '
        f'patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>{grounds}</fills>'
        '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
        '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
        f'<cellXfs count="{len(styles)}">{looks}</cellXfs>'
        '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>'
        f'<dxfs count="{len(_COLORS)}">{levels}</dxfs></styleSheet>'
    )


def _font(bold: bool, italic: bool, color: str) -> str:  # noqa: FBT001  as a style has them
    look = ("<b/>" if bold else "") + ("<i/>" if italic else "")
    ink = f'<color rgb="{color}"/>' if color else ""
    return f'<font>{look}<sz val="10"/>{ink}<name val="Arial"/></font>'


def _fill(color: str) -> str:
    return f'<fill><patternFill patternType="solid"><fgColor rgb="{color}"/></patternFill></fill>'


def _sheet(sheet: Sheet, styles: Mapping[Style, int]) -> str:
    pane = ""
    if sheet.frozen:
        top = address(0, sheet.frozen + 1)
        pane = f'<pane ySplit="{sheet.frozen}" topLeftCell="{top}" activePane="bottomLeft" state="frozen"/>'
    columns = "".join(
        f'<col min="{place}" max="{place}" width="{width}" customWidth="1"/>'
        for place, width in enumerate(sheet.widths, start=1)
    )
    rows = "".join(_row(row, entries, styles) for row, entries in enumerate(sheet.rows, start=1))
    cells = [
        (address(column, row), entry)
        for row, entries in enumerate(sheet.rows, start=1)
        for column, entry in enumerate(entries)
    ]
    return (
        f'<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">{pane}</sheetView></sheetViews>'
        f"<cols>{columns}</cols><sheetData>{rows}</sheetData>{_level_colors(cells)}{_validations(cells)}</worksheet>"
    )


def _row(row: int, entries: Sequence[Entry], styles: Mapping[Style, int]) -> str:
    inside = "".join(_cell(address(column, row), entry, styles) for column, entry in enumerate(entries))
    return f'<row r="{row}">{inside}</row>'


def _level_colors(cells: Sequence[tuple[str, Entry]]) -> str:
    """Colors of levels, good to bad, wherever one is in a cell."""
    places = " ".join(place for place, entry in cells if entry.is_level)
    rules = "".join(
        f'<cfRule type="cellIs" dxfId="{number}" priority="{number + 1}" operator="equal"><formula>"{level}"</formula>'
        "</cfRule>"
        for number, level in enumerate(_COLORS)
    )
    return f'<conditionalFormatting sqref="{places}">{rules}</conditionalFormatting>' if places else ""


def _validations(cells: Sequence[tuple[str, Entry]]) -> str:
    """Menus of options, and limits of numbers, which warn and let the reader continue."""
    found = []
    for place, entry in cells:
        listed = ",".join(entry.options)
        among = entry.options_in or (f'"{_text(listed)}"' if listed and len(listed) <= _LONGEST_LIST else "")
        if among:
            found.append(
                f'<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="{place}"><formula1>'
                f"{among}</formula1></dataValidation>"
            )
        elif entry.limits:
            low, high = map(number_text, entry.limits)
            found.append(
                '<dataValidation type="decimal" errorStyle="warning" operator="between" allowBlank="1" '
                f'showErrorMessage="1" errorTitle="Out of range" error="Formulas hold from {low} to {high}." '
                f'sqref="{place}"><formula1>{low}</formula1><formula2>{high}</formula2></dataValidation>'
            )
    return f'<dataValidations count="{len(found)}">{"".join(found)}</dataValidations>' if found else ""


def _cell(place: str, entry: Entry, styles: Mapping[Style, int]) -> str:
    start = f'<c r="{place}" s="{styles[entry.style]}"'
    value = entry.value
    if not entry.formula and value in (None, ""):
        return f"{start}/>" if entry.style is not PLAIN or entry.name else ""
    formula = f"<f>{_text(entry.formula)}</f>" if entry.formula else ""
    if value is FAILED:
        kind, inside = ' t="e"', "<v>#N/A</v>"
    elif isinstance(value, bool):
        kind, inside = ' t="b"', f"<v>{int(value)}</v>"
    elif isinstance(value, int | float):
        kind, inside = "", f"<v>{number_text(value)}</v>"
    elif formula:
        kind, inside = ' t="str"', f"<v>{_text(str(value))}</v>"
    else:
        text = _text(str(value)[:_LONGEST_CELL])
        kind, inside = ' t="inlineStr"', f'<is><t xml:space="preserve">{text}</t></is>'
    return f"{start}{kind}>{formula}{inside}</c>"


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("", text))

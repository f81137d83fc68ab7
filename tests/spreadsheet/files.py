"""Workbooks in tests: read their cells, type into an input cell, and recalculate them with LibreOffice."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop
 oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>
"""
_AT_ONCE = 20
SOFFICE = shutil.which("soffice") or shutil.which("libreoffice")


class Book:
    """A workbook: formulas and values of its cells, by the sheet and address and by the name of the cell."""

    def __init__(self, content: bytes) -> None:
        self.parts = _unpacked(content)
        book = _parsed(self.parts["xl/workbook.xml"])
        titles = [one.get("name", "") for one in book.iter(f"{_MAIN}sheet")]
        self.paths = {title: f"xl/worksheets/sheet{place}.xml" for place, title in enumerate(titles, start=1)}
        self.names = {
            one.get("name", ""): _place(one.text or "")
            for one in book.iter(f"{_MAIN}definedName")
            if "!" in (one.text or "")
        }
        shared = self.parts.get("xl/sharedStrings.xml")
        self._shared = ["".join(part.itertext()) for part in _parsed(shared).iter(f"{_MAIN}si")] if shared else []
        self.values: dict[tuple[str, str], Any] = {}
        self.formulas: dict[tuple[str, str], str] = {}
        for title, path in self.paths.items():
            for one in _parsed(self.parts[path]).iter(f"{_MAIN}c"):
                place = (title, one.get("r", ""))
                self.values[place] = self._value(one)
                formula = one.find(f"{_MAIN}f")
                if formula is not None and formula.text:
                    self.formulas[place] = formula.text

    def _value(self, one: ElementTree.Element) -> Any:
        kind, text = one.get("t", "n"), one.findtext(f"{_MAIN}v")
        if kind == "inlineStr":
            return "".join(one.itertext())
        if text is None:
            return None
        if kind == "s":
            return self._shared[int(text)]
        if kind == "b":
            return text == "1"
        return float(text) if kind == "n" else text

    def value(self, name: str) -> Any:
        """Value of the cell of this name."""
        return self.values[self.names[name]]

    def formula(self, name: str) -> str:
        """Formula of the cell of this name; empty without one."""
        return self.formulas.get(self.names[name], "")


def typed(content: bytes, changes: dict[str, Any]) -> bytes:
    """Workbook after typing values into named cells; everything else, cached results too, stays as it was."""
    book = Book(content)
    parts = dict(book.parts)
    for name, value in changes.items():
        sheet, place = book.names[name]
        path = book.paths[sheet]
        if isinstance(value, str):
            inside, kind = f"<is><t>{value}</t></is>", ' t="inlineStr"'
        else:
            inside, kind = f"<v>{float(value)!r}</v>", ""
        cell = re.compile(rf'<c r="{place}"( s="\d+")?[^>]*?(?:/>|>.*?</c>)')
        text, count = cell.subn(rf'<c r="{place}"\g<1>{kind}>{inside}</c>', parts[path].decode(), count=1)
        assert count == 1, name
        parts[path] = text.encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, part in parts.items():
            archive.writestr(path, part)
    return packed.getvalue()


def recalculated(contents: dict[str, bytes], folder: Path) -> dict[str, Book]:
    """Workbooks by name, each computed again from its formulas by LibreOffice."""
    assert SOFFICE, "LibreOffice is not installed"
    profile, before, after = (folder / part for part in ("profile", "before", "after"))
    (profile / "user").mkdir(parents=True)
    (profile / "user/registrymodifications.xcu").write_text(_SETTINGS, "utf-8")
    before.mkdir()
    for name, content in contents.items():
        (before / f"{name}.xlsx").write_bytes(content)
    files = [str(before / f"{name}.xlsx") for name in contents]
    command = [SOFFICE, f"-env:UserInstallation={profile.as_uri()}", "--headless", "--convert-to", "xlsx", "--outdir"]
    for start in range(0, len(files), _AT_ONCE):  # one process does not open hundreds of files
        some = files[start : start + _AT_ONCE]
        subprocess.run([*command, str(after), *some], check=True, capture_output=True, timeout=600)
    return {name: Book((after / f"{name}.xlsx").read_bytes()) for name in contents}


def _parsed(text: bytes) -> ElementTree.Element:
    return ElementTree.fromstring(text)  # noqa: S314  our own file, or LibreOffice's copy of it


def _unpacked(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _place(text: str) -> tuple[str, str]:
    sheet, _, place = text.rpartition("!")
    return sheet.strip("'"), place.replace("$", "")

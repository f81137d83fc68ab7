"""Text of a file that a reader gives, or what is wrong with the file in a sentence."""

import csv
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

_PACKED = {b"\x1f\x8b": "gzip", b"PK\x03\x04": "zip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bzip2", b"\xfd7zXZ": "xz"}
_OTHER_ENCODINGS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"\xef\xbb\xbf": "utf-8-sig"}
_OPENING = b"[{"
_OTHERS = bytes({*range(256)} - {*b"[]{}"})
_LONE_RETURN = re.compile(r"\r(?!\n)")  # ends of lines of old programs, and of progress bars
_DEEPEST = 40
_LONGEST_SHOWN = 60
_JSON = json.JSONEncoder(ensure_ascii=False, default=str)
_BEGINNING = 1000  # characters in which a file that is not text shows it


def decoded(content: bytes) -> str:
    """The text of these bytes, in UTF-8 or with a mark of UTF-16. Raises ValueError with a sentence.

    >>> decoded("ä".encode("utf-16"))
    'ä'
    """
    for magic, kind in _PACKED.items():
        if content.startswith(magic):
            message = f"this is compressed ({kind}): unpack it first"
            raise ValueError(message)
    encoding = next((one for mark, one in _OTHER_ENCODINGS.items() if content.startswith(mark)), "utf-8")
    try:
        return plain(content.decode(encoding))
    except UnicodeDecodeError as error:
        message = f"this is not text in UTF-8 (from byte {error.start + 1:,} on): save it as UTF-8"
        raise ValueError(message) from None


def plain(text: str) -> str:
    """The text without a byte-order mark, a return alone as an end of line.

    Raises ValueError where it is a file that is not text, read as text.

    >>> plain(chr(0xFEFF) + "a")
    'a'
    """
    if "\0" in text or "\ufffd" in text[:_BEGINNING]:
        message = "this is not plain text: unpack it if it is compressed, and save it as UTF-8"
        raise ValueError(message)
    return _LONE_RETURN.sub("\n", text.removeprefix("\ufeff"))


def depth_of(text: str) -> int:
    """How many brackets are open at the end of JSON. Raises ValueError for more than any file has at once.

    It is checked before parsing: a browser cannot catch a parser's recursion error. Of a long text, pairs without
    anything in between are taken out until none is left, which is faster than looking at each bracket.

    >>> depth_of('{"jobs": [{"read": {}}, {')
    3
    """
    brackets, pairs = text.encode(errors="replace").translate(None, _OTHERS), 0
    while len(left := brackets.replace(b"{}", b"").replace(b"[]", b"")) < len(brackets):
        brackets, pairs = left, pairs + 1
        _check_depth(pairs)
    depth = 0
    for bracket in brackets:
        depth += 1 if bracket in _OPENING else -1
        _check_depth(depth + pairs)
    return depth


def _check_depth(depth: int) -> None:
    if depth > _DEEPEST:
        message = "this is nested deeper than any file of its kind: give it as it was written"
        raise ValueError(message)


class LongCellError(ValueError):
    """A cell of CSV that does not end, and the line where its row begins."""

    def __init__(self, line: int) -> None:
        most = csv.field_size_limit()
        super().__init__(
            f"line {line}: a cell has more than {most:,} characters: close its quotation mark, or take it out"
        )
        self.line = line


def csv_rows(
    lines: Iterable[str], delimiter: str = ",", *, skipinitialspace: bool = False
) -> Iterator[tuple[int, list[str]]]:
    """Rows of CSV, each with the number of its last line. Raises LongCellError."""
    rows = csv.reader(lines, delimiter=delimiter, skipinitialspace=skipinitialspace)
    begin = 1
    try:
        for row in rows:
            yield rows.line_num, row
            begin = rows.line_num + 1
    except csv.Error:
        raise LongCellError(begin) from None


def shown(stated: Any) -> str:
    """What a file states, as JSON writes it and shortly; a text in quotation marks of its own.

    >>> shown(True), shown("a"), shown([None, 1.5])
    ('true', '“a”', '[null, 1.5]')
    """
    text = stated if isinstance(stated, str) else _JSON.encode(stated)
    short = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
    return f"“{short}”" if isinstance(stated, str) else short

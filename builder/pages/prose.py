"""Prose: a quantity typed straight into a page fails the build. Numbers come from facts, results, or are marked."""

from __future__ import annotations

import re

_UNITS = (
    r"[kMGTPE]i?B(?:/s)?|[KMGT]bit/s|[KMGT]b/s|Gbps|Tbps|bytes?|B/parameter|[kMGT]?W|[kMGT]Wh|V|"
    r"TFLOPs?(?:/s)?|PFLOPs?(?:/s)?|FLOPs|IOPS|"
    r"ns|µs|us|ms|seconds?|minutes?|min|hours?|days?|weeks?|months?|years?|"
    r"%|per ?cent|percent|dollars|USD|kg|tonnes?|°C|GHz|MHz|tokens?(?:/s)?|parameters|GPUs|nodes|racks|ports|drives"
)
_QUANTITY = re.compile(rf"(?<![\w.#/-])[$€]?\d[\d,.]*\s?(?:[–-]\s?\d[\d,.]*\s?)?(?:{_UNITS})(?![\w/])|[$€]\d[\d,.]*")
_NOT_PROSE = re.compile(
    r"\A---\n.*?\n---\n|```.*?```|`[^`]*`|\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|<[^>]*>|\]\([^)]*\)|\{[^{}]*\}",
    re.DOTALL,
)


class NakedQuantityError(Exception):
    """A page states a quantity of its own. Names the line and the quantity."""


def check(text: str) -> None:
    """Raise NakedQuantityError at the first quantity that is neither a fact, a result nor marked as illustrative."""
    prose = _NOT_PROSE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    for number, line in enumerate(prose.splitlines(), 1):
        if found := _QUANTITY.search(line):
            message = (
                f"line {number} states “{found[0].strip()}” by itself: "
                'use {{ fact("…") }} or {{ result(…) }}, or mark it {{ illustrative("…") }}'
            )
            raise NakedQuantityError(message)

"""Published: `python -m tooling.published` writes calculators/published.toml from tests/cases/*.toml.

The command line says with every ranking how far the formulas were off, and an installed package has no tests to know
it from.
"""

from __future__ import annotations

import json

from builder.pages import accuracy, cases
from builder.paths import ROOT
from calculators.catalog import CALCULATORS

TARGET = ROOT / "calculators" / "published.toml"
_HEAD = "# Written by `python -m tooling.published` from the published cases; a change belongs there.\n"


def text() -> str:
    """The file: a sentence for each calculator for which a figure was published."""
    message = {name: sentence(name) for name in CALCULATORS}
    return _HEAD + "".join(f"{name} = {json.dumps(report)}\n" for name, report in message.items() if report)


def sentence(name: str) -> str:
    """Error of a calculator over all of its published figures, those it misses too."""
    found = accuracy.accuracy([(case, cases.evaluate(case)) for case in cases.load(name)])
    reports = [
        f"over {record.runs} {record.of}{f' ({record.missed} of them missed)' if record.missed else ''} "
        f"the median error is {record.median}, the worst {record.worst}"
        for record in found
    ]
    return f"If the formulas are off: given what the source states, {'; '.join(reports)}." if reports else ""


if __name__ == "__main__":
    TARGET.write_text(text(), "utf-8")

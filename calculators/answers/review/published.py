"""Error of a calculator against published figures: of its formulas, and of its inputs.

From calculators/published.toml, never edited by hand: `python -m tooling.published` writes it from the
published cases, with the words that a page has. The browser does without it, since a page has those words already.
"""

import tomllib
from pathlib import Path

_FILE = Path(__file__).parent.parent.parent / "published.toml"


def error(calculator: str) -> str:
    """Sentence for a calculator's name; empty where no case was entered."""
    return str(tomllib.loads(_FILE.read_text("utf-8")).get(calculator, ""))

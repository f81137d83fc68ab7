"""How far a calculator was off over the figures that others published: its formulas' error, beside that of its inputs.

From calculators/published.toml, to which nobody adds by hand: `python -m tooling.published` writes it from the
published cases, with the words that a page has. The browser does without it, since a page has those words already.
"""

import tomllib
from pathlib import Path

_FILE = Path(__file__).parent.parent.parent / "published.toml"


def error(calculator: str) -> str:
    """The sentence for a calculator's name; nothing where nobody published a figure that it gives."""
    return str(tomllib.loads(_FILE.read_text("utf-8")).get(calculator, ""))

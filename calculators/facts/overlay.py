"""Overlay: the reader's own prices, hardware and models, from files next to the facts.

A file is TOML: a table such as `[drives.our-qlc]` is one more record of a menu, `like` another one but for the fields
that it states; `[facts]` replaces single numbers; `[overlay]` says whose it is, of which day, and at which rates other
currencies are read. Values are numbers in the unit of the field, or texts with a unit ("1.85 EUR", "30–45%"). A CSV
with the columns kind, record, field, value says the same. What cannot be read is a problem that names its line; the
rest counts.

Records and facts are read when the calculators are imported, so that every menu, default, record and page has them.
`CALCULATORS_FACTS` names the files; else `overlay.toml` next to the package is taken, if it is there.
"""

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from calculators.facts import stated as published
from calculators.facts.overlay_records import Overlay
from calculators.facts.stated import Stated

VARIABLE = "CALCULATORS_FACTS"
_MOST_PROBLEMS = 100
DEFAULT_FILE = Path(__file__).parents[2] / "overlay.toml"


def files() -> list[Path]:
    """Files of the reader's own facts, as the environment names them, or the one next to the package."""
    named = os.environ.get(VARIABLE, "")
    wanted = [Path(one) for one in named.split(os.pathsep) if one] if named else [DEFAULT_FILE]
    return [path for path in wanted if path.is_file()]


@cache
def overlay() -> Overlay:
    """Overlay of the reader's own files; empty where there are none."""
    return read(files(), published.stated_records())


@cache
def stated_records() -> Mapping[str, Stated]:
    """Every record by its key: those of the facts files, and of the overlay in their place or after them."""
    own = overlay().records
    return {**published.stated_records(), **own} if own else published.stated_records()


@cache
def stated_sources() -> Mapping[str, Stated]:
    """Every source by its key."""
    own = overlay().sources
    return {**published.stated_sources(), **own} if own else published.stated_sources()


def forget() -> None:
    """Let go of what the files state."""
    published.forget()
    for cached in (overlay, stated_records, stated_sources):
        cached.cache_clear()


def read(paths: list[Path], known: Mapping[str, Stated]) -> Overlay:
    """Overlay of these files on top of the `known` records."""
    found = Overlay()
    if not paths:
        return found
    from calculators.facts.overlay_file import OverlayFile  # noqa: PLC0415  the snapshot does without it
    from calculators.files import decoded  # noqa: PLC0415

    for path in paths:
        try:
            OverlayFile(path.name, known, found).read(decoded(path.read_bytes()))
        except ValueError as error:
            found.problems.append(f"{path.name} cannot be read: {error}.")
    if (more := len(found.problems) - _MOST_PROBLEMS) > 0:
        found.problems[_MOST_PROBLEMS:] = [f"And {more:,} more of such problems."]
    return found

"""A share of the tests each day, so that the whole suite stays under ten minutes, whatever is added.

`@pytest.mark.daily(5)` deals the cases of a test, or a test that has none, over five days: what one program gives every
calculator, preset or host alike is tried on some of them today and on others tomorrow, and so is what takes many
seconds alone. Of what takes a browser a fifth runs a day (browser/conftest.py), but for the core and what is marked
`daily(1)`. All runs with EVERY=1, and where files, folders or words (`-k`) choose what to run. DAY=2026-11-27 repeats
the share of that day.
"""

from __future__ import annotations

import datetime
import os
import zlib
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_Case = TypeVar("_Case")


def today() -> datetime.date:
    """Return the day whose share it is: that of the variable DAY, which workers inherit, else this one."""
    given = os.environ.setdefault("DAY", datetime.datetime.now(tz=datetime.UTC).date().isoformat())
    return datetime.date.fromisoformat(given)


def is_whole() -> bool:
    """Whether everything is to run, whatever the day: EVERY=1, or some tests are chosen (conftest.py)."""
    return bool(os.environ["WHOLE"])


def is_due(name: str, place: int, of: int, day: datetime.date) -> bool:
    """Whether the case at this place among those of a test of this name is in the share of the day: one day in `of`."""
    return (zlib.crc32(name.encode()) + place + day.toordinal()) % of == 0


def dealt(cases: Iterable[_Case], name_of: Callable[[_Case], str], days_of: Callable[[_Case], int]) -> list[_Case]:
    """Keep those whose day it is, of cases that belong to tests of some names and are dealt over some days."""
    day, seen, kept = today(), dict[str, int](), []
    for case in cases:
        name = name_of(case)
        place = seen[name] = seen.get(name, -1) + 1
        if is_due(name, place, days_of(case), day):
            kept.append(case)
    return kept


def share(things: Iterable[_Case], days: int) -> list[_Case]:
    """Return those of a test's things that it looks at today."""
    return list(things) if is_whole() else dealt(things, lambda _: "", lambda _: days)

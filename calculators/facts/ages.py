"""How old prices are: the day on which an answer is read, and from which age a price of its class is old.

A page sends the reader's day with each request. Elsewhere it is today, unless SOURCE_DATE_EPOCH says otherwise, as in
a build (the day of the release) and in tests.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import date, timedelta
from time import time
from types import MappingProxyType

from calculators.facts import Fact, fact
from calculators.units import DAY

_VARIABLE = "SOURCE_DATE_EPOCH"  # https://reproducible-builds.org/specs/source-date-epoch/
CLASSES = ("rent", "survey", "instance", "server", "card", "switch", "drive", "api", "cloud", "energy", "colocation")
LIMITS: Mapping[str, float] = MappingProxyType(
    {name: float(fact(f"price-age-limits.{name}").value) / DAY for name in CLASSES}
)
"""Days after which a price of a class is old."""
LATEST = float(fact("price-is-old").value) / DAY


_FIRST_DAY, _DAY_SECONDS = date(1970, 1, 1), 86_400


class Clock:
    """The reader's day, while a request that has it is answered."""

    def __init__(self) -> None:
        self._day: date | None = None

    @contextmanager
    def on(self, day: str) -> Iterator[None]:
        """Within, it is this day ("2026-11-27"); a text that is no day changes nothing."""
        before = self._day
        with suppress(ValueError):
            self._day = date.fromisoformat(day)
        try:
            yield
        finally:
            self._day = before

    def today(self) -> date:
        """The reader's day."""
        if self._day is not None:
            return self._day
        given = os.environ.get(_VARIABLE, "")
        seconds = int(given) if given.isdigit() else time()  # a browser's Python has no calendar of its own
        return _FIRST_DAY + timedelta(days=seconds // _DAY_SECONDS)


CLOCK = Clock()
today = CLOCK.today


def age(priced_on: date) -> int:
    """Days since a price held."""
    return (today() - priced_on).days


def is_old(price: Fact) -> bool:
    """Whether a dated price is older than the limit of its class."""
    return price.priced_on is not None and age(price.priced_on) > limit(price)


def limit(price: Fact) -> float:
    """Days after which a price is old, by its class."""
    return LIMITS.get(price.price_class, LATEST)

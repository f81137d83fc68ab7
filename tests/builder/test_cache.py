"""What one build leaves to the next: what it used, if it succeeded, and nothing else."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import pytest

from builder.cache import Cache


class Steps:
    """Counts how often something was really made."""

    def __init__(self, cache: Cache) -> None:
        self.cache = cache
        self.made: list[str] = []

    def build(self, *pages: str, fails: bool = False) -> None:
        """A build of these pages, which fails at its end or does not."""
        with self.cache.one_build():
            for page in pages:
                self.cache.get(("page", page), partial(self._make, page))
            if fails:
                raise ValueError

    def _make(self, page: str) -> str:
        self.made.append(page)
        return page.upper()


@pytest.fixture
def steps() -> Steps:
    """A first build of two pages is done."""
    done = Steps(Cache())
    done.build("one", "two")
    done.made.clear()
    return done


def test_what_has_not_changed_is_not_made_again(steps: Steps) -> None:
    steps.build("one", "changed")
    steps.build("one", "changed")
    assert steps.made == ["changed"]


def test_within_a_build_the_same_is_made_once(steps: Steps) -> None:
    steps.build("new", "new")
    assert steps.made == ["new"]


def test_what_a_failed_build_made_is_made_again_and_what_was_good_is_not(steps: Steps) -> None:
    with suppress(ValueError):
        steps.build("one", "wrong", fails=True)
    steps.build("one", "two", "wrong")
    assert steps.made == ["wrong", "wrong"]


def test_what_a_build_did_not_use_is_forgotten(steps: Steps) -> None:
    steps.build("one")
    steps.build("one", "two")
    assert steps.made == ["two"]


def test_results_come_back_as_they_were(steps: Steps) -> None:
    assert steps.cache.find(("page", "one")) == "ONE"
    assert steps.cache.find(("page", "three")) is None

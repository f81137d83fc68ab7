"""The page's types of requests and responses are those of Python, to the letter."""

from __future__ import annotations

from types import ModuleType
from typing import Literal, NotRequired, TypedDict

import pytest

from builder.site import messages


class Small(TypedDict):
    """A small message.

    More of it, for Python's readers.
    """

    name: str
    many: NotRequired[list[int]]


def test_the_committed_types_are_those_of_today() -> None:
    made = messages.typescript()
    assert messages.TARGET.read_text("utf-8") == made, "run `python -m builder.site.messages`"


def test_every_kind_of_field_is_reported() -> None:
    made = messages.typescript()
    assert 'export type Level = "good" | "tight" | "bad";' in made
    assert "  readonly asks: readonly Ask[];" in made
    assert "  readonly stops?: Readonly<Record<string, number>>;" in made
    assert "  readonly given?: Texts;" in made
    assert "  readonly controls?: Readonly<Record<string, Control>>;" in made
    assert "  readonly cursor?: number;" in made


def test_a_type_that_typescript_lacks_is_refused() -> None:
    source = ModuleType(Small.__module__)
    source.Small = Small  # type: ignore[attr-defined]  # a module made for this test
    source.Level = Literal["good", "bad"]  # type: ignore[attr-defined]
    with pytest.raises(messages.UntoldError, match=r"list\[int\] has no counterpart in TypeScript here"):
        messages.typescript(source)

"""One test for many things of a kind: it looks at every one, and names all those at which it fails.

A test of its own for each of nine hundred formulas costs more than what it looks at.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Look = Any  # a function that takes a thing's values
Things = Any  # what pytest.param gives, whose type has no public name


def each(things: Sequence[Things]) -> Callable[[Look], Callable[[Sequence[Things]], None]]:
    """Make a look at one thing a test of all of them, for each calculator or folder that their names begin with."""
    groups: dict[str, list[Things]] = {}
    for one in things:
        groups.setdefault(re.split("[.:/]", one.id)[0], []).append(one)

    def decorated(look: Look) -> Callable[[Sequence[Things]], None]:
        @pytest.mark.parametrize("those", groups.values(), ids=groups)
        def test(those: Sequence[Things]) -> None:
            check_each(look, those)

        test.__name__, test.__doc__ = look.__name__, look.__doc__
        return test

    return decorated


def check_each(look: Look, things: Sequence[Things]) -> None:
    """Look at things one by one. Raises what was wrong, all together, each with the name of its thing."""
    wrong = []
    for one in things:
        try:
            look(*one.values)
        except Exception as error:  # noqa: BLE001  whatever it is, the others are to be looked at too
            error.add_note(one.id)
            wrong.append(error)
    if wrong:
        names = ", ".join(error.__notes__[-1] for error in wrong)
        raise ExceptionGroup(names, wrong)

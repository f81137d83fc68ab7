"""Answers told as what became different: a page that follows a slider need not be told again all that stays.

A page numbers its questions, and says which answer it has; where that one is still known, what has names (texts,
controls, verdicts ...) is told only where it is another, and the names of what there was and is no more.
"""

from typing import Any, cast

from calculators.answers.messages import Answer

_NAMED = ("texts", "also", "controls", "verdicts", "cells", "python")
_KEPT = 4  # a page may have asked twice before it hears


class Recent:
    """The newest answers, by the numbers of their questions."""

    def __init__(self) -> None:
        self._told: dict[int, Answer] = {}

    def since(self, told: Answer, number: int, known: int | None) -> Answer:
        """The answer to the question of this number, told since the `known` one if that is still remembered."""
        before = None if known is None else self._told.get(known)
        self._told.pop(number, None)
        self._told[number] = told
        for old in list(self._told)[:-_KEPT]:
            del self._told[old]
        if known is None or before is None:
            return told
        shorter: dict[str, Any] = {**told, "since": known, "gone": {}}
        for key in _NAMED:
            now, then = told.get(key), before.get(key)
            if isinstance(now, dict) and isinstance(then, dict):
                shorter[key] = {name: one for name, one in now.items() if not _same(one, then.get(name))}
                shorter["gone"][key] = [name for name in then if name not in now]
        return cast("Answer", shorter)


def _same(one: object, other: object) -> bool:
    """Most of what stays is the very same object, which takes no time to find out."""
    return one is other or one == other

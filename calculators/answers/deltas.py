"""Deltas: a page that follows a slider receives only what is different from the response it already has.

A page numbers its questions, and says which response it has. Where that one is still kept, what has names (texts,
controls, verdicts ...) is sent only where it is different, with the names of what is gone.
"""

from typing import Any, cast

from calculators.answers.messages import Answer

_NAMED = ("texts", "also", "controls", "verdicts", "cells", "python")
_KEPT = 4  # a page may have asked twice before it hears


class RecentResponses:
    """The newest responses, by the numbers of their questions."""

    def __init__(self) -> None:
        self._responses: dict[int, Answer] = {}

    def since(self, response: Answer, number: int, known: int | None) -> Answer:
        """The response to the question of this number, as a delta to the `known` one if that is still kept."""
        before = None if known is None else self._responses.get(known)
        self._responses.pop(number, None)
        self._responses[number] = response
        for old in list(self._responses)[:-_KEPT]:
            del self._responses[old]
        if known is None or before is None:
            return response
        shorter: dict[str, Any] = {**response, "since": known, "gone": {}}
        for key in _NAMED:
            now, then = response.get(key), before.get(key)
            if isinstance(now, dict) and isinstance(then, dict):
                shorter[key] = {name: one for name, one in now.items() if not _same(one, then.get(name))}
                shorter["gone"][key] = [name for name in then if name not in now]
        return cast("Answer", shorter)


def _same(one: object, other: object) -> bool:
    """Most of what stays is the very same object, which takes no time to find out."""
    return one is other or one == other

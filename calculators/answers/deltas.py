"""Deltas: a page that follows a slider receives only what differs from the response it already has.

A page numbers its requests and says which response it has. While that response is still cached, named entries (texts,
controls, verdicts …) are sent only if they changed, with the names of those that are gone.
"""

from typing import Any, cast

from calculators.answers.messages import Answer
from calculators.declare.memo import store

_NAMED = ("texts", "also", "controls", "verdicts", "cells", "python")
_CACHED = 4  # a page may have sent two requests before the first response arrives


class RecentResponses:
    """The newest responses by request number."""

    def __init__(self) -> None:
        self._responses: dict[int, Answer] = {}

    def since(self, response: Answer, number: int, known: int | None) -> Answer:
        """The response to the request of this number, as a delta to the `known` one if that is still cached."""
        before = None if known is None else self._responses.get(known)
        self._responses.pop(number, None)
        store(self._responses, number, response, _CACHED)
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
    """Whether two entries are equal; most unchanged ones are the very same object, which is quick to test."""
    return one is other or one == other

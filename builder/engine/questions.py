"""Questions: what the calculators are asked, here and in the browser's Python, before any of its files is trusted."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

from builder.engine.runtime import Unusable
from builder.pages import cases
from calculators.bridge import respond
from calculators.catalog import CALCULATORS

if TYPE_CHECKING:
    from collections.abc import Iterator

_ASKS = ("answer", "explore", "link", "markdown")
_WRONG = ("nonsense", "-1", "1e300", "3 km")


def everything() -> Iterator[str]:
    """Yield requests as texts: everything once, wrong things too."""
    for name, calculator in CALCULATORS.items():
        records: list[dict[str, Any]] = [{preset.name: r.key} for preset in calculator.presets for r in preset.records]
        published = [dict(case.given) for case in cases.load(name)]
        asked = [("answer", given) for given in (*records, *published)]
        asked += [(ask, given) for ask in _ASKS for given in ({}, *records[:1], *published[:2])]
        asked += [
            ("answer", {name: wrong}) for name, wrong in zip(calculator.inputs, itertools.cycle(_WRONG), strict=False)
        ]
        yield from (json.dumps({"asks": [ask], "calculator": name, "given": given}) for ask, given in asked)
        for declared in calculator.inputs:
            yield json.dumps({"asks": ["answer"], "calculator": name, "stops": {declared: 3}})
        yield json.dumps(
            {"asks": ["answer"], "calculator": name, "fragment": "#parameters=405B&model=none&colour=r%C3%A9d"}
        )
    yield from ("{", "null", '{"calculator": "nobody"}', '{"calculator": "checkpoint", "given": 3}')


def compare(asked: list[str], answers: list[str]) -> None:
    """See that these are the answers of Python here. Raises runtime.Unusable."""
    different = [question for question, there in zip(asked, answers, strict=True) if there != respond(question)]
    if different:
        raise Unusable(f"{len(different)} answers from it are not those of Python here, first {different[0]}")

"""What readers may give: strategies drawn from the declarations, for tests that hold for every calculator."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from calculators.declare import Calculator, Choice, Quantity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calculators.declare import Input


def within(declared: Input, ends: tuple[float, float] | None = None) -> st.SearchStrategy[Any]:
    """Values of one input over its hard range (or between `ends`), in base units; every magnitude as likely."""
    if isinstance(declared, Choice):
        return st.sampled_from([option.value for option in declared.options.values()])
    low, high = ends or declared.hard
    least = max(low, high * 1e-12)
    spread = st.floats(math.log(least), math.log(high)).map(lambda power: min(max(math.exp(power), low), high))
    default = [min(max(declared.default, low), high)] if declared.default is not None else []
    ends_and_default = [low, high, *default, *([None] if declared.absent else [])]
    values = st.one_of(st.sampled_from(ends_and_default), spread)
    return values.map(lambda value: _whole(declared, value)) if declared.whole else values


def _whole(declared: Quantity, value: float | None) -> float | None:
    if value is None:
        return None
    return min(max(float(round(value)), math.ceil(declared.hard[0])), math.floor(declared.hard[1]))


def states(calculator: Calculator) -> st.SearchStrategy[dict[str, Any]]:
    """Values for every input over the hard ranges."""
    return st.fixed_dictionaries({name: within(declared) for name, declared in calculator.inputs.items()})


def near(calculator: Calculator, start: Mapping[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """`start` with up to three inputs anywhere in their hard ranges: most of these pass the checks."""
    names = st.lists(st.sampled_from(sorted(calculator.inputs)), max_size=3, unique=True)

    def moved(chosen: list[str]) -> st.SearchStrategy[dict[str, Any]]:
        return st.fixed_dictionaries({name: within(calculator.inputs[name]) for name in chosen})

    return names.flatmap(moved).map(lambda changes: {**start, **changes})


def given_texts(calculator: Calculator) -> st.SearchStrategy[dict[str, str]]:
    """What a reader may set: some inputs as their boxes would say them, some presets."""
    boxes = {name: within(declared).map(declared.box) for name, declared in calculator.inputs.items()}
    menus = {p.name: st.sampled_from(["none", *(record.key for record in p.records)]) for p in calculator.presets}
    optional: st.SearchStrategy[dict[str, str]] = st.fixed_dictionaries({}, optional={**boxes, **menus})
    return optional

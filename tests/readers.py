"""What readers may give, drawn from the declarations for tests that hold for every calculator; how they know a text."""

from __future__ import annotations

import math
import random
import re
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from calculators.declare import Calculator, Choice, Quantity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calculators.declare import Input

_BEGINNING = 20  # letters by which a sentence is known
_MARKED = 0.4  # how often a value is an end, the default or nothing
_PRESET = 0.4  # how often a menu is used


def unfigured(sentence: str) -> str:
    """How a sentence begins, whatever its figures: one that should be silent speaks with others."""
    return re.sub(r"[\d.,]+", "#", sentence)[:_BEGINNING]


def within(declared: Input) -> st.SearchStrategy[Any]:
    """Values of one input over its hard range, in base units; every magnitude as likely, and its ends and default."""
    if isinstance(declared, Choice):
        return st.sampled_from([option.value for option in declared.options.values()])
    spread = st.floats(math.log(_least(declared)), math.log(declared.hard[1])).map(lambda power: _at(declared, power))
    return st.one_of(st.sampled_from(_marked(declared)), spread.map(lambda value: _whole(declared, value)))


def _least(declared: Quantity) -> float:
    """Where magnitudes begin: the lower end, or a substitute for one that is zero."""
    return max(declared.hard[0], declared.hard[1] * 1e-12)


def _at(declared: Quantity, power: float) -> float:
    low, high = declared.hard
    return min(max(math.exp(power), low), high)


def _marked(declared: Quantity) -> list[float | None]:
    """Its ends, its default, and nothing where that is allowed."""
    low, high = declared.hard
    default = [min(max(declared.default, low), high)] if declared.default is not None else []
    return [*(_whole(declared, one) for one in (low, high, *default)), *([None] if declared.not_applicable else [])]


def _whole(declared: Quantity, value: float | None) -> float | None:
    if value is None or not declared.whole:
        return value
    return min(max(float(round(value)), math.ceil(declared.hard[0])), math.floor(declared.hard[1]))


def anywhere(declared: Input, chance: random.Random) -> Any:
    """What `within` may draw, by chance: of sixty inputs hypothesis takes longer to draw than all formulas to run."""
    if isinstance(declared, Choice):
        return chance.choice([option.value for option in declared.options.values()])
    if chance.random() < _MARKED:
        return chance.choice(_marked(declared))
    power = chance.uniform(math.log(_least(declared)), math.log(declared.hard[1]))
    return _whole(declared, _at(declared, power))


def chances() -> st.SearchStrategy[random.Random]:
    """Generators of numbers by chance, of which hypothesis draws the seed."""
    return st.integers(0, 2**32).map(random.Random)


def states(calculator: Calculator) -> st.SearchStrategy[dict[str, Any]]:
    """Values for every input over the hard ranges."""
    inputs = calculator.inputs.items()
    return chances().map(lambda chance: {name: anywhere(declared, chance) for name, declared in inputs})


def few(calculator: Calculator, chance: random.Random, most: int) -> dict[str, Any]:
    """Values for some inputs, up to so many, anywhere in their hard ranges."""
    names = chance.sample(sorted(calculator.inputs), k=chance.randint(0, min(most, len(calculator.inputs))))
    return {name: anywhere(calculator.inputs[name], chance) for name in names}


def near(calculator: Calculator, start: Mapping[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """`start` with up to three inputs anywhere in their hard ranges: most of these pass the checks."""
    return chances().map(lambda chance: {**start, **few(calculator, chance, 3)})


def given_texts(calculator: Calculator) -> st.SearchStrategy[dict[str, str]]:
    """What a reader may set: up to eight inputs as their boxes would say them, and presets."""

    def texts(chance: random.Random) -> dict[str, str]:
        boxes = {name: calculator.inputs[name].box(value) for name, value in few(calculator, chance, 8).items()}
        menus = {
            preset.name: chance.choice(["none", *(record.key for record in preset.records)])
            for preset in calculator.presets
            if chance.random() < _PRESET
        }
        return boxes | menus

    return chances().map(texts)

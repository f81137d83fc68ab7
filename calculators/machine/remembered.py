"""Layouts that were found before: a page that asks again and again waits for no search whose outcome is known.

What a search finds hangs on the inputs behind a step's time and memory alone; a price or a store changes none of it.
While a search is still to come, the best layouts of the state before stand in for what it will find, where they are
layouts of this one too; who asks is told that they do.
"""

from collections.abc import Generator
from dataclasses import dataclass
from functools import cache

from calculators.answers.input_state import InputState
from calculators.declare import InputError
from calculators.machine import layouts
from calculators.machine.description import machine
from calculators.machine.layouts import Found
from calculators.machine.sizes import Size
from calculators.machine.standing import Standing, each_standing, laid_out, on_size, pinned_of

_MOST = 16  # beyond, the oldest is searched again
_SOUGHT = ("deadline", "budget")
# What layouts are made of, beside what their time and memory are computed from.
_MADE_OF = ("gpus", "layers", "heads", "kv_heads", "kv_lora_rank", "experts", "gpus_per_domain", "gpu_memory")
_DEALT = ("sequence_length", "batch_tokens", "data_parallel", "micro_batches", "expert_tensor_parallel")


@dataclass(frozen=True, kw_only=True)
class _Known:
    """What a search found, and the GPUs on which, if these were found too."""

    found: Found
    size: Size | None


class Remembered:
    """The newest searches by what they hang on, and the last of them."""

    def __init__(self) -> None:
        self._known: dict[object, _Known] = {}
        self._last: _Known | None = None

    def at_once(self, resolved: InputState) -> tuple[Standing | None, bool]:
        """The machine in this state without a search, and whether one would find the same; nothing where none can."""
        key = _key(resolved)
        known = self._known.get(key)
        if known is not None:
            return self._stands(key, known, resolved), True
        return (_nearly(resolved, self._last) if self._last else None), False

    def each(self, resolved: InputState) -> Generator[None, None, Standing]:
        """The machine in this state, searched for with pauses where that is not known. Raises InputError."""
        key = _key(resolved)
        known = self._known.get(key)
        if known is not None:
            return self._stands(key, known, resolved)
        found = yield from each_standing(resolved)
        self._keep(key, _Known(found=found.layout, size=found.size))
        return found

    def _stands(self, key: object, known: _Known, resolved: InputState) -> Standing:
        self._keep(key, known)
        return laid_out(on_size(resolved, known.size), known.found, known.size)

    def _keep(self, key: object, known: _Known) -> None:
        self._known.pop(key, None)
        self._known[key] = self._last = known
        for old in list(self._known)[:-_MOST]:
            del self._known[old]


@cache
def _behind() -> frozenset[str]:
    """The inputs on which a search hangs."""
    calculator = machine()
    behind = frozenset[str]().union(*(calculator.behind(name) for name in layouts.RESULTS))
    return behind | {*_MADE_OF, *_DEALT}


def _sought(resolved: InputState) -> bool:
    """Whether the GPUs are to be found too, which hangs on everything."""
    return resolved.origins["gpus"] != "yours" and any(resolved.explicit.get(name) is not None for name in _SOUGHT)


def _key(resolved: InputState) -> object:
    names = sorted(resolved.explicit if _sought(resolved) else resolved.explicit.keys() & _behind())
    held = tuple((name, resolved.explicit[name], name in resolved.explicit.given) for name in names)
    return held, pinned_of(resolved)


def _nearly(resolved: InputState, last: _Known) -> Standing | None:
    """The fastest of the layouts that the state before had, if one of them still is a layout and fits."""
    sought = _sought(resolved)
    if not last.found.fits or (sought and last.size is None):
        return None
    sized = on_size(resolved, last.size if sought else None)
    calculator, pinned = machine(), pinned_of(resolved)
    before = calculator.evaluate(sized.explicit)
    try:
        found = layouts.fastest_of(calculator, before, pinned, last.found)
        return None if found is None else laid_out(sized, found, last.size if sought else None)
    except (ArithmeticError, InputError):
        return None

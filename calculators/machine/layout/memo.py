"""Memo of layouts found: a page that asks again and again waits for no search whose outcome is known.

What a search finds depends on the inputs behind a step's time and memory alone, not on a price or storage.
Until a search is done, the best layouts of the state before are used where they are layouts of this one too; the
answer says so.
"""

from collections.abc import Generator
from dataclasses import dataclass
from functools import cache

from calculators.answers.explore.search import Search
from calculators.answers.input_state import InputState, parse_inputs
from calculators.declare import InputError
from calculators.declare.memo import store
from calculators.machine.description import machine
from calculators.machine.layout import search as layouts
from calculators.machine.layout.found import Found, most_lost
from calculators.machine.layout.sizes import Size, rungs
from calculators.machine.layout.space import MADE_OF, NAMES
from calculators.machine.training_state import TrainingState, each_training_state, laid_out, pinned_of, with_gpus_of

_MOST = 16  # beyond, the oldest is searched again
_SOUGHT = ("deadline", "budget")


@dataclass(frozen=True, kw_only=True)
class _Known:
    """Layout that a search found, and the number of GPUs if that was found too."""

    found: Found
    size: Size | None


class LayoutMemo:
    """The newest searches by what they depend on, and the last of them."""

    def __init__(self) -> None:
        self._known: dict[object, _Known] = {}
        self._last: _Known | None = None

    def at_once(self, resolved: InputState) -> tuple[TrainingState | None, bool]:
        """The machine in this state without a search, and whether one would find the same; nothing where none can."""
        key = _key(resolved)
        known = self._known.get(key)
        if known is not None:
            return self._stands(key, known, resolved), True
        return _nearly(resolved, self._last or _usual()), False

    def each(self, resolved: InputState) -> Generator[None, None, TrainingState]:
        """The machine in this state, searched for with pauses where that is not known. Raises InputError."""
        key = _key(resolved)
        known = self._known.get(key)
        if known is not None:
            return self._stands(key, known, resolved)
        found = yield from each_training_state(resolved)
        self._keep(key, _Known(found=found.searched, size=found.size))
        return found

    def _stands(self, key: object, known: _Known, resolved: InputState) -> TrainingState:
        self._keep(key, known)
        return laid_out(with_gpus_of(resolved, known.size), known.found, known.size)

    def _keep(self, key: object, known: _Known) -> None:
        self._known.pop(key, None)
        self._last = store(self._known, key, known, _MOST)


@cache
def _usual() -> _Known:
    """The search for the state that a page opens with."""
    found = Search(each_training_state(parse_inputs(machine(), {}))).run()
    return _Known(found=found.searched, size=found.size)


@cache
def _behind() -> frozenset[str]:
    """The inputs on which a search depends."""
    calculator = machine()
    behind = frozenset[str]().union(*(calculator.behind(name) for name in layouts.RESULTS))
    return behind | {*MADE_OF, "gpu_memory", "memory_margin"}


def _sought(resolved: InputState) -> bool:
    """Whether the GPUs are to be found too, which depends on everything."""
    return resolved.origins["gpus"] != "yours" and any(resolved.explicit.get(name) is not None for name in _SOUGHT)


def _key(resolved: InputState) -> object:
    names = sorted(resolved.explicit if _sought(resolved) else resolved.explicit.keys() & _behind())
    calculator = machine()
    values = calculator.evaluate(resolved.explicit)
    lost = most_lost(calculator.trials(values, NAMES, ("goodput",)), values["gpus"])
    held = tuple((name, resolved.explicit[name], name in resolved.explicit.given) for name in names)
    return held, lost, pinned_of(resolved)


def _nearly(resolved: InputState, last: _Known) -> TrainingState | None:
    """The fastest of the layouts that the state before had, if one of them still is a layout and fits."""
    if not last.found.fits:
        return None
    try:
        if not _sought(resolved):
            return _like(resolved, last, None)
        if last.size is not None:
            return _like(resolved, last, last.size)
        usual = last.found.best[0].gpus
        found = _like(resolved, last, _estimated(resolved, usual))
        deadline = resolved.explicit.get("deadline")
        if found is None or deadline is None:
            return found
        wanted = usual * found.values["training_duration"] / deadline
        return _like(resolved, last, _estimated(resolved, wanted)) or found
    except (ArithmeticError, InputError):
        return None


def _like(resolved: InputState, last: _Known, size: Size | None) -> TrainingState | None:
    """The machine on so many GPUs in the fastest of known layouts, if one of them fits."""
    calculator, pinned = machine(), pinned_of(resolved)
    sized = with_gpus_of(resolved, size)
    before = calculator.evaluate(sized.explicit)
    found = layouts.fastest_of(calculator, before, pinned, last.found)
    return None if found is None else laid_out(sized, found, size)


def _estimated(resolved: InputState, gpus: float) -> Size:
    """The rung next to so many GPUs, while the number that is asked for is searched."""
    nearest = min(rungs(int(resolved.values["gpus_per_node"])), key=lambda rung: abs(rung - gpus))
    return Size(gpus=nearest, word="estimate: searching", kept=False)

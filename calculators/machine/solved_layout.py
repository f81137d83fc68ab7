"""The layout search of a machine as a solved calculator: after every change the fastest layout for it is found.

GPUs that were found for a deadline or a budget stay while inputs move; for states of their own they are found too.
"""

import dataclasses
from collections.abc import Generator, Mapping
from functools import cache
from typing import Any

from calculators.answers.explore.search import Search
from calculators.answers.explore.trials import BROKEN
from calculators.answers.input_state import InputState
from calculators.declare import Calculator, Values
from calculators.declare.memo import store
from calculators.declare.solved import Solved, SolvedCalculator, solved
from calculators.declare.subgraph import Finder
from calculators.machine.description import machine
from calculators.machine.layout import search as layouts
from calculators.machine.layout.fastest import FastestLayout, NoLayoutError, SearchCache
from calculators.machine.layout.found import Layout, within
from calculators.machine.layout.least_time import AT_LEAST_OF
from calculators.machine.layout.no_layout import no_layout
from calculators.machine.layout.sizes import each_sized
from calculators.machine.layout.space import MADE_OF, NAMES
from calculators.machine.state import State
from calculators.machine.training_state import TrainingState
from calculators.machine.wiring import memory_limit

_SEARCHES = 64  # beyond, the oldest is searched again
_FEW = 4  # inputs that move together; where more do, cases are drawn by the hundred
_NEEDS = (*layouts.RESULTS, *MADE_OF, *AT_LEAST_OF, "gpu_memory", "memory_limit")


class _FoundLayouts:
    """Layouts found after changes of some inputs of a state, or what their searches raised."""

    def __init__(self, search: FastestLayout, pinned: frozenset[str]) -> None:
        self._search = search
        self._pinned = pinned
        self._known: dict[tuple[Any, ...], dict[str, Any] | Exception] = {}

    def each(self, changes: Mapping[str, Any]) -> Generator[None, None, dict[str, Any] | Exception]:
        """The layout after these changes, with the pauses of its search where it is not known."""
        key = tuple(changes.values())
        if key not in self._known:
            try:
                layout = yield from self._search.each_fastest(changes)
            except BROKEN as error:
                self._known[key] = error.with_traceback(None)
            else:
                self._known[key] = _without(layout, self._pinned)
        return self._known[key]

    def finder(self, moving: tuple[str, ...]) -> Finder:
        """Finder after changes of which these inputs move the layout. It raises what the search raises."""

        def search(changes: Mapping[str, Any]) -> Generator[None, None, dict[str, Any] | Exception]:
            return self.each({name: changes[name] for name in moving})

        def find(changes: Mapping[str, Any]) -> dict[str, Any]:
            layout = Search(search(changes)).run()
            if isinstance(layout, Exception):
                raise layout
            return layout

        return Finder(find, search)


class LayoutSearches:
    """Searches for layouts after changes of one state, which know from each other; `best` are the present layouts."""

    def __init__(self, best: tuple[Layout, ...]) -> None:
        self._best = best
        self._kept = SearchCache()
        self._searches: dict[object, _FoundLayouts] = {}
        self._gpus: dict[object, dict[str, Any]] = {}

    def finder(
        self, calculator: Calculator, values: Mapping[str, Any], moved: frozenset[str], pinned: frozenset[str]
    ) -> Finder:
        """Finder of the layout after changes of these inputs; for none, of that of the state itself."""
        if moved and pinned.issuperset(NAMES):
            return Finder(lambda _: {})
        if len(moved) > _FEW and self._best:
            return self._among_the_best(calculator, values, moved)
        moving = tuple(sorted(moved & {*_behind(), *NAMES}))
        given = values.given if isinstance(values, Values) else frozenset()
        state = tuple(values[name] for name in _behind())
        key = (state, given.intersection(_behind()), pinned, moving)
        known = self._searches.get(key)
        if known is None:
            made = _FoundLayouts(FastestLayout(calculator, values, moving, pinned, self._kept), pinned)
            known = store(self._searches, key, made, _SEARCHES)
        found = known.finder(moving)
        return found if moved else _of_state(found, calculator, values, pinned)

    def gpus(self, calculator: Calculator) -> Finder:
        """Finder of the GPUs for the deadline or the budget that is given."""

        def search(given: Mapping[str, Any]) -> Generator[None, None, dict[str, Any]]:
            if "gpus" in given:
                return {}
            key = frozenset(given.items())
            if key not in self._gpus:
                size = yield from each_sized(calculator, given, frozenset(given).intersection(NAMES))
                self._gpus[key] = {} if size is None else {"gpus": size.gpus}
            return self._gpus[key]

        return Finder(lambda given: Search(search(given)).run(), search)

    def _among_the_best(self, calculator: Calculator, values: Mapping[str, Any], moved: frozenset[str]) -> Finder:
        """Finder of the fastest of the layouts that are best now, where very many cases are drawn."""
        timed = calculator.trials(values, (*NAMES, *moved), layouts.RESULTS)
        known = [one.inputs for one in self._best]

        def found(changes: Mapping[str, Any]) -> dict[str, Any]:
            after = [(timed({**one, **changes}), one) for one in known]
            there = {name: changes.get(name, values[name]) for name in ("gpu_memory", "memory_margin")}
            limits = {**there, "memory_limit": memory_limit(**there)}
            fitting = within(after, limits, lambda pair: pair[0]["training_memory"])
            return min(
                fitting or [min(after, key=lambda pair: pair[0]["training_memory"])],
                key=lambda pair: pair[0]["step_time"] / pair[0]["tokens_per_step"],
            )[1]

        return Finder(found)


def _of_state(found: Finder, calculator: Calculator, values: Mapping[str, Any], pinned: frozenset[str]) -> Finder:
    """Finder of a state's own layout. Raises InputError, which says why, where there is none."""

    def find(changes: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return found.find(changes)
        except NoLayoutError as error:
            raise no_layout(calculator, calculator.after(values, {}), pinned) from error

    return Finder(find, found.search)


def reviewed(found: State) -> tuple[SolvedCalculator, InputState]:
    """The calculator with its layout search, and the state without what the search found."""
    calculator, kind = found.calculator, found.kind
    own = (name for name, origin in found.resolved.origins.items() if origin == "yours")
    asked = [name for field in kind.form for name in field.names]
    inputs = (*calculator.first_sliders, *(name for name in asked if name in calculator.inputs), *own)
    menus = (menu.name for menu in calculator.presets if menu.name in asked and menu.group not in kind.job)
    explored = tuple(dict.fromkeys(inputs)), tuple(menus)
    if not isinstance(found, TrainingState):
        return solved(calculator, Solved(), *explored), found.resolved
    search = LayoutSearches(found.layout.best if found.layout.fits else ())
    by = Solved(outputs=NAMES, needs=_NEEDS, by=search.finder, completed=search.gpus(calculator))
    settled, origins = found.resolved.explicit, found.resolved.origins
    given = {name: value for name, value in settled.items() if origins[name] != "computed"}
    return solved(calculator, by, *explored), dataclasses.replace(
        found.resolved, explicit=Values(given, given, settled.ranges)
    )


def _without(layout: Mapping[str, Any], pinned: frozenset[str]) -> dict[str, Any]:
    return {name: value for name, value in layout.items() if name not in pinned}


@cache
def _behind() -> tuple[str, ...]:
    """The inputs on which it depends which layout is found."""
    names = frozenset(_NEEDS).union(*(machine().behind(name) for name in _NEEDS))
    return tuple(sorted((names & machine().inputs.keys()).difference(NAMES)))

"""Exploring a machine: what every exploration asks of a calculator, with the layout found anew whatever it changes.

Explorations evaluate a graph after changes of its inputs. In a machine the layout is none of these: it is found for
them, as the page finds it. So what explores a machine is given this in the place of its calculator. GPUs that were
found for a deadline or a budget stand while inputs move; for states of their own they are found too.
"""

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from calculators.answers.explore.search import Search
from calculators.answers.input_state import InputState
from calculators.declare import Calculator, Values
from calculators.declare.subgraph import Evaluator, Trial
from calculators.machine import layouts
from calculators.machine.anew import Anew, Kept, NoLayoutError
from calculators.machine.layouts import AT_LEAST_OF, MADE_OF, NAMES
from calculators.machine.no_layout import no_layout
from calculators.machine.service import Service
from calculators.machine.sizes import each_sized
from calculators.machine.standing import Standing

_SEARCHES = 64  # beyond, the oldest is searched again
_FEW = 4  # inputs that move together; where more do, cases are drawn by the hundred
_PINNED = frozenset((*NAMES, "data_parallel"))


class _Explored:
    """Like the machine's calculator, but for what it finds."""

    def __init__(self, found: Standing | Service) -> None:
        calculator = self._calculator = found.calculator
        layout = None if isinstance(found, Service) else found.layout
        self._best = layout.best if layout is not None and layout.fits else ()
        self._pinned = _PINNED if isinstance(found, Service) else found.pinned
        own = (name for name, origin in found.resolved.origins.items() if origin == "yours")
        asked = (name for field in found.kind.form for name in field.names if name in calculator.inputs)
        self.explored = tuple(dict.fromkeys((*calculator.first_sliders, *asked, *own)))
        first = {name for field in found.kind.form for name in field.names}
        self.explored_menus = tuple(
            menu.name for menu in calculator.presets if menu.name in first and menu.group not in found.kind.job
        )
        self._found = frozenset(NAMES) - self._pinned
        self._moving = self.searched = _behind_layouts(calculator) if self._found else frozenset()
        self._after_layouts = _after_layouts(calculator, self._found)
        self._basis = tuple(sorted(self._moving))
        self._kept = Kept()
        self._searches: dict[object, tuple[Anew, dict[object, dict[str, Any]]]] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._calculator, name)

    def behind(self, name: str) -> frozenset[str]:
        """The inputs from which a value is computed, or may be, those behind the layout too where that moves it."""
        found = self._calculator.behind(name) - self._found
        return found | self._moving if name in self._after_layouts else found

    def after(self, values: Mapping[str, Any], changes: Mapping[str, Any], result: str = "") -> Values:
        """Every value after changes of inputs, in the fastest layout for them."""
        layout = self._layout(values, frozenset(changes), (result,) if result else ())(changes)
        return self._calculator.after(values, {**layout, **changes}, result)

    def trials(self, values: Mapping[str, Any], names: Iterable[str], results: Iterable[str]) -> Trial:
        """Like `after`, for many changes of the same inputs."""
        return self.evaluator(values, names, results).evaluate

    def evaluator(self, values: Mapping[str, Any], names: Iterable[str], results: Iterable[str]) -> Evaluator:
        """The same where one result is asked after the other."""
        changed, wanted = frozenset(names), tuple(results)
        if not self._moves(changed, wanted):
            return self._calculator.evaluator(values, changed, wanted)
        layout = self._layout(values, changed, wanted)
        return self._calculator.evaluator(values, changed | self._found, wanted, layout)

    def evaluate(self, given: Mapping[str, Any], *, inputs_alone: bool = False) -> Values:
        """Every value from what is given, in the fastest layout, on GPUs that are found where that is asked."""
        if inputs_alone or not self._moving:
            return self._calculator.evaluate(given, inputs_alone=inputs_alone)
        ranges = getattr(given, "ranges", None)
        pinned = frozenset(name for name in _PINNED if name in given)
        if "gpus" not in given:
            size = Search(each_sized(self._calculator, given, pinned)).run()
            given = given if size is None else {**given, "gpus": size.gpus}
        before = self._calculator.evaluate(given)
        try:
            degrees = Anew(self._calculator, before, (), pinned, self._kept).fastest({})
        except NoLayoutError as error:
            raise no_layout(self._calculator, before, pinned) from error
        degrees = {name: value for name, value in degrees.items() if name not in pinned}
        return self._calculator.evaluate(Values({**given, **degrees}, {*given, *degrees}, ranges))

    def _moves(self, changed: frozenset[str], results: tuple[str, ...]) -> bool:
        """Whether changes of these inputs move the layout, and that the results."""
        if not self._moving or changed.isdisjoint(self._moving | _PINNED):
            return False
        return not results or any(name in self._after_layouts for name in results)

    def _layout(
        self, values: Mapping[str, Any], changed: frozenset[str], results: tuple[str, ...]
    ) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
        """What finds the layout after changes of these inputs: nothing where they leave it, or nobody asks."""
        if not self._moves(changed, results):
            return lambda _: {}
        if len(changed) > _FEW and self._best:
            return self._among_the_best(values, changed)
        pinned = self._pinned | (changed & _PINNED)
        moving = tuple(sorted(changed & (self._moving | _PINNED)))
        given = values.given if isinstance(values, Values) else frozenset()
        basis = (*(values[name] for name in self._basis), given & self._moving, moving)
        if basis not in self._searches:
            self._searches[basis] = Anew(self._calculator, values, moving, pinned, self._kept), {}
            for old in list(self._searches)[:-_SEARCHES]:
                del self._searches[old]
        search, known = self._searches[basis]

        def found(changes: Mapping[str, Any]) -> dict[str, Any]:
            made = {name: changes[name] for name in moving}
            key = tuple(made.values())
            if key not in known:
                fastest = search.fastest(made)
                known[key] = {name: value for name, value in fastest.items() if name not in pinned}
            return known[key]

        return found

    def _among_the_best(
        self, values: Mapping[str, Any], changed: frozenset[str]
    ) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
        """What finds the fastest of the layouts that are best now, where very many cases are drawn."""
        timed = self._calculator.trials(values, (*NAMES, *changed), layouts.RESULTS)
        known = [one.inputs for one in self._best]

        def found(changes: Mapping[str, Any]) -> dict[str, Any]:
            after = [(timed({**one, **changes}), one) for one in known]
            memory = changes.get("gpu_memory", values["gpu_memory"])
            fitting = [pair for pair in after if pair[0]["training_memory"] <= memory]
            return min(
                fitting or [min(after, key=lambda pair: pair[0]["training_memory"])],
                key=lambda pair: pair[0]["step_time"] / pair[0]["tokens_per_step"],
            )[1]

        return found


def reviewed(found: Standing | Service) -> tuple[Calculator, InputState]:
    """A machine that stands as what explores takes a calculator and its inputs: nothing that was found is given."""
    # It answers all that a calculator is asked, most of it through the calculator itself.
    explored = cast("Calculator", _Explored(found))
    if isinstance(found, Service):
        return explored, found.resolved
    settled, origins = found.resolved.explicit, found.resolved.origins
    given = {name: value for name, value in settled.items() if origins[name] != "computed"}
    return explored, dataclasses.replace(found.resolved, explicit=Values(given, given, settled.ranges))


def _behind_layouts(calculator: Calculator) -> frozenset[str]:
    """The inputs on which it hangs which layout is found."""
    wanted = (*layouts.RESULTS, *MADE_OF, *AT_LEAST_OF, "gpu_memory")
    found = frozenset[str]().union(*(calculator.behind(name) for name in wanted))
    return (found | (set(wanted) & calculator.inputs.keys())) - _PINNED


def _after_layouts(calculator: Calculator, found: frozenset[str]) -> frozenset[str]:
    """The results and computed inputs that the layout moves."""
    names = (*calculator.steps, *calculator.computed_inputs)
    return frozenset(
        name for name in names if not found.isdisjoint({*calculator.behind(name), *calculator.wiring.get(name, ())})
    )

"""State of a training system: what was given, the GPUs and the layout found for it, and every value."""

import dataclasses
import math
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from calculators.answers import answer
from calculators.answers.explore.search import Run, Search
from calculators.answers.input_state import InputState, Origin, parse_inputs, parse_value, valid_inputs
from calculators.declare import Calculator, Values
from calculators.machine.description import machine
from calculators.machine.kinds import Kind, Rate, Timed, Trial
from calculators.machine.layout import search as layouts
from calculators.machine.layout.fastest import FastestLayout, SearchCache
from calculators.machine.layout.found import Found, by_wall_clock, within
from calculators.machine.layout.no_layout import each_no_layout
from calculators.machine.layout.sizes import Size, each_fastest, each_sized, rungs
from calculators.machine.layout.space import NAMES
from calculators.machine.machines import beneath, layout_of
from calculators.machine.training import TRAINING

_FOUND = "found"
_RUNGS_TRIED = 4  # of GPUs, from what memory takes on: the first on which the model fits
_AT_A_TIME = 8  # trials between two pauses: a slider waits for no more


@dataclass(frozen=True, kw_only=True)
class TrainingState:
    """`resolved` and `values` hold the layout found, as inputs; `pinned` names what of it the reader decided.

    `size` says how the number of GPUs was found, where a deadline or a budget was given in its place; `published` is
    the layout of the machine that it is like, where that is another. `layout` is ordered by the end of the run,
    `searched` as the search found it, by step time.
    """

    calculator: Calculator
    resolved: InputState
    values: Values
    pinned: frozenset[str]
    layout: Found
    searched: Found
    size: Size | None
    published: Found | None = None

    @property
    def kind(self) -> Kind:
        """Kind of the workload: training."""
        return TRAINING

    @property
    def free(self) -> Values:
        """Values at the best checkpoint interval, for comparisons of everything else."""
        given = {name: value for name, value in self.resolved.explicit.items() if name != "checkpoint_interval"}
        return self.calculator.evaluate(given)

    def timed(self, rate: Rate) -> Timed:
        """The run's time [s] where the rate is so many times what it is, at the best interval and in the best layout.

        Layouts are those that are best for the present machine. It reads as fast as now, also where that follows from
        writing.
        """
        free = self.free
        basis = self.calculator.after(free, {name: free[name] for one in TRAINING.rates for name in one.inputs})
        trial = self.calculator.trials(basis, (*rate.inputs, *NAMES), ("training_duration",))
        moves_steps = not self.calculator.behind("step_time").isdisjoint(rate.inputs)
        # Layouts are ordered by step time.
        known = [one.inputs for one in (self.layout.best if moves_steps else self.layout.best[:1])]

        def timed(factor: float, enough: float) -> Generator[None, None, float]:
            changed = {name: basis[name] / factor if rate.falls else basis[name] * factor for name in rate.inputs}
            least = math.inf
            for place, layout in enumerate(known):
                least = min(least, _run(trial, {**layout, **changed}))
                if least <= enough:
                    break
                if place % _AT_A_TIME == _AT_A_TIME - 1:
                    yield
            return least

        return timed

    def solved(self, given: Mapping[str, Any]) -> Generator[None, None, Values | None]:
        """Every value after a change of one input, in the best layout for it, among the best of the present.

        More memory makes others fit: then all are searched.
        """
        calculator, name = self.calculator, next(iter(given))
        try:
            moves_steps = name in calculator.behind("step_time") or name in {"gpu_memory", "memory_margin"}
            layout = (yield from self._best(given)) if moves_steps else {}
            after = calculator.after(self.values, {**layout, **given})
        except ArithmeticError:
            return None
        refused = any(
            check.function(*[after[need] for need in check.needs]) for check in calculator.of_role("constraint")
        )
        return None if refused else after

    @cached_property
    def _kept(self) -> SearchCache:
        """Cache shared by the layout searches of this state."""
        return SearchCache()

    def chosen(self, menu: str, key: str) -> Generator[None, None, Values | None]:
        """Every value with another record of a menu, on as many GPUs, in the fastest layout for it."""
        calculator = self.calculator
        again = parse_inputs(calculator, {**self.resolved.given, menu: key})
        if again.problems:
            return None
        held = Values({**again.explicit, "gpus": self.values["gpus"]}, {*again.explicit, "gpus"})
        try:
            yield
            before = calculator.evaluate(held)
            yield
            degrees = yield from FastestLayout(calculator, before, (), self.pinned, self._kept).each_fastest({})
            after = calculator.after(before, degrees)
        except (ArithmeticError, TypeError):
            return None
        refused = any(
            check.function(*[after[need] for need in check.needs]) for check in calculator.of_role("constraint")
        )
        return None if refused else Values(after, self.values.given)

    def _best(self, given: Mapping[str, Any]) -> Generator[None, None, dict[str, Any]]:
        """The fastest layout that fits with this change."""
        if not given.keys().isdisjoint(("gpu_memory", "memory_margin")):
            changed = self.calculator.after(self.values, given)
            again = yield from layouts.each_search(self.calculator, changed, self.pinned, most=1)
            again = by_wall_clock(self.calculator, changed, again, most=1)
            return again.best[0].inputs if again.best else {}
        trial = self.calculator.trials(self.values, (*NAMES, *given), layouts.RESULTS)
        after = []
        for one in self.layout.best:
            after.append((trial({**one.inputs, **given}), one))
            yield
        fitting = within(after, self.values, lambda pair: pair[0]["training_memory"]) or after[:1]
        return min(fitting, key=lambda pair: pair[0]["step_time"] / pair[0]["tokens_per_step"])[1].inputs

    def proposals(self) -> Iterator[Trial | None]:
        """A pinned interval at its best, a pinned degree as it is found, a rung of GPUs more and less, or none idle."""
        calculator = self.calculator
        if self.resolved.origins["checkpoint_interval"] == "yours":
            yield {"checkpoint_interval": self.free["best_interval"]}, self.free
        for name in sorted(self.pinned & set(NAMES)):
            again = yield from layouts.each_search(calculator, self.values, self.pinned - {name}, most=1)
            again = by_wall_clock(calculator, self.values, again, most=1)
            if again.fits and again.best[0].inputs[name] != self.values[name]:
                after = calculator.after(self.values, again.best[0].inputs)
                yield {name: again.best[0].inputs[name]}, after
        ladder = rungs(int(self.values["gpus_per_node"]))
        present = self.values["gpus"]
        least = present if self.layout.fits else present * self.values["training_memory"] / self.values["gpu_memory"]
        more = [one for one in ladder if one > least][: 1 if self.layout.fits else _RUNGS_TRIED]
        working = [int(self.values["layout_gpus"])] if self.values["idle_gpus"] else []
        less = working or [one for one in ladder if one < present][-1:] if self.layout.fits else []
        for gpus in (*more, *less):
            found = yield from each_fastest(calculator, self.resolved.explicit, self.pinned, gpus)
            if found:
                yield {"gpus": gpus}, Values(found, self.values.given)
            if found and not self.layout.fits and found["fits"].level != "bad":
                return


def _run(trial: Callable[[Mapping[str, Any]], dict[str, Any]], changed: Mapping[str, Any]) -> float:
    try:
        return float(trial(changed)["training_duration"])
    except ArithmeticError:
        return math.inf


def training_state(given: Mapping[str, Any], run: Run = Search.run) -> TrainingState:
    """The machine in this state, for which `run` searches. Raises InputError with every problem."""
    calculator = machine()
    resolved = valid_inputs(calculator, beneath(given))
    found: TrainingState = run(Search(each_training_state(resolved, layout_of(given))))
    return found


def each_training_state(
    resolved: InputState, published: Mapping[str, str] = MappingProxyType({})
) -> Generator[None, None, TrainingState]:
    """The machine in a state without problems, with a pause after every layout that was calculated."""
    calculator, pinned = machine(), pinned_of(resolved)
    size = None
    if resolved.origins["gpus"] != "yours":
        size = yield from each_sized(calculator, resolved.explicit, pinned)
    resolved = with_gpus_of(resolved, size)
    before = calculator.evaluate(resolved.explicit)
    found = yield from layouts.each_search(calculator, before, pinned)
    if not found.best:
        raise (yield from each_no_layout(calculator, before, pinned))
    other = yield from _each_published(calculator, before, pinned, published)
    return laid_out(resolved, found, size, other)


def pinned_of(resolved: InputState) -> frozenset[str]:
    """Names of the layout's inputs that the reader set."""
    return frozenset(name for name in NAMES if resolved.origins[name] == "yours")


def with_gpus_of(resolved: InputState, size: Size | None) -> InputState:
    """The state on the GPUs that were found, if they were to be found."""
    return resolved if size is None else _with_found(machine(), resolved, {"gpus": size.gpus}, size.word)


def laid_out(resolved: InputState, found: Found, size: Size | None, published: Found | None = None) -> TrainingState:
    """The machine in a state and the fastest of the layouts that were found for it. Raises InputError if refused."""
    calculator, pinned = machine(), pinned_of(resolved)
    before = calculator.evaluate(resolved.explicit)
    searched, found = found, by_wall_clock(calculator, before, found)
    published = published and by_wall_clock(calculator, before, published)
    degrees = {name: value for name, value in found.best[0].inputs.items() if name not in pinned}
    resolved = _with_found(calculator, resolved, degrees, _FOUND)
    values = answer.evaluated(calculator, resolved)
    return TrainingState(
        calculator=calculator,
        resolved=resolved,
        values=Values(values, values.given.difference(degrees), values.ranges),
        pinned=pinned,
        layout=found,
        searched=searched,
        size=size,
        published=published,
    )


def _each_published(
    calculator: Calculator, before: Values, pinned: frozenset[str], layout: Mapping[str, str]
) -> Generator[None, None, Found | None]:
    """The published layout, where there is one, none of it is pinned, and it takes these GPUs."""
    if not layout or not pinned.isdisjoint(layout):
        return None
    degrees = {name: parse_value(calculator.inputs[name], text) for name, text in layout.items()}
    changed = calculator.after(before, degrees)
    found = yield from layouts.each_search(calculator, changed, frozenset(layout), most=1)
    return found if found.best else None


def _with_found(calculator: Calculator, resolved: InputState, found: Mapping[str, Any], word: str) -> InputState:
    """The state with inputs that were found, which it says of them."""
    given = Values({**resolved.explicit, **found}, {*resolved.explicit.given, *found}, resolved.explicit.ranges)
    values = calculator.evaluate(given, inputs_alone=True)
    origins: dict[str, Origin] = {**resolved.origins, **dict.fromkeys(found, "computed")}
    return dataclasses.replace(
        resolved,
        explicit=given,
        values={name: values[name] for name in calculator.inputs},
        origins=origins,
        words={**resolved.words, **dict.fromkeys(found, word)},
    )

"""A workload of which nothing has to be searched for, and the state of its system: serving, RAG, RL post-training."""

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from calculators.answers import answer
from calculators.answers.input_state import InputState, parse_inputs, valid_inputs
from calculators.declare import Calculator, InputError, Values
from calculators.machine.kinds import Kind, Rate, Timed, Trial


@dataclass(frozen=True, kw_only=True)
class Workload:
    """A workload: its kind, its calculators by their names, and the function that joins them, once."""

    kind: Kind
    parts: tuple[str, ...]
    calculator: Callable[[], Calculator]

    def state(self, given: Mapping[str, Any]) -> "WorkloadState":
        """The system in this state. Raises InputError with every problem."""
        return self.evaluated(valid_inputs(self.calculator(), given))

    def evaluated(self, resolved: InputState) -> "WorkloadState":
        """The system in a state that was read before. Raises InputError."""
        calculator = self.calculator()
        values = answer.evaluated(calculator, resolved)
        return WorkloadState(kind=self.kind, calculator=calculator, resolved=resolved, values=values)


@dataclass(frozen=True, kw_only=True)
class WorkloadState:
    """State of the system of such a workload."""

    kind: Kind
    calculator: Calculator
    resolved: InputState
    values: Values

    def timed(self, rate: Rate) -> Timed:
        """The first measure of its kind where the rate is so many times what it is."""
        measure = self.kind.measures[0].result
        trial = self.calculator.trials(self.values, rate.inputs, (measure,))

        def timed(factor: float, _enough: float) -> Generator[None, None, float]:
            yield
            try:
                return float(trial({name: self.values[name] * factor for name in rate.inputs})[measure])
            except ArithmeticError:
                return float("inf")

        return timed

    def solved(self, given: Mapping[str, Any]) -> Generator[None, None, Values | None]:
        """Every value after a change of one input."""
        yield
        try:
            after = self.calculator.after(self.values, given)
            checks = self.calculator.of_role("constraint")
            refused = any(one.function(*[after[need] for need in one.needs]) for one in checks)
        except (ArithmeticError, TypeError):
            return None
        return None if refused else after

    def chosen(self, menu: str, key: str) -> Generator[None, None, Values | None]:
        """Every value with another record of a menu."""
        yield
        try:
            return answer.evaluated(self.calculator, parse_inputs(self.calculator, {**self.resolved.given, menu: key}))
        except InputError:
            return None

    def proposals(self) -> Iterator[Trial | None]:
        """Nothing is searched for it."""
        return iter(())

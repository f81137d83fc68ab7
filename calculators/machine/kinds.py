"""Kinds of job: what a machine that trains and one that serves have in common, and what each is measured by."""

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from calculators.answers.input_state import InputState
from calculators.declare import Calculator, Values
from calculators.machine.form import Field

# Of a factor, and of what is little enough that less of it need not be found; with pauses.
Timed = Callable[[float, float], Generator[None, None, float]]
Trial = tuple[Mapping[str, Any], Values | None]  # the inputs that change, and every value after that


@dataclass(frozen=True, kw_only=True)
class Rate:
    """A rate: the inputs that are it, larger or (`falls`) smaller where it is better.

    `asked` and `there` are words for what is asked and what there is, with {names} of values. `required` is the value
    that the input must reach; `exceeded` is the state of the system where it does not, as of a `Capacity`.
    """

    key: str
    title: str
    inputs: tuple[str, ...]
    asked: str
    there: str
    calculator: str
    falls: bool = False
    required: str = ""
    exceeded: str = ""

    def is_short(self, values: Mapping[str, Any]) -> bool:
        """Whether less of it is there than is required."""
        return bool(self.required and values[self.required] > values[self.inputs[0]])


@dataclass(frozen=True, kw_only=True)
class Capacity:
    """A limit: the values that are asked and that there are; `only_given` where what is computed is none.

    `exceeded` is its state in the line of verdicts, where there is no verdict on it: "Over budget"; `judged` is the
    verdict on it, whose level it has where it is exceeded.
    """

    key: str
    title: str
    asked: str
    there: str
    calculator: str
    only_given: bool = False
    exceeded: str = ""
    judged: str = ""


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A result that changes are measured by, its heading in a table, and the words for less and for more of it."""

    result: str
    title: str
    better: str
    worse: str


@dataclass(frozen=True, kw_only=True)
class Kind:
    """Measures of a workload, the most important first: time or GPUs, money, power.

    `form` is its first screen; inputs of the groups in `job` say what is to be done, and are not for change. `gained`
    and `grown` say what a better and a worse rate do, with {share} in them; `best` what the limiting rate does for it,
    and what is searched for again meanwhile. `states` are the verdicts that decide such a job, each with its words by
    level; without words it has its own. `diagnoses` are verdicts that say why, which no change has to fix;
    `excluded` is left out besides what its calculators leave out.
    """

    name: str
    form: tuple[Field, ...]
    job: frozenset[str]
    rates: tuple[Rate, ...]
    capacities: tuple[Capacity, ...]
    measures: tuple[Measure, Measure, Measure]
    states: Mapping[str, Mapping[str, str]]
    gained: str
    grown: str
    best: str
    diagnoses: frozenset[str] = frozenset()
    excluded: str = ""


class Machine(Protocol):
    """State of a system, of either kind."""

    @property
    def calculator(self) -> Calculator:
        """The calculators joined."""

    @property
    def resolved(self) -> InputState:
        """Every input with its origin."""

    @property
    def values(self) -> Values:
        """Every value."""

    @property
    def kind(self) -> Kind:
        """Kind of the workload."""

    def timed(self, rate: Rate) -> Timed:
        """Function of a factor on the rate: the first measure, in proportion, with everything solved again."""

    def solved(self, given: Mapping[str, Any]) -> Generator[None, None, Values | None]:
        """Every value after a change of one input, solved again with pauses; None where that gives none."""

    def chosen(self, menu: str, key: str) -> Generator[None, None, Values | None]:
        """Every value with another record of a menu, solved again; None where that gives none."""

    def proposals(self) -> Iterator[Trial | None]:
        """Changes that are no tenth and no option, with all values after each; nothing where there may be a pause."""

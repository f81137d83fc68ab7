"""A workload of which nothing has to be searched for, and the state of its system: serving, RAG, RL post-training."""

import dataclasses
import math
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, cast

from calculators.answers import answer
from calculators.answers.input_state import InputState, parse_inputs, valid_inputs
from calculators.catalog import CALCULATORS, JOINED_INPUTS, PREFERRED_DEFAULTS
from calculators.declare import AnyFormula, Calculator, Choice, Computed, Input, InputError, Quantity, Values, join
from calculators.machine import form
from calculators.machine.description import SAID_ELSEWHERE, with_server
from calculators.machine.joining import (
    as_sure_as_what_is_behind,
    groups_held,
    inputs_type,
    nothing,
    part_without,
    served_by,
)
from calculators.machine.kinds import Kind, Rate, Timed, Trial
from calculators.subjects.serving.inference.recommendations import EXPERT_RANKS
from calculators.vocabulary.groups import RUN, STORAGE
from calculators.vocabulary.money import Per

_MENUS_LEFT_OUT = ("workload",)
_SAID_ELSEWHERE = SAID_ELSEWHERE | {"utilization_above_published", "price_of_another_device"}
_GROUPS = {RUN: "Job", STORAGE: "Storage"}
_OWN_INPUTS = ("paid", "budget", "storage_capacity")
_ROUNDING = 1 + 1e-9
_RANKS = (1.0, 2.0, 4.0, 8.0, 16.0)  # of a replica


def joined_system(
    name: str,
    parts: Iterable[str],
    own: Mapping[str, AnyFormula],
    *,
    prefer: Mapping[str, str],
    computed_inputs: Mapping[str, Computed],
    without: Iterable[str],
    money_per: Per,
    budget: str,
    replaced: Mapping[str, Input] = MappingProxyType({}),
    **page: Any,
) -> Calculator:
    """The calculators joined for a workload, with formulas of its own.

    `prefer` is whose default wins; `computed_inputs` are computed in one way each; `without` are inputs of which such a
    job has nothing; `money_per` is how its cost is shown, `budget` what that limits; `replaced` are
    declarations of inputs, `page` fields of the calculator.
    """
    parts = tuple(parts)
    joined = join(
        name,
        tuple(part_without(CALCULATORS[part], _MENUS_LEFT_OUT) for part in parts),
        prefer={key: leader for key, leader in PREFERRED_DEFAULTS.items() if leader in parts} | dict(prefer),
        overrides={key: JOINED_INPUTS[key] for key in ("utilization_of_year", "support_share")},
    )
    declared = form.declared()
    inputs: dict[str, Input] = {**joined.inputs, **{key: declared[key] for key in _OWN_INPUTS}, **replaced}
    inputs |= {key: served_by(cast("Quantity", inputs[key]), way) for key, way in computed_inputs.items()}
    inputs |= {key: nothing(cast("Quantity", inputs[key])) for key in without}
    inputs["money_per"] = _shown(cast("Choice", inputs["money_per"]), money_per)
    inputs["budget"] = dataclasses.replace(inputs["budget"], help=budget)
    inputs["support_share"] = as_sure_as_what_is_behind(cast("Quantity", inputs["support_share"]))
    return dataclasses.replace(
        joined,
        inputs_type=inputs_type(inputs),
        formulas=(*(one for one in joined.formulas if one.name not in own.keys() | _SAID_ELSEWHERE), *own.values()),
        groups=groups_held({**_GROUPS, **joined.groups}, (*inputs.values(), *joined.presets)),
        completes=with_server(joined.presets),
        **{"picture": None, "second_picture": None, "tables": (), **page},
        recommendations=None,
        measurement=None,
        tradeoff=None,
    )


def _shown(declared: Choice, per: Per) -> Choice:
    """What money is shown per; all that serves by the year costs is what it costs over its depreciation period."""
    options = dict(declared.options)
    if per == "year":
        options["whole"] = dataclasses.replace(options["whole"], label="over the depreciation period")
    return dataclasses.replace(declared, default=per, options=options)


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
        """The batch and as many GPUs as the load needs, where others were given, and the parallelism of fewest GPUs.

        That is tensor parallelism alone, and experts over more GPUs, each of which attends to sequences of its own.
        """
        if "gpus_needed" not in self.values:
            return
        batch = {"concurrent_sequences": self.values["sequences_within_target"]}
        if self.resolved.origins["concurrent_sequences"] == "yours":
            yield batch, (yield from self.solved(batch))
        needed = self.values["gpus_needed"]
        if self.resolved.origins["gpus"] == "yours" and needed != self.values["gpus"]:
            yield {"gpus": needed}, (yield from self.solved({"gpus": needed}))
        ranks, domain = self.values["serving_tensor_parallel"], self.values["gpus_per_domain"]
        yield from self._best_of({"serving_tensor_parallel": one} for one in _RANKS if ranks != one <= domain)
        there = self.values["gpus"] if self.resolved.origins["gpus"] == "yours" else math.inf
        present = ranks, self.values["serving_expert_parallel"]
        most = min(self.values["experts"], there)
        wide = [one for one in EXPERT_RANKS if one <= most and present != (1, one)]
        # Each loads its own experts, lest the storage system read all of them for every GPU.
        ways = ((1.0, one, True) for one in wide)
        names = ("serving_tensor_parallel", "serving_expert_parallel", "ep_weight_filter")
        yield from self._best_of(dict(zip(names, one, strict=True)) for one in ways)

    def _best_of(self, ways: Iterable[Mapping[str, float]]) -> Iterator[Trial | None]:
        """Of these changes the one with which the load needs the fewest GPUs, where the targets stay met."""
        found = []
        for changed in ways:
            after = yield from self.solved(changed)
            if after is not None and self._as_good(after):
                found.append((changed, after))
        if found:
            yield min(found, key=lambda one: (one[1]["gpus_needed"], one[1]["gpus_by_load"]))

    def _as_good(self, after: Values) -> bool:
        """Whether targets are met, or, where they are missed already, the TPOT of a full batch still is."""
        if after["targets_met"].level != "bad":
            return True
        return bool(self.values["targets_met"].level == "bad" and after["tpot"] <= after["tpot_target"] * _ROUNDING)

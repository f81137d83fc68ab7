"""Amounts: numbers as pages and figures get them, to be shown or placed on a scale, never to be calculated with.

An amount has no arithmetic: a sum in a template is an error, because what is computed belongs to calculators/.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from calculators import facts, units
from calculators.answers import input_state
from calculators.answers.answer import evaluated
from calculators.catalog import CALCULATORS
from calculators.declare import AnyFormula, Formula
from calculators.page import machine
from calculators.page.machine import MACHINES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calculators.machine.state import State


class AmountError(Exception):
    """A page needs a number that cannot be computed. Names what is missing."""


@dataclass(frozen=True, kw_only=True)
class Amount:
    """A number in base units of its unit, and how readers see it."""

    base: float
    unit: str
    text: str
    binary: bool = False
    low: Amount | None = None
    high: Amount | None = None
    spread_text: str = ""

    def __str__(self) -> str:
        """Text for readers."""
        return self.text

    @property
    def unlabeled(self) -> str:
        """Text without its unit, for a heading that names what is counted."""
        return units.text(self.base, self.unit, binary=self.binary, label=False)

    @property
    def each(self) -> range:
        """Items counted, to draw one by one. Raises AmountError for what is no whole number."""
        if self.base != int(self.base):
            message = f"{self.text} cannot be counted out"
            raise AmountError(message)
        return range(int(self.base))


def of_fact(found: facts.Fact) -> Amount:
    """The number of a fact with its range. Raises AmountError for a fact that is a word."""
    if isinstance(found.value, str | bool) or found.value is None:
        message = f"{found.key} is {found.text!r}, no number"
        raise AmountError(message)

    def end(value: float | None) -> Amount | None:
        return None if value is None else Amount(base=value, unit=found.unit, text=found.shown(value))

    spread = found.spread or (None, None)
    return Amount(
        base=found.value,
        unit=found.unit,
        text=found.text,
        binary="iB" in found.unit,
        low=end(spread[0]),
        high=end(spread[1]),
        spread_text=found.spread_text,
    )


def of_result(which: str, name: str, given: Mapping[str, Any]) -> Amount:
    """A number that a calculator gives for `given`."""
    calculator = MACHINES[which]() if which in MACHINES else CALCULATORS[which]
    name = calculator.result_aliases.get(name, name)
    if which in MACHINES:
        values = _stands(which, tuple(sorted(typed(given).items()))).values
    else:
        values = evaluated(calculator, input_state.valid_inputs(calculator, typed(given)))
    declared = calculator.declared(name)
    return Amount(
        base=values[name],
        unit=getattr(declared, "unit", "1"),
        binary=getattr(declared, "binary", False),
        text=calculator.text(name, values[name]),
    )


@cache
def _stands(which: str, given: tuple[tuple[str, Any], ...]) -> State:
    """Machine in this state; a page needs many numbers of one."""
    return machine.found_state(MACHINES[which](), dict(given))


@cache
def state_of_machine(which: str, given: tuple[tuple[str, Any], ...]) -> str:
    """The fragment of a link to a machine in this state; pages link to one again and again."""
    return machine.link(which, dict(given))


def read(text: str, unit: str) -> Amount:
    """A quantity as a page writes it, such as an axis's label; it is shown as it was written."""
    try:
        return Amount(base=units.parse(text, unit), unit=unit, text=text)
    except units.UnitError as error:
        message = f"{text!r} as {unit}: {error}"
        raise AmountError(message) from None


def plain(given: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of formulas: amounts as numbers in base units, all else as it is."""
    return {name: each.base if isinstance(each, Amount) else each for name, each in given.items()}


def typed(given: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs of calculators: amounts as texts with their unit, since a bare number is read in the input's own."""
    return {
        name: units.exact_text(each.base, each.unit, binary=each.binary) if isinstance(each, Amount) else each
        for name, each in given.items()
    }


@dataclass(frozen=True)
class Computed:
    """The formulas of a module of calculators/ with what is known: `computed["share_lost"]` is an amount.

    A parameter that is not given comes from the module's formula of that name.
    """

    module: str
    known: Mapping[str, Any]

    def __getitem__(self, name: str) -> Amount:
        """Result of the formula `name`. Raises AmountError where it, or what it takes, is missing."""
        formula = self._formulas().get(name)
        if formula is None:
            message = f"no formula {name!r} in calculators.{self.module}"
            raise AmountError(message)
        value = self._value(name, name)
        return Amount(base=value, unit=formula.unit, binary=formula.binary, text=formula.text(value))

    def but(self, **changed: Any) -> Computed:
        """Amounts with other values."""
        return Computed(self.module, {**self.known, **plain(changed)})

    def _formulas(self) -> dict[str, AnyFormula]:
        try:
            found = vars(importlib.import_module(f"calculators.{self.module}"))
        except ModuleNotFoundError:
            message = f"no module calculators.{self.module}"
            raise AmountError(message) from None
        return {name: each for name, each in found.items() if isinstance(each, Formula)}

    def _value(self, name: str, asked: str) -> Any:
        if name in self.known:
            return self.known[name]
        formula = self._formulas().get(name)
        if formula is None:
            message = f"calculators.{self.module}: {asked} needs {name}, which is neither given nor computed there"
            raise AmountError(message)
        return formula(*(self._value(need, asked) for need in formula.needs))


def computed(module: str, given: Mapping[str, Any]) -> Computed:
    """Results of a module's formulas. Raises AmountError when something given is taken by none of them."""
    found = Computed(module, plain(given))
    taken = {need for formula in found._formulas().values() for need in formula.needs}  # noqa: SLF001  its own module
    if unknown := sorted(set(given) - taken):
        message = f"calculators.{module} takes no {', '.join(unknown)}"
        raise AmountError(message)
    return found

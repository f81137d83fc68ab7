"""A formula's Python as a formula of a spreadsheet: the same numbers, in words that read the same."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from calculators.spreadsheet.cells import Cell, UntranslatableError
from calculators.spreadsheet.helpers import Helpers, Names
from calculators.spreadsheet.interpreter import Interpreter
from calculators.spreadsheet.values import Cases, cell
from tests.spreadsheet.evaluator import evaluated

if TYPE_CHECKING:
    from collections.abc import Callable

SHARE_KEPT = 0.25
SIZES = {"small": 8, "large": 32, "huge": 32}


class Layer(NamedTuple):
    """A record of two numbers."""

    weights: float
    biases: float

    @property
    def both(self) -> float:
        """Their sum."""
        return self.weights + self.biases

    def times(self, count: float) -> float:
        """Their sum, several times."""
        return count * self.both


@dataclass(frozen=True)
class Limit:
    """A named limit."""

    name: str
    value: float


def translated(function: Callable[..., Any], **values: Any) -> tuple[str, Any, dict[str, str]]:
    """Formula text of a function's result, its value, and the formulas of helper cells."""
    helpers = Helpers(Names())
    given = [
        Cell(name, one) if isinstance(one, int | float) and not isinstance(one, bool) else one
        for name, one in values.items()
    ]
    found = cell(Interpreter(helpers, "result").result(function, given))
    return found.text, found.value, {one.name: one.cell.text for one in helpers.made}


def menu(value: str, **options: Any) -> Cases:
    """A menu at one of its options."""
    return Cases(Cell("menu", value, kind="text"), options)


def test_arithmetic_keeps_its_order() -> None:
    def formula(a: float, b: float, c: float) -> float:
        return a - (b - c) + a / (b * c) - -a

    text, value, _ = translated(formula, a=8.0, b=4.0, c=2.0)
    assert text == "a-(b-c)+a/(b*c)-(-a)"
    assert value == 8 - (4 - 2) + 8 / (4 * 2) + 8


def test_a_power_binds_less_than_a_sign_and_from_left_to_right() -> None:
    """A spreadsheet reads -2^2 as 4 and 2^3^2 as 64; Python does not."""

    def formula(a: float, b: float) -> float:
        return float(-(a**2) + a ** (b**2))

    text, value, _ = translated(formula, a=2.0, b=3.0)
    assert text == "-(a^2)+a^(b^2)"
    assert value == 508


def test_conditions_and_returns_are_nested() -> None:
    def formula(a: float, b: float) -> float:
        if a > 1 and b != 0:
            return a / b
        if a < 0:
            return 0
        return b if 0 < b <= 3 else 7

    text, value, _ = translated(formula, a=0.5, b=2.0)
    assert text == "IF(AND(a>1,b<>0),a/b,IF(a<0,0,IF(AND(0<b,b<=3),b,7)))"
    assert value == 2


def test_what_may_fail_is_computed_only_where_python_would() -> None:
    def formula(a: float, b: float) -> float:
        return 1 if b > 0 and a / b > 2 else 0

    assert translated(formula, a=1.0, b=0.0)[:2] == ("IF(IF(b>0,a/b>2,FALSE),1,0)", 0)


def test_a_missing_number_is_no_number() -> None:
    def formula(a: float | None, b: float) -> float:
        return b if a is None else min(a, b)

    helpers = Helpers(Names())
    found = cell(Interpreter(helpers, "result").result(formula, [Cell("a", None, optional=True), Cell("b", 3.0)]))
    assert (found.text, found.value) == ("IF(NOT(ISNUMBER(a)),b,MIN(a,b))", 3)
    assert translated(formula, a=2.0, b=3.0)[0] == "MIN(a,b)"  # it always has a number


def test_menus_are_compared_by_their_option() -> None:
    def formula(kind: str, a: float) -> float:
        return a * 2 if kind in {"small", "large"} else a

    assert translated(formula, kind=menu("small", small="small", large="large", huge="huge"), a=1.0)[:2] == (
        'IF(NOT(menu="huge"),a*2,a)',
        2,
    )


def test_a_switch_is_yes_or_no() -> None:
    def formula(gated: bool, a: float) -> float:  # noqa: FBT001  an input of a graph
        return (3 if gated else 2) * a

    text, value, _ = translated(formula, gated=menu("yes", yes=True, no=False), a=5.0)
    assert (text, value) == ('IF(menu="yes",3,2)*a', 15)


def test_a_table_of_numbers_by_option_groups_the_options() -> None:
    def formula(kind: str) -> float:
        return SIZES[kind] + 1

    text, value, _ = translated(formula, kind=menu("small", small="small", large="large", huge="huge"))
    assert (text, value) == ('IF(menu="small",9,33)', 9)


def test_a_constant_of_a_module_is_a_cell_of_its_own() -> None:
    def formula(a: float) -> float:
        return a * SHARE_KEPT

    text, value, helpers = translated(formula, a=8.0)
    assert (text, value) == ("a*SHARE_KEPT", 2)
    assert helpers == {"SHARE_KEPT": "0.25"}


def test_a_long_variable_that_is_used_twice_has_a_cell_of_its_own() -> None:
    def formula(first_number: float, second_number: float) -> float:
        if second_number == 0:
            return 0
        room = first_number / second_number + first_number * second_number
        return room * room

    text, value, helpers = translated(formula, first_number=6.0, second_number=2.0)
    assert text == "IF(second_number=0,0,result.room*result.room)"
    assert value == 225
    assert helpers == {
        "result.room": 'IF(NOT(second_number=0),first_number/second_number+first_number*second_number,"not used")'
    }


def test_records_are_their_fields() -> None:
    def formula(a: float, b: float) -> float:
        return Layer(weights=a * b, biases=b).times(2)

    assert translated(formula, a=3.0, b=4.0)[:2] == ("2*(a*b+b)", 32)


def test_loops_are_written_out() -> None:
    def formula(a: float) -> float:
        whole = 0.0
        for factor in (1, 2, 3):
            whole += factor * a
        return whole + sum(a**power for power in range(2, 4))

    text, value, _ = translated(formula, a=2.0)
    assert text == "0+1*a+2*a+3*a+SUM(a^2,a^3)"
    assert value == 24


def test_the_largest_by_a_key_is_found_by_comparisons() -> None:
    def formula(a: float, b: float) -> str:
        return max((Limit("first", a), Limit("second", b)), key=lambda one: one.value).name

    assert translated(formula, a=1.0, b=2.0)[:2] == ('IF(b>a,"second","first")', "second")


@pytest.mark.parametrize(
    ("function", "value"), [(math.expm1, 1e-12), (math.log1p, 1e-12), (math.log2, 8.0), (math.sqrt, 2.0), (abs, -2.0)]
)
def test_functions_of_numbers(function: Callable[[float], float], value: float) -> None:
    """Near 0, exp(x) − 1 and ln(1 + x) would lose their digits in a spreadsheet."""

    def formula(a: float) -> float:
        return function(a)

    text, found, _ = translated(formula, a=value)
    assert found == function(value)
    assert evaluated(text, a=value) == pytest.approx(function(value), rel=1e-14)


@pytest.mark.parametrize(
    ("value", "down", "up", "near"), [(2.5, 2, 3, 2), (3.5, 3, 4, 4), (-2.5, -3, -2, -2), (2.6, 2, 3, 3)]
)
def test_rounding_is_pythons(value: float, down: int, up: int, near: int) -> None:
    """Halves go to the even number, and down is down below zero too."""
    for function, wanted in ((math.floor, down), (math.ceil, up), (round, near)):

        def formula(a: float, of: Callable[[float], float] = function) -> float:
            return of(a)

        text, _, _ = translated(formula, a=value)
        assert evaluated(text, a=value) == wanted == function(value)


def test_what_has_no_formula_says_so() -> None:
    def formula(a: float) -> float:
        while a > 1:
            a /= 2
        return a

    with pytest.raises(UntranslatableError, match="While"):
        translated(formula, a=5.0)


def test_names_are_no_addresses_of_cells() -> None:
    names = Names()
    assert [names.new(one) for one in ("fp8", "gpus", "GPUS", "r", "mixture.experts", "a b", "3d")] == [
        "fp8_",
        "gpus",
        "GPUS_2",
        "r_",
        "mixture.experts",
        "a_b",
        "_3d",
    ]

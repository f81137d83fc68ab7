"""A test of many things fails where one of them does, and names it."""

from __future__ import annotations

import pytest

from tests.each import check_each

NUMBERS = [pytest.param(number, id=f"numbers.{number}") for number in range(5)]


def is_even(number: int) -> None:
    assert number % 2 == 0


def test_all_that_are_wrong_are_named_and_the_others_not() -> None:
    with pytest.raises(ExceptionGroup, match=r"^numbers\.1, numbers\.3$") as raised:
        check_each(is_even, NUMBERS)
    assert [type(one) for one in raised.value.exceptions] == [AssertionError, AssertionError]


def test_an_error_of_another_kind_is_named_too() -> None:
    with pytest.raises(ExceptionGroup, match=r"^numbers\.0$"):
        check_each(lambda number: 1 / number, NUMBERS)


def test_where_nothing_is_wrong_nothing_is_raised() -> None:
    check_each(is_even, NUMBERS[::2])

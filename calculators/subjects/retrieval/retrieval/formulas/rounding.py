"""Whole numbers of things, where a last bit more or less must not add one."""

from math import ceil

_SLACK = 1e-12


def whole_up(number: float) -> float:
    """Smallest whole number that is not below `number`, up to rounding of its last digits.

    >>> whole_up(5.8), whole_up(6.000000000000001), whole_up(0)
    (6, 6, 0)
    """
    return ceil(number * (1 - _SLACK))

"""Which changes of the arithmetic are tried: none after which the program is the same, and all others."""

from __future__ import annotations

import re

import pytest

from tooling.mutants.__main__ import NOT_ARITHMETIC
from tooling.mutants.meant import meaning


def tried(source: str, operator: str, sign: str) -> list[bool]:
    """Whether each place where `sign` stands in `source` is changed by that operator of cosmic-ray."""
    meant = meaning(source)
    lines = enumerate(source.split("\n"), 1)
    places = [(number, found.start()) for number, line in lines for found in re.finditer(re.escape(sign), line)]
    return [not meant.why_not(f"core/{operator}", place) for place in places]


@pytest.mark.parametrize(
    ("source", "operator", "sign", "expected"),
    [
        ("def area(*, a, b): return a * b", "ReplaceBinaryOperator_Mul_Div", "*", [False, True]),
        ("def area(a, /, b): return (a) / (b / 2)", "ReplaceBinaryOperator_Div_Mul", "/", [False, True, True]),
        ("first, *others = [*a, 2 *\\\n  len(b)]", "ReplaceBinaryOperator_Mul_Add", "*", [False, False, True]),
        ('said = "größer — “so”" * 2', "ReplaceBinaryOperator_Mul_Add", "*", [True]),
        ("much = 1e21 + 1e15", "NumberReplacer", "1e", [False, True]),
        ("count = 10**21 + 7", "NumberReplacer", "10", [True]),
        (
            'if kind == "a" and "b" == other and a == b: pass',
            "ReplaceComparisonOperator_Eq_LtE",
            "==",
            [False] * 2 + [True],
        ),
        ('if kind == "a" and a == b: pass', "ReplaceComparisonOperator_Eq_NotEq", "==", [True, True]),
        ("if TYPE_CHECKING: pass\nif CHECKING: pass", "AddNot", "if", [False, True]),
        ("class A:\n    b: int = 1\nc: int = 1", "NumberReplacer", "1", [False, True]),
        ("a = quantity(1, 'B')\nb = other(1)", "NumberReplacer", "1", [False, True]),
        ("def _count(a):\n  b = 1\n  return quantity(a)\nc = _count(1)", "NumberReplacer", "1", [True, False]),
        ("number(1, hard=(1, 5), slider=(1, 2), more=1)", "NumberReplacer", "1", [True, False, False, True]),
    ],
)
def test_what_cannot_change_anything_is_not_tried(source: str, operator: str, sign: str, expected: list[bool]) -> None:
    assert tried(source, operator, sign) == expected


@pytest.mark.parametrize(
    ("change", "left"),
    [
        ("ReplaceBinaryOperator_Div_FloorDiv", True),
        ("ReplaceBinaryOperator_Div_BitXor", False),
        ("ReplaceBinaryOperator_BitAnd_Add", True),
        ("ReplaceBinaryOperator_BitOr_Add", False),
        ("ReplaceComparisonOperator_Lt_Eq", True),
        ("ReplaceComparisonOperator_Lt_IsNot", False),
        ("ReplaceComparisonOperator_Is_IsNot", True),
        ("ReplaceComparisonOperator_IsNot_Lt", False),
    ],
)
def test_what_proves_nothing_about_the_tests_is_not_tried(change: str, *, left: bool) -> None:
    assert left != any(re.match(one, f"core/{change}") for one in NOT_ARITHMETIC)

"""Tests that are dealt over days: each runs on one of them, and all of them where tests are chosen."""

from __future__ import annotations

import datetime
import os
import subprocess
import sys

import pytest

from builder.paths import ROOT
from tests import daily

HERE = "tests/test_daily.py"
DAY = datetime.date(2026, 11, 27)
CASES = [(f"test_{letter}", number) for letter in "abcdefghij" for number in range(17)]


def dealt_on(monkeypatch: pytest.MonkeyPatch, day: datetime.date, days: int = 5) -> list[tuple[str, int]]:
    """The cases of one day's share."""
    monkeypatch.setenv("DAY", day.isoformat())
    return daily.dealt(CASES, lambda case: case[0], lambda _: days)


def test_within_its_days_every_case_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = [dealt_on(monkeypatch, DAY + datetime.timedelta(ahead)) for ahead in range(5)]
    assert sorted(case for share in shares for case in share) == sorted(CASES)


def test_a_test_of_many_cases_has_some_every_day(monkeypatch: pytest.MonkeyPatch) -> None:
    for ahead in range(5):
        share = dealt_on(monkeypatch, DAY + datetime.timedelta(ahead))
        numbers = [sum(name == each for name, _ in share) for each in sorted({name for name, _ in CASES})]
        assert {3, 4} >= set(numbers)


def test_not_all_tests_have_the_same_cases_on_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each calculator is tried by some test."""
    assert {number for _, number in dealt_on(monkeypatch, DAY)} == set(range(17))


def test_what_is_dealt_over_one_day_runs_every_day(monkeypatch: pytest.MonkeyPatch) -> None:
    assert dealt_on(monkeypatch, DAY, 1) == CASES


def test_the_day_is_the_one_that_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAY", "2026-02-03")
    assert daily.today() == datetime.date(2026, 2, 3)


def test_a_day_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAY", "today")
    with pytest.raises(ValueError, match="today"):
        daily.today()


@pytest.mark.daily(3)
@pytest.mark.parametrize("number", range(3))
def test_a_case_is_one_of_three(number: int) -> None:
    """What the test below counts."""
    assert number in range(3)


@pytest.mark.parametrize(
    ("chosen", "variables", "count"),
    [
        (["-o", f"testpaths={HERE}"], {}, 1),
        (["-o", f"testpaths={HERE}"], {"EVERY": "1"}, 3),
        (["-o", f"testpaths={HERE}", "-k", "one_of_three"], {}, 3),
        ([HERE], {}, 3),
    ],
)
def test_everything_runs_with_every_or_where_tests_are_chosen(
    chosen: list[str], variables: dict[str, str], count: int
) -> None:
    fresh = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "EVERY"))}
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *chosen]
    found = subprocess.run(command, cwd=ROOT, env=fresh | variables, check=True, capture_output=True, text=True)
    assert found.stdout.count("test_a_case_is_one_of_three[") == count

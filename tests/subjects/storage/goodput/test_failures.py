"""Failures of a job of many, by hand."""

from __future__ import annotations

import math

import pytest

from calculators.subjects.storage.goodput.failures import (
    failures_per_day,
    implied_gpu_mtbf,
    mtbf,
    slowed_steps,
    survival,
)


def test_a_job_fails_as_often_as_its_gpus_together() -> None:
    assert mtbf(1000, 10) == 100
    assert implied_gpu_mtbf(100, 10) == 1000


def test_the_chance_of_no_failure_falls_exponentially() -> None:
    assert survival(0, 10) == 1
    assert survival(10 * math.log(2), 10) == pytest.approx(0.5)


def test_a_tail_that_one_gpu_never_shows_meets_most_steps_of_many() -> None:
    assert slowed_steps(0.0001, 1) == pytest.approx(0.0001)
    # (1 - 1/10,000) to the power 10,000 is close to 1/e.
    assert slowed_steps(0.0001, 10_000) == pytest.approx(1 - math.exp(-1), rel=1e-3)


def test_a_job_that_runs_three_hours_between_failures_meets_eight_a_day() -> None:
    assert failures_per_day(3 * 3600) == 8

"""Chains of states and quantiles of several kinds of requests, by hand, and the wait for a single server."""

from __future__ import annotations

import math
from statistics import NormalDist

import pytest

from calculators.subjects.serving.inference.queueing import Part, equilibrium, quantile


def test_a_chain_whose_rates_are_equal_is_in_each_state_as_often() -> None:
    """States 0 to 40, each with a probability of 1/41: a mean of 20, a variance of (41² - 1) / 12."""
    found = equilibrium(lambda _: 1.0, lambda _: 1.0, 10.0, 1e9, 40.0, 1.0, 0.0)
    assert found.mean == pytest.approx(20)
    assert found.variance == pytest.approx(140, rel=0.01)
    assert found.whole == pytest.approx(41)


def test_requests_that_cannot_be_done_yet_are_all_late() -> None:
    """A tenth takes 100 s at least: of the others 4/9 may take longer than the median of all."""
    found = quantile((Part(0.9, 0.0, 1.0, 1.0), Part(0.1, 100.0, 1.0, 1.0)), 0.5)
    spread = math.sqrt(math.log(2))
    assert found == pytest.approx(math.exp(spread * NormalDist().inv_cdf(5 / 9) - spread**2 / 2), rel=1e-5)

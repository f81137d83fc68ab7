"""How long a link may be away, against the table that NCCL's guide prints."""

from __future__ import annotations

import pytest

from calculators import facts
from calculators.guide.outage import ack_timeout, survived_outage


@pytest.mark.parametrize(("exponent", "wait", "total"), [(17, 0.5369, 3.8), (18, 1.1, 7.5)])
def test_a_connection_waits_as_long_as_the_guide_of_nccl_prints(exponent: float, wait: float, total: float) -> None:
    assert ack_timeout(exponent) == pytest.approx(wait, rel=0.03)
    assert survived_outage(ack_timeout(exponent), 7) == pytest.approx(total, abs=0.05)


def test_one_more_in_the_exponent_doubles_what_is_survived() -> None:
    assert survived_outage(ack_timeout(19), 7) == 2 * survived_outage(ack_timeout(18), 7)


def test_the_default_outlasts_a_module_that_trains_again_and_ends_long_before_the_watchdog_of_pytorch() -> None:
    exponent, retries, watchdog = (
        facts.fact(key).value for key in ("nccl-ib-timeout.exponent", "nccl-ib-timeout.retries", "pytorch-nccl-timeout")
    )
    assert exponent
    assert retries
    assert watchdog
    assert 7 < survived_outage(ack_timeout(exponent), retries) < watchdog / 10

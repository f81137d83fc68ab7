"""From a paid hour to a useful one."""

from __future__ import annotations

import pytest

from calculators.guide import loss


def test_what_is_useful_is_a_share_of_a_share_of_a_share() -> None:
    share = loss.kept_share(allocated=0.8, goodput=0.5)
    assert share == pytest.approx(0.4)
    assert loss.useful_share(share, mfu=0.5) == pytest.approx(0.2)

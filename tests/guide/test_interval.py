"""What the figure of the interval draws is what goodput says."""

from __future__ import annotations

import pytest

from builder.pages.amounts import computed, read
from calculators.answers.answer import evaluated
from calculators.answers.input_state import valid_inputs
from calculators.subjects.storage.goodput.calculator import CALCULATOR


@pytest.mark.parametrize("interval", ["30 s", "115 s", "1 h"])
def test_what_is_lost_is_what_goodput_does_not_keep(interval: str) -> None:
    given = {
        "checkpoint_stall": "0.59 s",
        "time_to_safe": "51.06 s",
        "detection_time": "5 min",
        "restart_time": "3 min",
    }
    one_tier = {"rare_failure_share": None, "persist_every": 1, "durable_stall": 0}
    given |= {"restore_time": "129.49 s", "checkpoint_interval": interval}
    drawn = computed(
        "guide.interval",
        {**{name: read(text, "s") for name, text in given.items()}, "mtbf": 50_700 / 16_384 * 3600, **one_tier},
    )
    found = evaluated(CALCULATOR, valid_inputs(CALCULATOR, given))
    assert drawn["share_lost"].base == pytest.approx(1 - found["goodput"], rel=1e-9)
    assert drawn["best_interval"].base == pytest.approx(found["best_interval"], rel=1e-9)
    assert drawn["down_share"].base == pytest.approx(found["down_share"], rel=1e-9)

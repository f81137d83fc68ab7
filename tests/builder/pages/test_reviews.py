"""The capstone's rubric: records as the review bench makes them."""

from __future__ import annotations

import pytest

from builder.pages.reviews import record
from calculators.declare import InputError


def test_a_record_holds_its_state_its_alternatives_and_its_notes() -> None:
    made = record(
        "checkpoint",
        "Ask for twice as much",
        "Decided: ask.\nWould change it: a measurement.",
        [{"parameters": "1B", "write_bandwidth": "2 GB/s"}],
        {"parameters": "1B", "write_bandwidth": "1 GB/s"},
    )
    report = {section["key"]: section for section in made.sections}
    assert made.title == "Ask for twice as much"
    assert report["notes"]["texts"] == ["Decided: ask.", "Would change it: a measurement."]
    assert "Storage write bandwidth: 1 GB/s, default 40 GB/s" in report["given"]["texts"]
    assert report["alternatives"]["columns"] == ["", "A, this answer", "B"]
    # 14 GB at 1 and at 2 GB/s.
    assert ["Write duration", "14 s", "7 s *"] in report["alternatives"]["rows"]


def test_a_state_that_is_none_is_refused() -> None:
    with pytest.raises(InputError):
        record("checkpoint", "", "", [{"parameters": "0"}], {})

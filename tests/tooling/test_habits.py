"""The guide's words: phrases it avoids are counted in prose, not in templates, code or addresses."""

import pytest

from tooling.habits import CEILING, habits, main


def test_phrases_count_in_prose_alone() -> None:
    page = "Nobody reckons with it. `nobody` {{ stands }} [seldom](beside.md)"
    assert habits(page) == {"no role": 1, "calques": 2}


def test_a_checkpoint_is_a_checkpoint_and_no_state_is_compared() -> None:
    assert habits("Hourly saves are slow. The near copy is held against the plan.") == {
        "save as a noun": 1,
        "other nouns": 1,
        "old words": 1,
    }
    assert habits("It saves money. Users save files, and a cache saves reads.") == {}


def test_the_guide_stays_below_its_ceiling(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    assert capsys.readouterr().out.strip().endswith(f"of at most {CEILING}")

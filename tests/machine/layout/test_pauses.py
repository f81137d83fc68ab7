"""Whatever a page asks of a system comes in small pieces: a search pauses after a few trials, wherever it began."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest

from calculators import bridge
from calculators.bridge import respond
from calculators.declare import subgraph
from calculators.machine.layout import memo
from calculators.page import machine as page

SOUGHT = "model=llama-2-7b&tokens=100B&deadline=3d"
_MOST_TRIALS = 100  # between two pauses: 4 ms on a laptop, and less than 50 ms in a browser on a phone
_MOST_AT_LAST = 1000  # while the whole response is written: its texts, the layouts next to it, prices and their ages
# Every way from a system into a page, and everything that its own page asks
ASKED: list[dict[str, Any]] = [
    {"asks": ["answer"], "calculator": "checkpoint", "fragment": f"{SOUGHT}&from=machine"},
    {
        "asks": ["answer"],
        "calculator": "goodput",
        "fragment": f"from=checkpoint&with={quote(SOUGHT + '&from=machine', safe='')}",
    },
    {"asks": ["link"], "calculator": "power", "fragment": f"{SOUGHT}&from=machine"},
    {"asks": ["record"], "calculator": "checkpoint", "fragment": f"{SOUGHT}&from=machine"},
    {"asks": ["answer"], "calculator": "machine", "fragment": SOUGHT},
    {"asks": ["choices"], "calculator": "machine", "fragment": SOUGHT},
    {"asks": ["markdown"], "calculator": "machine", "fragment": SOUGHT},
    {"asks": ["described"], "calculator": "machine", "fragment": SOUGHT},
    {"asks": ["explore"], "calculator": "machine", "fragment": SOUGHT},
    {"asks": ["record"], "calculator": "machine", "fragment": SOUGHT},
    {
        "asks": ["solve"],
        "calculator": "machine",
        "fragment": SOUGHT,
        "review": {"result": "training_duration", "wanted": "2 d", "sign": "<=", "input": "gpus"},
    },
    {
        "asks": ["sweep"],
        "calculator": "machine",
        "fragment": SOUGHT,
        "review": {"result": "training_duration", "input": "tokens", "second": "gpus"},
    },
    {
        "asks": ["map"],
        "calculator": "machine",
        "fragment": SOUGHT,
        "review": {"result": "training_duration", "across": "gpus", "down": "tokens"},
    },
    {"asks": ["tornado"], "calculator": "machine", "fragment": SOUGHT, "review": {"result": "training_duration"}},
    {"asks": ["margins"], "calculator": "machine", "fragment": SOUGHT},
    {
        "asks": ["compare"],
        "calculator": "machine",
        "fragment": SOUGHT,
        "states": ["machine/#model=llama-2-7b&gpus=64", "machine/#model=llama-2-7b&tokens=100B&deadline=5d"],
        "review": {"result": "training_duration"},
    },
]


@pytest.fixture
def trials(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often formulas were computed, one after the other."""
    count, computed = [0], subgraph.compute

    def counted(known: dict[str, Any], steps: subgraph.Steps) -> None:
        count[0] += 1
        computed(known, steps)

    monkeypatch.setattr(subgraph, "compute", counted)
    monkeypatch.setattr(bridge, "_PAGE", page.Page())
    memo._usual()  # which the snapshot has
    return count


def asked(question: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(respond(json.dumps(question)))
    assert "failure" not in found, found["failure"]
    return found


@pytest.mark.daily(8)
@pytest.mark.parametrize("question", ASKED, ids=lambda one: f"{one['asks'][0]} of {one['calculator']}")
def test_between_two_pauses_there_are_few_trials(question: dict[str, Any], trials: list[int]) -> None:
    most, slices = list[int](), 0
    found: dict[str, Any] = {"cursor": None}
    while "cursor" in found:
        before = trials[0]
        found = asked({**question, "slice_ms": 0, **({} if found["cursor"] is None else {"cursor": found["cursor"]})})
        slices += 1
        most.append(trials[0] - before)
        if found.get("waiting"):
            assert "tried" in found["waiting"]
            assert found.keys() == {"waiting", "cursor"}
    assert slices > 50
    *rest, last, _ = most
    assert max(rest) <= _MOST_TRIALS
    assert last <= _MOST_AT_LAST


def test_a_link_read_in_slices_says_what_it_says_at_once() -> None:
    question = ASKED[0]
    whole = asked(question)
    found = asked({**question, "slice_ms": 0, "calculator": "checkpoint"})
    while found.get("waiting"):
        found = asked({**question, "slice_ms": 0, "cursor": found["cursor"]})
    assert {key: one for key, one in found.items() if key not in ("waiting", "cursor")} == whole
    assert any("System planner" in notice for notice in whole["notices"])


def test_a_link_from_a_system_has_an_estimate_before_its_search(trials: list[int]) -> None:
    """Long before: a search is thousands of trials, the estimate some hundred, and its numbers are near."""
    question = {"asks": ["answer"], "calculator": "checkpoint", "fragment": f"{SOUGHT}&from=machine", "slice_ms": 0}
    found = first = asked({**question, "provisional": True})
    assert first["searching"]
    assert first["waiting"]
    assert trials[0] < _MOST_AT_LAST
    assert first["sentence"]
    found = asked({**question, "slice_ms": 50, "cursor": first["cursor"]})
    while found.get("waiting"):
        assert not found.keys() & {"searching", "texts"}
        found = asked({**question, "slice_ms": 50, "cursor": found["cursor"]})
    assert "searching" not in found
    assert found["sentence"] == asked(question)["sentence"]
    assert found["texts"].keys() == first["texts"].keys()
    assert "searching" not in asked({**question, "provisional": True})  # known now


def test_a_link_that_nothing_known_is_like_has_no_estimate(trials: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memo, "_nearly", lambda *_: None)
    question = {"asks": ["answer"], "calculator": "checkpoint", "fragment": f"{SOUGHT}&from=machine", "slice_ms": 0}
    first = asked({**question, "provisional": True})
    assert first.keys() == {"waiting", "cursor"}
    assert trials[0] < _MOST_AT_LAST


def test_what_the_page_asks_next_is_known_then(trials: list[int]) -> None:
    """The link of the same system, to another calculator: nothing is searched again."""
    asked(ASKED[0])
    before = trials[0]
    found = asked({"asks": ["answer"], "calculator": "power", "fragment": f"{SOUGHT}&from=machine", "slice_ms": 0})
    assert not found.get("waiting")
    assert trials[0] - before < _MOST_AT_LAST

"""An answer told as what became different: put together again it is the answer told whole."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from calculators import bridge
from calculators.answers import since
from calculators.bridge import respond

STATES: dict[str, list[dict[str, str]]] = {
    "checkpoint": [{}, {"parameters": "8B"}, {"checkpoint_mode": "asynchronous"}, {"parameters": "nonsense"}],
    "storage_demand": [{}, {"checkpoint_interval": "10 min"}, {"workload": "none"}],
    "machine": [
        {},
        {"price_per_gpu_hour": "$2"},
        {"write_bandwidth": "400 GB/s"},
        {"gpus": "7", "tensor_parallel": "5"},
    ],
}


@pytest.fixture(autouse=True)
def _nothing_told_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "_RECENT", since.Recent())


def ask(name: str, given: dict[str, str], **more: int) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(respond(json.dumps({"calculator": name, "given": given, "python": [], **more})))
    assert "failure" not in told
    return told


def put_together(told: dict[str, Any], known: dict[int, dict[str, Any]]) -> dict[str, Any]:
    """What templates/browser/calculator/recent.ts does."""
    before = known[told["since"]] if "since" in told else {}
    whole = {key: value for key, value in told.items() if key not in {"since", "gone"}}
    for key, gone in told.get("gone", {}).items():
        whole[key] = {name: one for name, one in {**before[key], **told[key]}.items() if name not in gone}
    return whole


@pytest.mark.parametrize("name", STATES)
def test_whatever_a_page_knows_it_ends_with_the_whole_answer(name: str) -> None:
    chance = random.Random(11)  # noqa: S311  nothing is kept secret
    known: dict[int, dict[str, Any]] = {}
    shorter = 0
    for number in range(1, 25):
        given = chance.choice(STATES[name])
        since_which = chance.choice([*list(known)[-6:], None])
        told = ask(name, given, number=number, **({} if since_which is None else {"since": since_which}))
        known[number] = put_together(told, known)
        assert known[number] == ask(name, given)
        shorter += "since" in told
    assert shorter > 5  # else nothing was put together


def test_what_stays_is_not_told_again_and_what_is_gone_is_named() -> None:
    ask("checkpoint", {}, number=1)
    told = ask("checkpoint", {"parameters": "8B"}, number=2, since=1)
    assert "write_bandwidth" not in told["controls"]
    assert told["controls"]["parameters"]["box"] == "8B"
    assert "checkpoint_size" in told["texts"]
    recent = since.Recent()
    recent.since({"also": {"size": "1 GiB", "left": "2 GiB"}}, 1, None)
    shorter = recent.since({"also": {"size": "1 GiB"}}, 2, 1)
    assert (shorter["also"], shorter["gone"]) == ({}, {"also": ["left"]})


def test_an_answer_that_is_not_remembered_is_told_whole() -> None:
    whole = ask("checkpoint", {})
    assert ask("checkpoint", {}, number=8, since=7) == whole
    for number in range(9, 15):
        ask("checkpoint", {}, number=number)
    assert ask("checkpoint", {}, number=15, since=8) == whole

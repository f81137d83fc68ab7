"""An answer sent as a delta: applied to the answer before, it gives the whole answer."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from calculators import bridge
from calculators.answers import deltas
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
    monkeypatch.setattr(bridge, "_RECENT", deltas.RecentResponses())


def ask(name: str, given: dict[str, str], **more: int) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(respond(json.dumps({"calculator": name, "given": given, "python": [], **more})))
    assert "failure" not in report
    return report


def put_together(report: dict[str, Any], known: dict[int, dict[str, Any]]) -> dict[str, Any]:
    """What templates/browser/calculator/deltas.ts does."""
    before = known[report["since"]] if "since" in report else {}
    whole = {key: value for key, value in report.items() if key not in {"since", "gone"}}
    for key, gone in report.get("gone", {}).items():
        whole[key] = {name: one for name, one in {**before[key], **report[key]}.items() if name not in gone}
    return whole


@pytest.mark.parametrize("name", STATES)
def test_whatever_a_page_knows_it_ends_with_the_whole_answer(name: str) -> None:
    chance = random.Random(11)  # noqa: S311  nothing is kept secret
    known: dict[int, dict[str, Any]] = {}
    shorter = 0
    for number in range(1, 25):
        given = chance.choice(STATES[name])
        since_which = chance.choice([*list(known)[-6:], None])
        report = ask(name, given, number=number, **({} if since_which is None else {"since": since_which}))
        known[number] = put_together(report, known)
        assert known[number] == ask(name, given)
        shorter += "since" in report
    assert shorter > 5  # else nothing was put together


def test_what_stays_is_not_reported_again_and_what_is_gone_is_named() -> None:
    ask("checkpoint", {}, number=1)
    report = ask("checkpoint", {"parameters": "8B"}, number=2, since=1)
    assert "write_bandwidth" not in report["controls"]
    assert report["controls"]["parameters"]["box"] == "8B"
    assert "checkpoint_size" in report["texts"]
    recent = deltas.RecentResponses()
    recent.since({"also": {"size": "1 GiB", "left": "2 GiB"}}, 1, None)
    shorter = recent.since({"also": {"size": "1 GiB"}}, 2, 1)
    assert (shorter["also"], shorter["gone"]) == ({}, {"also": ["left"]})


def test_an_answer_that_is_not_cached_is_reported_whole() -> None:
    whole = ask("checkpoint", {})
    assert ask("checkpoint", {}, number=8, since=7) == whole
    for number in range(9, 15):
        ask("checkpoint", {}, number=number)
    assert ask("checkpoint", {}, number=15, since=8) == whole


def whole(size: str, **more: Any) -> Any:
    return {"texts": {"size": size, "left": b"0 B".decode()}, **more}  # equal texts that are not one object


@pytest.mark.parametrize(("now", "then"), [("1 B", "2 B"), ("2 B", "1 B")])
def test_what_is_another_text_is_reported_whichever_comes_first_in_the_alphabet(now: str, then: str) -> None:
    recent = deltas.RecentResponses()
    recent.since(whole(then), 1, None)
    assert recent.since(whole(now), 2, 1)["texts"] == {"size": now}


def test_four_answers_are_cached_and_a_number_that_comes_again_is_its_newest() -> None:
    """A page may have asked several times before it hears."""
    for before, is_known in ((1, True), (3, True), (4, True), (5, False)):
        recent = deltas.RecentResponses()
        for number in range(1, 10):
            recent.since(whole(f"{number} B"), number, None)
        assert ("since" in recent.since(whole("10 B"), 10, 10 - before)) == is_known
    recent = deltas.RecentResponses()
    for number, size in ((1, "1 B"), (2, "2 B"), (1, "3 B")):
        recent.since(whole(size), number, None)
    assert recent.since(whole("3 B"), 4, 1) == {"since": 1, "texts": {}, "gone": {"texts": []}}


def test_what_only_one_of_two_answers_has_is_reported_as_it_is() -> None:
    recent = deltas.RecentResponses()
    recent.since(whole("1 B", also={"size": "1 B"}), 1, None)
    report: Any = recent.since(whole("1 B", verdicts={"fits": "yes"}, link="a=1"), 2, 1)
    assert (report["verdicts"], report["link"], report["texts"]) == ({"fits": "yes"}, "a=1", {})
    assert "also" not in report
    assert report["gone"] == {"texts": []}

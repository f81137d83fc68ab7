"""The bridge: whatever the worker is handed, it answers in JSON and never raises."""

from __future__ import annotations

import gc
import itertools
import json
import time
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators import facts
from calculators.answers import answer, sliders
from calculators.answers.input_state import parse_inputs
from calculators.bridge import respond, settle
from calculators.catalog import CALCULATORS
from calculators.declare import Quantity
from tests import daily

NAMES = sorted(CALCULATORS)
_DAYS = 9
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)


def ask(**request: Any) -> dict[str, Any]:
    """What the bridge answers."""
    response: dict[str, Any] = json.loads(respond(json.dumps(request)))
    return response


def test_no_answer_asks_for_a_fact_that_was_not_asked_for_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Browsers have those of which calculators took hold when they were imported, and no files to read others from."""

    def asked(*_: object) -> NoReturn:
        pytest.fail("an answer asks for a fact: have the module take hold of it")

    for name in ("fact", "records", "all_records", "priced", "sources"):
        monkeypatch.setattr(facts, name, asked)
    for name in NAMES:
        response = ask(asks=["answer", "link", "markdown"], calculator=name, python=list(CALCULATORS[name].steps))
        assert "failure" not in response, response["failure"]


@pytest.mark.parametrize("name", NAMES)
def test_the_answer_is_what_the_page_is_built_from(name: str) -> None:
    calculator = CALCULATORS[name]
    response = ask(asks=["answer"], calculator=name, given={})
    resolved = parse_inputs(calculator, {})
    built = answer.answer(calculator, resolved, answer.evaluated(calculator, resolved))
    assert {key: response[key] for key in built} == json.loads(json.dumps(built))
    assert (response["given"], response["notices"]) == ({}, [])


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("asked", ["answer", "link", "markdown"])
def test_every_question_is_answered_for_every_record_of_every_preset(name: str, asked: str) -> None:
    for preset in CALCULATORS[name].presets:
        for record in preset.records:
            response = ask(asks=[asked], calculator=name, given={preset.name: record.key})
            assert "failure" not in response
            assert "problems" not in response


@pytest.mark.parametrize("name", NAMES)
def test_every_record_of_every_preset_is_explored(name: str) -> None:
    """One of each preset at a time, where they go together: an exploration takes fifty times an answer's time.

    One in nine of them, others every day.
    """
    menus = [[(preset.name, record.key) for record in preset.records] for preset in CALCULATORS[name].presets]
    for chosen in daily.share(itertools.zip_longest(*menus), _DAYS):
        together = dict(filter(None, chosen))
        response = ask(asks=["explore"], calculator=name, given=together)
        assert "failure" not in response, together
        for preset, record in together.items() if "problems" in response else ():
            alone = ask(asks=["explore"], calculator=name, given={preset: record})
            assert "failure" not in alone, record
            assert "problems" not in alone, record


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", NAMES)
def test_every_stop_of_every_slider_is_answered_and_stays_where_it_was_put(name: str) -> None:
    calculator = CALCULATORS[name]
    for declared in calculator.inputs.values():
        if not isinstance(declared, Quantity):
            continue
        last = len(sliders.stops(declared)) - 1
        for stop in {0, last // 2, last}:
            response = ask(calculator=name, given={}, stops={declared.name: stop})
            assert "failure" not in response, (declared.name, stop)
            assert response["controls"][declared.name]["stop"] == stop
            assert declared.name in response["given"]


def test_a_stop_beyond_the_slider_is_its_end() -> None:
    response = ask(calculator="checkpoint", stops={"gpus": 10**9})
    assert response["given"]["gpus"] == "65,536"


def test_problems_come_with_the_controls_and_lose_nothing() -> None:
    response = ask(calculator="checkpoint", given={"parameters": "0", "gpus": "16"})
    assert list(response["problems"]) == ["parameters"]
    assert response["given"] == {"parameters": "0", "gpus": "16"}
    assert response["controls"]["gpus"]["box"] == "16"
    assert "texts" not in response


def test_a_link_is_read_and_its_mistakes_are_reported() -> None:
    response = ask(calculator="checkpoint", fragment="#parameters=405B&colour=red")
    assert response["given"] == {"parameters": "405B"}
    assert len(response["notices"]) == 1
    assert response["texts"]["checkpoint_size"] == "5.67 TB"


@pytest.mark.parametrize(
    "request_text",
    [
        "",
        "{",
        "null",
        "[]",
        "3",
        '"checkpoint"',
        "{}",
        '{"calculator": "unknown"}',
        '{"calculator": ["checkpoint"]}',
        '{"calculator": "checkpoint", "asks": ["everything"]}',
        '{"calculator": "checkpoint", "asks": 3}',
        '{"calculator": "checkpoint", "given": []}',
        '{"calculator": "checkpoint", "given": 3}',
        '{"calculator": "checkpoint", "stops": {"gpus": null}}',
        '{"calculator": "checkpoint", "stops": {"unknown": 3}}',
        '{"calculator": "checkpoint", "stops": {"gpus": NaN}}',
        '{"calculator": "checkpoint", "stops": {"gpus": Infinity}}',
        '{"calculator": "checkpoint", "stops": {"checkpoint_mode": 1}}',
        '{"calculator": "checkpoint", "given": {"gpus": NaN}}',
        '{"calculator": "checkpoint", "given": {"gpus": {"a": 1}}}',
        '{"calculator": "checkpoint", "given": {"gpus": ' + "9" * 400 + "}}",
        '{"calculator": "checkpoint", "given": {"gpus": ' + "9" * 5000 + "}}",
        '{"calculator": "checkpoint", "given": {"parameters": "\\ud800"}}',
        '{"calculator": "checkpoint", "fragment": null}',
        '{"calculator": "checkpoint", "fragment": {"a": 1}}',
        "[" * 100_000,
    ],
)
def test_nonsense_is_answered_with_json(request_text: str) -> None:
    response = json.loads(respond(request_text))
    assert isinstance(response, dict)
    assert len(str(response.get("failure", ""))) <= 300
    respond(request_text).encode("utf-8")


@given(st.dictionaries(st.sampled_from(["asks", "calculator", "given", "stops", "fragment"]), ANYTHING))
def test_any_request_is_answered_with_json(request: dict[str, Any]) -> None:
    assert isinstance(json.loads(respond(json.dumps(request))), dict)


@given(name=st.sampled_from(NAMES), given_values=ANYTHING, data=st.data())
def test_any_values_of_known_inputs_are_answered_with_json(name: str, given_values: Any, data: st.DataObject) -> None:
    names = st.sampled_from([*CALCULATORS[name].inputs, *(preset.name for preset in CALCULATORS[name].presets)])
    request = {"calculator": name, "given": {data.draw(names): given_values, data.draw(names): given_values}}
    response = json.loads(respond(json.dumps(request)))
    assert isinstance(response, dict)
    assert "failure" not in response


ENORMOUS = {
    "digits": "9" * 250_000,
    "a power": "1e999999999",
    "a power of ten": "1 x 10^999",
    "units of units": "1 " + "B/" * 125_000,
    "commas": "1" + "," * 250_000,
    "spaces": "1" + " " * 250_000 + "x",
    "percent signs": "%" * 250_000,
    "one sign many times": "\U0001f4a3" * 62_500,
}


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", ENORMOUS.values(), ids=ENORMOUS)
def test_enormous_texts_are_refused_at_once_with_a_short_sentence(name: str, text: str) -> None:
    """In a box of each kind, as a key and in a link; a quarter of a second is many times what it takes."""
    kinds = {getattr(declared, "unit", declared.label): declared.name for declared in CALCULATORS[name].inputs.values()}
    inputs = [*kinds.values()]
    started = time.process_time()
    for request in ({"given": dict.fromkeys(inputs, text)}, {"given": {text: "1"}}, {"fragment": f"{text}={text}"}):
        response = ask(calculator=name, **request)
        assert "failure" not in response
        reports = [*response.get("notices", []), *response.get("problems", {}).values()]
        assert reports or text in request.get("given", {})
        assert all(len(sentence) < 600 for sentence in reports)
    assert time.process_time() - started < (1 + len(inputs) / 10) / 4


@given(st.text())
def test_any_text_is_answered_with_json(text: str) -> None:
    assert isinstance(json.loads(respond(text)), dict)


def sliced(slice_ms: float, **request: Any) -> list[dict[str, Any]]:
    """An exploration slice by slice."""
    slices = [ask(asks=["explore"], slice_ms=slice_ms, **request)]
    while "cursor" in slices[-1]:
        assert len(slices) < 20_000
        slices.append(ask(asks=["explore"], slice_ms=slice_ms, cursor=slices[-1]["cursor"], **request))
    return slices


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", NAMES)
def test_an_exploration_in_slices_tells_what_one_at_once_tells(name: str) -> None:
    slices = sliced(0, calculator=name, given={})
    assert len(slices) > 2
    together: dict[str, Any] = {}
    for one in slices:
        together.update(one)
    del together["cursor"]
    assert together == ask(asks=["explore"], calculator=name, given={})


def test_other_questions_are_answered_between_two_slices() -> None:
    first = ask(asks=["explore"], calculator="checkpoint", given={}, slice_ms=0)
    assert ask(calculator="checkpoint", given={"parameters": "405B"})["texts"]["checkpoint_size"] == "5.67 TB"
    second = ask(asks=["explore"], calculator="checkpoint", given={}, slice_ms=1000, cursor=first["cursor"])
    assert "given" not in second  # not started again
    assert second["swings"]


def test_once_settled_what_is_no_longer_needed_is_looked_for_when_an_exploration_ends() -> None:
    """And not before, whatever was made meanwhile: that takes as long as a frame."""
    before, looked = gc.get_threshold(), list[str]()

    def heard(phase: str, info: dict[str, int]) -> None:
        if phase == "start" and info["generation"]:
            looked.append("all")

    settle()
    gc.callbacks.append(heard)
    try:
        question = {"asks": ["explore"], "calculator": "checkpoint", "slice_ms": 0}
        report = ask(**question)
        kept: list[list[int]] = [[] for _ in range(2_500_000)]  # as a search keeps for what follows it
        assert kept
        while "cursor" in report:
            assert not looked
            report = ask(**question, cursor=report["cursor"])
        assert looked == ["all"]
    finally:
        gc.callbacks.remove(heard)
        gc.unfreeze()
        gc.set_threshold(*before)


def test_an_answer_brings_the_cursor_of_what_follows_it() -> None:
    """And waits for none of it."""
    question: dict[str, Any] = {"calculator": "checkpoint", "given": {"parameters": "405B"}}
    both = ask(asks=["answer", "explore"], slice_ms=1000, **question)
    cursor = both.pop("cursor")
    assert both == ask(**question)
    assert ask(asks=["explore"], slice_ms=1000, cursor=cursor, **question)["swings"]
    assert "cursor" not in ask(
        asks=["answer", "explore"], slice_ms=1, calculator="checkpoint", given={"parameters": "x"}
    )


def test_an_exploration_that_is_not_under_way_begins_again() -> None:
    """As after the worker that knew it died."""
    again = ask(asks=["explore"], calculator="checkpoint", given={}, slice_ms=1000, cursor=10**9)
    assert again == ask(asks=["explore"], calculator="checkpoint", given={})


def test_abandoned_explorations_are_forgotten() -> None:
    cursors = [ask(asks=["explore"], calculator="checkpoint", slice_ms=0)["cursor"] for _ in range(20)]
    oldest = ask(asks=["explore"], calculator="checkpoint", slice_ms=0, cursor=cursors[0])
    assert oldest["cursor"] not in cursors
    assert "given" in oldest


def test_a_link_comes_with_what_differs_from_the_defaults() -> None:
    report = ask(
        asks=["link"], calculator="checkpoint", given={"write_bandwidth": "1 TB/s", "checkpoint_mode": "asynchronous"}
    )
    assert [one["name"] for one in report["differences"]] == ["write_bandwidth", "checkpoint_mode"]
    bandwidth = CALCULATORS["checkpoint"].inputs["write_bandwidth"]
    otherwise = bandwidth.text(CALCULATORS["checkpoint"].defaults["write_bandwidth"])
    assert report["differences"][0]["text"] == f"{bandwidth.label}: 1 TB/s, default {otherwise}"
    assert set(report["groups"].values()) <= {"1 changed", "2 changed"}
    at_rest = ask(asks=["link"], calculator="checkpoint")
    assert (at_rest["link"], at_rest["differences"], at_rest["groups"]) == ("", [], {})
    assert at_rest["stamped"].startswith("v=")


def test_a_note_on_what_was_read_stays_as_long_as_the_text_does() -> None:
    asked = {"asks": ["answer"], "calculator": "kv_cache"}
    length = "a length of 8k is 8 × 1,024"
    assert json.loads(respond(json.dumps(asked | {"given": {"context": "8k"}})))["remarks"] == [
        f"Context per sequence: “8k” was read as 8,192 tokens: {length}."
    ]
    assert json.loads(respond(json.dumps(asked | {"given": {"context": "8192"}})))["remarks"] == []


def test_an_exploration_that_goes_on_is_not_forgotten_for_newer_ones() -> None:
    question = {"asks": ["explore"], "calculator": "checkpoint", "slice_ms": 0}
    kept = ask(**question)["cursor"]
    left = ask(**question)["cursor"]
    for _ in range(20):
        ask(**question)
        assert ask(**question, cursor=kept)["cursor"] == kept
    assert ask(**question, cursor=left)["cursor"] != left

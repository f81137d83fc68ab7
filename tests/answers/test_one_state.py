"""One state, one answer: sentence, verdicts and thresholds agree in every place, and refused states have none."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from calculators import bridge
from calculators.answers import answer, sliders
from calculators.answers.explore import margins
from calculators.answers.input_state import InputState, parse_inputs
from calculators.answers.record.contents import AuthorTexts, contents
from calculators.answers.review import margins as margin_text
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, InputError, Quantity, Values
from calculators.machine import solved_layout
from calculators.machine.state import machine_state
from calculators.page import exploration

NAMES = ("checkpoint", "cost", "goodput", "power", "storage_demand", "training_memory")
_ANSWERS = ("texts", "verdicts", "cells", "sentence", "markdown", "record", "advice", "edges", "swings", "chart")
_ASKED = ("answer", "markdown", "explore", "record", "link")


def drawn(name: str, seed: int) -> tuple[InputState, Values]:
    """A state with a few inputs at stops of their sliders."""
    calculator = CALCULATORS[name]
    draw = random.Random(f"{name} {seed}")  # noqa: S311  the same states each time
    inputs = [one for one in calculator.inputs.values() if isinstance(one, Quantity)]
    while True:
        given = {one.name: one.box(draw.choice(sliders.stops(one))) for one in draw.sample(inputs, 3)}
        resolved = parse_inputs(calculator, given)
        try:
            return resolved, answer.evaluated(calculator, resolved)
        except InputError:
            continue


def recorded(calculator: Calculator, resolved: InputState, values: Values) -> dict[str, Any]:
    return dict(contents(calculator, resolved, values, AuthorTexts()).data)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", NAMES)
def test_record_page_and_thresholds_of_a_state_agree(name: str, seed: int) -> None:
    calculator = CALCULATORS[name]
    resolved, values = drawn(name, seed)
    record, page = recorded(calculator, resolved, values), exploration.exploration(calculator, values)
    shown = answer.answer(calculator, resolved, values)
    assert record["answer"] == shown["sentence"]
    margins_of = margins.margins(calculator, values, [one["name"] for one in record["verdicts"]]).run()
    for one in record["verdicts"]:
        found = margins_of[one["name"]]
        closest = margin_text.closest_sentence(calculator, values, found[0]) if found else ""
        assert closest == one["nearest_edge"] == page["edges"][one["name"]]
        assert (one["level"], one["word"]) == tuple(shown["verdicts"][one["name"]][key] for key in ("level", "word"))


@pytest.mark.daily(3)
@pytest.mark.long
def test_the_record_of_a_system_has_the_thresholds_that_its_panel_has() -> None:
    """At 4,096 GPUs the record once said "from 4,711 GPUs on", the panel "from 7,360 on"; here it has 64."""
    found = machine_state({"model": "llama-3-8b", "gpus": "64", "write_bandwidth": "1 GB/s"})
    calculator, resolved = solved_layout.reviewed(found)
    record = recorded(calculator, resolved, found.values)
    some = record["verdicts"][::4]  # all margins of a verdict take a second
    margins_of = margins.margins(calculator, found.values, [one["name"] for one in some]).run()
    for one in some:
        closest = margins_of[one["name"]]
        message = margin_text.closest_sentence(calculator, found.values, closest[0]) if closest else ""
        assert one["nearest_edge"] == message


def asked(name: str, given: dict[str, str]) -> dict[str, Any]:
    whole: dict[str, Any] = {}
    for ask in _ASKED:
        question = {"asks": [ask], "calculator": name, "given": given, "python": []}
        found: dict[str, Any] = json.loads(bridge.respond(json.dumps(question)))
        assert "problems" in found or ask == "link"
        whole |= found
    return whole


@pytest.mark.parametrize(
    ("name", "given"),
    [
        *((name, {next(iter(CALCULATORS[name].inputs)): "soon and often"}) for name in CALCULATORS),
        ("machine", {"gpus": "0"}),
        ("machine", {"tensor_parallel": "7", "pipeline_parallel": "7"}),
        ("machine_serving", {"request_rate": "later"}),
    ],
)
def test_a_state_that_cannot_be_computed_has_no_answer_in_any_response(name: str, given: dict[str, str]) -> None:
    found = asked(name, given)
    assert not [key for key in _ANSWERS if key in found]


def test_a_system_says_how_far_its_search_is_and_then_nothing() -> None:
    given = {"gpus": "64", "model": "llama-3-8b"}
    question = {"asks": ["explore"], "calculator": "machine", "given": given, "slice_ms": 0}
    messages: list[str] = []
    found: dict[str, Any] = json.loads(bridge.respond(json.dumps(question)))
    while True:
        messages += [found["progress"]] if "progress" in found else []
        if "cursor" not in found:
            break
        found = json.loads(bridge.respond(json.dumps({**question, "cursor": found["cursor"]})))
    assert [text.partition(":")[0] for text in messages] == [
        "Searching, 1 of 3",
        "Searching, 2 of 3",
        "Searching, 3 of 3",
        "",
    ]

"""Exercises: a question, and a folded answer that is computed and opens the state it was computed in."""

from __future__ import annotations

import re
from typing import Any

import pytest

from builder.pages import acceptance, menu
from builder.pages.amounts import AmountError, of_result
from builder.pages.exercises import ExerciseError, Exercises
from builder.paths import CONTENT

ONE = re.compile(r"\{% call\(gives\) exercise\((?P<state>.*?)\) %\}\n(?P<body>.*?)\{% endcall %\}", re.DOTALL)
ASKS = re.compile(
    r"\b(Find|Estimate|Derive|Rank|Say|Name|Predict|Write|Compute|Check|Guess|List|Give)\b", re.IGNORECASE
)
COMPUTED = re.compile(r"\{\{ gives\(")


def written(caller: Any, **state: Any) -> str:
    page = Exercises(opened=lambda which, text, **given: f"<a>{text}: {which} {given}</a>")
    return page.one("checkpoint", caller=caller, **state)


def test_the_answer_is_folded_computed_and_leads_to_its_state() -> None:
    report = written(
        lambda gives: f"How long?\n\n---\n{gives('write_duration')}, or {gives('write_duration', parameters='2B')}.\n",
        parameters="1B",
        write_bandwidth="1 GB/s",
        checkpoint_bytes_per_parameter="14",
    )
    question, answer = report.split("<details")
    assert "**Exercise 1.** How long?" in question
    assert "14 s, or 28 s." in answer  # 14 GB and 28 GB at 1 GB/s
    assert "<a>Open the calculator in this state: checkpoint {'parameters': '1B'" in answer


@pytest.mark.parametrize(
    ("body", "lacks"),
    [
        ("How long?\n\n14 s.\n", "line of three strokes"),
        ("How long?\n\n---\n14 s.\n", "uses no result of checkpoint"),
    ],
)
def test_an_exercise_that_is_none_is_refused(body: str, lacks: str) -> None:
    with pytest.raises(ExerciseError, match=lacks):
        written(lambda _: body)


def test_a_result_that_does_not_exist_is_refused() -> None:
    with pytest.raises((AmountError, KeyError)):
        written(lambda gives: f"How long?\n\n---\n{gives('write_length')}\n")


def test_every_chapter_has_at_least_five_exercises_with_computed_answers() -> None:
    for title, page in menu.chapters():
        source = (CONTENT / page).read_text("utf-8")
        found = list(ONE.finditer(source))
        assert len(found) >= 5, title
        assert source.count("exercise(") == len(found), f"{title}: one that does not read as an exercise"
        for each in found:
            question, _, answer = each["body"].partition("\n---\n")
            assert "?" in question or ASKS.search(question), each["body"]
            assert COMPUTED.search(answer), each["body"]
            assert not COMPUTED.search(question), "a question that gives its answer away"


def test_the_file_of_the_kit_holds_every_test_and_command_of_the_page() -> None:
    file = acceptance.file()
    for which in acceptance.KITS:
        kit = acceptance.kit(which)
        assert f"#{kit.state}" in file
        for test in kit.tests:
            assert f"| {test.name} | {test.passes} | {test.investigate} | {test.fails} | {test.why} |" in file
            assert test.command in file


def test_a_kit_for_another_accelerator_has_its_ends_and_its_link() -> None:
    first, *_ = acceptance.kit("collectives", accelerator="mi300x", ranks=512).tests
    # 95 % of 0.707 x 448 GB/s, and 80 % of it.
    assert (first.passes, first.fails) == ("301 GB/s or more", "below 253 GB/s")
    assert "-np 512" in first.command
    assert "accelerator=mi300x" in acceptance.kit("collectives", accelerator="mi300x").state


def test_the_kit_is_on_one_cluster() -> None:
    saved = of_result("checkpoint", "checkpoint_size", {"model": "llama-3-70b"}).base
    assert acceptance.cluster("storage_demand")["checkpoint_size"] == saved
    ranks = {acceptance.cluster(which).get("gpus", acceptance.cluster(which).get("ranks")) for which in acceptance.KITS}
    assert len(ranks) == 1

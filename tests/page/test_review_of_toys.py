"""The bench, by hand, of toys: what moves a result most, which lines a second input has, and what each table holds."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers.answer import evaluated
from calculators.answers.explore.search import Search
from calculators.answers.input_state import parse_inputs
from calculators.answers.review.solution import Found, Offer
from calculators.declare import Calculator, Verdict, choice, not_applicable, step, verdict
from calculators.page import review
from tests.answers.kit import KIT
from tests.declare.test_declare import doubled, inputs_of, quadrupled, sized, toy
from tests.page.drawings import Drawing


@step("B", "A sum")
def total(size: float, other: float, count: float, unmoved: float) -> float:
    return 3 * size + other + count - 15


@step("B", "None of these")
def zero(spare: float | None) -> float:
    return 0.0 if spare is None else spare


@verdict("Small")
def small(total: float) -> Verdict:
    return Verdict(level="good" if total <= 15 else "bad", word="small" if total <= 15 else "large")


@verdict("Less?")
def less(other: float) -> Verdict:
    return Verdict(level="good" if other < 8 else "tight", word="less" if other < 8 else "more")


def calculator(*formulas: Any, **changed: Any) -> Calculator:
    """A sum of 3 * 4 + 5 + 6 - 15 = 8."""
    inputs = {
        "size": sized(label="Size"),
        "other": sized(default=5.0, label="Other"),
        "count": sized(default=6.0, label="Count", whole=True),
        "unmoved": sized(label="Unmoved"),
        "spare": sized(default=not_applicable("none"), label="Spare"),
        "mode": choice("a", "Mode", {letter: f"{letter}: as such" for letter in "abcdefgh"}),
    }
    stated = {"headline": ("total",), "answer": "{total}"}
    return toy(inputs_of(**inputs | changed), *(formulas or (total, zero, small, less)), **stated)


TOY = calculator()


def report(ask: str, chosen: dict[str, str] | None = None, one: Calculator = TOY, **more: Any) -> dict[str, Any]:
    """The last part of the response, which is all of it."""
    given = more.pop("given", {})
    resolved = parse_inputs(one, given)
    question: Any = {"review": chosen or {}, **more}
    *_, last = review.responses(one, resolved, evaluated(one, resolved), question, ask)
    found: Any = dict(last)["review"]
    return dict(found)


def movers(one: Calculator, result: str = "total", **given: float) -> list[str]:
    return review.movers(one, one.evaluate(given), result).run()


def test_what_moves_a_result_most_comes_first_and_what_does_not_move_it_is_left_out() -> None:
    """A tenth more of the size is 1.2 more of 8, one more of six counted is 1, a tenth more of the other 0.5."""
    assert movers(TOY) == ["size", "count", "other"]
    assert movers(TOY, other=40.0) == ["other", "size", "count"]
    assert movers(TOY, "zero") == []
    assert movers(toy(None, doubled, quadrupled, headline=["doubled"]), "quadrupled") == ["size"]  # by way of another
    assert movers(TOY, "zero", spare=7.0) == ["spare"]


@pytest.mark.parametrize(
    ("changed", "name", "value", "moved"),
    [
        ({}, "size", 10.0, 3 / 26),
        ({}, "count", 6.0, 1 / 8),
        ({}, "count", 3.0, 1 / 5),  # and of three one
        ({}, "count", 91.0, 9 / 93),  # a hundred may be
        ({}, "count", 30.0, 3 / 32),  # a tenth more of thirty is three
        ({}, "size", 95.0, 3 * (95 - 95 / 1.1) / 281),  # a tenth more than 95 is more than may be: so much less
        ({"hard": (90, 100), "slider": (90, 100), "default": 95.0}, "size", 95.0, 3 * 5 / 281),  # nor that, but 90
        ({}, "unmoved", 4.0, 0.0),
        ({"hard": (0, 100), "slider": (0, 50)}, "size", 0.0, 150 / 4),  # from nothing to the slider's end
    ],
)
def test_how_far_an_input_moves_a_result_is_in_proportion_to_what_it_is(
    changed: dict[str, Any], name: str, value: float, moved: float
) -> None:
    one = calculator(size=sized(label="Size", **changed)) if changed else TOY
    found = Search(review._moved(one, one.evaluate({name: value}), one.inputs[name], "total")).run()  # type: ignore[arg-type]
    assert found == pytest.approx(moved)


def test_a_result_that_is_nothing_is_moved_by_all_that_it_becomes() -> None:
    """3 * 4 + 1 + 2 - 15 is nothing, so whatever it becomes is all of it."""
    values = TOY.evaluate({"other": 1.0, "count": 2.0})
    assert values["total"] == 0
    assert Search(review._moved(TOY, values, TOY.inputs["size"], "total")).run() == 1  # type: ignore[arg-type]


def test_what_may_be_chosen_begins_with_the_headlines_and_names_what_decides() -> None:
    resolved = parse_inputs(KIT, {"kit": "alpha"})
    found = review.choices(KIT, resolved, evaluated(KIT, resolved)).run()

    def label(name: str) -> str:
        return KIT.steps[name].label.lower()

    assert [one["name"] for one in found["results"]] == [
        "doubled",
        "small",
        "even",
        *sorted(("half", "least", "most"), key=label),
    ]
    assert (found["results"][0], found["results"][1]) == (
        {"name": "doubled", "label": "Twice the size", "kind": "number", "text": "16 B", "group": "Main results"},
        {"name": "small", "label": "Small", "kind": "verdict", "text": "good", "group": "Verdicts"},
    )
    menu, size, mode, *_ = found["movable"]
    assert menu == {"name": "kit", "label": "Kit", "kind": "menu", "text": "alpha", "group": "Menus"}
    assert size["ends"] == ["2 B", "50 B"]
    assert (size["name"], size["kind"], size["text"]) == ("size", "quantity", "8 B")
    assert found["results"][-1]["group"] == "Intermediate values"
    assert mode["kind"] == "choice"
    assert (found["about"], found["deciding"]) == ("doubled", ["size"])
    assert review.choices(KIT, resolved, evaluated(KIT, resolved), "half").run()["about"] == "half"
    assert review.choices(KIT, resolved, evaluated(KIT, resolved), "small").run()["about"] == "doubled"


@pytest.mark.parametrize(
    ("changed", "present", "values"),
    [
        ({"scale": "log"}, 8.0, [2, 4, 8, 16, 32]),
        ({"scale": "log"}, 1.0, [1, 2, 4]),  # what is less than may be is left out
        ({"scale": "log"}, 50.0, [12.5, 25, 50, 100]),  # a hundred may be
        ({"scale": "log", "whole": True}, 6.0, [2, 3, 6, 12, 24]),  # a quarter of six is one and a half
        ({"slider": (1, 100)}, 7.0, [1, 7, 41, 81]),  # of 1, 21, 41, 61, 81 and 100 every second
        (
            {"default": not_applicable("none"), "scale": "log", "slider": (1, 100)},
            None,
            [1, 5, 20, 100],
        ),  # of 1, 2, 5 and so on
    ],
)
def test_a_second_input_has_a_few_values_the_present_one_among_them(
    changed: dict[str, Any], present: float | None, values: list[float]
) -> None:
    second = calculator(size=sized(**changed)).inputs["size"]
    assert review._values(second, present) == pytest.approx(values)


def test_of_a_choice_up_to_six_options_are_lines() -> None:
    assert review._values(TOY.inputs["mode"], "a") == list("abcdef")


def test_a_sweep_is_of_the_first_result_along_what_moves_it_most_with_its_values_folded() -> None:
    found = report("sweep", {"from": "2 B", "to": "6 B"})
    assert found["sentences"][0].startswith("A sum: rises from 2 B to 14 B along size from 2 B to 6 B.")
    (table,) = found["tables"]
    assert (table["title"], table["folded"], table["heads"]) == ("Values", True, ["Size", "A sum"])
    assert [row["cells"] for row in table["rows"] if row["marked"] == [0]] == [["4 B", "8 B"]]
    assert [row["marked"] for row in table["rows"] if row["cells"][0] != "4 B"] == [[]] * (len(table["rows"]) - 1)
    assert report("sweep", {"result": "zero", "input": "spare"})["sentences"][0].startswith("None of these: rises")
    several = report("sweep", {"input": "size", "second": "mode", "from": "2 B", "to": "6 B"})
    assert several["tables"][0]["heads"] == ["Size", *"abcdef"]
    assert len(report("sweep", {"input": "size", "second": "size"})["tables"][0]["heads"]) == 2
    assert report("sweep", {"input": "mode"})["problem"] == "Mode is a choice; only a quantity can be swept."


def test_ways_to_a_result_are_looked_for_in_all_inputs_that_have_one() -> None:
    """To make 8 eleven: one more of the size, three more of the other or of what is counted."""
    found = report("solve", {"result": "total", "wanted": "11"})
    (table,) = found["tables"]
    assert (table["title"], table["folded"]) == ("Inputs that reach the target", False)
    assert table["heads"] == ["Change", "To", "Now", "A sum"]
    assert sorted(row["cells"] for row in table["rows"]) == [
        ["Count", "9 B", "6 B", "11 B"],
        ["Other", "8 B", "5 B", "11 B"],
        ["Size", "5 B", "4 B", "11 B"],
    ]
    assert all(row["marked"] == [1] for row in table["rows"])
    assert found["sentences"] == ["A sum: target 11 B, now 8 B."]
    one = report("solve", {"result": "total", "wanted": "11", "input": "other"})
    assert [row["changes"] for row in one["tables"][0]["rows"]] == [{"other": "8 B"}]
    nothing = report("solve", {"result": "total", "wanted": "900"})
    assert (nothing["tables"], nothing["notes"]) == ([], ["No single input reaches 900 B."])
    (why,) = report("solve", {"result": "total", "wanted": "900", "input": "other"})["notes"]
    assert why.startswith("Other: ")


def test_while_others_are_tried_what_was_found_is_reported() -> None:
    resolved = parse_inputs(TOY, {})
    question: Any = {"review": {"result": "total", "wanted": "11"}}
    report_of = review.responses(TOY, resolved, evaluated(TOY, resolved), question, "solve")
    parts: list[Any] = [dict(part)["review"] for part in report_of if part]
    assert not parts[0]["tables"]
    assert len(parts[1]["tables"][0]["rows"]) == 1
    assert all("Still testing other inputs." in part["notes"] for part in parts[:-1])
    assert parts[-1]["notes"] == []


def test_what_moves_a_result_is_drawn_the_strongest_first_and_inputs_without_a_range_are_listed() -> None:
    one = calculator(
        size=sized(label="Size", spread=(3.5, 4.5)), other=sized(default=5.0, label="Other", spread=(2, 8))
    )
    found = report("tornado", one=one)
    drawing = Drawing(found["drawing"])
    assert [words.text for words in drawing.words if words.text in {"Size", "Other"}] == ["Other", "Size"]
    (table,) = found["tables"]
    assert (table["folded"], table["heads"]) == (False, ["Input", "Fixed at", "Your range"])
    assert table["rows"] == [{"cells": ["Count", "6 B"], "marked": [], "hedge": "count"}]
    nothing = report("tornado", {"result": "zero"})
    assert (nothing["drawing"], nothing["notes"]) == ("", ["No input that moves None of these has a range."])
    # At the least 3 * 3.5 + 2 + 6 - 15, at the most 3 * 4.5 + 8 + 6 - 15.
    (message,) = found["sentences"]
    assert message.startswith("A sum: 8 B, estimated ")
    assert message.endswith(", at the widest 3.5 B to 12.5 B.")
    assert nothing["sentences"] == ["None of these: 0 B."]


def test_the_nearest_of_all_edges_is_reported_and_what_nothing_changes() -> None:
    """The sum is 8 of 15: the size may be 19/3 instead of 4, 58% more; the other 8 instead of 5 is 60% more."""
    found = report("margins")
    assert found["sentences"][0] == "Closest to a threshold: Small."
    assert found["sentences"][1].startswith("Size: small up to 6.33 B")
    assert [table["title"] for table in found["tables"]] == ["Small: small.", "Less?: less."]
    assert found["tables"][0]["heads"] == ["Input", "Now", "Thresholds"]
    assert [row["cells"][0] for row in found["tables"][1]["rows"]] == ["Other"]
    alone = calculator(total, less, other=sized(default=5.0, label="Other", slider=(2, 7)))
    still = report("margins", one=alone)
    assert still["sentences"] == ["No single input changes any verdict within its slider range."]
    assert still["notes"][0] == "No single input changes these within its slider range: Less?: less."
    assert report("margins", one=toy(None, doubled))["sentences"] == [
        "This calculator has no verdicts, so it has no thresholds."
    ]


def test_states_are_compared_from_the_first_to_the_present_one_unless_others_are_named() -> None:
    """Sums of 11, 14 and, now, 8."""
    states = ["size=5", "size=6"]
    found = report("compare", states=states)
    assert [table["title"] for table in found["tables"]] == ["Inputs that differ", "Results"]
    assert found["tables"][0]["heads"] == ["", "A", "B", "Now"]
    assert found["tables"][0]["rows"] == [{"cells": ["Size", "5 B", "6 B", "4 B"], "marked": [2, 3]}]
    assert found["sentences"][-1].startswith("A sum from A to Now, ")
    assert "−3 B" in found["drawing"]
    asked = report("compare", {"result": "zero"}, states=states)
    assert asked["sentences"][-1].startswith("None of these from A to Now")
    other = report("compare", {"one": "B", "other": "A"}, states=states)
    assert other["sentences"][-1].startswith("A sum from B to A, ")
    same = report("compare", {"one": "A", "other": "A"}, states=states)
    assert (same["sentences"], same["drawing"]) == ([], "")
    alike = report("compare", states=[""])
    assert alike["sentences"][0] == "These states have the same inputs: change one of them."
    assert [table["title"] for table in alike["tables"]] == ["Results"]
    assert alike["drawing"] == ""
    assert len(report("compare", states=["size=5"] * 7)["tables"][0]["heads"]) == 1 + 4 + 1


def test_a_long_list_of_inputs_without_a_range_is_folded() -> None:
    """Beyond twenty rows, which are about what a page shows at once."""
    values = TOY.evaluate({})
    folded = {count: review._without_range(TOY, values, ["size"] * count)["folded"] for count in (1, 20, 21, 40)}
    assert folded == {1: False, 20: False, 21: True, 40: True}


@pytest.mark.parametrize(("count", "more"), [(4, []), (5, []), (6, [1]), (9, [4])])
def test_of_one_menu_five_ways_are_listed_and_the_others_counted(count: int, more: list[int]) -> None:
    offers = tuple(Offer(value=f"V{place}", result="R", note="", changes={}) for place in range(count))
    found = Found(name="kit", sentence="", data={}, reached=True, offers=offers)
    table = review._ways(KIT, KIT.evaluate({}), "Result", [found])
    report_of = [["Kit", f"V{place}", "", "R"] for place in range(min(count, 5))]
    rest = [["Kit", f"and {n} more in the menu", "", ""] for n in more]
    assert [row["cells"] for row in table["rows"]] == [*report_of, *rest]
    remarked = Found(
        name="size",
        sentence="",
        data={},
        reached=True,
        offers=(Offer(value="V", result="R", note="why", changes={}),),
    )
    noted = review._ways(KIT, KIT.evaluate({}), "Result", [found, remarked])
    assert noted["heads"] == ["Change", "To", "Now", "Result", "Note"]
    assert noted["rows"][-1]["cells"] == ["Size", "V", "4 B", "R", "why"]

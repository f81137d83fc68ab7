"""A sweep in words and as a table, by hand: how a line goes, which rows are shown, what is asked and refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from calculators.answers.explore.sweeps import Line, Sweep
from calculators.answers.explore.thresholds import Threshold
from calculators.answers.review import sweep
from calculators.declare import Calculator, InputError, Verdict, choice, step, verdict
from tests.declare.test_declare import doubled, inputs_of, quadrupled, sized, toy


@step("B", "By the other")
def by_other(other: float) -> float:
    return 3 * other


@verdict("Large?")
def large(size: float) -> Verdict:
    return Verdict(level="good", word="large" if size > 5 else "small")


def calculator(**changed: Any) -> Calculator:
    modes = choice("a", "Mode", {"a": "First: at once", "b": "Second"})
    return toy(
        inputs_of(size=sized(**changed), other=sized(label="Other"), mode=modes),
        *(by_other, doubled, quadrupled, large),
        headline=("large", "by_other", "doubled"),
        answer="{by_other}",
    )


REFUSED = "refused by a constraint or a framework, or not a finite number"
TOY = calculator()
VALUES = TOY.evaluate({})


def swept(*results: float | None, **changed: Any) -> Sweep:
    """These results of sizes from 2 on."""
    line = Line(value=None, results=results, thresholds=())
    points = tuple(float(place + 2) for place in range(len(results)))
    return replace(Sweep(name="size", result="doubled", points=points, family="", lines=(line,), more=None), **changed)


@pytest.mark.parametrize(
    ("results", "text"),
    [
        ((5.0, 5.0, 5.0), "stays 5 B along size from 2 B to 4 B."),
        ((5.0, 5.0 * (1 + 1e-10), 5.0), "stays 5 B along size from 2 B to 4 B."),
        ((5.0, 6.0, 6.0, 7.0), "rises from 5 B to 7 B along size from 2 B to 5 B."),
        (
            (7.0, None, 6.0),
            f"falls from 7 B to 6 B along size from 2 B to 4 B. No result at 1 of 3 values: {REFUSED}.",
        ),
        ((5.0, 9.0, 6.0), "rises to 9 B at 3 B, then falls to 6 B, along size from 2 B to 4 B."),
        ((7.0, 3.0, 9.0), "falls to 3 B at 3 B, then rises to 9 B, along size from 2 B to 4 B."),
        ((7.0, 3.0, 9.0, 4.0), "moves up and down between 3 B and 9 B along size from 2 B to 5 B."),
        ((None, None), f"cannot be computed along size from 2 B to 3 B. No result at 2 of 2 values: {REFUSED}."),
    ],
)
def test_how_a_line_goes_is_reported(results: tuple[float | None, ...], text: str) -> None:
    assert sweep.sentence(TOY, VALUES, swept(*results)) == f"Twice the size: {text}"


@pytest.mark.parametrize(
    ("more", "text"),
    [
        (1.1, "10% higher"),
        (1.103, "10% higher"),
        (1.05, "5% higher"),
        (0.9, "10% lower"),
        (0.975, "2.5% lower"),
        (1.0, "the same"),
        (1.0 + 1e-10, "the same"),
    ],
)
def test_the_effect_of_ten_percent_more_is_reported(more: float, text: str) -> None:
    report = sweep.sentence(TOY, VALUES, swept(5.0, 6.0, more=more))
    assert report.endswith(f"3 B. At 10% more than the present 4 B, it is {text}.")


def edge(first: float, below: str, above: str, level: Any = "good") -> tuple[str, Threshold]:
    one, other = (Verdict(level=level, word=word) for word in (below, above))
    return "large", Threshold(last=first - 1, first=first, below=one, above=other)


def test_each_verdict_that_changes_is_reported_word_by_word() -> None:
    edges = (edge(4.0, "small", "middling"), edge(5.0, "middling", "middling"), edge(6.0, "middling", "large"))
    others = edge(9.0, "odd", "even")[1]  # of verdicts that are before it and after it in the alphabet
    line = Line(value=None, results=(1.0, 1.0), thresholds=(("another", others), *edges, ("other", others)))
    report = sweep.sentence(TOY, VALUES, swept(1.0, 1.0, lines=(line,)))
    assert report.endswith("Large? small up to 3 B; middling up to 5 B; then large.")


def test_a_whole_count_is_reported_as_it_is_and_another_value_so_that_the_word_still_holds() -> None:
    """What holds until just below 5.679 would no longer hold at 5.68."""
    last = replace(edge(1.0, "a", "b")[1], last=5.6789, first=5.679)
    assert sweep._last(TOY.inputs["size"], last) == "5.67 B"  # type: ignore[arg-type]
    counted = calculator(whole=True).inputs["size"]
    assert sweep._last(counted, replace(last, last=12_360.0)) == "12.4 kB"  # type: ignore[arg-type]


def test_a_table_has_both_ends_the_present_value_and_no_more_than_sixteen_others() -> None:
    """Of sixty-one points every fifth: thirteen; the last is one of them."""
    many = swept(*(float(place) for place in range(61)))
    assert sweep.shown_points(many, {"size": 4.0}) == [2.0, 4.0, *(7.0 + 5 * place for place in range(12))]
    assert len(sweep.shown_points(swept(*(1.0,) * 15), {"size": 99.0})) == 15
    assert sweep.shown_points(swept(*(1.0,) * 17), {"size": 99.0}) == [2.0 + 2 * place for place in range(9)]
    assert sweep.shown_points(swept(*(1.0,) * 18), {"size": 99.0})[-2:] == [18.0, 19.0]


def test_a_table_marks_where_the_reader_is_and_what_is_refused() -> None:
    assert sweep.lines(TOY, VALUES, swept(4.0, None, 8.0))[1:] == [
        "",
        "Size  Twice the size",
        " 2 B             4 B",
        " 3 B         refused",
        " 4 B             8 B  now",
    ]


def test_several_lines_are_headed_by_their_values_without_what_explains_them() -> None:
    family = tuple(Line(value=mode, results=(1.0, 2.0), thresholds=()) for mode in "ab")
    found = swept(1.0, 2.0, family="mode", lines=family)
    assert sweep.table(TOY, VALUES, found)[0] == ["Size", "First", "Second"]
    assert sweep.sentence(TOY, VALUES, found) == (
        "Twice the size, along size from 2 B to 3 B: "
        "with First it rises from 1 B to 2 B; with Second it rises from 1 B to 2 B."
    )
    report = sweep.described(TOY, VALUES, found)
    assert (report["family"], [line["value"] for line in report["lines"]]) == ("mode", ["a", "b"])
    assert report["input"] == {"name": "size", "unit": "B", "now": 4.0}
    assert report["result"] == {"name": "doubled", "unit": "B", "now": 8.0}
    assert (report["points"], report["lines"][0]["results"]) == ([2.0, 3.0], [1.0, 2.0])
    line = Line(value=None, results=(1.0,), thresholds=(edge(4.0, "a", "b"),))
    alone = sweep.described(TOY, VALUES, swept(1.0, lines=(line,)))
    assert alone["family"] is None
    assert alone["lines"][0]["edges"] == [{"verdict": "large", "last": 3.0, "first": 4.0, "below": "a", "above": "b"}]


def test_the_first_number_is_a_headline_or_the_first_that_the_input_moves() -> None:
    """A verdict is none; the size moves twice itself, the mode nothing."""
    assert sweep.first_number(TOY, VALUES) == "by_other"
    assert [sweep.first_number(TOY, VALUES, name) for name in ("size", "other", "mode")] == [
        *("doubled", "by_other", "by_other"),
    ]
    assert sweep.parse(TOY, VALUES, "size").result == "doubled"
    assert sweep.parse(TOY, VALUES, "size", "quadrupled").result == "quadrupled"


def test_the_ends_of_a_sweep_are_those_of_the_slider_where_none_is_given() -> None:
    found = {
        asked: sweep.parse(TOY, VALUES, asked).points for asked in ("size", "size=..9", "size=9..", " size = 3 .. 9 ")
    }
    assert {one: (points[0], points[-1]) for one, points in found.items()} == {
        "size": (2, 50),
        "size=..9": (2, 9),
        "size=9..": (9, 50),
        " size = 3 .. 9 ": (3, 9),
    }
    with pytest.raises(InputError, match="Size from 9 B to 9 B: the first value must be below the second"):
        sweep.parse(TOY, VALUES, "size=9..9")


def test_a_second_input_has_the_values_that_are_asked_or_all_its_options() -> None:
    def values(asked: str) -> list[Any]:
        return [line.value for line in sweep.parse(TOY, VALUES, "size=2..4", "doubled", asked).lines]

    assert (values("mode"), values("mode=b"), values("other=3, 5")) == (["a", "b"], ["b"], [3, 5])
    for asked, text in (
        ("other", "“other” has no values; write other=VALUE,VALUE"),
        ("size=1", "“size” is the input that is swept"),
    ):
        with pytest.raises(InputError, match=text):
            values(asked)


def test_a_label_begins_small_in_a_sentence_unless_it_is_an_abbreviation() -> None:
    assert [sweep._lower(label) for label in ("Size", "A size", "TBs", "")] == ["size", "a size", "TBs", ""]

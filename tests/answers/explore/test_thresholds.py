"""A verdict along one input, by hand: where it is looked at, what moves it, what lies on both sides of an found."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers.explore.thresholds import InputTrials, Threshold, VerdictCurve, between, by_level, by_word
from calculators.declare import AnyFormula, Verdict, constraint, step, verdict
from tests.declare.test_declare import inputs_of, sized, toy

GOOD, BAD = Verdict(level="good", word="good"), Verdict(level="bad", word="bad")


@step("B", "Boxes")
def boxes(size: float) -> float:
    """One more where eleven are full."""
    return float(size // 11)


@step("B", "Kept")
def kept(size: float) -> float:
    return float(min(size, 11))


@step("B", "Squared")
def squared(size: float) -> float:
    return size**2


@step("B", "Said")
def text(size: float) -> tuple[str]:
    return ("late",) if size > 15 else ("early",)


@verdict("Few boxes?")
def few(boxes: float, other: float) -> Verdict:
    return GOOD if boxes + other < 1e9 else BAD


@verdict("Kept?")
def all_kept(kept: float) -> Verdict:
    return GOOD if kept < 1e9 else BAD


@verdict("Small?")
def small(squared: float, other: float) -> Verdict:
    return GOOD if squared + other < 1e9 else BAD


@verdict("Early?")
def early(text: tuple[str]) -> Verdict:
    return GOOD if text[0] else BAD


@verdict("Light?")
def light(size: float) -> Verdict:
    """It is called heavy only in what lies between 20 and 30."""
    return Verdict(
        level="good" if size < 20 else "bad", word="light" if size < 20 else "heavy" if size < 30 else "huge"
    )


@verdict("Aside?")
def aside(other: float) -> Verdict:
    return GOOD if other else BAD


@constraint("size")
def not_seventeen(size: float) -> str:
    return "unlucky" if 16.5 < size < 17.5 else ""


def line(name: str, size: float = 10.0, compared_by: Any = by_level, **changed: Any) -> VerdictCurve:
    """One of these verdicts along a size of 2 to 50 at most 100, where it is 10 now."""
    calculator = toy(
        inputs_of(size=sized(**changed), other=sized(label="Other")),
        *(boxes, kept, squared, text, few, all_kept, small, early, light, aside, not_seventeen),
        headline=("light",),
        answer="{light}",
    )
    values = calculator.evaluate({"size": size})
    return VerdictCurve(InputTrials(calculator, values, calculator.inputs["size"], [name]), name, compared_by)  # type: ignore[arg-type]


def test_what_a_verdict_looks_at_is_the_same_where_all_of_it_is() -> None:
    """Of 10 and of 8 no box of eleven is full, of 11 one is; seventeen is refused, so nothing is there."""
    one = line("few")
    assert [one.same_at(size) for size in (8.0, 10.0, 11.0, 17.0)] == [True, True, False, False]
    assert not line("aside").moves().run()
    assert line("few").moves().run()


def test_a_verdict_moves_where_something_is_other_at_one_end_alone() -> None:
    """Kept are up to eleven: of the slider's ends and its middle only the lower end is below; and the other way."""
    assert line("all_kept", 20.0).moves().run()
    assert line("early", 10.0, slider=(2, 16)).moves().run()
    assert not line("early", 10.0, slider=(2, 14)).moves().run()


@pytest.mark.parametrize(
    ("name", "one", "other", "is_even"),
    [
        ("light", 12.0, 20.0, True),  # a fifth of the way, and a fifth of what there is to move
        ("small", 12.0, 20.0, True),  # from 100 to 144 of 400: about a seventh
        ("small", 8.0, 2.0, True),  # from 100 to 64 of 4: three eighths, after a quarter of the way
        ("aside", 12.0, 20.0, True),  # nothing moves at all
        ("few", 12.0, 20.0, False),  # all of it after a fifth of the way
        ("few", 10.5, 20.0, False),  # nothing of it after a twentieth
        ("all_kept", 12.0, 20.0, False),  # the same
        ("few", 12.0, 10.4, False),  # away and back
        ("early", 12.0, 20.0, False),  # words have no middle
        ("light", 17.0, 20.0, False),  # refused
        ("light", 12.0, 17.0, False),
    ],
)
def test_evenly_moves_what_is_about_as_far_as_the_way_that_is_gone(
    name: str, one: float, other: float, *, is_even: bool
) -> None:
    assert line(name).is_even(one, other).run() is is_even


@pytest.mark.parametrize(
    ("size", "whole", "factor", "down", "up"),
    [
        (10.0, False, 2.5, 4.0, 25.0),
        (10.0, False, 100.0, 2.0, 50.0),  # the slider's ends
        (60.0, False, 2.0, 30.0, 60.0),  # it is beyond the slider, which is no way to go up
        (1.5, False, 2.0, 1.5, 3.0),
        (9.0, True, 2.0, 5.0, 18.0),  # 4.5 is no count, and farther than a factor of 2
        (9.0, True, 1.5, 6.0, 13.0),
    ],
)
def test_as_far_as_a_factor_goes_on_the_slider(
    size: float, factor: float, down: float, up: float, *, whole: bool
) -> None:
    one = line("light", size, whole=whole)
    assert (one.within(factor, up=False), one.within(factor, up=True)) == (down, up)


def test_a_verdict_of_another_level_counts_as_changed_and_none_does_not() -> None:
    one = line("light")
    assert [one.changes(factor, up=True).run() for factor in (1.9, 2.0, 2.9, 1.7)] == [False, True, True, False]
    assert alone(enough, 2.0**30, hard=(1, 1e12), slider=(2, 1e12)).changes(30.0, up=True).run()  # better, too
    assert one.at(17.0) is None
    assert one.at(10.0) == one.at(9.0) == Verdict(level="good", word="light")


def thresholds(one: VerdictCurve, low: float, high: float) -> list[Threshold]:
    first, last = one.at(low), one.at(high)
    assert first
    assert last
    return one.thresholds_between(low, first, high, last).run()


def test_the_first_value_with_the_other_word_is_found_to_nine_digits_and_belongs_to_its_side() -> None:
    """Below 20 it is light: so the edge is at 20, and 20 is heavy."""
    (found,) = thresholds(line("light"), 2.0, 50.0)
    assert found.first == 20.0
    assert found.last == pytest.approx(20.0, rel=1e-9)
    assert found.last < 20.0
    assert (found.below.word, found.above.word) == ("light", "heavy")


def test_with_words_distinguished_every_word_on_the_way_has_its_edge() -> None:
    found = thresholds(line("light", compared_by=by_word), 2.0, 50.0)
    assert [(one.first, one.below.word, one.above.word) for one in found] == [
        (20.0, "light", "heavy"),
        (30.0, "heavy", "huge"),
    ]


@verdict("Between?")
def in_between(size: float) -> Verdict:
    return BAD if 20 <= size < 25 else GOOD


def test_what_lies_beyond_the_two_values_is_not_looked_at() -> None:
    (found,) = thresholds(alone(in_between, 10.0), 2.0, 22.0)
    assert (found.first, found.above) == (20.0, BAD)


@pytest.mark.parametrize(("low", "high"), [(18.0, 24.0), (2.0, 50.0), (19.0, 20.0), (16.0, 21.0)])
def test_of_a_count_the_edge_lies_between_two_neighbors(low: float, high: float) -> None:
    """What is refused on the way, seventeen, has no word."""
    (found,) = thresholds(line("light", whole=True), low, high)
    assert (found.last, found.first) == (19.0, 20.0)


@verdict("Before?")
def before(size: float) -> Verdict:
    return GOOD if size < 17 else BAD


@verdict("Enough?")
def enough(size: float) -> Verdict:
    """Twenty and a half GiB are."""
    return GOOD if size >= 20.5 * 2**30 else BAD


def alone(judged: AnyFormula, size: float, *checks: AnyFormula, **changed: Any) -> VerdictCurve:
    calculator = toy(
        inputs_of(size=sized(default=size, **changed)),
        judged,
        *checks,
        headline=(judged.name,),
        answer=f"{{{judged.name}}}",
    )
    values = calculator.evaluate({})
    return VerdictCurve(InputTrials(calculator, values, calculator.inputs["size"], [judged.name]), judged.name)  # type: ignore[arg-type]


@pytest.mark.parametrize("end", [17.5, 17.5000000001])
def test_what_is_refused_on_the_way_has_neither_word(end: float) -> None:
    """From 16.5 on all is refused, up to what rounds to 17.5; the word changes in the middle of that."""

    @constraint("size")
    def not_around_seventeen(size: float) -> str:
        return "unlucky" if 16.5 < size < end else ""

    (found,) = thresholds(alone(before, 10.0, not_around_seventeen), 2.0, 50.0)
    assert found.last == pytest.approx(16.5, rel=1e-11)
    assert found.first == pytest.approx(end, rel=1e-11)
    assert found.first >= end
    assert (found.below, found.above) == (GOOD, BAD)


def test_an_edge_is_round_in_the_unit_of_the_input_and_may_lead_to_what_is_good() -> None:
    """Nine digits of the bytes would not be all of the 22,011,707,392 that 20.5 GiB are."""
    gib = 2.0**30
    one = alone(enough, 4 * gib, unit="GiB", hard=(gib, 100 * gib), slider=(2 * gib, 50 * gib))
    (found,) = thresholds(one, 2 * gib, 50 * gib)
    assert (found.below, found.above) == (BAD, GOOD)
    assert found.first == 22_011_707_392


@verdict("Short?")
def short(size: float) -> Verdict:
    return GOOD if size < 20.3 else BAD


def test_a_round_value_that_no_longer_is_what_those_below_are_belongs_to_those_above() -> None:
    (found,) = thresholds(alone(short, 10.0), 2.0, 50.0)
    assert (found.below, found.above) == (GOOD, BAD)
    assert found.last < found.first == 20.3


@pytest.mark.parametrize(
    ("low", "high", "whole", "middle"),
    [
        (2.0, 8.0, False, 4.0),
        (0.25, 4.0, False, 1.0),
        (0.0, 8.0, False, 4.0),
        (-2.0, 8.0, False, 3.0),
        (3e6, 3e6 * (1 + 1e-13), False, 3e6),  # apart by less than a trillionth
        (0.0, 0.0, False, 0.0),
        (2.0, 9.0, True, 5.0),
        (2.0, 4.0, True, 3.0),
        (2.0, 3.0, True, 2.0),
        (2.5, 3.0, True, 2.5),  # a width that follows from others may be no whole number
        (10_921.0, 10_922.67, True, 10_922.0),
        (2.5, 3.2, True, 3.0),
    ],
)
def test_a_middle_lies_between_or_is_one_of_the_two(low: float, high: float, middle: float, *, whole: bool) -> None:
    assert between(low, high, whole=whole) == middle
    assert 3e6 < between(3e6, 3e6 * (1 + 1e-10), whole=False) < 3e6 * (1 + 1e-10)


def test_each_value_is_tried_once_for_all_verdicts() -> None:
    one = line("light")
    trials = one._trials
    for size in (3.0, 3.0, 4.0, 10.0):
        one.at(size)
    assert trials.count == 2  # at 10 it is now, which is known

"""States side by side, by hand: letters, what differs, and a difference as a waterfall in letters and as a picture."""

from __future__ import annotations

from dataclasses import replace

import pytest

from calculators.answers import answer
from calculators.answers.explore import sampling
from calculators.answers.explore.attribution import Attribution, Changed
from calculators.answers.explore.search import Pauses, search
from calculators.answers.input_state import valid_inputs
from calculators.answers.review import comparison
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, InputError
from calculators.page import review_drawings
from tests.answers.explore.test_attribution import TOY, state
from tests.page.drawings import Drawing

CHECKPOINT = CALCULATORS["checkpoint"]
ONE, OTHER = state(TOY, "A", a="2", b="3", c="2"), state(TOY, "B", a="4", b="5", c="1")


def columns(*addresses: str) -> list[comparison.State]:
    resolved = valid_inputs(CHECKPOINT, {"parameters": "8B"})
    return comparison.states(CHECKPOINT, resolved, answer.evaluated(CHECKPOINT, resolved), addresses)


def sizes(found: list[comparison.State]) -> list[tuple[str, float]]:
    """A checkpoint has 14 bytes a parameter."""
    return [(one.letter, one.values["checkpoint_size"] / 14e9) for one in found]


def test_one_link_is_compared_with_the_present_state_and_several_with_each_other() -> None:
    assert sizes(columns("parameters=70B")) == [("A", 8), ("B", 70)]
    assert sizes(columns("parameters=70B", "parameters=2B")) == [("A", 70), ("B", 2)]
    assert sizes(columns("#parameters=70B&v=0.1.0&pin=parameters%3D1B")) == [("A", 1), ("B", 70)]
    assert columns() == []


def test_four_states_are_side_by_side_and_of_one_link_its_four_pins_too() -> None:
    """A reader who shared a page with four pins next to it is read."""
    assert len(columns(*["parameters=70B"] * 4)) == 4
    pins = "&".join(f"pin=parameters%3D{count}B" for count in range(1, 5))
    assert sizes(columns(f"parameters=70B&{pins}")) == [*zip("ABCD", range(1, 5), strict=True), ("E", 70)]
    for wrong in (["parameters=70B"] * 5, [f"parameters=70B&{pins}", "parameters=2B"]):
        with pytest.raises(InputError, match="Up to 4 states can be compared, not"):
            columns(*wrong)


@pytest.mark.parametrize(
    ("one", "other", "names"),
    [
        ({"a": "2"}, {"a": "2", "b": "7"}, ["b"]),
        ({"a": "2", "b": "7"}, {"a": "2"}, ["b"]),
        ({"a": "2"}, {"a": "2"}, []),
        ({"b": "2", "c": "3"}, {"b": "3", "c": "2", "a": "9"}, ["a", "b", "c"]),
    ],
)
def test_what_is_given_in_one_state_alone_or_differs_is_a_change(
    one: dict[str, str], other: dict[str, str], names: list[str]
) -> None:
    found = comparison.changes(TOY, state(TOY, "A", **one), state(TOY, "B", **other), "product")
    assert [change.name for change in found] == names


def test_what_a_result_does_not_need_comes_last_wherever_it_is_declared() -> None:
    """How long a write takes depends on the bandwidth, and not on how long it may take."""
    given = {"write_window": "9s", "write_bandwidth": "9GB/s", "parameters": "9B"}
    one, other = state(CHECKPOINT, "A", model="none", parameters="8B"), state(CHECKPOINT, "B", model="none", **given)
    last = {
        result: comparison.changes(CHECKPOINT, one, other, result)[-1].name
        for result in ("write_duration", "required_write_bandwidth")
    }
    assert last == {"write_duration": "write_window", "required_write_bandwidth": "write_bandwidth"}


def test_what_the_reader_typed_is_no_part_of_the_menu_in_either_state() -> None:
    calculator = CALCULATORS["kv_cache"]
    typed, other = state(calculator, "A", model="llama-3-70b", layers="9"), state(calculator, "B", model="llama-3-8b")
    for one, another in ((typed, other), (other, typed)):
        made = {change.name: change.names for change in comparison.changes(calculator, one, another, "max_sequences")}
        assert made["layers"] == ("layers",)
        assert "layers" not in made["model"]
        assert len(made["model"]) > 1
    labels = [comparison.label(calculator, Changed(name=name, names=(name,))) for name in ("model", "layers")]
    assert labels == [calculator.presets[0].label, calculator.inputs["layers"].label]
    assert calculator.presets[0].name == "model"


def test_the_first_number_that_differs_is_what_is_compared() -> None:
    faster = [state(CHECKPOINT, "A"), state(CHECKPOINT, "B", write_window="30s")]
    assert comparison.first_difference(CHECKPOINT, faster) == "required_write_bandwidth"
    assert comparison.first_difference(CHECKPOINT, [faster[0]] * 2) == ""
    third = [faster[0], faster[0], state(CHECKPOINT, "C", parameters="70B")]
    assert comparison.first_difference(CHECKPOINT, third) == "checkpoint_size"
    made = comparison.described(TOY, [ONE, replace(ONE, letter="B")]).run()
    assert made["attributions"][0]["result"] == "product"  # where nothing differs, the first number


def test_each_difference_is_of_the_result_that_differs() -> None:
    """A faster write leaves the size; the default's own bandwidth, entered, is no change.

    A size of its own takes the menu's dimensions with it, from which adapters are counted: their part is none here.
    """
    given: list[dict[str, str]] = [
        {},
        {"write_window": "30s"},
        {"parameters": "70B"},
        {"write_bandwidth": "40GB/s"},
    ]
    found = [state(CHECKPOINT, letter, **texts) for letter, texts in zip("ABCD", given, strict=True)]
    made = comparison.described(CHECKPOINT, found).run()["attributions"]
    results = ["required_write_bandwidth", "checkpoint_size", "checkpoint_size"]
    assert [one["result"] for one in made] == results
    changes = [[part["change"] for part in one["parts"]] for one in made]
    assert changes == [["write_window"], ["parameters", "model"], []]


def test_each_state_is_compared_with_the_first() -> None:
    """From 2 * 3 + 2 to 4 * 5 + 1, and to 2 * 3 + 9."""
    third = state(TOY, "C", a="2", b="3", c="9")
    found = comparison.described(TOY, [ONE, OTHER, third]).run()["attributions"]
    assert [(one["from"], one["to"], one["before"], one["after"]) for one in found] == [
        ("A", "B", 8.0, 21.0),
        ("A", "C", 8.0, 15.0),
    ]
    assert found[0]["method"] == "shapley"


def test_a_table_has_a_column_for_each_state_and_a_waterfall_in_letters() -> None:
    """8 to 22: a makes 2 * (3 + 5) / 2 = 8 more, b 2 * (2 + 4) / 2 = 6 more, c 1 less: 14 on 24 letters."""
    assert comparison.lines(TOY, [ONE, OTHER]) == [
        "A: 8 B",
        "B: 21 B",
        "",
        "           A       B",
        "A        2 B   4 B *",
        "B        3 B   5 B *",
        "C        2 B   1 B *",
        "",
        "Product  8 B  21 B *",
        "",
        "Product from A to B, averaged over every order of the changes (Shapley):",
        "  A   8 B  |",
        "  A  +8 B  " + "█" * 14,
        "  B  +6 B  " + " " * 14 + "█" * 10,
        "  C  −1 B  " + " " * 22 + "██",
        "  B  21 B  " + " " * 22 + "|",
    ]


@pytest.mark.parametrize(
    ("left", "right", "low", "high", "bar"),
    [
        (0.0, 24.0, 0.0, 24.0, "█" * 24),
        (6.0, 3.0, 0.0, 24.0, "   ███"),
        (24.0, 24.0, 0.0, 24.0, " " * 23 + "|"),  # the last letter is the end
        (12.0, 12.001, 0.0, 24.0, " " * 12 + "█"),  # next to nothing is one letter
        (5.0, 5.0, 5.0, 5.0, "|"),
        (107.0, 110.0, 100.0, 112.0, " " * 14 + "█" * 6),
    ],
)
def test_a_bar_is_twenty_four_letters_from_the_least_to_the_most(
    left: float, right: float, low: float, high: float, bar: str
) -> None:
    assert comparison._bar(left, right, low, high) == bar


def waterfall(before: float, *parts: float) -> Drawing:
    changes = (Changed(name=name, names=(name,)) for name in "abc")
    report = tuple(zip(changes, parts, strict=False))
    found = Attribution(before=before, after=before + sum(parts), parts=report, exact=True)
    return Drawing(review_drawings.waterfall(TOY, ONE, OTHER, "product", found))


def test_a_waterfall_goes_from_one_state_to_the_other_step_by_step() -> None:
    """8, then 8 more, 6 more and 1 less: 21; they begin at nothing."""
    drawing = waterfall(8.0, 8.0, 6.0, -1.0)
    first, *steps, last = drawing.bars
    wide = first.wide / 8
    assert [(bar.left - first.left) / wide for bar in steps] == pytest.approx([8, 16, 21], abs=0.02)
    assert [bar.wide / wide for bar in (*steps, last)] == pytest.approx([8, 6, 1, 21], abs=0.02)
    assert last.left == first.left
    assert first.style == last.style
    assert steps[0].style == steps[1].style != steps[2].style  # what adds differs from what takes
    assert [one.text for one in drawing.words if one.x == 0] == ["A", "A", "B", "C", "B", "Product, A to B"]
    assert {"8 B", "+8 B", "+6 B", "−1 B", "21 B"} <= {one.text for one in drawing.words}
    assert len(drawing.rules) == 4
    assert drawing.about == "Product from A to B, averaged over every order of the changes (Shapley)."


@pytest.mark.parametrize(
    ("before", "part", "is_whole"),
    [
        (79.0, 21.0, True),  # a fifth of it and more is seen well enough next to the whole
        (81.0, 19.0, False),
        (100.0, -19.0, False),
        (-5.0, 10.0, True),
        (-0.5, 10.0, True),
        (0.0, 10.0, True),
        (10.0, -10.0, True),
    ],
)
def test_bars_begin_at_nothing_and_a_difference_too_small_to_see_there_is_drawn_alone(
    before: float, part: float, *, is_whole: bool
) -> None:
    """A bar of 100 next to one of 81 that begin at 81 would be all and nothing: both are marks then."""
    drawing = waterfall(before, part)
    first, step, last = drawing.bars
    assert drawing.title == f"Product, A to B{'' if is_whole else '; the difference only'}"
    if is_whole:
        wide = step.wide / abs(part)
        assert [first.wide, last.wide] == pytest.approx(
            [max(abs(end) * wide, 1.5) for end in (before, before + part)], abs=0.2
        )
    else:
        assert first.wide == last.wide == 1.5
        assert sorted((first.left, last.left)) == pytest.approx([step.left, step.left + step.wide])


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (None, "the difference cannot be attributed, because a state between them has no result."),
        (Attribution(before=1.0, after=1.0, parts=(), exact=True), "no input differs."),
    ],
)
def test_why_a_difference_is_not_attributed_is_reported(found: Attribution | None, message: str) -> None:
    assert comparison.explained(TOY, ONE, OTHER, "product", found) == f"Product from A to B: {message}"
    alike = comparison.lines(TOY, [ONE, replace(ONE, letter="B")])
    assert alike[-1] == "Product from A to B: no input differs."


def test_where_a_state_between_gives_no_number_no_part_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: object) -> Pauses[None]:
        yield

    monkeypatch.setattr(comparison, "attribution", search(nothing))
    (found,) = comparison.described(TOY, [ONE, OTHER], "product").run()["attributions"]
    assert found == {"from": "A", "to": "B", "result": "product", "unit": "B", "method": "none", "parts": []}
    assert comparison.lines(TOY, [ONE, OTHER])[-1].endswith("because a state between them has no result.")


def rows(calculator: Calculator, *states: comparison.State) -> dict[str, list[str]]:
    return {label: texts for label, *texts in comparison.differing(calculator, states)}


def test_a_menu_without_a_record_is_none_and_what_is_computed_in_every_state_is_not_listed() -> None:
    found = rows(
        CHECKPOINT, state(CHECKPOINT, "A", model="llama-3-70b"), state(CHECKPOINT, "B", model="none", parameters="70B")
    )
    menu = next(preset for preset in CHECKPOINT.presets if preset.name == "model")
    assert found[menu.label] == ["Llama 3 70B", "none"]
    assert comparison.attributed(TOY, ONE, ONE, "product").run() == Attribution(
        before=8.0, after=8.0, parts=(), exact=True
    )


def test_a_difference_is_drawn_from_common_samples() -> None:
    """At 100 instead of 40 GB/s a checkpoint of S takes S / 40 - S / 100 less: only its size is uncertain."""
    rates = ((40, "A"), (100, "B"))
    one, other = (comparison.opened(CHECKPOINT, f"write_bandwidth={rate}GB/s", letter).run() for rate, letter in rates)
    found = comparison.difference(CHECKPOINT, one, other, "write_duration").run()
    assert found is not None
    moving = sampling.assumed_range(CHECKPOINT, one.values, "checkpoint_size").run()
    assert moving is not None
    for end, size in zip(found, (moving.high, moving.low), strict=True):
        assert end == pytest.approx(size / 100e9 - size / 40e9, rel=1e-9)
    message = comparison.difference_sentence(CHECKPOINT, one, other, "write_duration", found)
    assert message.startswith("Difference in Write duration from A to B: −85.2 s, likely −86.5 s to −77.5 s")
    assert comparison.difference(CHECKPOINT, one, other, "write_in_time").run() is None

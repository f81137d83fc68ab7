"""What a reader may have meant, by hand: names that share a word, those that share most first."""

from __future__ import annotations

from calculators.answers.suggestions import suggestion
from tests.declare.test_declare import doubled, quadrupled, toy

TOY = toy(None, doubled, quadrupled, headline=["quadrupled"])


def test_names_that_share_a_word_are_meant_those_that_share_most_first() -> None:
    names = ["write_time", "time_to_write_all", "read_time", "size"]
    assert suggestion(TOY, "time-to-write", names) == "did you mean time_to_write_all, write_time or read_time?"
    assert suggestion(TOY, "time", names) == "did you mean write_time, time_to_write_all or read_time?"


def test_no_more_than_six_are_reported_as_meant() -> None:
    names = [f"size_{letter}" for letter in "abcdefg"]
    assert suggestion(TOY, "size", names) == f"did you mean {', '.join(names[:5])} or {names[5]}?"


def test_where_none_is_alike_the_headlines_come_first_and_the_rest_is_counted() -> None:
    names = ["doubled", "quadrupled", *"abcdef"]
    assert suggestion(TOY, "colour", names) == (
        "there are quadrupled, doubled, a, b, c, d, and 2 more that --json lists"
    )
    assert suggestion(TOY, "colour", names[:7]) == (
        "there are quadrupled, doubled, a, b, c, d, and 1 more that --json lists"
    )
    assert suggestion(TOY, "colour", names[:6]) == "there are quadrupled, doubled, a, b, c, d"
    assert suggestion(TOY, "colour", ["doubled"]) == "there is only doubled"

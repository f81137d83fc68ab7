"""Links: a state goes into the address and comes back the same; anything else in it is reported, never obeyed."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.paths import ROOT
from calculators.answers.input_state import parse_inputs
from calculators.answers.links import (
    LONGEST_LINK,
    before,
    changed_since,
    comes_from,
    link,
    pinned,
    pinned_notice,
    read_link,
    stamp,
    stamped,
    version_stamp,
)
from calculators.catalog import CALCULATORS
from calculators.version import VERSION
from tests.answers.kit import KIT
from tests.readers import given_texts

CHECKPOINT = CALCULATORS["checkpoint"]
NAMES = sorted(CALCULATORS)


@pytest.mark.daily(3)
@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_a_state_reads_back_from_its_link(name: str, data: st.DataObject) -> None:
    calculator = CALCULATORS[name]
    resolved = parse_inputs(calculator, data.draw(given_texts(calculator)))
    if resolved.problems:
        return
    given_back, notices = read_link(calculator, link(calculator, resolved))
    assert notices == []
    again = parse_inputs(calculator, given_back)
    assert not again.problems
    for key, value in resolved.values.items():
        assert again.values[key] == (pytest.approx(value, rel=1e-14) if isinstance(value, float) else value), key


@pytest.mark.daily(3)
@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_a_link_of_what_a_link_gave_is_the_same_link(name: str, data: st.DataObject) -> None:
    calculator = CALCULATORS[name]
    resolved = parse_inputs(calculator, data.draw(given_texts(calculator)))
    if resolved.problems:
        return
    first = link(calculator, resolved)
    assert link(calculator, parse_inputs(calculator, read_link(calculator, first)[0])) == first


@pytest.mark.parametrize("name", NAMES)
def test_the_defaults_need_no_link(name: str) -> None:
    assert link(CALCULATORS[name], parse_inputs(CALCULATORS[name], {})) == ""


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_alone_is_its_name_alone(name: str) -> None:
    calculator = CALCULATORS[name]
    for preset in calculator.presets:
        other = next(record.key for record in preset.records if record.key != preset.default)
        assert link(calculator, parse_inputs(calculator, {preset.name: other})) == f"{preset.name}={other}"


def test_a_link_is_readable_and_short() -> None:
    resolved = parse_inputs(CHECKPOINT, {"parameters": "405B", "interval": "0.5 h"})
    assert link(CHECKPOINT, resolved) == "parameters=405B&checkpoint_interval=30min"


def test_a_link_may_begin_with_its_hash_and_use_dashes_and_aliases() -> None:
    assert read_link(CHECKPOINT, "#interval=30min&write-bandwidth=1%20TB/s") == (
        {"checkpoint_interval": "30min", "write_bandwidth": "1 TB/s"},
        [],
    )


def test_unknown_and_repeated_keys_are_reported() -> None:
    given_back, notices = read_link(CHECKPOINT, "colour=red&gpus=8&gpus=16")
    assert given_back == {"gpus": "8"}
    assert notices == [
        "The link sets “colour”, which is not an input of this calculator; it was ignored.",
        "The link sets gpus twice; “16” was ignored.",
    ]


def test_an_enormous_link_is_skipped_and_reported() -> None:
    for fragment in ("gpus=" + "9" * 100_000, "&".join(f"a{n}=1" for n in range(200)), "x" * (LONGEST_LINK + 1)):
        given_back, notices = read_link(CHECKPOINT, fragment)
        assert given_back == {}
        assert len(notices) == 1
        assert len(notices[0]) < 200


@pytest.mark.parametrize(
    "fragment",
    [
        "parameters=<script>alert(1)</script>",
        '<img src=x onerror="alert(1)">=1',
        "parameters=NaN",
        "parameters=Infinity",
        "parameters=-Infinity",
        "parameters=1e999",
        "parameters=٤٠٥B",
        "parameters=４０５B",
        "parameters=%00%FF%FE",
        "parameters=405B\u202e",
        "gpus=__import__('os')",
        "gpus={parameters}",
        "gpus=%",
        "gpus=",
        "=8",
        "&&&===",
        "__class__=1",
        "checkpoint_mode=%2e%2e/%2e%2e",
        "model=constructor",
        "parаmeters=1B",  # the first а after r is Cyrillic
        "🙂=🙂",
    ],
)
def test_a_hostile_link_changes_nothing_and_is_reported(fragment: str) -> None:
    given_back, notices = read_link(CHECKPOINT, fragment)
    resolved = parse_inputs(CHECKPOINT, given_back)
    reports = [*notices, *resolved.problems.values()]
    assert all(resolved.origins[name] != "yours" for name in CHECKPOINT.inputs)
    assert reports or not fragment.strip("&=") or fragment == "gpus="
    assert all(len(sentence) < 400 for sentence in reports)


@given(st.text(max_size=300))
def test_any_text_after_the_hash_is_survived(fragment: str) -> None:
    given_back, notices = read_link(CHECKPOINT, fragment)
    parse_inputs(CHECKPOINT, given_back)
    assert all(isinstance(sentence, str) for sentence in notices)


@given(st.dictionaries(st.sampled_from([*CHECKPOINT.inputs, "model", "recipe"]), st.text(max_size=60)))
def test_any_text_as_a_value_is_a_value_or_a_problem(texts: dict[str, Any]) -> None:
    resolved = parse_inputs(CHECKPOINT, texts)
    for name, text in texts.items():
        explicit = resolved.origins.get(name) == "yours" or name not in CHECKPOINT.inputs
        words = getattr(CHECKPOINT.inputs.get(name), "words", ())
        nothing = bool(words) and text.strip().lower() in {"", *words}
        assert explicit or nothing or name in resolved.problems


@pytest.mark.parametrize("name", NAMES)
def test_a_stamped_link_is_the_link_with_version_and_headline(name: str) -> None:
    calculator = CALCULATORS[name]
    resolved = parse_inputs(calculator, {})
    values = calculator.evaluate(resolved.values)
    fragment = stamped(calculator, resolved, values)
    assert read_link(calculator, fragment) == ({}, [])
    made_by = version_stamp(fragment)
    assert made_by is not None
    assert (made_by.version, made_by.result) == (VERSION, calculator.headline[0])
    assert changed_since(calculator, made_by, resolved, values) == []


def test_a_stamp_is_readable() -> None:
    resolved = parse_inputs(CHECKPOINT, {"parameters": "405B"})
    values = CHECKPOINT.evaluate(resolved.values)
    assert stamped(CHECKPOINT, resolved, values) == f"parameters=405B&v={VERSION}&was=checkpoint_size:5.67TB"


@pytest.mark.parametrize(
    ("stamp", "message"),
    [
        ("v=0.0.1&was=checkpoint_size:5.67TB", []),
        ("v=0.0.1&was=checkpoint_size:6TB", [("5.67 TB", "6TB", "0.0.1", "Checkpoint size")]),
        ("was=checkpoint_size:6TB", [("5.67 TB", "6TB", "another version")]),
        (f"v={VERSION}&was=checkpoint_size:6TB", []),  # edited by hand
        ("v=0.0.1&was=weight:6TB", [("“weight”", "no longer")]),
        ("v=0.0.1", []),
        ("v=0.0.1&was=" + "x" * LONGEST_LINK, []),
    ],
)
def test_a_link_of_another_version_says_what_has_changed(stamp: str, message: list[tuple[str, ...]]) -> None:
    resolved = parse_inputs(CHECKPOINT, {"parameters": "405B"})
    found = changed_since(CHECKPOINT, version_stamp(stamp), resolved, CHECKPOINT.evaluate(resolved.values))
    report, why = found[: len(message)], found[len(message) :]
    for sentence, words in zip(report, message, strict=True):
        assert all(word in sentence for word in words), sentence
    assert all(sentence.startswith("Version ") for sentence in why), "what the ledger says of it comes after"
    assert message or not why


@pytest.mark.parametrize("name", NAMES)
def test_no_input_has_the_name_of_a_stamp(name: str) -> None:
    assert not {"v", "was", "from"} & CALCULATORS[name].canonical_names.keys()


def test_the_version_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == VERSION


def test_what_is_pinned_travels_behind_the_stamp_and_is_no_part_of_the_state() -> None:
    pins = [f"write_window={seconds}s&v=0.1.0&was=checkpoint_size:5.67TB" for seconds in (10, 20, 30, 40, 50)]
    values = CHECKPOINT.evaluate({})
    whole = stamp(CHECKPOINT, values, [("parameters", "70B")], pins)
    assert pinned(whole) == tuple(pins[:4])
    assert read_link(CHECKPOINT, whole) == ({"parameters": "70B"}, [])
    assert version_stamp(whole) == version_stamp(stamp(CHECKPOINT, values, [("parameters", "70B")]))
    assert pinned_notice(whole) == ["The link also holds 4 other states: see “Compare states side by side”."]
    assert pinned_notice(stamp(CHECKPOINT, values, [], pins[:1]))[0].startswith("The link also holds another state")
    assert pinned_notice("parameters=70B") == []


def test_pins_that_make_a_link_too_long_are_left_out() -> None:
    values = CHECKPOINT.evaluate({})
    assert pinned(stamp(CHECKPOINT, values, [], ["x" * LONGEST_LINK])) == ()
    assert pinned("pin=" + "x" * LONGEST_LINK) == ()


def test_a_link_as_long_as_any_that_is_made_is_read_and_a_longer_one_is_not() -> None:
    """Whatever of it is asked for: its inputs, what else it holds, who made it, where it comes from."""
    end = "&v=0.1.0&was=checkpoint_size:5.67TB&pin=gpus%3D8&with=gpus%3D9&from=goodput"
    for length, is_read in ((LONGEST_LINK, True), (LONGEST_LINK + 1, False)):
        start = "gpus=8&zzz="
        whole = start + "x" * (length - len(start) - len(end)) + end
        assert len(whole) == length
        assert (read_link(CHECKPOINT, whole)[0] == {"gpus": "8"}) is is_read
        assert (pinned(whole) == ("gpus=8",)) is is_read
        assert (before(whole) == ("gpus=9",)) is is_read
        assert (version_stamp(whole) is not None) is is_read
    state = f"gpus={'9' * (LONGEST_LINK - len('gpus=&from=goodput'))}&from=goodput"
    assert (comes_from(state), comes_from(f"9{state}")) == ("goodput", "")


def test_pins_that_just_fit_a_link_are_in_it() -> None:
    values = CHECKPOINT.evaluate({})
    room = LONGEST_LINK - len(stamp(CHECKPOINT, values, [])) - len("&pin=")
    assert pinned(stamp(CHECKPOINT, values, [], ["x" * room])) == ("x" * room,)
    assert pinned(stamp(CHECKPOINT, values, [], ["x" * (room + 1)])) == ()


def test_a_link_names_up_to_a_hundred_inputs() -> None:
    for count, notices in ((100, 100), (101, 1)):
        assert len(read_link(CHECKPOINT, "&".join(f"a{n}=1" for n in range(count)))[1]) == notices
        fragment = "&".join([*(f"a{n}=1" for n in range(count - 2)), "pin=gpus", "was=checkpoint_size:1TB"])
        stamped = version_stamp(fragment) is not None
        assert (pinned(fragment), stamped) == ((("gpus",), True) if count == 100 else ((), False))


def test_the_last_three_places_of_the_reader_are_listed() -> None:
    fragment = "&".join([*(f"with=gpus%3D{n}" for n in range(5)), "from=a"])
    assert before(fragment) == ("gpus=0", "gpus=1", "gpus=2")
    assert comes_from("#gpus=8&from=kv-cache&with=from%3Dgoodput") == "kv_cache"
    assert comes_from("from=goodput") == "goodput"
    assert comes_from("gpus=8") == comes_from("gpus=8&with=from%3Dgoodput") == ""


def test_what_another_part_needed_goes_where_that_one_goes() -> None:
    """Beta's own thirty would make the menu step back unless it is named; without that there is no need to name it."""
    assert link(KIT, parse_inputs(KIT, {"kit": "beta", "size": "30"})) == ""
    assert link(KIT, parse_inputs(KIT, {"kit": "beta", "size": "31"})) == "kit=beta&size=31B"


def test_a_long_key_is_reported_by_its_first_forty_letters_and_what_cannot_be_printed_by_a_sign() -> None:
    for length, message in ((40, "x" * 40), (41, "x" * 40 + "…")):
        (notice,) = read_link(CHECKPOINT, "x" * length + "=1")[1]
        assert f"“{message}”" in notice
    (notice,) = read_link(CHECKPOINT, "a%07b=1")[1]
    assert "“a�b”" in notice


def test_a_menu_is_named_where_its_default_would_step_back_for_what_is_given() -> None:
    """A model by default, whose parameters are typed: without its name all of the model would be gone."""
    calculator = CALCULATORS["training_memory"]
    menu = next(preset for preset in calculator.presets if preset.name == "model")
    resolved = parse_inputs(calculator, {"model": menu.default, "layers": "40"})
    assert link(calculator, resolved) == f"model={menu.default}&layers=40"
    assert link(calculator, parse_inputs(calculator, {"model": "none"})) == "model=none"

"""A state as Markdown, as plain data, as what differs, and with a file instead of a menu, by hand, of a toy."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from calculators import facts
from calculators.answers import answer, config_file, data, differences, links, markdown, provenance
from calculators.answers.input_state import InputState, parse_inputs, parsing_notes
from calculators.declare import Calculator, InputError, Preset, Values, choice
from calculators.version import VERSION
from tests.answers.kit import KIT, SHEET, kit, record
from tests.declare.test_declare import inputs_of, sized, toy

KIT_MODE = choice("a", "Mode", {"a": "one", "b": "two"})
MARKDOWN = """\
## Toy

*How much?*

90 B (88 to 92 B)

**Small: large.** It is 90 B.

**Even: even.** Halves are whole.

| Input | Value | From |
|---|--:|---|
| Kit | Beta | preset |
| Size | 30 B | preset |
| Mode | other | entered |
| Weight | 15 B | halved |
| Extra | 3 B | preset |
| Spare | no spare | default |

| Result | Value | |
|---|--:|---|
| Half the size | 15 B |  |
| Twice the size | 90 B | 88 to 92 B |
| At least | 88 B |  |
| At most | 92 B |  |

### Orders

What to type.

| What | How much |
|---|---|
| one | 30 B |
| two | 90 B |

#### Type

one:

```text
buy 30 B
```

two:

```text
buy 90 B
```

### List

To read.

| What | How much |
|---|---|
| one | 15 B |

- Assumes: Sizes are sizes.

State: https://example.org/kit/#mode=other&v=VERSION&was=doubled:90B
"""


def state(**given: str) -> tuple[InputState, Values]:
    resolved = parse_inputs(KIT, given)
    return resolved, answer.evaluated(KIT, resolved)


def test_markdown_has_the_answer_its_verdicts_the_worst_first_inputs_results_sheets_and_the_state() -> None:
    """Three times the thirty of the menu is 90, give or take two."""
    report = markdown.table(KIT, *state(mode="other"), address="https://example.org/kit/")
    assert report == MARKDOWN.replace("VERSION", VERSION)
    assert "| Kit | none | preset |" in markdown.table(KIT, *state(kit="none"))
    assert "\n- Warning: 70 B are many\n- Assumes: " in markdown.table(KIT, *state(kit="gamma"))


def test_a_sheet_of_more_columns_keeps_the_last_for_the_terminal() -> None:
    sheet = replace(SHEET, columns=("A", "B", "C", "Type"), rows=lambda _: (("one", "two", "three", "type {size}"),))
    report = markdown.table_lines(KIT, sheet, state()[1])
    assert [line for line in report if line.startswith("|")] == [
        "| A | B | C |",
        "|---|---|---|",
        "| one | two | three |",
    ]
    assert report[-6:] == ["", "one:", "", "```text", "type 30 B", "```"]
    assert "#### Type" in report


def test_plain_data_has_values_in_base_units_choices_by_key_and_words_of_what_is_computed() -> None:
    report = data.described(KIT, *state(mode="other"))
    assert json.loads(json.dumps(report)) == report
    inputs: dict[str, Any] = report["inputs"]
    assert inputs["size"] == {"value": 30.0, "unit": "B", "text": "30 B", "origin": "preset"}
    assert inputs["mode"] == {"value": "other", "unit": "", "text": "other: three times", "origin": "yours"}
    assert inputs["weight"] == {"value": 15, "unit": "B", "text": "15 B", "origin": "computed", "computed": "halved"}
    results: dict[str, Any] = report["results"]
    band = {"low": 88.0, "high": 92.0, "text": "88 to 92 B"}
    assert results["doubled"] == results["twice"] == {"value": 90.0, "unit": "B", "text": "90 B", "band": band}
    wide: dict[str, Any] = data.described(KIT, *state(size="50", mode="plain"))["results"]
    assert wide["doubled"]["band"]["text"] == "98 to 102 B"
    assert results["half"] == {"value": 15.0, "unit": "B", "text": "15 B"}
    assert results["small"] == {"value": "large", "unit": "", "text": "large: It is 90 B.", "level": "bad"}
    assert (report["presets"], report["warnings"]) == ({"kit": "beta"}, [])


def differing(**given: str) -> list[tuple[str, str]]:
    resolved, _ = state(**given)
    found = differences.differences(KIT, resolved, links.differing(KIT, resolved))
    return [(one["name"], one["text"]) for one in found]


def test_what_differs_is_reported_with_the_default() -> None:
    """What a menu fills is its own, unless something else is typed; a weight would be half of the size."""
    assert differing(kit="gamma", weight="7", size="8", mode="other") == [
        ("kit", "Kit: Gamma, default none"),
        ("size", "Size: 8 B, default 70 B"),
        ("mode", "Mode: other: three times, default plain: as it is"),
        ("weight", "Weight: 7 B, default 4 B"),
    ]
    assert differing(extra="8") == [("extra", "Extra: 8 B, default 3 B")]
    assert differing(kit="none") == [("kit", "Kit: none, default Beta")]
    assert differing() == []


def test_what_equals_its_default_is_not_reported_twice() -> None:
    resolved, _ = state(mode="other")
    found = differences.differences(KIT, resolved, [("mode", "other"), ("size", "30")])
    assert [one["text"] for one in found] == ["Mode: other: three times, default plain: as it is", "Size: 30 B"]


def test_of_each_group_the_text_says_how_many_inputs_changed_and_menus_are_in_none() -> None:
    resolved, _ = state(kit="gamma", weight="7", extra="8", mode="other")
    found = differences.differences(KIT, resolved, links.differing(KIT, resolved))
    assert differences.changed_in_groups(KIT, found) == {"": "1 changed", "more": "2 changed"}


def test_a_file_replaces_its_menu_and_what_lies_next_to_it_stays_the_readers_own() -> None:
    """It says a size and a mode; its unknown input is none of this calculator."""
    report = config_file.response(KIT, {"extra": "5", "size": "9", "weight": ""}, "70")
    assert report["changes"] == {"kit": "none", "extra": "5", "size": "70 B", "mode": "other"}
    assert (report["problem"], report["sentence"]) == ("", "A file.")
    assert (report["remarks"], report["strip"]) == (["Remarkable."], "AB\nCD")
    assert report["parts"] == [
        {"label": "Weights", "number": "7", "share": "70%"},
        {"label": "Rest", "number": "3", "share": "30%"},
    ]
    assert config_file.given(KIT, "70") == {"size": "70 B", "mode": "other"}
    assert "extra" not in config_file.response(KIT, {"extra": ""}, "70")["changes"]


@pytest.mark.parametrize(
    ("calculator", "text", "problem"),
    [
        (KIT, "nonsense", "No input was filled in: nothing is understood."),
        (KIT, " \n", ""),
        (toy(), "70", ""),
        (kit(presets=(replace(KIT.presets[0], file=None),)), "70", ""),
    ],
)
def test_a_file_that_is_not_understood_or_not_there_changes_nothing(
    calculator: Calculator, text: str, problem: str
) -> None:
    report = config_file.response(calculator, {}, text)
    assert report["problem"] == problem
    assert not any(one for key, one in report.items() if key != "problem")


def test_a_calculator_without_such_a_menu_says_so() -> None:
    without = kit(presets=(replace(KIT.presets[0], file=None),))
    assert config_file.menu_of(without) is config_file.menu_of(toy()) is None
    assert config_file.menu_of(KIT) is KIT.presets[0]
    for calculator in (without, toy()):
        with pytest.raises(InputError, match="Toy does not read a configuration file"):
            config_file.given(calculator, "70")


def test_a_value_comes_from_the_chosen_record_from_what_computes_it_or_from_nowhere() -> None:
    resolved, _ = state(kit="gamma", mode="other")
    found = provenance.fact(KIT, resolved, "extra")
    assert found
    assert found.key == "gamma.extra"
    assert [provenance.fact(KIT, resolved, name) for name in ("mode", "weight", "spare")] == [None] * 3
    assert provenance.computing(KIT, resolved, "weight") == "Half the size"
    assert [provenance.computing(KIT, resolved, name) for name in ("size", "mode", "spare")] == [""] * 3


def test_a_default_that_is_a_fact_comes_from_it_until_the_reader_changes_it() -> None:
    fact = facts.fact("ckpt-bf16-master-adam")
    own = {"size": sized(default=fact, unit=fact.unit), "weight": sized(label="Weight"), "mode": KIT_MODE}
    calculator = toy(inputs_of(**own))
    plain_state, given = (
        parse_inputs(calculator, {}),
        parse_inputs(calculator, {"size": "5", "weight": "6", "mode": "b"}),
    )
    assert provenance.fact(calculator, plain_state, "size") is fact
    assert [provenance.fact(calculator, plain_state, name) for name in ("weight", "mode")] == [None, None]
    assert [provenance.fact(calculator, given, name) for name in own] == [None] * 3


def test_of_a_menu_there_is_no_remark_and_of_a_part_of_a_count_there_is_a_problem() -> None:
    assert parsing_notes(KIT, parse_inputs(KIT, {"kit": "alpha"})) == []
    counted = toy(inputs_of(size=sized(whole=True)))
    for typed in ("7.4", "7.6"):
        assert parse_inputs(counted, {"size": typed}).problems == {"size": f"Size must be a whole number, not {typed}"}


def test_a_menu_on_no_record_leaves_the_next_its_own() -> None:
    first = Preset(name="first", label="First", records=(record("one", "One", 8.0, 1.0),), fills={}, default="one")
    both = kit(presets=(first, replace(KIT.presets[0], file=None)))
    resolved = parse_inputs(both, {"first": "none"})
    assert (dict(resolved.presets), resolved.values["size"]) == ({"first": "", "kit": "beta"}, 30.0)


def test_of_two_menus_the_one_that_fills_an_input_is_where_it_comes_from() -> None:
    """The first fills nothing of it, and the second has no record by default."""
    first = Preset(name="first", label="First", records=(record("one", "One", 8.0, 1.0),), fills={}, default="one")
    second = replace(KIT.presets[0], file=None)
    both = kit(presets=(first, second))
    found = provenance.fact(both, parse_inputs(both, {"kit": "alpha"}), "size")
    assert found
    assert found.key == "alpha.size"

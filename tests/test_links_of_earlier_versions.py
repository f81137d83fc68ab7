"""Links, flags and names of earlier versions: each still opens to the same answer."""

import json
from pathlib import Path
from typing import Any

import pytest

import calculators
from calculators.__main__ import main as command_line
from calculators.answers import answer, links
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import Choice

# Written by the version in the file's name: links with the first results they led to, and every public name.
PUBLISHED: dict[str, Any] = json.loads((Path(__file__).parent / "links/0.1.47.json").read_text("utf-8"))
LINKS: list[dict[str, Any]] = PUBLISHED["links"]
NAMES: dict[str, dict[str, Any]] = PUBLISHED["names"]


@pytest.mark.parametrize("name", NAMES)
def test_links_open_to_the_same_answer(name: str) -> None:
    calculator = CALCULATORS[name]
    for one in LINKS:
        if one["calculator"] != name:
            continue
        given, notices = links.read_link(calculator, one["link"])
        assert not notices, one["link"]
        resolved = parse_inputs(calculator, given)
        assert not resolved.problems, one["link"]
        values = answer.evaluated(calculator, resolved)
        found = {old: values[calculator.result_aliases.get(old, old)] for old in one["results"]}
        assert found == pytest.approx(one["results"], rel=1e-12), one["link"]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_inputs_options_and_records_stay_valid(name: str) -> None:
    calculator, known = CALCULATORS[name], NAMES[name]
    assert set(known["inputs"]) <= calculator.canonical_names.keys()
    for old, options in known["options"].items():
        declared = calculator.inputs[calculator.canonical_names[old]]
        assert isinstance(declared, Choice)
        for option in options:
            given, notices = links.read_link(calculator, f"{old}={option}")
            assert not notices
            assert given
    menus = {preset.name: preset for preset in calculator.presets}
    for old, records in known["records"].items():
        assert set(records) <= menus[calculator.canonical_names[old]].by_key.keys()


@pytest.mark.parametrize("name", NAMES)
def test_names_of_results_stay_valid(name: str) -> None:
    result = getattr(calculators, name)()
    for old in NAMES[name]["results"]:
        assert result[old] == result[result.calculator.result_aliases.get(old, old)]


@pytest.mark.parametrize("run", PUBLISHED["machine"], ids=lambda run: " ".join(run["flags"]))
def test_flags_of_the_system_planner_stay_valid(run: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line(["machine", *run["flags"], "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    results = {name: found["results"][name]["value"] for name in run["results"]}
    assert results == pytest.approx(run["results"], rel=1e-9)
    assert set(PUBLISHED["machine_results"][found["kind"]]) <= found["results"].keys()

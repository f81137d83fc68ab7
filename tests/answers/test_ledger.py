"""What a page says of the changes since a link was made: those behind its answer, and no others."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from calculators.answers import ledger, links
from calculators.answers.answer import evaluated
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS

CHECKPOINT = CALCULATORS["checkpoint"]


def entry(version: str, *lines: str, **changed: list[str]) -> dict[str, Any]:
    day = datetime.date(2026, 12, 1)
    return {"version": version, "date": day, "lines": lines or ("Because: 1 → 2",), "moved": [], **changed}


def report(*entries: dict[str, Any], since: str = "0.1.0", result: str = "write_duration") -> list[str]:
    return ledger.since(CHECKPOINT, parse_inputs(CHECKPOINT, {}), result, since, entries)


def test_a_changed_formula_is_named_with_version_day_and_why() -> None:
    (sentence,) = report(entry("0.1.1", "Sizes: 14 → 16 bytes", formulas=["checkpoint_size"]))
    assert sentence == "Version 0.1.1 of 2026-12-01 changed the formula “Checkpoint size”. Sizes: 14 → 16 bytes."


def test_a_changed_default_says_what_it_was_and_is() -> None:
    (sentence,) = report(entry("0.1.1", defaults=["checkpoint.write_bandwidth: 40 GB/s → 50 GB/s"]))
    assert "the default of “Storage write bandwidth” (40 GB/s → 50 GB/s)" in sentence


def test_a_fact_of_the_chosen_record_is_named_and_of_another_is_not() -> None:
    facts = ["llama-3-1-405b.parameters: 405B → 406B", "llama-3-70b.parameters: 70.6B → 71B"]
    (sentence,) = report(entry("0.1.1", facts=facts))
    assert "“Model parameters” of Llama 3.1 405B (405B → 406B)" in sentence
    assert "71B" not in sentence


@pytest.mark.parametrize(
    "changed",
    [
        {"formulas": ["stall_share"]},  # computed from the write duration, not behind it
        {"defaults": ["checkpoint.checkpoint_interval: 1 h → 2 h"]},
        {"defaults": ["goodput.write_bandwidth: 40 GB/s → 50 GB/s"]},
        {"defaults": ["adapters.write_bandwidth: 40 GB/s → 50 GB/s"]},
        {"facts": ["mfu: 40% → 38%"]},
        {
            "facts": ["llama-3-1-405b.vocab: 128256 → 1"]
        },  # of the chosen record, but a checkpoint asks for no vocabulary
        {"facts": ["llama-3-1-405b.a: 1 → 2", "llama-3-1-405b.zone: 1 → 2"]},
        {"menus": ["goodput.model: parameters", "adapters.model: parameters", "checkpoint.gpus: none"]},
        {"formulas": ["parameters"]},  # an input, and no formula
    ],
)
def test_what_does_not_lead_to_the_result_is_not_reported(changed: dict[str, list[str]]) -> None:
    assert report(entry("0.1.1", **changed)) == []


def test_only_later_versions_count_and_they_count_as_numbers() -> None:
    both = [entry("0.1.9", formulas=["checkpoint_size"]), entry("0.1.10", formulas=["checkpoint_size"])]
    assert [sentence.split()[1] for sentence in report(*both, since="0.1.9")] == ["0.1.10"]
    assert report(*both, since="0.1.10") == []
    assert report(*both, since="0.1.x") == report(*both, since="0.1.²") == []
    assert report(entry("soon", formulas=["checkpoint_size"])) == []


@pytest.mark.parametrize("name", ["model", "saved_state"])
def test_a_menu_that_fills_what_leads_to_the_result_is_named(name: str) -> None:
    (sentence,) = report(entry("0.1.1", menus=[f"checkpoint.{name}: what it fills"]))
    menu = next(preset for preset in CHECKPOINT.presets if preset.name == name)
    assert f"changed what the menu “{menu.label}” fills. " in sentence


def test_six_changes_are_named_and_the_others_counted() -> None:
    one = "checkpoint.write_bandwidth: 1 GB/s → 2 GB/s"
    named = "the default of “Storage write bandwidth” (1 GB/s → 2 GB/s)"
    for count, text in ((6, ""), (7, " and 1 more"), (9, " and 3 more")):
        (sentence,) = report(entry("0.1.1", defaults=[one] * count))
        assert f"changed {', '.join([named] * 6)}{text}. Because" in sentence


def test_one_or_two_reasons_are_reported_and_each_ends_as_a_sentence_does() -> None:
    (sentence,) = report(entry("0.1.1", "one", "two!", formulas=["checkpoint_size"]))
    assert sentence.endswith("“Checkpoint size”. one. two!")


def test_many_reasons_are_left_to_the_changelog() -> None:
    (sentence,) = report(entry("0.1.1", "one", "two", "three", formulas=["checkpoint_size"]))
    assert sentence.endswith("The changelog says why.")


def test_of_several_reasons_those_that_name_the_calculator_are_reported() -> None:
    reasons = ("*Goodput*: 1 → 2.", "*Checkpoint size*: 14 → 16 bytes.", "*Power*: 3 → 4.")
    (sentence,) = report(entry("0.1.1", *reasons, formulas=["checkpoint_size"]))
    assert sentence.endswith("changed the formula “Checkpoint size”. Checkpoint size: 14 → 16 bytes.")


def test_a_link_of_an_older_version_says_old_new_and_what_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    newer = [entry("0.1.1", "Sizes: 14 → 16 bytes", formulas=["checkpoint_size"])]
    monkeypatch.setattr(links, "VERSION", "0.1.1")
    monkeypatch.setattr(ledger.since, "__defaults__", (newer,))
    resolved = parse_inputs(CHECKPOINT, {"parameters": "405B"})
    made = links.version_stamp("parameters=405B&v=0.1.0&was=checkpoint_size:5.61TB")
    found = links.changed_since(CHECKPOINT, made, resolved, evaluated(CHECKPOINT, resolved))
    was = "Checkpoint size was 5.61TB when this link was made, with version 0.1.0"
    assert found == [
        f"{was}; now it is 5.67 TB, with version 0.1.1.",
        "Version 0.1.1 of 2026-12-01 changed the formula “Checkpoint size”. Sizes: 14 → 16 bytes.",
    ]

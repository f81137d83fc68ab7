"""Published systems compared with what was published: what holds, what misses, what was fitted, their layouts."""

from __future__ import annotations

import pytest

from builder.pages import cases
from builder.pages.cases import Case
from calculators.declare import InputError
from calculators.machine.description import machine
from calculators.machine.layout import runner_up
from calculators.machine.machines import existing
from calculators.machine.training_state import training_state

ALL = cases.load("machine")
FITTED = "fitted_or_inferred_constant"


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_a_published_figure_is_met_within_its_tolerance_or_is_a_miss_that_says_why(case: Case) -> None:
    for outcome in cases.evaluate(case):
        text = f"{outcome.result}: printed {outcome.printed_text}, here {outcome.ours_text} ({outcome.error_text})"
        if case.why:
            assert outcome.error > 0.01, text
        else:
            assert outcome.error <= case.tolerance, text


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_what_rests_on_inputs_fitted_to_that_run_is_marked_and_nothing_else_is(case: Case) -> None:
    fitted = existing()[case.given["like"]].fitted
    rests = any(machine().behind(result) & fitted for result in case.expect)
    assert (case.strength == FITTED) == rests


def test_all_six_have_published_figures_of_which_some_count() -> None:
    assert len(existing()) == 6
    assert {case.given["like"] for case in ALL} == existing().keys()
    counted = {case.given["like"] for case in ALL if case.strength != FITTED}
    assert counted == existing().keys()


def test_half_of_the_figures_that_count_are_within_a_seventh() -> None:
    """Every figure once, misses too; the layouts as published where they fit."""
    errors = [outcome.error for case in ALL if case.strength != FITTED for outcome in cases.evaluate(case)]
    assert sorted(errors)[len(errors) // 2] <= 1 / 7
    assert max(errors) < 0.35


@pytest.mark.parametrize(("key", "apart"), [("llama-3-405b", 0.0), ("megascale-175b", 0.03), ("deepseek-v3", 0.15)])
def test_the_published_layout_is_close_to_the_best(key: str, apart: float) -> None:
    """With no margin of memory: Llama 3's leaves 1 % free."""
    margin = {"memory_margin": "0"}
    best = training_state({"like": key, **margin}).layout.best[0].time
    published = training_state({"like": key, "laid_out": "published"}).layout.best[0].time
    assert best <= published <= best * (1 + apart) * (1 + 1e-12)


def test_it_says_how_far_the_published_layout_is_from_the_best_and_why() -> None:
    text = {key: runner_up.sentences(training_state({"like": key, "memory_margin": "0"}))[-1] for key in existing()}
    assert text["llama-3-405b"] == "It is the published layout, or as fast."
    assert text["megascale-175b"].startswith("The published layout, tensor 8, pipeline 8, data 192")
    two = runner_up.of_published(training_state({"like": "megascale-175b"}))
    assert two[0].startswith("The layout is ")
    assert two[1:] == [text["megascale-175b"]]
    assert "takes 2.54% longer: more " in text["megascale-175b"]
    assert "does not fit by this calculation: it needs 88.3 GiB" in text["enterprise-64"]
    pinned = runner_up.sentences(training_state({"like": "megascale-175b", "tensor_parallel": "8"}))
    assert not any("published" in sentence for sentence in pinned)


def test_what_is_given_besides_a_machine_goes_before_it() -> None:
    found = training_state({"like": "megascale-175b", "gpus": "6144"})
    assert (found.values["gpus"], found.values["batch_tokens"]) == (6144, 12582912)


def test_a_machine_that_is_unknown_is_refused_by_name() -> None:
    with pytest.raises(InputError, match=r"Unknown system “gpt-5”; use one of llama-3-405b"):
        training_state({"like": "gpt-5"})
    with pytest.raises(InputError, match="use found or published"):
        training_state({"like": "four-a100", "laid_out": "well"})

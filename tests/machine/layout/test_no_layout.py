"""Pinned degrees: every one answers, or is refused with the nearest value that has a layout."""

from __future__ import annotations

import random
import re

import pytest

from calculators.answers.input_state import parse_inputs
from calculators.declare import InputError
from calculators.machine.description import machine
from calculators.machine.layout.no_layout import no_layout
from calculators.machine.layout.space import groups
from calculators.machine.training_state import training_state
from calculators.page.machine import Page
from tests.machine.small_jobs import job

MACHINE = machine()

_MODELS = ("llama-3-8b", "llama-3-70b", "llama-3-1-405b", "deepseek-v3", "gpt-oss-120b")
_GPUS = ("1", "2", "7", "8", "24", "64", "100", "1000", "1023", "4096", "10007", "16384")
_PINS = {
    "tensor_parallel": ("1", "3", "8", "16", "64", "1024"),
    "pipeline_parallel": ("1", "7", "8", "80", "81", "126", "10000"),
    "data_parallel": ("1", "5", "64", "100000"),
    "context_parallel": ("1", "2", "3", "64", "10000"),
    "expert_parallel": ("1", "3", "8", "256", "100000"),
    "expert_tensor_parallel": ("1", "3", "8"),
    "micro_batch": ("1", "3", "64", "100000"),
    "micro_batches": ("1", "7", "1000000"),
    "interleave": ("1", "2", "7", "1000"),
    "zero_stage": ("0", "1", "3"),
    "recompute": ("none", "full"),
    "batch_tokens": ("1", "4M", "1T"),
    "sequence_length": ("100", "8192", "1M"),
    "experts": ("1", "7", "512"),
    "gpus_per_domain": ("1", "8", "72"),
}


@pytest.mark.daily(4)
@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_pinned_answers_or_is_refused_in_a_sentence(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  a seed that names a job, no secret
    for _ in range(40):
        given = {"model": chance.choice(_MODELS), "gpus": chance.choice(_GPUS)}
        given |= {
            name: chance.choice(_PINS[name]) for name in chance.sample(sorted(_PINS), chance.choice([1, 1, 2, 3]))
        }
        try:
            found = training_state(given)
        except InputError as refused:
            text = refused.problems.values()
            assert all(re.match(r"[A-Z0-9“].* .*", one) and len(one) < 900 for one in text), (given, text)
        else:
            assert found.values["training_duration"] > 0, given


def test_a_page_answers_what_is_pinned_after_another_state_or_says_why_not() -> None:
    """While its search is still to come, layouts of the state before are used: of them none may be an error either."""
    page = Page()
    list(page.parts(MACHINE, parse_inputs(MACHINE, {"model": "llama-3-8b", "gpus": "64"})))
    for name, options in _PINS.items():
        for option in options:
            resolved = parse_inputs(MACHINE, {"model": "llama-3-8b", "gpus": "64", name: option})
            try:
                found, _ = page.at_once(MACHINE, resolved)
            except InputError:
                continue
            assert found is None or found.values["training_duration"] > 0, (name, option)


def test_stages_that_take_all_gpus_with_tensor_parallel_leave_none_for_more() -> None:
    """Where tensor ranks and stages exceed the GPUs, there is no such layout, and others are found."""
    found = training_state({"model": "llama-3-70b", "gpus": "64", "pipeline_parallel": "8"})
    assert found.values["layout_gpus"] == 64
    alone = training_state({"model": "llama-3-70b", "gpus": "8", "pipeline_parallel": "8"})
    assert alone.values["tensor_parallel"] == 1


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"gpus": "50", "tensor_parallel": "64"}, "tensor parallel 64: tensor parallel 8 or 64 GPUs would do"),
        ({"gpus": "8", "data_parallel": "64"}, "data parallel 64: data parallel 8 or 64 GPUs would do"),
        ({"gpus": "7", "pipeline_parallel": "8", "interleave": "1"}, "pipeline parallel 5 or 8 GPUs would do"),
        ({"gpus": "100", "batch_tokens": "1"}, "a batch of 1 token has too few sequences of 8,192 tokens"),
    ],
    ids=str,
)
def test_the_refusal_names_the_pinned_value_and_the_nearest_that_does(given: dict[str, str], text: str) -> None:
    with pytest.raises(InputError, match=re.escape(text)) as refused:
        training_state({"model": "llama-3-70b", **given})
    assert refused.value.problems.keys() == {"gpus"}


def test_what_would_do_does() -> None:
    """By searching with the value that the refusal names, for degrees that small jobs cannot have."""
    refusals = 0
    for seed in range(12):
        values = job(seed)
        for name in ("tensor_parallel", "pipeline_parallel", "expert_parallel", "data_parallel"):
            for degree in (3.0, 5.0, 32.0):
                pinned = frozenset({name})
                there = MACHINE.after(values, {name: degree})
                if any(groups(there, pinned)):
                    continue
                refusals += 1
                text = no_layout(MACHINE, there, pinned).problems["gpus"]
                label = MACHINE.inputs[name].label.lower()
                found = re.search(rf": {label} ([\d,]+)", text)
                if found:
                    near = float(found[1].replace(",", ""))
                    assert any(groups(MACHINE.after(values, {name: near}), pinned)), text
    assert refusals > 20

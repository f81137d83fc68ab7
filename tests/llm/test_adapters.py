"""Adapters: each adapted matrix takes its width in and its width out, times the rank; worked out by hand."""

from __future__ import annotations

import dataclasses

import pytest

from calculators.answers.answer import evaluated
from calculators.answers.input_state import valid_inputs
from calculators.answers.transfer import import_states, source
from calculators.catalog import CALCULATORS
from calculators.declare import InputError
from calculators.llm.adapters import Targets, attention_adapters, block_adapters
from calculators.llm.parts import AttentionHeads, FeedForward, LatentAttention, Mixture
from calculators.llm.step.adapters import AdapterWork
from calculators.machine.description import machine
from calculators.vocabulary.models import models

LANGUAGE_MODELS = [record.key for record in models()]
ASKED = ("checkpoint", "training_memory", "training_time")
# DeepSeek-V3 at rank 16: 61 layers of latent attention; 58 with a shared expert 2,048 wide, three of 18,432.
DEEPSEEK_ATTENTION = (7168 + 1536) + (1536 + 128 * 192) + (7168 + 512 + 64) + (512 + 128 * 256) + (128 * 128 + 7168)
DEEPSEEK = {
    "attention": 16 * 61 * DEEPSEEK_ATTENTION,
    "linear": 16 * (61 * DEEPSEEK_ATTENTION + 3 * (58 * (7168 + 2048) + 3 * (7168 + 18432))),
    "all": 16 * (61 * DEEPSEEK_ATTENTION + 3 * (58 * 257 * (7168 + 2048) + 3 * (7168 + 18432))),
}


def _trained(name: str, texts: dict[str, str]) -> float:
    calculator = CALCULATORS[name]
    return float(evaluated(calculator, valid_inputs(calculator, texts))["trainable_parameters"])


@pytest.mark.parametrize(
    ("targets", "latent", "grouped"),
    [("attention", 90, 67), ("linear", 90, 67), ("all", 90, 67), ("query-value", 72, 34), ("fused", 72, 29)],
)
def test_latent_and_grouped_attention_have_adapters_of_their_own_widths(
    targets: Targets, latent: int, grouped: int
) -> None:
    """Width 10, two heads of 5 (2 of them rotary) and 4.

    Latent: queries 10 to 6 to 10, keys and values 10 to 7 + 2 and 7 to 2 x (3 + 4), out 8 to 10: 32 + 40 + 18.
    Grouped, one head of keys: queries 10 to 10, keys 10 to 5, values 10 to 4, out 8 to 10: 20 + 15 + 14 + 18.
    Fused, where there is one projection to fuse: 10 to 10 + 5 + 4.
    """
    assert attention_adapters(1, targets, 10, AttentionHeads(2, 2, 5, 4), LatentAttention(6, 7, 2, 3)) == latent
    assert attention_adapters(3, targets, 10, AttentionHeads(2, 1, 5, 4), LatentAttention(0, 0, 0, 0)) == 3 * grouped


def test_dense_layers_and_shared_experts_have_adapters_and_routed_experts_where_they_are_targets() -> None:
    """One dense layer of 10 to 20; two with four experts of 8 to 6 and a shared one of 10 to 6: 30 + 2 x (16 + 56)."""
    gated, experts = FeedForward(10, 6, 20, matrices=3, layers=3, expert_layers=2), Mixture(4, 1, 8)
    assert block_adapters(2, "all", gated, 3, experts) == 2 * 3 * 174
    assert block_adapters(2, "all", gated._replace(matrices=2), 3, experts) == 2 * 2 * 174
    assert block_adapters(2, "linear", gated, 3, experts) == 2 * 3 * (30 + 2 * 16)
    assert block_adapters(2, "attention", gated, 3, experts) == 0


def test_layers_without_a_block_have_no_adapter_of_one() -> None:
    """Five layers, of which two are experts and one is a dense block."""
    gated, experts = FeedForward(10, 6, 20, matrices=3, layers=5, expert_layers=2), Mixture(4, 1, 8)
    assert block_adapters(1, "linear", gated, 3, experts) == 3 * (30 + 2 * 16)


@pytest.mark.parametrize("targets", list(DEEPSEEK))
@pytest.mark.parametrize("name", ASKED)
def test_adapters_of_deepseek_v3_by_hand(name: str, targets: str) -> None:
    texts = {"model": "deepseek-v3", "job": "lora", "lora_targets": targets}
    assert _trained(name, texts) == DEEPSEEK[targets]


@pytest.mark.parametrize("model", LANGUAGE_MODELS)
def test_every_calculator_and_every_step_counts_the_same_adapters(model: str) -> None:
    """The sum over the matrices that a step multiplies, times the rank, is what checkpoints have and memory keeps."""
    for targets in ("fused", "query-value", "attention", "linear", "all"):
        texts = {"model": model, "job": "lora", "lora_targets": targets, "lora_rank": "8"}
        values = evaluated(machine(), valid_inputs(machine(), texts))
        work: AdapterWork = values["step_shapes"].adapters
        multiplied = sum(work.rank * (one.rows + one.columns) * one.number for one in work.matrices)
        assert multiplied == pytest.approx(values["trainable_parameters"], rel=1e-12)
        assert {_trained(name, texts) for name in ASKED} == {values["trainable_parameters"]}


@pytest.mark.parametrize("model", ["llama-3-8b", "deepseek-v3", "nemotron-h-56b", "gpt-oss-120b"])
@pytest.mark.parametrize("name", ASKED)
def test_a_state_carried_over_from_the_planner_trains_the_same_parameters(model: str, name: str) -> None:
    given = {"model": model, "job": "lora", "lora_rank": "32", "lora_targets": "all"}
    texts, _ = import_states(CALCULATORS[name], [source(machine(), given)])
    planned = evaluated(machine(), valid_inputs(machine(), given))["trainable_parameters"]
    assert _trained(name, texts) == pytest.approx(planned)


@pytest.mark.parametrize("name", ASKED)
def test_a_rank_above_the_hidden_size_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="LoRA rank must be at most the hidden size"):
        _trained(name, {"model": "llama-3-8b", "job": "lora", "lora_rank": "4097", "lora_targets": "query-value"})
    assert _trained(name, {"model": "llama-3-8b", "job": "lora", "lora_rank": "4096", "lora_targets": "query-value"})


def test_the_same_targets_are_offered_and_taken_by_default_everywhere() -> None:
    found = {str(dataclasses.astuple(CALCULATORS[name].inputs["lora_targets"])) for name in ASKED}
    assert len(found) == 1

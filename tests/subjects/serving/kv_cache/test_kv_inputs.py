"""KV cache: contradicting inputs are refused, and defaults follow from what is given."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers.input_state import valid_inputs
from calculators.llm.serving import constraints
from calculators.subjects.serving.kv_cache.calculator import CALCULATOR
from tests.subjects.serving.kv_cache.round_model import problem, values

MIXTURE = {"active_parameters": "2B", "experts": 16, "experts_per_token": 4}


@pytest.mark.parametrize(
    ("given", "blamed", "named"),
    [
        ({"active_parameters": "9B"}, "active_parameters", ("8B parameters", "9B parameters")),
        ({"active_parameters": "2B"}, "experts", ("2B parameters of 8B parameters", "mixture of experts")),
        ({**MIXTURE, "experts": 8}, "experts", ("4 experts", "8 experts", "2B parameters")),
        ({**MIXTURE, "active_parameters": "8B", "experts": 8}, "experts", ("4 experts", "8 experts", "8B parameters")),
        (
            {**MIXTURE, "experts": 4, "experts_per_token": 1, "serving_expert_parallel": 16},
            "serving_expert_parallel",
            ("4 experts", "16 GPUs"),
        ),
        ({**MIXTURE, "serving_expert_parallel": 12}, "serving_expert_parallel", ("12 GPUs", "8 ranks", "a multiple")),
        ({**MIXTURE, "serving_expert_parallel": 3}, "serving_expert_parallel", ("8 ranks", "3 GPUs", "a divisor")),
        ({"serving_expert_parallel": 8}, "serving_expert_parallel", ("1 expert", "8 GPUs")),
        ({"kv_lora_rank": 256}, "kv_lora_rank", ("256", "latent attention")),
        ({"attention": "mha", "heads": 8, "kv_heads": 4}, "kv_heads", ("8 heads", "4 heads", "grouped-query")),
        (
            {"active_parameters": "8B", "experts": 8, "experts_per_token": 9},
            "experts_per_token",
            ("Experts per token", "8 experts"),
        ),
        ({"kv_heads": 16}, "kv_heads", ("8 heads",)),
        ({"heads": 32, "kv_heads": 8, "tensor_parallel": 12}, "serving_tensor_parallel", ("32 heads", "12 ranks")),
        ({"heads": 96, "kv_heads": 12, "tensor_parallel": 8}, "serving_tensor_parallel", ("12 heads", "8 ranks")),
        ({"attention": "hybrid", "window_entry_ratio": "0"}, "window_entry_ratio", ("between 0.01 and 100, not 0",)),
        ({"logged_cache_memory": "11 GB"}, "logged_cache_memory", ("9.31 GiB", "10.2 GiB")),
    ],
)
def test_inputs_that_contradict_each_other_are_refused_with_their_numbers(
    given: dict[str, Any], blamed: str, named: tuple[str, ...]
) -> None:
    problems = problem(**given)
    assert problems.keys() == {blamed}
    assert [part for part in named if part not in problems[blamed]] == []


@pytest.mark.parametrize(
    "given",
    [
        {"active_parameters": "8B"},
        {"active_parameters": "2B", "experts": 4},
        {"active_parameters": "4B", "experts": 8, "experts_per_token": 4},
        {"kv_heads": 8},
        {"kv_heads": 2},
        {"heads": 96, "kv_heads": 12, "tensor_parallel": 12},
        {"heads": 96, "kv_heads": 12, "tensor_parallel": 24},
        {"heads": 96, "kv_heads": 12, "tensor_parallel": 8, "attention": "mqa"},
        {"heads": 96, "kv_heads": 96, "tensor_parallel": 8, "attention": "mha"},
        {"logged_cache_memory": "10 GB"},
        {"attention": "mla", "kv_lora_rank": 1},
        {"attention": "hybrid", "global_layer_share": 0, "window_entry_ratio": 0.01},
    ],
)
def test_inputs_that_agree_are_accepted(given: dict[str, Any]) -> None:
    assert values(**given)["max_sequences"] > 0


def test_latent_attention_needs_a_latent_and_has_a_typical_one() -> None:
    text = "MLA latent width must be above 0 with latent attention: DeepSeek's is 512"
    assert problem(attention="mla", kv_lora_rank=0) == {"kv_lora_rank": text}
    assert values(attention="mla")["cached_values"] == 576
    assert values(attention="gqa", kv_lora_rank=0)["cached_values"] == 2 * 4 * 100


@pytest.mark.parametrize(
    ("given", "name", "counted"),
    [
        # 4,096 wide, 176,168,960 a layer, a norm, two tables of 128,256 rows.
        ({"layers": 32, "heads": 32, "kv_heads": 8}, "parameters", 6688083968),
        ({"layers": 32, "heads": 32, "kv_heads": 8}, "active_parameters", 6688083968),
        ({"layers": 32, "heads": 32, "kv_heads": 8}, "hidden", 4096),
        ({"layers": 32, "hidden": 4096}, "heads", 32),
        ({"kv_heads": 32, "attention": "mha"}, "heads", 32),
        ({"kv_heads": 6}, "heads", 66),
        ({"attention": "mha"}, "kv_heads", 64),
        ({"attention": "mqa"}, "kv_heads", 1),
        ({"active_parameters": "8B"}, "parameters", 8e9),
        ({"model": "deepseek-v3"}, "parameters", 671026404352),
        ({"model": "deepseek-v3"}, "active_parameters", 37552282624),
        ({"model": "gpt-3-175b"}, "context", 2048),
        ({"model": "opt-175b"}, "context", 2048),
        ({"model": "llama-3-1-405b"}, "context", 8192),
        ({"model": "gpt-3-175b", "context": 8192}, "context", 8192),
        ({"attention": "mla"}, "kv_lora_rank", 512),
        ({}, "kv_lora_rank", 0),
    ],
)
def test_defaults_follow_from_what_is_given(given: dict[str, Any], name: str, counted: float) -> None:
    assert valid_inputs(CALCULATOR, {"tensor_parallel": 1, **given}).values[name] == pytest.approx(counted, rel=1e-12)


def test_active_parameters_scale_with_the_size_of_a_mixture() -> None:
    # Mixtral 8x7B has 12,879,925,248 of 46,702,792,704 active; said to be of twice the size, twice as many.
    found = valid_inputs(CALCULATOR, {"model": "mixtral-8x7b", "parameters": 2 * 46702792704}).values
    assert found["active_parameters"] == pytest.approx(2 * 12879925248, rel=1e-12)


def test_active_parameters_may_be_rounded() -> None:
    """Three of seven experts of 8B parameters are 3.43B, as far as a number can say so."""
    least = 8e9 * 3 / 7
    assert constraints.experts_explain_active.function(least * (1 - 1e-12), 8e9, 7, 3) == ""
    assert constraints.experts_explain_active.function(least * (1 - 1e-6), 8e9, 7, 3) != ""

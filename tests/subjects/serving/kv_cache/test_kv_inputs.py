"""KV cache: what cannot be together is refused, and what nobody gives follows."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers.resolve import settled
from calculators.subjects.serving.kv_cache import warnings
from calculators.subjects.serving.kv_cache.calculator import CALCULATOR
from tests.subjects.serving.kv_cache.round_model import problem, values


@pytest.mark.parametrize(
    ("given", "blamed", "said"),
    [
        (
            {"active_parameters": "9B"},
            "active_parameters",
            "Active parameters must be at most all 8B parameters, not 9B parameters",
        ),
        (
            {"active_parameters": "2B"},
            "experts",
            (
                "Only 2B parameters of 8B parameters are active, so this is a mixture of experts: "
                "give its experts and experts per token"
            ),
        ),
        (
            {"active_parameters": "2B", "experts": 8, "experts_per_token": 4},
            "experts",
            (
                "4 experts per token of 8 experts is a larger part than 2B parameters of 8B parameters: "
                "more must be active, or fewer chosen"
            ),
        ),
        (
            {"active_parameters": "8B", "experts": 8, "experts_per_token": 4},
            "experts",
            (
                "With 4 experts per token of 8 experts not all 8B parameters can be active: "
                "give all parameters as well, or those active"
            ),
        ),
        (
            {"active_parameters": "2B", "experts": 4, "serving_expert_parallel": 16},
            "serving_expert_parallel",
            "4 experts cannot be dealt out over 16 GPUs: at most as many would do, or give the experts",
        ),
        (
            {"active_parameters": "2B", "experts": 16, "experts_per_token": 4, "serving_expert_parallel": 12},
            "serving_expert_parallel",
            "Whole groups of 8 ranks cannot be made of 12 GPUs: a multiple would do",
        ),
        (
            {"active_parameters": "2B", "experts": 16, "experts_per_token": 4, "serving_expert_parallel": 3},
            "serving_expert_parallel",
            (
                "8 ranks cannot be divided into 3 GPUs that hold experts: "
                "engines take a divisor, or a multiple where groups of ranks share the experts"
            ),
        ),
        (
            {"serving_expert_parallel": 8},
            "serving_expert_parallel",
            "1 expert cannot be dealt out over 8 GPUs: at most as many would do, or give the experts",
        ),
        (
            {"kv_lora_rank": 256},
            "kv_lora_rank",
            "A latent of 256 belongs to latent attention: choose it, or leave the width out",
        ),
        (
            {"attention": "mha", "heads": 8, "kv_heads": 4},
            "kv_heads",
            (
                "With multi-head attention each of 8 heads has keys and values of its own, "
                "so key-value heads must be as many: with 4 heads choose grouped-query attention"
            ),
        ),
        (
            {"active_parameters": "8B", "experts": 8, "experts_per_token": 9},
            "experts_per_token",
            "Experts per token must not exceed 8 experts",
        ),
        (
            {"kv_heads": 16},
            "kv_heads",
            "Key-value heads must not exceed 8 heads of attention: each serves one or more of them",
        ),
        (
            {"heads": 32, "kv_heads": 8, "tensor_parallel": 12},
            "serving_tensor_parallel",
            (
                "Tensor parallelism deals out whole attention heads: 32 heads cannot be shared evenly by 12 ranks, "
                "and engines and frameworks refuse it; 8 would do"
            ),
        ),
        (
            {"heads": 96, "kv_heads": 12, "tensor_parallel": 8},
            "serving_tensor_parallel",
            (
                "12 heads of keys and values cannot be shared evenly by 8 ranks: engines such as vLLM refuse it, "
                "and take a divisor of 12 heads or a multiple, whose ranks hold copies"
            ),
        ),
        (
            {"attention": "hybrid", "global_layer_share": 0, "window_entry_ratio": "0"},
            "window_entry_ratio",
            "Entry of a window layer, over a global one's must be between 0.01 and 100, not 0",
        ),
        (
            {"logged_cache_memory": "11 GB"},
            "logged_cache_memory",
            (
                "Cache memory per GPU from a log must be at most its 9.31 GiB, not 10.2 GiB: choose the accelerator "
                "that the log is from, or divide the log's figure if it is for several GPUs"
            ),
        ),
    ],
)
def test_inputs_that_cannot_be_together_are_refused_in_a_sentence(
    given: dict[str, Any], blamed: str, said: str
) -> None:
    assert problem(**given) == {blamed: said}


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
def test_inputs_that_can_be_together_are_answered(given: dict[str, Any]) -> None:
    assert values(**given)["max_sequences"] > 0


def test_latent_attention_without_a_latent_is_refused_and_with_its_usual_width_is_not() -> None:
    said = "MLA latent width must be above 0 with latent attention: DeepSeek's is 512"
    assert problem(attention="mla", kv_lora_rank=0) == {"kv_lora_rank": said}
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
def test_what_nobody_gives_follows_from_what_is_given(given: dict[str, Any], name: str, counted: float) -> None:
    assert settled(CALCULATOR, {"tensor_parallel": 1, **given}).values[name] == pytest.approx(counted, rel=1e-12)


def test_another_size_of_a_chosen_mixture_scales_what_is_active() -> None:
    # Mixtral 8x7B has 12,879,925,248 of 46,702,792,704 active; said to be of twice the size, twice as many.
    found = settled(CALCULATOR, {"model": "mixtral-8x7b", "parameters": 2 * 46702792704}).values
    assert found["active_parameters"] == pytest.approx(2 * 12879925248, rel=1e-12)


def test_what_is_active_may_be_rounded() -> None:
    """Three of seven experts of 8B parameters are 3.43B, as far as a number can say so."""
    least = 8e9 * 3 / 7
    assert warnings.experts_explain_active.function(least * (1 - 1e-12), 8e9, 7, 3) == ""
    assert warnings.experts_explain_active.function(least * (1 - 1e-6), 8e9, 7, 3) != ""

"""A configuration that is not understood: refused with all that was not, by its keys."""

from __future__ import annotations

import json
from typing import Any

import pytest

from calculators import configuration
from calculators.configuration import ConfigurationError
from tests.configuration.configurations import LLAMA, PUBLISHED, problems


@pytest.mark.parametrize("family", ["rwkv7", "qwen4_exp", "nemotron-nas", "deepseek_ref"])
def test_a_family_that_is_unknown_is_refused_by_its_name(family: str) -> None:
    (problem,) = problems({"model_type": family, "hidden_size": 64})
    assert problem.startswith(f"model_type “{family}” is not known; known are afmoe, apertus, ")


def test_keys_that_are_not_understood_are_all_listed_with_their_values() -> None:
    found = problems(LLAMA | {"moe_every": 2, "extra_table": {"rows": 4}, "clever": True, "rope_theta": 1e6})
    assert found == [
        "moe_every = 2 is not understood: take it out if it changes no dimension",
        'extra_table = {"rows": 4} is not understood: take it out if it changes no dimension',
        "clever = true is not understood: take it out if it changes no dimension",
    ]


def test_infinity_is_read_where_no_dimension_is_meant_and_refused_by_name_where_one_is() -> None:
    # Nemotron 3's file has "time_step_limit": [0.0, Infinity], as Python's json writes it.
    text = json.dumps(LLAMA | {"rope_theta": float("inf")})
    assert "Infinity" in text
    assert configuration.read(text).stack.parameters == configuration.read(json.dumps(LLAMA)).stack.parameters
    with pytest.raises(ConfigurationError, match="hidden_size must be a whole number from 1 on, not “Infinity”"):
        configuration.read(json.dumps(LLAMA | {"hidden_size": float("inf")}))


def test_every_missing_key_is_named() -> None:
    config = {"model_type": "llama", "num_hidden_layers": 2, "num_attention_heads": 4}
    assert problems(config) == ["hidden_size is missing", "intermediate_size is missing", "vocab_size is missing"]


@pytest.mark.parametrize(("family", "name"), [("minimax", "attn_type_list"), ("mimo_v2_flash", "hybrid_layer_pattern")])
def test_a_list_of_numbers_of_another_length_is_refused(family: str, name: str) -> None:
    config = {"model_type": family, name: [1, 0]} | {key: LLAMA[key] for key in ("hidden_size", "num_hidden_layers")}
    assert f"{name} must name one kind for each layer" in problems(config)
    for wrong, shown in ((3, "3"), ([1, 0, True], "[1, 0, true]"), ([1, 0, 0.5], "[1, 0, 0.5]")):
        assert f"{name} must be a list of whole numbers, not {shown}" in problems(config | {name: wrong})


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"hidden_size": -64}, "hidden_size must be a whole number from 1 on, not -64"),
        ({"hidden_size": "64"}, "hidden_size must be a whole number from 1 on, not “64”"),
        ({"num_hidden_layers": 10**8}, "num_hidden_layers must be at most 2000, not 100000000"),
        ({"vocab_size": 10**9 + 1}, "vocab_size must be a whole number from 1 on, not 1000000001"),
        ({"head_dim": 0}, "head_dim must be a whole number from 1 on, not 0"),
        ({"attention_bias": 1}, "attention_bias must be true or false, not 1"),
        ({"num_key_value_heads": 3}, "num_key_value_heads must divide 4 heads, not be 3"),
    ],
)
def test_a_value_that_cannot_be_is_reported_with_its_key(changed: dict[str, Any], sentence: str) -> None:
    assert problems(LLAMA | changed) == [sentence]


def test_ends_are_within() -> None:
    stack = configuration.of_table(LLAMA | {"num_hidden_layers": 2000, "vocab_size": 10**9}).stack
    assert (len(stack.layers), stack.vocab) == (2000, 10**9)
    assert problems(LLAMA | {"num_hidden_layers": 2001}) == ["num_hidden_layers must be at most 2000, not 2001"]


def test_a_list_of_layers_of_another_length_is_refused() -> None:
    config = LLAMA | {"model_type": "qwen3", "layer_types": ["full_attention"]}
    assert problems(config) == ["layer_types must name one kind for each layer"]
    assert problems(config | {"layer_types": ["full_attention"] * 4}) == problems(config)
    config["layer_types"] = ["full_attention", "hyena", "full_attention"]
    assert problems(config) == ["layer_types has “hyena”, which is not known of this family"]


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("", "This is not JSON"),
        ("[1, 2]", "This is not a config.json"),
        ("{}", "model_type is missing"),
        ("[" * 100_000, "This is nested deeper"),
        ("{" + " " * 20_000_001 + "}", "This is 20,000,003 characters long"),
    ],
)
def test_a_text_that_is_not_a_configuration_is_refused_with_the_reason(text: str, begins: str) -> None:
    (problem,) = problems(text)
    assert problem.startswith(begins)


LATENT: dict[str, Any] = LLAMA | {
    "model_type": "deepseek_v2",
    "kv_lora_rank": 16,
    "moe_intermediate_size": 32,
    "n_routed_experts": 4,
    "num_experts_per_tok": 2,
    "q_lora_rank": 24,
}


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        (LATENT | {"mlp_bias": True}, "mlp_bias = true is not known of this family"),
        (LATENT | {"q_lora_rank": 0}, "q_lora_rank must be a whole number from 1 on, not 0"),
        (
            LLAMA | {"num_attention_heads": 6},
            "hidden_size 64 cannot be shared evenly among 6 heads: head_dim is missing",
        ),
        (
            LLAMA | {"model_type": "falcon", "num_ln_in_parallel_attn": 3},
            "num_ln_in_parallel_attn must be 1 or 2, not 3",
        ),
    ],
)
def test_what_transformers_would_build_differently_is_refused(config: dict[str, Any], sentence: str) -> None:
    assert sentence in problems(config)


ODD: tuple[Any, ...] = (
    *(0, -1, 3, 0.5, 10**12, True, None, "auto", "", float("nan")),
    *([], {}, [1], [[1]], [None], [True], ["full_attention"], ["x"] * 5, {"a": 1}),
)


@pytest.mark.daily(5)
@pytest.mark.parametrize("published", PUBLISHED, ids=lambda one: one["name"])
def test_whatever_a_key_holds_is_read_or_refused_in_sentences(published: dict[str, Any]) -> None:
    """Each key of each published file with something odd in it; inside its tables too."""
    config = published["config"]
    tables = {key: value for key, value in config.items() if isinstance(value, dict)}
    odd = [(key, config | {key: value}) for key in config for value in ODD]
    for name, table in tables.items():
        odd += [(f"{name}.{key}", config | {name: table | {key: value}}) for key in table for value in ODD]
    for key, changed in odd:
        stack = None
        found: list[str] = []
        try:
            stack = configuration.of_table(changed).stack
        except ConfigurationError as refused:
            found = refused.problems
        assert all(problem.strip() for problem in found), key
        assert found or (stack is not None and 0 < stack.active <= stack.parameters), key


def test_a_null_in_a_list_of_kinds_is_named() -> None:
    config = LLAMA | {"model_type": "qwen3", "layer_types": ["full_attention", None, "full_attention"]}
    assert problems(config) == ["layer_types has null, which is not known of this family"]

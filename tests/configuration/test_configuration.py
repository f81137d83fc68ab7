"""A model's own configuration, read to the parameter."""

from __future__ import annotations

from typing import Any

import pytest

from calculators import configuration
from calculators.configuration.families import FAMILIES
from tests.configuration.configurations import LLAMA, PUBLISHED, problems
from tooling.transformers.random_dense import DENSE
from tooling.transformers.random_mixtures import MIXTURES
from tooling.transformers.random_states import LATENTS_AND_STATES


def test_a_small_llama_counts_as_it_does_by_hand() -> None:
    stack = configuration.of_table(LLAMA).stack
    attention = 64 * 64 + 2 * 64 * 32 + 64 * 64
    block = 3 * 64 * 160
    assert stack.parameters == 2 * 100 * 64 + 3 * (attention + block + 2 * 64) + 64
    assert stack.active == stack.parameters
    assert stack.cached == 3 * 2 * 2 * 16


@pytest.mark.parametrize("published", PUBLISHED, ids=lambda one: one["name"])
def test_a_published_configuration_is_read_to_the_parameter(published: dict[str, Any]) -> None:
    """The counts are those of transformers' own classes, built on the meta device."""
    stack = configuration.of_table(published["config"]).stack
    assert stack.parameters == published["parameters"]
    assert sum(stack.parts.values()) == stack.parameters
    assert stack.active == published["active"]
    assert published["cached"] in {None, stack.cached}
    looks = published["layers"]
    assert stack.count("global", "latent", "both") == looks["global"]
    assert stack.count("window", "compressed") == looks["window"]
    assert stack.count("state", "both") == looks["state"]


def test_families_have_a_published_configuration_or_a_random_one_to_compare_with_transformers() -> None:
    checked = {*DENSE, *MIXTURES, *LATENTS_AND_STATES}
    read_as_another = {"qwen2_vl", "qwen2_5_vl", "qwen2_vl_text", "qwen2_5_vl_text"}
    published = {one["config"]["model_type"] for one in PUBLISHED}
    alone = FAMILIES.keys() - checked
    assert alone - published == read_as_another | {
        "bailing_moe_v2",
        "minimax_text_01",
        "minimax_m3",
        "minimax_m3_vl",
    }


def test_what_is_off_or_only_a_word_changes_no_shape() -> None:
    config = LLAMA | {"clever": False, "absent": None, "flavour": "plain", "nothing": []}
    assert configuration.of_table(config).stack == configuration.of_table(LLAMA).stack
    published = {"_attn_implementation_autoset": True, "is_llama_config": True, "quantization": {"bits": 4}}
    assert configuration.of_table(LLAMA | published).stack == configuration.of_table(LLAMA).stack


@pytest.mark.parametrize(
    ("family", "heads", "key_value_heads"),
    [
        *(("llama", 32, 32), ("smollm3", 16, 4), ("mistral", 32, 8), ("qwen2", 64, 32), ("qwen2_vl_text", 64, 8)),
        *(("qwen3", 64, 32), ("glm4", 48, 2), ("seed_oss", 80, 8), ("gemma2", 8, 4), ("starcoder2", 36, 2)),
    ],
)
def test_a_missing_key_is_what_transformers_has_in_that_family(family: str, heads: int, key_value_heads: int) -> None:
    """Files are saved without what is usual: defaults of num_key_value_heads in its classes, version 5.23.0."""
    config = LLAMA | {"model_type": family, "hidden_size": 64 * heads, "num_attention_heads": heads}
    del config["num_key_value_heads"]
    assert configuration.of_table(config).stack.heads.kv_heads == key_value_heads


def test_key_value_heads_that_are_null_are_as_many_as_heads_and_missing_ones_must_divide_them() -> None:
    config = LLAMA | {"model_type": "qwen2", "num_key_value_heads": None}
    assert configuration.of_table(config).stack.heads.kv_heads == 4
    del config["num_key_value_heads"]
    assert problems(config) == ["num_key_value_heads is missing, and the family's 32 divide no 4"]


def test_the_experts_of_a_latent_family_are_transformers_own_where_keys_are_missing() -> None:
    """DeepSeek-V3's own numbers are the defaults of its class, so a file saved by transformers leaves them out."""
    published = next(one for one in PUBLISHED if one["name"] == "deepseek-ai/DeepSeek-V3")
    usual = ("n_routed_experts", "n_shared_experts", "moe_intermediate_size", "first_k_dense_replace", "q_lora_rank")
    config = {name: value for name, value in published["config"].items() if name not in usual}
    assert configuration.of_table(config).stack.parameters == published["parameters"]


def test_a_model_that_sees_is_read_without_its_eyes() -> None:
    around = {"model_type": "llava", "text_config": LLAMA, "vision_config": {"depth": 24}, "image_token_id": 7}
    found = configuration.of_table(around)
    assert found.stack == configuration.of_table(LLAMA).stack
    assert found.not_counted == ("the vision encoder",)
    assert problems(around | {"extra_layers": 3}) == [
        "extra_layers = 3 is not understood: take it out if it changes no dimension"
    ]


def test_the_outer_configuration_ties_the_tables_where_the_inner_one_says_nothing() -> None:
    assert configuration.of_table({"text_config": LLAMA, "tie_word_embeddings": True}).stack.tied
    inner = LLAMA | {"tie_word_embeddings": False}
    assert not configuration.of_table({"text_config": inner, "tie_word_embeddings": True}).stack.tied


def test_multi_token_prediction_layers_are_reported_and_not_counted() -> None:
    config = next(one["config"] for one in PUBLISHED if one["name"] == "deepseek-ai/DeepSeek-V3")
    assert configuration.of_table(config).not_counted == ("multi-token prediction layers",)


def test_the_states_of_a_sequence_are_the_published_values_in_16_bits() -> None:
    """48 layers of Qwen3.5 27B hold 39,714,816 values, of Jamba 28 hold 4,587,520."""
    by_name = {one["name"]: one["config"] for one in PUBLISHED}
    assert configuration.of_table(by_name["Qwen/Qwen3.5-27B"]).stack.state == 2 * 39_714_816
    assert configuration.of_table(by_name["Jamba-v0.1"]).stack.state == 2 * 4_587_520


MISTRAL_SMALL: dict[str, Any] = {
    "architectures": ["Mistral3ForConditionalGeneration"],
    "image_token_index": 10,
    "model_type": "mistral3",
    "multimodal_projector_bias": False,
    "projector_hidden_act": "gelu",
    "spatial_merge_size": 2,
    "text_config": {
        "head_dim": 128,
        "hidden_size": 5120,
        "intermediate_size": 32768,
        "max_position_embeddings": 131072,
        "model_type": "mistral",
        "num_attention_heads": 32,
        "num_hidden_layers": 40,
        "num_key_value_heads": 8,
        "rope_theta": 1000000000.0,
        "sliding_window": None,
        "vocab_size": 131072,
    },
    "vision_config": {"hidden_size": 1024, "model_type": "pixtral"},
    "vision_feature_layer": -1,
}
QWEN_VL: dict[str, Any] = {
    "model_type": "qwen2_5_vl",
    "hidden_size": 3584,
    "image_token_id": 151655,
    "intermediate_size": 18944,
    "max_window_layers": 28,
    "num_attention_heads": 28,
    "num_hidden_layers": 28,
    "num_key_value_heads": 4,
    "sliding_window": 32768,
    "tie_word_embeddings": False,
    "use_sliding_window": False,
    "vision_config": {"depth": 32, "hidden_size": 1280},
    "vision_start_token_id": 151652,
    "vocab_size": 152064,
}
COHERE2: dict[str, Any] = LLAMA | {
    "model_type": "cohere2",
    "head_dim": 16,
    "layer_switch": 3,
    "order_of_interleaved_layers": "local_attn_first",
    "sliding_window": 32,
    "use_embedding_sharing": True,
    "use_gated_activation": True,
    "use_parallel_block": True,
    "use_parallel_embedding": True,
}


def test_keys_of_an_encoder_do_not_change_the_model() -> None:
    """The counts are those of transformers' own classes for the language models."""
    small, flat = configuration.of_table(MISTRAL_SMALL), configuration.of_table(QWEN_VL)
    assert small.stack.parameters == 23_572_403_200
    assert flat.stack.parameters == 7_615_616_512
    assert small.not_counted == flat.not_counted == ("the vision encoder",)


def test_a_key_around_the_model_that_says_the_same_says_nothing_new() -> None:
    twice = QWEN_VL | {"text_config": QWEN_VL | {"model_type": "qwen2_5_vl_text"}}
    assert configuration.of_table(twice).stack.parameters == 7_615_616_512
    other = problems(twice | {"num_hidden_layers": 27})
    assert other == ["num_hidden_layers = 27 is not understood: take it out if it changes no dimension"]
    inner = {"model_type": "internvl_chat", "llm_config": LLAMA, "select_layer": -1, "use_llm_lora": 0}
    assert configuration.of_table(inner).stack == configuration.of_table(LLAMA).stack
    assert problems(inner | {"use_llm_lora": 16}) == [
        "use_llm_lora = 16 is not understood: take it out if it changes no dimension"
    ]


def test_switches_of_a_family_are_read_where_they_are_as_it_has_them() -> None:
    stack = configuration.of_table(COHERE2).stack
    assert (stack.count("window"), stack.count("global"), stack.tied) == (2, 1, True)
    for name in ("use_parallel_block", "use_gated_activation"):
        assert problems(COHERE2 | {name: False}) == [f"{name} = false is not known of this family"]
    assert problems(COHERE2 | {"use_embedding_sharing": False}) == [
        "use_embedding_sharing is false, and the tables are tied"
    ]

"""A model's own configuration: read to the parameter, or refused with all that was not understood."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from calculators import facts
from calculators.__main__ import main
from calculators.answers.answer import evaluated
from calculators.answers.imported import given, menu_of, told
from calculators.answers.resolve import settled
from calculators.catalog import CALCULATORS
from calculators.model import configuration
from calculators.model.configuration import ConfigurationError, filling, telling
from calculators.model.configuration.families import FAMILIES

PUBLISHED: list[dict[str, Any]] = json.loads(Path(__file__).with_name("configurations.json").read_text("utf-8"))
LLAMA: dict[str, Any] = {
    "model_type": "llama",
    "hidden_size": 64,
    "intermediate_size": 160,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 100,
    "max_position_embeddings": 512,
}
Captured = pytest.CaptureFixture[str]


def problems(config: dict[str, Any] | str) -> list[str]:
    """The sentences with which a configuration is refused."""
    text = config if isinstance(config, str) else json.dumps(config)
    with pytest.raises(ConfigurationError) as refused:
        configuration.read(text)
    return refused.value.problems


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
    assert stack.count("global", "latent") == looks["global"]
    assert stack.count("window", "compressed") == looks["window"]
    assert stack.count("state") == looks["state"]


def test_families_have_a_published_configuration_or_a_random_one_beside_transformers() -> None:
    tool = Path(__file__).parents[2] / "tooling" / "with_transformers.py"
    checked = tool.read_text("utf-8")
    read_as_another = {"qwen2_vl", "qwen2_5_vl", "qwen2_vl_text", "qwen2_5_vl_text"}
    read_as_another |= {"qwen3_vl_text", "qwen3_vl_moe_text"}
    assert {family for family in FAMILIES if f'"{family}"' not in checked} == read_as_another


@pytest.mark.parametrize("family", ["kimi_linear", "minimax_m3", "step3p7", "nemotron-nas", "deepseek_ref"])
def test_a_family_nobody_knows_is_refused_by_its_name(family: str) -> None:
    (problem,) = problems({"model_type": family, "hidden_size": 64})
    assert problem.startswith(f"model_type “{family}” is not known; known are bloom, ")


def test_keys_that_nobody_understands_are_all_listed_with_their_values() -> None:
    told = problems(LLAMA | {"moe_every": 2, "extra_table": {"rows": 4}, "clever": True, "rope_theta": 1e6})
    assert told == [
        "moe_every = 2 is not understood",
        "extra_table = {'rows': 4} is not understood",
        "clever = True is not understood",
    ]


def test_what_is_off_or_only_a_word_changes_no_shape() -> None:
    config = LLAMA | {"clever": False, "absent": None, "flavour": "plain", "nothing": []}
    assert configuration.of_table(config).stack == configuration.of_table(LLAMA).stack
    published = {"_attn_implementation_autoset": True, "is_llama_config": True, "quantization": {"bits": 4}}
    assert configuration.of_table(LLAMA | published).stack == configuration.of_table(LLAMA).stack


def test_every_missing_key_is_named() -> None:
    config = {"model_type": "llama", "num_hidden_layers": 2, "num_attention_heads": 4}
    assert problems(config) == ["hidden_size is missing", "intermediate_size is missing", "vocab_size is missing"]


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


@pytest.mark.parametrize(("family", "name"), [("minimax", "attn_type_list"), ("mimo_v2_flash", "hybrid_layer_pattern")])
def test_a_list_of_numbers_of_another_length_is_refused(family: str, name: str) -> None:
    config = {"model_type": family, name: [1, 0]} | {key: LLAMA[key] for key in ("hidden_size", "num_hidden_layers")}
    assert f"{name} must name one kind for each layer" in problems(config)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"hidden_size": -64}, "hidden_size must be a whole number from 1 on, not -64"),
        ({"hidden_size": "64"}, "hidden_size must be a whole number from 1 on, not “64”"),
        ({"num_hidden_layers": 10**8}, "num_hidden_layers must be at most 2000, not 100000000"),
        ({"attention_bias": 1}, "attention_bias must be true or false, not 1"),
        ({"num_key_value_heads": 3}, "num_key_value_heads must divide 4 heads, not be 3"),
    ],
)
def test_a_value_that_cannot_be_is_said_with_its_key(changed: dict[str, Any], sentence: str) -> None:
    assert problems(LLAMA | changed) == [sentence]


def test_a_list_of_layers_of_another_length_is_refused() -> None:
    config = LLAMA | {"model_type": "qwen3", "layer_types": ["full_attention"]}
    assert problems(config) == ["layer_types must name one kind for each layer"]
    config["layer_types"] = ["full_attention", "hyena", "full_attention"]
    assert problems(config) == ["layer_types has “hyena”, which is not known of this family"]


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("", "This is no JSON"),
        ("[1, 2]", "This is no config.json"),
        ("{}", "model_type is missing"),
        ("[" * 100_000, "This is nested deeper"),
        ("{" + " " * 1_000_001 + "}", "This is 1,000,003 characters long"),
    ],
)
def test_what_is_no_configuration_is_said_to_be_none(text: str, begins: str) -> None:
    (problem,) = problems(text)
    assert problem.startswith(begins)


def test_a_model_that_sees_is_read_without_its_eyes() -> None:
    around = {"model_type": "llava", "text_config": LLAMA, "vision_config": {"depth": 24}, "image_token_id": 7}
    found = configuration.of_table(around)
    assert found.stack == configuration.of_table(LLAMA).stack
    assert found.not_counted == ("the vision encoder",)
    assert problems(around | {"extra_layers": 3}) == ["extra_layers = 3 is not understood"]


def test_the_outer_configuration_ties_the_tables_where_the_inner_one_says_nothing() -> None:
    assert configuration.of_table({"text_config": LLAMA, "tie_word_embeddings": True}).stack.tied
    inner = LLAMA | {"tie_word_embeddings": False}
    assert not configuration.of_table({"text_config": inner, "tie_word_embeddings": True}).stack.tied


def test_layers_that_predict_further_tokens_are_reported_and_not_counted() -> None:
    config = next(one["config"] for one in PUBLISHED if one["name"] == "deepseek-ai/DeepSeek-V3")
    assert configuration.of_table(config).not_counted == ("layers that predict further tokens",)


def test_the_states_of_a_sequence_are_the_published_values_in_16_bits() -> None:
    """48 layers of Qwen3.5 27B hold 39,714,816 values, of Jamba 28 hold 4,587,520."""
    by_name = {one["name"]: one["config"] for one in PUBLISHED}
    assert configuration.of_table(by_name["Qwen/Qwen3.5-27B"]).stack.state == 2 * 39_714_816
    assert configuration.of_table(by_name["Jamba-v0.1"]).stack.state == 2 * 4_587_520


def test_a_quantization_is_a_suggestion() -> None:
    found = configuration.of_table(LLAMA | {"quantization_config": {"quant_method": "fp8", "fmt": "e4m3"}})
    assert found.weight_bits == 8
    assert "weight_bytes" not in filling.dimensions(found)


@pytest.mark.parametrize("name", [name for name, one in CALCULATORS.items() if menu_of(one)])
def test_every_calculator_with_a_menu_of_models_takes_a_configuration(name: str, tmp_path: Path) -> None:
    config = next(one for one in PUBLISHED if one["name"] == "Qwen/Qwen3-30B-A3B")
    file = tmp_path / "config.json"
    file.write_text(json.dumps(config["config"]), "utf-8")
    assert main([name, "--config", str(file)]) == 0


def test_the_reader_s_own_values_go_before_the_configuration(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps(next(one for one in PUBLISHED if one["name"] == "phi-4")["config"]), "utf-8")
    assert main(["kv_cache", "--config", str(file), "--layers", "20", "--tp", "2", "--json"]) == 0
    inputs = json.loads(capsys.readouterr().out)["inputs"]
    assert (inputs["layers"]["value"], inputs["heads"]["value"]) == (20, 40)
    assert inputs["parameters"]["value"] == 14_659_507_200


def test_a_configuration_that_is_not_understood_stops_the_calculation(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps(LLAMA | {"clever": 2}), "utf-8")
    for name in ("model", "kv_cache"):
        assert main([name, "--config", str(file)]) == 2
        assert "clever = 2 is not understood" in capsys.readouterr().err
    assert main(["model", "--config", str(tmp_path / "none.json")]) == 2
    assert "cannot be read: no such file" in capsys.readouterr().err


def test_the_report_shows_the_strip_of_layers_and_the_parts(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "config.json"
    config = next(one for one in PUBLISHED if one["name"] == "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16")
    file.write_text(json.dumps(config["config"]), "utf-8")
    assert main(["model", "--config", str(file)]) == 0
    report = capsys.readouterr().out
    assert report.startswith("31.6B parameters in 52 layers: 6 with attention to everything, 23 with a state, 23 with")
    strip = config["config"]["hybrid_override_pattern"].translate(str.maketrans("M*E", "sA-"))
    assert strip in report
    assert "31,577,937,344" in report


@pytest.mark.parametrize("published", PUBLISHED, ids=lambda one: one["name"])
def test_the_cache_of_a_token_is_that_of_its_layers(published: dict[str, Any]) -> None:
    """Layers with a state keep nothing of a token, windows may have heads of their own."""
    cache = CALCULATORS["kv_cache"]
    texts = {**given(cache, json.dumps(published["config"])), "serving_tensor_parallel": "1"}
    values = evaluated(cache, settled(cache, texts))
    stack = configuration.of_table(published["config"]).stack
    compressed = sum(layer.mixer.compressed for layer in stack.layers)
    assert values["cache_per_token"] == pytest.approx(2 * (stack.cached + compressed), rel=1e-9)
    assert values["parameters"] == stack.parameters
    assert values["active_parameters"] == stack.active
    assert values["state_per_sequence"] == stack.state


def test_a_million_tokens_of_deepseek_v4_pro_take_what_is_published() -> None:
    """DeepSeek prints 9.62 GiB for a context of a million tokens; windows and whole pages come on top of it."""
    cache = CALCULATORS["kv_cache"]
    given_ = {"model": "deepseek-v4-pro", "context": "1048576", "serving_tensor_parallel": "1"}
    values = evaluated(cache, settled(cache, given_))
    assert values["compressed_values"] * 2 * 1_048_576 / 2**30 == pytest.approx(9.62, abs=0.005)
    assert values["cache_per_sequence"] / 2**30 == pytest.approx(9.62, abs=0.02)


def test_nemotron_3_ultra_caches_a_ninth_of_what_all_its_layers_would() -> None:
    cache = CALCULATORS["kv_cache"]
    values = evaluated(cache, settled(cache, {"model": "nemotron-3-ultra"}))
    assert values["cache_per_token"] == 12_288
    assert values["layers"] == 9 * values["attention_layers"]


def test_tables_looked_up_and_routed_experts_are_told_to_programs() -> None:
    """DeepSeek-V3's table of 129,280 rows, 58 layers of 256 experts; GPT-2's positions beside a tied table."""
    (deepseek,) = (one["config"] for one in PUBLISHED if one["name"] == "deepseek-ai/DeepSeek-V3")
    said = telling.described(configuration.of_table(deepseek))
    assert said["embedding_parameters"] == 129_280 * 7168
    assert said["routed_parameters"] == 58 * 256 * 3 * 7168 * 2048
    gpt = {"model_type": "gpt2", "n_embd": 64, "n_head": 4, "n_layer": 2, "n_positions": 50, "vocab_size": 100}
    assert telling.described(configuration.of_table(gpt))["embedding_parameters"] == 50 * 64


def test_routed_experts_in_a_latent_are_no_more_than_the_model() -> None:
    """Nemotron 3 Ultra's 48 layers of 512 experts, each two matrices of 5,120 by a latent of 2,048."""
    calculator = CALCULATORS["kv_cache"]
    values = evaluated(calculator, settled(calculator, {"model": "nemotron-3-ultra", "gpu_memory": "8 TB"}))
    assert values["expert_hidden"] == 2048
    assert values["routed_parameters"] == pytest.approx(48 * 512 * 2 * 5120 * 2048, rel=1e-3)
    assert values["count_correction"] == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("model", [*facts.records("models"), *facts.records("imported-models")])
def test_no_model_of_the_menu_has_more_experts_than_parameters(model: str) -> None:
    calculator = CALCULATORS["kv_cache"]
    values = evaluated(calculator, settled(calculator, {"model": model, "gpu_memory": "8 TB"}))
    assert values["routed_parameters"] <= values["parameters"]


def test_a_state_is_split_over_ranks_that_share_fewer_heads() -> None:
    cache = CALCULATORS["kv_cache"]
    texts = {"kv_heads": "2", "heads": "8", "layers": "9", "attention_layers": "3", "state_per_sequence": "8 MiB"}
    one, eight = (evaluated(cache, settled(cache, {**texts, "serving_tensor_parallel": n})) for n in ("1", "8"))
    assert one["cache_per_sequence_per_gpu"] == one["cache_per_sequence"]
    tokens = one["cache_per_sequence"] - 8 * 2**20
    assert eight["cache_per_sequence_per_gpu"] == tokens / 2 + 2**20


def test_presets_are_what_the_reader_makes_of_the_same_configurations() -> None:
    by_file = {f"{one['name'].replace('/', '--')}_config.json": one["config"] for one in PUBLISHED}
    compared = 0
    for record in facts.records("imported-models").values():
        config = by_file.get(record.fields["layers"].where)
        if config is None or record.value("weight_bytes"):
            continue
        compared += 1
        for name, value in filling.dimensions(configuration.of_table(config)).items():
            if name not in {"positions", "state_per_sequence"}:  # the copies here are without words, as of precision
                assert record.value(name) == value, (record.key, name)
    assert compared >= 12


def test_a_file_leaves_what_is_beside_the_menu_to_the_reader_and_nothing_of_another_model() -> None:
    time = CALCULATORS["training_time"]
    changes = told(time, {"tokens": "3T", "layers": "7"}, json.dumps(LLAMA))["changes"]
    assert changes["model"] == "none"
    assert changes["tokens"] == "3T"
    assert changes["layers"] == "3"
    refused = told(time, {}, json.dumps(LLAMA | {"clever": 2}))
    assert refused["problem"] == "Nothing was filled in: clever = 2 is not understood."
    assert refused["changes"] == {}
    assert told(time, {}, "  ")["problem"] == ""


def test_a_text_for_a_page_is_the_same_for_people_and_programs() -> None:
    found = configuration.of_table(LLAMA)
    told = telling.described(found)
    assert told["parameters"] == sum(told["parts"].values())
    assert given(CALCULATORS["kv_cache"], json.dumps(LLAMA))["layers"] == "3"


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


def test_keys_of_an_encoder_do_not_stand_in_the_way_of_the_model() -> None:
    """The counts are those of transformers' own classes for the language models."""
    small, flat = configuration.of_table(MISTRAL_SMALL), configuration.of_table(QWEN_VL)
    assert small.stack.parameters == 23_572_403_200
    assert flat.stack.parameters == 7_615_616_512
    assert small.not_counted == flat.not_counted == ("the vision encoder",)


def test_a_key_around_the_model_that_says_the_same_says_nothing_new() -> None:
    twice = QWEN_VL | {"text_config": QWEN_VL | {"model_type": "qwen2_5_vl_text"}}
    assert configuration.of_table(twice).stack.parameters == 7_615_616_512
    other = problems(twice | {"num_hidden_layers": 27})
    assert other == ["num_hidden_layers = 27 is not understood"]
    inner = {"model_type": "internvl_chat", "llm_config": LLAMA, "select_layer": -1, "use_llm_lora": 0}
    assert configuration.of_table(inner).stack == configuration.of_table(LLAMA).stack
    assert problems(inner | {"use_llm_lora": 16}) == ["use_llm_lora = 16 is not understood"]


def test_switches_of_a_family_are_read_where_they_stand_as_it_has_them() -> None:
    stack = configuration.of_table(COHERE2).stack
    assert (stack.count("window"), stack.count("global"), stack.tied) == (2, 1, True)
    for name in ("use_parallel_block", "use_gated_activation"):
        assert problems(COHERE2 | {name: False}) == [f"{name} = false is not known of this family"]
    assert problems(COHERE2 | {"use_embedding_sharing": False}) == [
        "use_embedding_sharing is false, and the tables are tied"
    ]


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
def test_what_transformers_would_build_otherwise_is_refused(config: dict[str, Any], sentence: str) -> None:
    assert sentence in problems(config)

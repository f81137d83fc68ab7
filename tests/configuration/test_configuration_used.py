"""Uses of a configuration: command line, calculators, menus, page."""

from __future__ import annotations

import json
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from calculators import configuration, facts
from calculators.__main__ import main
from calculators.answers.answer import evaluated
from calculators.answers.config_file import given, menu_of, response
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from calculators.configuration import dimensions, report
from tests.configuration.configurations import LLAMA, PUBLISHED

Captured = pytest.CaptureFixture[str]


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
    printed = capsys.readouterr().out
    assert printed.startswith("31.6B parameters in 52 layers: 6 with full attention, 23 with a state, 23 with")
    strip = config["config"]["hybrid_override_pattern"].translate(str.maketrans("M*E", "sA-"))
    assert strip in printed
    assert "31,577,937,344" in printed


@pytest.mark.parametrize("published", PUBLISHED, ids=lambda one: one["name"])
def test_the_cache_of_a_token_is_that_of_its_layers(published: dict[str, Any]) -> None:
    """Layers with a state keep nothing of a token, windows may have heads of their own."""
    cache = CALCULATORS["kv_cache"]
    texts = {**given(cache, json.dumps(published["config"])), "serving_tensor_parallel": "1"}
    values = evaluated(cache, valid_inputs(cache, texts))
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
    values = evaluated(cache, valid_inputs(cache, given_))
    assert values["compressed_values"] * 2 * 1_048_576 / 2**30 == pytest.approx(9.62, abs=0.005)
    assert values["cache_per_sequence"] / 2**30 == pytest.approx(9.62, abs=0.02)


def test_nemotron_3_ultra_caches_a_ninth_of_what_all_its_layers_would() -> None:
    cache = CALCULATORS["kv_cache"]
    values = evaluated(cache, valid_inputs(cache, {"model": "nemotron-3-ultra"}))
    assert values["cache_per_token"] == 12_288
    assert values["layers"] == 9 * values["attention_layers"]


def test_plain_data_has_lookup_tables_and_routed_experts() -> None:
    """DeepSeek-V3's table of 129,280 rows, 58 layers of 256 experts; GPT-2's positions next to a tied table."""
    (deepseek,) = (one["config"] for one in PUBLISHED if one["name"] == "deepseek-ai/DeepSeek-V3")
    message = report.to_dict(configuration.of_table(deepseek))
    assert message["embedding_parameters"] == 129_280 * 7168
    assert message["routed_parameters"] == 58 * 256 * 3 * 7168 * 2048
    gpt = {"model_type": "gpt2", "n_embd": 64, "n_head": 4, "n_layer": 2, "n_positions": 50, "vocab_size": 100}
    assert report.to_dict(configuration.of_table(gpt))["embedding_parameters"] == 50 * 64


def test_routed_experts_in_a_latent_are_no_more_than_the_model() -> None:
    """Nemotron 3 Ultra's 48 layers of 512 experts, each two matrices of 5,120 by a latent of 2,048."""
    calculator = CALCULATORS["kv_cache"]
    values = evaluated(calculator, valid_inputs(calculator, {"model": "nemotron-3-ultra", "gpu_memory": "8 TB"}))
    assert values["expert_hidden"] == 2048
    assert values["routed_parameters"] == pytest.approx(48 * 512 * 2 * 5120 * 2048, rel=1e-3)
    assert values["count_correction"] == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("model", [*facts.records("models"), *facts.records("imported-models")])
def test_no_model_of_the_menu_has_more_experts_than_parameters(model: str) -> None:
    calculator = CALCULATORS["kv_cache"]
    values = evaluated(calculator, valid_inputs(calculator, {"model": model, "gpu_memory": "8 TB"}))
    assert values["routed_parameters"] <= values["parameters"]


def test_a_state_is_split_over_ranks_that_share_fewer_heads() -> None:
    cache = CALCULATORS["kv_cache"]
    texts = {"kv_heads": "2", "heads": "8", "layers": "9", "attention_layers": "3", "state_per_sequence": "8 MiB"}
    one, eight = (evaluated(cache, valid_inputs(cache, {**texts, "serving_tensor_parallel": n})) for n in ("1", "8"))
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
        for name, value in dimensions.dimensions(configuration.of_table(config)).items():
            if name not in {"positions", "state_per_sequence"}:  # the copies here are without words, as of precision
                assert record.value(name) == value, (record.key, name)
    assert compared >= 12


def test_a_file_keeps_other_inputs_and_clears_those_of_another_model() -> None:
    time = CALCULATORS["training_time"]
    changes = response(time, {"tokens": "3T", "layers": "7"}, json.dumps(LLAMA))["changes"]
    assert changes["model"] == "none"
    assert changes["tokens"] == "3T"
    assert changes["layers"] == "3"
    refused = response(time, {}, json.dumps(LLAMA | {"clever": 2}))
    assert (
        refused["problem"]
        == "No input was filled in: clever = 2 is not understood: take it out if it changes no dimension."
    )
    assert refused["changes"] == {}
    assert response(time, {}, "  ")["problem"] == ""


def test_a_text_for_a_page_is_the_same_for_people_and_programs() -> None:
    found = configuration.of_table(LLAMA)
    printed = report.to_dict(found)
    assert printed["parameters"] == sum(printed["parts"].values())
    assert given(CALCULATORS["kv_cache"], json.dumps(LLAMA))["layers"] == "3"


def test_layers_with_a_state_are_no_attention_in_any_count() -> None:
    """Nemotron-H 56B: 10 of 118 layers have attention 8,192 wide; its table is 131,072 rows of 8,192, looked up."""
    table = 131_072 * 8192
    training, cache = CALCULATORS["training_time"], CALCULATORS["kv_cache"]
    taken = {"model": "nemotron-h-56b"}
    values = evaluated(training, valid_inputs(training, taken | {"sequence_length": "8192"}))
    assert values["causal_attention_flops"] == 6 * 10 * 8192 * 8192
    assert values["multiplied_parameters"] == 56_324_350_464 - table
    nano = evaluated(training, valid_inputs(training, {"model": "nemotron-3-nano"}))
    assert nano["multiplied_parameters"] == 3_580_073_408 - 131_072 * 2688
    # Of a model that is smaller than its tables their share is left out, as always.
    small = evaluated(training, valid_inputs(training, taken | {"parameters": "1B", "active_parameters": "1B"}))
    assert 0 < small["multiplied_parameters"] < 1e9
    assert evaluated(cache, valid_inputs(cache, taken))["lookup_table_parameters"] == table


def test_tables_that_layers_look_up_are_read_by_no_step() -> None:
    """Gemma 3n E4B: 262,144 rows of 256 for each of 35 layers, of 6,835,235,568 parameters, tables tied."""
    config = next(one["config"] for one in PUBLISHED if one["name"] == "gemma-3n-E4B (text)")
    table = 262_144 * 256 * 35
    cache, training = CALCULATORS["kv_cache"], CALCULATORS["training_time"]
    kept = evaluated(cache, valid_inputs(cache, given(cache, json.dumps(config))))
    assert kept["shared_weights_read"] == 2 * (6_835_235_568 - table)
    run = evaluated(training, valid_inputs(training, given(training, json.dumps(config))))
    assert run["multiplied_parameters"] == 6_835_235_568 - table


def test_a_model_without_attention_is_served_by_its_state() -> None:
    """Mamba-2 2.7B, 64 layers: a convolution of 5,376 over 4 and 5,120 by 128 values of state, in two bytes."""
    config = next(one["config"] for one in PUBLISHED if one["name"] == "mamba2-2.7b")
    text = json.dumps(config)
    state = 64 * 2 * (5376 * 4 + 5120 * 128)
    cache, serving = CALCULATORS["kv_cache"], CALCULATORS["inference"]
    kept = evaluated(cache, valid_inputs(cache, given(cache, text)))
    assert kept["cache_per_sequence"] == state
    assert kept["cache_per_token"] == 0
    served = evaluated(serving, valid_inputs(serving, given(serving, text)))
    assert served["offload_pays_off"].word == "nothing to offload"
    assert all(math.isfinite(value) for value in served.values() if isinstance(value, float))


@pytest.mark.parametrize(
    ("changed", "filled"),
    [
        ({}, {"attention": "gqa", "kv_heads": 2, "head_dim": 16}),  # 4 heads of 16 are 64, the hidden size
        ({"num_key_value_heads": 4}, {"attention": "mha", "kv_heads": 4, "head_dim": 16}),
        ({"num_key_value_heads": 1}, {"attention": "mqa", "kv_heads": 1, "head_dim": 16}),
        ({"head_dim": 32}, {"attention": "gqa", "kv_heads": 2, "head_dim": 32, "attention_width": 4 * 32}),
        ({"head_dim": 8}, {"attention": "gqa", "kv_heads": 2, "head_dim": 8, "attention_width": 4 * 8}),
        (
            {
                "model_type": "mimo_v2_flash",
                "head_dim": 20,
                "v_head_dim": 12,
                "hybrid_layer_pattern": [0, 0, 0],
                "n_routed_experts": 4,
                "num_experts_per_tok": 2,
                "moe_intermediate_size": 32,
            },
            {"attention": "gqa", "kv_heads": 2, "head_dim": 20, "v_head_dim": 12},  # 4 x (20 + 12) / 2 are 64
        ),
        (
            {"model_type": "granitemoehybrid", "num_local_experts": 0, "layer_types": ["mamba", "attention", "mamba"]},
            {"attention": "gqa", "kv_heads": 2, "head_dim": 16, "attention_layers": 1},
        ),
    ],
    ids=["gqa", "mha", "mqa", "wide", "narrow", "values", "states"],
)
def test_of_heads_and_layers_what_is_not_usual_is_filled_in(changed: dict[str, Any], filled: dict[str, Any]) -> None:
    names = {"attention", "kv_heads", "head_dim", "v_head_dim", "attention_width", "attention_layers"}
    found = dimensions.dimensions(configuration.of_table(LLAMA | changed))
    assert {name: value for name, value in found.items() if name in names} == filled


def test_an_entry_of_a_window_layer_is_the_mean_over_the_mean_of_global_layers() -> None:
    mixers = [("global", 6), ("global", 2), ("global", 0), ("window", 3), ("window", 2), ("state", 9)]
    layers = [SimpleNamespace(mixer=SimpleNamespace(kind=kind, cached=cached)) for kind, cached in mixers]
    stack: Any = SimpleNamespace(layers=layers)
    assert dimensions._window_entry_ratio(stack) == ((3 + 2) / 2) / ((6 + 2) / 2)


def test_a_dense_model_fills_its_dimensions_and_nothing_else() -> None:
    """Tables of 100 x 64; in a layer 64 x (2 x 64 + 2 x 32), 3 x 64 x 160 and two norms; and a norm at the end."""
    parameters = 2 * 100 * 64 + 3 * (64 * 192 + 3 * 64 * 160 + 128) + 64
    assert dimensions.dimensions(configuration.of_table(LLAMA)) == {
        "parameters": parameters,
        "active_parameters": parameters,
        "layers": 3,
        "vocab": 100,
        "tied_embeddings": False,
        "hidden": 64,
        "heads": 4,
        "head_dim": 16,
        "kv_heads": 2,
        "ffn_hidden": 160,
        "gated": True,
        "attention": "gqa",
        "positions": 512,
    }


def test_a_mixture_fills_its_experts_its_dense_layers_and_its_latents() -> None:
    """DeepSeek-V3 as its own file has it: 3 of 61 layers dense and nine times as wide as one of its 256 experts."""
    config = next(one["config"] for one in PUBLISHED if one["name"] == "deepseek-ai/DeepSeek-V3")
    found = dimensions.dimensions(configuration.of_table(config))
    of_layers = {"layers": 61, "dense_layers": 3, "hidden": 7168, "vocab": 129_280}
    of_experts = {"experts": 256, "experts_per_token": 8, "shared_experts": 1, "ffn_hidden": 2048}
    of_latents = {
        "q_lora_rank": 1536,
        "kv_lora_rank": 512,
        "rope_head_dim": 64,
        "nope_head_dim": 128,
        "v_head_dim": 128,
    }
    stated = {**of_layers, **of_experts, **of_latents, "dense_ffn_hidden": 18_432, "attention": "mla", "heads": 128}
    assert {name: found[name] for name in stated} == stated


def test_what_was_read_is_plain_data_too_and_nothing_to_read_is_reported(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps(LLAMA), "utf-8")
    assert main(["model", "--config", str(file), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads(json.dumps(report.to_dict(configuration.of_table(LLAMA))))
    with pytest.raises(SystemExit):
        main(["model"])
    assert "--config" in capsys.readouterr().err

"""Bytes per weight by part, from every form of `quantization_config`, against published sizes and sums by hand."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from calculators import configuration
from calculators.__main__ import main
from calculators.configuration import Configuration, dimensions, report
from calculators.configuration.quantization import Quantization
from calculators.configuration.quantization import patterns as patterns_of
from tests.configuration.configurations import LLAMA, PUBLISHED

GIB = 2**30
FP8_BLOCKS = {"quant_method": "fp8", "fmt": "e4m3", "activation_scheme": "dynamic", "weight_block_size": [128, 128]}
MXFP4 = {
    "quant_method": "mxfp4",
    "modules_to_not_convert": [
        "model.layers.*.self_attn",
        "model.layers.*.mlp.router",
        "model.embed_tokens",
        "lm_head",
    ],
}
INT4_EXPERTS = {
    "quant_method": "compressed-tensors",
    "format": "pack-quantized",
    "config_groups": {
        "group_0": {
            "input_activations": None,
            "targets": ["Linear"],
            "weights": {"group_size": 32, "num_bits": 4, "strategy": "group", "symmetric": True, "type": "int"},
        }
    },
    "ignore": ["lm_head", "re:.*self_attn.*", "re:.*shared_experts.*", r"re:.*mlp\.(gate|up|gate_up|down)_proj.*"],
}
MINIMAX_M3: dict[str, Any] = {
    "model_type": "minimax_m3_vl",
    "text_config": {
        "hidden_size": 6144,
        "intermediate_size": 3072,
        "num_hidden_layers": 60,
        "num_attention_heads": 64,
        "num_key_value_heads": 4,
        "head_dim": 128,
        "vocab_size": 200064,
        "max_position_embeddings": 1048576,
        "use_gemma_norm": True,
        "attention_output_gate": False,
        "use_qk_norm": True,
        "qk_norm_type": "per_head",
        "use_routing_bias": True,
        "dense_intermediate_size": 12288,
        "shared_intermediate_size": 3072,
        "num_local_experts": 128,
        "num_experts_per_tok": 4,
        "n_shared_experts": 1,
        "num_mtp_modules": 1,
        "moe_layer_freq": [0] * 3 + [1] * 57,
        "sparse_attention_config": {
            "use_sparse_attention": True,
            "sparse_index_dim": 128,
            "sparse_num_index_heads": 4,
            "sparse_topk_blocks": 16,
            "sparse_block_size": 128,
            "sparse_disable_index_value": [0] * 3 + [1] * 57,
            "sparse_attention_freq": [0] * 3 + [1] * 57,
        },
    },
    "vision_config": {"hidden_size": 1280},
    "num_reward_heads": 0,
}
"""Keys of nvidia/MiniMax-M3-NVFP4, copy shipped with aiconfigurator at 095f58a, without those that change nothing."""


def published(name: str, **more: Any) -> dict[str, Any]:
    """A published configuration with further keys."""
    return {**next(one["config"] for one in PUBLISHED if one["name"] == name), **more}


def quantized(config: dict[str, Any]) -> Quantization:
    """Quantization of a configuration that names one."""
    found = configuration.of_table(config).quantization
    assert found is not None
    return found


def size(config: dict[str, Any]) -> float:
    """Bytes of all weights."""
    found = configuration.of_table(config)
    assert found.quantization is not None
    return found.quantization.mean * found.stack.parameters


def all_but_feed_forward(layers: int) -> list[str]:
    """Modules that Meta left in 16 bits: attention, the first and the last feed-forward block, and the output layer."""
    attention = [
        f"model.layers.{layer}.self_attn.{name}_proj" for layer in range(layers) for name in ("q", "k", "v", "o")
    ]
    blocks = [f"model.layers.{layer}.mlp.{name}_proj" for layer in (0, layers - 1) for name in ("gate", "up", "down")]
    return [*attention, *blocks, "lm_head"]


LLAMA_405B = {
    **published("meta-llama/Meta-Llama-3.1-70B"),
    "hidden_size": 16384,
    "intermediate_size": 53248,
    "num_attention_heads": 128,
    "num_hidden_layers": 126,
    "quantization_config": {
        "quant_method": "fbgemm_fp8",
        "activation_scale_ub": 1200.0,
        "modules_to_not_convert": all_but_feed_forward(126),
    },
}


@pytest.mark.parametrize(
    ("config", "expected", "tolerance"),
    [
        # one byte each, two for both tables of 129,280 × 7,168, and a scale of four for every 128 × 128
        (
            published("deepseek-ai/DeepSeek-V3", quantization_config=FP8_BLOCKS),
            671.026e9 * (1 + 4 / 128**2) + 2 * 129_280 * 7168,
            3e-4,
        ),
        # OpenAI's model card prints 60.8 GiB and 12.8 GiB
        (
            published(
                "openai/gpt-oss-20b",
                num_hidden_layers=36,
                num_local_experts=128,
                layer_types=["sliding_attention", "full_attention"] * 18,
                quantization_config=MXFP4,
            ),
            60.8 * GIB,
            2e-3,
        ),
        (published("openai/gpt-oss-20b", quantization_config=MXFP4), 12.8 * GIB, 4e-3),
        # 384 experts of 3 × 7,168 × 2,048 in 60 layers in 4.5 bits, the rest of 1,026.4e9 in 16
        (
            published("moonshotai/Kimi-K2-Instruct", quantization_config=INT4_EXPERTS),
            2 * 1026.4e9 - (2 - 0.5625) * 60 * 384 * 3 * 7168 * 2048,
            1e-3,
        ),
        # 43 layers of 256 experts, 3 × 4,096 × 2,048 each, in 4.25 bits; tables of 129,280 × 4,096 in 16; the rest in 8
        (
            published("deepseek-ai/DeepSeek-V4-Flash", expert_dtype="fp4", quantization_config=FP8_BLOCKS),
            43 * 256 * 3 * 4096 * 2048 * 0.53125
            + 4 * 129_280 * 4096
            + (284.3e9 - 43 * 256 * 3 * 4096 * 2048 - 2 * 129_280 * 4096),
            3e-3,
        ),
        # feed-forward of 124 layers in 8 bits, the rest of 405.85e9 in 16
        (LLAMA_405B, 2 * 405.85e9 - 124 * 3 * 16384 * 53248, 1e-3),
    ],
    ids=["DeepSeek-V3", "gpt-oss-120b", "gpt-oss-20b", "Kimi K2.5", "DeepSeek-V4-Flash", "Llama 3.1 405B FP8"],
)
def test_weights_are_as_large_as_published(config: dict[str, Any], expected: float, tolerance: float) -> None:
    assert size(config) == pytest.approx(expected, rel=tolerance)
    read = configuration.of_table(config)
    assert dimensions.dimensions(read)["weight_bytes"] == pytest.approx(size(config) / read.stack.parameters, abs=1e-6)


def test_attention_of_405b_stays_in_16_bits_next_to_fp8_feed_forward_blocks() -> None:
    parts = quantized(LLAMA_405B).parts
    assert parts["attention"] == parts["embedding"] == parts["output"] == 2
    assert parts["dense"] == pytest.approx((124 * 1 + 2 * 2) / 126)


NVFP4 = {"num_bits": 4, "type": "float", "group_size": 16}
FORMS = {
    "fp8": ({"quant_method": "fp8"}, 1, ""),
    "fp8 in blocks": (FP8_BLOCKS, 1 + 4 / 128**2, ""),
    "exponents as scales": ({**FP8_BLOCKS, "scale_fmt": "ue8m0"}, 1 + 1 / 128**2, ""),
    "modelopt fp8": ({"quant_method": "modelopt", "quant_algo": "FP8"}, 1, ""),
    "modelopt nvfp4": ({"quant_method": "modelopt", "quant_algo": "NVFP4", "group_size": 16}, 0.5625, ""),
    "modelopt nested": ({"producer": {"name": "modelopt"}, "quantization": {"quant_algo": "NVFP4"}}, 0.5625, ""),
    "modelopt awq": ({"quant_method": "modelopt", "quant_algo": "W4A16_AWQ"}, 0.5 + 2 / 128, "16"),
    "compressed-tensors int8": (
        {
            "quant_method": "compressed-tensors",
            "config_groups": {"a": {"targets": ["Linear"], "weights": {"num_bits": 8}}},
        },
        1,
        "16",
    ),
    "compressed-tensors nvfp4": (
        {
            "quant_method": "compressed-tensors",
            "config_groups": {"a": {"targets": ["Linear"], "weights": NVFP4, "input_activations": NVFP4}},
        },
        0.5625,
        "",
    ),
    "awq": ({"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": True}, 0.5 + 2.5 / 128, "16"),
    "gptq": ({"quant_method": "gptq", "bits": 4, "group_size": 128, "sym": True}, 0.5 + 2.5 / 128, "16"),
    "gptq by channel": ({"quant_method": "gptq", "bits": 8, "group_size": -1}, 1, "16"),
    "bitsandbytes nf4": ({"quant_method": "bitsandbytes", "load_in_4bit": True}, 0.5 + 4 / 64, "16"),
    "bitsandbytes nested": (
        {"load_in_4bit": True, "bnb_4bit_quant_type": "nf4", "bnb_4bit_use_double_quant": True},
        4.127 / 8,  # QLoRA, section 3: 0.373 bits less than 4.5
        "16",
    ),
    "bitsandbytes int8": ({"quant_method": "bitsandbytes", "load_in_8bit": True}, 1, ""),
    "quark": (
        {"quant_method": "quark", "global_quant_config": {"weight": {"dtype": "fp4", "group_size": 32}}},
        0.53125,
        "16",
    ),
}


@pytest.mark.parametrize(("given", "width", "arithmetic"), FORMS.values(), ids=list(FORMS))
def test_every_form_has_its_bytes_per_weight(given: dict[str, Any], width: float, arithmetic: str) -> None:
    """Matrices of the layers are converted, embeddings and norms are not."""
    found = quantized(LLAMA | {"quantization_config": given})
    assert found.known
    assert found.parts["attention"] == pytest.approx(width, rel=1e-3)
    assert found.parts["dense"] == pytest.approx(width, rel=1e-3)
    assert found.parts["embedding"] == found.parts["norms"] == 2
    assert found.arithmetic == arithmetic


@pytest.mark.parametrize(
    ("kept", "attention", "dense"),
    [
        ({"modules_to_not_convert": ["self_attn"]}, 2, 1),
        ({"modules_to_not_convert": ["model.layers.1.mlp"]}, 1, 4 / 3),
        ({"modules_to_not_convert": ["model.layers.*.self_attn", "layers.10"]}, 2, 1),
        ({"ignored_layers": ["model.layers.0.self_attn.q_proj"]}, 1 + 64 * 64 / (3 * (2 * 64 * 64 + 2 * 64 * 32)), 1),
    ],
)
def test_modules_not_converted_stay_in_16_bits(kept: dict[str, Any], attention: float, dense: float) -> None:
    parts = quantized(LLAMA | {"quantization_config": {"quant_method": "fp8", **kept}}).parts
    assert parts["attention"] == pytest.approx(attention)
    assert parts["dense"] == pytest.approx(dense)


def test_the_output_layer_is_converted_where_the_method_reaches_it() -> None:
    linear = {"config_groups": {"a": {"targets": ["Linear"], "weights": {"num_bits": 8}}}}
    everywhere = {"quant_method": "compressed-tensors", **linear}
    assert quantized(LLAMA | {"quantization_config": everywhere}).parts["output"] == 1
    assert quantized(LLAMA | {"quantization_config": {**everywhere, "ignore": ["lm_head"]}}).parts["output"] == 2
    assert quantized(LLAMA | {"quantization_config": {"bits": 8, "lm_head": True}}).parts["output"] == 1


def test_an_unknown_method_is_named_and_counted_in_16_bits() -> None:
    found = configuration.of_table(LLAMA | {"quantization_config": {"quant_method": "aqlm", "in_group_size": 8}})
    assert found.quantization is not None
    assert not found.quantization.known
    assert "weight_bytes" not in dimensions.dimensions(found)
    assert any("aqlm" in note and "16 bits" in note for note in report.remarks(found))


@pytest.mark.parametrize("odd", ["fp8", {"quant_method": 5}, {"bits": True}, {"config_groups": []}, {"ignore": {}}])
def test_an_odd_quantization_is_no_crash(odd: object) -> None:
    read = configuration.of_table(LLAMA | {"quantization_config": odd})
    assert report.report(read)
    assert read.quantization is None or not read.quantization.known


def _mixed(layers: int, experts: int) -> dict[str, Any]:
    """A list of every matrix, as ModelOpt writes it for MiniMax-M3: experts in NVFP4, all else in MXFP8."""
    attention = [f"self_attn.{name}_proj" for name in ("q", "k", "v", "o")]
    wide = [f"{layer}.{name}" for layer in range(layers) for name in attention]
    wide += [f"{layer}.mlp.{name}_proj" for layer in range(3) for name in ("gate", "up", "down")]
    wide += [
        f"{layer}.block_sparse_moe.shared_experts.{name}_proj"
        for layer in range(3, layers)
        for name in ("gate", "up", "down")
    ]
    narrow = [
        f"{layer}.block_sparse_moe.experts.{expert}.w{name}"
        for layer in range(3, layers)
        for expert in range(experts)
        for name in (1, 2, 3)
    ]
    prefix = "language_model.model.layers."
    named: dict[str, Any] = {prefix + name: {"quant_algo": "MXFP8"} for name in wide}
    named |= {prefix + name: {"quant_algo": "NVFP4", "group_size": 16} for name in narrow}
    return {
        "quant_method": "modelopt",
        "quant_algo": "MIXED_PRECISION",
        "exclude_modules": ["lm_head", "model.embed_tokens"],
        "quantized_layers": named,
    }


def test_a_file_of_megabytes_that_lists_every_expert_is_read() -> None:
    """MiniMax-M3 in NVFP4 is a file of 3.09 MB; some 428B parameters, vision included, as its card says."""
    text = json.dumps({**MINIMAX_M3, "quantization_config": _mixed(60, 128)}, indent=4)
    assert len(text) > 2_500_000
    started = time.process_time()
    found = configuration.read(text)
    assert time.process_time() - started < 4
    assert found.stack.parameters == pytest.approx(428e9, rel=0.01)
    assert found.quantization is not None
    assert found.quantization.routed == pytest.approx(0.5625)
    assert found.quantization.parts["attention"] == pytest.approx(1 + 1 / 32, rel=1e-3)
    assert found.quantization.parts["output"] == 2


def test_experts_in_nvfp4_over_an_fp8_base_keep_the_base_in_8_bits() -> None:
    """nvidia/DeepSeek-V4-Flash-NVFP4: modules that ModelOpt ignored are those of the FP8 original."""
    over: dict[str, Any] = {
        **FP8_BLOCKS,
        "quant_algo": "MIXED_PRECISION",
        "ignore": ["*.attn.*", "*.ffn.shared_experts.*", "head", "mtp.*"],
        "quantized_layers": {f"layers.{layer}.ffn.experts": {"quant_algo": "NVFP4"} for layer in range(43)},
    }
    found = quantized(published("deepseek-ai/DeepSeek-V4-Flash", expert_dtype="fp4", quantization_config=over))
    assert found.routed == pytest.approx(0.5625)
    assert found.parts["attention"] == pytest.approx(1, rel=1e-3)


def _file(folder: Path, config: dict[str, Any]) -> str:
    path = folder / "config.json"
    path.write_text(json.dumps(config), "utf-8")
    return str(path)


@pytest.mark.parametrize("calculator", ["inference", "kv_cache", "training_memory", "model"])
def test_every_answer_prints_bytes_per_parameter_by_part(
    calculator: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = _file(tmp_path, published("deepseek-ai/DeepSeek-V3", quantization_config=FP8_BLOCKS))
    gpus = (
        []
        if calculator in {"model", "training_memory"}
        else ["--serving-tensor-parallel", "8", "--accelerator", "b300"]
    )
    assert main([calculator, "--config", file, *gpus]) == 0
    message = capsys.readouterr().out
    assert "Weights as published: 673 GB in fp8" in message
    for part in ("embedding 2", "attention 1", "experts and routers 1", "output layer 2"):
        assert part in message


def test_served_weights_take_what_the_file_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = _file(tmp_path, published("deepseek-ai/DeepSeek-V3", quantization_config=FP8_BLOCKS))
    assert main(["inference", "--config", file, "--accelerator", "h200-sxm", "--json"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert results["weights_size"]["value"] == pytest.approx(673e9, rel=1e-3)


def test_a_given_precision_wins_over_the_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = _file(tmp_path, published("Llama-3.2-1B", quantization_config={"quant_method": "fp8"}))
    assert main(["inference", "--config", file, "--weight-bytes", "2", "--arithmetic", "auto", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["inputs"]["weight_bytes"]["value"] == 2


def test_configurations_without_quantization_name_none() -> None:
    found: Configuration = configuration.of_table(LLAMA)
    assert found.quantization is None
    assert "weight_bytes" not in dimensions.dimensions(found)


@pytest.mark.parametrize(
    ("patterns", "covered"),
    [
        (
            ["re:.*(gate|up)_(proj)$", r"re:.*\.(\w)\1_proj$"],
            ["gate_proj", "up_proj", "qq_proj"],
        ),  # each counts its own groups
        (["re:(?i).*GATE.*", "re:.*QQ.*"], ["gate_proj"]),  # a flag is of one expression
        (["re:(", "re:.*qq.*"], ["qq_proj"]),  # what is no expression covers nothing
        (["mlp.gate_proj", "model.layers.3.mlp.up_proj"], ["gate_proj", "up_proj"]),
    ],
)
def test_each_pattern_covers_what_it_covers_alone(patterns: list[str], covered: list[str]) -> None:
    names = ["gate_proj", "up_proj", "q_proj", "qq_proj"]
    together = patterns_of.matcher(patterns)
    assert [name for name in names if together([f"layers.3.mlp.{name}"])] == covered
    alone = [patterns_of.matcher([one]) for one in patterns]
    assert [name for name in names if any(one([f"layers.3.mlp.{name}"]) for one in alone)] == covered

"""Families counted by hand: what each of their pieces weighs, and what is refused in them."""

from __future__ import annotations

from typing import Any

import pytest

from calculators import configuration
from calculators.configuration import dimensions, report
from tests.configuration.configurations import PUBLISHED, problems

CONFIGS: dict[str, dict[str, Any]] = {one["name"]: one["config"] for one in PUBLISHED}


def test_falcon_h1_has_attention_and_a_state_in_every_layer() -> None:
    """0.5B: 8 heads of 64 and 2 for keys and values, 24 heads of 64 with a state of 128, blocks of 2,048."""
    attention = 1024 * (512 + 2 * 128) + 512 * 1024
    inner, convolved = 24 * 64, 24 * 64 + 2 * 128
    state = convolved * 4 + convolved + 1024 * (inner + convolved + 24) + 3 * 24 + inner * 1024
    layer = attention + state + 3 * 1024 * 2048 + 2 * 1024
    found = configuration.of_table(CONFIGS["Falcon-H1-0.5B"]).stack
    assert found.parameters == 2 * 32784 * 1024 + 36 * layer + 1024
    assert found.parts["attention"] == 36 * attention
    assert found.parts["state"] == 36 * state
    assert found.cached == 36 * 2 * 2 * 64
    assert found.state == 36 * 2 * (convolved * 4 + inner * 128)
    values = dimensions.dimensions(configuration.of_table(CONFIGS["Falcon-H1-0.5B"]))
    assert "attention_layers" not in values
    assert "36 with full attention and a state" in report.sentence(configuration.of_table(CONFIGS["Falcon-H1-0.5B"]))


def test_a_norm_of_the_gate_is_counted_where_falcon_h1_has_it() -> None:
    bare = configuration.of_table(CONFIGS["Falcon-H1-0.5B"]).stack.parameters
    normed = configuration.of_table(CONFIGS["Falcon-H1-0.5B"] | {"mamba_rms_norm": True}).stack.parameters
    assert normed - bare == 36 * 1536


def test_mamba2_has_no_attention_and_keeps_a_state_alone() -> None:
    """2.7B: 64 layers 2,560 wide, 80 heads of 64, a state of 128, a convolution over 4."""
    inner, convolved = 80 * 64, 80 * 64 + 2 * 128
    layer = 2560 + convolved * 4 + convolved + 2560 * (inner + convolved + 80) + 3 * 80 + inner + inner * 2560
    found = configuration.of_table(CONFIGS["mamba2-2.7b"])
    assert found.stack.parameters == 50288 * 2560 + 64 * layer + 2560
    assert found.stack.cached == 0
    assert dimensions.dimensions(found)["attention_layers"] == 0


def test_gemma_3n_counts_a_table_for_every_layer_as_looked_up() -> None:
    """E4B: 35 layers, the last 15 of which use keys and values of earlier ones."""
    h, layers, width = 2048, 35, 256
    attention = 2 * h * 2048 + 256
    own = 2 * h * 512 + 256
    of_inputs = 2 * h * width + h
    streams = 2 * h + 4**2 + 4**3 + 4 * h
    laurel = 2 * h * 64 + h
    layer = attention + 3 * h * 16384 + 4 * h + of_inputs + streams + laurel
    table = 262144 * layers * width
    other = h * layers * width + width + 2 * 3 * h * h + h
    found = configuration.of_table(CONFIGS["gemma-3n-E4B (text)"]).stack
    assert found.parameters == 262400 * h + layers * layer + 20 * own + table + other
    assert found.unmultiplied == table
    assert found.cached == 20 * 2 * 2 * 256


def test_dbrx_reads_its_tables_and_refuses_in_them_what_it_does_not_know() -> None:
    """132B: 40 layers 6,144 wide, 48 heads of 128 and 8 for keys and values, 16 experts of 10,752, 4 chosen."""
    expert = 3 * 6144 * 10752
    layer = 6144 * (6144 + 2 * 1024) + 6144 * 6144 + 16 * expert + 16 * 6144 + 2 * 6144
    config = CONFIGS["dbrx-base"]
    found = configuration.of_table(config).stack
    assert found.parameters == 2 * 100352 * 6144 + 40 * layer + 6144
    assert found.active == found.parameters - 40 * 12 * expert
    odd = config | {"ffn_config": config["ffn_config"] | {"moe_shared": 2}}
    assert problems(odd) == ["ffn_config: moe_shared = 2 is not understood: take it out if it changes no dimension"]
    assert problems(config | {"attn_config": 7}) == ["attn_config must hold further keys, not 7"]


def test_mpt_and_gpt_j_count_by_hand() -> None:
    """MPT-7B: 32 layers 4,096 wide, no biases. GPT-J: 28 layers 4,096 wide, biases in blocks, norms and the output."""
    mpt = configuration.of_table(CONFIGS["mpt-7b"]).stack.parameters
    assert mpt == 50432 * 4096 + 32 * (12 * 4096**2 + 2 * 4096) + 4096
    gptj = configuration.of_table(CONFIGS["gpt-j-6b"]).stack.parameters
    assert gptj == 2 * 50400 * 4096 + 50400 + 28 * (12 * 4096**2 + 5 * 4096 + 2 * 4096) + 2 * 4096


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"no_bias": False}, "no_bias = false is not known of this family"),
        ({"expansion_ratio": 2}, "expansion_ratio must be 4, not 2"),
        ({"n_heads": 30}, "n_heads must divide the hidden size, 4096, not be 30"),
        (
            {"attn_config": {"attn_type": "grouped_query_attention"}},
            "attn_config: attn_type “grouped_query_attention” is not known of this family",
        ),
        ({"attn_config": {"alibi": False}}, "attn_config: alibi = false is not known of this family"),
    ],
)
def test_an_mpt_of_another_kind_is_refused(changed: dict[str, Any], sentence: str) -> None:
    assert problems(CONFIGS["mpt-7b"] | changed) == [sentence]


def test_kimi_linear_counts_its_delta_attention_by_hand() -> None:
    """48B-A3B: 20 layers of 32 heads of 128 with gates through 128 values, 7 of latent attention."""
    h, inner = 2304, 32 * 128
    delta = 4 * h * inner + 3 * inner * 4 + 2 * (h * 128 + 128 * inner) + inner + 32 + 32 * h + 128
    latent = h * 32 * 192 + h * 576 + 512 + 512 * 32 * 256 + 32 * 128 * h
    expert = 3 * h * 1024
    sparse = 256 * expert + 256 * h + expert
    found = configuration.of_table(CONFIGS["Kimi-Linear-48B-A3B"]).stack
    layers = 20 * delta + 7 * latent + 26 * sparse + 3 * h * 9216 + 27 * 2 * h
    assert found.parameters == 2 * 163840 * h + layers + h
    assert found.active == found.parameters - 26 * 248 * expert
    assert found.cached == 7 * 576


def test_kimi_k3_counts_its_gates_latent_experts_and_attention_to_earlier_blocks_by_hand() -> None:
    """2.78T, of which 104.2B are active without the input table: its technical report, arXiv 2607.24653, Table 1.

    The files hold 1.561 TB: routed experts in 4 bits with a byte of scale per 32 weights, the rest in 16 bits.
    """
    h, inner = 7168, 96 * 128
    delta = 4 * h * inner + 3 * inner * 4 + h * 128 + 128 * inner + h * inner + inner + 96 + 96 * h + 128
    latent = 1536 * (h + 1 + 96 * 192) + h * 576 + 512 + 512 * 96 * 256 + 96 * 128 * h
    gate = h * 96 * 128
    expert = 3 * 3584 * 3072
    sparse = 896 * (expert + h) + 2 * h * 3584 + 3584 + 3 * h * 2 * 3072
    norms = 2 * h + 2 * (h + h)
    layers = 69 * delta + 24 * (latent + gate) + 92 * sparse + 3 * h * 33792 + 93 * norms
    total = 2 * 163840 * h + layers + h + 2 * h
    found = configuration.of_table(CONFIGS["moonshotai/Kimi-K3"])
    assert found.stack.parameters == total == pytest.approx(2.78e12, rel=0.002)
    assert found.stack.active == total - 92 * 880 * expert
    assert found.stack.active - 163840 * h == pytest.approx(104.2e9, rel=0.0005)
    assert found.stack.cached == 24 * 576
    assert found.stack.state == 69 * (3 * inner * 4 * 2 + inner * 128 * 4)
    assert found.quantization is not None
    parts = found.quantization.parts
    assert (found.quantization.routed, parts["attention"], parts["state"], parts["dense"]) == (17 / 32, 2, 2, 2)
    published = 92 * 896 * expert * 17 / 32 + (total - 92 * 896 * expert) * 2
    assert found.quantization.mean * total == pytest.approx(published)
    assert published == pytest.approx(1.561e12, rel=0.001)


@pytest.mark.parametrize(
    ("off", "less"),
    [
        ({"mla_use_output_gate": False}, 24 * 7168 * 96 * 128),
        ({"latent_moe_use_norm": False}, 92 * 3584),
        ({"attn_res_block_size": None}, 93 * 4 * 7168 + 2 * 7168),
    ],
)
def test_what_kimi_k3_adds_is_counted_only_where_it_is_on(off: dict[str, Any], less: int) -> None:
    config = CONFIGS["moonshotai/Kimi-K3"]
    whole = configuration.of_table(config).stack.parameters
    assert configuration.of_table(config | off).stack.parameters == whole - less


def test_step_3_7_counts_its_heads_by_kind_of_layer_by_hand() -> None:
    """198B with a vision encoder of 1.8B, 11B active: StepFun's README. Its BF16 file without the encoder: 394 GB."""
    h = 4096

    def attention(heads: int) -> int:
        return h * (2 * heads + 2 * 8) * 128 + h * heads + 2 * 128

    expert = 3 * h * 1280
    sparse = 288 * (expert + h) + expert
    layers = 12 * attention(64) + 33 * attention(96) + 3 * 3 * h * 11264 + 42 * sparse + 45 * 2 * h
    total = 2 * 128896 * h + layers + h
    found = configuration.of_table(CONFIGS["stepfun-ai/Step-3.7-Flash"])
    assert found.stack.parameters == total == pytest.approx((198 - 1.8) * 1e9, rel=0.005)
    assert 2 * total == pytest.approx(394e9, rel=0.5 / 394)
    assert found.stack.active == total - 42 * 280 * expert
    assert found.stack.active - 128896 * h == pytest.approx(11e9, rel=0.05)
    assert found.not_counted == ("the vision encoder", "multi-token prediction layers")
    assert dimensions.dimensions(found)["global_layer_share"] == 12 / 45


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"layer_types": ["full_attention"] * 46}, "layer_types must name one kind for each layer"),
        ({"sliding_window": None}, "sliding_window is missing, and layers have one"),
        ({"moe_layers_enum": "3,x"}, "moe_layers_enum must number layers from 0 to 44"),
        ({"moe_layers_enum": [3, 45]}, "moe_layers_enum must number layers from 0 to 44"),
        ({"att_impl_type": "MFA"}, "att_impl_type “MFA” is not known of this family"),
        ({"sink": True}, "sink = true is not known of this family"),
    ],
)
def test_a_step_of_another_kind_is_refused(changed: dict[str, Any], sentence: str) -> None:
    assert problems(CONFIGS["stepfun-ai/Step-3.5-Flash"] | changed) == [sentence]


def test_experts_of_step_are_in_the_layers_that_a_text_or_a_list_numbers_else_after_three() -> None:
    config = CONFIGS["stepfun-ai/Step-3.5-Flash"]
    whole = configuration.of_table(config).stack
    listed = configuration.of_table(config | {"moe_layers_enum": list(range(3, 45))}).stack
    left_out = configuration.of_table(config | {"moe_layers_enum": None}).stack
    assert whole == listed == left_out
    fewer = configuration.of_table(config | {"moe_layers_enum": "44"}).stack
    assert [layer.block.experts for layer in fewer.layers] == [1] * 44 + [288]


def test_qwen_3_8_counts_by_hand() -> None:
    """2.4T-A95B by its name; its BF16 files have 4.89 TB with one layer that predicts a further token."""
    h, expert = 8192, 3 * 8192 * 2048
    keys, values = 16 * 128, 128 * 128
    delta = (2 * keys + values) * 4 + h * 2 * (keys + values) + h * 2 * 128 + 2 * 128 + 128 + values * h
    attention = h * 256 * (2 * 64 + 2 * 4 + 64) + 2 * 256
    sparse = 512 * (expert + h) + expert + h
    total = 2 * 248320 * h + 69 * delta + 23 * attention + 92 * (sparse + 2 * h) + h
    found = configuration.of_table(CONFIGS["Qwen/Qwen3.8-2.4T-A95B"]).stack
    assert found.parameters == total == pytest.approx(2.4e12, rel=0.01)
    assert found.active == total - 92 * 502 * expert == pytest.approx(95e9, rel=0.005)
    further = sparse + attention + 2 * h * h + 5 * h
    assert 2 * (total + further) == pytest.approx(4.89e12, rel=0.001)


def test_layers_of_kimi_linear_must_be_named_once() -> None:
    config = CONFIGS["Kimi-Linear-48B-A3B"]
    inside = config["linear_attn_config"] | {"full_attn_layers": [4, 8]}
    assert problems(config | {"linear_attn_config": inside}) == [
        "linear_attn_config: full_attn_layers and kda_layers must name each layer once"
    ]


@pytest.mark.parametrize(
    ("name", "changed", "sentence"),
    [
        ("Falcon-H1-0.5B", {"mamba_n_heads": 20}, "mamba_n_heads × their width must be 1536, not 1280"),
        ("mamba2-2.7b", {"head_dim": 32}, "expand × hidden_size must be num_heads × head_dim, 2560"),
        ("Bamba-9B-v2", {"attn_layer_indices": [40]}, "attn_layer_indices must name layers from 0 to 31"),
        ("Hunyuan-A13B", {"moe_topk": [8, 4]}, "moe_topk must be the same in every layer"),
        ("Hunyuan-A13B", {"num_shared_expert": 2}, "num_shared_expert must be 1 in every layer"),
        ("LFM2-1.2B", {"conv_dim": 1024}, "conv_dim must be the hidden size, 2048, not 1024"),
        (
            "gemma-3n-E4B (text)",
            {"num_kv_shared_layers": 33},
            "num_kv_shared_layers leaves layers without any of their kind to share with",
        ),
        ("Ling-mini-2.0", {"use_bias": True}, "use_bias = true is not known of this family"),
        ("Apertus-8B", {"mlp_bias": True}, "mlp_bias = true is not known of this family"),
    ],
)
def test_what_these_families_do_not_have_is_refused(name: str, changed: dict[str, Any], sentence: str) -> None:
    assert problems(CONFIGS[name] | changed) == [sentence]

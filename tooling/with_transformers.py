"""The reader of configurations against transformers' own classes: the same configuration, every parameter counted.

Run by `make test-transformers` in an environment of its own. Models are built on the meta device, so nothing is
allocated. Each family gets random small configurations; the named ones of tests/model are built as they are. With a key
less a configuration is read with the default of transformers' class, or refused: files are saved without what is usual.
"""

import json
import logging
import os
import random
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from calculators.model import configuration

os.environ["TRANSFORMERS_VERBOSITY"] = "error"
NAMED = Path(__file__).parents[1] / "tests" / "model" / "configurations.json"
_EACH = 8
_STANDS_FOR = {
    "mimo": "qwen2",
    "kimi_k2": "deepseek_v3",
}
"""Families that transformers does not have, built by its class for the same layers."""
_NOT_THERE = {"deepseek", "internlm2", "bailing_moe"}
"""Families whose code stands beside their weights alone: nothing here to compare them with."""
_UNDER_AN_ENCODER = {"glm4v_text", "glm4v_moe_text", "mistral4", "qwen3_vl_text", "qwen3_vl_moe_text"}
"""Families that it builds without an output layer, which is added by hand: as large as the table where not tied."""

Given = dict[str, Any]
Pick = Callable[..., Any]


def _common(dice: random.Random, layers: int) -> Given:
    heads = dice.choice([4, 8, 12])
    shared = dice.choice([one for one in (1, 2, 4, heads) if heads % one == 0])
    return {
        "hidden_size": heads * 16 * dice.choice([1, 2]),
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": shared,
        "intermediate_size": dice.choice([96, 128, 200]),
        "vocab_size": dice.choice([320, 500]),
        "tie_word_embeddings": dice.choice([True, False]),
    }


_EXPERTS: Mapping[str, list[Any]] = {"num_experts_per_tok": [1, 2], "moe_intermediate_size": [48, 64]}
_LATENT: Mapping[str, list[Any]] = {
    "q_lora_rank": [32, None],
    "kv_lora_rank": [24, 32],
    "qk_rope_head_dim": [8, 16],
    "qk_nope_head_dim": [16, 24],
    "v_head_dim": [16, 32],
    "n_routed_experts": [4, 8],
    "n_shared_experts": [1, 2],
    "attention_bias": [True, False],
    **_EXPERTS,
}
_INDEXED: Mapping[str, list[Any]] = {
    **_LATENT,
    "q_lora_rank": [32],
    "index_n_heads": [2, 4],
    "index_head_dim": [16, 32],
    "attention_bias": [False],
    "first_k_dense_replace": [1, 2],
}
_DELTA: Mapping[str, list[Any]] = {
    "head_dim": [16, 32],
    "linear_num_key_heads": [2, 4],
    "linear_num_value_heads": [4, 8],
    "linear_key_head_dim": [16, 8],
    "linear_value_head_dim": [16, 24],
    "linear_conv_kernel_dim": [3, 4],
    "attention_bias": [True, False],
}
_WIDE: Mapping[str, list[Any]] = {"head_dim": [16, 24, 32]}
_YES_NO: list[Any] = [True, False]
_MAMBA2: Mapping[str, list[Any]] = {
    "mamba_n_heads": [8],
    "mamba_d_head": ["auto"],
    "mamba_d_state": [8, 16],
    "mamba_n_groups": [1, 2],
    "mamba_d_conv": [3, 4],
    "mamba_proj_bias": _YES_NO,
    "mamba_conv_bias": _YES_NO,
    "attention_bias": _YES_NO,
    "mlp_bias": _YES_NO,
}
CHOICES: Mapping[str, Mapping[str, list[Any]]] = {
    "llama": {"attention_bias": _YES_NO, "mlp_bias": _YES_NO, "head_dim": [None, 24]},
    "granite": {"attention_bias": _YES_NO, "mlp_bias": _YES_NO},
    "smollm3": {"attention_bias": _YES_NO, "mlp_bias": _YES_NO},
    "ernie4_5": {"use_bias": _YES_NO, **_WIDE},
    "mistral": {**_WIDE, "sliding_window": [None, 64]},
    "ministral3": {**_WIDE, "sliding_window": [None, 64]},
    "qwen2": {"use_sliding_window": _YES_NO, "sliding_window": [64], "max_window_layers": [2]},
    "mimo": {},
    "qwen3": {**_WIDE, "attention_bias": _YES_NO},
    "exaone4": {"sliding_window": [64], "sliding_window_pattern": [2, 4]},
    "olmo": {"attention_bias": _YES_NO},
    "olmo2": {"attention_bias": _YES_NO},
    "olmo3": {"attention_bias": _YES_NO},
    "phi3": {"sliding_window": [None, 64]},
    "cohere": {"attention_bias": _YES_NO, "use_qk_norm": _YES_NO},
    "cohere2": {"attention_bias": _YES_NO, **_WIDE},
    "glm": {**_WIDE, "attention_bias": _YES_NO},
    "glm4": {**_WIDE, "attention_bias": _YES_NO},
    "glm4v_text": {"attention_bias": [True]},
    "qwen3_vl_text": {**_WIDE, "attention_bias": _YES_NO},
    "seed_oss": {**_WIDE, "attention_bias": _YES_NO, "attention_out_bias": _YES_NO, "mlp_bias": _YES_NO},
    "gemma": {**_WIDE, "attention_bias": _YES_NO},
    "gemma2": {**_WIDE, "attention_bias": _YES_NO},
    "gemma3_text": {**_WIDE, "attention_bias": _YES_NO},
    "gemma4_text": {
        **_WIDE,
        "global_head_dim": [32, 48],
        "attention_k_eq_v": _YES_NO,
        "num_global_key_value_heads": [None, 1],
        "hidden_size_per_layer_input": [0, 16],
        "vocab_size_per_layer_input": [300],
        "num_kv_shared_layers": [0, 2],
        "use_double_wide_mlp": _YES_NO,
        "enable_moe_block": _YES_NO,
        "num_experts": [4, 8],
        "top_k_experts": [2],
        "moe_intermediate_size": [48],
        "attention_bias": _YES_NO,
    },
    "gemma3n_text": {
        **_WIDE,
        "attention_bias": _YES_NO,
        "hidden_size_per_layer_input": [8, 16],
        "vocab_size_per_layer_input": [300],
        "num_kv_shared_layers": [0, 2, 5],
        "altup_num_inputs": [2, 4],
        "laurel_rank": [8, 16],
    },
    "gemma4_unified_text": {
        **_WIDE,
        "global_head_dim": [32, 48],
        "attention_k_eq_v": _YES_NO,
        "num_global_key_value_heads": [None, 1],
        "num_kv_shared_layers": [0, 1],
        "use_double_wide_mlp": _YES_NO,
        "attention_bias": _YES_NO,
    },
    "gpt2": {"n_inner": [None, 96], "n_positions": [64, 128]},
    "gptj": {"n_inner": [None, 96], "rotary_dim": [8]},
    "codegen": {"n_inner": [None, 96], "rotary_dim": [8]},
    "gpt_neo": {
        "num_heads": [4],
        "intermediate_size": [None, 96],
        "attention_types": [[[["global", "local"], 3]], [[["global"], 2], [["local"], 4]]],
        "max_position_embeddings": [64],
    },
    "gpt_bigcode": {"n_inner": [None, 96], "n_positions": [64, 128], "multi_query": _YES_NO},
    "mpt": {"expansion_ratio": [4], "attn_config": [{"attn_type": "multihead_attention", "alibi": True}]},
    "arcee": {**_WIDE, "attention_bias": _YES_NO, "mlp_bias": _YES_NO},
    "apertus": {"attention_bias": _YES_NO, "hidden_act": ["xielu", "silu"]},
    "hunyuan_v1_dense": {**_WIDE, "attention_bias": _YES_NO},
    "internlm3": {"bias": [False], "qkv_bias": [False]},
    "exaone": {},
    "bitnet": {"attention_bias": _YES_NO},
    "cwm": {**_WIDE, "sliding_window": [64]},
    "granite_swa": {"attention_bias": _YES_NO, "mlp_bias": _YES_NO, "sliding_window": [64]},
    "helium": {
        "hidden_size": [512],
        "num_attention_heads": [4],
        "num_key_value_heads": [1, 4],
        "attention_bias": _YES_NO,
        "mlp_bias": _YES_NO,
    },
    "ministral": {**_WIDE, "sliding_window": [64]},
    "vaultgemma": {**_WIDE, "attention_bias": _YES_NO},
    "gpt_neox": {"attention_bias": _YES_NO},
    "opt": {
        "ffn_dim": [96, 128],
        "word_embed_proj_dim": [32, 64],
        "max_position_embeddings": [64],
        "enable_bias": _YES_NO,
        "do_layer_norm_before": _YES_NO,
    },
    "bloom": {},
    "falcon": {
        "new_decoder_architecture": _YES_NO,
        "multi_query": _YES_NO,
        "parallel_attn": _YES_NO,
        "bias": _YES_NO,
        "num_kv_heads": [2, 4],
        "ffn_hidden_size": [None, 96],
    },
    "phi": {"qk_layernorm": _YES_NO},
    "stablelm": {"use_qkv_bias": _YES_NO, "qk_layernorm": _YES_NO, "use_parallel_residual": _YES_NO},
    "starcoder2": {"use_bias": _YES_NO, "sliding_window": [None, 64]},
    "nemotron": {**_WIDE, "attention_bias": _YES_NO, "mlp_bias": _YES_NO},
    "mixtral": {"num_local_experts": [4, 8], "num_experts_per_tok": [1, 2], "head_dim": [None, 24]},
    "minimax_m2": {"num_local_experts": [4, 8], "num_experts_per_tok": [1, 2], **_WIDE},
    "granitemoe": {"num_local_experts": [4, 8], "num_experts_per_tok": [1, 2], "attention_bias": _YES_NO},
    "phimoe": {
        "num_local_experts": [4, 8],
        "num_experts_per_tok": [2],
        "attention_bias": _YES_NO,
        "lm_head_bias": _YES_NO,
    },
    "olmoe": {"num_experts": [4, 8], "num_experts_per_tok": [1, 2], "attention_bias": _YES_NO},
    "qwen2_moe": {
        **_EXPERTS,
        "num_experts": [4, 8],
        "shared_expert_intermediate_size": [64, 80],
        "decoder_sparse_step": [1, 2],
        "mlp_only_layers": [[], [1]],
        "qkv_bias": _YES_NO,
    },
    "qwen3_moe": {
        **_EXPERTS,
        "num_experts": [4, 8],
        "decoder_sparse_step": [1, 2],
        "mlp_only_layers": [[], [1]],
        "attention_bias": _YES_NO,
        "head_dim": [None, 24],
    },
    "glm4_moe": {
        **_EXPERTS,
        "n_routed_experts": [4, 8],
        "n_shared_experts": [1, 2],
        "first_k_dense_replace": [0, 1, 2],
        "attention_bias": _YES_NO,
        "use_qk_norm": _YES_NO,
        "head_dim": [None, 24],
    },
    "glm4v_moe_text": {
        **_EXPERTS,
        "n_routed_experts": [4, 8],
        "n_shared_experts": [1, 2],
        "first_k_dense_replace": [0, 1, 2],
        "attention_bias": _YES_NO,
    },
    "qwen3_vl_moe_text": {
        **_EXPERTS,
        "num_experts": [4, 8],
        "decoder_sparse_step": [1, 2],
        "mlp_only_layers": [[], [1]],
        "attention_bias": _YES_NO,
    },
    "dots1": {
        **_EXPERTS,
        "n_routed_experts": [4, 8],
        "n_shared_experts": [1, 2],
        "first_k_dense_replace": [0, 1],
        "attention_bias": _YES_NO,
        "head_dim": [None, 24],
    },
    "ernie4_5_moe": {
        "moe_num_experts": [4, 8],
        "moe_k": [2],
        "moe_intermediate_size": [48],
        "moe_num_shared_experts": [0, 1, 2],
        "moe_layer_start_index": [0, 1],
        "moe_layer_interval": [1, 2],
        "use_bias": _YES_NO,
    },
    "dbrx": {
        "attn_config": [{"kv_n_heads": 2, "rope_theta": 1e4}, {"kv_n_heads": 4, "clip_qkv": 8, "rope_theta": 1e4}],
        "ffn_config": [
            {"ffn_hidden_size": 48, "moe_num_experts": 4, "moe_top_k": 2},
            {"ffn_hidden_size": 64, "moe_num_experts": 8, "moe_top_k": 1},
        ],
        "tie_word_embeddings": [False],
    },
    "hunyuan_v1_moe": {**_WIDE, "num_experts": [4, 8], "moe_topk": [1, 2], "attention_bias": _YES_NO},
    "granitemoeshared": {
        "num_local_experts": [4, 8],
        "num_experts_per_tok": [1, 2],
        "shared_intermediate_size": [0, 80],
        "attention_bias": _YES_NO,
    },
    "solar_open": {
        **_EXPERTS,
        **_WIDE,
        "n_routed_experts": [4, 8],
        "n_shared_experts": [1, 2],
        "attention_bias": _YES_NO,
    },
    "granitemoe_swa": {
        "num_local_experts": [4, 8],
        "num_experts_per_tok": [1, 2],
        "shared_intermediate_size": [0, 80],
        "attention_bias": _YES_NO,
    },
    "hy_v3": {
        **_EXPERTS,
        **_WIDE,
        "num_experts": [4, 8],
        "num_shared_experts": [1, 2],
        "attention_bias": _YES_NO,
    },
    "mellum": {
        **_EXPERTS,
        **_WIDE,
        "num_local_experts": [4, 8],
        "attention_bias": _YES_NO,
        "mlp_layer_types": [["sparse"] * 6, ["dense", *["sparse"] * 5]],
    },
    "flex_olmo": {"num_experts": [4, 7], "num_experts_per_tok": [2], "attention_bias": _YES_NO},
    "exaone_moe": {
        **_EXPERTS,
        "num_experts": [4, 8],
        "num_shared_experts": [1, 2],
        "first_k_dense_replace": [0, 1, 2],
        "sliding_window": [64],
        "sliding_window_pattern": [2, 4],
    },
    "afmoe": {
        **_EXPERTS,
        **_WIDE,
        "num_experts": [4, 8],
        "num_shared_experts": [1, 2],
        "num_dense_layers": [0, 1, 2],
        "global_attn_every_n_layers": [2, 4],
        "attention_bias": _YES_NO,
    },
    "gpt_oss": {"num_local_experts": [4, 8], "num_experts_per_tok": [2], **_WIDE},
    "llama4_text": {
        "num_local_experts": [4, 8],
        "interleave_moe_layer_step": [1, 2],
        "intermediate_size_mlp": [160],
        "attention_bias": _YES_NO,
        "head_dim": [16, 24],
    },
    "deepseek_v2": {**_LATENT, "first_k_dense_replace": [0, 1, 2]},
    "deepseek_v3": {**_LATENT, "first_k_dense_replace": [0, 1, 2]},
    "kimi_k2": {**_LATENT, "first_k_dense_replace": [0, 1, 2]},
    "glm4_moe_lite": {**_LATENT, "mlp_layer_types": [["dense", *["sparse"] * 5]]},
    "mistral4": {**_LATENT, "attention_bias": [False], "first_k_dense_replace": [0, 1]},
    "minicpm3": {
        **{name: values for name, values in _LATENT.items() if name.startswith(("q", "kv", "v"))},
        "attention_bias": _YES_NO,
        "mlp_bias": _YES_NO,
    },
    "deepseek_v32": _INDEXED,
    "glm_moe_dsa": _INDEXED,
    "deepseek_v4": {
        "head_dim": [32],
        "num_key_value_heads": [1],
        "q_lora_rank": [24, 32],
        "o_groups": [2, 4],
        "o_lora_rank": [16, 24],
        "n_routed_experts": [4, 8],
        "n_shared_experts": [1],
        "moe_intermediate_size": [48],
        "num_experts_per_tok": [2],
        "index_n_heads": [2],
        "index_head_dim": [16],
        "hc_mult": [2, 4],
        "sliding_window": [16],
        "compress_ratios": [[0, 0, 4, 128, 4, 128, 0], [4, 128, 4, 128, 0, 0]],
        "intermediate_size": [None],
    },
    "qwen3_next": {**_DELTA, **_EXPERTS, "num_experts": [4], "shared_expert_intermediate_size": [48]},
    "qwen3_5_text": _DELTA,
    "qwen3_5_moe_text": {**_DELTA, **_EXPERTS, "num_experts": [4], "shared_expert_intermediate_size": [48]},
    "nemotron_h": {
        "hybrid_override_pattern": ["M*EM-E", "ME*-ME"],
        "head_dim": [16, 24],
        "mamba_num_heads": [4, 8],
        "mamba_head_dim": [8, 16],
        "n_groups": [1, 2],
        "ssm_state_size": [8, 16],
        "conv_kernel": [3, 4],
        "n_routed_experts": [4],
        "num_experts_per_tok": [2],
        "moe_intermediate_size": [48],
        "moe_shared_expert_intermediate_size": [64],
        "moe_latent_size": [None, 24],
        "use_bias": _YES_NO,
        "mlp_bias": _YES_NO,
        "use_conv_bias": _YES_NO,
    },
    "granitemoehybrid": {
        "layer_types": [["mamba", "attention", "mamba", "mamba", "attention", "mamba"]],
        "mamba_n_heads": [8],
        "mamba_d_head": ["auto"],
        "mamba_d_state": [8, 16],
        "mamba_n_groups": [1, 2],
        "num_local_experts": [0, 4],
        "num_experts_per_tok": [2],
        "shared_intermediate_size": [80],
        "mamba_proj_bias": _YES_NO,
        "mamba_conv_bias": _YES_NO,
        "attention_bias": _YES_NO,
    },
    "jamba": {
        "num_experts": [1, 4],
        "num_experts_per_tok": [1],
        "attn_layer_period": [3],
        "attn_layer_offset": [1, 2],
        "mamba_d_state": [8],
        "mamba_expand": [2, 3],
        "mamba_dt_rank": ["auto", 6],
        "mamba_proj_bias": _YES_NO,
        "mamba_conv_bias": _YES_NO,
        "use_mamba_kernels": [False],
    },
    "minimax": {"num_local_experts": [4], "num_experts_per_tok": [2], "head_dim": [None, 24]},
    "mamba": {
        "state_size": [8, 16],
        "expand": [2, 3],
        "conv_kernel": [3, 4],
        "time_step_rank": ["auto", 6],
        "use_bias": _YES_NO,
        "use_conv_bias": _YES_NO,
    },
    "falcon_mamba": {"state_size": [8, 16], "expand": [2], "use_bias": _YES_NO, "use_conv_bias": _YES_NO},
    "mamba2": {
        "hidden_size": [64],
        "num_heads": [8],
        "head_dim": [16],
        "state_size": [8, 16],
        "n_groups": [1, 2],
        "conv_kernel": [3, 4],
        "use_bias": _YES_NO,
        "use_conv_bias": _YES_NO,
    },
    "falcon_h1": {**_MAMBA2, "mamba_d_ssm": [64, None], "mamba_rms_norm": _YES_NO, "projectors_bias": _YES_NO},
    "bamba": {**_MAMBA2, "attn_layer_indices": [[2], [1, 4]]},
    "lfm2": {
        "full_attn_idxs": [[2, 4], None],
        "conv_bias": _YES_NO,
        "conv_L_cache": [3, 4],
        "block_multiple_of": [16, 32],
        "block_ffn_dim_multiplier": [1.0, 1.3],
        "block_auto_adjust_ff_dim": _YES_NO,
    },
    "lfm2_moe": {
        **_EXPERTS,
        "layer_types": [["conv", "conv", "full_attention", "conv", "full_attention", "conv"]],
        "num_experts": [4, 8],
        "num_dense_layers": [0, 2],
        "conv_bias": _YES_NO,
    },
    "olmo_hybrid": {"linear_num_value_heads": [4], "linear_num_key_heads": [4], "attention_bias": _YES_NO},
    "kimi_linear": {
        **{name: values for name, values in _LATENT.items() if name.startswith(("q", "kv", "v"))},
        "attention_bias": _YES_NO,
        "num_experts": [4, 8],
        "num_experts_per_token": [2],
        "num_shared_experts": [1, 2],
        "moe_intermediate_size": [48],
        "first_k_dense_replace": [1, 2],
        "tie_word_embeddings": [False],
        "linear_attn_config": [
            {
                "num_heads": 4,
                "head_dim": 16,
                "short_conv_kernel_size": 4,
                "full_attn_layers": [4],
                "kda_layers": [1, 2, 3, 5, 6],
            }
        ],
    },
    "mimo_v2_flash": {
        **_EXPERTS,
        "n_routed_experts": [4, 8],
        "head_dim": [24],
        "v_head_dim": [16],
        "num_key_value_heads": [1, 2],
        "attention_bias": _YES_NO,
    },
}


_LAYERS = {"gemma3n_text": 10, "gemma4_text": 12, "gemma4_unified_text": 12}
_NULL_SAYS_SOMETHING = {"sliding_window", "q_lora_rank", "mamba_d_ssm"}
_WITHOUT: Mapping[str, tuple[str, ...]] = {
    "opt": ("num_key_value_heads", "intermediate_size"),
    "falcon": ("num_key_value_heads", "intermediate_size"),
    "gpt_neox": ("num_key_value_heads",),
    "nemotron_h": ("num_hidden_layers", "tie_word_embeddings"),
    "gpt2": ("num_key_value_heads", "intermediate_size"),
    "bloom": ("num_key_value_heads", "intermediate_size"),
    **dict.fromkeys(("gptj", "codegen", "gpt_bigcode"), ("num_key_value_heads", "intermediate_size")),
    **dict.fromkeys(("mpt", "dbrx"), ("num_key_value_heads", "intermediate_size")),
    "gpt_neo": ("num_key_value_heads", "num_attention_heads"),
    "solar_open": ("intermediate_size",),
    **dict.fromkeys(
        ("mamba", "mamba2", "falcon_mamba"), ("num_key_value_heads", "num_attention_heads", "intermediate_size")
    ),
}
_OLD_NAMES = {"hidden_size": "n_embd", "num_hidden_layers": "n_layer", "num_attention_heads": "n_head"}
_MOSAIC_NAMES = {"hidden_size": "d_model", "num_hidden_layers": "n_layers", "num_attention_heads": "n_heads"}
_RENAMED: Mapping[str, Mapping[str, str]] = {
    **dict.fromkeys(("gpt2", "gptj", "codegen", "gpt_bigcode"), _OLD_NAMES),
    **dict.fromkeys(("mpt", "dbrx"), _MOSAIC_NAMES),
    "gpt_neo": {"num_hidden_layers": "num_layers"},
    "exaone": {"num_hidden_layers": "num_layers"},
    "bloom": {"num_hidden_layers": "n_layer", "num_attention_heads": "n_head"},
}


def _random(family: str, dice: random.Random) -> Given:
    given = _common(dice, _LAYERS.get(family, 6)) | {
        name: dice.choice(values) for name, values in CHOICES[family].items()
    }
    if given["num_attention_heads"] % given["num_key_value_heads"]:
        given["num_key_value_heads"] = 1
    unwanted, names = _WITHOUT.get(family, ()), _RENAMED.get(family, {})
    return {"model_type": family} | {
        names.get(name, name): value
        for name, value in given.items()
        if name not in unwanted and (value is not None or name in _NULL_SAYS_SOMETHING)
    }


def counted(given: Mapping[str, Any]) -> int:
    """Parameters that transformers' class for this configuration holds."""
    import torch  # noqa: PLC0415  both are heavy, and only here
    from transformers import AutoModel, AutoModelForCausalLM  # noqa: PLC0415
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: PLC0415

    family = _STANDS_FOR.get(given["model_type"], given["model_type"])
    wanted = {name: value for name, value in given.items() if name != "model_type"}
    config = CONFIG_MAPPING[family](pad_token_id=0, **wanted)
    with torch.device("meta"):
        if family in _UNDER_AN_ENCODER:
            model = AutoModel.from_config(config)
            own = 0 if wanted.get("tie_word_embeddings") else config.vocab_size * config.hidden_size
            return int(model.num_parameters()) + own
        model = AutoModelForCausalLM.from_config(config)
    return int(model.num_parameters())


def _told(name: str, given: Mapping[str, Any]) -> str:
    """What is wrong with one configuration; nothing where both counts agree."""
    try:
        theirs = counted(given)
    except Exception as error:  # noqa: BLE001  whatever its classes raise for a configuration they cannot build
        return f"{name}: not built by transformers ({str(error)[:200]}) {given}"
    try:
        ours = configuration.of_table(given).stack.parameters
    except configuration.ConfigurationError as error:
        return f"{name}: refused ({error}); transformers counts {theirs:,}"
    return "" if ours == theirs else f"{name}: {ours:,}, transformers {theirs:,} ({ours - theirs:+,}) {given}"


def _told_of_less(name: str, given: Mapping[str, Any]) -> str:
    """The same of a configuration with a key less, which may be refused, or be none that transformers can build."""
    try:
        configuration.of_table(given)
    except configuration.ConfigurationError:
        return ""
    found = _told(name, given)
    return "" if "not built" in found else found


def _with_a_key_less() -> list[tuple[str, Given]]:
    """A random configuration of each family without each of its keys."""
    found = []
    for family in CHOICES:
        given = _random(family, random.Random(family))  # noqa: S311  no secret
        keys = given.keys() - {"model_type"}
        found += [(f"{family} without {one}", {k: v for k, v in given.items() if k != one}) for one in sorted(keys)]
    return found


def main() -> int:
    """Count all; print what disagrees and how many agree."""
    logging.disable(logging.ERROR)
    wanted = sys.argv[1:]
    published = [(one["name"], one["config"]) for one in json.loads(NAMED.read_text("utf-8"))]
    named = [one for one in published if one[1]["model_type"] not in _NOT_THERE]
    by_chance = [
        (f"{family} {number}", _random(family, random.Random(f"{family}{number}")))  # noqa: S311  no secret
        for family in CHOICES
        for number in range(_EACH)
    ]
    wrong = 0
    for title, configurations, tell in (
        ("named", named, _told),
        ("random", by_chance, _told),
        ("with a key less", _with_a_key_less(), _told_of_less),
    ):
        chosen = [(name, given) for name, given in configurations if not wanted or given["model_type"] in wanted]
        told = [found for name, given in chosen if (found := tell(name, given))]
        sys.stdout.writelines(f"{one}\n" for one in told)
        sys.stdout.write(f"{title}: {len(chosen) - len(told)} of {len(chosen)} agree to the parameter\n")
        wrong += len(told)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

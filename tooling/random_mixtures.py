"""What random configurations of mixtures of experts may have, family by family."""

from collections.abc import Mapping
from typing import Any

_EXPERTS: Mapping[str, list[Any]] = {"num_experts_per_tok": [1, 2], "moe_intermediate_size": [48, 64]}
_WIDE: Mapping[str, list[Any]] = {"head_dim": [16, 24, 32]}
_YES_NO: list[Any] = [True, False]
MIXTURES: Mapping[str, Mapping[str, list[Any]]] = {
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
}

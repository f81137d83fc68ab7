"""Older names of results, which stay valid."""

SHARED_ALIASES = {
    "usual_kv_heads": "typical_kv_heads",
    "usual_heads": "typical_heads",
    "usual_kv_lora_rank": "typical_kv_lora_rank",
    "usual_rope_head_dim": "typical_rope_head_dim",
    "usual_nope_head_dim": "typical_nope_head_dim",
    "unread_parameters": "lookup_table_parameters",
}
RESULT_ALIASES = {
    **SHARED_ALIASES,
    "weight_memory": "serving_weight_memory",
    "fits": "serving_fits",
    "cache_copies": "cache_replication",
    "usual_context": "default_context",
}

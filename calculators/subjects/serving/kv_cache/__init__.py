"""KV cache and serving capacity."""

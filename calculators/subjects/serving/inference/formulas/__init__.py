"""Formulas of inference: a decoding step, batching, prefill, the fleet, KV-cache offload and ranges."""

"""One replica of a served model: its inputs, memory, KV cache and decoding step, for every subject that decodes."""

"""Decoding: the fastest step and token rate that memory bandwidth alone allows."""

from calculators.declare import formulas_of, step


@step("sequence", "Running sequences")
def running_sequences(sequences: float, max_sequences: float) -> float:
    """Sequences that run concurrently [sequence]: all of them, or as many as fit; the others wait."""
    return min(sequences, max_sequences)


@step("s", "Decode step time, lower bound", falls_with=("memory_bandwidth",))
def decode_step_time(
    weights_read: float, cache_per_sequence_per_gpu: float, running_sequences: float, memory_bandwidth: float
) -> float:
    """Least time of a decode step [s]: weights and KV cache of all running sequences read once from GPU memory."""
    return (weights_read + cache_per_sequence_per_gpu * running_sequences) / memory_bandwidth


@step("token/s", "Decode tokens/s, upper bound", source="gpt-fast", rises_with=("memory_bandwidth",))
def decode_tokens_per_second(running_sequences: float, decode_step_time: float) -> float:
    """Tokens per second of all running sequences together [token/s], by memory bandwidth alone; 0 if nothing fits."""
    return running_sequences / decode_step_time if running_sequences > 0 else 0


@step("token/s", "Decode tokens/s per sequence, upper bound", source="gpt-fast", rises_with=("memory_bandwidth",))
def decode_tokens_per_second_per_sequence(running_sequences: float, decode_step_time: float) -> float:
    """Tokens per second of each running sequence [token/s], by memory bandwidth alone; 0 if nothing fits."""
    return 1 / decode_step_time if running_sequences > 0 else 0


DECODING_FORMULAS = formulas_of(globals())

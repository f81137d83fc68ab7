"""Decoding: the fastest step and token rate that memory bandwidth alone allows."""

from calculators.declare import formulas_of, step


@step("sequence", "Sequences running at once")
def running_sequences(sequences: float, max_sequences: float) -> float:
    """The wanted sequences, or those of them that fit [sequence]; the others wait."""
    return min(sequences, max_sequences)


@step("s", "Time per decoding step", falls_with=("memory_bandwidth",))
def decode_step_time(
    weights_read: float, cache_per_sequence_per_gpu: float, running_sequences: float, memory_bandwidth: float
) -> float:
    """Least time to make one token for every running sequence [s]: weights and cache through each GPU's memory once."""
    return (weights_read + cache_per_sequence_per_gpu * running_sequences) / memory_bandwidth


@step("token/s", "Decoding speed, upper bound", source="gpt-fast", rises_with=("memory_bandwidth",))
def decode_tokens_per_second(running_sequences: float, decode_step_time: float) -> float:
    """Tokens per second of all running sequences together [token/s], by memory bandwidth alone; 0 if nothing fits."""
    return running_sequences / decode_step_time if running_sequences > 0 else 0


@step("token/s", "Decoding speed per sequence, upper bound", source="gpt-fast", rises_with=("memory_bandwidth",))
def decode_tokens_per_second_per_sequence(running_sequences: float, decode_step_time: float) -> float:
    """Tokens per second that each running sequence sees [token/s], by memory bandwidth alone; 0 if nothing fits."""
    return 1 / decode_step_time if running_sequences > 0 else 0


DECODING_FORMULAS = formulas_of(globals())

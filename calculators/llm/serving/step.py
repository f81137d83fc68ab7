"""Step: the mean time of a step of continuous batching, from weight and KV-cache reads, compute, latency and drafts."""

from calculators.declare import formulas_of, step

_WIDE = 2.0  # bytes of what stays in 16 bits


@step("B", "Extra output-layer read per GPU (16 bits)")
def extra_output_layer_read(vocab: float, hidden: float, weight_bytes: float, serving_tensor_parallel: float) -> float:
    """Bytes a step reads on top because the output layer stays in 16 bits where weights are narrower [B].

    Llama 3 8B in one byte: 128,256 × 4,096.

    >>> extra_output_layer_read(128256, 4096, 1, 1)
    525336576.0
    """
    return vocab * hidden * max(0, _WIDE - weight_bytes) / serving_tensor_parallel


@step("s", "Weight read time", source="pope-2022", falls_with=("memory_bandwidth", "bandwidth_efficiency"))
def memory_time(
    weights_read: float,
    extra_output_layer_read: float,
    routed_weights_read: float,
    expert_groups: float,
    serving_tensor_parallel: float,
    expert_imbalance: float,
    memory_bandwidth: float,
    bandwidth_efficiency: float,
) -> float:
    """Time to read the weights of a step [s], at the bandwidth that engines reach: experts of the fullest GPU."""
    more = (expert_imbalance - 1) * routed_weights_read / expert_groups / serving_tensor_parallel
    return (weights_read + more + extra_output_layer_read) / (memory_bandwidth * bandwidth_efficiency)


@step("B", "KV cache read per sequence and step, per GPU", binary=True)
def cache_read_per_sequence(
    cache_entry: float,
    attention_layers: float,
    global_layers: float,
    window_entry_ratio: float,
    window: float,
    compressed_values: float,
    cache_bytes: float,
    state_per_sequence: float,
    input_tokens: float,
    output_tokens: float,
    cache_share_per_gpu: float,
    serving_tensor_parallel: float,
) -> float:
    """Bytes of KV cache and state that a step reads of one sequence on each GPU [B], half of its output generated.

    Llama 3 70B over eight: ten layers' worth of 4,096 B a token.

    >>> cache_read_per_sequence(4096, 80, 80, 1, 0, 0, 2, 0, 1000, 1000, 1 / 8, 8) / 1500
    40960.0
    """
    held = input_tokens + output_tokens / 2
    windows = (attention_layers - global_layers) * window_entry_ratio
    entries = cache_entry * (global_layers * held + windows * min(held, window))
    cached = entries + compressed_values * cache_bytes * held
    return cached * cache_share_per_gpu + state_per_sequence / serving_tensor_parallel


@step("s", "KV-cache read time per sequence")
def sequence_cache_time(
    cache_read_per_sequence: float, memory_bandwidth: float, bandwidth_efficiency: float, expert_imbalance: float
) -> float:
    """Time to read the KV cache of one sequence in a step [s], on the GPU with most to read."""
    return cache_read_per_sequence * expert_imbalance / (memory_bandwidth * bandwidth_efficiency)


@step("s", "KV-cache read time", rises_with=("concurrent_sequences",))
def cache_time(concurrent_sequences: float, sequence_cache_time: float) -> float:
    """Time to read the KV cache of all concurrent sequences in a step [s]."""
    return concurrent_sequences * sequence_cache_time


@step("s", "Draft time")
def draft_time(draft_tokens: float, draft_cost: float, memory_time: float, latency_time: float) -> float:
    """Time that drafting adds to a step [s]."""
    return draft_tokens * draft_cost * (memory_time + latency_time)


@step("s", "Compute not hidden behind weight reads")
def exposed_compute_time(
    memory_time: float,
    serving_compute_time: float,
    concurrent_sequences: float,
    sequence_decode_compute_time: float,
    prefill_step_share: float,
) -> float:
    """Time by which compute outlasts the weight reads that hide it, in the mean of steps [s].

    Steps with prefill compute long and hide their reads; steps without read weights and compute little. 10% of the
    steps with 100 ms of compute, others with none, and 10 ms of reads: 9 ms in the mean.

    >>> round(exposed_compute_time(10, 10, 1, 0, 0.1), 6), exposed_compute_time(10, 30, 1, 30, 0)
    (9.0, 20)
    >>> exposed_compute_time(10, 30, 4, 2, 0.5), exposed_compute_time(10, 30, 4, 2, 0.25)
    (20, 20)
    """
    with_prompts = min(1, concurrent_sequences * prefill_step_share)
    own = concurrent_sequences * sequence_decode_compute_time
    without = (1 - with_prompts) * max(0, own - memory_time)
    return without + max(0, with_prompts * (own - memory_time) + serving_compute_time - own)


@step("s", "Step time")
def serving_step_time(
    memory_time: float, exposed_compute_time: float, cache_time: float, latency_time: float, draft_time: float
) -> float:
    """Mean time of a step [s]: weight reads, compute beyond them, KV-cache reads, latency and drafts."""
    return memory_time + exposed_compute_time + cache_time + latency_time + draft_time


FORMULAS = formulas_of(globals())

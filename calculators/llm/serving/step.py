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


@step("s", "KV-cache read time per sequence", source="aiconfigurator-systems")
def sequence_cache_time(
    cache_read_per_sequence: float,
    memory_bandwidth: float,
    bandwidth_efficiency: float,
    expert_imbalance: float,
    heads: float,
    kv_lora_rank: float,
    rope_head_dim: float,
    attention_layers: float,
    input_tokens: float,
    output_tokens: float,
    serving_tensor_parallel: float,
    attention_flops_rate: float,
) -> float:
    """Time to read the KV cache of one sequence in a step [s], on the GPU with most to read; or to attend to it.

    Each head attends to the whole latent entry: with 128 heads on one GPU that outlasts its reading. DeepSeek-V3 on an
    H200 with a cache in 8 bits: 128 sequences of 8,192 tokens take 438 µs a layer measured, 454 at the rate of prompts.

    >>> latent = 128, 512, 64, 1, 8192, 0, 1, 642.85e12
    >>> round(sequence_cache_time(8192 * 576, 4.8e12, 0.8, 1, *latent) * 128 * 1e6)
    454
    >>> sequence_cache_time(800, 1e3, 0.8, 1, 64, 0, 0, 80, 1000, 0, 1, 1e12)
    1.0
    """
    read = cache_read_per_sequence / (memory_bandwidth * bandwidth_efficiency)
    width = heads * (2 * kv_lora_rank + rope_head_dim) if kv_lora_rank else 0
    flops = 2 * width * attention_layers * (input_tokens + output_tokens / 2)
    return max(read, flops / (serving_tensor_parallel * attention_flops_rate)) * expert_imbalance


@step("s", "KV-cache read time", rises_with=("concurrent_sequences",))
def cache_time(concurrent_sequences: float, sequence_cache_time: float) -> float:
    """Time to read the KV cache of all concurrent sequences in a step [s]."""
    return concurrent_sequences * sequence_cache_time


@step("s", "Draft time")
def draft_time(draft_tokens: float, draft_cost: float, memory_time: float, latency_time: float) -> float:
    """Time that drafting adds to a step [s]."""
    return draft_tokens * draft_cost * (memory_time + latency_time)


@step("s", "Compute not hidden behind weight reads", source="aiconfigurator-systems")
def exposed_compute_time(
    shared_read_time: float,
    serving_compute_time: float,
    concurrent_sequences: float,
    sequence_decode_compute_time: float,
    prefill_step_share: float,
    sequence_expert_time: float,
    sequence_decode_expert_time: float,
) -> float:
    """Time by which compute outlasts the weight reads that hide it, in the mean of steps [s].

    Steps with prefill compute long and hide their reads; steps without read weights and compute little. 10% of the
    steps with 100 ms of compute, others with none, and 10 ms of reads: 9 ms in the mean. Experts hide nothing: each
    has few tokens, and kernels measured alone take the time to read them and the time to compute them.

    >>> round(exposed_compute_time(10, 10, 1, 0, 0.1, 0, 0), 6), exposed_compute_time(10, 30, 1, 30, 0, 0, 0)
    (9.0, 20)
    >>> exposed_compute_time(10, 30, 4, 2, 0.5, 0, 0), exposed_compute_time(10, 30, 4, 2, 0.25, 0, 0)
    (20, 20)
    >>> exposed_compute_time(10, 30, 1, 30, 0, 25, 25)
    25
    """
    in_experts = concurrent_sequences * sequence_expert_time
    with_prompts = min(1, concurrent_sequences * prefill_step_share)
    own = concurrent_sequences * (sequence_decode_compute_time - sequence_decode_expert_time)
    without = (1 - with_prompts) * max(0, own - shared_read_time)
    longer = serving_compute_time - in_experts - own
    return in_experts + without + max(0, with_prompts * (own - shared_read_time) + longer)


@step("s", "Step time")
def serving_step_time(
    memory_time: float, exposed_compute_time: float, cache_time: float, latency_time: float, draft_time: float
) -> float:
    """Mean time of a step [s]: weight reads, compute beyond them, KV-cache reads, latency and drafts."""
    return memory_time + exposed_compute_time + cache_time + latency_time + draft_time


FORMULAS = formulas_of(globals())

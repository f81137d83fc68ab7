"""One step of an engine that batches continuously: what it reads, computes and waits for, at so many sequences."""

import math

from calculators import facts
from calculators.declare import formulas_of, step
from calculators.subjects.serving.inference.inputs import Arithmetic, PrefillSchedule

_LAYER = float(facts.fact("serving-layer-latency").value)
_EXPERT_LAYER = float(facts.fact("serving-expert-layer-latency").value)
_TWO_RANKS = float(facts.fact("serving-allreduce-latency.two").value)
_EACH_DOUBLING = float(facts.fact("serving-allreduce-latency.each_doubling").value)
_EVERY_STEP = 1.0  # of steps, those with part of a prompt
_WIDE = 2.0  # bytes of what stays in 16 bits
_WIDEST, _NARROW, _NARROWEST = 16, 8, 4
_DENSE_REACH = float(facts.fact("serving-compute-efficiency").value)
_EXPERTS_REACH = float(facts.fact("serving-compute-efficiency-experts").value)
_FOUR_BITS_REACH = float(facts.fact("serving-compute-efficiency-fp4").value)
_EIGHT_BITS_BELOW, _FOUR_BITS_BELOW = 1.5, 0.75  # bytes a weight, scales included


@step("token", "Context per sequence")
def context(input_tokens: float, output_tokens: float) -> float:
    """What a sequence holds when it is done [token]: engines keep room for all of it."""
    return input_tokens + output_tokens


@step("token", "Prompt to be read", falls_with=("prefix_cache_hit_rate",))
def uncached_input_tokens(input_tokens: float, prefix_cache_hit_rate: float) -> float:
    """Tokens of a prompt that no cache holds [token].

    >>> uncached_input_tokens(4000, 0.75)
    1000.0
    """
    return input_tokens * (1 - prefix_cache_hit_rate)


@step("1", "Tokens a sequence gains in a step", source="leviathan-2023")
def accepted_tokens_per_step(draft_tokens: float, draft_acceptance_rate: float) -> float:
    """One, and with drafts those accepted before the first that is wrong [1]: 1 + a + a² + ... + aᵏ.

    >>> accepted_tokens_per_step(0, 0.7), accepted_tokens_per_step(2, 0.5), accepted_tokens_per_step(3, 1)
    (1.0, 1.75, 4)
    """
    return sum(draft_acceptance_rate**drafted for drafted in range(int(draft_tokens) + 1))


@step("token", "Tokens a step works on for each sequence")
def sequence_tokens(
    draft_tokens: float,
    uncached_input_tokens: float,
    output_tokens: float,
    accepted_tokens_per_step: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """Drafts and one more, and beside them a piece of the prompt of whoever comes next [token].

    A sequence is replaced once in as many steps as its answer takes, and then a prompt is read.

    >>> sequence_tokens(0, 4000, 500, 1, False), sequence_tokens(3, 4000, 500, 2.5, True)
    (9.0, 4)
    """
    return draft_tokens + 1 + (0 if disaggregated else uncached_input_tokens * accepted_tokens_per_step / output_tokens)


@step("token", "Tokens a decoding step works on", rises_with=("concurrent_sequences",))
def serving_tokens_per_step(concurrent_sequences: float, sequence_tokens: float) -> float:
    """Tokens of all running sequences in a step, prompts read along and drafts included [token]."""
    return concurrent_sequences * sequence_tokens


@step("1", "Bits that products are made of")
def product_bits(
    arithmetic: Arithmetic, weight_bytes: float, peak_flops_fp8: float | None, peak_flops_fp4: float | None
) -> float:
    """The precision in which products run [1]: 16, 8 or 4 bits, as narrow as weights and GPU allow unless said.

    Weights narrower than anything the GPU multiplies are widened to 16 bits first, as with four bits before Blackwell.

    >>> product_bits("auto", 1, 1979, None), product_bits("auto", 0.5, 1979, None), product_bits("auto", 0.5, 1, 1)
    (8, 16, 4)
    """
    if arithmetic == "4" or (arithmetic == "auto" and weight_bytes < _FOUR_BITS_BELOW):
        return _WIDEST if peak_flops_fp4 is None else _NARROWEST
    if arithmetic == "8" or (arithmetic == "auto" and weight_bytes < _EIGHT_BITS_BELOW):
        return _WIDEST if peak_flops_fp8 is None else _NARROW
    return _WIDEST


@step("FLOP/s", "Peak FLOPs in the arithmetic used")
def serving_peak_flops(
    product_bits: float, peak_flops: float, peak_flops_fp8: float | None, peak_flops_fp4: float | None
) -> float:
    """The rate of one GPU [FLOP/s] in the precision in which products run."""
    rate = peak_flops_fp4 if product_bits == _NARROWEST else peak_flops_fp8 if product_bits == _NARROW else peak_flops
    return peak_flops if rate is None else rate


@step("share", "Usual share of arithmetic")
def typical_compute_efficiency(experts: float, product_bits: float) -> float:
    """What engines reach of the peak [share]: less with four bits, and less where tokens are dealt out to experts."""
    narrow = _FOUR_BITS_REACH if product_bits == _NARROWEST else _DENSE_REACH
    return min(narrow, _EXPERTS_REACH) if experts > 1 else narrow


@step("B", "Output layer read beyond its share, per GPU")
def extra_output_layer_read(vocab: float, hidden: float, weight_bytes: float, serving_tensor_parallel: float) -> float:
    """What a step reads more [B] because the output layer stays in 16 bits where weights are narrower.

    Llama 3 8B in one byte: 128,256 × 4,096.

    >>> extra_output_layer_read(128256, 4096, 1, 1)
    525336576.0
    """
    return vocab * hidden * max(0, _WIDE - weight_bytes) / serving_tensor_parallel


@step("s", "Reading weights", source="pope-2022", falls_with=("memory_bandwidth", "bandwidth_efficiency"))
def memory_time(
    weights_read: float, extra_output_layer_read: float, memory_bandwidth: float, bandwidth_efficiency: float
) -> float:
    """Time a step reads weights [s], at the bandwidth that engines reach."""
    return (weights_read + extra_output_layer_read) / (memory_bandwidth * bandwidth_efficiency)


@step("FLOP", "Attention over a prompt", rises_with=("input_tokens",))
def prompt_attention_flops(
    attention_layers: float,
    global_layers: float,
    window: float,
    attention_width: float,
    uncached_input_tokens: float,
    input_tokens: float,
    prefix_cache_hit_rate: float,
) -> float:
    """FLOPs of scores and sums over one prompt [FLOP]: four for each pair of tokens and each unit of width.

    Each new token sees what was cached and the new ones before it; in window layers at most the window.

    >>> prompt_attention_flops(80, 80, 0, 8192, 4000, 4000, 0)
    20971520000000.0
    """
    pairs = uncached_input_tokens * input_tokens * prefix_cache_hit_rate + uncached_input_tokens**2 / 2
    seen = global_layers * pairs + (attention_layers - global_layers) * min(pairs, uncached_input_tokens * window)
    return 4 * attention_width * seen


@step("FLOP", "Reading a prompt", source="pope-2022", rises_with=("input_tokens",))
def prefill_flops(
    active_parameters: float,
    lookup_table_parameters: float,
    uncached_input_tokens: float,
    prompt_attention_flops: float,
) -> float:
    """Arithmetic of one prompt [FLOP]: two for each parameter that works and each token, and attention."""
    return 2 * max(0, active_parameters - lookup_table_parameters) * uncached_input_tokens + prompt_attention_flops


@step("FLOP", "Arithmetic of a step for each sequence")
def sequence_flops(
    active_parameters: float,
    lookup_table_parameters: float,
    sequence_tokens: float,
    prompt_attention_flops: float,
    output_tokens: float,
    accepted_tokens_per_step: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """What a step computes for each running sequence [FLOP], its part of a prompt included."""
    of_prompts = 0 if disaggregated else prompt_attention_flops * accepted_tokens_per_step / output_tokens
    return 2 * max(0, active_parameters - lookup_table_parameters) * sequence_tokens + of_prompts


@step("s", "Arithmetic of a step for each sequence, as time", falls_with=("compute_efficiency",))
def sequence_compute_time(
    sequence_flops: float, serving_tensor_parallel: float, serving_peak_flops: float, compute_efficiency: float
) -> float:
    """How long all ranks compute for one sequence of a step [s], at the share of the peak that engines reach."""
    return sequence_flops / (serving_tensor_parallel * serving_peak_flops * compute_efficiency)


@step("s", "Arithmetic of a sequence's own tokens, as time", falls_with=("compute_efficiency",))
def sequence_decode_compute_time(
    active_parameters: float,
    lookup_table_parameters: float,
    draft_tokens: float,
    serving_tensor_parallel: float,
    serving_peak_flops: float,
    compute_efficiency: float,
) -> float:
    """How long all ranks compute for one sequence of a step that reads no prompt along [s].

    >>> round(sequence_decode_compute_time(8e9, 0, 0, 2, 100e12, 0.5) * 1e6)
    160
    """
    of_token = 2 * max(0, active_parameters - lookup_table_parameters)
    return of_token * (draft_tokens + 1) / (serving_tensor_parallel * serving_peak_flops * compute_efficiency)


@step("share", "Steps with a chunk of a prompt, for each sequence")
def chunked_step_share(
    uncached_input_tokens: float,
    prefill_chunk: float,
    output_tokens: float,
    accepted_tokens_per_step: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """Of all steps those in which a prompt is read along in chunks, for each sequence that runs [share].

    A prompt is read in as few steps as its chunks are, not spread over all: one of 5,000 tokens in one of 500 steps.

    >>> chunked_step_share(5000, 8192, 500, 1, False), chunked_step_share(16384, 8192, 500, 1, False)
    (0.002, 0.004)
    """
    return (
        0 if disaggregated else max(1, uncached_input_tokens / prefill_chunk) * accepted_tokens_per_step / output_tokens
    )


@step("share", "Steps with part of a prompt, for each sequence")
def prefill_step_share(prefill_schedule: PrefillSchedule, chunked_step_share: float) -> float:
    """Of all steps those in which a prompt is read along, for each sequence that runs [share]: all, if evenly.

    None where prompts are read apart.

    >>> prefill_step_share("evenly", 0.002), prefill_step_share("chunks", 0.002)
    (1.0, 0.002)
    >>> prefill_step_share("evenly", 0)
    0
    """
    return _EVERY_STEP if prefill_schedule == "evenly" and chunked_step_share > 0 else chunked_step_share


@step("share", "Steps with part of a prompt for each sequence, read the other way")
def other_schedule_step_share(prefill_schedule: PrefillSchedule, chunked_step_share: float) -> float:
    """What it would be were prompts read the other way [share]: in chunks, if they are read evenly.

    >>> other_schedule_step_share("evenly", 0.002), other_schedule_step_share("chunks", 0.002)
    (0.002, 1.0)
    """
    return chunked_step_share if prefill_schedule == "evenly" or chunked_step_share == 0 else _EVERY_STEP


@step("s", "Arithmetic")
def serving_compute_time(concurrent_sequences: float, sequence_compute_time: float) -> float:
    """How long a step computes [s]."""
    return concurrent_sequences * sequence_compute_time


@step("B", "Cache read for a sequence, per GPU", binary=True)
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
    """What a step reads of one sequence on each GPU [B], half of its answer written: cache, and state where one is.

    Llama 3 70B over eight: ten layers' worth of 4,096 B a token.

    >>> cache_read_per_sequence(4096, 80, 80, 1, 0, 0, 2, 0, 1000, 1000, 1 / 8, 8) / 1500
    40960.0
    """
    held = input_tokens + output_tokens / 2
    windows = (attention_layers - global_layers) * window_entry_ratio
    entries = cache_entry * (global_layers * held + windows * min(held, window))
    cached = entries + compressed_values * cache_bytes * held
    return cached * cache_share_per_gpu + state_per_sequence / serving_tensor_parallel


@step("s", "Reading the cache of a sequence")
def sequence_cache_time(cache_read_per_sequence: float, memory_bandwidth: float, bandwidth_efficiency: float) -> float:
    """How long a step reads the cache of one sequence [s]."""
    return cache_read_per_sequence / (memory_bandwidth * bandwidth_efficiency)


@step("s", "Reading the cache", rises_with=("concurrent_sequences",))
def cache_time(concurrent_sequences: float, sequence_cache_time: float) -> float:
    """How long a step reads the cache of all running sequences [s]."""
    return concurrent_sequences * sequence_cache_time


@step("s", "Usual latency of a layer")
def typical_layer_latency(experts: float) -> float:
    """What a layer costs however little it does [s]; more where it routes."""
    return _EXPERT_LAYER if experts > 1 else _LAYER


@step("s", "Usual latency of an all-reduce")
def typical_allreduce_latency(serving_tensor_parallel: float) -> float:
    """Of a small message in one NVLink domain [s]: 3 µs between two ranks, half more for each doubling.

    >>> [round(typical_allreduce_latency(ranks) * 1e6, 1) for ranks in (1, 2, 4, 8)]
    [0.0, 3.0, 3.5, 4.0]
    """
    ranks = serving_tensor_parallel
    return _TWO_RANKS + _EACH_DOUBLING * math.log2(ranks / 2) if ranks > 1 else 0


@step("s", "All-reduce of a token, its bytes alone")
def token_allreduce_time(
    hidden: float, serving_tensor_parallel: float, link_bandwidth: float, allreduce_link_efficiency: float
) -> float:
    """What the values of one token add to an all-reduce [s]: 16 bits each, over one direction of the links.

    >>> round(token_allreduce_time(8192, 8, 900e9, 0.7) * 1e9, 1)
    91.0
    """
    sent = hidden * _WIDE * 2 * (serving_tensor_parallel - 1) / serving_tensor_parallel
    return sent / (link_bandwidth / 2 * allreduce_link_efficiency)


@step("s", "Latency of a step without sequences", rises_with=("layer_latency",))
def fixed_latency(
    layers: float, layer_latency: float, allreduce_latency: float, expert_layers: float, exchange_latency: float
) -> float:
    """What a step costs before it does anything [s]: every layer, with two all-reduces; exchanges with experts."""
    return layers * (layer_latency + 2 * allreduce_latency) + expert_layers * exchange_latency


@step("s", "Latency that a sequence adds")
def added_latency_per_sequence(
    layers: float,
    token_allreduce_time: float,
    expert_layers: float,
    token_exchange_time: float,
    sequence_tokens: float,
    sequence_latency: float,
) -> float:
    """What one more sequence adds to a step beside reading and arithmetic [s]: its tokens on their way, bookkeeping."""
    of_token = 2 * layers * token_allreduce_time + expert_layers * token_exchange_time
    return of_token * sequence_tokens + sequence_latency


@step("s", "Latency", rises_with=("layer_latency",))
def latency_time(fixed_latency: float, concurrent_sequences: float, added_latency_per_sequence: float) -> float:
    """What a step waits for that no memory bandwidth buys back [s]: layers, all-reduces, experts, sequences."""
    return fixed_latency + concurrent_sequences * added_latency_per_sequence


@step("s", "Drafting")
def draft_time(draft_tokens: float, draft_cost: float, memory_time: float, latency_time: float) -> float:
    """What guessing adds to a step [s]."""
    return draft_tokens * draft_cost * (memory_time + latency_time)


@step("s", "Arithmetic beyond reading weights")
def exposed_compute_time(
    memory_time: float,
    serving_compute_time: float,
    concurrent_sequences: float,
    sequence_decode_compute_time: float,
    prefill_step_share: float,
) -> float:
    """By how much arithmetic outlasts the reading that it hides behind, in the mean of steps [s].

    Steps that read a prompt along compute long and hide their reading; those between them read weights and compute
    little. A tenth of the steps with 100 ms of arithmetic, others with none, beside 10 ms of reading: 9 ms in the mean.

    >>> round(exposed_compute_time(10, 10, 1, 0, 0.1), 6), exposed_compute_time(10, 30, 1, 30, 0)
    (9.0, 20)
    >>> exposed_compute_time(10, 30, 4, 2, 0.5), exposed_compute_time(10, 30, 4, 2, 0.25)
    (20, 20)
    """
    with_prompts = min(1, concurrent_sequences * prefill_step_share)
    own = concurrent_sequences * sequence_decode_compute_time
    without = (1 - with_prompts) * max(0, own - memory_time)
    return without + max(0, with_prompts * (own - memory_time) + serving_compute_time - own)


@step("s", "A decoding step")
def serving_step_time(
    memory_time: float, exposed_compute_time: float, cache_time: float, latency_time: float, draft_time: float
) -> float:
    """How long a step takes in the mean [s]: weights read, arithmetic beyond that, cache, latency and drafts."""
    return memory_time + exposed_compute_time + cache_time + latency_time + draft_time


@step("share", "Latency, of a step")
def serving_latency_share(latency_time: float, serving_step_time: float) -> float:
    """What of a step is latency [share]."""
    return latency_time / serving_step_time if serving_step_time > 0 else 0


FORMULAS = formulas_of(globals())

"""Rollout engine: Inference's decoding step for any number of running sequences, and the sequences it holds."""

import dataclasses
from collections.abc import Mapping
from typing import NamedTuple

from calculators.declare import AnyFormula, formulas_of, record, step, variant
from calculators.llm.serving.batching import DecodeStep, Drafting, SequenceCosts, StepReads
from calculators.llm.serving.compute import prompt_attention_flops
from calculators.llm.serving.latency import added_latency_per_sequence
from calculators.llm.serving.prefill import prefill_time
from calculators.subjects.post_training.post_training.formulas.lengths import Lengths

_WITHOUT_PREFILL = 0.0  # share of decoding steps that contain some


class Engine(NamedTuple):
    """Rollout engine: its decoding step without KV cache, and what a cached token adds to a token's time [s]."""

    step: DecodeStep
    token_time: float
    efficiency: float

    def tpot(self, running: float, context: float) -> float:
        """Time per output token with so many sequences running, each of so many tokens [s]."""
        return (self.step.tpot(running) + running * context * self.token_time) / self.efficiency


class Sample(NamedTuple):
    """One sample in an engine: tokens it has and holds in the mean, time of its prompt and of its tools [s]."""

    context: float
    held: float
    prompt_time: float
    waiting: float


def _inner(base: AnyFormula, changes: Mapping[str, str], name: str, label: str) -> AnyFormula:
    """One of Inference's formulas in an engine's state: a value between others, no result of this calculator."""
    return dataclasses.replace(variant(base, changes, name=name, label=label), role="record")


no_prefix_hits_flops = _inner(
    prompt_attention_flops,
    {"uncached_input_tokens": "input_tokens", "prefix_cache_hit_rate": "no_prefix_hits"},
    "no_prefix_hits_flops",
    "Attention FLOPs of a prompt, nothing cached",
)
rollout_prefill_time = _inner(
    prefill_time,
    {
        "uncached_input_tokens": "input_tokens",
        "prompt_attention_flops": "no_prefix_hits_flops",
    },
    "rollout_prefill_time",
    "Prefill time of a prompt, nothing cached",
)
rollout_sequence_latency = _inner(
    added_latency_per_sequence,
    {"sequence_tokens": "verified_tokens"},
    "rollout_sequence_latency",
    "Added latency per sequence, decode only",
)


@step("share", "Prompts found in a cache")
def no_prefix_hits() -> float:
    """Share of a prompt that a cache holds [share]: none, prompts of a step are new."""
    return 0


@step("token", "Tokens processed per sequence and step, decode only")
def verified_tokens(draft_tokens: float) -> float:
    """Tokens of a sequence that a decoding step processes [token]: drafts and one more.

    >>> verified_tokens(0), verified_tokens(3)
    (1, 4)
    """
    return draft_tokens + 1


@record("Decoding step of a rollout engine")
def rollout_step(
    step_reads: StepReads,
    drafting: Drafting,
    sequence_decode_compute_time: float,
    sequence_decode_expert_time: float,
    rollout_sequence_latency: float,
    fixed_latency: float,
) -> DecodeStep:
    """Inference's decoding step without prefill and without KV cache, which depends on lengths."""
    computing, in_experts = sequence_decode_compute_time, sequence_decode_expert_time
    tokens = drafting.draft_tokens + 1
    costs = SequenceCosts(tokens, computing, computing, in_experts, in_experts, 0.0, rollout_sequence_latency)
    return DecodeStep(step_reads, costs, drafting, _WITHOUT_PREFILL, fixed_latency)


@step("s", "KV-cache read time per cached token")
def cached_token_time(
    sequence_cache_time: float, input_tokens: float, output_tokens: float, accepted_tokens_per_step: float
) -> float:
    """Time that one cached token adds to an output token [s].

    >>> cached_token_time(0.43e-4, 300, 8000, 1)
    1e-08
    """
    return sequence_cache_time / (input_tokens + output_tokens / 2) / accepted_tokens_per_step


@record("Rollout engine")
def rollout_engine(rollout_step: DecodeStep, cached_token_time: float, rollout_efficiency: float) -> Engine:
    """Engine in the loop: slower than its decoding step by an efficiency."""
    return Engine(rollout_step, cached_token_time, rollout_efficiency)


@step("token/s", "Prefill tokens/s of a rollout engine")
def rollout_prefill_rate(input_tokens: float, rollout_prefill_time: float) -> float:
    """Prompt tokens per second of an engine that only prefills [token/s].

    >>> rollout_prefill_rate(300, 0.015)
    20000.0
    """
    return input_tokens / rollout_prefill_time


@step("token", "Tokens cached per sequence")
def context_held(
    input_tokens: float, samples_per_prompt: float, tool_result_tokens: float, answer_lengths: Lengths
) -> float:
    """KV cache of a running sequence, in the mean [token]: a prompt is held once for its group."""
    return input_tokens / samples_per_prompt + tool_result_tokens / 2 + answer_lengths.age


@step("s", "Prefill per sample")
def sample_prefill_time(
    input_tokens: float,
    samples_per_prompt: float,
    tool_result_tokens: float,
    rollout_prefill_rate: float,
    rollout_efficiency: float,
) -> float:
    """Time of an engine to prefill a sample's share of its prompt, and its tool results [s].

    >>> sample_prefill_time(1600, 16, 0, 10_000, 0.5)
    0.02
    """
    tokens = input_tokens / samples_per_prompt + tool_result_tokens
    return tokens / rollout_prefill_rate / rollout_efficiency


@record("Sample in an engine")
def rollout_sample(
    input_tokens: float,
    tool_result_tokens: float,
    answer_lengths: Lengths,
    context_held: float,
    sample_prefill_time: float,
    waiting_time: float,
) -> Sample:
    """One sample in an engine: context in the mean, KV cache held, prefill and time at its tools."""
    context = input_tokens + tool_result_tokens / 2 + answer_lengths.age
    return Sample(context, context_held, sample_prefill_time, waiting_time)


@step("sequence", "Sequences that an engine holds")
def rollout_slots(
    cache_budget: float, cache_per_token_per_gpu: float, context_held: float, max_concurrent_sequences: float
) -> float:
    """Sequences that run at once in an engine at most [sequence]: by KV-cache memory and the engine's setting.

    >>> round(rollout_slots(57e9, 65536, 7635, 2048))
    114
    >>> rollout_slots(57e9, 0, 7635, 2048)
    2048
    """
    if not cache_per_token_per_gpu:
        return max_concurrent_sequences
    return min(max_concurrent_sequences, max(1, cache_budget / cache_per_token_per_gpu / context_held))


FORMULAS = formulas_of(globals())

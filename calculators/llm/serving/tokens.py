"""Tokens: what a request holds and how many tokens a decoding step processes, prefill and drafts included."""

import math

from calculators.declare import formulas_of, step
from calculators.llm.serving.engine import PrefillSchedule

_TYPICAL_INPUT_TOKENS = 4000.0
_EVERY_STEP = 1.0  # of steps, those with part of a prompt


@step("token", "Default input tokens")
def default_input_tokens(positions: float | None, output_tokens: float) -> float:
    """Input tokens of a request where none are given [token]: typical, or what the output leaves of the positions.

    >>> default_input_tokens(131072, 500), default_input_tokens(2048, 500), default_input_tokens(2048, 4096)
    (4000.0, 1548, 1)
    """
    return _TYPICAL_INPUT_TOKENS if positions is None else max(1, min(_TYPICAL_INPUT_TOKENS, positions - output_tokens))


@step("token", "Context per sequence")
def context(input_tokens: float, output_tokens: float) -> float:
    """Tokens of a finished sequence [token]; engines keep room for all of them."""
    return input_tokens + output_tokens


@step("token", "Input tokens not in the prefix cache", falls_with=("prefix_cache_hit_rate",))
def uncached_input_tokens(input_tokens: float, prefix_cache_hit_rate: float) -> float:
    """Input tokens that must be prefilled because no cache holds them [token].

    >>> uncached_input_tokens(4000, 0.75)
    1000.0
    """
    return input_tokens * (1 - prefix_cache_hit_rate)


@step("1", "Output tokens per sequence and step", source="leviathan-2023")
def accepted_tokens_per_step(draft_tokens: float, draft_acceptance_rate: float) -> float:
    """Tokens a sequence gains in a step [1]: one, and the drafts accepted before the first wrong one, 1 + a + ... + aᵏ.

    >>> accepted_tokens_per_step(0, 0.7), accepted_tokens_per_step(2, 0.5), accepted_tokens_per_step(3, 1)
    (1.0, 1.75, 4)
    """
    return sum(draft_acceptance_rate**drafted for drafted in range(int(draft_tokens) + 1))


@step("token", "Tokens processed per sequence and step")
def sequence_tokens(
    draft_tokens: float,
    uncached_input_tokens: float,
    output_tokens: float,
    accepted_tokens_per_step: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """Tokens a step processes per sequence [token]: drafts and one more, and a piece of the next request's prompt.

    A sequence is replaced once in as many steps as its output takes, and then a prompt is prefilled.

    >>> sequence_tokens(0, 4000, 500, 1, False), sequence_tokens(3, 4000, 500, 2.5, True)
    (9.0, 4)
    """
    prefill = 0 if disaggregated else uncached_input_tokens * accepted_tokens_per_step / output_tokens
    return draft_tokens + 1 + prefill


@step("token", "Tokens processed per step", rises_with=("concurrent_sequences",))
def serving_tokens_per_step(concurrent_sequences: float, sequence_tokens: float) -> float:
    """Tokens of all concurrent sequences in a step [token], mixed-in prefill and drafts included."""
    return concurrent_sequences * sequence_tokens


def share_touched(
    tokens: float, decoded: float, with_prefill: float, experts: float, experts_per_token: float, groups: float
) -> float:
    """Share of a layer's experts that steps read in the mean [1], steps with and without prefill apart.

    Of `tokens` in the mean of steps all but `decoded` are in the share of the steps that have prefill.

    >>> share_touched(9, 1, 0, 4, 1, 1), share_touched(9, 1, 1, 4, 1, 1) == 1 - 0.75**9
    (0.25, True)
    >>> share_touched(9, 1, 0.01, 4, 1, 1) == 0.99 * 0.25 + 0.01 * (1 - 0.75**801)
    True
    """
    left = max(0, 1 - experts_per_token / experts) ** groups
    if with_prefill <= 0 or tokens <= decoded:
        return float(1 - left**decoded)
    return float(
        (1 - with_prefill) * (1 - left**decoded)
        + with_prefill * (1 - left ** (decoded + (tokens - decoded) / with_prefill))
    )


@step("token", "Tokens per step that choose experts")
def routed_tokens_per_step(
    concurrent_sequences: float,
    draft_tokens: float,
    serving_tokens_per_step: float,
    prefill_step_share: float,
    experts: float,
    experts_per_token: float,
    expert_groups: float,
) -> float:
    """Tokens that choose as many different experts as steps read in the mean [token].

    Tokens of a prefill chunk are in one step and share its experts: spread over all steps they would touch more.

    >>> routed_tokens_per_step(1, 0, 9, 1, 4, 1, 1), round(routed_tokens_per_step(1, 0, 9, 0.01, 4, 1, 1), 3)
    (9, 1.035)
    """
    left = max(0, 1 - experts_per_token / experts) ** expert_groups
    with_prefill = min(1, concurrent_sequences * prefill_step_share)
    if with_prefill in (0, 1) or left == 0:
        return serving_tokens_per_step
    own = concurrent_sequences * (draft_tokens + 1)
    missed = 1 - share_touched(serving_tokens_per_step, own, with_prefill, experts, experts_per_token, expert_groups)
    return math.log(missed) / math.log(left) if missed > 0 else serving_tokens_per_step


@step("share", "Steps with a prefill chunk, per sequence")
def chunked_step_share(
    uncached_input_tokens: float,
    prefill_chunk: float,
    output_tokens: float,
    accepted_tokens_per_step: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """Share of steps that contain a prefill chunk, for each concurrent sequence [share].

    A prompt takes as few steps as it has chunks and is not spread over all: 5,000 tokens take one of 500 steps.

    >>> chunked_step_share(5000, 8192, 500, 1, False), chunked_step_share(16384, 8192, 500, 1, False)
    (0.002, 0.004)
    """
    return (
        0 if disaggregated else max(1, uncached_input_tokens / prefill_chunk) * accepted_tokens_per_step / output_tokens
    )


@step("share", "Steps with prefill, per sequence")
def prefill_step_share(prefill_schedule: PrefillSchedule, chunked_step_share: float) -> float:
    """Share of steps that contain prefill, for each concurrent sequence [share]: all of them, if spread evenly.

    0 where prefill is disaggregated.

    >>> prefill_step_share("evenly", 0.002), prefill_step_share("chunks", 0.002)
    (1.0, 0.002)
    >>> prefill_step_share("evenly", 0)
    0
    """
    return _EVERY_STEP if prefill_schedule == "evenly" and chunked_step_share > 0 else chunked_step_share


@step("share", "Steps with prefill per sequence, other schedule")
def other_schedule_step_share(prefill_schedule: PrefillSchedule, chunked_step_share: float) -> float:
    """Share of steps that contain prefill under the other prefill schedule [share]: in chunks, if it is even.

    >>> other_schedule_step_share("evenly", 0.002), other_schedule_step_share("chunks", 0.002)
    (0.002, 1.0)
    """
    return chunked_step_share if prefill_schedule == "evenly" or chunked_step_share == 0 else _EVERY_STEP


FORMULAS = formulas_of(globals())

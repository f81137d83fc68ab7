"""Inputs on the work of a step: algorithm, prompts, lengths of answers, tools, and passes of the trainer."""

from dataclasses import dataclass
from typing import Any, Literal

from calculators import facts
from calculators.declare import choice, computed, quantity, switch
from calculators.vocabulary.serving import input_tokens, output_tokens

WORK, LENGTHS, AGENTS = "work", "lengths", "agents"
Algorithm = Literal["grpo", "ppo", "dpo"]
_FORWARD = "One more forward pass over every sample."


def _count(
    default: Any, label: str, hard: tuple[float, float], slider: tuple[float, float], about: str = "", *, group: str
) -> Any:
    return quantity(
        default, "1", label, hard=hard, slider=slider, scale="log", whole=True, doubling=True, help=about, group=group
    )


@dataclass(frozen=True, kw_only=True)
class Work:
    """Work of one step; base units (tokens, s, shares)."""

    algorithm: Algorithm = choice(
        "grpo",
        "Algorithm",
        {
            "grpo": "GRPO: groups of answers to each prompt, rewards by rules",
            "ppo": "PPO: with a critic, trained on the same GPUs",
            "dpo": "DPO: pairs that are there already, no rollouts",
        },
        help="With DPO nothing is generated: rollout engines, verifiers, sandboxes and weight transfer are off.",
        group=WORK,
    )
    prompts_per_step: float = _count(
        64, "Prompts per step", (1, 1e6), (8, 4096), "Pairs with DPO. NeMo RL's recipes: 16 to 64; verl: 512.",
        group=WORK,
    )  # fmt: skip
    samples_per_prompt: float = _count(
        computed("typical_group", "typical for this algorithm"),
        "Samples per prompt",
        (1, 1024),
        (2, 64),
        "Answers to each prompt, the group that GRPO compares. A DPO pair has two.",
        group=WORK,
    )
    kept_share_of_groups: float = quantity(
        1,
        "share",
        "Groups that carry a gradient",
        hard=(0.01, 1),
        help="Groups that are all right or all wrong teach nothing; DAPO and AReaL generate others in their place.",
        group=WORK,
    )
    reference_model: bool = switch(default=True, label="Reference model (KL term)", help=_FORWARD, group=WORK)
    old_logprobs: bool = switch(default=True, label="Second pass for old log-probabilities", help=_FORWARD, group=WORK)
    updates_per_step: float = _count(
        1, "Optimizer updates per step", (1, 1000), (1, 16), "NeMo RL: 4 at 2,048 samples.", group=WORK
    )
    rl_steps: float = quantity(
        1000, "step", "Steps of the run", hard=(1, 1e7), slider=(10, 100_000), scale="log", whole=True, group=WORK
    )
    input_tokens: float = input_tokens(300, (16, 32768), "Mean prompt length, without tool results.", group=LENGTHS)
    output_tokens: float = output_tokens(
        8000, (64, 131072), "Mean tokens generated per sample, after the limit has cut the longest.", group=LENGTHS
    )
    longest_answer: float = quantity(
        32768,
        "token",
        "Longest answer (limit)",
        hard=(2, 1e8),
        slider=(1024, 262144),
        scale="log",
        whole=True,
        doubling=True,
        help="Answers are cut there: `max_tokens`, `max_response_length`. AReaL: 27K.",
        group=LENGTHS,
    )
    answer_tail: float = quantity(
        facts.fact("rl-answer-tail"),
        "1",
        "Answer length, p99 ÷ median",
        hard=(1, 100),
        slider=(1, 30),
        help="Before the limit cuts. 1: all answers are equally long. Measure your own run.",
        group=LENGTHS,
    )
    turns: float = quantity(
        1,
        "1",
        "Turns per sample",
        hard=(1, 1000),
        slider=(1, 100),
        whole=True,
        help="Agents write, call a tool, read its result and write again. 1: no tools.",
        group=AGENTS,
    )
    tool_time: float = quantity(
        0,
        "s",
        "Time of a tool call",
        hard=(0, 1e5),
        slider=(0, 120),
        help="Mean. Used with several turns.",
        group=AGENTS,
    )
    tool_tokens: float = quantity(
        0,
        "token",
        "Tokens of a tool result",
        hard=(0, 1e6),
        slider=(0, 8000),
        whole=True,
        help="Read into the context after every turn but the last.",
        group=AGENTS,
    )

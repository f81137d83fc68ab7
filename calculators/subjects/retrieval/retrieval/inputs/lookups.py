"""Inputs on lookups: traffic, copies, the latency target, and what a prompt receives."""

from dataclasses import dataclass
from typing import Any

from calculators import facts
from calculators.declare import computed, not_applicable, quantity
from calculators.vocabulary.serving import request_rate, target_utilization

LOOKUPS = "lookups"


def _tokens(default: float, label: str, about: str) -> Any:
    return quantity(default, "token", label, hard=(0, 1e6), slider=(0, 10_000), whole=True, help=about, group=LOOKUPS)


@dataclass(frozen=True, kw_only=True)
class Lookups:
    """Traffic, copies and prompts; base units (1/s, s, tokens)."""

    request_rate: float = request_rate(group=LOOKUPS)
    retrievals_per_request: float = quantity(
        1,
        "1",
        "Searches per request",
        hard=(0.01, 1000),
        slider=(0.1, 20),
        scale="log",
        help="Mean. Agents search several times; below 1 if some requests need no search.",
        group=LOOKUPS,
    )
    target_utilization: float = target_utilization(group=LOOKUPS)
    index_copies: float = quantity(
        2,
        "replica",
        "Minimum copies of the index",
        hard=(1, 100),
        slider=(1, 6),
        whole=True,
        help="2 survive the loss of a node. Traffic may need more.",
        group=LOOKUPS,
    )
    copies_of_index: float = quantity(
        computed("needed_copies", "enough for traffic and failures"),
        "replica",
        "Copies of the index",
        hard=(1, 1e6),
        slider=(1, 100),
        scale="log",
        whole=True,
        help="Set it if the number is already decided.",
        group=LOOKUPS,
    )
    search_latency_target: float = quantity(
        0.1,
        "s",
        "Search latency target, p95",
        hard=(1e-4, 100),
        slider=(1e-3, 2),
        scale="log",
        help="For one search, without embedding the question and without reranking.",
        group=LOOKUPS,
    )
    top_k: float = quantity(
        facts.fact("chunk-nvidia.top_k"),
        "1",
        "Chunks per search (top-k)",
        hard=(1, 10_000),
        slider=(1, 100),
        scale="log",
        whole=True,
        help="Chunks that go into the prompt.",
        group=LOOKUPS,
    )
    question_tokens: float = _tokens(100, "Tokens of the question", "Embedded for the search, and part of the prompt.")
    fixed_prompt: float = _tokens(
        500, "Tokens of instructions", "The beginning that prompts share: the only part that a prefix cache finds."
    )
    rerank_candidates: float | None = quantity(
        not_applicable("no reranker"),
        "1",
        "Candidates reranked",
        hard=(1, 10_000),
        slider=(10, 500),
        whole=True,
        help="Chunks that a second model reads and sorts before the best go into the prompt. NVIDIA's blueprint: 100.",
        group=LOOKUPS,
    )

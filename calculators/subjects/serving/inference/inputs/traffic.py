"""Inputs on traffic: requests, their tokens and users, and the latency targets they must meet."""

from dataclasses import dataclass
from typing import Any

from calculators import facts
from calculators.declare import computed, not_applicable, quantity
from calculators.llm.serving.inputs import REQUESTS
from calculators.vocabulary.serving import input_tokens, output_tokens, request_rate

TARGETS = "targets"


def _variation(default: float, label: str, about: str, aliases: tuple[str, ...]) -> Any:
    return quantity(default, "1", label, hard=(0, 5), slider=(0, 2), help=about, group=REQUESTS, aliases=aliases)


@dataclass(frozen=True, kw_only=True)
class Traffic:
    """Requests and targets; base units (tokens, seconds, shares)."""

    input_tokens: float = input_tokens(
        computed("default_input_tokens", "typical, or what positions allow"),
        (64, 131072),
        "Mean prompt length of a request.",
        group=REQUESTS,
    )
    output_tokens: float = output_tokens(
        500, (16, 16384), "Mean tokens generated per request, reasoning included.", group=REQUESTS
    )
    prefix_cache_hit_rate: float = quantity(
        0,
        "share",
        "Prefix-cache hit rate",
        hard=(0, 0.99),
        help="Share of input tokens found in a cache and not prefilled again: 0.56 over a day of DeepSeek's service, "
        "0.94 in traces of coding agents.",
        group=REQUESTS,
        aliases=("cached_share",),
    )
    request_rate: float = request_rate(
        computed("user_request_rate", "planned: the concurrent users at full-batch speed", when=("concurrent_users",)),
        group=REQUESTS,
    )
    concurrent_users: float | None = quantity(
        not_applicable("from the rate"),
        "1",
        "Concurrent users",
        hard=(1, 1e9),
        slider=(1, 10000),
        scale="log",
        whole=True,
        help="Each sends a request, reads the answer and sends the next one. Set it instead of requests per second.",
        group=REQUESTS,
        aliases=("clients", "concurrency", "max_concurrency"),
    )
    think_time: float = quantity(
        0,
        "s",
        "Think time",
        hard=(0, 86400),
        slider=(0, 120),
        help="Time between an answer and the user's next request. 0 for a load generator, tens of seconds for people.",
        group=REQUESTS,
    )
    arrival_variation: float = _variation(
        1,
        "Arrival variability (CV)",
        "Coefficient of variation of the times between requests at a replica: 1 for random arrivals (Poisson), which "
        "load generators use by default, more in bursts. vLLM's --burstiness is 1 over its square.",
        aliases=("arrival_cv",),
    )
    input_variation: float = _variation(
        0,
        "Input length variability (CV)",
        "Coefficient of variation of input tokens, lognormal: 0 where all are alike, as load generators send them.",
        aliases=("isl_cv",),
    )
    output_variation: float = _variation(
        0,
        "Output length variability (CV)",
        "Coefficient of variation of output tokens, lognormal: 0 where all are alike, as load generators send them.",
        aliases=("osl_cv",),
    )
    tpot_target: float = quantity(
        facts.fact("tpot-interactive").value,
        "ms",
        "TPOT target",
        hard=(1e-4, 100),
        slider=(5e-3, 0.5),
        scale="log",
        help="Time per output token, mean over a full batch. MLPerf's interactive limit is 40 ms, its server limit "
        "200 ms, both at p99.",
        group=TARGETS,
        aliases=("tpot",),
    )
    ttft_target: float = quantity(
        2,
        "ms",
        "TTFT target",
        hard=(1e-3, 1000),
        slider=(0.1, 60),
        scale="log",
        help="Time to first token that 95% of the requests are to stay within. MLPerf's interactive limit is 450 ms, "
        "its server limit 2 s, both at p99.",
        group=TARGETS,
        aliases=("ttft",),
    )
    concurrent_sequences: float = quantity(
        computed("sequences_within_target", "as many as memory and the TPOT target allow"),
        "sequence",
        "Concurrent sequences per replica (batch)",
        hard=(1, 1e6),
        slider=(1, 2048),
        scale="log",
        whole=True,
        doubling=True,
        help="Set it to see the speed at another batch size.",
        group=TARGETS,
        aliases=("batch", "running"),
    )

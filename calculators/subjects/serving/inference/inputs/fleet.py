"""Inputs on the fleet: replicas and headroom, how they start and what they cost, and where KV cache is offloaded."""

from dataclasses import dataclass
from typing import Literal

from calculators import facts
from calculators.declare import choice, computed, not_applicable, quantity, switch
from calculators.llm.serving.memory import LONGEST_CONTEXT
from calculators.vocabulary.money import Per, money_per, price_per_gpu_hour
from calculators.vocabulary.nodes import gpus_per_node
from calculators.vocabulary.serving import target_utilization

FLEET, TIER = "fleet", "tier"
Tier = Literal["none", "host", "drives", "storage"]
Sizing = Literal["load", "objective"]


@dataclass(frozen=True, kw_only=True)
class Fleet:
    """Replicas, headroom and start-up; base units (bytes, seconds, dollars, shares)."""

    target_utilization: float = target_utilization(group=FLEET)
    spare_replicas: float = quantity(
        0,
        "replica",
        "Spare replicas (N+k)",
        hard=(0, 10_000),
        slider=(0, 4),
        whole=True,
        help="Replicas on top of those that the traffic needs: with 1, capacity is enough while one replica is down.",
        group=FLEET,
        aliases=("failed_copies", "spare_copies"),
    )
    replicas: float | None = quantity(
        computed("replicas_needed", "as many as the traffic needs"),
        "replica",
        "Replicas",
        hard=(1, 1e9),
        slider=(1, 1000),
        scale="log",
        whole=True,
        help="Set it to see what a fleet of that size does.",
        group=FLEET,
        aliases=("copies",),
    )
    disaggregated: bool = switch(
        default=False,
        label="Disaggregated prefill/decode",
        help="Prefill runs on replicas of its own, which send the KV cache to the decode replicas.",
        group=FLEET,
    )
    transfer_bandwidth: float = quantity(
        facts.fact("kv-transfer-bandwidth"),
        "B/s",
        "KV transfer bandwidth per GPU",
        hard=(1e6, 1e13),
        slider=(1e9, 450e9),
        scale="log",
        help="From prefill to decode replicas.",
        group=FLEET,
    )
    price_per_gpu_hour: float = price_per_gpu_hour(group=FLEET)
    load_bandwidth: float = quantity(
        facts.fact("serving-load-bandwidth"),
        "B/s",
        "Weight loading bandwidth per replica",
        hard=(1e6, 1e13),
        slider=(0.1e9, 100e9),
        scale="log",
        help="From where the weights are really stored, while other replicas load as well.",
        group=FLEET,
    )
    start_fixed: float = quantity(
        facts.fact("serving-start-fixed"),
        "s",
        "Replica start time besides loading",
        hard=(0, 36000),
        slider=(0, 600),
        help="Compilation and CUDA graph capture.",
        group=FLEET,
    )
    ep_weight_filter: bool = switch(
        default=False,
        label="Ranks load only their own experts",
        help="vLLM's `enable_ep_weight_filter`. Without it every replica that shares experts with others reads the "
        "whole checkpoint and drops their experts. It has no effect with redundant experts (EPLB), nor on checkpoints "
        "that keep all experts in one tensor, such as gpt-oss.",
        group=FLEET,
        aliases=("enable_ep_weight_filter",),
    )
    sizing: Sizing = choice(
        "load",
        "Replicas sized for",
        {
            "load": "target utilization: planned load",
            "objective": "p95 targets: service-level objective",
        },
        help="By the objective, the fewest replicas with which TTFT and TPOT are within their targets for 95% of the "
        "requests, also with the spare ones down.",
        group=FLEET,
        aliases=("slo",),
    )
    money_per: Per = money_per(group=FLEET, default="million")


@dataclass(frozen=True, kw_only=True)
class Offload:
    """KV-cache offload; base units (bytes per second, tokens)."""

    offload_tier: Tier = choice(
        "none",
        "KV-cache offload tier",
        {
            "none": "none: KV cache is dropped, and prompts are prefilled again",
            "host": "host memory of the servers",
            "drives": "local drives of the servers",
            "storage": "shared storage",
        },
        help="Where the KV cache of sessions waits between requests.",
        group=TIER,
        aliases=("tier",),
    )
    offload_bandwidth: float = quantity(
        computed("typical_offload_bandwidth", "typical for this tier"),
        "B/s",
        "Offload read bandwidth per GPU",
        hard=(1e6, 1e13),
        slider=(0.1e9, 500e9),
        scale="log",
        help="At which a GPU reads KV cache back from the offload tier.",
        group=TIER,
        aliases=("tier_bandwidth",),
    )
    offload_capacity: float | None = quantity(
        (computed("typical_offload_capacity", "typical for this tier"), not_applicable("of the storage system")),
        "B",
        "Offload capacity per node",
        hard=(1e9, 1e16),
        slider=(100e9, 64e12),
        scale="log",
        help="Host memory or local drives of one server that the engine may fill with KV cache, both if it uses both. "
        "Shared storage is sized in Storage demand.",
        group=TIER,
    )
    gpus_per_node: float = gpus_per_node()
    sessions: float = quantity(
        0,
        "session",
        "Sessions with KV cache to keep",
        hard=(0, 1e9),
        slider=(0, 10_000),
        whole=True,
        help="Conversations or agents that will come back.",
        group=TIER,
    )
    session_context: float = quantity(
        facts.fact("agents-cache.context"),
        "token",
        "Context per session",
        hard=(1, LONGEST_CONTEXT / 10),
        slider=(1024, 1048576),
        scale="log",
        whole=True,
        help="Coding agents: 80,000 tokens by their thirtieth turn.",
        group=TIER,
    )

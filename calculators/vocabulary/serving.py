"""Inputs that calculators of serving share: the traffic, and the utilization that a fleet is sized for."""

from typing import Any

from calculators import facts
from calculators.declare import Computed, Default, quantity

LONGEST_REQUEST = 1e8


def request_tokens(
    default: Default,
    label: str,
    slider: tuple[float, float],
    about: str,
    aliases: tuple[str, ...],
    *,
    group: str,
) -> Any:
    """Mean tokens of a request."""
    return quantity(
        default,
        "token",
        label,
        hard=(1, LONGEST_REQUEST),
        slider=slider,
        scale="log",
        whole=True,
        help=about,
        group=group,
        aliases=aliases,
    )


def input_tokens(default: Default, slider: tuple[float, float], about: str, *, group: str) -> Any:
    """Mean prompt length."""
    return request_tokens(
        default, "Input tokens (ISL)", slider, about, ("prompt", "prompt_tokens", "isl", "input_len"), group=group
    )


def output_tokens(default: Default, slider: tuple[float, float], about: str, *, group: str) -> Any:
    """Mean length of an answer."""
    return request_tokens(default, "Output tokens (OSL)", slider, about, ("answer", "osl", "output_len"), group=group)


def request_rate(*first: Computed, group: str) -> Any:
    """Requests per second in the peak hour; `first` are the ways to compute it that go before the default."""
    return quantity(
        (*first, 5),
        "request/s",
        "Requests per second",
        hard=(1e-6, 1e6),
        slider=(0.1, 1000),
        scale="log",
        help="In the peak hour, over all replicas.",
        group=group,
        aliases=("rps", "qps", "rate"),
    )


def target_utilization(*, group: str) -> Any:
    """Share of capacity that a fleet is sized for."""
    return quantity(
        facts.fact("serving-planned-load"),
        "share",
        "Target utilization (headroom)",
        hard=(0.05, 1),
        slider=(0.3, 0.95),
        help="Share of capacity that the fleet is sized for; the rest absorbs bursts.",
        group=group,
        aliases=("headroom", "planned_load"),
    )

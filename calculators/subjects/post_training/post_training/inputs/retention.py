"""Inputs on what is kept of a run, and on money."""

from dataclasses import dataclass

from calculators import facts
from calculators.declare import quantity, switch
from calculators.vocabulary import money

KEPT, BILL = "kept", "bill"


@dataclass(frozen=True, kw_only=True)
class Kept:
    """Rollouts and checkpoints that are kept, and prices; base units (B, USD, shares)."""

    bytes_per_rollout_token: float = quantity(
        facts.fact("rl-bytes-per-token"),
        "B",
        "Bytes retained per rollout token",
        hard=(0, 1e4),
        slider=(0, 64),
        help="Token, log-probabilities and mask.",
        group=KEPT,
    )
    routing_replay: bool = switch(
        default=False,
        label="Routing replay",
        help="Keeps the experts of every token, a byte for each expert and layer, so that the trainer routes as the "
        "engine did.",
        group=KEPT,
    )
    checkpoint_every: float = quantity(
        20, "1", "Steps between checkpoints", hard=(1, 1e6), slider=(1, 200), whole=True, group=KEPT
    )
    checkpoint_bytes_per_parameter: float = quantity(
        facts.fact("ckpt-bf16-master-adam"),
        "B/parameter",
        "Checkpoint bytes per parameter",
        hard=(0.1, 64),
        slider=(1, 20),
        help="2 for bf16 weights, 4 for fp32 master weights, 8 for Adam's two moments: 14.",
        group=KEPT,
        aliases=("bytes_per_parameter",),
    )
    price_per_gpu_hour: float = money.price_per_gpu_hour(group=BILL)
    price_per_core_hour: float = quantity(
        facts.fact("rl-core-hour"), "USD", "Price per core-hour", hard=(0, 100), slider=(0, 0.2), help="Of sandboxes.",
        group=BILL,
    )  # fmt: skip
    goodput: float = money.goodput(group=BILL)

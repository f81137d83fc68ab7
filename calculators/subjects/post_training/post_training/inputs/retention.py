"""Inputs on what is kept of a run, and on money."""

from dataclasses import dataclass

from calculators import facts
from calculators.declare import quantity, switch
from calculators.vocabulary import money
from calculators.vocabulary.storage import checkpoint_bytes_per_parameter

KEPT, BILL = "kept", "bill"


@dataclass(frozen=True, kw_only=True)
class Retention:
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
    checkpoint_bytes_per_parameter: float = checkpoint_bytes_per_parameter(KEPT)
    price_per_gpu_hour: float = money.price_per_gpu_hour(group=BILL)
    price_per_core_hour: float = quantity(
        facts.fact("rl-core-hour"), "USD", "Price per core-hour", hard=(0, 100), slider=(0, 0.2), help="Of sandboxes.",
        group=BILL,
    )  # fmt: skip
    goodput: float = money.goodput(group=BILL)

"""Training recipes: menus of them, activation recomputation, and bytes per gradient and activation."""

from typing import Any, Literal

from calculators import facts
from calculators.declare import Preset, choice, quantity
from calculators.vocabulary.groups import PRECISION

Recompute = Literal["none", "selective", "full"]
RECIPE = "recipe-adam-bf16-18"


def recipe_preset(
    name: str,
    label: str,
    *,
    prefix: str,
    default: str,
    fills: dict[str, str],
    group: str,
    aliases: tuple[str, ...] = (),
) -> Preset:
    """Menu of the records of rules.toml whose keys begin with `prefix`."""
    records = tuple(facts.records("rules", prefix).values())
    return Preset(name=name, label=label, records=records, fills=fills, default=default, group=group, aliases=aliases)


def recompute_choice(group: str, *, default: str = "none") -> Any:
    """Activation recomputation (checkpointing of activations, not of the run)."""
    options = {
        "none": "none: keep every activation",
        "selective": "selective: recompute attention only",
        "full": "full: recompute the forward pass of every layer",
    }
    return choice(default, "Activation recomputation", options, group=group)


def gradient_bytes() -> Any:
    """Bytes of one gradient."""
    return quantity(
        facts.fact(f"{RECIPE}.gradient_bytes"),
        "B/parameter",
        "Bytes per gradient",
        hard=(0, 16),
        slider=(0, 8),
        help="4 where gradients are accumulated in fp32.",
        group=PRECISION,
    )


def activation_bytes() -> Any:
    """Bytes of one activation."""
    return quantity(
        2,
        "B/value",
        "Bytes per activation",
        hard=(0.5, 8),
        slider=(1, 4),
        help="2 in bf16. Dropout masks are counted at half of it.",
        group=PRECISION,
    )

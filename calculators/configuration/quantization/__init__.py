"""Bytes per weight of a published model, by part, from the `quantization_config` of its file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calculators.configuration.quantization.modules import modules
from calculators.configuration.quantization.schemes import WIDE, Scheme, scheme
from calculators.configuration.stack import Part, Stack


@dataclass(frozen=True, kw_only=True)
class Quantization:
    """Published precision of a model: method, and bytes per parameter [B/parameter], scales included.

    `parts` has one entry for each part of the stack, `routed` that of the routed experts alone. `arithmetic`: bits of
    matrix products where the file fixes them, else empty. `known` is false for a method that cannot be read: all
    entries are then 16 bits.
    """

    method: str
    parts: Mapping[Part, float]
    routed: float
    mean: float
    arithmetic: str = ""
    narrow_cache: bool = False
    known: bool = True


def read_quantization(
    given: Mapping[str, Any], around: Mapping[str, Any], stack: Stack, family: str
) -> Quantization | None:
    """Bytes per parameter of each part; None where the file names no quantization.

    `given` is the text model's configuration, `around` the enclosing one.
    """
    named = (one.get(key) for key in ("quantization_config", "quantization") for one in (given, around))
    table = next((one for one in named if isinstance(one, dict) and one), None)
    if table is None:
        return None
    found = scheme(table, expert_dtype=str(given.get("expert_dtype") or ""))
    return _of_stack(found, stack, family)


def _of_stack(found: Scheme, stack: Stack, family: str) -> Quantization:
    """Mean over the modules of each part; what is no matrix of a layer stays in 16 bits."""
    size: dict[Part, float] = {part: WIDE * number for part, number in stack.parts.items()}
    routed = 0.0
    for module in modules(stack, family):
        width = found.width(module)
        size[module.part] += (width - WIDE) * module.parameters
        routed += width * module.parameters if module.kind == "routed" else 0
    return Quantization(
        method=found.method,
        parts={part: size[part] / number for part, number in stack.parts.items() if number},
        routed=routed / stack.routed if stack.routed else 0,
        mean=sum(size.values()) / stack.parameters,
        arithmetic=found.arithmetic,
        narrow_cache=found.narrow_cache,
        known=found.known,
    )

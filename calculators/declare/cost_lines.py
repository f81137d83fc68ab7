"""What a price is made of: lines that prices of other kinds have too, so that their difference can be split."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import fsum


@dataclass(frozen=True, kw_only=True)
class CostLines:
    """A price as `scale` × (sum of `bundle` + sum of `lines`), in base units.

    `bundle` is what one offer buys in pieces and another as a whole (servers, power and staff; a rent): offers are
    compared by its sum, named `bundle_label`. `lines` are compared one by one, by their names. `scale` is what turns
    the unit of the lines into that of the price, named `scale_label` (output tokens of a GPU-hour).
    """

    bundle_label: str
    bundle: Mapping[str, float]
    lines: Mapping[str, float] = field(default_factory=dict)
    scale: float = 1
    scale_label: str = ""

    @property
    def total(self) -> float:
        """Sum of bundle and lines, before the scale."""
        return fsum((*self.bundle.values(), *self.lines.values()))

    @property
    def price(self) -> float:
        """The price."""
        return self.scale * self.total


def difference(one: CostLines, other: CostLines) -> dict[str, float]:
    """Parts of what one price is more than another; they add up to it.

    A line counts at the mean of both scales, a scale at the mean of both sums: each is the Shapley value.

    >>> owned = CostLines(bundle_label="in use", bundle={"servers": 2, "power": 1}, lines={"idle": 1})
    >>> difference(owned, CostLines(bundle_label="in use", bundle={"rent": 2}))
    {'in use': 1.0, 'idle': 1.0}
    """
    if one.scale_label != other.scale_label:
        one, other = _scaled(one), _scaled(other)
    scale = (one.scale + other.scale) / 2
    parts = {one.bundle_label: scale * (fsum(one.bundle.values()) - fsum(other.bundle.values()))}
    for name in (*one.lines, *(name for name in other.lines if name not in one.lines)):
        parts[name] = scale * (one.lines.get(name, 0.0) - other.lines.get(name, 0.0))
    if one.scale != other.scale:
        parts[one.scale_label] = (one.scale - other.scale) * (one.total + other.total) / 2
    return parts


def _scaled(lines: CostLines) -> CostLines:
    """The same price with its lines in its own unit."""
    return CostLines(
        bundle_label=lines.bundle_label,
        bundle={name: lines.scale * amount for name, amount in lines.bundle.items()},
        lines={name: lines.scale * amount for name, amount in lines.lines.items()},
    )

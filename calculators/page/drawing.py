"""Drawing in SVG: axes with round values, rules and words, as every picture of a design review has them."""

import html
import math
from collections.abc import Iterable
from dataclasses import dataclass

from calculators.answers import sliders
from calculators.declare import Quantity

WIDTH = 720
_MOST_TICKS = 7
_EVERY = (1, 2, 4, 5, 10, 20, 25)  # of a slider's stops, which are never more than seven times as many


@dataclass(frozen=True)
class Axis:
    """Where values are between two places of the picture."""

    low: float
    high: float
    start: float
    end: float
    log: bool

    def at(self, value: float) -> float:
        """The place of a value."""
        if self.log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)


def is_log(declared: Quantity) -> bool:
    """Whether an input has a logarithmic axis."""
    return declared.scale == "log" or declared.doubling


def round_values(declared: Quantity) -> list[float]:
    """A few round values of an axis: in even steps or, on a logarithmic one, the roundest that do not crowd."""
    low, high = declared.slider
    known = sliders.stops(declared)
    if not is_log(declared):
        return next(list(known[::every]) for every in _EVERY if len(known[::every]) <= _MOST_TICKS)
    chosen: list[float] = []
    for stop in sorted(known, key=lambda stop: (_roundness(declared, stop), stop)):
        apart = min((abs(math.log(stop / other)) for other in chosen), default=math.inf) / math.log(high / low)
        if apart >= 1 / _MOST_TICKS and len(chosen) < _MOST_TICKS:
            chosen.append(stop)
    return sorted(chosen)


def _roundness(declared: Quantity, value: float) -> tuple[int, int]:
    digits = "".join(filter(str.isdigit, declared.text(value))).strip("0")
    return len(digits), {"1": 0, "5": 1, "2": 2}.get(digits, 3)


def picture(name: str, height: float, title: str, about: str, drawn: Iterable[str]) -> str:
    """A whole picture: what it is called, what it shows, and all that is drawn in it."""
    box = f'viewBox="0 0 {WIDTH} {height:g}" role="img" aria-labelledby="{name}-t {name}-d"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="figure" {box} font-family="sans-serif">',
            f'<title id="{name}-t">{html.escape(title)}</title>',
            f'<desc id="{name}-d">{html.escape(about)}</desc>',
            *drawn,
            "</svg>",
        ]
    )


def rule(style: str, opacity: str, dashes: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    """A straight line."""
    ends = f'x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"'
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<line class="{style}" stroke="currentColor" stroke-opacity="{opacity}"{dashed} {ends}/>'


def words(x: float, y: float, text: str, style: str, *, anchor: str = "start") -> str:
    """A text; what is `f-small` in size is so without the site's style sheets too."""
    size = 11.5 if "f-small" in style else 13
    return (
        f'<text class="{style}" fill="currentColor" font-size="{size}" text-anchor="{anchor}" '
        f'x="{x:.1f}" y="{y:.1f}">{html.escape(text)}</text>'
    )

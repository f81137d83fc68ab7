"""What a drawing shows, read back from its SVG: rules, words, dots, bars and curves with where they are."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from itertools import pairwise

import pytest

DIGIT, LETTER = 0.72, 0.5  # how high a digit is and how wide a letter about is, in parts of the size of a font
Place = tuple[float, float]


@dataclass(frozen=True)
class Rule:
    """A straight line, from where it begins to where it ends."""

    x1: float
    y1: float
    x2: float
    y2: float
    style: str


@dataclass(frozen=True)
class Words:
    """A text: where its anchor is, on its baseline."""

    text: str
    x: float
    y: float
    size: float
    anchor: str

    @property
    def middle(self) -> float:
        """The height in the middle of its digits."""
        return self.y - self.size * DIGIT / 2

    @property
    def top(self) -> float:
        """The upper end of its digits."""
        return self.y - self.size * DIGIT

    @property
    def span(self) -> Place:
        """From its first letter to its last, about."""
        wide = len(self.text) * self.size * LETTER
        start = {"start": self.x, "middle": self.x - wide / 2, "end": self.x - wide}[self.anchor]
        return start, start + wide


@dataclass(frozen=True)
class Bar:
    """A rectangle."""

    left: float
    top: float
    wide: float
    high: float
    style: str

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.left + self.wide

    @property
    def middle(self) -> float:
        """Half of its height."""
        return self.top + self.high / 2


class Drawing:
    """A picture, read."""

    def __init__(self, svg: str) -> None:
        root = ET.fromstring(svg)  # noqa: S314  our own
        _, _, self.wide, self.high = map(float, root.attrib["viewBox"].split())

        def every(tag: str) -> list[dict[str, str]]:
            return [one.attrib for one in root.iter(f"{{http://www.w3.org/2000/svg}}{tag}")]

        self.title, self.about = (root.findtext(f"{{http://www.w3.org/2000/svg}}{tag}") for tag in ("title", "desc"))
        messages = [one.text or "" for one in root.iter("{http://www.w3.org/2000/svg}text")]
        self.rules = [
            Rule(float(one["x1"]), float(one["y1"]), float(one["x2"]), float(one["y2"]), one["class"])
            for one in every("line")
        ]
        self.words = [
            Words(text, float(one["x"]), float(one["y"]), float(one["font-size"]), one["text-anchor"])
            for text, one in zip(messages, every("text"), strict=True)
        ]
        self.dots = [(float(one["cx"]), float(one["cy"])) for one in every("circle")]
        self.bars = [
            Bar(float(one["x"]), float(one["y"]), float(one["width"]), float(one["height"]), one["class"])
            for one in every("rect")
        ]
        self.curves = [
            [(float(x), float(y)) for x, y in (place.split(",") for place in one["points"].split())]
            for one in every("polyline")
        ]
        self.dashes = [one.get("stroke-dasharray", "") for one in every("polyline")]

    def saying(self, text: str) -> Words:
        """The only words that say this."""
        (found,) = (one for one in self.words if one.text == text)
        return found

    @property
    def upright(self) -> list[Rule]:
        """The rules from top to bottom that are ticks, from left to right."""
        return sorted((one for one in self.rules if one.x1 == one.x2 and one.style == "f-line"), key=lambda one: one.x1)

    @property
    def level(self) -> list[Rule]:
        """The rules from left to right, from the top to the bottom."""
        return sorted((one for one in self.rules if one.y1 == one.y2 and one.style == "f-line"), key=lambda one: one.y1)

    def assert_ticks(self, across: list[str], up: list[str]) -> None:
        """Each of these labels is at its own rule: below it in the middle, or left of it at half its height."""
        assert len(self.upright) == len(across)
        for rule, text in zip(self.upright, across, strict=True):
            words = next(one for one in self.words if one.text == text and one.anchor == "middle")
            assert words.x == pytest.approx(rule.x1, abs=0.1)
            assert 6 < words.top - max(rule.y1, rule.y2) < 12  # apart from the rule, by less than a line
        assert len(self.level) == len(up)
        for rule, text in zip(self.level, reversed(up), strict=True):
            words = next(one for one in self.words if one.text == text and one.anchor == "end")
            assert words.middle == pytest.approx(rule.y1, abs=0.5)
            assert 6 < rule.x1 - words.x < 10

    def assert_apart(self) -> None:
        """No words run into others, and none leave the picture."""
        for one in self.words:
            assert one.span[0] > -1
            assert one.span[1] < self.wide + 1
            assert one.top >= 0
            assert one.y <= self.high - 2
        boxes = sorted((one.span[0], one.span[1], one.top, one.y) for one in self.words)
        for place, (start, end, top, low) in enumerate(boxes):
            for other, _, above, below in boxes[place + 1 :]:
                assert other >= end or below <= top or above >= low, (start, end, other)


def even(places: list[float]) -> bool:
    """Whether they are in even steps, to the tenth that a picture has."""
    steps = [other - one for one, other in pairwise(places)]
    return max(steps) - min(steps) <= 0.21

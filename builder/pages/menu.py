"""Menu: the ways to the chapters, from the navigation, and to the calculators, from the catalog.

The calculators by subject, by page, and from one to those near it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from mkdocs.utils import meta, yaml

from builder.paths import CONTENT, ROOT
from calculators.catalog import CALCULATORS, SUBJECTS
from calculators.page import machine

if TYPE_CHECKING:
    from calculators.declare import Calculator

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_MOST_NEIGHBORS = 5
_MOST_CHAPTERS = 2
_OFTEN = 5  # times that a chapter names a calculator before the calculator names the chapter
WHOLE = "print.md"  # all of the guide on one page


def guide() -> list[str]:
    """The pages of the guide below content/, in the order of the navigation, without its own overview."""
    with (ROOT / "mkdocs.yml").open("rb") as settings:
        navigation = yaml.yaml_load(settings)["nav"]
    (pages,) = (pages for entry in navigation for name, pages in entry.items() if name == "Guide")
    return [page for page in pages[1:] if page != WHOLE]


def chapters() -> list[tuple[str, str]]:
    """The chapters in the order of the navigation: their titles and their pages below content/."""
    described = {page: meta.get_data((CONTENT / page).read_text("utf-8"))[1] for page in guide()}
    return [(about["title"], page) for page, about in described.items() if not about.get("appendix")]


def told_in(name: str) -> list[tuple[str, str]]:
    """The chapters that use a calculator most: their titles and their addresses from the root of the site."""
    uses = {place: (CONTENT / place[1]).read_text("utf-8").count(f'"{name}"') for place in chapters()}
    most = sorted((each for each in uses if uses[each] >= _OFTEN), key=lambda each: -uses[each])[:_MOST_CHAPTERS]
    return [(title, url(page)) for title, page in most]


def slug(calculator: Calculator) -> str:
    """Name of a calculator's page in its address."""
    return calculator.name.replace("_", "-")


def pages() -> list[str]:
    """The calculators' pages below content/, in the order of the catalog."""
    return [f"calculators/{slug(calculator)}.md" for calculator in CALCULATORS.values()]


def record(calculator: Calculator) -> str:
    """The page below content/ that holds all published figures of a calculator."""
    return f"calculators/{slug(calculator)}/published.md"


def address(name: str) -> str:
    """Address of a calculator or machine, from the root of the site."""
    return machine.PLACES.get(name) or url(f"calculators/{slug(CALCULATORS[name])}.md")


def url(page: str) -> str:
    """Address of a page below content/, from the root of the site.

    >>> [url(page) for page in ("index.md", "guide/index.md", "guide/money.md", "guide/failure-index.md")]
    ['', 'guide/', 'guide/money/', 'guide/failure-index/']
    """
    path = f"/{page}".removesuffix(".md").removesuffix("/index").lstrip("/")
    return path and f"{path}/"


def root(page: str) -> str:
    """The way from a page below content/ to the root of the site.

    >>> [root(page) for page in ("index.md", "guide/index.md", "guide/money.md", "guide/failure-index.md")]
    ['./', '../', '../../', '../../']
    """
    return "../" * url(page).count("/") or "./"


def machine_of(calculator: Calculator) -> str:
    """Address of the machine in which a calculator opens: the first that has one of its subject, training first."""
    kin = {each.name for each in next(subject.calculators for subject in SUBJECTS if calculator in subject.calculators)}
    return address(next((name for name in machine.PLACES if kin.intersection(machine.parts_of(name))), "machine"))


def spelled(number: int) -> str:
    """A count as prose has it: a word as long as people would write one."""
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"


def neighbors(calculator: Calculator) -> list[Calculator]:
    """The calculators nearest to this one: those of its subject, then those that it feeds or that feed it, then others.

    Among each, those that share most with it. A name counts for less the more calculators have it: nearly all have
    the model's parameters.
    """
    owners = Counter(name for each in CALCULATORS.values() for name in _names(each))
    mine = _names(calculator)
    kin = next(subject.calculators for subject in SUBJECTS if calculator in subject.calculators)
    others = [each for each in CALCULATORS.values() if each is not calculator]

    def nearness(other: Calculator) -> tuple[bool, bool, float]:
        joined = _feeds(calculator, other) or _feeds(other, calculator)
        return other in kin, joined, sum(1 / owners[name] for name in mine & _names(other))

    near = sorted(others, key=nearness, reverse=True)[:_MOST_NEIGHBORS]
    return [each for each in others if each in near]


def _feeds(one: Calculator, other: Calculator) -> bool:
    """Whether one computes an input of the other."""
    return not other.inputs.keys().isdisjoint(one.steps)


def _names(calculator: Calculator) -> set[str]:
    return {*calculator.inputs, *calculator.steps, *(preset.name for preset in calculator.presets)}

"""Prices behind an answer: whose they are, of which day, how old, and what sentences and records say of them.

A price older than the limit of its class (facts/money) is never in a sentence without its age.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any, cast

from calculators import units
from calculators.answers import provenance
from calculators.answers.explore.trials import Trials
from calculators.answers.input_state import InputState
from calculators.declare import Calculator, Quantity
from calculators.facts import Fact, ages
from calculators.facts.overlay_records import OWN

# What each class is called in a sentence.
_CALLED = MappingProxyType(
    {
        "rent": "GPU rent",
        "survey": "GPU rent by a market survey",
        "instance": "search node price",
        "server": "server price",
        "card": "card price",
        "switch": "switch price",
        "drive": "drive price",
        "api": "API price",
        "cloud": "cloud storage price",
        "energy": "electricity price",
        "colocation": "colocation price",
    }
)
_MONEY = "USD"
_RENTS = "rent_as"
_SIGN = "$"
_NAME = re.compile(r"\{(\w+)\}")
_SENTENCE_END = re.compile(r"[.?!]\s")
_MORE = 1.1
_TO_TICK = "☐"


@dataclass(frozen=True, kw_only=True)
class Price:
    """A price that an answer uses: its input, the text of its value, and its fact, or None where the reader gave it.

    `device` is the accelerator whose price it is, where that is not the one chosen: the default of a menu that knows
    no price of the other.
    """

    name: str
    label: str
    text: str
    fact: Fact | None
    device: str = ""

    @property
    def day(self) -> date | None:
        """The day on which it held, as its source says."""
        return self.fact.priced_on if self.fact else None

    @property
    def age(self) -> int:
        """Days since then."""
        return ages.age(self.day) if self.day else 0

    @property
    def is_old(self) -> bool:
        """Whether it is older than the limit of its class."""
        return self.fact is not None and ages.is_old(self.fact)

    @property
    def must_be_named(self) -> bool:
        """Whether a sentence with its money names it: the reader's own, an old one, or one of another device."""
        return self.fact is None or self.is_old or bool(self.device)

    @property
    def called(self) -> str:
        """Name in a sentence: "server price", "H100 SXM 80 GB rent"."""
        called = _CALLED.get(self.fact.price_class if self.fact else "", self.label)
        return f"{self.device} {called.removeprefix('GPU ')}" if self.device else called


def day_text(day: date) -> str:
    """A day as sentences have it.

    >>> day_text(date(2024, 9, 5))
    '5 September 2024'
    """
    return f"{day.day} {day:%B %Y}"


def prices(calculator: Calculator, resolved: InputState, values: Mapping[str, Any]) -> list[Price]:
    """Prices that the reader gave, and dated prices of menus and defaults, in the order of the inputs."""
    found = []
    for name, declared in calculator.inputs.items():
        if not isinstance(declared, Quantity) or not declared.unit.startswith(_MONEY) or values[name] is None:
            continue
        known = provenance.fact(calculator, resolved, name)
        is_own = known is not None and known.kind == OWN
        if is_own and not ages.is_old(cast("Fact", known)):
            known = None  # as if it were typed
        if is_own or resolved.origins[name] == "yours" or (known is not None and known.priced_on):
            text, device = declared.text(values[name]), _other_device(calculator, resolved, name)
            found.append(Price(name=name, label=declared.label, text=text, fact=known, device=device))
    return found


def _other_device(calculator: Calculator, resolved: InputState, name: str) -> str:
    """The device of a menu's default whose price an input keeps, where a record without one is chosen; else empty.

    The menu of rents is of that device too: chosen next to another, it names the device it is of.
    """
    rented = resolved.presets.get(_RENTS, "") and resolved.origins[name] == "preset"
    if resolved.origins[name] != "default" and not rented:
        return ""
    for preset in calculator.presets:
        if rented and resolved.presets[preset.name].partition("-")[0] == preset.default.partition("-")[0]:
            continue  # of the same device, in another form
        usual = preset.by_key.get(preset.default)
        if usual and name in preset.fills and resolved.presets[preset.name] not in {"", preset.default}:
            return usual.name.removeprefix(f"{usual.vendor} ")
    return ""


def moving(
    calculator: Calculator, values: Mapping[str, Any], known: Iterable[Price], results: Iterable[str]
) -> dict[str, list[Price]]:
    """The prices that move each result, by its name: at 10% more of the price it is another."""
    names = [name for name in results if name in calculator.steps]
    found: dict[str, list[Price]] = {name: [] for name in names}
    for price in known:
        trials = Trials(calculator, values, {price.name}, names, if_it_ran=True)
        after = trials.after({price.name: (values[price.name] or 1.0) * _MORE})
        for name in names:
            if after is not None and after[name] != values[name]:
                found[name].append(price)
    return found


def notes(calculator: Calculator, resolved: InputState, values: Mapping[str, Any]) -> dict[str, str]:
    """Text after each amount of money in the answer, by its name, in brackets; empty for most."""
    known = [price for price in prices(calculator, resolved, values) if price.must_be_named]
    named = _named(calculator)
    if not known:
        return dict.fromkeys(named, "")
    moved = moving(calculator, values, known, named)
    message: dict[int, set[str]] = defaultdict(set)
    found = {}
    for name, place in named.items():
        of_it = moved.get(name, []) if name in calculator.steps else [price for price in known if price.name == name]
        later = {other for other, there in named.items() if there == place and other != name}
        new = [one for one in of_it if one.name not in message[place] and one.name not in later]
        message[place].update(one.name for one in new)
        is_own = [one.name for one in new if one.fact is None] == [name]
        found[name] = f" ({'yours' if is_own else ages_text(new)})" if new else ""
    return found


def _named(calculator: Calculator) -> dict[str, int]:
    """Amounts of money that the answer names, with the number of the sentence in which each is."""
    found: dict[str, int] = {}
    template, sentence, end = calculator.answer.replace("**", ""), 0, 0
    for match in _NAME.finditer(template):
        sentence += len(_SENTENCE_END.findall(template[end : match.start()] + " "))
        end = match.end()
        if _is_money(calculator, match[1]):
            found.setdefault(match[1], sentence)
    return found


def _is_money(calculator: Calculator, name: str) -> bool:
    declared = calculator.inputs.get(name) or calculator.steps.get(name)
    return getattr(declared, "unit", "").startswith(_MONEY)


def ages_text(known: Iterable[Price]) -> str:
    """Each price with its day and age, those of one day together: "server price of 31 August 2024, 818 days old"."""
    own: list[str] = []
    dated: dict[date, dict[str, None]] = {}
    for price in known:
        if price.day is None:
            own.append(price.label[:1].lower() + price.label[1:])
        else:
            dated.setdefault(price.day, {})[price.called] = None
    texts = [f"{_listed(names)} of {day_text(day)}, {_age_text(day)} old" for day, names in sorted(dated.items())]
    return "; ".join([*texts, *([f"{_listed(own)}: yours"] if own else [])])


def of_its_day(price: Fact) -> str:
    """An old price with its day and age, as in sentences."""
    return ages_text([Price(name=price.key, label=price.name, text=price.text, fact=price)])


def _age_text(day: date) -> str:
    return units.counted(ages.age(day), "day")


def _listed(names: Iterable[str]) -> str:
    """Names in a row; what they have in common at their ends is written once: "colocation and electricity price"."""
    *others, last = names
    head, _, tail = last.rpartition(" ")
    if head and all(other.endswith(f" {tail}") for other in others):
        others = [other.removesuffix(f" {tail}") for other in others]
    return f"{', '.join(others)} and {last}" if others else last


def aged(calculator: Calculator, resolved: InputState, values: Mapping[str, Any]) -> str:
    """Old prices that move any amount of money, with their ages; empty where none does."""
    old = [price for price in prices(calculator, resolved, values) if price.is_old]
    amounts = [name for name, step in calculator.steps.items() if step.unit.startswith(_MONEY)] if old else []
    used = {price.name for found in moving(calculator, values, old, amounts).values() for price in found}
    found = [price for price in old if price.name in used]
    return ages_text(found) if found else ""


def behind(calculator: Calculator, resolved: InputState, values: Mapping[str, Any], results: Iterable[str]) -> str:
    """Old prices that move these results, and the reader's own, with their ages; empty where there are none."""
    known = [price for price in prices(calculator, resolved, values) if price.must_be_named]
    used = {price.name for found in moving(calculator, values, known, results).values() for price in found}
    found = [price for price in known if price.name in used]
    return ages_text(found) if found else ""


def with_age(text: str, old: str) -> str:
    """A sentence, with the ages of old prices where it states money."""
    if _SIGN not in text or not old or old in text:
        return text
    return f"{text.rstrip('.')} ({old})."


def confirmations(calculator: Calculator, resolved: InputState, values: Mapping[str, Any]) -> Iterator[str]:
    """Lines of a record to tick: every price that moves an amount of money, with its age, or as the reader's."""
    amounts = [name for name, step in calculator.steps.items() if step.unit.startswith(_MONEY)]
    known = prices(calculator, resolved, values)
    used = {price.name for found in moving(calculator, values, known, amounts).values() for price in found}
    for price in known:
        if price.name not in used:
            continue
        if price.day is None:
            yield f"{_TO_TICK} {price.label}, {price.text}: yours. Confirmed on ____ by ____"
        else:
            over = f", over its limit of {ages.limit(price.fact):.0f} days" if price.fact and price.is_old else ""
            whose = f"{price.device} price" if price.device else "price"
            yield (
                f"{_TO_TICK} {price.label}, {price.text}: {whose} of {day_text(price.day)}, "
                f"{units.counted(price.age, 'day')} old{over}. Confirmed on ____ by ____"
            )

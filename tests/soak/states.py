"""One state after another, drawn by chance as a reader's texts, and what must hold in it: `Soak.look`."""

from __future__ import annotations

import json
import math
import random
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from calculators.answers import config_file, data
from calculators.answers.explore.trials import BROKEN
from calculators.answers.input_state import parse_inputs
from calculators.bridge import respond
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, Quantity, Values
from calculators.page.machine import MACHINES
from tests.configuration.configurations import PUBLISHED
from tests.readers import anywhere
from tests.soak import conservation
from tests.soak.exclusions import PAIRS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NAMES = (*CALCULATORS, *(name for name in MACHINES if name != "machine"))  # training searches for seconds a state
_MOST_MOVED = 5  # inputs at a time: with all of them moved nearly every state is refused
_USES_MENU, _IN_SLIDER, _IMPORTS, _CARRIES_OVER = 0.3, 0.7, 0.1, 0.1
_STEP = 0.1  # by what share of itself an input moves to see which way its results go
_SAME = 1e-9
_NO_NUMBER = re.compile(r"\b(nan|inf|infinity|None|null|undefined)\b")
# A number that is said to be beyond another one, which is printed alike
_ALIKE = re.compile(
    r"(?<![\d.,])(\d[\d.,]*%?(?: [a-zA-Zµ/]+)?), (?:above|below|over|beyond) (?:the |its )?\1(?![\d.,]*\d)"
)
_DAY = "2026-11-28"


@dataclass
class Soak:
    """What was looked at so far, and every breach, with the state in which it is."""

    chance: random.Random
    looked_at: int = 0
    answered: int = 0
    breaches: list[str] = field(default_factory=list)

    def look(self, name: str) -> None:
        """Draw a state of this calculator or system and look at it; of some, at what another imports from it too."""
        calculator = MACHINES[name]() if name in MACHINES else CALCULATORS[name]
        texts = drawn(calculator, self.chance)
        if config_file.menu_of(calculator) and self.chance.random() < _IMPORTS:
            texts = imported(calculator, texts, self.chance)
        link = self.consider(calculator, texts)
        if link is not None and self.chance.random() < _CARRIES_OVER:
            self._carry_over(calculator, link)

    def _carry_over(self, origin: Calculator, link: str) -> None:
        target = CALCULATORS[self.chance.choice([name for name in CALCULATORS if name != origin.name])]
        found = ask(target, ("answer",), fragment=f"{link}&from={origin.name}")
        if "failure" in found:
            self.breaches.append(f"{target.name} from {origin.name} {link}: failure: {found['failure']}")
        self.consider(target, found.get("given", {}))

    def consider(self, calculator: Calculator, texts: Mapping[str, str]) -> str | None:
        """Look at the state of a calculator with these texts in its boxes and menus; its link if it has an answer."""
        self.looked_at += 1
        found = ask(calculator, ("answer", "link"), given=texts)
        for breach in self._breaches(calculator, texts, found):
            self.breaches.append(f"{calculator.name} {json.dumps(texts, ensure_ascii=False)}: {breach}")
        return found.get("link")

    def _breaches(self, calculator: Calculator, texts: Mapping[str, str], found: Mapping[str, Any]) -> Iterator[str]:
        if "failure" in found:
            yield f"failure: {found['failure']}"
        if "texts" not in found:
            return
        self.answered += 1
        shown = {name: text for name, text in found["texts"].items() if _NO_NUMBER.search(text)}
        if shown or _NO_NUMBER.search(found.get("sentence", "")):
            yield f"no number: {shown or found['sentence']}"
        said = [found.get("sentence", ""), *found["warnings"], *(one["reason"] for one in found["verdicts"].values())]
        yield from (f"beyond itself: {text}" for text in said if _ALIKE.search(text))
        again = ask(calculator, ("answer",), fragment=found["link"])
        if again.get("texts") != found["texts"]:
            yield f"the link {found['link']} opens to {differing(found['texts'], again.get('texts', {}))}"
        if again.get("sentence") != found.get("sentence"):
            yield f"the link says {again.get('sentence')!r}, not {found.get('sentence')!r}"
        yield from self._of_values(calculator, texts, found)

    def _of_values(self, calculator: Calculator, texts: Mapping[str, str], found: Mapping[str, Any]) -> Iterator[str]:
        resolved = parse_inputs(calculator, texts)
        values = calculator.evaluate(resolved.explicit)
        printed = data.described(calculator, resolved, values)["results"]
        for name, text in found["texts"].items():
            if name in printed and "level" not in printed[name] and printed[name]["text"] != text:
                yield f"{name} is {text} on the page and {printed[name]['text']} in JSON"
        for verdict, excluded in PAIRS.get(calculator.name, ()):
            if values[verdict].level == "good" and excluded(values):
                yield f"{verdict} is good: {values[verdict].reason}"
        yield from conservation.broken(calculator.name, values)
        yield from self._of_moves(calculator, values)

    def _of_moves(self, calculator: Calculator, values: Values) -> Iterator[str]:
        """One input more, all others as they are: no result goes against its declared direction."""
        start = {name: values[name] for name in calculator.inputs}
        moves = [
            (one, name, direction)
            for one in calculator.steps.values()
            for direction, names in ((1, one.rises_with), (-1, one.falls_with))
            for name in names
            if name in calculator.inputs and isinstance(values[name], int | float)
        ]
        if not moves:
            return
        formula, name, direction = self.chance.choice(moves)
        declared = calculator.inputs[name]
        after = values[name] + abs(values[name]) * _STEP
        if not isinstance(declared, Quantity) or not after <= declared.hard[1]:
            return
        after = math.ceil(after) if declared.whole else after
        try:
            moved = calculator.evaluate({**start, name: after})
        except BROKEN:
            return
        if any(one.function(*[moved[need] for need in one.needs]) for one in calculator.of_role("constraint")):
            return
        before, now = calculator.evaluate(start)[formula.name], moved[formula.name]
        if isinstance(before, int | float) and (now - before) * direction < -abs(before) * _SAME:
            word = "falls" if direction > 0 else "rises"
            moved_by = f"{name} goes from {values[name]!r} to {after!r}"
            yield f"{formula.name} {word} from {before!r} to {now!r} where {moved_by}"


def drawn(calculator: Calculator, chance: random.Random) -> dict[str, str]:
    """Texts of a few inputs and menus, as boxes and links have them."""
    texts = {
        menu.name: chance.choice(["none", *(record.key for record in menu.records)])
        for menu in calculator.presets
        if chance.random() < _USES_MENU
    }
    for name in chance.sample(sorted(calculator.inputs), chance.randint(0, min(_MOST_MOVED, len(calculator.inputs)))):
        declared = calculator.inputs[name]
        value = anywhere(declared, chance)
        if isinstance(declared, Quantity) and chance.random() < _IN_SLIDER:
            low, high = declared.slider
            value = chance.uniform(low, high)
            value = float(round(value)) if declared.whole else value
        texts[name] = declared.box(value)
    return texts


def imported(calculator: Calculator, texts: Mapping[str, str], chance: random.Random) -> dict[str, str]:
    """Texts with those of a published configuration, one of whose numbers may be another one."""
    config = dict(chance.choice(PUBLISHED)["config"])
    numbers = [key for key, value in config.items() if isinstance(value, int) and not isinstance(value, bool)]
    if numbers and chance.random() < _USES_MENU:
        config[chance.choice(numbers)] *= chance.choice([0, 2, 1000, -1])
    found = ask(calculator, ("imported",), given=dict(texts), imported=json.dumps(config))
    return {**texts, **found.get("imported", {}).get("changes", {})}


def ask(calculator: Calculator, asks: tuple[str, ...], **state: Any) -> dict[str, Any]:
    """Response that a page gets for a state; `asks` name its parts."""
    question = {"asks": asks, "calculator": calculator.name, "python": [], "day": _DAY, **state}
    found: dict[str, Any] = json.loads(respond(json.dumps(question)))
    return found


def differing(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, tuple[str, str | None]]:
    """Texts that are others now."""
    return {name: (text, after.get(name)) for name, text in before.items() if after.get(name) != text}

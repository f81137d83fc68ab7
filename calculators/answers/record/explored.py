"""Parts of a record that take long, found one after the other: range, sensitivity, recommendations, thresholds.

A page shows each once it is found.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from calculators.answers import exploration, explore
from calculators.answers.explore import margins, sampling
from calculators.answers.explore.search import Pauses, Search, search
from calculators.answers.input_state import InputState
from calculators.answers.messages import Answer
from calculators.answers.review import comparison, sweep, uncertainty
from calculators.answers.review.comparison import State
from calculators.declare import Calculator, InputError, Values

_MOST_ALTERNATIVES = comparison.MOST_STATES - 1
# Parts of an exploration, in the order in which they are found, and what a reader waits for until each is there.
_WAITED_FOR = {
    "swings": "range and sensitivity",
    "advice": "recommended changes",
    "edges": "closest thresholds",
}


@dataclass(frozen=True, kw_only=True)
class Explored:
    """Parts of a record that take long: sensitivity, thresholds, recommendations, range of the result, alternatives.

    `stopped` says why some are missing for good.
    """

    found: Answer = field(default_factory=Answer)
    sure: Mapping[str, Any] = field(default_factory=dict)
    alternatives: Mapping[str, Any] = field(default_factory=dict)
    stopped: str = ""

    def with_more(self, more: "Explored") -> "Explored":
        """These parts and more of them."""
        found: Answer = {**self.found, **more.found}
        return Explored(found=found, sure=more.sure or self.sure, alternatives=more.alternatives or self.alternatives)

    @property
    def pending(self) -> str:
        """Sentence on what is still being computed; empty where nothing is."""
        return f"Computing {', '.join(self.missing)}." if self.missing and not self.stopped else ""

    @property
    def missing(self) -> list[str]:
        """What is not there, in words."""
        return [text for part, text in _WAITED_FOR.items() if part not in self.found]


def unexplored(calculator: Calculator, values: Values) -> Explored:
    """Texts of a record before anything has been explored."""
    result = sweep.first_number(calculator, values)
    sentence = uncertainty.range_sentence(calculator, values, result, (), None)
    return Explored(sure={"result": {"name": result}, "sentence": sentence, "method": ""})


def each_part(
    calculator: Calculator, resolved: InputState, values: Values, links: Sequence[str]
) -> Iterator[Search[Explored]]:
    """Searches for the parts of a record, the quickest first."""
    if any(map(str.strip, links)):
        yield _compared(calculator, resolved, values, links)
    yield _moved(calculator, values)
    yield _advised(calculator, values)
    yield _thresholds(calculator, values)


@search
def _compared(calculator: Calculator, resolved: InputState, values: Values, links: Sequence[str]) -> Pauses[Explored]:
    compared = [State(letter="A", resolved=resolved, values=values)]
    wanted = [text for text in links if text.strip()]
    if len(wanted) > _MOST_ALTERNATIVES:
        raise InputError({"alternatives": f"A record takes up to {_MOST_ALTERNATIVES} alternatives, not {len(wanted)}"})
    for letter, text in zip("BCD", wanted, strict=False):
        compared.append((yield from comparison.opened(calculator, text, letter)))
    return Explored(alternatives=(yield from comparison.described(calculator, compared)))


@search
def _moved(calculator: Calculator, values: Values) -> Pauses[Explored]:
    result = sweep.first_number(calculator, values)
    moving = yield from explore.swings(calculator, values, result)
    likely = yield from sampling.assumed_range(calculator, values, result, moving)
    rows = exploration.swings(calculator, values, calculator.steps[result], moving)
    sure = yield from uncertainty.as_data(calculator, values, result, moving, likely)
    return Explored(found={"swings": rows}, sure=sure)


@search
def _advised(calculator: Calculator, values: Values) -> Pauses[Explored]:
    advice = yield from exploration.advice(calculator, values)
    idle = yield from exploration.idle(calculator, values)
    return Explored(found={"advice": advice, "idle": idle})


@search
def _thresholds(calculator: Calculator, values: Values) -> Pauses[Explored]:
    verdicts = [formula.name for formula in calculator.of_role("verdict")]
    found = yield from margins.nearest(calculator, values, verdicts)
    return Explored(found={"edges": exploration.edges(calculator, values, found)})

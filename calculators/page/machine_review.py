"""The explore panel on a system's page: the same questions as on any calculator, for a system in its present state."""

from collections.abc import Generator, Iterator
from types import MappingProxyType
from typing import Any

from calculators.answers.explore.search import Search
from calculators.answers.messages import Answer, Ask, Question
from calculators.declare import InputError
from calculators.machine import solved_layout
from calculators.machine.report import record_sections
from calculators.machine.state import State
from calculators.machine.workload import WorkloadState
from calculators.page import record, review

_EACH_SEARCHED = "The fastest layout is searched for each state."
_AMONG_THE_BEST = (
    "For one input, the layout is searched at both ends of its range; samples of all inputs use the fastest of the "
    "best present layouts."
)
_SAME_GPUS = "GPU count: as found for the deadline or the budget, unchanged."
_TRIED = "Tried: the main inputs and those you set. To try another input, choose it."
_SAID = MappingProxyType(
    {
        "solve": _EACH_SEARCHED,
        "sweep": _EACH_SEARCHED,
        "map": _EACH_SEARCHED,
        "tornado": _AMONG_THE_BEST,
        "margins": _EACH_SEARCHED,
        "compare": "",
    }
)
ASKS = frozenset(("record", *review.ASKS))

Pauses = Generator[None, None, State]


def parts(search: Pauses, question: Question, ask: Ask) -> Iterator[Answer]:
    """Responses about the system that a search finds, part by part."""
    try:
        found = yield from Search(search).slices()
    except InputError as error:
        yield {"problems": error.problems}
        return
    calculator, resolved = solved_layout.reviewed(found)
    if ask == "record":
        yield from record.responses(
            calculator, resolved, found.values, question.get("record", {}), record_sections.each_part(found)
        )
    else:
        for part in review.responses(calculator, resolved, found.values, question, ask):
            yield _noted(part, _notes(found, question, ask))


def choices(search: Pauses, question: Question) -> Generator[None, None, Answer]:
    """Menus of the Explore panel for the system that a search finds, with the search's pauses. Raises InputError."""
    found = yield from search
    calculator, resolved = solved_layout.reviewed(found)
    return (yield from review.choices(calculator, resolved, found.values, question.get("review", {}).get("result", "")))


def _notes(found: State, question: Question, ask: Ask) -> list[str]:
    """Notes on the search for layout and GPUs; what was tried where the reader did not choose which input may move."""
    asked = [_TRIED] if ask == "margins" or (ask == "solve" and not question.get("review", {}).get("input")) else []
    if isinstance(found, WorkloadState):
        return asked
    messages = [*asked, _SAID[ask]]
    messages += [_SAME_GPUS] if found.size is not None and ask != "compare" else []
    return [text for text in messages if text]


def _noted(part: Answer, notes: list[str]) -> Any:
    """A part with these notes behind its own."""
    shown = part.get("review")
    if shown is None or shown["problem"]:
        return part
    return {**part, "review": {**shown, "notes": [*shown["notes"], *notes]}}

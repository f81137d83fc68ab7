"""The review bench on a machine's page: what it asks of any calculator, asked of a machine as it stands."""

from collections.abc import Generator, Iterator
from types import MappingProxyType
from typing import Any

from calculators.answers.explore.search import Search
from calculators.answers.messages import Answer, Ask, Question
from calculators.declare import InputError
from calculators.machine import exploring, recorded
from calculators.machine.service import Service
from calculators.machine.standing import Standing
from calculators.page import record, review

_ANEW = "The layout is found anew for each."
_AMONG_THE_BEST = (
    "Of one input the layout is found anew at both ends; where all are drawn at once, the fastest of the layouts that "
    "are best now is taken."
)
_HELD = "The GPUs stay as they were found for the deadline or the budget."
_ASKED = "Inputs of the short form and those that you set were tried; choose another to try that."
_SAID = MappingProxyType({"solve": _ANEW, "sweep": _ANEW, "tornado": _AMONG_THE_BEST, "margins": _ANEW, "compare": ""})
ASKS = frozenset(("choices", "record", *review.ASKS))

Pauses = Generator[None, None, Standing | Service]


def parts(search: Pauses, question: Question, ask: Ask) -> Iterator[Answer]:
    """What is asked of the machine that a search finds, part by part."""
    try:
        found = yield from Search(search).slices()
    except InputError as error:
        yield {"problems": error.problems}
        return
    calculator, resolved = exploring.reviewed(found)
    if ask == "choices":
        result = question.get("review", {}).get("result", "")
        yield review.choices(calculator, resolved, found.values, result)
    elif ask == "record":
        yield from record.responses(
            calculator, resolved, found.values, question.get("record", {}), recorded.each_part(found)
        )
    else:
        for part in review.responses(calculator, resolved, found.values, question, ask):
            yield _noted(part, _notes(found, question, ask))


def _notes(found: Standing | Service, question: Question, ask: Ask) -> list[str]:
    """How the layout was found, and the GPUs; what was tried where nobody said which input may move."""
    asked = [_ASKED] if ask == "margins" or (ask == "solve" and not question.get("review", {}).get("input")) else []
    if isinstance(found, Service):
        return asked
    said = [*asked, _SAID[ask]]
    said += [_HELD] if found.size is not None and ask != "compare" else []
    return [text for text in said if text]


def _noted(part: Answer, notes: list[str]) -> Any:
    """A part with these notes behind its own."""
    shown = part.get("review")
    if shown is None or shown["problem"]:
        return part
    return {**part, "review": {**shown, "notes": [*shown["notes"], *notes]}}

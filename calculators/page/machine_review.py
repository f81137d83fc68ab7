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
        "tornado": _AMONG_THE_BEST,
        "margins": _EACH_SEARCHED,
        "compare": "",
    }
)
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
    asked = [_TRIED] if ask == "margins" or (ask == "solve" and not question.get("review", {}).get("input")) else []
    if isinstance(found, Service):
        return asked
    said = [*asked, _SAID[ask]]
    said += [_SAME_GPUS] if found.size is not None and ask != "compare" else []
    return [text for text in said if text]


def _noted(part: Answer, notes: list[str]) -> Any:
    """A part with these notes behind its own."""
    shown = part.get("review")
    if shown is None or shown["problem"]:
        return part
    return {**part, "review": {**shown, "notes": [*shown["notes"], *notes]}}

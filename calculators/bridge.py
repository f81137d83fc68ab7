"""The bridge: JSON text in, JSON text out. The only thing the browser's worker calls; it never raises.

A request names a calculator, its state and what the page needs of it: `{"asks": ["answer"], "calculator": "checkpoint",
"given": {"parameters": "405B"}, "stops": {"checkpoint_interval": 12}}`. What a page may ask for, what it receives, and
how an exploration comes in slices is declared in answers/messages.py.
"""

import gc
import itertools
import json
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from calculators.answers import (
    answer,
    baseline,
    config_file,
    deltas,
    differences,
    links,
    markdown,
    sliders,
)
from calculators.answers.explore.search import Search
from calculators.answers.input_state import InputState, parse_inputs
from calculators.answers.messages import Answer, Question
from calculators.answers.runs import page_run
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, InputError, Quantity, Values
from calculators.declare.memo import store
from calculators.facts.ages import CLOCK
from calculators.page import exploration, incoming_link, machine, machine_review, offers, own_facts, record, review

if TYPE_CHECKING:
    from calculators.page.long_file import LongFile

_MOST_UNDER_WAY = 16  # more than a page shows at a time; older ones were abandoned
_Work = Generator[None, None, Answer]
_BASELINES = 4  # as many as a page pins
_GC_THRESHOLD = 100_000  # new objects before Python looks at them by itself; an exploration makes 20% of them
_GC_NEVER = 10**9  # looks at new objects before it looks at all: a layout search keeps a million


def settle() -> None:
    """Prepare for requests: freeze existing objects and leave garbage collection to idle time.

    Collecting takes as long as a frame (11 ms on *Inference*), and Python would do it every few moves of a slider: it
    is done when an exploration is at its end, unless none ends for very long: then new objects alone are looked at.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD, _GC_NEVER)


def respond(request_text: str) -> str:
    """Response to one request. Errors are in it under "problems" or "failure"."""
    try:
        question: Question = json.loads(request_text)
        with CLOCK.on(question.get("day", "")):
            return json.dumps(_response(question), allow_nan=False)
    except Exception as error:  # noqa: BLE001  an uncaught error would leave the page waiting
        return json.dumps({"failure": f"{type(error).__name__}: {error}"[:300]})


def _response(question: Question) -> Answer:
    continued = _UNDER_WAY.slice_of(question.get("cursor"), question.get("slice_ms"))
    if continued is not None:
        return continued
    if of_no_state := next((_OF_NO_STATE[ask] for ask in question.get("asks", ()) if ask in _OF_NO_STATE), None):
        return of_no_state(question)
    work = _work(question)
    if "slice_ms" not in question:
        return Search(work).run()
    estimate = _estimate(question)
    if estimate is None:
        try:
            next(work)
        except StopIteration as end:
            return cast("Answer", end.value)  # as nearly always: there is nothing to wait for
    return _UNDER_WAY.begin(_waiting(work, estimate), question["slice_ms"])


def _work(question: Question) -> _Work:
    """The whole response, with a pause after every step of a search."""
    is_machine = question["calculator"] in machine.MACHINES
    response = yield from (_machine_response(question) if is_machine else _calculator_response(question))
    number = question.get("number")
    return response if number is None else _RECENT.since(response, number, question.get("since"))


def _estimate(question: Question) -> Answer | None:
    """A calculator's answer to a link from a system whose layout is not found yet, in one that is known.

    None where there is nothing to wait for, or nothing is known that may be used.
    """
    if "fragment" not in question or not question.get("provisional") or question["calculator"] not in CALCULATORS:
        return None
    calculator, systems = CALCULATORS[question["calculator"]], machine.Estimates(_PAGE)
    try:
        given, notices, _ = Search(incoming_link.read(calculator, str(question["fragment"]), systems)).run()
        if systems.is_exact:
            return None
        resolved = parse_inputs(calculator, given)
        found = answer.answer(calculator, resolved, answer.evaluated(calculator, resolved), question.get("python"))
    except (LookupError, InputError):
        return None
    return cast("Answer", {**found, "notices": notices, "searching": True})


def _waiting(work: _Work, estimate: Answer | None) -> Iterator[Answer]:
    """An estimate, progress of the search after every step of it; then the response, and what follows in slices."""
    if estimate is not None:
        yield {**estimate, "waiting": "Searching for the best layout."}
    response = yield from _counted(work)
    following = _UNDER_WAY.taken(response.get("cursor"))
    yield {**response, "waiting": ""}
    yield from following


def _counted(work: _Work) -> Generator[Answer, None, Answer]:
    """The steps of a search as sentences."""
    for steps in itertools.count(1):
        try:
            next(work)
        except StopIteration as end:
            return cast("Answer", end.value)
        yield {"waiting": f"Searching: {steps:,} layouts and changes tried."}
    raise AssertionError


@dataclass(frozen=True)
class _State:
    """Calculator, its inputs and values, and the request."""

    calculator: Calculator
    resolved: InputState
    values: Values
    question: Question


def _calculator_response(question: Question) -> _Work:
    """Response to a calculator's page."""
    calculator = CALCULATORS[question["calculator"]]
    given, notices, made = yield from _given(calculator, question)
    resolved = parse_inputs(calculator, given)
    response: Answer = {"given": dict(resolved.given), "notices": notices}
    try:
        asks = question.get("asks", ["answer"])
        asked = {ask: _RESPONSES[ask] for ask in asks}
        values = answer.evaluated(calculator, resolved)
        notices += links.changed_since(calculator, made, resolved, values)
        state = _State(calculator, resolved, values, question)
        for ask, respond_to in asked.items():
            wait = ask == "explore" and "answer" in asks  # nothing of an exploration keeps the answer waiting
            response.update(_sliced(respond_to(state), question, wait=wait))
    except InputError as error:
        response.update(_problems(calculator, resolved, question, error))
    return response


def _problems(calculator: Calculator, resolved: InputState, question: Question, error: InputError) -> Answer:
    """Response to invalid inputs, which a pasted file may fix."""
    response: Answer = {
        "problems": error.problems,
        "controls": answer.controls(calculator, resolved),
        "presets": dict(resolved.presets),
    }
    if "imported" in question:
        response["imported"] = config_file.response(calculator, resolved.given, question["imported"])
    return response


def _given(calculator: Calculator, question: Question) -> Generator[None, None, incoming_link.Read]:
    """Texts by input, problems of their link, and the version that made it."""
    notices: list[str] = []
    made = None
    if "fragment" in question:
        given, notices, made = yield from incoming_link.read(calculator, str(question["fragment"]), _PAGE)
    else:
        given = {str(key): text for key, text in question.get("given", {}).items()}
    for name, number in dict(question.get("stops", {})).items():
        declared = calculator.inputs[name]
        if isinstance(declared, Quantity):
            known = sliders.stops(declared)
            given[name] = declared.box(known[min(max(int(number), 0), len(known) - 1)])
    return given, notices, made


def _machine_response(question: Question) -> _Work:
    """Response to the System planner's page: the answer, its link, a record; explorations in slices."""
    calculator = machine.MACHINES[question["calculator"]]()
    given, notices, made = yield from _given(calculator, question)
    resolved = machine.state(calculator, given)
    response: Answer = {"given": machine.reader_inputs(resolved, given), "notices": notices}
    try:
        for ask in question.get("asks", ["answer"]):
            if ask == "explore":
                baseline, again = _baseline(calculator, question), question.get("provisional", True)
                parts = _PAGE.parts(calculator, resolved, baseline, provisional=again)
                response.update(_sliced(parts, question))
            elif ask == "choices":
                response.update((yield from machine_review.choices(_PAGE.each(calculator, resolved), question)))
            elif ask in machine_review.ASKS:
                response.update(
                    _sliced(machine_review.parts(_PAGE.each(calculator, resolved), question, ask), question)
                )
            else:
                response.update((yield from _PAGE.response(ask, calculator, resolved, question)))
        found, _ = _PAGE.at_once(calculator, resolved) if made else (None, False)
        if found is not None:
            notices += links.changed_since(calculator, made, found.resolved, found.values)
    except InputError as error:
        response.update(_problems(calculator, resolved, question, error))
    return response


def _baseline(calculator: Calculator, question: Question) -> InputState | None:
    """State of the baseline system; None without a comparison."""
    states = question.get("states", ())
    return machine.state(calculator, links.read_link(calculator, str(states[0]))[0]) if states else None


@lru_cache(maxsize=_BASELINES)
def _pinned(name: str, link: str) -> tuple[InputState, Values] | None:
    """State of a pinned link to a calculator, which many answers are compared with; None if it has no answer."""
    calculator = CALCULATORS[name]
    resolved = parse_inputs(calculator, links.read_link(calculator, link)[0])
    try:
        return resolved, answer.evaluated(calculator, resolved)
    except InputError:
        return None


def _answer_and_baseline(one: _State) -> Answer:
    """The answer, and how it differs from the baseline if there is one."""
    found = cast("Answer", answer.answer(one.calculator, one.resolved, one.values, one.question.get("python")))
    states = one.question.get("states", ())
    held = _pinned(one.calculator.name, str(states[0])) if states else None
    if held is None:
        return found
    message = baseline.difference_text(one.calculator, held[0], one.resolved)
    against = baseline.differences(one.calculator, one.values, held[1])
    return {**found, "against": against, "cells": {**found["cells"], "against.text": message}}


class _UnderWay:
    """Newest explorations in progress, by their cursors."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._responses: dict[int, Iterator[Answer]] = {}

    def begin(self, responses: Iterator[Answer], slice_ms: float, *, wait: bool = False) -> Answer:
        """First slice of an exploration; only its cursor if it has to wait."""
        cursor = next(self._numbers)
        store(self._responses, cursor, responses, _MOST_UNDER_WAY)
        return {"cursor": cursor} if wait else self._slice(cursor, slice_ms)

    def taken(self, cursor: int | None) -> Iterator[Answer]:
        """Rest of the exploration with this cursor, when it is no longer in progress."""
        return iter(()) if cursor is None else self._responses.pop(cursor)

    def slice_of(self, cursor: int | None, slice_ms: float | None) -> Answer | None:
        """Next slice of the exploration with this cursor; None if it is not in progress."""
        if cursor is None or cursor not in self._responses:
            return None
        return self._slice(cursor, slice_ms or 0)

    def _slice(self, cursor: int, slice_ms: float) -> Answer:
        until = time.perf_counter() + slice_ms / 1000
        merged: dict[str, Any] = {}
        responses = self._responses[cursor] = self._responses.pop(cursor)  # now the last to be forgotten
        for response in responses:
            for key, value in response.items():  # most only leave time for other requests
                was = merged.get(key)
                merged[key] = {**was, **value} if isinstance(was, dict) and isinstance(value, dict) else value
            if time.perf_counter() >= until or merged.get("searching"):  # an estimate is no part of what follows it
                return cast("Answer", {**merged, "cursor": cursor})
        del self._responses[cursor]
        if gc.get_threshold()[0] == _GC_THRESHOLD:  # no request waits now
            gc.collect()
        return cast("Answer", merged)


def _sliced(responses: Answer | Iterator[Answer], question: Question, *, wait: bool = False) -> Answer:
    """A response; of several the first slice if the page takes slices, else all merged."""
    if isinstance(responses, dict):
        return responses
    if "slice_ms" in question:
        return _UNDER_WAY.begin(responses, question["slice_ms"], wait=wait)
    whole: Answer = {}
    for response in responses:
        whole.update(response)
    return whole


# Not constants: an exploration under way, the layouts that were found and the last responses are kept by Python alone.
_UNDER_WAY = _UnderWay()
_PAGE = machine.Page()
_RECENT = deltas.RecentResponses()


def _review(ask: str) -> Callable[[_State], Iterator[Answer]]:
    return lambda one: review.responses(one.calculator, one.resolved, one.values, one.question, ask)


def _long_file() -> "LongFile":
    from calculators.page import long_file  # noqa: PLC0415  a Python of its own reads one

    return long_file.FILE


def _spreadsheet(one: _State) -> Answer:
    from calculators.page import spreadsheet  # noqa: PLC0415  few readers press its button

    return spreadsheet.response(one.calculator, one.resolved, one.values, one.question)


_OF_NO_STATE: dict[str, Callable[[Question], Answer]] = {
    "own": lambda question: own_facts.response(question["calculator"]),
    "offers": lambda question: offers.response(question.get("given", {})),
    "piece": lambda question: _long_file().add(question),
}
_RESPONSES: dict[str, Callable[[_State], Answer | Iterator[Answer]]] = {
    "answer": _answer_and_baseline,
    "explore": lambda one: exploration.responses(one.calculator, one.values),
    "link": lambda one: differences.response(
        one.calculator,
        one.resolved,
        one.values,
        one.question.get("states", ()),
        own=one.question.get("own", False),
    ),
    "markdown": lambda one: {"markdown": markdown.table(one.calculator, one.resolved, one.values)},
    "summary": lambda one: {
        "markdown": markdown.summary(
            one.calculator, one.resolved, one.values, links.differing(one.calculator, one.resolved)
        )
    },
    "measured": lambda one: {
        "compared": page_run.of_text(one.calculator, one.resolved.given, one.values, one.question)
    },
    "file": lambda one: _long_file().responses(one.calculator, one.resolved.given, one.values, one.question),
    "imported": lambda one: {
        "imported": config_file.response(one.calculator, one.resolved.given, one.question.get("imported", ""))
    },
    "spreadsheet": _spreadsheet,
    "record": lambda one: record.responses(one.calculator, one.resolved, one.values, one.question.get("record", {})),
    "choices": lambda one: review.choices(
        one.calculator, one.resolved, one.values, one.question.get("review", {}).get("result", "")
    ).run(),
    **{ask: _review(ask) for ask in review.ASKS},
}

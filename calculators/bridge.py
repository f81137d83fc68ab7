"""The bridge: JSON text in, JSON text out. The only thing the browser's worker calls; it never raises.

A request names a calculator, how it stands and what to tell of it: `{"asks": ["answer"], "calculator": "checkpoint",
"given": {"parameters": "405B"}, "stops": {"checkpoint_interval": 12}}`. What there is to ask, how it is told, and how
an exploration comes in slices, stands in answers/messages.py.
"""

import gc
import itertools
import json
import time
from collections.abc import Callable, Iterator
from typing import Any, cast

from calculators.answers import (
    answer,
    bench,
    differences,
    exploration,
    imported,
    links,
    markdown,
    measured,
    since,
    sliders,
)
from calculators.answers.messages import Answer, Question
from calculators.answers.record import pages
from calculators.answers.resolve import Resolved, resolve
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, InputError, Quantity, Values
from calculators.machine import review
from calculators.page import incoming_link, machine

_MOST_UNDER_WAY = 16  # more than a page shows at a time; older ones were abandoned
_SELDOM = 200_000  # objects, before Python looks by itself for those that nobody needs; an exploration makes a tenth


def settle() -> None:
    """Before the first request: what is there by now stays, and need not be looked at for what is no longer needed.

    That takes as long as a frame (11 ms on *Inference*), and Python would do it every few moves of a slider: it is done
    when an exploration is at its end and nobody waits, unless none ends for very long.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_SELDOM)


def respond(request_text: str) -> str:
    """Answer one request. Whatever goes wrong is in the answer under "problems" or "failure"."""
    try:
        return json.dumps(_respond(json.loads(request_text)), allow_nan=False)
    except Exception as error:  # noqa: BLE001  an uncaught error would leave the page waiting
        return json.dumps({"failure": f"{type(error).__name__}: {error}"[:300]})


def _respond(question: Question) -> Answer:
    continued = _UNDER_WAY.slice_of(question.get("cursor"), question.get("slice_ms"))
    if continued is not None:
        return continued
    told = _of_machine(question) if question["calculator"] in machine.MACHINES else _of_calculator(question)
    number = question.get("number")
    return told if number is None else _RECENT.since(told, number, question.get("since"))


def _of_calculator(question: Question) -> Answer:
    """What a calculator's page asks."""
    calculator = CALCULATORS[question["calculator"]]
    given, notices, made = _given(calculator, question)
    resolved = resolve(calculator, given)
    response: Answer = {"given": dict(resolved.given), "notices": notices}
    try:
        asked = [_ANSWERS[ask] for ask in question.get("asks", ["answer"])]
        values = answer.evaluated(calculator, resolved)
        notices += links.changed_since(calculator, made, resolved, values)
        for told in asked:
            response.update(told(calculator, resolved, values, question))
    except InputError as error:
        response["problems"] = error.problems
        response["controls"] = answer.controls(calculator, resolved)
        response["presets"] = dict(resolved.presets)
        if "imported" in question:  # a file may be what mends it
            response["imported"] = imported.told(calculator, resolved.given, question["imported"])
    return response


def _given(calculator: Calculator, question: Question) -> tuple[dict[str, str], list[str], links.Made | None]:
    """The texts by name, what was wrong with the link they are from, and what it says of its making."""
    notices: list[str] = []
    made = None
    if "fragment" in question:
        given, notices, made = incoming_link.arrived(calculator, str(question["fragment"]))
    else:
        given = {str(key): text for key, text in question.get("given", {}).items()}
    given.update(_stopped(calculator, dict(question.get("stops", {}))))
    return given, notices, made


def _of_machine(question: Question) -> Answer:
    """What a machine's page asks: the answer, its link, a file of it; in slices what follows."""
    calculator = machine.MACHINES[question["calculator"]]()
    given, notices, made = _given(calculator, question)
    resolved = machine.state(calculator, given)
    response: Answer = {"given": machine.given_of(resolved, given), "notices": notices}
    try:
        for ask in question.get("asks", ["answer"]):
            if ask == "explore":
                beside, again = _beside(calculator, question), question.get("provisional", True)
                parts = _PAGE.parts(calculator, resolved, beside, provisional=again)
                response.update(_told(parts, question))
            elif ask in review.ASKS:
                response.update(_told(review.parts(_PAGE.each(calculator, resolved), question, ask), question))
            else:
                response.update(_PAGE.told(ask, calculator, resolved, question))
        found, _ = _PAGE.at_once(calculator, resolved) if made else (None, False)
        if found is not None:
            notices += links.changed_since(calculator, made, found.resolved, found.values)
    except InputError as error:
        response["problems"] = error.problems
        response["controls"] = answer.controls(calculator, resolved)
        response["presets"] = dict(resolved.presets)
        if "imported" in question:
            response["imported"] = imported.told(calculator, resolved.given, question["imported"])
    return response


def _beside(calculator: Calculator, question: Question) -> Resolved | None:
    """The state of a machine that is held beside the present one, where there is one."""
    states = question.get("states", ())
    return machine.state(calculator, links.read_link(calculator, str(states[0]))[0]) if states else None


def _stopped(calculator: Calculator, stops: dict[str, Any]) -> dict[str, str]:
    texts = {}
    for name, number in stops.items():
        declared = calculator.inputs[name]
        if isinstance(declared, Quantity):
            known = sliders.stops(declared)
            texts[name] = declared.box(known[min(max(int(number), 0), len(known) - 1)])
    return texts


class _UnderWay:
    """Explorations that have begun and may be continued, the newest few of them, by their cursors."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._parts: dict[int, Iterator[Answer]] = {}

    def keep(self, parts: Iterator[Answer]) -> int:
        """The cursor with which an exploration may be continued; those not continued for long are forgotten."""
        cursor = next(self._numbers)
        self._parts[cursor] = parts
        for old in list(self._parts)[:-_MOST_UNDER_WAY]:
            del self._parts[old]
        return cursor

    def begin(self, parts: Iterator[Answer], slice_ms: float) -> Answer:
        """Tell the first slice of an exploration."""
        return self._slice(self.keep(parts), slice_ms)

    def slice_of(self, cursor: int | None, slice_ms: float | None) -> Answer | None:
        """Tell the next slice of the exploration with this cursor; nothing if it is not under way (any more)."""
        if cursor is None or cursor not in self._parts:
            return None
        return self._slice(cursor, slice_ms or 0)

    def _slice(self, cursor: int, slice_ms: float) -> Answer:
        until = time.perf_counter() + slice_ms / 1000
        told: Answer = {}
        parts = self._parts[cursor] = self._parts.pop(cursor)  # now the last to be forgotten
        for part in parts:
            if part:  # most only say that there is time for others
                told = _together(told, part)
            if time.perf_counter() >= until:
                told["cursor"] = cursor
                return told
        del self._parts[cursor]
        if gc.get_threshold()[0] == _SELDOM:  # nobody waits now
            gc.collect()
        return told


def _together(first: Answer, second: Answer) -> Answer:
    """Two bits of an exploration as one: what has names in both has the names of both."""
    both: dict[str, Any] = {**first}
    for key, value in second.items():
        was = both.get(key)
        both[key] = {**was, **value} if isinstance(was, dict) and isinstance(value, dict) else value
    return cast("Answer", both)


# Not a constant: between two slices somebody has to remember where the exploration stopped, and only Python can.
_UNDER_WAY = _UnderWay()
_PAGE = machine.Page()  # nor this: layouts that were found need not be searched for again
_RECENT = since.Recent()  # nor this: what a page has been told need not be told again


def _answer(calculator: Calculator, resolved: Resolved, values: Values, question: Question) -> Answer:
    return cast("Answer", answer.answer(calculator, resolved, values, question.get("python")))


def _exploration(calculator: Calculator, _resolved: Resolved, values: Values, question: Question) -> Answer:
    if "slice_ms" not in question:
        return exploration.exploration(calculator, values)
    parts = exploration.parts(calculator, values)
    if "answer" in question["asks"]:  # nothing of it may keep the answer waiting
        return {"cursor": _UNDER_WAY.keep(parts)}
    return _UNDER_WAY.begin(parts, question["slice_ms"])


def _link(calculator: Calculator, resolved: Resolved, values: Values, question: Question) -> Answer:
    """What the address says, which is nothing for the defaults; what a copied link says; what differs from them."""
    parts = links.differing(calculator, resolved)
    stamped = links.stamp(calculator, values, parts)
    found = differences.differences(calculator, resolved, parts)
    return {
        "link": stamped if found else "",
        "stamped": links.stamp(calculator, values, parts, question.get("states", ())),
        "differences": found,
        "groups": differences.changed_in_groups(calculator, found),
    }


def _markdown(calculator: Calculator, resolved: Resolved, values: Values, _question: Question) -> Answer:
    return {"markdown": markdown.table(calculator, resolved, values)}


def _measured(calculator: Calculator, resolved: Resolved, values: Values, question: Question) -> Answer:
    """The model's curves, and what was pasted beside them: in the state that it and the reader make together."""
    return {"compared": measured.told(calculator, resolved.given, values, question.get("measured", ""))}


def _imported(calculator: Calculator, resolved: Resolved, _values: Values, question: Question) -> Answer:
    """What a pasted file says in place of a menu's record, and what it changes."""
    return {"imported": imported.told(calculator, resolved.given, question.get("imported", ""))}


def _record(calculator: Calculator, resolved: Resolved, values: Values, question: Question) -> Answer:
    return _told(pages.parts(calculator, resolved, values, question.get("record", {})), question)


def _bench(calculator: Calculator, resolved: Resolved, values: Values, question: Question) -> Answer:
    return bench.choices(calculator, resolved, values, question.get("review", {}).get("result", ""))


def _review(ask: str) -> Callable[[Calculator, Resolved, Values, Question], Answer]:
    """What answers one question of the bench."""

    def told(calculator: Calculator, resolved: Resolved, values: Values, question: Question) -> Answer:
        return _told(bench.parts(calculator, resolved, values, question, ask), question)

    return told


def _told(parts: Iterator[Answer], question: Question) -> Answer:
    """The first slice, where slices are asked for, else all."""
    if "slice_ms" in question:
        return _UNDER_WAY.begin(parts, question["slice_ms"])
    whole: Answer = {}
    for part in parts:
        whole.update(part)
    return whole


_ANSWERS = {
    "answer": _answer,
    "explore": _exploration,
    "link": _link,
    "markdown": _markdown,
    "measured": _measured,
    "imported": _imported,
    "record": _record,
    "bench": _bench,
    **{ask: _review(ask) for ask in bench.ASKS},
}

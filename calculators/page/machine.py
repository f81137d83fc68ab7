"""The page of a machine: what it is told at once, and what follows in slices once a search and many trials are done.

At once come the numbers, with the layout that is known for the state; where none is, that of a neighboring state, or
none, and `searching` says so. In slices follow the layout that the search finds, the pillars, the best changes, and
what a second machine is beside it. Everything is finished text.
"""

import json
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, cast

from calculators import units
from calculators.answers import answer, config_file, differences, links
from calculators.answers.explore.search import Search
from calculators.answers.input_state import InputState, parse_inputs
from calculators.answers.messages import Advice, Answer, Ask, Level, Question
from calculators.declare import Calculator, InputError
from calculators.machine import beside, breakdown, changes, description, pillars, runner_up, told
from calculators.machine import service as service_machine
from calculators.machine.description import machine
from calculators.machine.machines import beneath
from calculators.machine.pillars import Pillar
from calculators.machine.remembered import Remembered
from calculators.machine.service import Service, service
from calculators.machine.standing import Standing, standing

# The machines that have pages, by their names.
MACHINES: Mapping[str, Callable[[], Calculator]] = MappingProxyType({"machine": machine, "machine_serving": service})
_SERVER = "server"
MEASURED = ("first", "price", "power")  # how changes are told: time or GPUs, money, power
Stood = Standing | Service
Trials = Generator[None, None, Stood]


def parts_of(name: str) -> tuple[str, ...]:
    """The calculators that a machine joins, by their names."""
    return description.PARTS if name == "machine" else service_machine.PARTS


def state(calculator: Calculator, given: Mapping[str, Any]) -> InputState:
    """How a machine is asked for, its server chosen with its accelerator."""
    return parse_inputs(calculator, given)


def given_of(resolved: InputState, given: Mapping[str, Any]) -> dict[str, str]:
    """What of the state the reader gave, the server left out that came with the accelerator."""
    return {name: text for name, text in resolved.given.items() if name != _SERVER or _SERVER in given}


def differing(calculator: Calculator, resolved: InputState) -> list[links.Part]:
    """What a link to this state must say: of the server only what does not come with the accelerator."""
    parts = links.differing(calculator, resolved)
    chosen = resolved.presets[_SERVER]
    comes = state(calculator, dict(parts)).presets[_SERVER]
    return parts if comes == chosen else [*parts, (_SERVER, chosen or "none")]


def link(name: str, given: Mapping[str, Any]) -> str:
    """The fragment, without its #, of a link to a machine in this state. Raises InputError."""
    calculator = MACHINES[name]()
    resolved = state(calculator, beneath(given))
    if resolved.problems:
        raise InputError(resolved.problems)
    return links.encoded(differing(calculator, resolved))


def stands(calculator: Calculator, given: Mapping[str, Any]) -> Stood:
    """The machine in this state, whatever it takes to find it. Raises InputError with every problem."""
    if calculator is machine():
        return standing(given)
    resolved = state(calculator, given)
    return Service(calculator=calculator, resolved=resolved, values=answer.evaluated(calculator, resolved))


class Page:
    """What pages of machines are told; it remembers which layouts were found."""

    def __init__(self) -> None:
        self._remembered = Remembered()

    def at_once(self, calculator: Calculator, resolved: InputState) -> tuple[Stood | None, bool]:
        """The machine as far as it is known without a search, and whether there is one to come. Raises InputError."""
        if resolved.problems:
            raise InputError(resolved.problems)
        if calculator is not machine():
            values = answer.evaluated(calculator, resolved)
            return Service(calculator=calculator, resolved=resolved, values=values), False
        found, exact = self._remembered.at_once(resolved)
        return found, not exact

    def each(self, calculator: Calculator, resolved: InputState) -> Trials:
        """The machine in this state, with pauses. Raises InputError."""
        found, searching = self.at_once(calculator, resolved)
        if found is not None and not searching:
            return found
        return (yield from self._remembered.each(resolved))

    def told(self, ask: Ask, calculator: Calculator, resolved: InputState, question: Question) -> Answer:
        """What is told of one thing asked. Raises InputError."""
        if ask == "imported":
            return {"imported": config_file.response(calculator, resolved.given, question.get("imported", ""))}
        found, searching = self.at_once(calculator, resolved)
        if ask == "link":
            return linked(calculator, resolved, None if searching else found, question.get("states", ()))
        if searching and not (ask == "answer" and question.get("provisional")):
            found, searching = Search(self.each(calculator, resolved)).run(), False
        if found is None:
            return {
                "searching": True,
                "controls": answer.controls(calculator, resolved),
                "presets": dict(resolved.presets),
            }
        if ask == "answer":
            return answered(found, question.get("python")) | ({"searching": True} if searching else {})
        if ask == "markdown":
            return {"markdown": told.markdown(found)}
        return {"described": json.dumps(told.described(found), indent=2, ensure_ascii=False)}

    def parts(
        self,
        calculator: Calculator,
        resolved: InputState,
        other: InputState | None = None,
        *,
        provisional: bool = True,
    ) -> Iterator[Answer]:
        """What follows the answer, bit by bit, and first the answer itself if what was told of it was `provisional`.

        `other` is the state of a machine to hold beside it.
        """
        try:
            found = yield from Search(self.each(calculator, resolved)).slices()
        except InputError as error:
            yield {"problems": error.problems, "controls": answer.controls(calculator, resolved)}
            return
        if provisional:
            yield answered(found)
        known = yield from Search(pillars.each_pillar(found)).slices()
        yield of_pillars(known)
        tried = []
        for one in changes.each_change(found):
            tried += [one] if one is not None else []
            yield {}
        yield {"advice": recommendations(found, changes.ranked(tried)[: changes.MOST])}
        if other is not None:
            held = yield from Search(self.each(calculator, other)).slices()
            others = yield from Search(pillars.each_pillar(held)).slices()
            yield {"cells": of_both((held, others), (found, known))}


def linked(calculator: Calculator, resolved: InputState, found: Stood | None, held: Sequence[str] = ()) -> Answer:
    """What the address says; what a copied link says, with the machine held beside it; what differs from defaults."""
    parts = differing(calculator, resolved)
    plain = links.encoded(parts)
    unlike = differences.differences(calculator, resolved, parts)
    return {
        "link": plain,
        "stamped": plain if found is None else links.stamp(calculator, found.values, parts, held),
        "differences": unlike,
        "groups": differences.changed_in_groups(calculator, unlike),
    }


def answered(found: Stood, python: Sequence[str] | None = ()) -> Answer:
    """The numbers, the run taken apart, and how the layout was found."""
    whole = cast("Answer", answer.answer(found.calculator, found.resolved, found.values, python))
    return {**whole, "cells": {**whole.get("cells", {}), **of_layout(found)}}


def of_layout(found: Stood) -> dict[str, str]:
    """Each part's time and share of the run, and what the search says; nothing of a machine that serves."""
    if not isinstance(found, Standing):
        return {}
    parts = told.run_taken_apart(found)
    times = {f"time.{part['name']}": part["text"] for part in parts}
    shares = {f"share.{part['name']}": part["share_text"] for part in parts}
    return {**times, **shares, "layout": " ".join(runner_up.sentences(found))}


def of_pillars(known: tuple[Pillar, ...]) -> Answer:
    """Every pillar's texts by their places, its level, and which of them limits."""
    cells: dict[str, str] = {"limit": pillars.limit(known).said}
    levels: dict[str, Level] = {}
    for one in known:
        place = f"pillar.{one.key}"
        spare = "" if one.slack is None else units.text(max(one.slack, 0.0), "share")
        gain = one.margin_text if one.gain is None else f"+{units.text(max(one.gain, 0.0), 'share')}"
        cells |= {
            f"{place}.asked": one.asked,
            f"{place}.there": one.there,
            f"{place}.gain": gain,
            f"{place}.slack": spare,
            f"{place}.said": one.gain_text and f"{one.gain_text}; {one.slack_text}",
            f"{place}.dollars": one.gain_per_dollar_text,
            f"{place}.verdict": one.verdict.word,
        }
        levels[place] = one.verdict.level
    return {"cells": cells, "levels": levels}


def recommendations(found: Stood, known: list[changes.Change]) -> list[Advice]:
    """The best changes as a page lists them."""
    return [
        {
            "label": one["title"],
            "outcome": changes.effects(one),
            "changes": one["given"],
            "parts": {name: one[f"{name}_text"] for name in MEASURED},
        }
        for one in changes.described(found, known)
    ]


def of_both(*known: tuple[Stood, tuple[Pillar, ...]]) -> dict[str, str]:
    """Two machines with their pillars side by side, by their places: the one held, and the present."""
    limits = [pillars.limit(each).pillar for _, each in known]
    (one, _), (other, _) = known
    both = beside.described(one, other, [limit.key for limit in limits])
    cells = {"beside.said": both["said"], "beside.first": both["sentences"][0], "beside.second": both["sentences"][1]}
    for row in (*both["measures"], *both["parts"]):
        cells |= {f"beside.{row['name']}.{place}": text for place, text in enumerate(row["texts"])}
        cells[f"beside.{row['name']}.saved"] = row["saved_text"]
    cells["beside.limit.saved"] = "the same" if limits[0].key == limits[1].key else "another"
    return cells | {f"beside.limit.{place}": limit.title for place, limit in enumerate(limits)}


def compared_rows(found: Stood) -> list[tuple[str, str]]:
    """The rows in which two machines are held side by side: their names and labels."""
    steps = found.calculator.steps
    names = [measure.result for measure in found.kind.measures]
    names += [part.result for part in breakdown.PARTS] if isinstance(found, Standing) else []
    return [(name, steps[name].label) for name in names]

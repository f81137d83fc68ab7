"""Responses to a system's page: the answer at once, and in slices what takes a search and many trials.

At once come the numbers, with the layout that is known for the state; where none is, that of a neighboring state, or
none, and `searching` says so. In slices follow the layout that the search finds, the pillars, the best changes, and
the comparison with a second system. Everything is finished text.
"""

import json
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, cast

from calculators import units
from calculators.answers import answer, baseline, config_file, differences, links, markdown
from calculators.answers.explore.search import Search
from calculators.answers.input_state import InputState, parse_inputs
from calculators.answers.messages import Advice, Answer, Ask, Level, Question
from calculators.declare import Calculator, InputError
from calculators.machine import breakdown, changes, description
from calculators.machine.description import machine
from calculators.machine.layout import runner_up
from calculators.machine.layout.memo import LayoutMemo
from calculators.machine.machines import beneath
from calculators.machine.report import bill, change_texts, comparison, formats
from calculators.machine.resources import bottlenecks
from calculators.machine.resources.bottlenecks import Resource
from calculators.machine.state import WORKLOADS, State
from calculators.machine.step import parts
from calculators.machine.training_state import TrainingState, training_state

# The machines that have pages, by their names.
MACHINES: Mapping[str, Callable[[], Calculator]] = MappingProxyType(
    {"machine": machine, **{name: workload.calculator for name, workload in WORKLOADS.items()}}
)
# Their pages, from the root of the site.
PLACES: Mapping[str, str] = MappingProxyType(
    {
        "machine": "machine/",
        "machine_serving": "machine/serving/",
        "machine_rag": "machine/rag/",
        "machine_rl": "machine/post-training/",
    }
)
_SERVER = "server"
_PROGRESS = tuple(
    f"Searching, {place} of 3: {what}."
    for place, what in enumerate(("the best layout", "bottlenecks", "recommendations"), 1)
)
MEASURED = ("first", "price", "power")  # measures of changes: time or GPUs, money, power
Trials = Generator[None, None, State]


def parts_of(name: str) -> tuple[str, ...]:
    """The calculators that a machine joins, by their names."""
    return WORKLOADS[name].parts if name in WORKLOADS else description.PARTS


def state(calculator: Calculator, given: Mapping[str, Any]) -> InputState:
    """Inputs of a system, its server chosen with its accelerator."""
    return parse_inputs(calculator, given)


def reader_inputs(resolved: InputState, given: Mapping[str, Any]) -> dict[str, str]:
    """The reader's inputs, without the server that came with the accelerator."""
    return {name: text for name, text in resolved.given.items() if name != _SERVER or _SERVER in given}


def differing(calculator: Calculator, resolved: InputState) -> list[links.Part]:
    """Parts of a link to this state, without a server that comes with the accelerator."""
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


def found_state(calculator: Calculator, given: Mapping[str, Any]) -> State:
    """The machine in this state, whatever it takes to find it. Raises InputError with every problem."""
    if workload := WORKLOADS.get(calculator.name):
        return workload.evaluated(state(calculator, given))
    return training_state(given)


class Estimates:
    """Systems as far as they are known without a search, for a first answer; `is_exact` until one was a neighbor's."""

    def __init__(self, page: "Page") -> None:
        self._page = page
        self.is_exact = True

    def each(self, calculator: Calculator, resolved: InputState) -> Trials:
        """The system in this state or its estimate, at once. Raises LookupError where there is none, and InputError."""
        yield from ()
        found, searching = self._page.at_once(calculator, resolved)
        self.is_exact = self.is_exact and not searching
        if found is None:
            raise LookupError(calculator.name)
        return found


class Page:
    """Responses to pages of systems, with a memo of layouts."""

    def __init__(self) -> None:
        self._memo = LayoutMemo()

    def at_once(self, calculator: Calculator, resolved: InputState) -> tuple[State | None, bool]:
        """The machine as far as it is known without a search, and whether there is one to come. Raises InputError."""
        if resolved.problems:
            raise InputError(resolved.problems)
        if workload := WORKLOADS.get(calculator.name):
            return workload.evaluated(resolved), False
        found, exact = self._memo.at_once(resolved)
        return found, not exact

    def each(self, calculator: Calculator, resolved: InputState) -> Trials:
        """The machine in this state, with pauses. Raises InputError."""
        if calculator is machine() and not resolved.problems:
            return (yield from self._memo.each(resolved))
        found, _ = self.at_once(calculator, resolved)
        return cast("State", found)

    def response(
        self, ask: Ask, calculator: Calculator, resolved: InputState, question: Question
    ) -> Generator[None, None, Answer]:
        """The response to one ask, with pauses where the layout has to be found. Raises InputError."""
        if ask == "imported":
            return {"imported": config_file.response(calculator, resolved.given, question.get("imported", ""))}
        found, searching = self.at_once(calculator, resolved)
        if ask == "link":
            return linked(
                calculator,
                resolved,
                None if searching else found,
                question.get("states", ()),
                own=question.get("own", False),
            )
        if searching and not (ask == "answer" and question.get("provisional")):
            found, searching = (yield from self.each(calculator, resolved)), False
        if found is None:
            return {
                "searching": True,
                "controls": answer.controls(calculator, resolved),
                "presets": dict(resolved.presets),
            }
        if ask == "answer":
            return numbers_of(found, question.get("python")) | ({"searching": True} if searching else {})
        return (yield from _file(ask, found, question))

    def parts(
        self,
        calculator: Calculator,
        resolved: InputState,
        other: InputState | None = None,
        *,
        provisional: bool = True,
    ) -> Iterator[Answer]:
        """Responses after the answer, part by part, and first the answer itself if the one before was `provisional`.

        `other` is the state of a system to compare with.
        """
        yield {"progress": _PROGRESS[0]}
        try:
            found = yield from Search(self.each(calculator, resolved)).slices()
        except InputError as error:
            yield {"problems": error.problems, "controls": answer.controls(calculator, resolved)}
            return
        if provisional:
            yield numbers_of(found)
        held = None if other is None else (yield from Search(self.each(calculator, other)).slices())
        if held is not None:
            yield against(found, held)
        yield {"progress": _PROGRESS[1]}
        known = yield from Search(bottlenecks.each_resource(found)).slices()
        yield of_resources(known) | {"progress": _PROGRESS[2]}
        best = yield from Search(changes.each_best(found)).slices()
        yield {"advice": recommendations(found, best), "progress": ""}
        if held is not None:
            others = yield from Search(bottlenecks.each_resource(held)).slices()
            yield {"cells": of_both((held, others), (found, known))}


def _file(ask: Ask, found: State, question: Question) -> Generator[None, None, Answer]:
    """File to save: a spreadsheet, Markdown, JSON."""
    if ask == "spreadsheet":
        from calculators.page import spreadsheet  # noqa: PLC0415  few readers press its button

        return spreadsheet.response(found.calculator, found.resolved, found.values, question)
    if ask == "summary":
        parts, state = differing(found.calculator, found.resolved), [f"**{formats.state_line(found)[1]}**", ""]
        return {"markdown": markdown.summary(found.calculator, found.resolved, found.values, parts, state)}
    known = yield from bottlenecks.each_resource(found)
    best = yield from changes.each_best(found)
    if ask == "markdown":
        return {"markdown": formats.markdown(found, known, best)}
    return {"described": json.dumps(formats.described(found, known, best), indent=2, ensure_ascii=False)}


def linked(
    calculator: Calculator, resolved: InputState, found: State | None, held: Sequence[str] = (), *, own: bool = False
) -> Answer:
    """The address; the link to copy, with the baseline and on wish own numbers; what differs from defaults."""
    parts = differing(calculator, resolved)
    copied = links.with_own_numbers(calculator, resolved, parts) if own else parts
    plain = links.encoded(parts)
    unlike = differences.differences(calculator, resolved, parts)
    return {
        "link": plain,
        "stamped": links.encoded(copied) if found is None else links.stamp(calculator, found.values, copied, held),
        "differences": unlike,
        "groups": differences.changed_in_groups(calculator, unlike),
    }


def numbers_of(found: State, python: Sequence[str] | None = ()) -> Answer:
    """The numbers, the run taken apart, and how the layout was found."""
    whole = cast("Answer", answer.answer(found.calculator, found.resolved, found.values, python))
    level, line = formats.state_line(found)
    levels: dict[str, Level] = {"state": level}
    cells = {**whole.get("cells", {}), "state": line, **of_layout(found), "bill.note": bill.aged(found)}
    return {**whole, "cells": cells, "levels": levels}


def against(found: State, held: State) -> Answer:
    """Differences from the baseline `held` behind each number of the answer, and the inputs that differ."""
    calculator = found.calculator
    message = baseline.difference_text(calculator, held.resolved, found.resolved)
    return {"against": baseline.differences(calculator, found.values, held.values), "cells": {"against.text": message}}


def of_layout(found: State) -> dict[str, str]:
    """Each part's time and share of the run, and what the search says; nothing of a machine that serves."""
    if not isinstance(found, TrainingState):
        return {}
    run = formats.run_taken_apart(found)
    times = {f"time.{part['name']}": part["text"] for part in run}
    shares = {f"share.{part['name']}": part["share_text"] for part in run}
    known = parts.taken_apart(found.calculator, found.values)
    times |= {f"step.{part['name']}": part["text"] for part in known}
    shares |= {f"stepshare.{part['name']}": part["share_text"] for part in known}
    return {**times, **shares, "layout": " ".join(runner_up.sentences(found))}


def of_resources(known: tuple[Resource, ...]) -> Answer:
    """Every pillar's texts by their places, its level, and which of them limits."""
    cells: dict[str, str] = {"limit": bottlenecks.limit(known).message}
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
            f"{place}.text": one.gain_text and f"{one.gain_text}; {one.slack_text}",
            f"{place}.dollars": one.gain_per_dollar_text,
            f"{place}.verdict": one.verdict.word,
        }
        levels[place] = one.verdict.level
    return {"cells": cells, "levels": levels}


def recommendations(found: State, known: list[changes.Change]) -> list[Advice]:
    """The best changes as a page lists them."""
    return [
        {
            "label": one["title"],
            "outcome": change_texts.effects(one),
            "changes": one["given"],
            "parts": {name: one[f"{name}_text"] for name in MEASURED},
        }
        for one in change_texts.described(found, known)
    ]


def of_both(*known: tuple[State, tuple[Resource, ...]]) -> dict[str, str]:
    """Cells that compare two systems and their resources: the baseline, then the present one."""
    limits = [bottlenecks.limit(each).resource for _, each in known]
    (one, _), (other, _) = known
    both = comparison.described(one, other, [limit.key for limit in limits])
    cells = {
        "comparison.text": both["said"],
        "comparison.first": both["sentences"][0],
        "comparison.second": both["sentences"][1],
    }
    for row in (*both["measures"], *both["parts"]):
        cells |= {f"comparison.{row['name']}.{place}": text for place, text in enumerate(row["texts"])}
        cells[f"comparison.{row['name']}.saved"] = row["saved_text"]
    cells["comparison.limit.saved"] = "the same" if limits[0].key == limits[1].key else "another"
    return cells | {f"comparison.limit.{place}": limit.title for place, limit in enumerate(limits)}


def compared_rows(found: State) -> list[tuple[str, str]]:
    """Rows of the comparison of two systems: their names and labels."""
    steps = found.calculator.steps
    names = [measure.result for measure in found.kind.measures]
    names += [part.result for part in breakdown.PARTS] if isinstance(found, TrainingState) else []
    return [(name, steps[name].label) for name in names]

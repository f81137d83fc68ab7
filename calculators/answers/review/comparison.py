"""Comparison of states: which inputs differ, the results of each, and how much each change contributes."""

import dataclasses
import itertools
import re
import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from calculators import units
from calculators.answers import answer, explain, links
from calculators.answers.explore.attribution import MOST_EXACT, Attribution, Changed, attribution
from calculators.answers.explore.sampling import difference_range
from calculators.answers.explore.search import Pauses, search
from calculators.answers.input_state import InputState, valid_inputs
from calculators.answers.review.sweep import first_number
from calculators.declare import Calculator, InputError, Values

MOST_STATES = 4
_BAR = 24
_FOUND = "found"
_PAGE = re.compile(r"calculators/([a-z-]+)/?(?:index\.html)?$")


@dataclass(frozen=True, kw_only=True)
class State:
    """Compared state: letter, inputs and values."""

    letter: str
    resolved: InputState
    values: Values
    notices: tuple[str, ...] = ()


def states(calculator: Calculator, resolved: InputState, values: Values, addresses: Sequence[str]) -> list[State]:
    """The states of these links, what is pinned in one before itself; of one alone, the present state and that one.

    Raises InputError.
    """
    all_of_them = [one for address in addresses for one in (*links.pinned(address.rpartition("#")[2]), address)]
    if len(all_of_them) > MOST_STATES + (len(addresses) == 1):
        raise InputError({"compare": f"Up to {MOST_STATES} states can be compared, not {len(all_of_them)}"})
    letters = iter(string.ascii_uppercase)
    found = [State(letter=next(letters), resolved=resolved, values=values)] if len(all_of_them) == 1 else []
    return found + [opened(calculator, address, next(letters)).run() for address in all_of_them]


@search
def opened(calculator: Calculator, address: str, letter: str) -> Pauses[State]:
    """State of a link: a whole address, or its part after #. Raises InputError."""
    page, mark, fragment = address.partition("#") if "#" in address else address.rpartition("?")
    if not mark:
        page, fragment = "", address
    other = _PAGE.search(page)
    if other and other[1].replace("-", "_") != calculator.name:
        raise InputError({"compare": f"“{address[:80]}” is a link to {other[1]}, not to {calculator.name}"})
    given, notices = links.read_link(calculator, fragment)
    try:
        resolved = valid_inputs(calculator, given)
        values = yield from answer.each_evaluated(calculator, resolved)
    except InputError as error:
        raise InputError({key: f"State {letter}: {text}" for key, text in error.problems.items()}) from None
    notices += links.changed_since(calculator, links.version_stamp(fragment), resolved, values)
    return State(letter=letter, resolved=resolved, values=values, notices=tuple(notices))


def changes(calculator: Calculator, one: State, other: State, result: str) -> list[Changed]:
    """Inputs that differ between two states, in the order in which the chain to a result meets it.

    A menu with another record is one change, together with the values it fills and the reader did not type.
    """
    before, after = one.resolved, other.resolved
    names = [
        name
        for name in calculator.inputs
        if (name in before.explicit) != (name in after.explicit)
        or before.explicit.get(name) != after.explicit.get(name)
    ]
    found: dict[str, list[str]] = {}
    for name in names:
        typed = "yours" in {before.origins[name], after.origins[name]}
        menu = next(
            (
                preset.name
                for preset in calculator.presets
                if name in preset.fills and before.presets[preset.name] != after.presets[preset.name] and not typed
            ),
            name,
        )
        found.setdefault(menu, []).append(name)
    met = [need for formula in explain.formulas_behind(calculator, result) for need in formula.needs]
    order = {name: place for place, name in reversed(list(enumerate(met)))}
    ranked = sorted(found.items(), key=lambda item: min(order.get(name, len(met)) for name in item[1]))
    return [Changed(name=name, names=tuple(inputs)) for name, inputs in ranked]


@search
def attributed(calculator: Calculator, one: State, other: State, result: str) -> Pauses[Attribution | None]:
    """Share of each change in the difference of a result; None where that cannot be calculated.

    Inputs that are entered in one state only, with the value that they have in the other too, and move nothing are no
    changes.
    """
    made = changes(calculator, one, other, result)
    found = yield from attribution(calculator, one.resolved.explicit, other.resolved.explicit, made, result)
    if found is None:
        return None
    parts = [(change, part) for change, part in found.parts if part or _moves(change, one, other)]
    return dataclasses.replace(found, parts=tuple(parts))


def _moves(change: Changed, one: State, other: State) -> bool:
    return any(one.values[name] != other.values[name] for name in change.names)


@search
def difference(calculator: Calculator, one: State, other: State, result: str) -> Pauses[tuple[float, float] | None]:
    """Likely difference (p10 and p90) in a result from one state to the other, both drawn from the same samples.

    None where the result is not a number in both, or no input has a range.
    """
    if not all(isinstance(state.values[result], int | float) for state in (one, other)):
        return None
    found = yield from difference_range(calculator, (one.values, result), (other.values, result))
    return None if found is None else (found[0], found[2])


def difference_sentence(
    calculator: Calculator, one: State, other: State, result: str, found: tuple[float, float] | None
) -> str:
    """The difference in a result and its likely range; empty where none is known."""
    if found is None:
        return ""
    now = signed(calculator, result, other.values[result] - one.values[result])
    low, high = (signed(calculator, result, end) for end in found)
    about = f"Difference in {calculator.steps[result].label} from {one.letter} to {other.letter}"
    return f"{about}: {now}, likely {low} to {high} (p10 to p90; both drawn from the same samples)."


def first_difference(calculator: Calculator, compared: Sequence[State]) -> str:
    """The first headline that is a number and not the same in all states; nothing where there is none."""
    for name in calculator.headline:
        found = [state.values[name] for state in compared]
        if all(isinstance(value, int | float) for value in found) and len(set(found)) > 1:
            return name
    return ""


def result_between(calculator: Calculator, one: State, other: State) -> str:
    """The result whose difference says most: the first headline that differs, else the first that is a number."""
    return first_difference(calculator, (one, other)) or first_number(calculator, one.values)


def lines(calculator: Calculator, compared: Sequence[State], result: str = "") -> list[str]:
    """A table of what differs, results and verdicts, and a waterfall from the first state to each other."""
    text_lines = [f"{state.letter}: {answer.sentence(calculator, state.values, state.resolved)}" for state in compared]
    text_lines += [f"{state.letter}: {notice}" for state in compared for notice in state.notices]
    rows = [["", *(state.letter for state in compared)], *_marked(differing(calculator, compared))]
    rows += [["", *("" for _ in compared)], *_marked(outcomes(calculator, compared))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    text_lines += [
        "",
        *("  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows),
    ]
    for other in compared[1:]:
        name = result or result_between(calculator, compared[0], other)
        text_lines += ["", *_waterfall(calculator, compared[0], other, name)]
        likely = difference(calculator, compared[0], other, name).run()
        text_lines += filter(None, [difference_sentence(calculator, compared[0], other, name, likely)])
    return text_lines


@search
def described(calculator: Calculator, compared: Sequence[State], result: str = "") -> Pauses[dict[str, Any]]:
    """Comparison as plain data, in base units."""
    heads = ("label", *(state.letter for state in compared))
    attributions = []
    for other in compared[1:]:
        name = result or result_between(calculator, compared[0], other)
        found = yield from _attribution_data(calculator, compared[0], other, name)
        attributions += [found]
    return {
        "states": [
            {
                "state": state.letter,
                "link": links.link(calculator, state.resolved),
                "sentence": answer.sentence(calculator, state.values, state.resolved),
                "notices": list(state.notices),
            }
            for state in compared
        ],
        "differences": [dict(zip(heads, row, strict=True)) for row in _marked(differing(calculator, compared))],
        "results": [dict(zip(heads, row, strict=True)) for row in _marked(outcomes(calculator, compared))],
        "attributions": attributions,
    }


def differing(calculator: Calculator, compared: Sequence[State]) -> list[list[str]]:
    """Menus and inputs that are not the same everywhere, a row each: its label, then its texts.

    Inputs computed in every state are not listed, since they follow others; inputs found by a search are.
    """
    rows = []
    for preset in calculator.presets:
        records = [preset.by_key.get(state.resolved.presets[preset.name]) for state in compared]
        rows.append([preset.label, *(record.name if record else "none" for record in records)])
    for name, declared in calculator.inputs.items():
        words = [_word(state, name) for state in compared]
        if all(words) and _FOUND not in words:
            continue
        texts = [
            _short(declared.text(state.values[name])) + (f" ({word})" if word else "")
            for state, word in zip(compared, words, strict=True)
        ]
        rows.append([declared.label, *texts])
    return [row for row in rows if len(set(row[1:])) > 1]


def _word(state: State, name: str) -> str:
    """Origin of an input that was not given: found by a search, or computed; empty for a given one."""
    is_found = name in state.values.given and name not in state.resolved.explicit
    return _FOUND if is_found else state.resolved.words.get(name, "")


def outcomes(calculator: Calculator, compared: Sequence[State]) -> list[list[str]]:
    """The headline results and the verdicts of all states, a row each: its label, then its texts."""
    verdicts = [formula.name for formula in calculator.of_role("verdict")]
    rows = []
    for name in dict.fromkeys((*calculator.headline, *verdicts)):
        formula = calculator.steps[name]
        rows.append([formula.label, *(formula.text(state.values[name]) for state in compared)])
    return rows


def label(calculator: Calculator, change: Changed) -> str:
    """Label of a change."""
    menu = next((preset for preset in calculator.presets if preset.name == change.name), None)
    return menu.label if menu else calculator.inputs[change.name].label


def _attribution_data(calculator: Calculator, one: State, other: State, result: str) -> Pauses[dict[str, Any]]:
    found = yield from attributed(calculator, one, other, result)
    formula = calculator.steps[result]
    likely = yield from difference(calculator, one, other, result)
    data: dict[str, Any] = {
        "from": one.letter,
        "to": other.letter,
        "result": result,
        "unit": units.base_symbol(formula.unit),
    }
    if likely is not None:
        data["likely"] = {"p10": likely[0], "p90": likely[1]}
        data["sentence"] = difference_sentence(calculator, one, other, result, likely)
    if found is None:
        return {**data, "method": "none", "parts": []}
    return {
        **data,
        "before": found.before,
        "after": found.after,
        "method": "shapley" if found.exact else "chain order",
        "parts": [{"change": change.name, "inputs": list(change.names), "part": part} for change, part in found.parts],
    }


def _marked(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The rows with a star at what is not as in the first state."""
    return [[head, first, *_starred(first, others)] for head, first, *others in rows]


def _starred(first: str, others: Sequence[str]) -> list[str]:
    return [*(f"{text} *" if text != first else text for text in others)]


def _short(text: str) -> str:
    return text.partition(":")[0]


def _waterfall(calculator: Calculator, one: State, other: State, result: str) -> list[str]:
    formula = calculator.steps[result]
    found = attributed(calculator, one, other, result).run()
    explanation = explained(calculator, one, other, result, found)
    if found is None or not found.parts:
        return [explanation]
    start, end = formula.text(found.before), formula.text(found.after)
    reached = list(itertools.accumulate((part for _, part in found.parts), initial=found.before))
    low, high = min(reached), max(reached)
    rows = [[f"  {one.letter}", start, _bar(found.before, found.before, low, high)]]
    for (change, part), (left, right) in zip(found.parts, itertools.pairwise(reached), strict=True):
        rows.append([f"  {label(calculator, change)}", signed(calculator, result, part), _bar(left, right, low, high)])
    rows.append([f"  {other.letter}", end, _bar(found.after, found.after, low, high)])
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    return [
        f"{explanation.removesuffix('.')}:",
        *(f"{row[0].ljust(widths[0])}  {row[1].rjust(widths[1])}  {row[2]}".rstrip() for row in rows),
    ]


def explained(calculator: Calculator, one: State, other: State, result: str, found: Attribution | None) -> str:
    """Sentence on the method of attribution, or why there is none."""
    ends = f"{calculator.steps[result].label} from {one.letter} to {other.letter}"
    if found is None:
        return f"{ends}: the difference cannot be attributed, because a state between them has no result."
    if not found.parts:
        return f"{ends}: no input differs."
    if found.exact:
        return f"{ends}, averaged over every order of the changes (Shapley)."
    most = f"Shapley averages take up to {MOST_EXACT} changes"
    return f"{ends}, in the order of the calculation ({most})."


def signed(calculator: Calculator, result: str, part: float) -> str:
    """A part of a difference, with its sign."""
    text = calculator.text(result, part)
    return text if part < 0 else f"+{text}"


def _bar(left: float, right: float, low: float, high: float) -> str:
    start, end = (round((place - low) / ((high - low) or 1.0) * _BAR) for place in sorted((left, right)))
    return " " * min(start, _BAR - 1) + ("|" if left == right else "█" * max(1, end - start))

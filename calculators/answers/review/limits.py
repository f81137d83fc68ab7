"""Solving for a limit: the values of an input at which a result is at most, or at least, so much."""

import math

from calculators import units
from calculators.answers.explore.bounds import Bounded, Edge, Stretch, bounded
from calculators.answers.explore.search import Pauses
from calculators.answers.explore.trials import Trials
from calculators.answers.review.solution import Found, Limit, Offer, State, goal, inner_text, range_text
from calculators.declare import Choice, Quantity

_MOST_SHOWN = 4


def of_input(state: State, declared: Quantity | Choice, result: str, limit: Limit) -> Pauses[Found]:
    """The stretches of a quantity, or the options, at which the result keeps the limit."""
    if isinstance(declared, Choice):
        return (yield from _of_choice(state, declared, result, limit))
    present = state.values[declared.name]
    found = yield from bounded(state.calculator, state.values, declared.name, result, limit.bound, limit.value)
    shown = sorted(found.stretches, key=lambda one: _distance(one, present))[:_MOST_SHOWN]
    data = {
        "input": declared.name,
        "answers": [
            {
                "from": one.low and one.low.value,
                "to": one.high and one.high.value,
                "results": [edge.result for edge in one.edges],
            }
            for one in found.stretches
        ],
        "reach": None if math.isnan(found.least) else [found.least, found.most],
    }
    sentence = _sentence(state, declared, result, limit, found, shown)
    offers = []
    for one in shown:
        offers += [(yield from _offer(state, declared, result, limit, one))] if one.edges else []
    return Found(
        name=declared.name,
        sentence=sentence,
        data={**data, "text": sentence},
        reached=bool(offers),
        offers=tuple(offers),
    )


def _sentence(state: State, declared: Quantity, result: str, limit: Limit, found: Bounded, shown: list[Stretch]) -> str:
    formula, label = state.calculator.steps[result], declared.label
    low, high = (declared.text(end) for end in declared.hard)
    if math.isnan(found.least):
        return f"{label}: no value from {low} to {high} can be calculated."
    if not shown:
        least, most = formula.text(found.least), formula.text(found.most)
        reached = least if least == most else f"{least} to {most}"
        return f"{label}: no value from {low} to {high} gives {goal(formula, limit)}; the result is {reached}."
    if not shown[0].edges:
        return f"{label}: every value from {low} to {high} gives {goal(formula, limit)}."
    texts = [f"{_range(declared, one)} ({_at(state, result, one)})" for one in shown]
    return f"{label}: {', or '.join(texts)}; now {declared.text(state.values[declared.name])}."


def _range(declared: Quantity, stretch: Stretch) -> str:
    low, high = (None if edge is None else edge.value for edge in (stretch.low, stretch.high))
    return range_text(declared, low, high)


def _at(state: State, result: str, stretch: Stretch) -> str:
    """The results at the edges of a stretch."""
    text = state.calculator.steps[result].text
    return " and ".join(text(edge.result) for edge in stretch.edges)


def _nearest(stretch: Stretch, present: float | None) -> Edge:
    """The edge of a stretch that is nearest to the present value."""
    return min(stretch.edges, key=lambda edge: abs(edge.value - (present or 0.0)))


def _distance(stretch: Stretch, present: float | None) -> float:
    return abs(_nearest(stretch, present).value - (present or 0.0)) if stretch.edges else 0.0


def _offer(state: State, declared: Quantity, result: str, limit: Limit, stretch: Stretch) -> Pauses[Offer]:
    edge = _nearest(stretch, state.values[declared.name])
    toward = math.inf if edge is stretch.low else -math.inf
    usual = declared.slider[0] <= edge.value <= declared.slider[1]
    ends = " to ".join(declared.text(end) for end in declared.slider)
    return Offer(
        value=_range(declared, stretch),
        result=state.calculator.steps[result].text(edge.result),
        note="" if usual else f"outside the typical range, {ends}",
        changes={declared.name: (yield from _typed(state, declared, result, limit, edge, toward))},
    )


def _typed(state: State, declared: Quantity, result: str, limit: Limit, edge: Edge, toward: float) -> Pauses[str]:
    """The text of an edge: rounded into the stretch where the limit still holds there, else exactly."""
    text = inner_text(declared, edge.value, toward)
    rounded = declared.box(edge.value) if declared.whole else text
    trials = Trials(state.calculator, state.values, {declared.name}, {result})
    found = yield from trials.each_after({declared.name: units.parse(text, declared.unit)})
    return rounded if found and limit.allows(found[result]) else declared.box(edge.value)


def _of_choice(state: State, declared: Choice, result: str, limit: Limit) -> Pauses[Found]:
    formula, present = state.calculator.steps[result], state.values[declared.name]
    trials = Trials(state.calculator, state.values, {declared.name}, {result})
    there = {}
    for key, option in declared.options.items():
        found = yield from trials.each_after({declared.name: option.value})
        there[key] = found[result] if found else None
        yield
    reaching = {key: value for key, value in there.items() if limit.allows(value)}
    others = {key: value for key, value in reaching.items() if declared.options[key].value != present}
    texts = [f"“{declared.options[key].label}” gives {formula.text(value)}" for key, value in reaching.items()]
    sentence = f"{declared.label}: {', '.join(texts) or f'no option gives {goal(formula, limit)}'}."
    data = {
        "input": declared.name,
        "answers": [{"option": key, "result": value} for key, value in reaching.items()],
        "text": sentence,
    }
    offers = tuple(
        Offer(
            value=declared.options[key].label,
            result=formula.text(value),
            note="",
            changes={declared.name: key},
        )
        for key, value in others.items()
    )
    if len(reaching) == len(there):  # the choice has no part in it
        offers = ()
    return Found(name=declared.name, sentence=sentence, data=data, reached=bool(offers), offers=offers)

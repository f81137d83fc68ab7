"""Offers side by side: each is a state of one calculator and the result that is its price, or a price as quoted.

Compared are their prices in one unit, each with its range, what it is more than the cheapest (both drawn from the same
cases) and what that difference comes from, prices that an offer does not state, and the price at which a more
expensive one would be as cheap. A difference between offers of one kind is split over the terms stated, one between
kinds (bought, rented, a hosted price) over the lines of cost that both have.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from calculators import units
from calculators.answers import answer
from calculators.answers.explore.attribution import Changed, attribution
from calculators.answers.explore.sampling import Range, assumed_range, difference_range
from calculators.answers.input_state import InputState, valid_inputs
from calculators.answers.prices import Price, moving
from calculators.answers.provenance import fact
from calculators.answers.review import solve
from calculators.answers.review.uncertainty import result_named
from calculators.answers.suggestions import close_name
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, InputError, Quantity, Values
from calculators.declare.cost_lines import CostLines, difference

LEAST, MOST = 2, 5
_OF_OFFER = ("name", "result", "price")
_DEAREST = 1e30  # dollars


@dataclass(frozen=True, kw_only=True)
class Offer:
    """An offer: its state and the result that is its price, or the price as quoted [base units] without a state."""

    key: str
    name: str
    price: float
    result: str = ""
    resolved: InputState | None = None
    values: Values = field(default_factory=lambda: Values({}, ()))
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Parts:
    """Parts of a difference from another offer: labels, amounts [base units]; what they are made of, or why none."""

    other: str
    amounts: tuple[tuple[str, float], ...]
    sentence: str = ""


@dataclass(frozen=True, kw_only=True)
class Compared:
    """Offers from the cheapest on, in one unit; by their keys ranges, differences, their parts, ways to break even.

    `parts` are by stated term, from the cheapest offer of the same kind; `lines` by line of cost, from the cheapest
    offer where that is of another kind.
    """

    calculator: Calculator
    unit: str
    offers: tuple[Offer, ...]
    ranges: Mapping[str, Range]
    more: Mapping[str, tuple[float, float, float]]
    parts: Mapping[str, Parts]
    lines: Mapping[str, Parts]
    break_even: Mapping[str, tuple[str, ...]]


def compared(stated: Mapping[str, Any]) -> Compared:
    """Offers as stated: calculator, result, inputs they have in common, a table for each. Raises InputError."""
    problems = {}
    offers = stated.get("offers", {})
    are_tables = isinstance(offers, Mapping) and all(isinstance(one, Mapping) for one in offers.values())
    if not are_tables or not LEAST <= len(offers) <= MOST:
        problems["offers"] = f"{LEAST} to {MOST} offers can be compared, each a table such as [offers.vendor-a]"
    if not isinstance(stated.get("common", {}), Mapping):
        problems["common"] = "common must be a table: [common]"
    if problems:
        raise InputError(problems)
    name = str(stated.get("calculator", "cost")).replace("-", "_")
    if name not in CALCULATORS:
        raise InputError({"calculator": f"no calculator “{name}”{close_name(name, CALCULATORS)}"})
    calculator = CALCULATORS[name]
    common, usual = stated.get("common", {}), str(stated.get("result", calculator.headline[0]))
    unit = _unit(calculator, usual, stated["offers"])
    offers = [_offer(calculator, key, {**common, **own}, own, usual, unit) for key, own in stated["offers"].items()]
    offers.sort(key=lambda one: one.price)
    cheapest, *others = offers
    ranges = {one.key: spread for one in offers if (spread := _range(calculator, one))}
    more = {one.key: apart for one in others if (apart := _more(calculator, cheapest, one))}
    return Compared(
        calculator=calculator,
        unit=unit,
        offers=tuple(offers),
        ranges=ranges,
        more=more,
        parts={one.key: parts for one in others if (parts := _parts(calculator, offers, one))},
        lines={
            one.key: _lines(calculator, cheapest, one, unit)
            for one in others
            if one.result != cheapest.result or not one.result
        },
        break_even={one.key: tuple(_break_even(calculator, cheapest, one)) for one in others},
    )


def _unit(calculator: Calculator, usual: str, offers: Mapping[str, Mapping[str, Any]]) -> str:
    """The unit of all offers. Raises InputError where their results have several."""
    plain = answer.evaluated(calculator, valid_inputs(calculator, {}))
    names = {str(one.get("result", usual)) for one in offers.values() if "price" not in one} or {usual}
    found = {calculator.steps[result_named(calculator, plain, name, "result")].unit for name in names}
    if len(found) > 1:
        raise InputError({"result": f"offers have one unit, not {' and '.join(sorted(found))}: choose their results"})
    return found.pop()


def _offer(
    calculator: Calculator, key: str, given: Mapping[str, Any], own: Mapping[str, Any], usual: str, unit: str
) -> Offer:
    name = str(own.get("name", key))
    try:
        if "price" in own:
            return Offer(key=key, name=name, price=_quoted(own["price"], unit))
        texts = {name: str(text) for name, text in given.items() if name not in _OF_OFFER}
        resolved = valid_inputs(calculator, texts)
        values = answer.evaluated(calculator, resolved)
        if calculator.is_refused(values):
            raise InputError({"layout": "frameworks refuse its layout, so it has no price"})  # noqa: TRY301  named below
    except units.UnitError as error:
        raise InputError({"price": f"{name}: {error}"}) from None
    except InputError as error:
        raise InputError({field: f"{name}: {text}" for field, text in error.problems.items()}) from None
    result = result_named(calculator, values, str(own.get("result", usual)), "result")
    missing = tuple(_missing(calculator, resolved, values, result))
    return Offer(
        key=key,
        name=name,
        price=values[result],
        result=result,
        resolved=resolved,
        values=values,
        missing=missing,
    )


def _quoted(price: Any, unit: str) -> float:
    """A price as quoted, in base units. Raises UnitError."""
    if isinstance(price, str):
        found = units.parse(price, unit)
    elif isinstance(price, int | float) and not isinstance(price, bool):
        found = price * units.unit(unit).factor
    else:
        found = math.nan
    if not 0 <= found < _DEAREST:
        message = f"the price “{price}” is not a number from 0; write for example 2.50 {unit}"
        raise units.UnitError(message)
    return found


def _missing(calculator: Calculator, resolved: InputState, values: Values, result: str) -> Iterator[str]:
    """Amounts of money that move the price and that the offer does not state, with what was used."""
    known = [
        Price(name=name, label=one.label, text=one.text(values[name]), fact=fact(calculator, resolved, name))
        for name, one in calculator.inputs.items()
        if isinstance(one, Quantity)
        and one.unit.startswith("USD")
        and resolved.origins[name] in {"default", "preset"}
        and values[name] is not None
    ]
    for price in moving(calculator, values, known, [result])[result]:
        day = f" of {price.day.isoformat()}" if price.day else ""
        yield f"{price.label} ({price.text}{day})"


def _range(calculator: Calculator, one: Offer) -> Range | None:
    return assumed_range(calculator, one.values, one.result).run() if one.result else None


def _more(calculator: Calculator, cheapest: Offer, one: Offer) -> tuple[float, float, float] | None:
    if not (cheapest.result and one.result):
        return None
    return difference_range(calculator, (cheapest.values, cheapest.result), (one.values, one.result)).run()


def _break_even(calculator: Calculator, cheapest: Offer, one: Offer) -> Iterator[str]:
    """At which of its stated prices an offer would cost as much as the cheapest."""
    if one.resolved is None or one.price <= cheapest.price:
        return
    stated = [
        name
        for name, declared in calculator.inputs.items()
        if isinstance(declared, Quantity) and declared.unit.startswith("USD") and one.resolved.origins[name] == "yours"
    ]
    if not stated:
        return
    search = solve.solutions(calculator, one.resolved, one.values, one.result, cheapest.price, stated)
    yield from (found.sentence for found in search.run() if found.reached)


def _parts(calculator: Calculator, offers: list[Offer], one: Offer) -> Parts | None:
    """Parts of the difference from the cheapest offer of the same kind, by stated term, the largest first."""
    other = next((each for each in offers if each.result == one.result), one)
    if other is one or other.resolved is None or one.resolved is None:
        return None
    names = [
        name
        for name in calculator.inputs
        if "yours" in {other.resolved.origins[name], one.resolved.origins[name]}
        and other.values[name] != one.values[name]
    ]
    changes = [Changed(name=name, names=(name,)) for name in names]
    found = attribution(calculator, other.resolved.explicit, one.resolved.explicit, changes, one.result).run()
    if found is None or not found.parts:
        return None
    return Parts(
        other=other.name, amounts=tuple((calculator.inputs[each.name].label, part) for each, part in found.parts)
    )


_QUOTED = "price as quoted"


def _cost_lines(calculator: Calculator, one: Offer, other: Offer) -> CostLines | None:
    """Lines of the cost of an offer; a price as quoted is one line next to another's; None where there are none."""
    if one.result:
        found = calculator.cost_lines.get(one.result)
        return found(one.values) if found else None
    priced = calculator.cost_lines.get(other.result)
    return CostLines(bundle_label=priced(other.values).bundle_label, bundle={_QUOTED: one.price}) if priced else None


def _lines(calculator: Calculator, cheapest: Offer, one: Offer, unit: str) -> Parts:
    """Parts of the difference from the cheapest offer, of another kind, by line of cost; or why there are none."""
    if not cheapest.result and not one.result:
        reason = "Both are prices as quoted, which state no parts: their difference cannot be split."
        return Parts(other=cheapest.name, amounts=(), sentence=reason)
    priced, below = _cost_lines(calculator, one, cheapest), _cost_lines(calculator, cheapest, one)
    if not priced or not below or priced.bundle_label != below.bundle_label:
        labels = [calculator.steps[each.result].label for each in (one, cheapest) if each.result]
        reason = f"{' and '.join(f'“{label}”' for label in labels)}: no lines of cost in common, so no split."
        return Parts(other=cheapest.name, amounts=(), sentence=reason)
    parts = {name: part for name, part in difference(priced, below).items() if part}
    made_of = "; ".join(f"{each.name} ({_made_of(lines, unit)})" for each, lines in ((one, priced), (cheapest, below)))
    amounts = sorted(parts.items(), key=lambda part: -abs(part[1]))
    return Parts(other=cheapest.name, amounts=tuple(amounts), sentence=f"{priced.bundle_label}: {made_of}.")


def _made_of(lines: CostLines, unit: str) -> str:
    """Text of a bundle: its lines with their amounts."""
    if _QUOTED in lines.bundle:
        return f"the {_QUOTED}, taken to include everything"
    return ", ".join(
        f"{name} {units.text(lines.scale * amount, unit)}" for name, amount in lines.bundle.items() if amount
    )


def signed(amount: float, unit: str) -> str:
    """An amount of a difference with its sign.

    >>> signed(-0.5, "USD/GPU-hour")
    '−$0.50/GPU-hour'
    """
    return ("−" if amount < 0 else "+") + units.text(abs(amount), unit)

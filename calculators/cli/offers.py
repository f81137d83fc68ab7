"""Offers side by side on the command line: `python -m calculators offers offers.toml`.

    calculator = "cost"

    [common]
    gpus = 1024
    utilization = "80 %"

    [offers.vendor]
    result = "own_per_useful_hour"
    server_price_per_gpu = "31,000 USD"

    [offers.cloud]
    result = "rent_per_useful_hour"
    price_per_gpu_hour = "2.10 USD"

    [offers.hosted]
    price = "2.95 USD/GPU-hour"

Each offer is a state of one calculator and the result that is its price in the unit of all; `price` is one as quoted.
Printed: each price with its range, what it is more than the cheapest (both drawn from the same cases), the prices that
the offer does not state, and the price at which a dearer one would be as cheap.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from calculators import units
from calculators.answers import answer
from calculators.answers.explore.sampling import assumed_range, difference_range
from calculators.answers.input_state import InputState, valid_inputs
from calculators.answers.prices import Price, moving
from calculators.answers.provenance import fact
from calculators.answers.review import solve
from calculators.answers.review.uncertainty import result_named
from calculators.answers.suggestions import close_name
from calculators.catalog import CALCULATORS
from calculators.cli.options import refused
from calculators.cli.toml_file import read_as, tables
from calculators.declare import Calculator, InputError, Quantity, Values

COMMAND = "offers"
_KEYS = ("calculator", "result", "common", "offers")
_LEAST, _MOST = 2, 5
_OF_OFFER = ("name", "result", "price")


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
class Compared:
    """Offers from the cheapest on, in one unit; ranges and differences by their keys, and ways to break even."""

    calculator: Calculator
    unit: str
    offers: tuple[Offer, ...]
    ranges: Mapping[str, tuple[float, float]]
    more: Mapping[str, tuple[float, float, float]]
    break_even: Mapping[str, tuple[str, ...]]


def main(arguments: Sequence[str]) -> int:
    """Print the offers side by side; return the exit code."""
    parser = argparse.ArgumentParser(
        prog=f"python -m calculators {COMMAND}",
        description="Offers side by side, in one unit: price, range, what is not stated, break-even",
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE", help="offers in TOML: calculator, [common] and [offers.NAME]")
    parser.add_argument("--json", action="store_true", help="as JSON, values in base units")
    options = parser.parse_args(arguments)
    try:
        found = read_as(options.file, compared)
    except InputError as error:
        return refused(error)
    printed = json.dumps(described(found), indent=2, ensure_ascii=False) if options.json else "\n".join(lines(found))
    sys.stdout.write(printed + "\n")
    return 0


def compared(text: str) -> Compared:
    """The offers of a file. Raises InputError, or ValueError for a text that is not such a file."""
    stated = _read(text)
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
    ways = {one.key: tuple(_break_even(calculator, cheapest, one)) for one in others}
    return Compared(calculator=calculator, unit=unit, offers=tuple(offers), ranges=ranges, more=more, break_even=ways)


def _read(text: str) -> Mapping[str, Any]:
    stated, problems = tables(text, _KEYS)
    offers = stated.get("offers", {})
    are_tables = isinstance(offers, Mapping) and all(isinstance(one, Mapping) for one in offers.values())
    if not are_tables or not _LEAST <= len(offers) <= _MOST:
        problems["offers"] = f"{_LEAST} to {_MOST} offers can be compared, each a table such as [offers.vendor-a]"
    if not isinstance(stated.get("common", {}), Mapping):
        problems["common"] = "common must be a table: [common]"
    if problems:
        raise InputError(problems)
    return stated


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
            quoted = own["price"]
            price = units.parse(quoted, unit) if isinstance(quoted, str) else float(quoted) * units.unit(unit).factor
            return Offer(key=key, name=name, price=price)
        texts = {name: str(text) for name, text in given.items() if name not in _OF_OFFER}
        resolved = valid_inputs(calculator, texts)
        values = answer.evaluated(calculator, resolved)
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


def _range(calculator: Calculator, one: Offer) -> tuple[float, float] | None:
    found = assumed_range(calculator, one.values, one.result).run() if one.result else None
    return (found.low, found.high) if found else None


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


def lines(found: Compared) -> list[str]:
    """The offers as text."""

    def text(value: float) -> str:
        return units.text(value, found.unit)

    cheapest = found.offers[0]
    width = max(len(one.name) for one in found.offers)
    printed = []
    for one in found.offers:
        ends = found.ranges.get(one.key)
        spread = f"  ({text(ends[0])} to {text(ends[1])} in 80% of cases)" if ends else ""
        what = found.calculator.steps[one.result].label if one.result else "as quoted"
        printed.append(f"{one.name:<{width}}  {text(one.price)}{spread}  {what}")
    for one in found.offers:
        about = []
        if one is not cheapest:
            about.append(f"{text(one.price - cheapest.price)} more than {cheapest.name}")
            if more := found.more.get(one.key):
                about[-1] += f" ({text(more[0])} to {text(more[2])} in 80% of cases, the same for both)"
        about += [f"Not stated: {', '.join(one.missing)}"] if one.missing else []
        about += [f"As cheap as {cheapest.name}: {way}" for way in found.break_even.get(one.key, ())]
        if about:
            printed += ["", f"{one.name}", *(f"  {each.rstrip('.')}." for each in about)]
    return printed


def described(found: Compared) -> dict[str, Any]:
    """The offers as plain data, from the cheapest on; amounts in base units."""
    return {
        "calculator": found.calculator.name,
        "unit": units.base_symbol(found.unit),
        "offers": [
            {
                "key": one.key,
                "name": one.name,
                "price": one.price,
                "result": one.result,
                "range": list(found.ranges.get(one.key, ())),
                "more_than_cheapest": one.price - found.offers[0].price,
                "more_range": list(found.more.get(one.key, ())),
                "not_stated": list(one.missing),
                "break_even": list(found.break_even.get(one.key, ())),
            }
            for one in found.offers
        ],
    }

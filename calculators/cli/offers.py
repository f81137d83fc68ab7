"""Offers side by side on the command line: `python -m calculators offers offers.toml`.

    calculator = "cost"

    [common]
    gpus = 1024
    utilization = "80%"

    [offers.vendor]
    result = "own_per_useful_hour"
    server_price_per_gpu = "31,000 USD"

    [offers.cloud]
    result = "rent_per_useful_hour"
    price_per_gpu_hour = "2.10 USD"

    [offers.hosted]
    price = "2.95 USD/GPU-hour"

Each offer is a state of one calculator and the result that is its price in the unit of all; `price` is one as quoted.
Printed: each price with its range, what it is more than the cheapest (both drawn from the same cases) and what that
comes from, the prices that the offer does not state, and the price at which a more expensive one would be as cheap.
"""

import json
import sys
from collections.abc import Sequence
from typing import Any

from calculators import units
from calculators.answers.review.offers import Compared, Offer, Parts, compared, signed
from calculators.cli.options import OptionParser, refused
from calculators.cli.toml_file import read_as, tables
from calculators.declare import InputError

COMMAND = "offers"
_KEYS = ("calculator", "result", "common", "offers")


def main(arguments: Sequence[str]) -> int:
    """Print the offers side by side; return the exit code."""
    parser = OptionParser(
        prog=f"python -m calculators {COMMAND}",
        description="Offers side by side, in one unit: price, range, what is not stated, break-even",
    )
    parser.add_argument("file", metavar="FILE", help="offers in TOML: calculator, [common] and [offers.NAME]")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="as JSON, values in base units")
    output.add_argument("--markdown", action="store_true", help="a table and lists for a review document")
    options = parser.parse_args(arguments)
    try:
        found = read_as(options.file, of_file)
    except InputError as error:
        return refused(error)
    if options.json:
        printed = json.dumps(described(found), indent=2, ensure_ascii=False)
    else:
        printed = "\n".join((markdown if options.markdown else lines)(found))
    sys.stdout.write(printed + "\n")
    return 0


def of_file(text: str) -> Compared:
    """The offers of a file. Raises InputError, or ValueError for a text that is not such a file."""
    stated, problems = tables(text, _KEYS)
    if problems:
        raise InputError(problems)
    return compared(stated)


def lines(found: Compared) -> list[str]:
    """The offers as text."""
    width = max(len(one.name) for one in found.offers)
    printed = [
        f"{one.name:<{width}}  {_price(found, one)}{_range_text(found, one)}  {_what(found, one)}"
        for one in found.offers
    ]
    for one in found.offers:
        if about := _about(found, one):
            printed += ["", one.name, *(f"  {each}" for each in about)]
    return printed


def markdown(found: Compared) -> list[str]:
    """The offers as a table in Markdown, with a list for each of what its difference comes from."""
    printed = ["| Offer | Price | In 80% of cases | Priced by |", "|---|---|---|---|"]
    for one in found.offers:
        ends = found.ranges.get(one.key)
        spread = ends.text(one.price, lambda value: units.text(value, found.unit)) if ends else ""
        cells = (one.name, _price(found, one), spread, _what(found, one))
        printed.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    for one in found.offers:
        if about := _about(found, one):
            printed += ["", f"**{one.name}**", "", *(f"- {each}" for each in about)]
    return printed


def _price(found: Compared, one: Offer) -> str:
    return units.text(one.price, found.unit)


def _range_text(found: Compared, one: Offer) -> str:
    ends = found.ranges.get(one.key)
    return f"  (in 80% of cases {ends.text(one.price, lambda value: units.text(value, found.unit))})" if ends else ""


def _what(found: Compared, one: Offer) -> str:
    return found.calculator.steps[one.result].label if one.result else "as quoted"


def _about(found: Compared, one: Offer) -> list[str]:
    """Sentences about an offer: its difference from the cheapest, where it comes from, what it leaves out."""
    cheapest = found.offers[0]

    def text(value: float) -> str:
        return units.text(value, found.unit)

    about = []
    if one is not cheapest:
        about.append(f"{text(one.price - cheapest.price)} more than {cheapest.name}")
        if more := found.more.get(one.key):
            about[-1] += f" ({text(more[0])} to {text(more[2])} in 80% of cases, the same for both)"
        if parts := found.parts.get(one.key):
            about.append(f"Against {parts.other}, by term: {_amounts(found, parts)}")
        if split := found.lines.get(one.key):
            about += [f"Against {split.other}, by part of cost: {_amounts(found, split)}"] if split.amounts else []
            about.append(split.sentence)
    about += [f"Not stated: {', '.join(one.missing)}"] if one.missing else []
    about += [f"As cheap as {cheapest.name}: {way}" for way in found.break_even.get(one.key, ())]
    return [f"{each.rstrip('.')}." for each in about]


def _amounts(found: Compared, parts: Parts) -> str:
    return ", ".join(f"{label} {signed(part, found.unit)}" for label, part in parts.amounts)


def _parts(found: Compared, key: str) -> dict[str, Any]:
    parts = found.parts.get(key)
    if parts is None:
        return {}
    return {"compared_with": parts.other, "amounts": [{"input": label, "amount": one} for label, one in parts.amounts]}


def _cost_parts(found: Compared, key: str) -> dict[str, Any]:
    parts = found.lines.get(key)
    if parts is None:
        return {}
    amounts = [{"part": label, "amount": one} for label, one in parts.amounts]
    return {"compared_with": parts.other, "amounts": amounts, "sentence": parts.sentence}


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
                "range": [ends.low, ends.high] if (ends := found.ranges.get(one.key)) else [],
                "median": ends.middle if ends else None,
                "more_than_cheapest": one.price - found.offers[0].price,
                "more_range": list(found.more.get(one.key, ())),
                "parts": _parts(found, one.key),
                "cost_parts": _cost_parts(found, one.key),
                "not_stated": list(one.missing),
                "break_even": list(found.break_even.get(one.key, ())),
            }
            for one in found.offers
        ],
    }

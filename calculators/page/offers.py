"""Response to the page of offers: a table with a column for each bid becomes prices in one unit, side by side.

The page sends its fields as texts: `compare` (which unit), the terms that all bids have in common, and for each bid
`a.name`, `a.kind` and its terms, such as `a.server_price_per_gpu`. Kinds and their terms are those of SHEETS.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from calculators import units
from calculators.answers.input_state import InputState
from calculators.answers.messages import Answer
from calculators.answers.record import formats
from calculators.answers.review.offers import MOST, Compared, Offer, compared, signed
from calculators.declare import Calculator, InputError

BIDS = tuple("abcde"[:MOST])
_JOINED = "\N{WORD JOINER}"  # a line never ends between a minus sign and its amount
QUOTED = "quoted"
_BOUGHT_GPUS = (
    *("server_price_per_gpu", "fabric_per_gpu", "storage_per_gpu", "support_rate", "spares_rate", "staff_rate"),
    *("book_years", "residual", "capital_rate", "gpu_power", "host_power_per_gpu", "pue", "price_per_kwh"),
    *("colocation_per_kw_month", "facility_per_kw"),
)
_RENTED_GPUS = (
    *("price_per_gpu_hour", "commitment", "rent_trend", "rent_support", "stored", "storage_per_gb_month"),
    *("egress", "egress_per_gb"),
)
_BOUGHT_STORAGE = (
    *("hot_media_price", "hot_media_share", "hot_data_fragments", "hot_parity_fragments", "hot_fill_share"),
    *("hot_refresh", "hot_media_watts", "hot_media_power_share", "hot_units_density"),
)


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of bid: the result that is its price, and the terms that it should state."""

    result: str
    terms: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A unit in which bids are compared: its calculator, the terms that all have in common, and kinds of bid.

    `per` is said after an amount where its own unit does not tell.
    """

    title: str
    per: str = ""
    calculator: str
    common: tuple[str, ...]
    kinds: Mapping[str, Kind]


SHEETS: Mapping[str, Sheet] = MappingProxyType(
    {
        "gpu-hour": Sheet(
            title="Useful GPU-hour",
            calculator="cost",
            common=("gpus", "utilization", "goodput"),
            kinds={
                "bought": Kind(result="own_per_useful_hour", terms=_BOUGHT_GPUS),
                "rented": Kind(result="rent_per_useful_hour", terms=_RENTED_GPUS),
            },
        ),
        "million-tokens": Sheet(
            title="Million output tokens",
            per=" per million output tokens",
            calculator="cost",
            common=("gpus", "utilization", "goodput", "serving_tokens_per_second_per_gpu"),
            kinds={
                "bought": Kind(result="own_per_million", terms=_BOUGHT_GPUS),
                "rented": Kind(result="rented_per_million", terms=_RENTED_GPUS),
            },
        ),
        "tb-month": Sheet(
            title="TB stored for a month",
            calculator="data_lifecycle",
            common=("capital_rate", "operations", "pue", "price_per_kwh", "colocation_per_kw_month"),
            kinds={
                "bought": Kind(result="hot_tb_month", terms=_BOUGHT_STORAGE),
                "rented": Kind(result="warm_tb_month", terms=("warm_rent",)),
            },
        ),
    }
)


def response(given: Mapping[str, str]) -> Answer:
    """The bids in these fields compared, or what is wrong with them."""
    name = given.get("compare") or next(iter(SHEETS))
    if name not in SHEETS:
        return _refused({"compare": f"“{name}” is no unit of this page: {', '.join(SHEETS)}"})
    sheet = SHEETS[name]
    try:
        found = compared(_stated(sheet, given))
    except InputError as error:
        return _refused(error.problems)
    cells = dict(_cells(sheet, found))
    return {
        "offers": {
            "problems": [],
            "sentence": _sentence(sheet, found),
            "cells": {name: text.replace("−", f"−{_JOINED}") for name, text in cells.items()},
            "csv": _csv(sheet, found, given, cells),
        }
    }


def _refused(problems: Mapping[str, str]) -> Answer:
    return {"offers": {"problems": list(problems.values()), "sentence": "", "cells": {}, "csv": ""}}


def _stated(sheet: Sheet, given: Mapping[str, str]) -> dict[str, Any]:
    """The fields as an offers file states them. Raises InputError for a bid without a price."""
    offers: dict[str, dict[str, str]] = {}
    problems = {}
    for bid in BIDS:
        texts = {name.partition(".")[2]: text for name, text in given.items() if name.startswith(f"{bid}.") and text}
        kind = texts.get("kind", "")
        name = texts.get("name") or f"Bid {bid.upper()}"
        if kind in sheet.kinds:
            terms = {term: texts[term] for term in sheet.kinds[kind].terms if term in texts}
            offers[bid] = {"name": name, "result": sheet.kinds[kind].result, **terms}
        elif kind == QUOTED and "price" in texts:
            offers[bid] = {"name": name, "price": texts["price"]}
        elif kind:
            problems[bid] = f"{name}: the price as quoted is missing"
    if problems:
        raise InputError(problems)
    common = {name: given[name] for name in sheet.common if given.get(name)}
    return {"calculator": sheet.calculator, "common": common, "offers": offers}


def _sentence(sheet: Sheet, found: Compared) -> str:
    """The cheapest bid with its price, and how far the next is from it."""
    cheapest, following = found.offers[0], found.offers[1]
    apart = units.text(following.price - cheapest.price, found.unit)
    price = units.text(cheapest.price, found.unit) + sheet.per
    if following.price == cheapest.price:
        return f"{cheapest.name} and {following.name} both cost {price}."
    doubt = found.more.get(following.key)
    note = " In some of the cases drawn for both, the order is the other way round." if doubt and doubt[0] < 0 else ""
    low = [
        one.name for one in (cheapest, following) if one.key in found.ranges and one.price < found.ranges[one.key].low
    ]
    if low:
        note += f" {' and '.join(low)}: terms not stated are more likely to raise the price than to lower it."
    split = found.lines.get(following.key) or found.parts.get(following.key)
    largest = ""
    if split and split.other == cheapest.name and len(split.amounts) > 1:
        label, part = split.amounts[0]
        largest = f" Largest part of that: {label}, {signed(part, found.unit)}."
    return f"{cheapest.name} is the cheapest at {price}, {apart} below {following.name}.{largest}{note}"


def _cells(sheet: Sheet, found: Compared) -> Iterator[tuple[str, str]]:
    """Texts by cell: results of each bid, and what was assumed for a term that it leaves out."""
    cheapest = found.offers[0]

    def shown(price: float) -> str:
        return units.text(price, found.unit)

    for one in found.offers:
        ends = found.ranges.get(one.key)
        yield f"{one.key}.price", shown(one.price)
        yield f"{one.key}.range", ends.text(one.price, shown) if ends else "none: a price as quoted"
        if one is cheapest:
            yield f"{one.key}.more", "the cheapest"
        else:
            more = found.more.get(one.key)
            spread = f" ({_between((more[0], more[2]), found.unit)})" if more else ""
            yield f"{one.key}.more", signed(one.price - cheapest.price, found.unit) + spread
            yield f"{one.key}.parts", _parts(found, one.key)
            yield from ((f"{one.key}.{row}", text) for row, text in _lines(found, one.key))
            yield f"{one.key}.even", "; ".join(found.break_even.get(one.key, ())) or "no price stated reaches it"
        assumed = dict(_assumed(found.calculator, sheet, one))
        yield from ((f"{one.key}.{term}.assumed", text) for term, text in assumed.items())
        labels = [found.calculator.inputs[term].label for term in assumed]
        yield f"{one.key}.missing", f"{len(labels)}: {', '.join(labels)}" if labels else "nothing"
    of_terms = next((one for one in found.offers if one.resolved is not None), cheapest)
    if of_terms.resolved is not None:
        for term in sheet.common:
            if of_terms.resolved.origins[term] != "yours":
                yield f"{term}.assumed", _text(found.calculator, of_terms.resolved, of_terms.values, term)


def _parts(found: Compared, key: str) -> str:
    parts = found.parts.get(key)
    if parts is None:
        return "no cheaper bid of this kind"
    amounts = (f"{label} {signed(part, found.unit)}" for label, part in parts.amounts)
    return f"{parts.other}: {'; '.join(amounts)}"


def _lines(found: Compared, key: str) -> Iterator[tuple[str, str]]:
    """Texts of the split by part of cost, and of what its largest part is made of; or why there is none."""
    split = found.lines.get(key)
    if split is None:
        yield "lines", "the cheapest bid is of this kind"
    elif split.amounts:
        amounts = (f"{label} {signed(part, found.unit)}" for label, part in split.amounts)
        yield "lines", f"{split.other}: {'; '.join(amounts)}"
        yield "made", split.sentence
    else:
        yield "lines", f"{split.other}: {split.sentence}"


def _assumed(calculator: Calculator, sheet: Sheet, one: Offer) -> Iterator[tuple[str, str]]:
    """Value used for each term of its kind that a bid does not state."""
    if one.resolved is None:
        return
    kind = next(kind for kind in sheet.kinds.values() if kind.result == one.result)
    for term in kind.terms:
        if one.resolved.origins[term] != "yours":
            yield term, _text(calculator, one.resolved, one.values, term)


def _text(calculator: Calculator, resolved: InputState, values: Mapping[str, Any], name: str) -> str:
    value = values[name] if values[name] is not None else resolved.values[name]
    return "none" if value is None else calculator.inputs[name].text(value)


def _between(ends: tuple[float, float], unit: str) -> str:
    return f"{units.text(ends[0], unit)} to {units.text(ends[1], unit)}"


RESULTS = MappingProxyType(
    {
        "price": "Price",
        "range": "In 80% of cases",
        "more": "More than the cheapest (in 80% of cases, the same for both)",
        "parts": "Difference by term, from the cheapest bid of its kind",
        "lines": "Difference by part of cost, from the cheapest bid of another kind",
        "made": "What these parts are made of",
        "even": "As cheap as the cheapest at",
        "missing": "Terms not stated, assumed",
    }
)


def _csv(sheet: Sheet, found: Compared, given: Mapping[str, str], cells: Mapping[str, str]) -> str:
    """The whole table as a file: results, then terms, those assumed marked so."""
    bids = [one.key for one in sorted(found.offers, key=lambda one: one.key)]
    names = {one.key: one.name for one in found.offers}
    terms = [term for kind in sheet.kinds.values() for term in kind.terms]
    rows = [[sheet.title, *(names[bid] for bid in bids)]]
    rows += [[label, *(cells.get(f"{bid}.{row}", "") for bid in bids)] for row, label in RESULTS.items()]
    for term in (*sheet.common, *terms):
        label = found.calculator.inputs[term].label
        if term in sheet.common:
            texts = [given.get(term) or _mark(cells.get(f"{term}.assumed", ""))] * len(bids)
        else:
            texts = [given.get(f"{bid}.{term}") or _mark(cells.get(f"{bid}.{term}.assumed", "")) for bid in bids]
        rows.append([label, *texts])
    return formats.csv_text(rows)


def _mark(assumed: str) -> str:
    return f"{assumed} (assumed)" if assumed else ""


# The bids that the page opens with: an example, its prices made up.
EXAMPLE = MappingProxyType(
    {
        "compare": "gpu-hour",
        "gpus": "1,024",
        "utilization": "80%",
        "a.name": "Vendor A",
        "a.kind": "bought",
        "a.server_price_per_gpu": "31,000 USD",
        "a.support_rate": "4%",
        "b.name": "Vendor B",
        "b.kind": "bought",
        "b.server_price_per_gpu": "29,500 USD",
        "b.support_rate": "6%",
        "c.name": "Cloud",
        "c.kind": "rented",
        "c.price_per_gpu_hour": "2.10 USD",
    }
)

"""What would turn the answer: fuller use, another rent, a longer life."""

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any

from calculators import facts, units

_LONGEST_BOOK = float(facts.fact("depreciation").high or 0)
_PERCENT = units.unit("%").factor


def advice(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Changes that would make owning cost no more, where renting costs less; none otherwise."""
    if values["own_per_useful_hour"] <= values["rent_per_useful_hour"]:
        return
    even = values["break_even_utilization"]
    if values["utilization"] < even <= 1:
        use = min(1.0, ceil(even / _PERCENT) * _PERCENT)
        yield "Use {utilization} of the hours", {"utilization": use}
    if values["book_years"] < _LONGEST_BOOK:
        yield "Keep it for {book_years}", {"book_years": _LONGEST_BOOK}
    server = _server_price_to_be_even(values)
    if server > 0:
        yield "Buy servers at {server_price_per_gpu}", {"server_price_per_gpu": server}


def _server_price_to_be_even(values: Mapping[str, Any]) -> float:
    """The price of a server for each GPU at which both cost the same; purchase and operations follow it."""
    follows = (values["capital_cost"] + values["operations_cost"]) / values["capital"] if values["capital"] > 0 else 0
    if follows == 0:
        return 0
    wanted = values["rent_per_year"] - values["own_per_year"]
    price = values["server_price_per_gpu"] + wanted / (values["gpus"] * follows)
    return float(int(price / 100) * 100)

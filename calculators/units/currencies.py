"""Currencies: rates of an overlay (facts/overlay.py) with which amounts in other currencies are read as dollars."""

import re
from dataclasses import dataclass
from datetime import date

CODES = frozenset(
    (
        *("AED", "AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "ILS", "INR", "JPY"),
        *("KRW", "MXN", "NOK", "NZD", "PLN", "RON", "SAR", "SEK", "SGD", "TRY", "TWD", "ZAR"),
    )
)
"""Codes of ISO 4217 that are recognized as currencies."""
_SIGNS = {"€": "EUR", "£": "GBP", "¥": "JPY"}
_SIGN_FIRST = re.compile(r"([€£¥])\s*([\d][\d.,_']*)")


@dataclass(frozen=True, kw_only=True)
class Rate:
    """Dollars for one unit of a currency, and the day on which that held; None where none was given."""

    dollars: float
    day: date | None = None


RATES: dict[str, Rate] = {}
"""By code, as the overlay states them; filled once, before the first answer."""


def code_last(text: str) -> str:
    """The text with the code of a currency instead of its sign, and after the number.

    >>> code_last("€2.50/h"), code_last("2.50 €"), code_last("2.50 EUR")
    ('2.50 EUR/h', '2.50 EUR', '2.50 EUR')
    """
    text = _SIGN_FIRST.sub(lambda found: f"{found[2]} {_SIGNS[found[1]]}", text, count=1)
    for sign, code in _SIGNS.items():
        text = text.replace(sign, code)
    return text

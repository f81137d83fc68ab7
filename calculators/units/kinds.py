"""Kinds of quantity: the noun for each unit ("a bandwidth") and an example of an entry."""

from calculators.units.symbols import is_count, plural, unit

_KINDS = {
    (("data", 1),): "an amount of data",
    (("data", 1), ("time", -1)): "a bandwidth",
    (("time", 1),): "a time",
    (("time", -1),): "a rate",
    (("flop", 1),): "an amount of computation",
    (("time", -1), ("flop", 1)): "a rate of computation",
    (("energy", 1),): "an energy",
    (("time", -1), ("energy", 1)): "a power",
    (("money", 1),): "an amount of money",
    (("energy", -1), ("mass", 1)): "a carbon intensity",
    (("volume", 1),): "a volume",
    (("time", -1), ("volume", 1)): "a flow",
    (("temperature", 1),): "a difference of temperature",
    (("current", 1),): "a current",
    (("time", -1), ("energy", 1), ("current", -1)): "a voltage",
    (("length", 1),): "a length",
    (): "a plain number",
}
_EXAMPLES = {
    "parameter": "70B",
    "token": "15T",
    "document": "20M",
    "vector": "120M",
    "month": "6 months",
    "year": "3 years",
    "IOPS": "5M IOPS",
    "B": "980 GB",
    "B/s": "100 GB/s",
    "bit/s": "400 Gbit/s",
    "s": "30 min",
    "share": "40%",
    "FLOP/s": "989 TFLOP/s",
    "W": "700 W",
    "K": "10 K",
    "A": "32 A",
    "V": "415 V",
    "metre": "30 m",
    "L/s": "2 L/s",
    "USD/GPU-hour": "2.50 USD/GPU-hour",
    "USD/TB-month": "20 USD/TB-month",
    "g/kWh": "400 g/kWh",
    "B/parameter": "14 B",
    "B/value": "2 B",
}


def kind(symbol: str) -> str:
    """Noun for the quantity that a unit measures, with its article: "a bandwidth"."""
    head, _, below = symbol.partition("/")
    if symbol == "USD/GPU-hour":
        return "a price per GPU-hour"
    if is_count(symbol) and head != "1":
        counted = "operations per second" if head == "IOPS" else plural(head)
        return f"a number of {counted} per {below}" if below else f"a number of {counted}"
    return _KINDS.get(unit(symbol).dimensions, f"a quantity in {symbol}")


def example(symbol: str) -> str:
    """Example of an entry in this unit."""
    return _EXAMPLES.get(symbol, "8" if is_count(symbol) else f"1 {symbol}")

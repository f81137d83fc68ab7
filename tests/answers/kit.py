"""A toy with all that a state may have: a menu that a file may replace, a choice, sheets, verdicts, a band."""

from __future__ import annotations

from typing import Any

from calculators import facts
from calculators.declare import (
    Calculator,
    Preset,
    Table,
    Verdict,
    choice,
    computed,
    not_applicable,
    step,
    verdict,
    warning,
)
from calculators.declare.files import File, Read
from tests.declare.test_declare import inputs_of, sized, toy


@step("B", "Twice the size")
def doubled(size: float, mode: str) -> float:
    return 2 * size if mode == "plain" else 3 * size


@step("B", "At least")
def least(doubled: float) -> float:
    return doubled - 2


@step("B", "At most")
def most(doubled: float) -> float:
    return doubled + 2


@step("B", "Half the size")
def half(size: float) -> float:
    return size / 2


@verdict("Small")
def small(doubled: float) -> Verdict:
    good = doubled < 50
    return Verdict(level="good" if good else "bad", word="small" if good else "large", reason="It is {doubled}.")


@verdict("Even")
def even(size: float) -> Verdict:
    good = size % 2 == 0
    return Verdict(level="good" if good else "tight", word="even" if good else "odd", reason="Halves are whole.")


@warning
def rather_large(size: float) -> str:
    return "{size} are many" if size > 60 else ""


def _read(text: str) -> Read:
    if text == "nonsense":
        message = "nothing is understood"
        raise ValueError(message)
    values = {"size": float(text), "mode": "other", "unknown": 1.0}
    parts = (("Weights", "7", "70%"), ("Rest", "3", "30%"))
    return Read(values=values, sentence="A file.", remarks=("Remarkable.",), strip=("AB", "CD"), parts=parts)


def record(key: str, name: str, size: float, extra: float) -> facts.Record:
    values = {"size": size, "extra": extra}
    fields = {
        field: facts.Fact(key=f"{key}.{field}", name=field, value=value, unit="B", kind="published")
        for field, value in values.items()
    }
    return facts.Record(key=key, table="kits", name=name, fields=fields)


SHEET = Table(
    name="orders",
    title="Orders",
    about="What to type.",
    columns=("What", "How much", "Type"),
    rows=lambda _: (("one", "{size}", "buy {size}"), ("two", "{doubled}", "buy {doubled}")),
    commands=True,
)
PLAIN_SHEET = Table(
    name="list", title="List", about="To read.", columns=("What", "How much"), rows=lambda _: (("one", "{half}"),)
)


def kit(**stated: Any) -> Calculator:
    """Sizes of 8, 30 and 70 are on the menu, a tenth of them as extra; the weight is half the size unless given."""
    sizes = {"Alpha": 8.0, "Beta": 30.0, "Gamma": 70.0}
    records = tuple(record(name.lower(), name, size, size / 10) for name, size in sizes.items())
    menu = Preset(
        name="kit",
        label="Kit",
        records=records,
        fills={"size": "size", "extra": "extra"},
        default="beta",
        secondary=("extra",),
        file=File(name="kit.txt", about="A kit.", read=_read),
    )
    inputs = inputs_of(
        size=sized(label="Size"),
        mode=choice("plain", "Mode", {"plain": "plain: as it is", "other": "other: three times"}),
        weight=sized(default=(computed("half", "halved"), 1.0), label="Weight", group="more"),
        extra=sized(label="Extra", group="more"),
        spare=sized(default=not_applicable("no spare"), label="Spare", group="more"),
    )
    stated.setdefault("groups", {"": "All inputs", "more": "More"})
    return toy(
        inputs,
        *(doubled, least, most, half, small, even, rather_large),
        presets=stated.pop("presets", (menu,)),
        tables=(SHEET, PLAIN_SHEET),
        bands={"doubled": ("least", "most")},
        result_aliases={"twice": "doubled"},
        **stated,
    )


KIT = kit()

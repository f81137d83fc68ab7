"""Inputs: quantities, choices and switches with their ranges and hedges, and the menus that fill several at once."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from calculators import facts, units


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A numeric input. `hard`: outside it the formula means nothing; `slider`: the usual range; `spread`: the hedge."""

    name: str = ""
    unit: str
    label: str
    default: float
    hard: tuple[float, float]
    slider: tuple[float, float]
    scale: Literal["linear", "log"] = "linear"
    spread: tuple[float, float] | None = None
    whole: bool = False
    doubling: bool = False
    binary: bool = False
    zero: str = ""
    follows: str = ""
    fact: facts.Fact | None = None
    help: str = ""
    group: str = ""
    aliases: tuple[str, ...] = ()

    def __hash__(self) -> int:
        """Enough to tell inputs apart, for what is remembered about each of them."""
        return hash((self.name, self.unit, self.slider))

    def text(self, value: float) -> str:
        """The value as readers see it in prose and tables."""
        return self.zero if self.zero and value == 0 else units.text(value, self.unit, binary=self.binary)

    def box(self, value: float) -> str:
        """The value as it stands in a text box or a link: read back exactly."""
        return (
            self.zero
            if self.zero and value == 0
            else units.exact_text(value, self.unit, binary=self.binary, doubling=self.doubling)
        )


@dataclass(frozen=True, kw_only=True)
class Option:
    """One of a choice's options: what formulas see, and what readers see."""

    value: Any
    label: str


@dataclass(frozen=True, kw_only=True)
class Choice:
    """An input with a few named options. Links and flags use the option's key, formulas see its value."""

    name: str = ""
    label: str
    default: str
    options: Mapping[str, Option]
    help: str = ""
    group: str = ""
    aliases: tuple[str, ...] = ()

    def key(self, value: object) -> str:
        """The key of the option with this value."""
        return next(key for key, option in self.options.items() if option.value == value)

    def text(self, value: object) -> str:
        """The option's label."""
        return self.options[self.key(value)].label

    def box(self, value: object) -> str:
        """The option's key, as it stands in a link."""
        return self.key(value)


Input = Quantity | Choice


def quantity(
    default: float | facts.Fact,
    unit: str,
    label: str,
    *,
    hard: tuple[float, float],
    slider: tuple[float, float] | None = None,
    scale: Literal["linear", "log"] = "linear",
    spread: tuple[float, float] | None = None,
    whole: bool = False,
    doubling: bool = False,
    binary: bool = False,
    zero: str = "",
    follows: str = "",
    help: str = "",  # noqa: A002  the word readers know
    group: str = "",
    aliases: tuple[str, ...] = (),
) -> Any:
    """Declare a numeric input; ranges and default in base units of `unit`.

    `doubling`: its slider stops at powers of two. `default` may be a fact, which then brings its hedge and source.
    `zero` names a special meaning of 0 ("counted from the dimensions"); `follows` names another input whose value this
    one takes unless given.
    """
    known = default if isinstance(default, facts.Fact) else None
    declared = Quantity(
        unit=unit,
        label=label,
        default=default.value if isinstance(default, facts.Fact) else default,
        hard=hard,
        slider=slider or hard,
        scale=scale,
        spread=spread or (known.spread if known else None),
        whole=whole,
        doubling=doubling,
        binary=binary,
        zero=zero,
        follows=follows,
        fact=known,
        help=help,
        group=group,
        aliases=aliases,
    )
    return dataclasses.field(default=declared.default, metadata={"declared": declared})


def choice(
    default: str,
    label: str,
    options: Mapping[str, str | Option],
    *,
    help: str = "",  # noqa: A002
    group: str = "",
    aliases: tuple[str, ...] = (),
) -> Any:
    """Declare an input with named options: key -> label (formulas then see the key) or key -> Option."""
    full = {
        key: option if isinstance(option, Option) else Option(value=key, label=option)
        for key, option in options.items()
    }
    declared = Choice(label=label, default=default, options=full, help=help, group=group, aliases=aliases)
    return dataclasses.field(default=full[default].value, metadata={"declared": declared})


def switch(
    *,
    default: bool,
    label: str,
    help: str = "",  # noqa: A002
    group: str = "",
    aliases: tuple[str, ...] = (),
) -> Any:
    """Declare a yes-or-no input; formulas see a bool."""
    options = {"yes": Option(value=True, label="yes"), "no": Option(value=False, label="no")}
    return choice("yes" if default else "no", label, options, help=help, group=group, aliases=aliases)


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A menu of records whose facts fill several inputs; what the reader gives goes before it.

    `fills` maps an input's name to the record's field ("value" for stand-alone facts).
    """

    name: str
    label: str
    records: tuple[facts.Record, ...]
    fills: Mapping[str, str]
    default: str = ""
    group: str = ""
    none: str = "none: typed below"

    @cached_property
    def by_key(self) -> Mapping[str, facts.Record]:
        """The records by their keys."""
        return {record.key: record for record in self.records}

    def filled(self, key: str) -> dict[str, Any]:
        """Input name -> value in base units, for the record chosen; nothing for no record."""
        found = self.by_key.get(key)
        if found is None:
            return {}
        pairs = ((name, found.value(field)) for name, field in self.fills.items())
        return {name: value for name, value in pairs if value is not None}

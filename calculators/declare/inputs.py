"""Inputs: quantities, choices and switches with their ranges, and the menus that fill several at once."""

import dataclasses
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from calculators import facts, units
from calculators.declare.errors import DeclarationError
from calculators.declare.files import File


@dataclass(frozen=True, kw_only=True)
class Computed:
    """Default of an input, computed: the value of another input or of a formula, shown with a word that says how.

    With `when`, only if one of those inputs is given, by the reader or by a menu. With `over_menu`, it also replaces
    what a menu filled once the reader changes anything that it is computed from.
    """

    name: str
    word: str
    when: tuple[str, ...] = ()
    over_menu: bool = False


@dataclass(frozen=True, kw_only=True)
class NotApplicable:
    """Default of an input without a value: formulas get None, readers see this word."""

    word: str


def computed(name: str, word: str, *, when: Iterable[str] = (), over_menu: bool = False) -> Computed:
    """Default computed from `name`, shown with `word` ("counted"), if one of `when` is given (or always)."""
    return Computed(name=name, word=word, when=tuple(when), over_menu=over_menu)


def not_applicable(word: str) -> NotApplicable:
    """Default of an input that has no value, shown as `word`."""
    return NotApplicable(word=word)


Default = float | facts.Fact | Computed | NotApplicable


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A numeric input. `hard`: the range in which formulas hold; `slider`: the usual range; `spread`: the stated range.

    If it is not given, its value is the first of `fallbacks` that applies, else `default`. If that is None, it has no
    value and readers see the word `not_applicable`.
    """

    name: str = ""
    unit: str
    label: str
    default: float | None
    hard: tuple[float, float]
    slider: tuple[float, float]
    fallbacks: tuple[Computed, ...] = ()
    not_applicable: str = ""
    scale: Literal["linear", "log"] = "linear"
    spread: tuple[float, float] | None = None
    whole: bool = False
    doubling: bool = False
    binary: bool = False
    fact: facts.Fact | None = None
    help: str = ""
    group: str = ""
    aliases: tuple[str, ...] = ()

    def __hash__(self) -> int:
        """Hash of the identifying fields, so that memos can use inputs as keys."""
        return hash((self.name, self.unit, self.slider))

    @property
    def words(self) -> tuple[str, ...]:
        """Labels of its default; typed into its box, they leave the input not given."""
        return tuple(filter(None, (*(found.word for found in self.fallbacks), self.not_applicable)))

    def fallback(self, given: Collection[str]) -> Computed | None:
        """Computed default when it is not given and these inputs are; None without one."""
        for one in self.fallbacks:
            if not one.when or any(name in given for name in one.when):
                return one
        return None

    def text(self, value: float | None) -> str:
        """Text of the value in prose and tables."""
        return self.not_applicable if value is None else units.text(value, self.unit, binary=self.binary)

    def box(self, value: float | None) -> str:
        """Text of the value in a text box or a link: read back exactly."""
        if value is None:
            return self.not_applicable
        return units.exact_text(value, self.unit, binary=self.binary, doubling=self.doubling)


@dataclass(frozen=True, kw_only=True)
class Option:
    """Option of a choice: the value for formulas, the label for readers."""

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
        """Key of the option, as links carry it."""
        return self.key(value)


Input = Quantity | Choice


def quantity(
    default: Default | tuple[Default, ...],
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
    help: str = "",  # noqa: A002  the word readers know
    group: str = "",
    aliases: tuple[str, ...] = (),
) -> Any:
    """Declare a numeric input; ranges and numbers in base units of `unit`.

    `default` is its value if it is not given: a number, a fact (with its range and source), `computed(...)` from other
    values, or `not_applicable(...)`; of several, the first that applies. `doubling`: its slider stops at powers of two.
    """
    *computed_first, last = default if isinstance(default, tuple) else (default,)
    known = facts.usable(last, hard) if isinstance(last, facts.Fact) else None
    fallbacks = [*computed_first, *([last] if isinstance(last, Computed) else [])]
    if not all(isinstance(one, Computed) for one in fallbacks):
        message = f"{label}: only the last of its defaults may be a number, a fact or not_applicable(...)"
        raise DeclarationError(message)
    declared = Quantity(
        unit=unit,
        label=label,
        default=known.value if known else last if isinstance(last, int | float) else None,
        hard=hard,
        slider=slider or hard,
        fallbacks=tuple(one for one in fallbacks if isinstance(one, Computed)),
        not_applicable=last.word if isinstance(last, NotApplicable) else "",
        scale=scale,
        spread=spread or (known.spread if known else None),
        whole=whole,
        doubling=doubling,
        binary=binary,
        fact=known,
        help=help,
        group=group,
        aliases=aliases,
    )
    return dataclasses.field(default=declared.default, metadata={"declared": declared})


def placed(field: Any, group: str) -> Any:
    """Shared input, moved to another group of the form."""
    declared = dataclasses.replace(field.metadata["declared"], group=group)
    return dataclasses.field(default=field.default, metadata={"declared": declared})


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
    if default not in full:
        message = f"{label}: has no option {default}; there are {', '.join(full)}"
        raise DeclarationError(message)
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
    """A menu of records whose facts fill several inputs; a value that the reader gives overrides it.

    `fills` maps an input's name to the record's field ("value" for facts without fields). While no record is chosen,
    the default record is dropped once the reader gives one of the inputs it fills, or one it `yields_to`; `secondary`
    inputs, which do not identify the record, keep it: the tokens of a model, the price of a device. A `file` of the
    reader's own may replace its records. `fixed` inputs come with the record, as a model's layers do: explorations vary
    them one by one only if asked to. `elsewhere` is the sentence on a name that another calculator knows, from the
    name and the texts given with it; empty for other names.
    """

    name: str
    label: str
    records: tuple[facts.Record, ...]
    fills: Mapping[str, str]
    default: str = ""
    yields_to: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    secondary: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    group: str = ""
    none: str = "Custom (enter values below)"
    file: File | None = None
    elsewhere: Callable[[str, Mapping[str, Any]], str] | None = None

    @cached_property
    def by_key(self) -> Mapping[str, facts.Record]:
        """The records by their keys."""
        return {record.key: record for record in self.records}

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Key of a record by its key and by the name that readers see."""
        return {name: record.key for record in self.records for name in (record.name, record.key)}

    @cached_property
    def short_names(self) -> Mapping[str, str]:
        """Key of a record by the rest of it, where all keys begin with the same word: d5-p5336 of drive-d5-p5336."""
        first = {key.partition("-")[0] for key in self.by_key}
        return {key.partition("-")[2]: key for key in self.by_key} if len(first) == 1 < len(self.by_key) else {}

    @cached_property
    def decided_by(self) -> tuple[str, ...]:
        """Inputs that identify its record: once the reader gives one of them, the default record no longer applies."""
        return tuple(name for name in (*self.fills, *self.yields_to) if name not in self.secondary)

    def filled(self, key: str) -> dict[str, Any]:
        """Values in base units by input, for the chosen record; empty without one."""
        found = self.by_key.get(key)
        if found is None:
            return {}
        pairs = ((name, found.value(field)) for name, field in self.fills.items())
        return {name: value for name, value in pairs if value is not None}

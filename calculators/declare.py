"""Declarations: a calculator is its inputs and a graph of named formulas, checked when it is imported.

A formula's parameter names are its wiring: each names an input or another formula. Everything else in the product
(form, results, working, links, command line, most tests) is derived from what is declared here.
"""

import ast
import dataclasses
import graphlib
import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from calculators import facts, units

Level = Literal["good", "tight", "bad"]
Values = dict[str, Any]


class DeclarationError(Exception):
    """Our own mistake in a declaration, raised on import, naming the culprit."""


class InputError(ValueError):
    """What the reader gave cannot be calculated with. `problems` maps each input's name to a sentence."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        """Keep all problems at once, one per input."""
        super().__init__("; ".join(problems.values()))
        self.problems = dict(problems)


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The value of a verdict step: its word, how good that is, and why, with {names} for values of the graph."""

    level: Level
    word: str
    reason: str = ""


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

    def text(self, value: float) -> str:
        """The value as readers see it in prose and tables."""
        return self.zero if self.zero and value == 0 else units.text(value, self.unit, binary=self.binary)

    def box(self, value: float) -> str:
        """The value as it stands in a text box or a link: read back exactly."""
        return self.zero if self.zero and value == 0 else units.exact_text(value, self.unit, binary=self.binary)


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

    def filled(self, key: str) -> dict[str, Any]:
        """Input name -> value in base units, for the record chosen; nothing for no record."""
        found = next((record for record in self.records if record.key == key), None)
        if found is None:
            return {}
        pairs = ((name, found.value(field)) for name, field in self.fills.items())
        return {name: value for name, value in pairs if value is not None}


Role = Literal["step", "verdict", "check", "caution"]


@dataclass(frozen=True, kw_only=True)
class Formula:
    """A node of the graph: a pure function wired by its parameter names. `about` names the input a check blames."""

    name: str
    role: Role
    function: Callable[..., Any]
    unit: str = ""
    label: str = ""
    sources: tuple[facts.Source, ...] = ()
    binary: bool = False
    rises_with: tuple[str, ...] = ()
    falls_with: tuple[str, ...] = ()
    about: str = ""

    @cached_property
    def needs(self) -> tuple[str, ...]:
        """The names of the inputs and formulas it takes."""
        return tuple(inspect.signature(self.function).parameters)

    @property
    def doc(self) -> str:
        """Its docstring: what comes back and what goes in, for the working."""
        return inspect.getdoc(self.function) or ""

    @cached_property
    def body(self) -> str:
        """The source of its body without the docstring: the Python that runs."""
        tree = ast.parse(textwrap.dedent(inspect.getsource(self.function)))
        definition = tree.body[0]
        if not isinstance(definition, ast.FunctionDef):
            message = f"{self.name}: a formula is a function of its own"
            raise DeclarationError(message)
        statements = definition.body[1:] if ast.get_docstring(definition) else definition.body
        return "\n".join(ast.unparse(statement) for statement in statements)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run it as the plain function it is."""
        return self.function(*args, **kwargs)

    def text(self, value: Any) -> str:
        """The value as readers see it."""
        return value.word if isinstance(value, Verdict) else units.text(value, self.unit, binary=self.binary)


def _cited(keys: str | Iterable[str]) -> tuple[facts.Source, ...]:
    wanted = (keys,) if isinstance(keys, str) else tuple(keys)
    missing = [key for key in wanted if key and key not in facts.sources()]
    if missing:
        message = f"no source {missing[0]!r} in sources*.toml"
        raise DeclarationError(message)
    return tuple(facts.sources()[key] for key in wanted if key)


def step(
    unit: str,
    label: str,
    *,
    source: str | Iterable[str] = "",
    binary: bool = False,
    rises_with: tuple[str, ...] = (),
    falls_with: tuple[str, ...] = (),
) -> Callable[[Callable[..., float]], Formula]:
    """Declare a formula: the unit of what it returns, its label, where it comes from, and how it must move (tested)."""

    def declare(function: Callable[..., float]) -> Formula:
        return Formula(
            name=function.__name__,
            role="step",
            function=function,
            unit=unit,
            label=label,
            sources=_cited(source),
            binary=binary,
            rises_with=rises_with,
            falls_with=falls_with,
        )

    return declare


def verdict(label: str) -> Callable[[Callable[..., Verdict]], Formula]:
    """Declare a verdict: a formula that returns a Verdict."""
    return lambda function: Formula(name=function.__name__, role="verdict", function=function, label=label)


def check(about: str) -> Callable[[Callable[..., str]], Formula]:
    """Declare what inputs must satisfy together: returns "" or the sentence that blames the input `about`."""
    return lambda function: Formula(name=function.__name__, role="check", function=function, about=about)


def caution(function: Callable[..., str]) -> Formula:
    """Declare a warning: returns "" or a sentence saying why the result is outside what the formula is good for."""
    return Formula(name=function.__name__, role="caution", function=function)


@dataclass(frozen=True, kw_only=True)
class Calculator:
    """A calculator: declared once, checked on construction.

    `answer` is the sentence with {names} in it; `headline` the results readers came for, the most wanted first;
    `first_sliders` the inputs that matter most, for places with room for a few;
    `estimate` fills inputs from what was given when nothing else does;
    `advice` proposes changes of inputs, tried by explore; `picture` draws the answer (pictures.py).
    """

    name: str
    title: str
    question: str
    answer: str
    inputs_type: type
    formulas: Sequence[Formula]
    headline: Sequence[str]
    first_sliders: Sequence[str] = ()
    presets: Sequence[Preset] = ()
    groups: Mapping[str, str] = dataclasses.field(default_factory=dict)
    assumptions: Sequence[str] = ()
    omits: Sequence[str] = ()
    estimate: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    advice: Callable[[Mapping[str, Any]], Iterable[tuple[str, Mapping[str, Any]]]] | None = None
    picture: Any = None

    def __post_init__(self) -> None:
        """Check the graph, naming the culprit."""
        _check_graph(self)

    @cached_property
    def inputs(self) -> Mapping[str, Input]:
        """The declared inputs by name."""
        return {
            field.name: dataclasses.replace(field.metadata["declared"], name=field.name)
            for field in dataclasses.fields(self.inputs_type)
        }

    @cached_property
    def steps(self) -> Mapping[str, Formula]:
        """The formulas that give results (steps and verdicts), in the order in which they can be computed."""
        named = {formula.name: formula for formula in self.formulas if formula.role in {"step", "verdict"}}
        order = graphlib.TopologicalSorter({name: named[name].needs for name in named}).static_order()
        return {name: named[name] for name in order if name in named}

    def of_role(self, role: Role) -> tuple[Formula, ...]:
        """The formulas of one role, as declared."""
        return tuple(formula for formula in self.formulas if formula.role == role)

    def evaluate(self, values: Mapping[str, Any]) -> Values:
        """Every input and result by name, from the inputs' values in base units. Raises what the formulas raise."""
        known = dict(values)
        for name, formula in self.steps.items():
            known[name] = formula.function(*[known[need] for need in formula.needs])
        return known

    def declared(self, name: str) -> Input | Formula:
        """The input or formula of this name."""
        return self.inputs[name] if name in self.inputs else self.steps[name]

    def text(self, name: str, value: Any) -> str:
        """The value of an input or result as readers see it."""
        return self.declared(name).text(value)


def _check_graph(calculator: Calculator) -> None:  # noqa: C901, PLR0912  one question after another, none nested
    def refuse(culprit: str, what: str) -> None:
        message = f"{calculator.name}.{culprit}: {what}"
        raise DeclarationError(message)

    if not dataclasses.is_dataclass(calculator.inputs_type):
        refuse("Inputs", "must be a dataclass of declared inputs")
    names = [*calculator.inputs, *(formula.name for formula in calculator.formulas)]
    for name in names:
        if names.count(name) > 1:
            refuse(name, "is declared twice")
    for declared in calculator.inputs.values():
        _check_input(calculator, declared, refuse)
    values = {*calculator.inputs, *(f.name for f in calculator.formulas if f.role in {"step", "verdict"})}
    for formula in calculator.formulas:
        for need in formula.needs:
            if need not in values:
                refuse(formula.name, f"needs {need}, which is neither an input nor a formula")
        for named in (*formula.rises_with, *formula.falls_with, *filter(None, [formula.about])):
            if named not in values:
                refuse(formula.name, f"names {named}, which is neither an input nor a formula")
        if formula.role == "step":
            _check_unit(formula.name, formula.unit, refuse)
    try:
        _ = calculator.steps
    except graphlib.CycleError as error:
        refuse(error.args[1][0], "goes round in a circle: " + " -> ".join(error.args[1]))
    for preset in calculator.presets:
        for name in preset.fills:
            if name not in calculator.inputs:
                refuse(preset.name, f"fills {name}, which is no input")
        if preset.default and preset.default not in {record.key for record in preset.records}:
            refuse(preset.name, f"has no record {preset.default}")
    for slider in calculator.first_sliders:
        if slider not in calculator.inputs:
            refuse(slider, "is a first slider but no input of this calculator")
    for headline in calculator.headline:
        if headline not in values:
            refuse(headline, "is a headline but no formula of this calculator")


def _check_unit(name: str, unit: str, refuse: Callable[[str, str], None]) -> None:
    try:
        units.unit(unit)
    except units.UnitError as error:
        refuse(name, str(error))


def _check_input(calculator: Calculator, declared: Input, refuse: Callable[[str, str], None]) -> None:
    if isinstance(declared, Choice):
        if declared.default not in declared.options:
            refuse(declared.name, f"has no option {declared.default}")
        return
    _check_unit(declared.name, declared.unit, refuse)
    (low, high), (start, end) = declared.hard, declared.slider
    special = bool(declared.zero) and declared.default == 0
    if not special and not low <= declared.default <= high:
        refuse(declared.name, f"default {declared.default:g} lies outside {low:g} to {high:g}")
    if not (low <= start < end <= high or (declared.zero and start < end <= high)):
        refuse(declared.name, "the slider must lie within the hard range")
    if declared.scale == "log" and start <= 0:
        refuse(declared.name, "a log slider starts above 0")
    if declared.spread and not special and not declared.spread[0] <= declared.default <= declared.spread[1]:
        refuse(declared.name, "the default must lie within its spread")
    if declared.follows and declared.follows not in calculator.inputs:
        refuse(declared.name, f"follows {declared.follows}, which is no input")

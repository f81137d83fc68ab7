"""Formulas: steps, records, verdicts, constraints and warnings, pure functions wired by their parameter names."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Literal, ParamSpec, TypeVar, overload

from calculators import facts, units
from calculators.declare.errors import DeclarationError

Level = Literal["good", "tight", "bad"]
Role = Literal["step", "verdict", "record", "constraint", "warning"]
# Those that give a value to others; constraints and warnings give sentences to readers.
VALUE_ROLES: frozenset[Role] = frozenset({"step", "verdict", "record"})
Taken = ParamSpec("Taken")
Given = TypeVar("Given")
_WORD = re.compile(r"(?<!')\b(\w+)\b(?![='])")


NOT_CHECKED = "not checked"  # word of a verdict on what another one excludes
REFUSED = "layout refused"  # word of a verdict that would be good, of a layout that frameworks refuse


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Value of a verdict: level, state word and reason, with {names} for values of the graph."""

    level: Level
    word: str
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Formula(Generic[Taken, Given]):
    """A node of the graph: a pure function wired by its parameter names.

    `about` names the input that a constraint blames. Of a formula made of others, `wired` names what it takes
    and `written` is its body as readers see it.
    For a step that may return None, `not_applicable` is the word that readers see then.
    `examples` are states, as fragments of links, in which it says something ("speaks") or nothing ("silent"), or a
    verdict is at a level. While a warning says that frameworks refuse the state, no verdict that it `refuses` is good.
    """

    name: str
    role: Role
    function: Callable[Taken, Given]
    unit: str = ""
    label: str = ""
    sources: tuple[facts.Source, ...] = ()
    binary: bool = False
    rises_with: tuple[str, ...] = ()
    falls_with: tuple[str, ...] = ()
    about: str = ""
    wired: tuple[str, ...] = ()
    written: str = ""
    not_applicable: str = ""
    examples: tuple[tuple[str, str], ...] = ()
    refuses: tuple[str, ...] = ()

    @cached_property
    def needs(self) -> tuple[str, ...]:
        """Names of its parameters: inputs and formulas."""
        return self.wired or tuple(inspect.signature(self.function).parameters)

    @property
    def doc(self) -> str:
        """Docstring of the function, for the working."""
        return inspect.getdoc(self.function) or ""

    @cached_property
    def body(self) -> str:
        """Source of the function's body without its docstring."""
        if self.written:
            return f"return {self.written}"
        tree = ast.parse(textwrap.dedent(inspect.getsource(self.function)))
        definition = tree.body[0]
        if not isinstance(definition, ast.FunctionDef):
            message = f"{self.name}: a formula is a function of its own"
            raise DeclarationError(message)
        statements = definition.body[1:] if ast.get_docstring(definition) else definition.body
        return "\n".join(ast.unparse(statement) for statement in statements)

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        """Body as an expression, split at the names of parameters, which are every second piece.

        A name before = names a parameter of what is called, and one between quotes an entry: neither is a value.
        """
        first, *others = _WORD.split(self.body.removeprefix("return "))
        pieces = [first]
        for word, after in zip(others[::2], others[1::2], strict=True):
            if word in self.needs:
                pieces += [word, after]
            else:
                pieces[-1] += word + after
        return tuple(pieces)

    def __call__(self, *args: Taken.args, **kwargs: Taken.kwargs) -> Given:
        """Call the function."""
        return self.function(*args, **kwargs)

    def text(self, value: Any) -> str:
        """Text of a value; of a record its label."""
        if self.role == "record":
            return self.label
        if value is None:
            return self.not_applicable
        return value.word if isinstance(value, Verdict) else units.text(value, self.unit, binary=self.binary)


AnyFormula = Formula[..., Any]


def formulas_of(module: Mapping[str, object]) -> tuple[AnyFormula, ...]:
    """Formulas that a module defines, in order, from its globals(); imported ones are left out."""
    found = (value for value in module.values() if isinstance(value, Formula))
    return tuple(formula for formula in found if formula.function.__module__ == module["__name__"])


def cited(keys: str | Iterable[str]) -> tuple[facts.Source, ...]:
    """The sources with these keys; raises DeclarationError where there is none."""
    wanted = (keys,) if isinstance(keys, str) else tuple(keys)
    missing = [key for key in wanted if key and key not in facts.sources()]
    if missing:
        message = f"no source {missing[0]!r} in facts/*/sources.toml"
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
    not_applicable: str = "",
) -> Callable[[Callable[Taken, Given]], Formula[Taken, Given]]:
    """Declare a formula: the unit of what it returns, its label, where it comes from, and how it must move (tested).

    `not_applicable` is what readers see where it returns None.
    """

    def declare(function: Callable[Taken, Given]) -> Formula[Taken, Given]:
        return Formula(
            name=function.__name__,
            role="step",
            function=function,
            unit=unit,
            label=label,
            sources=cited(source),
            binary=binary,
            rises_with=rises_with,
            falls_with=falls_with,
            not_applicable=not_applicable,
        )

    return declare


def record(label: str) -> Callable[[Callable[Taken, Given]], Formula[Taken, Given]]:
    """Declare a record: a formula that returns related values together, for formulas that would need too many.

    Formulas take it by its name, as they take numbers; it is no result of its own, and readers see its label.
    """
    return lambda function: Formula(name=function.__name__, role="record", function=function, label=label)


def verdict(
    label: str, *, good: str | None = None, tight: str | None = None, bad: str | None = None
) -> Callable[[Callable[Taken, Verdict]], Formula[Taken, Verdict]]:
    """Declare a verdict: a formula that returns a Verdict, with a state (link fragment) for each outcome."""
    examples = _stated(good=good, tight=tight, bad=bad)
    return lambda function: Formula(
        name=function.__name__, role="verdict", function=function, label=label, examples=examples
    )


def constraint(
    about: str, *, speaks: str | None = None, silent: str | None = None
) -> Callable[[Callable[Taken, str]], Formula[Taken, str]]:
    """Declare a constraint on several inputs: returns "" or the sentence that is shown at the input `about`."""
    examples = _stated(speaks=speaks, silent=silent)
    return lambda function: Formula(
        name=function.__name__, role="constraint", function=function, about=about, examples=examples
    )


@overload
def warning(function: Callable[Taken, str], /) -> Formula[Taken, str]: ...
@overload
def warning(
    *, speaks: str, silent: str, refuses: tuple[str, ...] = ()
) -> Callable[[Callable[Taken, str]], Formula[Taken, str]]: ...
def warning(
    function: Callable[Taken, str] | None = None,
    /,
    *,
    speaks: str | None = None,
    silent: str | None = None,
    refuses: tuple[str, ...] = (),
) -> Formula[Taken, str] | Callable[[Callable[Taken, str]], Formula[Taken, str]]:
    """Declare a warning: returns "" or a sentence on why the result is outside the formula's validity.

    `speaks` and `silent` are states, as fragments of links, in which it says something and nothing; `refuses` names
    verdicts on what frameworks refuse while it speaks.
    """
    examples = _stated(speaks=speaks, silent=silent)

    def declare(function: Callable[Taken, str]) -> Formula[Taken, str]:
        return Formula(name=function.__name__, role="warning", function=function, examples=examples, refuses=refuses)

    return declare if function is None else declare(function)


def _stated(**examples: str | None) -> tuple[tuple[str, str], ...]:
    return tuple((outcome, state) for outcome, state in examples.items() if state is not None)

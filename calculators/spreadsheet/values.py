"""Values while a formula is translated: cells, choices by option, records, and what only the product computes."""

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calculators.spreadsheet.cells import (
    COMPARISON,
    Cell,
    UntranslatableError,
    chosen,
    constant,
    either,
    negated,
    operation,
)

_DEEPEST = 8


@dataclass(frozen=True)
class Cases:
    """Value by the option of a menu: `menu` is the menu's cell, `by_option` each value, or why there is none."""

    menu: Cell
    by_option: Mapping[str, Any]


@dataclass(frozen=True)
class Unknown:
    """Name of a value that could not be translated; only its use is an error."""

    reason: str


@dataclass(frozen=True)
class Opaque:
    """Record that the product computes: its numbers become values when they are read. `path` names it in cells."""

    path: str
    record: Any


@dataclass(frozen=True)
class Closure:
    """Function defined in a function, or a method with its record: `bound` are arguments that are there already."""

    function: Any
    environment: Mapping[str, Any]
    bound: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Filtered:
    """Item of a list that is in it only if a test is true."""

    test: Cell
    item: Any


def symbolic(value: Any, depth: int = 0) -> bool:
    """Whether a value contains cells, so that only a translation computes with it."""
    if isinstance(value, Cell | Cases | Unknown | Opaque | Closure | Filtered):
        return True
    if depth > _DEEPEST:
        return False
    return any(symbolic(part, depth + 1) for part in parts(value))


def parts(value: Any) -> Iterable[Any]:
    """Values directly inside a container or record."""
    if isinstance(value, Mapping):
        return list(value.values())
    if isinstance(value, list | tuple):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, field.name) for field in dataclasses.fields(value)]
    return ()


def rebuilt(value: Any, change: Callable[[str, Any], Any], path: str = "") -> Any:
    """Value with `change` applied to every part that is no container; it receives the part's path."""
    if isinstance(value, Mapping):
        return {key: rebuilt(part, change, f"{path}.{key}") for key, part in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        fields = value._fields
        return type(value)(*(rebuilt(part, change, f"{path}.{name}") for name, part in zip(fields, value, strict=True)))
    if isinstance(value, list | tuple):
        return type(value)(rebuilt(part, change, f"{path}.{place}") for place, part in enumerate(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and symbolic(value):
        names = [field.name for field in dataclasses.fields(value)]
        return _remade(value, {name: rebuilt(getattr(value, name), change, f"{path}.{name}") for name in names})
    return change(path, value)


def _remade(value: Any, fields: Mapping[str, Any]) -> Any:
    made = object.__new__(type(value))
    for name, part in fields.items():
        object.__setattr__(made, name, part)
    return made


def cell(value: Any) -> Cell:
    """Cell of a scalar. Raises UntranslatableError for anything else."""
    if isinstance(value, Cell):
        return value
    if isinstance(value, Cases):
        return rendered(value)
    if isinstance(value, Unknown):
        raise UntranslatableError(value.reason)
    if isinstance(value, Filtered):
        raise UntranslatableError("a list whose length changes")
    return constant(value)


def lifted(function: Callable[..., Any], *arguments: Any) -> Any:
    """Result of a function by option where an argument is one; else the result itself."""
    found = next((one for one in arguments if isinstance(one, Cases)), None)
    if found is None:
        return function(*arguments)
    results = {}
    for option in found.by_option:
        given = [_at(one, found.menu, option) for one in arguments]
        failed = next((one for one in given if isinstance(one, Unknown)), None)
        try:
            results[option] = failed or lifted(function, *given)
        except UntranslatableError as error:
            results[option] = Unknown(str(error))
        except (LookupError, ArithmeticError, ValueError, TypeError, AttributeError) as error:
            results[option] = Unknown(f"{type(error).__name__} for {option}")
    return cases(found.menu, results)


def cases(menu: Cell, results: Mapping[str, Any]) -> Any:
    """Cases, or the one value that all options have."""
    first, *others = results.values()
    if not symbolic(first) and all(type(one) is type(first) and one == first for one in others):
        return first
    if isinstance(first, Cell) and all(one == first for one in others):
        return first
    if any(isinstance(one, Cases) and one.menu == menu for one in results.values()):
        results = {option: _at(one, menu, option) for option, one in results.items()}
    return Cases(menu, dict(results))


def _at(value: Any, menu: Cell, option: str) -> Any:
    return value.by_option[option] if isinstance(value, Cases) and value.menu == menu else value


def rendered(value: Cases) -> Cell:
    """Cell of a value by option: a test of the menu, or nested conditions."""
    grouped: dict[Any, list[str]] = {}
    made: dict[str, Cell] = {}
    for option, one in value.by_option.items():
        if isinstance(one, Unknown):
            if option == value.menu.value:
                raise UntranslatableError(one.reason)
            continue  # as the product refuses it
        found = cell(one)
        made[found.text] = found
        grouped.setdefault(found.text, []).append(option)
    if not grouped:
        raise UntranslatableError("no option has a value")
    if set(grouped) == {"TRUE", "FALSE"}:
        shorter = min(("TRUE", "FALSE"), key=lambda text: len(grouped[text]))
        test = is_one_of(value.menu, grouped[shorter])
        return test if shorter == "TRUE" else negated(test)
    last = max(grouped, key=lambda text: len(grouped[text]))
    result = made[last]
    for text, options in reversed(grouped.items()):
        if text != last:
            result = chosen(is_one_of(value.menu, options), made[text], result)
    return result


def is_one_of(menu: Cell, options: Sequence[str]) -> Cell:
    """Whether the menu is at one of these options."""
    tests = [operation("=", COMPARISON, lambda one, other: one == other, menu, constant(each)) for each in options]
    test, *others = tests
    for other in others:
        test = either(test, other)
    return test


def merged(test: Cell, then: Any, other: Any) -> Any:
    """Value that is `then` where the test is true, else `other`; records field by field."""
    if test.text in {"TRUE", "FALSE"}:
        return then if test.text == "TRUE" else other
    if then is other:
        return then
    unknown = next((one for one in (then, other) if isinstance(one, Unknown)), None)
    if unknown is not None:
        return unknown
    found = _merged_parts(test, then, other)
    if found is not None:
        return found
    if not symbolic(then) and not symbolic(other) and type(then) is type(other) and then == other:
        return then
    return chosen(test, cell(then), cell(other))


def _merged_parts(test: Cell, then: Any, other: Any) -> Any:
    """Two containers or records of a kind, part by part; None for anything else."""
    if isinstance(then, Mapping) and isinstance(other, Mapping) and then.keys() == other.keys():
        return {key: merged(test, then[key], other[key]) for key in then}
    if type(then) is not type(other) or isinstance(then, Cell | Cases | Opaque | Closure):
        return None
    if isinstance(then, list | tuple) and len(then) == len(other):
        made = [merged(test, one, two) for one, two in zip(then, other, strict=True)]
        return type(then)(*made) if hasattr(then, "_fields") else type(then)(made)
    if dataclasses.is_dataclass(then):
        names = [field.name for field in dataclasses.fields(then)]
        return _remade(then, {name: merged(test, getattr(then, name), getattr(other, name)) for name in names})
    return None


def number_of(value: Any) -> Any:
    """A fixed cell's number, for what counts and looks up; anything else unchanged."""
    return value.value if isinstance(value, Cell) and value.fixed else value

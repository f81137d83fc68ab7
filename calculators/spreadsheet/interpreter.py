"""Interpreter: the functions of a formula, called with cells instead of numbers."""

import ast
import functools
import inspect
import math
import textwrap
import types
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from calculators import units
from calculators.declare import Verdict
from calculators.declare.formulas import Formula
from calculators.spreadsheet import functions
from calculators.spreadsheet.cells import Cell, UntranslatableError, beyond, whole
from calculators.spreadsheet.helpers import Helpers
from calculators.spreadsheet.operators import all_among, all_of, any_among, any_of, compared, condition, inverted, items
from calculators.spreadsheet.scope import NOTHING, Scope
from calculators.spreadsheet.values import Cases, Closure, Filtered, Opaque, cell, lifted, merged, number_of, symbolic

# What a formula may raise while it is translated: it is written for numbers.
ERRORS: Final = (LookupError, ArithmeticError, ValueError, TypeError, AttributeError, RecursionError)
_DEEPEST = 24  # calls within calls
_OF_CONTAINERS = (dict, list, tuple, zip, enumerate, len, reversed, set, frozenset)


@functools.cache
def definition(function: Callable[..., Any]) -> ast.FunctionDef:
    """Syntax tree of a function. Raises UntranslatableError where there is none."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError) as error:
        raise UntranslatableError("a function without source") from error
    found = tree.body[0]
    if not isinstance(found, ast.FunctionDef):
        raise UntranslatableError("a function that is not defined by itself")
    return found


class Interpreter:
    """Interpreter of one formula's function and all that it calls; `prefix` begins the names of its helper cells."""

    def __init__(self, helpers: Helpers, prefix: str) -> None:
        self.helpers = helpers
        self.prefix = prefix
        self._depth = 0
        self._package = ""  # whose functions are translated with the formula

    def result(self, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
        """Result of a function for these arguments. Raises UntranslatableError."""
        plain = inspect.unwrap(function)
        if not isinstance(plain, types.FunctionType):
            raise UntranslatableError("a formula that is no function")
        self._package = plain.__module__.partition(".")[0]
        try:
            return self._interpreted(plain, arguments, {})
        except ERRORS as error:
            raise UntranslatableError(f"{type(error).__name__}: {error}") from error

    def invoke(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Result of calling anything that a formula calls."""
        if isinstance(function, Cases):
            return self._of_cases(function, arguments, named)
        if isinstance(function, Opaque):
            return self._of_record(function, arguments, named)
        if isinstance(function, Closure):
            return self._of_closure(function, arguments, named)
        if isinstance(function, Formula):
            function = function.function
        return self._of_function(inspect.unwrap(function), arguments, named)

    def _of_function(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        if isinstance(function, types.MethodType):
            inside = (function.__self__, *arguments)
            if any(map(symbolic, (*inside, *named.values()))):
                return self._of_function(function.__func__, inside, named)
        inside = (*arguments, *named.values())
        if function is not Verdict and not any(map(symbolic, inside)):
            return function(*arguments, **named)
        if any(isinstance(one, Opaque) for one in inside) and not any(map(_changes, inside)):
            return self._of_record(function, arguments, named)
        found = self._built_in(function, list(arguments), dict(named))
        if found is not NOTHING:
            return found
        if isinstance(function, type):
            return _instance(function, arguments, named)
        if isinstance(function, types.FunctionType) and function.__module__.partition(".")[0] == self._package:
            return self._interpreted(function, arguments, named)
        raise UntranslatableError(f"{getattr(function, '__name__', function)}()")

    def _of_cases(self, function: Cases, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Result by option of a function that depends on a menu."""

        def one(each: Any, *given: Any) -> Any:
            plain, keyed = given[: len(arguments)], given[len(arguments) :]
            return self.invoke(each, plain, dict(zip(named, keyed, strict=True)))

        return lifted(one, function, *arguments, *named.values())

    def _of_record(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Value of a function of records that the product computes, where nothing else in it changes."""
        given, keyed = [_known(one) for one in arguments], {name: _known(one) for name, one in named.items()}
        called = function.record if isinstance(function, Opaque) else function
        path = function.path if isinstance(function, Opaque) else f"{self.prefix}.{function.__name__}"
        path = ".".join((path, *(str(one) for one in given if isinstance(one, str | int | float))))
        return self.helpers.value_of(path, called(*given, **keyed))

    def _of_closure(self, closure: Closure, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Result of a function or lambda that a function defines."""
        node: ast.FunctionDef | ast.Lambda = closure.function
        names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
        found = {**dict(zip(names, arguments, strict=False)), **named}
        scope = Scope(self, closure.environment, {})
        for name, default in zip(names[::-1], node.args.defaults[::-1], strict=False):
            if name not in found:
                found[name] = scope.value(default)
        if isinstance(node, ast.Lambda):
            return Scope(self, closure.environment, found).value(node.body)
        return self._called(node, closure.environment, found)

    def _interpreted(self, function: types.FunctionType, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        contents = [one.cell_contents for one in function.__closure__ or ()]
        free = dict(zip(function.__code__.co_freevars, contents, strict=True))
        scope = {**function.__globals__, "__module__": function.__module__, **free}
        bound = inspect.signature(function).bind(*arguments, **named)
        bound.apply_defaults()
        return self._called(definition(function), scope, bound.arguments)

    def _called(self, node: ast.FunctionDef, scope: Mapping[str, Any], given: Mapping[str, Any]) -> Any:
        if self._depth >= _DEEPEST:
            raise UntranslatableError("calls too deep")
        uses = Counter(one.id for one in ast.walk(node) if isinstance(one, ast.Name))
        started, self._depth = self.prefix, self._depth + 1
        try:
            if self._depth > 1:
                self.prefix = f"{started}.{node.name}"
            local = {name: self._given(name, one, uses[name]) for name, one in given.items()}
            found = Scope(self, scope, local, uses).block(node.body)
        finally:
            self.prefix, self._depth = started, self._depth - 1
        return None if found is NOTHING else found

    def _given(self, name: str, value: Any, uses: int) -> Any:
        return self.helpers.kept(f"{self.prefix}.{name}", value, uses) if isinstance(value, Cell) else value

    def _built_in(self, function: Any, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Result of a function of Python itself, or NOTHING."""
        if function in (Verdict, inspect.unwrap(units.text)):  # of a sentence a cell says only whether it is said
            return Verdict(level=named["level"], word=named["word"]) if function is Verdict else "…"
        if function in (min, max):
            return self._extreme(function, arguments, named)
        if function in _OF_CONTAINERS:
            lists = [one for one in arguments if isinstance(one, list | tuple)]
            if function not in (list, tuple) and any(isinstance(one, Filtered) for each in lists for one in each):
                raise UntranslatableError("a list whose length changes")
            return function(*arguments, **named)
        if getattr(function, "__name__", "") == "get" and isinstance(function.__self__, Mapping):
            return lifted(lambda key, *other: _entry(function.__self__, key, other), *arguments)
        if function is range:
            self.helpers.counting.update(one.text for one in arguments if isinstance(one, Cell))
        special = _SPECIAL.get(function) if isinstance(function, type | types.BuiltinFunctionType) else None
        if special is not None:
            return special(*arguments)
        return NOTHING if named else lifted(lambda *given: _plain(function, given), *arguments)

    def _extreme(self, function: Any, arguments: list[Any], named: dict[str, Any]) -> Any:
        """`min` or `max`, with a `key` or without."""
        among = items(arguments[0]) if len(arguments) == 1 else arguments
        if any(isinstance(one, Filtered) for one in among):
            if "key" in named:
                raise UntranslatableError("a list whose length changes")
            never = beyond(above=function is min)
            there = any_among(one.test if isinstance(one, Filtered) else True for one in among)
            found = self._extreme(function, [[_or_else(one, never) for one in among]], {})
            return merged(cell(there), found, named["default"]) if "default" in named else found
        if not among and "default" in named:
            return named["default"]
        if "key" not in named:
            farthest = math.inf if function is min else -math.inf
            decisive = [one for one in among if symbolic(one) or one != farthest]
            return whole([cell(one) for one in decisive], function.__name__.upper(), lambda *values: function(values))
        keyed = [(one, self._given("key", cell(self.invoke(named["key"], [one], {})), 2)) for one in among]
        (best, best_key), *others = keyed
        for one, key in others:
            better = cell(compared(ast.Gt() if function is max else ast.Lt(), key, best_key))
            best, best_key = merged(better, one, best), self._given("key", cell(merged(better, key, best_key)), 2)
        return best


def _sum(among: Any, start: Any = None) -> Any:
    each = [*([] if start is None else [start]), *(_or_else(one, 0) for one in items(among))]
    return whole([cell(one) for one in each], "SUM", lambda *values: sum(values)) if each else 0


def _or_else(item: Any, other: Any) -> Any:
    """An item, or another value where the item is not in its list."""
    return merged(item.test, item.item, other) if isinstance(item, Filtered) else item


def _all(among: Any) -> bool | Cell:
    return all_among(any_of(inverted(one.test), one.item) if isinstance(one, Filtered) else one for one in items(among))


def _any(among: Any) -> bool | Cell:
    return any_among(all_of(one.test, one.item) if isinstance(one, Filtered) else one for one in items(among))


def _next(among: Any, *default: Any) -> Any:
    """The first item that is in its list."""
    first, *others = [*items(among), *default]
    if not isinstance(first, Filtered):
        return first
    return merged(first.test, first.item, _next(others)) if others else first.item


def _range(*ends: Any) -> range:
    return range(*map(number_of, ends))


_SPECIAL: Mapping[Any, Callable[..., Any]] = types.MappingProxyType(
    {sum: _sum, math.fsum: _sum, all: _all, any: _any, next: _next, bool: condition, range: _range}
)


def _entry(table: Mapping[Any, Any], key: Any, default: tuple[Any, ...]) -> Any:
    if symbolic(key):
        raise UntranslatableError("an entry that changes")
    return table[key] if key in table else next(iter(default), None)


def _plain(function: Any, arguments: Sequence[Any]) -> Any:
    """Result of a function of numbers, or NOTHING."""
    if not any(map(symbolic, arguments)):
        return function(*arguments)
    if any(not isinstance(one, Cell | int | float | str) for one in arguments):
        return NOTHING
    found = functions.translated(function, list(arguments))
    return NOTHING if found is None else found


def _instance(kind: type, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """Record of cells."""
    if hasattr(kind, "_fields") or (hasattr(kind, "__dataclass_fields__") and not hasattr(kind, "__post_init__")):
        return kind(*arguments, **named)
    raise UntranslatableError(f"{kind.__name__}()")


def _changes(value: Any) -> bool:
    """Whether a value changes with inputs in a way that a formula shows."""
    return symbolic(value) and not isinstance(value, Opaque) and not (isinstance(value, Cell) and value.fixed)


def _known(value: Any) -> Any:
    """Value for a function that the product computes. Raises UntranslatableError where it changes."""
    if _changes(value):
        raise UntranslatableError("a function of the product, of what changes")
    return value.record if isinstance(value, Opaque) else number_of(value)

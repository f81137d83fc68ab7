"""Expressions of a function, evaluated with cells instead of numbers, and the names that it knows."""

import ast
import builtins
import functools
import inspect
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, Protocol

from calculators.declare import Verdict
from calculators.spreadsheet.cells import (
    COMPARISON,
    SUM,
    Cell,
    UntranslatableError,
    chosen,
    computed,
    constant,
    negated,
    operation,
)
from calculators.spreadsheet.helpers import Helpers
from calculators.spreadsheet.operators import (
    all_among,
    all_of,
    any_of,
    compared,
    condition,
    inverted,
    items,
    minus,
    operated,
)
from calculators.spreadsheet.values import Closure, Filtered, Opaque, Unknown, cell, lifted, merged, number_of, symbolic

ERRORS: Final = (UntranslatableError, LookupError, ArithmeticError, ValueError, TypeError, AttributeError)


class Caller(Protocol):
    """Protocol of the interpreter, which calls functions for expressions."""

    helpers: Helpers
    prefix: str

    def invoke(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Return the result of a function of cells."""
        ...


class Expressions:
    """Names known in a function: its `local` ones and those `around` it; `uses` counts where each is read."""

    def __init__(
        self,
        interpreter: Caller,
        around: Mapping[str, Any],
        local: dict[str, Any],
        uses: Mapping[str, int] | None = None,
    ) -> None:
        self._interpreter = interpreter
        self._around = around
        self._local = local
        self._uses = uses or {}

    def bind(self, target: ast.expr, value: Any) -> None:
        """Give a name its value; long formulas that are used twice get cells of their own."""
        match target:
            case ast.Name(id=name):
                self._local[name] = self._kept(name, value, self._uses.get(name, 2) - 1)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                among = [value] * len(targets) if isinstance(value, Unknown) else items(value)
                for each, item in zip(targets, among, strict=True):
                    self.bind(each, item)
            case ast.Subscript():
                self._put(target, value)
            case _:
                raise UntranslatableError(type(target).__name__)

    def _put(self, target: ast.Subscript, value: Any) -> None:
        container, key = self.value(target.value), number_of(self.value(target.slice))
        if not isinstance(container, dict | list) or symbolic(key):
            raise UntranslatableError("an entry that changes")
        container[key] = self._kept(key, value) if isinstance(key, str) else value

    def _kept(self, name: str, value: Any, uses: int = 2) -> Any:
        return self._helpers.kept(f"{self._prefix}.{name}", value, uses) if isinstance(value, Cell) else value

    @contextmanager
    def _under(self, test: Cell) -> Iterator[None]:
        """Helper cells made meanwhile are computed only if this holds."""
        path = self._helpers.path
        path.append(test)
        try:
            yield
        finally:
            path.pop()

    def value(self, node: ast.expr) -> Any:
        """Value of an expression."""
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise UntranslatableError(type(node).__name__)
        return method(node)

    def _constant(self, node: ast.Constant) -> Any:
        return node.value

    def _name(self, node: ast.Name) -> Any:
        if node.id in self._local:
            found = self._local[node.id]
        elif node.id in self._around:
            found = self._constant_of(node.id, self._around[node.id])
        else:
            found = getattr(builtins, node.id)
        if isinstance(found, Unknown):
            raise UntranslatableError(found.reason)
        return found

    def _constant_of(self, name: str, value: Any) -> Any:
        """A module's constant as a cell, anything else unchanged."""
        if isinstance(value, int | float) and not isinstance(value, bool) and name.lstrip("_")[:1].isupper():
            return self._helpers.constant_of(str(self._around.get("__module__", "")), name, value)
        return value

    def _attribute(self, node: ast.Attribute) -> Any:
        return lifted(lambda one: self._read(one, node.attr), self.value(node.value))

    def _read(self, one: Any, name: str) -> Any:
        if isinstance(one, Opaque):
            return self._helpers.value_of(f"{one.path}.{name}", getattr(one.record, name))
        if isinstance(one, Cell | Closure):
            raise UntranslatableError(f".{name} of a number")
        if symbolic(one):
            match inspect.getattr_static(type(one), name, None):
                case property(fget=function) | functools.cached_property(func=function):
                    return self._interpreter.invoke(function, [one], {})
        found = getattr(one, name)
        return self._constant_of(name, found) if isinstance(one, types.ModuleType) else found

    def _binop(self, node: ast.BinOp) -> Any:
        return operated(node.op, self.value(node.left), self.value(node.right))

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        found = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return inverted(found)
        return minus(found) if isinstance(node.op, ast.USub) else found

    def _boolop(self, node: ast.BoolOp) -> Any:
        first, *others = node.values
        return self._joined(isinstance(node.op, ast.And), self.value(first), others)

    def _joined(self, is_and: bool, left: Any, others: Sequence[ast.expr]) -> Any:  # noqa: FBT001  the operator
        """`and` or `or`: what follows is computed only if what comes before does not decide."""
        if not others:
            return left
        test = condition(left)
        if isinstance(test, bool):
            return left if test is not is_and else self._joined(is_and, self.value(others[0]), others[1:])
        with self._under(test if is_and else negated(test)):
            right = self._joined(is_and, self.value(others[0]), others[1:])
        kinds = {cell(one).kind for one in (left, right)}
        if kinds == {"truth"} or len(kinds) > 1:  # of two kinds, only whether it is true can matter
            return all_of(test, right) if is_and else any_of(test, right)
        return merged(test, right, left) if is_and else merged(test, left, right)

    def _compare(self, node: ast.Compare) -> Any:
        values = [self.value(one) for one in (node.left, *node.comparators)]
        found: Any = True
        for sign, left, right in zip(node.ops, values[:-1], values[1:], strict=True):
            found = all_of(found, compared(sign, left, right))
        return found

    def _ifexp(self, node: ast.IfExp) -> Any:
        test = condition(self.value(node.test))
        if isinstance(test, bool):
            return self.value(node.body if test else node.orelse)
        with self._under(test):
            then = self.value(node.body)
        with self._under(negated(test)):
            other = self.value(node.orelse)
        return merged(test, then, other)

    def _call(self, node: ast.Call) -> Any:
        function = self.value(node.func)
        named: dict[str, Any] = {}
        for one in node.keywords:
            if one.arg is None:
                named.update(self.value(one.value))
            elif not (function is Verdict and one.arg == "reason"):  # which is written with the present numbers
                named[one.arg] = self.value(one.value)
        return self._interpreter.invoke(function, self._each(node.args), named)

    def _each(self, nodes: Iterable[ast.expr]) -> list[Any]:
        found: list[Any] = []
        for node in nodes:
            found += items(self.value(node.value)) if isinstance(node, ast.Starred) else [self.value(node)]
        return found

    def _subscript(self, node: ast.Subscript) -> Any:
        return lifted(self._entry, self.value(node.value), number_of(self.value(node.slice)))

    def _entry(self, container: Any, index: Any) -> Any:
        if isinstance(container, Cell):
            raise UntranslatableError("an entry of a number")
        if not isinstance(index, Cell):
            if isinstance(container, Opaque):
                return self._helpers.value_of(f"{container.path}.{index}", container.record[index])
            return container[index]
        if isinstance(container, Mapping):
            return _entry_named(container, index)
        among = [cell(one) for one in items(container)]
        place = operation("+", SUM, lambda one, other: one + other, index, constant(1))
        found = computed(lambda number: among[int(number)].value, index)
        return Cell(f"CHOOSE({place.text},{','.join(one.text for one in among)})", found, fails=True)

    def _slice(self, node: ast.Slice) -> slice:
        return slice(*(one and number_of(self.value(one)) for one in (node.lower, node.upper, node.step)))

    def _tuple(self, node: ast.Tuple) -> tuple[Any, ...]:
        return tuple(self._each(node.elts))

    def _list(self, node: ast.List) -> list[Any]:
        return self._each(node.elts)

    def _set(self, node: ast.Set) -> Any:
        found = self._each(node.elts)
        return found if symbolic(found) else set(found)

    def _dict(self, node: ast.Dict) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for key, one in zip(node.keys, node.values, strict=True):
            if key is None:
                found.update(self.value(one))
                continue
            name = self.value(key)
            try:
                found[name] = self.value(one)
            except ERRORS as error:
                found[name] = Unknown(str(error))
        return found

    def _listcomp(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> list[Any]:
        return list(self._turns(node.generators, lambda: self.value(node.elt)))

    _generatorexp = _listcomp
    _setcomp = _listcomp

    def _dictcomp(self, node: ast.DictComp) -> dict[Any, Any]:
        return dict(self._turns(node.generators, lambda: (self.value(node.key), self.value(node.value))))

    def _turns(self, generators: Sequence[ast.comprehension], element: Callable[[], Any]) -> Iterator[Any]:
        first, *others = generators
        for item in items(self.value(first.iter)):
            self.bind(first.target, item)
            tests = [condition(self.value(test)) for test in first.ifs]
            test = all_among(tests)
            if isinstance(test, Cell):
                with self._under(test):
                    found = list(self._turns(others, element) if others else [element()])
                yield from (Filtered(test, one) for one in found)
            elif test:
                yield from self._turns(others, element) if others else [element()]

    def _joinedstr(self, node: ast.JoinedStr) -> Any:
        found: Any = ""
        for one in node.values:
            if isinstance(one, ast.FormattedValue) and one.format_spec is not None:
                raise UntranslatableError("a text with formatted numbers")
            part = self.value(one.value if isinstance(one, ast.FormattedValue) else one)
            found = lifted(_text_joined, found, part)
        return found

    def _namedexpr(self, node: ast.NamedExpr) -> Any:
        self.bind(node.target, self.value(node.value))
        return self.value(ast.Name(node.target.id, ast.Load()))

    def _lambda(self, node: ast.Lambda) -> Closure:
        return Closure(node, self._all())

    def _all(self) -> Mapping[str, Any]:
        return {**self._around, **self._local}

    @property
    def _helpers(self) -> Helpers:
        return self._interpreter.helpers

    @property
    def _prefix(self) -> str:
        return self._interpreter.prefix


def _text_joined(text: Any, part: Any) -> Any:
    if not symbolic(text) and not symbolic(part):
        return f"{text}{part}"
    if cell(part).kind != "text":
        raise UntranslatableError("a text with numbers")
    return part if text == "" else operated(ast.Add(), text, part)


def _entry_named(container: Mapping[Any, Any], index: Cell) -> Cell:
    """Entry of a table by a text that changes."""
    if index.kind != "text":
        raise UntranslatableError("an entry that changes")
    *others, last = items(container)
    found = cell(container[last])
    for other in reversed(others):
        test = operation("=", COMPARISON, lambda one, two: one == two, index, constant(other))
        found = chosen(test, cell(container[other]), found)
    return found

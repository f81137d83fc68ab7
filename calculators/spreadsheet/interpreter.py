"""Interpreter: the Python of a formula, evaluated with cells in place of numbers."""

import ast
import builtins
import functools
import inspect
import textwrap
import types
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from calculators.declare import Verdict
from calculators.declare.formulas import Formula
from calculators.spreadsheet import functions
from calculators.spreadsheet.cells import (
    COMPARISON,
    JOIN,
    POWER,
    PRODUCT,
    SUM,
    Cell,
    UntranslatableError,
    both,
    call,
    chosen,
    computed,
    constant,
    either,
    is_missing,
    negated,
    operation,
    truth,
    whole,
)
from calculators.spreadsheet.helpers import Helpers
from calculators.spreadsheet.values import (
    Cases,
    Closure,
    Opaque,
    Unknown,
    cell,
    lifted,
    merged,
    number_of,
    symbolic,
)

_DEEPEST = 24  # calls within calls
_MOST_TURNS = 60  # of a loop, each of which is written out
_ERRORS = (UntranslatableError, LookupError, ArithmeticError, ValueError, TypeError, AttributeError, RecursionError)
_SIGNS: Mapping[type[ast.AST], tuple[str, int, Callable[[Any, Any], Any]]] = types.MappingProxyType(
    {
        ast.Add: ("+", SUM, lambda one, other: one + other),
        ast.Sub: ("-", SUM, lambda one, other: one - other),
        ast.Mult: ("*", PRODUCT, lambda one, other: one * other),
        ast.Div: ("/", PRODUCT, lambda one, other: one / other),
        ast.Pow: ("^", POWER, lambda one, other: one**other),
        ast.FloorDiv: ("//", PRODUCT, lambda one, other: one // other),
        ast.Mod: ("%", PRODUCT, lambda one, other: one % other),
        ast.Eq: ("=", COMPARISON, lambda one, other: one == other),
        ast.NotEq: ("<>", COMPARISON, lambda one, other: one != other),
        ast.Lt: ("<", COMPARISON, lambda one, other: one < other),
        ast.LtE: ("<=", COMPARISON, lambda one, other: one <= other),
        ast.Gt: (">", COMPARISON, lambda one, other: one > other),
        ast.GtE: (">=", COMPARISON, lambda one, other: one >= other),
    }
)
_NOTHING = object()
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

    def result(self, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
        """Result of a function for these arguments. Raises UntranslatableError."""
        try:
            return self.invoke(function, arguments, {})
        except UntranslatableError:
            raise
        except _ERRORS as error:
            raise UntranslatableError(f"{type(error).__name__}: {error}") from error

    def invoke(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Result of calling anything that a formula calls."""
        if isinstance(function, Cases):
            return self._of_cases(function, arguments, named)
        if isinstance(function, Opaque):
            return self._of_record(function, arguments, named)
        if isinstance(function, Formula):
            function = function.function
        if isinstance(function, Closure):
            return self._body(function.function, function.environment, (*function.bound, *arguments), named)
        function = inspect.unwrap(function) if callable(function) else function
        if function is Verdict:
            return Verdict(level=named["level"], word=named["word"])
        inside = (*arguments, *named.values())
        if isinstance(function, types.MethodType) and (symbolic(function.__self__) or any(map(symbolic, inside))):
            arguments, function = (function.__self__, *arguments), function.__func__
            inside = (*arguments, *named.values())
        if not any(map(symbolic, inside)):
            return function(*arguments, **named)
        if any(isinstance(one, Opaque) for one in inside) and not any(map(_changes, inside)):
            return self._of_record(function, arguments, named)
        found = self._built_in(function, list(arguments), dict(named))
        if found is not _NOTHING:
            return found
        if isinstance(function, type):
            return self._instance(function, arguments, named)
        if isinstance(function, types.FunctionType) and function.__module__.startswith("calculators."):
            return self._interpreted(function, arguments, named)
        name = getattr(function, "__name__", str(function))
        raise UntranslatableError(f"{name}()")

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

    def _instance(self, kind: type, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        if hasattr(kind, "_fields") or (hasattr(kind, "__dataclass_fields__") and not hasattr(kind, "__post_init__")):
            return kind(*arguments, **named)
        raise UntranslatableError(f"{kind.__name__}()")

    def _interpreted(self, function: types.FunctionType, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        free = {}
        for name, content in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            free[name] = content.cell_contents
        scope = {**function.__globals__, "__module__": function.__module__, **free}
        bound = inspect.signature(function).bind(*arguments, **named)
        bound.apply_defaults()
        return self._called(definition(function), scope, bound.arguments, _variadic(function))

    def _body(
        self, node: ast.FunctionDef | ast.Lambda, scope: Mapping[str, Any], given: Sequence[Any], named: Mapping[str, Any]
    ) -> Any:
        names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
        missing = names[len(given) :]
        defaults = dict(zip(names[::-1], node.args.defaults[::-1], strict=False))
        found = dict(zip(names, given, strict=False))
        for name in missing:
            found[name] = named[name] if name in named else _Scope(self, scope, {}).value(defaults[name])
        if isinstance(node, ast.Lambda):
            return _Scope(self, scope, found).value(node.body)
        return self._called(node, scope, found, frozenset())

    def _called(
        self, node: ast.FunctionDef, scope: Mapping[str, Any], given: Mapping[str, Any], variadic: frozenset[str]
    ) -> Any:
        if self._depth >= _DEEPEST:
            raise UntranslatableError("calls too deep")
        uses = Counter(one.id for one in ast.walk(node) if isinstance(one, ast.Name))
        begun, self._depth = self.prefix, self._depth + 1
        try:
            if self._depth > 1:
                self.prefix = f"{begun}.{node.name}"
            local = {
                name: one if name in variadic else self.helpers.kept(f"{self.prefix}.{name}", one, uses[name])
                if isinstance(one, Cell)
                else one
                for name, one in given.items()
            }
            found = _Scope(self, scope, local, uses).block(node.body)
        finally:
            self.prefix, self._depth = begun, self._depth - 1
        return None if found is _NOTHING else found

    def _built_in(self, function: Any, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Result of a function of Python itself, or _NOTHING."""
        if function in (min, max):
            return self._extreme(function, arguments, named)
        if function is sum:
            items = [*([arguments[1]] if len(arguments) > 1 else []), *_items(arguments[0])]
            return whole([cell(one) for one in items], "SUM", lambda *values: sum(values)) if items else 0
        if function in (any, all):
            result: Any = function is all
            for one in _items(arguments[0]):
                result = self.joined(function is all, result, one)
            return result
        if function is range:
            return range(*(number_of(one) for one in arguments))
        if function is bool:
            return self.truth(arguments[0])
        if function in _OF_CONTAINERS or function is sorted and not named and not symbolic(arguments):
            return function(*arguments, **named)
        if function in (math_pow := (pow,)) or not named:
            if any(isinstance(one, Cases) for one in arguments):
                made = lifted(lambda *given: self._plain(function, given), *arguments)
                return made
            return self._plain(function, arguments)
        return _NOTHING

    def _plain(self, function: Any, arguments: Sequence[Any]) -> Any:
        if not any(map(symbolic, arguments)):
            return function(*arguments)
        if any(not isinstance(one, Cell | int | float | str | bool | None) for one in arguments):
            return _NOTHING
        found = functions.translated(function, list(arguments))
        return _NOTHING if found is None else found

    def _extreme(self, function: Any, arguments: list[Any], named: dict[str, Any]) -> Any:
        items = list(_items(arguments[0])) if len(arguments) == 1 else arguments
        if not items and "default" in named:
            return named["default"]
        if key := named.get("key"):
            best, *others = items
            for other in others:
                keys = [self.invoke(key, [one], {}) for one in (best, other)]
                keys = [self.helpers.kept(f"{self.prefix}.key", cell(one)) for one in keys]
                sign = ast.Gt() if function is max else ast.Lt()
                best = merged(cell(self.compared(sign, keys[1], keys[0])), other, best)
            return best
        name = "MAX" if function is max else "MIN"
        return whole([cell(one) for one in items], name, lambda *values: function(values))

    def truth(self, value: Any) -> Any:
        """Value as a condition: a bool or a cell."""
        if isinstance(value, Cases):
            value = cell(lifted(lambda one: truth(one) if isinstance(one, Cell) else bool(one), value))
        if isinstance(value, Cell):
            return truth(value)
        if isinstance(value, Unknown):
            raise UntranslatableError(value.reason)
        return bool(value)

    def joined(self, needs_both: bool, left: Any, right: Any) -> Any:  # noqa: FBT001  the operator
        """`and` or `or` of two conditions."""
        one, other = self.truth(left), self.truth(right)
        if isinstance(one, bool):
            return (other if one else one) if needs_both else (one if one else other)
        if isinstance(other, bool):
            return (one if other else other) if needs_both else (other if other else one)
        return both(one, other) if needs_both else either(one, other)

    def compared(self, sign: ast.cmpop, left: Any, right: Any) -> Any:
        """Result of a comparison."""
        if isinstance(sign, ast.Is | ast.IsNot):
            return self._is(sign, left, right)
        if isinstance(sign, ast.In | ast.NotIn):
            return self._is_in(sign, left, right)
        text, rank, function = _SIGNS[type(sign)]
        return lifted(lambda one, other: self._binary(text, rank, function, one, other), left, right)

    def _is(self, sign: ast.cmpop, left: Any, right: Any) -> Any:
        def same(one: Any, other: Any) -> Any:
            if isinstance(one, Cell) and other is None:
                if not one.optional:
                    return False
                return is_missing(one)
            if symbolic(one) or symbolic(other):
                if isinstance(other, type(None)) and not isinstance(one, Cell):
                    return False
                raise UntranslatableError("is")
            return one is other

        found = lifted(same, left, right)
        return found if isinstance(sign, ast.Is) else self.inverted(found)

    def inverted(self, value: Any) -> Any:
        """`not` of a value."""
        found = self.truth(value)
        return negated(found) if isinstance(found, Cell) else not found

    def _is_in(self, sign: ast.cmpop, left: Any, right: Any) -> Any:
        def within(one: Any, others: Any) -> Any:
            if not symbolic(one) and not symbolic(others):
                return one in others
            found: Any = False
            for other in _items(others):
                found = self.joined(False, found, self.compared(ast.Eq(), one, other))
            return found

        found = lifted(within, left, right)
        return found if isinstance(sign, ast.In) else self.inverted(found)

    def binary(self, sign: ast.operator, left: Any, right: Any) -> Any:
        """Result of an arithmetic operator."""
        text, rank, function = _SIGNS.get(type(sign), ("", 0, None))
        if function is None:
            raise UntranslatableError(type(sign).__name__)
        return lifted(lambda one, other: self._binary(text, rank, function, one, other), left, right)

    def _binary(self, text: str, rank: int, function: Callable[[Any, Any], Any], one: Any, other: Any) -> Any:
        if not symbolic(one) and not symbolic(other):
            return function(one, other)
        for each in (one, other):
            if isinstance(each, list | tuple):
                if isinstance(each, list | tuple) and text in {"+", "*"}:
                    return function(number_of(one), number_of(other))
                raise UntranslatableError("a list in arithmetic")
        left, right = cell(one), cell(other)
        if rank == COMPARISON and None in (one, other):
            kept = left if other is None else right
            missing = is_missing(kept) if kept.optional else constant(False)
            return missing if text == "=" else negated(missing)
        if "text" in (left.kind, right.kind) and rank != COMPARISON:
            if text == "+" and left.kind == right.kind == "text":
                return operation("&", JOIN, function, left, right)
            raise UntranslatableError("arithmetic with a text")
        if text in {"//", "%"}:
            quotient = operation("/", PRODUCT, lambda a, b: a / b, left, right)
            floored = Cell(f"INT({quotient.text})", computed(lambda a, b: a // b, left, right), fails=True)
            if text == "//":
                return floored
            return call("MOD", function, left, right, fails=True)
        return operation(text, rank, function, left, right)


def _changes(value: Any) -> bool:
    """Whether a value changes with inputs in a way that a formula shows."""
    return symbolic(value) and not isinstance(value, Opaque) and not (isinstance(value, Cell) and value.fixed)


def _known(value: Any) -> Any:
    """Value for a function that the product computes. Raises UntranslatableError where it changes."""
    if _changes(value):
        raise UntranslatableError("a function of the product, of what changes")
    return value.record if isinstance(value, Opaque) else number_of(value)


def _variadic(function: Callable[..., Any]) -> frozenset[str]:
    kinds = inspect.signature(function).parameters.values()
    return frozenset(one.name for one in kinds if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD))


def _items(value: Any) -> Iterable[Any]:
    """Items of a container whose length is known."""
    if isinstance(value, Cell | Cases | Opaque | Closure | Unknown):
        raise UntranslatableError("a list whose length changes")
    if isinstance(value, Mapping):
        return list(value)
    found = list(value)
    if len(found) > _MOST_TURNS:
        raise UntranslatableError("a long list")
    return found


class _Scope:
    """Names known in a function: its own, those around it, and Python's."""

    def __init__(
        self,
        interpreter: Interpreter,
        around: Mapping[str, Any],
        local: dict[str, Any],
        uses: Mapping[str, int] | None = None,
    ) -> None:
        self.interpreter = interpreter
        self.around = around
        self.local = local
        self.uses = uses or {}

    # Statements

    def block(self, statements: Sequence[ast.stmt]) -> Any:
        """Value that statements return, or _NOTHING where they end without."""
        for place, one in enumerate(statements):
            rest = statements[place + 1 :]
            match one:
                case ast.Return():
                    return None if one.value is None else self.value(one.value)
                case ast.If():
                    found = self._if(one, rest)
                    if found is not _NOTHING:
                        return found[0]
                case ast.For():
                    return self._for(one, rest)
                case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.ImportFrom():
                    pass
                case ast.Expr(value=ast.Call()):
                    self._called_for_effect(one.value)
                case ast.FunctionDef():
                    self.local[one.name] = Closure(one, self._all())
                case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                    self._assigned(one)
                case _:
                    raise UntranslatableError(type(one).__name__)
        return _NOTHING

    def _called_for_effect(self, node: ast.Call) -> None:
        """`items.append(item)`."""
        if isinstance(node.func, ast.Attribute) and node.func.attr in {"append", "extend"}:
            target = self.value(node.func.value)
            if isinstance(target, list):
                getattr(target, node.func.attr)(self.value(node.args[0]))
                return
        raise UntranslatableError("a call for its effect")

    def _assigned(self, one: ast.Assign | ast.AnnAssign | ast.AugAssign) -> None:
        targets = one.targets if isinstance(one, ast.Assign) else [one.target]
        try:
            if isinstance(one, ast.AugAssign):
                name = ast.copy_location(ast.parse(ast.unparse(one.target), mode="eval").body, one)
                found = self.interpreter.binary(one.op, self.value(name), self.value(one.value))
            else:
                found = None if one.value is None else self.value(one.value)
        except _ERRORS as error:
            found = Unknown(str(error))
        for target in targets:
            self.bind(target, found)

    def bind(self, target: ast.expr, value: Any) -> None:
        """Give a name its value; long formulas that are used twice get cells of their own."""
        if isinstance(target, ast.Name):
            if isinstance(value, Cell):
                value = self._helpers.kept(f"{self._prefix}.{target.id}", value, self.uses.get(target.id, 2) - 1)
            self.local[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            items = [value] * len(target.elts) if isinstance(value, Unknown) else list(_items(value))
            if len(items) != len(target.elts):
                raise UntranslatableError("a tuple of another length")
            for each, item in zip(target.elts, items, strict=True):
                self.bind(each, item)
        elif isinstance(target, ast.Subscript):
            container, key = self.value(target.value), number_of(self.value(target.slice))
            if not isinstance(container, dict | list) or symbolic(key):
                raise UntranslatableError("an entry that changes")
            if isinstance(value, Cell) and isinstance(key, str):
                value = self._helpers.kept(f"{self._prefix}.{key}", value)
            container[key] = value
        else:
            raise UntranslatableError(type(target).__name__)

    def _if(self, one: ast.If, rest: Sequence[ast.stmt]) -> Any:
        """A tuple of what is returned, or _NOTHING where the rest is still to be done."""
        condition = self.interpreter.truth(self.value(one.test))
        if isinstance(condition, bool):
            taken = one.body if condition else one.orelse
            found = self.block([*taken, *rest] if _returns(taken) else taken)
            return _NOTHING if found is _NOTHING and not _returns(taken) else (found,)
        condition = self._helpers.kept(f"{self._prefix}.if", condition)
        returns = _returns(one.body) or _returns(one.orelse)
        results, scopes = [], []
        for statements, under in ((one.body, condition), (one.orelse, negated(condition))):
            scope = _Scope(self.interpreter, self.around, {key: _copy(v) for key, v in self.local.items()}, self.uses)
            self._helpers.path.append(under)
            try:
                results.append(scope.block([*statements, *rest] if returns else statements))
            finally:
                self._helpers.path.pop()
            scopes.append(scope)
        if returns:
            then, other = (None if result is _NOTHING else result for result in results)
            return (merged(condition, then, other),)
        for name in {*scopes[0].local, *scopes[1].local}:
            then, other = (scope.local.get(name, Unknown(f"{name} is not always set")) for scope in scopes)
            try:
                found = merged(condition, then, other)
            except _ERRORS as error:
                found = Unknown(str(error))
            if isinstance(found, Cell) and found is not then:
                found = self._helpers.kept(f"{self._prefix}.{name}", found, self.uses.get(name, 2) - 1)
            self.local[name] = found
        return _NOTHING

    def _for(self, one: ast.For, rest: Sequence[ast.stmt]) -> Any:
        """The loop written out, and what follows it."""
        items = list(_items(self.value(one.iter)))
        if any(isinstance(node, ast.Break | ast.Continue) for node in ast.walk(one)):
            raise UntranslatableError("a loop that ends early")
        return self._turns(one, items, rest)

    def _turns(self, one: ast.For, items: Sequence[Any], rest: Sequence[ast.stmt]) -> Any:
        if _returns(one.body) and items:
            raise UntranslatableError("a loop that returns")
        for item in items:
            self.bind(one.target, item)
            self.block(one.body)
        return self.block([*one.orelse, *rest])

    # Expressions

    def value(self, node: ast.expr) -> Any:
        """Value of an expression."""
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise UntranslatableError(type(node).__name__)
        return method(node)

    def _constant(self, node: ast.Constant) -> Any:
        return node.value

    def _name(self, node: ast.Name) -> Any:
        if node.id in self.local:
            found = self.local[node.id]
        elif node.id in self.around:
            found = self._constant_of(node.id, self.around[node.id])
        else:
            found = getattr(builtins, node.id)
        if isinstance(found, Unknown):
            raise UntranslatableError(found.reason)
        return found

    def _constant_of(self, name: str, value: Any) -> Any:
        if isinstance(value, int | float) and not isinstance(value, bool) and name.lstrip("_")[:1].isupper():
            return self._helpers.constant_of(str(self.around.get("__module__", "")), name, value)
        return value

    def _attribute(self, node: ast.Attribute) -> Any:
        return lifted(lambda one: self._read(one, node.attr), self.value(node.value))

    def _read(self, one: Any, name: str) -> Any:
        if isinstance(one, Opaque):
            found = getattr(one.record, name)
            return self._helpers.value_of(f"{one.path}.{name}", found)
        if isinstance(one, Cell | Cases | Closure):
            raise UntranslatableError(f".{name} of a number")
        kind = type(one)
        declared = inspect.getattr_static(kind, name, None)
        if symbolic(one):
            if isinstance(declared, property):
                return self.interpreter.invoke(declared.fget, [one], {})
            if isinstance(declared, functools.cached_property):
                return self.interpreter.invoke(declared.func, [one], {})
        found = getattr(one, name)
        if isinstance(one, types.ModuleType):
            return self._constant_of(name, found)
        return found

    def _binop(self, node: ast.BinOp) -> Any:
        return self.interpreter.binary(node.op, self.value(node.left), self.value(node.right))

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        found = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return self.interpreter.inverted(found)
        if isinstance(node.op, ast.USub):
            return lifted(self._minus, found)
        return found

    @staticmethod
    def _minus(one: Any) -> Any:
        if not isinstance(one, Cell):
            return -one
        text = one.text if one.rank > SUM else f"({one.text})"
        return Cell(f"-{text}", computed(lambda value: -value, one), SUM, fails=one.fails or one.optional)

    def _boolop(self, node: ast.BoolOp) -> Any:
        needs_both = isinstance(node.op, ast.And)
        first, *others = node.values
        found = self.value(first)
        pushed = 0
        try:
            for other in others:
                condition = self.interpreter.truth(found)
                if isinstance(condition, bool):
                    if condition is not needs_both:
                        return found
                    found = self.value(other)
                    continue
                self._helpers.path.append(condition if needs_both else negated(condition))
                pushed += 1
                following = self.value(other)
                found = self._both(needs_both, found, condition, following)
        finally:
            del self._helpers.path[len(self._helpers.path) - pushed :]
        return found

    def _both(self, needs_both: bool, left: Any, condition: Cell, right: Any) -> Any:  # noqa: FBT001
        kinds = [one.kind if isinstance(one, Cell) else "truth" for one in (left, right)]
        if kinds == ["truth", "truth"]:
            return self.interpreter.joined(needs_both, condition, right)
        return merged(condition, right, left) if needs_both else merged(condition, left, right)

    def _compare(self, node: ast.Compare) -> Any:
        values = [self.value(one) for one in (node.left, *node.comparators)]
        found: Any = True
        for sign, left, right in zip(node.ops, values[:-1], values[1:], strict=True):
            found = self.interpreter.joined(True, found, self.interpreter.compared(sign, left, right))
        return found

    def _ifexp(self, node: ast.IfExp) -> Any:
        condition = self.interpreter.truth(self.value(node.test))
        if isinstance(condition, bool):
            return self.value(node.body if condition else node.orelse)
        results = []
        for branch, under in ((node.body, condition), (node.orelse, negated(condition))):
            self._helpers.path.append(under)
            try:
                results.append(self.value(branch))
            finally:
                self._helpers.path.pop()
        return merged(condition, *results)

    def _call(self, node: ast.Call) -> Any:
        function = self.value(node.func)
        named = {}
        for one in node.keywords:
            if one.arg is None:
                named.update(self.value(one.value))
            elif function is Verdict and one.arg == "reason":
                continue  # it is written with the present numbers, so it is no formula
            else:
                named[one.arg] = self.value(one.value)
        return self.interpreter.invoke(function, self._each(node.args), named)

    def _each(self, nodes: Iterable[ast.expr]) -> list[Any]:
        found: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                found += _items(self.value(node.value))
            else:
                found.append(self.value(node))
        return found

    def _subscript(self, node: ast.Subscript) -> Any:
        container, index = self.value(node.value), number_of(self.value(node.slice))
        return lifted(self._entry, container, index)

    def _entry(self, container: Any, index: Any) -> Any:
        if isinstance(container, Opaque):
            if symbolic(index):
                raise UntranslatableError(f"an entry of {container.path} that changes")
            return self._helpers.value_of(f"{container.path}.{index}", container.record[index])
        if isinstance(container, Cell):
            raise UntranslatableError("an entry of a number")
        if not isinstance(index, Cell):
            return container[index]
        items = list(_items(container))
        if isinstance(container, Mapping):
            if index.kind != "text":
                raise UntranslatableError("an entry that changes")
            *others, last = items
            found = cell(container[last])
            for other in reversed(others):
                test = operation("=", COMPARISON, lambda one, two: one == two, index, constant(other))
                found = chosen(test, cell(container[other]), found)
            return found
        made = [cell(one) for one in items]
        shifted = operation("+", SUM, lambda one, other: one + other, index, constant(1))
        picked = computed(lambda place: made[int(place)].value, index)
        return Cell(f"CHOOSE({shifted.text},{','.join(one.text for one in made)})", picked, fails=True)

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
        found = {}
        for key, one in zip(node.keys, node.values, strict=True):
            if key is None:
                found.update(self.value(one))
            else:
                name = self.value(key)
                try:
                    found[name] = self.value(one)
                except _ERRORS as error:
                    found[name] = Unknown(str(error))
        return found

    def _listcomp(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> list[Any]:
        return list(self._turned(node.generators, lambda: self.value(node.elt)))

    _generatorexp = _listcomp
    _setcomp = _listcomp

    def _dictcomp(self, node: ast.DictComp) -> dict[Any, Any]:
        pairs = self._turned(node.generators, lambda: (self.value(node.key), self.value(node.value)))
        return dict(pairs)

    def _turned(self, generators: Sequence[ast.comprehension], element: Callable[[], Any]) -> Iterator[Any]:
        first, *others = generators
        for item in _items(self.value(first.iter)):
            self.bind(first.target, item)
            kept = True
            for test in first.ifs:
                condition = self.interpreter.truth(self.value(test))
                if not isinstance(condition, bool):
                    raise UntranslatableError("a list whose length changes")
                kept = kept and condition
            if kept and others:
                yield from self._turned(others, element)
            elif kept:
                yield element()

    def _joinedstr(self, node: ast.JoinedStr) -> Any:
        parts = []
        for part in node.values:
            found = self.value(part.value if isinstance(part, ast.FormattedValue) else part)
            if symbolic(found):
                raise UntranslatableError("a text with numbers")
            spec = ast.literal_eval(part.format_spec.values[0]) if _has_format(part) else ""  # type: ignore[union-attr,attr-defined]
            parts.append(format(found, spec))
        return "".join(parts)

    def _namedexpr(self, node: ast.NamedExpr) -> Any:
        self.bind(node.target, self.value(node.value))
        return self.value(ast.Name(node.target.id, ast.Load()))

    def _lambda(self, node: ast.Lambda) -> Closure:
        return Closure(node, self._all())

    def _all(self) -> Mapping[str, Any]:
        return {**self.around, **self.local}

    @property
    def _helpers(self) -> Helpers:
        return self.interpreter.helpers

    @property
    def _prefix(self) -> str:
        return self.interpreter.prefix


def _has_format(part: ast.expr) -> bool:
    return isinstance(part, ast.FormattedValue) and part.format_spec is not None


def _returns(statements: Iterable[ast.stmt]) -> bool:
    """Whether statements return, nested functions aside."""
    for one in statements:
        if isinstance(one, ast.Return):
            return True
        if not isinstance(one, ast.FunctionDef) and any(
            _returns(getattr(one, part, ())) for part in ("body", "orelse")
        ):
            return True
    return False


def _copy(value: Any) -> Any:
    return type(value)(value) if type(value) in (dict, list) else value

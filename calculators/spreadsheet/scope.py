"""Scope: statements of a function, evaluated with cells instead of numbers."""

import ast
from collections.abc import Iterable, Sequence
from typing import Any, Final

from calculators.spreadsheet.cells import (
    Cell,
    UntranslatableError,
    negated,
)
from calculators.spreadsheet.expressions import ERRORS, Expressions
from calculators.spreadsheet.operators import (
    condition,
    items,
    operated,
)
from calculators.spreadsheet.values import Closure, Unknown, merged

NOTHING: Final = object()  # what statements return that end without `return`
_ADDING = frozenset({"append", "extend"})


class _Bound(ast.stmt):
    """Statement that gives a loop's variable its item."""

    def __init__(self, named: ast.expr, item: Any) -> None:
        super().__init__()
        self.named, self.item = named, item


class Scope(Expressions):
    """A function's names, and its statements one after the other."""

    def block(self, statements: Sequence[ast.stmt]) -> Any:
        """Value that statements return, or NOTHING where they end without."""
        for place, one in enumerate(statements):
            rest = statements[place + 1 :]
            if isinstance(one, ast.Return):
                return None if one.value is None else self.value(one.value)
            if isinstance(one, ast.If):
                found = self._if(one, rest)
                if found is not NOTHING:
                    return found[0]
            elif isinstance(one, ast.For):
                return self._for(one, rest)
            else:
                self._statement(one)
        return NOTHING

    def _statement(self, one: ast.stmt) -> None:
        match one:
            case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.ImportFrom():
                pass
            case ast.Expr(value=ast.Call()):
                self._added(one.value)
            case _Bound():
                self.bind(one.named, one.item)
            case ast.FunctionDef():
                self._local[one.name] = Closure(one, self._all())
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                self._assigned(one)
            case _:
                raise UntranslatableError(type(one).__name__)

    def _added(self, node: ast.expr) -> None:
        """`list.append(item)`."""
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=method), args=[item]) if method in _ADDING:
                target = self.value(value)
                if isinstance(target, list):
                    getattr(target, method)(self.value(item))
                    return
        raise UntranslatableError("a call for its effect")

    def _assigned(self, one: ast.Assign | ast.AnnAssign | ast.AugAssign) -> None:
        try:
            if isinstance(one, ast.AugAssign):
                before = ast.parse(ast.unparse(one.target), mode="eval").body
                found = operated(one.op, self.value(before), self.value(one.value))
            else:
                found = None if one.value is None else self.value(one.value)
        except ERRORS as error:
            found = Unknown(str(error))
        for target in one.targets if isinstance(one, ast.Assign) else [one.target]:
            self.bind(target, found)

    def _if(self, one: ast.If, rest: Sequence[ast.stmt]) -> Any:
        """A tuple of what is returned, or NOTHING where the rest is still to be done."""
        test = condition(self.value(one.test))
        if isinstance(test, bool):
            taken = one.body if test else one.orelse
            found = self.block([*taken, *rest] if _returns(taken) else taken)
            return (found,) if _returns(taken) else NOTHING
        test = self._kept("if", test)
        if _returns(one.body) or _returns(one.orelse):
            found = [self._branch(body, rest, under)[0] for body, under in _branches(one, test)]
            return (merged(test, *(None if each is NOTHING else each for each in found)),)
        then, other = (self._branch(body, (), under)[1] for body, under in _branches(one, test))
        for name in dict.fromkeys((*then, *other)):
            both = [local.get(name, Unknown(f"{name} is not always set")) for local in (then, other)]
            try:
                value = merged(test, *both)
            except ERRORS as error:
                value = Unknown(str(error))
            self._local[name] = value if value is both[0] else self._kept(name, value, self._uses.get(name, 2) - 1)
        return NOTHING

    def _branch(
        self, statements: Sequence[ast.stmt], rest: Sequence[ast.stmt], under: Cell
    ) -> tuple[Any, dict[str, Any]]:
        """Return value of a branch, and its names."""
        local = {name: _copied(value) for name, value in self._local.items()}
        with self._under(under):
            return Scope(self._interpreter, self._around, local, self._uses).block([*statements, *rest]), local

    def _for(self, one: ast.For, rest: Sequence[ast.stmt]) -> Any:
        """The loop written out, and what follows it."""
        if any(isinstance(node, ast.Break | ast.Continue) for node in ast.walk(one)):
            raise UntranslatableError("a loop that ends early")
        turns = [(_Bound(one.target, item), *one.body) for item in items(self.value(one.iter))]
        return self.block([*(each for turn in turns for each in turn), *one.orelse, *rest])


def _branches(one: ast.If, test: Cell) -> tuple[tuple[list[ast.stmt], Cell], tuple[list[ast.stmt], Cell]]:
    return (one.body, test), (one.orelse, negated(test))


def _returns(statements: Iterable[ast.stmt]) -> bool:
    """Whether statements return; functions defined among them aside."""
    for one in statements:
        if isinstance(one, ast.Return):
            return True
        parts = () if isinstance(one, ast.FunctionDef) else (getattr(one, part, ()) for part in ("body", "orelse"))
        if any(map(_returns, parts)):
            return True
    return False


def _copied(value: Any) -> Any:
    return type(value)(value) if type(value) in (dict, list) else value

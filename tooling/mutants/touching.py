"""Which tests execute which statements, so that a changed one is tried on those alone.

The modules are imported with a mark before each statement of a function. A context is a test, a file of tests or
nothing, by pytest's name for it: what a fixture of a whole file executes counts for every test of the file, what
importing executes for every test there is, and so does what is outside of functions. A test that starts a process
counts as executing everything, since its own work is not seen. Answers that are cached between tests are
forgotten before each, or only the first would count as executing what made them.
"""

from __future__ import annotations

import ast
import builtins
import gc
import importlib
import pkgutil
import sys
import time
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import CodeType

EVERYTHING = ""
OUTSIDE = 0  # the line of what is in no function
STARTING = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "os.system"})
PATIENCE = (0.1, 1.0)  # seconds; tests that took longer come later, in two steps: files share what they prepare
MARK = "__executed__"
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Touched:
    """Coverage of a run of the tests: contexts, which of them by statement, which started a process."""

    contexts: list[str]
    statements: dict[str, list[int]]
    starting: list[str]
    seconds: dict[str, float]  # of each test

    def of(self, module: str, lines: Iterable[int]) -> frozenset[str]:
        """The tests that executed the statements of a module that begin at these lines, or may have."""
        if OUTSIDE in lines:
            return frozenset(self.seconds)
        numbers = {number for line in lines for number in self.statements.get(_named(module, line), ())}
        contexts = {*self.starting, *(self.contexts[number] for number in numbers)}
        within = tuple(f"{context}{sign}" for context in contexts for sign in ("::", "/"))
        return frozenset(
            test for test in self.seconds if EVERYTHING in contexts or test in contexts or test.startswith(within)
        )


class Recorder:
    """A plugin of pytest that records what the tests execute of some modules, which nothing has imported before."""

    def __init__(self, modules: Iterable[str]) -> None:
        self.contexts: dict[str, int] = {}
        self.statements: dict[str, set[int]] = {}
        self.starting: set[str] = set()
        self.seconds: dict[str, float] = {}
        self.executed: set[str] = set()
        self.context = EVERYTHING
        setattr(builtins, MARK, self.executed.add)
        files = {str(Path(module).resolve()): module for module in modules}
        get_code = SourceFileLoader.get_code

        def marked(loader: SourceFileLoader, name: str) -> CodeType | None:
            module = files.get(str(Path(loader.path).resolve()))
            if module is None:
                return get_code(loader, name)
            tree = _with_marks(ast.parse(loader.get_data(loader.path)), module)
            return compile(tree, loader.path, "exec", dont_inherit=True)

        SourceFileLoader.get_code = marked  # type: ignore[assignment,method-assign]  # for the rest of this process

    def enter(self, context: str) -> str:
        """Count what is executed from now on for another context; return the one before."""
        number = self.contexts.setdefault(self.context, len(self.contexts))
        for statement in self.executed:
            self.statements.setdefault(statement, set()).add(number)
        self.executed.clear()
        before, self.context = self.context, context
        return before

    def pytest_collection_finish(self) -> None:
        """Import what a test might be the first to import, and look for what remembers."""
        for module in pkgutil.walk_packages(["calculators"], "calculators."):
            importlib.import_module(module.name)
        self.remembering = list(_remembering())
        sys.addaudithook(lambda event, _: self.starting.add(self.context) if event in STARTING else None)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:
        """Record for a test, which begins knowing nothing."""
        before, has_started = self.enter(item.nodeid), time.monotonic()
        for cached in _caches():
            cached.cache_clear()
        for own, name in self.remembering:
            own.pop(name, None)
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = time.monotonic() - has_started
            self.enter(before)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, request: pytest.FixtureRequest) -> Iterator[Any]:
        """Record for all tests that share a fixture."""
        before = self.enter(request.node.nodeid)
        try:
            return (yield)
        finally:
            self.enter(before)

    def touched(self) -> Touched:
        """Recorded coverage."""
        self.enter(EVERYTHING)
        statements = {statement: sorted(numbers) for statement, numbers in self.statements.items()}
        return Touched(list(self.contexts), statements, sorted(self.starting), self.seconds)


class Chosen:
    """A plugin of pytest that leaves out the tests that cannot notice, and puts slow ones later."""

    def __init__(self, touched: Touched, chosen: frozenset[str]) -> None:
        self.seconds, self.chosen = touched.seconds, chosen

    @pytest.hookimpl(wrapper=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Iterator[None]:
        """Leave out; a test that was not there when the statements were recorded stays."""
        yield
        items[:] = [item for item in items if item.nodeid in self.chosen or item.nodeid not in self.seconds]
        items.sort(key=lambda item: sum(self.seconds.get(item.nodeid, 0) > limit for limit in PATIENCE))


def changed(before: str, after: str) -> set[int]:
    """Where the statements of a source begin that another version of it has otherwise."""
    old, new = before.splitlines(), after.splitlines()
    lines: set[int] = set()
    for what, first, last, *_ in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what != "equal":
            lines.update(range(first + 1, max(last, first + 1) + 1))
    tree = ast.parse(before)
    inside = {each for function in ast.walk(tree) if isinstance(function, Function) for each in _statements(function)}
    return {max((each.lineno for each in inside if line in _lines(each)), default=OUTSIDE) for line in lines}


def _statements(function: Function) -> Iterator[ast.stmt]:
    """Every statement in a function, however deep; a documentation is none."""
    return (each for one in _stated(function) for each in ast.walk(one) if isinstance(each, ast.stmt))


def _stated(function: Function) -> list[ast.stmt]:
    return function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body


def _lines(statement: ast.stmt) -> range:
    decorators = getattr(statement, "decorator_list", [])
    first = min(each.lineno for each in (statement, *decorators))
    return range(first, (statement.end_lineno or first) + 1)


def _named(module: str, line: int) -> str:
    return f"{module}:{line}"


def _with_marks(tree: ast.Module, module: str) -> ast.Module:
    """A module in which each statement of a function is said to be executed before it is."""
    inside = {each for function in ast.walk(tree) if isinstance(function, Function) for each in _statements(function)}
    for node in list(ast.walk(tree)):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                setattr(node, name, [one for each in block for one in _marked(each, module, marked=each in inside)])
    return ast.fix_missing_locations(tree)


def _marked(statement: ast.stmt, module: str, *, marked: bool) -> list[ast.stmt]:
    if not marked:
        return [statement]
    text = ast.Call(ast.Name(MARK, ast.Load()), [ast.Constant(_named(module, statement.lineno))], [])
    return [ast.copy_location(ast.Expr(text), statement), statement]


def _caches() -> Iterator[Any]:
    """Functions of a module of ours that functools.cache wraps."""
    ours = [module for name, module in list(sys.modules.items()) if name.partition(".")[0] in {"calculators", "tests"}]
    return (each for module in ours for each in vars(module).values() if callable(getattr(each, "cache_clear", None)))


def _remembering() -> Iterator[tuple[dict[str, Any], str]]:
    """Where an object that is there before any test may remember a property."""
    names: dict[type, list[str]] = {}
    for each in gc.get_objects():
        kind = type(each)
        if kind not in names:
            names[kind] = [
                name
                for base in kind.__mro__
                if str(base.__module__).startswith("calculators")
                for name, value in vars(base).items()
                if isinstance(value, cached_property)
            ]
        for name in names[kind]:
            yield each.__dict__, name

"""Working: a formula as readers see it, rendered from the source that runs, so that the two cannot differ.

Python becomes LaTeX by latexify, LaTeX becomes MathML by latex2mathml. Every name, number and word travels through both
as a numbered piece and gets its element at the end, so neither of them has anything to escape or to misread.
"""

import ast
import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from inspect import unwrap
from types import FunctionType
from typing import Any

from latex2mathml.converter import convert
from latexify.codegen import ExpressionCodegen
from latexify.codegen.expression_rules import BIN_OP_RULES, get_precedence
from latexify.exceptions import LatexifyError

from builder.pages.formulas.mathml import shortened
from calculators.answers import answer, explain
from calculators.answers.input_state import parse_inputs
from calculators.declare import AnyFormula, Calculator, Choice

ROW = 46  # characters that fit on a phone; a longer formula is broken into rows at its outermost operators
_PIECE = re.compile(r"<mtext>piece(\d+)</mtext>")
_POWER_OF_TEN = re.compile(r"(.*\d)e([-+]\d+)")
_SPACE = "\N{NO-BREAK SPACE}"
_WITH, _AND = (f"<mtext>{word}{_SPACE}</mtext>" for word in ("with", "and"))
_NAMED = ("min", "max", "round")
_DRAWN = frozenset((*_NAMED, "ceil", "floor", "sqrt", "log2", "log10", "log", "exp", "abs"))
_SUMS: Mapping[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "\N{MINUS SIGN}"}
_PRODUCTS: Mapping[type[ast.operator], str] = {ast.Mult: "\N{MULTIPLICATION SIGN}"}


class _NoMathematicsError(Exception):
    """The body cannot be drawn as mathematics; readers get the Python itself."""


@dataclass(frozen=True)
class Working:
    """Two blocks of HTML: the formula in words, and the same with slots for values (`data-value` or `data-python`)."""

    symbols: str
    numbers: str


@dataclass(frozen=True)
class _Word:
    """Text of one name in a formula, and the element that shows it."""

    text: str
    element: str


_Words = tuple[tuple[str, _Word], ...]


def working(calculator: Calculator, formula: AnyFormula, values: Mapping[str, Any] | None = None) -> Working:
    """The formula in words, and with its values: all those of the graph as given, else those of the defaults."""
    known = answer.evaluated(calculator, parse_inputs(calculator, {})) if values is None else values
    texts = answer.texts(calculator, known)
    named = (*formula.needs, formula.name)
    labels = tuple((name, _label(calculator.declared(name).label)) for name in named)
    slots = tuple((name, _slot(name, texts[name])) for name in named)
    constants = (*_constants(formula), *_called(formula, calculator), *_options(formula, calculator))
    try:
        return Working(
            symbols=_mathematics(formula.body, formula.name, (*labels, *constants), result_first=True),
            numbers=_mathematics(formula.body, formula.name, (*slots, *constants), result_first=False),
        )
    except (_NoMathematicsError, LatexifyError):
        code = html.escape(explain.symbolic(formula), quote=False)
        filled = html.escape(explain.substituted(calculator, formula, texts), quote=False)
        return Working(
            symbols=f"<pre><code>{code}</code></pre>",
            numbers=f'<pre data-python="{formula.name}">{filled}</pre>',
        )


def _label(text: str) -> _Word:
    return _Word(text, f"<mi>{html.escape(text, quote=False)}</mi>")


def _slot(name: str, text: str) -> _Word:
    return _Word(text, f'<mn data-value="{html.escape(name)}">{html.escape(text, quote=False)}</mn>')


def _number(text: str) -> _Word:
    """A number as people write it: 3.3e-05 as a power of ten."""
    found = _POWER_OF_TEN.fullmatch(text)
    if found is None:
        return _Word(text, f"<mn>{text}</mn>")
    digits, exponent = found[1], str(int(found[2])).replace("-", "\N{MINUS SIGN}")
    ten = f"<msup><mn>10</mn><mn>{exponent}</mn></msup>"
    if digits == "1":
        return _Word(text, ten)
    return _Word(text, f'<mrow><mn>{digits}</mn><mo form="infix">{_PRODUCTS[ast.Mult]}</mo>{ten}</mrow>')


def _constants(formula: AnyFormula) -> _Words:
    """The constants of its module that a formula uses: units by their names, other numbers by their values, and lists.

    What is compared with a list of options is compared with each: ADAPTERS is drawn as lora or qlora.
    """
    numbers = ((name, _number(text)) for name, text in explain.constants(formula).items())
    lists = ((name, _any_of(keys)) for name, keys in explain.lists(formula).items())
    return (*numbers, *lists)


def _any_of(keys: Sequence[str]) -> _Word:
    between = f"<mtext>{_SPACE}or{_SPACE}</mtext>"
    return _Word(" or ".join(keys), f"<mrow>{between.join(_label(key).element for key in keys)}</mrow>")


def _called(formula: AnyFormula, calculator: Calculator) -> _Words:
    """Functions of ours that a formula calls: by their names; other formulas and their arguments by labels.

    A variant of a formula that the calculator does not have is one of the former.
    """
    found: dict[str, _Word] = {}
    known = formula.function.__globals__
    for node in ast.walk(ast.parse(formula.body)):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        if node.keywords and name in calculator.steps:
            names = (name, *(str(keyword.arg) for keyword in node.keywords))
            found |= {f"{one}=": _label(calculator.declared(one).label) for one in names}
            found |= _computed_there(node, formula, calculator)
        elif formula.written or isinstance(unwrap(known.get(name, name)), FunctionType):  # cached ones too
            found[f"{name}("] = _label(name.strip("_").replace("_", " "))
            found |= {f"{one.arg}=": _label(one.arg.replace("_", " ")) for one in node.keywords if one.arg}
    return tuple(found.items())


def _computed_there(call: ast.Call, formula: AnyFormula, calculator: Calculator) -> dict[str, _Word]:
    """Labels of values that a variant computes in its own state: they have no value in the present one."""
    named = {node.id for keyword in call.keywords for node in ast.walk(keyword.value) if isinstance(node, ast.Name)}
    return {
        name: _label(calculator.declared(name).label) for name in named & calculator.steps.keys() - {*formula.needs}
    }


def _options(formula: AnyFormula, calculator: Calculator) -> _Words:
    """The keys of the options that a formula may choose by, as slots hold them."""
    inputs = (calculator.inputs[name] for name in formula.needs if name in calculator.choices)
    return tuple((f"'{key}'", _label(key)) for one in inputs if isinstance(one, Choice) for key in one.options)


class _Exact(ast.NodeTransformer):
    """Functions that are written so that nothing cancels become what they are: expm1(x) is exp(x) - 1."""

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        match node:
            case ast.UnaryOp(op=ast.USub(), operand=ast.Call(func=ast.Name("expm1"), args=[argument])):
                return ast.BinOp(ast.Constant(1), ast.Sub(), _power(self.visit(argument)))
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name("expm1"), args=[argument]):
                return ast.BinOp(_power(argument), ast.Sub(), ast.Constant(1))
            case ast.Call(func=ast.Name("log1p"), args=[ast.UnaryOp(op=ast.USub(), operand=argument)]):
                return _logarithm(ast.BinOp(ast.Constant(1), ast.Sub(), argument))
            case ast.Call(func=ast.Name("log1p"), args=[argument]):
                return _logarithm(ast.BinOp(ast.Constant(1), ast.Add(), argument))
            case ast.Call(func=ast.Name("pow"), args=[base, exponent]):
                return ast.BinOp(base, ast.Pow(), exponent)
        return node


def _power(of: ast.expr) -> ast.Call:
    return ast.Call(ast.Name("exp"), [of], [])


def _logarithm(of: ast.expr) -> ast.Call:
    return ast.Call(ast.Name("log"), [of], [])


def _lines(body: str) -> list[tuple[str, ast.expr]]:
    """The body as lines of "name = expression", the last of which, with no name, is what comes back."""
    lines: list[tuple[str, ast.expr]] = []
    branches: list[tuple[ast.expr, ast.expr]] = []
    for statement in _Exact().visit(ast.parse(body)).body:
        match statement:
            case ast.Assign(targets=[ast.Name(name)], value=ast.expr() as value):
                lines.append((name, value))
            case ast.AnnAssign(target=ast.Name(name), value=ast.expr() as value):
                lines.append((name, value))
            case ast.If(test=test, body=[ast.Return(value=ast.expr() as value)], orelse=[]):
                branches.append((test, value))
            case ast.Return(value=ast.expr() as value):
                for test, instead in reversed(branches):
                    value = ast.IfExp(test=test, body=instead, orelse=value)
                return [*lines, ("", value)]
            case _:
                break
    raise _NoMathematicsError


@cache
def _mathematics(body: str, result: str, words: _Words, *, result_first: bool) -> str:
    """One block of MathML: result = formula, or formula = result, below the parts to which the formula gives names."""
    *parts, (_, whole) = _lines(body)
    local = {name: _label(name.replace("_", " ")) for name, _ in parts}
    drawing = _Drawing({**dict(words), **local})
    rows: list[str] = []
    for name, expression in parts:
        first, *more = drawing.rows(expression)
        rows += [drawing.visit(ast.Name(name)) + drawing.sign("=") + first, *(rf"\quad {row}" for row in more)]
    after, equals = drawing.visit(ast.Name(result)), drawing.sign("=")
    again = isinstance(whole, ast.Call) and bool(whole.keywords)
    short = not (parts or again) and drawing.width(whole) + len(drawing.words[result].text) <= ROW
    drawn = [drawing.visit(whole)] if short else drawing.rows(whole)
    rows += [after, equals + drawn[0], *drawn[1:]] if result_first else [*drawn, equals + after]
    latex = " ".join(rows) if short else _table([row] for row in rows)
    latex = latex.replace(r"\mathopen{}", "").replace(r"\mathclose{}", "")  # they become operators with space around
    mathml = shortened(convert(latex, display="block"))
    return _PIECE.sub(lambda piece: drawing.pieces[int(piece[1])], mathml)


class _Drawing(ExpressionCodegen):  # type: ignore[misc]  # latexify ships no types
    """Latexify's expressions with our words in the places of names, every × written, and conditions in plain words."""

    def __init__(self, words: Mapping[str, _Word]) -> None:
        super().__init__()
        self.words = words
        self.pieces: list[str] = []

    def _piece(self, element: str) -> str:
        self.pieces.append(element)
        return rf"\text{{piece{len(self.pieces) - 1}}}"

    def sign(self, operator: str) -> str:
        """An operator between two operands even where it begins a row; what is never before one needs no mark."""
        form = ' form="infix"' if operator in _SUMS.values() else ""
        return self._piece(f"<mo{form}>{operator}</mo>")

    def _should_remove_multiply_op(self, *_: object) -> bool:
        return False

    def _wrap_operand(self, child: ast.expr, parent_prec: int, force_wrap: bool = False) -> str:  # noqa: FBT001, FBT002
        wrapped: str = super()._wrap_operand(child, parent_prec, force_wrap or isinstance(child, ast.IfExp))
        return wrapped

    def visit_Name(self, node: ast.Name) -> str:
        if node.id not in self.words:
            raise _NoMathematicsError
        return self._piece(self.words[node.id].element)

    def visit_Attribute(self, node: ast.Attribute) -> str:
        match node:
            case ast.Attribute(value=ast.Name("math"), attr="inf"):
                return r"\infty"
            case ast.Attribute(value=ast.Name("math"), attr="pi"):
                return r"\pi"
            case ast.Attribute(value=ast.Name(record), attr=part) if record in self.words:
                return self._piece(_label(f"{self.words[record].text}: {part.replace('_', ' ')}").element)
        raise _NoMathematicsError

    def visit_Constant(self, node: ast.Constant) -> str:
        if isinstance(node.value, int | float) and not isinstance(node.value, bool):
            return self._piece(_number(explain.number(node.value)).element)
        if (option := self.words.get(f"'{node.value!s}'")) is not None:
            return self._piece(option.element)
        words = {"True": "yes", "False": "no", "None": "not known"}
        return self._piece(_label(words.get(str(node.value), str(node.value)).replace("_", " ")).element)

    def visit_Call(self, node: ast.Call) -> str:
        if ours := self.words.get(f"{ast.unparse(node.func)}("):
            return rf"{self._piece(ours.element)} \left( {', '.join(self._arguments(node))} \right)"
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name not in _DRAWN or node.keywords:
            raise _NoMathematicsError
        if name in _NAMED:
            function = self._piece(f"<mi>{name}</mi>")
            return rf"{function} \left( {', '.join(self.visit(argument) for argument in node.args)} \right)"
        drawn: str = super().visit_Call(node)
        return drawn

    def visit_BinOp(self, node: ast.BinOp) -> str:
        drawn: str = super().visit_BinOp(node)
        return drawn.replace(r"\cdot", r"\times") if isinstance(node.op, ast.Mult) else drawn

    def visit_UnaryOp(self, node: ast.UnaryOp) -> str:
        if isinstance(node.op, ast.Not):
            return self._piece(f"<mtext>not{_SPACE}</mtext>") + self._wrap_operand(node.operand, get_precedence(node))
        drawn: str = super().visit_UnaryOp(node)
        return drawn

    def visit_Compare(self, node: ast.Compare) -> str:
        match node:
            case ast.Compare(left=left, ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
                return f"{self.visit(left)} {self._piece(f'<mtext>{_SPACE}is not given</mtext>')}"
            case ast.Compare(left=left, ops=[ast.In()], comparators=[ast.Name() as keys]):
                return f"{self.visit(left)} {self.sign('=')} {self.visit(keys)}"
        drawn: str = super().visit_Compare(node)
        return drawn

    def visit_BoolOp(self, node: ast.BoolOp) -> str:
        word = "and" if isinstance(node.op, ast.And) else "or"
        between = self._piece(f"<mtext>{_SPACE}{word}{_SPACE}</mtext>")
        return f" {between} ".join(self._wrap_operand(value, get_precedence(node)) for value in node.values)

    def visit_IfExp(self, node: ast.IfExp) -> str:
        cases: list[list[str]] = []
        rest: ast.expr = node
        while isinstance(rest, ast.IfExp):
            condition = self._piece(f"<mtext>if{_SPACE}</mtext>") + self.visit(rest.test)
            cases.append([self.visit(rest.body), condition])
            rest = rest.orelse
        cases.append([self.visit(rest), self._piece("<mtext>otherwise</mtext>")])
        return rf"\left\{{ {_table(cases)} \right."

    def _arguments(self, call: ast.Call) -> list[str]:
        """The arguments of a function of ours; one given by a name other than its own has that name before it."""
        drawn = [self.visit(argument) for argument in call.args]
        for keyword in call.keywords:
            known = isinstance(keyword.value, ast.Name) and keyword.value.id == keyword.arg
            drawn.append(self.visit(keyword.value) if known else self._named(keyword))
        return drawn

    def _named(self, keyword: ast.keyword) -> str:
        """An argument with its name: year = Owning, per year."""
        named = self.words.get(f"{keyword.arg}=")
        if named is None:  # **arguments
            raise _NoMathematicsError
        return f"{self._piece(named.element)} {self.sign('=')} {self.visit(keyword.value)}"

    def _given(self, word: str, keyword: ast.keyword) -> str:
        return rf"\quad {self._piece(word)} {self._named(keyword)}"

    def width(self, node: ast.AST) -> int:
        """About how many characters the drawing of `node` takes from left to right."""
        match node:
            case ast.Name(name):
                return len(self.words[name].text) if name in self.words else len(name)
            case ast.Constant(value):
                return len(str(value))
            case ast.BinOp(left, ast.Div() | ast.FloorDiv(), right):
                return max(self.width(left), self.width(right))
            case ast.IfExp(test, body, orelse):
                return max(self.width(body) + self.width(test) + len(" if "), self.width(orelse))
        return sum(self.width(child) + 1 for child in ast.iter_child_nodes(node))

    def _operand(self, node: ast.expr, operator: ast.operator, *, right: bool) -> str:
        rule = BIN_OP_RULES[type(operator)]
        above = get_precedence(ast.BinOp(left=node, op=operator, right=node))
        drawn: str = self._wrap_binop_operand(node, above, rule.operand_right if right else rule.operand_left)
        return drawn

    def rows(self, node: ast.expr) -> list[str]:
        """The drawing of a long formula in rows: one for each term of a sum, the factors of a long term below it.

        Another formula with other inputs is named, and below it what is given to it; so is a function of ours.
        """
        match node:
            case ast.Call(func=ast.Name(name), keywords=[first, *more]) if f"{name}=" in self.words:
                given = [(_WITH, first), *((_AND, one) for one in more)]
                return [self._piece(self.words[f"{name}="].element), *(self._given(*one) for one in given)]
            case ast.Call(func=ast.Name(name)) if f"{name}(" in self.words and self.width(node) > ROW:
                *others, last = self._arguments(node)
                opened = self._piece(self.words[f"{name}("].element) + self._piece("<mo>(</mo>")
                return [opened, *(rf"\quad {one}," for one in others), rf"\quad {last}{self._piece('<mo>)</mo>')}"]
        terms = _chain(node, _SUMS)
        rows = []
        for sign, term in terms:
            factors = _chain(term, _PRODUCTS) if self.width(term) > ROW else []
            if len(factors) > 1:
                for times, factor in factors:
                    mark = self.sign(times or sign) if times or sign else ""
                    rows.append(
                        (r"\quad " if times else "") + mark + self._operand(factor, ast.Mult(), right=bool(times))
                    )
            elif len(terms) > 1:
                operator = ast.Sub() if sign == _SUMS[ast.Sub] else ast.Add()
                rows.append((self.sign(sign) if sign else "") + self._operand(term, operator, right=bool(sign)))
            else:
                rows.append(self.visit(term))
        return rows


def _table(rows: Iterable[Sequence[str]]) -> str:
    """Rows of cells, each a group of its own: browsers space the operators of a group, not those of a bare cell."""
    lines = [" & ".join(f"{{{cell}}}" for cell in row) for row in rows]
    return rf"\begin{{array}}{{{'l' * (1 + lines[0].count(' & '))}}} " + r" \\ ".join(lines) + r" \end{array}"


def _chain(node: ast.expr, signs: Mapping[type[ast.operator], str]) -> list[tuple[str, ast.expr]]:
    """The operands of a chain of operators that are read from the left: a + b - c is a, + b, - c."""
    if isinstance(node, ast.BinOp) and type(node.op) in signs:
        return [*_chain(node.left, signs), (signs[type(node.op)], node.right)]
    return [("", node)]

"""Cases: published figures and what the calculators give for them, read from tests/cases/*.toml.

Tests run every case; the pages show them, the misses too. An unknown key is refused, so that a typing error cannot
switch a check off.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from builder.pages import fixed_run
from builder.paths import ROOT
from calculators import units
from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from calculators.cli.machine import COMMAND as MACHINE
from calculators.declare import Calculator, Choice, Verdict
from calculators.machine.description import machine
from calculators.machine.training_state import training_state

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = ROOT / "tests" / "cases"
STRENGTHS = (
    *("independent", "source_arithmetic", "hand_derived", "peer"),
    *(
        "assumed_efficiency",
        "fitted_or_inferred_constant",
        "ideal_vs_billed",
        "known_mismatch",
        "lower_bound_only",
        "none",
    ),
)
_WORDS = ("name", "source", "url", "where", "evidence", "strength", "kind", "printed", "reason")
_OF_BOTH = frozenset((*_WORDS, "requests", "given", "expect"))
_OF_A_RUN = frozenset(("output_rate", "serving_tokens_per_second_per_gpu"))  # tokens over the time of all its requests
_NEEDED = frozenset(("name", "source", "strength", "kind", "printed", "given", "expect"))
_DIGITS = 4
_UNIT = re.compile(r"(?<=\d)\s*(?P<unit>[A-Za-z/]+)$")
_NO_ADDRESS_NEEDED = ("hand_derived",)


class CaseError(Exception):
    """A case file says something impossible. Ours, naming the file and the case."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """A published figure: what a reader would type, and what should come out. `why` is set where it does not.

    `requests` are those of a benchmark that queued a fixed number of equal ones at once.
    """

    calculator: str
    name: str
    source: str
    url: str = ""
    where: str = ""
    evidence: str = ""
    strength: str
    kind: str
    printed: str
    given: Mapping[str, Any]
    expect: Mapping[str, Any]
    requests: int = 0
    tolerance: float = 0.0
    reason: str = ""
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One expected result: what was printed, what we give, how far off, all of it as text for readers too.

    `is_share` says that the error is one of what was printed; a verdict is only right or wrong.
    """

    result: str
    printed_text: str
    ours_text: str
    error: float
    error_text: str
    is_share: bool


@cache
def load(calculator: str) -> tuple[Case, ...]:
    """The cases of one calculator, misses after the others; none where it has no file."""
    path = FOLDER / f"{calculator}.toml"
    if not path.exists():
        return ()
    stated = tomllib.loads(path.read_text("utf-8"))
    if unknown := set(stated) - {"case", "miss"}:
        raise CaseError(f"{path.name}: holds [[case]] and [[miss]], not {', '.join(sorted(unknown))}")
    cases = [_case(calculator, entry, frozenset(("tolerance", "reason"))) for entry in stated.get("case", [])]
    misses = [_case(calculator, entry, frozenset(("why",))) for entry in stated.get("miss", [])]
    names = [case.name for case in (*cases, *misses)]
    if twice := {name for name in names if names.count(name) > 1}:
        raise CaseError(f"{path.name}: two cases are named {min(twice)!r}")
    return (*cases, *misses)


def _case(calculator: str, entry: Mapping[str, Any], own: frozenset[str]) -> Case:
    name = f"{calculator}.toml: {entry.get('name', 'a case without a name')!r}"
    if unknown := set(entry) - _OF_BOTH - own:
        raise CaseError(f"{name}: no such case has {', '.join(sorted(unknown))}")
    if missing := (_NEEDED | own) - set(entry):
        raise CaseError(f"{name}: says nothing about {', '.join(sorted(missing))}")
    if entry["strength"] not in STRENGTHS:
        raise CaseError(f"{name}: strength must be one of {', '.join(STRENGTHS)}, not {entry['strength']!r}")
    if not entry.get("url") and entry.get("evidence") == "primary" and entry["strength"] not in _NO_ADDRESS_NEEDED:
        raise CaseError(f"{name}: needs the address of its source")
    known = _calculator(calculator)
    for result in entry["expect"]:
        if result not in {*known.steps, *known.result_aliases}:
            raise CaseError(f"{name}: expects {result}, which is no result of {calculator}")
    if not entry["expect"]:
        raise CaseError(f"{name}: expects nothing")
    if entry.get("requests") and not _OF_A_RUN.issuperset(entry["expect"]):
        raise CaseError(f"{name}: a number of requests changes only {', '.join(sorted(_OF_A_RUN))}")
    return Case(calculator=calculator, **entry)


def evaluate(case: Case) -> tuple[Outcome, ...]:
    """The calculator's value for each published figure of a case. Raises InputError for a bad `given`."""
    calculator = _calculator(case.calculator)
    if case.calculator == MACHINE:
        values: Mapping[str, Any] = training_state(case.given).values
    else:
        values = answer.evaluated(calculator, valid_inputs(calculator, case.given))
    if case.requests:
        share = fixed_run.share_of_full_speed(values, case.requests)
        names = [calculator.result_aliases.get(result, result) for result in case.expect]
        values = {name: values[name] * share for name in names}
    found = tuple(_outcome(case, result, values) for result in case.expect)
    of = f" over {case.requests:,} requests" if case.requests else ""
    return tuple(replace(one, ours_text=one.ours_text + of) for one in found)


def _calculator(name: str) -> Calculator:
    return machine() if name == MACHINE else CALCULATORS[name]


def _outcome(case: Case, result: str, values: Mapping[str, Any]) -> Outcome:
    calculator = _calculator(case.calculator)
    name = calculator.result_aliases.get(result, result)
    formula, expected, ours = calculator.declared(name), case.expect[result], values[name]
    if isinstance(formula, Choice):
        raise CaseError(f"{case.name}: {result} is a choice, not a result")
    if isinstance(ours, Verdict):
        error = 0.0 if ours.word == expected else 1.0
        described = {"error_text": "" if error == 0 else "differs", "ours_text": ours.word}
        return Outcome(result=name, printed_text=str(expected), error=error, is_share=False, **described)
    base = units.parse(expected, formula.unit) if isinstance(expected, str) else float(expected)
    off = ours - base
    error = abs(off / base) if base else abs(off)
    return Outcome(
        result=name,
        printed_text=case.printed if len(case.expect) == 1 else _text(expected, base, formula.unit),
        ours_text=_ours(ours, expected, formula.unit),
        error=error,
        error_text=_error_text(off / base if base else off),
        is_share=base != 0,
    )


def _text(expected: object, base: float, unit: str) -> str:
    return expected if isinstance(expected, str) else units.text(base, unit, digits=_DIGITS)


def _ours(value: float, expected: object, symbol: str) -> str:
    """Our value in the unit of the published one, so that GB compare with GB; bytes without a prefix are decimal."""
    own = _UNIT.search(str(expected))
    if own and symbol.partition("/")[0] == "B":
        return units.text_in(value, own["unit"], digits=_digits(value / units.unit(own["unit"]).factor))
    return units.text(value, symbol, digits=_DIGITS)


def _digits(number: float) -> int:
    """So many that a whole number is not rounded: 10,283 and not 10,280."""
    return max(_DIGITS, len(str(int(abs(number)))))


def _error_text(error: float) -> str:
    """A relative error as readers see it: signed, two digits, "exact" where the difference is only rounding."""
    percent = 100 * error
    if abs(percent) < 0.005:  # noqa: PLR2004  shown as 0.00%
        return "exact" if abs(percent) < 1e-9 else "< 0.01%"  # noqa: PLR2004
    sign = "+" if percent > 0 else "\N{MINUS SIGN}"
    return f"{sign}{abs(percent):.2f}%" if abs(percent) < 10 else f"{sign}{abs(percent):,.0f}%"  # noqa: PLR2004

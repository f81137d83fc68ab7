"""The acceptance kit: what calculators say is to be run before a cluster is taken over, as a page and as a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from builder.pages import amounts
from calculators.answers import input_state
from calculators.answers.answer import evaluated, filled
from calculators.answers.links import link
from calculators.answers.markdown import table_lines
from calculators.catalog import CALCULATORS
from calculators.version import VERSION
from calculators.vocabulary import acceptance

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calculators.declare import Calculator, Table

FILE = "data/acceptance.txt"  # Markdown, which as .md would become a page
_MODEL = "llama-3-70b"
_GPUS = 1024
_CHECKPOINT = "checkpoint_size"


def cluster(which: str) -> Mapping[str, Any]:
    """The state of a calculator in which the guide shows its kit: one job on one cluster, described to each."""
    saved = amounts.of_result("checkpoint", _CHECKPOINT, {"model": _MODEL}).base
    states: dict[str, dict[str, Any]] = {
        "power": {"gpus": _GPUS},
        "collectives": {"ranks": _GPUS},
        "storage_demand": {"gpus": _GPUS, _CHECKPOINT: saved},
    }
    return states[which]


@dataclass(frozen=True, kw_only=True)
class Test:
    """One line of the kit: the test, its three ends, where they come from, and what to type."""

    name: str
    passes: str
    investigate: str
    fails: str
    why: str
    command: str


@dataclass(frozen=True, kw_only=True)
class Kit:
    """A calculator's part: its tests, their sentences, and the link that opens the state."""

    calculator: Calculator
    about: str
    tests: tuple[Test, ...]
    state: str


def kit(which: str, **given: Any) -> Kit:
    """The part of one calculator for the guide's cluster, or for one that differs in some inputs."""
    calculator = CALCULATORS[which]
    resolved = input_state.valid_inputs(calculator, {**cluster(which), **given})
    values = evaluated(calculator, resolved)
    sheet = _sheet(calculator)
    tests = tuple(
        Test(**dict(zip(_FIELDS, (filled(calculator, cell, values) for cell in row), strict=True)))
        for row in sheet.rows(values)
    )
    return Kit(calculator=calculator, about=sheet.about, tests=tests, state=link(calculator, resolved))


_FIELDS = tuple(Test.__dataclass_fields__)
KITS = ("power", "collectives", "storage_demand")


def file() -> str:
    """All parts as one Markdown file, to be kept with the results."""
    lines = ["# Acceptance kit", "", f"Infrastructure for AI {VERSION}: {_GPUS:,} GPUs that train {_MODEL}.", ""]
    for which in KITS:
        calculator = CALCULATORS[which]
        resolved = input_state.valid_inputs(calculator, cluster(which))
        values = evaluated(calculator, resolved)
        _, _, *body = table_lines(calculator, _sheet(calculator), values)
        place = f"calculators/{which.replace('_', '-')}/#{link(calculator, resolved)}"
        lines += [f"## {calculator.title}", "", *body, "", f"State: {place}", ""]
    return "\n".join(lines).rstrip() + "\n"


def _sheet(calculator: Calculator) -> Table:
    return next(each for each in calculator.tables if each.name == acceptance.NAME)

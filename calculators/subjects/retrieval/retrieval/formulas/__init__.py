"""Formulas of retrieval, in the order in which they are computed."""

from calculators.declare import AnyFormula
from calculators.subjects.retrieval.retrieval.formulas import (
    building,
    corpus,
    latency,
    money,
    prompts,
    rates,
    shared,
    size,
    work,
)

FORMULAS: tuple[AnyFormula, ...] = (
    *corpus.FORMULAS,
    *size.FORMULAS,
    *work.FORMULAS,
    *rates.FORMULAS,
    *latency.FORMULAS,
    *prompts.FORMULAS,
    *building.FORMULAS,
    *money.FORMULAS,
    *shared.FORMULAS,
)

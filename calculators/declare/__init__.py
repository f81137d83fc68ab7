"""Declarations: a calculator is its inputs and a graph of named formulas, checked when it is imported.

This package is the one to import from; what it offers is defined in modules of those names.
"""

from calculators.declare.calculator import CHECKS, Calculator
from calculators.declare.checks import check_calculator
from calculators.declare.errors import DeclarationError, InputError
from calculators.declare.files import File, Read
from calculators.declare.formulas import (
    NOT_CHECKED,
    REFUSED,
    AnyFormula,
    Formula,
    Level,
    Role,
    Verdict,
    constraint,
    formulas_of,
    record,
    step,
    verdict,
    warning,
)
from calculators.declare.inputs import (
    Choice,
    Computed,
    Default,
    Input,
    NotApplicable,
    Option,
    Preset,
    Quantity,
    choice,
    computed,
    not_applicable,
    placed,
    quantity,
    switch,
)
from calculators.declare.joining import join
from calculators.declare.measurements import (
    CheckedRun,
    Compared,
    MeasuredResult,
    Measurement,
    Point,
    Reason,
    RunReader,
)
from calculators.declare.tables import Table
from calculators.declare.tradeoffs import Mark, Tradeoff
from calculators.declare.values import Values
from calculators.declare.variants import ratio, variant

CHECKS.append(check_calculator)

__all__ = [
    "NOT_CHECKED",
    "REFUSED",
    "AnyFormula",
    "Calculator",
    "CheckedRun",
    "Choice",
    "Compared",
    "Computed",
    "DeclarationError",
    "Default",
    "File",
    "Formula",
    "Input",
    "InputError",
    "Level",
    "Mark",
    "MeasuredResult",
    "Measurement",
    "NotApplicable",
    "Option",
    "Point",
    "Preset",
    "Quantity",
    "Read",
    "Reason",
    "Role",
    "RunReader",
    "Table",
    "Tradeoff",
    "Values",
    "Verdict",
    "choice",
    "computed",
    "constraint",
    "formulas_of",
    "join",
    "not_applicable",
    "placed",
    "quantity",
    "ratio",
    "record",
    "step",
    "switch",
    "variant",
    "verdict",
    "warning",
]

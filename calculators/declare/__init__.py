"""Declarations: a calculator is its inputs and a graph of named formulas, checked when it is imported.

This package is the one to import from; what it offers is defined in modules of those names.
"""

from calculators.declare.calculator import Calculator
from calculators.declare.errors import DeclarationError, InputError
from calculators.declare.files import File, Read
from calculators.declare.formulas import (
    AnyFormula,
    Formula,
    Level,
    Role,
    Verdict,
    caution,
    check,
    formulas_of,
    step,
    verdict,
)
from calculators.declare.inputs import (
    Absent,
    Choice,
    Computed,
    Input,
    Option,
    Otherwise,
    Preset,
    Quantity,
    absent,
    choice,
    computed,
    placed,
    quantity,
    switch,
)
from calculators.declare.joining import join
from calculators.declare.measurements import Compared, Measurement, Point, Reason
from calculators.declare.sheets import Sheet
from calculators.declare.tradeoffs import Mark, Tradeoff
from calculators.declare.values import Values

__all__ = [
    "Absent",
    "AnyFormula",
    "Calculator",
    "Choice",
    "Compared",
    "Computed",
    "DeclarationError",
    "File",
    "Formula",
    "Input",
    "InputError",
    "Level",
    "Mark",
    "Measurement",
    "Option",
    "Otherwise",
    "Point",
    "Preset",
    "Quantity",
    "Read",
    "Reason",
    "Role",
    "Sheet",
    "Tradeoff",
    "Values",
    "Verdict",
    "absent",
    "caution",
    "check",
    "choice",
    "computed",
    "formulas_of",
    "join",
    "placed",
    "quantity",
    "step",
    "switch",
    "verdict",
]

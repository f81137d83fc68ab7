"""Declarations: a calculator is its inputs and a graph of named formulas, checked when it is imported.

This package is the one to import from; what it offers is defined in modules of those names.
"""

from calculators.declare.calculator import Calculator, Values
from calculators.declare.errors import DeclarationError, InputError
from calculators.declare.formulas import Formula, Level, Role, Verdict, caution, check, step, verdict
from calculators.declare.inputs import Choice, Input, Option, Preset, Quantity, choice, quantity, switch

__all__ = [
    "Calculator",
    "Choice",
    "DeclarationError",
    "Formula",
    "Input",
    "InputError",
    "Level",
    "Option",
    "Preset",
    "Quantity",
    "Role",
    "Values",
    "Verdict",
    "caution",
    "check",
    "choice",
    "quantity",
    "step",
    "switch",
    "verdict",
]

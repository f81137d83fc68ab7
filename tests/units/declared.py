"""Every unit that a calculator declares, and those that it may."""

from __future__ import annotations

from calculators.catalog import CALCULATORS
from calculators.declare import Quantity

DECLARED = sorted(
    {declared.unit for c in CALCULATORS.values() for declared in c.inputs.values() if isinstance(declared, Quantity)}
    | {step.unit for c in CALCULATORS.values() for step in c.steps.values() if step.unit}
    | {"K", "A", "V", "metre", "L/s", "L/min", "m3/h", "CFM", "rack unit", "USD/TB-month", "IOPS", "bit/s", "1/day"}
    | {"sample/s", "request/s", "share/year", "USD/B", "USD/GB", "J/L/K", "drive", "rack", "kW", "USD/kW-month"}
)

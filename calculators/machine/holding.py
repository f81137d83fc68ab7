"""What a store and a hall hold: capacities of every machine, whatever is done with it."""

import math

from calculators.answers import answer
from calculators.answers.resolve import Resolved
from calculators.declare import Calculator, Values
from calculators.machine.kinds import Capacity

OF_STORE = (
    Capacity(
        key="storage_capacity",
        title="Capacity of the store",
        asked="hot_raw",
        there="storage_capacity",
        calculator="storage_demand",
    ),
    Capacity(
        key="storage_metadata",
        title="Metadata of the store",
        asked="metadata_demand",
        there="metadata_supply",
        calculator="storage_demand",
    ),
)
OF_HALL = (
    Capacity(
        key="power",
        title="Power of the hall",
        asked="facility_power",
        there="hall_power",
        calculator="power",
        only_given=True,
    ),
    Capacity(
        key="space",
        title="Rack positions",
        asked="racks",
        there="hall_racks",
        calculator="power",
        only_given=True,
    ),
    Capacity(key="rack", title="Power of a rack", asked="rack_power", there="rack_limit", calculator="power"),
    Capacity(key="cooling", title="Cooling of a rack", asked="rack_power", there="cooling_limit", calculator="power"),
)
_LIMITS = ("hall_power", "hall_racks")
ON_LIMITS = ("hall_fits", "supply_follows")


def evaluated(calculator: Calculator, resolved: Resolved) -> Values:
    """Every value of a machine. Raises InputError as for a single calculator.

    A limit of the hall that nobody gave is as much as the machine takes: verdicts on the hall then say nothing of it.
    """
    values = answer.evaluated(calculator, resolved)
    absent = [name for name in _LIMITS if resolved.origins[name] != "yours"]
    endless = {**values, **dict.fromkeys(absent, math.inf), **{f"{name}_used": 0.0 for name in absent}}
    judges = [formula for formula in calculator.of_role("verdict") if formula.name in ON_LIMITS]
    judged = {one.name: one.function(*[endless[need] for need in one.needs]) for one in judges}
    return Values({**values, **judged}, values.given, values.ranges)

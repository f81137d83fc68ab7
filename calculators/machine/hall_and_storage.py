"""Capacities of storage and data hall, for every workload."""

import math

from calculators.declare import Verdict, formulas_of, step, verdict
from calculators.machine.kinds import Capacity
from calculators.subjects.facility.power import verdicts

WEIGHT_LOADING = Capacity(
    key="storage_read",
    title="Weight loading from storage",
    asked="read_demand",
    there="read_supply",
    calculator="storage_demand",
    exceeded="Weights load too slowly",
)
OF_STORE = (
    Capacity(
        key="storage_capacity",
        title="Storage capacity",
        asked="hot_raw",
        there="storage_capacity",
        calculator="storage_demand",
        exceeded="Storage full",
    ),
    Capacity(
        key="storage_metadata",
        title="Storage metadata rate",
        asked="metadata_demand",
        there="metadata_supply",
        calculator="storage_demand",
        exceeded="Metadata rate too low",
    ),
)
OF_HALL = (
    Capacity(
        key="power",
        title="Data hall power",
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
    Capacity(key="rack", title="Rack power", asked="rack_power_asked", there="rack_limit", calculator="power"),
    Capacity(key="cooling", title="Rack cooling", asked="rack_power", there="cooling_limit", calculator="power"),
)


@step("W", "Power of a rack, sold whole or filled")
def rack_power_asked(rack_power: float, rack_limit: float, rack_limit_used: float) -> float:
    """Power that a rack needs of the hall [W]: all of one that is sold whole, however few of its nodes the limit bears.

    >>> rack_power_asked(10_200, 17_000, 0.6), round(rack_power_asked(13_400, 17_000, 120.6 / 17))
    (10200, 120600)
    """
    return max(rack_power, rack_limit_used * rack_limit)


@verdict("Data hall")
def hall_fits(
    facility_power: float,
    hall_power: float,
    hall_power_used: float,
    racks: float,
    hall_racks: float,
    hall_racks_used: float,
    rack_limit_used: float,
    cooling_used: float,
    nodes_per_rack: float,
    rack_nodes: float | None,
) -> Verdict:
    """Verdict on the data hall, silent about a limit of exactly what the system takes, the default."""
    return verdicts.hall_fits(
        hall_power_used=0.0 if hall_power == facility_power else hall_power_used,
        hall_racks_used=0.0 if hall_racks == racks else hall_racks_used,
        rack_limit_used=rack_limit_used,
        cooling_used=cooling_used,
        nodes_per_rack=nodes_per_rack,
        rack_nodes=rack_nodes,
    )


@verdict("Load swings")
def supply_follows(
    power_swing: float,
    swing_peak: float,
    facility_power: float,
    hall_power: float,
    average_facility_power: float,
    power_per_surviving_source: float,
    circuit_power: float,
) -> Verdict:
    """Verdict on load swings; a supply of exactly what the system takes, the default, cannot be exceeded."""
    return verdicts.supply_follows(
        power_swing=power_swing,
        swing_peak=swing_peak,
        facility_power=facility_power,
        hall_power=math.inf if hall_power == facility_power else hall_power,
        average_facility_power=average_facility_power,
        power_per_surviving_source=power_per_surviving_source,
        circuit_power=circuit_power,
    )


FORMULAS = formulas_of(globals())

"""What a store and a hall hold: capacities of every machine, whatever is done with it."""

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

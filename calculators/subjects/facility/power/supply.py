"""Supply: how much is installed for the load, how far it swings, and how much of the hall is used."""

from math import ceil, floor
from typing import Literal

from calculators.declare import formulas_of, step

Redundancy = Literal["n", "n_plus_1", "two_n"]
TIMES = {"n": 1, "n_plus_1": 1, "two_n": 2}
MORE = {"n": 0, "n_plus_1": 1, "two_n": 0}
_ROUNDING = 1e-9  # of a node: a supply of exactly what they take supplies them


@step("module", "Modules installed")
def modules_installed(facility_power: float, module_size: float, redundancy: Redundancy) -> float:
    """UPS or transformer modules [1]: enough for the load, one more, or twice as many.

    >>> modules_installed(1.87e6, 1e6, "n_plus_1"), modules_installed(1.87e6, 1e6, "two_n")
    (3, 4)
    """
    return ceil(facility_power / module_size) * TIMES[redundancy] + MORE[redundancy]


@step("W", "Installed supply power")
def installed_power(modules_installed: float, module_size: float) -> float:
    """Power that all modules together supply [W]."""
    return modules_installed * module_size


@step("W", "Supply headroom for redundancy")
def spare_power(installed_power: float, facility_power: float) -> float:
    """Power of the modules beyond the facility's maximum [W]: to lose one, and by whole modules."""
    return installed_power - facility_power


@step("1", "Installed ÷ needed supply")
def installed_over_needed(installed_power: float, facility_power: float) -> float:
    """Supply installed for each watt that the site may draw [1]; nothing where it draws none."""
    return installed_power / facility_power if facility_power > 0 else 0


@step("W", "GPU power swing", source="morrison-2025", rises_with=("swing_high",), falls_with=("swing_low",))
def power_swing(
    gpus: float, gpu_power: float, swing_low: float, swing_high: float, gpus_power: float, compute_power: float
) -> float:
    """Load swing when all GPUs pause and resume together [W]: between two shares of their maximum.

    Nodes rated below their GPUs, `compute_power` below `gpus_power`, hold them to a part of that maximum.

    >>> round(power_swing(1024, 700, 0.15, 0.85, 716_800, 1_305_600))
    501760
    """
    held = min(1, compute_power / gpus_power) if gpus_power > 0 else 1
    return gpus * gpu_power * max(0, min(swing_high, held) - swing_low)


@step("W", "Peak of a full swing")
def swing_peak(average_facility_power: float, power_swing: float, facility_power: float) -> float:
    """Facility power when a whole swing goes up from the average [W]: the worst there is, bound by the rating.

    A job that computes most of the time has its average near the top of its swings, and goes up by far less.

    >>> swing_peak(90e3, 40e3, 100e3), swing_peak(50e3, 40e3, 100e3)
    (100000.0, 90000.0)
    """
    return min(average_facility_power + power_swing, facility_power)


@step("W", "Trough of a swing")
def swing_floor(average_facility_power: float, power_swing: float, facility_power: float) -> float:
    """From where the draw rises again [W]: the average is in the middle, unless the rating cuts off the top.

    >>> swing_floor(50e3, 40e3, 100e3), swing_floor(100e3, 40e3, 100e3)
    (30000.0, 60000.0)
    """
    return max(0, min(average_facility_power + power_swing / 2, facility_power) - power_swing)


@step("share", "Data hall power used", falls_with=("hall_power",))
def hall_power_used(facility_power: float, hall_power: float) -> float:
    """The facility's draw at its rating over the hall's supply [share]."""
    return facility_power / hall_power


@step("share", "Rack positions used", falls_with=("hall_racks",))
def hall_racks_used(racks: float, hall_racks: float) -> float:
    """Racks with GPUs over the hall's positions [share]."""
    return racks / hall_racks


@step("share", "Rack limit used")
def rack_limit_used(node_power: float, rack_power: float, rack_nodes: float | None, rack_limit: float) -> float:
    """Power that must go into one rack, over its limit [share].

    One node; all nodes of a rack that is sold whole; or all that are planned for a rack, where they are too many.
    """
    most = rack_power if rack_power > rack_limit else node_power
    return (most if rack_nodes is None else rack_nodes * node_power) / rack_limit


@step("share", "Rack cooling capacity used", falls_with=("cooling_limit",))
def cooling_used(rack_power: float, cooling_limit: float) -> float:
    """A full rack over what this kind of cooling carries [share]."""
    return rack_power / cooling_limit


@step("share", "Rack power limit unused")
def rack_limit_idle(rack_power: float, rack_limit: float) -> float:
    """Unused part of the limit of full racks [share]: whole nodes rarely fill it."""
    return max(0, 1 - rack_power / rack_limit)


@step("GPU", "GPUs by power supply", rises_with=("hall_power",))
def gpus_by_power(
    hall_power: float, node_power: float, support_share: float, pue: float, node_gpus: float, other_power: float
) -> float:
    """GPUs in whole nodes whose rating, with support and cooling, the hall supplies next to other servers.

    A node takes a watt at least.

    >>> gpus_by_power(120e3, 10e3, 0, 1, 8, 20e3)
    80
    """
    left = max(0, hall_power - other_power * pue)
    return floor(left / (max(1, node_power) * (1 + support_share) * pue) + _ROUNDING) * node_gpus


@step("GPU", "GPUs by rack positions", rises_with=("hall_racks",))
def gpus_by_racks(
    hall_racks: float, nodes_per_rack: float, racks_per_node: float, node_gpus: float, other_racks: float
) -> float:
    """GPUs in the hall's racks next to those of other servers: whole nodes in each, or several feeds for each node.

    >>> gpus_by_racks(10, 1, 1, 8, 2)
    64
    """
    left = max(0, hall_racks - other_racks)
    return (left * nodes_per_rack if nodes_per_rack >= 1 else left // racks_per_node) * node_gpus


@step("GPU", "GPUs that fit in the data hall", not_applicable="racks exceed their limits")
def gpus_that_fit(
    gpus_by_power: float, gpus_by_racks: float, rack_limit_used: float, cooling_used: float
) -> float | None:
    """GPUs that this hall takes, by supply and by racks; None where a rack takes more than its power or cooling.

    >>> gpus_that_fit(1096, 1600, 1, 1), gpus_that_fit(1096, 1600, 0.9, 1.02)
    (1096, None)
    """
    return None if max(rack_limit_used, cooling_used) > 1 else min(gpus_by_power, gpus_by_racks)


FORMULAS = formulas_of(globals())

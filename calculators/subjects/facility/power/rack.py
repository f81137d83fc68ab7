"""Racks: how many nodes one holds, how many racks that makes, and what the circuits to each must carry."""

from math import ceil, floor, sqrt

from calculators.declare import formulas_of, step


@step("node", "Nodes per rack by power", falls_with=("node_power",))
def nodes_by_power(rack_limit: float, node_power: float) -> float:
    """Whole servers that the power of a rack feeds, each of a watt at least."""
    return floor(rack_limit / max(1, node_power))


@step("node", "Nodes per rack by height", falls_with=("node_units",))
def nodes_by_space(rack_units: float, node_units: float) -> float:
    """Whole servers that fit into the height of a rack."""
    return floor(rack_units / node_units)


@step("node", "Nodes per rack")
def nodes_per_rack(nodes_by_power: float, nodes_by_space: float, rack_nodes: float | None) -> float:
    """Servers in a rack: what power, height and the rack's own design allow; none where one server is too much.

    >>> nodes_per_rack(nodes_by_power=1, nodes_by_space=5, rack_nodes=None)
    1
    """
    return min(nodes_by_power, nodes_by_space, nodes_by_space if rack_nodes is None else rack_nodes)


@step("rack", "Rack feeds per node", rises_with=("node_power",))
def racks_per_node(node_power: float, rack_limit: float) -> float:
    """Racks' feeds that are joined for one server; more than one where a server exceeds a rack's limit."""
    return max(1, ceil(node_power / rack_limit))


@step("rack", "Racks", rises_with=("gpus",))
def racks(gpu_nodes: float, nodes_per_rack: float, racks_per_node: float, other_racks: float) -> float:
    """Racks with GPU servers and with other servers; where not one fits, the feeds of several for each.

    Switches, storage and management need further racks: DGX SuperPOD H100 prints 38 for 127 nodes.

    >>> racks(127, 4, 1, 0), racks(127, 4, 1, 3)
    (32, 35)
    """
    return (ceil(gpu_nodes / nodes_per_rack) if nodes_per_rack >= 1 else gpu_nodes * racks_per_node) + other_racks


@step("W", "Power of a full rack")
def rack_power(nodes_per_rack: float, node_power: float, gpu_nodes: float, rack_nodes: float | None) -> float:
    """Rated power of a full rack [W]; a rack holds a server even where its limit says none.

    A rack sold whole counts whole, as what feeds and cools it must.

    >>> rack_power(4, 10200, 128, None), rack_power(4, 10200, 2, None), rack_power(18, 7500, 4, 18)
    (40800, 20400, 135000)
    """
    held = max(1, nodes_per_rack)
    return (min(held, gpu_nodes) if rack_nodes is None else held) * node_power


@step("rack", "Racks for network, storage, management")
def support_racks(support_power: float, rack_limit: float) -> float:
    """Racks besides those with GPUs, if each is filled to its limit; few are that full, so rather more."""
    return ceil(support_power / rack_limit)


@step("W", "Circuit capacity", rises_with=("amperes", "volts"))
def circuit_power(volts: float, amperes: float, breaker_share: float, power_factor: float) -> float:
    """Continuous power of a three-phase circuit [W]: `volts` between phases, `breaker_share` of its breaker.

    >>> round(circuit_power(415, 60, 0.8, 0.95))
    32777
    """
    return volts * amperes * sqrt(3) * breaker_share * power_factor


@step("A", "Current per phase of a rack", falls_with=("volts",))
def circuit_current(rack_power: float, volts: float, power_factor: float) -> float:
    """Current in each of three phases if one feed carries the whole rack [A].

    >>> round(circuit_current(9520, 208, 1), 1)
    26.4
    """
    return rack_power / (volts * sqrt(3) * power_factor)


@step("W", "Feed load with one feed lost", falls_with=("sources",))
def power_per_surviving_source(rack_power: float, sources: float) -> float:
    """Power on each remaining feed of a rack when one of `sources` is lost [W].

    DGX SuperPOD H100: a rack of four on three feeds, printed as 20.4 kW.

    >>> power_per_surviving_source(40800, 3)
    20400.0
    """
    return rack_power / (sources - 1)


FORMULAS = formulas_of(globals())

"""The bill of the compute fabric: switches, links, modules, watts, price, what it carries and what of it fails."""

from math import ceil

from calculators.declare import formulas_of, step
from calculators.subjects.network.fabric.inputs import Topology
from calculators.subjects.network.fabric.tree import TWO_TIERS


@step("1", "Leaf switches")
def leaves(
    topology: Topology, plane_leaves: float, dragonfly_switches: float, slim_fly_switches: float, planes: float
) -> float:
    """Switches that nodes are plugged into, in all `planes`; without spines, all of them."""
    each = {"fat_tree": plane_leaves, "dragonfly": dragonfly_switches, "slim_fly": slim_fly_switches}
    return each[topology] * planes


@step("1", "Spine switches")
def spines(topology: Topology, plane_spines: float, planes: float) -> float:
    """Switches above the leaves, in all `planes`; none in a dragonfly or a Slim Fly."""
    return plane_spines * planes if topology == "fat_tree" else 0


@step("1", "Core switches")
def cores(topology: Topology, plane_cores: float, planes: float) -> float:
    """Switches above the spines, in all `planes`."""
    return plane_cores * planes if topology == "fat_tree" else 0


@step("switch", "Switches", source=("superpod-h100", "superpod-b200", "superpod-b300", "superpod-b300-xdr"))
def switches(leaves: float, spines: float, cores: float) -> float:
    """Switches of the compute fabric.

    >>> switches(64, 32, 0), switches(512, 512, 256)
    (96, 1280)
    """
    return leaves + spines + cores


@step("tier", "Tiers")
def tiers(topology: Topology, plane_tiers: float) -> float:
    """Layers of switches; one in a dragonfly or a Slim Fly."""
    return plane_tiers if topology == "fat_tree" else 1


@step("link", "Links to nodes", source="superpod-b200")
def node_links(plane_endpoints: float, planes: float) -> float:
    """Links between nodes and switches, in all `planes`."""
    return plane_endpoints * planes


@step("link", "Links from leaves to spines", source="superpod-b200")
def leaf_spine_links(
    topology: Topology, plane_leaves: float, plane_tiers: float, leaf_up: float, planes: float
) -> float:
    """Every uplink of every leaf, in all `planes`; none where there are no spines."""
    return plane_leaves * leaf_up * planes if topology == "fat_tree" and plane_tiers > 1 else 0


@step("link", "Links from spines to cores", source="superpod-b200")
def spine_core_links(
    topology: Topology, plane_spines: float, plane_tiers: float, spine_up: float, planes: float
) -> float:
    """Every uplink of every spine, in all `planes`; none below three tiers."""
    return plane_spines * spine_up * planes if topology == "fat_tree" and plane_tiers > TWO_TIERS else 0


@step("link", "Links between switches", source="deepseek-isca")
def fabric_links(
    topology: Topology,
    leaf_spine_links: float,
    spine_core_links: float,
    dragonfly_links: float,
    slim_fly_links: float,
    planes: float,
) -> float:
    """Links between switches of all tiers and planes: what papers count, while bills count those to nodes as well."""
    trees = leaf_spine_links + spine_core_links
    return (
        trees if topology == "fat_tree" else planes * (dragonfly_links if topology == "dragonfly" else slim_fly_links)
    )


@step("cable", "Cables", source="superpod-h100", rises_with=("gpus",))
def cables(node_links: float, fabric_links: float) -> float:
    """A cable for every link."""
    return node_links + fabric_links


@step("module", "Modules at nodes", source="superpod-h100")
def nic_modules(node_links: float, cables_copper_share: float, ports_per_nic_module: float) -> float:
    """Transceivers in network cards: one for `ports_per_nic_module` links that are not copper; whole ones.

    >>> nic_modules(1016, 0, 2)
    508
    """
    return ceil((1 - cables_copper_share) * node_links / ports_per_nic_module)


@step("module", "Modules at switches", source="superpod-h100", falls_with=("cables_copper_share", "ports_per_module"))
def switch_modules(
    node_links: float, fabric_links: float, cables_copper_share: float, ports_per_module: float
) -> float:
    """Transceivers in switches: every link between them ends in two; `ports_per_module` ends each; whole ones.

    >>> switch_modules(1016, 1024, 0, 2)
    1532
    """
    return ceil((1 - cables_copper_share) * (node_links + 2 * fabric_links) / ports_per_module)


@step("module", "Transceivers", source="superpod-h100", falls_with=("cables_copper_share",))
def transceivers(nic_modules: float, switch_modules: float) -> float:
    """Modules at nodes and at switches."""
    return nic_modules + switch_modules


@step("W", "Switches draw")
def switches_power(switches: float, switch_power: float) -> float:
    """What all switches draw [W] without modules."""
    return switches * switch_power


@step("W", "Modules at switches draw", source="nvidia-qm97xx")
def switch_optics_power(switch_modules: float, module_power: float) -> float:
    """What modules in switches draw [W]."""
    return switch_modules * module_power


@step("W", "Modules at nodes draw", source="nvidia-mms4x00-ns400")
def nic_optics_power(nic_modules: float, nic_module_power: float) -> float:
    """What modules in network cards draw [W]; the node's supply feeds them."""
    return nic_modules * nic_module_power


@step("W", "Optics draw")
def optics_power(switch_optics_power: float, nic_optics_power: float) -> float:
    """What all modules draw [W]."""
    return switch_optics_power + nic_optics_power


@step("W", "The fabric draws", rises_with=("switch_power", "module_power"))
def fabric_power(switches_power: float, optics_power: float) -> float:
    """What switches and modules draw [W], those at nodes too."""
    return switches_power + optics_power


@step("USD", "Price of switches and the links between", source="deepseek-isca", not_applicable="no dated price known")
def fabric_cost(
    switches: float, switch_price: float | None, fabric_links: float, link_price: float | None
) -> float | None:
    """What `switches` and `fabric_links` cost [USD], where both prices are known; cards and links to nodes apart.

    >>> fabric_cost(1568, 83000, 32928, 504) / 1e6
    146.739712
    """
    if switch_price is None or link_price is None:
        return None
    return switches * switch_price + fabric_links * link_price


@step("1", "Oversubscription in all", source="alibaba-hpn")
def worst_oversubscription(
    topology: Topology,
    plane_tiers: float,
    leaf_down: float,
    leaf_up: float,
    ports_per_uplink: float,
    spine_down: float,
    spine_up: float,
    hosts_per_router: float,
    global_ports: float,
    routers_per_group: float,
    groups: float,
) -> float:
    """What nodes may send over what the fabric takes across its middle, by ports: tiers multiply; at least 1.

    Half of a dragonfly's global ports cross when each half sends to the other, or in a lone group half of what joins
    its routers; of a Slim Fly none is known to be short.

    >>> round(worst_oversubscription("fat_tree", 2, 128, 60, 2, 64, 64, 16, 16, 32, 4), 3)
    1.067
    >>> [worst_oversubscription("dragonfly", 1, 1, 1, 1, 1, 1, 16, 16, 32, groups) for groups in (1, 2)]
    [1, 2.0]
    >>> worst_oversubscription("dragonfly", 1, 1, 1, 1, 1, 1, 32, 16, 16, 1)
    4.0
    """
    if topology == "dragonfly" and groups == 1:
        return max(1, 2 * hosts_per_router / routers_per_group)
    if topology == "dragonfly":
        return max(1, 2 * hosts_per_router / global_ports)
    if topology == "slim_fly" or plane_tiers == 1:
        return 1
    above = spine_down / spine_up if plane_tiers > TWO_TIERS else 1
    return max(1, max(1, leaf_down / (leaf_up * ports_per_uplink)) * above)


@step("B/s", "Across the middle, one way", rises_with=("port_rate",))
def bisection_one_way(endpoints: float, port_rate: float, worst_oversubscription: float) -> float:
    """What one half of the nodes can send to the other [B/s]: half of the ports' rate, over the oversubscription.

    >>> bisection_one_way(1024, 50e9, 1) / 1e12
    25.6
    """
    return endpoints / 2 * port_rate / worst_oversubscription


@step("B/s", "Across the middle, both ways")
def bisection_both_ways(bisection_one_way: float) -> float:
    """The same with both directions added, as vendors print it [B/s]."""
    return 2 * bisection_one_way


@step("B/s", "Across the middle, for each GPU")
def crossing_rate_per_gpu(bisection_both_ways: float, gpus: float) -> float:
    """What each of `gpus` may send across the middle [B/s] while all others do the same.

    >>> round(crossing_rate_per_gpu(2 * 87.77e12, 24576) / 1e9, 2)
    7.14
    """
    return bisection_both_ways / gpus


@step("switch", "Switches on the longest path", source="deepseek-isca")
def path_switches(topology: Topology, tiers: float) -> float:
    """Switches between two nodes that are farthest apart, each hop the shortest: up and down again in a tree.

    A dragonfly passes two routers in each of two groups, a Slim Fly three in all.

    >>> path_switches("fat_tree", 2), path_switches("fat_tree", 3)
    (3, 5)
    """
    return 2 * tiers - 1 if topology == "fat_tree" else 4 if topology == "dragonfly" else 3


@step("s", "Latency across the fabric", source="deepseek-isca", rises_with=("switch_latency",))
def path_latency(path_switches: float, switch_latency: float, endpoint_latency: float) -> float:
    """How long a small message takes between the two [s], without any queue.

    >>> round(path_latency(3, 0.45e-6, 2.35e-6) * 1e6, 2)
    3.7
    """
    return endpoint_latency + path_switches * switch_latency


@step("link/day", "Links that fail", source="alibaba-hpn", rises_with=("link_failure_share",))
def failed_links_per_day(cables: float, link_failure_share: float) -> float:
    """How many links fail in a time [1/s], those between switches as often as those to nodes."""
    return cables * link_failure_share


FORMULAS = formulas_of(globals())

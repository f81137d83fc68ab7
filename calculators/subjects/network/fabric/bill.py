"""The compute fabric in numbers: switches, links, transceivers, power, price, bisection, latency, link failures."""

from math import ceil
from typing import NamedTuple

from calculators.declare import formulas_of, record, step
from calculators.subjects.network.fabric.inputs import PlaneKind, Topology
from calculators.subjects.network.fabric.tree import TWO_TIERS, TreePorts


@step("1", "Leaf switches")
def leaves(
    topology: Topology, plane_leaves: float, dragonfly_switches: float, slim_fly_switches: float, planes: float
) -> float:
    """Switches with node ports, in all `planes`; every switch of a dragonfly or Slim Fly."""
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
    """Tiers of switches; one in a dragonfly or a Slim Fly."""
    return plane_tiers if topology == "fat_tree" else 1


@step("link", "Links to nodes", source="superpod-b200")
def node_links(endpoints: float, planes: float, plane_kind: PlaneKind) -> float:
    """Links between nodes and switches, in all `planes`: one of a port, or of each of its lanes' planes."""
    return endpoints if plane_kind == "rails" else endpoints * planes


@step("link", "Links from leaves to spines", source="superpod-b200")
def leaf_spine_links(
    topology: Topology, plane_leaves: float, plane_tiers: float, leaf_up: float, planes: float
) -> float:
    """Uplinks of all leaves, in all `planes`; none without spines."""
    return plane_leaves * leaf_up * planes if topology == "fat_tree" and plane_tiers > 1 else 0


@step("link", "Links from spines to cores", source="superpod-b200")
def spine_core_links(
    topology: Topology, plane_spines: float, plane_tiers: float, spine_up: float, planes: float
) -> float:
    """Uplinks of all spines, in all `planes`; none below three tiers."""
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
    """Links between switches in all tiers and planes; papers count these, bills of materials those to nodes as well."""
    trees = leaf_spine_links + spine_core_links
    return (
        trees if topology == "fat_tree" else planes * (dragonfly_links if topology == "dragonfly" else slim_fly_links)
    )


@step("cable", "Cables", source="superpod-h100", rises_with=("gpus",))
def cables(node_links: float, fabric_links: float) -> float:
    """Cables, one per link."""
    return node_links + fabric_links


@step("module", "Transceivers at nodes", source="superpod-h100")
def nic_modules(node_links: float, cables_copper_share: float, ports_per_nic_module: float) -> float:
    """Transceivers in NICs: one per `ports_per_nic_module` optical links, rounded up.

    >>> nic_modules(1016, 0, 2)
    508
    """
    return ceil((1 - cables_copper_share) * node_links / ports_per_nic_module)


@step(
    "module", "Transceivers at switches", source="superpod-h100", falls_with=("cables_copper_share", "ports_per_module")
)
def switch_modules(
    node_links: float, fabric_links: float, cables_copper_share: float, ports_per_module: float
) -> float:
    """Transceivers in switches: one per `ports_per_module` optical link ends, rounded up.

    >>> switch_modules(1016, 1024, 0, 2)
    1532
    """
    return ceil((1 - cables_copper_share) * (node_links + 2 * fabric_links) / ports_per_module)


@step("module", "Transceivers, total", source="superpod-h100", falls_with=("cables_copper_share",))
def transceivers(nic_modules: float, switch_modules: float) -> float:
    """Transceivers at nodes and at switches."""
    return nic_modules + switch_modules


@step("W", "Switch power, total")
def switches_power(switches: float, switch_power: float) -> float:
    """Power of all switches without transceivers [W]."""
    return switches * switch_power


@step("W", "Transceiver power at switches", source="nvidia-qm97xx")
def switch_optics_power(switch_modules: float, module_power: float) -> float:
    """Power of the transceivers in switches [W]."""
    return switch_modules * module_power


@step("W", "Transceiver power at nodes", source="nvidia-mms4x00-ns400")
def nic_optics_power(nic_modules: float, nic_module_power: float) -> float:
    """Power of the transceivers in NICs [W], supplied by the node."""
    return nic_modules * nic_module_power


@step("W", "Transceiver power, total")
def optics_power(switch_optics_power: float, nic_optics_power: float) -> float:
    """Power of all transceivers [W]."""
    return switch_optics_power + nic_optics_power


@step("W", "Compute-fabric power", rises_with=("switch_power", "module_power"))
def fabric_power(switches_power: float, optics_power: float) -> float:
    """Power of switches and transceivers [W], including those at nodes."""
    return switches_power + optics_power


@step("USD", "Price of switches and links between them", source="deepseek-isca", not_applicable="no dated price known")
def fabric_cost(
    switches: float, switch_price: float | None, fabric_links: float, link_price: float | None
) -> float | None:
    """Price of `switches` and `fabric_links` [USD], where both prices are known; without NICs and links to nodes.

    >>> fabric_cost(1568, 83000, 32928, 504) / 1e6
    146.739712
    """
    if switch_price is None or link_price is None:
        return None
    return switches * switch_price + fabric_links * link_price


class DragonflyShape(NamedTuple):
    """Ports and routers of a dragonfly's groups."""

    hosts_per_router: float
    global_ports: float
    routers_per_group: float
    groups: float


@record("Dragonfly groups")
def dragonfly_shape(
    hosts_per_router: float, global_ports: float, routers_per_group: float, groups: float
) -> DragonflyShape:
    """Ports and routers of a dragonfly's groups."""
    return DragonflyShape(hosts_per_router, global_ports, routers_per_group, groups)


@step("1", "Oversubscription, end to end", source="alibaba-hpn")
def worst_oversubscription(
    topology: Topology, plane_tiers: float, tree_ports: TreePorts, dragonfly_shape: DragonflyShape
) -> float:
    """Injection bandwidth over bisection bandwidth, by ports [1]: the product over tiers, at least 1.

    In a dragonfly half of the global ports cross the bisection, in a single group half of the links between its
    routers. For a Slim Fly no shortage is known.

    >>> ports, groups = TreePorts(128, 60, 2, 64, 64, 128), DragonflyShape(16, 16, 32, 4)
    >>> round(worst_oversubscription("fat_tree", 2, ports, groups), 3)
    1.067
    >>> [worst_oversubscription("dragonfly", 1, ports, groups._replace(groups=count)) for count in (1, 2)]
    [1, 2.0]
    >>> worst_oversubscription("dragonfly", 1, ports, DragonflyShape(32, 16, 16, 1))
    4.0
    """
    if topology == "dragonfly" and dragonfly_shape.groups == 1:
        return max(1, 2 * dragonfly_shape.hosts_per_router / dragonfly_shape.routers_per_group)
    if topology == "dragonfly":
        return max(1, 2 * dragonfly_shape.hosts_per_router / dragonfly_shape.global_ports)
    if topology == "slim_fly" or plane_tiers == 1:
        return 1
    above = tree_ports.spine_down / tree_ports.spine_up if plane_tiers > TWO_TIERS else 1
    return max(1, max(1, tree_ports.leaf_down / (tree_ports.leaf_up * tree_ports.per_uplink)) * above)


@step("B/s", "Bisection bandwidth, one way", rises_with=("port_rate",))
def bisection_one_way(endpoints: float, port_rate: float, worst_oversubscription: float) -> float:
    """Bandwidth from one half of the nodes to the other [B/s]: half of the ports' rate over the oversubscription.

    >>> bisection_one_way(1024, 50e9, 1) / 1e12
    25.6
    """
    return endpoints / 2 * port_rate / worst_oversubscription


@step("B/s", "Bisection bandwidth, both ways")
def bisection_both_ways(bisection_one_way: float) -> float:
    """Bisection bandwidth with both directions added [B/s], as vendors print it."""
    return 2 * bisection_one_way


@step("B/s", "Bisection bandwidth per GPU")
def crossing_rate_per_gpu(bisection_both_ways: float, gpus: float) -> float:
    """Bandwidth of each of `gpus` across the bisection [B/s] while all others send too.

    >>> round(crossing_rate_per_gpu(2 * 87.77e12, 24576) / 1e9, 2)
    7.14
    """
    return bisection_both_ways / gpus


@step("switch", "Switches on the longest path", source="deepseek-isca")
def path_switches(topology: Topology, tiers: float) -> float:
    """Switches on the shortest path between the two nodes farthest apart: up and down again in a tree.

    Two routers in each of two groups of a dragonfly, three routers in a Slim Fly.

    >>> path_switches("fat_tree", 2), path_switches("fat_tree", 3)
    (3, 5)
    """
    return 2 * tiers - 1 if topology == "fat_tree" else 4 if topology == "dragonfly" else 3


@step("s", "Fabric latency, longest path", source="deepseek-isca", rises_with=("switch_latency",))
def path_latency(path_switches: float, switch_latency: float, endpoint_latency: float) -> float:
    """Time of a small message on the longest path [s], without queueing.

    >>> round(path_latency(3, 0.45e-6, 2.35e-6) * 1e6, 2)
    3.7
    """
    return endpoint_latency + path_switches * switch_latency


@step("link/day", "Link failures", source="alibaba-hpn", rises_with=("link_failure_share",))
def failed_links_per_day(cables: float, link_failure_share: float) -> float:
    """Link failures per time [1/s]; links between switches fail as often as those to nodes."""
    return cables * link_failure_share


FORMULAS = formulas_of(globals())

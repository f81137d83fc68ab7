"""Fat trees other than the compute fabric itself: one node more, the front end, and totals of all three fabrics."""

from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from calculators.declare import formulas_of, record, step
from calculators.subjects.network.fabric import tree
from calculators.subjects.network.fabric.inputs import Topology


@dataclass(frozen=True, kw_only=True)
class Plane:
    """Tiers, switches and links of one plane of a fat tree."""

    tiers: float
    leaves: float
    spines: float
    cores: float
    links: float

    @property
    def switches(self) -> float:
        """Switches of all tiers."""
        return self.leaves + self.spines + self.cores


def grown(leaves: float, leaf_up: float, spine_radix: float, spine_up: float) -> Plane:
    """Plane of a fat tree with so many leaves.

    >>> grown(72, 32, 64, 32).switches
    232
    """
    tiers = tree.plane_tiers(leaves, spine_radix)
    pods = tree.pods(leaves, tiers, tree.spine_down(spine_radix, spine_up))
    spines = tree.plane_spines(leaves, leaf_up, tiers, pods, spine_radix)
    cores = tree.plane_cores(pods, tiers, leaf_up, spine_up, spine_radix)
    links = (leaves * leaf_up if tiers > 1 else 0) + (spines * spine_up if tiers > tree.TWO_TIERS else 0)
    return Plane(tiers=tiers, leaves=leaves, spines=spines, cores=cores, links=links)


def plain(endpoints: float, radix: float, oversubscription: float) -> Plane:
    """Fat tree without rails or planes; empty for 0 ports.

    >>> plain(2048, 64, 1).switches, plain(0, 64, 1).switches
    (96, 0)
    """
    if endpoints == 0:
        return Plane(tiers=0, leaves=0, spines=0, cores=0, links=0)
    down = tree.leaf_down(radix, 0, oversubscription, 1)
    leaves = 1 if endpoints <= radix else ceil(endpoints / down)
    return grown(leaves, tree.leaf_up(radix, 0, down, 1), radix, tree.spine_up(radix, 1))


class LeafCabling(NamedTuple):
    """Cabling of nodes to leaves: on rails or not, rails and node ports of a plane, ports of a leaf and those kept."""

    rail_optimized: bool
    rails: float
    endpoints: float
    radix: float
    reserved: float


@record("Cabling of nodes to leaves")
def leaf_cabling(
    rail_optimized: bool,  # noqa: FBT001  an input of the graph
    plane_rails: float,
    plane_endpoints: float,
    switch_radix: float,
    reserved_ports: float,
) -> LeafCabling:
    """Rails, node ports and leaf ports of one plane."""
    return LeafCabling(rail_optimized, plane_rails, plane_endpoints, switch_radix, reserved_ports)


@step("switch", "Switches for one more node", source="superpod-b200")
def switches_with_one_more(
    topology: Topology,
    switches: float,
    gpu_nodes: float,
    leaf_cabling: LeafCabling,
    tree_ports: tree.TreePorts,
    planes: float,
) -> float:
    """Switches of the same fat tree with one more node; a dragonfly or Slim Fly grows by whole groups or orders.

    >>> cabling = LeafCabling(rail_optimized=True, rails=8, endpoints=2048, radix=64, reserved=0)
    >>> switches_with_one_more("fat_tree", 96, 256, cabling, tree.TreePorts(32, 32, 1, 32, 32, 64), 1)
    232
    """
    if topology != "fat_tree":
        return switches
    on_rails, rails, endpoints, radix, reserved = leaf_cabling
    leaves = tree.plane_leaves(on_rails, gpu_nodes + 1, rails, endpoints + rails, tree_ports.leaf_down, radix, reserved)
    return grown(leaves, tree_ports.leaf_up, tree_ports.spine_radix, tree_ports.spine_up).switches * planes


@step("port", "Front-end ports", source="superpod-h100")
def frontend_endpoints(gpu_nodes: float, frontend_ports_per_node: float) -> float:
    """Ports of nodes on the front-end fabric.

    >>> frontend_endpoints(127, 2)
    254
    """
    return gpu_nodes * frontend_ports_per_node


@record("Front-end plane")
def frontend_plane(frontend_endpoints: float, frontend_radix: float, frontend_oversubscription: float) -> Plane:
    """Fat tree of the front end, oversubscribed at its leaves."""
    return plain(frontend_endpoints, frontend_radix, frontend_oversubscription)


@step("1", "Front-end switches")
def frontend_switches(frontend_plane: Plane) -> float:
    """Switches of the front-end fat tree."""
    return frontend_plane.switches


@step("cable", "Front-end cables")
def frontend_cables(frontend_endpoints: float, frontend_plane: Plane) -> float:
    """Links to nodes and between switches of the front-end fabric."""
    return frontend_endpoints + frontend_plane.links


@step("switch", "Switches, all three fabrics", rises_with=("gpus",))
def all_switches(switches: float, storage_switches: float, frontend_switches: float) -> float:
    """Switches for compute, storage and front end, without those for consoles and power management."""
    return switches + storage_switches + frontend_switches


@step("cable", "Cables, all three fabrics")
def all_cables(cables: float, storage_cables: float, frontend_cables: float) -> float:
    """Cables for compute, storage and front end."""
    return cables + storage_cables + frontend_cables


class OtherFabrics(NamedTuple):
    """Switches, cables and node ports of the storage and front-end fabrics together."""

    switches: float
    cables: float
    endpoints: float


class FabricParts(NamedTuple):
    """Parts of a fabric: power of a switch and of modules [W], ports per module, and the share of copper cables."""

    switch_power: float
    copper_share: float
    ports_per_module: float
    module_power: float
    ports_per_nic_module: float
    nic_module_power: float


@record("Storage and front-end fabrics")
def other_fabrics(
    storage_switches: float,
    storage_cables: float,
    storage_endpoints: float,
    frontend_switches: float,
    frontend_cables: float,
    frontend_endpoints: float,
) -> OtherFabrics:
    """Switches, cables and node ports of storage and front end together."""
    return OtherFabrics(
        switches=storage_switches + frontend_switches,
        cables=storage_cables + frontend_cables,
        endpoints=storage_endpoints + frontend_endpoints,
    )


@record("Parts of a fabric")
def fabric_parts(
    switch_power: float,
    cables_copper_share: float,
    ports_per_module: float,
    module_power: float,
    ports_per_nic_module: float,
    nic_module_power: float,
) -> FabricParts:
    """Power of switches and modules, ports per module, share of copper."""
    return FabricParts(
        switch_power, cables_copper_share, ports_per_module, module_power, ports_per_nic_module, nic_module_power
    )


@step("W", "Power, all three fabrics")
def all_fabric_power(fabric_power: float, other_fabrics: OtherFabrics, fabric_parts: FabricParts) -> float:
    """Power of all switches and transceivers [W], assuming the same parts in the other two fabrics."""
    at_nodes = other_fabrics.endpoints
    at_switches = 2 * other_fabrics.cables - at_nodes
    switch_power, copper_share, per_module, module_power, per_nic_module, nic_module_power = fabric_parts
    optics = at_nodes / per_nic_module * nic_module_power + at_switches / per_module * module_power
    return fabric_power + other_fabrics.switches * switch_power + (1 - copper_share) * optics


FORMULAS = formulas_of(globals())

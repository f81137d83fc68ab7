"""Fat trees other than the compute fabric itself: one node more, the front end, and totals of all three fabrics."""

from dataclasses import dataclass
from math import ceil

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


@step("switch", "Switches for one more node", source="superpod-b200")
def switches_with_one_more(
    topology: Topology,
    switches: float,
    rail_optimized: bool,  # noqa: FBT001  an input of the graph
    gpu_nodes: float,
    plane_rails: float,
    plane_endpoints: float,
    leaf_down: float,
    leaf_up: float,
    spine_radix: float,
    spine_up: float,
    switch_radix: float,
    reserved_ports: float,
    planes: float,
) -> float:
    """Switches of the same fat tree with one more node; a dragonfly or Slim Fly grows by whole groups or orders.

    >>> switches_with_one_more("fat_tree", 96, True, 256, 8, 2048, 32, 32, 64, 32, 64, 0, 1)
    232
    """
    if topology != "fat_tree":
        return switches
    ports = plane_endpoints + plane_rails
    leaves = tree.plane_leaves(
        rail_optimized, gpu_nodes + 1, plane_rails, ports, leaf_down, switch_radix, reserved_ports
    )
    return grown(leaves, leaf_up, spine_radix, spine_up).switches * planes


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


@step("W", "Power, all three fabrics")
def all_fabric_power(
    fabric_power: float,
    storage_switches: float,
    storage_cables: float,
    storage_endpoints: float,
    frontend_switches: float,
    frontend_cables: float,
    frontend_endpoints: float,
    switch_power: float,
    cables_copper_share: float,
    ports_per_module: float,
    module_power: float,
    ports_per_nic_module: float,
    nic_module_power: float,
) -> float:
    """Power of all switches and transceivers [W], assuming the same parts in the other two fabrics."""
    others = storage_switches + frontend_switches
    at_nodes = storage_endpoints + frontend_endpoints
    at_switches = 2 * (storage_cables + frontend_cables) - at_nodes
    optics = at_nodes / ports_per_nic_module * nic_module_power + at_switches / ports_per_module * module_power
    return fabric_power + others * switch_power + (1 - cables_copper_share) * optics


FORMULAS = formulas_of(globals())

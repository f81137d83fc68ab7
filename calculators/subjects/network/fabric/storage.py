"""The storage fabric: nodes and storage system on the same leaves, or the storage system on its own leaves at 1:1."""

from math import ceil, gcd

from calculators.declare import constraint, formulas_of, record, step
from calculators.subjects.network.fabric import tree
from calculators.subjects.network.fabric.planes import Plane, grown, plain


def leaf_of_nodes(radix: float, oversubscription: float, leaf_ports: float | None) -> tuple[float, float]:
    """Node ports and uplinks of a storage leaf: from all its ports, or from `leaf_ports` node ports.

    >>> leaf_of_nodes(64, 1.33, None), leaf_of_nodes(64, 1.33, 32)
    ((36, 28), (32, 24))
    """
    if leaf_ports is None:
        down = tree.leaf_down(radix, 0, oversubscription, 1)
        return down, tree.leaf_up(radix, 0, down, 1)
    return leaf_ports, max(1, round(leaf_ports / oversubscription))


@record("Storage-fabric plane")
def storage_plane(
    storage_node_ports: float,
    storage_system_ports: float,
    storage_radix: float,
    storage_oversubscription: float,
    storage_leaf_ports: float | None,
    storage_system_leaves: float | None,
) -> Plane:
    """Switches and links of the storage fabric; leaves of the storage system have one uplink per storage port.

    DGX SuperPOD H100, four units of 32 nodes: 254 node ports, 32 on a leaf with 24 uplinks, and 48 storage ports.

    >>> plane = storage_plane(254, 48, 64, 4 / 3, 32, 4)
    >>> plane.switches, plane.links, storage_plane(254, 48, 64, 4 / 3, None, None).switches
    (16, 240, 13)

    Two spines are used where one is too small, even if they do not divide the uplinks of the storage leaves evenly.

    >>> storage_plane(8, 40, 64, 1, None, 6).spines
    2
    """
    ports = storage_node_ports + storage_system_ports
    own = 0 if storage_system_leaves is None or storage_system_ports == 0 else storage_system_leaves
    if own == 0 and (storage_leaf_ports is None or ports <= storage_radix):
        return plain(ports, storage_radix, storage_oversubscription)
    down, up = leaf_of_nodes(storage_radix, storage_oversubscription, storage_leaf_ports)
    leaves = ceil((storage_node_ports if own else ports) / down)
    each = ceil(storage_system_ports / own) if own else up
    if leaves + own > storage_radix:
        return grown(leaves + own, max(up, each), storage_radix, tree.spine_up(storage_radix, 1))
    links = leaves * up + own * each
    least, even = ceil(links / storage_radix), gcd(int(up), int(each))
    spines = tree.divisor_from(even if least <= even else up, least)
    return Plane(tiers=2, leaves=leaves + own, spines=spines, cores=0, links=links)


@step("port", "Storage-fabric ports of nodes", source="superpod-h100")
def storage_node_ports(gpu_nodes: float, storage_ports_per_node: float) -> float:
    """Ports of GPU nodes on the storage fabric.

    >>> storage_node_ports(127, 2)
    254
    """
    return gpu_nodes * storage_ports_per_node


@step("port", "Storage-fabric ports", source="superpod-h100")
def storage_endpoints(storage_node_ports: float, storage_system_ports: float) -> float:
    """Ports of nodes and storage system on the storage fabric.

    >>> storage_endpoints(254, 48)
    302
    """
    return storage_node_ports + storage_system_ports


@step("1", "Storage-fabric switches", source="superpod-h100")
def storage_switches(storage_plane: Plane) -> float:
    """Switches of a fat tree for storage, oversubscribed at the node leaves."""
    return storage_plane.switches


@step("cable", "Storage-fabric cables", source="superpod-h100", rises_with=("gpus",))
def storage_cables(storage_endpoints: float, storage_plane: Plane) -> float:
    """Links to nodes, to the storage system and between switches of the storage fabric."""
    return storage_endpoints + storage_plane.links


@constraint("storage_leaf_ports")
def a_storage_leaf_has_ports(
    storage_leaf_ports: float | None, storage_oversubscription: float, storage_radix: float
) -> str:
    """A storage leaf has enough ports for node ports and uplinks."""
    if storage_leaf_ports is None:
        return ""
    if sum(leaf_of_nodes(storage_radix, storage_oversubscription, storage_leaf_ports)) <= storage_radix:
        return ""
    return (
        "Node ports per storage leaf and their uplinks at {storage_oversubscription}:1 must fit "
        "the {storage_radix} of a switch: {storage_leaf_ports} is too many; use fewer, or switches with more ports"
    )


@constraint("storage_system_leaves")
def the_store_fits_its_leaves(
    storage_system_ports: float, storage_system_leaves: float | None, storage_radix: float
) -> str:
    """Leaves of the storage system have a port and an uplink for each of its ports."""
    if storage_system_leaves is None or 2 * ceil(storage_system_ports / storage_system_leaves) <= storage_radix:
        return ""
    return (
        "Leaves for the storage system must have ports for its {storage_system_ports} and as many uplinks, "
        "not {storage_system_leaves} of {storage_radix}: use more leaves, or switches with more ports"
    )


FORMULAS = formulas_of(globals())

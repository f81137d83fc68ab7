"""The storage fabric: nodes and the store on the same leaves, or the store on leaves of its own, one to one."""

from math import ceil, gcd

from calculators.declare import constraint, formulas_of, step
from calculators.subjects.network.fabric import tree
from calculators.subjects.network.fabric.support import Plane, grown, plain


def leaf_of_nodes(radix: float, oversubscription: float, leaf_ports: float | None) -> tuple[float, float]:
    """Ports of a leaf to nodes, and its uplinks: of all its ports, or as many as `leaf_ports` used ones ask for.

    >>> leaf_of_nodes(64, 1.33, None), leaf_of_nodes(64, 1.33, 32)
    ((36, 28), (32, 24))
    """
    if leaf_ports is None:
        down = tree.leaf_down(radix, 0, oversubscription, 1)
        return down, tree.leaf_up(radix, 0, down, 1)
    return leaf_ports, max(1, round(leaf_ports / oversubscription))


def storage_plane(
    node_ports: float,
    store_ports: float,
    radix: float,
    oversubscription: float,
    leaf_ports: float | None,
    store_leaves: float | None,
) -> Plane:
    """What the storage fabric is made of; leaves of the store have an uplink for each of its ports.

    DGX SuperPOD H100: 254 ports of nodes, 32 on a leaf with 24 uplinks, and 48 of the store; in four units of 32 nodes.

    >>> storage_plane(254, 48, 64, 4 / 3, 32, 4).switches, storage_plane(254, 48, 64, 4 / 3, 32, 4).links
    (16, 240)

    Uplinks of the store's leaves that no two spines share evenly do not keep it at one that is too small.

    >>> storage_plane(8, 40, 64, 1, None, 6).spines
    2
    """
    ports = node_ports + store_ports
    own = 0 if store_leaves is None or store_ports == 0 else store_leaves
    if own == 0 and (leaf_ports is None or ports <= radix):
        return plain(ports, radix, oversubscription)
    down, up = leaf_of_nodes(radix, oversubscription, leaf_ports)
    leaves = ceil((node_ports if own else ports) / down)
    each = ceil(store_ports / own) if own else up
    if leaves + own > radix:
        return grown(leaves + own, max(up, each), radix, tree.spine_up(radix, 1))
    links = leaves * up + own * each
    least, even = ceil(links / radix), gcd(int(up), int(each))
    spines = tree.divisor_from(even if least <= even else up, least)
    return Plane(tiers=2, leaves=leaves + own, spines=spines, cores=0, links=links)


@step("port", "Ports of nodes on the storage fabric", source="superpod-h100")
def storage_node_ports(gpu_nodes: float, storage_ports_per_node: float) -> float:
    """Ports that nodes have on the storage fabric.

    >>> storage_node_ports(127, 2)
    254
    """
    return gpu_nodes * storage_ports_per_node


@step("port", "Ports of the storage fabric", source="superpod-h100")
def storage_endpoints(storage_node_ports: float, store_ports: float) -> float:
    """Ports of nodes and of the store on the storage fabric.

    >>> storage_endpoints(254, 48)
    302
    """
    return storage_node_ports + store_ports


@step("1", "Switches of the storage fabric", source="superpod-h100")
def storage_switches(
    storage_node_ports: float,
    store_ports: float,
    storage_radix: float,
    storage_oversubscription: float,
    storage_leaf_ports: float | None,
    store_leaves: float | None,
) -> float:
    """Switches of a fat tree for storage, oversubscribed at the leaves of nodes.

    >>> storage_switches(254, 48, 64, 4 / 3, None, None), storage_switches(254, 48, 64, 4 / 3, 32, 4)
    (13, 16)
    """
    return storage_plane(
        storage_node_ports, store_ports, storage_radix, storage_oversubscription, storage_leaf_ports, store_leaves
    ).switches


@step("cable", "Cables of the storage fabric", source="superpod-h100", rises_with=("gpus",))
def storage_cables(
    storage_node_ports: float,
    store_ports: float,
    storage_radix: float,
    storage_oversubscription: float,
    storage_leaf_ports: float | None,
    store_leaves: float | None,
) -> float:
    """Links to nodes, to the store and between switches of the storage fabric.

    >>> storage_cables(254, 48, 64, 4 / 3, None, None), storage_cables(254, 48, 64, 4 / 3, 32, 4)
    (554, 542)
    """
    plane = storage_plane(
        storage_node_ports, store_ports, storage_radix, storage_oversubscription, storage_leaf_ports, store_leaves
    )
    return storage_node_ports + store_ports + plane.links


@constraint("storage_leaf_ports")
def a_storage_leaf_has_ports(
    storage_leaf_ports: float | None, storage_oversubscription: float, storage_radix: float
) -> str:
    """A leaf has a port for each node's and for each uplink."""
    if storage_leaf_ports is None:
        return ""
    if sum(leaf_of_nodes(storage_radix, storage_oversubscription, storage_leaf_ports)) <= storage_radix:
        return ""
    return (
        "Node ports on a storage leaf and their uplinks at {storage_oversubscription} to one must fit "
        "the {storage_radix} of a switch: {storage_leaf_ports} is too many"
    )


@constraint("store_leaves")
def the_store_fits_its_leaves(store_ports: float, store_leaves: float | None, storage_radix: float) -> str:
    """Leaves of the store have a port and an uplink for each of its ports."""
    if store_leaves is None or 2 * ceil(store_ports / store_leaves) <= storage_radix:
        return ""
    return (
        "Leaves of the store's own must hold its {store_ports} and as many uplinks, "
        "not {store_leaves} of {storage_radix}"
    )


FORMULAS = formulas_of(globals())

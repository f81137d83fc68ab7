"""Fat trees: leaf, spine and core switches of one plane, and the links between them."""

from math import ceil, floor
from typing import NamedTuple

from calculators.declare import formulas_of, record, step
from calculators.subjects.network.fabric.inputs import PlaneKind

TWO_TIERS = 2  # leaves and spines


def divisor_from(uplinks: float, least: float) -> int:
    """Smallest divisor of `uplinks` that is at least `least`, so that every pair of switches has as many links.

    >>> divisor_from(32, 12), divisor_from(72, 64)
    (16, 72)
    """
    return next(one for one in range(int(min(least, uplinks)), int(uplinks) + 1) if uplinks % one == 0)


@step("port", "Compute-fabric ports", rises_with=("gpus",))
def endpoints(gpus: float, gpus_per_node: float, nics_per_gpu: float, rails: float) -> float:
    """NIC ports on the compute fabric [port]: `rails` of each whole node, and those of the last node's `gpus`.

    >>> endpoints(2048, 8, 1, 8), endpoints(50, 8, 1.27, 11)
    (2048, 69)
    """
    return floor(gpus / gpus_per_node) * rails + ceil(gpus % gpus_per_node * nics_per_gpu)


@step("B/s", "Network bandwidth per GPU")
def nic_bandwidth(port_rate: float, nics_per_gpu: float) -> float:
    """Bandwidth of one GPU on the compute fabric [B/s]: `port_rate` [B/s] times `nics_per_gpu`.

    >>> nic_bandwidth(50e9, 0.5)
    25000000000.0
    """
    return port_rate * nics_per_gpu


@step("1", "Rails per node")
def rails(gpus_per_node: float, nics_per_gpu: float) -> float:
    """Ports of one node, each on its own rail: `gpus_per_node` times `nics_per_gpu`, rounded up.

    >>> rails(8, 1)
    8
    """
    return ceil(gpus_per_node * nics_per_gpu)


@step("port", "Ports per plane")
def plane_endpoints(endpoints: float, gpus: float, gpus_per_node: float, rails: float, plane_rails: float) -> float:
    """Ports on the largest plane: `plane_rails` of each whole node, and as large a part of the last node's ports.

    >>> plane_endpoints(16384, 16384, 8, 8, 1), plane_endpoints(512, 512, 8, 8, 8), plane_endpoints(69, 50, 8, 11, 6)
    (2048, 512, 38)
    """
    whole = floor(gpus / gpus_per_node)
    return whole * plane_rails + ceil((endpoints - whole * rails) * plane_rails / rails)


@step("1", "Rails per plane")
def plane_rails(rails: float, planes: float, plane_kind: PlaneKind) -> float:
    """Rails that one of `planes` connects: all of them where planes split lanes, else its part."""
    return ceil(rails / planes) if plane_kind == "rails" else rails


@step("Gbit/s", "Port rate per plane")
def plane_port_rate(port_rate: float, planes: float, plane_kind: PlaneKind) -> float:
    """Rate of a port in one plane [B/s]: its part of `port_rate` where `planes` split lanes."""
    return port_rate if plane_kind == "rails" else port_rate / planes


@step("port", "Leaf downlinks (ports to nodes)", source="superpod-h100")
def leaf_down(switch_radix: float, reserved_ports: float, oversubscription: float, ports_per_uplink: float) -> float:
    """Ports of a leaf to nodes: half of those in use, more with `oversubscription`, always leaving one uplink.

    `switch_radix` ports, less `reserved_ports`; an uplink takes `ports_per_uplink` of the rest.

    >>> leaf_down(64, 0, 1, 1), leaf_down(256, 8, 128 / 120, 2)
    (32, 128)
    """
    used = switch_radix - reserved_ports
    return max(1, min(floor(used * oversubscription / (oversubscription + 1)), floor(used - ports_per_uplink)))


@step("link", "Leaf uplinks", source="superpod-h100")
def leaf_up(switch_radix: float, reserved_ports: float, leaf_down: float, ports_per_uplink: float) -> float:
    """Links from a leaf to spines: ports left by `leaf_down` and `reserved_ports`, `ports_per_uplink` each.

    >>> leaf_up(64, 0, 32, 1), leaf_up(256, 8, 128, 2)
    (32, 60)
    """
    return floor((switch_radix - reserved_ports - leaf_down) / ports_per_uplink)


@step("port", "Ports per spine or core switch")
def spine_radix(switch_radix: float, ports_per_uplink: float) -> float:
    """Ports of the switch at the rate of an uplink."""
    return floor(switch_radix / ports_per_uplink)


@step("link", "Spine uplinks", falls_with=("core_oversubscription",))
def spine_up(spine_radix: float, core_oversubscription: float) -> float:
    """Ports of a spine to cores with three tiers: half, fewer with `core_oversubscription`, never all.

    >>> spine_up(64, 1), spine_up(128, 15)
    (32, 8)
    """
    down = floor(spine_radix * core_oversubscription / (core_oversubscription + 1))
    return spine_radix - max(1, down)


@step("port", "Spine downlinks (ports to leaves)")
def spine_down(spine_radix: float, spine_up: float) -> float:
    """Ports of a spine to the leaves of its pod with three tiers: as many as a pod has leaves."""
    return spine_radix - spine_up


@step("switch", "Leaf switches per plane", source="superpod-h100", rises_with=("gpus",))
def plane_leaves(
    rail_optimized: bool,  # noqa: FBT001  an input of the graph
    gpu_nodes: float,
    plane_rails: float,
    plane_endpoints: float,
    leaf_down: float,
    switch_radix: float,
    reserved_ports: float,
) -> float:
    """Leaf switches of one plane: enough for the nodes of each rail, or without rails for all ports.

    One switch is enough where it has a port for each of `plane_endpoints`; it needs no uplinks.

    >>> plane_leaves(True, 256, 8, 2048, 32, 64, 0), plane_leaves(True, 8, 8, 64, 32, 64, 0)
    (64, 1)
    """
    if plane_endpoints <= switch_radix - reserved_ports:
        return 1
    return plane_rails * ceil(gpu_nodes / leaf_down) if rail_optimized else ceil(plane_endpoints / leaf_down)


@step("tier", "Tiers per plane", source="superpod-b200")
def plane_tiers(plane_leaves: float, spine_radix: float) -> float:
    """Tiers of one plane: one for a single switch, two while a spine has a port for every leaf, three beyond.

    >>> plane_tiers(1, 64), plane_tiers(64, 64), plane_tiers(72, 64)
    (1, 2, 3)
    """
    if plane_leaves == 1:
        return 1
    return 2 if plane_leaves <= spine_radix else 3


@step("1", "Pods per plane", source="superpod-b200")
def pods(plane_leaves: float, plane_tiers: float, spine_down: float) -> float:
    """Groups of leaves with their own spines, with three tiers; one otherwise.

    >>> pods(72, 3, 32)
    3
    """
    return ceil(plane_leaves / spine_down) if plane_tiers > TWO_TIERS else 1


@step("switch", "Spine switches per plane", source="superpod-b300-xdr")
def plane_spines(plane_leaves: float, leaf_up: float, plane_tiers: float, pods: float, spine_radix: float) -> float:
    """Spine switches: a divisor of a leaf's uplinks that has ports for all of them; in a pod, one for each uplink.

    NVIDIA's tables need the divisor: 24 leaves have 16 spines, not 12; 32 leaves of 144 ports have 18, not 16.

    >>> plane_spines(24, 32, 2, 1, 64), plane_spines(32, 72, 2, 1, 144), plane_spines(128, 32, 3, 4, 64)
    (16, 18, 128)
    """
    if plane_tiers == 1:
        return 0
    return (
        divisor_from(leaf_up, ceil(plane_leaves * leaf_up / spine_radix))
        if plane_tiers == TWO_TIERS
        else pods * leaf_up
    )


@step("switch", "Core switches per plane", source="superpod-b200")
def plane_cores(pods: float, plane_tiers: float, leaf_up: float, spine_up: float, spine_radix: float) -> float:
    """Core switches of one plane: a set per leaf uplink that connects that spine of every pod, dividing its uplinks.

    >>> plane_cores(4, 3, 32, 32, 64), plane_cores(64, 3, 32, 32, 64)
    (64, 1024)
    """
    if plane_tiers <= TWO_TIERS:
        return 0
    return leaf_up * divisor_from(spine_up, ceil(pods * spine_up / spine_radix))


@step("port", "Maximum ports in two tiers", source="superpod-b200", rises_with=("switch_radix",))
def two_tier_limit(spine_radix: float, leaf_down: float) -> float:
    """Maximum ports of one plane in two tiers: a leaf on every port of a spine.

    >>> two_tier_limit(64, 32)
    2048
    """
    return spine_radix * leaf_down


@step("port", "Ports per pod in three tiers", source="alibaba-hpn")
def pod_endpoints(spine_down: float, leaf_down: float) -> float:
    """Ports in one pod: those of as many leaves as a spine has downlinks.

    >>> pod_endpoints(120, 128), pod_endpoints(64, 128)
    (15360, 8192)
    """
    return spine_down * leaf_down


@step("port", "Maximum ports in three tiers", source="alibaba-hpn")
def three_tier_limit(spine_radix: float, pod_endpoints: float) -> float:
    """Maximum ports of one plane in three tiers: a pod on every port of a core.

    >>> three_tier_limit(48, 24 * 24)
    27648
    """
    return spine_radix * pod_endpoints


@step("node", "Maximum nodes in these tiers")
def nodes_within_tiers(
    rail_optimized: bool,  # noqa: FBT001  an input of the graph
    plane_tiers: float,
    plane_rails: float,
    leaf_down: float,
    spine_radix: float,
    spine_down: float,
    switch_radix: float,
    reserved_ports: float,
) -> float:
    """Maximum nodes in the present number of tiers [node]; with rails, every rail has its own leaves.

    >>> nodes_within_tiers(True, 2, 8, 32, 64, 32, 64, 0)
    256
    >>> nodes_within_tiers(True, 1, 8, 32, 64, 32, 64, 8)
    7
    """
    if plane_tiers == 1:
        return floor((switch_radix - reserved_ports) / plane_rails)
    leaves = spine_radix * (spine_down if plane_tiers > TWO_TIERS else 1)
    return floor(leaves / plane_rails) * leaf_down if rail_optimized else floor(leaves * leaf_down / plane_rails)


class TreePorts(NamedTuple):
    """Ports of a fat tree's switches: leaves down and up, spines down and up, and all of a spine."""

    leaf_down: float
    leaf_up: float
    per_uplink: float
    spine_down: float
    spine_up: float
    spine_radix: float


@record("Ports of the fat tree")
def tree_ports(
    leaf_down: float,
    leaf_up: float,
    ports_per_uplink: float,
    spine_down: float,
    spine_up: float,
    spine_radix: float,
) -> TreePorts:
    """Ports of the fat tree's switches by direction."""
    return TreePorts(leaf_down, leaf_up, ports_per_uplink, spine_down, spine_up, spine_radix)


FORMULAS = formulas_of(globals())

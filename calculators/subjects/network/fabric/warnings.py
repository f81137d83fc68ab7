"""Where a fabric counted on paper goes wrong: ports left over, units without a manager, planes, routing, prices."""

from calculators import facts
from calculators.declare import formulas_of, warning
from calculators.subjects.network.fabric.direct import has_a_slim_fly
from calculators.subjects.network.fabric.inputs import QM9700, PlaneKind, Topology
from calculators.subjects.network.fabric.tree import TWO_TIERS, divisor_from

_HALF = 0.5
_QM9700_WATTS = float(facts.fact(f"{QM9700}.switch_power").value)
_QM9700_CARRIES = float(facts.fact(f"{QM9700}.switch_radix").value) * float(facts.fact(f"{QM9700}.port_rate").value)


@warning
def spines_rounded_up(
    topology: Topology, plane_tiers: float, plane_leaves: float, plane_spines: float, leaf_up: float, spine_radix: float
) -> str:
    """More spines than ports ask for, so that they divide a leaf's uplinks."""
    if topology != "fat_tree" or plane_tiers != TWO_TIERS or (plane_spines - 1) * spine_radix < plane_leaves * leaf_up:
        return ""
    return (
        "Fewer spines would hold all links, but spines must divide the {leaf_up} of a leaf: "
        "of {plane_spines} of {spine_radix} each, some ports stay free."
    )


@warning
def cores_rounded_up(topology: Topology, plane_tiers: float, pods: float, spine_up: float, spine_radix: float) -> str:
    """More cores than ports ask for, so that they divide a spine's uplinks."""
    least = -(-pods * spine_up // spine_radix)
    if topology != "fat_tree" or plane_tiers <= TWO_TIERS or divisor_from(spine_up, least) <= least:
        return ""
    return (
        "Fewer cores would hold all links, but they must divide the {spine_up} of a spine: "
        "pods beyond the present {pods} may need no more cores."
    )


@warning
def pod_partly_filled(
    topology: Topology, plane_tiers: float, plane_leaves: float, pods: float, spine_down: float
) -> str:
    """A last pod with fewer leaves than its spines have ports for."""
    if topology != "fat_tree" or plane_tiers <= TWO_TIERS or plane_leaves == pods * spine_down:
        return ""
    return (
        "The last pod is partly filled: {plane_leaves} in {pods} pods of {spine_down} each. "
        "No published table shows one; NVIDIA builds whole units and leaves ports unused."
    )


@warning
def leaves_half_empty(
    topology: Topology,
    rail_optimised: bool,  # noqa: FBT001  an input of the graph
    plane_tiers: float,
    gpu_nodes: float,
    leaf_down: float,
) -> str:
    """Rails with fewer nodes than half of a leaf's ports."""
    if topology != "fat_tree" or not rail_optimised or plane_tiers == 1 or gpu_nodes >= leaf_down * _HALF:
        return ""
    return (
        "Each rail has {gpu_nodes} and its leaf {leaf_down} for them: more than half stay empty. "
        "Rails may share a leaf while the cluster is small."
    )


@warning
def no_port_for_the_manager(
    topology: Topology, plane_tiers: float, gpu_nodes: float, leaf_down: float, reserved_ports: float
) -> str:
    """Full leaves, and so no port for a fabric manager or anything else."""
    if topology != "fat_tree" or plane_tiers == 1 or reserved_ports > 0 or gpu_nodes % leaf_down:
        return ""
    return (
        "Every leaf is full: a fabric manager has no port. "
        "NVIDIA takes one node out of its smaller units and gives the manager four of the ports."
    )


@warning
def cards_must_use_all_planes(planes: float, plane_kind: PlaneKind) -> str:
    """Cards split over planes, which library and driver must both use."""
    if planes <= 1 or plane_kind != "lanes":
        return ""
    return (
        "Every card is split over {planes} planes: it carries {plane_port_rate} in each, "
        "and only cards and libraries that use all of them reach {port_rate}."
    )


@warning
def planes_are_islands(planes: float, plane_kind: PlaneKind) -> str:
    """Rails in planes of their own, which only nodes join."""
    if planes <= 1 or plane_kind != "rails":
        return ""
    return (
        "No switch joins the {planes} planes: what changes rails passes through a node's own links, "
        "and the bisection counts each plane's middle alone."
    )


@warning
def narrow_above_the_pods(topology: Topology, plane_tiers: float, core_oversubscription: float) -> str:
    """A narrow core, good only for jobs that stay within a pod."""
    if topology != "fat_tree" or plane_tiers <= TWO_TIERS or core_oversubscription <= 1:
        return ""
    return (
        "Between pods of {pod_endpoints} only a part passes: all-to-all, tensor and pipeline traffic must stay "
        "inside one, and the scheduler has to know where it ends."
    )


@warning
def needs_adaptive_routing(topology: Topology) -> str:
    """Networks in which the shortest paths are few."""
    if topology == "fat_tree":
        return ""
    return (
        "Shortest paths are few here: without adaptive routing over detours, which few switches offer, "
        "unlucky traffic gets a fraction of these figures."
    )


@warning
def no_such_slim_fly(topology: Topology, slim_fly_order: float) -> str:
    """An order for which no such graph is known."""
    if topology != "slim_fly" or has_a_slim_fly(slim_fly_order):
        return ""
    return (
        "No graph of order {slim_fly_order} can be built: the order must be a power of a prime, "
        "and not twice an odd number. Counts of such orders, DeepSeek's 28 too, are interpolated."
    )


@warning
def switch_watts_of_another(switch_power: float, switch_radix: float, plane_port_rate: float) -> str:
    """A switch that carries more than the one whose watts stand here."""
    if switch_power != _QM9700_WATTS or switch_radix * plane_port_rate <= _QM9700_CARRIES:
        return ""
    return (
        "{switch_power} are those of a switch of 64 ports at 400 Gbit/s; one of {switch_radix} at {plane_port_rate} "
        "draws more: put its own."
    )


FORMULAS = formulas_of(globals())

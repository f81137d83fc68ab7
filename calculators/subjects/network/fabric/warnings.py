"""Warnings of the fabric: unused ports, no port for a fabric manager, planes, routing, switch power."""

from calculators import facts
from calculators.declare import formulas_of, warning
from calculators.subjects.network.fabric.direct import has_a_slim_fly
from calculators.subjects.network.fabric.inputs import QM9700, PlaneKind, Topology
from calculators.subjects.network.fabric.tree import TWO_TIERS, divisor_from

_HALF = 0.5
_QM9700_WATTS = float(facts.fact(f"{QM9700}.switch_power").value)
_QM9700_CARRIES = float(facts.fact(f"{QM9700}.switch_radix").value) * float(facts.fact(f"{QM9700}.port_rate").value)


@warning(speaks="switch_model=fabric-switch-q3400", silent="switch_model=fabric-switch-sn5600")
def switch_power_of_another(switch_power: float, switch_radix: float, plane_port_rate: float) -> str:
    """The switch has more bandwidth than the one whose power is entered."""
    if switch_power != _QM9700_WATTS or switch_radix * plane_port_rate <= _QM9700_CARRIES:
        return ""
    return (
        "{switch_power} is the power of a switch with 64 ports at 400 Gbit/s; one with {switch_radix} at "
        "{plane_port_rate} draws more: enter its own."
    )


@warning(speaks="gpus=760", silent="gpus=1024")
def spines_rounded_up(
    topology: Topology, plane_tiers: float, plane_leaves: float, plane_spines: float, leaf_up: float, spine_radix: float
) -> str:
    """More spines than the ports need, so that they divide a leaf's uplinks."""
    if topology != "fat_tree" or plane_tiers != TWO_TIERS or (plane_spines - 1) * spine_radix < plane_leaves * leaf_up:
        return ""
    return (
        "Fewer spines would have enough ports, but spines must divide the {leaf_up} of a leaf: "
        "with {plane_spines} of {spine_radix} each, some ports are unused."
    )


@warning(speaks="gpus=5120", silent="gpus=4096")
def cores_rounded_up(topology: Topology, plane_tiers: float, pods: float, spine_up: float, spine_radix: float) -> str:
    """More cores than the ports need, so that they divide a spine's uplinks."""
    least = -(-pods * spine_up // spine_radix)
    if topology != "fat_tree" or plane_tiers <= TWO_TIERS or divisor_from(spine_up, least) <= least:
        return ""
    return (
        "Fewer cores would have enough ports, but cores must divide the {spine_up} of a spine: "
        "more than the present {pods} pods may need no more cores."
    )


@warning(speaks="gpus=2056", silent="gpus=4096")
def pod_partly_filled(
    topology: Topology, plane_tiers: float, plane_leaves: float, pods: float, spine_down: float
) -> str:
    """The last pod has fewer leaves than its spines have ports for."""
    if topology != "fat_tree" or plane_tiers <= TWO_TIERS or plane_leaves == pods * spine_down:
        return ""
    return (
        "The last pod is partly filled: {plane_leaves} in {pods} pods of {spine_down} each. "
        "No published table has one; NVIDIA builds whole units and leaves ports unused."
    )


@warning(speaks="gpus=120", silent="gpus=128")
def leaves_half_empty(
    topology: Topology,
    rail_optimized: bool,  # noqa: FBT001  an input of the graph
    plane_tiers: float,
    gpu_nodes: float,
    leaf_down: float,
) -> str:
    """A rail has fewer nodes than half of a leaf's node ports."""
    if topology != "fat_tree" or not rail_optimized or plane_tiers == 1 or gpu_nodes >= leaf_down * _HALF:
        return ""
    return (
        "Each rail has {gpu_nodes} on a leaf with {leaf_down} to nodes: more than half are unused. "
        "Rails can share a leaf while the cluster is small."
    )


@warning(speaks="", silent="gpus=1016")
def no_port_for_the_manager(
    topology: Topology, plane_tiers: float, gpu_nodes: float, leaf_down: float, reserved_ports: float
) -> str:
    """Every leaf is full, so a fabric manager has no port."""
    if topology != "fat_tree" or plane_tiers == 1 or reserved_ports > 0 or gpu_nodes % leaf_down:
        return ""
    return (
        "Every leaf is full: no port is left for a fabric manager. "
        "NVIDIA leaves one node out of its smaller units and uses four of its ports for the manager."
    )


@warning(speaks="planes=2&switch_radix=128&port_rate=800Gbit/s", silent="switch_radix=128")
def nics_must_use_all_planes(planes: float, plane_kind: PlaneKind) -> str:
    """NICs are split over planes, and libraries and drivers must use all of them."""
    if planes <= 1 or plane_kind != "lanes":
        return ""
    return (
        "Every NIC is split over {planes} planes with {plane_port_rate} in each: "
        "only NICs and libraries that use all planes reach {port_rate}."
    )


@warning(speaks="planes=8&plane_kind=rails&gpus=16384", silent="plane_kind=rails")
def planes_are_islands(planes: float, plane_kind: PlaneKind) -> str:
    """Rails have separate planes, connected only inside nodes."""
    if planes <= 1 or plane_kind != "rails":
        return ""
    return (
        "No switch connects the {planes} planes: traffic between rails takes the scale-up links inside a node, "
        "and the bisection bandwidth is that of each plane alone, added."
    )


@warning(speaks="gpus=24576&core_oversubscription=7", silent="core_oversubscription=7")
def narrow_above_the_pods(topology: Topology, plane_tiers: float, core_oversubscription: float) -> str:
    """An oversubscribed core, good only for jobs that stay within a pod."""
    if topology != "fat_tree" or plane_tiers <= TWO_TIERS or core_oversubscription <= 1:
        return ""
    return (
        "Links between pods of {pod_endpoints} each are oversubscribed: all-to-all, tensor and pipeline traffic must "
        "stay inside a pod, and the scheduler has to know its nodes."
    )


@warning(speaks="topology=dragonfly", silent="")
def needs_adaptive_routing(topology: Topology) -> str:
    """Networks with few shortest paths."""
    if topology == "fat_tree":
        return ""
    return (
        "This topology has few shortest paths: without adaptive non-minimal routing, which few switches offer, "
        "unfavorable traffic gets a fraction of this bandwidth."
    )


@warning(speaks="topology=slim-fly&slim_fly_order=28", silent="topology=slim-fly&slim_fly_order=27")
def no_such_slim_fly(topology: Topology, slim_fly_order: float) -> str:
    """An order for which no Slim Fly graph is known."""
    if topology != "slim_fly" or has_a_slim_fly(slim_fly_order):
        return ""
    return (
        "No Slim Fly of order {slim_fly_order} can be built: the order must be a power of a prime, and not twice an "
        "odd number. Counts for other orders, DeepSeek's 28 included, are interpolated."
    )


FORMULAS = formulas_of(globals())

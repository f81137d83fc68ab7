"""Verdicts and constraints of the fabric: tiers and spare ports, bisection, and networks that cannot be built."""

from calculators import facts
from calculators.declare import Verdict, constraint, formulas_of, verdict
from calculators.subjects.network.fabric.inputs import Topology
from calculators.subjects.network.fabric.tree import TWO_TIERS

NON_BLOCKING_TO = float(facts.fact("hpn-oversubscription").value)
TIGHT_TO = 2


@verdict("Switch tiers", good="", tight="gpus=2056")
def fits_tiers(
    topology: Topology,
    plane_tiers: float,
    gpu_nodes: float,
    nodes_within_tiers: float,
) -> Verdict:
    """Good in two tiers, tight in three, with the nodes that still fit or the switches that one more node takes.

    Networks of more than three tiers, or with too few ports, are refused by constraints.
    """
    if topology != "fat_tree":
        name = "dragonfly_endpoints" if topology == "dragonfly" else "slim_fly_endpoints"
        return Verdict(
            level="good", word="nodes fit", reason=f"Routers have {{{name}}} to nodes, for {{plane_endpoints}} of NICs."
        )
    room = gpu_nodes + 1 <= nodes_within_tiers
    more = (
        "These tiers connect at most {nodes_within_tiers}; this cluster has {gpu_nodes}."
        if room
        else "No spare ports: one more node raises {switches} to {switches_with_one_more}."
        if plane_tiers <= TWO_TIERS
        else "No spare ports: three tiers of this switch connect no more."
    )
    if plane_tiers > TWO_TIERS:
        return Verdict(level="tight", word="three tiers", reason="A third tier is needed. " + more)
    word = "one switch" if plane_tiers == 1 else "two tiers"
    return Verdict(level="good", word=word if room else f"{word}, full", reason=more)


@verdict("Bisection bandwidth", good="", tight="oversubscription=2", bad="oversubscription=3")
def non_blocking(
    topology: Topology,
    plane_tiers: float,
    worst_oversubscription: float,
    leaf_down: float,
    leaf_up: float,
    ports_per_uplink: float,
) -> Verdict:
    """Good without oversubscription by ports, tight up to 2:1, bad above; names the tier that is oversubscribed."""
    if topology == "fat_tree" and plane_tiers == 1:
        return Verdict(level="good", word="non-blocking", reason="All nodes are on one switch.")
    if topology == "slim_fly":
        return Verdict(
            level="tight",
            word="not checked",
            reason="At most {bisection_one_way} each way: the bisection of a Slim Fly is not computed here.",
        )
    if worst_oversubscription <= NON_BLOCKING_TO:
        reason = (
            "Bisection bandwidth {bisection_one_way} each way, the full port rate of every node; routing may limit it."
        )
        return Verdict(level="good", word="non-blocking", reason=reason)
    if topology == "dragonfly":
        where = "Between groups"
    elif leaf_down / (leaf_up * ports_per_uplink) > NON_BLOCKING_TO:
        where = "At the leaves" if plane_tiers <= TWO_TIERS else "Leaves and spines together"
    else:
        where = "Above the pods"
    reason = f"{where}: {{worst_oversubscription}}:1, bisection bandwidth {{bisection_one_way}} each way."
    if worst_oversubscription <= TIGHT_TO:
        return Verdict(level="tight", word="slightly oversubscribed", reason=reason)
    return Verdict(level="bad", word="oversubscribed", reason=reason)


@constraint("reserved_ports", speaks="reserved_ports=63", silent="reserved_ports=62")
def a_leaf_has_ports(switch_radix: float, reserved_ports: float, ports_per_uplink: float) -> str:
    """A leaf needs a port for a node and an uplink."""
    if switch_radix - reserved_ports > ports_per_uplink:
        return ""
    return (
        "Reserved ports per leaf must leave one port for a node and {ports_per_uplink} for an uplink "
        "of its {switch_radix}, not {reserved_ports}"
    )


@constraint("nics_per_gpu", speaks="nics_per_gpu=0.1", silent="nics_per_gpu=0.125")
def a_node_has_a_port(gpus_per_node: float, nics_per_gpu: float) -> str:
    """Every node has at least one port on the fabric."""
    if gpus_per_node * nics_per_gpu >= 1:
        return ""
    return "Compute ports per GPU must give a node of {gpus_per_node} at least one port, not {nics_per_gpu}"


@constraint("planes", speaks="planes=9&plane_kind=rails", silent="planes=8&plane_kind=rails")
def a_plane_has_a_rail(planes: float, plane_kind: str, gpus_per_node: float, nics_per_gpu: float) -> str:
    """With planes split by rails, every plane has at least one rail."""
    if plane_kind != "rails" or planes <= max(1, gpus_per_node * nics_per_gpu):
        return ""
    return "Planes split by rails must be at most the compute ports of a node, not {planes}: use fewer planes"


@constraint("gpus", speaks="gpus=65537", silent="gpus=65536")
def three_tiers_reach(topology: Topology, plane_leaves: float, spine_radix: float, spine_down: float) -> str:
    """A fat tree has at most three tiers."""
    if topology != "fat_tree" or plane_leaves <= spine_radix * spine_down:
        return ""
    return (
        "GPUs in the job must fit three tiers of this switch, which connect at most {nodes_within_tiers} with this "
        "cabling, not {gpu_nodes}; use switches with more than {switch_radix}, or more planes"
    )


@constraint("groups", speaks="topology=dragonfly&groups=514", silent="topology=dragonfly&groups=513")
def groups_can_be_joined(topology: Topology, groups: float, dragonfly_groups_limit: float) -> str:
    """Every group of a dragonfly has a link to every other group."""
    if topology != "dragonfly" or groups <= dragonfly_groups_limit:
        return ""
    return (
        "Dragonfly groups must be at most {dragonfly_groups_limit}, so that each has a link to every other, "
        "not {groups}: use more global ports per router, or more routers per group"
    )


@constraint("gpus", speaks="topology=dragonfly&gpus=262657", silent="topology=dragonfly&gpus=262656")
def routers_hold_all_nodes(
    topology: Topology, plane_endpoints: float, dragonfly_endpoints: float, slim_fly_endpoints: float
) -> str:
    """A dragonfly or Slim Fly has a port for every NIC port."""
    if topology == "fat_tree":
        return ""
    name = "dragonfly_endpoints" if topology == "dragonfly" else "slim_fly_endpoints"
    if plane_endpoints <= (dragonfly_endpoints if topology == "dragonfly" else slim_fly_endpoints):
        return ""
    more = "more groups" if topology == "dragonfly" else "a higher order"
    return (
        f"GPUs in the job must fit the {{{name}}} to nodes of these routers, not {{plane_endpoints}}; "
        f"use {more}, or switches with more than {{switch_radix}}"
    )


@constraint(
    "topology",
    speaks="topology=dragonfly&hosts_per_router=18",
    silent="topology=dragonfly&hosts_per_router=17",
)
def routers_have_ports(topology: Topology, router_ports: float, switch_radix: float) -> str:
    """Node ports and links of a router fit its switch."""
    if topology == "fat_tree" or router_ports <= switch_radix:
        return ""
    return (
        "Topology: its routers need {router_ports}, but a switch has {switch_radix}: use fewer nodes or links per "
        "router, or switches with more ports"
    )


FORMULAS = formulas_of(globals())

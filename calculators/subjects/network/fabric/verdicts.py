"""Verdicts on a fabric: whether it fits its tiers, with the room that is left, and whether it is non-blocking."""

from calculators import facts
from calculators.declare import Verdict, constraint, formulas_of, verdict
from calculators.subjects.network.fabric.inputs import Topology
from calculators.subjects.network.fabric.tree import TWO_TIERS

NON_BLOCKING_TO = float(facts.fact("hpn-oversubscription").value)
TIGHT_TO = 2


@verdict("Does it fit this many tiers?")
def fits_tiers(
    topology: Topology,
    plane_tiers: float,
    gpu_nodes: float,
    nodes_within_tiers: float,
) -> Verdict:
    """Good in two tiers, tight in three; the room that is left, and what one node more would cost.

    More than three tiers, and networks with fewer ports than nodes ask for, are refused below: nothing is counted.
    """
    if topology != "fat_tree":
        name = "dragonfly_endpoints" if topology == "dragonfly" else "slim_fly_endpoints"
        return Verdict(
            level="good", word="it fits", reason=f"Its routers have {{{name}}} to nodes, for {{plane_endpoints}}."
        )
    room = gpu_nodes + 1 <= nodes_within_tiers
    more = (
        "There is room for {nodes_within_tiers}; now there is a port for each of {gpu_nodes}."
        if room
        else "No room is left: one node more turns {switches} into {switches_with_one_more}."
        if plane_tiers <= TWO_TIERS
        else "No room is left: three tiers of this switch join no more."
    )
    if plane_tiers > TWO_TIERS:
        return Verdict(level="tight", word="three tiers", reason="A third tier is needed. " + more)
    word = "one switch" if plane_tiers == 1 else "two tiers"
    return Verdict(level="good", word=word if room else f"{word}, full", reason=more)


@verdict("Is it non-blocking?")
def non_blocking(
    topology: Topology,
    plane_tiers: float,
    worst_oversubscription: float,
    leaf_down: float,
    leaf_up: float,
    ports_per_uplink: float,
) -> Verdict:
    """Whether what nodes send fits through the middle, by ports; the tier that is narrow, by name."""
    if topology == "fat_tree" and plane_tiers == 1:
        return Verdict(level="good", word="non-blocking", reason="Everything is on one switch.")
    if topology == "slim_fly":
        return Verdict(
            level="tight",
            word="not known",
            reason="Across the middle it carries at most {bisection_one_way}: no cut of it is computed here.",
        )
    if worst_oversubscription <= NON_BLOCKING_TO:
        reason = "Every port's rate fits through the middle: {bisection_one_way} each way. That is wires, not traffic."
        return Verdict(level="good", word="non-blocking", reason=reason)
    level = "tight" if worst_oversubscription <= TIGHT_TO else "bad"
    if topology == "dragonfly":
        where = "Between groups"
    elif leaf_down / (leaf_up * ports_per_uplink) > NON_BLOCKING_TO:
        where = "At the leaves" if plane_tiers <= TWO_TIERS else "Leaves and spines together:"
    else:
        where = "Above the pods"
    return Verdict(
        level="tight" if level == "tight" else "bad",
        word="oversubscribed",
        reason=where + " {worst_oversubscription} times as much may be sent as passes: {bisection_one_way} each way.",
    )


@constraint("reserved_ports")
def a_leaf_has_ports(switch_radix: float, reserved_ports: float, ports_per_uplink: float) -> str:
    """A leaf needs a port for a node and an uplink."""
    if switch_radix - reserved_ports > ports_per_uplink:
        return ""
    return (
        "Ports kept free on a leaf must leave one for a node and {ports_per_uplink} for an uplink "
        "of the {switch_radix} there are, not {reserved_ports}"
    )


@constraint("nics_per_gpu")
def a_node_has_a_port(gpus_per_node: float, nics_per_gpu: float) -> str:
    """Every node is on the fabric."""
    if gpus_per_node * nics_per_gpu >= 1:
        return ""
    return "Compute ports per GPU must make at least one port for a node of {gpus_per_node}, not {nics_per_gpu}"


@constraint("planes")
def a_plane_has_a_rail(planes: float, plane_kind: str, gpus_per_node: float, nics_per_gpu: float) -> str:
    """A plane that joins rails needs at least one."""
    if plane_kind != "rails" or planes <= max(1, gpus_per_node * nics_per_gpu):
        return ""
    return "Planes must be at most one for each compute port of a node, where each joins some rails, not {planes}"


@constraint("gpus")
def three_tiers_reach(topology: Topology, plane_leaves: float, spine_radix: float, spine_down: float) -> str:
    """A fat tree of these switches ends at three tiers: beyond, there is nothing to count."""
    if topology != "fat_tree" or plane_leaves <= spine_radix * spine_down:
        return ""
    return (
        "GPUs in the job must fit three tiers of this switch, which join {nodes_within_tiers} as they are cabled "
        "here, not {gpu_nodes}; switches with more than {switch_radix} would do, or planes that share the work"
    )


@constraint("groups")
def groups_can_be_joined(topology: Topology, groups: float, dragonfly_groups_limit: float) -> str:
    """Every group of a dragonfly has a link to every other."""
    if topology != "dragonfly" or groups <= dragonfly_groups_limit:
        return ""
    return (
        "Groups must be at most {dragonfly_groups_limit}, so that each has a link to every other, not {groups}: "
        "give routers more ports to other groups, or groups more routers"
    )


@constraint("gpus")
def routers_hold_all_nodes(
    topology: Topology, plane_endpoints: float, dragonfly_endpoints: float, slim_fly_endpoints: float
) -> str:
    """A dragonfly or a Slim Fly has a port for everything that it is to join."""
    if topology == "fat_tree":
        return ""
    name = "dragonfly_endpoints" if topology == "dragonfly" else "slim_fly_endpoints"
    if plane_endpoints <= (dragonfly_endpoints if topology == "dragonfly" else slim_fly_endpoints):
        return ""
    more = "more groups, or switches with more" if topology == "dragonfly" else "a higher order, or switches with more"
    return (
        f"GPUs in the job must fit the {{{name}}} to nodes that these routers have, not {{plane_endpoints}}; "
        f"{more} than {{switch_radix}} would do"
    )


@constraint("topology")
def routers_have_ports(topology: Topology, router_ports: float, switch_radix: float) -> str:
    """A router's links and hosts fit its switch."""
    if topology == "fat_tree" or router_ports <= switch_radix:
        return ""
    return "Topology: its routers would use {router_ports}, and a switch has {switch_radix}"


FORMULAS = formulas_of(globals())

"""Tables of the fabric: bill of materials of three fabrics, sizes where tiers change, and ways of counting."""

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any

from calculators import facts, units
from calculators.declare.tables import Table
from calculators.subjects.network.fabric import tree
from calculators.subjects.network.fabric.planes import Plane, grown

_NOTHING = "–"
_NO_PRICE = "no dated price"
_NAMEPLATE = facts.fact("fabric-switch-qm9700.switch_power").high or 0.0
_QUOTED = facts.fact("switch-price-64-port")


def _number(value: float) -> str:
    return units.text(value, "1")


def _modules(node_links: float, links: float, values: Mapping[str, Any]) -> tuple[int, int]:
    optical = 1 - values["cables_copper_share"]
    at_switches = ceil(optical * (node_links + 2 * links) / values["ports_per_module"])
    return ceil(optical * node_links / values["ports_per_nic_module"]), at_switches


def _alternative(which: str, values: Mapping[str, Any]) -> tuple[Plane, float, tuple[int, int]]:
    plane, ports = values[f"{which}_plane"], values[f"{which}_endpoints"]
    return plane, ports, _modules(ports, plane.links, values)


def bill(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """A row per part, by fabric."""
    others = [_alternative(which, values) for which in ("storage", "frontend")]
    planes = [plane for plane, _, _ in others]
    counts = (
        ("Leaf switches", values["leaves"], [plane.leaves for plane in planes]),
        ("Spine switches", values["spines"], [plane.spines for plane in planes]),
        ("Core switches", values["cores"], [plane.cores for plane in planes]),
        ("Links to nodes", values["node_links"], [ports for _, ports, _ in others]),
        ("Links between switches", values["fabric_links"], [plane.links for plane in planes]),
        ("Transceivers at nodes", values["nic_modules"], [modules[0] for _, _, modules in others]),
        ("Transceivers at switches", values["switch_modules"], [modules[1] for _, _, modules in others]),
    )
    for part, compute, rest in counts:
        yield part, *map(_number, (compute, *rest, compute + sum(rest)))
    watts = [
        plane.switches * values["switch_power"]
        + at_nodes * values["nic_module_power"]
        + at_switches * values["module_power"]
        for plane, _, (at_nodes, at_switches) in others
    ]
    yield (
        "Power",
        "{fabric_power}",
        *(units.text(each, "W") for each in watts),
        units.text(values["fabric_power"] + sum(watts), "W"),
    )
    yield "Switches and links between them", "{fabric_cost}", _storage_cost(planes[0], values), _NO_PRICE, _NOTHING
    yield "NICs, links to nodes, transceivers", _NO_PRICE, _NO_PRICE, _NO_PRICE, _NOTHING


def _storage_cost(plane: Plane, values: Mapping[str, Any]) -> str:
    """Price of the storage fabric, where it uses the switch of the compute fabric and that has a price."""
    each, link = values["switch_price"], values["link_price"]
    if each is None or link is None or values["storage_radix"] != values["switch_radix"]:
        return _NO_PRICE
    return units.text(plane.switches * each + plane.links * link, "USD")


def _tree_of(nodes: float, values: Mapping[str, Any]) -> tuple[Plane, float]:
    """Plane of the compute fabric for so many nodes, and its ports."""
    ports = nodes * values["plane_rails"]
    leaves = tree.plane_leaves(
        values["rail_optimized"],
        nodes,
        values["plane_rails"],
        ports,
        values["leaf_down"],
        values["switch_radix"],
        values["reserved_ports"],
    )
    return grown(leaves, values["leaf_up"], values["spine_radix"], values["spine_up"]), ports


def edges(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Sizes at which the fat tree of these switches gets another tier, with its parts there."""
    rails, down, radix = values["plane_rails"], values["leaf_down"], values["spine_radix"]
    one = int((values["switch_radix"] - values["reserved_ports"]) // rails)
    two = max(one, int(radix // rails) * down)
    three = max(two + 1, int(radix * values["spine_down"] // rails) * down)
    rows = (
        ("Largest with one switch", one),
        ("One node more", one + 1),
        ("One full leaf per rail", max(one + 2, down)),
        ("Largest with two tiers", two if two > one else 0),
        ("One node more", two + 1),
        ("Largest with three tiers", three),
        ("This cluster", values["gpu_nodes"]),
    )
    for name, nodes in rows:
        if nodes == 0:  # a switch has fewer ports than a node has rails
            yield name, "none", *[_NOTHING] * 4
            continue
        plane, ports = _tree_of(nodes, values)
        planes = values["planes"]
        yield (
            name,
            units.text(nodes * values["gpus_per_node"], "GPU"),
            _number(plane.tiers),
            units.text(plane.switches * planes, "switch"),
            units.text((ports + plane.links) * planes, "cable"),
            units.text(plane.switches * planes / nodes, "1"),
        )


def conventions(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each way of counting, who uses it, and its result for this fabric."""
    yield "Bisection one way", "Textbooks: half of the ports, times their rate", "{bisection_one_way}"
    yield "Bisection both ways", "NVIDIA: 3.6 TB/s for eight GPUs of 450 GB/s", "{bisection_both_ways}"
    yield "Links between switches", "Papers: DeepSeek's table omits links to nodes", "{fabric_links}"
    yield "All cables", "Bills of materials: NVIDIA's tables count every tier and node links", "{cables}"
    twin = units.text(ceil(values["fabric_links"] / 2), "cable")
    yield "Twin cables", "NVIDIA's B300 table: one cable for two links between switches", f"{twin} between switches"
    passive, most = values["switch_power"], _NAMEPLATE
    yield (
        "Power of a switch",
        "Typical with passive cables, or nameplate with active cables and all fans: 747 W or 1,720 W for a QM9700",
        (
            f"{units.text(passive * values['switches'], 'W')} plus transceivers, "
            f"or {units.text(most * values['switches'], 'W')} with transceivers at switches included"
        ),
    )
    each = values["switch_price"]
    yield (
        "Price of a switch",
        "Derived from DeepSeek's table of 2025; an integrator's cost sheet of August 2024, third-party and NVIDIA",
        (
            f"{units.text(each * values['switches'], 'USD')} for the switches at {units.text(each, 'USD')}; at the "
            f"cost sheet's {_QUOTED.shown(_QUOTED.low)} to {_QUOTED.text} per 64-port switch, "
            f"{units.text((_QUOTED.low or 0) * values['switches'], 'USD')} to "
            f"{units.text(float(_QUOTED.value) * values['switches'], 'USD')}"
            if each is not None
            else "not available: no dated price of this switch was found"
        ),
    )
    yield (
        "Transceivers at nodes",
        "One per NIC, or one for two NICs in a DGX",
        f"{units.text(values['node_links'], 'module')} or {units.text(ceil(values['node_links'] / 2), 'module')}",
    )
    yield (
        "Spines: rounded up, or to a divisor",
        "Calculators that divide ports; NVIDIA's tables, with equally many links between every two switches",
        (
            f"{_number(ceil(values['plane_leaves'] * values['leaf_up'] / values['spine_radix']))} or "
            "{plane_spines} per plane"
            if values["plane_tiers"] == tree.TWO_TIERS
            else "the same here"
        ),
    )
    yield (
        "Rail-optimized, rail-only, a plane for each rail",
        "Rail-optimized still connects rails through spines; the other two do not",
        "Rails: {rails}; planes: {planes}",
    )


BILL = Table(
    name="bill",
    title="Bill of materials",
    about=(
        "Compute, storage and front end. Prices only where a dated one was published, never estimated. Switches for "
        "consoles and power distribution are not included."
    ),
    columns=("Part", "Compute", "Storage", "Front end", "All"),
    rows=bill,
)
EDGES = Table(
    name="edges",
    title="Cluster sizes where tiers change",
    about="A fat tree of these switches, rails and planes, at the sizes where its number of tiers changes.",
    columns=("Size", "GPUs", "Tiers", "Switches", "Cables", "Switches per node"),
    rows=edges,
)
CONVENTIONS = Table(
    name="conventions",
    title="Where the field disagrees",
    about="Each way of counting, applied to this fabric.",
    columns=("Way of counting", "Who uses it", "Result for this fabric"),
    rows=conventions,
)

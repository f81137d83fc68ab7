"""Inputs of the fabric calculator: cluster, switches, topology, optics, other fabrics, prices and failures."""

from dataclasses import dataclass
from typing import Any, Literal

from calculators import facts
from calculators.declare import Option, Preset, choice, computed, not_applicable, quantity, switch
from calculators.units import MONTH
from calculators.vocabulary.accelerators import gpus
from calculators.vocabulary.groups import MACHINE
from calculators.vocabulary.nodes import gpus_per_node

SWITCH, TREE, OPTICS, DIRECT, MONEY, OTHER, PATH = "switch", "tree", "optics", "direct", "money", "other", "path"
GROUPS = {
    MACHINE: "Cluster",
    SWITCH: "Switch",
    TREE: "Compute fabric",
    OPTICS: "Cables and transceivers",
    OTHER: "Storage and front-end fabrics",
    MONEY: "Prices and failures",
    DIRECT: "Dragonfly and Slim Fly",
    PATH: "Latency",
}
Topology = Literal["fat_tree", "dragonfly", "slim_fly"]
PlaneKind = Literal["lanes", "rails"]
QM9700 = "fabric-switch-qm9700"
_PORTS = 4096


def _switch(field: str) -> facts.Fact:
    return facts.fact(f"{QM9700}.{field}")


def _share(default: Any, label: str, *, group: str, about: str = "") -> Any:
    return quantity(default, "share", label, hard=(0, 1), help=about, group=group)


def _ratio(default: Any, label: str, *, group: str, about: str = "") -> Any:
    return quantity(default, "1", label, hard=(0.25, 64), slider=(1, 16), scale="log", help=about, group=group)


def _watts(default: Any, label: str, slider: tuple[float, float], *, group: str, about: str = "") -> Any:
    return quantity(default, "W", label, hard=(0, 100e3), slider=slider, help=about, group=group)


def _radix(default: Any, label: str, *, group: str, about: str = "") -> Any:
    return quantity(
        default, "port", label, hard=(8, _PORTS), slider=(16, 512), scale="log", whole=True, help=about, group=group
    )


def _ports(default: Any, label: str, *, most: float, group: str, about: str = "", aliases: tuple[str, ...] = ()) -> Any:
    slider = (0.0, most)
    return quantity(
        default, "port", label, hard=(0, 1e6), slider=slider, whole=True, help=about, group=group, aliases=aliases
    )


def _optional(default: str, unit: str, label: str, *, about: str, aliases: tuple[str, ...] = ()) -> Any:
    return quantity(
        not_applicable(default),
        unit,
        label,
        hard=(1, _PORTS),
        slider=(1, 64),
        whole=True,
        help=about,
        group=OTHER,
        aliases=aliases,
    )


def _of_routers(default: Any, unit: str, label: str, *, hard: tuple[float, float], about: str) -> Any:
    slider = (hard[0], min(512.0, hard[1]))
    return quantity(default, unit, label, hard=hard, slider=slider, whole=True, help=about, group=DIRECT)


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Inputs in base units (bytes per second, watts, seconds)."""

    gpus: float = gpus(2048)
    gpus_per_node: float = gpus_per_node()
    nics_per_gpu: float = quantity(
        facts.fact("nics-per-gpu"),
        "port",
        "Compute ports per GPU",
        hard=(0.01, 16),
        slider=(0.25, 2),
        help="NIC ports on the compute fabric; 0.5 where two GPUs share a port.",
        group=MACHINE,
    )
    port_rate: float = quantity(
        _switch("port_rate"),
        "Gbit/s",
        "Port rate",
        hard=(125e6, 1.25e12),
        slider=(12.5e9, 200e9),
        scale="log",
        help="Rate of one NIC port, one direction, all its planes together.",
        group=MACHINE,
    )
    topology: Topology = choice(
        "fat-tree",
        "Topology",
        {
            "fat-tree": Option(value="fat_tree", label="fat tree: one, two or three tiers"),
            "dragonfly": "dragonfly: groups of routers, every two groups linked",
            "slim-fly": Option(value="slim_fly", label="Slim Fly: any two routers at most two links apart"),
        },
        group=TREE,
    )
    switch_radix: float = _radix(
        _switch("switch_radix"),
        "Ports per switch (radix)",
        group=SWITCH,
        about="At the port rate of one plane: the same chip has twice as many ports at half the rate.",
    )
    reserved_ports: float = _ports(
        0,
        "Reserved ports per leaf",
        most=16,
        group=TREE,
        about="Ports left free for spares, a fabric manager or other links.",
    )
    ports_per_uplink: float = quantity(
        1,
        "port",
        "Ports per uplink",
        hard=(1, 4),
        whole=True,
        help="2 where uplinks to spines run at twice the rate of a node's port.",
        group=TREE,
    )
    oversubscription: float = _ratio(
        1, "Leaf oversubscription", group=TREE, about="Downlink bandwidth of a leaf over its uplink bandwidth."
    )
    core_oversubscription: float = _ratio(
        1, "Spine oversubscription", group=TREE, about="Downlink over uplink bandwidth of a spine, with three tiers."
    )
    rail_optimized: bool = switch(
        default=True,
        label="Rail-optimized",
        help="GPUs in the same position of every node share leaf switches (a rail).",
        group=TREE,
        aliases=("rail_optimised",),
    )
    planes: float = quantity(
        1,
        "1",
        "Planes",
        hard=(1, 64),
        slider=(1, 8),
        whole=True,
        help="Parallel fabrics that share no switch.",
        group=TREE,
    )
    plane_kind: PlaneKind = choice(
        "lanes",
        "Plane split",
        {
            "lanes": "by lanes: every NIC reaches all planes with some of its lanes",
            "rails": "by rails: every NIC reaches one plane with all of its lanes",
        },
        help="With several planes: whether each NIC reaches all of them, or each GPU position one.",
        group=TREE,
    )
    cables_copper_share: float = _share(
        0, "DAC share", group=OPTICS, about="Share of copper links without optics, at nodes and between switches alike."
    )
    ports_per_module: float = quantity(
        2,
        "port",
        "Ports per switch transceiver",
        hard=(1, 8),
        slider=(1, 4),
        whole=True,
        help="A twin-port transceiver connects two links to one cage of the switch.",
        group=OPTICS,
    )
    ports_per_nic_module: float = quantity(
        1,
        "port",
        "Ports per NIC transceiver",
        hard=(1, 8),
        slider=(1, 4),
        whole=True,
        help="2 in a DGX, where four cages have eight ports; 1 where each NIC has its own cage.",
        group=OPTICS,
    )
    switch_power: float = _watts(
        _switch("switch_power"), "Power per switch", (300, 4000), group=SWITCH, about="Without transceivers."
    )
    module_power: float = _watts(
        facts.fact("transceiver-twin-800g-power"), "Power per switch transceiver", (4, 40), group=OPTICS
    )
    nic_module_power: float = _watts(
        facts.fact("transceiver-400g-power"), "Power per NIC transceiver", (4, 40), group=OPTICS
    )
    switch_price: float | None = quantity(
        not_applicable("no dated price"),
        "USD",
        "Price per switch",
        hard=(0, 1e8),
        slider=(5000, 300e3),
        help="The menu fills in published prices with a date only; enter your own quote.",
        group=MONEY,
    )
    link_price: float | None = quantity(
        not_applicable("no dated price"),
        "USD",
        "Price per link between switches",
        hard=(0, 1e7),
        slider=(50, 10e3),
        help="Cable with transceivers at both ends.",
        group=MONEY,
    )
    link_failure_share: float = quantity(
        facts.fact("link-failures-hpn.links"),
        "share/month",
        "Link failures per month",
        hard=(0, 0.5 / MONTH),
        slider=(0.0001 / MONTH, 0.005 / MONTH),
        scale="log",
        group=MONEY,
    )
    storage_ports_per_node: float = _ports(
        facts.fact("storage-ports-per-node"), "Storage ports per node", most=8, group=OTHER
    )
    storage_system_ports: float = _ports(
        0,
        "Ports of the storage system",
        most=1024,
        group=OTHER,
        about="Ports of storage servers on the storage fabric.",
        aliases=("store_ports",),
    )
    storage_oversubscription: float = _ratio(
        facts.fact("superpod-storage-oversubscription"), "Storage-fabric oversubscription", group=OTHER
    )
    storage_leaf_ports: float | None = _optional(
        "as many as fit",
        "port",
        "Node ports per storage leaf",
        about="Fewer than fit where leaves follow units of nodes: 32 in a DGX SuperPOD, with two for each of 32 nodes.",
    )
    storage_system_leaves: float | None = _optional(
        "shared with nodes",
        "switch",
        "Leaves for the storage system",
        about="Separate leaves with one uplink per storage port: a DGX SuperPOD has one per unit of 32 nodes.",
        aliases=("store_leaves",),
    )
    storage_radix: float = _radix(_switch("switch_radix"), "Ports per storage switch", group=OTHER)
    frontend_ports_per_node: float = _ports(
        facts.fact("frontend-ports-per-node"), "Front-end ports per node", most=8, group=OTHER
    )
    frontend_oversubscription: float = _ratio(
        3, "Front-end oversubscription", group=OTHER, about="An example: no reference design states it."
    )
    frontend_radix: float = _radix(64, "Ports per front-end switch", group=OTHER)
    hosts_per_router: float = _of_routers(
        computed("balanced_hosts", "a quarter of its ports"),
        "port",
        "Node ports per router",
        hard=(1, _PORTS),
        about="Dragonfly only.",
    )
    routers_per_group: float = _of_routers(
        computed("balanced_routers", "half of its ports"),
        "switch",
        "Routers per group",
        hard=(2, _PORTS),
        about="Dragonfly only: each router is linked to every other router of its group.",
    )
    global_ports: float = _of_routers(
        computed("balanced_hosts", "a quarter of its ports"),
        "port",
        "Global ports per router",
        hard=(1, _PORTS),
        about="Dragonfly only: ports to other groups.",
    )
    groups: float = _of_routers(
        computed("groups_needed", "as many as the nodes need"),
        "1",
        "Dragonfly groups",
        hard=(1, 1e7),
        about="Dragonfly only.",
    )
    slim_fly_order: float = _of_routers(
        computed("order_needed", "the smallest with enough ports"),
        "1",
        "Slim Fly order (q)",
        hard=(3, _PORTS),
        about="Slim Fly only: q, a power of a prime; the network has 2q² routers.",
    )
    switch_latency: float = quantity(
        facts.fact("fabric-latency-infiniband.switch"),
        "s",
        "Latency per switch",
        hard=(1e-9, 1e-3),
        slider=(0.1e-6, 2e-6),
        help="0.45 µs on InfiniBand and 1 µs on RoCE, both from one table of 64-byte messages.",
        group=PATH,
    )
    endpoint_latency: float = quantity(
        facts.fact("fabric-latency-infiniband.endpoints"),
        "s",
        "End-point latency",
        hard=(1e-9, 1e-2),
        slider=(1e-6, 10e-6),
        help="NICs and software at both ends: the latency through one switch less that of the switch.",
        group=PATH,
    )


def switch_preset() -> Preset:
    """Menu of switches that fills their published data; only one of them has a dated price."""
    records = tuple(facts.records("fabric", "fabric-switch-").values())
    optional = ("switch_power", "switch_price", "link_price")
    return Preset(
        name="switch_model",
        label="Switch",
        records=records,
        fills={name: name for name in ("switch_radix", "port_rate", *optional)},
        default=QM9700,
        secondary=optional,
        group=SWITCH,
    )

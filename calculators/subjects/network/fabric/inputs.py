"""What the reader may set of a cluster and of the networks that join it; base units (bytes per second, watts)."""

from dataclasses import dataclass
from typing import Any, Literal

from calculators import facts
from calculators.declare import Option, Preset, choice, computed, not_applicable, quantity, switch
from calculators.units import MONTH
from calculators.vocabulary.accelerators import gpus
from calculators.vocabulary.groups import MACHINE
from calculators.vocabulary.nodes import gpus_per_node

SWITCH, TREE, OPTICS, DIRECT, MONEY, BESIDE, PATH = "switch", "tree", "optics", "direct", "money", "beside", "path"
GROUPS = {
    MACHINE: "The machine",
    SWITCH: "The switch",
    TREE: "The fabric",
    OPTICS: "Cables and transceivers",
    BESIDE: "The storage and the front-end fabric",
    MONEY: "Prices, and what fails",
    DIRECT: "Dragonfly and Slim Fly",
    PATH: "Latency",
}
Topology = Literal["fat_tree", "dragonfly", "slim_fly"]
PlaneKind = Literal["lanes", "rails"]
QM9700 = "fabric-switch-qm9700"
_PORTS = 4096


def _switch(field: str) -> facts.Fact:
    return facts.fact(f"{QM9700}.{field}")


def _share(otherwise: Any, label: str, *, group: str, about: str = "") -> Any:
    return quantity(otherwise, "share", label, hard=(0, 1), help=about, group=group)


def _ratio(otherwise: Any, label: str, *, group: str, about: str = "") -> Any:
    return quantity(otherwise, "1", label, hard=(0.25, 64), slider=(1, 16), scale="log", help=about, group=group)


def _watts(otherwise: Any, label: str, slider: tuple[float, float], *, group: str, about: str = "") -> Any:
    return quantity(otherwise, "W", label, hard=(0, 100e3), slider=slider, help=about, group=group)


def _radix(otherwise: Any, label: str, *, group: str, about: str = "") -> Any:
    return quantity(
        otherwise, "port", label, hard=(8, _PORTS), slider=(16, 512), scale="log", whole=True, help=about, group=group
    )


def _ports(otherwise: Any, label: str, *, most: float, group: str, about: str = "") -> Any:
    return quantity(otherwise, "port", label, hard=(0, 1e6), slider=(0, most), whole=True, help=about, group=group)


def _some(otherwise: str, unit: str, label: str, *, about: str) -> Any:
    return quantity(
        not_applicable(otherwise), unit, label, hard=(1, _PORTS), slider=(1, 64), whole=True, help=about, group=BESIDE
    )


def _of_routers(otherwise: Any, unit: str, label: str, *, hard: tuple[float, float], about: str) -> Any:
    slider = (hard[0], min(512.0, hard[1]))
    return quantity(otherwise, unit, label, hard=hard, slider=slider, whole=True, help=about, group=DIRECT)


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """What the reader may set."""

    gpus: float = gpus(2048)
    gpus_per_node: float = gpus_per_node()
    nics_per_gpu: float = quantity(
        facts.fact("nics-per-gpu"),
        "port",
        "Compute ports per GPU",
        hard=(0.01, 16),
        slider=(0.25, 2),
        help="Ports of network cards on the compute fabric. Half a port: two GPUs share one.",
        group=MACHINE,
    )
    port_rate: float = quantity(
        _switch("port_rate"),
        "Gbit/s",
        "Rate of a port",
        hard=(125e6, 1.25e12),
        slider=(12.5e9, 200e9),
        scale="log",
        help="Of one card's port, one direction, all its planes together.",
        group=MACHINE,
    )
    topology: Topology = choice(
        "fat-tree",
        "Topology",
        {
            "fat-tree": Option(value="fat_tree", label="fat tree: one, two or three tiers"),
            "dragonfly": "dragonfly: groups of routers, all joined",
            "slim-fly": Option(value="slim_fly", label="Slim Fly: any two routers at most two links apart"),
        },
        group=TREE,
    )
    switch_radix: float = _radix(
        _switch("switch_radix"),
        "Ports of a switch",
        group=SWITCH,
        about="At the rate of one plane's port: the same chip has twice as many at half the rate.",
    )
    reserved_ports: float = _ports(
        0,
        "Ports kept free on a leaf",
        most=16,
        group=TREE,
        about="For spares, a fabric manager or links elsewhere.",
    )
    ports_per_uplink: float = quantity(
        1,
        "port",
        "Ports that one uplink takes",
        hard=(1, 4),
        whole=True,
        help="2 where leaves send to spines at twice the rate of a node's port.",
        group=TREE,
    )
    oversubscription: float = _ratio(
        1, "Oversubscription of leaves", group=TREE, about="What nodes may send into a leaf over what its uplinks take."
    )
    core_oversubscription: float = _ratio(
        1, "Oversubscription above a pod", group=TREE, about="The same for spines, where there are three tiers."
    )
    rail_optimised: bool = switch(
        default=True,
        label="Rail-optimized",
        help="Each GPU position of all nodes has leaves of its own.",
        group=TREE,
        aliases=("rail_optimized",),
    )
    planes: float = quantity(
        1,
        "1",
        "Planes",
        hard=(1, 64),
        slider=(1, 8),
        whole=True,
        help="Fabrics that share no switch.",
        group=TREE,
    )
    plane_kind: PlaneKind = choice(
        "lanes",
        "What a plane joins",
        {
            "lanes": "a part of every card's lanes",
            "rails": "some of the rails, with whole cards",
        },
        help="With several planes: whether each card reaches all of them, or each GPU position one.",
        group=TREE,
    )
    cables_copper_share: float = _share(
        0, "Links on copper", group=OPTICS, about="Links that need no optics, at nodes and between switches alike."
    )
    ports_per_module: float = quantity(
        2,
        "port",
        "Ports of a switch's module",
        hard=(1, 8),
        slider=(1, 4),
        whole=True,
        help="A twin-port module joins two links to one cage of the switch.",
        group=OPTICS,
    )
    ports_per_nic_module: float = quantity(
        1,
        "port",
        "Ports of a node's module",
        hard=(1, 8),
        slider=(1, 4),
        whole=True,
        help="2 in a DGX, where four cages carry eight ports; 1 where each card has its own.",
        group=OPTICS,
    )
    switch_power: float = _watts(
        _switch("switch_power"), "A switch draws", (300, 4000), group=SWITCH, about="Without the modules in its cages."
    )
    module_power: float = _watts(
        facts.fact("transceiver-twin-800g-power"), "A switch's module draws", (4, 40), group=OPTICS
    )
    nic_module_power: float = _watts(
        facts.fact("transceiver-400g-power"), "A node's module draws", (4, 40), group=OPTICS
    )
    switch_price: float | None = quantity(
        not_applicable("no dated price"),
        "USD",
        "Price of a switch",
        hard=(0, 1e8),
        slider=(5000, 300e3),
        help="Only a price somebody printed, with its date; type an offer of your own.",
        group=MONEY,
    )
    link_price: float | None = quantity(
        not_applicable("no dated price"),
        "USD",
        "Price of a link between switches",
        hard=(0, 1e7),
        slider=(50, 10e3),
        help="Cable and what is at both its ends.",
        group=MONEY,
    )
    link_failure_share: float = quantity(
        facts.fact("link-failures-hpn.links"),
        "share/month",
        "Links that fail in a month",
        hard=(0, 0.5 / MONTH),
        slider=(0.0001 / MONTH, 0.005 / MONTH),
        scale="log",
        group=MONEY,
    )
    storage_ports_per_node: float = _ports(
        facts.fact("storage-ports-per-node"), "Storage ports of a node", most=8, group=BESIDE
    )
    store_ports: float = _ports(
        0, "Ports of the store itself", most=1024, group=BESIDE, about="Of storage servers, on the same fabric."
    )
    storage_oversubscription: float = _ratio(
        facts.fact("superpod-storage-oversubscription"), "Oversubscription of storage", group=BESIDE
    )
    storage_leaf_ports: float | None = _some(
        "as many as fit",
        "port",
        "Node ports on a storage leaf",
        about="Fewer than fit where leaves follow units of nodes: 32 in a DGX SuperPOD, two for each of 32 nodes.",
    )
    store_leaves: float | None = _some(
        "shared with nodes",
        "switch",
        "Leaves of the store's own",
        about="With an uplink for each port of the store, as a DGX SuperPOD has them; one for each unit of 32 nodes.",
    )
    storage_radix: float = _radix(_switch("switch_radix"), "Ports of a storage switch", group=BESIDE)
    frontend_ports_per_node: float = _ports(
        facts.fact("frontend-ports-per-node"), "Front-end ports of a node", most=8, group=BESIDE
    )
    frontend_oversubscription: float = _ratio(
        3, "Oversubscription of the front end", group=BESIDE, about="An example: no reference design states it."
    )
    frontend_radix: float = _radix(64, "Ports of a front-end switch", group=BESIDE)
    hosts_per_router: float = _of_routers(
        computed("balanced_hosts", "a quarter of its ports"),
        "port",
        "Ports to nodes of a dragonfly's router",
        hard=(1, _PORTS),
        about="Dragonfly only.",
    )
    routers_per_group: float = _of_routers(
        computed("balanced_routers", "half of its ports"),
        "switch",
        "Routers in a group",
        hard=(2, _PORTS),
        about="Dragonfly only: each is joined to every other of its group.",
    )
    global_ports: float = _of_routers(
        computed("balanced_hosts", "a quarter of its ports"),
        "port",
        "Ports of a router to other groups",
        hard=(1, _PORTS),
        about="Dragonfly only.",
    )
    groups: float = _of_routers(
        computed("groups_needed", "as many as the ports ask for"),
        "1",
        "Groups",
        hard=(1, 1e7),
        about="Dragonfly only.",
    )
    slim_fly_order: float = _of_routers(
        computed("order_needed", "the smallest that suffices"),
        "1",
        "Order of a Slim Fly",
        hard=(3, _PORTS),
        about="Slim Fly only: q, a power of a prime. There are twice its square of routers.",
    )
    switch_latency: float = quantity(
        facts.fact("fabric-latency-infiniband.switch"),
        "s",
        "Latency of a switch",
        hard=(1e-9, 1e-3),
        slider=(0.1e-6, 2e-6),
        help="0.45 µs on InfiniBand and 1 µs on RoCE, both from one table of 64-byte messages.",
        group=PATH,
    )
    endpoint_latency: float = quantity(
        facts.fact("fabric-latency-infiniband.endpoints"),
        "s",
        "Latency of both ends",
        hard=(1e-9, 1e-2),
        slider=(1e-6, 10e-6),
        help="Cards and software: what is left of the latency under one switch.",
        group=PATH,
    )


def switch_preset() -> Preset:
    """The menu of switches, filling what is known of each; only one of them has a dated price."""
    records = tuple(facts.records("fabric", "fabric-switch-").values())
    beside = ("switch_power", "switch_price", "link_price")
    return Preset(
        name="switch_model",
        label="Switch",
        records=records,
        fills={name: name for name in ("switch_radix", "port_rate", *beside)},
        default=QM9700,
        secondary=beside,
        group=SWITCH,
    )

"""Inputs of power: GPUs, hall, cooling, supply and use; base units (watts, liters, joules, dollars)."""

from dataclasses import dataclass
from typing import Any

from calculators import facts
from calculators.declare import choice, computed, not_applicable, quantity
from calculators.subjects.facility.power.cooling import Cooling
from calculators.subjects.facility.power.supply import Redundancy
from calculators.units import unit
from calculators.vocabulary import electricity, money
from calculators.vocabulary.accelerators import gpu_power, gpus
from calculators.vocabulary.groups import MACHINE
from calculators.vocabulary.nodes import gpus_per_node

HALL, COOL, SUPPLY, USE = "hall", "cool", "supply", "use"
GROUPS = {
    MACHINE: "GPUs and servers",
    HALL: "Data hall and racks",
    COOL: "Cooling",
    SUPPLY: "Power supply and circuits",
    USE: "Energy per year",
}
_KILOWATT = unit("kW").factor
_MEGAWATT = unit("MW").factor
_LEAST, _MOST = 0.1 * _KILOWATT, 100e3 * _MEGAWATT
_A_KWH = 1 / unit("kWh").factor


def _watts(otherwise: Any, label: str, slider: tuple[float, float], *, group: str, about: str) -> Any:
    hard = (_LEAST, _MOST)
    return quantity(otherwise, "W", label, hard=hard, slider=slider, scale="log", help=about, group=group)


def _share(
    otherwise: Any,
    label: str,
    *,
    group: str,
    about: str,
    slider: tuple[float, float] = (0, 1),
    hard: tuple[float, float] = (0, 1),
) -> Any:
    return quantity(otherwise, "share", label, hard=hard, slider=slider, help=about, group=group)


def _kelvin(otherwise: Any, label: str, slider: tuple[float, float], about: str) -> Any:
    return quantity(otherwise, "K", label, hard=(0.5, 100), slider=slider, help=about, group=COOL)


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Inputs of power."""

    gpus: float = gpus(1024)
    gpus_per_node: float = gpus_per_node()
    gpu_power: float = gpu_power()
    host_power_per_gpu: float = electricity.host_power_per_gpu(
        facts.fact("host-power-per-gpu-h100"),
        about="At its rating; in common servers 33% to 80% of the GPU's own power.",
        group=MACHINE,
    )
    node_power: float = quantity(
        computed("node_power", "GPUs and the rest"),
        "W",
        "Rated power of a node",
        hard=(_LEAST, 10e6),
        slider=(1e3, 200e3),
        scale="log",
        help="What the server's datasheet says it draws at most. Known otherwise from its GPUs and the rest.",
        group=MACHINE,
    )
    all_fabric_power: float | None = quantity(
        not_applicable("in the share"),
        "W",
        "Power, all three fabrics",
        hard=(0, 10e9),
        slider=(1e3, 100e6),
        scale="log",
        help="Switches and optics of compute, storage and front end, where they are counted.",
        group=MACHINE,
    )
    storage_nodes_power: float | None = quantity(
        not_applicable("in the share"),
        "W",
        "Power of the storage nodes",
        hard=(0, 10e9),
        slider=(1e3, 100e6),
        scale="log",
        help="Where they are counted. Below 4% of the GPU servers' power they count as that, management included.",
        group=MACHINE,
    )
    support_share: float = _share(
        (
            computed("counted_support_share", "counted", when=("all_fabric_power", "storage_nodes_power")),
            facts.fact("support-share"),
        ),
        "Network, storage and management, of server power",
        hard=(0, 5),
        slider=(0, 0.4),
        about="Over the power of the GPU servers.",
        group=MACHINE,
    )
    other_power: float = quantity(
        0,
        "W",
        "Other servers in the data hall",
        hard=(0, _MOST),
        slider=(0, 1000 * _KILOWATT),
        help="Rated power of servers that neither have these GPUs nor support them, such as those that search.",
        group=MACHINE,
    )
    hall_power: float = _watts(
        2 * _MEGAWATT,
        "Data hall power supply",
        (100 * _KILOWATT, 1000 * _MEGAWATT),
        about="What may be drawn in all, cooling included.",
        group=HALL,
    )
    hall_racks: float = quantity(
        200,
        "rack",
        "Rack positions for GPU servers",
        hard=(1, 1e7),
        slider=(1, 10_000),
        scale="log",
        whole=True,
        help="Positions for racks with GPU servers.",
        group=HALL,
    )
    other_racks: float = quantity(
        0,
        "rack",
        "Racks of other servers",
        hard=(0, 1e7),
        slider=(0, 1000),
        whole=True,
        help="Of the rack positions, those that other servers take.",
        group=HALL,
    )
    rack_limit: float = _watts(
        17 * _KILOWATT,
        "Power limit per rack",
        (5 * _KILOWATT, 600 * _KILOWATT),
        about="What the hall's power distribution allows a rack.",
        group=HALL,
    )
    rack_units: float = quantity(
        42,
        "rack unit",
        "Rack height for servers",
        hard=(1, 100),
        slider=(20, 60),
        whole=True,
        help="For GPU servers; switches and distribution take theirs first.",
        group=HALL,
    )
    node_units: float = quantity(
        facts.fact("server-dgx-h100.node_units"),
        "rack unit",
        "Node height",
        hard=(0.5, 100),
        slider=(1, 16),
        group=HALL,
    )
    rack_nodes: float | None = quantity(
        not_applicable("no design"),
        "node",
        "Nodes per rack by design",
        hard=(1, 1000),
        slider=(1, 72),
        whole=True,
        help="For racks sold whole: 18 compute trays in an NVL72.",
        group=HALL,
    )
    nodes_per_rack: float = quantity(
        computed("nodes_per_rack", "as many as fit"),
        "node",
        "Nodes per rack",
        hard=(1, 1000),
        slider=(1, 32),
        whole=True,
        help="Whole nodes, where their number is known.",
        group=HALL,
    )
    cooling: Cooling = choice(
        "air",
        "Cooling",
        {
            "air": "air, with containment",
            "rear_door": "rear door: liquid behind servers cooled by air",
            "direct_liquid": "direct liquid: cold plates in the servers",
            "immersion": "immersion: servers in a bath",
        },
        group=COOL,
    )
    cooling_limit: float = _watts(
        computed("usual_cooling_limit", "typical"),
        "Cooling capacity per rack",
        (5 * _KILOWATT, 600 * _KILOWATT),
        about="Usual for the kind of cooling; a rough figure that water, air and containment move.",
        group=COOL,
    )
    liquid_share: float = _share(
        computed("usual_liquid_share", "typical"),
        "Liquid-cooled heat fraction",
        about="Usual for the kind of cooling. The rest the room's air must carry.",
        group=COOL,
    )
    pue: float = electricity.pue(computed("usual_pue", "typical for the cooling"), group=COOL)
    liquid_rise: float = _kelvin(
        facts.fact("liquid-rise"), "Coolant temperature rise", (5, 20), "Between entering and leaving a rack."
    )
    air_rise: float = _kelvin(
        facts.fact("air-rise-dgx"), "Air temperature rise", (10, 20), "Between the front of a server and its back."
    )
    air_heat: float = quantity(
        facts.fact("air-heat"),
        "kJ/m3/K",
        "Heat capacity of air",
        hard=(0.3, 3),
        slider=(0.8, 1.3),
        help="For each cubic meter and kelvin: 1.21 near sea level, a sixth less at 1,500 m.",
        group=COOL,
    )
    coolant_heat: float = quantity(
        facts.fact("coolant-heat"),
        "kJ/L/K",
        "Heat capacity of coolant",
        hard=(500, 5000),
        slider=(3500, 4200),
        help="For each liter and kelvin: 4.18 for water, 4.0 with a quarter of glycol.",
        group=COOL,
    )
    wue: float = quantity(
        facts.fact("wue-hyperscale"),
        "L/kWh",
        "Water usage effectiveness (WUE)",
        hard=(0, 20 * _A_KWH),
        slider=(0, 2.5 * _A_KWH),
        help="Water used on site for each kilowatt-hour of IT, not of the site.",
        group=COOL,
    )
    redundancy: Redundancy = choice(
        "n_plus_1",
        "Power supply redundancy",
        {
            "n": "N: no redundancy",
            "n_plus_1": "N+1: one spare module",
            "two_n": "2N: two full supplies",
        },
        group=SUPPLY,
    )
    module_size: float = _watts(
        _MEGAWATT,
        "UPS or transformer module size",
        (100 * _KILOWATT, 10 * _MEGAWATT),
        about="A UPS or a transformer.",
        group=SUPPLY,
    )
    volts: float = quantity(
        415,
        "V",
        "Circuit voltage",
        hard=(50, 50_000),
        slider=(200, 800),
        help="Between phases: 208 or 480 V in North America, 400 or 415 V elsewhere and in new halls.",
        group=SUPPLY,
    )
    amperes: float = quantity(
        60, "A", "Circuit breaker rating", hard=(1, 10_000), slider=(16, 200), help="Its rating.", group=SUPPLY
    )
    breaker_share: float = _share(
        facts.fact("breaker-share"),
        "Continuous breaker load",
        hard=(0.1, 1),
        slider=(0.5, 1),
        about="Of the breaker's rating, for hours on end.",
        group=SUPPLY,
    )
    power_factor: float = quantity(
        facts.fact("power-factor"),
        "1",
        "Power factor",
        hard=(0.1, 1),
        slider=(0.8, 1),
        help="Watts for each volt-ampere. A rating in kVA is this much less in kW.",
        group=SUPPLY,
    )
    sources: float = quantity(
        2,
        "1",
        "Power feeds per rack",
        hard=(2, 24),
        slider=(2, 8),
        whole=True,
        help="Circuits that share a rack's load; one of them may be lost.",
        group=SUPPLY,
    )
    average_share: float = electricity.average_share(group=USE)
    swing_low: float = _share(
        facts.fact("gpu-swing.low_end"),
        "Minimum GPU power in a step",
        about="Of their maximum, when all wait together.",
        group=USE,
    )
    swing_high: float = _share(
        facts.fact("gpu-swing.high_end"),
        "Maximum GPU power in a step",
        about="Of their maximum, when all compute together.",
        group=USE,
    )
    utilization_of_year: float = _share(
        0.9, "Utilization of the year", about="Of a year. An example: measure yours.", group=USE
    )
    price_per_kwh: float = electricity.price_per_kwh(group=USE)
    carbon_intensity: float = electricity.carbon_intensity(group=USE)
    heat_reuse_share: float = _share(
        0, "Reused heat share", about="Of what leaves in liquid: a district's heating, for example.", group=USE
    )
    gpu_hours: float = money.gpu_hours(
        computed("yearly_gpu_hours", "a year of these"),
        about="Of one run, to see its energy and emissions; otherwise a year of all GPUs.",
        group=USE,
    )

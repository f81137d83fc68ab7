"""Inputs of cost: what is bought, where it is housed, who runs it, how it is used, and the rent."""

from dataclasses import dataclass
from typing import Any

from calculators import facts
from calculators.declare import computed, not_applicable, quantity
from calculators.units import YEAR, unit
from calculators.vocabulary import electricity, money
from calculators.vocabulary.accelerators import gpu_power, gpus
from calculators.vocabulary.groups import MACHINE, RUN

BUY, SITE, OPERATE, USE, RENT = "buy", "site", "operate", "use", "rent"
GROUPS = {
    RENT: "Rent",
    USE: "Utilization",
    BUY: "Purchase",
    MACHINE: "GPUs and servers",
    SITE: "Facility",
    OPERATE: "Operations, per year, of the purchase",
    RUN: "Run and tokens",
}
_PER_KILOWATT = unit("USD/kW").factor
_PER_KILOWATT_MONTH = unit("USD/kW/month").factor
_PER_TERABYTE_MONTH = unit("USD/TB/month").factor
_TERABYTE_A_MONTH = unit("TB/month").factor


def _dollars(otherwise: Any, label: str, slider: tuple[float, float], *, group: str, about: str, most: float) -> Any:
    return quantity(otherwise, "USD", label, hard=(0, most), slider=slider, help=about, group=group)


def _share(
    otherwise: Any,
    label: str,
    slider: tuple[float, float],
    *,
    group: str,
    about: str,
    hard: tuple[float, float] = (0, 1),
) -> Any:
    return quantity(otherwise, "share", label, hard=hard, slider=slider, help=about, group=group)


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Inputs of cost; base units (dollars, seconds, watts, bytes, shares)."""

    price_per_gpu_hour: float = money.price_per_gpu_hour(group=RENT)
    commitment: float = _share(
        0,
        "Committed hours",
        (0, 1),
        group=RENT,
        about="Of all hours, used or not: all of them for a reservation, none on demand.",
    )
    rent_trend: float = _share(
        0,
        "Rent change per year",
        (-0.3, 0.3),
        group=RENT,
        about="One provider's fell by 14% in 2024 and rose by 33% in two years after: the sign is not known.",
        hard=(-0.5, 0.5),
    )
    rent_support: float = _share(
        0,
        "Support surcharge on rent",
        (0, 0.15),
        group=RENT,
        about="Of the rent. ClusterMAX counts 5% at hyperscalers and none elsewhere.",
        hard=(0, 1),
    )
    stored: float = quantity(
        computed("stored_for_gpus", "by the GPU"),
        "B",
        "Data stored with the provider",
        hard=(0, 1e21),
        slider=(0, 10e15),
        help="Rented GPUs need a storage system too: by default 1 TB per GPU, an example. Owners buy theirs.",
        group=RENT,
    )
    storage_per_gb_month: float = quantity(
        computed("tiered_storage_price", "object storage, by tier"),
        "USD/TB/month",
        "Storage price (rented)",
        hard=(0, 10_000 * _PER_TERABYTE_MONTH),
        slider=(1 * _PER_TERABYTE_MONTH, 500 * _PER_TERABYTE_MONTH),
        help="A managed parallel file system costs six times as much and more.",
        group=RENT,
    )
    egress: float = quantity(
        computed("egress_for_gpus", "by the GPU"),
        "TB/month",
        "Egress per month",
        hard=(0, 1e9 * _TERABYTE_A_MONTH),
        slider=(0, 1000 * _TERABYTE_A_MONTH),
        help="To the internet or another provider: weights, replicas. By default 50 GB per GPU and month, an example.",
        group=RENT,
    )
    egress_per_gb: float = quantity(
        computed("tiered_egress_price", "by tier"),
        "USD/GB",
        "Egress price",
        hard=(0, 1e-8),
        slider=(0, 0.12e-9),
        help="Specialist clouds often ask for none.",
        group=RENT,
    )
    utilization: float = _share(
        facts.fact("use-of-hours"),
        "Utilization",
        (0.1, 1),
        group=USE,
        about="Of all hours of the calendar, those in which GPUs do paid work. An owner pays for the others too.",
        hard=(0.01, 1),
    )
    goodput: float = money.goodput(group=USE)
    book_years: float = quantity(
        facts.fact("depreciation"),
        "year",
        "Depreciation period",
        hard=(YEAR, 10 * YEAR),
        slider=(2 * YEAR, 8 * YEAR),
        help="Books say three to six years. The rent is compared over the same time.",
        group=USE,
        aliases=("years",),
    )
    gpus: float = gpus(1024)
    gpu_power: float = gpu_power()
    host_power_per_gpu: float = electricity.host_power_per_gpu(
        facts.fact("host-power-per-gpu-h100"),
        about="At its rating; in common servers 33% to 80% of the GPU's own power.",
        group=MACHINE,
    )
    server_price_per_gpu: float = _dollars(
        facts.fact("server-price-h100"),
        "Server price, per GPU",
        (15_000, 75_000),
        group=BUY,
        about="A server's price over its GPUs; shops' prices are without fabric, support and tax.",
        most=10e6,
    )
    fabric_per_gpu: float = _dollars(
        facts.fact("fabric-price-per-gpu"),
        "Fabric price, per GPU",
        (0, 20_000),
        group=BUY,
        about="Switches, optics and cables.",
        most=1e6,
    )
    fabric_cost: float | None = _dollars(
        not_applicable("by the GPU"),
        "Price of switches and links between them",
        (1e5, 1e9),
        group=BUY,
        about="The whole fabric's, where it is known or Fabric counts it; it replaces the price per GPU.",
        most=1e12,
    )
    storage_per_gpu: float = _dollars(
        facts.fact("storage-price-per-gpu"),
        "Storage price, per GPU",
        (0, 10_000),
        group=BUY,
        about="The owner's own store.",
        most=1e6,
    )
    capital_rate: float = _share(
        facts.fact("capital-rate"),
        "Interest rate per year",
        (0, 0.2),
        group=BUY,
        about="What the money costs, or would earn elsewhere.",
    )
    residual: float = _share(
        facts.fact("residual-share"),
        "Residual value",
        (0, 0.5),
        group=BUY,
        about="Of the purchase, what a buyer gives when it is written off.",
        hard=(0, 0.9),
    )
    value_decline: float = _share(
        facts.fact("value-decline"),
        "Market value decline per year",
        (0, 0.5),
        group=BUY,
        about="As new devices do more for the same money.",
        hard=(0, 0.9),
    )
    sold_after: float = quantity(
        2 * YEAR,
        "year",
        "Resale after",
        hard=(0, 10 * YEAR),
        slider=(0, 6 * YEAR),
        help="To see how far the book then lies above what a buyer would give.",
        group=BUY,
    )
    storage_cost: float | None = _dollars(
        not_applicable("by the GPU"),
        "Price of the storage system",
        (1e5, 1e8),
        group=BUY,
        about="The whole system's, as offered with its bandwidth; it replaces the price per GPU.",
        most=1e12,
    )
    it_power: float = quantity(
        computed("servers_power", "the servers alone"),
        "W",
        "Rated IT load",
        hard=(0, 100e9),
        slider=(1e4, 1e9),
        scale="log",
        help="What the space rented must be able to feed: servers, and switches and storage where they are counted.",
        group=SITE,
    )
    colocation_per_kw_month: float = quantity(
        facts.fact("colocation-per-kilowatt"),
        "USD/kW/month",
        "Colocation price per kW and month",
        hard=(0, 10_000 * _PER_KILOWATT_MONTH),
        slider=(0, 400 * _PER_KILOWATT_MONTH),
        help="For each kilowatt that may be drawn, before the electricity itself.",
        group=SITE,
    )
    facility_per_kw: float = quantity(
        0,
        "USD/kW",
        "Facility construction, per kW",
        hard=(0, 100_000 * _PER_KILOWATT),
        slider=(0, 10_000 * _PER_KILOWATT),
        help="Building, feed and cooling for each kilowatt at the meter, if you build: written off and kept running "
        "like the equipment in it. Then there is no rent of space.",
        group=SITE,
    )
    average_share: float = electricity.average_share(group=SITE)
    pue: float = electricity.pue(facts.fact("pue-colocation"), group=SITE)
    price_per_kwh: float = electricity.price_per_kwh(group=SITE)
    energy_cost: float = _dollars(
        computed("every_hours_energy_cost", "all GPUs, all year"),
        "Electricity cost per year",
        (1e4, 1e9),
        group=SITE,
        about="Your bill, if you know it.",
        most=1e13,
    )
    support_rate: float = _share(
        facts.fact("support-share-of-price"),
        "Support contract",
        (0, 0.12),
        group=OPERATE,
        about="Of servers, fabric and storage.",
    )
    spares_rate: float = _share(
        facts.fact("spares-share-of-price"),
        "Spare parts",
        (0, 0.08),
        group=OPERATE,
        about="Beyond what support includes.",
    )
    staff_rate: float = _share(
        facts.fact("staff-share-of-price"),
        "Staff",
        (0, 0.12),
        group=OPERATE,
        about="Who run it: salaries over the purchase.",
    )
    operations: float = _share(
        computed("operations_rate", "support, spares and staff"),
        "Operations in total",
        (0, 0.3),
        group=OPERATE,
        about="One share instead of the three.",
        hard=(0, 3),
    )
    gpu_hours: float = money.gpu_hours(
        computed("used_gpu_hours", "a year of these in use"),
        about="Of one run, as they are billed; otherwise a year of all GPUs while in use.",
        group=RUN,
    )
    serving_tokens_per_second_per_gpu: float = quantity(
        facts.fact("deepseek-tokens-per-gpu"),
        "token/s",
        "Output tokens/s per GPU",
        hard=(1e-3, 1e7),
        slider=(10, 20_000),
        scale="log",
        help="While it serves, all GPUs counted, those that read prompts too.",
        group=RUN,
    )
    money_per: money.Per = money.money_per(group=USE)

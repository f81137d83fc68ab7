"""Electricity: shared inputs and formulas for watts, energy and emissions of GPUs."""

from typing import Any

from calculators import facts
from calculators.declare import Default, quantity, step
from calculators.units import unit

_G_PER_KWH = unit("g/kWh").factor
_A_KWH = 1 / unit("kWh").factor


def host_power_per_gpu(default: Default, *, about: str, group: str) -> Any:
    """Power of a server without its accelerators, per accelerator."""
    return quantity(
        default,
        "W",
        "Server power besides the GPU, per GPU",
        hard=(0, 100e3),
        slider=(0, 1000),
        help="Processors, memory, fans, network cards and losses of a node, shared among its GPUs. " + about,
        group=group,
    )


def pue(*default: Default, group: str) -> Any:
    """Power usage effectiveness: power of the facility per watt that reaches the servers."""
    return quantity(
        default,
        "1",
        "Power usage effectiveness (PUE)",
        hard=(1, 5),
        slider=(1, 2),
        help="What the site draws for each watt that reaches the servers.",
        group=group,
    )


def carbon_intensity(*, group: str) -> Any:
    """Carbon intensity of the facility's electricity."""
    return quantity(
        facts.fact("carbon-intensity-world"),
        "g/kWh",
        "Carbon intensity",
        hard=(0, 3000 * _G_PER_KWH),
        slider=(0, 900 * _G_PER_KWH),
        help="Of the electricity at the site; the default is the world's average.",
        group=group,
    )


def average_share(*, group: str) -> Any:
    """Average power of servers ÷ rated power."""
    return quantity(
        facts.fact("average-share"),
        "share",
        "Average draw, of the rating",
        hard=(0, 1),
        slider=(0.5, 1),
        help="While training. Published energies are rating times hours: give 1 to compare with them.",
        group=group,
    )


def price_per_kwh(*, group: str) -> Any:
    """Price of electricity at the meter, per kWh."""
    return quantity(
        facts.fact("electricity-industrial-us"),
        "USD/kWh",
        "Price of electricity",
        hard=(0, 10 * _A_KWH),
        slider=(0.02 * _A_KWH, 0.4 * _A_KWH),
        help="At the meter, with what the network charges; the default is industry's in the United States.",
        group=group,
    )


@step("W", "Server power per GPU", rises_with=("gpu_power", "host_power_per_gpu"))
def watts_per_gpu(gpu_power: float, host_power_per_gpu: float) -> float:
    """Rated power of one accelerator with its share of the server [W].

    >>> watts_per_gpu(700, 575)
    1275
    """
    return gpu_power + host_power_per_gpu

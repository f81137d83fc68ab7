"""Watts: from the power of a GPU to the power at the meter."""

from calculators.declare import step


@step("W", "Server power, per GPU", rises_with=("node_power",), falls_with=("node_gpus",))
def server_power(node_power: float, node_gpus: float) -> float:
    """Power of a server per GPU [W].

    >>> server_power(10200, 8)
    1275.0
    """
    return node_power / node_gpus


@step("W", "Rated IT power, per GPU", rises_with=("support_share",))
def supported_power(server_power: float, support_share: float) -> float:
    """Server, and what network, storage and management add as a share of it, per GPU [W]."""
    return server_power * (1 + support_share)


@step("W", "Metered facility power, per GPU", rises_with=("pue",))
def metered_power(supported_power: float, pue: float) -> float:
    """Facility power per GPU at the meter [W]: `pue` is everything over what reaches the machines."""
    return supported_power * pue

"""Cooling: what a kind of it carries from a rack, and how much air and coolant must move."""

from typing import Literal

from calculators import facts
from calculators.declare import formulas_of, step
from calculators.units import unit

Cooling = Literal["air", "rear_door", "direct_liquid", "immersion"]
KINDS = {"rear_door": "rear doors", "direct_liquid": "direct liquid", "immersion": "immersion"}
LIMITS = {
    "air": float(facts.fact("air-cooling-limit").value),
    **{kind: float(facts.fact(f"rack-cooling-limit.{kind}").value) for kind in KINDS},
}
# Whether the liquid reaches into the servers, or takes their heat from air behind them.
IN_SERVERS = {"air": 0, "rear_door": 0, "direct_liquid": 1, "immersion": 1}
_SHARES = {"air": 0.0, **{kind: float(facts.fact(f"liquid-share.{kind}").value) for kind in KINDS}}
_PUES = {kind: float(facts.fact(f"pue-by-cooling.{kind}").value) for kind in LIMITS}
_BTU_AN_HOUR = float(facts.fact("btu-per-kilowatt").value) / unit("kW").factor
_TON = float(facts.fact("ton-of-cooling").value)


@step("W", "Typical cooling capacity per rack")
def usual_cooling_limit(cooling: Cooling) -> float:
    """Highest rack power with this kind of cooling [W]."""
    return LIMITS[cooling]


@step("share", "Typical liquid-cooled heat fraction")
def usual_liquid_share(cooling: Cooling) -> float:
    """Share of the heat that leaves a rack in liquid, usual for this kind of cooling; none with air alone."""
    return _SHARES[cooling]


@step("1", "Typical PUE of this cooling")
def usual_pue(cooling: Cooling) -> float:
    """Power usage effectiveness usual for a new site with this kind of cooling."""
    return _PUES[cooling]


@step("L/s", "Coolant flow", falls_with=("liquid_rise", "coolant_heat"))
def liquid_flow(it_power: float, liquid_share: float, coolant_heat: float, liquid_rise: float) -> float:
    """Coolant that carries its share of the heat [L/s], `coolant_heat` [J/(L K)], warming by `liquid_rise` [K].

    >>> round(liquid_flow(120_000, 1, 4186, 10), 2)
    2.87
    """
    return it_power * liquid_share / (coolant_heat * liquid_rise)


@step("m3/s", "Room air flow", falls_with=("air_rise", "liquid_share"))
def air_flow(it_power: float, liquid_share: float, air_heat: float, air_rise: float) -> float:
    """Air that carries the rest of the heat [L/s], `air_heat` [J/(L K)], warming by `air_rise` [K].

    30 kW at 15 K: a supplier of liquid cooling prints 1.99 kg/s, at 1.2 kg for each cubic meter.

    >>> round(air_flow(30_000, 0, 1.2 * 1.005, 15) / 1000 * 1.2, 2)
    1.99
    """
    return it_power * (1 - liquid_share) / (air_heat * air_rise)


@step("CFM", "Room air flow, in CFM")
def air_flow_cfm(air_flow: float) -> float:
    """Air flow in the unit of fans and datasheets."""
    return air_flow


@step("m3/s", "Server air flow", falls_with=("air_rise",))
def server_air_flow(it_power: float, cooling: Cooling, liquid_share: float, air_heat: float, air_rise: float) -> float:
    """Air that servers themselves must move [L/s]: all of it where liquid takes the heat only behind them.

    >>> [server_air_flow(60, kind, 0.5, 2, 3) for kind in ("air", "rear_door", "direct_liquid", "immersion")]
    [10.0, 10.0, 5.0, 5.0]
    """
    return it_power * (1 - IN_SERVERS[cooling] * liquid_share) / (air_heat * air_rise)


@step("W", "Heat to air, per rack", falls_with=("liquid_share",))
def rack_heat_to_air(rack_power: float, liquid_share: float) -> float:
    """Heat that a full rack still gives to the room [W]."""
    return rack_power * (1 - liquid_share)


@step("W", "Heat to liquid")
def heat_to_liquid(it_power: float, liquid_share: float) -> float:
    """Heat that liquid carries away [W].

    Eight racks of 119.9 kW with 85% in liquid, printed as 815.2 kW.

    >>> round(heat_to_liquid(8 * 119_900, 0.85))
    815320
    """
    return it_power * liquid_share


@step("1", "Heat, in BTU/h")
def heat_btu_per_hour(it_power: float) -> float:
    """All heat of IT in the unit of datasheets [BTU/h]."""
    return it_power * _BTU_AN_HOUR


@step("1", "Heat, in tons of refrigeration")
def cooling_tons(it_power: float) -> float:
    """All heat of IT in the unit of chillers [ton]."""
    return it_power / _TON


FORMULAS = formulas_of(globals())

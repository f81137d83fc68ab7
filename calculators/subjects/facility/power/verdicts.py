"""Verdicts on a data hall: its limiting resource, load swings and cooling."""

from calculators.declare import Verdict, constraint, formulas_of, verdict
from calculators.subjects.facility.power.cooling import Cooling

TIGHT = 0.8
_SWING = 0.3
_REASONS = {
    "power": "The facility needs {facility_power} of {hall_power}, {hall_power_used}.",
    "rack positions": "Servers need {racks} of {hall_racks}, {hall_racks_used}.",
    "rack power": "A node of {node_power} is {rack_limit_used} of the {rack_limit} limit per rack.",
    "rack cooling": "A rack of {rack_power} is {cooling_used} of its {cooling_limit} cooling capacity.",
}
_TOO_MANY = "{nodes_per_rack} of {node_power} are {rack_limit_used} of the {rack_limit} limit per rack."
_WHOLE = "A rack built with {rack_nodes} of {node_power} is {rack_limit_used} of its {rack_limit} limit."


@verdict("Data hall", good="hall_power=4MW", tight="", bad="hall_racks=100")
def hall_fits(
    hall_power_used: float,
    hall_racks_used: float,
    rack_limit_used: float,
    cooling_used: float,
    nodes_per_rack: float,
    rack_nodes: float | None,
) -> Verdict:
    """Whether the GPUs fit, and the resource used most: power, rack positions, rack power or rack cooling."""
    used = {
        "power": hall_power_used,
        "rack positions": hall_racks_used,
        "rack power": rack_limit_used,
        "rack cooling": cooling_used,
    }
    name = max(used, key=lambda limit: used[limit])
    reason = _REASONS[name]
    if name == "rack power" and rack_nodes is not None:
        reason = _WHOLE
    elif name == "rack power" and nodes_per_rack > 1 and used[name] > 1:
        reason = _TOO_MANY
    if used[name] <= TIGHT:
        return Verdict(level="good", word=f"fits; the first limit is {name}", reason=reason)
    if used[name] <= 1:
        return Verdict(level="tight", word=f"tight; the limit is {name}", reason=reason)
    return Verdict(level="bad", word=f"does not fit; the limit is {name}", reason=reason)


@verdict("Load swings", good="", tight="swing_high=1", bad="hall_power=1.5MW")
def supply_follows(
    power_swing: float,
    swing_peak: float,
    facility_power: float,
    hall_power: float,
    average_facility_power: float,
    power_per_surviving_source: float,
    circuit_power: float,
) -> Verdict:
    """Whether the swing of all GPUs together is small compared with the facility, and fits above its average.

    It ends at the rating: a hall that supplies the rating is not exceeded, though the whole swing may not fit above
    the average.
    """
    if swing_peak > hall_power:
        return Verdict(
            level="bad",
            word="swings exceed the supply",
            reason="GPUs that pause and resume together swing by {power_swing}; "
            "above the mean of {average_facility_power} that exceeds the {hall_power} supply.",
        )
    if power_swing > hall_power - average_facility_power:
        return Verdict(
            level="tight",
            word="swings reach the rating",
            reason="GPUs that pause and resume together swing by {power_swing}, more than the supply has left above "
            "the mean of {average_facility_power}; only the rated {facility_power} limits them.",
        )
    if facility_power > hall_power:
        return Verdict(
            level="tight",
            word="rating exceeds the supply",
            reason="GPUs that pause and resume together swing by {power_swing}, to {swing_peak} above the mean; "
            "their rated {facility_power} is more than the supply of {hall_power}.",
        )
    if power_per_surviving_source > circuit_power:
        return Verdict(
            level="tight",
            word="a lost feed trips breakers",
            reason="With one of {sources} feeds lost, each other feed carries {power_per_surviving_source} of a rack; "
            "its {amperes} breaker at {volts} is good for {circuit_power} and trips.",
        )
    if power_swing > _SWING * facility_power:
        return Verdict(
            level="tight",
            word="large swings",
            reason="GPUs that pause and resume together swing by {power_swing} of {facility_power}: "
            "ask the utility for its ramp limit.",
        )
    return Verdict(
        level="good",
        word="OK",
        reason="GPUs that pause and resume together swing by {power_swing} of the rated {facility_power}.",
    )


@verdict("Cooling", good="", bad="rack_limit=31kW")
def heat_carried(liquid_share: float, cooling_used: float) -> Verdict:
    """What carries heat away, and whether it is enough for a full rack."""
    if cooling_used > 1:
        return Verdict(level="bad", word="less than a rack needs", reason=_REASONS["rack cooling"])
    if liquid_share == 1:
        reason = "{liquid_flow} of coolant with a rise of {liquid_rise}; no heat goes to room air."
        return Verdict(level="good", word="liquid only", reason=reason)
    to_air = "a full rack gives {rack_heat_to_air} to the air, with a rise of {air_rise}."
    if liquid_share > 0:
        reason = f"{{liquid_flow}} of coolant and {{air_flow}} of air; {to_air}"
        return Verdict(level="good", word="liquid and air", reason=reason)
    return Verdict(level="good", word="air only", reason=f"{{air_flow}}; {to_air}")


@constraint("node_units", speaks="node_units=43", silent="node_units=42")
def node_fits_the_rack(node_units: float, rack_units: float) -> str:
    """A node is no taller than a rack."""
    if node_units <= rack_units:
        return ""
    return "Node height must be at most the rack height, {rack_units}, not {node_units}"


@constraint("nodes_per_rack", speaks="rack_nodes=18&nodes_per_rack=20", silent="rack_nodes=18&rack_limit=200kW")
def rack_holds_its_design(nodes_per_rack: float, rack_nodes: float | None) -> str:
    """A rack sold whole holds no more nodes than it is built with."""
    if rack_nodes is None or nodes_per_rack <= rack_nodes:
        return ""
    return "Nodes per rack must be at most those of its design, {rack_nodes}, not {nodes_per_rack}"


@constraint("node_power", speaks="gpu_power=0&host_power_per_gpu=0", silent="gpu_power=0")
def a_node_draws_something(node_power: float) -> str:
    """A server that draws nothing makes no hall."""
    return (
        ""
        if node_power > 0
        else "Rated power of a node must be above 0: set the power of its GPUs or of the rest of the server"
    )


@constraint("node_power", speaks="node_power=5kW", silent="node_power=5.6kW")
def node_runs_its_gpus(node_power: float, node_gpus: float, gpu_power: float) -> str:
    """A server's rating is at least that of its GPUs."""
    if node_power >= node_gpus * gpu_power:
        return ""
    return (
        "Rated power of a node must be at least that of its GPUs, {node_gpus} of {gpu_power} each, not {node_power}: "
        "to cap GPUs, give the power they are capped to"
    )


@constraint("liquid_share", speaks="liquid_share=0.5", silent="cooling=direct_liquid")
def liquid_needs_a_loop(cooling: Cooling, liquid_share: float) -> str:
    """Only a liquid cooling takes heat to liquid."""
    if cooling != "air" or liquid_share == 0:
        return ""
    return "With air cooling no heat goes to liquid, not {liquid_share}: choose a liquid cooling or leave it out"


@constraint("swing_low", speaks="swing_low=0.9", silent="swing_low=0.85")
def swing_has_a_lower_end(swing_low: float, swing_high: float) -> str:
    """The lower end of a swing is the lower one."""
    if swing_low <= swing_high:
        return ""
    return "Minimum GPU power in a step must be at most the maximum, {swing_high}, not {swing_low}"


FORMULAS = formulas_of(globals())

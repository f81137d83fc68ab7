"""Verdicts on a hall: whether it takes these GPUs and which limit binds, and whether the supply follows."""

from calculators.declare import Verdict, constraint, formulas_of, verdict

TIGHT = 0.8
_SWING = 0.3
_REASONS = {
    "megawatts": "The facility needs {facility_power} of {hall_power}, {hall_power_used}.",
    "racks": "GPU servers take {racks} of {hall_racks}, {hall_racks_used}.",
    "kilowatts per rack": "A node of {node_power} is {rack_limit_used} of the {rack_limit} that a rack may draw.",
    "cooling": "A rack of {rack_power} is {cooling_used} of the {cooling_limit} that this cooling carries.",
}
_TOO_MANY = "{nodes_per_rack} of {node_power} are {rack_limit_used} of the {rack_limit} that a rack may draw."
_WHOLE = "A rack built with {rack_nodes} of {node_power} is {rack_limit_used} of the {rack_limit} that it may draw."


@verdict("Data hall")
def hall_fits(
    hall_power_used: float,
    hall_racks_used: float,
    rack_limit_used: float,
    cooling_used: float,
    nodes_per_rack: float,
    rack_nodes: float | None,
) -> Verdict:
    """The limit of which most is used, by name: megawatts, racks, kilowatts per rack, or the kind of cooling."""
    used = {
        "megawatts": hall_power_used,
        "racks": hall_racks_used,
        "kilowatts per rack": rack_limit_used,
        "cooling": cooling_used,
    }
    name = max(used, key=lambda limit: used[limit])
    reason = _REASONS[name]
    if name == "kilowatts per rack" and rack_nodes is not None:
        reason = _WHOLE
    elif name == "kilowatts per rack" and nodes_per_rack > 1 and used[name] > 1:
        reason = _TOO_MANY
    if used[name] <= TIGHT:
        return Verdict(level="good", word=f"fits; {name} would bind first", reason=reason)
    if used[name] <= 1:
        return Verdict(level="tight", word=f"fits tightly: {name} bind{_plural(name)}", reason=reason)
    return Verdict(level="bad", word=f"does not fit: {name} bind{_plural(name)}", reason=reason)


def _plural(name: str) -> str:
    return "s" if name == "cooling" else ""


@verdict("Load swings")
def supply_follows(
    power_swing: float,
    swing_peak: float,
    facility_power: float,
    hall_power: float,
    average_facility_power: float,
    power_per_surviving_source: float,
    circuit_power: float,
) -> Verdict:
    """Whether the swing of all GPUs together is small beside the facility, and fits above its average.

    It ends at the rating: a hall that supplies the rating is not exceeded, though the whole swing may not fit above
    the average.
    """
    if swing_peak > hall_power:
        return Verdict(
            level="bad",
            word="swings exceed the supply",
            reason="GPUs that pause and resume together move {power_swing}; "
            "above the average of {average_facility_power} the hall has not that much left of {hall_power}.",
        )
    if power_swing > hall_power - average_facility_power:
        return Verdict(
            level="tight",
            word="swings reach the rating",
            reason="GPUs that pause and resume together move {power_swing}, more than the hall has left above the "
            "average of {average_facility_power}; only the rating of {facility_power} bounds them.",
        )
    if power_per_surviving_source > circuit_power:
        return Verdict(
            level="tight",
            word="a lost feed trips",
            reason="With one of {sources} feeds lost, each other carries {power_per_surviving_source} of a rack; "
            "a breaker of {amperes} at {volts} carries {circuit_power} and trips.",
        )
    if power_swing > _SWING * facility_power:
        return Verdict(
            level="tight",
            word="swings are large",
            reason="GPUs that pause and resume together move {power_swing} of {facility_power}: "
            "ask the utility for its limit on sudden changes.",
        )
    return Verdict(
        level="good",
        word="supply follows",
        reason="GPUs that pause and resume together move {power_swing}; the facility is rated {facility_power}.",
    )


@verdict("Cooling")
def heat_carried(liquid_share: float) -> Verdict:
    """What carries heat away, and nothing that does not; whether it can is judged with the hall."""
    if liquid_share == 1:
        reason = "{liquid_flow}, warming by {liquid_rise}; nothing is left to the room's air."
        return Verdict(level="good", word="coolant alone", reason=reason)
    to_air = "each rack gives {rack_heat_to_air} to the air, which warms by {air_rise}."
    if liquid_share > 0:
        reason = f"{{liquid_flow}} of coolant and {{air_flow}} of air; {to_air}"
        return Verdict(level="good", word="coolant and air", reason=reason)
    return Verdict(level="good", word="air alone", reason=f"{{air_flow}}; {to_air}")


@constraint("node_units")
def node_fits_the_rack(node_units: float, rack_units: float) -> str:
    """A node is no taller than a rack."""
    if node_units <= rack_units:
        return ""
    return "Height of a node must be at most that of a rack, {rack_units}, not {node_units}"


@constraint("node_power")
def a_node_draws_something(node_power: float) -> str:
    """A server that draws nothing makes no hall."""
    return (
        "" if node_power > 0 else "Rating of a node must not be nothing: give its GPUs, or the rest of it, some watts"
    )


@constraint("swing_low")
def swing_has_a_lower_end(swing_low: float, swing_high: float) -> str:
    """The lower end of a swing is the lower one."""
    if swing_low <= swing_high:
        return ""
    return "GPUs draw at least must be at most the {swing_high} that they draw at most, not {swing_low}"


FORMULAS = formulas_of(globals())

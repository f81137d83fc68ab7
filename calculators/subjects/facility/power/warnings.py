"""Where a hall sized on paper goes wrong: racks that feed no node, air asked for too much, averages used for sizing."""

from calculators import facts
from calculators.declare import formulas_of, warning
from calculators.subjects.facility.power.cooling import Cooling

_AIR_LIMIT = float(facts.fact("air-cooling-limit").value)
_AVERAGE = facts.fact("average-share")
_MOST_MEASURED = float(_AVERAGE.high or 1)
_HOST = float(facts.fact("host-power-per-gpu-h100").value)
_MEASURED_GPU = float(facts.fact("gpu-power-h100").value)
_LOW_PUE = 1.1
_DRY_PUE = 1.2


@warning(speaks="rack_limit=8kW", silent="rack_limit=10.2kW")
def node_exceeds_rack(node_power: float, rack_limit: float) -> str:
    """Not one node within a rack's limit."""
    if node_power <= rack_limit:
        return ""
    return "One node of {node_power} exceeds the {rack_limit} limit per rack: each needs the feeds of {racks_per_node}."


@warning(speaks="server=server-gb200-nvl72", silent="")
def rack_needs_its_feed(rack_nodes: float | None) -> str:
    """Racks sold whole, which few halls feed; their own rating is the limit unless one is given."""
    if rack_nodes is None:
        return ""
    return "A rack sold whole needs a hall that feeds it, here up to {rack_limit}, and cools it with liquid."


@warning(speaks="rack_limit=31kW", silent="rack_limit=30.5kW")
def too_much_for_air(cooling: Cooling, rack_power: float) -> str:
    """Air, and racks that most rooms cannot cool with it."""
    if cooling != "air" or rack_power <= _AIR_LIMIT:
        return ""
    return (
        "Racks of {rack_power} cooled by air alone: few rooms carry more than {usual_cooling_limit}. "
        "Put fewer nodes in a rack, or use liquid cooling."
    )


@warning(speaks="hall_power=1.8MW", silent="")
def only_the_average_fits(facility_power: float, average_facility_power: float, hall_power: float) -> str:
    """A hall that carries the average and not the rating."""
    if facility_power <= hall_power or average_facility_power > hall_power:
        return ""
    return (
        "Only the mean of {average_facility_power} fits in {hall_power}: "
        "size for the rated {facility_power}, because the nodes of one job peak together."
    )


@warning(speaks="pue=1.09", silent="pue=1.1")
def air_with_a_low_pue(cooling: Cooling, pue: float) -> str:
    """A PUE that air reaches in few places."""
    if cooling != "air" or pue >= _LOW_PUE:
        return ""
    return (
        "A PUE of {pue} with air is reached only by the best fleets in cool climates, with server fans counted as IT."
    )


@warning(speaks="wue=0&pue=1.15", silent="wue=0&pue=1.2")
def dry_and_efficient(wue: float, pue: float) -> str:
    """No water, and a PUE that is usually paid for with water."""
    if wue > 0 or pue >= _DRY_PUE:
        return ""
    return "No water at a PUE of {pue}: cooling towers evaporate water; dry coolers and chillers need more power."


@warning(speaks="cooling=direct_liquid&liquid_share=0.85", silent="cooling=immersion")
def still_by_air(cooling: Cooling, liquid_share: float) -> str:
    """Liquid that leaves a part of the heat to the room."""
    if cooling == "air" or not 0 < liquid_share < 1:
        return ""
    return "{rack_heat_to_air} of a full rack still goes to air, {air_flow} in all: the data hall needs air handling."


@warning(speaks="cooling=rear_door", silent="cooling=direct_liquid")
def servers_move_air(cooling: Cooling) -> str:
    """Doors behind servers that stay cooled by air."""
    if cooling != "rear_door":
        return ""
    return (
        "With a rear door servers still move {server_air_flow} of air themselves; the door only cools it behind them."
    )


@warning(speaks="cooling=direct_liquid&liquid_share=0", silent="cooling=direct_liquid")
def loop_without_liquid(cooling: Cooling, liquid_share: float) -> str:
    """A loop without liquid."""
    if cooling == "air" or liquid_share > 0:
        return ""
    return "No heat goes to liquid, but a liquid cooling is chosen: results are those of air."


@warning(speaks="hall_racks=135", silent="hall_racks=136")
def racks_for_support(racks: float, support_racks: float, hall_racks: float) -> str:
    """Positions for GPU servers, and none left for what supports them."""
    if racks > hall_racks or racks + support_racks <= hall_racks:
        return ""
    return (
        "GPU servers need {racks} of {hall_racks}, which count positions for them only. Network, storage and "
        "management need about {support_racks} more, filled to the limit."
    )


@warning(speaks="server=server-gb200-nvl72&rack_limit=120kW", silent="server=server-gb200-nvl72&rack_limit=121kW")
def rack_sold_whole(rack_nodes: float | None, nodes_per_rack: float) -> str:
    """A rack built with more nodes than this hall can power."""
    if rack_nodes is None or nodes_per_rack >= rack_nodes:
        return ""
    return (
        "This rack is sold whole with {rack_nodes}, but {rack_limit} and {rack_units} of height allow {nodes_per_rack}."
    )


@warning(speaks="average_share=0.1", silent="average_share=0.15")
def average_below_what_waits(average_share: float, swing_low: float) -> str:
    """An average below what GPUs draw when all of them wait."""
    if average_share >= swing_low:
        return ""
    return (
        "A mean of {average_share} of the rating is below the {swing_low} that GPUs draw while all wait: "
        "energy, cost and emissions are those of an idle data hall."
    )


@warning(speaks="average_share=1", silent="average_share=0.82")
def counted_at_the_rating(average_share: float) -> str:
    """An average that no node was seen to draw."""
    if average_share <= _MOST_MEASURED:
        return ""
    return (
        "A mean of {average_share} of the rating is an upper bound, as published energies count it: "
        f"nodes of eight H100 drew {_AVERAGE.text} on average and {_AVERAGE.shown(_MOST_MEASURED)} at most."
    )


@warning(speaks="server=server-dgx-b200&rack_limit=20kW", silent="server=server-dgx-b200&average_share=0.7")
def measured_on_another_device(average_share: float, gpu_power: float) -> str:
    """An average measured on H100, used for something else."""
    if average_share != _AVERAGE.value or gpu_power == _MEASURED_GPU:
        return ""
    return "{average_share} of the rating was measured on single nodes of H100: measure yours for GPUs of {gpu_power}."


@warning(speaks="server=none&gpu_power=72W", silent="server=server-dgx-b200")
def servers_of_another_device(host_power_per_gpu: float, gpu_power: float) -> str:
    """The rest of an H100's server next to other GPUs: too much for small ones."""
    if host_power_per_gpu != _HOST or gpu_power == _MEASURED_GPU:
        return ""
    return (
        "{host_power_per_gpu} per GPU besides the GPUs are those of a DGX H100: set those of your servers, because "
        "they decide the data hall for GPUs of {gpu_power}."
    )


FORMULAS = formulas_of(globals())

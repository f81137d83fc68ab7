"""Embodied carbon: what was emitted in making the boards and the drives, compared with what running them emits."""

from calculators.declare import step


@step("kg", "Embodied carbon of the boards", rises_with=("gpus", "board_emissions"))
def boards_emissions(gpus: float, gpus_per_board: float, board_emissions: float) -> float:
    """Emissions of making the boards of so many `gpus` [kg], at `board_emissions` [kg] for each board.

    >>> boards_emissions(16, 8, 1312)
    2624.0
    """
    return gpus / gpus_per_board * board_emissions


@step("kg", "Emitted in making the drives", rises_with=("drives_capacity", "emissions_per_byte"))
def drives_emissions(drives_capacity: float, emissions_per_byte: float) -> float:
    """Emissions of making drives of a `drives_capacity` [B] [kg], at `emissions_per_byte` [kg/B].

    >>> drives_emissions(1e15, 160e-12)  # a petabyte at 160 kg for a terabyte
    160000.0
    """
    return drives_capacity * emissions_per_byte


@step("share", "Of a year's running", falls_with=("yearly_emissions",))
def share_of_a_year(boards_emissions: float, yearly_emissions: float) -> float:
    """The boards' making as a share of what a year of running them emits [kg].

    >>> share_of_a_year(500, 1000)
    0.5
    """
    return boards_emissions / yearly_emissions

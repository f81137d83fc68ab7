"""Energy: the average of a rating, a year of it, and what it costs in money, carbon and water."""

from calculators.declare import formulas_of, step
from calculators.units import HOUR, YEAR


@step("W", "Mean IT load while training", source="newkirk-2025", rises_with=("average_share",))
def average_it_power(it_power: float, average_share: float) -> float:
    """Average IT power while a job trains [W], as a share of its rating.

    Measured on nodes of eight H100: 76% of 10.2 kW.

    >>> average_it_power(10200, 0.76)
    7752.0
    """
    return it_power * average_share


@step("W", "Mean facility power while training", rises_with=("average_share", "pue"))
def average_facility_power(average_it_power: float, pue: float) -> float:
    """Average facility power while a job trains [W]."""
    return average_it_power * pue


@step("J", "IT energy per year", rises_with=("utilization_of_year",))
def yearly_it_energy(average_it_power: float, utilization_of_year: float) -> float:
    """Energy that IT takes in a year [J], training for `utilization_of_year` of it; idle hours count as nothing."""
    return average_it_power * utilization_of_year * YEAR


@step("J", "Energy per year", source="patterson-2021", rises_with=("pue",))
def yearly_energy(yearly_it_energy: float, pue: float) -> float:
    """Energy at the site's meter in a year [J]."""
    return yearly_it_energy * pue


@step("USD", "Electricity cost per year", rises_with=("price_per_kwh",))
def energy_cost(yearly_energy: float, price_per_kwh: float) -> float:
    """Cost of a year's energy [USD] at `price_per_kwh` [USD/J]."""
    return yearly_energy * price_per_kwh


@step("kg", "Emissions per year", source="patterson-2021", rises_with=("carbon_intensity",))
def yearly_emissions(yearly_energy: float, carbon_intensity: float) -> float:
    """CO2 of a year's electricity [kg] at `carbon_intensity` [kg/J], by where it is taken from the grid."""
    return yearly_energy * carbon_intensity


@step("m3", "Water per year", rises_with=("wue",))
def water(yearly_it_energy: float, wue: float) -> float:
    """Water used on site in a year [L]: `wue` [L/J] counts by the energy of IT, not of the site."""
    return yearly_it_energy * wue


@step("J", "Reused heat per year", rises_with=("heat_reuse_share",))
def reusable_heat(yearly_it_energy: float, liquid_share: float, heat_reuse_share: float) -> float:
    """Heat reused off-site in a year [J]: of what leaves in liquid, which alone is warm enough."""
    return yearly_it_energy * liquid_share * heat_reuse_share


@step("GPU-hour", "GPU-hours per year", rises_with=("utilization_of_year",))
def yearly_gpu_hours(gpus: float, utilization_of_year: float) -> float:
    """Hours that all GPUs train in a year [GPU-hour]."""
    return gpus * utilization_of_year * YEAR / HOUR


@step("J", "Energy of the run", source="patterson-2021", rises_with=("average_share", "pue"))
def run_energy(gpu_hours: float, metered_power: float, average_share: float) -> float:
    """Energy at the meter for so many GPU-hours [J], each GPU counting for `metered_power` [W] at its rating.

    Published energies are hours times a rating, which is an `average_share` of 1: BLOOM's 1,082,990 hours at 400 W
    are printed as 433 MWh.

    >>> round(run_energy(1_082_990, 400, 1) / 3.6e9, 1)
    433.2
    """
    return gpu_hours * HOUR * metered_power * average_share


@step("kg", "Emissions of the run", source="patterson-2021", rises_with=("carbon_intensity",))
def run_emissions(run_energy: float, carbon_intensity: float) -> float:
    """CO2 of the electricity for so many GPU-hours [kg] at `carbon_intensity` [kg/J]."""
    return run_energy * carbon_intensity


FORMULAS = formulas_of(globals())

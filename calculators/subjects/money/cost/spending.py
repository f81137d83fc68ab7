"""Spending: a run by three published meanings of its cost, a percent of the time, a million tokens."""

from math import log

from calculators import units
from calculators.declare import formulas_of, step
from calculators.units import HOUR, MILLION, YEAR
from calculators.vocabulary.money import Per, shown_per

_PERCENT = units.unit("%").factor


@step("GPU-hour", "Used GPU-hours per year", rises_with=("utilization",))
def used_gpu_hours(gpus: float, utilization: float) -> float:
    """Hours that all GPUs are in use in a year [GPU-hour]."""
    return gpus * utilization * YEAR / HOUR


@step("USD", "Run on owned GPUs", rises_with=("gpu_hours",))
def run_owned(gpu_hours: float, own_per_used_hour: float) -> float:
    """Billed GPU-hours at what a used hour costs an owner [USD]; lost hours are among those billed."""
    return gpu_hours * own_per_used_hour


@step("USD", "Run: hardware depreciation at market pace", source="epoch-training-costs", rises_with=("value_decline",))
def hardware_used_up(gpu_hours: float, capital: float, gpus: float, value_decline: float) -> float:
    """Loss of the purchase's value during the run [USD], at the pace of new devices.

    0.14 orders of magnitude a year take 0.3224 of the value in each year's worth of it.

    >>> round(hardware_used_up(8766, 1, 1, 1 - 10**-0.14), 4)
    0.3224
    """
    return gpu_hours * HOUR / YEAR * capital / gpus * -log(1 - value_decline)


@step("USD", "Run: electricity", source="epoch-training-costs", rises_with=("average_share",))
def run_electricity(
    gpu_hours: float, it_power: float, gpus: float, average_share: float, pue: float, price_per_kwh: float
) -> float:
    """Cost of the run's electricity at the meter [USD]."""
    return gpu_hours * HOUR * it_power / gpus * average_share * pue * price_per_kwh


@step("USD", "Run: depreciation and electricity", source="epoch-training-costs")
def run_used_up(hardware_used_up: float, run_electricity: float) -> float:
    """Hardware used up and electricity [USD]: neither interest, space, staff nor hours out of use."""
    return hardware_used_up + run_electricity


@step("USD", "Value of 1% of the time, per year", rises_with=("price_per_gpu_hour",))
def percent_of_time(gpus: float, price_per_gpu_hour: float) -> float:
    """Rent of 1% of a year's hours [USD], to compare with the price of saving it."""
    return gpus * price_per_gpu_hour * YEAR / HOUR * _PERCENT


@step("USD", "Million tokens on owned GPUs", falls_with=("utilization",))
def own_per_million(own_per_used_hour: float, serving_tokens_per_second_per_gpu: float) -> float:
    """A million tokens at what a used hour costs an owner [USD], the GPU being busy while it is used."""
    return own_per_used_hour / (serving_tokens_per_second_per_gpu * HOUR) * MILLION


@step("USD", "Million tokens, rented, idle hours and storage included")
def rented_per_million(rent_per_used_hour: float, serving_tokens_per_second_per_gpu: float) -> float:
    """A million tokens at what a used hour costs who rents [USD], the GPU being busy while it is used."""
    return rent_per_used_hour / (serving_tokens_per_second_per_gpu * HOUR) * MILLION


@step("USD", "Owning, as shown")
def own_shown(money_per: Per, own_per_year: float, gpus: float, own_per_million: float, own_total: float) -> float:
    """Cost of owning [USD], per hour, month, year or million tokens, or until it is written off."""
    return shown_per(money_per, year=own_per_year, gpus=gpus, million=own_per_million, whole=own_total)


@step("USD", "Renting, as shown")
def rent_shown(
    money_per: Per, rent_per_year: float, gpus: float, rented_per_million: float, rent_total: float
) -> float:
    """Cost of renting [USD], per hour, month, year or million tokens, or for as long as owners write off."""
    return shown_per(money_per, year=rent_per_year, gpus=gpus, million=rented_per_million, whole=rent_total)


FORMULAS = formulas_of(globals())

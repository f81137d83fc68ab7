"""Generation on the site: heat rate, cost of a megawatt-hour, emissions, and the battery that carries a load step."""

from calculators.declare import step
from calculators.units import YEAR


@step("MMBtu/MWh", "Heat rate", falls_with=("efficiency",))
def heat_rate(efficiency: float) -> float:
    """Heat of the fuel over electricity [J/J], on the heating value that `efficiency` is stated for.

    >>> heat_rate(0.5)
    2.0
    """
    return 1 / efficiency


@step("USD/MWh", "Fuel cost", rises_with=("fuel_price",))
def fuel_cost(fuel_price: float, heat_rate: float) -> float:
    """Fuel for each unit of electricity [USD/J], at a `fuel_price` [USD/J] of heat.

    >>> fuel_cost(10, heat_rate(0.4))
    25.0
    """
    return fuel_price * heat_rate


@step("share/year", "Yearly payment, of what was borrowed", rises_with=("interest",))
def annuity(interest: float, payback: float) -> float:
    """Equal yearly payments that repay a loan over `payback` [s] with yearly `interest`, of the loan [1/s].

    The capital recovery factor of every levelized cost.

    >>> round(annuity(0.1, 10 * YEAR) * YEAR, 4)  # the textbooks' table: 0.1627
    0.1627
    """
    years = payback / YEAR
    repaid = 1 - float((1 + interest) ** -years)
    return interest / repaid / YEAR


@step("USD/MWh", "Capital cost", rises_with=("installed_cost", "installed_over_needed"), falls_with=("load",))
def capital_cost(
    installed_cost: float, installed_over_needed: float, annuity: float, fixed_share: float, load: float
) -> float:
    """Capital and fixed yearly cost for each unit of electricity [USD/J].

    `installed_cost` [USD/W]; `installed_over_needed` counts the spare units; `fixed_share` is the fixed yearly cost
    of what was invested [1/s]; `load` is the mean over the power needed.

    >>> capital_cost(2, 1.5, 0.1, 0.02, 0.8)  # 3 invested for each that is needed, 0.12 of it a second, at 0.8
    0.45
    """
    return installed_cost * installed_over_needed * (annuity + fixed_share) / load


@step("USD/MWh", "Cost of a megawatt-hour", rises_with=("fuel_cost", "capital_cost", "maintenance"))
def generation_cost(fuel_cost: float, capital_cost: float, maintenance: float) -> float:
    """Cost of each unit of electricity [USD/J], with `maintenance` [USD/J] that follows what is generated.

    >>> generation_cost(1, 2, 3)
    6
    """
    return fuel_cost + capital_cost + maintenance


@step("g/kWh", "Carbon dioxide", rises_with=("carbon_of_fuel",))
def carbon_emitted(carbon_of_fuel: float, heat_rate: float) -> float:
    """Carbon dioxide for each unit of electricity [kg/J], of `carbon_of_fuel` [kg/J] for each unit of heat.

    >>> carbon_emitted(2, 3)
    6
    """
    return carbon_of_fuel * heat_rate


@step("t", "Nitrogen oxides in a year", rises_with=("power_needed", "load", "oxides_of_fuel"))
def oxides_in_a_year(power_needed: float, load: float, heat_rate: float, oxides_of_fuel: float) -> float:
    """Nitrogen oxides of a year [kg], of `oxides_of_fuel` [kg/J] of heat, at a mean `load` of `power_needed` [W].

    >>> round(oxides_in_a_year(1 / YEAR, 0.5, 2, 3), 9)
    3.0
    """
    return power_needed * load * YEAR * heat_rate * oxides_of_fuel


@step("kWh", "Energy of the battery for one step", rises_with=("power_swing",), falls_with=("ramp_rate",))
def ramp_energy(power_swing: float, ramp_rate: float) -> float:
    """Energy that a battery gives [J] while a supply follows a step of `power_swing` [W] at `ramp_rate` [W/s].

    The triangle between the step and the ramp.

    >>> ramp_energy(10, 2)  # five seconds, half of ten on average
    25.0
    """
    return power_swing * power_swing / (2 * ramp_rate)

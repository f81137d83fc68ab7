"""Dated prices: how old each is, which are old, and what each makes of the answer."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from calculators import facts, units
from calculators.declare import Preset
from calculators.declare.tables import Table
from calculators.facts import ages
from calculators.subjects.money.cost.comparison import break_even_utilization
from calculators.subjects.money.cost.inputs import RENT
from calculators.subjects.money.cost.owning import yearly_cost_of_a_dollar
from calculators.units import HOUR, YEAR


def _dated(unit: str) -> dict[str, facts.Fact]:
    fields = (fact for record in facts.priced().values() for fact in record.fields.values())
    return {fact.key: fact for fact in fields if fact.priced_on and fact.unit == unit}


def _day(fact: facts.Fact) -> date:
    return fact.priced_on or date.min


_RENTED = tuple(
    sorted(
        facts.records("prices", "rent-h100-").values(),
        key=lambda one: _day(one.fields["price_per_gpu_hour"]),
        reverse=True,
    )
)
_RENTS, _PURCHASES = _dated("USD/GPU-hour"), _dated("USD")
# What is asked for one GPU's share of a server; other purchases are of whole clusters or bare devices.
_SERVERS = {key: fact for key, fact in _PURCHASES.items() if key.startswith("server-price-") and "h100" in key}


def rent_preset() -> Preset:
    """The menu of dated rents of an H100; one chosen goes before the price that comes with a device."""
    return Preset(
        name="rent_as",
        label="Rent from",
        records=_RENTED,
        fills={"price_per_gpu_hour": "price_per_gpu_hour", "commitment": "commitment"},
        secondary=("commitment",),
        group=RENT,
        none="Custom (enter values below) or the device's",
    )


def _age_text(fact: facts.Fact) -> str:
    return units.counted(ages.age(_day(fact)), "day") + (", old" if ages.is_old(fact) else "")


def _even_text(share: float) -> str:
    if share > 1:
        return "never owned"
    return f"owned from {units.text(share, 'share')}" if share > 0 else "always owned"


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each dated price, the newest first: of a rent where the two are even, of a server what an owned hour costs."""
    own, besides = values["own_per_gpu_hour"], values["beside_the_rent"]
    for record in _RENTED:
        fact = record.fields["price_per_gpu_hour"]
        share = break_even_utilization(own, fact.value, record.value("commitment") or 0, besides)
        yield record.name, fact.text, _day(fact).isoformat(), _age_text(fact), _even_text(share)
    each_dollar = yearly_cost_of_a_dollar(values) / (YEAR / HOUR)
    for fact in sorted(_SERVERS.values(), key=_day, reverse=True):
        hour = units.text(own + (fact.value - values["server_price_per_gpu"]) * each_dollar, "USD/GPU-hour")
        yield fact.name, fact.text, _day(fact).isoformat(), _age_text(fact), f"owned {hour}"


PRICES = Table(
    name="prices",
    title="Dated prices, and what each makes of it",
    about=(
        f"“Old” is more than {ages.LIMITS['rent']:.0f} days. Rents are of an H100: the last column says from which "
        "use on owning costs less at that rent. Servers are H100s, for each GPU: the last column says what owning "
        "then costs."
    ),
    columns=("Whose price", "Price", "Of", "Age", "With the present inputs"),
    rows=rows,
)

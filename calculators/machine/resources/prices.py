"""Price of 10% more of a rate where a source gives one; nothing is guessed."""

from dataclasses import dataclass

from calculators.answers.prices import of_its_day
from calculators.declare import Preset
from calculators.facts import Record, ages, fact
from calculators.machine.kinds import Machine
from calculators.machine.resources.rates import MORE
from calculators.units import YEAR

_NONE = {
    "network": "no dated price of these switches and links is known: set it",
    "links": "scale-up links are not sold apart from the accelerator",
    "memory_bandwidth": "memory bandwidth is not sold apart from the accelerator",
    "storage_write": "no dated price of storage bandwidth is known: set the price of the storage system",
    "storage_read": "no dated price of storage bandwidth is known: set the price of the storage system",
    "failures": "time between failures has no price",
    "recovery": "faster recovery is software and has no price",
}


_OF_STORAGE = frozenset(("storage_write", "storage_read"))


@dataclass(frozen=True, kw_only=True)
class Price:
    """Dollars, and what they are for; nothing where no price is sourced, and then the words say so."""

    cost: float | None
    words: str


def of_ten_percent_more(found: Machine, rate: str) -> Price:
    """Cost of 10% more of a rate: compute at the run's own price, a fabric at its switches' and links'."""
    values, origins = found.values, found.resolved.origins
    if rate == "compute":
        price = "price_per_gpu_hour" if values["paid"] == "rent" else "server_price_per_gpu"
        if origins[price] not in {"preset", "yours"}:
            return Price(cost=None, words="no dated price of this accelerator is known: set one")
        return Price(cost=MORE * values[found.kind.measures[1].result], words="more, at the same price per FLOP")
    if rate == "network" and values["fabric_cost"] is not None:
        return Price(cost=MORE * values["fabric_cost"], words="more switches and links, bought")
    if rate in _OF_STORAGE and values["storage_cost"] is not None:
        return Price(cost=MORE * values["storage_cost"], words="more storage, at the same price per GB/s")
    return Price(cost=None, words=_NONE[rate])


# Not sold by a price that was found, so that no bill contains it.
_NOT_COUNTED = frozenset(("storage_node", "drive"))


_SURVEY = "survey"
_SURVEYED = fact("survey-h100.price_per_gpu_hour")
_SINGLE_SERVERS = ("marketplace", "community")
_OTHER_FORMS = frozenset(("pcie", "nvl"))  # rents are those of SXM modules


@dataclass(frozen=True, kw_only=True)
class Unpriced:
    """Unknown part of the price of a change, in words; `wholly`: then its money means nothing."""

    words: str
    wholly: bool


def of_record(found: Machine, menu: Preset, record: Record) -> Unpriced | None:
    """Unknown part of the price of another menu entry; None where the system counts it."""
    asked = ("price_per_gpu_hour",) if found.values["paid"] == "rent" else ("server_price_per_gpu",)
    asked = ("switch_price",) if "switch_price" in menu.fills else asked
    counted = [name for name in asked if name in menu.fills]
    if menu.name in _NOT_COUNTED:
        return Unpriced(words="its price is not included", wholly=False)
    missing = [name for name in counted if menu.fills[name] not in record.fields]
    rented_as = found.resolved.presets["rent_as"] and "price_per_gpu_hour" in counted and menu.name != "rent_as"
    if not counted or found.resolved.origins[counted[0]] == "yours":
        return None
    if missing or rented_as:
        return Unpriced(words="no dated price of it is known: set one", wholly=True)
    price = record.fields[menu.fills[counted[0]]]
    is_surveyed = price.price_class == _SURVEY
    if is_surveyed != (_present_class(found, counted[0]) == _SURVEY):  # a survey's prices are below those of lists
        other = f", {_SURVEYED.text} for an H100" if is_surveyed else ""
        words = f"{of_its_day(price)}: {price.text}{other}; not comparable with the present price"
        return Unpriced(words=words, wholly=True)
    return Unpriced(words=of_its_day(price), wholly=False) if ages.is_old(price) else None


def _present_class(found: Machine, name: str) -> str:
    """Kind of the present price, as its menu gives it: that of an offer before that of the accelerator."""
    filling = (one for one in found.calculator.presets if name in one.fills)
    for menu in sorted(filling, key=lambda one: one.name != "rent_as"):
        record = menu.by_key.get(found.resolved.presets[menu.name])
        if record is not None and menu.fills[name] in record.fields:
            return record.fields[menu.fills[name]].price_class
    return ""


def is_no_offer(found: Machine, record: Record) -> bool:
    """Whether a rent is none that this system could be rented at.

    An old price; a server of a marketplace, of which several have no network between them; a contract of a year, paid
    used or not, for a run that ends sooner.
    """
    rent = record.fields.get("price_per_gpu_hour")
    if rent is None or not record.key.startswith("rent-"):
        return False
    is_alone = any(word in record.key for word in _SINGLE_SERVERS)
    if ages.is_old(rent) or (is_alone and found.values["gpus"] > found.values["gpus_per_node"]):
        return True
    first = found.kind.measures[0].result
    is_run = found.calculator.steps[first].unit == "s"
    return is_run and bool(record.value("commitment")) and found.values[first] < YEAR


def is_of_another(found: Machine, record: Record) -> bool:
    """Whether a rent is that of another accelerator: rents are named by what they are for, as rent-h100-aws."""
    kind, _, rest = record.key.partition("-")
    rented, _, form = found.resolved.presets["accelerator"].partition("-")
    return kind == "rent" and (rest.partition("-")[0] != rented or form.partition("-")[0] in _OTHER_FORMS)

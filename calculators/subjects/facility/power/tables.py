"""Where the field disagrees: what each way of counting watts, energy and water makes of the present hall."""

from collections.abc import Iterator, Mapping
from math import sqrt
from typing import Any

from calculators import facts, units
from calculators.declare.tables import Table
from calculators.units import HOUR

_EXCURSION = float(facts.fact("gpu-power-excursion").value)
_PUE_OF_FLEETS, _PUE_OF_SITES = float(facts.fact("pue-hyperscale").value), float(facts.fact("pue-average").value)
_TRAYS, _BUDGET = facts.fact("nvl72-power").text, facts.fact("gb300-nvl72-planned").text
_MAXIMUM, _HALF_OF_SHELVES = facts.fact("gb300-nvl72-rack.power").text, facts.fact("nvl72-power-shelves").text


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each convention, who uses it, and what it makes of these values."""
    average = units.text(values["compute_power"] * values["average_share"], "W")
    yield (
        "A server is its GPUs and 30%",
        "Calculators on the web",
        f"{{shortcut_power}}. Rated {{compute_power}}, average {average}: two errors cancel on bills, not at breakers",
    )
    yield (
        "A server is its rating",
        "NVIDIA's planning figures, electrical codes; this page for sizing",
        "{compute_power} for servers, {it_power} with what supports them",
    )
    peak = units.text(values["gpus_power"] * _EXCURSION, "W")
    yield (
        "Thermal design power, or the peak of milliseconds (EDPp)",
        "Datasheets and cooling; makers of power supplies",
        f"{{gpus_power}} for the GPUs, or {peak} for milliseconds, by a factor that is repeated and not measured",
    )
    alone = values["gpu_hours"] * HOUR * values["gpu_power"]
    server = values["gpu_hours"] * HOUR * values["server_power"] * values["pue"]
    yield (
        "Energy is GPU-hours times the GPU's rating",
        "Llama's and BLOOM's cards; training time, unless servers are given",
        f"{units.text(alone, 'J')} for {{gpu_hours}}",
    )
    yield (
        "Energy is the server's rating times PUE",
        "Epoch AI's training power; training time with servers",
        f"{units.text(server, 'J')}",
    )
    yield (
        "Energy is what meters show",
        "Patterson 2021, Morrison 2025; this page, by its average share",
        "{run_energy} at {average_share} of the rating, all IT and the site",
    )
    for name, who, pue in (
        ("PUE of a hyperscaler's fleet", "Google, Meta, AWS, Microsoft, each by its own count", _PUE_OF_FLEETS),
        ("PUE of the average site", "Uptime Institute's survey", _PUE_OF_SITES),
    ):
        yield (
            name,
            who,
            f"{pue:g}: {units.text(values['it_power'] * pue, 'W')} for the facility, compared with {{facility_power}}",
        )
    yield (
        "A PUE below 1.1 by liquid",
        "Vendors of liquid cooling",
        "Fans leave IT, so IT falls and the ratio may not: compare energy, {yearly_energy} a year here",
    )
    apparent = values["volts"] * values["amperes"] * sqrt(3) * values["breaker_share"]
    yield (
        "kVA or kW",
        "Breakers and UPS are sold in kVA, servers draw kW",
        f"{units.text_in(apparent, 'kVA')} of a circuit are {{circuit_power}} at a power factor of {{power_factor}}",
    )
    yield (
        "Water on site only",
        "WUE as ISO/IEC 30134-9 defines it, by the energy of IT",
        "{water} a year; making the electricity takes more, which no WUE of this kind counts",
    )
    yield (
        "Emissions by where electricity is taken, or by contract",
        "Location-based and market-based reports",
        "{yearly_emissions} a year by location; with contracts for all of it a report may print none",
    )
    yield (
        "120, 132, 135 or 142 kW for an NVL72",
        "Texts that mean different things",
        (
            f"{_TRAYS} is the GB200's trays, {_BUDGET} the GB300's budget, {_MAXIMUM} the GB300's maximum, "
            f"{_HALF_OF_SHELVES} what half of the shelves supply"
        ),
    )


CONVENTIONS = Table(
    name="conventions",
    title="Where the field disagrees",
    about="What each way of counting makes of the present numbers.",
    columns=("Way of counting", "Who uses it", "What it makes of this hall"),
    rows=rows,
)

"""The bill of materials: what has to be bought, built and supplied for a machine, counted by its calculators."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from calculators.machine.kinds import Machine


@dataclass(frozen=True, kw_only=True)
class Line:
    """What it is for, and the results that count it."""

    title: str
    results: tuple[str, ...]


LINES = (
    Line(title="Servers", results=("gpu_nodes", "racks")),
    Line(title="Compute fabric", results=("switches", "leaves", "spines", "cores", "cables", "transceivers")),
    Line(title="All three fabrics", results=("all_switches", "all_cables")),
    Line(title="Storage system", results=("storage_nodes", "drives", "storage_ports", "hot_raw")),
    Line(title="Racks for network, storage and management", results=("support_racks",)),
    Line(title="Power supply", results=("facility_power", "it_power", "modules_installed")),
    Line(title="Cooling", results=("liquid_flow", "air_flow", "water")),
    Line(title="Purchase prices", results=("servers_price", "fabric_cost")),
)


def bill(found: Machine) -> Iterator[dict[str, Any]]:
    """Every line, its counts as finished texts; what has no dated price says so."""
    calculator, values = found.calculator, found.values
    for line in LINES:
        yield {
            "title": line.title,
            "counts": [
                {
                    "name": name,
                    "label": calculator.declared(name).label,
                    "value": values[name],
                    "text": calculator.text(name, values[name]),
                }
                for name in line.results
            ],
        }

"""The bill: what has to be bought, built and supplied for a system, counted by its calculators, and what it costs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from calculators.answers import prices
from calculators.declare import Calculator
from calculators.machine.kinds import Machine


@dataclass(frozen=True, kw_only=True)
class Line:
    """Line of the bill: its title and the results that count it; of money the ages of prices too."""

    title: str
    results: tuple[str, ...]
    is_money: bool = False


LINES = (
    Line(title="Servers", results=("gpu_nodes", "racks")),
    Line(title="Compute fabric", results=("switches", "leaves", "spines", "cores", "cables", "transceivers")),
    Line(title="All three fabrics", results=("all_switches", "all_cables")),
    Line(title="Storage system", results=("storage_nodes", "drives", "storage_ports", "hot_raw")),
    Line(title="Search nodes", results=("search_nodes", "index_memory", "index_kept")),
    Line(title="Racks for network, storage and management", results=("support_racks",)),
    Line(title="Power supply", results=("facility_power", "it_power", "modules_installed")),
    Line(title="Cooling", results=("liquid_flow", "air_flow", "water")),
    Line(title="Purchase prices", results=("servers_price", "fabric_cost", "storage_price"), is_money=True),
)


@dataclass(frozen=True, kw_only=True)
class Price:
    """A priced item: the values of its quantity and unit price, where it has them, and of its amount."""

    title: str
    quantity: str = ""
    unit_price: str = ""
    amount: str
    is_total: bool = False


PURCHASE = (
    Price(title="Servers", quantity="gpus", unit_price="server_price_per_gpu", amount="servers_price"),
    Price(title="Network", quantity="switches", amount="fabric_price"),
    Price(title="Storage system", quantity="storage_nodes", unit_price="storage_cost", amount="storage_price"),
    Price(title="Facility construction", quantity="it_power", unit_price="facility_per_kw", amount="site_price"),
    Price(title="Purchase in total", amount="capital", is_total=True),
)
OWNED = (
    Price(title="Purchase, as annuity", unit_price="capital_rate", amount="capital_cost"),
    Price(title="Colocation", quantity="it_power", unit_price="colocation_per_kw_month", amount="colocation_cost"),
    Price(title="Energy", unit_price="price_per_kwh", amount="energy_cost"),
    Price(title="Operations", unit_price="operations", amount="operations_cost"),
    Price(title="Owned, per year", amount="own_per_year", is_total=True),
)
RENTED = (
    Price(
        title="Rented, per year",
        quantity="gpus",
        unit_price="price_per_gpu_hour",
        amount="rent_per_year",
        is_total=True,
    ),
)
SEARCH = (
    Price(
        title="Search nodes, per month",
        quantity="search_nodes",
        unit_price="search_node_price",
        amount="search_cost_per_month",
    ),
    Price(title="Object storage, per month", unit_price="object_price", amount="object_cost_per_month"),
    Price(title="Whole service, per year, with GPUs as paid", amount="yearly_price", is_total=True),
)
RUN = (
    Price(title="GPU-hours, rented", quantity="rl_gpu_hours", unit_price="price_per_gpu_hour", amount="rl_cost"),
    Price(title="GPU-hours, owned", quantity="rl_gpu_hours", unit_price="own_per_used_hour", amount="run_owned"),
    Price(title="Sandboxes", quantity="sandbox_cores", unit_price="price_per_core_hour", amount="sandbox_cost"),
    Price(title="Run, with GPUs as paid", amount="rl_run_price", is_total=True),
)
PRICES = {
    "Purchase": PURCHASE,
    "Per year, owned": OWNED,
    "Per year, rented": RENTED,
    "Retrieval": SEARCH,
    "Post-training run": RUN,
}


def prices_of(calculator: Calculator) -> dict[str, tuple[Price, ...]]:
    """Priced items of a system by part: those parts that it has."""
    return {part: items for part, items in PRICES.items() if all(one.amount in calculator.steps for one in items)}


def priced(found: Machine) -> Iterator[dict[str, Any]]:
    """Every priced item: its quantity, unit price and amount as finished texts, and the amount [USD]."""
    calculator, values = found.calculator, found.values

    def text(name: str) -> str:
        return calculator.text(name, values[name]) if name else ""

    for part, items in prices_of(calculator).items():
        for item in items:
            yield {
                "part": part,
                "title": item.title,
                "quantity": text(item.quantity),
                "unit_price": text(item.unit_price),
                "amount": values[item.amount],
                "amount_text": text(item.amount),
                "is_total": item.is_total,
            }


def bill(found: Machine) -> Iterator[dict[str, Any]]:
    """Lines of the bill with formatted quantities; a purchase price that is out of date has its age."""
    calculator, values = found.calculator, found.values
    for line in LINES:
        if not all(name in calculator.steps for name in line.results):
            continue  # of another workload
        yield {
            "title": line.title,
            "note": aged(found, line.results) if line.is_money else "",
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


def aged(found: Machine, results: Sequence[str] | None = None) -> str:
    """Old prices behind these results (by default those of the last line), with their ages."""
    wanted = results or LINES[-1].results
    return prices.behind(found.calculator, found.resolved, found.values, wanted)

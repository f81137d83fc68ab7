"""Power and racks of search nodes in the data hall of a RAG system, unless they are rented elsewhere."""

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, Literal

from calculators import facts
from calculators.declare import choice, formulas_of, quantity, step
from calculators.subjects.facility.power import rack
from calculators.subjects.retrieval.retrieval.inputs.nodes import NODE
from calculators.subjects.retrieval.retrieval.kinds import IndexKind

Hosting = Literal["hall", "elsewhere"]


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Where search nodes run, and what one takes there."""

    search_hosting: Hosting = choice(
        "hall",
        "Search nodes run",
        {"hall": "in this data hall", "elsewhere": "elsewhere, as instances of a cloud"},
        help="In the hall they take its power, cooling and racks; their price is that of a search node either way.",
        group=NODE,
    )
    search_node_power: float = quantity(
        facts.fact("search-node-power"),
        "W",
        "Rated power per search node",
        hard=(1, 20_000),
        slider=(100, 2000),
        help="Of a server that searches on processors. GPUs that search take their part of a GPU server.",
        group=NODE,
    )
    search_node_units: float = quantity(
        1,
        "rack unit",
        "Height of a search node",
        hard=(1, 60),
        slider=(1, 4),
        whole=True,
        group=NODE,
    )


def declared() -> dict[str, Any]:
    """These inputs, by their names."""
    return {
        field.name: dataclasses.replace(field.metadata["declared"], name=field.name)
        for field in dataclasses.fields(Inputs)
    }


@step("node", "Search servers in the hall")
def search_servers(search_hosting: Hosting, search_nodes: float, index_kind: IndexKind, node_gpus: float) -> float:
    """Servers of the hall that search [node]: search nodes, or GPU servers where GPUs search.

    >>> search_servers("hall", 12, "hnsw", 8), search_servers("hall", 12, "cagra", 8)
    (12, 2)
    >>> search_servers("elsewhere", 12, "hnsw", 8)
    0
    """
    if search_hosting == "elsewhere":
        return 0
    return math.ceil(search_nodes / node_gpus) if index_kind == "cagra" else search_nodes


@step("W", "Power of search servers")
def search_power(search_servers: float, index_kind: IndexKind, search_node_power: float, node_power: float) -> float:
    """Rated power of all servers that search [W].

    >>> search_power(12, "hnsw", 400, 10200), search_power(2, "cagra", 400, 10200)
    (4800, 20400)
    """
    return search_servers * (node_power if index_kind == "cagra" else search_node_power)


@step("rack", "Racks of search servers")
def search_racks(
    search_servers: float,
    index_kind: IndexKind,
    search_node_power: float,
    search_node_units: float,
    rack_limit: float,
    rack_units: float,
    nodes_per_rack: float,
    racks_per_node: float,
) -> float:
    """Racks of the servers that search [rack], by power and height; GPU servers as the others.

    >>> search_racks(12, "hnsw", 400, 1, 17e3, 42, 1, 1), search_racks(100, "hnsw", 400, 1, 17e3, 42, 1, 1)
    (1, 3)
    >>> search_racks(2, "cagra", 400, 1, 17e3, 42, 1, 1), search_racks(0, "hnsw", 400, 1, 17e3, 42, 1, 1)
    (2, 0)
    """
    if index_kind == "cagra":
        return rack.racks.function(search_servers, nodes_per_rack, racks_per_node, 0)
    each = min(rack_limit // search_node_power, rack_units // search_node_units)
    feeds = max(1, math.ceil(search_node_power / rack_limit))
    return math.ceil(search_servers / each) if each >= 1 else search_servers * feeds


FORMULAS = formulas_of(globals())

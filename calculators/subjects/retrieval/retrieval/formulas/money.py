"""Money: search nodes, retrieved tokens, embedding, and object storage."""

from calculators.declare import formulas_of, step
from calculators.subjects.retrieval.retrieval.kinds import IndexKind
from calculators.units import HOUR, MILLION, MONTH


@step("USD/h", "Price of a node that searches")
def searching_price(index_kind: IndexKind, search_node_price: float, price_per_gpu_hour: float) -> float:
    """Price of one node, for CAGRA of one GPU [USD/s].

    >>> searching_price("hnsw", 1.4, 3), round(searching_price("cagra", 1.4, 3) * 3600, 9)
    (1.4, 3.0)
    """
    return price_per_gpu_hour / HOUR if index_kind == "cagra" else search_node_price


@step("USD", "Search cost per month", rises_with=("search_node_price",))
def search_cost_per_month(search_nodes: float, searching_price: float) -> float:
    """Price of all search nodes for a month [USD].

    >>> round(search_cost_per_month(12, 1.418 / 3600))
    12430
    """
    return search_nodes * searching_price * MONTH


@step("USD", "Search cost per million queries", falls_with=("request_rate",))
def search_cost_per_million(search_nodes: float, searching_price: float, query_rate: float) -> float:
    """Price of a million searches at the present traffic [USD].

    >>> round(search_cost_per_million(12, 1.418 / 3600, 5), 1)
    945.3
    """
    return search_nodes * searching_price / query_rate * MILLION


@step("USD", "Per million queries, at capacity")
def search_cost_at_capacity(shards: float, searching_price: float, node_qps: float, target_utilization: float) -> float:
    """Price of a million searches on nodes at the target utilization [USD].

    >>> round(search_cost_at_capacity(6, 1.418 / 3600, 3592, 0.7), 2)
    0.94
    """
    return shards * searching_price / (node_qps * target_utilization) * MILLION


@step("USD", "Cost of retrieved tokens per month", rises_with=("price_per_gpu_hour",))
def prefill_cost_per_month(added_prefill_gpus: float, price_per_gpu_hour: float) -> float:
    """Price of the GPUs that prefill the retrieved tokens, for a month [USD].

    >>> round(prefill_cost_per_month(14.33, 3), -1)
    31400.0
    """
    return added_prefill_gpus * price_per_gpu_hour * MONTH / HOUR


@step("USD", "Object storage per month")
def object_cost_per_month(
    index_kind: IndexKind,
    index_kept: float,
    object_price: float,
    query_rate: float,
    cold_queries: float,
    probes: float,
    object_request_price: float,
) -> float:
    """Capacity and reads of an index in object storage, for a month [USD]; 0 for other kinds.

    >>> round(object_cost_per_month("object", 798.72e9, 23e-12 / 2629800, 5, 0.1, 64, 0.4), 2)
    52.03
    """
    if index_kind != "object":
        return 0
    reads = query_rate * MONTH * cold_queries * probes
    return index_kept * object_price * MONTH + reads * object_request_price / MILLION


@step("USD", "Cost of embedding the corpus")
def embed_cost(embed_gpu_hours: float, price_per_gpu_hour: float) -> float:
    """Price of embedding the corpus once [USD].

    >>> embed_cost(35, 3)
    105
    """
    return embed_gpu_hours * price_per_gpu_hour


@step("USD", "Cost of retrieval per month")
def retrieval_cost_per_month(
    search_cost_per_month: float,
    object_cost_per_month: float,
    prefill_cost_per_month: float,
    rerank_gpus: float,
    price_per_gpu_hour: float,
) -> float:
    """Search nodes, object storage, reranking and retrieved tokens, for a month [USD]."""
    reranking = rerank_gpus * price_per_gpu_hour * MONTH / HOUR
    return search_cost_per_month + object_cost_per_month + prefill_cost_per_month + reranking


@step("1", "Cost of tokens ÷ cost of search", not_applicable="search nodes have no price")
def tokens_over_search(
    prefill_cost_per_month: float, search_cost_per_month: float, object_cost_per_month: float
) -> float | None:
    """Cost of prefilling what is found, in costs of finding it; None if search costs nothing.

    >>> round(tokens_over_search(31_399, 12_430, 0), 1)
    2.5
    """
    search = search_cost_per_month + object_cost_per_month
    return prefill_cost_per_month / search if search else None


FORMULAS = formulas_of(globals())

"""A system that answers from documents (RAG): search nodes of a vector index, and the GPUs that serve the model."""

from functools import cache

from calculators.declare import AnyFormula, Calculator, computed, formulas_of, step
from calculators.machine import form, serving
from calculators.machine.form import Field, Paid
from calculators.machine.hall_and_storage import OF_HALL, OF_STORE, WEIGHT_LOADING
from calculators.machine.kinds import Capacity, Kind
from calculators.machine.resources import search_hall
from calculators.machine.workload import Workload
from calculators.subjects.serving.inference.verdicts import unserved
from calculators.units import MONTH, YEAR

PARTS = ("inference", "retrieval", *serving.PARTS[1:])


@step("USD", "Cost per year", rises_with=("search_cost_per_month", "object_cost_per_month"))
def yearly_price(
    paid: Paid,
    rent_per_year: float,
    own_per_year: float,
    storage_cost: float | None,
    book_years: float,
    search_cost_per_month: float,
    object_cost_per_month: float,
) -> float:
    """Cost of a year of GPUs, storage system, search nodes and object storage [USD]; search nodes are rented.

    >>> yearly_price("rent", 100.0, 90.0, None, 1.0, 10.0, 1.0), yearly_price("own", 100.0, 90.0, None, 1.0, 10.0, 1.0)
    (232.0, 222.0)
    """
    searching = (search_cost_per_month + object_cost_per_month) * YEAR / MONTH
    if paid == "own":
        return own_per_year + searching
    return rent_per_year + searching + (0 if storage_cost is None else storage_cost / (book_years / YEAR))


@step("s", "First token after a question, retrieval included", not_applicable="unbounded")
def first_token_time(retrieval_time: float, ttft: float | None) -> float | None:
    """Time until a user's first token [s]: embedding, search and reranking, then the prompt's prefill.

    Nothing where the replicas cannot keep up.

    >>> first_token_time(0.25, 0.5)
    0.75
    """
    return None if ttft is None else retrieval_time + ttft


@step("query/s", "Searches per second")
def query_rate(traffic_rate: float, retrievals_per_request: float) -> float:
    """Searches of all requests that arrive [query/s]: what users send, where they and not a rate are given.

    >>> query_rate(15, 2)
    30
    """
    return traffic_rate * retrievals_per_request


@step("query/s", "Searches that the nodes carry", rises_with=("copies_of_index",))
def query_capacity(copies_of_index: float, node_qps: float, target_utilization: float) -> float:
    """Searches per second of all copies of the index at their planned load.

    >>> query_capacity(3, 100.0, 0.5)
    150.0
    """
    return copies_of_index * node_qps * target_utilization


OWN: dict[str, AnyFormula] = {
    **serving.OWN,
    **{one.name: one for one in (*formulas_of(globals()), *search_hall.FORMULAS)},
}
FORM = (
    Field(title="Model", names=("model",)),
    Field(title="Documents", names=("documents", "tokens_per_document", "index_kind", "raw_data", "raw_tier")),
    Field(title="Workload", names=("request_rate", "top_k", "output_tokens")),
    Field(title="GPUs or a yearly budget", names=("gpus", "budget")),
    form.ACCELERATOR,
    form.NETWORK,
    Field(title="Storage", names=("load_window", "storage_capacity", "storage_cost")),
    Field(title=form.HALL.title, names=(*form.HALL.names, "search_hosting")),
    Field(title="Latency targets", names=("search_latency_target", "tpot_target", "ttft_target")),
    form.MONEY,
)
CAPACITIES = (
    *serving.OF_REPLICAS,
    Capacity(
        key="search",
        title="Vector search",
        asked="query_rate",
        there="query_capacity",
        calculator="retrieval",
    ),
    Capacity(
        key="search_latency",
        title="Search latency, p95",
        asked="search_latency_p95",
        there="search_latency_target",
        calculator="retrieval",
        judged="search_in_time",
    ),
    WEIGHT_LOADING,
    *OF_STORE,
    *OF_HALL,
    serving.YEARLY_BUDGET,
)
RAG = Kind(
    name="rag",
    form=FORM,
    job=frozenset(
        ("model", "shape", "requests", "targets", "data", "save", "corpus", "lookups", "answer", "embedding", "objects")
    ),
    rates=serving.RATES,
    capacities=CAPACITIES,
    measures=serving.SERVING.measures,
    states={
        **serving.SERVING.states,
        "traffic_carried": {
            "good": "Search carries the traffic",
            "tight": "Search nodes with little headroom",
            "bad": "Search nodes overloaded",
        },
        "search_in_time": {"good": "Search in time", "tight": "Search slightly late", "bad": "Search too slow"},
        "node_lost": {
            "good": "One search node may fail",
            "tight": "One search node down: overloaded",
            "bad": "One search node down: answers missing",
        },
    },
    gained=serving.SERVING.gained,
    grown=serving.SERVING.grown,
    best=serving.SERVING.best,
    excluded="ports of search nodes",
)


@cache
def rag_machine() -> Calculator:
    """The machine of a service that answers from documents."""
    return serving.of_replicas(
        "machine_rag",
        PARTS,
        {
            "input_tokens": computed("augmented_prompt", "with what is retrieved"),
            "other_power": computed("search_power", "of the servers that search"),
            "other_racks": computed("search_racks", "of the servers that search"),
        },
        OWN,
        further=search_hall.declared(),
        title="System planner: RAG",
        question="What does answering from these documents take: search nodes, GPUs, latency and cost?",
        answer=(
            "Answering {traffic_rate} from {documents} takes **{search_nodes}** for search and **{serving_gpus}**, and "
            "costs **{yearly_shown}** {money_per}; the first token comes after {first_token_time}, of which retrieval "
            "takes {retrieval_time}. The facility needs {facility_power}."
        ),
        unanswered=unserved,
        headline=(
            *("serving_gpus", "yearly_price", "facility_power", "search_nodes", "first_token_time", "user_tpot"),
            *("search_latency_p95", "augmented_prompt", "cost_per_million_output"),
        ),
        first_sliders=("documents", "request_rate"),
    )


ANSWERING = Workload(kind=RAG, parts=PARTS, calculator=rag_machine)

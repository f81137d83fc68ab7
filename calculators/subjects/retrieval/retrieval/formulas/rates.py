"""Queries that a node answers, the replicas that traffic needs, and the nodes that each limit requires."""

from calculators import facts
from calculators.declare import formulas_of, step, variant
from calculators.subjects.retrieval.retrieval.formulas.latency import round_time, search_service
from calculators.subjects.retrieval.retrieval.formulas.rounding import whole_up
from calculators.subjects.retrieval.retrieval.kinds import IndexKind

_REACHED = float(facts.fact("scan-bandwidth-reached").value)
_GATHERED = float(facts.fact("gpu-gather-reached").value)
_LEAST, _MOST = (float(facts.fact(f"retrieval-bands.queries_{end}").value) for end in ("least", "most"))
_FLIGHTS = float(facts.fact("flights-per-core").value)


@step("query", "Typical searches in flight")
def typical_queries_in_flight(search_node_cores: float) -> float:
    """Searches in flight per node with four per processor.

    >>> typical_queries_in_flight(16)
    64.0
    """
    return search_node_cores * _FLIGHTS


@step("query/s", "Queries/s by processors", not_applicable="GPUs search")
def cpu_qps(index_kind: IndexKind, search_node_cores: float, query_cpu: float) -> float | None:
    """Queries per second that the processors of one node compute; None if GPUs search.

    >>> cpu_qps("hnsw", 16, 4e-3)
    4000.0
    """
    return None if index_kind == "cagra" else search_node_cores / query_cpu


@step("query/s", "Queries/s by memory bandwidth")
def memory_qps(
    index_kind: IndexKind,
    distances: float,
    distance_bytes: float,
    search_node_memory_bandwidth: float,
    memory_bandwidth: float,
) -> float:
    """Queries per second for which the memory of one node, or of one GPU, delivers vectors or codes.

    >>> round(memory_qps("flat", 20e6, 4096, 300e9, 3.35e12), 3)
    2.197
    """
    bandwidth = memory_bandwidth * _GATHERED if index_kind == "cagra" else search_node_memory_bandwidth * _REACHED
    return bandwidth / (distances * distance_bytes)


@step("query/s", "Queries/s by drive reads", not_applicable="no reads: in memory")
def drive_qps(node_reads: float, reads_per_query: float) -> float | None:
    """Queries per second for which the drives of one node serve the reads; None if a query reads nothing.

    >>> drive_qps(1_800_000, 90), drive_qps(1_800_000, 0)
    (20000.0, None)
    """
    return node_reads / reads_per_query if reads_per_query else None


@step("query/s", "Queries/s by hardware")
def resource_qps(cpu_qps: float | None, memory_qps: float, drive_qps: float | None) -> float:
    """Queries per second by processors, memory bandwidth and drives: the lowest of those that apply."""
    return min(limit for limit in (cpu_qps, memory_qps, drive_qps) if limit is not None)


@step("share", "Drive load at the target")
def planned_drive_load(target_utilization: float, resource_qps: float, drive_qps: float | None) -> float:
    """Load of the drives when a node answers its share of queries at the target utilization.

    >>> planned_drive_load(0.7, 100, 200), planned_drive_load(0.7, 100, None)
    (0.35, 0)
    """
    return 0 if drive_qps is None else target_utilization * resource_qps / drive_qps


planned_service = variant(
    search_service,
    {"drive_load": "planned_drive_load"},
    name="planned_service",
    label="Search service at the target",
    through=(round_time,),
)


@step("query/s", "Queries/s by searches in flight", not_applicable="no reads: in memory")
def in_flight_qps(queries_in_flight: float, planned_service: float, reads_per_query: float) -> float | None:
    """Queries per second with so many searches in flight, by Little's law; None if no search waits for reads.

    Eight threads at 5.166 ms each: big-ann-benchmarks measured 1,534 queries per second.

    >>> round(in_flight_qps(8, 5.166e-3, 64))
    1549
    """
    return queries_in_flight / planned_service if reads_per_query else None


@step("query/s", "Queries/s per node", source="vectordbbench-results")
def node_qps(resource_qps: float, in_flight_qps: float | None) -> float:
    """Queries per second that one node answers: hardware, or the searches that it keeps in flight."""
    return resource_qps if in_flight_qps is None else min(resource_qps, in_flight_qps)


@step("query/s", "Queries/s per node, at least")
def node_qps_at_least(node_qps: float) -> float:
    """Queries per second of one node at the low end of published runs, half of the estimate."""
    return node_qps * _LEAST


@step("query/s", "Queries/s per node, at most")
def node_qps_at_most(node_qps: float) -> float:
    """Queries per second of one node at the high end of published runs, twice the estimate."""
    return node_qps * _MOST


@step("query/s", "Searches per second", rises_with=("request_rate", "retrievals_per_request"))
def query_rate(request_rate: float, retrievals_per_request: float) -> float:
    """Searches per second of all requests.

    >>> query_rate(5, 2)
    10
    """
    return request_rate * retrievals_per_request


@step("replica", "Copies for traffic")
def copies_for_traffic(query_rate: float, node_qps: float, target_utilization: float) -> float:
    """Copies of the index that the traffic needs: a copy carries what one of its nodes carries.

    >>> copies_for_traffic(10_000, 3592, 0.7)
    4
    """
    return whole_up(query_rate / (node_qps * target_utilization))


@step("replica", "Copies needed", rises_with=("index_copies",))
def needed_copies(index_copies: float, copies_for_traffic: float) -> float:
    """Copies for traffic, and at least those that survive failures; one million at most."""
    return min(1e6, max(index_copies, copies_for_traffic))


@step("node", "Search nodes", rises_with=("copies_of_index",))
def search_nodes(shards: float, copies_of_index: float) -> float:
    """Nodes of all copies; for CAGRA GPUs.

    >>> search_nodes(6, 2)
    12
    """
    return shards * copies_of_index


@step("share", "Load of a search node", rises_with=("request_rate",), falls_with=("copies_of_index",))
def search_load(query_rate: float, copies_of_index: float, node_qps: float) -> float:
    """Share of its queries per second that a node answers; every node of a copy answers every query of the copy.

    >>> search_load(1000, 2, 1000)
    0.5
    """
    return query_rate / copies_of_index / node_qps


@step("node", "Nodes for memory", rises_with=("index_copies",))
def nodes_for_memory(shards_for_memory: float, index_copies: float) -> float:
    """Nodes whose memory holds the required copies."""
    return shards_for_memory * index_copies


@step("node", "Nodes for drive capacity", rises_with=("index_copies",))
def nodes_for_capacity(shards_for_drives: float, index_copies: float) -> float:
    """Nodes whose drives hold the required copies."""
    return shards_for_drives * index_copies


@step("node", "Nodes for processors")
def nodes_for_processors(
    shards: float, query_rate: float, cpu_qps: float | None, memory_qps: float, target_utilization: float
) -> float:
    """Nodes whose processors, or GPUs, and memory bandwidth carry the traffic.

    >>> nodes_for_processors(6, 10_000, 3592, 39_000, 0.7), nodes_for_processors(6, 10, None, 39_000, 0.7)
    (24, 6)
    """
    rate = memory_qps if cpu_qps is None else min(cpu_qps, memory_qps)
    return shards * whole_up(query_rate / (rate * target_utilization))


@step("node", "Nodes for drive reads")
def nodes_for_reads(
    shards: float, query_rate: float, drive_qps: float | None, in_flight_qps: float | None, target_utilization: float
) -> float:
    """Nodes whose drives, and searches in flight, carry the traffic; 0 if no search reads a drive.

    >>> nodes_for_reads(1, 10_000, 20_000, 4_000, 0.7), nodes_for_reads(1, 10_000, None, None, 0.7)
    (4, 0)
    """
    limits = [limit for limit in (drive_qps, in_flight_qps) if limit is not None]
    return shards * whole_up(query_rate / (min(limits) * target_utilization)) if limits else 0


@step("node", "Nodes for copies", rises_with=("index_copies",))
def nodes_for_copies(index_copies: float) -> float:
    """Nodes that hold the required copies if one node holds a copy."""
    return index_copies


FORMULAS = formulas_of(globals())

"""Time of a search: rounds of drive reads, processor time, waiting, and the slowest shard."""

from math import ceil

from calculators import facts
from calculators.declare import formulas_of, step
from calculators.subjects.retrieval.retrieval.formulas.queueing import slowest, wait_share
from calculators.subjects.retrieval.retrieval.kinds import IndexKind, kind_of

_REACHED = float(facts.fact("scan-bandwidth-reached").value)
_GPU_SEARCH = float(facts.fact("gpu-search-time").value)
_MEDIAN, _P95 = 0.5, 0.95


@step("1", "Rounds of drive reads", source="diskann-ssd-index", falls_with=("beam",))
def rounds(reads_per_query: float, segments: float, beam: float) -> float:
    """Round trips to the drives, one after the other; segments are searched at the same time, a beam at once.

    >>> rounds(90, 1, 4), rounds(0, 1, 4)
    (22.5, 0)
    """
    return max(1, reads_per_query / segments / beam) if reads_per_query else 0


@step("share", "Load of a node's drives", rises_with=("request_rate",))
def drive_load(query_rate: float, copies_of_index: float, reads_per_query: float, node_reads: float) -> float:
    """Share of the reads that a node's drives serve which the traffic uses.

    >>> drive_load(1000, 2, 90, 1.8e6)
    0.025
    """
    return query_rate / copies_of_index * reads_per_query / node_reads


@step("s", "Time of a round", source="big-ann-benchmarks", rises_with=("drive_read_latency",))
def round_time(
    drive_read_latency: float, beam: float, beam_spread: float, drive_load: float, node_reads: float
) -> float:
    """Time of one round [s]: the slowest of `beam` reads, on drives that other searches use as well.

    The reads that drives serve at once are their rate times the latency of a read.

    >>> round(round_time(80e-6, 4, 0.2, 0, 2.1e6) * 1e6, 1)
    105.6
    """
    slots = max(1, node_reads * drive_read_latency)
    return drive_read_latency * float(beam**beam_spread + wait_share(drive_load, slots, 1))


@step("s", "Computing per search and node")
def processor_time(
    index_kind: IndexKind,
    query_cpu: float,
    query_overhead: float,
    segments: float,
    search_node_cores: float,
    distances: float,
    vector_size: float,
    search_node_memory_bandwidth: float,
) -> float:
    """Time that a search computes in one node [s], without reads and waiting.

    A graph is searched by one processor, segments by several; scans are divided over all, as far as memory delivers.
    A search on a GPU takes an assumed millisecond.

    >>> round(processor_time("hnsw", 4.454e-3, 2.4e-3, 1, 16, 1120, 4096, 300e9) * 1e3, 3)
    4.454
    """
    work = query_cpu - query_overhead
    if index_kind == "cagra":
        return query_overhead + _GPU_SEARCH
    if kind_of(index_kind).graph:
        return query_overhead + work * ceil(segments / search_node_cores) / segments
    if index_kind == "flat":
        delivered = distances * vector_size / (search_node_memory_bandwidth * _REACHED)
        return query_overhead + max(work / search_node_cores, delivered)
    return query_overhead + work / search_node_cores


@step("s", "Service time of a search")
def search_service(processor_time: float, rounds: float, round_time: float) -> float:
    """Time of one search in one node without waiting for a processor [s].

    >>> search_service(5e-3, 20, 1e-4)
    0.007
    """
    return processor_time + rounds * round_time


@step("s", "Mean time of a search in one node")
def mean_search_time(
    search_service: float, processor_time: float, search_load: float, search_node_cores: float, latency_spread: float
) -> float:
    """Time of one search in one node [s], with the wait for a processor.

    >>> round(mean_search_time(5e-3, 5e-3, 0.5, 1, 1), 9)
    0.01
    """
    return search_service + processor_time * wait_share(search_load, search_node_cores, latency_spread)


@step("s", "Search latency", rises_with=("drive_read_latency",))
def search_latency(mean_search_time: float, shards: float, latency_spread: float) -> float:
    """Time of one search [s]: with several shards the median of the slowest, with one the mean.

    >>> search_latency(5e-3, 1, 0.3), round(search_latency(5e-3, 6, 0.3) * 1e3, 2)
    (0.005, 6.92)
    """
    return mean_search_time * (slowest(_MEDIAN, shards, latency_spread) if shards > 1 else 1)


@step("s", "Cold search latency", source="turbopuffer-docs", not_applicable="only in object storage")
def cold_latency(
    index_kind: IndexKind,
    object_rounds: float,
    object_read_latency: float,
    probes: float,
    index_read_size: float | None,
    object_bandwidth: float,
    processor_time: float,
) -> float | None:
    """Time of a search that finds nothing cached [s]; a lower bound, None if the index is not in object storage.

    turbopuffer measured 343 ms with three rounds of about 100 ms.

    >>> round(cold_latency("object", 3, 0.1, 1, 0, 1e9, 0), 3)
    0.3
    """
    if index_kind != "object":
        return None
    return object_rounds * object_read_latency + probes * (index_read_size or 0) / object_bandwidth + processor_time


@step("s", "Search latency, p95", rises_with=("drive_read_latency",))
def search_latency_p95(
    mean_search_time: float, shards: float, latency_spread: float, cold_latency: float | None, cold_queries: float
) -> float:
    """Time within which 95% of searches end [s], all shards included.

    Where more than 5% of searches find nothing cached in object storage, p95 is one of those.

    >>> round(search_latency_p95(5e-3, 1, 0.3, None, 0.1) * 1e3, 2), search_latency_p95(5e-3, 1, 0.3, 0.3, 0.1)
    (7.83, 0.3)
    """
    cached = mean_search_time * slowest(_P95, shards, latency_spread)
    return max(cached, cold_latency) if cold_latency is not None and cold_queries > 1 - _P95 else cached


FORMULAS = formulas_of(globals())

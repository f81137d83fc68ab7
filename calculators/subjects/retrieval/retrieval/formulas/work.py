"""Work of one query in one node of a copy: distances, processor time, and reads of the drives."""

from math import ceil

from calculators.declare import formulas_of, step
from calculators.subjects.retrieval.retrieval.formulas.size import SECTOR
from calculators.subjects.retrieval.retrieval.kinds import IndexKind, kind_of


def searches_codes(index_kind: IndexKind, code_bytes: float) -> bool:
    """Whether distances are taken to codes instead of full vectors."""
    kind = kind_of(index_kind)
    return code_bytes > 0 and (kind.scans or (kind.graph and kind.reads))


@step("1", "Entries visited per node", rises_with=("search_list", "segments", "probes"))
def steps(
    index_kind: IndexKind,
    search_list: float,
    segments: float,
    vectors: float,
    shards: float,
    probes: float,
    lists: float,
) -> float:
    """Nodes of the graph that a query expands in one node, or vectors and codes that it scans there.

    >>> steps("hnsw", 100, 20, 1e6, 1, 64, 65536), steps("flat", 100, 1, 120e6, 6, 64, 65536)
    (2000, 20000000.0)
    """
    kind = kind_of(index_kind)
    if kind.graph:
        return search_list * segments
    return vectors / shards * (probes / lists if kind.scans else 1)


@step("1", "Distances per query and node", source=("lucene-14191", "big-ann-benchmarks"), rises_with=("fresh_share",))
def distances(index_kind: IndexKind, steps: float, graph_degree: float, fresh_share: float) -> float:
    """Distances that a query computes in one node.

    Lucene counted 3,294 for a list of 150 and 64 neighbors.

    >>> round(distances("hnsw", 150, 64, 0.35), 6)
    3360.0
    """
    return steps * graph_degree * fresh_share if kind_of(index_kind).graph else steps


@step("B", "Bytes per distance")
def distance_bytes(index_kind: IndexKind, vector_size: float, code_bytes: float) -> float:
    """Bytes read from memory for one distance [B]: a code or a full vector.

    >>> distance_bytes("diskann", 4096, 128), distance_bytes("hnsw", 4096, 128)
    (128, 4096)
    """
    return code_bytes if searches_codes(index_kind, code_bytes) else vector_size


@step("s", "Time per distance")
def distance_time(
    index_kind: IndexKind,
    distance_bytes: float,
    code_bytes: float,
    distance_latency: float,
    core_bandwidth: float,
    code_rate: float,
) -> float:
    """Time of one distance on one core [s]: full vectors stream from memory, codes need table look-ups.

    >>> round(distance_time("hnsw", 4096, 128, 0.2e-6, 9e9, 0.6e9) * 1e9, 1)
    655.1
    """
    rate = code_rate if searches_codes(index_kind, code_bytes) else core_bandwidth
    return (distance_latency if kind_of(index_kind).graph else 0) + distance_bytes / rate


@step("s", "Processor time per query and node", source="vectordbbench-results", rises_with=("engine_factor",))
def query_cpu(
    index_kind: IndexKind, distances: float, distance_time: float, engine_factor: float, query_overhead: float
) -> float:
    """Core time that a query takes in one node [s]: a graph search costs a database a factor, scans none.

    Linear in the search list, as published lines of every engine are within 1 to 6%.

    >>> round(query_cpu("hnsw", 1120, 655.1e-9, 2.8, 2.4e-3) * 1e3, 3)
    4.454
    """
    return query_overhead + distances * distance_time * (engine_factor if kind_of(index_kind).graph else 1)


@step("1", "Records needed from drives", source=("diskann-ssd-index", "diskann-issue-537"))
def records_needed(
    index_kind: IndexKind,
    steps: float,
    distances: float,
    reads_per_entry: float,
    rescored: float,
    code_bytes: float,
    probes: float,
    shards: float,
) -> float:
    """Records that a query needs in one node from the drives or their cache; 0 for an index in memory.

    DiskANN reads a record per entry of its list; HNSW on disk the candidates that it rescores, or without codes one
    vector per distance; an object index one list per read.

    >>> records_needed("diskann", 100, 2240, 0.9, 100, 128, 64, 1)
    90.0
    """
    kind = kind_of(index_kind)
    if kind.records:
        return steps * reads_per_entry
    if kind.scans and kind.reads:
        return probes / shards
    if kind.reads:
        return rescored if code_bytes else distances
    return 0


@step("1", "Drive reads per query and node", falls_with=("cached_vectors",))
def reads_per_query(index_kind: IndexKind, records_needed: float, cached_vectors: float) -> float:
    """Random reads of the drives for one query in one node; cached records need none.

    >>> round(reads_per_query("diskann", 20 * 0.9, 0.1), 2), reads_per_query("object", 64, 0.5)
    (16.2, 64)
    """
    return records_needed if index_kind == "object" else records_needed * (1 - cached_vectors)


@step("B", "Size of a drive read", not_applicable="no reads: in memory")
def index_read_size(
    index_kind: IndexKind, packed_record: float, code_bytes: float, vectors: float, lists: float
) -> float | None:
    """Bytes of one read in whole sectors [B]: a record, or one list of codes; None if a search reads no drive.

    >>> index_read_size("diskann", 8192, 128, 1e9, 1), index_read_size("object", 4096, 128, 120e6, 65536)
    (8192.0, 237568.0)
    """
    kind = kind_of(index_kind)
    if not kind.reads:
        return None
    size = vectors / lists * code_bytes if kind.scans else packed_record
    return SECTOR * max(1, ceil(size / SECTOR))


@step("IOPS", "Reads that a node's drives serve", rises_with=("drive_read_iops", "search_drives"))
def node_reads(
    index_read_size: float | None, search_drives: float, drive_read_iops: float, iops_reached: float, drive_read: float
) -> float:
    """Random reads per second that the drives of one node serve, limited by IOPS or by bandwidth.

    >>> node_reads(8192, 1, 3e6, 0.7, 14.5e9), node_reads(4096, 1, 3e6, 0.7, 14.5e9)
    (1770019.53125, 2100000.0)
    """
    rated = drive_read_iops * iops_reached
    return search_drives * (rated if index_read_size is None else min(rated, drive_read / index_read_size))


FORMULAS = formulas_of(globals())

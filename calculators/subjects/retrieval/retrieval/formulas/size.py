"""Bytes of an index in memory and on drives, and the nodes that one copy is spread over."""

from math import ceil, floor

from calculators import facts
from calculators.declare import formulas_of, step
from calculators.subjects.retrieval.retrieval.formulas.rounding import whole_up
from calculators.subjects.retrieval.retrieval.inputs.index import IndexPlace
from calculators.subjects.retrieval.retrieval.kinds import IndexKind, kind_of

SECTOR = float(facts.fact("disk-sector").value)
NEIGHBOR = float(facts.fact("neighbor-bytes").value)
_CENTROID_VALUE = 4  # fp32, in which centroids are kept
_RESIDENT = float(facts.fact("retrieval-bands.memory_most").value)


@step("B", "Centroids per vector", falls_with=("vectors",))
def centroid_bytes(index_kind: IndexKind, dimensions: float, lists: float, vectors: float) -> float:
    """Centroids of the lists, per vector [B]; 0 for an index without lists.

    >>> round(centroid_bytes("ivf_pq", 1024, 65536, 120e6), 3)
    2.237
    """
    return _CENTROID_VALUE * dimensions * lists / vectors if kind_of(index_kind).scans else 0


@step("B", "Record on drives", source=("diskann-ssd-index", "kioxia-aisaq-48b"))
def drive_record(index_kind: IndexKind, vector_size: float, graph_degree: float, code_bytes: float) -> float:
    """One vector's record on the drives [B], before it is packed into sectors.

    Vector, number of neighbors and neighbors; all in storage keeps each neighbor's code as well.

    >>> drive_record("diskann", 4096, 64, 128), drive_record("all_in_storage", 4096, 64, 128)
    (4356.0, 12548.0)
    """
    if not kind_of(index_kind).records:
        return vector_size
    neighbor = NEIGHBOR + (code_bytes if index_kind == "all_in_storage" else 0)
    return vector_size + NEIGHBOR + neighbor * graph_degree


@step("B", "Record in whole sectors", source="diskann-ssd-index")
def packed_record(index_kind: IndexKind, drive_record: float) -> float:
    """Drive space of one record [B]: whole records per sector, or whole sectors per record.

    >>> packed_record("diskann", 4100), packed_record("diskann", 644), packed_record("hnsw", 4100)
    (8192.0, 682.6666666666666, 4100)
    """
    if not kind_of(index_kind).records:
        return drive_record
    return SECTOR / floor(SECTOR / drive_record) if drive_record <= SECTOR else SECTOR * ceil(drive_record / SECTOR)


@step("B", "Memory per vector", source=("opensearch-knn-memory", "cuvs-cagra", "hnswlib-deep10m"))
def memory_per_vector(
    index_kind: IndexKind,
    vector_size: float,
    graph_degree: float,
    code_bytes: float,
    cached_vectors: float,
    index_overhead: float,
    centroid_bytes: float,
) -> float:
    """Bytes that one vector keeps in the memory of a node, for CAGRA of a GPU [B].

    9.99 million vectors of 96 dimensions with 48 neighbors and 12 B each are hnswlib's file of 5,874,120,000 B.

    >>> 9_990_000 * memory_per_vector("hnsw", 384, 48, 0, 0, 12, 0)
    5874120000.0
    """
    record = vector_size + NEIGHBOR + NEIGHBOR * graph_degree
    kept = {
        "flat": vector_size,
        "hnsw": vector_size + NEIGHBOR * graph_degree + index_overhead,
        "hnsw_mapped": code_bytes + NEIGHBOR * graph_degree + index_overhead + cached_vectors * vector_size,
        "ivf_pq": code_bytes + centroid_bytes + index_overhead,
        "diskann": code_bytes + cached_vectors * record,
        "all_in_storage": cached_vectors * record,
        "cagra": vector_size + NEIGHBOR * graph_degree,
        "object": centroid_bytes,
    }
    return kept[index_kind]


@step("B", "Index in memory, per copy", rises_with=("index_working_share",))
def index_memory(vectors: float, memory_per_vector: float, index_working_share: float) -> float:
    """Memory of one copy [B], with working memory for merges, updates and garbage collection.

    >>> index_memory(120e6, 4240, 0.25)
    636000000000.0
    """
    return vectors * memory_per_vector * (1 + index_working_share)


@step("B", "Index in memory, at most")
def index_memory_at_most(index_memory: float) -> float:
    """Memory of one copy with the most that processes of measured libraries added [B].

    >>> round(index_memory_at_most(100), 6)
    135.0
    """
    return index_memory * _RESIDENT


@step("B", "Index on drives, per copy", rises_with=("payload_bytes", "bytes_per_token"))
def index_kept(vectors: float, vectors_per_chunk: float, packed_record: float, text_size: float) -> float:
    """One copy on drives [B]: vectors are kept there for every kind, with text and fields of their chunks.

    >>> index_kept(120e6, 1, 4096, 2560)
    798720000000.0
    """
    return vectors * (packed_record + text_size / vectors_per_chunk)


@step("1", "Shards for memory", falls_with=("memory_fill",))
def shards_for_memory(
    index_kind: IndexKind, index_memory: float, search_node_memory: float, gpu_memory: float, memory_fill: float
) -> float:
    """Nodes over which one copy is spread so that it fits in memory; for CAGRA GPUs.

    >>> shards_for_memory("hnsw", 636e9, 128e9, 80e9, 0.85)
    6
    """
    return whole_up(index_memory / ((gpu_memory if index_kind == "cagra" else search_node_memory) * memory_fill))


@step("1", "Shards for drive capacity")
def shards_for_drives(
    index_kind: IndexKind,
    index_place: IndexPlace,
    index_kept: float,
    rebuild_space: float,
    search_drives: float,
    drive_capacity: float,
    fill_share: float,
) -> float:
    """Nodes over which one copy is spread so that it fits on their drives, with space for a rebuild.

    1 if the index is on shared storage or in object storage.

    >>> shards_for_drives("diskann", "own", 5e12, 1, 1, 7.68e12, 0.8)
    2
    >>> shards_for_drives("diskann", "shared", 5e12, 1, 1, 7.68e12, 0.8)
    1
    """
    if index_kind == "object" or index_place == "shared":
        return 1
    return whole_up(index_kept * (1 + rebuild_space) / (search_drives * drive_capacity * fill_share))


@step("1", "Shards per copy")
def shards(shards_for_memory: float, shards_for_drives: float) -> float:
    """Nodes over which one copy is spread; every query searches all of them."""
    return max(1, shards_for_memory, shards_for_drives)


FORMULAS = formulas_of(globals())

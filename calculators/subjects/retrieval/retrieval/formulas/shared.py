"""Load that an index puts on storage: reads, requests, capacity and writes; on shared storage as its inputs."""

from calculators.declare import formulas_of, step
from calculators.subjects.retrieval.retrieval.inputs.index import IndexPlace


@step("B/s", "Index reads, all copies")
def index_read(query_rate: float, reads_per_query: float, index_read_size: float | None, shards: float) -> float:
    """Bytes per second that searches read from drives.

    >>> index_read(1000, 90, 8192, 1)
    737280000
    """
    return query_rate * reads_per_query * (index_read_size or 0) * shards


@step("IOPS", "Index read requests, all copies")
def index_requests(query_rate: float, reads_per_query: float, shards: float) -> float:
    """Reads per second that searches send to drives.

    >>> index_requests(1000, 90, 2)
    180000
    """
    return query_rate * reads_per_query * shards


@step("B/s", "Index reads from shared storage")
def shared_index_read(index_place: IndexPlace, index_read: float) -> float:
    """Bytes per second that searches read from shared storage; 0 with drives of their own."""
    return index_read if index_place == "shared" else 0


@step("IOPS", "Index requests to shared storage")
def shared_index_requests(index_place: IndexPlace, index_requests: float) -> float:
    """Reads per second that searches send to shared storage; 0 with drives of their own."""
    return index_requests if index_place == "shared" else 0


@step("B", "Vector index on shared storage")
def shared_index_kept(index_place: IndexPlace, index_kept: float, copies_of_index: float) -> float:
    """Bytes of all copies on shared storage [B]; 0 with drives of their own."""
    return index_kept * copies_of_index if index_place == "shared" else 0


@step("B/s", "Index writes to shared storage")
def shared_index_written(index_place: IndexPlace, index_written: float, copies_of_index: float) -> float:
    """Bytes per second that all copies write to shared storage; 0 with drives of their own."""
    return index_written * copies_of_index if index_place == "shared" else 0


FORMULAS = formulas_of(globals())

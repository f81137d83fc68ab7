"""Warnings of retrieval: where its formulas are uncertain, or what they leave out matters."""

from calculators import facts
from calculators.declare import formulas_of, warning
from calculators.subjects.retrieval.retrieval.inputs.models import PREFILL_RATE
from calculators.subjects.retrieval.retrieval.kinds import KINDS, IndexKind

_MANY_SHARDS = 8
_BUSY = 0.7
_SHORTEST_CODES = 16  # dimensions per byte
_SLOWEST_INSERT = float(facts.fact("insert-cpu-database").high or 0)
_MEASURED_DIMENSIONS, _FAR = 768, 2
_PUBLISHED_MOST = 1e11
_H100_PEAK = float(facts.fact("h100-sxm.peak_flops").value)
_FIRST_FACTOR = float(facts.fact("engine-factor").value)


@warning(speaks="", silent="index_kind=ivf_pq")
def speed_is_a_factor_of_two(index_kind: IndexKind, engine_factor: float, request_rate: float) -> str:
    """Rates that rest on the default cost of an engine."""
    if not KINDS[index_kind].graph or index_kind == "cagra" or engine_factor != _FIRST_FACTOR or not request_rate:
        return ""
    return (
        "Queries per second are known to a factor of two: {node_qps_at_least} to {node_qps_at_most} per node. "
        "Measure your engine and set its cost."
    )


@warning(speaks="accelerator=rtx-pro-6000-server", silent="")
def rate_of_another_device(prefill_rate: float, peak_flops: float) -> str:
    """The prefill rate of H100s with the peak FLOPs, and so the price, of another device."""
    if prefill_rate != PREFILL_RATE or peak_flops == _H100_PEAK:
        return ""
    return (
        "{prefill_rate} is the prefill rate of eight H100, but {peak_flops} is the peak of another GPU: set the rate "
        "of yours before you compare the cost of retrieved tokens."
    )


@warning(speaks="dimensions=4096", silent="")
def waits_for_many_shards(shards: float) -> str:
    """Searches that wait for the slowest of many nodes."""
    if shards <= _MANY_SHARDS:
        return ""
    return "Every search waits for the slowest of {shards} nodes: p95 is well above that of one node."


@warning(speaks="index_kind=diskann&code_bytes=32", silent="index_kind=diskann&code_bytes=64")
def short_codes(index_kind: IndexKind, code_bytes: float, dimensions: float) -> str:
    """Codes so short that they lose recall."""
    kind = KINDS[index_kind]
    if not (kind.codes or (kind.graph and kind.reads)) or not 0 < code_bytes < dimensions / _SHORTEST_CODES:
        return ""
    return "Codes of {code_bytes} for {dimensions} dimensions lose recall: rescore, and measure on your data."


@warning(speaks="value_bytes=0.5", silent="value_bytes=1")
def narrow_values(value_bytes: float) -> str:
    """Vectors kept in less than a byte per value."""
    if value_bytes >= 1:
        return ""
    return "Vectors of {value_bytes} lose recall: rescore with full vectors, and measure on your data."


@warning(speaks="index_kind=hnsw_mapped&code_bytes=0", silent="index_kind=hnsw_mapped")
def page_faults(index_kind: IndexKind, code_bytes: float, cached_vectors: float) -> str:
    """HNSW on disk without codes."""
    if index_kind != "hnsw_mapped" or code_bytes or cached_vectors == 1:
        return ""
    return (
        "Without codes every distance may read the drive, {reads_per_query} per query, and page faults wait one after "
        "the other: Qdrant measured 5 to 50 queries per second at 63,000 and 183,000 IOPS."
    )


@warning(speaks="index_kind=diskann&cached_vectors=100%", silent="index_kind=diskann&cached_vectors=90%")
def all_cached(index_kind: IndexKind, cached_vectors: float) -> str:
    """An index on drives that is wholly in memory."""
    if index_kind not in {"diskann", "all_in_storage", "hnsw_mapped"} or cached_vectors < 1:
        return ""
    return "All vectors are cached, so nothing is read from drives: HNSW in memory is the simpler index."


@warning(
    speaks="index_kind=diskann&drive_read_iops=10k&request_rate=200&copies_of_index=3",
    silent="index_kind=diskann&drive_read_iops=10k",
)
def busy_drives(drive_load: float) -> str:
    """Drives at which reads queue."""
    if drive_load <= _BUSY:
        return ""
    return "Drives are {drive_load} busy: reads queue, and latency rises quickly from here on."


@warning(
    speaks="index_kind=diskann&queries_in_flight=4&request_rate=2000",
    silent="index_kind=diskann&request_rate=2000",
)
def threads_wait_for_reads(
    node_qps: float, in_flight_qps: float | None, query_rate: float, copies_of_index: float
) -> str:
    """Threads that block on reads and serve no other search, where traffic is close to what they carry."""
    if in_flight_qps is None or in_flight_qps > node_qps or query_rate / copies_of_index < node_qps / 2:
        return ""
    return (
        "A node with {queries_in_flight} in flight answers {in_flight_qps}; its hardware allows {resource_qps}: "
        "threads wait for reads. Asynchronous reads or more threads help; faster drives help less."
    )


@warning(speaks="tokens_per_document=400", silent="")
def documents_shorter_than_chunks(tokens_per_document: float, chunk_tokens: float) -> str:
    """Documents that do not fill a chunk."""
    if tokens_per_document >= chunk_tokens:
        return ""
    return "A document of {tokens_per_document} does not fill a chunk: prompts grow by less than {retrieved_tokens}."


@warning(speaks="dimensions=3072&build_gpus=none", silent="")
def built_at_other_dimensions(
    index_kind: IndexKind, dimensions: float, build_gpus: float | None, insert_cpu: float
) -> str:
    """Build times of vectors much longer or shorter than measured ones."""
    if index_kind in {"flat", "cagra"} or build_gpus or not insert_cpu:
        return ""
    if _MEASURED_DIMENSIONS / _FAR <= dimensions <= _MEASURED_DIMENSIONS * _FAR:
        return ""
    return "The time of an insert was measured at 768 dimensions; with {dimensions} it differs: measure yours."


@warning(speaks="index_kind=diskann", silent="index_kind=diskann&insert_cpu=100ms")
def vamana_builds_slowly(index_kind: IndexKind, insert_cpu: float, build_gpus: float | None) -> str:
    """DiskANN at the insert time of other indexes."""
    if index_kind not in {"diskann", "all_in_storage"} or build_gpus or insert_cpu >= _SLOWEST_INSERT:
        return ""
    return "Published DiskANN builds of 1,024 dimensions took 70 to 110 ms per vector and processor, not {insert_cpu}."


@warning(speaks="vectors=1e12", silent="")
def beyond_published_sizes(vectors: float) -> str:
    """Indexes larger than any that was published."""
    return "No published index has {vectors}: the largest have 100 billion." if vectors > _PUBLISHED_MOST else ""


@warning(speaks="index_kind=object", silent="")
def cold_is_a_lower_bound(index_kind: IndexKind) -> str:
    """Latency of an index in object storage."""
    if index_kind != "object":
        return ""
    return (
        "A search that finds nothing cached takes at least {cold_latency}; published ones took up to 3 times the "
        "calculated time. Mean latency and nodes are those of cached searches."
    )


@warning(speaks="index_kind=cagra", silent="")
def gpu_rate_is_a_bound(index_kind: IndexKind) -> str:
    """Rate of a GPU index, calculated from bandwidth alone."""
    if index_kind != "cagra":
        return ""
    return "{node_qps} per GPU is an upper bound by memory bandwidth; single queries reach far less. Nodes are GPUs."


FORMULAS = formulas_of(globals())

"""Embedding the corpus, building the index, keeping it fresh, and the wear of its drives."""

from calculators import facts
from calculators.declare import formulas_of, step
from calculators.subjects.retrieval.retrieval.inputs.index import IndexPlace
from calculators.subjects.retrieval.retrieval.kinds import IndexKind
from calculators.units import DAY, HOUR

_BUILD_LEAST, _BUILD_MOST = (float(facts.fact(f"retrieval-bands.build_{end}").value) for end in ("least", "most"))
_EMBED_LEAST, _EMBED_MOST = (float(facts.fact(f"retrieval-bands.embed_{end}").value) for end in ("least", "most"))


@step("GPU-hour", "GPU-hours to embed the corpus", source="infinity-benchmarks", falls_with=("vectors_per_chunk",))
def embed_gpu_hours(vectors: float, vectors_per_chunk: float, chunk_tokens: float, embedder_rate: float) -> float:
    """GPU-hours that embed every chunk once.

    >>> round(embed_gpu_hours(120e6, 1, 512, 489_604), 2)
    34.86
    """
    return vectors / vectors_per_chunk * chunk_tokens / embedder_rate / HOUR


@step("s", "Time to embed the corpus", falls_with=("embedder_gpus",))
def embed_time(embed_gpu_hours: float, embedder_gpus: float) -> float:
    """Time in which the GPUs embed the corpus [s].

    >>> embed_time(8, 8)
    3600.0
    """
    return embed_gpu_hours * HOUR / embedder_gpus


@step("s", "Time to embed, at least")
def embed_time_at_least(embed_time: float) -> float:
    """Time to embed the corpus at the fast end of published runs [s]."""
    return embed_time * _EMBED_LEAST


@step("s", "Time to embed, at most")
def embed_time_at_most(embed_time: float) -> float:
    """Time to embed the corpus at the slow end of published runs [s]."""
    return embed_time * _EMBED_MOST


@step("1", "Processors of the search nodes")
def search_cores(search_nodes: float, search_node_cores: float) -> float:
    """Processors of all search nodes.

    >>> search_cores(12, 16)
    192
    """
    return search_nodes * search_node_cores


@step("s", "Build time of the index", source=("vectordbbench-results", "opensearch-gpu-build"))
def build_time(
    index_kind: IndexKind,
    vectors: float,
    insert_cpu: float,
    copies_of_index: float,
    build_cores: float,
    build_gpus: float | None,
    gpu_build_rate: float,
    search_nodes: float,
) -> float:
    """Time to build the index of all copies [s]; 0 for flat, which has none.

    On processors each copy inserts every vector itself; GPUs build the graph once. CAGRA is built by the GPUs that
    search unless others are given. Qdrant loaded 10 million vectors in 15,722 s on 16 processors.

    >>> build_time("hnsw", 10e6, 33e-3, 1, 16, None, 3000, 1), build_time("diskann", 120e6, 33e-3, 2, 32, 8, 3000, 2)
    (20625.0, 5000.0)
    """
    if index_kind == "flat":
        return 0
    gpus = build_gpus or (search_nodes if index_kind == "cagra" else 0)
    return vectors / (gpu_build_rate * gpus) if gpus else vectors * insert_cpu * copies_of_index / build_cores


@step("s", "Build time, at least")
def build_time_at_least(build_time: float) -> float:
    """Build time at the fast end of published runs [s]."""
    return build_time * _BUILD_LEAST


@step("s", "Build time, at most")
def build_time_at_most(build_time: float) -> float:
    """Build time at the slow end of published runs [s]."""
    return build_time * _BUILD_MOST


@step("B/s", "Index writes, per copy", rises_with=("changed_share", "index_write_amplification"))
def index_written(
    index_kept: float,
    changed_share: float,
    index_write_amplification: float,
    index_rewritten: bool,  # noqa: FBT001  formulas are wired by position
    rewrite_interval: float,
) -> float:
    """Mean rate at which one copy writes to its drives [B/s]: changes, amplified, and full rewrites.

    >>> index_written(86_400, 0.1, 5, False, 1), index_written(86_400, 0, 5, True, 86_400)
    (0.5, 1.0)
    """
    rewrites = 1 / rewrite_interval if index_rewritten else 0
    return index_kept * (changed_share * index_write_amplification / DAY + rewrites)


@step("1", "Index writes per drive and day")
def index_writes_per_drive_and_day(
    index_written: float, shards: float, search_drives: float, drive_capacity: float
) -> float:
    """Full-capacity writes per day on each drive of a search node.

    >>> index_writes_per_drive_and_day(1e9, 1, 1, 86.4e12)
    1.0
    """
    return index_written * DAY / shards / (search_drives * drive_capacity)


@step("s", "Life of the index drives", not_applicable="no writes to own drives")
def index_drive_life(
    index_place: IndexPlace,
    index_writes_per_drive_and_day: float,
    drive_writes_per_day: float,
    drive_warranty: float,
) -> float | None:
    """Time until the rated endurance of a search node's drives is used up [s].

    None if nothing is written to them.

    >>> index_drive_life("own", 0.5, 1, 5), index_drive_life("shared", 0.5, 1, 5)
    (10.0, None)
    """
    if index_place == "shared" or not index_writes_per_drive_and_day:
        return None
    return drive_writes_per_day * drive_warranty / index_writes_per_drive_and_day


FORMULAS = formulas_of(globals())

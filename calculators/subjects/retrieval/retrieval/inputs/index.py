"""Inputs on the index: its kind, graph, codes and lists, and where its drives are."""

from dataclasses import dataclass
from typing import Any, Literal

from calculators import facts
from calculators.declare import choice, computed, quantity
from calculators.subjects.retrieval.retrieval.kinds import KINDS, IndexKind

INDEX = "index"
IndexPlace = Literal["own", "shared"]


def _count(
    default: Any, label: str, hard: tuple[float, float], slider: tuple[float, float], about: str, *, log: bool = True
) -> Any:
    scale: Literal["linear", "log"] = "log" if log else "linear"
    return quantity(default, "1", label, hard=hard, slider=slider, scale=scale, whole=True, help=about, group=INDEX)


@dataclass(frozen=True, kw_only=True)
class Index:
    """The index and the list that a search keeps; base units (B, shares)."""

    index_kind: IndexKind = choice(
        "hnsw",
        "Index",
        {key: kind.label for key, kind in KINDS.items()},
        help="HNSW and CAGRA keep vectors and graph in memory; HNSW with vectors on NVMe keeps graph and codes there, "
        "DiskANN codes, AiSAQ nothing. IVF-PQ scans lists of codes, flat all vectors; an index in object storage reads "
        "lists of codes through a cache on NVMe.",
        group=INDEX,
    )
    graph_degree: float = _count(
        computed("typical_graph_degree", "typical for this index"),
        "Graph degree",
        (2, 1024),
        (16, 128),
        "Neighbor slots at the ground level: 2 M for HNSW, R for Vamana (DiskANN), graph_degree for CAGRA.",
    )
    search_list: float = _count(
        100,
        "Search list (ef, L)",
        (1, 1e6),
        (10, 4000),
        "Candidates that a search keeps: ef, L, itopk or num_candidates. Longer lists find more and cost more.",
    )
    code_bytes: float = quantity(
        128,
        "B",
        "Bytes per code",
        hard=(0, 65_536),
        slider=(0, 512),
        help="Product-quantization or binary code of a vector: 1,024 bits are 128 B. Only HNSW on disk works without.",
        group=INDEX,
    )
    cached_vectors: float = quantity(
        0,
        "share",
        "Vectors cached in memory",
        hard=(0, 1),
        help="Share of the records on drives that memory holds as well; their reads are saved.",
        group=INDEX,
    )
    lists: float = _count(65_536, "Lists (nlist)", (1, 1e9), (256, 1e6), "Clusters of an IVF or object index.")
    probes: float = _count(64, "Lists searched (nprobe)", (1, 1e9), (1, 4096), "Clusters that a query scans.")
    rescored: float = _count(
        100,
        "Candidates rescored",
        (1, 1e5),
        (10, 1000),
        "Full vectors that HNSW on disk reads after searching the codes.",
    )
    beam: float = _count(
        4, "Beam width", (1, 128), (1, 32), "Reads that a search sends to the drives at once; DiskANN uses 2 to 8."
    )
    segments: float = _count(
        1,
        "Segments per node",
        (1, 10_000),
        (1, 100),
        "Graphs that a query searches in each node. 1 after merging; each has a search list of its own.",
    )
    index_overhead: float = quantity(
        facts.fact("index-overhead"),
        "B",
        "Overhead per vector",
        hard=(0, 4096),
        slider=(0, 128),
        help="Identifier, level and lock of a vector in memory.",
        group=INDEX,
    )
    index_working_share: float = quantity(
        facts.fact("index-working-share"),
        "share",
        "Working memory of the index",
        hard=(0, 4),
        slider=(0, 1),
        help="Added to the index: merges, updates, garbage collection.",
        group=INDEX,
    )
    index_place: IndexPlace = choice(
        "own",
        "Drives of the index",
        {"own": "drives of the search nodes", "shared": "shared storage"},
        help="On shared storage the reads, writes and capacity count there: see Storage demand. "
        "Enter its IOPS, bandwidth and latency per search node as those of a drive.",
        group=INDEX,
    )

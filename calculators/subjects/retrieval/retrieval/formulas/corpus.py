"""Chunks and vectors of the corpus, and the bytes of one of them."""

from math import ceil, exp, log

from calculators.declare import formulas_of, step
from calculators.subjects.retrieval.retrieval.formulas.rounding import whole_up
from calculators.subjects.retrieval.retrieval.kinds import IndexKind

MOST_VECTORS = 1e13  # vectors that the input takes
_MEMORY_DEGREE, _DRIVE_DEGREE = 32, 64  # 2 M with M = 16, as most engines set it; R of DiskANN, graph_degree of cuVS


@step("chunk", "Chunks per document", rises_with=("tokens_per_document", "chunk_overlap"))
def chunks_per_document(tokens_per_document: float, chunk_tokens: float, chunk_overlap: float) -> float:
    """Chunks cut from one document; the last one may be short.

    >>> chunks_per_document(2000, 512, 150), chunks_per_document(2000, 800, 400), chunks_per_document(100, 512, 150)
    (6, 4, 1)
    """
    return 1 + max(0, whole_up((tokens_per_document - chunk_tokens) / (chunk_tokens - chunk_overlap)))


@step("vector", "Vectors of the corpus", rises_with=("documents", "vectors_per_chunk", "growth"))
def counted_vectors(
    documents: float, chunks_per_document: float, vectors_per_chunk: float, growth: float, growth_years: float
) -> float:
    """Vectors of all documents after `growth_years` at `growth` per year, at most 10 trillion.

    >>> counted_vectors(20e6, 6, 1, 0, 1)
    120000000.0
    """
    return min(MOST_VECTORS, documents * chunks_per_document * vectors_per_chunk * exp(growth_years * log(1 + growth)))


@step("B", "Vector size", rises_with=("dimensions", "value_bytes"))
def vector_size(dimensions: float, value_bytes: float) -> float:
    """One vector as it is kept [B], in whole bytes.

    >>> vector_size(1024, 4), vector_size(1000, 0.125)
    (4096, 125)
    """
    return ceil(dimensions * value_bytes)


@step("B", "Text and fields per chunk", rises_with=("chunk_tokens", "bytes_per_token", "payload_bytes"))
def text_size(chunk_tokens: float, bytes_per_token: float, payload_bytes: float) -> float:
    """Text and fields kept for one chunk [B].

    >>> text_size(512, 4, 512)
    2560
    """
    return chunk_tokens * bytes_per_token + payload_bytes


@step("1", "Typical graph degree", source=("diskann-ssd-index", "cuvs-cagra"))
def typical_graph_degree(index_kind: IndexKind) -> float:
    """Neighbor slots per vector that engines use by default: 32 for HNSW, 64 for DiskANN and CAGRA.

    >>> typical_graph_degree("hnsw"), typical_graph_degree("diskann")
    (32, 64)
    """
    return _DRIVE_DEGREE if index_kind in {"diskann", "all_in_storage", "cagra"} else _MEMORY_DEGREE


FORMULAS = formulas_of(globals())

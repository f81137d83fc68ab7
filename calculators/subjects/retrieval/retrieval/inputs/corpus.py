"""Inputs on the corpus: documents, chunks, and the vector made of each."""

from dataclasses import dataclass

from calculators import facts
from calculators.declare import computed, quantity
from calculators.vocabulary.storage import growth, growth_years

CORPUS = "corpus"


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """Documents, chunks and vectors; base units (B, tokens, shares)."""

    documents: float = quantity(
        20e6,
        "document",
        "Documents",
        hard=(1, 1e12),
        slider=(1e4, 1e9),
        scale="log",
        help="In the corpus that is searched: 50 TB of files of 2 MB are 25 million.",
        group=CORPUS,
    )
    tokens_per_document: float = quantity(
        2000,
        "token",
        "Tokens per document",
        hard=(1, 1e8),
        slider=(100, 1e5),
        scale="log",
        help="Mean, after text was extracted; the default is an assumption.",
        group=CORPUS,
    )
    chunk_tokens: float = quantity(
        facts.fact("chunk-nvidia.chunk_tokens"),
        "token",
        "Tokens per chunk",
        hard=(1, 1e6),
        slider=(64, 4096),
        scale="log",
        whole=True,
        help="A chunk is the piece of a document that gets a vector, and that a prompt receives whole.",
        group=CORPUS,
    )
    chunk_overlap: float = quantity(
        facts.fact("chunk-nvidia.chunk_overlap"),
        "token",
        "Overlap of chunks",
        hard=(0, 1e6),
        slider=(0, 1024),
        whole=True,
        help="Tokens that a chunk repeats from the one before: embedded and kept twice.",
        group=CORPUS,
    )
    vectors_per_chunk: float = quantity(
        1,
        "vector",
        "Vectors per chunk",
        hard=(1, 10_000),
        slider=(1, 1000),
        scale="log",
        whole=True,
        help="1; late interaction (ColBERT) keeps one per token.",
        group=CORPUS,
    )
    vectors: float = quantity(
        computed("counted_vectors", "from the corpus"),
        "vector",
        "Vectors in the index",
        hard=(1, 1e13),
        slider=(1e5, 1e10),
        scale="log",
        help="Set it if you know it; growth is then not added.",
        group=CORPUS,
    )
    growth: float = growth(group=CORPUS)
    growth_years: float = growth_years(group=CORPUS)
    dimensions: float = quantity(
        facts.fact("embedder-bge-m3.dimensions"),
        "1",
        "Dimensions",
        hard=(1, 65_536),
        slider=(64, 4096),
        scale="log",
        whole=True,
        help="Values of one vector, as the embedding model makes it or as it is truncated (Matryoshka).",
        group=CORPUS,
    )
    value_bytes: float = quantity(
        4,
        "B/value",
        "Bytes per value",
        hard=(0.125, 8),
        slider=(0.125, 4),
        scale="log",
        doubling=True,
        help="4 in fp32, 2 in fp16, 1 in int8 (scalar quantization), 0.125 for one bit.",
        group=CORPUS,
    )
    payload_bytes: float = quantity(
        facts.fact("retrieval-payload"),
        "B",
        "Fields per chunk",
        hard=(0, 1e7),
        slider=(0, 10_000),
        help="Title, address, access rights and filters kept with a chunk.",
        group=CORPUS,
    )
    bytes_per_token: float = quantity(
        facts.fact("text-bytes-per-token"),
        "B/token",
        "Text per token",
        hard=(0, 64),
        slider=(0, 8),
        help="0 if the index does not keep the text.",
        group=CORPUS,
    )

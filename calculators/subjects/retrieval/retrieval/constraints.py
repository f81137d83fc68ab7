"""Constraints: combinations of inputs that no index has."""

from math import exp, log

from calculators.declare import constraint, formulas_of
from calculators.subjects.retrieval.retrieval.formulas.corpus import MOST_VECTORS
from calculators.subjects.retrieval.retrieval.kinds import KINDS, IndexKind


@constraint("chunk_overlap", speaks="chunk_overlap=512", silent="chunk_overlap=511")
def overlap_below_a_chunk(chunk_tokens: float, chunk_overlap: float) -> str:
    """An overlap as long as the chunk."""
    return "" if chunk_overlap < chunk_tokens else "{chunk_overlap} must be smaller than a chunk of {chunk_tokens}."


@constraint("search_list", speaks="search_list=9", silent="search_list=10")
def list_holds_the_results(
    index_kind: IndexKind, search_list: float, top_k: float, rerank_candidates: float | None
) -> str:
    """A search list shorter than what it must return."""
    if not KINDS[index_kind].graph or search_list >= max(top_k, rerank_candidates or 0):
        return ""
    if search_list < top_k:
        return "A list of {search_list} cannot return {top_k} chunks: search a longer one."
    return "A list of {search_list} cannot return {rerank_candidates} candidates: search a longer one."


@constraint("top_k", speaks="vectors=9", silent="vectors=10")
def results_there_are(top_k: float, vectors: float, vectors_per_chunk: float) -> str:
    """More chunks per search than the corpus has."""
    if top_k * vectors_per_chunk <= vectors:
        return ""
    return "Chunks per search ({top_k}) must not exceed the chunks of {vectors}: fewer of them, or more documents."


@constraint("documents", speaks="documents=1T&tokens_per_document=100M", silent="documents=1T")
def vectors_within_reach(
    documents: float,
    chunks_per_document: float,
    vectors_per_chunk: float,
    growth: float,
    growth_years: float,
    vectors: float,
) -> str:
    """More vectors than are calculated with, unless their number is given."""
    made = documents * chunks_per_document * vectors_per_chunk * exp(growth_years * log(1 + growth))
    if vectors < MOST_VECTORS or made <= MOST_VECTORS * (1 + 1e-9):
        return ""
    return (
        "{documents} of {chunks_per_document} each, grown for {growth_years} years, are more than 10 trillion vectors: "
        "give fewer documents, larger chunks or less growth."
    )


@constraint("rerank_candidates", speaks="rerank_candidates=5", silent="rerank_candidates=10")
def reranks_at_least_the_results(rerank_candidates: float | None, top_k: float) -> str:
    """Fewer candidates than chunks that go into the prompt."""
    if rerank_candidates is None or rerank_candidates >= top_k:
        return ""
    return "Candidates reranked ({rerank_candidates}) must be at least the chunks per search ({top_k})."


@constraint("probes", speaks="index_kind=ivf_pq&lists=32&probes=64", silent="index_kind=ivf_pq&lists=64&probes=64")
def lists_to_search(index_kind: IndexKind, lists: float, probes: float) -> str:
    """More lists searched than there are."""
    if not KINDS[index_kind].scans or probes <= lists:
        return ""
    return "Lists searched ({probes}) must not exceed the lists there are ({lists})."


@constraint("lists", speaks="index_kind=ivf_pq&vectors=10000", silent="vectors=10000")
def vectors_for_the_lists(index_kind: IndexKind, vectors: float, lists: float) -> str:
    """More lists than vectors."""
    if not KINDS[index_kind].scans or vectors >= lists:
        return ""
    return "Lists ({lists}) must not exceed the vectors there are ({vectors})."


@constraint("code_bytes", speaks="index_kind=diskann&code_bytes=0", silent="index_kind=hnsw_mapped&code_bytes=0")
def codes_to_search(index_kind: IndexKind, code_bytes: float) -> str:
    """No codes in an index that searches them."""
    return "This index searches codes: they need at least a byte." if KINDS[index_kind].codes and not code_bytes else ""


FORMULAS = formulas_of(globals())

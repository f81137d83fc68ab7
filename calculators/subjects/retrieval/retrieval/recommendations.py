"""Recommendations: fewer nodes, fewer reads, shorter prompts, and another index where traffic is low."""

from collections.abc import Callable, Iterator, Mapping
from math import floor
from typing import Any

from calculators.subjects.retrieval.retrieval.formulas.size import NEIGHBOR, SECTOR
from calculators.subjects.retrieval.retrieval.kinds import KINDS

_FEWEST_NEIGHBORS = 16
_IDLE = 0.01
_BITS = 8
_FP16 = 2.0
_USUAL_BEAM = 4
_RERANKED = 100
_WASTED = 1.3  # packed record over record, from which a narrower one is worth it
Change = tuple[str, Mapping[str, Any]]
After = Callable[[Mapping[str, Any], Mapping[str, Any]], Mapping[str, Any]]


def _smaller(values: Mapping[str, Any]) -> Iterator[Change]:
    """Indexes that need less memory or drive space."""
    if values["value_bytes"] > 1:
        yield "{search_nodes}: keep vectors in int8, and check recall", {"value_bytes": 1.0}
    if values["index_kind"] in {"hnsw", "flat", "cagra"}:
        yield "{search_nodes}: DiskANN, vectors on NVMe", {"index_kind": "diskann"}


def _packed(values: Mapping[str, Any]) -> Iterator[Change]:
    """Records that fill their sectors."""
    if not KINDS[values["index_kind"]].records or values["packed_record"] < _WASTED * values["drive_record"]:
        return
    neighbor = NEIGHBOR + (values["code_bytes"] if values["index_kind"] == "all_in_storage" else 0)
    sectors = floor(values["drive_record"] / SECTOR)
    degree = floor((sectors * SECTOR - values["vector_size"] - NEIGHBOR) / neighbor)
    if _FEWEST_NEIGHBORS <= degree < values["graph_degree"]:
        yield "{packed_record} per record: graph degree {graph_degree}", {"graph_degree": float(degree)}
    if values["value_bytes"] > _FP16:
        yield "{packed_record} per record: keep vectors in fp16", {"value_bytes": _FP16}


def _quicker(values: Mapping[str, Any]) -> Iterator[Change]:
    """Searches with less work or fewer rounds."""
    if values["segments"] > 1 and KINDS[values["index_kind"]].graph:
        yield "{node_qps} per node: merge the segments", {"segments": 1}
    if values["index_kind"] == "hnsw_mapped" and not values["code_bytes"]:
        codes = max(1.0, float(values["dimensions"] // _BITS))
        yield "{reads_per_query} reads per query: keep codes in memory", {"code_bytes": codes}
    if values["beam"] == 1 and values["reads_per_query"] > 1:
        yield "{search_latency}: send {beam} reads at once", {"beam": _USUAL_BEAM}


def _cheaper(values: Mapping[str, Any]) -> Iterator[Change]:
    """Fewer tokens in the prompt, or an index for little traffic."""
    tokens = values["tokens_over_search"]
    if tokens is None or tokens > 1:
        half = float(values["top_k"] // 2)
        if half:
            yield "{retrieval_cost_per_month} per month: {top_k} chunks per search", {"top_k": half}
            listed = not KINDS[values["index_kind"]].graph or values["search_list"] >= _RERANKED
            if values["rerank_candidates"] is None and half <= _RERANKED and listed:
                yield (
                    "{retrieval_cost_per_month} per month: rerank {rerank_candidates}, keep {top_k}",
                    {"rerank_candidates": float(_RERANKED), "top_k": half},
                )
    if values["search_load"] < _IDLE and values["index_kind"] in {"hnsw", "flat", "cagra"}:
        yield "{retrieval_cost_per_month} per month: an index in object storage", {"index_kind": "object"}


def proposals(after: After) -> Callable[[Mapping[str, Any]], Iterator[Change]]:
    """Recommendations of retrieval; `after` are its values after changes."""

    def recommendations(values: Mapping[str, Any]) -> Iterator[Change]:
        """Changes that help here: fewer nodes, narrower records, quicker searches, a lower bill."""
        for changes, result in (
            (_smaller, "search_nodes"),
            (_packed, "packed_record"),
            (_quicker, ""),
            (_cheaper, "retrieval_cost_per_month"),
        ):
            for label, change in changes(values):
                if _allowed(values, change) and (not result or after(values, change)[result] < values[result]):
                    yield label, change

    return recommendations


def _allowed(values: Mapping[str, Any], change: Mapping[str, Any]) -> bool:
    """Whether the changed index has codes, and vectors for its lists."""
    kind = KINDS[change.get("index_kind", values["index_kind"])]
    if kind.codes and not values["code_bytes"]:
        return False
    return not kind.scans or values["probes"] <= values["lists"] <= values["vectors"]

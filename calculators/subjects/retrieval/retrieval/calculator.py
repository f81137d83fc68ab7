"""Retrieval: memory, drives, nodes, latency and cost of a vector index, and what it adds to prompts."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from calculators import facts
from calculators.declare import Calculator, Preset
from calculators.declare.pictures import Bars, bar
from calculators.subjects.retrieval.retrieval import constraints, verdicts, warnings
from calculators.subjects.retrieval.retrieval.acceptance import ACCEPTANCE
from calculators.subjects.retrieval.retrieval.formulas import FORMULAS
from calculators.subjects.retrieval.retrieval.inputs import Inputs
from calculators.subjects.retrieval.retrieval.inputs.corpus import CORPUS
from calculators.subjects.retrieval.retrieval.inputs.index import INDEX
from calculators.subjects.retrieval.retrieval.inputs.lookups import LOOKUPS
from calculators.subjects.retrieval.retrieval.inputs.models import ANSWER, EMBED, OBJECTS
from calculators.subjects.retrieval.retrieval.inputs.nodes import BUILD, ENGINE, NODE
from calculators.subjects.retrieval.retrieval.recommendations import proposals
from calculators.subjects.retrieval.retrieval.tables import CONVENTIONS, RECALL, side_by_side
from calculators.vocabulary.accelerators import accelerator_preset
from calculators.vocabulary.groups import MACHINE
from calculators.vocabulary.storage import DRIVE, drive_preset


def _trials(
    values: Mapping[str, Any], names: Iterable[str], results: Iterable[str]
) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
    return CALCULATOR.trials(values, names, results)


def _after(values: Mapping[str, Any], changes: Mapping[str, Any]) -> Mapping[str, Any]:
    return CALCULATOR.after(values, changes)


CALCULATOR = Calculator(
    name="retrieval",
    title="Retrieval",
    question="What do vector search and retrieval (RAG) take, and what do they add to the serving cluster?",
    answer=(
        "{index_memory} of memory and {index_kept} of drives per copy of {vectors}: "
        "**{search_nodes}**, limited by **{search_binding}**. Search p95: **{search_latency_p95}**. "
        "Prompts grow by {retrieved_tokens}: {added_ttft} more TTFT, **{added_prefill_gpus}** more at {request_rate}."
    ),
    unanswered=verdicts.overloaded,
    inputs_type=Inputs,
    formulas=(*FORMULAS, *constraints.FORMULAS, *verdicts.FORMULAS, *warnings.FORMULAS),
    headline=(
        "search_nodes",
        "index_memory",
        "index_kept",
        "search_latency_p95",
        "node_qps",
        "reads_per_query",
        "build_time",
        "embed_time",
        "index_drive_life",
        "augmented_prompt",
        "added_ttft",
        "added_prefill_gpus",
        "search_cost_per_month",
        "prefill_cost_per_month",
        "retrieval_cost_per_month",
    ),
    bands={
        "node_qps": ("node_qps_at_least", "node_qps_at_most"),
        "build_time": ("build_time_at_least", "build_time_at_most"),
        "embed_time": ("embed_time_at_least", "embed_time_at_most"),
    },
    first_sliders=("documents", "dimensions", "top_k", "request_rate"),
    presets=(
        Preset(
            name="embedder",
            label="Embedding model",
            records=tuple(facts.records("embedders").values()),
            fills={"embedder_parameters": "embedder_parameters", "dimensions": "dimensions"},
            default="embedder-bge-m3",
            group=EMBED,
        ),
        drive_preset(
            *("drive_capacity", "drive_read", "drive_read_iops", "drive_read_latency"),
            *("drive_writes_per_day", "drive_warranty"),
        ),
        accelerator_preset("peak_flops", "gpu_memory", "memory_bandwidth", optional=("price_per_gpu_hour",)),
    ),
    groups={
        CORPUS: "Corpus and vectors",
        INDEX: "Index",
        LOOKUPS: "Searches and prompts",
        NODE: "Search node",
        DRIVE: "Drives",
        ENGINE: "Speed of the engine",
        BUILD: "Building and changes",
        EMBED: "Embedding and reranking",
        MACHINE: "GPU",
        ANSWER: "Model that answers",
        OBJECTS: "Object storage",
    },
    assumptions=(
        "One index, steady traffic, queries spread evenly; every query searches every shard of one copy.",
        "Segments of a node are equally large, and shards too.",
        "Vectors are cached at random; hot entry nodes make the true hit rate better.",
        "Search times are log-normal; waiting is for processors and drives, not for the network.",
        "Rates per processor were measured on engines at 768 dimensions, merged; engines differ by a factor of two.",
        "A reranker is used at the arithmetic utilization of the embedding server, one GPU per search.",
    ),
    omits=(
        "Recall: it depends on the data. Published points are in a table below.",
        "Hybrid and keyword search; filters, which change the work in both directions.",
        "Parsing and OCR of documents, often more expensive than embedding.",
        "Network between client, shards and gateway; NUMA; bursts; p99.",
        "Consistency of writes, and deletes that degrade a graph.",
    ),
    result_aliases={"read_size": "index_read_size"},
    recommendations=proposals(_after),
    recommendations_heading="Recommendations: fewer nodes, quicker searches, a lower bill",
    tables=(side_by_side(_trials), RECALL, ACCEPTANCE, CONVENTIONS),
    picture=Bars(
        title="Search nodes needed by each limit",
        rows=(
            bar("Memory", nodes_for_memory="weights"),
            bar("Drive capacity", nodes_for_capacity="optimizer"),
            bar("Processors", nodes_for_processors="work"),
            bar("Drive reads", nodes_for_reads="write"),
            bar("Copies", nodes_for_copies="free"),
        ),
        limit="search_nodes",
        limit_label="search nodes",
    ),
)

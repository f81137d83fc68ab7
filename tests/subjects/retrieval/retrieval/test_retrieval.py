"""Retrieval: the default index, each kind of index, boundaries of its verdicts, odd inputs, tables and advice."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import pytest

from calculators import facts
from calculators.answers import answer, explore, transfer
from calculators.answers.input_state import parse_inputs, valid_inputs
from calculators.catalog import CALCULATORS, joined
from calculators.declare import Values
from calculators.subjects.retrieval.retrieval import tables
from calculators.subjects.retrieval.retrieval.calculator import CALCULATOR
from calculators.subjects.retrieval.retrieval.formulas import building
from calculators.subjects.retrieval.retrieval.formulas.queueing import quantile, slowest, wait_share
from calculators.subjects.retrieval.retrieval.formulas.size import memory_per_vector
from calculators.subjects.retrieval.retrieval.kinds import KINDS
from calculators.subjects.retrieval.retrieval.verdicts import traffic_carried

DAY = 86400.0


def values(**given: Any) -> Values:
    """Every value in a state."""
    return CALCULATOR.evaluate(valid_inputs(CALCULATOR, given).explicit)


def refused(**given: Any) -> dict[str, str]:
    """The sentences at inputs that are refused."""
    return dict(parse_inputs(CALCULATOR, given).problems)


@pytest.mark.parametrize(
    ("load", "word"), [(0.7, "OK"), (0.701, "little headroom"), (0.999, "little headroom"), (1, "overloaded")]
)
def test_nodes_may_be_as_busy_as_the_target(load: float, word: str) -> None:
    assert traffic_carried.function(load, 0.7).word == word


@pytest.mark.parametrize(
    ("kind", "memory"),
    [
        ("flat", 400),
        ("hnsw", 400 + 4 * 30 + 12),
        ("hnsw_mapped", 50 + 4 * 30 + 12 + 0.1 * 400),
        ("ivf_pq", 50 + 7 + 12),
        ("diskann", 50 + 0.1 * (400 + 4 + 4 * 30)),
        ("all_in_storage", 0.1 * (400 + 4 + 4 * 30)),
        ("cagra", 400 + 4 * 30),
        ("object", 7),
    ],
)
def test_memory_of_a_vector_by_hand(kind: Any, memory: float) -> None:
    """A vector of 400 B, 30 neighbors of 4 B and their count, codes of 50 B, a tenth cached, 12 and 7 B besides."""
    assert memory_per_vector.function(kind, 400, 30, 50, 0.1, 12, 7) == pytest.approx(memory)


# Worked out independently: memory, drives, nodes, p50, p95, build hours (0: nothing to compare), dollars a month.
KINDS_BY_HAND = [
    ({}, 636e9, 798.7e9, 12, 6.161e-3, 8.712e-3, 11.46, 12430),
    ({"value_bytes": 1}, 175.2e9, 430.1e9, 4, 3.81e-3, 5.815e-3, 34.4, 4143),
    ({"index_kind": "diskann"}, 19.2e9, 1.2902e12, 2, 7.368e-3, 11.54e-3, 68.75, 2072),
    ({"index_kind": "diskann", "value_bytes": 2}, 19.2e9, 798.7e9, 2, 7.368e-3, 11.54e-3, 68.75, 2072),
    ({"index_kind": "all_in_storage"}, 0, 2.273e12, 2, 7.368e-3, 11.54e-3, 68.75, 2072),
    ({"index_kind": "hnsw_mapped"}, 40.8e9, 798.7e9, 2, 6.335e-3, 9.92e-3, 68.75, 2072),
    (
        {"index_kind": "hnsw_mapped", "code_bytes": 0, "cached_vectors": 0.5},
        328.8e9,
        798.7e9,
        8,
        24.81e-3,
        35.94e-3,
        17.19,
        8287,
    ),
    ({"index_kind": "ivf_pq"}, 21.94e9, 798.7e9, 2, 3.963e-3, 6.205e-3, 68.75, 2072),
    ({"index_kind": "flat"}, 614.4e9, 798.7e9, 30, 0.7943, 1.123, 0, 31075),
    ({"index_kind": "cagra", "value_bytes": 2}, 345.6e9, 553e9, 10, 4.561e-3, 6.517e-3, 0, 21915),
    # A tenth of searches find nothing cached: p95 is one of them, 3 x 100 ms, 64 lists of 237,568 B at 1 GB/s, 4 ms.
    ({"index_kind": "object"}, 335.5e6, 798.7e9, 2, 5.651e-3, 319.2e-3, 68.75, 2072),
    ({"index_kind": "object", "cold_queries": 0.05}, 335.5e6, 798.7e9, 2, 5.651e-3, 8.85e-3, 68.75, 2072),
]


@pytest.mark.parametrize(("given", "memory", "drives", "nodes", "mean", "p95", "hours", "dollars"), KINDS_BY_HAND)
def test_each_kind_of_index_takes_what_was_worked_out(
    given: dict[str, Any],
    memory: float,
    drives: float,
    nodes: float,
    mean: float,
    p95: float,
    hours: float,
    dollars: float,
) -> None:
    found = values(**given)
    assert found["index_memory"] == pytest.approx(memory, rel=1e-3)
    assert found["index_kept"] == pytest.approx(drives, rel=1e-3)
    assert found["search_nodes"] == nodes
    assert found["search_latency"] == pytest.approx(mean, rel=2e-3)
    assert found["search_latency_p95"] == pytest.approx(p95, rel=2e-3)
    assert not hours or found["build_time"] / 3600 == pytest.approx(hours, rel=1e-3)
    assert found["search_cost_per_month"] == pytest.approx(dollars, rel=1e-3)


def test_more_traffic_adds_replicas_and_segments_multiply_work() -> None:
    """At 10,000 a second four copies of six nodes, five of DiskANN's one; 20 segments make 4 copies of 2 at 1,000."""
    assert values(request_rate=10_000)["search_nodes"] == 24
    assert values(request_rate=10_000, index_kind="diskann")["search_nodes"] == 5
    assert values(request_rate=1000)["search_nodes"] == 12
    assert values(request_rate=1000, segments=20)["search_nodes"] == 24


def test_a_record_past_a_sector_takes_two() -> None:
    """960 x 4 + 4 + 4 x 64 = 4100 B; with 62 neighbors 4092 B."""
    wide, narrow = (values(index_kind="diskann", dimensions=960, graph_degree=degree) for degree in (64, 62))
    assert (wide["drive_record"], wide["packed_record"]) == (4100, 8192)
    assert (narrow["drive_record"], narrow["packed_record"]) == (4092, 4096)


def test_drives_that_are_rewritten_daily_wear_out() -> None:
    """A fifth changed each day, rewritten daily: two times 798.72e9 B on drives of 1.92 TB."""
    worn = values(
        changed_share=0.2, rewrite_interval="1 day", drive_capacity="1.92 TB", index_kind="diskann", value_bytes=2
    )
    assert worn["index_writes_per_drive_and_day"] == pytest.approx(798.72e9 * 2 / worn["shards"] / 1.92e12)
    assert building.index_writes_per_drive_and_day.function(0.5, 7, 2, 1e6) == pytest.approx(0.5 * DAY / 7 / 2e6)
    assert worn["index_drive_life"] == pytest.approx(5 * 365.25 * DAY / worn["index_writes_per_drive_and_day"])


@pytest.mark.parametrize("searches", [1, 2, 6, 1000, 1e5])
def test_the_slowest_of_many_is_a_quantile_of_one(searches: float) -> None:
    exact = NormalDist().inv_cdf(0.95 ** (1 / searches))
    assert slowest(0.95, searches, 0.3) == pytest.approx(math.exp(0.3 * exact - 0.045))


@pytest.mark.parametrize("above", [0.5, 0.4999, 0.1, 1e-3, 1e-9, 2.331513148103313e-15, 1e-40, 1e-150, 1e-300])
def test_quantiles_agree_with_the_standard_library(above: float) -> None:
    assert quantile(above) == pytest.approx(-NormalDist().inv_cdf(above), abs=1e-9)


def test_waits_are_those_of_one_server_and_fall_with_servers() -> None:
    """One server, random service: load / (1 - load); 0.9 of sixteen waits far less."""
    assert wait_share(0.8, 1, 1) == pytest.approx(4)
    assert wait_share(0.9, 16, 1) < 0.5
    assert wait_share(5, 16, 1) == wait_share(0.999, 16, 1) < math.inf


@pytest.mark.parametrize(
    ("given", "blamed"),
    [
        ({"chunk_overlap": 512}, "chunk_overlap"),
        ({"search_list": 9}, "search_list"),
        ({"search_list": 50, "rerank_candidates": 100}, "search_list"),
        ({"rerank_candidates": 5}, "rerank_candidates"),
        ({"index_kind": "ivf_pq", "vectors": 1000}, "lists"),
        ({"index_kind": "object", "probes": 100, "lists": 10}, "probes"),
        ({"index_kind": "diskann", "code_bytes": 0}, "code_bytes"),
        ({"index_kind": "ivf_pq", "code_bytes": 0}, "code_bytes"),
    ],
)
def test_what_no_index_has_is_refused_at_its_input(given: dict[str, Any], blamed: str) -> None:
    assert list(refused(**given)) == [blamed]


def test_scans_need_no_search_list() -> None:
    assert not refused(index_kind="ivf_pq", search_list=1)
    assert not refused(index_kind="hnsw_mapped", code_bytes=0)


def test_cached_records_are_not_read_and_add_no_rounds() -> None:
    found = values(index_kind="diskann", cached_vectors="100%")
    assert (found["reads_per_query"], found["rounds"], found["drive_qps"], found["in_flight_qps"]) == (0, 0, None, None)
    assert any("HNSW in memory is the simpler index" in one for one in answer.warnings(CALCULATOR, found))


def test_an_index_without_codes_reads_a_vector_per_distance() -> None:
    """100 x 32 x 0.35 = 1,120 reads, and 100 with codes."""
    assert values(index_kind="hnsw_mapped", code_bytes=0)["reads_per_query"] == pytest.approx(1120)
    assert values(index_kind="hnsw_mapped")["reads_per_query"] == 100


def test_nothing_written_is_no_infinity() -> None:
    found = values(changed_share=0, index_rewritten="no")
    assert (found["index_written"], found["index_drive_life"]) == (0, None)
    assert found["index_drives_last"].word == "no writes"


def test_one_vector_is_one_shard() -> None:
    found = values(vectors=1, top_k=1)
    assert (found["shards"], found["search_nodes"]) == (1, 2)


def test_too_few_replicas_have_no_steady_latency() -> None:
    found = values(request_rate=10_000, copies_of_index=2)
    assert found["traffic_carried"].word == "overloaded"
    assert found["search_in_time"].word == "no steady latency"
    assert math.isfinite(found["search_latency_p95"])


@pytest.mark.parametrize(
    ("name", "below", "above", "words"),
    [
        ("traffic_carried", {"request_rate": 5028}, {"request_rate": 5029}, ("OK", "little headroom")),
        ("traffic_carried", {"request_rate": 7183}, {"request_rate": 7185}, ("little headroom", "overloaded")),
        ("node_lost", {"request_rate": 3591}, {"request_rate": 3593}, ("OK", "N−1: overloaded")),
        (
            "search_in_time",
            {"search_latency_target": "8.72ms"},
            {"search_latency_target": "8.7ms"},
            ("OK", "slightly late"),
        ),
        (
            "search_in_time",
            {"search_latency_target": "5.81ms"},
            {"search_latency_target": "5.8ms"},
            ("slightly late", "too slow"),
        ),
        ("built_in_time", {"build_cores": 276}, {"build_cores": 274}, ("OK", "more than a night")),
        ("built_in_time", {"build_cores": 31}, {"build_cores": 30}, ("more than a night", "too slow")),
        ("search_binding", {"vectors": 20e6}, {"vectors": 21e6}, ("copies", "memory")),
        ("prompt_or_search", {"request_rate": 1.97}, {"request_rate": 1.99}, ("search", "retrieved tokens")),
    ],
)
def test_a_verdict_turns_at_its_boundary(
    name: str, below: dict[str, Any], above: dict[str, Any], words: tuple[str, str]
) -> None:
    """3592 x 2 x 0.7 = 5,029 a second; 7,920 core-hours in 8 h; 108.8e9 / 5,300 B = 20.5 million; 12,430 / 6,280."""
    fixed = {} if name != "traffic_carried" else {"copies_of_index": 2}
    assert (values(**fixed, **below)[name].word, values(**fixed, **above)[name].word) == words


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"request_rate": 10_000}, "processors"),
        ({"index_kind": "diskann", "drive_read_iops": 10_000, "request_rate": 500}, "drive reads"),
        (
            {"index_kind": "hnsw_mapped", "code_bytes": 0, "request_rate": 10_000, "drive_read_latency": "1ms"},
            "searches in flight",
        ),
        (
            {"search_node_cores": 1000, "request_rate": 100_000, "search_node_memory_bandwidth": "10 GB/s"},
            "memory bandwidth",
        ),
        ({"index_kind": "diskann", "drive_capacity": "1 TB"}, "drive capacity"),
    ],
)
def test_the_limit_is_named(given: dict[str, Any], word: str) -> None:
    assert values(**given)["search_binding"].word == word


RULES = {  # bytes of 120 million vectors of 1,024 dimensions in fp32, M = 16, in GB, by hand
    "index-rule-qdrant": 737.3,
    "index-rule-opensearch": 557.6,
    "index-rule-elastic": 499.2,
    "index-rule-elastic-int8": 132.5,
    "index-rule-elastic-bbq": 24.7,
    "index-rule-weaviate": 983.0,
    "index-rule-weaviate-fine": 510.7,
    "index-rule-scylladb": 626.7,
}


@pytest.mark.parametrize("key", sorted(facts.records("index-rules")))
def test_rules_of_products_are_theirs(key: str) -> None:
    assert 120e6 * tables.rule_bytes(facts.all_records()[key], 1024, 4, 16) == pytest.approx(RULES[key] * 1e9, rel=1e-3)


def test_worked_examples_of_products_come_out() -> None:
    """OpenSearch prints 1.267 GB, Qdrant 6,144,000,000 B, Elasticsearch 1.74 GB for its BBQ example."""
    records = facts.all_records()
    assert tables.rule_bytes(records["index-rule-opensearch"], 256, 4, 16) == pytest.approx(1267, rel=1e-3)
    assert tables.rule_bytes(records["index-rule-qdrant"], 1024, 4, 16) == 6144
    assert tables.rule_bytes(records["index-rule-elastic-bbq"], 768, 4, 16) == 174
    assert 1e6 * tables.page_bytes(1024, 4, 32) == 8192e6


def cells(table: str, **given: Any) -> dict[str, tuple[str, ...]]:
    """A table's rows by their first cell."""
    found = next(one for one in CALCULATOR.tables if one.name == table)
    return {row[0]: tuple(row) for row in found.rows(values(**given))}


def test_kinds_are_compared_for_the_same_vectors() -> None:
    rows = list(cells("kinds").values())
    assert len(rows) == len(KINDS)
    assert [row[3] for row in rows] == [
        "30 nodes",
        "12 nodes",
        "2 nodes",
        "2 nodes",
        "2 nodes",
        "2 nodes",
        "18 GPUs",
        "2 nodes",
    ]
    assert rows[1][0].endswith("(this one)")


def test_the_present_list_is_placed_among_published_recall() -> None:
    rows = cells("recall", search_list=30)
    assert next(row[2] for name, row in rows.items() if "SIFT" in name) == "0.964 to 0.996"
    assert next(row[2] for name, row in rows.items() if "Milvus" in name) == "below 0.920"
    assert next(row[2] for name, row in rows.items() if "bigann" in name) == "no reads here"
    reads = cells("recall", index_kind="diskann", search_list=60)
    assert next(row[2] for name, row in reads.items() if "bigann" in name) == "0.892 to 0.951"


def advice(**given: Any) -> list[str]:
    """Texts of what is recommended, filled in."""
    found = explore.recommendations(CALCULATOR, values(**given)).run()
    return [answer.filled(CALCULATOR, one.label, one.values) for one in found]


def test_memory_that_binds_is_answered_by_narrower_vectors_and_by_drives() -> None:
    found = advice()
    assert "4 nodes: keep vectors in int8, and check recall" in found
    assert "2 nodes: DiskANN, vectors on NVMe" in found
    assert any(one.endswith("per month: 5 chunks per search") for one in found)


def test_a_wasted_sector_is_filled() -> None:
    """960 x 4 + 4 + 4 x 63 = 4,096 B."""
    found = advice(index_kind="diskann", dimensions=960)
    assert "4.1 kB per record: graph degree 63" in found
    assert any(one.endswith("keep vectors in fp16") for one in found)


def test_segments_are_merged_and_codes_kept() -> None:
    assert any("merge the segments" in one for one in advice(segments=20, request_rate=1000))
    assert any("keep codes in memory" in one for one in advice(index_kind="hnsw_mapped", code_bytes=0))
    assert any("reads at once" in one for one in advice(index_kind="diskann", beam=1))


def test_a_prompt_has_what_is_retrieved_in_it_where_a_corpus_is_given() -> None:
    everything = joined()
    alone = everything.evaluate(valid_inputs(everything, {}).explicit)
    searched = everything.evaluate(valid_inputs(everything, {"vectors": "120M"}).explicit)
    assert alone["input_tokens"] != searched["input_tokens"] == searched["augmented_prompt"] == 5720


def test_models_figures_come_along_from_inference() -> None:
    """Prefill rate and tensor parallelism of a replica; a KV cache in 8 bits is half of 327,680 B per token."""
    state = transfer.source(CALCULATORS["inference"], {"cache_bytes": "1", "serving_tensor_parallel": "4"})
    texts, _ = transfer.import_states(CALCULATOR, [state])
    assert texts["serving_tensor_parallel"].startswith("4")
    assert valid_inputs(CALCULATOR, texts).values["cache_per_token"] == pytest.approx(163_840)
    assert "prefill_rate" in texts


ACCEPTANCE = [  # what is changed, the test it decides, and what then is in its command or its ends
    ({"index_kind": "diskann"}, "Random reads", "--bs=8192"),
    ({"search_list": 200}, "p95", "--ef-search 200"),
    ({"graph_degree": 64}, "Queries", "--m 32"),
    ({"top_k": 5}, "Recall", "--k 5"),
    ({"search_latency_target": "50 ms"}, "p95", "more than 50 ms"),
    ({"build_cores": 100}, "Rebuild", "22 h or less"),
    ({"changed_share": 0, "index_rewritten": "no"}, "Drive writes", "0 or less"),
]


@pytest.mark.parametrize(("given", "begins", "holds"), ACCEPTANCE)
def test_acceptance_holds_the_readers_figures(given: dict[str, Any], begins: str, holds: str) -> None:
    found = values(**given)
    row = next(row for name, row in cells("acceptance", **given).items() if name.startswith(begins))
    shown = [answer.filled(CALCULATOR, cell, found) for cell in row]
    assert any(holds in cell for cell in shown)
    assert not any("{" in cell for cell in shown)


def test_an_index_on_shared_storage_loads_storage_demand() -> None:
    everything = joined()
    before, after = (
        everything.evaluate(valid_inputs(everything, {"index_kind": "diskann", **given}).explicit)
        for given in ({}, {"index_place": "shared"})
    )
    assert after["request_demand"] - before["request_demand"] == pytest.approx(after["index_requests"])
    assert after["hot_stored"] - before["hot_stored"] == pytest.approx(2 * after["index_kept"])
    assert after["store_written_per_day"] > before["store_written_per_day"]

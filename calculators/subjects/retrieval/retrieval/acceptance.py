"""Acceptance tests of a search service, with limits from the targets and from the hardware."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators.declare.tables import Table
from calculators.subjects.retrieval.retrieval.formulas.size import SECTOR
from calculators.vocabulary import acceptance
from calculators.vocabulary.acceptance import at_least, at_most

_NO_READS = ("None: the index is in memory",) * 3


def _bench(values: Mapping[str, Any], queries: float, *options: str) -> str:
    """Command of VectorDBBench for these vectors with about `queries` per second [query/s] in flight."""
    clients = max(1, round(queries * values["search_latency"]))
    return " ".join(
        (
            "vectordbbench milvushnsw --uri $URI --case-type PerformanceCustomDataset --custom-dataset-dir $DATA",
            f"--custom-dataset-dim {values['dimensions']:.0f} --custom-dataset-size {values['vectors']:.0f}",
            f"--m {values['graph_degree'] / 2:.0f} --ef-construction {values['search_list']:.0f}",
            f"--ef-search {values['search_list']:.0f} --k {values['top_k']:.0f} --num-concurrency {clients}",
            *options,
        )
    )


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Every test: pass, investigate and fail limits, the reason, and the command."""
    reading = values["query_rate"] * values["reads_per_query"] / values["copies_of_index"]
    block = values["index_read_size"] or SECTOR
    yield (
        "Random reads of one search node's drives",
        *(at_least(values["node_reads"], reading, "IOPS") if values["reads_per_query"] else _NO_READS),
        "IOPS that a search is planned with, or the drives' bandwidth; and the traffic's reads per node",
        (
            f"fio --name=index --filename=/dev/nvme0n1 --rw=randread --bs={block:.0f} --iodepth=32 "
            f"--numjobs={values['search_node_cores']:.0f} --ioengine=libaio --direct=1 --runtime=300 --time_based "
            "--group_reporting"
        ),
    )
    memory = values["gpu_memory" if values["index_kind"] == "cagra" else "search_node_memory"]
    yield (
        "Memory of one search node after loading and merging",
        *at_most(values["index_memory"] / values["shards"], memory, "B"),
        "Calculated, working memory included; and all of a node's memory",
        "ps -eo rss,comm --sort=-rss | head -2  # in KiB; of a GPU: nvidia-smi",
    )
    searching = values["query_rate"] / values["copies_of_index"]
    wanted = max(values["node_qps_at_least"], searching / values["target_utilization"])
    yield (
        "Queries per second of one copy",
        *at_least(wanted, searching, "query/s"),
        "Low end of published runs, or the traffic with headroom; and the traffic of one copy",
        _bench(values, wanted),
    )
    yield (
        "p95 of a search at the planned traffic",
        *at_most(values["search_latency_p95"], values["search_latency_target"], "s"),
        "Calculated; and the target",
        _bench(values, searching, "--skip-load"),
    )
    yield (
        "Recall of {top_k} results with a list of {search_list}",
        "What your answers need, on your own questions",
        "Less than that, but as much as the vendor printed",
        "Not measured",
        "Against an exact search of a sample: a rate without recall says nothing",
        _bench(values, searching, "--skip-load --custom-dataset-with-gt"),
    )
    yield (
        "Rebuild of the index from stored vectors",
        *at_most(values["build_time"], max(values["build_time_at_most"], 1), "s"),
        "Calculated; and the slow end of published runs",
        "# from the first insert until the engine reports merged segments, by its own log",
    )
    yield (
        "One search node stopped at the planned traffic",
        "Every question answered, p95 within {search_latency_target}",
        "Every question answered, p95 above {search_latency_target}",
        "Errors, or answers that miss a shard",
        "Copies of the index: {copies_of_index}; the others carry the traffic meanwhile",
        "# stop the engine on one node while the benchmark of p95 runs",
    )
    yield (
        "Drive writes per day, over a week with its merges",
        *at_most(values["index_writes_per_drive_and_day"], values["drive_writes_per_day"], "1"),
        "Calculated from changes and rewrites; and the drives' rating",
        "nvme smart-log /dev/nvme0  # data_units_written before and after, in thousands of 512 bytes",
    )


ACCEPTANCE = Table(
    name=acceptance.NAME,
    title=acceptance.TITLE,
    about=(
        "Below the limit of failure, search misses its traffic or target; between that and the calculated value, "
        "something that was paid for is missing. Rates of engines are known to a factor of two. Options as in "
        "VectorDBBench's command line (zilliztech/VectorDBBench at 032515f) for Milvus, and in fio's HOWTO, read "
        "2026-11-27; other engines have commands of their own."
    ),
    columns=acceptance.COLUMNS,
    rows=rows,
    commands=True,
)

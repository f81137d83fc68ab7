"""Verdicts of retrieval: traffic, what decides the nodes, latency, a lost node, drives, building, the bill."""

from collections.abc import Mapping
from typing import Any

from calculators import facts
from calculators.declare import Verdict, formulas_of, verdict
from calculators.subjects.retrieval.retrieval.inputs.index import IndexPlace
from calculators.subjects.retrieval.retrieval.kinds import IndexKind
from calculators.units import HOUR

_NIGHT, _LONGEST = (float(facts.fact(f"index-build-limits.{end}").value) / HOUR for end in ("night", "longest"))
_LATE = 1.5  # times the target at which p95 is no longer tight
_WORN = 0.5  # of the warranty


@verdict("Search nodes limited by", good="index_kind=diskann", tight="")
def search_binding(
    index_copies: float,
    copies_for_traffic: float,
    shards_for_memory: float,
    shards_for_drives: float,
    cpu_qps: float | None,
    memory_qps: float,
    drive_qps: float | None,
    node_qps: float,
) -> Verdict:
    """Name of what decides the number of search nodes: copies, memory, drive capacity, or the traffic.

    Never bad: nodes are as many as it takes. Too few, if their number is given, are the verdict on traffic.
    """
    if copies_for_traffic > index_copies:
        if node_qps == cpu_qps:
            word = "processors"
        elif node_qps == memory_qps:
            word = "memory bandwidth"
        elif node_qps == drive_qps:
            word = "drive reads"
        else:
            word = "searches in flight"
        reason = (
            "Traffic of {query_rate} takes {copies_for_traffic} at {node_qps} per node. More shards do not add queries."
        )
        return Verdict(level="tight", word=word, reason=reason)
    if max(shards_for_memory, shards_for_drives) <= 1:
        return Verdict(level="good", word="copies", reason="One node holds a copy; minimum copies: {index_copies}.")
    if shards_for_memory >= shards_for_drives:
        return Verdict(
            level="tight", word="memory", reason="Each copy takes {index_memory}, so {shards_for_memory} nodes."
        )
    return Verdict(
        level="tight",
        word="drive capacity",
        reason="Each copy takes {index_kept} of drives and space for a rebuild, so {shards_for_drives} nodes.",
    )


def overloaded(values: Mapping[str, Any]) -> str:
    """The sentence of copies that cannot carry the searches: there is no steady latency."""
    if values["search_load"] < 1:
        return ""
    return (
        "{copies_of_index} on {search_nodes} cannot carry {query_rate}: load {search_load}, the queue grows without "
        "end. The traffic takes {copies_for_traffic}, each with {index_memory} of memory and {index_kept} of drives."
    )


@verdict("Traffic", good="", tight="request_rate=6000&copies_of_index=2", bad="request_rate=10000&copies_of_index=2")
def traffic_carried(search_load: float, target_utilization: float) -> Verdict:
    """Whether the copies carry the searches, with the planned headroom."""
    if search_load >= 1:
        return Verdict(
            level="bad",
            word="overloaded",
            reason="{query_rate} on {copies_of_index}: load {search_load}, the queue grows without end.",
        )
    if search_load > target_utilization * (1 + 1e-9):
        return Verdict(
            level="tight", word="little headroom", reason="Nodes are {search_load} busy, target {target_utilization}."
        )
    return Verdict(level="good", word="OK", reason="A node answers {node_qps} and is {search_load} busy.")


@verdict("Latency target", good="", tight="search_latency_target=7ms", bad="search_latency_target=5ms")
def search_in_time(
    search_latency_p95: float,
    search_latency_target: float,
    rounds: float,
    round_time: float,
    processor_time: float,
    search_load: float,
    cold_latency: float | None,
) -> Verdict:
    """Whether p95 is within the target, and which part of a search is larger."""
    if search_load >= 1:
        return Verdict(level="bad", word="no steady latency", reason="The queue grows without end.")
    if search_latency_p95 <= search_latency_target:
        return Verdict(level="good", word="OK", reason="p95 {search_latency_p95}, target {search_latency_target}.")
    late = search_latency_p95 > _LATE * search_latency_target
    if search_latency_p95 == cold_latency:
        reason = (
            "{cold_queries} of searches find nothing cached and take {cold_latency} at least, target "
            "{search_latency_target}; from the cache a search takes {search_latency}."
        )
        return Verdict(
            level="bad" if late else "tight",
            word="cold searches too slow" if late else "cold searches slightly late",
            reason=reason,
        )
    if rounds * round_time > processor_time:
        cause = "Drive reads take longest, {rounds} rounds of {round_time}: more nodes do not shorten them."
    else:
        cause = "Computing takes longest, {processor_time} per node: shorten the list or merge segments."
    return Verdict(
        level="bad" if late else "tight",
        word="too slow" if late else "slightly late",
        reason=f"p95 {{search_latency_p95}}, target {{search_latency_target}}. {cause}",
    )


@verdict("One node lost", good="", tight="request_rate=4000", bad="index_copies=1")
def node_lost(copies_of_index: float, search_load: float) -> Verdict:
    """Whether search continues, and keeps up, while one node is down."""
    if copies_of_index == 1:
        return Verdict(
            level="bad",
            word="answers missing",
            reason="With a single copy a node that fails takes its shard of {shards} with it.",
        )
    if search_load * copies_of_index / (copies_of_index - 1) >= 1:
        return Verdict(
            level="tight", word="N−1: overloaded", reason="The other copies cannot carry {query_rate} until it is back."
        )
    return Verdict(level="good", word="OK", reason="The other copies carry {query_rate}.")


@verdict(
    "Drive endurance",
    good="",
    tight="changed_share=50%&rewrite_interval=1d&drive_capacity=1.92TB&index_kind=diskann",
    bad="changed_share=100%&rewrite_interval=1d&drive_capacity=1.92TB&index_kind=diskann",
)
def index_drives_last(index_place: IndexPlace, index_drive_life: float | None, drive_warranty: float) -> Verdict:
    """Whether the drives of the search nodes last as long as their warranty."""
    if index_place == "shared":
        return Verdict(level="good", word="on shared storage", reason="Storage demand counts these writes.")
    if index_drive_life is None:
        return Verdict(level="good", word="no writes", reason="Nothing changes and nothing is rewritten.")
    if index_drive_life >= drive_warranty:
        return Verdict(level="good", word="OK", reason="{index_writes_per_drive_and_day} drive writes per day.")
    level, word = ("tight", "wears early") if index_drive_life >= _WORN * drive_warranty else ("bad", "wears out")
    return Verdict(
        level="tight" if level == "tight" else "bad",
        word=word,
        reason="{index_writes_per_drive_and_day} drive writes per day, rated {drive_writes_per_day}: "
        "{index_drive_life} of a warranty of {drive_warranty}.",
    )


@verdict("Build time", good="build_gpus=8", tight="", bad="build_cores=16")
def built_in_time(index_kind: IndexKind, build_time: float) -> Verdict:
    """Whether an index can be rebuilt overnight, or at least within three days."""
    if index_kind == "flat":
        return Verdict(level="good", word="nothing to build", reason="Vectors are searched as they come.")
    if build_time <= _NIGHT * HOUR:
        return Verdict(level="good", word="OK", reason="{build_time} ({build_time_at_least} to {build_time_at_most}).")
    if build_time <= _LONGEST * HOUR:
        return Verdict(
            level="tight",
            word="more than a night",
            reason="{build_time} ({build_time_at_least} to {build_time_at_most}): a rebuild occupies working hours.",
        )
    return Verdict(
        level="bad",
        word="too slow",
        reason="{build_time} ({build_time_at_least} to {build_time_at_most}): a lost copy is missing for so long.",
    )


@verdict("Largest retrieval cost", good="request_rate=1", tight="")
def prompt_or_search(
    prefill_cost_per_month: float, search_cost_per_month: float, object_cost_per_month: float
) -> Verdict:
    """Verdict on which costs more, finding chunks or reading them into the prompt; a statement, never bad."""
    if prefill_cost_per_month <= search_cost_per_month + object_cost_per_month:
        return Verdict(
            level="good",
            word="search",
            reason="Search costs {search_cost_per_month} per month, the tokens it finds {prefill_cost_per_month}.",
        )
    return Verdict(
        level="tight",
        word="retrieved tokens",
        reason="Prefill costs {prefill_cost_per_month} per month, search {search_cost_per_month}.",
    )


FORMULAS = formulas_of(globals())

"""Tables of retrieval: kinds of index side by side, published recall, memory rules of products, conventions."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import ceil, floor
from typing import Any

from calculators import facts, units
from calculators.declare import Table
from calculators.subjects.retrieval.retrieval.kinds import KINDS
from calculators.units import GIB

_SHOWN = (
    *("index_memory", "index_kept", "search_nodes", "search_binding", "search_latency_p95", "cold_latency"),
    *("build_time", "search_cost_per_month", "object_cost_per_month"),
)
_RULES = tuple(facts.records("index-rules").values())
_RECALL = tuple(record for record in facts.records("recall-points").values() if "recall" not in record.fields)
_ONE = facts.records("recall-points")["recall-aisaq"]
_PAGE = 8192  # PostgreSQL's block
_PAGE_ROW = 88  # bytes of a row and its headers besides vector and neighbors, by pgvector's layout
_PAGE_NEIGHBOR = 6  # bytes of a tuple identifier
_FP32 = 4
Trying = Callable[[Mapping[str, Any], Iterable[str], Iterable[str]], Callable[[Mapping[str, Any]], Mapping[str, Any]]]


def side_by_side(trials: Trying) -> Table:
    """Table of every kind of index for the same vectors and traffic; `trials` are the calculator's own."""

    def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
        after = trials(values, ("index_kind",), _SHOWN)
        for key, kind in KINDS.items():
            found = after({"index_kind": key})
            cold, p95 = found["cold_latency"], found["search_latency_p95"]
            yield (
                kind.label + (" (this one)" if key == values["index_kind"] else ""),
                units.text(found["index_memory"], "B"),
                units.text(found["index_kept"], "B"),
                units.text(found["search_nodes"], "GPU" if key == "cagra" else "node"),
                found["search_binding"].word,
                units.text(p95, "s") + (f", cold {units.text(cold, 's')}" if cold and cold > p95 else ""),
                units.text(found["build_time"], "s") if found["build_time"] else "none",
                units.text(found["search_cost_per_month"] + found["object_cost_per_month"], "USD"),
                kind.weakness,
            )

    return Table(
        name="kinds",
        title="Kinds of index compared",
        about="The same vectors, traffic and nodes with each kind of index, everything else as set; graph degree as "
        "set, or typical for the kind. Equal search lists are not equal recall.",
        columns=(
            *("Index", "Memory per copy", "Drives per copy", "Nodes", "Limit", "Search p95", "Build"),
            *("USD per month", "Bad at"),
        ),
        rows=rows,
    )


def rule_bytes(rule: facts.Record, dimensions: float, value_bytes: float, m: float) -> float:
    """Memory of one vector by a product's rule [B]: factor × (vector + per_m × M + fixed).

    >>> round(rule_bytes(facts.all_records()["index-rule-opensearch"], 256, 4, 16), 1)
    1267.2
    """
    vector = dimensions * (rule.value("value_bytes") or value_bytes)
    whole = rule.value("whole")
    if whole:
        vector = whole * ceil(vector / whole)
    links = m * (rule.value("per_m") or 0)
    return float((rule.value("factor") or 1) * (vector + links + (rule.value("fixed") or 0)))


def page_bytes(dimensions: float, value_bytes: float, graph_degree: float) -> float:
    """Memory of one vector in pages of 8 KiB that hold whole rows, as pgvector's index does [B].

    >>> page_bytes(1024, 4, 32), round(page_bytes(384, 4, 32), 1)
    (8192.0, 2048.0)
    """
    row = dimensions * value_bytes + _PAGE_NEIGHBOR * graph_degree + _PAGE_ROW
    return _PAGE / floor(_PAGE / row) if row <= _PAGE else _PAGE * ceil(row / _PAGE)


def _memory(values: Mapping[str, Any], each: float) -> str:
    return units.text(values["vectors"] * each, "B")


def _conventions(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each convention, who uses it, and what it makes of these values."""
    plain = values["index_memory"] / (1 + values["index_working_share"])
    alone = units.text(plain, "B")
    yield "Memory: index alone, or with its working memory", "this page", f"{alone}; {{index_memory}}"
    dimensions, value_bytes, m = values["dimensions"], values["value_bytes"], values["graph_degree"] / 2
    for rule in _RULES:
        source = rule.fields[next(iter(rule.fields))].source
        who = source.by if source else ""
        yield f"Memory of HNSW by {rule.name}", who, _memory(values, rule_bytes(rule, dimensions, value_bytes, m))
    paged = _memory(values, page_bytes(dimensions, value_bytes, values["graph_degree"]))
    yield "Memory of HNSW in pages of 8 KiB", "pgvector (derived from its layout)", paged
    yield (
        "M, 2 M or R",
        "HNSW's M gives 2 M slots at the ground level; Vamana's R and CAGRA's graph_degree are slots",
        f"{{graph_degree}} slots: M = {units.text(m, '1')}, R = {{graph_degree}}",
    )
    yield (
        "Decimal or binary sizes",
        "vendors' GB; what drivers and engines print",
        f"{{index_memory}} or {values['index_memory'] / GIB:,.0f} GiB",
    )
    yield (
        "Queries per second at best concurrency, or of one client",
        "VectorDBBench prints both; blogs either",
        f"{{node_qps}} per node, or {units.text(1 / values['search_latency'], 'query/s')} of one client",
    )
    yield (
        "Cost per million queries at the present traffic, or at capacity",
        "bills; price lists",
        "{search_cost_per_million} or {search_cost_at_capacity}",
    )
    yield (
        "Recall@10 or recall@100, merged segments or not",
        "each benchmark its own; a longer list hides either",
        "not computed: see published recall",
    )


CONVENTIONS = Table(
    name="conventions",
    title="Where the field disagrees",
    about="What each way of counting makes of the present numbers; rules of products as if the index were HNSW.",
    columns=("Way of counting", "Who uses it", "Result for this index"),
    rows=_conventions,
)


def points(record: facts.Record) -> list[tuple[float, float]]:
    """Published points of a record: search list and recall, by list.

    >>> points(facts.all_records()["recall-elastic-cohere"])
    [(150.0, 0.903), (400.0, 0.956)]
    """
    found = ((float(name.removeprefix("at_")), float(one.value)) for name, one in record.fields.items())
    return sorted(found)


def between(known: list[tuple[float, float]], search_list: float) -> str:
    """Text of where a search list lies among published points.

    >>> between([(150, 0.903), (400, 0.956)], 100), between([(150, 0.903), (400, 0.956)], 200)
    ('below 0.903', '0.903 to 0.956')
    """
    lower = [recall for at, recall in known if at <= search_list]
    higher = [recall for at, recall in known if at >= search_list]
    if not lower:
        return f"below {higher[0]:.3f}"
    if not higher:
        return f"above {lower[-1]:.3f}"
    return f"{lower[-1]:.3f}" if lower[-1] == higher[0] else f"{lower[-1]:.3f} to {higher[0]:.3f}"


def _recalls(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Published points by index and data, and where the present list lies among them."""
    for record in _RECALL:
        by_reads = "by reads" in record.name
        at = values["reads_per_query"] if by_reads else values["search_list"]
        known = points(record)
        listed = ", ".join(f"{place:,.0f}: {recall:.3f}" for place, recall in known)
        yield record.name, listed, between(known, at) if at else "no reads here", record.note or ""
    yield (
        _ONE.name,
        f"{_ONE.value('recall'):.2f} at {_ONE.value('rate'):.0f} queries/s, p95 {_ONE.value('p95') * 1e3:.0f} ms",
        "no list published",
        "",
    )


RECALL = Table(
    name="recall",
    title="Published recall",
    about="Recall depends on the data, so it is not computed here. These are other people's points, for orientation; "
    "measure the recall of your index on your questions, at the list in use. MLPerf Storage's vector workload sets no "
    "pass mark for recall: do not compare its rates without it.",
    columns=("Index and data", "Search list: recall", "At the present list", "Note"),
    rows=_recalls,
)

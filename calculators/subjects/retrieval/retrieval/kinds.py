"""Index kinds: which hold a graph, search codes, or read the drives during a search."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

IndexKind = Literal["flat", "hnsw", "hnsw_mapped", "ivf_pq", "diskann", "all_in_storage", "cagra", "object"]


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of index: its name, what it keeps and reads, and what it is bad at.

    `graph`: a search walks a graph. `scans`: it scans lists of codes. `reads`: it reads the drives. `records`: the
    drives hold records of vector and neighbors in whole sectors. `codes`: it needs codes, in memory or in records.
    """

    label: str
    weakness: str
    graph: bool = False
    scans: bool = False
    reads: bool = False
    records: bool = False
    codes: bool = False


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "flat": Kind(label="Flat: no index", weakness="size: every query reads all vectors"),
        "hnsw": Kind(label="HNSW in memory", weakness="memory cost at low traffic; deletes", graph=True),
        "hnsw_mapped": Kind(
            label="HNSW, vectors on NVMe",
            weakness="without codes, a page fault per distance",
            graph=True,
            reads=True,
        ),
        "ivf_pq": Kind(label="IVF-PQ in memory", weakness="recall without rescoring", scans=True, codes=True),
        "diskann": Kind(
            label="DiskANN: graph on NVMe",
            weakness="builds of days; queue depth",
            graph=True,
            reads=True,
            records=True,
            codes=True,
        ),
        "all_in_storage": Kind(
            label="All in storage (AiSAQ)",
            weakness="drive space and drive bandwidth",
            graph=True,
            reads=True,
            records=True,
            codes=True,
        ),
        "cagra": Kind(label="CAGRA in GPU memory", weakness="price of GPU memory; single queries", graph=True),
        "object": Kind(
            label="Object storage with a cache",
            weakness="the first query after a pause",
            scans=True,
            reads=True,
            codes=True,
        ),
    }
)


def kind_of(index_kind: IndexKind) -> Kind:
    """Work of an index of this kind in a search."""
    return KINDS[index_kind]

"""Cache of the data loader: hit rate by eviction policy and scope, and bytes fetched from storage."""

from math import floor, log, log1p

from calculators.declare import formulas_of, step
from calculators.subjects.storage.data_loader.inputs import CachePolicy, CacheScope


def lru_hit_share(cached: float, nodes: float) -> float:
    """Hit rate of an LRU cache if `nodes` split every epoch at random.

    `cached` is the share of the data set that one node's cache holds. A node that read a sample at a random moment of
    one epoch meets it again in the next with probability 1/`nodes`, else in a later one. A hit needs fewer distinct
    samples in between than the cache holds. The rest of the first epoch and the beginning of the last pass over
    uniform shares of an epoch, X and Y, the epochs between them over all of it, so it is a hit if X Y (1-p)^(g-1) is
    above 1 - `cached`, with X, Y uniform from 1-p to 1, p = 1/`nodes` and g the epochs in between. With one node that
    is 1 - (1-c)(1 - ln(1-c)); with many it tends to c.

    >>> round(lru_hit_share(0.5, 1), 3), round(lru_hit_share(0.9, 1), 2), round(lru_hit_share(75 / 146, 2), 2)
    (0.153, 0.67, 0.33)
    """
    if cached >= 1:
        return 1
    left = 1 - cached
    if nodes <= 1:
        return max(0, cached + left * log1p(-cached))
    drawn = 1 / nodes
    missed = 1 - drawn
    sure = max(0, floor(log(left) / log1p(-drawn)) - 1)  # epochs after which it is always a hit
    found = 1 - missed**sure
    for epochs in range(sure, sure + 3):
        needed = left / missed**epochs
        if needed < 1:
            found += drawn * missed**epochs * _above(needed, missed)
    return min(1, max(0, found))


def _above(needed: float, low: float) -> float:
    """Chance that the product of two numbers, uniform from `low` to 1, is above `needed`."""
    area = (1 - low) ** 2
    if needed <= low**2:
        return 1
    if needed >= low:
        return (1 - needed + needed * log(needed)) / area
    return 1 - (needed * log(needed / low**2) - needed + low**2) / area


@step("B", "Data set size", rises_with=("dataset_samples", "sample_bytes"))
def dataset_bytes(dataset_samples: float, sample_bytes: float) -> float:
    """Stored size of the data set [B]: `dataset_samples` of `sample_bytes` [B]."""
    return dataset_samples * sample_bytes


@step("share", "Share of the data set that fits in the cache", rises_with=("cache_per_node",))
def cache_share(cache_per_node: float | None, cache_scope: CacheScope, gpu_nodes: float, dataset_bytes: float) -> float:
    """Share of the `dataset_bytes` [B] that fits in the cache of a node, or in all caches if shared.

    `cache_per_node` [B] on each of `gpu_nodes`; 0 without a cache.
    """
    return min(1, (cache_per_node or 0) * (gpu_nodes if cache_scope == "shared" else 1) / dataset_bytes)


@step("share", "Cache hit rate", source="mohan-2021", rises_with=("cache_per_node",))
def cache_hit_share(
    cache_share: float, cache_policy: CachePolicy, cache_scope: CacheScope, gpu_nodes: float, epochs: float
) -> float:
    """Share of reads that the cache serves from the second epoch on, in a new random order every epoch.

    0 in a single epoch. A cache without eviction serves its `cache_share`; an LRU cache serves less, because most
    samples are evicted before they are read again. Shared caches act as one.
    """
    if epochs == 1:
        return 0
    if cache_policy == "kept":
        return cache_share
    return lru_hit_share(cache_share, gpu_nodes if cache_scope == "alone" else 1)


@step("B", "Fetched per epoch", falls_with=("cache_per_node",))
def fetched_per_epoch(dataset_bytes: float, cache_hit_share: float) -> float:
    """Bytes that all nodes read from storage in each epoch after the first [B].

    Mohan et al. saw a data set of 146 GiB of which 35% fit: 95 GiB without eviction.

    >>> round(fetched_per_epoch(146, 0.35), 1)
    94.9
    """
    return dataset_bytes * (1 - cache_hit_share)


@step("USD", "Egress cost", rises_with=("egress_price",))
def egress_cost(dataset_bytes: float, epochs: float, fetched_per_epoch: float, egress_price: float) -> float:
    """Egress charge for all `epochs` [USD], at `egress_price` [USD/B]; the first epoch reads everything.

    >>> egress_cost(60e12, 1, 60e12, 0.09e-9)
    5400.0
    """
    return (dataset_bytes + (epochs - 1) * fetched_per_epoch) * egress_price


FORMULAS = formulas_of(globals())

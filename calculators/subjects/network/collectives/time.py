"""Times of collectives by algorithm and protocol, from NCCL's tuning model: latency plus bytes over bandwidth."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from calculators import facts
from calculators.declare import formulas_of, step
from calculators.subjects.network.collectives.inputs import Collective, HostCpu


class Hops(NamedTuple):
    """Latency of a protocol [s]: its base, a hop inside a domain and a hop between domains."""

    base: float
    link: float
    net: float


def _hops(protocol: str, algorithm: str) -> Hops:
    return Hops(*(float(facts.fact(f"nccl-latency-{protocol}.{algorithm}_{part}").value) for part in Hops._fields))


def _factors(protocol: str) -> tuple[float, ...]:
    return tuple(map(float, str(facts.fact(f"nccl-tree-correction.{protocol}").value).split()))


RING_LL, RING_LL128, RING_SIMPLE = (_hops(protocol, "ring") for protocol in ("ll", "ll128", "simple"))
TREE_LL, TREE_LL128, TREE_SIMPLE = (_hops(protocol, "tree") for protocol in ("ll", "ll128", "simple"))
SWITCH = float(facts.fact("nccl-latency-switch.link").value)
SWITCH_TREE = float(facts.fact("nccl-latency-switch.tree_net").value)
SWITCH_SHARP = float(facts.fact("nccl-latency-switch.sharp_net").value)
POST = {cpu: float(facts.fact(f"nccl-post.{cpu}").value) for cpu in ("intel", "amd")}
SIMPLE_POSTS = float(facts.fact("nccl-post.simple_times").value)
RING_PLATEAU = float(facts.fact("nccl-ring-plateau").value)
RING_PLATEAU_FROM = float(facts.fact("nccl-ring-plateau-from").value)
CHANNELS = float(facts.fact("nccl-channels").value)
LL_OF_RING = float(facts.fact("nccl-shares.ring_ll").value)
LL128_OF_RING = float(facts.fact("nccl-shares.ring_ll128").value)
BALANCED = float(facts.fact("nccl-shares.tree").value)
LL_BELOW_TREE = float(facts.fact("nccl-shares.tree_ll_below").value)
LL128_OF_TREE_INSIDE = float(facts.fact("nccl-shares.tree_ll128_inside").value)
LL128_OF_TREE_BETWEEN = float(facts.fact("nccl-shares.tree_ll128_between").value)
LL_FACTORS, LL128_FACTORS, SIMPLE_FACTORS = map(_factors, ("ll", "ll128", "simple"))
SMALLEST_CORRECTED = 64


@step("s", "Time to post one message", source="nccl-tuning")
def post_time(host_cpu: HostCpu, domains: float) -> float:
    """Time to hand one message to the network [s]; 0 inside a domain."""
    return POST[host_cpu] if domains > 1 else 0.0


def _rounds(collective: Collective) -> float:
    """Passes around a ring: an all-reduce takes one to reduce and one to distribute."""
    return 2 if collective == "all_reduce" else 1


def _ring(collective: Collective, ranks: float, domains: float, hops: Hops, post: float, nic_latency: float) -> float:
    """Latency of a ring [s]. With one GPU per domain nothing hides the network's latency: a tree's hop counts."""
    between = _rounds(collective) * (domains - 1)
    if collective == "broadcast":
        return hops.base + (hops.link if domains == 1 else hops.net + nic_latency)
    return (
        hops.base
        + (_rounds(collective) * (ranks - 1) - between) * max(hops.link, post)
        + between * (hops.net + nic_latency)
    )


@step("s", "Ring LL latency", source="nccl-tuning")
def ring_ll_latency(
    collective: Collective, ranks: float, domains: float, post_time: float, nic_latency: float
) -> float:
    """Latency of a ring in the LL protocol [s]: one hop per rank it passes.

    >>> round(ring_ll_latency("all_reduce", 8, 1, 0, 0) * 1e6, 1)
    15.0
    """
    hops = RING_LL._replace(net=TREE_LL.net) if ranks == domains else RING_LL
    return _ring(collective, ranks, domains, hops, post_time, nic_latency)


@step("s", "Ring LL128 latency", source="nccl-tuning")
def ring_ll128_latency(
    collective: Collective, ranks: float, domains: float, post_time: float, nic_latency: float
) -> float:
    """Latency of a ring in the LL128 protocol [s]."""
    hops = RING_LL128._replace(net=TREE_LL128.net) if ranks == domains else RING_LL128
    return _ring(collective, ranks, domains, hops, post_time, nic_latency)


@step("s", "Ring Simple latency", source="nccl-tuning")
def ring_simple_latency(
    collective: Collective,
    message_size: float,
    ranks: float,
    domains: float,
    post_time: float,
    nic_latency: float,
) -> float:
    """Latency of a ring in the Simple protocol [s]; longer for an all-reduce between domains, as NCCL measured."""
    latency = _ring(collective, ranks, domains, RING_SIMPLE, SIMPLE_POSTS * post_time, 2 * nic_latency)
    full = message_size >= RING_PLATEAU_FROM * CHANNELS * ranks
    return latency * RING_PLATEAU if domains > 1 and full and collective == "all_reduce" else latency


def _tree(ranks: float, domains: float, hops: Hops, nic_latency: float) -> float:
    """Latency of a tree [s]: along the GPUs of a domain, then up and down between domains."""
    up = math.floor(math.log2(domains))
    return hops.base + 2 * ((ranks // domains - 1) * hops.link + up * (hops.net + nic_latency))


@step("s", "Tree LL latency", source="nccl-tuning")
def tree_ll_latency(ranks: float, domains: float, nic_latency: float) -> float:
    """Latency of an all-reduce over a double tree in the LL protocol [s].

    >>> round(tree_ll_latency(24, 3, 0) * 1e6, 1)
    25.2
    """
    return _tree(ranks, domains, TREE_LL, nic_latency)


@step("s", "Tree LL128 latency", source="nccl-tuning")
def tree_ll128_latency(ranks: float, domains: float, nic_latency: float) -> float:
    """Latency of an all-reduce over a double tree in the LL128 protocol [s]."""
    return _tree(ranks, domains, TREE_LL128, nic_latency)


@step("s", "Tree Simple latency", source="nccl-tuning")
def tree_simple_latency(ranks: float, domains: float, nic_latency: float) -> float:
    """Latency of an all-reduce over a double tree in the Simple protocol [s]."""
    return _tree(ranks, domains, TREE_SIMPLE, 2 * nic_latency)


@step("s", "NVLS latency", source="nccl-tuning")
def nvls_latency(domains: float, nic_latency: float) -> float:
    """Latency of an NVLS all-reduce [s], with a tree between domains.

    >>> round(nvls_latency(1, 0) * 1e6), round(nvls_latency(8, 0) * 1e6, 1)
    (25, 150.4)
    """
    return SWITCH + 2 * math.floor(math.log2(domains)) * (SWITCH_TREE + 2 * nic_latency)


@step("s", "NVLS + SHARP latency", source="nccl-tuning")
def sharp_latency(domains: float, nic_latency: float) -> float:
    """Latency of an all-reduce in scale-up and network switches [s]."""
    return SWITCH + (SWITCH_SHARP + 2 * nic_latency if domains > 1 else 0)


@step("s", "Ring LL time", source="nccl-tuning", rises_with=("message_size",))
def ring_ll_time(
    message_size: float, bus_factor: float, ring_ll_latency: float, ring_bus_bandwidth: float, ll_limit: float
) -> float:
    """Time of the collective over a ring in the LL protocol [s]: half of the link's bytes are flags.

    >>> round(ring_ll_time(2**20, 1.75, 15e-6, 370.8e9, 141e9) * 1e6, 2)
    28.01
    """
    return ring_ll_latency + message_size * bus_factor / min(ll_limit, ring_bus_bandwidth * LL_OF_RING)


@step("s", "Ring LL128 time", source="nccl-tuning", rises_with=("message_size",))
def ring_ll128_time(
    message_size: float, bus_factor: float, ring_ll128_latency: float, ring_bus_bandwidth: float
) -> float:
    """Time of the collective over a ring in the LL128 protocol [s]."""
    return ring_ll128_latency + message_size * bus_factor / (ring_bus_bandwidth * LL128_OF_RING)


@step("s", "Ring Simple time", source="nccl-tuning", rises_with=("message_size",))
def ring_simple_time(
    message_size: float, bus_factor: float, ring_simple_latency: float, ring_bus_bandwidth: float
) -> float:
    """Time of the collective over a ring in the Simple protocol [s]."""
    return ring_simple_latency + message_size * bus_factor / ring_bus_bandwidth


def corrected(message_size: float, factors: Sequence[float]) -> float:
    """NCCL's tree bandwidth correction at this size [1]: by the power of two below it, from 64 B to 256 MiB.

    >>> corrected(64, LL_FACTORS), corrected(65536, LL_FACTORS), corrected(2**30, SIMPLE_FACTORS)
    (1.0, 0.6, 1.0)
    """
    if not SMALLEST_CORRECTED <= message_size < SMALLEST_CORRECTED * 2.0 ** (len(factors) - 1):
        return 1.0
    return factors[math.floor(math.log2(message_size / SMALLEST_CORRECTED))]


@step("s", "Tree LL time", source="nccl-tuning")
def tree_ll_time(
    message_size: float, tree_ll_latency: float, tree_bus_bandwidth: float, tree_efficiency: float, ll_limit: float
) -> float:
    """Time of an all-reduce over a double tree in the LL protocol [s]."""
    balance = tree_efficiency / BALANCED
    reached = min(tree_bus_bandwidth / balance / LL_BELOW_TREE, ll_limit) * balance
    return tree_ll_latency + 2 * message_size / (reached * corrected(message_size, LL_FACTORS))


@step("s", "Tree LL128 time", source="nccl-tuning")
def tree_ll128_time(message_size: float, tree_ll128_latency: float, tree_bus_bandwidth: float, domains: float) -> float:
    """Time of an all-reduce over a double tree in the LL128 protocol [s]."""
    reached = tree_bus_bandwidth * (LL128_OF_TREE_INSIDE if domains == 1 else LL128_OF_TREE_BETWEEN)
    return tree_ll128_latency + 2 * message_size / (reached * corrected(message_size, LL128_FACTORS))


@step("s", "Tree Simple time", source="nccl-tuning")
def tree_simple_time(message_size: float, tree_simple_latency: float, tree_bus_bandwidth: float) -> float:
    """Time of an all-reduce over a double tree in the Simple protocol [s]."""
    return tree_simple_latency + 2 * message_size / (tree_bus_bandwidth * corrected(message_size, SIMPLE_FACTORS))


@step("s", "NVLS time", source="nccl-tuning", rises_with=("message_size",))
def nvls_time(message_size: float, ranks: float, nvls_latency: float, nvls_tree_bus_bandwidth: float) -> float:
    """Time of an NVLS all-reduce [s], with a tree between domains."""
    return nvls_latency + message_size * 2 * (ranks - 1) / ranks / nvls_tree_bus_bandwidth


@step("s", "NVLS + SHARP time", source="nccl-tuning", rises_with=("message_size",))
def sharp_time(message_size: float, ranks: float, sharp_latency: float, sharp_bus_bandwidth: float) -> float:
    """Time of an all-reduce in scale-up and network switches [s]."""
    return sharp_latency + message_size * 2 * (ranks - 1) / ranks / sharp_bus_bandwidth


@step("s", "All-to-all latency", source="nccl-tuning")
def direct_latency(ranks: float, domains: float, post_time: float, nic_latency: float) -> float:
    """Latency of an all-to-all [s]: a launch and a hop, or between domains the time to post all messages if longer.

    >>> [round(direct_latency(ranks, domains, 1e-6, 0) * 1e6, 1) for ranks, domains in ((8, 1), (8, 2), (64, 8))]
    [7.2, 9.3, 63.0]
    """
    if domains == 1:
        return RING_LL.base + RING_LL.link
    return max(RING_LL.base + RING_LL.net, (ranks - 1) * post_time) + nic_latency


@step("s", "All-to-all time", rises_with=("message_size",))
def all_to_all_time(message_size: float, ranks: float, direct_latency: float, all_to_all_bus_bandwidth: float) -> float:
    """Time of an all-to-all [s]: one message per other rank, and all but a rank's own share over the links."""
    return direct_latency + message_size * (ranks - 1) / ranks / all_to_all_bus_bandwidth


FORMULAS = formulas_of(globals())

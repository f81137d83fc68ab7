"""Bus bandwidths of rings, trees, NVLS and SHARP, inside a scale-up domain and between domains.

One way, as nccl-tests counts it. The model is the one NCCL uses to choose an algorithm.
"""

import math
from typing import NamedTuple

from calculators import facts
from calculators.declare import formulas_of, record, step
from calculators.subjects.network.collectives.inputs import Collective, HostCpu, InNetwork

MOST_HEADS = float(facts.fact("nccl-switch-heads").value)
LL_BETWEEN_TWO = {cpu: float(facts.fact(f"nccl-ll-network.{cpu}_two").value) for cpu in ("intel", "amd")}
LL_BETWEEN_MORE = {cpu: float(facts.fact(f"nccl-ll-network.{cpu}_more").value) for cpu in ("intel", "amd")}
NOTICEABLE_GAIN = float(facts.fact("nvls-gain-noticeable").value)
TWO = 2


@step("1", "Scale-up domains")
def domains(ranks: float, gpus_per_domain: float) -> float:
    """Scale-up domains that the group spans [1]."""
    return math.ceil(ranks / gpus_per_domain)


@step("GPU", "GPUs of the group per domain")
def ranks_per_domain(ranks: float, domains: float) -> float:
    """GPUs of the group in each domain [GPU], spread evenly."""
    return ranks / domains


@step(
    "B/s", "Ring bus bandwidth inside a domain", source="nccl-tuning", rises_with=("link_bandwidth", "link_efficiency")
)
def domain_bandwidth(link_bandwidth: float, link_efficiency: float) -> float:
    """Bus bandwidth of a ring inside a domain [B/s], from `link_bandwidth` of both directions [B/s].

    >>> round(domain_bandwidth(900e9, 0.824) / 1e9, 1)
    370.8
    """
    return link_bandwidth / 2 * link_efficiency


@step("B/s", "Ring bus bandwidth between domains", source="nccl-tuning", rises_with=("nic_bandwidth", "nic_efficiency"))
def network_bandwidth(nic_bandwidth: float, ranks_per_domain: float, nic_efficiency: float) -> float:
    """Bus bandwidth of rings between domains [B/s], one way: one ring per NIC, all NICs of a domain added.

    >>> round(network_bandwidth(50e9, 8, 0.96) / 1e9)
    384
    """
    return nic_bandwidth * ranks_per_domain * nic_efficiency


@step("B/s", "Ring bus bandwidth", source="nccl-tuning", rises_with=("link_bandwidth",))
def ring_bus_bandwidth(domain_bandwidth: float, network_bandwidth: float, domains: float) -> float:
    """Bus bandwidth of a ring for large messages [B/s]: that of its slowest link."""
    return domain_bandwidth if domains == 1 else min(domain_bandwidth, network_bandwidth)


@step("B/s", "Tree bus bandwidth", source="nccl-tuning", rises_with=("link_bandwidth", "tree_efficiency"))
def tree_bus_bandwidth(
    domain_bandwidth: float, network_bandwidth: float, domains: float, tree_efficiency: float
) -> float:
    """Bus bandwidth of a double tree for large messages [B/s].

    Between two domains a tree crosses the network once each way, so the network limit is twice as high.

    >>> [tree_bus_bandwidth(370e9, 50e9, domains, 0.5) / 1e9 for domains in (1, 2, 3)]
    [185.0, 50.0, 25.0]
    """
    crossing = network_bandwidth * (2 if domains == TWO else 1)
    return tree_efficiency * (domain_bandwidth if domains == 1 else min(domain_bandwidth, crossing))


@step("GPU", "NVLS heads", source="nccl-tuning")
def nvls_heads(ranks_per_domain: float) -> float:
    """GPUs of a domain among which NVLS splits the reduction [GPU]."""
    return min(ranks_per_domain, MOST_HEADS)


@step("B/s", "NVLS bus bandwidth inside a domain", source="nccl-tuning", rises_with=("link_bandwidth",))
def nvls_bus_bandwidth(domain_bandwidth: float, nvls_efficiency: float, nvls_heads: float) -> float:
    """Bus bandwidth of a reduction in the scale-up switches [B/s]; that of a ring where the switches cannot reduce.

    A ring moves 2(n-1)/n of the buffer through each GPU's link, NVLS (n+1)/n: the quotient is the speedup.

    >>> round(nvls_bus_bandwidth(370.8e9, 0.85, 8) / 1e9, 1)
    490.3
    """
    if nvls_efficiency == 0 or nvls_heads == 1:
        return domain_bandwidth
    return 2 * nvls_efficiency * domain_bandwidth * (nvls_heads - 1) / (nvls_heads + 1)


@step("1", "NVLS speedup over a ring", source="nccl-tuning")
def nvls_gain(nvls_bus_bandwidth: float, domain_bandwidth: float) -> float:
    """NVLS bus bandwidth over that of a ring in the same domain [1]."""
    return nvls_bus_bandwidth / domain_bandwidth


@step("B/s", "NVLS tree bus bandwidth", source="nccl-tuning", rises_with=("link_bandwidth",))
def nvls_tree_bus_bandwidth(nvls_bus_bandwidth: float, network_bandwidth: float, domains: float) -> float:
    """Bus bandwidth of NVLS inside each domain and a tree between domains [B/s].

    >>> [nvls_tree_bus_bandwidth(480e9, 200e9, domains) / 1e9 for domains in (1, 2, 3)]
    [480.0, 400.0, 200.0]
    """
    return (
        nvls_bus_bandwidth
        if domains == 1
        else min(nvls_bus_bandwidth, network_bandwidth * (2 if domains == TWO else 1))
    )


@step("B/s", "NVLS + SHARP bus bandwidth", source="nccl-tuning", rises_with=("link_bandwidth",))
def sharp_bus_bandwidth(nvls_bus_bandwidth: float, network_bandwidth: float, ranks: float) -> float:
    """Bus bandwidth where network switches reduce as well [B/s]: each NIC sends the data once, not twice.

    >>> round(sharp_bus_bandwidth(490.28e9, 384e9, 32) / 1e9, 2), sharp_bus_bandwidth(490e9, 100e9, 16) / 1e9
    (490.28, 187.5)
    """
    return min(nvls_bus_bandwidth, 2 * network_bandwidth * (ranks - 1) / ranks)


@step("B/s", "All-to-all bus bandwidth", rises_with=("link_bandwidth", "all_to_all_link_efficiency"))
def all_to_all_bus_bandwidth(
    link_bandwidth: float,
    nic_bandwidth: float,
    ranks: float,
    gpus_per_domain: float,
    all_to_all_link_efficiency: float,
    all_to_all_nic_efficiency: float,
) -> float:
    """Bus bandwidth of an all-to-all [B/s]: each GPU's own NIC limits it; bytes inside the domain are counted too.

    >>> round(all_to_all_bus_bandwidth(900e9, 50e9, 32, 8, 0.71, 0.96) / 1e9)
    62
    """
    inside = link_bandwidth / 2 * all_to_all_link_efficiency
    if ranks <= gpus_per_domain:
        return inside
    return min(inside, nic_bandwidth * all_to_all_nic_efficiency * (ranks - 1) / (ranks - gpus_per_domain))


@step("B/s", "All-to-all bandwidth, logical (DeepEP)", source="deepep")
def logical_all_to_all_bandwidth(nic_bandwidth: float, all_to_all_nic_efficiency: float, domains: float) -> float:
    """Bandwidth as DeepEP prints it for several domains [B/s]: tokens that stay in the domain are counted as sent.

    In one domain nothing crosses the network, and the result is the NIC's own bandwidth.

    >>> round(logical_all_to_all_bandwidth(50e9, 0.89, 2) / 1e9)
    89
    """
    return nic_bandwidth * all_to_all_nic_efficiency * domains / max(1, domains - 1)


@step("1", "Bus factor (bus ÷ algorithm bandwidth)", source="nccl-tests-performance")
def bus_factor(collective: Collective, ranks: float) -> float:
    """Bytes that each GPU sends per byte of the buffer [1], as nccl-tests counts them.

    >>> bus_factor("all_reduce", 8), bus_factor("all_gather", 8)
    (1.75, 0.875)
    """
    once = (ranks - 1) / ranks
    return {"all_reduce": 2 * once, "broadcast": 1.0}.get(collective, once)


@step("B/s", "LL bandwidth limit for this group", source="nccl-tuning")
def ll_limit(ll_ceiling: float, domains: float, host_cpu: HostCpu) -> float:
    """Maximum bandwidth of the LL protocol [B/s]: by GPU generation in one domain, by host CPU between domains."""
    if domains == 1:
        return ll_ceiling
    return LL_BETWEEN_TWO[host_cpu] if domains == TWO else LL_BETWEEN_MORE[host_cpu]


class BusBandwidths(NamedTuple):
    """Bus bandwidths by algorithm [B/s], and the speedup of NVLS over a ring [1]."""

    ring: float
    tree: float
    nvls_gain: float
    nvls_tree: float
    sharp: float
    all_to_all: float


@record("Bus bandwidths by algorithm")
def bus_bandwidths(
    ring_bus_bandwidth: float,
    tree_bus_bandwidth: float,
    nvls_gain: float,
    nvls_tree_bus_bandwidth: float,
    sharp_bus_bandwidth: float,
    all_to_all_bus_bandwidth: float,
) -> BusBandwidths:
    """Bus bandwidth of each algorithm for large messages."""
    return BusBandwidths(
        ring=ring_bus_bandwidth,
        tree=tree_bus_bandwidth,
        nvls_gain=nvls_gain,
        nvls_tree=nvls_tree_bus_bandwidth,
        sharp=sharp_bus_bandwidth,
        all_to_all=all_to_all_bus_bandwidth,
    )


@step("B/s", "Plateau bus bandwidth", source="nccl-tuning")
def plateau_bus_bandwidth(
    collective: Collective, in_network: InNetwork, ranks: float, domains: float, bus_bandwidths: BusBandwidths
) -> float:
    """Bus bandwidth that large messages approach [B/s], and nccl-tests should print for its largest sizes.

    nccl-tests counts 2(n-1)/n of the buffer where a tree sends all of it twice, so it prints (n-1)/n of a tree's.

    >>> buses = BusBandwidths(ring=100e9, tree=160e9, nvls_gain=1.3, nvls_tree=130e9, sharp=170e9, all_to_all=40e9)
    >>> plateau_bus_bandwidth("all_reduce", "none", 4, 2, buses) / 1e9
    120.0
    >>> [plateau_bus_bandwidth("all_reduce", "nvls_and_sharp", 4, domains, buses) / 1e9 for domains in (1, 2)]
    [130.0, 170.0]
    >>> [plateau_bus_bandwidth(kind, "nvls", 4, 2, buses) / 1e9 for kind in ("all_gather", "all_to_all")]
    [100.0, 40.0]
    """
    if collective == "all_to_all":
        return bus_bandwidths.all_to_all
    if collective != "all_reduce":
        return bus_bandwidths.ring
    found = [bus_bandwidths.ring, bus_bandwidths.tree * (ranks - 1) / ranks]
    if in_network != "none" and bus_bandwidths.nvls_gain > NOTICEABLE_GAIN:
        found.append(bus_bandwidths.nvls_tree)
        found += [bus_bandwidths.sharp] if in_network == "nvls_and_sharp" and domains > 1 else []
    return max(found)


FORMULAS = formulas_of(globals())

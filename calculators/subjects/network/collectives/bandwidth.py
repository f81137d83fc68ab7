"""Bandwidths of collectives: what rings, trees and switches that add reach inside a domain and between domains.

Bus bandwidth throughout, as nccl-tests counts it; one way. The model is the one by which NCCL chooses an algorithm.
"""

import math

from calculators import facts
from calculators.declare import formulas_of, step
from calculators.subjects.network.collectives.inputs import Collective, HostCpu, InNetwork

MOST_HEADS = float(facts.fact("nccl-switch-heads").value)
LL_BETWEEN_TWO = {cpu: float(facts.fact(f"nccl-ll-network.{cpu}_two").value) for cpu in ("intel", "amd")}
LL_BETWEEN_MORE = {cpu: float(facts.fact(f"nccl-ll-network.{cpu}_more").value) for cpu in ("intel", "amd")}
NOTICEABLE_GAIN = float(facts.fact("nvls-gain-noticeable").value)
TWO = 2


@step("1", "Domains")
def domains(ranks: float, gpus_per_domain: float) -> float:
    """How many scale-up domains the group spans [1]."""
    return math.ceil(ranks / gpus_per_domain)


@step("GPU", "GPUs of the group in each domain")
def ranks_per_domain(ranks: float, domains: float) -> float:
    """GPUs of the group in a domain [GPU], all domains holding as many."""
    return ranks / domains


@step("B/s", "What a ring reaches in a domain", source="nccl-tuning", rises_with=("link_bandwidth", "link_efficiency"))
def domain_bandwidth(link_bandwidth: float, link_efficiency: float) -> float:
    """Bus bandwidth of a ring inside a domain [B/s], from `link_bandwidth` of both directions [B/s].

    >>> round(domain_bandwidth(900e9, 0.824) / 1e9, 1)
    370.8
    """
    return link_bandwidth / 2 * link_efficiency


@step("B/s", "What a domain's network carries", source="nccl-tuning", rises_with=("nic_bandwidth", "nic_efficiency"))
def network_bandwidth(nic_bandwidth: float, ranks_per_domain: float, nic_efficiency: float) -> float:
    """All cards of a domain together, one way [B/s]: rings run side by side, one on each card.

    >>> round(network_bandwidth(50e9, 8, 0.96) / 1e9)
    384
    """
    return nic_bandwidth * ranks_per_domain * nic_efficiency


@step("B/s", "Ring", source="nccl-tuning", rises_with=("link_bandwidth",))
def ring_bus_bandwidth(domain_bandwidth: float, network_bandwidth: float, domains: float) -> float:
    """Bus bandwidth of a ring with large messages [B/s]: of its slowest link."""
    return domain_bandwidth if domains == 1 else min(domain_bandwidth, network_bandwidth)


@step("B/s", "Tree", source="nccl-tuning", rises_with=("link_bandwidth", "tree_efficiency"))
def tree_bus_bandwidth(
    domain_bandwidth: float, network_bandwidth: float, domains: float, tree_efficiency: float
) -> float:
    """Bus bandwidth of a double tree with large messages [B/s].

    Between two domains a tree crosses the network once each way, so the network carries twice as much of it.

    >>> [tree_bus_bandwidth(370e9, 50e9, domains, 0.5) / 1e9 for domains in (1, 2, 3)]
    [185.0, 50.0, 25.0]
    """
    crossing = network_bandwidth * (2 if domains == TWO else 1)
    return tree_efficiency * (domain_bandwidth if domains == 1 else min(domain_bandwidth, crossing))


@step("GPU", "Heads of the reduction in the switch", source="nccl-tuning")
def nvls_heads(ranks_per_domain: float) -> float:
    """GPUs of a domain among which a reduction in the switch is dealt out [GPU]."""
    return min(ranks_per_domain, MOST_HEADS)


@step("B/s", "Switches that add, in a domain", source="nccl-tuning", rises_with=("link_bandwidth",))
def nvls_bus_bandwidth(domain_bandwidth: float, nvls_efficiency: float, nvls_heads: float) -> float:
    """Bus bandwidth of a reduction in the scale-up switches [B/s]; that of a ring where they do not add.

    A ring moves 2(n-1)/n of the buffer through each GPU's link, a switch that adds (n+1)/n: the quotient is the gain.

    >>> round(nvls_bus_bandwidth(370.8e9, 0.85, 8) / 1e9, 1)
    490.3
    """
    if nvls_efficiency == 0 or nvls_heads == 1:
        return domain_bandwidth
    return 2 * nvls_efficiency * domain_bandwidth * (nvls_heads - 1) / (nvls_heads + 1)


@step("1", "Gain of switches that add", source="nccl-tuning")
def nvls_gain(nvls_bus_bandwidth: float, domain_bandwidth: float) -> float:
    """How many times a ring's bandwidth a reduction in the switch reaches [1]."""
    return nvls_bus_bandwidth / domain_bandwidth


@step("B/s", "NVLS tree", source="nccl-tuning", rises_with=("link_bandwidth",))
def nvls_tree_bus_bandwidth(nvls_bus_bandwidth: float, network_bandwidth: float, domains: float) -> float:
    """Bus bandwidth of switches that add in each domain and a tree between them [B/s].

    >>> [nvls_tree_bus_bandwidth(480e9, 200e9, domains) / 1e9 for domains in (1, 2, 3)]
    [480.0, 400.0, 200.0]
    """
    return (
        nvls_bus_bandwidth
        if domains == 1
        else min(nvls_bus_bandwidth, network_bandwidth * (2 if domains == TWO else 1))
    )


@step("B/s", "Switches that add, everywhere", source="nccl-tuning", rises_with=("link_bandwidth",))
def sharp_bus_bandwidth(nvls_bus_bandwidth: float, network_bandwidth: float, ranks: float) -> float:
    """Bus bandwidth where network switches add as well [B/s]: each card sends the data once, not twice.

    >>> round(sharp_bus_bandwidth(490.28e9, 384e9, 32) / 1e9, 2), sharp_bus_bandwidth(490e9, 100e9, 16) / 1e9
    (490.28, 187.5)
    """
    return min(nvls_bus_bandwidth, 2 * network_bandwidth * (ranks - 1) / ranks)


@step("B/s", "All-to-all", rises_with=("link_bandwidth", "all_to_all_link_efficiency"))
def all_to_all_bus_bandwidth(
    link_bandwidth: float,
    nic_bandwidth: float,
    ranks: float,
    gpus_per_domain: float,
    all_to_all_link_efficiency: float,
    all_to_all_nic_efficiency: float,
) -> float:
    """Bus bandwidth of an all-to-all [B/s]: each GPU's own card decides, and what stays in the domain is counted too.

    >>> round(all_to_all_bus_bandwidth(900e9, 50e9, 32, 8, 0.71, 0.96) / 1e9)
    62
    """
    inside = link_bandwidth / 2 * all_to_all_link_efficiency
    if ranks <= gpus_per_domain:
        return inside
    return min(inside, nic_bandwidth * all_to_all_nic_efficiency * (ranks - 1) / (ranks - gpus_per_domain))


@step("B/s", "All-to-all, logical", source="deepep")
def logical_all_to_all_bandwidth(nic_bandwidth: float, all_to_all_nic_efficiency: float, domains: float) -> float:
    """Bandwidth as DeepEP prints it for several domains [B/s]: tokens that stay in the domain are counted as sent.

    In one domain nothing crosses the network, and the card's own share stands.

    >>> round(logical_all_to_all_bandwidth(50e9, 0.89, 2) / 1e9)
    89
    """
    return nic_bandwidth * all_to_all_nic_efficiency * domains / max(1, domains - 1)


@step("1", "Bus bandwidth over algorithm bandwidth", source="nccl-tests-performance")
def bus_factor(collective: Collective, ranks: float) -> float:
    """What each GPU must send for each byte of the buffer [1], in the counting of nccl-tests.

    >>> bus_factor("all_reduce", 8), bus_factor("all_gather", 8)
    (1.75, 0.875)
    """
    once = (ranks - 1) / ranks
    return {"all_reduce": 2 * once, "broadcast": 1.0}.get(collective, once)


@step("B/s", "Ceiling of LL for this group", source="nccl-tuning")
def ll_limit(ll_ceiling: float, domains: float, host_cpu: HostCpu) -> float:
    """What the LL protocol carries at most [B/s]: in one domain by the GPU's generation, between them by processor."""
    if domains == 1:
        return ll_ceiling
    return LL_BETWEEN_TWO[host_cpu] if domains == TWO else LL_BETWEEN_MORE[host_cpu]


@step("B/s", "Plateau of the bus bandwidth", source="nccl-tuning")
def plateau_bus_bandwidth(
    collective: Collective,
    in_network: InNetwork,
    ranks: float,
    domains: float,
    ring_bus_bandwidth: float,
    tree_bus_bandwidth: float,
    nvls_gain: float,
    nvls_tree_bus_bandwidth: float,
    sharp_bus_bandwidth: float,
    all_to_all_bus_bandwidth: float,
) -> float:
    """Bus bandwidth that ever larger messages approach [B/s]: what an nccl-tests run should show at its end.

    nccl-tests counts 2(n-1)/n of the buffer where a tree sends all of it twice, so that trees show (n-1)/n of theirs.

    >>> bandwidths = (100e9, 160e9, 1.3, 130e9, 170e9, 40e9)  # ring, tree, gain of NVLS, its tree, SHARP, all-to-all
    >>> plateau_bus_bandwidth("all_reduce", "none", 4, 2, *bandwidths) / 1e9
    120.0
    >>> [plateau_bus_bandwidth("all_reduce", "nvls_and_sharp", 4, domains, *bandwidths) / 1e9 for domains in (1, 2)]
    [130.0, 170.0]
    >>> [plateau_bus_bandwidth(kind, "nvls", 4, 2, *bandwidths) / 1e9 for kind in ("all_gather", "all_to_all")]
    [100.0, 40.0]
    """
    if collective == "all_to_all":
        return all_to_all_bus_bandwidth
    if collective != "all_reduce":
        return ring_bus_bandwidth
    found = [ring_bus_bandwidth, tree_bus_bandwidth * (ranks - 1) / ranks]
    if in_network != "none" and nvls_gain > NOTICEABLE_GAIN:
        found.append(nvls_tree_bus_bandwidth)
        found += [sharp_bus_bandwidth] if in_network == "nvls_and_sharp" and domains > 1 else []
    return max(found)


FORMULAS = formulas_of(globals())

"""One collective: the algorithm NCCL chooses, its time and latency, and the bus bandwidth it should reach."""

from collections.abc import Mapping
from typing import Any

from calculators import facts
from calculators.declare import Verdict, formulas_of, step, verdict
from calculators.subjects.network.collectives.bandwidth import NOTICEABLE_GAIN
from calculators.subjects.network.collectives.inputs import HOPPER, Collective, InNetwork

OFF_SMALL = float(facts.fact("collectives-off-small").value)
OFF_TO_SIXTEEN = float(facts.fact("collectives-off-middle.below_sixteen").value)
OFF_TO_SIXTY_FOUR = float(facts.fact("collectives-off-middle.below_sixty_four").value)
OFF_LARGE = float(facts.fact("collectives-off-large").value)
OFF_RACK = float(facts.fact("collectives-off-rack.one").value)
OFF_RACKS = float(facts.fact("collectives-off-rack.two").value)
IN_A_SERVER = float(facts.fact(f"{HOPPER}.gpus_per_domain").value)
ENOUGH_HALF_SIZES = 4
BANDS = ((ENOUGH_HALF_SIZES, OFF_SMALL), (16, OFF_TO_SIXTEEN), (64, OFF_TO_SIXTY_FOUR))
CLOSE = 1.1
WAYS = (
    *("ring (LL)", "ring (LL128)", "ring (Simple)"),
    *("tree (LL)", "tree (LL128)", "tree (Simple)"),
    *("NVLS", "NVLS + SHARP", "point-to-point"),
)
RINGS, TREES, NVLS, SHARP, DIRECT = range(3), range(3, 6), 6, 7, 8


def ways(collective: Collective, in_network: InNetwork, domains: float, nvls_gain: float) -> tuple[int, ...]:
    """Indexes in WAYS of the algorithms that can run a collective."""
    if collective == "all_to_all":
        return (DIRECT,)
    if collective != "all_reduce":
        return tuple(RINGS)
    switches = in_network != "none" and nvls_gain > NOTICEABLE_GAIN
    added = (NVLS, SHARP) if in_network == "nvls_and_sharp" and domains > 1 else (NVLS,)
    return (*RINGS, *TREES, *(added if switches else ()))


@step("s", "Collective time", source="nccl-tuning")
def collective_time(
    collective: Collective,
    in_network: InNetwork,
    domains: float,
    nvls_gain: float,
    ring_ll_time: float,
    ring_ll128_time: float,
    ring_simple_time: float,
    tree_ll_time: float,
    tree_ll128_time: float,
    tree_simple_time: float,
    nvls_time: float,
    sharp_time: float,
    all_to_all_time: float,
) -> float:
    """Time of the fastest algorithm that can run the collective [s], which is the one NCCL chooses."""
    rings = (ring_ll_time, ring_ll128_time, ring_simple_time)
    trees = (tree_ll_time, tree_ll128_time, tree_simple_time)
    times = (*rings, *trees, nvls_time, sharp_time, all_to_all_time)
    return min(times[way] for way in ways(collective, in_network, domains, nvls_gain))


@verdict("NCCL algorithm")
def nccl_algorithm(
    collective: Collective,
    in_network: InNetwork,
    domains: float,
    nvls_gain: float,
    collective_time: float,
    ring_ll_time: float,
    ring_ll128_time: float,
    ring_simple_time: float,
    tree_ll_time: float,
    tree_ll128_time: float,
    tree_simple_time: float,
    nvls_time: float,
    sharp_time: float,
    all_to_all_time: float,
) -> Verdict:
    """The fastest algorithm, tight where the next one is within 10%: NCCL may then choose either."""
    rings = (ring_ll_time, ring_ll128_time, ring_simple_time)
    trees = (tree_ll_time, tree_ll128_time, tree_simple_time)
    times = (*rings, *trees, nvls_time, sharp_time, all_to_all_time)
    first, *others = sorted(ways(collective, in_network, domains, nvls_gain), key=times.__getitem__)
    name = "NVLS tree" if first == NVLS and domains > 1 else WAYS[first]
    if not others:
        return Verdict(level="good", word=name, reason="Each GPU sends to every other GPU directly.")
    nearest = others[0]
    behind = "NVLS tree" if nearest == NVLS and domains > 1 else WAYS[nearest]
    if times[nearest] < CLOSE * collective_time:
        return Verdict(
            level="tight",
            word=name,
            reason=f"Near tie with {behind} at {{{NAMES[nearest]}}}: NCCL may choose either.",
        )
    return Verdict(level="good", word=name, reason=f"Next fastest: {behind}, {{{NAMES[nearest]}}}.")


NAMES = (
    *("ring_ll_time", "ring_ll128_time", "ring_simple_time", "tree_ll_time", "tree_ll128_time", "tree_simple_time"),
    *("nvls_time", "sharp_time", "all_to_all_time"),
)


def leader(values: Mapping[str, Any]) -> str:
    """Fastest algorithm at one message size, whatever its protocol: ring, tree, NVLS or point-to-point."""
    open_ways = ways(values["collective"], values["in_network"], values["domains"], values["nvls_gain"])
    first = min(open_ways, key=lambda way: float(values[NAMES[way]]))
    if first in RINGS:
        return "ring"
    if first in TREES:
        return "tree"
    return "point-to-point" if first == DIRECT else "NVLS"


@step("s", "Collective latency", source="nccl-tuning")
def collective_latency(
    collective: Collective,
    in_network: InNetwork,
    domains: float,
    nvls_gain: float,
    ring_ll_time: float,
    ring_ll128_time: float,
    ring_simple_time: float,
    tree_ll_time: float,
    tree_ll128_time: float,
    tree_simple_time: float,
    nvls_time: float,
    sharp_time: float,
    all_to_all_time: float,
    ring_ll_latency: float,
    ring_ll128_latency: float,
    ring_simple_latency: float,
    tree_ll_latency: float,
    tree_ll128_latency: float,
    tree_simple_latency: float,
    nvls_latency: float,
    sharp_latency: float,
    direct_latency: float,
) -> float:
    """Latency of the chosen algorithm [s], which more bandwidth does not shorten."""
    rings = (ring_ll_time, ring_ll128_time, ring_simple_time)
    trees = (tree_ll_time, tree_ll128_time, tree_simple_time)
    times = (*rings, *trees, nvls_time, sharp_time, all_to_all_time)
    of_rings = (ring_ll_latency, ring_ll128_latency, ring_simple_latency)
    of_trees = (tree_ll_latency, tree_ll128_latency, tree_simple_latency)
    latencies = (*of_rings, *of_trees, nvls_latency, sharp_latency, direct_latency)
    return latencies[min(ways(collective, in_network, domains, nvls_gain), key=times.__getitem__)]


@step("s", "Transfer time")
def transfer_time(collective_time: float, collective_latency: float) -> float:
    """Time that grows with the message size [s]: the collective's time less its latency."""
    return collective_time - collective_latency


@step("share", "Latency share")
def latency_share(collective_latency: float, collective_time: float) -> float:
    """Latency over the collective's time [share]."""
    return collective_latency / collective_time


@step("B/s", "Algorithm bandwidth", source="nccl-tests-performance", rises_with=("link_bandwidth",))
def algorithm_bandwidth(message_size: float, collective_time: float) -> float:
    """Buffer size over time [B/s], as nccl-tests prints it (algbw).

    >>> round(algorithm_bandwidth(8589934592, 43.98e-3) / 1e9, 1)  # nccl-tests on 128 H100
    195.3
    """
    return message_size / collective_time


@step("B/s", "Bus bandwidth", source="nccl-tests-performance", rises_with=("link_bandwidth",))
def bus_bandwidth(algorithm_bandwidth: float, bus_factor: float) -> float:
    """Algorithm bandwidth times the bus factor [B/s] (busbw), comparable with the bandwidth of a link."""
    return algorithm_bandwidth * bus_factor


@step("s", "Latency at the plateau", source="nccl-tuning")
def plateau_latency(
    collective: Collective,
    in_network: InNetwork,
    domains: float,
    nvls_gain: float,
    ranks: float,
    direct_latency: float,
    ring_bus_bandwidth: float,
    tree_bus_bandwidth: float,
    nvls_tree_bus_bandwidth: float,
    sharp_bus_bandwidth: float,
    ring_simple_latency: float,
    tree_simple_latency: float,
    nvls_latency: float,
    sharp_latency: float,
) -> float:
    """Latency of the algorithm that reaches the plateau bus bandwidth [s]."""
    if collective == "all_to_all":
        return direct_latency
    if collective != "all_reduce":
        return ring_simple_latency
    reached = [
        (ring_bus_bandwidth, ring_simple_latency),
        (tree_bus_bandwidth * (ranks - 1) / ranks, tree_simple_latency),
    ]
    open_ways = ways(collective, in_network, domains, nvls_gain)
    reached += [(nvls_tree_bus_bandwidth, nvls_latency)] if NVLS in open_ways else []
    reached += [(sharp_bus_bandwidth, sharp_latency)] if SHARP in open_ways else []
    most = max(bandwidth for bandwidth, _ in reached)
    return min(latency for bandwidth, latency in reached if bandwidth == most)


@step("B", "Half-bandwidth message size", binary=True)
def half_size(plateau_latency: float, plateau_bus_bandwidth: float, bus_factor: float) -> float:
    """Message size that reaches half of the plateau bus bandwidth [B]: latency and transfer take equally long.

    >>> round(half_size(150.4e-6, 384e9, 2 * 63 / 64) / 1e6, 1)
    29.3
    """
    return plateau_latency * plateau_bus_bandwidth / bus_factor


@step("s", "Collective time, upper end of measured runs")
def collective_time_at_most(
    collective_time: float, message_size: float, half_size: float, gpus_per_domain: float, ranks: float
) -> float:
    """Longest time measured in runs for which the model gives `collective_time` [s]: a band, not a bound.

    Twice the model below 4× the half-bandwidth size; above it the factor falls to the deviation of plateaus measured
    on servers, or on racks that are one domain.

    >>> [round(collective_time_at_most(1, size, 1, 8, 64), 2) for size in (3.9, 4, 16, 64)]
    [2.0, 1.7, 1.2, 1.11]
    """
    large = OFF_LARGE
    if min(gpus_per_domain, ranks) > IN_A_SERVER:
        large = OFF_RACK if ranks <= gpus_per_domain else OFF_RACKS
    off = next((off for half_sizes, off in BANDS if message_size < half_sizes * half_size), large)
    return collective_time * max(off, large)


@step("B/s", "Wire rate per NIC", source="ml-engineering-network")
def wire_rate_per_nic(bus_bandwidth: float, ranks: float, domains: float) -> float:
    """Traffic on one GPU's share of the network [B/s] while a ring or tree reaches this bus bandwidth.

    >>> round(wire_rate_per_nic(377.34e9, 32, 4) / 1e9, 2)
    36.52
    """
    return bus_bandwidth * (domains - 1) / (ranks - 1)


@step("share", "Measured ÷ modeled bus bandwidth")
def measured_share(measured_bus_bandwidth: float, plateau_bus_bandwidth: float) -> float:
    """Measured bus bandwidth over the modeled plateau [share]."""
    return measured_bus_bandwidth / plateau_bus_bandwidth


FORMULAS = formulas_of(globals())

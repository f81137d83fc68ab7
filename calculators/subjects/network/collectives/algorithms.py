"""One collective: the algorithm NCCL chooses, its time and latency, and the bus bandwidth it should reach."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from calculators import facts
from calculators.declare import Verdict, formulas_of, record, step, verdict
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


class Candidate(NamedTuple):
    """An algorithm that can run the collective: the name of its time, its label and family, time and latency [s]."""

    name: str
    label: str
    family: str
    time: float
    latency: float


def _by_protocol(family: str, times: Sequence[float], latencies: Sequence[float]) -> tuple[Candidate, ...]:
    labels = (("ll", "LL"), ("ll128", "LL128"), ("simple", "Simple"))
    return tuple(
        Candidate(f"{family}_{protocol}_time", f"{family} ({label})", family, time, latency)
        for (protocol, label), time, latency in zip(labels, times, latencies, strict=True)
    )


@record("Ring algorithms")
def ring_candidates(
    ring_ll_time: float,
    ring_ll128_time: float,
    ring_simple_time: float,
    ring_ll_latency: float,
    ring_ll128_latency: float,
    ring_simple_latency: float,
) -> tuple[Candidate, ...]:
    """Rings in the three protocols."""
    times = (ring_ll_time, ring_ll128_time, ring_simple_time)
    return _by_protocol("ring", times, (ring_ll_latency, ring_ll128_latency, ring_simple_latency))


@record("Tree algorithms")
def tree_candidates(
    tree_ll_time: float,
    tree_ll128_time: float,
    tree_simple_time: float,
    tree_ll_latency: float,
    tree_ll128_latency: float,
    tree_simple_latency: float,
) -> tuple[Candidate, ...]:
    """Double trees in the three protocols."""
    times = (tree_ll_time, tree_ll128_time, tree_simple_time)
    return _by_protocol("tree", times, (tree_ll_latency, tree_ll128_latency, tree_simple_latency))


@record("NVLS algorithms")
def nvls_candidates(
    in_network: InNetwork,
    domains: float,
    nvls_gain: float,
    nvls_time: float,
    sharp_time: float,
    nvls_latency: float,
    sharp_latency: float,
) -> tuple[Candidate, ...]:
    """NVLS, and SHARP between domains, where the switches can reduce and NCCL would choose them."""
    if in_network == "none" or nvls_gain <= NOTICEABLE_GAIN:
        return ()
    label = "NVLS tree" if domains > 1 else "NVLS"
    nvls = Candidate("nvls_time", label, "NVLS", nvls_time, nvls_latency)
    if in_network != "nvls_and_sharp" or domains == 1:
        return (nvls,)
    return (nvls, Candidate("sharp_time", "NVLS + SHARP", "NVLS", sharp_time, sharp_latency))


@record("Algorithms for this collective")
def candidates(
    collective: Collective,
    ring_candidates: tuple[Candidate, ...],
    tree_candidates: tuple[Candidate, ...],
    nvls_candidates: tuple[Candidate, ...],
    all_to_all_time: float,
    direct_latency: float,
) -> tuple[Candidate, ...]:
    """Algorithms that can run the collective, fastest first."""
    if collective == "all_to_all":
        return (Candidate("all_to_all_time", "point-to-point", "point-to-point", all_to_all_time, direct_latency),)
    if collective != "all_reduce":
        return tuple(sorted(ring_candidates, key=_time))
    return tuple(sorted((*ring_candidates, *tree_candidates, *nvls_candidates), key=_time))


def _time(candidate: Candidate) -> float:
    return candidate.time


@step("s", "Collective time", source="nccl-tuning")
def collective_time(candidates: tuple[Candidate, ...]) -> float:
    """Time of the fastest algorithm that can run the collective [s], which is the one NCCL chooses."""
    return candidates[0].time


@verdict("NCCL algorithm", good="", tight="ranks=4&message_size=16GiB")
def nccl_algorithm(candidates: tuple[Candidate, ...]) -> Verdict:
    """The fastest algorithm, tight where the next one is within 10%: NCCL may then choose either."""
    fastest, *others = candidates
    if not others:
        return Verdict(level="good", word=fastest.label, reason="Each GPU sends to every other GPU directly.")
    following = others[0]
    if following.time < CLOSE * fastest.time:
        return Verdict(
            level="tight",
            word=fastest.label,
            reason=f"Near tie with {following.label} at {{{following.name}}}: NCCL may choose either.",
        )
    return Verdict(level="good", word=fastest.label, reason=f"Next fastest: {following.label}, {{{following.name}}}.")


def leader(values: Mapping[str, Any]) -> str:
    """Fastest algorithm at one message size, in any protocol: ring, tree, NVLS or point-to-point."""
    return str(values["candidates"][0].family)


@step("s", "Collective latency", source="nccl-tuning")
def collective_latency(candidates: tuple[Candidate, ...]) -> float:
    """Latency of the chosen algorithm [s], which more bandwidth does not shorten."""
    return candidates[0].latency


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


@record("Ring and tree at large messages")
def ring_and_tree_plateaus(
    ranks: float,
    ring_bus_bandwidth: float,
    tree_bus_bandwidth: float,
    ring_simple_latency: float,
    tree_simple_latency: float,
) -> tuple[tuple[float, float], ...]:
    """Bus bandwidth [B/s] and latency [s] of a ring and of a tree for large messages."""
    tree = tree_bus_bandwidth * (ranks - 1) / ranks
    return (ring_bus_bandwidth, ring_simple_latency), (tree, tree_simple_latency)


@step("s", "Latency at the plateau", source="nccl-tuning")
def plateau_latency(
    collective: Collective,
    direct_latency: float,
    ring_simple_latency: float,
    ring_and_tree_plateaus: tuple[tuple[float, float], ...],
    nvls_candidates: tuple[Candidate, ...],
    nvls_tree_bus_bandwidth: float,
    sharp_bus_bandwidth: float,
) -> float:
    """Latency of the algorithm that reaches the plateau bus bandwidth [s]."""
    if collective == "all_to_all":
        return direct_latency
    if collective != "all_reduce":
        return ring_simple_latency
    switches = zip((nvls_tree_bus_bandwidth, sharp_bus_bandwidth), nvls_candidates, strict=False)
    reached = [*ring_and_tree_plateaus, *((bandwidth, one.latency) for bandwidth, one in switches)]
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

"""A measurement compared with the model: an nccl-tests run by message size, and likely causes of a low plateau.

Each cause has its own threshold, and a published run that must rank it first (tests/logs).
"""

from collections.abc import Callable, Mapping
from typing import Any

from calculators import facts
from calculators.declare import Compared, Measurement, Point, Reason
from calculators.measured import nccl_tests
from calculators.measured.nccl_tests import Run
from calculators.subjects.network.collectives.algorithms import leader
from calculators.subjects.network.collectives.bandwidth import NOTICEABLE_GAIN
from calculators.subjects.network.collectives.verdicts import NORMAL_FROM

PCIE = float(facts.fact("pcie-4-x16.one_way").value)
FALLS_BELOW = 0.5  # of the best bandwidth, at the largest size
DIPS_BELOW = 0.7  # of the best before, and of what follows
DIP_FROM = 2.0**20  # smaller messages jitter anyway
SMALL = 65536
SLOW_START = 3  # times the model's latency
HALF = (0.3, 0.65)
NEAR = 0.06
ENOUGH_HALF_SIZES = 9  # 90% of the plateau
_RACKS = ("NVIDIA GB200", "NVIDIA GB300")
# Names that drivers give devices. An MI250X is missing: it is two devices to RCCL, and one in the menu.
_ACCELERATORS = {
    "AMD Instinct MI300X": "mi300x",
    "AMD Instinct MI325X": "mi325x",
    "AMD Instinct MI355X": "mi355x",
    "NVIDIA A100-SXM4-40GB": "a100-sxm-40gb",
    "NVIDIA A100-SXM4-80GB": "a100-sxm-80gb",
    "NVIDIA B200": "b200-sxm",
    "NVIDIA GB200": "gb200",
    "NVIDIA GB300": "gb300",
    "NVIDIA H100 80GB HBM3": "h100-sxm",
    "NVIDIA H200": "h200-sxm",
}


UNEXPLAINED = Reason(
    name="slower throughout",
    looks="No pattern or level of a known cause.",
    look_at="Check links, NICs and GPUs per domain entered here. Then test each node alone, then pairs of nodes.",
)


def given_by(found: Run) -> Mapping[str, str]:
    """Inputs that an output states: the collective, its GPUs, those of a host, and the accelerator; for RCCL no NVLS.

    The GPUs of several hosts are one domain only in a rack of GB200 or GB300.
    """
    sentence_text: dict[str, str] = {}
    if found.collective:
        sentence_text["collective"] = found.collective
    if found.ranks and found.ranks > 1:
        sentence_text["ranks"] = str(found.ranks)
    hosts = found.hosts or 1
    if hosts > 1 and found.ranks and not found.ranks % hosts and found.gpu and found.gpu not in _RACKS:
        sentence_text["gpus_per_domain"] = str(found.ranks // hosts)
    if found.rccl:
        sentence_text["in_network"] = "none"
    if accelerator := _ACCELERATORS.get(found.gpu.removesuffix(" VF")):
        sentence_text["accelerator"] = accelerator
    return sentence_text


def compared(found: Run, modelled: Callable[[float], Mapping[str, Any]]) -> Compared:
    """An output compared with the model; `modelled` returns values for a message size [B]."""
    values = modelled(found.sizes[-1].size)
    share = max(one.bus for one in found.sizes) / values["plateau_bus_bandwidth"]
    reasons: tuple[Reason, ...] = ()
    if share < NORMAL_FROM:
        first = modelled(found.sizes[0].size)
        reasons = tuple(filter(None, _reasons(found, values, first, share))) or (UNEXPLAINED,)
    points = tuple(Point(along=one.size, result=one.bus) for one in found.sizes)
    return Compared(points=points, best="plateau_bus_bandwidth", share=share, reasons=reasons)


def _as_bus(values: Mapping[str, Any], *ways: str) -> float:
    """Bus bandwidth of the fastest of some algorithms [B/s]."""
    return float(values["message_size"] * values["bus_factor"] / min(values[way] for way in ways))


def _ring(values: Mapping[str, Any]) -> float | None:
    if values["collective"] == "all_to_all":
        return None
    return _as_bus(values, "ring_ll_time", "ring_ll128_time", "ring_simple_time")


def _trees(values: Mapping[str, Any]) -> float | None:
    if values["collective"] != "all_reduce":
        return None
    return _as_bus(values, "tree_ll_time", "tree_ll128_time", "tree_simple_time")


def _switches(values: Mapping[str, Any]) -> float | None:
    if values["collective"] != "all_reduce" or values["in_network"] == "none" or values["nvls_gain"] <= NOTICEABLE_GAIN:
        return None
    return _as_bus(values, "nvls_time")


def _reasons(run: Run, values: Mapping[str, Any], first: Mapping[str, Any], share: float) -> tuple[Reason | None, ...]:
    """Every likely cause for this run, the likeliest first: what the output states, then its shape, then its level."""
    return (
        _falls(run),
        _sockets(run, values),
        _few_cards(run, values),
        _dips(run),
        _no_links(run, values),
        _forced(run),
        _no_switches(run, values),
        _tree(run, values),
        _slow_start(run, first),
        _too_small(run, values),
        _half(values, share),
    )


def _falls(run: Run) -> Reason | None:
    best = max(one.bus for one in run.sizes)
    if run.sizes[-1].bus >= FALLS_BELOW * best:
        return None
    return Reason(
        name="falls at large sizes",
        looks="Large messages reach less than half the bandwidth of smaller ones.",
        look_at="Lost packets: flow control (PFC, ECN) on every hop of a RoCE fabric, error counters, one slow host.",
    )


def _dips(run: Run) -> Reason | None:
    best = 0.0
    for place, one in enumerate(run.sizes):
        later = max((after.bus for after in run.sizes[place + 1 :]), default=0.0)
        if one.size >= DIP_FROM and one.bus < DIPS_BELOW * best and one.bus < DIPS_BELOW * later:
            return Reason(
                name="a dip between sizes",
                looks="One size is below 70% of the sizes before and after it.",
                look_at="NCCL changes algorithm or protocol there: NCCL_DEBUG_SUBSYS=TUNING, the plugin's version, "
                "the cloud's own tuner plugin.",
            )
        best = max(best, one.bus)
    return None


def _sockets(run: Run, values: Mapping[str, Any]) -> Reason | None:
    if not run.sockets or values["domains"] == 1:
        return None
    return Reason(
        name="TCP sockets",
        looks="The output shows NCCL using TCP.",
        look_at="NET/Socket instead of NET/IB: NIC drivers and devices in the container, NCCL_IB_DISABLE, "
        "interface names.",
    )


def _few_cards(run: Run, values: Mapping[str, Any]) -> Reason | None:
    if run.cards is None or values["domains"] == 1 or 2 * run.cards > values["ranks_per_domain"]:
        return None
    return Reason(
        name="few NICs",
        looks="NCCL lists one NIC for every two GPUs of a node, or fewer.",
        look_at="NCCL_IB_HCA, NICs that are down, and topology: the GPUs of a node share the NICs listed.",
    )


def _no_links(run: Run, values: Mapping[str, Any]) -> Reason | None:
    best = max(one.bus for one in run.sizes)
    if values["domains"] > 1 or (best > PCIE and not run.in_host_memory) or values["ring_bus_bandwidth"] < 2 * PCIE:
        return None
    return Reason(
        name="NVLink not used",
        looks="Inside a node, no more than PCIe bandwidth.",
        look_at="nvidia-smi topo -m and nvidia-smi nvlink -s, the fabric manager, NCCL_P2P_DISABLE, containers that "
        "hide peers.",
    )


def _forced(run: Run) -> Reason | None:
    if not run.forced:
        return None
    return Reason(
        name="algorithm forced",
        looks=f"The output shows {', '.join(run.forced)}.",
        look_at="Remove the setting: NCCL's own choice is nearly always the fastest.",
    )


def _no_switches(run: Run, values: Mapping[str, Any]) -> Reason | None:
    ring, plateau = values["ring_bus_bandwidth"], values["plateau_bus_bandwidth"]
    best = max(one.bus for one in run.sizes)
    if plateau <= ring or abs(best / ring - 1) > NEAR:
        return None
    return Reason(
        name="NVLS not used",
        looks="As fast as a ring, although the switches can reduce.",
        look_at="NCCL_NVLS_ENABLE, the fabric manager, NCCL's version, virtual machines; look for nvls channels in the "
        "debug output.",
    )


def _tree(run: Run, values: Mapping[str, Any]) -> Reason | None:
    tree, plateau = values["tree_bus_bandwidth"] * (1 - 1 / values["ranks"]), values["plateau_bus_bandwidth"]
    best = max(one.bus for one in run.sizes)
    if tree >= NORMAL_FROM * plateau or abs(best / tree - 1) > NEAR:
        return None
    return Reason(
        name="tree instead of ring",
        looks="As fast as a tree, although a ring is faster.",
        look_at="NCCL_ALGO, and NICs spread unevenly over the GPUs.",
    )


def _slow_start(run: Run, first: Mapping[str, Any]) -> Reason | None:
    smallest = run.sizes[0]
    if smallest.time is None or smallest.size > SMALL or smallest.time < SLOW_START * first["collective_time"]:
        return None
    return Reason(
        name="high small-message latency",
        looks="The smallest message takes more than 3× the modeled time.",
        look_at="CPU power states and pinning, the network plugin's latency, host queues.",
    )


def _too_small(run: Run, values: Mapping[str, Any]) -> Reason | None:
    if run.sizes[-1].size >= ENOUGH_HALF_SIZES * values["half_size"]:
        return None
    return Reason(
        name="messages too small",
        looks="The largest message is below 9× the half-bandwidth size: the model is below 90% of the plateau too.",
        look_at="Measure larger messages (-e 16G) before anything else.",
    )


def _half(values: Mapping[str, Any], share: float) -> Reason | None:
    if values["domains"] == 1 or not HALF[0] <= share <= HALF[1]:
        return None
    return Reason(
        name="half the network bandwidth",
        looks="Between nodes, about half of the NIC bandwidth.",
        look_at="GPUDirect RDMA (GDRDMA in the debug output, nvidia-peermem), ACS on PCIe bridges, NICs at half of "
        "their lanes or speed, one slow node in the ring.",
    )


MEASUREMENT = Measurement(
    title="Your own measurement",
    about="Modeled bus bandwidth by message size, and yours from pasted nccl-tests output. Nothing leaves this page.",
    pasted="Output of all_reduce_perf",
    along="message_size",
    result="bus_bandwidth",
    leader=leader,
    lines={"Ring": _ring, "Tree": _trees, "NVLS": _switches},
    read=nccl_tests.read,
    given=given_by,
    compare=compared,
)

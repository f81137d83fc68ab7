"""Acceptance tests of links and network: nccl-tests from one node to the whole group, with this state's thresholds."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import facts
from calculators.declare.tables import Table
from calculators.subjects.network.collectives.algorithms import IN_A_SERVER, OFF_RACKS
from calculators.subjects.network.collectives.bandwidth import NOTICEABLE_GAIN
from calculators.subjects.network.collectives.verdicts import NORMAL_FROM
from calculators.units import GIB
from calculators.vocabulary import acceptance
from calculators.vocabulary.acceptance import PASSED, PASSED_INSIDE, at_least, at_most

_ONE_DOMAIN = ("Nothing: the group is one domain",) * 3
_SIZES = "-b 8 -e 16G -f 2"
_LARGE = "-b 1G -e 16G -f 2"
_CYCLES = 60
_MI300X = facts.fact("azure-node-allreduce.mi300x").text
_PROGRAMS = {"all_to_all": "alltoall"}


def _least(values: Mapping[str, Any]) -> float:
    """Lowest share of the group's plateau in published runs of its kind: lower for NVLS over several racks."""
    racks = values["domains"] > 1 and values["ranks_per_domain"] > IN_A_SERVER
    added = values["collective"] == "all_reduce" and values["in_network"] != "none"
    return min(NORMAL_FROM, 1 / OFF_RACKS) if racks and added else NORMAL_FROM


def _plateau(bandwidth: float, least: float = NORMAL_FROM, passed: float = PASSED) -> tuple[str, str, str]:
    return at_least(passed * bandwidth, least * bandwidth, "B/s")


def _check_row(what: str, least: float = NORMAL_FROM, passed: float = PASSED) -> str:
    return f"{passed:.0%} and {least:.0%} of {what}"


def _run(values: Mapping[str, Any], program: str, options: str, *, split: str = "") -> str:
    each = f"{values['ranks_per_domain']:.0f}"
    environment = f' -x NCCL_TESTS_SPLIT="{split}"' if split else ""
    return f"mpirun -np {values['ranks']:.0f} -N {each} --hostfile hosts{environment} {program} {options} -g 1"


def _in_a_domain(values: Mapping[str, Any]) -> float:
    ring, switches = values["domain_bandwidth"], values["nvls_bus_bandwidth"]
    adds = values["in_network"] != "none" and values["nvls_gain"] > NOTICEABLE_GAIN
    return float(max(ring, switches) if adds else ring)


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each test: its name, what passes, what to investigate, what fails, why, and its command."""
    across, each = values["domains"] > 1, f"{values['ranks_per_domain']:.0f}"
    each_nic = values["network_bandwidth"] / values["ranks_per_domain"]
    program = f"{_PROGRAMS.get(values['collective'], values['collective'])}_perf"
    yield (
        "Links: all-reduce inside each domain, all domains at once",
        *_plateau(_in_a_domain(values), passed=PASSED_INSIDE),
        _check_row("the bandwidth of a ring, or of NVLS, inside a domain", passed=PASSED_INSIDE),
        _run(values, "all_reduce_perf", _LARGE, split=f"DIV {each}"),
    )
    yield (
        "NICs: rings of one GPU per domain, all rails at once",
        *(_plateau(each_nic, passed=PASSED_INSIDE) if across else _ONE_DOMAIN),
        _check_row("{nic_bandwidth} per GPU × {nic_efficiency} ring efficiency", passed=PASSED_INSIDE)
        if across
        else "One domain alone",
        _run(values, "all_reduce_perf", _LARGE, split=f"MOD {each}") if across else "# nothing to run",
    )
    yield (
        "Whole group, large messages",
        *_plateau(values["plateau_bus_bandwidth"], _least(values)),
        _check_row("the plateau, {plateau_bus_bandwidth}; its last rows count", _least(values)),
        _run(values, program, _SIZES),
    )
    at_most_seen = values["collective_time_at_most"]
    yield (
        "Whole group, {message_size}",
        *at_most(at_most_seen, at_most_seen / NORMAL_FROM, "s"),
        "Longest published runs where the model gives {collective_time}; and 25% more",
        _run(values, program, f"-b {values['message_size']:.0f} -e {values['message_size']:.0f} -n 100"),
    )
    yield (
        "Whole group, all-to-all",
        *_plateau(values["all_to_all_bus_bandwidth"]),
        _check_row("the all-to-all bandwidth of this group, {all_to_all_bus_bandwidth}"),
        _run(values, "alltoall_perf", _LARGE),
    )
    size = f"{max(GIB, values['message_size']):.0f}"
    yield (
        f"Soak: {_CYCLES} cycles an hour later, every value checked",
        f"No wrong value; the slowest cycle at {PASSED:.0%} of the median or more",
        f"A cycle below {PASSED:.0%} of the median: one NIC, one cable, one host",
        "A single wrong value, a hang, or a port with rising error counters",
        "nccl-tests checks every result; a wrong value is a fault at any speed",
        _run(values, "all_reduce_perf", f"-b {size} -e {size} -n 1000 -N {_CYCLES} -c 1"),
    )


ACCEPTANCE = Table(
    name=acceptance.NAME,
    title=acceptance.TITLE,
    about=(
        "Run the tests in order, each only after the previous one passed. Bandwidths are bus bandwidths. Below the "
        "lower threshold a run is slower than the published plateaus this model was checked against; the upper "
        "threshold is a proportion that Azure's checks of NVIDIA nodes require: the strictest for links and NICs, the "
        f"typical one for the group. Inside a node of eight MI300X its check is stricter: {_MI300X}. The commands are "
        "those of nccl-tests' README (repository NVIDIA/nccl-tests at a0b82b2, read 2026-11-22), built with MPI; "
        "rccl-tests takes the same ones; hosts is a file of your nodes."
    ),
    columns=acceptance.COLUMNS,
    rows=rows,
    commands=True,
)

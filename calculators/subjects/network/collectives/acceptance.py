"""The acceptance of links and network: nccl-tests from one node to the whole group, with the ends of this state."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators.declare.tables import Table
from calculators.subjects.network.collectives.algorithms import IN_A_SERVER, OFF_RACKS
from calculators.subjects.network.collectives.bandwidth import NOTICEABLE_GAIN
from calculators.subjects.network.collectives.verdicts import NORMAL_FROM
from calculators.units import GIB
from calculators.vocabulary import acceptance
from calculators.vocabulary.acceptance import PASSED, at_least, at_most

_ONE_DOMAIN = ("Nothing: the group is one domain",) * 3
_SIZES = "-b 8 -e 16G -f 2"
_LARGE = "-b 1G -e 16G -f 2"
_CYCLES = 60
_PROGRAMS = {"all_to_all": "alltoall"}


def _least(values: Mapping[str, Any]) -> float:
    """The share of the whole group's plateau below which no published run of its kind lay: less over several racks."""
    racks = values["domains"] > 1 and values["ranks_per_domain"] > IN_A_SERVER
    added = values["collective"] == "all_reduce" and values["in_network"] != "none"
    return min(NORMAL_FROM, 1 / OFF_RACKS) if racks and added else NORMAL_FROM


def _plateau(bandwidth: float, least: float = NORMAL_FROM) -> tuple[str, str, str]:
    return at_least(PASSED * bandwidth, least * bandwidth, "B/s")


def _of(what: str, least: float = NORMAL_FROM) -> str:
    return f"{PASSED:.0%} and {least:.0%} of {what}"


def _run(values: Mapping[str, Any], program: str, options: str, *, split: str = "") -> str:
    each = f"{values['ranks_per_domain']:.0f}"
    environment = f' -x NCCL_TESTS_SPLIT="{split}"' if split else ""
    return f"mpirun -np {values['ranks']:.0f} -N {each} --hostfile hosts{environment} {program} {options} -g 1"


def _in_a_domain(values: Mapping[str, Any]) -> float:
    ring, switches = values["domain_bandwidth"], values["nvls_bus_bandwidth"]
    adds = values["in_network"] != "none" and values["nvls_gain"] > NOTICEABLE_GAIN
    return float(max(ring, switches) if adds else ring)


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Every rung: what it shows, what passes, what to look into, what fails, and the command."""
    across, each = values["domains"] > 1, f"{values['ranks_per_domain']:.0f}"
    program = f"{_PROGRAMS.get(values['collective'], values['collective'])}_perf"
    yield (
        "Links: an all-reduce in each domain, all of them at once",
        *_plateau(_in_a_domain(values)),
        _of("what a ring, or switches that add, reach in a domain"),
        _run(values, "all_reduce_perf", _LARGE, split=f"DIV {each}"),
    )
    yield (
        "Cards: rings of one GPU from each domain, all rails at once",
        *(_plateau(values["network_bandwidth"] / values["ranks_per_domain"]) if across else _ONE_DOMAIN),
        _of("a GPU's {nic_bandwidth}, of which a ring reaches {nic_efficiency}") if across else "One domain alone",
        _run(values, "all_reduce_perf", _LARGE, split=f"MOD {each}") if across else "# nothing to run",
    )
    yield (
        "The whole group, large messages",
        *_plateau(values["plateau_bus_bandwidth"], _least(values)),
        _of("the plateau, {plateau_bus_bandwidth}; its last rows count", _least(values)),
        _run(values, program, _SIZES),
    )
    at_most_seen = values["collective_time_at_most"]
    yield (
        "The whole group, a message of {message_size}",
        *at_most(at_most_seen, at_most_seen / NORMAL_FROM, "s"),
        "The longest that published runs took where the model says {collective_time}; and a quarter more",
        _run(values, program, f"-b {values['message_size']:.0f} -e {values['message_size']:.0f} -n 100"),
    )
    yield (
        "Everyone to everyone",
        *_plateau(values["all_to_all_bus_bandwidth"]),
        _of("what an all-to-all of this group reaches, {all_to_all_bus_bandwidth}"),
        _run(values, "alltoall_perf", _LARGE),
    )
    size = f"{max(GIB, values['message_size']):.0f}"
    yield (
        f"The same an hour later: {_CYCLES} cycles, every value checked",
        f"No wrong value; the slowest cycle at {PASSED:.0%} of the median or more",
        f"A cycle below {PASSED:.0%} of the median: one card, one cable, one host",
        "A single wrong value, a hang, or a port that counts errors",
        "nccl-tests compares each result, and a wrong one is no matter of speed",
        _run(values, "all_reduce_perf", f"-b {size} -e {size} -n 1000 -N {_CYCLES} -c 1"),
    )


ACCEPTANCE = Table(
    name=acceptance.NAME,
    title=acceptance.TITLE,
    about=(
        "A ladder: one rung holds before the next is climbed. Bandwidths are bus bandwidths. Below the lower end a run "
        "is slower than the published plateaus that this model was held against; the upper end is what Azure's node "
        "checks ask for in proportion. The commands are those of nccl-tests' README (repository NVIDIA/nccl-tests at "
        "a0b82b2, read 2026-11-22), built with MPI; hosts is a file of your nodes."
    ),
    columns=acceptance.COLUMNS,
    rows=rows,
    commands=True,
)

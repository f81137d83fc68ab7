"""The sheets of collectives: every end and command of their acceptance, and every way of counting, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.subjects.network.collectives import acceptance, tables
from calculators.subjects.network.collectives.bandwidth import NOTICEABLE_GAIN

# Three servers of eight GPUs.
GROUP = {
    "collective": "all_gather",
    "in_network": "none",
    "ranks": 24,
    "ranks_per_domain": 8,
    "domains": 3,
    "domain_bandwidth": 400e9,
    "nvls_bus_bandwidth": 500e9,
    "nvls_gain": 1.3,
    "network_bandwidth": 330e9,
    "plateau_bus_bandwidth": 310e9,
    "collective_time_at_most": 0.01,
    "message_size": 100e6,
    "all_to_all_bus_bandwidth": 45e9,
}
RACKS = {"collective": "all_reduce", "in_network": "sharp", "ranks_per_domain": 72, "ranks": 216}


def row(begins: str, **changed: Any) -> tuple[str, ...]:
    (found,) = (one for one in acceptance.rows({**GROUP, **changed}) if one[0].startswith(begins))
    return found


def ends(high: str, low: str) -> tuple[str, str, str]:
    return f"{high} GB/s or more", f"{low} to {high} GB/s", f"below {low} GB/s"


@pytest.mark.parametrize(
    ("begins", "changed", "report"),
    [
        # 95 and 80 % of a ring, or of switches that add where they gain something.
        ("Links", {}, ends("380", "320")),
        ("Links", {"in_network": "nvls"}, ends("475", "400")),
        ("Links", {"in_network": "nvls", "domain_bandwidth": 600e9}, ends("570", "480")),
        ("Links", {"in_network": "nvls", "nvls_gain": NOTICEABLE_GAIN}, ends("380", "320")),
        ("Links", {"nvls_gain": 0.5}, ends("380", "320")),
        ("Links", {"in_network": "nvls", "nvls_gain": 0.5}, ends("380", "320")),
        # 330 GB/s over eight cards are 41.25 GB/s each.
        ("NICs", {}, ends("39.2", "33")),
        ("NICs", {"domains": 2}, ends("39.2", "33")),
        ("NICs", {"network_bandwidth": 20}, ("2.38 B/s or more", "2 to 2.38 B/s", "below 2 B/s")),
        ("Whole group, large", {}, ends("279", "248")),
        # Over racks whose switches add, runs took 1.56 times as long: 0.64 of 310 GB/s.
        ("Whole group, large", RACKS, ends("279", "199")),
        ("Whole group, large", RACKS | {"domains": 1}, ends("279", "248")),
        ("Whole group, large", RACKS | {"ranks_per_domain": 8}, ends("279", "248")),
        ("Whole group, large", RACKS | {"ranks_per_domain": 4}, ends("279", "248")),
        ("Whole group, large", RACKS | {"in_network": "none"}, ends("279", "248")),
        ("Whole group, large", RACKS | {"collective": "all_gather"}, ends("279", "248")),
        ("Whole group, {message_size}", {}, ("10 ms or less", "10 to 12.5 ms", "more than 12.5 ms")),
        ("Whole group, all", {}, ends("40.5", "36")),
    ],
)
def test_ends_of_a_ladder_follow_from_its_group(begins: str, changed: dict[str, Any], report: tuple[str, ...]) -> None:
    assert row(begins, **changed)[1:4] == report


@pytest.mark.parametrize(
    ("begins", "changed", "command"),
    [
        ("Links", {}, '-x NCCL_TESTS_SPLIT="DIV 8" all_reduce_perf -b 1G -e 16G -f 2 -g 1'),
        ("NICs", {}, '-x NCCL_TESTS_SPLIT="MOD 8" all_reduce_perf -b 1G -e 16G -f 2 -g 1'),
        ("Whole group, large", {}, "all_gather_perf -b 8 -e 16G -f 2 -g 1"),
        ("Whole group, large", {"collective": "all_to_all"}, "alltoall_perf -b 8 -e 16G -f 2 -g 1"),
        ("Whole group, {message_size}", {}, "all_gather_perf -b 100000000 -e 100000000 -n 100 -g 1"),
        ("Whole group, all", {}, "alltoall_perf -b 1G -e 16G -f 2 -g 1"),
        ("Soak", {}, "all_reduce_perf -b 1073741824 -e 1073741824 -n 1000 -N 60 -c 1 -g 1"),
        ("Soak", {"message_size": 2e9}, "all_reduce_perf -b 2000000000 -e 2000000000 -n 1000 -N 60 -c 1 -g 1"),
    ],
)
def test_commands_run_the_whole_group(begins: str, changed: dict[str, Any], command: str) -> None:
    assert row(begins, **changed)[5] == f"mpirun -np 24 -N 8 --hostfile hosts {command}"


def test_in_one_domain_there_are_no_cards_to_test() -> None:
    alone = row("NICs", domains=1)
    assert alone[1:] == (*("Nothing: the group is one domain",) * 3, "One domain alone", "# nothing to run")


COUNTED = {"domains": 2, "link_bandwidth": 900e9, "exposed_time": 0.03, "hidden_time": 0.05}


def counted(begins: str, **changed: Any) -> str:
    made = tables.conventions({**COUNTED, **changed})
    (found,) = (last for name, _, last in made if name.startswith(begins))
    return found


def test_each_way_of_counting_is_made_of_the_step() -> None:
    """Of 80 ms of communication 30 are waited for; a link of 900 GB/s carries half of that each way."""
    assert counted("Link bandwidth, one way").startswith("450 GB/s scale-up")
    assert counted("Exposed") == "{exposed_share} of the step, 37.5% of its communication"
    assert counted("Exposed", exposed_time=0) == "{exposed_share} of the step, 0% of its communication"
    assert counted("Exposed", exposed_time=0, hidden_time=0) == "{exposed_share} of the step, none of its communication"
    assert counted("Wire rate per NIC") == "{wire_rate_per_nic}"
    assert counted("Wire rate per NIC", domains=1) == "nothing crosses the network here"

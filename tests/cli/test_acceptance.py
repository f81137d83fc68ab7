"""Acceptance sheets: every command holds the reader's figures, and every end follows what it is made of."""

import re
from typing import Any

import pytest

from calculators import facts
from calculators.answers import answer, input_state
from calculators.catalog import CALCULATORS

KITS = ("storage_demand", "collectives", "power")


def kit(which: str, **given: Any) -> dict[str, dict[str, str]]:
    """A calculator's acceptance, by test and column, as it is printed."""
    calculator = CALCULATORS[which]
    values = answer.evaluated(calculator, input_state.valid_inputs(calculator, given))
    sheet = next(each for each in calculator.tables if each.name == "acceptance")
    rows = [[answer.filled(calculator, cell, values) for cell in row] for row in sheet.rows(values)]
    return {row[0]: dict(zip(sheet.columns, row, strict=True)) for row in rows}


def one(which: str, begins: str, **given: Any) -> dict[str, str]:
    """The one test whose name begins so."""
    (found,) = (row for name, row in kit(which, **given).items() if name.startswith(begins))
    return found


def ends(row: dict[str, str]) -> tuple[str, str, str]:
    return row["Pass"], row["Investigate"], row["Fail"]


# What is changed, and what a command must then contain.
ASKED: list[tuple[str, dict[str, Any], str, str]] = [
    ("storage_demand", {"gpus": 64}, "Read by 8 nodes", "size="),
    ("storage_demand", {"gpus": 64, "checkpoint_size": "640 GB"}, "Write of one checkpoint", "-np 64 ior -a POSIX"),
    ("storage_demand", {"gpus": 64, "checkpoint_size": "640 GB"}, "The same checkpoint read back", "-b 9552m -k -r"),
    ("storage_demand", {"read_size": "64 KiB"}, "Random reads", "bs=65536"),
    ("storage_demand", {"gpus": 64}, "Files", "-np 64 mdtest"),
    ("storage_demand", {"checkpoint_size": "100 GB"}, "Checkpoint of MLPerf", "--model llama3-8b --num-processes 8"),
    ("collectives", {"ranks": 256}, "Links", '-np 256 -N 8 --hostfile hosts -x NCCL_TESTS_SPLIT="DIV 8"'),
    ("collectives", {"ranks": 256, "gpus_per_domain": 4}, "NICs", 'NCCL_TESTS_SPLIT="MOD 4" all_reduce_perf'),
    ("collectives", {"collective": "all-gather"}, "Whole group, large", "all_gather_perf -b 8 -e 16G -f 2"),
    ("collectives", {"message_size": "64 MiB"}, "Whole group, 64 MiB", "-b 67108864 -e 67108864"),
    ("collectives", {"ranks": 256}, "Whole group, all-to-all", "-np 256 -N 8 --hostfile hosts alltoall_perf"),
    ("power", {"gpus_per_node": 4, "server": "none"}, "Every test", "gpu:4"),
    ("power", {"gpu_power": "1 kW", "server": "none"}, "What each GPU", "targeted_power.target_power=1000"),
    ("power", {"gpus_per_node": 6, "server": "none"}, "A burn-in", "mpirun -np 6"),
    ("power", {"gpus_per_node": 6, "server": "none"}, "A burn-in", '-e "11s/.*/2 Ps/" -e "12s/.*/3 Qs/"'),
]


@pytest.mark.parametrize(("which", "given", "begins", "holds"), ASKED, ids=[f"{row[0]}-{row[2]}" for row in ASKED])
def test_commands_hold_the_readers_figures(which: str, given: dict[str, Any], begins: str, holds: str) -> None:
    command = one(which, begins, **given)["Command"]
    assert holds in command
    assert not re.search(r"\{\w+\}", command), "a name that is not filled in"


# An input, the test it decides, and its three ends, worked out by hand.
MOVED: list[tuple[str, dict[str, Any], str, tuple[str, str, str]]] = [
    # 47.4 GB/s of a restore; five nodes of 80 GB/s, and 400 GB/s of ports: twice the restore's time, half of the lower.
    (
        "storage_demand",
        {"restore_window": "4 min"},
        "Read by 2,048",
        ("400 GB/s or more", "23.7 to 400 GB/s", "below 23.7 GB/s"),
    ),
    (
        "storage_demand",
        {"storage_nodes": 10},
        "Read by 2,048",
        ("800 GB/s or more", "47.4 to 800 GB/s", "below 47.4 GB/s"),
    ),
    # 1.2 TB over 400 GB/s; and the window.
    (
        "storage_demand",
        {"checkpoint_size": "1.2 TB", "write_window": "30 s", "storage_nodes": 5},
        "Write of one checkpoint",
        ("3 s or less", "3 to 30 s", "more than 30 s"),
    ),
    # 80 GPUs x 10 samples/s x 1 file x 3 operations; two nodes of 50,000.
    (
        "storage_demand",
        {"gpus": 80, "samples_per_second": 10, "files_per_sample": 1, "storage_nodes": 2},
        "Files",
        ("100,000 IOPS or more", "2,400 to 100,000 IOPS", "below 2,400 IOPS"),
    ),
    # 25 GB/s x 0.96, of it 95 and 80 %.
    (
        "collectives",
        {"nic_bandwidth": "25 GB/s"},
        "NICs",
        ("22.8 GB/s or more", "19.2 to 22.8 GB/s", "below 19.2 GB/s"),
    ),
    # 450 GB/s x 0.8, no reduction in switches.
    (
        "collectives",
        {"link_efficiency": "80%", "in_network": "none"},
        "Links",
        ("342 GB/s or more", "288 to 342 GB/s", "below 288 GB/s"),
    ),
    # 85 % and 75 % of 1,000 W.
    ("power", {"gpu_power": "1 kW"}, "What each GPU", ("850 W or more", "750 to 850 W", "below 750 W")),
    ("power", {"hall_power": "3 MW"}, "What the site", ("1.87 MW or less", "1.87 to 3 MW", "more than 3 MW")),
    # The hall is smaller than what the facility needs: nothing lies between.
    ("power", {"hall_power": "1 MW"}, "What the site", ("1 MW or less", "nothing between", "more than 1 MW")),
]


@pytest.mark.parametrize(
    ("which", "given", "begins", "report"), MOVED, ids=[f"{row[0]}-{'-'.join(row[1])}" for row in MOVED]
)
def test_ends_follow_their_inputs(which: str, given: dict[str, Any], begins: str, report: tuple[str, str, str]) -> None:
    assert ends(one(which, begins, **given)) == report


@pytest.mark.parametrize("which", KITS)
def test_every_test_has_three_ends_a_reason_and_a_command(which: str) -> None:
    for name, row in kit(which).items():
        assert all(row.values()), name
        assert len({*ends(row)}) == 3, name


def test_over_racks_that_add_the_lower_end_is_where_published_runs_lay() -> None:
    # Two racks took 1.56 times as long as the model says, so they reached 0.64 of it.
    racks = {"accelerator": "gb200", "gpus_per_domain": 72, "ranks": 144}
    assert one("collectives", "Whole group, large", **racks)["Why these ends"].startswith("90% and 64% of")
    assert one("collectives", "Whole group, large", **(racks | {"in_network": "none"}))["Why these ends"].startswith(
        "90% and 80% of"
    )


def test_storage_without_checkpoints_is_not_tested_for_them() -> None:
    unsaved = one("storage_demand", "Write of one checkpoint", checkpoint_size=0)
    assert {*ends(unsaved)} == {"None: no checkpoints are written here"}
    assert unsaved["Command"].startswith("# None")


def test_one_domain_has_no_cards_to_test() -> None:
    alone = one("collectives", "NICs", ranks=8)
    assert set(ends(alone)) == {"Nothing: the group is one domain"}
    assert alone["Command"] == "# nothing to run"


def test_a_node_passes_only_where_published_node_checks_let_it_pass() -> None:
    published = facts.all_records()["azure-node-allreduce"]
    for device, check in (("h100-sxm", "h100"), ("h200-sxm", "h200"), ("a100-sxm-80gb", "a100")):
        passing = ends(one("collectives", "Links", accelerator=device))[0].removesuffix(" GB/s or more")
        assert float(passing) * 1e9 >= published.value(check)


def test_one_node_alone_is_a_list_of_one_node() -> None:
    assert "--client=one.list" in one("storage_demand", "Read by one node alone")["Command"]
    assert "--client=hosts.list" in one("storage_demand", "Read by 2,048")["Command"]

"""Measured collectives: every reason is ranked first by a published run, and a normal run gives none."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from calculators.__main__ import main
from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.answers.runs import measurement
from calculators.declare import Compared, Quantity, Values
from calculators.measured import nccl_tests
from calculators.subjects.network.collectives.calculator import CALCULATOR

LOGS = Path(__file__).parents[3] / "logs"
P4D: dict[str, Any] = {"accelerator": "a100-sxm-40gb", "nic_bandwidth": "6.25 GB/s"}
PUBLISHED: list[tuple[str, dict[str, Any], str]] = [
    ("falls-at-large", {"accelerator": "h100-sxm", "nic_bandwidth": "25 GB/s"}, "falls at large sizes"),
    ("dips", P4D, "a dip between sizes"),
    ("latency", P4D, "high small-message latency"),
    ("forced", {"accelerator": "h100-sxm", "gpus_per_domain": 4, "nic_bandwidth": "25 GB/s"}, "algorithm forced"),
    ("no-links", {"accelerator": "v100-sxm-32gb"}, "NVLink not used"),
    ("one-card", {"accelerator": "a100-sxm-80gb", "gpus_per_domain": 4, "nic_bandwidth": "12.5 GB/s"}, "few NICs"),
    ("sockets", {"accelerator": "v100-sxm-32gb", "gpus_per_domain": 4, "nic_bandwidth": "781 MB/s"}, "TCP sockets"),
    ("half", {"accelerator": "h100-sxm"}, "half the network bandwidth"),
    ("no-nvls", {"accelerator": "h200-sxm"}, "NVLS not used"),
    (
        "tree",
        {"accelerator": "h100-sxm", "nic_bandwidth": "25 GB/s", "tree_efficiency": "78.2%"},
        "tree instead of ring",
    ),
    ("too-small", {"accelerator": "h100-sxm"}, "messages too small"),
]


def compared(log: str, **given: Any) -> tuple[Values, Compared]:
    return measurement.compared(
        CALCULATOR, given, measurement.run_of(CALCULATOR, (LOGS / f"nccl-{log}.txt").read_text("utf-8"))
    )


@pytest.mark.parametrize(("log", "given", "first"), PUBLISHED, ids=[log for log, _, _ in PUBLISHED])
def test_a_published_run_ranks_its_reason_first(log: str, given: dict[str, Any], first: str) -> None:
    _, found = compared(log, **given)
    assert found.share < 0.8
    assert found.reasons[0].name == first
    small = "messages too small" in [reason.name for reason in found.reasons]
    assert small == (log in {"one-card", "too-small"})  # they end at 1 MiB, and over 256 GPUs at 2 GiB


@pytest.mark.parametrize(
    ("given", "drawn"),
    [
        ({}, ["Ring", "Tree", "NVLS"]),
        ({"in_network": "none"}, ["Ring", "Tree"]),
        ({"collective": "all_gather"}, ["Ring"]),
        ({"collective": "all_to_all"}, []),
    ],
)
def test_only_the_ways_that_can_run_a_collective_have_a_line(given: dict[str, Any], drawn: list[str]) -> None:
    values = answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, given))
    assert CALCULATOR.measurement is not None
    found = {name: line(values) for name, line in CALCULATOR.measurement.lines.items()}
    assert [name for name, bandwidth in found.items() if bandwidth is not None] == drawn
    assert drawn == [] or max(filter(None, found.values())) == pytest.approx(values["bus_bandwidth"], rel=0.05)


def test_a_run_as_fast_as_the_model_has_no_reason_to_be_slow() -> None:
    values, found = compared("normal", accelerator="h100-sxm")
    assert found.reasons == ()
    assert measurement.sentence(CALCULATOR, values, found) == (
        "The best measured is 483 GB/s, 98.5% of the 490 GB/s that the model gives."
    )
    assert values["ranks"] == 8


@pytest.mark.parametrize(
    ("log", "given"),
    [("two-nodes", {"accelerator": "h100-sxm"}), ("1024", {"accelerator": "h100-sxm", "in_network": "none"})],
)
def test_runs_published_since_are_normal_and_within_the_band(log: str, given: dict[str, Any]) -> None:
    values, found = compared(log, **given)
    assert found.share >= 0.8
    assert found.reasons == ()
    run = nccl_tests.run((LOGS / f"nccl-{log}.txt").read_text("utf-8"))
    for one in run.sizes if not run.forced else ():  # the band is one of NCCL's own choice
        at_most = CALCULATOR.after(values, {"message_size": one.size}, "collective_time_at_most")
        assert one.time is not None
        assert one.time <= at_most["collective_time_at_most"]


def test_a_slow_run_without_a_shape_or_level_of_its_own_is_advised_to_check_what_was_given() -> None:
    _, found = measurement.compared(CALCULATOR, {"ranks": 64}, measurement.run_of(CALCULATOR, "17179869184 260"))
    assert [one.name for one in found.reasons] == ["slower throughout"]


def test_what_the_reader_gave_goes_before_what_the_output_says() -> None:
    values, _ = compared("normal", accelerator="h100-sxm", ranks=16)
    assert values["ranks"] == 16


@pytest.mark.parametrize(
    ("line", "size", "time", "bus"),
    [
        (
            "  1048576  262144  float  sum  -1  28.56  36.71  64.24  0 28.37  36.96  64.68  0",
            2**20,
            28.56e-6,
            64.24e9,
        ),
        (" 67108864 16777216 float sum 6586.3 10.19 19.10 5e-07 6591.5 10.18 19.09 5e-07", 2**26, 6586.3e-6, 19.1e9),
        (" 262144  65536  float  sum  122.3  2.14  3.22  N/A", 2**18, 122.3e-6, 3.22e9),
        ("[0] 1048576 262144 float sum -1[0] 1626.5 0.64 1.24 0[0] 2302.3 0.46 0.87 0", 2**20, 1626.5e-6, 1.24e9),
        ("[1,0]<stdout>: 64 16 float sum -1 14.48 0.00 0.01 0 14.37 0.00 0.01 0", 64, 14.48e-6, 0.01e9),
        ("0: 8589934592 2147483648 bfloat16 none -1 33605 255.62 479.28 0", 2**33, 33605e-6, 479.28e9),
        ("17179869184, 367.2", 2**34, None, 367.2e9),
    ],
)
def test_rows_are_read_as_versions_and_launchers_print_them(
    line: str, size: float, time: float | None, bus: float
) -> None:
    (one,) = nccl_tests.run(line).sizes
    assert one.size == size
    assert one.bus == pytest.approx(bus)
    assert one.time == (None if time is None else pytest.approx(time))


def test_gigabytes_are_of_a_thousand_million() -> None:
    (one,) = nccl_tests.run("1024 2").sizes
    assert (one.size, one.bus) == (1024, 2_000_000_000)


def test_an_output_says_what_ran_where_and_what_tied_its_hands() -> None:
    sentence_text = nccl_tests.run(
        "# Collective test starting: alltoall_perf\n"
        "#  Rank  0 Group  0 Pid 1 on  a device  0 [0x07] NVIDIA A100\n"
        "#  Rank  8 Group  0 Pid 2 on  b device  0 [0x07] NVIDIA A100\n"
        "a:1:1 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB ; OOB ib0:1\n"
        "a:1:1 [0] NCCL INFO NCCL_PROTO set by environment to LL\n"
        "1024 2\n"
    )
    assert (sentence_text.collective, sentence_text.ranks, sentence_text.hosts, sentence_text.cards) == (
        "all_to_all",
        9,
        2,
        2,
    )
    assert sentence_text.forced == ("NCCL_PROTO set by environment to LL",)
    assert not sentence_text.sockets


def curves(**given: str) -> dict[str, dict[str, str]]:
    return measurement.curves(CALCULATOR, answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, given)))


def points(line: dict[str, str]) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (point.split(",") for point in line["points"].split())]


def test_where_another_algorithm_takes_over_is_marked_on_the_curve_and_reported() -> None:
    """In one node of H100 a ring leads up to where it takes as long as switches that add."""
    drawn = curves(ranks="8")
    assert drawn["crossings"]["text"] == ("Fastest: ring; from 1.08 MiB NVLS. Diamonds mark where they cross.")
    at_the_crossing = answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {"ranks": "8", "message_size": "1.08 MiB"}))
    rings = [at_the_crossing[f"ring_{protocol}_time"] for protocol in ("ll", "ll128", "simple")]
    assert min(rings) == pytest.approx(at_the_crossing["nvls_time"], rel=0.01)
    # 1.08 MiB is 17.11 of the 31 doublings from 8 B to 16 GiB, along 620 units of width.
    mark = points(drawn["crossing0"])
    assert sum(x for x, _ in mark[:4]) / 4 == pytest.approx(76 + 620 * 17.11 / 31, abs=1)
    heights = dict(points(drawn["modelled"]))
    around = sorted(heights[x] for x in sorted(heights, key=lambda x: abs(x - mark[1][0]))[:2])
    assert around[0] <= mark[0][1] <= around[1]
    assert drawn["crossing1"]["points"] == ""


@pytest.mark.parametrize(
    ("given", "sentence_text"),
    [
        ({"collective": "all_gather"}, "Fastest at every size: ring."),
        ({"collective": "all_to_all"}, "Fastest at every size: point-to-point."),
        ({"in_network": "none"}, "Fastest: tree; from 1.13 GiB ring. Diamonds mark where they cross."),
    ],
)
def test_a_curve_without_a_crossing_says_what_leads(given: dict[str, str], sentence_text: str) -> None:
    assert curves(**given)["crossings"]["text"] == sentence_text


def test_text_without_results_names_what_would_do(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("nothing here\n", "utf-8")
    assert main(["collectives", "--measured", str(tmp_path / "empty.txt")]) == 2
    assert "No results in this text: paste the output of all_reduce_perf" in capsys.readouterr().err


def test_the_command_line_compares_in_the_state_given(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--nic-bandwidth", "25 GB/s", "--measured", str(LOGS / "nccl-falls-at-large.txt")]
    assert main(["collectives", *given]) == 0
    assert "1. Falls at large sizes." in capsys.readouterr().out
    assert main(["collectives", *given, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["share"] == pytest.approx(29.5 / 192)
    assert report["points"][5]["measured"] == pytest.approx(29.5e9)
    assert report["reasons"][0]["name"] == "falls at large sizes"


def test_the_picture_is_drawn_to_scale() -> None:
    """720 by 300, with 76 left and 24 right of it, 16 above and 44 below: 620 by 240 from (76, 256) to (696, 16)."""
    calculator, along, result = CALCULATOR, "message_size", "bus_bandwidth"
    assert measurement.levels() == ["256.0", "196.0", "136.0", "76.0", "16.0"]
    declared = calculator.inputs[along]
    assert isinstance(declared, Quantity)
    low, high = declared.slider
    doublings = round(math.log2(high / low))
    ticks = measurement.ticks(calculator)
    assert [text for _, text in ticks] == [declared.text(low * 64**n) for n in range(doublings // 6 + 1)]
    assert [float(x) for x, _ in ticks] == pytest.approx(
        [76 + 620 * 6 * n / doublings for n in range(len(ticks))], abs=0.05
    )
    values, found = compared("dips", **P4D)
    drawn = measurement.curves(calculator, values, found)
    modelled = points(drawn["modelled"])
    results = [calculator.after(values, {along: low * 2**n})[result] for n in range(doublings + 1)]
    assert [x for x, _ in modelled] == pytest.approx([76 + 620 * n / doublings for n in range(doublings + 1)], abs=0.05)
    heights = [256 - y for _, y in modelled]
    assert heights == pytest.approx([one * heights[-1] / results[-1] for one in results], abs=0.2)
    shown = [one for one in found.points if low <= one.along <= high]
    assert [256 - y for _, y in points(drawn["measured"])] == pytest.approx(
        [one.result * heights[-1] / results[-1] for one in shown], abs=0.2
    )
    assert max(*heights, *(256 - y for _, y in points(drawn["measured"]))) <= 240
    corners = measurement._marks([(1.0, "ring")], lambda _: (100.0, 50.0))["crossing0"]["points"]
    assert corners == "94.0,50.0 100.0,44.0 106.0,50.0 100.0,56.0 94.0,50.0"
    for one in measurement.described(calculator, values, found)["points"]:
        assert one["share"] == pytest.approx(one["measured"] / one["modelled"])

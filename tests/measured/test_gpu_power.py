"""GPU power logs: nvidia-smi's CSV and dcgmi dmon, next to the assumed power, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from calculators.__main__ import main
from calculators.measured import gpu_power
from calculators.measured.record import ReadError

LOGS = Path(__file__).parent.parent / "logs"
Captured = pytest.CaptureFixture[str]
# As DCGM's DeviceMonitor.cpp prints it: names, units, a row per GPU; the names come again.
DMON = """\
#Entity           GPUTL       POWER
ID                            W
GPU 0             100         690.1
GPU 1             99          401.2
#Entity           GPUTL       POWER
ID                            W
GPU 0             100         688.3
GPU 1             98          N/A
"""


def text(name: str) -> str:
    return (LOGS / name).read_text("utf-8")


def report(capsys: Captured, file: Path, *options: str) -> dict[str, Any]:
    assert main(["power", "--measured", str(file), "--json", *options]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_published_csv_is_read_by_its_columns() -> None:
    (idle,) = gpu_power.runs(text("nvidia-smi-idle.csv"))
    assert (idle.gpu, len(idle.watts), idle.watts[0], idle.busy) == ("0", 18, 22.89, ())
    (busy,) = gpu_power.runs(text("nvidia-smi-busy.csv"))
    assert (busy.gpu, busy.watts[-1], busy.busy[-1]) == ("NVIDIA GeForce RTX 4090", 289.25, 0.94)


def test_dmon_is_read_by_the_names_of_its_columns() -> None:
    first, second = gpu_power.runs(DMON)
    assert (first.watts, first.busy) == ((690.1, 688.3), (1.0, 1.0))
    assert (second.watts, second.busy) == ((401.2,), (0.99,))


def test_columns_of_dcgm_in_csv_are_known() -> None:
    (one,) = gpu_power.runs("gpu,DCGM_FI_DEV_POWER_USAGE,DCGM_FI_DEV_GPU_UTIL\n3,512.5,97\n")
    assert (one.gpu, one.watts, one.busy) == ("3", (512.5,), (0.97,))


@pytest.mark.parametrize("head", ["Hostname,GPU-Id", "host,ID", "node,gpu_id"])
def test_gpus_of_two_hosts_with_the_same_number_are_apart(head: str) -> None:
    """Tables of DCGM's fields number the GPUs of each host from 0."""
    found = gpu_power.runs(f"{head},DCGM_FI_DEV_POWER_USAGE\na,0,205\na,1,200\nb,0,300\na,0,215\n")
    assert [(one.gpu, one.watts) for one in found] == [("a 0", (205, 215)), ("a 1", (200,)), ("b 0", (300,))]


def test_power_is_next_to_what_is_assumed(capsys: Captured) -> None:
    found = report(capsys, LOGS / "nvidia-smi-busy.csv", "--gpu-power=450 W", "--average-share=50%")
    results = {one["name"]: one for one in found["results"]}
    mean = sum(gpu_power.runs(text("nvidia-smi-busy.csv"))[0].watts) / 32
    assert results["gpu_power_mean"]["measured"] == pytest.approx(mean)
    assert (results["gpu_power_mean"]["pass"], results["gpu_power_mean"]["fail"]) == (225, 450)
    assert results["gpu_power_mean"]["state"] == "Investigate"
    assert "node_power_mean" not in results


def test_an_idle_or_short_log_does_not_pass(capsys: Captured) -> None:
    found = report(capsys, LOGS / "nvidia-smi-idle.csv")
    assert found["state"] == "Not checked"
    assert "18 samples" in found["reasons"][0]["looks"]


def test_a_node_is_added_up_and_a_weak_gpu_is_named(tmp_path: Path, capsys: Captured) -> None:
    rows = ["timestamp, index, power.draw [W], utilization.gpu [%]"]
    rows += [f"t, {gpu}, {300 if gpu == 5 else 600}.00 W, 99 %" for _ in range(40) for gpu in range(8)]
    file = tmp_path / "power.csv"
    file.write_text("\n".join(rows), "utf-8")
    options = ("--gpus-per-node=8", "--gpu-power=700 W", "--node-power=10 kW", "--average-share=80%")
    found = report(capsys, file, *options)
    node = next(one for one in found["results"] if one["name"] == "node_power_mean")
    assert node["measured"] == pytest.approx(7 * 600 + 300 + (10_000 - 8 * 700) * 0.8)
    assert node["state"] == "Investigate"
    assert [one["name"] for one in found["reasons"]] == ["GPUs below the others"]
    assert "GPU 5" in found["reasons"][0]["looks"]
    file.write_text("\n".join(rows).replace(" 300.00 W", " 540.00 W"), "utf-8")
    assert report(capsys, file, *options)["reasons"] == [], "90% of the median is not below it"
    one_less = report(capsys, file, *options, "--gpus-per-node=4", "--node-power=5 kW")
    assert "node_power_mean" not in {one["name"] for one in one_less["results"]}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (text("nvidia-smi-no-header.csv"), "log with a header"),
        ("", "names no power.draw"),
        ("timestamp, power.draw [W]\n", "no row with a power"),
        ("timestamp, power.draw [W]\nt, 20 mW\n", "line 2: power.draw must be a number"),
        ("timestamp, power.draw [W], x\nt, 20 W\n", "line 2: this row has 2 of 3 columns"),
        (DMON.replace("POWER", "MCUTL"), "no POWER"),
        (DMON.replace("GPU 1             99          401.2", "GPU 1             99"), "line 4"),
        ("PK\3\4\0", "not plain text"),
    ],
)
def test_what_is_no_log_is_refused_with_its_place(content: str, words: str) -> None:
    with pytest.raises(ReadError) as caught:
        gpu_power.runs(content)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_two_copies_and_other_encodings_are_read(tmp_path: Path, capsys: Captured) -> None:
    once = text("nvidia-smi-busy.csv")
    assert gpu_power.runs(once * 2)[0].watts == gpu_power.runs(once)[0].watts * 2
    file = tmp_path / "power.csv"
    file.write_text(once, "utf-16")
    assert report(capsys, file) == report(capsys, LOGS / "nvidia-smi-busy.csv")

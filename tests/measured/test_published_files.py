"""Files that others published, of formats beyond those tested with their own modules: what they state, to the digit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calculators import facts
from calculators.__main__ import main
from calculators.measured import gpu_power, nccl_tests, prometheus, storage
from calculators.subjects.network.collectives import measured
from calculators.subjects.network.collectives.measured import given_by
from calculators.subjects.serving.inference import benchmark
from tests.measured.job_logs import cluster

LOGS = Path(__file__).parents[1] / "logs"


def text(name: str) -> str:
    return (LOGS / name).read_text("utf-8")


def test_an_alltoall_of_two_nodes_states_its_collective_and_the_slower_of_its_columns() -> None:
    run = nccl_tests.run(text("nccl-alltoall-two-gpus.txt"))
    assert (run.collective, run.ranks, run.hosts, len(run.sizes)) == ("all_to_all", 2, 2, 10)
    assert (run.sizes[-1].size, run.sizes[-1].bus) == (2**34, 13.55e9)
    assert run.sizes[-1].time == pytest.approx(0.633962)
    assert given_by(run)["gpus_per_domain"] == "1", "two hosts, a GPU of each"


def test_an_output_of_rccl_is_next_to_its_own_accelerator_without_nvls(capsys: pytest.CaptureFixture[str]) -> None:
    run = nccl_tests.run(text("rccl-mi300x-8.txt"))
    assert (run.ranks, run.hosts, run.gpu, run.sizes[-1].bus) == (8, 1, "AMD Instinct MI300X", 318.98e9)
    stated = {"collective": "all_reduce", "ranks": "8", "in_network": "none", "accelerator": "mi300x"}
    assert given_by(run) == stated
    assert main(["collectives", "--measured", str(LOGS / "rccl-mi300x-8.txt")]) == 0
    assert "Likely reasons" not in capsys.readouterr().out, "AMD's own test passes from 304 GB/s"


def test_cards_of_two_hosts_are_no_domain(capsys: pytest.CaptureFixture[str]) -> None:
    run = nccl_tests.run(text("rccl-r9700-two-hosts.txt"))
    assert (run.ranks, run.hosts, run.gpu, run.sizes[-1].bus) == (2, 2, "AMD Radeon AI PRO R9700", 10.77e9)
    assert given_by(run) == {"collective": "all_reduce", "ranks": "2", "gpus_per_domain": "1", "in_network": "none"}
    assert main(["collectives", "--measured", str(LOGS / "rccl-r9700-two-hosts.txt")]) == 0
    assert "NVLink not used" not in capsys.readouterr().out


def test_hosts_of_a_rack_are_one_domain() -> None:
    devices = "".join(f"#  Rank  {n} Group  0 Pid 1 on host{n} device  0 [0008:01:00] NVIDIA GB200\n" for n in (0, 1))
    assert given_by(nccl_tests.run(f"{devices}1024 1.5\n")) == {"ranks": "2", "accelerator": "gb200"}


def test_every_device_that_is_known_is_in_the_menu() -> None:
    assert {*measured._ACCELERATORS.values()} <= facts.records("accelerators").keys()


@pytest.mark.parametrize(
    ("name", "tokens", "most", "ttft", "tpot"),
    [
        ("vllm-0.25-bench-serve.json", (256 / 8, 128 / 8), 2, 215.53594200008774, 11.265828258331112),
        ("sglang-qwen-3b-c32.jsonl", (6145 / 100, 6180 / 100), 32, 38.27534042298794, 8.421),
    ],
)
def test_a_benchmark_run_of_each_engine_is_read(
    name: str, tokens: tuple[float, float], most: int, ttft: float, tpot: float
) -> None:
    (run,) = benchmark.runs(text(name))
    assert (run.input_tokens, run.output_tokens) == tokens
    assert (run.most, run.request_rate, run.failed) == (most, None, 0)
    assert run.ttft * 1000 == pytest.approx(ttft)
    assert run.tpot * 1000 == pytest.approx(tpot, rel=1e-3)


def test_a_run_that_a_rate_keeps_below_its_limit_is_modeled_with_what_ran() -> None:
    """Numbers of aurotripathy/vllm-bench, FP16-1xH100-results-8B-llama-date-2025-03-25, 170 tokens out, 256 at a time.

    10 requests/s of 0.108 s + 169 × 21.04 ms each are about 31 at a time, and only 100 were sent.
    """
    stated = {"request_rate": 10.0, "max_concurrency": 256, "completed": 100, "duration": 11.789150286999757}
    stated |= {"total_input_tokens": 93766, "total_output_tokens": 17000, "request_throughput": 8.4823755373}
    stated |= {"output_throughput": 1442.0038413409998, "mean_ttft_ms": 108.14993464996405}
    stated |= {"p99_ttft_ms": 258.31334688925386, "mean_tpot_ms": 21.040635555206826, "p99_tpot_ms": 26.87264161875232}
    (run,) = benchmark.runs(json.dumps(stated))
    assert run.users == pytest.approx(8.4823755373 * (0.10814993 + 169 * 0.021040636))
    (burst,) = benchmark.runs(json.dumps({**stated, "request_rate": "inf"}))
    assert burst.users == run.users, "100 requests are never 256 at a time"
    (full,) = benchmark.runs(json.dumps({**stated, "request_rate": "inf", "max_concurrency": 16}))
    assert full.users == 16


def test_a_scrape_of_vllm_0_25_gives_lengths_latencies_and_prefix_share() -> None:
    seen = prometheus.traffic(text("vllm-0.25-metrics.txt"))
    assert (seen.completed, seen.failed, seen.prompt.mean, seen.output.mean) == (600, 0, 307_200 / 600, 153_600 / 600)
    assert seen.ttft.mean == pytest.approx(88.24499082565308 / 664), "64 requests were still under way"
    assert seen.tpot.mean == pytest.approx(3.6413589966192417 / 600)
    assert seen.prefix_share == pytest.approx(2480 / 339_968)


def test_a_scrape_of_an_idle_node_is_a_sample_of_each_of_its_gpus() -> None:
    found = gpu_power.runs(text("dcgm-exporter-idle-node.txt"))
    watts = [113.611, 68.347, 65.709, 67.316, 68.717, 65.742, 67.328, 66.997]
    assert [one.watts for one in found] == [(each,) for each in watts]
    assert {one.busy for one in found} == {(0.0,)}
    assert found[0].gpu == "gpu-node-1 GPU-c4529c8d-69c4-b61d-e0bc-7b2460096005"


def test_gpus_without_labels_but_a_number_are_several() -> None:
    """Of cncf/k8s-ai-conformance, v1.35/viettel-ai-platform/accelerator_metrics.md, with its own ellipses."""
    lines = (f'DCGM_FI_DEV_POWER_USAGE{{gpu="{n}",...,modelName="NVIDIA L40S",...}} 34.1{n}\n' for n in (0, 1))
    assert [(one.gpu, one.watts) for one in gpu_power.runs("".join(lines))] == [("0", (34.10,)), ("1", (34.11,))]


def test_thirteen_columns_of_nvidia_smi_without_units_are_read_by_name() -> None:
    (one,) = gpu_power.runs(text("nvidia-smi-sgemm.csv"))
    assert (len(one.watts), one.watts[0], one.watts[-1]) == (40, 69.88, 69.73)
    assert set(one.busy) == {1.0}


def test_half_reads_half_writes_of_fio_are_both_read() -> None:
    read, write = storage.runs(text("fio-3.12-half-writes.json"))
    assert (read.kind, read.bandwidth, read.rate) == ("read", 7_402_092, 225.893944)
    assert (write.kind, write.bandwidth, write.rate) == ("write", 7_362_217, 224.677039)
    assert (read.request, read.depth, read.is_random, read.is_direct) == (32 * 1024, 16, True, True)
    assert read.latency == pytest.approx(20.368555062895e-3)
    assert write.latency_p99 == pytest.approx(0.666894336)


def test_accounting_of_a_day_leaves_out_an_allocation_of_no_node() -> None:
    """32 nodes for 3 days, 3 for 2-22:03:04, 4 for 14:00:49; the fourth line has no node and no time."""
    found = cluster(text("slurm-ub-hpc.txt"))
    days = {"TIMEOUT": 32 * 3, "CANCELLED": 3 * 252_184 / 86_400, "COMPLETED": 4 * 50_449 / 86_400}
    assert found.node_days == pytest.approx(days)
    assert (found.jobs, found.failures) == (3, 0)

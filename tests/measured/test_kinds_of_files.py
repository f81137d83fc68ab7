"""Kinds of public files that readers once misread or refused: a few lines of each, the repository named."""

from __future__ import annotations

import json

import pytest

from calculators.measured import aiperf, gpu_power, nccl_tests, storage, training
from calculators.measured.record import ReadError
from calculators.measured.serving import BenchmarkError
from calculators.subjects.serving.inference.benchmark import runs

NCCL_HEAD = "#       size         count      type   redop    root     time   algbw   busbw  #wrong"


# xxrjun/nccl-tests-cluster, pairwise/runs/2511: one log holds alltoall_perf, then sendrecv_perf
def test_a_text_with_two_nccl_runs_is_refused_at_the_second() -> None:
    text = (
        "# Collective test starting: alltoall_perf\n"
        f"{NCCL_HEAD}\n"
        "    33554432       2097152    double    none      -1  1282.93   26.15   13.08       0\n"
        "# Collective test starting: sendrecv_perf\n"
        f"{NCCL_HEAD}\n"
        "    33554432       4194304    double     sum      -1  2513.89   13.35   13.35       0\n"
    )
    with pytest.raises(ReadError, match=r"^Line 5: the table of a second run"):
        nccl_tests.run(text)
    first, second = text.split("# Collective test starting: sendrecv_perf\n")
    assert nccl_tests.run(first).collective == "all_to_all"
    with pytest.raises(ReadError, match="the output of sendrecv_perf: this reads all_reduce_perf"):
        nccl_tests.run("# Collective test starting: sendrecv_perf\n" + second)


# NVIDIA/DCGM, testing/python3/mocks/all_reduce_perf: a column more after the last #wrong
def test_columns_after_the_bandwidths_do_not_move_them() -> None:
    head = NCCL_HEAD + "     time   algbw   busbw  #wrong  #iters\n"
    row = (
        "    33554432       8388608     float     sum      -1    25.74  1303.8    2.50       0     0.37   89754    0.00"
    )
    (one,) = nccl_tests.run(f"{head}{row}       0      20\n").sizes
    assert [one.time, one.bus] == pytest.approx([25.74e-6, 2.5e9])


# NVIDIA/nccl-tests a0b82b2, util.cu: -N prints each cycle; timestamps are at the end of a row
def test_of_repeated_sizes_the_slowest_counts_and_a_timestamp_is_no_value() -> None:
    rows = [f"1024 256 float sum -1 {time} 1.0 {bus} 0 2026-11-28 10:00:00" for time, bus in ((9, 1.9), (10, 1.7))]
    (one,) = nccl_tests.run("\n".join([NCCL_HEAD, *rows])).sizes
    assert [one.time, one.bus] == pytest.approx([10e-6, 1.7e9])


@pytest.mark.parametrize(
    ("row", "collective"),
    [
        # argonne-lcf/alcf-nccl-tests: outputs without a command; 2 (n - 1) ÷ n of an all-reduce is above 1 from 3 GPUs
        ("8388608 2097152 float sum -1 250.0 33.55 58.72 0", "all_reduce"),
        ("8388608 262144 float sum -1 250.0 33.55 29.36 0", "reduce_scatter"),
        ("8388608 262144 float none -1 250.0 33.55 29.36 0", ""),  # all-gather or all-to-all
        ("8388608 2097152 float sum -1 250.0 33.55 33.55 0", ""),  # all-reduce of 2 GPUs, or sendrecv
        ("8388608 2097152 float sum 0 250.0 33.55 33.55 0", ""),  # reduce to a root
    ],
)
def test_a_collective_that_is_not_named_is_read_from_its_columns_where_only_one_fits(row: str, collective: str) -> None:
    assert nccl_tests.run(f"{NCCL_HEAD}\n{row}\n").collective == collective


AIPERF = {
    name: {"unit": unit, "avg": 64.0, "p99": 80.0}
    for name, unit in (
        ("request_count", "requests"),
        ("request_throughput", "requests/sec"),
        ("output_token_throughput", "tokens/sec"),
        ("time_to_first_token", "ms"),
        ("inter_token_latency", "ms"),
        ("input_sequence_length", "tokens"),
        ("output_sequence_length", "tokens"),
    )
}


# ajith-sirra-amd/InferenceMAX_Rocm_Team, profile_export_aiperf.json of its tests: no request failed
def test_a_metric_of_aiperf_that_is_null_counts_no_errors() -> None:
    run = aiperf.run({**AIPERF, "error_request_count": None, "input_config": {"loadgen": {"concurrency": 2}}})
    assert (run.failed, run.most) == (0, 2)


# triton-inference-server/perf_analyzer, genai_perf/metrics/metrics.py: GenAI-Perf counts requests in “count”
def test_the_unit_of_genai_perfs_request_count_is_known() -> None:
    config = {"input_config": {"perf_analyzer": {"stimulus": {"concurrency": 4}}}}
    run = aiperf.run({**AIPERF, "request_count": {"unit": "count", "avg": 64.0}, **config})
    assert (run.completed, run.most) == (64, 4)
    with pytest.raises(BenchmarkError, match="request_count is in dozens, not in requests"):
        aiperf.run({**AIPERF, "request_count": {"unit": "dozens", "avg": 64.0}, **config})


# ai-dynamo/aiperf, docs/tutorials/working-with-profile-exports.md: profile_export.jsonl has a request per line
def test_aiperfs_record_of_requests_names_the_file_to_give() -> None:
    with pytest.raises(BenchmarkError, match=r"give profile_export_aiperf\.json"):
        runs('{"metadata": {"worker_id": "w"}, "metrics": {}, "error": null}\n')


# IO500/submission-data, DKRZ 2019 and CERN 2018: mdtest-1.9.3 heads its table “SUMMARY: (of 1 iterations)”
def test_the_summary_of_mdtest_of_2018_is_read() -> None:
    (one,) = storage.runs(
        "mdtest-1.9.3 was launched with 2048 total task(s) on 2048 node(s)\n"
        "Command line used: mdtest -E -t -F -w 3901 -e 3901 -d /cache\n"
        "SUMMARY: (of 1 iterations)\n"
        "   Operation                      Max            Min           Mean        Std Dev\n"
        "   File stat         :          0.000          0.000          0.000          0.000\n"
        "   File read         :     266706.060     266706.060     266706.060          0.000\n"
    )
    assert (one.name, one.rate, one.nodes, one.jobs) == ("File read", 266706.06, 2048, 1)


# mlcommons/storage_results_v1.0, dlio_benchmark/tests/test_data/summary.json: DLIO before num_hosts
def test_a_summary_of_dlio_without_num_hosts_is_read() -> None:
    metric = {
        "train_au_mean_percentage": 99.0,
        "train_au_meet_expectation": "success",
        "train_throughput_mean_samples_per_second": 7.0,
        "train_io_mean_MB_per_second": 1000.0,
    }
    (one,) = storage.runs(json.dumps({"num_accelerators": 2, "hostname": "7a37", "metric": metric}))
    assert (one.nodes, one.accelerators, one.bandwidth) == (None, 2, 1000 * 2**20)


# awslabs/awsome-distributed-ai, megatron-bridge/dsv3/kubernetes/README.md: a line shortened by hand
def test_a_value_that_is_dots_is_named_as_missing() -> None:
    line = " iteration       10/     100 | consumed samples: 80 | elapsed time per iteration (ms): ... | lm loss: 1.0 |"
    with pytest.raises(ReadError, match="iteration 10 has no “elapsed time per iteration"):
        training.run(line)


# QIU023/torchtitan_attention_residual, phase11_rlhf_grpo_infra: torchtitan of 2026 states the accumulation in between
TITAN = (
    "Building device mesh with parallelism: pp=1, dp_replicate=1, dp_shard=4, cp=1, tp=2, ep=1, etp=1\n"
    "Trainer is initialized with local batch size 2, global batch size 8, gradient accumulation steps 1, "
    "sequence length 512, total steps 3\n"
    "step: 10  loss:  8.60747  grad_norm:  2.6802  memory: 10.10GiB(32.20%)  tps: 241  tflops: 1.47  mfu: 0.47%\n"
)


def test_tokens_of_a_step_are_read_next_to_its_accumulation() -> None:
    run = training.run(TITAN)
    assert (run.gpus, run.step_tokens, run.sequence_length) == (8, 8 * 512, 512)
    assert run.steps[0].seconds == pytest.approx(8 * 512 / 241 / 8)


def test_a_log_with_runs_of_several_batches_is_refused_at_the_second() -> None:
    with pytest.raises(ReadError, match=r"^line 5: a run with another batch begins here \(global batch size 160, "):
        training.run(TITAN + TITAN.replace("batch size 8,", "batch size 160,"))
    assert len(training.run(TITAN + TITAN.replace("step: 10", "step: 20")).steps) == 2  # resumed


# xypp3/gpu_glasses, nvidia_smi.csv: an index that is 0 in every row, next to the number of the GPU
def test_gpus_are_told_apart_by_the_column_that_differs() -> None:
    head = "timestamp,gpu,index,memory.used,power.draw\n"
    rows = "".join(f"t{time},{gpu}, 0, 4, {70 + gpu}.0\n" for time in range(2) for gpu in range(3))
    found = gpu_power.runs(head + rows)
    assert [(one.gpu, one.watts) for one in found] == [("0", (70, 70)), ("1", (71, 71)), ("2", (72, 72))]
    # a number of the sample is not a GPU
    rows = "".join(f"{2 * time + gpu}, GPU-{gpu}, {70 + gpu}\n" for time in range(2) for gpu in range(2))
    assert [one.gpu for one in gpu_power.runs("index, uuid, power.draw\n" + rows)] == ["GPU-0", "GPU-1"]


# NVIDIA/aicr, docs/conformance/cncf/evidence/accelerator-metrics.md: dcgm-exporter of two nodes
def test_what_dcgm_exporter_prints_is_a_sample_of_each_gpu() -> None:
    def scrape(watts: float) -> str:
        return "".join(
            f'{field}{{gpu="0",UUID="GPU-{host}",device="nvidia0",Hostname="{host}"}} {value}\n'
            for host in "ab"
            for field, value in (
                ("DCGM_FI_DEV_GPU_TEMP", 31),
                ("DCGM_FI_DEV_POWER_USAGE", watts),
                ("DCGM_FI_DEV_GPU_UTIL", 97),
            )
        )

    found = gpu_power.runs(scrape(512.5) + scrape(600))
    assert [(one.gpu, one.watts, one.busy) for one in found] == [
        (f"{host} GPU-{host}", (512.5, 600), (0.97, 0.97)) for host in "ab"
    ]
    # gpu-monitoring-tools, issue 152: DCGM's “no value” is a large number
    (one, _) = gpu_power.runs(scrape(512.5).replace("} 97", "} 9223372036854775794"))
    assert (one.watts, one.busy) == ((512.5,), ())


# asnaylor/nersc-metrics-scripts, dcgm_metrics.csv; awslabs/awsome-distributed-ai, dcgm-metrics.csv
def test_the_list_of_what_dcgm_exporter_collects_is_no_log() -> None:
    text = "# Format,,\n# Power,,\nDCGM_FI_DEV_POWER_USAGE, gauge, Power draw (in W).\n"
    with pytest.raises(ReadError, match="give what its /metrics prints"):
        gpu_power.runs(text)


# dcgmi dmon of DCGM 4.5 below a time that a wrapper writes before each line
def test_dmon_is_read_after_a_time_on_each_line() -> None:
    lines = ("#Entity   POWER   TOTEC   GPUTL", "ID        W       mJ", "GPU 0     16.609  2560    42")
    (one,) = gpu_power.runs("".join(f"1780000000.1 {line}\n" for line in lines))
    assert (one.gpu, one.watts, one.busy) == ("0", (16.609,), (0.42,))

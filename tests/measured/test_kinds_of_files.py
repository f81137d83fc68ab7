"""Kinds of public files that readers once misread or refused: a few lines of each, the repository named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from calculators.__main__ import main
from calculators.cli.benchmark import compared
from calculators.cli.scrapes import Scrapes
from calculators.measured import aiperf, gpu_power, nccl_tests, prometheus, storage, training
from calculators.measured.record import ReadError
from calculators.measured.serving import BenchmarkError
from calculators.subjects.serving.inference.benchmark import runs
from calculators.subjects.storage.goodput.cluster import cluster, report
from calculators.subjects.storage.goodput.event_log import clock
from calculators.subjects.storage.goodput.log_text import LogError

if TYPE_CHECKING:
    from pathlib import Path

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


# burmist-git/CPU_usage_sacct, sacct_output.csv: columns as sacct prints them without --parsable2
def test_accounting_in_columns_is_read_with_its_cut_states() -> None:
    found = clock(
        "JobID             State              Submit               Start                 End \n"
        "------------ ---------- ------------------- ------------------- ------------------- \n"
        "37616724     OUT_OF_ME+ 2026-06-26T20:46:00 2026-06-26T20:47:00 2026-06-26T20:49:00 \n"
        "37616724.ba+ OUT_OF_ME+ 2026-06-26T20:47:00 2026-06-26T20:47:00 2026-06-26T20:49:00 \n"
        "37616730     CANCELLED+ 2026-06-26T20:50:00 2026-06-26T20:50:30 2026-06-26T20:51:30 \n"
    )
    assert (found.failures, found.interruptions, found.running, found.queued) == (1, 1, 180, 60)
    assert found.states == {"OUT_OF_MEMORY": 1, "CANCELLED": 1}


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_accounting_with_another_delimiter_is_read(delimiter: str) -> None:
    rows = (
        ("JobID", "State", "Submit", "Start", "End"),
        ("7", "NODE_FAIL", "2026-06-26T20:46:00", "2026-06-26T20:47:00", "2026-06-26T20:49:00"),
    )
    found = clock("\n".join(delimiter.join(row) for row in rows))
    assert (found.failures, found.running) == (1, 120)


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


# sgl-project/sglang, srt/metrics/collector.py and docs/references/production_metrics.md
SGLANG = """\
# HELP sglang:prompt_tokens_total Number of prefill tokens processed.
# TYPE sglang:prompt_tokens_total counter
sglang:prompt_tokens_total{model_name="m"} 8000.0
sglang:generation_tokens_total{model_name="m"} 2000.0
sglang:cached_tokens_total{model_name="m"} 2000.0
sglang:num_requests_total{model_name="m"} 10.0
sglang:spec_accept_length{model_name="m"} NaN
sglang:time_to_first_token_seconds_sum{model_name="m"} 3.0
sglang:time_to_first_token_seconds_bucket{le="0.2",model_name="m"} 4.0
sglang:time_to_first_token_seconds_bucket{le="0.6",model_name="m"} 10.0
sglang:time_to_first_token_seconds_bucket{le="+Inf",model_name="m"} 10.0
sglang:time_to_first_token_seconds_count{model_name="m"} 10.0
sglang:inter_token_latency_seconds_sum{model_name="m"} 40.0
sglang:inter_token_latency_seconds_bucket{le="0.02",model_name="m"} 1000.0
sglang:inter_token_latency_seconds_bucket{le="+Inf",model_name="m"} 2000.0
sglang:inter_token_latency_seconds_count{model_name="m"} 2000.0
"""


def test_a_scrape_of_sglang_is_read_by_its_sums_and_histograms() -> None:
    seen = prometheus.traffic(SGLANG)
    assert (seen.engine, seen.completed, seen.failed, seen.prefix_share) == ("SGLang", 10, 0, 0.25)
    assert seen.prompt == prometheus.Mean(count=10, mean=800)
    assert seen.output.mean == 200
    assert (seen.ttft.mean, seen.tpot.mean) == pytest.approx((0.3, 0.02))
    assert seen.ttft.p50 == pytest.approx(0.2 + 0.4 * 1 / 6)
    # --collect-tokens-histogram
    histogram = (
        'sglang:prompt_tokens_histogram_bucket{le="700",model_name="m"} 5.0\n'
        'sglang:prompt_tokens_histogram_bucket{le="1000",model_name="m"} 10.0\n'
        'sglang:prompt_tokens_histogram_sum{model_name="m"} 8000.0\n'
        'sglang:prompt_tokens_histogram_count{model_name="m"} 10.0\n'
    )
    prompt = prometheus.traffic(SGLANG + histogram).prompt
    assert isinstance(prompt, prometheus.Spread)
    assert prompt.p90 == pytest.approx(940)


def test_one_scrape_of_sglang_says_what_its_lengths_lack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "metrics.prom"
    file.write_text(SGLANG, "utf-8")
    assert main(["benchmark", str(file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["engine"], found["input_tokens"], found["prefix_cache_hit_rate"]) == ("SGLang", {"mean": 800}, 0.25)
    assert main(["benchmark", str(file)]) == 0
    assert "start SGLang with --collect-tokens-histogram" in capsys.readouterr().out


# sgl-project/sglang, docs/references/production_metrics.md of an overloaded server: TTFTs beyond the last bucket
def test_a_quantile_beyond_the_last_bucket_is_a_lower_bound(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = SGLANG.replace('{le="0.6",model_name="m"} 10.0', '{le="0.6",model_name="m"} 6.0')
    ttft = prometheus.traffic(text).ttft
    assert (ttft.p50, ttft.p99) == pytest.approx((0.4, 0.6))
    assert ttft.at_least == ("p90", "p99")
    file = tmp_path / "metrics.prom"
    file.write_text(text, "utf-8")
    assert main(["benchmark", str(file)]) == 0
    assert "p50 400 ms, p90 at least 600 ms, p99 at least 600 ms" in capsys.readouterr().out
    assert main(["benchmark", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["beyond_buckets"] == {"ttft": ["p90", "p99"], "tpot": ["p90", "p99"]}
    run = Scrapes(files=("a", "b"), traffic=prometheus.traffic(text), interval=60.0).run
    assert run is not None
    assert {row.name for row in compared(run, {}).rows} >= {"ttft", "tpot"}
    assert not {row.name for row in compared(run, {}).rows} & {"ttft_p99", "tpot_p99"}


def test_a_metric_of_sglang_that_was_renamed_is_named() -> None:
    for name in ("prompt_tokens_total", "generation_tokens_total", "time_to_first_token_seconds_sum"):
        with pytest.raises(ReadError, match=f"the scrape has no sglang:{name}"):
            prometheus.traffic(SGLANG.replace(f"sglang:{name}", "sglang:other"))
    with pytest.raises(ReadError, match="none of sglang:num_requests_total, sglang:e2e_request_latency_seconds_count"):
        prometheus.traffic(SGLANG.replace("num_requests_total", "requests"))
    with pytest.raises(ReadError, match="none of sglang:inter_token_latency_seconds_count, sglang:time_per_output"):
        prometheus.traffic(SGLANG.replace("inter_token", "itl"))
    # an older one: sgl-project/sglang, docs of 2024
    older = SGLANG.replace("inter_token_latency", "time_per_output_token")
    seen = prometheus.traffic(older.replace("num_requests_total", "e2e_request_latency_seconds_count"))
    assert (seen.completed, seen.tpot.mean) == pytest.approx((10, 0.02))
    assert prometheus.traffic(SGLANG.replace("cached_tokens", "cache_tokens")).prefix_share is None


# hasso5703/dgx-spark-qwen38, dashboard/tests/fixtures/sglang-metrics-27b-ready.txt: right after the start, when one
# request of its own was answered at once; SGLang lists a histogram from the first value on
def test_a_server_of_sglang_that_streamed_nothing_yet_is_refused_as_such() -> None:
    ready = "".join(line for line in SGLANG.splitlines(keepends=True) if "inter_token_latency" not in line)
    with pytest.raises(ReadError, match=r"inter_token_latency_seconds_count, .*: no request was counted there yet, "):
        prometheus.traffic(ready)
    with pytest.raises(ReadError, match=r"^the earlier scrape has no sglang:inter_token_latency_seconds_count: no req"):
        prometheus.traffic(SGLANG, ready.replace(" 10.0", " 4.0"))


# NVIDIA/aicr, docs/conformance: a scrape, but of dcgm-exporter
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# TYPE node_load1 gauge\nnode_load1 0.5\n", "no name that begins with vllm: or sglang:"),
        (SGLANG + "vllm:num_requests_running 9\n", "both vllm: and sglang:"),
    ],
)
def test_a_scrape_of_another_server_is_refused(text: str, words: str) -> None:
    assert prometheus.recognizes(text)
    with pytest.raises(ReadError, match=words):
        prometheus.traffic(text)


# prometheus/OpenMetrics, specification: a time with a fraction, and an exemplar after the value
def test_times_and_exemplars_of_samples_are_no_values() -> None:
    exemplar = 'sglang:num_requests_total{model_name="m"} 10.0 1780000000.5 # {trace_id="a"} 0.67\n'
    text = SGLANG.replace('sglang:num_requests_total{model_name="m"} 10.0\n', exemplar)
    assert prometheus.traffic(text) == prometheus.traffic(SGLANG)


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


# ubccr/xdmod, dsi-clinic/cluster-impact, jeonkiho/tghthon26: sacct --noheader
def test_accounting_without_column_names_says_so() -> None:
    row = "4107166|4107166|ub-hpc|2015-06-26T19:51:25|2015-06-28T15:14:49|2015-07-01T13:17:53|CANCELLED by 102216|3\n"
    with pytest.raises(LogError, match=r"^Line 1 has no column names .* without --noheader"):
        clock(row)


# mahendrapaipuri/ceems, a test of its API: 20 names, and 19 cells in each row
def test_a_row_with_a_cell_less_is_refused_where_it_is() -> None:
    head = "JobID|Submit|Start|End|State|NNodes|Ncpus|NodeList\n"
    row = "1|2023-02-21T14:37:02|2023-02-21T14:37:07|2023-02-21T15:26:29|COMPLETED|billing=80,cpu=160|compute-0\n"
    with pytest.raises(LogError, match=r"^Line 2: it has 7 cells under 8 names"):
        clock(head + row)


# many tables print Start and End alone; a cluster's node time needs no more, a job's wait does
def test_a_cluster_is_read_without_the_times_of_submission() -> None:
    head = "JobID|State|Start|End|NNodes|AllocTRES\n"
    jobs = "1|COMPLETED|0|86400|2|node=2,gres/gpu=16\n2|NODE_FAIL|3600|90000|1|node=1,gres/gpu=8\n"
    found = cluster(head + jobs)
    assert found
    assert (found.jobs, found.node_days, found.failures) == (2, {"COMPLETED": 2, "NODE_FAIL": 1}, 1)
    with pytest.raises(LogError, match="lacks Submit"):
        clock(head + jobs.splitlines()[0])


# dsi-clinic/cluster-impact, tests/fixtures/sacct.txt: a cluster that accounts for GPUs by their type alone
def test_gpus_of_a_cluster_are_counted_by_type_where_nothing_counts_them_all() -> None:
    head = "JobID|State|Start|End|AllocTRES|NNodes\n"
    jobs = (
        "1|COMPLETED|0|86400|billing=8,cpu=8,gres/gpu:a100=2,mem=64G,node=1|1\n"
        "2|NODE_FAIL|3600|90000|gres/gpu:h100=4,gres/gpu:l40s=1,node=1|1\n"
    )
    found = cluster(head + jobs)
    assert found
    assert found.gpu_days == 2 + 5
    both = cluster(head + jobs.replace("gres/gpu:a100=2", "gres/gpu=2,gres/gpu:a100=2"))
    assert both == found, "of a cluster that states both, each GPU counts once"


# mahendrapaipuri/ceems, pkg/api/testdata/sacct: accounting of a day, taken while a job runs
def test_a_cluster_is_read_while_jobs_are_running() -> None:
    head = "JobID|State|Submit|Start|End|NNodes\n"
    ended = "1|COMPLETED|0|0|86400|2\n"
    going = "2|RUNNING|3600|3600|Unknown|4\n"
    found = cluster(head + ended + going)
    assert found
    assert (found.jobs, found.running, found.node_days) == (1, 1, {"COMPLETED": 2})
    assert "Left out: 1 attempt still running." in report(found)
    assert cluster(head + going) is None
    for rows in (going, ended.replace("86400", "3600") + going):
        with pytest.raises(LogError, match="this attempt is still running; leave it out"):
            clock(head + rows)

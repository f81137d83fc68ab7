"""Scrapes of /metrics: lines of public ones that were once misread or refused, the repository named."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from calculators.__main__ import main
from calculators.cli.benchmark import compared
from calculators.cli.scrapes import Scrapes
from calculators.measured import prometheus
from calculators.measured.record import ReadError

if TYPE_CHECKING:
    from pathlib import Path

NCCL_HEAD = "#       size         count      type   redop    root     time   algbw   busbw  #wrong"


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


LATER = re.sub(r" (\d+)\.0\n", lambda found: f" {int(found[1]) * 3}.0\n", SGLANG)  # 20 requests more


def test_two_scrapes_in_one_text_are_a_run_at_its_rate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = prometheus.parted(f"{SGLANG}# Interval: 40 s\n{LATER}")
    assert parts is not None
    earlier, seconds, later = parts
    assert seconds == 40
    assert prometheus.traffic(later, earlier) == prometheus.traffic(LATER, SGLANG)
    for line in ("interval 40s", "--interval 40s", "interval = 40 s\r"):
        both = tmp_path / "both.prom"
        both.write_text(f"{SGLANG}{line}\n{LATER}", "utf-8", newline="")
        assert main(["benchmark", str(both), "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["completed"], found["request_rate"], found["prefix_cache_hit_rate"]) == (20, 0.5, 0.25)
        # As on the page.
        assert main(["inference", "--measured", str(both)]) == 0
        assert "800 tokens in, 200 out, 0.5 requests/s; 20 completed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (SGLANG + LATER, "give one scrape, or an earlier one, a line such as “interval 5min”, and a later one"),
        (f"{SGLANG}interval soon\n{LATER}", "^interval: .*soon"),
        (f"{SGLANG}interval 0 s\n{LATER}", "interval must be more than 0 s, not 0 s"),
        (f"{SGLANG}interval 1 s\n{LATER}interval 2 s\n", "2 lines state an interval: give one scrape"),
        (f"{LATER}interval 1 s\n{SGLANG}", "fell between the scrapes: the server restarted, or they are in the wrong"),
    ],
)
def test_two_scrapes_that_are_no_pair_are_refused(text: str, words: str) -> None:
    with pytest.raises(ReadError, match=words):
        _read(text)


def _read(text: str) -> object:
    parts = prometheus.parted(text)
    return prometheus.traffic(text) if parts is None else prometheus.traffic(parts[2], parts[0])


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

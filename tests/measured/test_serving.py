"""AIPerf's JSON and vLLM's Prometheus text: what is read, what two scrapes give that one does not, what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from calculators.__main__ import main
from calculators.measured import prometheus
from calculators.measured.record import ReadError
from calculators.measured.serving import BenchmarkError
from calculators.subjects.serving.inference.benchmark import runs

LOGS = Path(__file__).parent.parent / "logs"
OPTIONS = ["--model=llama-3-8b", "--accelerator=h100-sxm"]
Captured = pytest.CaptureFixture[str]


def text(name: str) -> str:
    return (LOGS / name).read_text("utf-8")


# Name; requests at a time or per second; completed, failed; TTFT and TPOT in ms: as published
PUBLISHED = (
    ("agent-c2", 2, None, 96, 0, 154.26432382291665, 5.670039629867334),
    ("agent-c16", 16, None, 96, 0, 230.13715230208334, 11.847342175364519),
    ("agent-c32", 32, None, 96, 0, 498.1564197916667, 18.619933493877607),
    ("agent-flat-c32", 32, None, 96, 0, 641.8598983333334, 20.202912429474225),
    ("chatbot-rate-1.2", None, 1.2, 96, 0, 96.94273910416666, 5.537818848393561),
    ("chatbot-h100-c32", 32, None, 96, 0, 119.79657387499999, 16.73344609690065),
    ("chatbot-gb10-c16", 16, None, 96, 0, 235.52689903125, 50.69997973889618),
    ("rag-c32", 32, None, 96, 0, 5712.589046833333, 236.69377479471402),
    ("rag-rate-1.2", None, 1.2, 96, 0, 473.36391968749996, 18.914479922041345),
    ("llama-gb10-chatbot-c32", 32, None, 320, 0, 275.15588911874994, 82.77909781400523),
    ("llama-gb10-agent-c1", 1, None, 100, 0, 124.78373587, 73.19667823240218),
    ("llama-tunnel-agent-c1", 1, None, 20, 0, 26594.86993695, 71.83295098636846),
    ("qwen3-vl-gb10-chatbot-c32", 32, None, 320, 0, 650.44436335625, 195.61008477684229),
    ("qwen3-vl-tunnel-agent-c1", 1, None, 10, 0, 17773.998755599998, 57.42295799948278),
    ("qwen3-vl-tunnel-agent-c2-failed", 2, None, 14, 6, 37389.37797614286, 238.45087019173428),
    ("gguf-c1-quarter-failed", 1, None, 15, 5, 417.0762019333333, 30.817415507966533),
    ("gguf-c1-half-failed", 1, None, 10, 10, 389.5663025, 22.127844593333332),
)


@pytest.mark.parametrize(("name", "most", "rate", "completed", "failed", "ttft", "tpot"), PUBLISHED)
def test_a_published_run_of_aiperf_is_read(
    name: str, most: int | None, rate: float | None, completed: int, failed: int, ttft: float, tpot: float
) -> None:
    (run,) = runs(text(f"aiperf-{name}.json"))
    assert (run.most, run.request_rate, run.completed, run.failed) == (most, rate, completed, failed)
    assert (run.ttft * 1000, run.tpot * 1000) == pytest.approx((ttft, tpot))
    assert run.tokens_per_second == pytest.approx(run.requests_per_second * run.output_tokens, rel=1e-3)
    if most is not None and not failed:
        # requests in flight by Little's law: no more than may run at a time
        assert most / 2 < run.running <= most
    if rate is not None:
        assert run.requests_per_second == pytest.approx(rate, rel=0.02)


def test_every_published_run_of_aiperf_is_in_the_table() -> None:
    assert {f"aiperf-{name}.json" for name, *_ in PUBLISHED} == {
        file.name for file in LOGS.glob("aiperf-*.json") if "all-failed" not in file.name
    }


def test_aiperf_and_the_other_generators_share_one_command(capsys: Captured) -> None:
    assert main(["benchmark", str(LOGS / "aiperf-agent-c16.json"), *OPTIONS, "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["concurrent_users"], round(found["input_tokens"])) == (16, 3761)
    metrics = {one["name"]: one for one in found["metrics"]}
    assert metrics["tpot"]["measured"] == pytest.approx(0.011847342175364519)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"time_to_first_token"', '"ttft"', "no time_to_first_token (avg): run it with --streaming"),
        ('"unit": "ms"', '"unit": "s"', "time_to_first_token is in s"),
        ('"concurrency": 16', '"users": 16', "neither a concurrency nor a request_rate"),
        ('"p99": 687.6198782499999', '"p99": "x"', "must be a number"),
        ('"request_throughput"', '"request_throughput_new"', "no request_throughput (avg): give profile_export_aiperf"),
    ],
)
def test_a_missing_or_renamed_metric_of_aiperf_is_named(old: str, new: str, words: str) -> None:
    with pytest.raises(ReadError) as caught:
        runs(text("aiperf-agent-c16.json").replace(old, new))
    assert words in str(caught.value)


def test_a_run_of_aiperf_of_which_every_request_failed_says_so() -> None:
    with pytest.raises(BenchmarkError, match=r"^no request of this run completed, 20 failed: see its error_summary$"):
        runs(text("aiperf-gguf-c1-all-failed.json"))


FEW_SLOW, WAITING = "A few sequences are slow", "The first token waits longer than the steps explain"


@pytest.mark.parametrize(
    ("name", "verdict", "reasons"),
    [
        # steps faster than the BF16 weights of the model: these are NVFP4
        ("chatbot-rate-1.2", "faster than modeled", [WAITING, "Faster than published runs"]),
        (
            "chatbot-h100-c32",
            "faster than modeled",
            [WAITING, "Faster than published runs", "25.1 of 32 requests allowed"],
        ),
        # answers of one token in most requests
        ("rag-c32", "not judged: 4.4 output tokens are too few.", []),
        ("rag-rate-1.2", "not judged: 3.9 output tokens are too few.", []),
        # a tunnel delays the first token by 17 s, a smaller GPU every step
        ("qwen3-vl-tunnel-agent-c1", "slower than modeled", [FEW_SLOW, WAITING]),
        # its first token waits 14 times as long as modeled, and steps take 7 times as long: twice is allowed
        ("qwen3-vl-gb10-chatbot-c32", "slower than modeled", ["A full batch is slow"]),
        # what ran on average counts completed requests alone
        ("qwen3-vl-tunnel-agent-c2-failed", "slower than modeled", ["6 requests failed", FEW_SLOW, WAITING]),
        ("gguf-c1-half-failed", "slower than modeled", ["10 requests failed", FEW_SLOW, WAITING]),
    ],
)
def test_the_reasons_for_a_published_run_agree_with_its_verdict(
    capsys: Captured, name: str, verdict: str, reasons: list[str]
) -> None:
    options = ["--model=qwen3-30b-a3b", "--accelerator=h100-sxm", "--tp=1"]
    assert main(["benchmark", str(LOGS / f"aiperf-{name}.json"), *options, "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["verdict"].startswith(f"TPOT is {verdict}")
    assert len(found["reasons"]) == len(reasons)
    assert all(said.startswith(reason) for said, reason in zip(found["reasons"], reasons, strict=True))


def test_columns_of_long_values_stay_apart(capsys: Captured) -> None:
    assert main(["benchmark", str(LOGS / "aiperf-agent-c2.json")]) == 0
    assert re.search(
        r"^Requests/s +0\.746 requests/s +0\.374 requests/s +1\.99$", capsys.readouterr().out, re.MULTILINE
    )


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_a_truncated_or_doubled_file_names_the_line(share: float) -> None:
    whole = text("aiperf-agent-c2.json")
    with pytest.raises(BenchmarkError, match=r"^line \d+: the JSON ends or breaks here"):
        runs(whole[: int(len(whole) * share)])
    with pytest.raises(BenchmarkError, match=rf"^line {whole.count(chr(10)) + 1}: "):
        runs(whole * 2)


def scrape(requests: int, tokens: int = 1000, *, hits: int = 0) -> str:
    """A scrape of a server that answered so many requests of 1,000 tokens in and 100 out."""
    labels = 'engine="0",model_name="m"'

    def histogram(name: str, mean: float, ends: tuple[float, float]) -> list[str]:
        return [
            f"# TYPE {name} histogram",
            f'{name}_bucket{{{labels},le="{ends[0]}"}} {requests // 2}.0',
            f'{name}_bucket{{{labels},le="{ends[1]}"}} {requests}.0',
            f'{name}_bucket{{{labels},le="+Inf"}} {requests}.0',
            f"{name}_sum{{{labels}}} {requests * mean}",
            f"{name}_count{{{labels}}} {requests}.0",
        ]

    return "\n".join(
        [
            "# HELP vllm:request_success_total Count of successfully processed requests.",
            f'vllm:request_success_total{{{labels},finished_reason="stop"}} {requests - 5}.0',
            f'vllm:request_success_total{{{labels},finished_reason="length"}} 3.0',
            f'vllm:request_success_total{{{labels},finished_reason="abort"}} 2.0',
            *histogram("vllm:request_prompt_tokens", tokens, (500.0, 2000.0)),
            *histogram("vllm:request_generation_tokens", 100, (50.0, 200.0)),
            *histogram("vllm:time_to_first_token_seconds", 0.2, (0.1, 0.5)),
            *histogram("vllm:inter_token_latency_seconds", 0.02, (0.01, 0.05)),
            f"vllm:prefix_cache_queries_total{{{labels}}} {requests * tokens}",
            f"vllm:prefix_cache_hits_total{{{labels}}} {hits}",
            "process_start_time_seconds 1.7e9",
            "",
        ]
    )


def test_one_scrape_gives_totals_and_says_that_it_gives_no_rate(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "metrics.prom"
    file.write_text(scrape(105, hits=21_000), "utf-8")
    assert main(["benchmark", str(file), *OPTIONS, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["completed"], found["not_completed"], found["request_rate"]) == (103, 2, None)
    assert found["prefix_cache_hit_rate"] == pytest.approx(0.2)
    # half of 105 requests, 52, are at most 500 tokens: the 94.5th is in the bucket to 2,000
    assert found["input_tokens"]["p90"] == pytest.approx(500 + 1500 * (94.5 - 52) / 53)
    assert found["comparison"] is None
    assert "no rate" in found["note"]


def test_two_scrapes_give_a_rate_and_the_model_at_it(tmp_path: Path, capsys: Captured) -> None:
    files = [tmp_path / "before", tmp_path / "after"]
    files[0].write_text(scrape(105, hits=1000), "utf-8")
    files[1].write_text(scrape(705, hits=301_000), "utf-8")
    arguments = ["benchmark", *map(str, files), "--interval=5min", *OPTIONS]
    assert main([*arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert found["request_rate"] == pytest.approx(600 / 300)
    assert found["prefix_cache_hit_rate"] == pytest.approx(0.5)
    assert found["comparison"]["request_rate"] == pytest.approx(2)
    assert found["comparison"]["metrics"][0]["modeled"] == pytest.approx(200)
    assert main(arguments) == 0
    assert "2 requests/s" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("files", "options", "words"),
    [
        ([scrape(105), scrape(705)], [], "--interval 5min"),
        ([scrape(105)], ["--interval=5min"], "needs two scrapes"),
        ([scrape(705), scrape(105)], ["--interval=5min"], "wrong order"),
        ([scrape(105), scrape(705)], ["--interval=soon"], "--interval"),
        ([scrape(105)] * 3, ["--interval=5min"], "3 scrapes"),
        ([scrape(105), scrape(105)], ["--interval=5min"], "no request finished"),
        ([scrape(105).replace("prefix_cache_hits", "gpu_prefix_cache_hits")], [], "vllm:prefix_cache_hits_total"),
        ([scrape(105).replace("inter_token_latency", "itl")], [], "vllm:inter_token_latency_seconds"),
        ([scrape(105).replace("request_success", "requests")], [], "vllm:request_success_total"),
        ([scrape(105) * 2], [], "twice"),
        ([re.sub(r"} 103.0", "} ", scrape(105).replace("100.0", "103.0"))], [], "line 2"),
    ],
)
def test_what_scrapes_lack_is_named(
    tmp_path: Path, capsys: Captured, files: list[str], options: list[str], words: str
) -> None:
    names = []
    for number, content in enumerate(files):
        names.append(tmp_path / f"{number}.prom")
        names[-1].write_text(content, "utf-8")
    assert main(["benchmark", *map(str, names), *OPTIONS, *options]) == 2
    message = capsys.readouterr().err
    assert words in message
    assert message.count("\n") == 1


def test_requests_over_several_engines_are_added_up() -> None:
    both = scrape(105) + scrape(205).replace('engine="0"', 'engine="1"')
    assert prometheus.traffic(both).completed == 103 + 203
    with pytest.raises(ReadError, match="fell between"):
        prometheus.traffic(scrape(105), both.replace("105", "999"))

"""Logs of requests: rate, lengths and repeated prompts as their publishers state them, and what is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from calculators.__main__ import main
from calculators.measured import request_log
from calculators.measured.record import ReadError

if TYPE_CHECKING:
    from pathlib import Path

# kvcache-ai/Mooncake, FAST25-release/README.md: its two requests "share the first 12 hash IDs"; times in milliseconds
SHARED = list(range(46, 58))
MOONCAKE = "\n".join(
    json.dumps(one)
    for one in (
        {"timestamp": 27482, "input_length": 6955, "output_length": 52, "hash_ids": [*SHARED, 2353, 2354]},
        {"timestamp": 30535, "input_length": 6472, "output_length": 26, "hash_ids": [*SHARED, 2366]},
    )
)
# Azure/AzurePublicDataset, data/AzureLLMInferenceTrace_code.csv: its first two requests
AZURE = (
    "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.9799600,4808,10\n2023-11-16 18:17:04.0319600,3180,8\n"
)
# HPMLL/BurstGPT, README.md: its columns; times in seconds
BURST = (
    "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
    "5,ChatGPT,472,18,490,Conversation log\n45,ChatGPT,1087,230,1317,Conversation log\n"
)
# microsoft/vidur, data/processed_traces/splitwise_code.csv: its first two requests; times in seconds
VIDUR = "arrived_at,num_prefill_tokens,num_decode_tokens\n0.0,4808,10\n0.052,3180,8\n"
# microsoft/apex_plus, traces/llama/creation_025.jsonl: its first two requests without their text; nanoseconds
APEX = "\n".join(
    json.dumps({"ContextTokens": prompt, "GeneratedTokens": output, "StartTimeOffset": start, "RequestID": "a56a"})
    for prompt, output, start in ((304, 822, 3772092432), (497, 1783, 4572273200))
)
# LMCache/LMBench, 3-workloads/trace-replayer/traces/gmi_trace.jsonl: two requests, fewer blocks; ns since 1970 as text
LMBENCH = "\n".join(
    json.dumps({"timestamp": time, "input_length": prompt, "output_length": output, "hash_ids": blocks})
    for time, prompt, output, blocks in (
        ("1753694362340138614", 2288, 114, [2843241808, 137021281, 3846380862]),
        ("1753694362521840563", 834, 104, [3910192896, 528910131, 432908908]),
    )
)
# Mutinifni/splitwise-sim, traces/test_trace.csv: whole; times in seconds
SPLITWISE = (
    "request_id,request_type,application_id,arrival_timestamp,batch_size,prompt_size,token_size\n"
    "0,2,0,1,1,4096,32\n1,2,0,3,1,2048,8\n2,2,0,4,1,2048,16\n"
)
# alibaba-edu/qwen-bailian-usagetraces-anon, README.md: its request, and one half a second later; times in seconds
QWEN = "\n".join(
    json.dumps(
        {"chat_id": 159, "parent_chat_id": 55, "timestamp": time, "input_length": 521, "output_length": 132}
        | {"type": "text", "turn": 2, "hash_ids": [1089, 1090, 1091, 6326]}
    )
    for time in (61.114, 61.614)
)


def test_the_trace_of_mooncake_has_milliseconds_and_shared_blocks() -> None:
    found = request_log.log(MOONCAKE)
    assert found.seconds == pytest.approx(3.053)
    assert found.rate == pytest.approx(2 / 3.053)
    assert found.prefix_share == pytest.approx(12 / (14 + 13))
    assert (found.prompt.mean, found.output.mean) == ((6955 + 6472) / 2, 39)


def test_the_traces_of_azure_burstgpt_and_vidur_are_read_by_their_names() -> None:
    azure, burst, vidur = map(request_log.log, (AZURE, BURST, VIDUR))
    assert request_log.recognizes(VIDUR)
    assert (vidur.prompt, vidur.output) == (azure.prompt, azure.output)
    assert vidur.seconds == pytest.approx(azure.seconds)
    assert (azure.requests, azure.prompt.mean, azure.output.mean) == (2, 3994, 9)
    assert azure.seconds == pytest.approx(0.052)
    assert (burst.seconds, burst.prompt.mean, burst.output.mean, burst.busiest_minute) == (40, 779.5, 124, 2)
    assert azure.prefix_share is None


@pytest.mark.parametrize(
    ("text", "seconds", "prompt", "output"),
    [
        (APEX, 0.800181, 400.5, 1302.5),
        (LMBENCH, 0.181702, 1561, 109),
        (SPLITWISE, 3, 8192 / 3, 56 / 3),
        (QWEN, 0.5, 521, 132),
        (QWEN.replace("61.", "1753694362."), 0.5, 521, 132),
        (QWEN.replace("61.", "1753694362").replace('"chat_id": 159, ', ""), 0.5, 521, 132),
        (AZURE.replace("TIMESTAMP", "timestamp_ms").replace("2023-11-16 18:17:0", ""), 0.000052, 3994, 9),
        # A trace of milliseconds that takes a month is none since 1970.
        (MOONCAKE.replace("30535", "2592027482"), 2592000, 6713.5, 39),
    ],
)
def test_the_unit_of_times_follows_from_names_or_size(text: str, seconds: float, prompt: float, output: float) -> None:
    assert request_log.recognizes(text)
    found = request_log.log(text)
    # A float holds a time since 1970 in nanoseconds to 256 ns.
    assert found.seconds == pytest.approx(seconds, abs=2e-6)
    assert (found.prompt.mean, found.output.mean) == pytest.approx((prompt, output))


def test_the_command_line_gives_the_state_of_inference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "trace.jsonl"
    file.write_text(MOONCAKE, "utf-8")
    assert main(["benchmark", str(file)]) == 0
    assert "--input-tokens 6714 --output-tokens 39 --prefix-cache-hit-rate 0.4444" in capsys.readouterr().out
    assert main(["benchmark", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["input_tokens"]["p99"] == 6955


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (AZURE.replace("GeneratedTokens", "Answers"), "line 1 has no count of output tokens: it has timestamp, "),
        (
            AZURE.replace("TIMESTAMP", "ratio"),
            "line 1 has no time: it has ratio, contexttokens, generatedtokens; this reads",
        ),
        (AZURE.replace(",8\n", ",x\n"), "line 3: generatedtokens must be a number"),
        (AZURE.replace("2023-11-16 18:17:04", "yesterday"), "line 3: “yesterday"),
        (AZURE.rpartition("2023")[0], "a rate needs two requests"),
        (MOONCAKE + "\n{", "line 3 is not a JSON object"),
    ],
)
def test_what_is_no_request_is_named_by_line(text: str, words: str) -> None:
    with pytest.raises(ReadError) as refused:
        request_log.log(text)
    assert words in str(refused.value)


def test_a_run_of_a_load_generator_is_no_log_of_requests() -> None:
    run = '{"date": "20261128", "duration": 9, "completed": 3, "total_input_tokens": 9, "total_output_tokens": 9}'
    assert not request_log.recognizes(run)
    assert all(map(request_log.recognizes, (MOONCAKE, AZURE, BURST)))


def test_a_row_with_decimal_commas_is_refused_and_not_shifted() -> None:
    """Its fraction of a second was read as prompt tokens."""
    rows = (
        "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:00:03,9799600,4808,10\n2023-11-16 18:00:04,1,110,27\n"
    )
    with pytest.raises(ReadError, match="line 2: this row has 4 of 3 columns"):
        request_log.log(rows)

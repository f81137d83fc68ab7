"""A pasted run of the reader's own, as the page of a calculator receives it next to its limits."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from calculators import bridge
from calculators.catalog import CALCULATORS

LOGS = Path(__file__).parents[1] / "logs"


def _compared(name: str, text: str, given: dict[str, str] | None = None) -> dict[str, Any]:
    question = {"asks": ["measured"], "calculator": name, "given": given or {}, "measured": text}
    compared: dict[str, Any] = json.loads(bridge.respond(json.dumps(question)))["compared"]
    return compared


def test_a_storage_run_has_its_state_its_limits_and_reasons() -> None:
    compared = _compared("storage_demand", (LOGS / "fio-mixed-interrupted.json").read_text("utf-8"))
    assert compared["sentence"] == "Investigate: fio, 1 of the job's 2,048 nodes."
    assert compared["rows"][0] == {
        "label": "Read bandwidth",
        "measured": "31.4 MB/s",
        "limits": "pass at 40 GB/s or more, fail below 23.1 MB/s",
        "state": "Investigate",
    }
    assert compared["causes"][0]["name"] == "Small requests."


def test_inputs_that_the_log_states_are_named_unless_the_reader_set_them() -> None:
    log = (LOGS / "megatron-gpt2-64.txt").read_text("utf-8")
    assert "Read from it: GPUs in the job 64, Sequence length 1,024." in _compared("training_time", log)["sentence"]
    stated = _compared("training_time", log, {"gpus": "128"})["sentence"]
    assert stated.endswith("Read from it: Sequence length 1,024.")


def test_an_accelerator_that_the_output_lists_is_named_unless_the_reader_chose_one() -> None:
    log = (LOGS / "rccl-mi300x-8.txt").read_text("utf-8")
    read = _compared("collectives", log)["sentence"].partition(" Read from it: ")[2]
    assert read == (
        "Collective all-reduce, GPUs in the group 8 GPUs, In-switch reduction none: GPUs reduce, "
        "Accelerator AMD Instinct MI300X 192 GB."
    )
    assert "MI300X" not in _compared("collectives", log, {"accelerator": "mi355x"})["sentence"]


def test_a_job_is_next_to_the_forecast_with_what_cost_most_first() -> None:
    """Of 110 minutes 50 lasted, 28.5 were computed again and 15 went into starts (tests/logs/goodput-events.csv)."""
    compared = _compared("goodput", (LOGS / "goodput-events.csv").read_text("utf-8"))
    assert compared["sentence"] == "Investigate: 2 failures and 0 interruptions in 1.83 h."
    assert compared["rows"][0] == {
        "label": "Goodput, as forecast here",
        "measured": "45.5%",
        "limits": "pass at 93.3% or more",
        "state": "Investigate",
    }
    assert [one["name"] for one in compared["causes"][:2]] == ["Recomputed work.", "Start and load."]
    assert compared["causes"][0]["looks"] == "25.9% of the time."


def test_a_cluster_without_a_failed_node_has_no_rate() -> None:
    compared = _compared("goodput", (LOGS / "slurm-ub-hpc.txt").read_text("utf-8"))
    assert compared["sentence"] == "3 jobs, 107.1 node-days."
    assert compared["rows"][1]["label"] == "Node-days that ended as TIMEOUT"
    assert compared["causes"][0]["name"] == "No node failed."


def test_the_mean_time_between_failures_of_a_cluster_is_next_to_the_one_assumed() -> None:
    """Two attempts of ten nodes with eighty GPUs for ten days each, one ended by its node: 1,600 GPU-days a failure."""
    head = "JobID|State|Submit|Start|End|NNodes|AllocTRES\n"
    row = "{}|{}|2026-01-01T00:00:00|2026-01-0{}T00:00:00|2026-01-1{}T00:00:00|10|gres/gpu=80\n"
    text = head + row.format(1, "NODE_FAIL", 1, 1) + row.format(2, "COMPLETED", 2, 2)
    row_of_rate, *_ = _compared("goodput", text, {"gpu_mtbf": "50000 h"})["rows"]
    assert row_of_rate["measured"] == "4.38 years"
    assert row_of_rate["limits"] == "pass at 5.7 years or more"
    assert row_of_rate["state"] == "Not checked (1 failure alone)"


def test_a_benchmark_is_next_to_the_model_on_one_replica_without_targets() -> None:
    text = (LOGS / "vllm-0.25-bench-serve.json").read_text("utf-8")
    compared = _compared("inference", text, {"model": "qwen3-8b"})
    assert compared["sentence"].startswith("Investigate: 32 tokens in, 16 out, 2 requests at a time; 8 completed.")
    read = "Input tokens (ISL) 32, Output tokens (OSL) 16, Concurrent users 2."
    assert compared["sentence"].endswith(f"Read from it: {read}")
    assert [row["label"].partition(" (")[0] for row in compared["rows"][:2]] == ["TPOT, mean", "TTFT, mean"]
    assert [one["name"] for one in compared["causes"]] == ["Slow steps.", "Late first token."]


def test_traffic_states_its_lengths_and_is_judged_by_nothing() -> None:
    compared = _compared("inference", (LOGS / "vllm-0.25-metrics.txt").read_text("utf-8"))
    assert compared["sentence"].startswith("600 requests completed, 0 not, since vLLM started. Read from it: ")
    assert {row["state"] for row in compared["rows"]} == {"No limit"}
    assert compared["causes"][0]["name"] == "Totals."


def test_two_scrapes_are_a_run_next_to_the_model() -> None:
    text = (LOGS / "vllm-0.25-metrics.txt").read_text("utf-8")
    later = re.sub(r"(?m)^(vllm:\S+) ([\d.]+)$", lambda found: f"{found[1]} {3 * float(found[2])}", text)
    sentence = _compared("inference", f"{text}\ninterval 61 s\n{later}")["sentence"]
    run, _, read = sentence.partition(" Read from it: ")
    assert run == "Pass: 512 tokens in, 256 out, 19.7 requests/s; 1,200 completed."
    # 1,200 requests in 61 s; 2,480 of 339,968 prompt tokens were in the cache.
    given = "Input tokens (ISL) 512, Output tokens (OSL) 256, Requests per second 19.6721, Prefix-cache hit rate 0.73%."
    assert read == given


def test_several_runs_in_a_file_are_not_mixed() -> None:
    text = (LOGS / "sglang-qwen-3b-c32.jsonl").read_text("utf-8").strip()
    problem = _compared("inference", f"{text}\n{text}\n")["problem"]
    assert problem == "2 runs are in it: give one, which is one line of the file"


def test_what_a_python_of_its_own_reads_the_other_does_without() -> None:
    command = "import sys, calculators.bridge; print([name for name in sys.modules if name.endswith('measured_run')])"
    done = subprocess.run([sys.executable, "-c", command], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", [name for name, one in CALCULATORS.items() if one.run_reader])
def test_nothing_pasted_is_no_problem_and_what_is_not_a_run_is_one(name: str) -> None:
    nothing = {"curves": {}, "problem": "", "sentence": "", "rows": [], "causes": []}
    assert _compared(name, " \n") == nothing
    assert _compared(name, "a shopping list")["problem"]
    packed = _compared(name, (b"\x1f\x8b\x08\x00" * 20).decode("utf-8", "replace"))
    assert packed["problem"].startswith("this is not plain text: unpack it")

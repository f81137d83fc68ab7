"""A value that cannot be is refused with its place: it is neither left out nor read as another one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from calculators.bridge import respond
from calculators.facts import overlay
from calculators.facts.stated import stated_records
from calculators.measured import nccl_tests, prometheus, storage, training
from calculators.measured.record import ReadError
from calculators.subjects.serving.inference.benchmark import runs

LOGS = Path(__file__).parents[1] / "logs"
HEAD = "#       size         count      type   redop    root     time   algbw   busbw #wrong\n"
ROW = "     8388608       2097152     float     sum      -1    162.1   51.75   90.56      0\n"


def text(name: str) -> str:
    return (LOGS / name).read_text("utf-8")


@pytest.mark.parametrize("head", ["", HEAD])
@pytest.mark.parametrize(
    ("cell", "other"),
    [
        *(("51.75", "51,75"), ("90.56", "-90.56"), ("162.1", "nan"), ("51.75", "oops")),
        *(("162.1", "inf"), ("90.56", "1e999"), ("51.75", "1e308")),
    ],
)
def test_a_row_of_nccl_with_a_bad_cell_is_named(head: str, cell: str, other: str) -> None:
    line = 1 + head.count("\n") + 1
    with pytest.raises(ReadError, match=rf"^Line {line}: “.*{other}.*” is no time, algbw and busbw: paste"):
        nccl_tests.run(head + ROW.replace("8388608", "4194304") + ROW.replace(cell, other))


@pytest.mark.parametrize(
    ("name", "calculator"),
    [
        ("nccl-normal.txt", "collectives"),
        ("ior-3.2-read.txt", "storage_demand"),
        ("mlperf-storage-ddn.json", "data_loader"),
        ("megatron-primus-8.txt", "training_time"),
        ("torchtitan-gb300-128.txt", "training_time"),
        ("sglang-qwen-3b-c32.jsonl", "inference"),
        ("nvidia-smi-busy.csv", "power"),
        ("goodput-events.csv", "goodput"),
    ],
)
@pytest.mark.parametrize("number", ["1e308", "1e999"])
def test_a_number_beyond_anything_measured_ends_in_a_sentence(name: str, calculator: str, number: str) -> None:
    """Two of them were multiplied, and the page got an error of Python."""
    measured = re.sub(r"\d+\.\d+", number, text(name))
    found = json.loads(respond(json.dumps({"asks": ["measured"], "calculator": calculator, "measured": measured})))
    assert "failure" not in found
    assert not re.search(r"\bis inf\b", found["compared"]["problem"])


def test_a_row_of_nccl_that_is_cut_in_its_values_is_named() -> None:
    with pytest.raises(ReadError, match=r"^Line 3: “162.1” is no time, algbw and busbw"):
        nccl_tests.run(HEAD + ROW + "    16777216       4194304     float     sum      -1    162.1\n")


def test_a_size_and_a_bandwidth_with_a_decimal_comma_say_how_to_write_it() -> None:
    with pytest.raises(ReadError, match=r"^Line 2: “2097152 51,75” has a decimal comma: write .* 1048576 51\.75$"):
        nccl_tests.run("1048576 50.1\n2097152 51,75\n")


def test_tabs_and_spaces_say_the_same() -> None:
    for name in ("nccl-normal.txt", "nccl-two-nodes.txt", "rccl-mi300x-8.txt"):
        assert nccl_tests.run(text(name).replace(" ", "\t")) == nccl_tests.run(text(name))


def test_lines_may_end_in_a_return_alone() -> None:
    """Of eleven steps the last was read."""
    for name in ("torchtitan-gb300-128.txt", "megatron-gpt2-64.txt", "nemo-qwen3-30b-16.txt"):
        whole = text(name).replace("\r\n", "\n")
        assert training.run(whole.replace("\n", "\r")) == training.run(whole), name


@pytest.mark.parametrize(
    ("name", "old", "new", "place"),
    [
        ("nemo-qwen3-30b-16.txt", "s=22.70", "s=22,70", "line 1: train_step_timing in s must be .* not “22,70”"),
        ("megatron-gpt2-64.txt", "(ms): ", "(ms): 7,", "line .*: iteration .*: its time must be a number"),
        (
            "torchtitan-gb300-128.txt",
            "tflops: 738.17",
            "tflops: 738,17",
            "line .*: tflops must be a number",
        ),
    ],
)
def test_a_decimal_comma_is_not_the_end_of_a_number(name: str, old: str, new: str, place: str) -> None:
    """A step of 3,92 s was read as 3 s."""
    assert old in text(name)
    with pytest.raises(ReadError, match=f"^{place}"):
        training.run(text(name).replace(old, new))


def fio(change: Any) -> str:
    whole = json.loads(text("fio-randread-one-job.json"))
    change(whole["jobs"][0])
    return json.dumps(whole)


def test_a_negative_percentile_of_fio_is_refused() -> None:
    def turn(job: dict[str, Any]) -> None:
        job["read"]["clat_ns"]["percentile"]["99.000000"] *= -1

    with pytest.raises(ReadError, match=r"^read: clat_ns.percentile 99.000000 must be a number of 0 or more, not -"):
        storage.runs(fio(turn))


@pytest.mark.parametrize(
    ("name", "old", "new", "place"),
    [
        ("mlperf-storage-ddn.json", '"num_hosts": ', '"num_hosts": 0, "was": ', "the file: num_hosts"),
        ("mlperf-storage-ddn.json", '"num_accelerators": ', '"num_accelerators": 0, "was": ', "the file: num_acc"),
        ("ior-4.1-write.txt", "clients per node    : 8", "clients per node    : 0", "the options: clients per node"),
        ("ior-4.1-write.txt", "tasks               : 640", "tasks               : 0", "the options: tasks"),
        ("mdtest-4.1-create.txt", "on 80 node(s)", "on 0 node(s)", "line 3: nodes"),
    ],
)
def test_a_run_on_no_node_is_refused(name: str, old: str, new: str, place: str) -> None:
    assert old in text(name)
    with pytest.raises(ReadError, match=f"^{place}.* must be a whole number from 1 on, not “?0”?"):
        storage.runs(text(name).replace(old, new))


def test_a_run_of_fewer_tasks_than_a_node_has_is_on_one_node() -> None:
    assert {one.nodes for one in storage.runs(text("ior-4.1-write.txt").replace(": 640", ": 3"))} == {1}


@pytest.mark.parametrize("key", ["failed", "max_concurrency", "p99_ttft_ms", "request_rate"])
def test_a_negative_value_of_a_load_generator_is_refused(key: str) -> None:
    whole = json.loads(text("vllm-0.25-bench-serve.json"))
    with pytest.raises(ReadError, match=f"^run 1: {key} must be a number of 0 or more, not -2"):
        runs(json.dumps({**whole, key: -2}))


def test_a_negative_load_of_aiperf_is_refused() -> None:
    whole = json.loads(text("aiperf-agent-c2.json"))
    whole["input_config"] = {"loadgen": {"concurrency": -2}}
    with pytest.raises(ReadError, match=r"^input_config: concurrency must be a number of 0 or more, not -2"):
        runs(json.dumps(whole))


def test_a_bucket_that_ends_below_nothing_is_refused() -> None:
    scrape = text("vllm-0.25-metrics.txt")
    assert 'le="0.005"' in scrape
    with pytest.raises(ReadError, match=r"the end of a bucket \(le\) must be a number of 0 or more, not “-0.005”"):
        prometheus.traffic(scrape.replace('le="0.005"', 'le="-0.005"'))


def test_a_counter_below_nothing_is_no_restart() -> None:
    scrape = text("vllm-0.25-metrics.txt")
    line = next(one for one in scrape.splitlines() if one.startswith("vllm:request_success_total"))
    with pytest.raises(ReadError, match="is below 0, which no counter is"):
        prometheus.traffic(scrape.replace(line, f"{line.rpartition(' ')[0]} -3"))


def test_a_table_of_own_facts_that_comes_twice_is_told(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('[overlay]\nname = "A"\n\n[overlay]\ndate = 2026-11-01\n[facts]\ncapital-rate = 0.1\n', "utf-8")
    found = overlay.read([file], stated_records())
    assert found.problems == [
        "own.toml, line 4: [overlay] is there already, in line 1: join the two; this one is left out."
    ]

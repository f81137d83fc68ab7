"""A run of a load generator for serving next to the model: what is read, what is said, what is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from calculators import inference
from calculators.__main__ import main
from calculators.answers import answer
from calculators.subjects.serving.inference.benchmark import runs

if TYPE_CHECKING:
    from pathlib import Path

    from calculators.answers.input_state import InputState
    from calculators.declare import Calculator, Values

Captured = pytest.CaptureFixture[str]
STATE = {"model": "llama-3-70b", "accelerator": "h100-sxm", "serving_tensor_parallel": "8"}
OPTIONS = ["--model=llama-3-70b", "--accelerator=h100-sxm", "--serving-tensor-parallel=8"]
# Names as vllm bench serve --save-result writes them.
RUN: dict[str, Any] = {
    "date": "20261120-101010",
    "backend": "vllm",
    "model_id": "meta-llama/Meta-Llama-3-70B-Instruct",
    "num_prompts": 640,
    "request_rate": "inf",
    "burstiness": 1.0,
    "max_concurrency": 64,
    "duration": 98.6,
    "completed": 640,
    "failed": 0,
    "total_input_tokens": 640_000,
    "total_output_tokens": 320_000,
    "request_throughput": 6.49,
    "output_throughput": 3246.0,
    "mean_ttft_ms": 57.0,
    "p99_ttft_ms": 60.0,
    "mean_tpot_ms": 19.6,
    "p99_tpot_ms": 21.4,
}


def run(tmp_path: Path, capsys: Captured, text: str, *more: str) -> tuple[int, str, str]:
    file = tmp_path / "result.json"
    file.write_text(text, "utf-8")
    code = main(["benchmark", str(file), *OPTIONS, *more])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def message(tmp_path: Path, capsys: Captured, **changes: Any) -> dict[str, Any]:
    code, out, err = run(tmp_path, capsys, json.dumps(RUN | changes), "--json")
    assert code == 0, err
    (found,) = json.loads(out)
    return dict(found)


def test_a_run_is_next_to_inference_in_the_state_that_it_states(tmp_path: Path, capsys: Captured) -> None:
    found = message(tmp_path, capsys)
    asked = {"replicas": "1", "tpot_target": "100 s", "ttft_target": "1000 s", "concurrent_users": "64"}
    expected = inference(input_tokens="1000", output_tokens="500", **asked, **STATE)
    modelled = {one["name"]: one["modeled"] for one in found["metrics"]}
    assert modelled["tpot"] == expected.user_tpot
    assert modelled["ttft_p99"] == expected.ttft_p99
    assert modelled["output_throughput"] == pytest.approx(expected.served_request_rate * 500)
    assert "TPOT is as modeled" in found["verdict"]
    assert found["reasons"] == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"mean_tpot_ms": 60, "request_throughput": 2.1}, "A full batch is slow"),
        ({"max_concurrency": 1, "mean_tpot_ms": 60, "request_throughput": 0.033}, "CUDA graphs"),
        ({"mean_ttft_ms": 900}, "The first token waits"),
        ({"mean_ttft_ms": 10}, "prefix cache"),
        ({"mean_tpot_ms": 5, "request_throughput": 25}, "Speculative decoding"),
        ({"failed": 12}, "12 requests failed"),
        ({"max_concurrency": 128}, "of 128 requests allowed"),
        ({"max_concurrency": None}, "came at once"),
        ({"max_concurrency": None, "request_rate": 500.0}, "cannot carry this load"),
    ],
)
def test_what_to_look_at_follows_from_what_is_off(
    tmp_path: Path, capsys: Captured, changes: dict[str, Any], words: str
) -> None:
    assert any(words in reason for reason in message(tmp_path, capsys, **changes)["reasons"])


def test_a_rate_is_read_where_no_concurrency_is_given() -> None:
    (one,) = runs(json.dumps(RUN | {"max_concurrency": None, "request_rate": 4.0}))
    assert one.users is None
    assert one.given["request_rate"] == "4"


def test_lines_of_sglang_and_a_list_are_several_runs(tmp_path: Path, capsys: Captured) -> None:
    lines = "\n".join(json.dumps(RUN | {"max_concurrency": users}) for users in (16, 64))
    assert [one.most for one in runs(lines)] == [16, 64]
    assert len(runs(json.dumps([RUN, RUN, RUN]))) == 3
    code, out, _ = run(tmp_path, capsys, lines)
    assert code == 0
    assert out.count("TPOT is") == 2


def test_runs_at_one_load_are_modeled_once(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading the inputs of a state takes two thirds of the time of a file of many runs."""
    read: list[str] = []
    evaluated = answer.evaluated

    def counted(calculator: Calculator, state: InputState) -> Values:
        read.append(state.given["concurrent_users"])
        return evaluated(calculator, state)

    monkeypatch.setattr(answer, "evaluated", counted)
    lines = [RUN | {"max_concurrency": users, "mean_ttft_ms": 57.0 + n} for n in range(3) for users in (17, 33)]
    code, out, _ = run(tmp_path, capsys, "\n".join(map(json.dumps, lines)))
    assert (code, read) == (0, ["17", "33"])
    assert out.count("TTFT, mean") == len(lines)


def test_more_runs_than_are_compared_at_once_are_refused_with_the_limit(tmp_path: Path, capsys: Captured) -> None:
    """Each is a state of the model: a file of 100 MB would take a minute without a word."""
    code, out, err = run(tmp_path, capsys, f"{json.dumps(RUN)}\n" * 1001)
    assert (code, out) == (2, "")
    assert "1,001 runs are in it: give at most 1,000 at a time" in err


WRONG = {
    "a metric of another name": (
        {key: one for key, one in RUN.items() if key != "mean_tpot_ms"},
        "has no mean_tpot_ms",
    ),
    "a word for a number": (RUN | {"mean_ttft_ms": "57"}, "mean_ttft_ms must be a number"),
    "no number": (RUN | {"p99_ttft_ms": None}, "p99_ttft_ms must be a number"),
    "nothing completed": (RUN | {"completed": 0}, "completed no request"),
    "a list of numbers": ([1, 2], "must be a JSON object"),
    "nothing": ([], "no run in it"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_file_of_another_form_is_refused_in_a_sentence(tmp_path: Path, capsys: Captured, kind: str) -> None:
    stated, words = WRONG[kind]
    code, _, err = run(tmp_path, capsys, json.dumps(stated))
    assert code == 2
    assert words in err


def test_text_that_is_no_json_names_its_line(tmp_path: Path, capsys: Captured) -> None:
    code, _, err = run(tmp_path, capsys, json.dumps(RUN) + "\n============ Serving Benchmark Result\n")
    assert code == 2
    assert "line 2, column 1: this is not JSON" in err


def test_an_option_that_does_not_exist_and_no_file_are_reported(tmp_path: Path, capsys: Captured) -> None:
    code, _, err = run(tmp_path, capsys, json.dumps(RUN), "--acelerator=x")
    assert code == 2
    assert "did you mean --accelerator" in err
    assert main(["benchmark"]) == 2
    assert "benchmark FILE" in capsys.readouterr().err

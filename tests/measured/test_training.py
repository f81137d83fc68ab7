"""Training logs: what published logs of four programs state, warm-up, uneven steps, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from calculators import facts, training_time
from calculators.__main__ import main
from calculators.machine.state import machine_state
from calculators.measured import training
from calculators.measured.record import ReadError

LOGS = Path(__file__).parent.parent / "logs"
FILES = sorted(one.name for one in LOGS.iterdir() if one.name.startswith(("megatron-", "nemo-", "torchtitan-")))


def text(name: str) -> str:
    return (LOGS / name).read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "logged", "steady", "gpus"),
    [
        ("megatron-gpt2-64.txt", 4, 3, 64),
        ("megatron-deepspeed-64.txt", 16, 15, 64),
        ("megatron-bridge-8.txt", 1, 1, None),
        ("megatron-primus-8.txt", 3, 2, None),
        ("nemo-qwen3-30b-16.txt", 9, 5, None),  # each bar twice; NeMo's times are means of the last five steps
        ("torchtitan-aurora.txt", 13, 12, None),
        ("torchtitan-gb300-swiglu.txt", 20, 17, None),  # steps 1 to 3 at 402, 2,332 and 5,077 of 5,800 tokens/s
        ("torchtitan-gb300-128.txt", 11, 10, 4 * 32),
    ],
)
def test_steps_of_a_published_log_are_counted_without_its_warm_up(
    name: str, logged: int, steady: int, gpus: int | None
) -> None:
    run = training.run(text(name))
    assert (len(run.steps), len(training.steady(run.steps)), run.gpus) == (logged, steady, gpus)


def test_values_of_a_step_are_those_that_the_log_states() -> None:
    last = training.run(text("megatron-gpt2-64.txt")).steps[-1]
    assert last.seconds == pytest.approx(122.2240)
    assert last.tokens_per_second == pytest.approx(1024 * 1024 / 122.2240 / 64)
    primus = training.run(text("megatron-primus-8.txt")).steps[-1]
    assert (primus.number, primus.flops) == (20, 239.6e12)
    assert primus.seconds == pytest.approx(32.0531)
    assert primus.tokens_per_second == 14312.3
    nemo = training.run(text("nemo-qwen3-30b-16.txt")).steps
    assert [(one.number, one.seconds) for one in nemo[:2]] == [(2, 13.30), (3, 10.20)]
    titan = training.run(text("torchtitan-gb300-128.txt"))
    assert (titan.steps[-1].number, titan.steps[-1].tokens_per_second, titan.steps[-1].flops) == (200, 8329, 738.17e12)
    assert titan.memory == 238.21 * 2**30
    # 4,096 tokens per GPU and step at 128 GPUs would be stated as tokens per train step
    stated = "Trainer is initialized with 4096 tokens per DP rank, 524288 tokens per train step\n"
    assert training.run(stated + text("torchtitan-gb300-128.txt")).steps[-1].seconds == pytest.approx(4096 / 8329)


def report(capsys: pytest.CaptureFixture[str], file: Path, *options: str) -> dict[str, Any]:
    assert main(["training_time", "--measured", str(file), "--json", *options]) == 0
    return dict(json.loads(capsys.readouterr().out))


def result(found: dict[str, Any], name: str) -> dict[str, Any]:
    return next(dict(one) for one in found["results"] if one["name"] == name)


def test_a_log_is_next_to_the_calculator_in_its_own_convention(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--model=llama-3-8b", "--sequence-length=8192", "--attention-flops=full")
    found = report(capsys, LOGS / "torchtitan-gb300-128.txt", *options, "--peak-flops=2500 TFLOP/s")
    utilization = result(found, "mfu_full")
    assert utilization["measured"] == pytest.approx(0.2972, abs=5e-5)  # torchtitan prints 29.72 % of 2.5 PFLOP/s
    # at least what published runs of this kind reach, in proportion
    published, here = facts.fact("mfu").low, training_time(model="llama-3-8b")["step_mfu"]
    assert utilization["fail"] / utilization["pass"] == pytest.approx(float(published or 0) / here)
    assert utilization["state"] == "Not checked"
    assert "per token" in utilization["why"]


@pytest.mark.parametrize(("tokens", "other"), [(16384, True), (20480, False), (32768, False), (40960, True)])
def test_a_log_of_another_model_is_not_checked(tokens: int, *, other: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """88.6 GFLOP per token in the log; here 45 and 51.5 for each 32,768 tokens of full attention, 20 % either way."""
    options = ("--model=llama-3-8b", f"--sequence-length={tokens}", "--peak-flops=2500 TFLOP/s")
    why = result(report(capsys, LOGS / "torchtitan-gb300-128.txt", *options), "mfu_full")["why"]
    assert why.endswith("enter the model and sequence length of the log") == other


@pytest.mark.parametrize(
    ("name", "cut", "run"),
    [
        ("torchtitan-gb300-swiglu.txt", "step:  5", "2 logged steps after 2 of warm-up"),
        ("megatron-gpt2-64.txt", " iteration        2/", "1 logged step after 0 of warm-up"),
    ],
)
def test_a_log_of_few_steps_is_not_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, cut: str, run: str
) -> None:
    file = tmp_path / "log.txt"
    file.write_text(text(name).partition(cut)[0].rpartition("\n")[0], "utf-8")
    found = report(capsys, file)
    assert found["run"].endswith(f", {run}")
    if name.startswith("megatron"):  # without FLOP/s any model may be that of the log
        assert result(found, "tokens_per_second_per_gpu")["why"] == "1 logged step after warm-up: log at least 10"


def test_a_slow_and_even_log_fails_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    found = report(capsys, LOGS / "megatron-deepspeed-64.txt", "--model=llama-3-8b")
    assert found["state"] == "Fail"
    assert [one["name"] for one in found["reasons"]] == ["slow throughout"]


def test_a_utilization_above_the_peak_is_not_believed(capsys: pytest.CaptureFixture[str]) -> None:
    found = report(capsys, LOGS / "megatron-bridge-8.txt")
    assert result(found, "mfu_causal")["state"] == "Not checked"
    assert "above the peak" in result(found, "mfu_causal")["why"]


def test_uneven_steps_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    slow = text("megatron-deepspeed-64.txt").replace("(ms): 138324.6", "(ms): 276649.2")
    file = tmp_path / "log.txt"
    file.write_text(slow, "utf-8")
    found = report(capsys, file)
    assert (found["state"], [one["name"] for one in found["reasons"]]) == ("Fail", ["uneven steps"])
    assert "12 (2.0" in found["reasons"][0]["looks"]
    assert found["reasons"][0]["looks"].count("×)") == 3
    skipped = report(capsys, LOGS / "megatron-gpt2-64.txt")
    assert "4 iterations" in skipped["reasons"][0]["looks"]


@pytest.mark.parametrize("name", FILES)
def test_a_log_of_two_copies_or_in_another_encoding_has_the_same_steps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert training.run(text(name) * 2).steps == training.run(text(name)).steps
    for encoding in ("utf-16", "utf-8-sig"):
        file = tmp_path / encoding
        file.write_text(text(name), encoding)
        assert report(capsys, file) == report(capsys, LOGS / name)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "no training log"),
        ("epoch 1 loss 3\n", "Megatron-LM"),
        (
            "iteration 3/9 | lr: 0.1 | global_step: 3\ntrain_step_timing in s",
            "no “elapsed time per iteration .ms.” or “train_step",
        ),
        ("Epoch 0: :  10%|█  | 2/20 [00:26<04:00, train_step_timing in s=0.000]\n", "line 1: iteration 2 takes 0 ms"),
        (text("megatron-gpt2-64.txt").partition("elapsed time per iteration (ms): 12389")[0], "line 6: iteration 2"),
        (text("torchtitan-aurora.txt").partition("  tps: 6,562")[0], "line 4: step 3 has no tps"),
        ("\0\1\2", "not plain text"),
    ],
)
def test_what_is_cut_off_or_no_log_is_refused_with_its_place(content: str, words: str) -> None:
    with pytest.raises(ReadError, match=words) as caught:
        training.run(content)
    assert "\n" not in str(caught.value)


def test_every_log_has_a_line_of_its_source() -> None:
    readme = text("README.md")
    assert [name for name in FILES if f"`{name}`" not in readme] == []
    assert len(FILES) >= 6


def test_a_log_is_next_to_the_speed_of_a_planned_system(capsys: pytest.CaptureFixture[str]) -> None:
    log = str(LOGS / "torchtitan-gb300-128.txt")
    asked = ["machine", "--model", "llama-3-8b", "--accelerator", "gb300", "--measured", log, "--json"]
    assert main(asked) == 0
    speed = json.loads(capsys.readouterr().out)["results"][0]
    # The log ran on 4 × 32 ranks, and the system is the one of as many GPUs.
    system = machine_state({"model": "llama-3-8b", "accelerator": "gb300", "gpus": "128"}).values
    assert speed["name"] == "tokens_per_second_per_gpu"
    assert speed["pass"] == pytest.approx(system["tokens_per_second_per_gpu"])
    assert main([*asked, "--job", "serving"]) == 2


def test_the_warm_up_of_a_log_of_two_steps_is_not_called_uneven(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first two steps in kaust-rccl/Dist-DL-training's nemo/experiments/model_parallel/README.md."""
    line = (
        "Training epoch 0, iteration {0}/249 | global_batch_size: 8 | global_step: {0} | train_step_timing in s: {1}\n"
    )
    (tmp_path / "nemo.txt").write_text(line.format(0, 7.126) + line.format(1, 2.505), "utf-8")
    assert report(capsys, tmp_path / "nemo.txt")["reasons"] == []

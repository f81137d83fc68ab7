"""States that no machine, model or server can be in: each is refused with a sentence that says what would do."""

from __future__ import annotations

import json
import shlex

import pytest

from calculators.__main__ import main

REFUSED = {
    "inference --model llama-3-8b --accelerator a100-sxm-80gb --precision fp8": ("no rate for 8 bits", "auto"),
    "inference --model llama-3-8b --accelerator v100-sxm-32gb --precision fp8": ("no rate for 8 bits", "auto"),
    "machine --job serve --model llama-3-8b --accelerator a100-sxm-80gb --precision fp8": ("no rate for 8 bits",),
    "training_memory --recipe recipe-deepseek-fp8 --accelerator a100-sxm-80gb": ("needs FP8 units", "bf16"),
    "training_time --training-precision fp8 --accelerator v100-sxm-32gb": ("no FP8 units", "bf16"),
    "collectives --training-precision fp8 --accelerator a100-sxm-80gb": ("no FP8 units", "bf16"),
    "machine --training-precision fp8 --accelerator a100-sxm-80gb": ("no FP8 units", "bf16"),
    "machine --recipe recipe-deepseek-fp8 --accelerator a100-sxm-80gb": ("needs FP8 units",),
    "inference --arithmetic 8": ("8-bit products need 8-bit weights", "2 B/parameter", "fp8"),
    "inference --arithmetic 4 --accelerator b200-sxm": ("4-bit products need 4-bit weights", "nvfp4"),
    "inference --arithmetic 4 --accelerator b200-sxm --weight-bytes 2": ("4-bit products need 4-bit weights",),
    "training_memory --job lora --lora-rank 8193": ("LoRA rank must be at most the hidden size, 8,192",),
    "training_time --model llama-3-70b --job qlora --lora-rank 10000": ("LoRA rank must be at most",),
    "machine --model llama-3-70b --job lora --lora-rank 10000 --gpus 64": ("LoRA rank must be at most",),
    "inference --parameters 7B --active-parameters 70B": ("Active parameters must be at most all 7B",),
    "kv_cache --parameters 7B --active-parameters 70B": ("Active parameters must be at most all 7B",),
    "training_memory --parameters 7B --active-parameters 70B": ("Active parameters must be at most all 7B",),
    "training_time --parameters 7B --active-parameters 70B": ("Active parameters must be at most all 7B",),
    "collectives --parameters 7B --active-parameters 70B": ("Active parameters must be at most all 7B",),
    "machine --parameters 7B --active-parameters 70B": ("Active parameters must be at most all 7B",),
    "training_time --sequence-length 1M": ("253% of the peak", "give an MFU"),
    "machine --sequence-length 32M": ("a batch of 16.8M tokens",),
    "collectives --gpus 64 --tp 8 --pp 4 --dp 32": ("takes 1,024 GPUs", "there are 64 GPUs", "smaller layout"),
    "training_memory --gpus 64 --tp 8 --pp 4 --dp 32": ("takes 1,024 GPUs", "there are 64 GPUs"),
    "power --cooling air --liquid-share 100%": ("With air cooling no heat goes to liquid", "choose a liquid cooling"),
    "power --node-power 1kW": ("8 GPUs of 700 W each", "not 1 kW", "capped"),
    "inference --offload-tier storage --offload-bandwidth 500GB/s": ("over its network card", "50 GB/s"),
    "machine --storage-nodes 5 --write-bandwidth 10TB/s": ("5 nodes write 400 GB/s, not 10 TB/s",),
    "machine --storage-nodes 5 --read-bandwidth 10TB/s": ("5 nodes read 400 GB/s, not 10 TB/s",),
    "machine --job serve --offload-tier storage --offload-bandwidth 500GB/s": ("over its network card",),
    "inference --offload-tier drives --offload-bandwidth 200GB/s": ("over PCIe", "121 GB/s"),
    "inference --offload-tier host --offload-bandwidth 1TB/s": ("450 GB/s of NVLink-C2C",),
    "machine --job serve --model llama-3-8b --gpus 8 --replicas 5": ("take 40 GPUs", "there are 8 GPUs"),
    "machine --job serve --model llama-3-8b --gpus 8 --disaggregated yes": ("take 16 GPUs", "there are 8 GPUs"),
    "training_memory --model llama-3-70b --job lora --lora-rank 8192": (
        "106B parameters, more than all 70.6B",
        "lower",
    ),
    "training_time --model llama-3-70b --job lora --lora-rank 8192": ("106B parameters, more than all 70.6B", "lower"),
    # Parts of a number: a B20 is no B200, and an H20, for export, has a seventh of an H200's FLOPs.
    "inference --accelerator b20": ("must be one of", "“b20”"),
    "kv_cache --model qwen3-3": ("must be one of", "“qwen3-3”"),
}


@pytest.mark.parametrize("command", REFUSED)
def test_an_impossible_state_is_refused_with_what_would_do(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(command)) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    for words in REFUSED[command]:
        assert words in printed.err


def test_a_switch_with_the_watts_of_a_smaller_one_is_the_first_warning(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split("fabric --switch-model fabric-switch-q3400")) == 0
    first = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("Warning"))
    assert "747 W is the power of a switch with 64 ports" in first


def lines(command: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert main(shlex.split(command)) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    "command",
    [
        "inference --replicas 2 --request-rate 50",
        "inference --replicas 1 --model llama-3-8b --request-rate 500",
        "machine --job serve --gpus 8 --request-rate 20",
        "machine --job serve --accelerator h200-sxm --model deepseek-v3 --gpus 16 --request-rate 8",
        "machine --job rag --gpus 8 --request-rate 50",
    ],
)
def test_replicas_that_are_overloaded_have_no_speed_and_no_price(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    message = next(line for line in lines(command, capsys) if "requests/s at" in line)
    assert "cannot serve" in message
    assert "of the capacity of" in message
    for nothing in ("$", "tokens/s", "takes"):
        assert nothing not in message


@pytest.mark.daily(3)
@pytest.mark.parametrize(
    ("given", "word"),
    [
        ("--deadline 30d", "Deadline missed"),
        ("--budget 100000", "Over budget"),
        ("--storage-capacity 10TB", "Storage full"),
        ("--job serve --budget 1000", "Over budget"),
        ("--job rag --budget 1000", "Over budget"),
        ("--job rl --budget 1000", "Over budget"),
    ],
)
def test_a_limit_that_is_exceeded_is_in_the_line_of_verdicts(
    given: str, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    training = "--model llama-3-8b --gpus 64" if "--job" not in given else ""
    assert word in lines(f"machine {training} {given}", capsys)[0].split(" · ")


@pytest.mark.daily(2)
@pytest.mark.parametrize(("accelerator", "rack"), [("gb200", "121 kW"), ("gb300", "135 kW")])
def test_a_rack_sold_whole_is_not_spread_over_a_hall_of_small_ones(
    accelerator: str, rack: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """18 trays of 4 x 1.2 kW and 1.9 kW, or 4 x 1.4 kW and 1.9 kW: nvidia-prs, ml-engineering."""
    given = f"machine --accelerator {accelerator} --gpus 144 --model llama-3-8b"
    message = lines(f"{given} --rack-limit 17kW", capsys)
    assert "Data hall: does not fit; the limit is rack power" in message[0].split(" · ")
    assert next(line for line in message if line.startswith("  Rack power")).endswith(f"{rack}; 17 kW")
    assert "Data hall" not in lines(f"{given} --rack-limit 150kW", capsys)[0]


def test_of_a_hall_that_was_not_described_a_rack_sold_whole_says_what_it_needs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """132 kW are what the shelves of a GB200 NVL72 are rated for."""
    message = lines("machine --accelerator gb200 --gpus 144 --model llama-3-8b", capsys)
    assert "Data hall" not in message[0]
    assert any(line.startswith("Warning: A rack sold whole needs a hall") and "132 kW" in line for line in message)


@pytest.mark.daily(3)
def test_changes_of_a_run_that_does_not_fit_make_it_fit(capsys: pytest.CaptureFixture[str]) -> None:
    """Earlier and cheaper than what? 18 bytes for each of 405.9e9 parameters are 6.8 TiB, of 80 GiB: 85 GPUs and more.

    Nothing else of such a run is good, and memory, not a rate, is its bottleneck.
    """
    assert main(shlex.split("machine --model llama-3-1-405b --gpus 8 --json")) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["state"].startswith("Does not fit")
    assert "OK" not in found["state"]
    (gpus,) = (one for one in found["changes"] if "gpus" in one["given"])
    assert 85 < int(gpus["given"]["gpus"].replace(",", "").split()[0]) < 256
    assert all("Fits in GPU memory" in one["fixes"] for one in found["changes"])
    assert not any(word in one["first_text"] for one in found["changes"] for word in ("earlier", "later"))


@pytest.mark.daily(3)
@pytest.mark.parametrize("given", ["--deadline 1d", "--budget 1000", "--hall-power 10kW"])
def test_no_rate_is_the_bottleneck_where_a_limit_is_exceeded(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    message = lines(f"machine --model llama-3-8b --gpus 16 {given}", capsys)
    table = message[next(n for n, line in enumerate(message) if line.startswith("Resources")) :]
    assert not any("  bottleneck  " in line for line in table)


@pytest.mark.parametrize("asked", ["inference", "machine --job serve", "machine --job rag"])
def test_a_cache_in_nvfp4_on_a_gpu_without_is_the_answer_and_no_advice(
    asked: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Issue 49011 of vLLM: "requires the SM100 trtllm-gen FlashInfer path"."""
    given = f"{asked} --model llama-3-8b"
    message = lines(f"{given} --cache-precision cache-nvfp4", capsys)
    assert message[2].startswith("A KV cache in NVFP4, 0.562 B/value, needs a GPU with 4-bit products")
    assert any("KV cache refused" in line for line in message)
    assert not any("nvfp4 cache" in line for line in lines(given, capsys))


def test_four_bit_products_of_weights_in_eight_are_the_first_warning(capsys: pytest.CaptureFixture[str]) -> None:
    given = "inference --accelerator b200-sxm --precision fp8 --arithmetic 4"
    first = next(line for line in lines(given, capsys) if line.startswith("Warning"))
    assert "4-bit products need 4-bit weights" in first


@pytest.mark.daily(3)
@pytest.mark.parametrize(
    "given",
    [
        "--model llama-3-70b --job qlora --gpus 1",  # one rank
        "--sequence-length 1M",  # context ranks across servers
        "--model llama-3-70b --job lora --gpus 8",  # ZeRO-3 with many micro-batches
    ],
)
def test_a_layout_that_the_search_found_is_not_warned_of(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    warned = [line for line in lines(f"machine {given}", capsys) if line.startswith("Warning")]
    for counted in ("with one rank it saves nothing", "exceeds the scale-up domain", "Fewer, larger micro-batches"):
        assert not any(counted in line for line in warned)


def test_a_step_that_takes_less_than_the_batch_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """52 replicas of 36 micro-batches, whole rounds of six stages, of 16,777,216 / 8,192 = 2,048 sequences."""
    pinned = "--tensor-parallel 8 --pipeline-parallel 6 --context-parallel 2 --interleave 7 --micro-batch 1"
    message = lines(f"machine --gpus 5000 {pinned} --data-parallel 52", capsys)
    assert f"A step takes {52 * 36:,} of the batch's 2,048 sequences, in whole micro-batches." in message


def test_a_job_smaller_than_a_server_powers_its_own_gpus_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """One RTX 4090 of 450 W took a hall of 14.1 kW: the node of eight, the rest of it, support and cooling."""
    assert main(shlex.split("power --gpus 1 --gpu-power 450W --host-power-per-gpu 550W --json")) == 0
    printed = capsys.readouterr().out
    assert '"text": "1 kW"' in printed


def test_hits_that_the_offload_tier_cannot_deliver_are_no_green_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    """199 GB/s of hits from a tier of 176 GB/s."""
    given = "--model llama-3-8b --request-rate 100 --input-tokens 16000 --prefix-cache-hit-rate 95% --ttft-target 60s"
    assert main(shlex.split(f"inference {given} --offload-tier storage --offload-bandwidth 2.2GB/s")) == 0
    offload = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("KV-cache offload"))
    assert "offload tier too slow" in offload
    assert "the tier delivers" in offload


@pytest.mark.parametrize(("given", "serve", "replicas"), [("--gpus 60", 56, 7), ("--gpus 64 --replicas 5", 40, 5)])
def test_gpus_without_a_replica_are_paid_and_said(
    given: str, serve: int, replicas: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(shlex.split(f"machine --job serve --model llama-3-70b {given}")) == 0
    there = given.split()[1]
    said = f"Of {there} GPUs {serve} GPUs serve, in {replicas} replicas of 8 ranks: the rest is paid for and idle."
    assert said in capsys.readouterr().out


def test_engines_that_do_not_fit_leave_nothing_else_that_is_good(capsys: pytest.CaptureFixture[str]) -> None:
    """401B parameters in bf16 are 801 GB, 187 GiB for each of four ranks of 80 GiB."""
    message = lines("machine --job rl --model llama-4-maverick", capsys)
    assert message[0] == "Weights do not fit"
    row = next(line for line in message if line.startswith("  GPU memory while engines generate"))
    assert "exceeded" in row
    assert not any("idle 99" in line for line in message)

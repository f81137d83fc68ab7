"""GPUs that are no round number, what frameworks run, and memory that is kept free."""

from __future__ import annotations

import random

import pytest

from calculators.machine.breakdown import PARTS
from calculators.machine.changes import worthwhile
from calculators.machine.layout import runner_up
from calculators.machine.report import formats
from calculators.machine.training_state import TrainingState, training_state


@pytest.mark.daily(3)
@pytest.mark.parametrize("model", ["llama-3-8b", "llama-3-70b", "gpt-oss-120b"])
def test_more_gpus_never_end_the_run_later(model: str) -> None:
    """A sample of the counts from 8 to 8,192, primes and neighbors of round numbers among them."""
    chance = random.Random(model)  # noqa: S311  a sample, no secret
    counts = {8, 9, 63, 64, 65, 127, 1023, 1024, 1025, 4999, 8191, 8192} | {
        int(8 * 2 ** chance.uniform(0, 10)) for _ in range(8)
    }
    fits = False
    fastest, roomy = float("inf"), False
    for gpus in sorted(counts):
        found = training_state({"model": model, "gpus": str(gpus)})
        if not found.layout.fits:
            assert not fits, f"{gpus} GPUs do not fit and fewer do"
            continue
        keeps_margin = found.layout.best[0].memory <= found.values["memory_limit"]
        if keeps_margin and not roomy:  # from the first count on that leaves memory free, more must not be slower
            fastest = float("inf")
        assert keeps_margin >= roomy
        fits, roomy = True, keeps_margin
        assert found.values["training_duration"] <= fastest * (1 + 1e-9), gpus
        fastest = found.values["training_duration"]


def test_nodes_may_stay_idle() -> None:
    """5,000 GPUs are used as 4,992, or however many the fastest layout takes, and the rest is said to be spare."""
    found = training_state({"gpus": "5000"})
    used = found.values["layout_gpus"]
    assert 4900 <= used <= 5000
    assert found.values["idle_gpus"] == 5000 - used
    text = " ".join(runner_up.sentences(found))
    assert f"uses {used:,.0f} of 5,000 GPUs; {5000 - used:,.0f} spare" in text
    fewer = training_state({"gpus": f"{used:.0f}"})
    assert found.values["training_duration"] == pytest.approx(fewer.values["training_duration"], rel=1e-12)
    assert sum(found.values[part.result] for part in PARTS) == pytest.approx(found.values["training_duration"])
    assert found.values["time_idle"] > fewer.values["time_idle"] == 0


def test_many_idle_gpus_are_a_warning() -> None:
    """A batch of 64 sequences for 1,000 replicas: 64 of them have one, over two context ranks at most."""
    ranks = {"tensor_parallel": "1", "pipeline_parallel": "1"}
    found = training_state({"model": "llama-3-8b", "gpus": "1000", "batch_tokens": str(64 * 8192), **ranks})
    assert found.values["layout_gpus"] == 128
    assert any("stay idle, paid for all the same" in text for text in formats.described(found)["warnings"])
    fewer = next(one for one in worthwhile(found) if one.given == {"gpus": "128"})
    assert "Idle GPUs" in fewer.fixes
    assert fewer.price > 0
    assert fewer.first == pytest.approx(0, abs=1e-6)


def _layouts(found: TrainingState) -> list[dict[str, float]]:
    return [one.inputs for one in found.layout.best]


@pytest.mark.parametrize("model", ["llama-3-70b", "deepseek-v3", "qwen3-235b-a22b", "gpt-oss-120b"])
@pytest.mark.parametrize("gpus", ["64", "1000", "2048"])
def test_only_what_frameworks_run_is_proposed(model: str, gpus: str) -> None:
    """Megatron Core's rules, and expert parallelism of 8 at least, the smallest of published runs of such models."""
    found = training_state({"model": model, "gpus": gpus})
    heads, keys, layers = (found.values[name] for name in ("heads", "kv_heads", "layers"))
    for one in _layouts(found):
        tensor, stages, replicas = one["tensor_parallel"], one["pipeline_parallel"], one["data_parallel"]
        ranks = tensor * one["context_parallel"] * replicas
        assert heads % tensor == 0
        assert found.values["kv_lora_rank"] or keys % tensor == 0 or tensor % keys == 0
        assert found.values["gpus_per_domain"] % tensor == 0
        assert stages <= layers
        assert ranks % (one["expert_parallel"] * tensor) == 0
        assert found.values["experts"] % one["expert_parallel"] == 0
        if found.values["experts"] > 8 and found.layout.fits:
            assert one["expert_parallel"] >= 8
        if stages > 1:
            assert one["zero_stage"] < 3
        if one["interleave"] > 1:
            dealt = found.calculator.after(found.values, one, "micro_batches")["micro_batches"]
            assert stages > 1
            assert dealt % stages == 0


def test_a_layout_that_was_found_is_tight_only_where_the_reader_wants_less_memory_free() -> None:
    found = training_state({})
    assert found.values["training_memory"] <= 0.88 * found.values["gpu_memory"]
    assert any(text.startswith("Tight: ") for text in runner_up.sentences(found))
    tight = training_state({"memory_margin": "0"})
    assert tight.values["training_memory"] > 0.9 * tight.values["gpu_memory"]
    assert tight.values["training_duration"] < found.values["training_duration"]
    assert tight.values["fits"].level == "tight"
    few = [training_state({"gpus": gpus}).values["fits"].level for gpus in ("400", "512")]
    assert few == ["good", "good"]


def test_61_layers_are_laid_out_on_16_stages() -> None:
    found = training_state({"model": "deepseek-v3", "gpus": "256", "pipeline_parallel": "16"})
    assert found.values["stage_layers"] == 4
    assert found.values["layout_gpus"] == 256


def test_61_layers_are_interleaved_as_published_and_the_bubble_shrinks() -> None:
    """NVIDIA's recipe for DeepSeek-V3 on 256 GB200: 4 stages of 4 virtual ones, 64 expert ranks."""
    published = {"model": "deepseek-v3", "accelerator": "gb200", "gpus": "256", "expert_parallel": "64"}
    plain = training_state({**published, "pipeline_parallel": "4", "interleave": "1"}).values
    found = training_state({**published, "pipeline_parallel": "4", "interleave": "4"}).values
    assert found["stage_layers"] == plain["stage_layers"] == 16
    assert found["bubble_share"] < plain["bubble_share"] / 3


def test_what_does_not_fit_takes_no_time() -> None:
    found = training_state({"gpus": "8"})
    text = formats.readable(found)
    assert formats.sentence(found).startswith("Training 406B parameters on 8 GPUs does not fit: ")
    assert "takes" in formats.sentence(found)
    assert "Run time by cause" not in text
    assert " days" not in formats.sentence(found)
    assert formats.described(found)["breakdown"] == []
    assert text.splitlines()[0].split(" · ")[0] == "Does not fit"
    assert "Goodput OK" not in text.splitlines()[0]


def test_the_state_is_one_line_good_or_bad() -> None:
    good = training_state({"model": "llama-3-8b", "gpus": "256", "write_bandwidth": "100 GB/s"})
    assert formats.state_line(good) == ("good", "Fits · Checkpoints finish · Goodput OK")
    level, line = formats.state_line(training_state({}))
    assert level == "bad"
    assert line.startswith("Fits · Checkpoint write too slow · Goodput below target")

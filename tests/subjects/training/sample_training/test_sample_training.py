"""Training in samples: what the fit says of itself, and states at the edges."""

from __future__ import annotations

import math
import statistics
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from builder.paths import ROOT
from calculators import units
from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from calculators.facts import fact
from calculators.subjects.training.sample_training import formulas, verdicts
from calculators.vocabulary.samples import sample_models

CALCULATOR = CALCULATORS["sample_training"]
STATED = tomllib.loads((ROOT / "tests/cases/sample_training.toml").read_text("utf-8"))
RUNS = [
    one for one in (*STATED["case"], *STATED["miss"]) if one["kind"] == "measured" and "sample_rate" in one["expect"]
]


def values(**given: Any) -> Any:
    return answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {name: str(one) for name, one in given.items()}))


def fitted(run: Mapping[str, Any]) -> bool:
    return bool(run["strength"] == "fitted_or_inferred_constant")


def published(run: Mapping[str, Any]) -> float:
    return units.parse(run["expect"]["sample_rate"], "sample/s")


def calculated(run: Mapping[str, Any], **changed: Any) -> float:
    """Calculated speed over the published one, which is the published time over the calculated one."""
    return float(values(**{**run["given"], **changed})["sample_rate"]) / published(run)


def within_a_quarter(ratios: Iterable[float]) -> int:
    return sum(abs(ratio - 1) <= 0.25 for ratio in ratios)


MODELS = sorted({run["given"]["trained_model"] for run in RUNS})
TYPED_IN = {
    name: fact(key).value
    for name, key in (
        ("matrix_work_share", "sample-matrix-work-share"),
        ("activation_passes", "sample-activation-passes"),
        ("fixed_step_time", "sample-fixed-step-time"),
    )
}


def test_four_of_five_runs_that_were_not_fitted_are_within_a_quarter() -> None:
    held = [calculated(run) for run in RUNS if not fitted(run)]
    assert len(held) > 100
    assert within_a_quarter(held) >= 0.8 * len(held)


@pytest.mark.parametrize("model", MODELS)
def test_the_range_of_a_model_holds_as_many_published_runs_as_it_says(model: str) -> None:
    record = sample_models()[model]
    held = [calculated(run) for run in RUNS if run["given"]["trained_model"] == model and not fitted(run)]
    if "shortest_run_time" not in record.fields:
        assert len(held) == 1  # too few for a range of its own
        return
    low, high = record.fields["shortest_run_time"].value, record.fields["longest_run_time"].value
    inside = sum(low <= ratio <= high for ratio in held)
    assert inside >= 0.8 * len(held)
    said = f"{inside} of {len(held)} runs that were not fitted are in the range, {within_a_quarter(held)} within 25%"
    assert record.fields["shortest_run_time"].where == said


NAMED_ON_THE_PAGE = {
    "sample-model-resnet-50": "ResNet-50",
    "sample-model-retinanet": "RetinaNet",
    "sample-model-stable-diffusion-2": "Stable Diffusion v2",
    "sample-model-unet-3d": "3D U-Net",
    "sample-model-dlrm-dcnv2": "DLRM-DCNv2",
    "sample-model-flux-1-schnell": "FLUX.1",
    "sample-model-deepcam": "DeepCAM",
    "sample-model-alphafold-2": "OpenFold (AlphaFold 2)",
    "sample-model-vit-l-16": "ViT-g/14, as ViT-L/16",
}


def test_the_page_says_how_far_runs_were_that_were_not_fitted() -> None:
    page = (ROOT / "content/calculators/sample-training.md").read_text("utf-8").replace('{{ illustrative("', "")
    page = page.replace('") }}', "")
    held = [run for run in RUNS if not fitted(run)]
    ratios = [calculated(run) for run in held]
    near = within_a_quarter(ratios)
    median = round(100 * statistics.median(abs(ratio - 1) for ratio in ratios))
    assert f"**Fit and test.** {len(RUNS)} published runs" in page
    assert f"{len(RUNS) - len(held)} were fitted, {len(held)} judge the fit: {near} are within 25%" in page
    assert f"the median error is {median}%" in page
    assert set(NAMED_ON_THE_PAGE) == set(MODELS)
    for model, name in NAMED_ON_THE_PAGE.items():
        own = [ratio for run, ratio in zip(held, ratios, strict=True) if run["given"]["trained_model"] == model]
        assert f"| {name} | {len(own)} | {within_a_quarter(own)} |" in page


def test_what_is_said_of_the_constants_of_models_that_are_typed_in() -> None:
    ratios = [calculated(run, **TYPED_IN) for run in RUNS]
    text = fact("sample-matrix-work-share").note
    median = round(100 * statistics.median(abs(ratio - 1) for ratio in ratios))
    assert f"{len(ratios)} published runs have a median error of {median}%" in text
    assert f"{within_a_quarter(ratios)} within 25%" in text
    low, high = (fact(f"sample-speed-band.{end}") for end in ("shortest", "longest"))
    inside = sum(low.value <= ratio <= high.value for ratio in ratios)
    assert low.where.startswith(f"{inside} of {len(ratios)} published runs")


SHARE_FITTED_ON = {
    "sample-model-resnet-50": ["a100-sxm-80gb", "h100-sxm"],
    "sample-model-retinanet": ["a100-sxm-80gb", "h100-sxm", "b200-sxm"],
    "sample-model-unet-3d": ["a100-sxm-80gb", "h100-sxm"],
    "sample-model-stable-diffusion-2": ["h100-sxm", "b200-sxm"],
    "sample-model-dlrm-dcnv2": ["a100-sxm-80gb", "h100-sxm", "b200-sxm"],
}


def squares(runs: Iterable[Mapping[str, Any]], **constants: float) -> float:
    return sum(math.log(calculated(run, **constants)) ** 2 for run in runs)


@pytest.mark.parametrize("model", SHARE_FITTED_ON)
def test_no_other_share_of_peak_is_better_on_the_runs_it_was_fitted_on(model: str) -> None:
    runs = [
        run
        for run in RUNS
        if fitted(run)
        and (run["given"]["trained_model"], run["given"]["gpus"]) == (model, 8)
        and run["given"]["accelerator"] in SHARE_FITTED_ON[model]
    ]
    assert len(runs) == len(SHARE_FITTED_ON[model])
    share = sample_models()[model].fields["matrix_work_share"].value
    found = [squares(runs, matrix_work_share=share * factor) for factor in (0.99, 1, 1.01)]
    assert min(found) == found[1]


@pytest.mark.parametrize("model", [one for one in SHARE_FITTED_ON if "dlrm" not in one])
def test_the_fixed_time_is_where_the_step_times_of_two_batches_lead(model: str) -> None:
    """A line through the step times of two batches of one model on H100, at a batch of nothing."""
    runs = [
        run
        for run in RUNS
        if fitted(run) and (run["given"]["trained_model"], run["given"]["accelerator"]) == (model, "h100-sxm")
    ]
    (few, long), (many, short) = (
        (run["given"]["batch_size"], run["given"]["batch_size"] * run["given"]["gpus"] / published(run)) for run in runs
    )
    found = sample_models()[model].fields["fixed_step_time"].value
    assert found == pytest.approx(long - few * (long - short) / (few - many), rel=0.01)


def test_the_passes_over_activations_are_where_more_bandwidth_alone_leads() -> None:
    """ResNet-50 on eight H100 and eight H200: 3.35 and 4.8 TB/s, all else the same."""
    slow, fast = 8 / 57284.326, 8 / 63625.723
    passes = (slow - fast) / (11.11e6 * 2 * (1 / 3.35e12 - 1 / 4.8e12))
    assert fact("sample-activation-passes").value == pytest.approx(passes, rel=0.01)


def test_no_other_share_is_much_better_on_the_four_runs_of_models_that_are_typed_in() -> None:
    four = [
        run
        for run in RUNS
        if fitted(run)
        and run["given"]["trained_model"] in {"sample-model-resnet-50", "sample-model-unet-3d"}
        and run["given"]["gpus"] == 8
        and run["given"]["accelerator"] in {"a100-sxm-80gb", "h100-sxm"}
    ]
    assert len(four) == 4
    ours = squares(four, **TYPED_IN)
    best = min(squares(four, **{**TYPED_IN, "matrix_work_share": share / 100}) for share in range(25, 60))
    assert ours <= 1.1 * best


def test_a_step_without_samples_takes_its_fixed_time() -> None:
    one, many = (values(batch_size=size, fixed_step_time="10 ms") for size in (1, 1000))
    per_sample = (many["step_compute_time"] - one["step_compute_time"]) / 999
    assert one["step_compute_time"] - per_sample == pytest.approx(0.010)


def test_vectors_that_stay_on_a_gpu_or_in_a_domain_do_not_load_the_network() -> None:
    exchange = formulas.sample_exchange_time.function
    assert exchange(13312, 1, 8, 900e9, 50e9) == 0
    assert exchange(13312, 8, 8, 900e9, 1) == exchange(13312, 8, 8, 900e9, 50e9)
    assert exchange(13312, 9, 8, 900e9, 1) > exchange(13312, 9, 8, 900e9, 50e9)


def test_a_measured_speed_replaces_the_calculated_one_and_has_no_range() -> None:
    found = values(measured_sample_rate="1,000", goodput=1, gpus=4)
    assert found["sample_rate"] == 4000
    assert found["sample_run_time_at_least"] == found["sample_run_time_at_most"] == found["sample_run_time"]
    assert found["sample_limit"].word == "measured"


def test_twice_the_peak_alone_is_not_twice_as_fast() -> None:
    once, twice = values(peak_flops="989 TFLOP/s"), values(peak_flops="1978 TFLOP/s")
    assert 1.2 < twice["sample_rate"] / once["sample_rate"] < 1.5


def test_tables_of_a_recommender_are_split_over_all_gpus_and_whole_in_a_checkpoint() -> None:
    few, many = (values(trained_model="sample-model-dlrm-dcnv2", gpus=gpus) for gpus in (8, 64))
    tables = 204_184_588 * 128 * 4
    assert few["sample_state_memory"] - many["sample_state_memory"] == pytest.approx(tables / 8 - tables / 64)
    assert few["sample_checkpoint"] > tables


def test_stored_activations_are_what_more_samples_take_in_memory() -> None:
    """Stable Diffusion with 64 and 32 samples per GPU, 55.0 and 30.0 GB; RetinaNet 40.0 and 20.5 (MLPerf v5.0)."""
    diffusion, detection = ((55.005e9 - 30.025e9) / 32 / (236661824 * 2), (40.047e9 - 20.531e9) / 32 / (250e6 * 2))
    found = [
        sample_models()[f"sample-model-{name}"].fields["stored_activations"].value
        for name in ("stable-diffusion-2", "retinanet")
    ]
    assert found == pytest.approx([diffusion, detection], rel=0.01)
    assert fact("sample-stored-activations").value == pytest.approx((diffusion + detection) / 2, rel=0.03)


def test_the_largest_batch_fits_with_ten_percent_to_spare_and_one_more_does_not() -> None:
    most = values()["largest_trained_batch"]
    assert values(batch_size=most)["batch_fits"].level == "good"
    assert values(batch_size=most + 1)["batch_fits"].level == "tight"


def test_a_state_that_fills_a_gpu_says_so_and_names_no_batch() -> None:
    found = values(trained_parameters="12B")
    assert found["largest_trained_batch"] is None
    assert "Not one sample fits next to the state" in found["batch_fits"].reason


def test_activations_of_one_sample_that_fill_a_gpu_are_not_called_state() -> None:
    """It said that 390 MiB of state alone were too much for 80 GiB, and to use a smaller batch than one."""
    found = values(activation_values="25T")
    assert found["batch_fits"].level == "bad"
    assert "alone" not in found["batch_fits"].reason
    assert "smaller batch" not in verdicts.unanswered(found)
    assert "smaller batch" in verdicts.unanswered(values(batch_size=6000))


def test_flux_in_8_bits_multiplies_twice_as_fast_and_moves_the_same_bytes() -> None:
    """20.3 TFLOP per sample, as MLPerf's configuration says; GB200 at 2,500 and 5,000 TFLOP/s."""
    run = {"trained_model": "sample-model-flux-1-schnell", "accelerator": "gb200"}
    wide, narrow = values(**run), values(**run, training_precision="mxfp8")
    assert wide["trained_flops"] == pytest.approx(20.3e12, rel=1e-3)
    assert wide["sample_arithmetic_time"] == pytest.approx(20.3e12 / (2500e12 * 0.305), rel=1e-3)
    assert narrow["sample_arithmetic_time"] == pytest.approx(wide["sample_arithmetic_time"] / 2)
    assert narrow["sample_memory_time"] == wide["sample_memory_time"]


def test_recycling_of_protein_folding_adds_its_forward_passes() -> None:
    """5,901 GMACs a pass: one forward, two backward and 1.5 recyclings on average are 53.1 TFLOP."""
    assert values(trained_model="sample-model-alphafold-2")["trained_flops"] == pytest.approx(
        2 * 5901e9 * 4.5, rel=1e-3
    )


def test_a_batch_that_fills_the_memory_fits_barely_and_one_byte_more_does_not() -> None:
    assert [verdicts.batch_fits(memory, 80.0, 8).level for memory in (72.0, 80.0, 80.1)] == ["good", "tight", "bad"]


@pytest.mark.parametrize(
    ("given", "said"),
    [({}, "takes"), ({"batch_size": "6000"}, "does not fit"), ({"measured_sample_rate": "100,000"}, "not possible")],
)
def test_a_run_that_does_not_fit_or_is_not_possible_has_no_time(given: dict[str, str], said: str) -> None:
    sentence = answer.sentence(CALCULATORS["sample_training"], values(**given))
    assert said in sentence
    assert ("GPU-hours" in sentence) == (not given)


def test_the_largest_part_of_a_sample_limits_it() -> None:
    parts = ((2, 1, 0, 0, 0), (1, 2, 0, 0, 0), (1, 2, 3, 0, 0), (1, 2, 3, 4, 0), (1, 2, 3, 4, 5))
    words = [verdicts.sample_limit(None, *times, 0.4).word for times in parts]
    assert words == ["arithmetic", "memory bandwidth", "embedding rows", "embedding exchange", "small batch"]


def test_memory_is_written_in_powers_of_two() -> None:
    assert CALCULATOR.steps["sample_memory"].text(2.0**33) == "8 GiB"


def test_without_activations_any_batch_fits_that_leaves_room_for_the_state() -> None:
    assert formulas.largest_trained_batch(100.0, 10.0, 0.0, 4.0) == 4
    assert formulas.largest_trained_batch(10.0, 10.0, 0.0, 4.0) is None

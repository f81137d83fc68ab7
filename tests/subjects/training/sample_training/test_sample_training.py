"""Training in samples: what the fit says of itself, and states at the edges."""

from __future__ import annotations

import statistics
import tomllib
from typing import Any

import pytest

from builder.paths import ROOT
from calculators import units
from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from calculators.facts import fact
from calculators.subjects.training.sample_training import formulas, verdicts

CALCULATOR = CALCULATORS["sample_training"]
STATED = tomllib.loads((ROOT / "tests/cases/sample_training.toml").read_text("utf-8"))
RUNS = [one for one in (*STATED["case"], *STATED["miss"]) if one["kind"] == "measured"]


def values(**given: Any) -> Any:
    return answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {name: str(one) for name, one in given.items()}))


def errors(*, fitted: bool) -> list[float]:
    """Calculated speed over the published one, less one."""
    return [
        values(**one["given"])["sample_rate"] / units.parse(one["expect"]["sample_rate"], "sample/s") - 1
        for one in RUNS
        if (one["strength"] == "fitted_or_inferred_constant") == fitted
    ]


def test_the_fact_says_how_far_runs_were_that_were_not_fitted() -> None:
    found = [abs(error) for error in errors(fitted=False)]
    text = fact("sample-matrix-work-share").note
    assert text.startswith(f"{len(found)} runs that were not fitted")
    assert f"median error {round(100 * statistics.median(found))}%" in text
    assert f"{sum(error <= 0.25 for error in found)} within 25%" in text


def test_the_range_holds_as_many_published_runs_as_it_says() -> None:
    low, high = fact("sample-speed-band").spread or (1, 1)
    found = errors(fitted=False)
    inside = sum(
        low <= 1 + error <= high for error in found
    )  # calculated speed over measured: time the other way round
    assert fact("sample-speed-band").where.startswith(f"{inside} of the {len(found)} runs")


def test_no_other_pair_of_constants_is_much_better_on_the_four_runs_of_the_fit() -> None:
    four = [
        one
        for one in RUNS
        if one["strength"] == "fitted_or_inferred_constant" and "alphafold" not in one["given"]["trained_model"]
    ]
    assert len(four) == 4

    def squares(share: float, passes: float) -> float:
        found = (
            values(**one["given"], matrix_work_share=share, activation_passes=passes)["sample_rate"]
            / units.parse(one["expect"]["sample_rate"], "sample/s")
            for one in four
        )
        return sum((float(ratio) - 1) ** 2 for ratio in found)

    ours = squares(fact("sample-matrix-work-share").value, fact("sample-activation-passes").value)
    best = min(squares(share / 100, passes) for share in range(25, 60, 5) for passes in range(5, 18))
    assert ours <= 1.5 * best


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


def test_stable_diffusion_takes_about_the_memory_that_mlperf_logged() -> None:
    """30.0 GB with 32 samples per GPU on B200, MLPerf Training v5.0."""
    found = values(trained_model="sample-model-stable-diffusion-2", batch_size=32)
    assert found["sample_memory"] == pytest.approx(30.0e9, rel=0.05)


def test_the_largest_batch_fits_with_ten_percent_to_spare_and_one_more_does_not() -> None:
    most = values()["largest_trained_batch"]
    assert values(batch_size=most)["batch_fits"].level == "good"
    assert values(batch_size=most + 1)["batch_fits"].level == "tight"


def test_a_state_that_fills_a_gpu_says_so_and_names_no_batch() -> None:
    found = values(trained_parameters="12B")
    assert found["largest_trained_batch"] is None
    assert "The state alone is too much" in found["batch_fits"].reason


def test_flux_in_8_bits_multiplies_twice_as_fast_and_moves_the_same_bytes() -> None:
    """20.3 TFLOP per sample, as MLPerf's configuration says; GB200 at 2,500 and 5,000 TFLOP/s."""
    run = {"trained_model": "sample-model-flux-1-schnell", "accelerator": "gb200"}
    wide, narrow = values(**run), values(**run, training_precision="mxfp8")
    assert wide["trained_flops"] == pytest.approx(20.3e12, rel=1e-3)
    assert wide["sample_arithmetic_time"] == pytest.approx(20.3e12 / (2500e12 * 0.357), rel=1e-3)
    assert narrow["sample_arithmetic_time"] == pytest.approx(wide["sample_arithmetic_time"] / 2)
    assert narrow["sample_memory_time"] == wide["sample_memory_time"]


def test_recycling_of_protein_folding_adds_its_forward_passes() -> None:
    """5,901 GMACs a pass: one forward, two backward and 1.5 recyclings on average are 53.1 TFLOP."""
    assert values(trained_model="sample-model-alphafold-2")["trained_flops"] == pytest.approx(
        2 * 5901e9 * 4.5, rel=1e-3
    )


def test_a_batch_that_fills_the_memory_fits_barely_and_one_byte_more_does_not() -> None:
    assert [verdicts.batch_fits(memory, 80.0, 8).level for memory in (72.0, 80.0, 80.1)] == ["good", "tight", "bad"]


def test_the_largest_part_of_a_sample_limits_it() -> None:
    words = [verdicts.sample_limit(None, *parts, 0.4).word for parts in ((1, 1, 1), (2, 1, 0), (1, 2, 0), (1, 2, 3))]
    assert words == ["arithmetic", "arithmetic", "memory bandwidth", "embedding rows"]


def test_memory_is_written_in_powers_of_two() -> None:
    assert CALCULATOR.steps["sample_memory"].text(2.0**33) == "8 GiB"


def test_without_activations_any_batch_fits_that_leaves_room_for_the_state() -> None:
    assert formulas.largest_trained_batch(100.0, 10.0, 0.0, 4.0) == 4
    assert formulas.largest_trained_batch(10.0, 10.0, 0.0, 4.0) is None

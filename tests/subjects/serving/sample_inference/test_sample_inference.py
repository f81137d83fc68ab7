"""Serving in samples: what the fit says of itself, thresholds of the verdicts, and states at the edges."""

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
from calculators.declare import Verdict
from calculators.facts import fact
from calculators.subjects.serving.sample_inference import verdicts

CALCULATOR = CALCULATORS["sample_inference"]
STATED = tomllib.loads((ROOT / "tests/cases/sample_inference.toml").read_text("utf-8"))
RUNS = [one for one in (*STATED["case"], *STATED["miss"]) if one["kind"] == "measured"]
DLRM = "sample-model-dlrm-dcnv2"
SDXL = "sample-model-sdxl"


def values(**given: Any) -> Any:
    return answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {name: str(one) for name, one in given.items()}))


def ratios(*, fitted: bool) -> list[float]:
    """Calculated speed over the published one."""
    return [
        values(**one["given"])["serving_rate_per_gpu"] / units.parse(one["expect"]["serving_rate_per_gpu"], "sample/s")
        for one in RUNS
        if (one["strength"] == "fitted_or_inferred_constant") == fitted
    ]


def test_the_fact_says_how_far_speeds_were_that_were_not_fitted() -> None:
    found = [abs(ratio - 1) for ratio in ratios(fitted=False)]
    text = fact("sample-serving-share").note
    assert text.startswith(f"{len(found)} published speeds that were not fitted")
    assert f"median error {round(100 * statistics.median(found))}%" in text
    assert f"{sum(error <= 0.25 for error in found)} within 25%" in text


def test_the_range_holds_as_many_published_speeds_as_it_says() -> None:
    low, high = fact("sample-serving-band").spread or (1, 1)
    found = ratios(fitted=False)
    inside = sum(low <= 1 / ratio <= high for ratio in found)
    assert fact("sample-serving-band").where.startswith(f"{inside} of the {len(found)} published speeds")


def test_no_other_share_is_better_on_the_two_runs_of_the_fit() -> None:
    two = [
        one
        for one in RUNS
        if one["strength"] == "fitted_or_inferred_constant" and one["given"]["trained_model"] != SDXL
    ]
    assert len(two) == 2

    def squares(share: float) -> float:
        found = (
            values(**one["given"], serving_matrix_share=share)["serving_rate_per_gpu"]
            / units.parse(one["expect"]["serving_rate_per_gpu"], "sample/s")
            for one in two
        )
        return sum((float(ratio) - 1) ** 2 for ratio in found)

    ours = squares(fact("sample-serving-share").value)
    assert ours <= min(squares(share / 1000) for share in range(300, 450, 5))


def test_the_share_of_sdxl_gives_the_speed_that_it_was_fitted_on() -> None:
    """16.3484 images per second on eight H100, MLPerf Inference v4.1."""
    found = values(trained_model=SDXL, served_value_bytes=1, serving_batch=2)
    assert found["serving_rate_per_gpu"] == pytest.approx(16.3484 / 8, rel=2e-3)


def test_four_of_five_speeds_that_were_not_fitted_are_within_a_quarter() -> None:
    found = ratios(fitted=False)
    assert len(found) > 30
    assert sum(abs(ratio - 1) <= 0.25 for ratio in found) >= 0.8 * len(found)


def test_tables_that_do_not_fit_on_one_gpu_are_split_over_the_fewest_that_hold_them() -> None:
    tables = 204_184_588 * 128 * 4
    assert values(trained_model=DLRM)["table_gpus"] == 2
    assert values(trained_model=DLRM, served_embedding_share=0.5)["table_gpus"] == 1
    found = values(trained_model=DLRM, gpu_memory="24 GiB")
    assert found["table_gpus"] == pytest.approx(-(-tables // (0.9 * 24 * 2**30 - found["whole_memory"])))
    assert found["sample_serving_fits"].level == "good"
    assert found["sample_serving_gpus"] % found["table_gpus"] == 0


def test_an_image_takes_its_steps_twice_with_guidance_and_its_decoder_once() -> None:
    found = values(trained_model=SDXL)
    once = values(trained_model=SDXL, passes_per_step=1, once_flops=0)
    assert found["passes_per_sample"] == 40
    assert found["serving_batch_time"] - found["once_time"] == pytest.approx(2 * once["serving_batch_time"])


def test_the_gpus_carry_the_rate_and_one_replica_less_does_not() -> None:
    for rate in (1, 31_000, 100_000, 123_456):
        found = values(sample_request_rate=rate)
        planned = found["serving_rate_per_gpu"] * found["target_utilization"]
        assert found["sample_serving_gpus"] * planned >= rate * (1 - 1e-9)
        assert found["sample_serving_gpus"] == 1 or (found["sample_serving_gpus"] - 1) * planned < rate


@pytest.mark.parametrize("batch", [1, 32, 1024])
def test_the_latency_verdict_turns_at_the_target(batch: int) -> None:
    latency = values(serving_batch=batch)["sample_latency"]
    levels = {
        factor: values(serving_batch=batch, sample_latency_target=f"{latency * factor} s")["sample_in_time"].level
        for factor in (0.999, 1.001, 1.11, 1.12)
    }
    assert levels == {0.999: "bad", 1.001: "tight", 1.11: "tight", 1.12: "good"}


def test_the_largest_batch_has_ten_percent_of_memory_to_spare_and_one_more_has_not() -> None:
    most = values()["largest_serving_batch"]
    assert values(serving_batch=most)["sample_serving_fits"].level == "good"
    assert values(serving_batch=most + 1)["sample_serving_fits"].level == "tight"
    assert values(trained_parameters="100B")["largest_serving_batch"] is None


def test_the_limit_is_the_longest_part() -> None:
    assert values()["sample_serving_limit"].word == "arithmetic"
    assert values(forward_flops="1 kFLOP")["sample_serving_limit"].word == "activations"
    assert values(forward_flops="1 kFLOP", activation_values=1)["sample_serving_limit"].word == "weights"
    many = values(trained_model=DLRM, lookup_share=0.1, serving_batch=50_000)
    assert many["sample_serving_limit"].word == "embedding rows"


def test_a_measured_speed_replaces_the_calculated_one_and_has_no_range() -> None:
    found = values(measured_serving_rate=1000, sample_request_rate=7000)
    assert found["serving_rate_per_gpu"] == 1000
    assert found["sample_serving_gpus"] == 10
    assert found["sample_serving_gpus_at_least"] == found["sample_serving_gpus_at_most"] == 10


def test_a_batch_that_fills_too_slowly_is_advised_to_go_out_earlier() -> None:
    found = values(sample_request_rate=1000)
    assert found["batch_fill_time"] == pytest.approx(31 / 1000)
    assert found["sample_in_time"].level == "bad"
    assert "Dispatch smaller batches." in found["sample_in_time"].reason


def test_recommendations_miss_nothing() -> None:
    assert CALCULATOR.recommendations
    for given in ({"sample_request_rate": 1000}, {"trained_model": SDXL}, {"trained_model": DLRM}):
        found = values(**given)
        for _, changes in CALCULATOR.recommendations(found):
            after = CALCULATOR.after(found, changes)
            assert after["sample_in_time"].level != "bad"
            assert after["sample_serving_fits"].level != "bad"


GOOD, BAD = (Verdict(level=level, word=level) for level in ("good", "bad"))


def test_a_latency_just_below_its_target_is_tight_from_nine_tenths_on() -> None:
    words = [verdicts.sample_in_time(latency, 10.0, 1.0, 1.0, GOOD, GOOD).word for latency in (9.0, 9.1, 10.0, 10.1)]
    assert words == ["OK", "barely", "barely", "too slow"]


def test_a_batch_that_does_not_fit_or_is_not_possible_has_no_latency() -> None:
    for fits, speed in ((BAD, GOOD), (GOOD, BAD)):
        assert verdicts.sample_in_time(1.0, 10.0, 1.0, 1.0, fits, speed).word == "not checked"


def test_a_measured_speed_at_the_peak_is_possible() -> None:
    words = [verdicts.sample_serving_limit(1.0, 1, 1, 1, 1, 1, share).word for share in (1.0, 1.01)]
    assert words == ["measured", "not possible"]


def test_a_batch_that_does_not_fit_or_is_not_possible_has_a_sentence_and_another_has_none() -> None:
    def sentence(fits: Verdict, speed: Verdict) -> str:
        judged = {"sample_serving_fits": fits, "sample_serving_limit": speed}
        return verdicts.unanswered({**judged, "largest_serving_batch": None})

    assert sentence(GOOD, GOOD) == ""
    assert "does not fit" in sentence(BAD, GOOD)
    assert "not possible" in sentence(GOOD, BAD)


@pytest.mark.parametrize("given", [{"serving_batch": 1493}, {"serving_batch": 64, "sample_latency_target": "1 ms"}])
def test_a_measured_speed_is_that_of_its_batch(given: dict[str, Any]) -> None:
    """A batch of 1 was recommended at the speed measured with 1,493: 27 µs for what takes 28.5 µs unmeasured."""
    values = answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {"measured_serving_rate": "36,784", **given}))
    assert CALCULATOR.recommendations is not None
    advised = [change for _, change in CALCULATOR.recommendations(values) if "serving_batch" in change]
    assert advised
    assert all(change["measured_serving_rate"] is None for change in advised)


def test_where_not_one_sample_fits_no_smaller_batch_is_recommended() -> None:
    values = answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {"activation_values": "25T"}))
    assert "smaller batch" not in answer.sentence(CALCULATOR, values)
    assert "Not one sample fits" in values["sample_serving_fits"].reason
    assert "smaller batch" in answer.sentence(
        CALCULATOR, answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {"serving_batch": "1,000,000"}))
    )

"""Checkpoints: the verdict, every caution, each piece of advice and the picture where they speak and where not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.answers.transfer import import_states, source
from calculators.catalog import CALCULATORS as CATALOG
from calculators.declare import InputError, Values, Verdict, pictures
from calculators.page import exploration
from calculators.subjects.storage.checkpoint.calculator import CALCULATOR
from calculators.subjects.storage.checkpoint.verdicts import write_in_time
from tests.readers import states

# A round save: 1 TB through 20 GB/s is written in 50 s; the snapshot of 1 GB on each of 1,000 GPUs takes 0.5 s.
ROUND = {
    "parameters": "100B",
    "checkpoint_bytes_per_parameter": 10,
    "gpus": 1000,
    "checkpoint_interval": "1 h",
    "write_window": "100 s",
    "write_bandwidth": "20 GB/s",
    "snapshot_bandwidth": "2 GB/s",
    "checkpoint_mode": "synchronous",
}


def values(**given: Any) -> Values:
    return answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {**ROUND, **given}))


def verdict(**given: Any) -> tuple[str, str, str]:
    found = values(**given)
    message: Verdict = found["write_in_time"]
    return message.level, message.word, answer.filled(CALCULATOR, message.reason, found)


def recommendations(**given: Any) -> dict[str, Any]:
    """Label -> changes."""
    return {one["label"]: one["changes"] for one in exploration.exploration(CALCULATOR, values(**given))["advice"]}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {},
            (
                "good",
                "finishes before the next checkpoint",
                "A checkpoint takes 50 s; the next one starts 59.2 min later.",
            ),
        ),
        (
            {"checkpoint_interval": "60 s"},
            ("tight", "barely finishes", "A checkpoint takes 50 s of the 60 s until the next one: 10 s spare."),
        ),
        (
            {"checkpoint_interval": "50 s"},
            ("tight", "barely finishes", "A checkpoint takes 50 s of the 50 s until the next one: 0 s spare."),
        ),
        (
            {"write_window": "40 s"},
            (
                "bad",
                "too slow",
                "50 s at 20 GB/s, limit 40 s: that needs 25 GB/s.",
            ),
        ),
        (
            {"checkpoint_interval": "40 s"},
            (
                "bad",
                "too slow: overlaps the next checkpoint",
                (
                    "A checkpoint takes 50 s, longer than the 40 s until the next one: "
                    "training waits for storage all the time."
                ),
            ),
        ),
        (
            {"checkpoint_interval": "1 s", "persist_every": 3600, "gpus_per_node": 8},
            (
                "bad",
                "too slow: overlaps the next checkpoint",
                (
                    "A local checkpoint takes 1.6 s, longer than the 1 s until the next one: "
                    "one starts every 1.6 s, as fast as the GPU nodes' drives allow."
                ),
            ),
        ),
        (
            {"checkpoint_interval": "5 s", "persist_every": 9, "gpus_per_node": 8},
            (
                "bad",
                "too slow: overlaps the next checkpoint",
                (
                    "A persisted checkpoint takes 51.6 s, longer than the 45 s until the next one: "
                    "training waits for storage all the time."
                ),
            ),
        ),
        (
            {"checkpoint_interval": "40 s", "checkpoint_mode": "async", "write_window": "45 s"},
            (
                "bad",
                "too slow: overlaps the next checkpoint",
                (
                    "A checkpoint takes 50.5 s, longer than the 40 s until the next one: "
                    "checkpoints queue, and one starts every 50.5 s, as fast as storage allows. "
                    "The write also exceeds the 45 s limit."
                ),
            ),
        ),
    ],
)
def test_the_verdict_looks_at_the_interval_and_at_the_window(
    given: dict[str, Any], message: tuple[str, str, str]
) -> None:
    assert verdict(**given) == message


@given(data=st.data())
@settings(max_examples=200)
def test_no_green_verdict_with_a_missed_target_and_no_storage_writes_more_than_it_can(
    data: st.DataObject,
) -> None:
    inputs = data.draw(states(CALCULATOR))
    found = CALCULATOR.evaluate(inputs)
    met = found["write_duration"] <= found["write_window"] and found["time_to_safe"] <= found["checkpoint_interval"]
    stored = found["durable_time_to_safe"] <= found["checkpoint_interval"] * found["persist_every"]
    assert (found["write_in_time"].level == "bad") is not (met and stored)
    assert found["average_write_bandwidth"] <= found["write_bandwidth"] * (1 + 1e-12)
    assert 0 <= found["stall_share"] <= 1
    assert found["storage_rest"] >= 0


def test_through_40_gigabytes_a_second_no_more_than_3_46_petabytes_a_day_are_written() -> None:
    given = {"model": "llama-3-1-405b", "checkpoint_interval": "60 s", "checkpoint_mode": "asynchronous", "gpus": 16384}
    found = answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {**given, "write_bandwidth": "40 GB/s"}))
    assert CALCULATOR.text("written_per_day", found["written_per_day"]) == "3.46 PB"
    assert found["written_per_day"] < 40e9 * 86400
    assert found["stall_share"] < 0.001


@pytest.mark.parametrize(
    ("interval", "mode", "bandwidth"),
    [
        ("1 h", "synchronous", "20 GB/s"),
        ("200 s", "synchronous", "20 GB/s"),
        ("60 s", "asynchronous", "20 GB/s"),
        ("30 s", "asynchronous", "20 GB/s"),
        ("30 min", "asynchronous", "1 GB/s"),
    ],
)
def test_the_work_lost_is_that_of_failures_at_every_moment_of_an_interval(
    interval: str, mode: str, bandwidth: str
) -> None:
    found = values(checkpoint_interval=interval, checkpoint_mode=mode, write_bandwidth=bandwidth)
    every, stall, safe = (float(found[name]) for name in ("effective_interval", "checkpoint_stall", "time_to_safe"))

    def lost(moment: float) -> float:
        """What a failure so long after the beginning of a save loses."""
        since = max(0.0, moment - stall)
        return since if moment >= safe else since + every - stall

    moments = 200_000
    mean = sum(lost((number + 0.5) * every / moments) for number in range(moments)) / moments
    assert found["expected_loss"] == pytest.approx(mean, rel=1e-4)


def test_a_checkpoint_that_takes_a_quarter_of_the_interval_loses_six_percent_less_than_half_of_it() -> None:
    assert values(checkpoint_interval="200 s")["expected_loss"] == pytest.approx(100 * (1 - 0.0625), rel=1e-12)


def test_without_local_copies_a_failure_goes_back_to_the_last_persisted_checkpoint() -> None:
    """Counted at every moment of an hour, in which one save goes to storage; it stalls 0.5 s, is safe after 50.5 s."""
    found = values(checkpoint_interval="2 min", persist_every=30, checkpoint_mode="asynchronous", gpus_per_node=8)
    every, stall, work = 120.0, 0.5, 119.5

    def trained(moment: float) -> float:
        """The training done so long after the beginning of a durable save."""
        saves, rest = divmod(moment, every)
        return saves * work + max(0.0, rest - stall)

    moments = 72_000
    mean = 0.0
    for number in range(moments):
        moment = (number + 0.5) * 3600 / moments
        mean += (trained(moment) + (30 * work if moment < 50.5 else 0)) / moments
    assert found["durable_loss"] == pytest.approx(mean, rel=1e-5)
    assert found["expected_loss"] == pytest.approx(work * (found["time_to_safe"] + work / 2) / every, rel=1e-12)


@pytest.mark.parametrize(
    ("given", "count"),
    [
        ({"checkpoint_interval": "50 s", "write_window": "50 s", "checkpoint_mode": "asynchronous"}, 1),
        ({"checkpoint_interval": "50.5 s", "write_window": "50 s", "checkpoint_mode": "asynchronous"}, 0),
        ({"checkpoint_interval": "60 s", "write_window": "100 s"}, 1),
        ({"checkpoint_interval": "100 s", "write_window": "100 s"}, 0),
    ],
)
def test_warnings_start_at_their_thresholds(given: dict[str, Any], count: int) -> None:
    assert len(answer.warnings(CALCULATOR, values(**given))) == count


ASYNC = {"checkpoint_mode": "asynchronous"}


@pytest.mark.parametrize(
    ("given", "advised"),
    [
        ({}, {}),
        ({"checkpoint_interval": "60 s"}, {}),
        (
            {"write_window": "40 s"},
            {
                "Write asynchronously and allow 50 s for the write": {**ASYNC, "write_window": "50 s"},
                "Allow 50 s for the write": {"write_window": "50 s"},
                "Raise storage write bandwidth to 25 GB/s": {"write_bandwidth": "25 GB/s"},
            },
        ),
        (
            {"write_window": "40 s", **ASYNC},
            {
                "Allow 50 s for the write": {"write_window": "50 s"},
                "Raise storage write bandwidth to 25 GB/s": {"write_bandwidth": "25 GB/s"},
            },
        ),
        (
            {"checkpoint_interval": "40 s", "write_bandwidth": "21 GB/s"},
            {
                "Write asynchronously every 100 s": {**ASYNC, "checkpoint_interval": "100 s"},
                "Checkpoint every 100 s": {"checkpoint_interval": "100 s"},
                "Raise storage write bandwidth to 50 GB/s": {"write_bandwidth": "50 GB/s"},
            },
        ),
        (
            {"checkpoint_interval": "40 s", "write_window": "45 s", **ASYNC},
            {
                "Checkpoint every 110 s and allow 50 s for the write": {
                    "checkpoint_interval": "110 s",
                    "write_window": "50 s",
                },
                "Raise storage write bandwidth to 52 GB/s": {"write_bandwidth": "52 GB/s"},
            },
        ),
        # A month is the longest interval there is, and 100 TB take longer through 1 MB/s.
        (
            {"parameters": "10T", "write_bandwidth": "1 MB/s"},
            {"Raise storage write bandwidth to 1 TB/s": {"write_bandwidth": "1 TB/s"}},
        ),
        # The snapshot alone, 10 s, takes more than half of the interval.
        (
            {"checkpoint_interval": "10 s", "snapshot_bandwidth": "100 MB/s", "write_window": "1 h", **ASYNC},
            {"Checkpoint every 2 min": {"checkpoint_interval": "2 min"}},
        ),
    ],
)
def test_recommendations_turn_a_red_verdict(given: dict[str, Any], advised: dict[str, Any]) -> None:
    assert recommendations(**given) == advised


def test_the_sentence_counts_the_parameters_in_the_checkpoint() -> None:
    message = answer.sentence(CALCULATOR, values(job="lora", trainable_parameters="200M"))
    assert message.startswith("A checkpoint of 200M parameters is 2 GB.")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"trainable_parameters": "101B"},
            "Trainable parameters must be at most all 100B parameters, not 101B parameters",
        ),
        (
            {"job": "lora", "lora_rank": 99_999},
            "Trainable parameters must be at most all 100B parameters, not 1.52T parameters; a smaller rank has fewer",
        ),
    ],
)
def test_trainable_parameters_are_at_most_all(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as refused:
        values(**given)
    assert refused.value.problems["trainable_parameters"] == message
    assert values(trainable_parameters="100B")["checkpoint_size"] == 1e12


def test_reading_is_twice_the_writing_until_it_is_given() -> None:
    assert values(write_bandwidth="8 GB/s")["read_bandwidth"] == 16e9
    assert values(write_bandwidth="8 GB/s", read_bandwidth="30 GB/s")["read_bandwidth"] == 30e9


def drawing(**given: Any) -> pictures.Drawing:
    assert CALCULATOR.picture is not None
    return pictures.drawing(CALCULATOR.picture, values(**given))


def test_the_picture_of_a_late_write_continues_beyond_the_next_checkpoint() -> None:
    # The width is 48 s, 1.2 times the interval; the bars are 50.5 s long: half a second of stall and 50 s of training
    # above, as much of snapshot and write below, and no rest.
    drawn = drawing(checkpoint_interval="40 s", checkpoint_mode="asynchronous")
    at = drawn.places
    assert at["0.0"] == at["1.0"] == {"x": "0.000%", "width": "1.042%"}
    assert at["0.1"] == at["1.1"] == {"x": "1.042%", "width": "98.958%"}
    assert at["1.2"]["width"] == "0.000%"
    assert at["0.excess"] == at["1.excess"] == {"x": "83.333%", "width": "16.667%"}
    assert drawn.cut == (0, 1)


def test_the_picture_of_a_write_in_time_ends_at_the_next_checkpoint() -> None:
    drawn = drawing(checkpoint_interval="200 s")
    at = drawn.places
    assert at["0.0"] == at["1.1"] == {"x": "0.000%", "width": "20.833%"}
    assert at["0.1"] == at["1.2"] == {"x": "20.833%", "width": "62.500%"}
    assert at["0.excess"]["width"] == at["1.excess"]["width"] == "0.000%"
    assert at["limit"] == {"x1": "83.333%", "x2": "83.333%"}
    assert drawn.cut == ()


def test_adapters_of_a_mixture_are_those_that_training_memory_brings() -> None:
    """DeepSeek-V3, by hand in tests/llm/test_adapters.py: 6.69B with routed experts, and 126M without."""
    for targets, trained in (("all", 6_694_630_400), ("linear", 126_350_336)):
        texts = {"model": "deepseek-v3", "job": "lora", "lora_targets": targets}
        brought, _ = import_states(CALCULATOR, [source(CATALOG["training_memory"], texts)])
        for one in (texts, brought):
            found = answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, one))
            assert found["trainable_parameters"] == trained
            assert found["checkpoint_size"] == 14 * trained


def test_a_write_is_tight_from_half_of_the_time_on() -> None:
    words = [write_in_time("synchronous", 1, took, 60.0, took, 60.0, took, 60.0).level for took in (30.0, 30.1, 60.1)]
    assert words == ["good", "tight", "bad"]

"""KV cache: recommendations where it does not fit, and none where it does."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.page import exploration
from calculators.subjects.serving.kv_cache.calculator import CALCULATOR
from calculators.subjects.serving.kv_cache.recommendations import as_much_as_fits, narrower_and_wider
from tests.subjects.serving.kv_cache.round_model import recommendations


def test_there_is_no_recommendation_where_it_fits() -> None:
    assert recommendations() == []
    assert recommendations(sequences=439) == []


def test_recommendations_serve_all_sequences_first_and_fewer_last() -> None:
    # 600 sequences need 2.458 GB. Cache in fp8: 1.229; weights in fp8 leave 3 GB; both.
    labels = [row["label"] for row in recommendations(sequences=600)]
    assert labels == [
        "Store the KV cache in FP8: 1 B/value",
        "Serve the weights in FP8: 1 B/parameter",
        "Use FP8 for KV cache and weights: 1 B/parameter",
    ]
    assert [row["label"] for row in recommendations(sequences=600, positions=100_000)] == labels, (
        "a longer context is allowed"
    )
    # All in fp8 already, and more ranks than heads: fewer sequences or a shorter context are left.
    rows = recommendations(sequences=3000, cache_bytes=1, weight_bytes=1)
    assert [(row["label"], row["changes"]) for row in rows] == [
        ("Limit concurrency to 1,464 sequences", {"sequences": "1,464"}),
        ("Limit the context to 496 tokens", {"context": "496"}),
    ]


def labels(**given: Any) -> list[str]:
    narrow = {"cache_bytes": 1, "weight_bytes": 1, "entry_bytes": None, "serving_tensor_parallel": 8}
    return [label.format(**changes) for label, changes in narrower_and_wider({**narrow, **given})]


@pytest.mark.parametrize(
    ("given", "tried"),
    [
        ({}, [16, 24, 32, 48, 64]),
        ({"serving_tensor_parallel": 7}, [14, 21, 28, 42, 56]),
        ({"serving_tensor_parallel": 32}, [64]),
        ({"serving_tensor_parallel": 33}, []),
    ],
)
def test_a_model_is_split_over_up_to_64_ranks(given: dict[str, Any], tried: list[int]) -> None:
    assert labels(**given) == [f"Split the model over {ranks}" for ranks in tried]


def test_fp8_is_not_recommended_where_numbers_are_narrow_already() -> None:
    assert labels(cache_bytes=1.1, serving_tensor_parallel=33) == ["Store the KV cache in FP8: 1.0"]
    assert labels(cache_bytes=2, entry_bytes=1.5, serving_tensor_parallel=33) == []
    assert labels(weight_bytes=1.1, cache_bytes=0.5, serving_tensor_parallel=32) == [
        "Serve the weights in FP8: 1.0",
        "Split the model over 64",
        "Split the model over 64, all in FP8",
    ]
    assert labels(weight_bytes=0.5, cache_bytes=2, serving_tensor_parallel=65) == ["Store the KV cache in FP8: 1.0"]


@pytest.mark.parametrize(
    ("most", "text"),
    [
        ((3, 900), ["Limit concurrency to 3", "Limit the context to 900"]),
        ((10, 1024), []),
        ((0, 0), []),
        ((1, 1), ["Limit concurrency to 1", "Limit the context to 1"]),
        ((11, 1023), ["Limit the context to 1023"]),
    ],
)
def test_fewer_sequences_or_shorter_context_is_recommended(most: tuple[int, int], text: list[str]) -> None:
    after = {"sequences": 10, "context": 1024, "max_sequences": most[0], "max_context": most[1]}
    report = list(as_much_as_fits("", {"cache_bytes": 1}, after))
    assert [label.format(**{name: int(value) for name, value in changes.items()}) for label, changes in report] == text
    assert all(changes["cache_bytes"] == 1 for _, changes in report)
    joined = [label for label, _ in as_much_as_fits("In fp8", {}, after)]
    assert all(label.startswith("In fp8, and ") for label in joined)


def test_a_model_too_large_for_its_gpus_is_split_over_more() -> None:
    # 40 GB of weights are 5 GB on each of 8 GPUs, all that may be used; on each of 16 they are 2.5 and leave 1.5.
    rows = recommendations(heads=64, parameters="40B", weight_bytes=1, cache_bytes=1)
    assert rows[0]["label"] == "Split the model over 16 ranks"
    assert rows[0]["outcome"].startswith("fits: ")


@pytest.mark.parametrize(
    "given",
    [
        {"model": "llama-3-1-405b"},
        {"model": "deepseek-v3"},
        {"model": "megatron-530b"},
        {"sequences": "100k"},
        {"context": "100M", "sequences": 1},
    ],
)
def test_every_bad_verdict_of_a_typical_state_comes_with_a_recommendation(given: dict[str, Any]) -> None:
    found = answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, given))
    assert found["serving_fits"].level == "bad"
    assert exploration.exploration(CALCULATOR, found)["advice"]


def test_a_context_beyond_the_model_is_limited_to_the_model_s_own() -> None:
    rows = recommendations(positions=512)
    assert [(row["label"], row["changes"]) for row in rows] == [("Limit the context to 512 tokens", {"context": "512"})]
    assert rows[0]["outcome"].startswith("fits: ")
    # 1,000 sequences of 512 tokens take 2.048 GB, just more than there is room for.
    labels = [row["label"] for row in recommendations(positions=512, sequences=1000)]
    assert labels[0] == "Store the KV cache in FP8: 1 B/value, with 512 tokens at most"

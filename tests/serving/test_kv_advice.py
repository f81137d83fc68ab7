"""KV cache: advice where it does not fit, and none where it does."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers import answer, exploration
from calculators.answers.resolve import settled
from calculators.serving.kv_cache import CALCULATOR
from tests.serving.round_model import advice


def test_advice_keeps_silent_where_it_fits() -> None:
    assert advice() == []
    assert advice(sequences=439) == []


def test_advice_begins_with_what_serves_everyone_and_ends_with_serving_fewer() -> None:
    # 600 sequences need 2.458 GB. Cache in fp8: 1.229; weights in fp8 leave 3 GB; both.
    labels = [row["label"] for row in advice(sequences=600)]
    assert labels == [
        "Keep the cache in fp8: 1 B/value",
        "Serve the weights in fp8: 1 B/parameter",
        "Keep cache and weights in fp8: 1 B/parameter",
    ]
    # All in fp8 already, and more ranks than heads: fewer sequences or a shorter context are left.
    rows = advice(sequences=3000, cache_bytes=1, weight_bytes=1)
    assert [(row["label"], row["changes"]) for row in rows] == [
        ("Serve 1,464 sequences at once", {"sequences": "1,464"}),
        ("Limit the context to 496 tokens", {"context": "496"}),
    ]


def test_advice_spreads_a_model_that_its_gpus_cannot_hold() -> None:
    # 40 GB of weights are 5 GB on each of 8 GPUs, all that may be used; on each of 16 they are 2.5 and leave 1.5.
    rows = advice(heads=64, parameters="40B", weight_bytes=1, cache_bytes=1)
    assert rows[0]["label"] == "Spread the model over 16 ranks"
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
def test_every_usual_red_verdict_comes_with_advice(given: dict[str, Any]) -> None:
    found = answer.evaluated(CALCULATOR, settled(CALCULATOR, given))
    assert found["serving_fits"].level == "bad"
    assert exploration.exploration(CALCULATOR, found)["advice"]


def test_advice_for_a_context_beyond_the_model_is_the_model_s_own() -> None:
    rows = advice(positions=512)
    assert [(row["label"], row["changes"]) for row in rows] == [("Limit the context to 512 tokens", {"context": "512"})]
    assert rows[0]["outcome"].startswith("fits: ")
    # 1,000 sequences of 512 tokens take 2.048 GB, just more than there is room for.
    labels = [row["label"] for row in advice(positions=512, sequences=1000)]
    assert labels[0] == "Keep the cache in fp8: 1 B/value, with 512 tokens at most"

"""KV cache: every caution once where it speaks and once where it is silent."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.subjects.serving.kv_cache.calculator import CALCULATOR
from tests.subjects.serving.kv_cache.round_model import warning

SPEAKING: dict[str, list[tuple[dict[str, Any], str]]] = {
    "heads_replicated": [
        (
            {},
            (
                "There are more tensor-parallel ranks than key-value heads, so ranks hold copies, as in vLLM: each GPU "
                "keeps 25% of the cache however many more there are, and all of them together hold it 2 times."
            ),
        ),
        (
            {"attention": "mla"},
            (
                "Latent attention has one cache for all heads, so ranks hold copies, as in vLLM: each GPU "
                "keeps 100% of the cache however many more there are, and all of them together hold it 8 times."
            ),
        ),
    ],
    "log_contradicts_weights": [
        (
            {"logged_cache_memory": "7.1 GB"},
            (
                "The log's 6.61 GiB and weights of 1.86 GiB do not fit into 9.31 GiB together: "
                "another GPU, model or width of weights was logged than is set here."
            ),
        ),
    ],
    "uneven_experts": [
        (
            {"active_parameters": "2B", "experts": 20, "experts_per_token": 4, "serving_expert_parallel": 16},
            (
                "20 experts cannot be dealt out evenly over 16 GPUs: memory is counted as if they could. "
                "Engines refuse it, give some GPUs one more than others, or copy popular experts until they can."
            ),
        ),
    ],
    "uneven_served_block": [
        (
            {"ffn_hidden": 1001},
            (
                "A feed-forward width of 1,001 cannot be shared evenly by 8 ranks: "
                "engines such as vLLM refuse it, unless the weights are padded."
            ),
        ),
    ],
    "context_beyond_positions": [
        (
            {"positions": 1023},
            (
                "A context of 1,024 tokens is more than the 1,023 tokens this model is made for: "
                "the memory is counted, but no answer can be expected there unless the model is lengthened."
            ),
        ),
    ],
    "no_context_limit": [
        (
            {"attention": "hybrid", "global_layer_share": 0},
            "Memory sets no limit to the context here; what the model was trained for does.",
        ),
    ],
    "expert_popularity": [
        (
            {"active_parameters": "2B", "experts": 4, "sequences": 2},
            (
                "In each layer a step is taken to touch 1.75 experts, of 4 experts that are all equally popular: "
                "where sequences prefer the same ones, fewer weights are read "
                "and decoding may be faster than the bound."
            ),
        ),
    ],
    "speed_is_a_bound": [
        # 16 GB of weights less 1.6 MB looked up, an eighth of it and 10 sequences of 4.096 MB through 1 TB/s: 2.041 ms.
        (
            {},
            (
                "4,900 tokens/s is an upper bound, by memory bandwidth alone: engines measured stay below it, "
                "the more so with small models, many GPUs, mixtures of experts and large batches."
            ),
        ),
    ],
    "sequences_wait": [
        (
            {"sequences": 489},
            "Speeds are for the 488 sequences with room at full context; the rest wait or are pushed out.",
        ),
        (
            {"sequences": 2, "context": 400_000},
            "Speeds are for the 1 sequence with room at full context; the rest wait or are pushed out.",
        ),
    ],
}


SILENT: dict[str, list[dict[str, Any]]] = {
    "heads_replicated": [{"tensor_parallel": 4}, {"attention": "mla", "tensor_parallel": 1, "gpu_memory": "100 GB"}],
    "log_contradicts_weights": [{}, {"logged_cache_memory": "7 GB"}, {"gpu_memory": "1.1 GB"}],
    "uneven_experts": [
        {},
        {"active_parameters": "2B", "experts": 32, "experts_per_token": 4, "serving_expert_parallel": 16},
    ],
    "uneven_served_block": [
        {},
        {"ffn_hidden": 1000},
        {
            "ffn_hidden": 1001,
            "experts": 16,
            "experts_per_token": 4,
            "serving_expert_parallel": 16,
            "active_parameters": "2B",
        },
    ],
    "context_beyond_positions": [{}, {"positions": 1024}],
    "no_context_limit": [{}, {"attention": "hybrid", "global_layer_share": 0.1}],
    "expert_popularity": [
        {},
        {"active_parameters": "2B", "experts": 4, "sequences": 20},
        {"active_parameters": "2B", "experts": 16, "sequences": 1},
        {"active_parameters": "2B", "experts": 10, "experts_per_token": 2, "sequences": 1},
        {"active_parameters": "7B", "experts": 10, "experts_per_token": 8, "sequences": 1},
    ],
    "speed_is_a_bound": [{"gpu_memory": "5 GB"}],
    "sequences_wait": [{}, {"sequences": 488}, {"gpu_memory": "5 GB"}],
}


def test_every_caution_has_an_example_that_speaks_and_one_that_is_silent() -> None:
    assert {formula.name for formula in CALCULATOR.of_role("warning")} == set(SPEAKING) == set(SILENT)


@pytest.mark.parametrize(
    ("name", "given", "said"), [(name, given, said) for name, pairs in SPEAKING.items() for given, said in pairs]
)
def test_a_caution_says_what_it_warns_of(name: str, given: dict[str, Any], said: str) -> None:
    assert warning(name, **given) == said


@pytest.mark.parametrize(("name", "given"), [(name, given) for name, states in SILENT.items() for given in states])
def test_a_caution_is_silent_where_nothing_is_amiss(name: str, given: dict[str, Any]) -> None:
    assert warning(name, **given) == ""

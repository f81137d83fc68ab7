"""KV cache: every check, caution and piece of advice once where it speaks and once where it is silent."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers import answer, exploration
from calculators.answers.resolve import settled
from calculators.declare import InputError, Values, Verdict, pictures
from calculators.serving.kv_cache import CALCULATOR

# A round model: 10 layers of 4 key-value heads, each 100 wide, so 16 kB a token; 8B parameters in 16 bits over 8 GPUs
# of 10 GB, of which half may be used and 1 GB is overhead: 2 GB of weights and 2 GB of room on each.
ROUND = {
    "layers": 10,
    "heads": 8,
    "kv_heads": 4,
    "head_dim": 100,
    "hidden": 800,
    "vocab": 1000,
    "parameters": "8B",
    "gpu_memory": "10 GB",
    "memory_share": 0.5,
    "overhead": "1 GB",
    "memory_bandwidth": "1 TB/s",
    "tensor_parallel": 8,
    "context": 1024,
    "sequences": 10,
}


def values(**given: Any) -> Values:
    return answer.evaluated(CALCULATOR, settled(CALCULATOR, {**ROUND, **given}))


def problem(**given: Any) -> dict[str, str]:
    with pytest.raises(InputError) as error:
        values(**given)
    return error.value.problems


def caution(name: str, **given: Any) -> str:
    found = values(**given)
    formula = next(formula for formula in CALCULATOR.of_role("caution") if formula.name == name)
    return answer.filled(CALCULATOR, formula.function(*[found[need] for need in formula.needs]), found)


def verdict(**given: Any) -> tuple[str, str, str]:
    found = values(**given)
    said: Verdict = found["serving_fits"]
    return said.level, said.word, answer.filled(CALCULATOR, said.reason, found)


def advice(**given: Any) -> list[dict[str, Any]]:
    return [dict(advice) for advice in exploration.exploration(CALCULATOR, values(**given))["advice"]]


assert CALCULATOR.picture is not None
PICTURE = CALCULATOR.picture


@pytest.mark.parametrize(
    ("given", "blamed", "said"),
    [
        (
            {"active_parameters": "9B"},
            "active_parameters",
            "Active parameters must be at most all 8B parameters, not 9B parameters",
        ),
        (
            {"active_parameters": "2B"},
            "experts",
            (
                "Only 2B parameters of 8B parameters are active, so this is a mixture of experts: "
                "give its experts and experts per token"
            ),
        ),
        (
            {"active_parameters": "2B", "experts": 8, "experts_per_token": 4},
            "experts",
            (
                "4 experts per token of 8 experts is a larger part than 2B parameters of 8B parameters: "
                "more must be active, or fewer chosen"
            ),
        ),
        (
            {"active_parameters": "8B", "experts": 8, "experts_per_token": 4},
            "experts",
            (
                "With 4 experts per token of 8 experts not all 8B parameters can be active: "
                "give all parameters as well, or those active"
            ),
        ),
        (
            {"kv_lora_rank": 256},
            "kv_lora_rank",
            "A latent of 256 belongs to latent attention: choose it, or leave the width out",
        ),
        (
            {"attention": "mha", "heads": 8, "kv_heads": 4},
            "kv_heads",
            (
                "With multi-head attention each of 8 heads has keys and values of its own, "
                "so key-value heads must be as many: with 4 heads choose grouped-query attention"
            ),
        ),
        (
            {"active_parameters": "8B", "experts": 8, "experts_per_token": 9},
            "experts_per_token",
            "Experts per token must not exceed 8 experts",
        ),
        (
            {"kv_heads": 16},
            "kv_heads",
            "Key-value heads must not exceed 8 heads of attention: each serves one or more of them",
        ),
        (
            {"heads": 32, "kv_heads": 8, "tensor_parallel": 12},
            "serving_tensor_parallel",
            (
                "Tensor parallelism deals out whole attention heads: 32 heads cannot be shared evenly by 12 ranks, "
                "and engines and frameworks refuse it; 8 would do"
            ),
        ),
        (
            {"heads": 96, "kv_heads": 12, "tensor_parallel": 8},
            "serving_tensor_parallel",
            (
                "12 heads of keys and values cannot be shared evenly by 8 ranks: engines such as vLLM refuse it, "
                "and take a divisor of 12 heads or a multiple, whose ranks hold copies"
            ),
        ),
        (
            {"logged_cache_memory": "11 GB"},
            "logged_cache_memory",
            (
                "Cache memory per GPU from a log must be at most its 9.31 GiB, not 10.2 GiB: choose the accelerator "
                "that the log is from, or divide the log's figure if it is for several GPUs"
            ),
        ),
    ],
)
def test_inputs_that_cannot_be_together_are_refused_in_a_sentence(
    given: dict[str, Any], blamed: str, said: str
) -> None:
    assert problem(**given) == {blamed: said}


@pytest.mark.parametrize(
    "given",
    [
        {"active_parameters": "8B"},
        {"active_parameters": "2B", "experts": 4},
        {"active_parameters": "4B", "experts": 8, "experts_per_token": 4},
        {"kv_heads": 8},
        {"kv_heads": 2},
        {"heads": 96, "kv_heads": 12, "tensor_parallel": 12},
        {"heads": 96, "kv_heads": 12, "tensor_parallel": 24},
        {"heads": 96, "kv_heads": 12, "tensor_parallel": 8, "attention": "mqa"},
        {"heads": 96, "kv_heads": 96, "tensor_parallel": 8, "attention": "mha"},
        {"logged_cache_memory": "10 GB"},
        {"attention": "mla", "kv_lora_rank": 1},
    ],
)
def test_inputs_that_can_be_together_are_answered(given: dict[str, Any]) -> None:
    assert values(**given)["max_sequences"] > 0


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
    "context_beyond_positions": [
        (
            {"positions": 1023},
            (
                "A context of 1,024 tokens is more than the 1,023 tokens this model is made for: "
                "the memory is counted, but no answer can be expected there unless the model is lengthened."
            ),
        ),
    ],
    "no_limit": [
        (
            {"attention": "hybrid", "global_layer_share": 0},
            "Memory sets no limit to the context here; what the model was trained for does.",
        ),
    ],
    "experts_preferred": [
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
    "some_wait": [
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
    "context_beyond_positions": [{}, {"positions": 1024}],
    "no_limit": [{}, {"attention": "hybrid", "global_layer_share": 0.1}],
    "experts_preferred": [
        {},
        {"active_parameters": "2B", "experts": 4, "sequences": 20},
        {"active_parameters": "2B", "experts": 16, "sequences": 1},
        {"active_parameters": "2B", "experts": 10, "experts_per_token": 2, "sequences": 1},
        {"active_parameters": "7B", "experts": 10, "experts_per_token": 8, "sequences": 1},
    ],
    "speed_is_a_bound": [{"gpu_memory": "5 GB"}],
    "some_wait": [{}, {"sequences": 488}, {"gpu_memory": "5 GB"}],
}


def test_every_caution_has_an_example_that_speaks_and_one_that_is_silent() -> None:
    assert {formula.name for formula in CALCULATOR.of_role("caution")} == set(SPEAKING) == set(SILENT)


@pytest.mark.parametrize(
    ("name", "given", "said"), [(name, given, said) for name, pairs in SPEAKING.items() for given, said in pairs]
)
def test_a_caution_says_what_it_warns_of(name: str, given: dict[str, Any], said: str) -> None:
    assert caution(name, **given) == said


@pytest.mark.parametrize(("name", "given"), [(name, given) for name, states in SILENT.items() for given in states])
def test_a_caution_is_silent_where_nothing_is_amiss(name: str, given: dict[str, Any]) -> None:
    assert caution(name, **given) == ""


@pytest.mark.parametrize(
    ("given", "level", "word", "said"),
    [
        # A sequence of 1,024 tokens takes 4.096 MB on each GPU; 2 GB hold 488 of them.
        ({}, "good", "fits", "The cache takes 39.1 MiB of the 1.86 GiB per GPU; 488 sequences would fit."),
        (
            {"sequences": 440},
            "tight",
            "tight",
            "The cache takes 1.68 GiB of the 1.86 GiB per GPU; there is room for 488 sequences at most.",
        ),
        (
            {"sequences": 1000},
            "bad",
            "does not fit",
            (
                "The cache binds: 1,000 sequences would take 3.81 GiB per GPU, and 1.86 GiB is left. "
                "There is room for 488 sequences of this length; at 496 tokens, 1,000 sequences would fit."
            ),
        ),
        (
            {"sequences": 1, "context": 1_000_000},
            "bad",
            "does not fit",
            (
                "The cache binds: 1 sequence would take 3.73 GiB per GPU, and 1.86 GiB is left. "
                "Not one of this length fits; at 500,000 tokens, 1 sequence would fit."
            ),
        ),
        (
            {"sequences": 1_000_000},
            "bad",
            "does not fit",
            (
                "The cache binds: 1M sequences would take 3.73 TiB per GPU, and 1.86 GiB is left. "
                "There is room for 488 sequences of this length."
            ),
        ),
        (
            {"positions": 1023},
            "tight",
            "fits, but too long",
            (
                "The cache takes 39.1 MiB of the 1.86 GiB per GPU, "
                "but the model is made for 1,023 tokens, not 1,024 tokens."
            ),
        ),
        (
            {"positions": 1023, "sequences": 1_000_000},
            "bad",
            "does not fit",
            (
                "The cache binds: 1M sequences would take 3.73 TiB per GPU, and 1.86 GiB is left. "
                "There is room for 488 sequences of this length."
            ),
        ),
        (
            {"gpu_memory": "5 GB"},
            "bad",
            "does not fit",
            (
                "The weights bind: 1.86 GiB of them and 954 MiB of overhead fill what the engine may use of each GPU; "
                "no cache fits."
            ),
        ),
    ],
)
def test_the_verdict_names_what_binds(given: dict[str, Any], level: str, word: str, said: str) -> None:
    assert verdict(**given) == (level, word, said)


@pytest.mark.parametrize("sequences", [439, 488, 489])
def test_the_verdict_turns_at_nine_tenths_and_at_the_last_sequence(sequences: int) -> None:
    # 0.9 of 2 GB are 1.8 GB, or 439.45 sequences of 4.096 MB.
    assert verdict(sequences=sequences)[0] == {439: "good", 488: "tight", 489: "bad"}[sequences]


def test_the_sentence_multiplies_for_the_reader() -> None:
    said = answer.sentence(CALCULATOR, values(sequences=1000))
    assert said == (
        "Beside the weights of 8B parameters over 8 ranks there is room for 488 sequences of 1,024 tokens at once: "
        "each takes 3.91 MiB of the 1.86 GiB that every GPU has left for the cache."
    )


def test_sliding_windows_take_less_for_each_further_token_and_on_average() -> None:
    # Gemma 3 27B: 62 layers, 10 without a window; a key and a value of 16 heads of 128 in 16 bits: 8 KiB each layer.
    found = answer.evaluated(CALCULATOR, settled(CALCULATOR, {"model": "gemma-3-27b", "context": 131072}))
    assert found["cache_per_token"] == 62 * 8 * 1024
    assert found["cache_per_further_token"] == 10 * 8 * 1024
    # Ten layers hold 131,072 tokens, 52 hold 64 pages of 16 and one page more.
    assert found["cache_per_sequence"] == (10 * 131072 + 52 * 1040) * 8 * 1024
    assert found["cache_per_token_average"] == found["cache_per_sequence"] / 131072


def test_before_a_window_is_full_every_layer_takes_the_next_token() -> None:
    hybrid = {"attention": "hybrid", "global_layer_share": 0.3, "window": 256}
    assert values(**hybrid, context=255)["cache_per_further_token"] == 10 * 1600
    assert values(**hybrid, context=256)["cache_per_further_token"] == 3 * 1600


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


def test_the_picture_stacks_one_gpu_and_marks_its_memory() -> None:
    # 2 GB weights, 1 overhead, 0.04096 cache, 1.95904 free, 5 kept back: ten in all, of twelve that are drawn.
    # The cache is too thin to be seen, 0.34 %, so it is drawn 0.7 wide, and what is kept back gives the difference.
    drawing = pictures.drawing(PICTURE, values())
    assert drawing.widened == ("cache_memory_per_gpu",)
    assert drawing.places == {
        "0.0": {"x": "0.000%", "width": "16.667%"},
        "0.1": {"x": "16.667%", "width": "8.333%"},
        "0.2": {"x": "25.000%", "width": "0.700%"},
        "0.3": {"x": "25.700%", "width": "16.325%"},
        "0.4": {"x": "42.025%", "width": "41.308%"},
        "0.excess": {"x": "83.333%", "width": "0.000%"},
        "limit": {"x1": "83.333%", "x2": "83.333%"},
    }


def test_a_cache_beyond_the_memory_is_hatched_beyond_a_limit_that_stays() -> None:
    # 3,000 sequences take 12.288 GB: 20.288 in all, twelve of them drawn, ten of them memory.
    drawing = pictures.drawing(PICTURE, values(sequences=3000))
    assert drawing.places["limit"]["x1"] == "83.333%"
    assert drawing.places["0.excess"] == {"x": "83.333%", "width": "16.667%"}
    assert drawing.places["0.3"]["width"] == "0.000%"
    assert drawing.cut == (0,)


def test_latent_attention_without_a_latent_is_refused_and_with_its_usual_width_is_not() -> None:
    said = "MLA latent width must be above 0 with latent attention: DeepSeek's is 512"
    assert problem(attention="mla", kv_lora_rank=0) == {"kv_lora_rank": said}
    assert values(attention="mla")["cached_values"] == 576
    assert values(attention="gqa", kv_lora_rank=0)["cached_values"] == 2 * 4 * 100


@pytest.mark.parametrize(
    ("given", "name", "counted"),
    [
        # 4,096 wide, 176,168,960 a layer, a norm, two tables of 128,256 rows.
        ({"layers": 32, "heads": 32, "kv_heads": 8}, "parameters", 6688083968),
        ({"layers": 32, "heads": 32, "kv_heads": 8}, "active_parameters", 6688083968),
        ({"layers": 32, "heads": 32, "kv_heads": 8}, "hidden", 4096),
        ({"layers": 32, "hidden": 4096}, "heads", 32),
        ({"kv_heads": 32, "attention": "mha"}, "heads", 32),
        ({"kv_heads": 6}, "heads", 66),
        ({"attention": "mha"}, "kv_heads", 64),
        ({"attention": "mqa"}, "kv_heads", 1),
        ({"active_parameters": "8B"}, "parameters", 8e9),
        ({"model": "deepseek-v3"}, "parameters", 671026404352),
        ({"model": "deepseek-v3"}, "active_parameters", 37552282624),
        ({"model": "gpt-3-175b"}, "context", 2048),
        ({"model": "opt-175b"}, "context", 2048),
        ({"model": "llama-3-1-405b"}, "context", 8192),
        ({"model": "gpt-3-175b", "context": 8192}, "context", 8192),
        ({"attention": "mla"}, "kv_lora_rank", 512),
        ({}, "kv_lora_rank", 0),
    ],
)
def test_what_nobody_gives_follows_from_what_is_given(given: dict[str, Any], name: str, counted: float) -> None:
    assert settled(CALCULATOR, {"tensor_parallel": 1, **given}).values[name] == pytest.approx(counted, rel=1e-12)


def test_another_size_of_a_chosen_mixture_scales_what_is_active() -> None:
    # Mixtral 8x7B has 12,879,925,248 of 46,702,792,704 active; said to be of twice the size, twice as many.
    found = settled(CALCULATOR, {"model": "mixtral-8x7b", "parameters": 2 * 46702792704}).values
    assert found["active_parameters"] == pytest.approx(2 * 12879925248, rel=1e-12)


def test_advice_for_a_context_beyond_the_model_is_the_model_s_own() -> None:
    rows = advice(positions=512)
    assert [(row["label"], row["changes"]) for row in rows] == [("Limit the context to 512 tokens", {"context": "512"})]
    assert rows[0]["outcome"].startswith("fits: ")
    # 1,000 sequences of 512 tokens take 2.048 GB, just more than there is room for.
    labels = [row["label"] for row in advice(positions=512, sequences=1000)]
    assert labels[0] == "Keep the cache in fp8: 1 B/value, with 512 tokens at most"

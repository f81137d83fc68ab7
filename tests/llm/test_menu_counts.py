"""Models of the menu: dimensions count to the parameters, and these are what was published."""

from __future__ import annotations

import pytest

from calculators import facts
from calculators.answers import answer
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.vocabulary.models import models
from tests.configuration.configurations import PUBLISHED

WITHIN = 0.005
MODELS = {record.key: record for record in models()}
CLASSES = {one["name"].replace("/", "--") + "_config.json": one["parameters"] for one in PUBLISHED}
CARDS = {  # billions of parameters as model cards and papers print them
    "llama-2-7b": 6.74,
    "llama-2-70b": 69.0,
    "llama-3-8b": 8.03,
    "llama-3-70b": 70.6,
    "llama-3-1-8b": 8,
    "llama-3-1-405b": 405,
    "llama-3-1-405b-fp8": 405,
    "opt-175b": 175,
    "mistral-7b": 7.24,
    "mixtral-8x7b": 46.7,
    "mixtral-8x22b": 141,
    "qwen2-5-72b": 72.7,
    "qwen3-8b": 8.2,
    "qwen3-32b": 32.8,
    "qwen3-235b-a22b": 235,
    "qwen3-vl-4b": 4.02,
    "qwen3-5-122b-a10b": 122,
    "gemma-2-27b": 27.2,
    "gemma-3-27b": 27,
    "deepseek-v3": 671,
    "deepseek-r1": 671,
    "deepseek-v4-flash": 284,
    "gpt-oss-120b": 116.83,
    "gpt-3-175b": 175,
    "bloom-176b": 176.247,
    "megatron-530b": 530,
    "nemotron-3-ultra": 550,
    "nemotron-3-super": 120.6,
    "step-3-7-flash": 196.2,  # 198B less the vision encoder of 1.8B
}
OTHERWISE = {  # what the name says, and why the text model has another count
    "llama-3-3-70b": (70, 0.01, "named 70B, a rounded figure"),
    "qwen3-5-35b-a3b": (35, 0.0099, "named 35B, which counts the vision encoder too"),
    "gemma-4-31b": (31, 0.01, "named 31B with the vision encoder of 0.55B, which is left out"),
    "deepseek-v4-pro": (1600, 0.02, "named 1.6T, a rounded figure"),
    "kimi-k2": (1000, 0.03, "named 1T, a rounded figure"),
    "kimi-k2-5": (1000, 0.03, "named 1T, a rounded figure, without the vision encoder"),
    "minimax-m2-5": (230, 0.006, "named 230B, a rounded figure"),
    "glm-5-1": (744, 0.006, "named 744B, a rounded figure"),
    "qwen3-8-2-4t-a95b": (2400, 0.009, "named 2.4T, a rounded figure"),
    "minimax-m3": (428, 0.006, "named 428B with the vision encoder, which is left out"),
}


def counted(key: str) -> dict[str, float]:
    """Values of training memory for a model of the menu."""
    calculator = CALCULATORS["training_memory"]
    return dict(answer.evaluated(calculator, parse_inputs(calculator, {"model": key})))


@pytest.mark.parametrize("key", MODELS)
def test_dimensions_count_to_the_parameters(key: str) -> None:
    """Nemotron-H 56B counted 48 % too much and Qwen3.5 27B 9 % too little, and every part was scaled by it."""
    values = counted(key)
    assert values["counted_parameters"] == pytest.approx(values["parameters"], rel=1e-3)
    assert values["counted_active_parameters"] <= values["parameters"]


@pytest.mark.parametrize("key", MODELS)
def test_a_model_has_its_published_count(key: str) -> None:
    """As transformers' class counts it, else as its card prints it."""
    fields = MODELS[key].fields
    parameters = float((fields.get("whole_parameters") or fields["parameters"]).value)
    of_class = CLASSES.get(fields["parameters"].where)
    if of_class is not None:
        assert parameters == of_class
    elif key in OTHERWISE:
        billions, within, _ = OTHERWISE[key]
        assert parameters == pytest.approx(billions * 1e9, rel=within)
    elif key in CARDS:
        assert parameters == pytest.approx(CARDS[key] * 1e9, rel=WITHIN)
    else:
        assert key in {"glm-5-1", "mimo-v2-flash", "minimax-m2-7"}


def test_a_model_whose_layers_differ_says_what_its_mixers_hold() -> None:
    """54 Mamba layers, 54 feed-forward layers and 10 with attention make the 118 of Nemotron-H 56B."""
    fields = facts.records("imported-models")["nemotron-h-56b"].fields
    assert fields["block_layers"].value == 54
    attention = 10 * (2 * 8192 * 8192 + 2 * 8192 * 1024)
    blocks = 54 * 2 * 8192 * 32768
    assert counted("nemotron-h-56b")["shared_layer_parameters"] > attention + blocks
    assert fields["mixer_parameters"].value > attention

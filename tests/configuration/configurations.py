"""Configurations that the tests read: published ones with what transformers counts in them, and a small one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from calculators import configuration
from calculators.configuration import ConfigurationError

PUBLISHED: list[dict[str, Any]] = json.loads(Path(__file__).with_name("configurations.json").read_text("utf-8"))
LLAMA: dict[str, Any] = {
    "model_type": "llama",
    "hidden_size": 64,
    "intermediate_size": 160,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 100,
    "max_position_embeddings": 512,
}


def problems(config: dict[str, Any] | str) -> list[str]:
    """The sentences with which a configuration is refused."""
    text = config if isinstance(config, str) else json.dumps(config)
    with pytest.raises(ConfigurationError) as refused:
        configuration.read(text)
    return refused.value.problems

"""Small configurations of every family, whole and with a key less, are what transformers' own classes make of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from calculators import configuration

# Written by tooling/transformers/counted.py with transformers 5.23.0.
SMALL: list[dict[str, Any]] = json.loads(Path(__file__).with_name("small.json").read_text("utf-8"))
FAMILIES = sorted({one["config"]["model_type"] for one in SMALL})


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_is_read_to_the_parameter_whatever_is_switched_on_or_left_out(family: str) -> None:
    """`without` has, for each key left out or none: parameters, layers with a window where layers differ, its width."""
    for one in SMALL:
        config = one["config"]
        if config["model_type"] != family:
            continue
        for missing, (parameters, windows, window) in one["without"].items():
            given = {name: value for name, value in config.items() if name != missing}
            stack = configuration.of_table(given).stack
            assert stack.parameters == parameters, f"without {missing}: {given}"
            if windows is not None:
                near = [layer.mixer.window for layer in stack.layers if layer.mixer.kind == "window"]
                assert near == [window] * windows, f"without {missing}: {given}"

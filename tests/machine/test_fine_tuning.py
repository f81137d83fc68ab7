"""Fine-tuning is a job of its own: what travels, what is read, what is kept, in which batch."""

from __future__ import annotations

import pytest

from calculators.machine.report import formats
from calculators.machine.training_state import training_state

_70B = {"model": "llama-3-70b", "gpus": "64"}


def test_gradients_of_adapters_alone_travel() -> None:
    """207M of 70.6B parameters are trained: 4 B of gradient and 2 B of weights for each, over ranks."""
    values = training_state({**_70B, "job": "lora"}).values
    share = values["trainable_share"]
    assert share == pytest.approx(207_093_760 / values["parameters"])
    once = (values["data_parallel"] - 1) / values["data_parallel"]
    ranks = values["tensor_parallel"] * values["pipeline_parallel"]
    each = values["gradient_bytes"] + (2 if values["zero_stage"] else values["gradient_bytes"])
    assert values["data_bytes"] == pytest.approx(once * 207_093_760 / ranks * each, rel=0.01)


def test_a_batch_of_fine_tuning_is_small() -> None:
    for job in ("lora", "qlora", "full"):
        assert training_state({**_70B, "job": job}).values["batch_tokens"] == 262_144
    assert training_state(_70B).values["batch_tokens"] == 16_777_216
    assert training_state({**_70B, "job": "lora", "batch_tokens": "1M"}).values["batch_tokens"] == 2**20


def test_every_node_reads_the_frozen_weights_at_start_and_at_restart() -> None:
    """Eight nodes read 141 GB each; a full fine-tuning reads them at the start, and its checkpoint later."""
    lora, full, fresh = (training_state({**_70B, "job": job}).values for job in ("lora", "full", "pre-training"))
    assert lora["weights_read"] == full["weights_read"] == pytest.approx(8 * 2 * lora["parameters"])
    assert lora["durable_restore_time"] == pytest.approx(
        (lora["checkpoint_size"] + lora["weights_read"]) / lora["read_bandwidth"]
    )
    assert full["durable_restore_time"] == pytest.approx(full["checkpoint_size"] / full["read_bandwidth"])
    assert fresh["weights_read"] == fresh["start_read_time"] == 0
    assert lora["checkpoint_size"] < full["checkpoint_size"] / 100


def test_weights_that_take_long_to_read_are_a_warning() -> None:
    found = training_state(
        {"model": "llama-3-1-405b", "gpus": "512", "job": "lora", "tokens": "5M", "read_bandwidth": "2 GB/s"}
    )
    assert any("all nodes read the model's weights" in text for text in formats.described(found)["warnings"])


def test_the_storage_system_holds_this_model() -> None:
    """Versions of 70B weights, 141 GB each, not of 405B's 812 GB."""
    values = training_state({**_70B, "job": "lora"}).values
    assert values["weights_size"] == pytest.approx(2 * values["parameters"])
    assert values["hot_stored"] < 1e12

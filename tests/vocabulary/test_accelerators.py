"""Accelerators: one record in the facts brings a device with its server, price and links into every menu."""

import tomllib

import pytest

from calculators import facts
from calculators.vocabulary import accelerators

NEW = """
[x1-test]
name = "X1 test device"
kind = "estimate"
gpu_memory = { value = 96, unit = "GiB" }
memory_bandwidth = { value = 4, unit = "TB/s" }
peak_flops = { value = 500, unit = "TFLOP/s", density = "dense" }
link_bandwidth = { value = 600, unit = "GB/s", direction = "both-ways" }
gpu_power = { value = 500, unit = "W" }
related = { server = "server-dgx-h100", links = "nccl-links-other", price_per_gpu_hour = "price-per-gpu-hour-h100" }
"""


def test_every_relation_of_an_accelerator_names_a_record_or_a_fact() -> None:
    for record in facts.records("accelerators").values():
        for relation, key in record.related.items():
            assert key in facts.all_records() or facts.fact(key).key == key, (record.key, relation)


def test_one_record_adds_an_accelerator_with_its_relations(monkeypatch: pytest.MonkeyPatch) -> None:
    known = facts.records("accelerators")
    (key, table), *_ = tomllib.loads(NEW).items()
    record = facts._record("accelerators", key, table)
    monkeypatch.setattr(facts, "records", lambda *_: {**known, key: record})
    accelerators.accelerators.cache_clear()
    try:
        menu = accelerators.accelerator_preset("gpu_memory", optional=("price_per_gpu_hour",))
        filled = menu.filled("x1-test")
        assert filled["price_per_gpu_hour"] == facts.fact("price-per-gpu-hour-h100").value
        assert filled["gpu_memory"] == 96 * 2**30
        assert accelerators.server_of(menu.by_key["x1-test"]) == "server-dgx-h100"
        assert "nvls_efficiency" in menu.by_key["x1-test"].fields
    finally:
        monkeypatch.undo()
        accelerators.accelerators.cache_clear()

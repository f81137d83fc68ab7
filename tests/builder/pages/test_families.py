"""Long menus have their records by family, each once; short ones stay as they are."""

from __future__ import annotations

import pytest

from builder.pages.families import families
from calculators.catalog import CALCULATORS
from calculators.facts import Record

PRESETS = [
    pytest.param(preset.records, id=f"{calculator.name}.{preset.name}")
    for calculator in CALCULATORS.values()
    for preset in calculator.presets
]


@pytest.mark.parametrize("records", PRESETS)
def test_every_record_is_in_one_family_and_long_menus_have_some(records: tuple[Record, ...]) -> None:
    found = families(records)
    listed = [record.key for family in found.values() for record in family]
    assert sorted(listed) == sorted(record.key for record in records)
    if len(records) < 20:
        assert found == {"": records}
    else:
        assert len(found) > 2
        assert all(len(found[name]) > 1 for name in found if name != "Others")


def test_families_of_models_are_those_that_people_know() -> None:
    models = next(preset for preset in CALCULATORS["inference"].presets if preset.name == "model")
    found = families(models.records)
    assert [record.name for record in found["Kimi"]] == ["Kimi K2", "Kimi K2.5, K2.6, K2.7 (text)", "Kimi K3 (text)"]
    assert {"Llama", "Qwen", "DeepSeek", "gpt-oss"} <= found.keys()
    assert list(found)[-1] == "Others"
    assert "GPT-3 175B" in [record.name for record in found["Others"]]

"""Presets written from configurations keep what was written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tooling import presets

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_lines_by_hand_are_kept_under_their_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stated = presets.by_hand()
    assert {"qwen3-30b-a3b", "nemotron-3-nano"} <= stated.keys()
    monkeypatch.setattr(presets, "TARGET", tmp_path / "imported-models.toml")
    presets.TARGET.write_text('[one]\nname = "One"\nstep_range = 0.25\n\n[two]\nname = "Two"\n', "utf-8")
    assert presets.by_hand() == {"one": ["step_range = 0.25"]}

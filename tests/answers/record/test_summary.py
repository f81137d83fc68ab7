"""The short answer as Markdown: sentence, verdicts that are not good, main results, changes, link; and no search."""

from __future__ import annotations

import json
from typing import Any

import pytest

from calculators.bridge import respond
from calculators.machine.resources import bottlenecks


def summary(name: str, **given: str) -> str:
    asked: dict[str, Any] = {"asks": ["answer", "summary"], "calculator": name, "given": given}
    found: dict[str, Any] = json.loads(respond(json.dumps(asked)))
    assert found["sentence"] in found["markdown"]
    return str(found["markdown"])


def test_only_verdicts_that_are_not_good_are_listed_with_what_was_changed() -> None:
    slow, fast = summary("checkpoint"), summary("checkpoint", write_bandwidth="200 GB/s")
    assert "**Checkpoint write: too slow.**" in slow
    assert "**" not in fast
    assert "Every input is at its default." in slow
    assert "Changed from the defaults: Storage write bandwidth: 200 GB/s, default 40 GB/s." in fast
    assert "\nState: #write_bandwidth=200GB/s&" in fast


def test_a_systems_answer_waits_for_neither_bottlenecks_nor_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    def searched(*_: object) -> None:
        pytest.fail("a search began")

    monkeypatch.setattr(bottlenecks, "each_resource", searched)
    found = summary("machine", gpus="1,024")
    assert "GPUs in the job: 1,024" in found
    assert len(found) < 2000

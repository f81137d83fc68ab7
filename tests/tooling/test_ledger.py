"""No number that readers saw changes without a line that says why, and the changelog says what the ledger says."""

from __future__ import annotations

import datetime
import json
import textwrap
from typing import TYPE_CHECKING, Any

import pytest

from calculators.declare import step
from tooling import arithmetic, ledger

if TYPE_CHECKING:
    from pathlib import Path

TODAY = datetime.date(2026, 11, 22)


def test_no_number_changed_without_its_line() -> None:
    assert not (problem := ledger.problem()), problem


def test_versions_count_up_and_the_last_is_that_of_the_calculators() -> None:
    written = [tuple(map(int, entry["version"].split("."))) for entry in ledger.entries()]
    assert written == sorted(written)
    assert all(f'"{ledger.entries()[-1]["version"]}"' in path.read_text("utf-8") for path in ledger.VERSIONED)


def test_what_came_is_no_change_and_another_name_is_the_same_formula() -> None:
    before = {"formula stall": "abc", "fact mfu": "40%"}
    assert not ledger.changes(before, {"formula pause": "abc", "fact mfu": "40%", "fact pue": "1.3"})


def test_what_changed_and_what_went_is_named_with_what_it_was() -> None:
    before = {"default power.pue": "1.3", "fact mfu": "40%", "formula stall": "abc", "result goodput.goodput": "93%"}
    found = ledger.changes(
        before, {"default power.pue": "1.2", "formula stall": "def", "result goodput.goodput": "94%"}
    )
    assert found.by_kind["default"] == ["power.pue: 1.3 → 1.2"]
    assert found.by_kind["fact"] == ["mfu: 40% → gone"]
    assert found.by_kind["formula"] == ["stall"]
    assert found.moved == ["goodput.goodput: 93% → 94%"]


def test_what_a_record_takes_from_elsewhere_is_written_down_under_its_own_name() -> None:
    """So that another link of a record to what it fills in is noticed, and printed for its author."""
    known = arithmetic.state()
    assert known["fact h100-sxm.link_efficiency"] == known["fact nccl-links-hopper.link_efficiency"]
    assert known["fact mi300x.ll_ceiling"] == "not filled"


def _digest(folder: Path, name: str, source: str) -> str:
    """The digest of the formula `share` of a module with this source, which may change under one name."""
    path = folder / f"{name}.py"
    path.write_text(textwrap.dedent(source), "utf-8")
    known: dict[str, Any] = {"__name__": f"calculators.{name}", "step": step}
    exec(compile(path.read_text("utf-8"), path, "exec"), known)  # noqa: S102  our own text, as any module's
    return arithmetic.digest(known["share"])


PLAIN = """
    DAY = 24

    def part(hours):
        return hours / DAY

    @step("1", "Share")
    def share(hours):
        '''What it is.'''
        return part(hours)
"""


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("What it is.", "Something else."),
        ("DAY", "HOURS"),
        ("part(", "portion("),
        ("(hours):", "(hours: float) -> float:"),
    ],
)
def test_the_same_in_other_words_is_the_same(tmp_path: Path, was: str, now: str) -> None:
    assert _digest(tmp_path, "one", PLAIN) == _digest(tmp_path, "another", PLAIN.replace(was, now))


@pytest.mark.parametrize(("was", "now"), [("24", "25"), ("hours / DAY", "DAY / hours"), ('"1"', '"h"')])
def test_another_number_unit_or_operation_is_another_formula(tmp_path: Path, was: str, now: str) -> None:
    assert _digest(tmp_path, "one", PLAIN) != _digest(tmp_path, "another", PLAIN.replace(was, now))


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger of its own, whose arithmetic has one formula and one default."""
    for name, text in {
        "LEDGER": '[[entry]]\nversion = "0.1.0"\ndate = 2026-11-20\nlines = ["Old: 1 → 2"]\n',
        "STATE": json.dumps({"formula stall": "abc", "default power.pue": "1.3"}),
        "CHANGELOG": "# Changelog\n\n### Numbers\n- Old: 1 → 2\n\n### Fixed\n",
    }.items():
        (tmp_path / name).write_text(text, "utf-8")
        monkeypatch.setattr(ledger, name, tmp_path / name)
    version = tmp_path / "version.py"
    version.write_text('VERSION = "0.1.0"\n', "utf-8")
    monkeypatch.setattr(ledger, "VERSIONED", (version,))
    monkeypatch.setattr(ledger, "state", lambda: {"formula stall": "abc", "default power.pue": "1.2"})
    return tmp_path


def test_a_change_without_a_line_is_refused_with_what_to_do(kept: Path) -> None:
    assert "default power.pue: 1.3 → 1.2" in ledger.problem()
    assert "python -m tooling.ledger" in ledger.problem()
    with pytest.raises(ledger.LedgerError, match="Say why"):
        ledger.write("", same=False, today=TODAY)


def test_one_line_writes_entry_version_changelog_and_arithmetic(kept: Path) -> None:
    ledger.write("PUE: 1.3 → 1.2, measured", same=False, today=TODAY)
    assert ledger.problem() == ""
    assert ledger.entries()[-1] == {
        "version": "0.1.1",
        "date": TODAY,
        "lines": ["PUE: 1.3 → 1.2, measured"],
        "defaults": ["power.pue: 1.3 → 1.2"],
        "moved": [],
    }
    assert (kept / "version.py").read_text("utf-8") == 'VERSION = "0.1.1"\n'
    numbers = "### Numbers\n- PUE: 1.3 → 1.2, measured (version 0.1.1)\n- Old: 1 → 2\n"
    assert numbers in (kept / "CHANGELOG").read_text("utf-8")


def test_a_line_written_by_hand_is_taken_into_the_ledger(kept: Path) -> None:
    changelog = kept / "CHANGELOG"
    text = changelog.read_text("utf-8").replace("### Numbers\n", "### Numbers\n- PUE: 1.3 → 1.2\n")
    changelog.write_text(text, "utf-8")
    assert ledger.problem()
    ledger.write("", same=False, today=TODAY)
    assert ledger.problem() == ""
    assert ledger.entries()[-1]["lines"] == ["PUE: 1.3 → 1.2"]


def test_the_same_in_other_words_keeps_the_version_and_is_no_line_of_the_changelog(kept: Path) -> None:
    ledger.write("sorted again", same=True, today=TODAY)
    assert ledger.problem() == ""
    assert ledger.entries()[-1]["version"] == "0.1.0"
    assert "sorted again" not in (kept / "CHANGELOG").read_text("utf-8")


def test_what_moved_is_never_the_same(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (kept / "STATE").write_text(json.dumps({"result power.pue": "1"}), "utf-8")
    monkeypatch.setattr(ledger, "state", lambda: {"result power.pue": "2"})
    with pytest.raises(ledger.LedgerError, match=r"power\.pue: 1 → 2"):
        ledger.write("sorted again", same=True, today=TODAY)

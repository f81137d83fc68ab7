"""Designs with limits, checked for CI; and the schema of what may be given."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from calculators.__main__ import main
from calculators.catalog import CALCULATORS
from calculators.cli.schema import schema
from calculators.declare import Choice
from calculators.page.machine import MACHINES

if TYPE_CHECKING:
    from pathlib import Path

Captured = pytest.CaptureFixture[str]
KEPT = """
calculator = "checkpoint"

[given]
parameters = "405B"
write_bandwidth = "100 GB/s"

[limits]
checkpoint_size = "<= 6 TB"
required_write_bandwidth = ">= 50GB/s"
write_in_time = "good"
"""


def run(tmp_path: Path, capsys: Captured, text: str, *more: str) -> tuple[int, str, str]:
    file = tmp_path / "design.toml"
    file.write_text(text, "utf-8")
    code = main(["check", str(file), *more])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_a_design_that_keeps_its_limits_ends_well(tmp_path: Path, capsys: Captured) -> None:
    """14 B for each of 405B parameters are 5.67 TB, in 60 s 94.5 GB/s."""
    code, message, _ = run(tmp_path, capsys, KEPT)
    assert code == 0
    assert message.count("kept") == 3
    assert "Checkpoint size: 5.67 TB (limit: at most 6 TB)" in message


def test_a_broken_limit_is_named_and_ends_with_one(tmp_path: Path, capsys: Captured) -> None:
    code, message, _ = run(tmp_path, capsys, KEPT.replace("100 GB/s", "50 GB/s").replace("<= 6 TB", "<= 5 TB"))
    assert code == 1
    broken = [line for line in message.splitlines() if line.startswith("BROKEN")]
    assert len(broken) == 2
    assert "5.67 TB (limit: at most 5 TB)" in broken[0]
    code, message, _ = run(tmp_path, capsys, KEPT.replace("100 GB/s", "50 GB/s"), "--json")
    assert (code, [one["kept"] for one in json.loads(message)]) == (1, [True, True, False])


def test_a_system_is_a_design_of_any_workload(tmp_path: Path, capsys: Captured) -> None:
    for job in ("serve", "rag", "rl"):
        text = f'[given]\njob = "{job}"\ngpus = "64"\n[limits]\nfacility_power = "<= 200 kW"\ngpus = "64"\n'
        code, message, wrong = run(tmp_path, capsys, text)
        assert (code, message) == (2, ""), wrong
        assert "“gpus” is not a result" in wrong
        code, message, _ = run(tmp_path, capsys, text.replace('kW"\ngpus = "64"', 'kW"'))
        assert (code, message.count("kept")) == (0, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("limits", "it is not TOML"),
        ('colour = "red"', "unknown key “colour”; use calculator, given, limits"),
        ('calculator = "checkpoint"', "no limits: write [limits]"),
        ('calculator = "chekpoint"\n[limits]\nx = "1"', "did you mean checkpoint?"),
        ('given = 3\n[limits]\nx = "1"', "given must be a table"),
        ('calculator = "checkpoint"\n[limits]\nspeed = "<= 1"', "“speed” is not a result"),
        ('calculator = "checkpoint"\n[limits]\ncheckpoint_size = "<= soon"', "Checkpoint size"),
        ('calculator = "checkpoint"\n[given]\nparameters = "many"\n[limits]\ncheckpoint_size = "1TB"', "parameters"),
    ],
)
def test_what_is_no_such_design_is_reported_with_the_file(
    text: str, message: str, tmp_path: Path, capsys: Captured
) -> None:
    code, out, wrong = run(tmp_path, capsys, text)
    assert (code, out) == (2, "")
    assert message in wrong
    assert all("design.toml: " in line for line in wrong.splitlines())


def test_a_file_that_is_not_there_is_reported(capsys: Captured) -> None:
    assert main(["check", "nowhere.toml"]) == 2
    assert "nowhere.toml: it cannot be read: no such file" in capsys.readouterr().err


@pytest.mark.parametrize("name", [*CALCULATORS, *MACHINES])
def test_the_schema_has_every_input_menu_and_result(name: str, capsys: Captured) -> None:
    calculator = MACHINES[name]() if name in MACHINES else CALCULATORS[name]
    assert main(["schema", name.replace("_", "-")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == schema(calculator)
    assert set(found["properties"]) == {*calculator.inputs, *(menu.name for menu in calculator.presets)}
    for key, declared in calculator.inputs.items():
        stated = found["properties"][key]
        assert stated["title"] == declared.label
        if isinstance(declared, Choice):
            assert stated["enum"] == list(declared.options)
        else:
            assert stated["minimum"] < stated["maximum"]
    assert {one["name"] for one in found["x-results"]} <= set(calculator.steps)


def test_a_name_that_has_no_schema_is_reported(capsys: Captured) -> None:
    assert main(["schema", "chekpoint"]) == 2
    assert "did you mean checkpoint?" in capsys.readouterr().err

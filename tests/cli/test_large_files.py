"""Large files are read once, and what is wrong with them is reported in a few lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from calculators.__main__ import main
from calculators.bridge import respond
from calculators.subjects.storage.goodput import accounting
from tests.configuration.configurations import LLAMA

if TYPE_CHECKING:
    from pathlib import Path

Captured = pytest.CaptureFixture[str]
JOB = "JobID|State|Submit|Start|End\n7|FAILED|0|60|3600\n7|COMPLETED|3600|3700|7200\n"
LIMITS = '[limits]\nwrite_duration = "<= 60 s"\n'
UNKNOWN = {f"key{number}": 1 for number in range(300)}


def printed(capsys: Captured, *arguments: str) -> tuple[int, str]:
    """Exit code and all that a command prints."""
    code = main(list(arguments))
    out = capsys.readouterr()
    return code, out.out + out.err


@pytest.mark.parametrize("option", ["--log", "--measured"])
def test_accounting_is_read_once(
    option: str, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was read three times, of which one is the time that a megabyte may take."""
    read, times = accounting._attempts, []

    def counted(table: Any) -> list[accounting.Attempt]:
        times.append(1)
        return read(table)

    monkeypatch.setattr(accounting, "_attempts", counted)
    file = tmp_path / "sacct.txt"
    file.write_text(JOB, "utf-8")
    code, _ = printed(capsys, "goodput", option, str(file))
    assert (code, len(times)) == (0, 1)


def test_a_configuration_of_many_unknown_keys_names_the_first_and_counts_the_rest(
    tmp_path: Path, capsys: Captured
) -> None:
    text = json.dumps({**LLAMA, **UNKNOWN})
    file = tmp_path / "config.json"
    file.write_text(text, "utf-8")
    for command in (("model",), ("checkpoint",)):
        code, message = printed(capsys, *command, "--config", str(file))
        assert code == 2
        assert message.splitlines()[0].endswith("key0 = 1 is not understood: take it out if it changes no dimension")
        assert message.splitlines()[-1].endswith("and 280 more of this kind")
        assert len(message.splitlines()) == 21
    found = json.loads(respond(json.dumps({"asks": ["imported"], "calculator": "checkpoint", "imported": text})))
    assert found["imported"]["problem"].endswith("; and 280 more of this kind.")


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"{name} = 1\n" for name in UNKNOWN) + LIMITS,
        LIMITS + "[given]\n" + "\n".join(f"{name} = 1" for name in UNKNOWN),
    ],
)
def test_a_design_of_many_unknown_keys_names_the_first_and_counts_the_rest(
    text: str, tmp_path: Path, capsys: Captured
) -> None:
    file = tmp_path / "design.toml"
    file.write_text(text, "utf-8")
    code, message = printed(capsys, "check", str(file))
    assert code == 2
    assert "“key0”" in message
    assert message.endswith("and 280 more of this kind\n")
    assert len(message.splitlines()) == 21


@pytest.mark.parametrize("command", ["check", "offers"])
def test_a_file_of_inputs_that_is_too_long_says_how_long_it_may_be(
    command: str, tmp_path: Path, capsys: Captured
) -> None:
    """A parser in Python takes half a second for a megabyte of short keys."""
    file = tmp_path / "design.toml"
    file.write_text("# as it was\n" * 50_000, "utf-8")
    code, message = printed(capsys, command, str(file))
    assert code == 2
    assert message == f"{file}: it has 600,000 characters: give inputs and limits alone, in at most 500,000\n"

"""What is refused says where it is, what it is and what would do, in the words of this product and not of Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calculators import configuration, toml_text
from calculators.__main__ import main
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.measured import request_log
from calculators.measured.record import ReadError
from calculators.subjects.serving.inference.benchmark import runs
from tests.configuration.configurations import LLAMA

Captured = pytest.CaptureFixture[str]
LOGS = Path(__file__).parents[1] / "logs"


def refused(capsys: Captured, *arguments: str) -> str:
    """The line that a refused command prints."""
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    assert left.value.code == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.endswith("\n")
    assert err.count("\n") == 1, err
    return err.rstrip("\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("checkpoint --explain checkpoint_size --json", "--explain and --json cannot be combined"),
        ("machine --markdown --json", "--markdown and --json cannot be combined"),
        ("checkpoint --explain", "--explain needs a value: write --explain RESULT"),
        ("checkpoint --gpus", "--gpus needs a value: write --gpus VALUE"),
        ("machine --beside", "--compare-with needs a value: write --compare-with INPUT=VALUE"),
        ("checkpoint --json=3", "--json takes no value: leave “3” out"),
        ("checkpoint --record --format docx", "--format must be one of md, json, csv, html, not “docx”"),
        ("check", "FILE is missing; python -m calculators check --help says what it is"),
        ("check design.toml --jsn", "unknown option --jsn (did you mean --json?)"),
        ("goodput --log", "--log needs a value: write --log FILE"),
    ],
)
def test_options_that_cannot_be_are_refused_in_a_sentence(arguments: str, sentence: str, capsys: Captured) -> None:
    assert refused(capsys, *arguments.split()) == sentence


def test_what_a_file_states_is_shown_as_the_file_writes_it() -> None:
    run = json.loads((LOGS / "vllm-0.25-bench-serve.json").read_text("utf-8"))
    with pytest.raises(ReadError, match="completed must be a number of 0 or more, not true"):
        runs(json.dumps({**run, "completed": True}))
    with pytest.raises(ReadError, match="completed must be a number of 0 or more, not null"):
        runs(json.dumps({**run, "completed": None}))
    with pytest.raises(
        configuration.ConfigurationError, match="hidden_size must be a whole number from 1 on, not true"
    ):
        configuration.read(json.dumps({**LLAMA, "hidden_size": True}))
    problems = parse_inputs(CALCULATORS["checkpoint"], {"gpus": True}).problems
    assert problems["gpus"].endswith("must be a number, not true")


def test_a_cell_without_its_closing_mark_is_named_by_its_line() -> None:
    text = 'timestamp,input_tokens,output_tokens\n1,2,3\n2,"2,3\n' + "3,2,3\n" * 30_000
    with pytest.raises(ReadError, match=r"^line 3: a cell has more than 131,072 characters: close its quotation mark"):
        request_log.log(text)


@pytest.mark.parametrize(
    ("text", "line", "cure"),
    [
        ("a = 1\ngpus = 4,096", 2, "NAME = VALUE, and a text or 1,024 in quotation marks"),
        ("gpus = ", 1, "NAME = VALUE"),
        ("gpus: 4", 1, "NAME = VALUE"),
        ("# x\n[limits", 2, "a table begins with its name in brackets"),
        ("[a]\n\n[a]", 3, "keep one of them"),
        ("a = 1\na = 2", 2, "keep one of them"),
        ('\na = "x', 2, "quotation mark or bracket is not closed"),
        ("a = {b = 1", 1, "quotation mark or bracket is not closed"),
        ("b = 1\na = " + "9" * 5000 + "\nc = 1", 2, "more digits than any value"),
    ],
)
def test_a_text_that_is_not_toml_says_in_which_line_and_what_to_write(text: str, line: int, cure: str) -> None:
    with pytest.raises(toml_text.TomlError) as raised:
        toml_text.parsed(text)
    assert str(raised.value).startswith(f"line {line}: “{text.splitlines()[line - 1][:20].strip()}")
    assert cure in str(raised.value)
    assert raised.value.__context__ is None, "Python's own words are not shown"


@pytest.mark.parametrize(
    "option", ["--solve", "--tornado", "--sweep", "--for", "--result", "--lines", "--verdict", "--patience", "--xlsx"]
)
def test_an_option_that_is_nothing_without_a_value_is_not_ignored(option: str, capsys: Captured) -> None:
    for empty in ((f"{option}=",), (option, "")):
        assert refused(capsys, "checkpoint", *empty).startswith(f"{option} needs a value: write {option} ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("checkpoint --margins --patience -1", "--patience must be more than 0 s, not -1; write for example 5min"),
        ("checkpoint --sweep gpus --patience 0s", "--patience must be more than 0 s, not 0s; write for example 5min"),
        (
            "checkpoint --sweep gpus --verdict write_in_time",
            "--verdict needs two --sweep: it judges the cells of a heat map",
        ),
        (
            "training_time --sweep gpus --sweep mfu --verdict x",
            f"“x” is not a verdict; {CALCULATORS['training_time'].title} has none",
        ),
        (
            "checkpoint --sweep gpus --sweep write_bandwidth --verdict x",
            "“x” is not a verdict; there is only write_in_time",
        ),
        (
            "checkpoint --gpus 1e400",
            "GPUs in the job: “1e400” is too large to calculate with; write a number below 1e300",
        ),
        ("--facts", "--facts needs a value: write --facts FILE, a TOML or CSV file with your own facts"),
    ],
)
def test_a_value_that_cannot_be_says_what_would_do(arguments: str, sentence: str, capsys: Captured) -> None:
    assert main(arguments.split()) == 2
    assert capsys.readouterr().err == f"{sentence}\n"

"""The command line: `python -m calculators` says the same as the pages, to people and to programs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from calculators import units
from calculators.__main__ import main
from calculators.answers import answer
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import Choice, Quantity
from calculators.version import VERSION

NAMES = sorted(CALCULATORS)
Captured = pytest.CaptureFixture[str]


def run(capsys: Captured, *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error."""
    code = main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def as_json(capsys: Captured, *arguments: str) -> dict[str, Any]:
    """What --json prints."""
    code, out, err = run(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    printed: dict[str, Any] = json.loads(out)
    return printed


def test_it_lists_every_calculator_with_its_question(capsys: Captured) -> None:
    for arguments in ((), ("--help",), ("-h",)):
        code, out, err = run(capsys, *arguments)
        assert (code, err) == (0, "")
        for name, calculator in CALCULATORS.items():
            assert name in out
            assert calculator.question in out


@pytest.mark.parametrize("name", NAMES)
def test_help_names_every_input_with_its_default(name: str, capsys: Captured) -> None:
    with pytest.raises(SystemExit) as left:
        main([name, "--help"])
    assert left.value.code == 0
    printed = " ".join(capsys.readouterr().out.split())
    printed = re.sub(r"(?<=\w)- (?=\w)", "-", printed)  # a line may end at a hyphen
    for declared in CALCULATORS[name].inputs.values():
        assert "--" + declared.name.replace("_", "-") in printed
        default = declared.default if isinstance(declared, Choice) else declared.box(declared.default)
        known = [default, *(declared.words if not isinstance(declared, Choice) else ())]
        assert any(f"default {word})" in printed or f"else {word})" in printed for word in known)


@pytest.mark.parametrize("name", NAMES)
def test_the_table_shows_sentence_inputs_results_and_working(name: str, capsys: Captured) -> None:
    calculator = CALCULATORS[name]
    code, out, err = run(capsys, name)
    assert (code, err) == (0, "")
    resolved = parse_inputs(calculator, {})
    values = answer.evaluated(calculator, resolved)
    assert answer.sentence(calculator, values, resolved) in out
    for formula in calculator.steps.values():
        assert formula.label in out
        if formula.role == "step":
            assert f"{formula.name} ({formula.label})" in out
            assert f"= {formula.text(values[formula.name])}" in out
    for verdict in answer.verdicts(calculator, values).values():
        assert verdict["reason"] in out
    for declared in calculator.inputs.values():
        assert declared.label in out


def test_of_several_verdicts_the_worst_leads(capsys: Captured) -> None:
    code, out, _ = run(capsys, "storage_demand", "--gpus", "64", "--storage-nodes", "2")
    assert code == 0
    assert out.index("Limit that sets the node count: cluster size. Too few") < out.index("Storage network: OK. ")
    _, out, _ = run(capsys, "goodput", "--checkpoint-interval", "1 h")
    message = ("interval: far from the best. ", "runs: below target. ", "restart: OK. ")
    wrong, losses, up = (out.index(word) for word in message)
    assert wrong < losses < up


def test_a_verdict_has_its_label_before_its_word(capsys: Captured) -> None:
    assert "\nBottleneck: GPU. " in run(capsys, "data_loader")[1]


@pytest.mark.parametrize("name", NAMES)
def test_json_has_the_promised_shape_and_values_in_base_units(name: str, capsys: Captured) -> None:
    calculator = CALCULATORS[name]
    printed = as_json(capsys, name)
    assert set(printed) == {"calculator", "presets", "inputs", "results", "warnings", "remarks"}
    assert printed["calculator"] == name
    assert list(printed["inputs"]) == list(calculator.inputs)
    assert list(printed["results"]) == list(dict.fromkeys((*calculator.steps, *calculator.result_aliases)))
    for described in printed["inputs"].values():
        assert set(described) - {"computed"} == {"value", "unit", "text", "origin"}
        assert ("computed" in described) == (described["origin"] == "computed")
        assert described["origin"] in {"default", "preset", "computed", "yours"}
        assert not described["unit"] or units.unit(described["unit"]).factor == 1
    for result, described in printed["results"].items():
        assert set(described) - {"level", "band"} == {"value", "unit", "text"}
        if result in calculator.steps and calculator.steps[result].role == "step":
            assert units.unit(described["unit"]).factor == 1 or described["unit"] == "%", result
    assert all(isinstance(sentence, str) for sentence in printed["warnings"])


def test_json_gives_what_was_asked(capsys: Captured) -> None:
    printed = as_json(
        capsys, "checkpoint", "--parameters", "405B", "--checkpoint-interval", "30min", "--recipe", "none"
    )
    assert printed["inputs"]["parameters"] == {
        "value": 405e9,
        "unit": "parameter",
        "text": "405B parameters",
        "origin": "yours",
    }
    assert printed["inputs"]["checkpoint_interval"]["value"] == 1800
    assert printed["results"]["checkpoint_size"] == {"value": 5.67e12, "unit": "B", "text": "5.67 TB"}
    assert printed["results"]["write_in_time"]["level"] in {"good", "tight", "bad"}
    assert printed["results"]["write_in_time"]["text"].startswith(printed["results"]["write_in_time"]["value"] + ": ")


def test_how_a_length_was_read_is_reported_on_the_terminal_and_in_json(capsys: Captured) -> None:
    message = "Context per sequence: “128k” was read as 131,072 tokens: a length of 128k is 128 × 1,024."
    assert f"\nNote: {message}\n" in run(capsys, "kv_cache", "--context", "128k")[1]
    assert as_json(capsys, "kv_cache", "--context", "128k")["remarks"] == [message]
    assert "Note:" not in run(capsys, "kv_cache", "--context", "131072")[1]
    assert as_json(capsys, "kv_cache", "--context", "131072")["remarks"] == []


def test_a_range_says_what_the_results_are_for(capsys: Captured) -> None:
    message = "results use 37.5%, the middle of 30%–45%; their uncertainty covers the whole range."
    printed = as_json(capsys, "training_time", "--mfu", "30-45%")
    assert printed["remarks"] == [f"MFU of a step: {message}"]
    assert printed["inputs"]["mfu"]["value"] == 0.375


def test_the_working_shows_numbers_for_the_constants_of_a_module(capsys: Captured) -> None:
    _, out, _ = run(capsys, "checkpoint", "--explain", "written_per_day")
    assert "= checkpoint_size * DAY / effective_interval\n" in out
    assert "TB * 1 day / 1 h\n" in out
    assert out.count("DAY") == 1


def test_choices_are_their_keys_in_json(capsys: Captured) -> None:
    printed = as_json(capsys, "checkpoint", "--mode", "asynchronous")
    assert printed["inputs"]["checkpoint_mode"]["value"] == "asynchronous"


def test_aliases_and_dashed_calculator_names_are_understood(capsys: Captured) -> None:
    by_alias = as_json(capsys, "checkpoint", "--interval", "30min")
    assert by_alias["inputs"]["checkpoint_interval"]["value"] == 1800
    assert as_json(capsys, "training-memory")["calculator"] == "training_memory"


@pytest.mark.parametrize("name", NAMES)
def test_every_alias_is_a_flag(name: str, capsys: Captured) -> None:
    usual = as_json(capsys, name)["inputs"]
    for declared in CALCULATORS[name].inputs.values():
        for alias in declared.aliases:
            value = usual[declared.name]["value"]
            if isinstance(declared, Quantity):
                value = declared.box(declared.slider[0] if value is None else value)
            printed = as_json(capsys, name, f"--{alias.replace('_', '-')}={value}")
            assert printed["inputs"][declared.name]["origin"] == "yours"


FLAGS = {
    "inference --gpu h200 --model deepseek-v3 --kv-cache-dtype fp8": {
        "tensor_parallel_size": ("serving_tensor_parallel", 8),
        "expert_parallel": ("serving_expert_parallel", 8),
        "max_num_seqs": ("max_concurrent_sequences", 64),
        "block_size": ("kv_block_size", 32),
        "input_len": ("input_tokens", 1000),
        "output_len": ("output_tokens", 200),
        "max_concurrency": ("concurrent_users", 64),
    },
    "training_memory --gpu h200": {
        "tensor_model_parallel_size": ("tensor_parallel", 4),
        "pipeline_model_parallel_size": ("pipeline_parallel", 2),
        "world_size": ("gpus", 64),
        "micro_batch_size": ("micro_batch", 2),
        "seq_length": ("sequence_length", 4096),
    },
}


@pytest.mark.parametrize("line", FLAGS)
def test_flags_as_vllm_and_megatron_lm_write_them_are_understood(line: str, capsys: Captured) -> None:
    given = [f"--{flag.replace('_', '-')}={value}" for flag, (_, value) in FLAGS[line].items()]
    inputs = as_json(capsys, *line.split(), *given)["inputs"]
    assert [(name, inputs[name]["value"]) for name, _ in FLAGS[line].values()] == list(FLAGS[line].values())


@pytest.mark.parametrize("name", NAMES)
def test_explain_prints_the_chain_of_formulas_up_to_the_result(name: str, capsys: Captured) -> None:
    calculator = CALCULATORS[name]
    for formula in calculator.steps.values():
        code, out, err = run(capsys, name, "--explain", formula.name.replace("_", "-"))
        assert (code, err) == (0, "")
        printed = [line.split()[0] for line in out.splitlines() if line.startswith("  ") and not line.startswith("   ")]
        assert printed[-1] == formula.name
        assert set(formula.needs) & set(calculator.steps) <= set(printed)


def test_explain_shows_the_formula_and_the_numbers_in_it(capsys: Captured) -> None:
    _, out, _ = run(capsys, "checkpoint", "--parameters", "405B", "--recipe", "none", "--explain", "checkpoint_size")
    assert "= trainable_parameters * checkpoint_bytes_per_parameter" in out
    assert "= 405B parameters * 14 B/parameter" in out
    assert "= 5.67 TB" in out
    assert "source: ZeRO" in out


@pytest.mark.parametrize("name", NAMES)
def test_markdown_is_a_document_with_tables(name: str, capsys: Captured) -> None:
    calculator = CALCULATORS[name]
    _, out, _ = run(capsys, name, "--markdown")
    assert out.startswith(f"## {calculator.title}\n")
    tables = [table.splitlines() for table in re.findall(r"(?:^\|.*\n)+", out, re.MULTILINE)]
    assert all(len({row.count("|") for row in table}) == 1 for table in tables)
    rows = [row for table in tables for row in table]
    assert len(rows) >= 4 + len(calculator.inputs)
    assert "Assumes: " in out
    assert f"State: #v={VERSION}&was={calculator.headline[0]}:" in out


def test_markdown_ends_with_the_state_it_shows(capsys: Captured) -> None:
    _, out, _ = run(capsys, "checkpoint", "--interval", "30min", "--markdown")
    assert out.endswith(f"State: #checkpoint_interval=30min&v={VERSION}&was=checkpoint_size:5.68TB\n")


def test_every_problem_is_one_line_on_standard_error_and_the_code_is_2(capsys: Captured) -> None:
    arguments = ("--parameters", "0", "--gpus", "many", "--checkpoint-mode", "sometimes", "--colour", "red")
    code, out, err = run(capsys, "checkpoint", *arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 4
    for message in (
        "Model parameters must be between",
        "GPUs in the job",
        "Checkpoint mode must be",
        "unknown option --colour",
    ):
        assert sum(message in line for line in err.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("unknown",),
        ("checkpoint", "stray"),
        ("checkpoint", "--explain", "unknown"),
        ("checkpoint", "--model", "unknown"),
        ("checkpoint", "--gpus", "NaN"),
        ("checkpoint", "--gpus", "<script>"),
        ("checkpoint", "--gpus", ""),
        ("checkpoint", "--gpus", "9" * 10_000),
        ("checkpoint", "--gpu", "8"),
        ("checkpoint", "--json", "--gpus", "0"),
    ],
)
def test_bad_input_is_reported_without_a_traceback(arguments: tuple[str, ...], capsys: Captured) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert "Traceback" not in err
    assert len(err) < 2000


def test_a_mistyped_name_gets_a_suggestion(capsys: Captured) -> None:
    assert run(capsys, "chekpoint")[2] == "no calculator “chekpoint” (did you mean checkpoint?)\n"
    assert run(capsys, "machin")[2] == "no calculator “machin” (did you mean machine?)\n"
    message = "unknown option --parametres (did you mean --parameters?)\n"
    assert run(capsys, "checkpoint", "--parametres", "3")[2] == message
    assert run(capsys, "machine", "--parametres=3")[2] == message
    assert "checkpoint" in run(capsys, "zzz")[2], "where none is near, all are listed"


@pytest.mark.parametrize("arguments", [("checkpoint", "--gpus"), ("checkpoint", "--json", "--markdown")])
def test_flags_that_make_no_sense_end_with_code_2(arguments: tuple[str, ...], capsys: Captured) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_it_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "calculators", "checkpoint", "--parameters", "405B", "--json"]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["inputs"]["parameters"]["value"] == 405e9
    done = subprocess.run([*command, "--gpus", "0"], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""


def test_a_formula_that_takes_an_entry_of_a_table_shows_its_number(capsys: Captured) -> None:
    _, out, _ = run(capsys, "power", "--explain", "modules_installed", "--redundancy", "two_n")
    assert "ceil(1.87 MW / 1 MW) * 2 + 0" in out


def test_a_value_below_nothing_is_refused_with_a_sentence(capsys: Captured) -> None:
    code, out, err = run(capsys, "collectives", "--nic-latency", "-1us", "--data-overlap", "-10%")
    assert (code, out) == (2, "")
    assert err.splitlines() == [
        "Extra network latency must be between 0 s and 1 s, not -1us",
        "Data-parallel overlap must be between 0% and 100%, not -10%",
    ]
    assert run(capsys, "machine", "--gpus", "-8")[2] == "GPUs in the job must be between 1 and 10M, not -8\n"


def test_two_dashes_for_a_value_are_quoted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cost", "--residual=--"]) == 2
    assert "Residual value: “--” is not a number with a unit; write for example 40%" in capsys.readouterr().err

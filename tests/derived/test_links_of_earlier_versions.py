"""Links, flags and names of earlier versions: each still opens to the same answer."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

import calculators
from calculators.__main__ import main as command_line
from calculators.answers import answer, links
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import Choice

# Written by the version in the file's name: links with the first results they led to, and every public name.
PUBLISHED: dict[str, Any] = json.loads((Path(__file__).parents[1] / "links/0.1.47.json").read_text("utf-8"))
LINKS: list[dict[str, Any]] = PUBLISHED["links"]
_CHANGED = tomllib.loads((Path(__file__).parents[1] / "links/changed.toml").read_text("utf-8"))["changed"]
CHANGED, CHANGED_IN_PLANNER = (
    {name for one in _CHANGED if planner or not one.get("planner") for name in one["results"]}
    for planner in (False, True)
)
NAMES: dict[str, dict[str, Any]] = PUBLISHED["names"]

# What the ledger has corrected since: defaults that these links leave out, and results with another meaning.
DEFAULTS_THEN: dict[str, dict[str, str]] = {
    "inference": {"prefill_schedule": "evenly", "allreduce_decode_efficiency": "0.7"},
}
CORRECTED: dict[str, set[str]] = {"inference": {"ttft"}}
# Accelerators that had an H100's rent then and have their own since.
RENT_THEN = "$3"
RENTED_SINCE = {
    *("gb300", "b300-sxm", "gb200", "rtx-pro-6000-server", "gh200", "h100-nvl", "h100-pcie", "l40s", "rtx-4090"),
    *("a100-sxm-40gb", "a100-pcie-80gb", "mi355x", "mi325x", "mi300x"),
}
# Links that open a state which no machine can be in, and the input that the sentence is about.
IMPOSSIBLE = {
    ("training_memory", "active_parameters=160B"): "active_parameters",
    ("power", "liquid_share=67%25"): "liquid_share",
    ("inference", "arithmetic=8"): "arithmetic",
}

# Links whose model or nodes count other parts since; the ledger says which.
RECOUNTED = {
    ("training_memory", "model=nemotron-3-ultra"),
    ("fabric", "nics_per_gpu=1.43"),
    *(("checkpoint", link) for link in ("job=lora", "job=qlora")),  # adapters of a typical shape, now of the model's
}

# A replica carried 3.58 requests/s of the 7.14 that are planned with, and carries 3.57: three instead of two.
AT_A_STEP = {("inference", "tpot=50ms"): {"serving_gpus"}}


def unchanged(before: dict[str, Any], now: dict[str, Any], changed: set[str] = CHANGED) -> dict[str, Any]:
    """What a link led to, with the present number of results that were wrong then."""
    return {**before, **{name: now[name] for name in changed & before.keys()}}


@pytest.mark.parametrize("name", NAMES)
def test_links_open_to_the_same_answer(name: str) -> None:
    calculator = CALCULATORS[name]
    for one in LINKS:
        if one["calculator"] != name:
            continue
        given, notices = links.read_link(calculator, one["link"])
        assert not notices, one["link"]
        rent = {"price_per_gpu_hour": RENT_THEN} if given.get("accelerator") in RENTED_SINCE else {}
        rent = rent if "price_per_gpu_hour" in calculator.inputs else {}
        resolved = parse_inputs(calculator, {**DEFAULTS_THEN.get(name, {}), **rent, **given})
        if (name, one["link"]) in IMPOSSIBLE:
            assert list(resolved.problems) == [IMPOSSIBLE[name, one["link"]]]
            continue
        assert not resolved.problems, one["link"]
        if (name, one["link"]) in RECOUNTED:
            continue
        values = answer.evaluated(calculator, resolved)
        left_out = CORRECTED.get(name, set()) | AT_A_STEP.get((name, one["link"]), set())
        then = {old: value for old, value in one["results"].items() if old not in left_out}
        found = {old: values[calculator.result_aliases.get(old, old)] for old in then}
        assert found == pytest.approx(unchanged(then, found), rel=1e-12), one["link"]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_inputs_options_and_records_stay_valid(name: str) -> None:
    calculator, known = CALCULATORS[name], NAMES[name]
    assert set(known["inputs"]) <= calculator.canonical_names.keys()
    for old, options in known["options"].items():
        declared = calculator.inputs[calculator.canonical_names[old]]
        assert isinstance(declared, Choice)
        for option in options:
            given, notices = links.read_link(calculator, f"{old}={option}")
            assert not notices
            assert given
    menus = {preset.name: preset for preset in calculator.presets}
    for old, records in known["records"].items():
        assert set(records) <= menus[calculator.canonical_names[old]].by_key.keys()


@pytest.mark.parametrize("name", NAMES)
def test_names_of_results_stay_valid(name: str) -> None:
    result = getattr(calculators, name)()
    for old in NAMES[name]["results"]:
        assert result[old] == result[result.calculator.result_aliases.get(old, old)]


# A step's kernels and overlaps as they were by default before version 0.1.49, which computes them from shapes.
STEP_OF_BEFORE = (
    *("--matmul-utilization", "55%", "--tensor-overlap", "0%", "--expert-overlap", "50%"),
    *("--training-precision", "bf16", "--memory-margin", "0"),
)


# Micro-batches go in rounds of the pipeline where stages interleave; GPUs given to a serving job are those that run.
CORRECTED_RUNS = {
    "--model llama-3-70b --tokens 1T --deadline 60d": {  # fewer GPUs keep the deadline
        *("training_duration", "run_price", "step_time", "tokens_per_step", "facility_power", "goodput", "mtbf"),
        *("written_per_day", "stall_share", "racks", "capital"),
    },
    "--job serve --model llama-3-8b --gpus 64": {"serving_gpus", "cost_per_million_output"},
}


@pytest.mark.daily(3)
@pytest.mark.parametrize("run", PUBLISHED["machine"], ids=lambda run: " ".join(run["flags"]))
def test_flags_of_the_system_planner_stay_valid(run: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    then = ("--prefill-schedule", "evenly") if "serve" in run["flags"] else STEP_OF_BEFORE
    assert command_line(["machine", *run["flags"], *then, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    left_out = CORRECTED["inference"] | CORRECTED_RUNS.get(" ".join(run["flags"]), set())
    expected = {name: value for name, value in run["results"].items() if name not in left_out}
    results = {name: found["results"][name]["value"] for name in expected}
    assert results == pytest.approx(unchanged(expected, results, CHANGED_IN_PLANNER), rel=1e-9)
    assert set(PUBLISHED["machine_results"][found["kind"]]) <= found["results"].keys()

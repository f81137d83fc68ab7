"""A machine described once: every calculator opened from it gives the same figures, and the run adds up."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import itertools
import json
import math
from pathlib import Path
from typing import Any

import pytest

from calculators.__main__ import main
from calculators.catalog import CALCULATORS
from calculators.declare import InputError, Verdict
from calculators.machine import breakdown, fine_tuning, form, hall_and_storage
from calculators.machine.description import PARTS, machine, with_server
from calculators.machine.joining import inputs_type
from calculators.machine.report import bill, formats
from calculators.machine.state import machine_state
from calculators.machine.training_state import TrainingState, training_state

OF_HALL = {one.name for one in hall_and_storage.FORMULAS}
CONFIGURATIONS = Path(__file__).parents[1] / "configuration" / "configurations.json"
STATES: list[dict[str, str]] = [
    {},
    {"model": "deepseek-v3", "gpus": "2048", "checkpoint_mode": "asynchronous"},
    {
        "model": "llama-3-70b",
        "job": "lora",
        "tokens": "1B",
        "accelerator": "a100-sxm-80gb",
        "gpus": "64",
        "paid": "own",
    },
    {"mfu": "38%", "checkpoint_interval": "2 h", "node_repair_time": "2 d", "planned_interval": "30 d"},
    {"parameters": "13B", "tokens": "300B", "gpus": "256", "persist_every": "10", "rare_failure_share": "5%"},
]


@pytest.fixture(scope="module", params=STATES, ids=str)
def found(request: pytest.FixtureRequest) -> TrainingState:
    return training_state(request.param)


def same(one: Any, other: Any) -> bool:
    if isinstance(one, Verdict | str | bool) or one is None:
        return bool(one == other)
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-300)


def known_here_alone(found: TrainingState) -> set[str]:
    """Results that follow from what no calculator alone knows: frozen weights that are read."""
    known = {one.name for one in fine_tuning.FORMULAS} if found.values["job"] != "pre-training" else set()
    for formula in found.calculator.formulas:  # each after those that it needs
        if known & {*formula.needs}:
            known.add(formula.name)
    return known


def test_every_calculator_opened_from_it_gives_the_same_figures(found: TrainingState) -> None:
    pinned = {name for name, origin in found.resolved.origins.items() if origin == "yours"}
    for part in (CALCULATORS[name] for name in PARTS):
        given = {name: found.values[name] for name in part.inputs}
        if "layout_gpus" in part.steps:  # to a layout's calculator goes the job without its spare GPUs
            given["gpus"] = found.values["layout_gpus"]
        alone = part.evaluate(given)
        # A calculator gets what the machine takes as the hall's limits; the machine knows that none was given.
        left_out = {*pinned, *OF_HALL, *(_behind_fine_tuning(found) if found.values["trainable_share"] < 1 else ())}
        differing = [name for name in part.steps if name not in left_out and not same(alone[name], found.values[name])]
        assert differing == [], part.name


def _behind_fine_tuning(found: TrainingState) -> set[str]:
    """What depends on gradients of adapters and on frozen weights, of which single calculators know nothing."""
    names = {one.name for one in fine_tuning.FORMULAS}
    wiring = found.calculator.wiring
    while more := {name for name, needs in wiring.items() if names.intersection(needs)} - names:
        names |= more
    return names


def test_the_run_taken_apart_adds_up_to_its_wall_clock(found: TrainingState) -> None:
    parts = [found.values[part.result] for part in breakdown.PARTS]
    assert math.fsum(parts) == pytest.approx(found.values["training_duration"], rel=1e-12)
    assert math.fsum(part["share"] for part in formats.run_taken_apart(found)) == pytest.approx(1, rel=1e-12)
    assert {part["calculator"] for part in formats.run_taken_apart(found)} <= set(PARTS)


def test_what_failures_take_is_what_goodput_says_of_wall_clock() -> None:
    values = training_state({"node_repair_time": "2 d", "planned_interval": "30 d", "planned_stop": "1 h"}).values
    shares = {"stalled": "stalled", "repeated": "lost", "restarting": "down", "queueing": "rest"}
    for part, share in shares.items():
        there = values["training_duration"] * values[f"{share}_share"]
        assert values[f"time_{part}"] == pytest.approx(there, rel=1e-6), part
    assert values["time_queueing"] > 0


@pytest.mark.daily(3)
def test_a_pinned_goodput_leaves_the_rest_to_other_losses_and_is_doubted_where_that_is_negative() -> None:
    for goodput, doubted in (("60%", False), ("99%", True)):
        found = training_state({"goodput": goodput})
        parts = [found.values[part.result] for part in breakdown.PARTS]
        assert math.fsum(parts) == pytest.approx(found.values["training_duration"], rel=1e-12)
        assert (parts[-1] < 0) == doubted
        assert any("is too optimistic" in text for text in formats.described(found)["warnings"]) == doubted


def test_a_step_of_the_run_is_arithmetic_at_the_share_of_kernels_that_is_given() -> None:
    """At 55 % of peak inside kernels, arithmetic takes 1/0.55 of its time at peak; kernels lose the rest of it."""
    values = training_state({"matmul_utilization": "55%", "memory_margin": "0"}).values
    assert values["time_in_kernels"] == pytest.approx(values["time_at_peak"] * (1 / 0.55 - 1))
    assert values["time_recomputing"] == values["time_idle"] == 0
    again = training_state({"recompute": "full", "micro_batch": "2"}).values
    assert again["time_recomputing"] == pytest.approx(again["time_at_peak"] / 3)


def test_the_speed_of_steps_is_that_of_the_layout_however_utilization_is_counted() -> None:
    for given in ({}, {"utilization_counts": "hardware", "recompute": "full"}, {"attention_flops": "causal"}):
        values = training_state(given).values
        step = values["tokens_per_step"] / values["step_time"]
        assert values["tokens_per_second"] == pytest.approx(step, rel=1e-12), given


def test_the_inputs_of_a_machine_are_given_by_name_and_stay_as_they_were_given() -> None:
    inputs = inputs_type(machine().inputs)
    given = inputs(gpus=64.0)
    assert given.gpus == 64
    with pytest.raises(dataclasses.FrozenInstanceError):
        given.gpus = 128.0
    with pytest.raises(TypeError):
        inputs(64.0)


def test_ten_questions_or_fewer_are_asked_first_and_all_else_has_a_value() -> None:
    assert len(form.FORM) <= 10
    known = {*machine().inputs, *(preset.name for preset in machine().presets)}
    assert {name for field in form.FORM for name in field.names} <= known
    resolved = training_state({}).resolved
    assert "yours" not in resolved.origins.values()


def test_what_fails_is_reported_as_a_rate_and_the_time_between_failures_follows() -> None:
    """1,000 GPUs that fail twice per day: one GPU in 500 days; 16,384 of them every 43.2 Ms / 16,384 = 2,636.7 s."""
    values = training_state({"failure_rate": "2/day", "pipeline_parallel": "8"}).values
    assert values["idle_gpus"] == 0
    assert values["gpu_mtbf"] == pytest.approx(500 * 86400)
    assert values["mtbf"] == pytest.approx(2636.7, rel=1e-4)


def test_storage_that_is_given_is_nodes_and_their_capacity() -> None:
    """400 GB/s at 80 GB/s a node are five nodes; 800 GB/s ten, of 16 drives of 7.68 TB each."""
    values = training_state({"write_bandwidth": "800 GB/s", "read_bandwidth": "400 GB/s"}).values
    assert values["storage_nodes"] == 10
    assert values["storage_capacity"] == 10 * 16 * 7.68e12


def test_owned_hardware_costs_its_used_hours() -> None:
    values = training_state({"paid": "own"}).values
    assert values["run_price"] == values["run_owned"] != values["training_cost"]


def test_the_server_comes_with_the_accelerator() -> None:
    found = training_state({"accelerator": "a100-sxm-80gb", "gpus": "64", "model": "llama-2-7b"})
    assert found.resolved.presets["server"] == "server-dgx-a100"
    assert found.values["gpu_power"] == 400


@pytest.mark.parametrize(
    ("given", "server"),
    [
        ({"accelerator": "b200-sxm"}, "server-dgx-b200"),
        ({"accelerator": "NVIDIA B200 SXM 180 GB"}, "server-dgx-b200"),
        ({"accelerator": "mi300x"}, "none"),  # no server with it is among the facts
        ({"accelerator": "something"}, "none"),
        ({"accelerator": "b200-sxm", "server": "server-dgx-a100"}, "server-dgx-a100"),
        ({"gpus": "8"}, None),
        ({"server": "server-dgx-a100"}, "server-dgx-a100"),
    ],
    ids=str,
)
def test_a_server_that_the_reader_did_not_choose_is_that_of_the_accelerator(
    given: dict[str, str], server: str | None
) -> None:
    complete = with_server(machine().presets)
    completed = complete(given)
    assert completed.get("server") == server
    assert {name: text for name, text in completed.items() if name != "server" or name in given} == given


def test_a_mistake_is_reported_and_names_the_input(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match="Deadline"):
        training_state({"deadline": "soon"})
    with pytest.raises(InputError, match="data parallel 30,000: data parallel"):
        training_state({"data_parallel": "30000"})
    assert main(["machine", "--gpuss", "3"]) == 2
    assert "unknown option --gpuss (did you mean --gpus?)" in capsys.readouterr().err


@pytest.fixture(scope="module")
def printed() -> dict[str, str]:
    """One machine as the command line prints it, by the option that asks for it."""
    outputs = {}
    for option in ("--json", "--markdown", ""):
        given = ["machine", "--model", "llama-2-7b", "--gpus", "64", "--tokens", "100B"]
        with contextlib.redirect_stdout(io.StringIO()) as stream:
            assert main([*given, *filter(None, [option])]) == 0
        outputs[option] = stream.getvalue()
    return outputs


def test_the_command_line_prints_it_for_people_programs_and_documents(printed: dict[str, str]) -> None:
    plain, document = json.loads(printed["--json"]), printed["--markdown"]
    assert plain["results"]["training_duration"]["unit"] == "s"
    assert plain["inputs"]["tensor_parallel"]["computed"] == "found"
    assert plain["layout"]["chosen"]["tensor_parallel"] == plain["inputs"]["tensor_parallel"]["value"]
    assert plain["sentence"] in document
    assert "| Pipeline bubble |" in document
    counted = {count["name"]: count["text"] for line in plain["bill"] for count in line["counts"]}
    assert counted["gpu_nodes"] == "8 nodes"
    assert "| Servers | 8 nodes | Nodes with GPUs |" in document
    assert plain["sentence"] in printed[""]


def test_every_row_of_a_documents_tables_has_the_columns_of_its_head(printed: dict[str, str]) -> None:
    blocks = [block.splitlines() for block in printed["--markdown"].split("\n\n")]
    tables = [[row for row in block if row.startswith("|")] for block in blocks]
    tables = [rows for rows in tables if rows]
    assert len(tables) == 9, "the run, a step, its errors, resources, changes, the bill, prices, the form, all else"
    for head, rule, *rows in tables:
        assert set(rule) <= set("|-:")
        assert rows
        assert {row.count("|") for row in (head, rule, *rows)} == {head.count("|")}, head


def test_a_document_says_of_every_input_where_it_is_from(printed: dict[str, str]) -> None:
    plain = json.loads(printed["--json"])["inputs"]
    _, _, rest = printed["--markdown"].partition("| Other input |")
    rows = [row.strip("| ").split(" | ") for row in rest.splitlines()[2:] if row.startswith("|")]
    asked = {name for field in form.FORM for name in field.names}
    others = {name: declared for name, declared in machine().inputs.items() if name not in asked}
    assert [(row[0], row[-1]) for row in rows] == [
        (declared.label, plain[name].get("computed") or plain[name]["origin"]) for name, declared in others.items()
    ]
    assert {"found", "preset", "default"} <= {row[-1] for row in rows}


def test_a_documents_numbers_are_at_the_right_and_its_words_at_the_left(printed: dict[str, str]) -> None:
    lines = printed["--markdown"].splitlines()
    rules = {head: rule for head, rule in itertools.pairwise(lines) if rule.startswith("|---")}
    (pillars,) = (rule for head, rule in rules.items() if head.startswith("| Resource |"))
    assert pillars == "|---|--:|--:|--:|---|---|---|---|", "asked, there is and margin are numbers; the rest is words"


def test_a_terminal_has_all_of_it_in_columns_and_answers_every_question_of_the_form(printed: dict[str, str]) -> None:
    plain = json.loads(printed["--json"])
    sections = {block.splitlines()[0]: block.splitlines()[1:] for block in printed[""].strip().split("\n\n")}
    run = sections["Run time by cause"]
    names = [part["calculator"] for part in plain["breakdown"]]
    assert [line.split()[-1] for line in run] == names
    assert len({len(line.removesuffix(name)) for line, name in zip(run, names, strict=True)}) == 1
    changes = sections["Recommendations"]
    numbers = [line.split(". ")[0].strip() for line in changes[::2]]
    assert numbers == [str(place) for place, _ in enumerate(plain["changes"], start=1)]
    assert len(numbers) == 7
    for one, title, effects in zip(plain["changes"], changes[::2], changes[1::2], strict=True):
        assert title.endswith(f". {one['title']}")
        assert effects.strip().startswith(f"{one['first_text']}, {one['price_text']}, {one['power_text']}")
    answers = [" ".join(line.split()) for line in sections["Summary"]]
    assert {field.title for field in form.FORM} <= set(answers)
    assert {"Model Llama 2 7B menu", "GPUs in the job 64 GPUs yours", "Deadline none default"} <= set(answers)
    assert "Storage read bandwidth 80 GB/s twice the write bandwidth" in answers
    assert "Hardware ownership rent default" in answers


def test_a_terminal_has_every_pillar_with_what_it_gains_or_has_left(printed: dict[str, str]) -> None:
    plain = json.loads(printed["--json"])
    (lines,) = (block.splitlines()[1:] for block in printed[""].split("\n\n") if block.startswith("Resources: "))
    for one, line in zip(plain["pillars"], lines, strict=True):
        title, _, rest = line.strip().partition("  ")
        assert title == one["title"]
        assert rest.endswith(f"{one['asked']}; {one['there']}")
        if one["kind"] == "rate":
            assert rest.split()[0].startswith("+")
            assert float(rest.split()[0].strip("+%")) == pytest.approx(100 * one["gain"], rel=0.005, abs=1e-9)
            assert float(rest.split()[1].strip("%")) == pytest.approx(100 * one["slack"], rel=0.005)
        elif one["margin"] is not None:
            assert float(rest.split()[0].strip("%")) == pytest.approx(100 * one["margin"], rel=0.005)


def test_a_models_own_file_replaces_the_menu(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    given = ["machine", "--config", str(file), "--gpus", "256", "--json"]
    published = next(one for one in json.loads(CONFIGURATIONS.read_text("utf-8")) if one["name"] == "Qwen/Qwen3-32B")
    file.write_text(json.dumps(published["config"]), "utf-8")
    for job in ("pre-training", "serve"):
        assert main([*given, "--job", job]) == 0
        assert json.loads(capsys.readouterr().out)["inputs"]["parameters"]["value"] == published["parameters"]
    file.write_text(json.dumps(published["config"] | {"odd_key": 3}), "utf-8")
    assert main(given) == 2
    assert "odd_key = 3 is not understood" in capsys.readouterr().err


@pytest.mark.parametrize("job", [{}, {"job": "serve"}])
def test_amounts_of_the_bill_add_up_to_what_is_bought_and_paid_per_year(job: dict[str, str]) -> None:
    """Quantity times unit price where both are there; each part ends on its sum."""
    found = machine_state({**job, "gpus": "64", "server_price_per_gpu": "30,000", "facility_per_kw": "10,000"})
    values = found.values
    by_part: dict[str, list[dict[str, Any]]] = {}
    for one in bill.priced(found):
        by_part.setdefault(one["part"], []).append(one)
    for part in ("Purchase", "Per year, owned"):
        *items, total = by_part[part]
        assert total["is_total"]
        assert sum(one["amount"] for one in items) == pytest.approx(total["amount"])
    servers, *_, facility, _ = by_part["Purchase"]
    assert servers["amount"] == values["gpus"] * 30_000
    assert (servers["quantity"], servers["unit_price"]) == ("64 GPUs", "$30,000")
    assert facility["amount"] == pytest.approx(values["it_power"] * values["pue"] * 10)  # USD/W
    (rented,) = by_part["Per year, rented"]
    assert rented["amount_text"] == found.calculator.text("rent_per_year", values["rent_per_year"])


def test_one_storage_system_writes_what_its_nodes_do() -> None:
    """Six nodes of 80 GB/s; without nodes as many as the bandwidth needs, and five that protection needs."""
    of_nodes = training_state({"storage_nodes": "6"}).values
    assert of_nodes["write_bandwidth"] == of_nodes["read_bandwidth"] == 6 * 80e9
    assert training_state({"write_bandwidth": "1 TB/s"}).values["storage_nodes"] == 25
    assert training_state({}).values["storage_nodes"] == 5

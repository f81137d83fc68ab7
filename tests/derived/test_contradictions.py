"""Verdicts of one state that exclude each other, on states drawn by chance from every calculator's ranges.

Each pair is a verdict that is green and a value that makes it wrong to say so, whatever else holds.
"""

from __future__ import annotations

import datetime
import inspect
import random
from typing import TYPE_CHECKING

import pytest

from calculators.__main__ import main
from calculators.answers import answer
from calculators.answers.explore import margins
from calculators.answers.explore.trials import BROKEN
from calculators.answers.input_state import parse_inputs
from calculators.answers.review import margins as report
from calculators.catalog import CALCULATORS
from calculators.declare import InputError, Values
from calculators.machine import changes
from calculators.machine.description import machine
from calculators.machine.report import formats
from calculators.machine.state import WORKLOADS, machine_state
from tests.readers import anywhere
from tests.soak.exclusions import PAIRS, WITH_A_WAY
from tests.soak.states import ask

if TYPE_CHECKING:
    from pathlib import Path

_STATES = 300
_MOVED = 4  # inputs at a time: with all of them moved nearly every state is refused


def states(name: str, seed: str) -> list[Values]:
    """States that are not refused, with a few inputs moved anywhere in their ranges."""
    calculator, chance = CALCULATORS[name], random.Random(f"{name} {seed}")  # noqa: S311  states, not secrets
    plain = parse_inputs(calculator, {}).explicit
    found = []
    for _ in range(_STATES):
        moved = chance.sample(list(calculator.inputs.values()), min(_MOVED, len(calculator.inputs)))
        given = {one.name: anywhere(one, chance) for one in moved}
        try:
            values = calculator.evaluate(Values({**plain, **given}, {*plain.given, *given}))
        except (InputError, *BROKEN):
            continue
        if not any(one.function(*[values[need] for need in one.needs]) for one in calculator.of_role("constraint")):
            found.append(values)
    return found


@pytest.mark.parametrize("name", PAIRS)
def test_no_green_verdict_appears_next_to_a_value_that_excludes_it(name: str) -> None:
    seed = datetime.datetime.now(tz=datetime.UTC).strftime("day %j")
    drawn = states(name, seed)
    assert len(drawn) > _STATES / 10
    for verdict, excluded in PAIRS[name]:
        for values in drawn:
            is_green = values[verdict].level == "good"
            assert not (is_green and excluded(values)), (seed, verdict, dict(values))


CONTRADICTED = [
    ("fabric", {"nics_per_gpu": "1.27", "gpus": "50"}),  # seven nodes of 11 ports on a switch of 64
    ("data_lifecycle", {"recall_staged": "100%"}),
    ("data_lifecycle", {"warm_refresh": "15y"}),  # longer than the media of the menu
    ("data_lifecycle", {"cold_restore": "500TB", "cold_restore_window": "1d", "tape_drives": "3"}),
    ("post_training", {"longest_answer": "100M"}),
    ("post_training", {"model": "llama-4-maverick"}),
    ("sample_inference", {"measured_serving_rate": "1,000,000"}),
    ("sample_inference", {"serving_batch": "60,000", "sample_latency_target": "10 s"}),
    ("inference", {"model": "qwen3-0-6b", "cache_precision": "cache-nvfp4"}),
    ("power", {"rack_limit": "31kW"}),  # three nodes of 10.2 kW in a rack that air cools to 30 kW
    ("storage_demand", {"client_network": "30MB/s"}),
    ("storage_demand", {"storage_nodes": "1"}),
    ("power", {"hall_power": "1.8MW", "swing_high": "0.25"}),
    ("training_memory", {"gpus": "83"}),
    ("training_memory", {"sequence_length": "8,193"}),
    ("training_memory", {"model": "gpt-3-175b", "accelerator": "b200-sxm", "sequence_length": "2,176"}),
    ("training_memory", {"interleave": "5", "micro_batches": "30"}),
    ("training_memory", {"context_parallel": "2", "flash_attention": "no"}),
    ("training_memory", {"model": "llama-3-8b", "ffn_hidden": "14337"}),
    ("collectives", {"gpus": "83", "micro_batches": "32", "tensor_overlap": "100%"}),
    ("kv_cache", {"ffn_hidden": "28673"}),
    ("inference", {"ffn_hidden": "28673", "batch": "200", "tpot_target": "200ms"}),
]


@pytest.mark.parametrize(("name", "given"), CONTRADICTED)
def test_states_that_contradicted_themselves_do_no_more(name: str, given: dict[str, str]) -> None:
    values = answer.evaluated(CALCULATORS[name], parse_inputs(CALCULATORS[name], given))
    for verdict, excluded in PAIRS[name]:
        assert not (values[verdict].level == "good" and excluded(values)), verdict


def test_every_warning_of_a_refused_layout_says_which_verdicts_wait() -> None:
    kinds = [*CALCULATORS.values(), machine(), *(one.calculator() for one in WORKLOADS.values())]
    refusing = [
        (one, warning)
        for one in kinds
        for warning in one.of_role("warning")
        if "refuse" in inspect.getsource(warning.function) and warning.name not in WITH_A_WAY
    ]
    assert len(refusing) > 10
    for calculator, warning in refusing:
        if not calculator.of_role("verdict"):
            continue  # nothing there is green
        assert calculator.steps.keys() & set(warning.refuses), (calculator.name, warning.name)


@pytest.mark.parametrize("given", [{"context_parallel": "14"}, {"sequence_length": "8190", "context_parallel": "4"}])
def test_a_system_whose_layout_is_refused_does_not_fit_in_green(given: dict[str, str]) -> None:
    """The verdict says so on the page, in JSON and in the line of the state, and its reason is the warning's."""
    found = machine_state({**given, "model": "llama-3-8b", "gpus": "1792", "tensor_parallel": "4"})
    worst, line = formats.state_line(found)
    assert line.startswith("Layout refused · ")
    assert worst != "good"
    shown = answer.verdicts(found.calculator, found.values)["fits"]
    assert (shown["level"], shown["word"]) == ("tight", "layout refused")
    assert shown["reason"].split(";")[0] in "".join(answer.warnings(found.calculator, found.values))
    assert formats.described(found)["results"]["fits"]["level"] == "tight"


@pytest.mark.parametrize(
    "given",
    [
        {"model": "llama-3-8b", "gpus": "1792", "tensor_parallel": "4", "context_parallel": "14"},
        {"job": "rl", "ffn_hidden": "14337"},
    ],
)
def test_nothing_is_recommended_to_a_system_that_frameworks_would_refuse_then(given: dict[str, str]) -> None:
    found = machine_state(given)
    assert found.calculator.is_refused(found.values)
    assert formats.sentence(found).startswith("Layout refused. If it ran: ")
    for one in changes.changes(found):
        after = machine_state({**given, **one.given})
        assert not after.calculator.is_refused(after.values), one.title
        assert "Fits in GPU memory" in one.fixes, one.title


@pytest.mark.parametrize(
    ("name", "given", "supposed"),
    [
        ("training_memory", {"gpus": "500"}, ", for orientation only"),
        ("training_memory", {}, ""),
        ("inference", {"model": "qwen3-0-6b", "cache_precision": "cache-nvfp4"}, ", for orientation only"),
        ("inference", {"batch": "1737"}, ", for orientation only"),  # "24 GPUs can serve" next to "does not fit"
        ("inference", {"max_num_seqs": "10", "batch": "20"}, ", for orientation only"),
        ("post_training", {"model": "kimi-k3"}, ", for orientation only"),
        ("post_training", {}, ""),
    ],
)
def test_results_of_a_state_without_an_answer_are_headed_as_such(
    name: str, given: dict[str, str], supposed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, *(f"--{key.replace('_', '-')}={text}" for key, text in given.items())]) == 0
    assert ("\nResults, for orientation only" in capsys.readouterr().out) == bool(supposed)
    assert ask(CALCULATORS[name], ("answer",), given=given)["cells"]["supposed"] == supposed


@pytest.mark.parametrize("users", [1, 300, 1000, 5914, 20_000])
@pytest.mark.parametrize("more", [{}, {"allreduce_decode_efficiency": "1%"}, {"spare_replicas": "2"}])
def test_replicas_sized_for_users_are_enough_for_them(users: int, more: dict[str, str]) -> None:
    """At full-batch speed 472 replicas are 70% full of 20,000 users; emptier ones answer faster, and were 70.05% full.

    One replica fewer exceeds the target, or is fewer than their requests take at that speed.
    """
    calculator = CALCULATORS["inference"]
    values = answer.evaluated(calculator, parse_inputs(calculator, {"concurrent_users": str(users), **more}))
    assert values["enough_replicas"].word == "enough replicas"
    assert values["replica_utilization"] <= values["target_utilization"]
    replicas = values["replicas"] - values["spare_replicas"]
    by_rate = values["request_rate"] / (values["replica_request_rate"] * values["target_utilization"])
    fewer = calculator.after(values, {"replicas": replicas - 1}) if replicas > 1 else None
    assert fewer is None or replicas - 1 < by_rate or fewer["replica_utilization"] > values["target_utilization"]


def test_a_utilization_is_not_above_a_target_that_is_printed_alike() -> None:
    """With one of 473 replicas down it was 70.02%: “70%, above the 70% target”."""
    calculator = CALCULATORS["inference"]
    values = answer.evaluated(calculator, parse_inputs(calculator, {"concurrent_users": "20000"}))
    failure = calculator.steps["replica_failure"]
    known = {name: values[name] for name in failure.needs}
    for share, word in ((0.70018, "N−1: OK"), (0.7004, "N−1: OK"), (0.7006, "N−1: above target utilization")):
        assert failure(**{**known, "degraded_utilization": share}).word == word, share
        assert (calculator.text("degraded_utilization", share) == "70%") == (word == "N−1: OK")
    typed = {**known, "target_utilization": 0.31696, "degraded_utilization": 0.317}
    assert calculator.text("target_utilization", 0.31696) == calculator.text("degraded_utilization", 0.317) == "31.7%"
    assert failure(**typed).word == "N−1: OK"


def test_no_threshold_of_a_refused_cache_is_printed_as_the_cache_itself() -> None:
    """NVFP4 takes 0.5625 B/value: "at 0.562 B/value and below; now 0.562 B/value" said that less of nothing helps."""
    calculator = CALCULATORS["inference"]
    resolved = parse_inputs(calculator, {"cache_precision": "cache-nvfp4"})
    values = answer.evaluated(calculator, resolved)
    assert values["targets_met"].word == "KV cache refused"
    found = margins.margins(calculator, values, ["targets_met"]).run()["targets_met"]
    (of_cache,) = (one for one in found if one.name == "cache_bytes")
    assert calculator.text("cache_bytes", values["cache_bytes"]) not in report.phrase(calculator, values, of_cache)


def test_a_rack_that_is_sold_whole_is_fed_and_cooled_whole() -> None:
    """Of 18 nodes, of which a job takes four: next to 121 kW that feed it the page said 26.8 kW to cool."""
    calculator = CALCULATORS["power"]
    values = answer.evaluated(calculator, parse_inputs(calculator, {"server": "server-gb200-nvl72", "gpus": "16"}))
    assert values["cooling_used"] * values["cooling_limit"] == pytest.approx(
        values["rack_limit_used"] * values["rack_limit"], rel=1e-12
    )


def test_a_refused_layout_is_not_good_in_margins_and_in_a_design_that_asks_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["training_memory", "--gpus", "83", "--margins"]) == 0
    assert capsys.readouterr().out.startswith(
        "Fits in GPU memory: layout refused.\n  Closest threshold: GPUs in the job: layout refused up to 95 GPUs"
    )
    design = tmp_path / "design.toml"
    for gpus, code in ((64, 0), (83, 1)):
        stated = f'calculator = "training_memory"\n[given]\ngpus = {gpus}\n[limits]\nfits = "good"\n'
        design.write_text(stated, "utf-8")
        assert main(["check", str(design)]) == code
        assert ("tight, layout refused (limit: good)" in capsys.readouterr().out) == bool(code)


@pytest.mark.parametrize(
    ("name", "given", "limit"),
    [
        ("training_memory", {"gpus": "83"}, 'training_memory = "<= 70 GiB"'),
        ("training_memory", {"gpus": "83"}, 'fits = "tight"'),
        ("inference", {"batch": "1737"}, 'serving_gpus = "<= 100"'),
    ],
)
def test_no_limit_is_kept_by_a_state_that_has_no_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, given: dict[str, str], limit: str
) -> None:
    design = tmp_path / "design.toml"
    for state, code in (({}, 0), (given, 1)):
        lines = "".join(f'{key} = "{text}"\n' for key, text in state.items())
        design.write_text(f'calculator = "{name}"\n[given]\n{lines}[limits]\n{limit}\n', "utf-8")
        assert main(["check", str(design)]) == code, capsys.readouterr().out


def test_a_layout_that_frameworks_refuse_is_no_offer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    offers = tmp_path / "offers.toml"
    for width, code in (("28672", 0), ("28673", 2)):
        stated = f"[offers.one]\nrequest_rate = 5\n[offers.other]\nffn_hidden = {width}\n"
        offers.write_text(f'calculator = "inference"\nresult = "cost_per_million_output"\n{stated}', "utf-8")
        assert main(["offers", str(offers)]) == code
        assert ("other: frameworks refuse its layout" in capsys.readouterr().err) == bool(code)


@pytest.mark.parametrize("name", list(PAIRS))
def test_every_pair_is_about_a_verdict_that_both_kinds_of_states_have(name: str) -> None:
    """A pair that no state is near could not fail: each verdict is green in some state drawn and not in others."""
    drawn = states(name, "always the same")
    for verdict, _ in PAIRS[name]:
        assert {values[verdict].level == "good" for values in drawn} == {True, False}, verdict


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("goodput", {"node_repair_time": "7d", "spare_nodes": "0"}, "waits for a node 97.7% of the time"),
        ("storage_demand", {"rebuild_share": "0.1%", "drive": "drive-d5-p5336"}, "40.5 days"),
    ],
)
def test_the_largest_loss_is_named(name: str, given: dict[str, str], message: str) -> None:
    calculator = CALCULATORS[name]
    resolved = parse_inputs(calculator, given)
    values = answer.evaluated(calculator, resolved)
    reports = [answer.sentence(calculator, values, resolved), *answer.warnings(calculator, values)]
    reports += [one["reason"] for one in answer.verdicts(calculator, values).values()]
    assert any(message in text for text in reports)


@pytest.mark.parametrize(
    ("given", "refused", "without_room"),
    [
        ({}, set(), {1}),
        ({"ffn_hidden": "28676", "serving_tensor_parallel": "4"}, {8}, {1}),
        (
            {"heads": "96", "kv_heads": "12", "serving_tensor_parallel": "4"},
            {8},
            {1, 2},
        ),  # twelve heads over eight ranks
        ({"batch": "300"}, set(), {1, 2, 4}),  # of which two ranks hold 60 and four 201
    ],
)
def test_a_table_of_other_ranks_has_no_number_where_engines_refuse_them_or_nothing_fits(
    given: dict[str, str], refused: set[int], without_room: set[int]
) -> None:
    calculator = CALCULATORS["inference"]
    values = answer.evaluated(calculator, parse_inputs(calculator, given))
    table = next(one for one in calculator.tables if one.name == "side_by_side")
    rows = {row[1]: row[2] for row in table.rows(values) if row[0] == "This GPU, weights in 16 bits"}
    for ranks in (1, 2, 4, 8):
        text = rows["1 rank" if ranks == 1 else f"{ranks} ranks"]
        assert (text == "engines refuse it") == (ranks in refused), (ranks, text)
        assert (text == "does not fit") == (ranks in without_room), (ranks, text)


def test_a_table_of_other_gpus_has_no_number_where_engines_refuse_the_cache() -> None:
    """NVFP4 on a B200: next to it the page had 24 H100 that serve the same, whose own page says “KV cache refused”."""
    calculator = CALCULATORS["inference"]
    given = {"accelerator": "b200-sxm", "cache_precision": "cache-nvfp4"}
    values = answer.evaluated(calculator, parse_inputs(calculator, given))
    table = next(one for one in calculator.tables if one.name == "side_by_side")
    gpus = {row[0]: row[2] for row in table.rows(values)}
    assert gpus["NVIDIA H100 SXM 80 GB"] == gpus["AMD Instinct MI300X 192 GB"] == "engines refuse it"
    assert gpus["NVIDIA B200 SXM 180 GB"] == "8 GPUs"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"model": "llama-3-70b", "serving_tensor_parallel": "1"}, {"trainer does not fit", "engines do not fit"}),
        ({"model": "kimi-k3"}, {"trainer does not fit"}),
        ({"placement": "colocated"}, {"one pool"}),  # "off with DPO"
        ({"algorithm": "dpo"}, {"off with DPO"}),
    ],
)
def test_tables_of_post_training_have_no_step_where_there_is_none(given: dict[str, str], said: set[str]) -> None:
    calculator = CALCULATORS["post_training"]
    values = answer.evaluated(calculator, parse_inputs(calculator, given))
    tables = {one.name: list(one.rows(values)) for one in calculator.tables}
    assert {row[2] for row in tables["staleness"]} <= said
    assert not any("(best)" in row[0] for row in tables["splits"])
    if not answer.unanswered(calculator, values):
        return
    for name, place in (("splits", 1), ("staleness", 2), ("placements", 1)):
        assert {row[place] for row in tables[name]} - {""} <= said, name
    assert tables["rivals"][-1][-1] == "not checked"


@pytest.mark.parametrize("given", [{"loader_workers": "1494", "prefetch_batches": "7"}, {"gpus": "60127"}])
def test_a_loader_that_no_epoch_starts_with_has_no_utilization_in_its_sentence(given: dict[str, str]) -> None:
    """It said “GPU utilization 100%” next to “does not fit” and “some GPUs get no data”."""
    calculator = CALCULATORS["data_loader"]
    values = answer.evaluated(calculator, parse_inputs(calculator, given))
    assert values["fed"].word in {"does not fit", "too few samples"}
    assert "utilization" not in answer.sentence(calculator, values)
    assert answer.sentence(calculator, values) == answer.verdicts(calculator, values)["fed"]["reason"]

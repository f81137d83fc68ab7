"""Exploring a machine: what the bench finds is what the machine is in that state, searched for from nothing."""

from __future__ import annotations

import json
import random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from calculators import bridge
from calculators.__main__ import main
from calculators.answers.explore import margins, solve, sweeps
from calculators.bridge import respond
from calculators.declare import Calculator, InputError, Quantity, Values
from calculators.machine import solved_layout
from calculators.machine.description import machine
from calculators.machine.layout import search as layouts
from calculators.machine.layout.fastest import FastestLayout, NoLayoutError, SearchCache
from calculators.machine.layout.found import by_wall_clock
from calculators.machine.layout.sizes import Size
from calculators.machine.layout.space import NAMES
from calculators.machine.training_state import training_state
from calculators.machine.workload import WorkloadState
from calculators.page import machine as page
from calculators.page import machine_review
from tests.machine.small_jobs import job
from tests.machine.test_bottlenecks import SMALL

if TYPE_CHECKING:
    from calculators.answers.messages import Ask, Question
    from calculators.machine.training_state import TrainingState

_MOVED = ("peak_flops", "nic_bandwidth", "gpus", "gpu_memory", "batch_tokens", "layers", "data_overlap", "experts")


@pytest.fixture(autouse=True)
def _nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "_PAGE", page.Page())


def explored(given: dict[str, str]) -> tuple[Calculator, Values]:
    found = training_state(given)
    return solved_layout.reviewed(found)[0], found.values


def ask(asks: str, review: dict[str, str] | None = None, name: str = "machine", **more: Any) -> dict[str, Any]:
    asked = {"asks": [asks], "calculator": name, "review": review or {}, "given": SMALL} | more
    found: dict[str, Any] = json.loads(respond(json.dumps(asked)))
    assert "failure" not in found, found["failure"]
    return found


@pytest.mark.daily(4)
@pytest.mark.parametrize("seed", range(12))
def test_a_layout_found_again_is_that_of_a_whole_search(seed: int) -> None:
    """Of small jobs in which memory binds as often as not, after changes of each input, pinned degrees too."""
    chance = random.Random(seed)  # noqa: S311  a seed that names a job, no secret
    values, calculator = job(seed), machine()
    for name in _MOVED:
        declared = calculator.inputs[name]
        assert isinstance(declared, Quantity)
        pinned = frozenset(chance.sample(["tensor_parallel", "recompute", "micro_batch"], k=chance.choice([0, 0, 1])))
        fresh = FastestLayout(calculator, values, (name,), pinned)
        for factor in (0.5, 1, 2, 3):
            wanted = min(values[name] * factor, declared.hard[1])
            moved = max(1.0, float(round(wanted))) if declared.whole else wanted
            whole = layouts.search(calculator, calculator.after(values, {name: moved}), pinned, most=1)
            if not whole.best:
                with pytest.raises(NoLayoutError):
                    fresh.fastest({name: moved})
            else:
                after = calculator.after(values, {name: moved})
                best = by_wall_clock(calculator, after, whole).best[0] if whole.fits else whole.best[0]
                assert fresh.fastest({name: moved}) == best.inputs, (name, factor, pinned)


def test_a_state_that_no_layout_takes_is_refused_by_its_gpus() -> None:
    calculator, resolved = solved_layout.reviewed(training_state(SMALL))
    with pytest.raises(InputError, match="No layout of 8 GPUs has") as refused:
        calculator.evaluate({**resolved.explicit, "data_parallel": 9.0})
    assert refused.value.problems.keys() == {"gpus"}


def test_where_many_inputs_move_the_fastest_of_the_present_layouts_that_fits_is_taken() -> None:
    """By trying each of them, with a tenth of memory free if one leaves it; else the one that needs least memory."""
    found = training_state(
        {**SMALL, "gpu_memory": "8 GiB", "batch_tokens": str(21 * 4096), "matmul_utilization": "55%"}
    )
    calculator, values = solved_layout.reviewed(found)[0], found.values
    names = ("nic_bandwidth", "peak_flops", "link_bandwidth", "link_efficiency")
    moved = {name: values[name] * 0.3 if name == "nic_bandwidth" else values[name] for name in names}
    tried = found.calculator.trials(values, (*NAMES, *moved), layouts.RESULTS)
    after = [(tried({**one.inputs, **moved}), one.inputs) for one in found.layout.best]
    by_memory = sorted(after, key=lambda pair: pair[0]["training_memory"])
    least, half = (by_memory[place][0]["training_memory"] for place in (0, len(by_memory) // 2))
    for memory in (least / 2, least, half, 80 * 2**30):
        roomy, fitting = ([pair for pair in after if pair[0]["training_memory"] <= part * memory] for part in (0.9, 1))
        there = calculator.after(values, {**moved, "gpu_memory": memory})
        assert {name: there[name] for name in NAMES} == min(roomy or fitting or by_memory[:1], key=_by_token)[1], memory


def test_where_few_inputs_move_all_layouts_are_searched() -> None:
    """Four do; 8 GiB hold a quicker layout than any that fits in 5."""
    found = training_state({**SMALL, "nic_bandwidth": "50 GB/s"})
    names = ("nic_bandwidth", "peak_flops", "link_bandwidth")
    moved = {**{name: found.values[name] * 1.1 for name in names}, "gpu_memory": 8.0 * 2**30}
    whole = layouts.search(found.calculator, found.calculator.after(found.values, moved), frozenset(), most=1)
    there = solved_layout.reviewed(found)[0].after(found.values, moved)
    assert {name: there[name] for name in NAMES} == whole.best[0].inputs
    assert whole.best[0].inputs not in [one.inputs for one in found.layout.best]


def test_states_alike_but_for_what_is_given_have_layouts_of_their_own() -> None:
    """Expert tensor parallelism of 1, given, leaves more ranks for experts than where it follows the other."""
    explored, resolved = solved_layout.reviewed(
        training_state({**SMALL, "experts": "4", "gpu_memory": "8 GiB", "nic_bandwidth": "50 GB/s"})
    )
    free = machine().evaluate(resolved.explicit)
    given = Values({**free}, {*free.given, "expert_tensor_parallel"})
    found = []
    for values in (free, given):
        there = explored.after(values, {"nic_bandwidth": values["nic_bandwidth"]})
        found.append({name: there[name] for name in NAMES})
        assert found[-1] == layouts.search(machine(), values, frozenset(), most=1).best[0].inputs
    assert found[0] != found[1]


def _by_token(pair: tuple[dict[str, Any], dict[str, Any]]) -> float:
    """Time for a token [s] of a layout with what was calculated of it."""
    return float(pair[0]["step_time"] / pair[0]["tokens_per_step"])


def test_where_a_layout_fits_nothing_is_searched_for_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    values, calculator = job(7), machine()
    whole = layouts.search(calculator, values, frozenset(), most=1)
    assert whole.fits
    monkeypatch.delattr(layouts, "each_search")
    assert FastestLayout(calculator, values, (), frozenset()).fastest({}) == whole.best[0].inputs


@pytest.mark.parametrize("seed", [11, 29])
def test_what_searches_know_from_each_other_is_kept_apart_where_an_input_is_given(seed: int) -> None:
    """Expert tensor parallelism of 1, given, leaves more ranks for experts than where it follows the other."""
    free, calculator, kept = job(seed), machine(), SearchCache()
    assert free["expert_tensor_parallel"] == 1
    given = Values({**free}, {*free.given, "expert_tensor_parallel"})
    found = [layouts.search(calculator, each, frozenset(), most=1).best[0].inputs for each in (free, given)]
    assert found[0] != found[1]
    for _ in range(2):
        again = [FastestLayout(calculator, each, (), frozenset(), kept).fastest({}) for each in (free, given)]
        assert again == found


@pytest.mark.daily(3)
def test_a_sweep_says_what_the_machine_is_at_each_point() -> None:
    calculator, values = explored(SMALL)
    for name, ends in (
        ("gpus", (8.0, 64.0)),
        ("gpu_memory", (4 * 2**30, 160 * 2**30)),
        ("write_bandwidth", (1e9, 1e11)),
    ):
        found = sweeps.sweep(
            calculator, values, name, "training_duration", ends, ("oversubscription", [1.0, 2.0])
        ).run()
        for line in found.lines:
            for point, result in list(zip(found.points, line.results, strict=True))[::7]:
                declared = calculator.inputs[name]
                given = {**SMALL, name: declared.box(point), "oversubscription": str(line.value)}
                plain = training_state(given).values["training_duration"]
                assert result == pytest.approx(plain, rel=1e-9), (name, point)


def test_turned_round_each_answer_gives_what_was_asked_when_it_is_given() -> None:
    calculator, values = explored(SMALL)
    wanted = values["training_duration"] * 0.9
    found = solve.solve(calculator, values, "peak_flops", "training_duration", wanted).run()
    assert found.answers
    for one in found.answers:
        after = training_state({**SMALL, "peak_flops": f"{one.value!r}"}).values["training_duration"]
        assert after == pytest.approx(one.result, rel=1e-9)
        assert not one.met or after == pytest.approx(wanted, rel=1e-6)


def test_on_both_sides_of_an_edge_the_machine_has_the_verdicts_that_are_reported() -> None:
    calculator, values = explored(SMALL)
    seen = 0
    for verdict, name in (
        ("fits", "gpus"),
        ("fits", "gpu_memory"),
        ("communication_overlapped", "oversubscription"),
        ("time_kept", "failure_rate"),
    ):
        for edge in margins.thresholds(calculator, values, name, verdict).run():
            for value, message in ((edge.last, edge.below), (edge.first, edge.above)):
                there = training_state({**SMALL, name: calculator.inputs[name].box(value)}).values[verdict]
                assert there.level == message.level, (verdict, name, value)
                seen += 1
    assert seen >= 4


def test_what_the_changes_make_adds_up_to_the_difference_of_two_machines() -> None:
    report = ask("compare", {"result": "training_duration"}, states=["gpus=32&model=llama-2-7b&tokens=5B"])
    heads = report["review"]["tables"][0]["heads"]
    assert heads == ["", "A", "Now"]
    (rows,) = ({row["cells"][0]: row["cells"][1:] for row in table["rows"]} for table in report["review"]["tables"][1:])
    other = training_state({"gpus": "32", "model": "llama-2-7b", "tokens": "5B"})
    assert rows["Training time"][0] == other.calculator.text("training_duration", other.values["training_duration"])


@pytest.mark.daily(3)
def test_attributions_of_machines_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--model", "llama-2-7b", "--gpus", "16", "--tokens", "10B")
    link = "model=llama-2-7b&accelerator=h100-sxm&gpus=64&tokens=10B&gpu_memory=40GiB&failure_rate=2&tensor_parallel=4"
    assert main(["machine", *given, "--compare", link, "--result", "training_duration", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["attributions"]
    assert {part["change"] for part in found["parts"]} == {"gpus", "gpu_memory", "failure_rate", "tensor_parallel"}
    assert sum(part["part"] for part in found["parts"]) == pytest.approx(found["after"] - found["before"], rel=1e-9)
    there = training_state(dict(pair.split("=") for pair in link.split("&")))
    assert found["after"] == pytest.approx(there.values["training_duration"], rel=1e-9)


def test_gpus_that_a_deadline_found_are_kept_and_the_review_says_so() -> None:
    given = {"model": "llama-2-7b", "tokens": "10B", "deadline": "3 d"}
    report = ask("sweep", {"input": "oversubscription"}, given=given)
    assert any(note.startswith("GPU count: as found") for note in report["review"]["notes"])
    assert not any("GPU count:" in note for note in ask("sweep", {"input": "oversubscription"})["review"]["notes"])


@pytest.mark.parametrize(
    ("asks", "given", "notes"),
    [
        ("solve", "", ["Tried: the main inputs", "The fastest layout is searched", "GPU count:"]),
        ("solve", "gpus", ["The fastest layout is searched", "GPU count:"]),
        ("margins", "gpus", ["Tried: the main inputs", "The fastest layout is searched", "GPU count:"]),
        ("sweep", "", ["The fastest layout is searched", "GPU count:"]),
        ("tornado", "", ["For one input, the layout is searched", "GPU count:"]),
        ("compare", "", []),
    ],
)
def test_a_review_notes_how_the_layout_and_the_gpus_were_found(asks: Ask, given: str, notes: list[str]) -> None:
    question: Question = {"asks": [asks], "calculator": "machine", "review": {"input": given}}
    for size in (Size(gpus=8, word="the fewest", kept=True), None):
        found = cast("TrainingState", SimpleNamespace(size=size))
        message = machine_review._notes(found, question, asks)
        expected = [note for note in notes if size or not note.startswith("GPU count")]
        assert len(message) == len(expected)
        assert all(text.startswith(note) for text, note in zip(message, expected, strict=True))
    serves = WorkloadState(**dict.fromkeys(("kind", "calculator", "resolved", "values"), cast("Any", None)))
    assert [text.split(" and ")[0] for text in machine_review._notes(serves, question, asks)] == [
        note for note in notes if note.startswith("Tried")
    ]


def test_notes_come_after_those_of_the_exploration_and_not_next_to_a_problem() -> None:
    shown: dict[str, Any] = {"problem": "", "notes": ["first"]}
    assert machine_review._noted({"review": shown}, ["second"])["review"]["notes"] == ["first", "second"]  # type: ignore[typeddict-item]
    for part in ({}, {"review": shown | {"problem": "Which input?"}}):
        assert machine_review._noted(part, ["second"]) == part  # type: ignore[arg-type]


@pytest.mark.daily(5)
@pytest.mark.parametrize("asks", ["solve", "sweep", "tornado", "compare", "record"])
def test_the_exploration_can_be_stopped_between_any_two_trials(asks: str) -> None:
    review = {"result": "run_price", "wanted": "1,000 USD", "input": "gpus"} if asks == "solve" else {}
    asked: dict[str, Any] = {
        "review": review,
        "slice_ms": 0,
        "states": ["gpus=32"],
        "record": {"alternatives": ["gpus=32"]},
    }
    whole: dict[str, Any] = {}
    part, slices = ask(asks, **asked), 1
    while "cursor" in part:
        whole.update(part)
        part, slices = ask(asks, **asked, cursor=part["cursor"]), slices + 1
    whole.update(part)
    assert slices > (20 if asks == "compare" else 100)
    assert whole["record"]["sections"] if asks == "record" else not whole["review"]["problem"]


def test_a_machine_that_no_layout_takes_is_reported_as_a_problem_of_its_gpus() -> None:
    report = ask("sweep", {"input": "gpus"}, given={**SMALL, "data_parallel": "9"})
    assert report["problems"]["gpus"].startswith("No layout of 8 GPUs has data parallel 9: ")
    assert "review" not in report


@pytest.mark.parametrize(
    ("name", "varied"),
    [("machine_serving", "request_rate"), ("machine_rag", "documents"), ("machine_rl", "output_tokens")],
)
def test_a_system_of_any_workload_is_explored(name: str, varied: str) -> None:
    for asks, asked in (("tornado", {}), ("sweep", {"input": varied}), ("compare", {})):
        report = ask(asks, asked, name, given={}, states=["gpus=64"])
        assert report["review"]["sentences"], asks


@pytest.mark.daily(3)
def test_the_command_line_reviews_machines_of_both_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    small = ["machine", "--model", "llama-2-7b", "--gpus", "16", "--tokens", "10B"]
    assert main([*small, "--solve", "run_price=2000", "--for", "gpus", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["solutions"]
    assert main(["machine", "--job", "serve", "--sweep", "request_rate", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["lines"]
    assert main([*small, "--record"]) == 0
    printed = capsys.readouterr().out
    assert "machine/#" in printed
    assert main([*small, "--tornado", "nothing"]) == 2
    assert "“nothing” is not a numeric result" in capsys.readouterr().err

"""The layout is found: the same as by trying every one, with what is pinned, and described in words."""

from __future__ import annotations

import dataclasses
import math
from types import SimpleNamespace
from typing import Any, cast

import pytest

from calculators.declare import InputError
from calculators.machine.description import machine
from calculators.machine.layout import runner_up
from calculators.machine.layout.found import Found, Layout
from calculators.machine.layout.search import search
from calculators.machine.training_state import TrainingState, training_state
from tests.machine.small_jobs import every_layout, job
from tests.machine.test_bottlenecks import SMALL


@pytest.fixture(scope="module")
def small() -> TrainingState:
    return training_state(SMALL)


@pytest.mark.daily(5)
@pytest.mark.parametrize("seeds", [range(start, start + 20) for start in range(0, 200, 20)], ids=str)
def test_the_search_finds_what_trying_every_layout_finds(seeds: range) -> None:
    for seed in seeds:
        found_by_trying_all(seed)


def gpus_of(layout: dict[str, Any]) -> float:
    degrees = ("tensor_parallel", "pipeline_parallel", "context_parallel", "data_parallel")
    return float(math.prod(layout[name] for name in degrees))


def found_by_trying_all(seed: int) -> None:
    values = job(seed)
    calculator = machine()
    found = search(calculator, values, frozenset())
    layouts = list(every_layout(values))
    keys = {tuple(layout.values()) for layout in layouts}
    assert found.space <= len(layouts)
    assert all(tuple(one.inputs.values()) in keys for one in found.best)
    if not layouts:
        assert not found.best
        return
    fitting: list[tuple[float, bool]] = []  # time of a token, and whether more than half of the GPUs work
    roomy: list[tuple[float, bool]] = []
    tried = calculator.trials(values, layouts[0], ("step_time", "tokens_per_step", "training_memory"))
    for layout in layouts:
        after = tried(layout)
        if after["training_memory"] <= values["gpu_memory"]:
            fitting.append((after["step_time"] / after["tokens_per_step"], 2 * gpus_of(layout) > values["gpus"]))
            roomy += fitting[-1:] if after["training_memory"] <= values["memory_limit"] else []
    assert found.fits == bool(fitting)
    if fitting:
        # Larger micro-batches are not tried on less than half of the GPUs, which may win where these are a few.
        among = roomy or fitting
        busy = [time for time, is_busy in among if is_busy] or [time for time, _ in among]
        assert min(among)[0] * (1 - 1e-12) <= found.best[0].time <= min(busy) * (1 + 1e-12), seed
        assert [one.time for one in found.best] == sorted(one.time for one in found.best)
        assert len(found.best) == 32 or len(found.best) <= len(fitting)
    assert found.tried <= found.space


def test_among_these_jobs_are_some_that_fit_and_some_that_do_not() -> None:
    fits = {search(machine(), job(seed), frozenset()).fits for seed in range(10)}
    assert fits == {True, False}


def test_what_is_pinned_stays_and_the_rest_is_found() -> None:
    found = training_state({"tensor_parallel": "4", "data_parallel": "64"})
    assert (found.values["tensor_parallel"], found.values["data_parallel"]) == (4, 64)
    assert found.values["layout_gpus"] <= found.values["gpus"] == 16384
    assert found.pinned == {"tensor_parallel", "data_parallel"}
    assert "pinned: data_parallel, tensor_parallel" in runner_up.sentences(found)[0]
    free = training_state({})
    assert found.layout.best[0].time > free.layout.best[0].time
    assert found.layout.space < free.layout.space


def test_groups_of_layers_are_interleaved_over_more_than_one_stage() -> None:
    """One rank would hold Llama 3 8B, and has nothing to interleave with."""
    job = {"model": "llama-3-8b", "gpus": "64"}
    assert training_state(job).values["pipeline_parallel"] == 1
    values = training_state({**job, "interleave": "4"}).values
    assert (values["interleave"], values["pipeline_parallel"] > 1) == (4, True)
    with pytest.raises(InputError, match=r"\(interleaving\) 1 or pipeline parallel 2 would do"):
        training_state({**job, "interleave": "4", "pipeline_parallel": "1"})


def test_llama_3_405b_is_laid_out_as_its_report_says() -> None:
    """Table 4 of the report: 8 tensor ranks, 16 stages and 128 replicas, no context ranks at 8,192 tokens.

    Its GPUs are nearly full; the margin that is left free by default excludes it.
    """
    values = training_state({"model": "llama-3-1-405b", "gpus": "16384", "memory_margin": "0"}).values
    degrees = ("tensor_parallel", "pipeline_parallel", "data_parallel", "context_parallel")
    assert [values[name] for name in degrees] == [8, 16, 128, 1]


def test_the_runner_up_is_slower_and_the_reason_is_the_part_that_grew_most() -> None:
    found = training_state({"model": "llama-3-70b", "gpus": "64", "tokens": "50B"})
    text = runner_up.described(found)
    other = found.calculator.after(found.values, text["runner_up"])
    assert other["training_duration"] > found.values["training_duration"]
    here, there = (each["step_time"] / each["tokens_per_step"] for each in (found.values, other))
    (sentence,) = (one for one in text["said"] if one.startswith("The next best"))
    share = float(sentence.partition(" takes ")[2].partition("% longer")[0]) / 100
    assert share == pytest.approx(there / here - 1, rel=0.01)
    named = sentence.rpartition("more ")[2].rstrip(".")
    tokens = found.values["tokens_per_step"], other["tokens_per_step"]
    grown = {
        word: other[name] / tokens[1] - found.values[name] / tokens[0]
        for word, name in {
            "arithmetic": "compute_time",
            "bubble": "bubble_time",
            "exposed tensor parallelism": "exposed_tensor_time",
            "exposed pipeline transfers": "exposed_pipeline_time",
            "exposed data parallelism": "exposed_data_time",
            "exposed context parallelism": "exposed_context_time",
        }.items()
    }
    assert named == max(grown, key=lambda word: grown[word])


def test_the_part_that_grew_most_is_that_of_a_token() -> None:
    """For 100 tokens 10 s of arithmetic and 2 s of bubble, for 200 tokens 21 s and 6 s: 5 ms and 10 ms more each."""
    nothing = dict.fromkeys(runner_up._COSTS, 0.0)
    steps = {
        "best": nothing | {"tokens_per_step": 100, "compute_time": 10, "bubble_time": 2},
        "other": nothing | {"tokens_per_step": 200, "compute_time": 21, "bubble_time": 6},
    }
    calculator = SimpleNamespace(trials=lambda *_: lambda inputs: steps[inputs["which"]])
    found = cast("TrainingState", SimpleNamespace(calculator=calculator, values={}))
    best, other = (cast("Layout", SimpleNamespace(inputs={"which": which})) for which in steps)
    assert runner_up._grown(found, best, other) == "bubble"


@pytest.mark.parametrize(
    ("times", "text"), [(0.99, "or as fast."), (1.0, "or as fast."), (1.25, "takes 25% longer: more ")]
)
def test_a_published_layout_says_how_much_longer_it_takes(small: TrainingState, times: float, text: str) -> None:
    """One that no search tries, an odd micro-batch say, may be quicker than the best."""
    best = small.layout.best[0]
    published = Found(best=(dataclasses.replace(best, time=times * best.time),), fits=True, space=1, tried=1)
    assert text in runner_up._published(small, best, published)


def test_the_runner_up_is_the_first_that_takes_longer() -> None:
    best = [cast("Layout", SimpleNamespace(time=time)) for time in (1.0, 1.0, 1.5, 1.5)]
    for layouts, place in ((best, 2), (best[1:], 2), (best[:2], None), (best[:1], None)):
        found = cast("TrainingState", SimpleNamespace(layout=SimpleNamespace(best=layouts)))
        expected = None if place is None else best[place]
        assert runner_up._slower(found) is expected


def test_a_layout_is_named_by_the_degrees_that_split_something() -> None:
    values = machine().evaluate({"data_parallel": 3.0})
    inputs: dict[str, Any] = {
        "expert_parallel": 1.0,
        "micro_batch": 2.0,
        "recompute": "full",
        "zero_stage": 1,
        "context_parallel": 1.0,
        "data_parallel": 3.0,
    }
    layout = Layout(time=1, memory=1, tensor_parallel=4.0, pipeline_parallel=2.0, interleave=2.0, **inputs)
    named = "tensor 4, pipeline 2, data 3, micro-batch 2, 2 virtual pipeline stages per rank, ZeRO-1, full "
    assert runner_up._named(values, layout) == f"{named}recomputation"
    alone = dataclasses.replace(layout, tensor_parallel=1.0, pipeline_parallel=1.0, interleave=1.0, recompute="none")
    one = machine().evaluate({"data_parallel": 1.0})
    assert runner_up._named(one, alone) == "one rank, micro-batch 2, no recomputation"


def test_a_model_that_fits_nowhere_is_reported_by_the_layout_that_lacks_least() -> None:
    found = training_state({"model": "llama-3-1-405b", "gpus": "8"})
    assert not found.layout.fits
    assert runner_up.sentences(found)[0].startswith("None of ")
    assert found.values["fits"].level == "bad"

"""A machine that serves: its calculators joined, each the same alone; gains in GPUs, limits, and what to change."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from calculators.__main__ import main
from calculators.answers import answer
from calculators.catalog import CALCULATORS
from calculators.declare import InputError, Verdict
from calculators.machine import hall_and_storage
from calculators.machine.changes import changes
from calculators.machine.report.change_texts import described
from calculators.machine.resources import bottlenecks
from calculators.machine.serving import PARTS, RATES, SERVICE, SERVING, gpus_by_load
from calculators.machine.state import machine_state
from calculators.machine.training import TRAINING
from calculators.machine.workload import WorkloadState

OF_HALL = {one.name for one in hall_and_storage.FORMULAS}
SERVE = {"job": "serve"}
STATES: list[dict[str, str]] = [
    {},
    {"model": "deepseek-v3", "serving_tensor_parallel": "16", "request_rate": "50", "disaggregated": "yes"},
    {"accelerator": "a100-sxm-80gb", "paid": "own", "gpus": "32"},
]


LONG_PROMPTS = {
    "model": "qwen3-235b-a22b",
    "accelerator": "h20-sxm",
    "request_rate": "3",
    "input_tokens": "8000",
    "output_tokens": "1000",
    "tpot_target": "50 ms",
}


def serving_with(**given: str) -> WorkloadState:
    found = machine_state({**SERVE, **given})
    assert isinstance(found, WorkloadState)
    return found


def same(one: Any, other: Any) -> bool:
    if isinstance(one, Verdict | str | bool) or one is None:
        return bool(one == other)
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-300)


@pytest.mark.parametrize("given", STATES, ids=str)
def test_every_calculator_opened_from_it_gives_the_same_figures(given: dict[str, str]) -> None:
    found = serving_with(**given)
    for part in (CALCULATORS[name] for name in PARTS):
        alone = part.evaluate({name: found.values[name] for name in part.inputs})
        # A calculator gets what the machine takes as the hall's limits; the machine knows that none was given.
        steps = [name for name in part.steps if name not in OF_HALL]
        assert [name for name in steps if not same(alone[name], found.values[name])] == [], part.name


def test_gpus_that_the_load_does_not_need_are_offered_back() -> None:
    """24 of 64 GPUs serve the default load; without the others a year costs less, and nothing turns red."""
    offered = next(one for one in changes(serving_with(gpus="64")) if "gpus" in one.given)
    assert (offered.given, offered.breaks) == ({"gpus": "24"}, ())
    assert offered.price > 0


def test_a_mixture_is_offered_experts_over_more_gpus_with_attention_of_each() -> None:
    """Kimi K2 on GB200: 96 of 240 GPUs, over a million dollars less; on 16 given GPUs, groups of at most 16."""
    given = {"model": "kimi-k2", "gpu": "gb200", "request_rate": "40", "isl": "8000", "osl": "1000"}
    wide = {"serving_tensor_parallel", "serving_expert_parallel", "ep_weight_filter"}
    (offered,) = (one for one in changes(serving_with(**given)) if one.given.keys() == wide)
    assert offered.breaks == ()
    after = serving_with(**{**given, **offered.given})
    assert after.values["gpus"] == 96 < serving_with(**given).values["gpus"] / 2
    assert offered.price > 1e6
    small = serving_with(**given, gpus="16")
    proposed = [changed for one in small.proposals() if one for changed, _ in [one]]
    assert all(one.get("serving_expert_parallel", 1) <= 16 for one in proposed)
    # A dense model has no experts to divide.
    dense = [one for one in serving_with(gpus="64").proposals() if one]
    assert all("serving_expert_parallel" not in changed for changed, _ in dense)


def test_the_storage_system_must_read_the_weights_of_all_replicas_and_no_checkpoints() -> None:
    """Of 141.1 GB and 3 copies in 60 s: 7.06 GB/s; the rate of writing is none."""
    values = serving_with(model="llama-3-70b").values
    assert values["weights_replicas"] == values["replicas"] == 3
    assert values["read_demand"] == pytest.approx(3 * 70553706496 * 2 / 60, rel=1e-9)
    assert values["write_demand"] == 0


def test_replicas_that_share_experts_read_all_of_them_unless_they_load_only_their_own() -> None:
    """Each of 96 GPUs reads a terabyte in a minute, 1.64 TB/s; with the filter five terabytes in all."""
    given = {"model": "kimi-k2", "gpu": "gb200", "request_rate": "40", "isl": "8000", "osl": "1000"}
    given |= {"tp": "1", "ep": "32"}
    for only, replicas in (("no", 96), ("yes", 5)):
        v = serving_with(**given, ep_weight_filter=only).values
        kept = v["serving_weight_memory"] * v["serving_tensor_parallel"]
        assert math.isclose(v["loaded_weights"], kept if only == "yes" else v["weights_size"], rel_tol=1e-9)
        assert v["weights_replicas"] == replicas == math.ceil(96 * v["loaded_weights"] / v["weights_size"])
        assert v["weights_load_rate"] == pytest.approx(v["weights_size"] * replicas / 60)


def test_what_is_rented_besides_the_gpus_is_room_for_what_the_replicas_load() -> None:
    """Four versions of 141.1 GB, and no petabyte of a training job: 24 GPUs at 3 $ for 8,766 hours, and egress."""
    values = serving_with(model="llama-3-70b").values
    assert values["stored"] == values["hot_stored"] == pytest.approx(4 * 70553706496 * 2, rel=1e-9)
    assert values["yearly_price"] == pytest.approx(24 * 3 * 8_766 + values["yearly_egress_cost"], rel=1e-3)


def test_what_limits_is_reported_in_the_words_of_the_job() -> None:
    assert "needs the fewest GPUs" in bottlenecks.definition(serving_with().kind)
    assert "ends the run earliest" in bottlenecks.definition(TRAINING)


def test_the_gpus_are_those_of_the_requests_unless_they_are_given_and_then_they_are_a_limit() -> None:
    assert serving_with().values["gpus"] == serving_with().values["serving_gpus"] == 24
    short = bottlenecks.limit(bottlenecks.resources(serving_with(gpus="16")))
    assert short.resource.key == "gpus"
    assert short.resource.margin == pytest.approx((16 - 24) / 16)


@pytest.mark.parametrize("rate", RATES, ids=lambda rate: rate.key)
def test_a_marginal_gain_is_how_many_gpus_fewer_ten_percent_more_takes(rate: Any) -> None:
    found = serving_with(disaggregated="yes")
    known = {one.key: one for one in bottlenecks.resources(found)}[rate.key]
    given = {**found.resolved.explicit, rate.inputs[0]: 1.1 * found.values[rate.inputs[0]]}
    better = found.calculator.evaluate(given)["gpus_by_load"]
    assert known.gain == pytest.approx(found.values["gpus_by_load"] / better - 1, rel=1e-12)


def test_gpus_by_the_load_round_up_to_those_of_whole_replicas() -> None:
    values = serving_with(request_rate="100").values
    each = values["serving_tensor_parallel"]
    assert math.ceil(values["gpus_by_load"] / each) * each == values["serving_gpus"]


def test_prompts_on_gpus_of_their_own_come_on_top_of_the_load() -> None:
    """5 requests a second of 0.5 s keep 2.5 copies busy, 2.5 / 0.7 at seven tenths; answers 5 / (3.5 x 0.7)."""
    load = {
        "request_rate": 5,
        "replica_request_rate": 3.5,
        "target_utilization": 0.7,
        "prefill_time": 0.5,
        "serving_tensor_parallel": 8,
    }
    assert gpus_by_load.function(**load, disaggregated=True) == pytest.approx(8 * (5 / 2.45 + 2.5 / 0.7))


def test_the_traffic_is_not_for_change_and_a_change_gives_what_is_reported() -> None:
    found = serving_with()
    known = changes(found)
    assert known
    for change in known:
        assert change.given.keys().isdisjoint({"request_rate", "input_tokens", "output_tokens", "tpot_target", "model"})
        after = serving_with(**change.given)
        saved = found.values["gpus_by_load"] - after.values["gpus_by_load"]
        assert saved == pytest.approx(change.first, rel=1e-6, abs=1e-6), change.title


def test_a_change_says_how_many_gpus_it_takes_where_it_takes_others() -> None:
    """Qwen3 235B on H20s: sized for p95 it takes 240 of them, though the load alone needs no more than before."""
    found = serving_with(**LONG_PROMPTS)
    known = changes(found)
    other = 0
    for change, one in zip(known, described(found, known), strict=True):
        gpus = serving_with(**{**LONG_PROMPTS, **change.given}).values["gpus"]
        assert change.gpus == gpus
        assert (f"{gpus:.0f} GPUs instead of 88 GPUs" in one["first_text"]) == (gpus != 88)
        other += gpus != 88
    assert 0 < other < len(known)
    (sized,) = (one for one in described(found, known) if one["given"] == {"sizing": "objective"})
    assert sized["first_text"] == "240 GPUs instead of 88 GPUs"


@pytest.mark.parametrize("batch", ["8", "300", "4096"])
def test_a_batch_that_was_given_is_offered_as_memory_and_the_target_allow_it(batch: str) -> None:
    """Too small a batch takes more GPUs, a large one is too slow for each user, and a larger one does not fit."""
    offered = changes(serving_with(concurrent_sequences=batch))[0]
    assert offered.given == {"concurrent_sequences": "60"}
    assert "Latency targets" in offered.fixes
    assert serving_with(**offered.given).values["targets_met"].level != "bad"
    assert not any("concurrent_sequences" in one.given for one in changes(serving_with()))


def test_the_sentence_has_the_ttft_that_its_verdict_judges() -> None:
    found = serving_with(**LONG_PROMPTS)
    assert found.values["ttft"] < 2 < found.values["ttft_p95"]
    assert "after a TTFT of 1.65 s (3.26 s at p95)" in answer.sentence(found.calculator, found.values)


def test_weights_without_room_for_a_sequence_are_refused() -> None:
    with pytest.raises(InputError, match="leave no memory"):
        serving_with(model="llama-3-1-405b", serving_tensor_parallel="8", weight_bytes="2")


def test_a_machine_trains_unless_it_is_asked_to_serve(capsys: pytest.CaptureFixture[str]) -> None:
    assert machine_state({"model": "llama-2-7b", "gpus": "8"}).kind.name == "train"
    assert len(SERVING.form) <= 10
    assert main(["machine", "--job", "serve", "--request-rate", "20", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["kind"] == "serve"
    assert {"results", "limiting_pillar", "pillars", "changes"} <= printed.keys()
    assert main(["machine", "--job", "serve", "--markdown"]) == 0
    assert "| Memory bandwidth |" in capsys.readouterr().out
    assert main(["machine", "--job", "serve", "--tokens", "1T"]) == 2
    assert "unknown option --tokens" in capsys.readouterr().err


def test_the_gpus_given_are_those_that_run_are_priced_and_judged() -> None:
    """64 GPUs are eight replicas of eight: the traffic needs three, and one may fail."""
    found = SERVICE.state({"gpus": "64"})
    values = found.values
    assert (values["replicas"], values["serving_gpus"], values["gpus_needed"], values["gpus"]) == (8, 64, 24, 64)
    assert values["replica_failure"].level == "good"
    assert "takes 64 GPUs" in answer.sentence(found.calculator, values)
    assert values["yearly_price"] == pytest.approx(
        64 / 24 * SERVICE.state({"gpus": "24"}).values["yearly_price"], rel=1e-3
    )
    few = SERVICE.state({"gpus": "16"})
    assert few.values["serving_gpus"] == 16
    with pytest.raises(InputError, match="One replica takes 8"):
        SERVICE.state({"gpus": "4"})


def test_a_million_tokens_cost_the_same_here_and_in_inference_for_a_rate_and_for_users() -> None:
    """Users of a replica that is not full read faster, and send more than was planned with: both count what is sent.

    The planner's year has 0.2% of shared storage besides its GPUs at $3 an hour.
    """
    for given in ({"request_rate": "15"}, {"concurrent_users": "500", "think_time": "20"}):
        values = serving_with(money_per="million", **given).values
        gpus_alone = values["serving_gpus"] * 3 / (values["traffic_rate"] * values["output_tokens"] * 3600) * 1e6
        assert values["cost_per_million_output"] == pytest.approx(gpus_alone, rel=1e-9)
        assert values["yearly_shown"] == pytest.approx(gpus_alone, rel=0.005)

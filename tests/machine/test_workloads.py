"""RAG and RL post-training as systems: what one calculator gives another there, by hand."""

from __future__ import annotations

import json

import pytest

from calculators.__main__ import main
from calculators.answers import answer
from calculators.catalog import CALCULATORS
from calculators.declare import Values
from calculators.machine import changes
from calculators.machine.post_training import ROLLOUTS
from calculators.machine.rag import ANSWERING
from calculators.machine.report import bill, formats
from calculators.machine.resources import bottlenecks
from calculators.machine.serving import SERVICE
from calculators.machine.state import WORKLOADS
from calculators.machine.workload import Workload
from calculators.units import HOUR

QWEN = 32.76e9  # parameters, as the menu says to three digits
EACH = pytest.mark.parametrize("workload", WORKLOADS.values(), ids=lambda one: one.kind.name)


def rl(**given: str) -> Values:
    return ROLLOUTS.state(given).values


def rag(**given: str) -> Values:
    return ANSWERING.state(given).values


def test_checkpoints_and_rollouts_of_a_run_are_what_its_storage_is_sized_for() -> None:
    """14 B a parameter every so many steps; the rollouts of a step, over the time of a step."""
    values = rl(model="qwen3-32b", gpus="64")
    assert values["checkpoint_size"] == pytest.approx(14 * QWEN, rel=1e-3)
    assert values["checkpoint_interval"] == pytest.approx(values["checkpoint_every"] * values["rl_step_time"])
    assert values["required_write_bandwidth"] >= values["checkpoint_size"] / values["write_window"]
    assert values["logged_per_day"] == pytest.approx(
        values["logs_per_day"] + values["rollout_bytes_per_step"] / values["rl_step_time"] * 24 * HOUR
    )


def test_every_rollout_engine_reads_the_weights_at_a_start() -> None:
    """32 GPUs in engines of four are eight: eight times two bytes a parameter in 60 s."""
    values = rl(model="qwen3-32b", gpus="64", train_gpus="32", serving_tensor_parallel="4", load_window="60s")
    assert values["weights_replicas"] == 8
    assert values["read_demand"] == pytest.approx(8 * 2 * QWEN / 60, rel=1e-3)


def test_a_run_is_paid_by_its_gpu_hours_and_those_of_an_owner_cost_what_used_hours_cost() -> None:
    values = rl(model="qwen3-32b", gpus="64", price_per_gpu_hour="2.50")
    hours = values["rl_steps"] * values["rl_step_time"] / values["goodput"] / HOUR * 64
    assert values["rl_run_price"] == pytest.approx(hours * 2.5 + values["sandbox_cost"])
    owned = rl(model="qwen3-32b", gpus="64", paid="own")
    assert owned["rl_run_price"] == pytest.approx(hours * owned["own_per_used_hour"] + owned["sandbox_cost"])


def test_gpus_of_a_reward_model_are_paid_and_reported_as_outside_the_hall() -> None:
    found = ROLLOUTS.state({"algorithm": "ppo", "gpus": "64", "reward_gpus": "8"})
    assert found.values["rl_gpu_hours"] == pytest.approx(found.values["rl_duration"] / HOUR * 72)
    assert any("8 GPUs of the reward model" in text for text in answer.warnings(found.calculator, found.values))


def test_pairs_that_are_there_already_need_no_engine() -> None:
    values = rl(algorithm="dpo", model="llama-3-8b", gpus="16")
    assert values["rollout_copies"] == 0
    assert values["weights_replicas"] == 1
    assert values["rl_run_price"] > 0


def test_a_run_that_does_not_fit_has_no_speed_and_no_price_in_its_sentence() -> None:
    """DeepSeek-V3 takes 16 B for each of 671B parameters: 84 GB on each of 128 H100, next to logits, of 80 GiB."""
    for given, said in (
        (
            {"model": "deepseek-v3", "gpus": "512", "train_gpus": "128"},
            "Post-training 671B parameters on 512 GPUs does not fit",
        ),
        (
            {"model": "llama-3-70b", "serving_tensor_parallel": "1", "gpus": "256", "train_gpus": "128"},
            "A rollout engine of 1 rank does not fit",
        ),
    ):
        sentence = formats.sentence(ROLLOUTS.state(given))
        assert sentence.startswith(said), sentence
        assert "$" not in sentence


def test_replicas_that_cannot_keep_up_have_no_first_token_time() -> None:
    found = ANSWERING.state({"gpus": "8"})
    assert found.values["first_token_time"] is None
    assert formats.sentence(found).startswith("8 GPUs cannot serve 5 requests/s ")


def test_a_prompt_has_what_is_retrieved_in_it_and_serving_is_sized_for_that() -> None:
    """500 tokens of instructions, 100 of the question, five chunks of 512."""
    values = rag(fixed_prompt="500", question_tokens="100", top_k="5", chunk_tokens="512")
    assert values["input_tokens"] == 500 + 100 + 5 * 512
    alone = SERVICE.state({"input_tokens": "3,160"}).values
    assert values["serving_gpus"] == alone["serving_gpus"]
    assert values["ttft"] == alone["ttft"]
    assert values["first_token_time"] == values["retrieval_time"] + values["ttft"]


def test_a_year_of_search_nodes_comes_on_top_of_the_gpus() -> None:
    values = rag(index_kind="object", paid="rent")
    searching = values["search_cost_per_month"] + values["object_cost_per_month"]
    assert values["yearly_price"] == pytest.approx(values["rent_per_year"] + 12 * searching)


def test_search_nodes_take_power_and_racks_of_the_hall_unless_they_run_elsewhere() -> None:
    """Each 400 W and a rack unit: racks of 17 kW and 42 units hold 42; GPUs that search come in servers of eight."""
    here, elsewhere = rag(documents="100M"), rag(documents="100M", search_hosting="elsewhere")
    nodes = here["search_nodes"]
    assert nodes == elsewhere["search_nodes"] > 42
    assert here["it_power"] - elsewhere["it_power"] == pytest.approx(400 * nodes)
    assert here["facility_power"] - elsewhere["facility_power"] == pytest.approx(400 * nodes * here["pue"])
    assert here["racks"] - elsewhere["racks"] == -(-nodes // 42)
    assert here["gpus"] == elsewhere["gpus"]
    on_gpus = rag(index_kind="cagra", value_bytes="2")
    servers = -(-on_gpus["search_nodes"] // 8)
    assert on_gpus["search_power"] == pytest.approx(servers * on_gpus["node_power"])
    assert on_gpus["search_racks"] == servers  # 10.2 kW each, in racks of 17 kW


def test_a_hall_that_is_enough_for_the_gpus_alone_is_too_small_for_search_nodes_too() -> None:
    alone = rag(documents="100M", search_hosting="elsewhere")["facility_power"]
    given = {"documents": "100M", "hall_power": f"{alone * 1.01} W"}
    assert ANSWERING.state(given).values["hall_fits"].level == "bad"
    assert ANSWERING.state({**given, "search_hosting": "elsewhere"}).values["hall_fits"].level != "bad"


def test_the_bill_ends_on_the_cost_of_the_sentence() -> None:
    for workload, part, result in (
        (ANSWERING, "Retrieval", "yearly_price"),
        (ROLLOUTS, "Post-training run", "rl_run_price"),
    ):
        for paid in ("rent", "own"):
            found = workload.state({"paid": paid})
            items = [one for one in bill.priced(found) if one["part"] == part]
            assert items[-1]["is_total"]
            assert items[-1]["amount"] == found.values[result]
    assert {one["part"] for one in bill.priced(SERVICE.state({}))} == {
        "Purchase",
        "Per year, owned",
        "Per year, rented",
    }
    assert "Search nodes" in {line["title"] for line in bill.bill(ANSWERING.state({}))}
    assert "Search nodes" not in {line["title"] for line in bill.bill(SERVICE.state({}))}


def test_an_index_on_shared_storage_is_in_its_capacity() -> None:
    given = {"documents": "1B", "index_kind": "diskann"}
    apart, shared = rag(**given, index_place="own"), rag(**given, index_place="shared")
    assert shared["shared_index_kept"] > 1e13
    assert shared["hot_stored"] - apart["hot_stored"] == pytest.approx(shared["shared_index_kept"])


@EACH
def test_everything_that_limits_is_judged_and_has_a_calculator_of_the_system(workload: Workload) -> None:
    found = workload.state({})
    known = bottlenecks.resources(found)
    assert {one.calculator for one in known} <= set(workload.parts)
    assert bottlenecks.limit(known).message.startswith("Bottleneck")
    assert workload.kind.diagnoses <= {one.name for one in found.calculator.of_role("verdict")}


@EACH
def test_what_is_to_be_done_is_not_for_change_and_no_change_is_for_a_diagnosis(workload: Workload) -> None:
    found = workload.state({})
    steps = found.calculator.steps
    said = {steps[name].label.rstrip("?") for name in workload.kind.diagnoses}
    best = changes.changes(found)
    assert best
    for one in best:
        assert said.isdisjoint({*one.fixes, *one.breaks})
        for name in one.given:
            if name in found.calculator.inputs:
                assert found.calculator.inputs[name].group not in workload.kind.job


@EACH
def test_the_command_line_prints_the_same_as_the_library_tells(
    workload: Workload, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["machine", "--job", workload.kind.name, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["kind"] == workload.kind.name
    assert printed["sentence"] == formats.sentence(workload.state({}))
    assert {one["title"] for one in printed["bill"]} >= {"Servers", "Storage system"}


@EACH
def test_every_part_is_a_calculator_and_every_state_has_its_words(workload: Workload) -> None:
    calculator = workload.calculator()
    assert set(workload.parts) <= set(CALCULATORS)
    assert set(workload.kind.states) <= set(calculator.steps)
    shown = {name for field in workload.kind.form for name in field.names}
    assert shown <= {*calculator.inputs, *(menu.name for menu in calculator.presets)}


def test_searches_are_those_of_the_requests_that_users_send() -> None:
    """500 users send more than was planned with where replicas are not full; search and sentence take what is sent."""
    found = ANSWERING.state({"concurrent_users": "500", "think_time": "20"})
    assert found.values["traffic_rate"] > 1.1 * found.values["request_rate"]
    assert found.values["query_rate"] == found.values["traffic_rate"]
    assert f"Answering {found.calculator.text('traffic_rate', found.values['traffic_rate'])} from" in formats.sentence(
        found
    )

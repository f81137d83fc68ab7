"""Speed at a load: the calculator's closed form compared with a simulation, event by event."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from calculators import inference
from calculators.declare import InputError
from calculators.subjects.serving.inference.tables import BY_LOAD
from tests.subjects.serving.inference.simulation import Traffic, replica_of, simulated

_REQUESTS, _WARM_UP = 20_000, 3_000
_NEARLY_FULL = 0.9
_WITHIN, _MEAN_WITHIN = 0.15, 0.12
VARIED = {"inputs": 1.0, "outputs": 1.0}
VARIED_INPUTS = {"input_variation": 1, "output_variation": 1}
SMALL: dict[str, Any] = {"model": "llama-3-8b", "serving_tensor_parallel": 1}
SHORT = SMALL | {"input_tokens": 500, "output_tokens": 200, "tpot_target": "50 ms"}
MIDDLE = SMALL | {"input_tokens": 1000, "output_tokens": 300}
EXPERTS: dict[str, Any] = {"model": "deepseek-v3", "accelerator": "h200-sxm", "tpot_target": "100 ms"}
LONG = {"input_tokens": 12_000, "output_tokens": 500}
# A name, inputs of the calculator, the share of a full replica that the requests use or the users and how long they
# think, and coefficients of variation.
SCENARIOS: list[tuple[str, dict[str, Any], float | tuple[int, float], dict[str, float]]] = [
    *((f"70B at {share}", {}, share, VARIED) for share in (0.1, 0.5, 0.8, 0.9)),
    *((f"70B, all alike, at {share}", {}, share, {}) for share in (0.1, 0.5, 0.8, 0.9)),
    *((f"8B, short, at {share}", SHORT, share, {"inputs": 0.5, "outputs": 0.5}) for share in (0.3, 0.7, 0.9)),
    *((f"8B, bursts, at {share}", MIDDLE, share, VARIED | {"arrivals": 2.0}) for share in (0.5, 0.9)),
    *((f"8B, even arrivals, at {share}", MIDDLE, share, VARIED | {"arrivals": 0.5}) for share in (0.5, 0.9)),
    *((f"mixture of experts at {share}", EXPERTS, share, VARIED) for share in (0.2, 0.5, 0.8)),
    *((f"70B, long prompts, at {share}", LONG, share, {"inputs": 0.5, "outputs": 1.0}) for share in (0.3, 0.8)),
    *((f"8B, 16 slots, at {share}", SMALL | {"concurrent_sequences": 16}, share, VARIED) for share in (0.6, 0.9)),
    ("70B, drafts, at 0.6", {"draft_tokens": 3}, 0.6, VARIED),
    ("70B, prefix cache, at 0.7", {"prefix_cache_hit_rate": 0.5}, 0.7, VARIED),
    *((f"70B, {users} users", {}, (users, 0.0), VARIED) for users in (10, 40, 200, 1000)),
    *((f"70B, {users} users who think", {}, (users, think), VARIED) for users, think in ((200, 60.0), (100, 20.0))),
]
# Farther off than 15 % at p95: bursts at a nearly full replica, a tenth of the load (the few requests that wait), long
# prompts that hold slots while they are prefilled, and prompts that hold up single requests with drafts.
OUTSIDE = {
    "70B, all alike, at 0.1",
    "8B, bursts, at 0.9",
    "70B, long prompts, at 0.8",
    "70B, drafts, at 0.6",
}


def calculated(given: dict[str, Any], load: float | tuple[int, float], varied: dict[str, float]) -> tuple[Any, Traffic]:
    """Results of one replica at the load, and the traffic for the simulation."""
    described = {f"{name.removesuffix('s')}_variation": value for name, value in varied.items()}
    if isinstance(load, tuple):
        users, think = load
        found = inference(**given, **described, replicas=1, concurrent_users=users, think_time=think)
        return found, Traffic(users=users, think=think, varied=varied)
    full = inference(**given, **described, replicas=1, request_rate=0.001)
    rate = load * full.replica_request_rate
    found = inference(**given, **described, replicas=1, request_rate=rate)
    return found, Traffic(rate=rate, varied=varied)


def compared(name: str) -> dict[str, float]:
    """By how much the calculator is above the simulation, by result."""
    ((given, load, varied),) = [scenario[1:] for scenario in SCENARIOS if scenario[0] == name]
    found, traffic = calculated(given, load, varied)
    many = 6 if isinstance(load, float) and load >= _NEARLY_FULL else 1  # waits vary for longer there
    events = simulated(replica_of(found), traffic, many * _REQUESTS, many * _WARM_UP, seed=1)
    shown = {"rate": "served_request_rate"}
    return {one: getattr(found, shown.get(one, one)) / value - 1 for one, value in events.items()}


@pytest.mark.daily(3)
def test_p95_is_within_15_percent_of_the_simulation_and_the_mean_within_12() -> None:
    """Prints the table of all scenarios: pytest -s."""
    outside = set()
    for name, *_ in SCENARIOS:
        off = compared(name)
        sys.stdout.write(f"{name:34}" + "".join(f"{one} {value:+6.1%}  " for one, value in off.items()) + "\n")
        if max(abs(off[one]) for one in ("ttft_p95", "user_tpot_p95")) > _WITHIN:
            outside.add(name)
        assert max(abs(off[one]) for one in ("rate", "user_tpot")) < _MEAN_WITHIN, name
    assert len(SCENARIOS) - len(outside) >= 24
    assert outside <= OUTSIDE


def test_users_get_fewer_tokens_per_second_the_more_requests_come() -> None:
    speeds = [inference(request_rate=rate, replicas=4).tokens_per_second_per_user for rate in (0.1, 1, 5, 10, 12)]
    assert speeds == sorted(speeds, reverse=True)
    assert speeds[0] > 2 * speeds[-1]


def test_percentiles_rise_and_enclose_the_mean() -> None:
    found = inference(input_variation=1, output_variation=1)
    assert found.ttft_p50 < found.ttft < found.ttft_p95 < found.ttft_p99
    assert found.user_tpot_p50 < found.user_tpot < found.user_tpot_p95 < found.user_tpot_p99


def test_where_more_requests_come_than_are_served_the_queue_has_no_end() -> None:
    found = inference(replicas=1, request_rate=100)
    assert found.ttft is found.ttft_p95 is found.prefill_queue_time is None
    assert found.user_tpot == found.tpot
    assert found.served_request_rate == found.replica_request_rate


@pytest.mark.parametrize("users", [1, 10, 1000, 100_000])
def test_users_who_wait_for_their_answers_never_wait_without_end(users: int) -> None:
    """Little's law: each is in a queue, in prefill or decode, or thinks for 5 s."""
    found = inference(concurrent_users=users, replicas=1, think_time="5 s")
    round_trip = found.ttft + found.output_tokens * found.user_tpot + 5
    assert found.served_request_rate * round_trip == pytest.approx(users, rel=0.03)
    assert found.replica_utilization <= 1 + 1e-9


def test_throughput_ends_where_a_limit_of_sequences_ends() -> None:
    few = inference(concurrent_users=1000, replicas=1, max_concurrent_sequences=16)
    assert few.mean_running_sequences == pytest.approx(16)
    assert few.served_request_rate == pytest.approx(few.replica_request_rate)


def test_a_request_rate_and_users_exclude_each_other() -> None:
    with pytest.raises(InputError, match="exclude each other"):
        inference(concurrent_users=100, request_rate=5)


def test_cached_prompts_that_are_read_back_delay_the_first_token() -> None:
    """3,600 tokens of 40,960 B on each GPU at 100 MB/s are 1.47 s, which one prompt in ten waits for as well."""
    given = {"prefix_cache_hit_rate": 0.9, "request_rate": 0.5}
    kept, read = inference(**given), inference(**given, offload_tier="storage", offload_bandwidth="100 MB/s")
    assert read.cache_reload_time == pytest.approx(3600 * 40_960 / 100e6)
    assert read.ttft > kept.ttft + read.cache_reload_time
    assert inference(**given, offload_tier="storage", offload_bandwidth="50 MB/s").ttft is None, "reads have no end"


@pytest.mark.parametrize("rate", [5, 10, 15])
@pytest.mark.parametrize("variation", [0, 1])
def test_prompts_wait_for_a_replica_that_only_prefills_as_for_one_server(rate: float, variation: float) -> None:
    """Pollaczek and Khinchine: u / (1 - u) of half a service where all are alike, twice that with a variation of 1."""
    given = SMALL | {"accelerator": "h100-sxm", "disaggregated": "yes", "replicas": 4, "request_rate": rate}
    found = inference(**given, input_variation=variation, output_variation=0)
    used = rate / found.prefill_replicas * found.prefill_time
    wait = found.prefill_time * used / (1 - used) * (1 + variation**2) / 2
    assert found.prefill_queue_time == pytest.approx(wait)


@pytest.mark.parametrize("given", [{}, {"request_rate": 60}, VARIED_INPUTS, {"concurrent_users": 300}])
def test_replicas_for_the_objective_are_the_fewest_that_meet_both_targets_at_p95(given: dict[str, Any]) -> None:
    found = inference(**given, sizing="objective")
    assert found.replicas == found.objective_replicas
    assert found.ttft_p95 <= found.ttft_target
    assert found.user_tpot_p95 <= found.tpot_target
    fewer = inference(**given, sizing="objective", replicas=found.replicas - 1)
    assert fewer.ttft_p95 is None or fewer.ttft_p95 > fewer.ttft_target or fewer.user_tpot_p95 > fewer.tpot_target
    assert inference(**given, sizing="objective", spare_replicas=2).replicas == found.replicas + 2


def test_replicas_for_the_objective_are_whole_groups_of_experts() -> None:
    """Experts over 32 ranks, attention over 8 each: 4 replicas at a time."""
    given = EXPERTS | {"serving_expert_parallel": 32, "request_rate": 60, "sizing": "objective"}
    found, fewer = inference(**given), inference(**given, replicas=20)
    assert found.expert_groups == 4
    assert found.replicas == found.objective_replicas == 24
    assert found.ttft_p95 <= found.ttft_target
    assert found.user_tpot_p95 <= found.tpot_target
    assert fewer.ttft_p95 is None, "more requests than 20 replicas serve"


def test_where_no_number_meets_the_objective_the_utilization_decides() -> None:
    found = inference(sizing="objective", ttft_target="50 ms")
    assert found.objective_replicas is None
    assert found.replicas == inference().replicas


def test_the_table_by_load_has_four_loads_and_ends_before_the_capacity() -> None:
    rows = list(BY_LOAD.rows(inference().values))
    assert [row[0] for row in rows] == ["10%", "50%", "80%", "95%"]
    assert list(BY_LOAD.rows(inference(serving_tensor_parallel=1).values)) == []
    slow: dict[str, Any] = {"offload_tier": "storage", "prefix_cache_hit_rate": 0.9, "offload_bandwidth": "50 MB/s"}
    assert "offload tier too slow" in list(BY_LOAD.rows(inference(**slow).values))[-1]


def test_whole_experts_on_each_gpu_wait_for_the_fullest() -> None:
    """TP8 with EP8 divides whole experts, TP8 alone slices each; a reader may say how even they are."""
    experts: dict[str, Any] = {
        "model": "deepseek-v3",
        "accelerator": "h200-sxm",
        "concurrent_sequences": 64,
        "tpot_target": "1 s",
    }
    sliced, whole = inference(**experts), inference(**experts, serving_expert_parallel=8)
    even = inference(**experts, serving_expert_parallel=8, expert_imbalance=1)
    assert (sliced.expert_imbalance, whole.expert_imbalance) == (1, 1.25)
    assert sliced.serving_weight_memory == whole.serving_weight_memory
    assert whole.all_experts_time == pytest.approx(1.25 * sliced.all_experts_time)
    assert whole.tpot > 1.1 * sliced.tpot
    assert even.tpot == pytest.approx(sliced.tpot)


def test_costs_are_shown_per_million_tokens_month_or_year() -> None:
    """24 GPUs at 3 USD: 8,766 hours a year."""
    assert inference(money_per="year").fleet_cost == pytest.approx(24 * 3 * 8766)
    assert inference(money_per="month").fleet_cost == pytest.approx(24 * 3 * 8766 / 12)
    assert inference().fleet_cost == inference().cost_per_million_output
    assert inference(money_per="hour").fleet_cost == pytest.approx(3)
    assert inference(money_per="whole").fleet_cost is None
    assert "per year" in str(inference(money_per="year"))

"""Verdicts by brute force: over many states each says what its definition, written again here, says of the figures."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any

import pytest

from calculators.answers import answer
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS, joined
from calculators.declare import Calculator, Choice, Values, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

STATES = 150


def some_states(calculator: Calculator) -> Iterator[Values]:
    """The defaults with a third of the inputs anywhere on their sliders, where no check refuses them."""
    draw = random.Random(calculator.name)  # noqa: S311  no secret, and the same states every time
    defaults = parse_inputs(calculator, {}).explicit
    for _ in range(STATES):
        moved: dict[str, Any] = {}
        for name, declared in calculator.inputs.items():
            if draw.random() > 1 / 3:
                continue
            if isinstance(declared, Choice):
                moved[name] = draw.choice([option.value for option in declared.options.values()])
                continue
            low, high = declared.slider
            place = draw.random()
            value = low * (high / low) ** place if low > 0 else low + (high - low) * place
            moved[name] = float(round(value)) if declared.whole else value
        found = calculator.evaluate({**defaults, **moved})
        checks = calculator.of_role("constraint")
        if not any(check.function(*[found[need] for need in check.needs]) for check in checks):
            yield found


def graded(value: float, good: float, tight: float) -> str:
    return "good" if value >= good else "tight" if value >= tight else "bad"


def of_interval(v: Values) -> str:
    tiers = v["rare_failure_share"] is not None or v["persist_every"] > 1
    if tiers and v["durable_time_to_safe"] > v["persist_every"] * v["interval"]:
        return "bad"
    level = graded(v["goodput"] - v["goodput_at_best"], -0.005, -0.02)
    little = v["waiting_for_spare"] > 0.5 or v["goodput_at_best"] < 0.5
    return "tight" if level == "good" and little else level


def of_binding(v: Values) -> str:
    kept = max(v["fewest_nodes"], v["storage_nodes_for_endurance"], v["storage_nodes_for_capacity"])
    bursts = max(v[f"storage_nodes_for_{name}"] for name in ("read", "write", "requests", "metadata"))
    if v["storage_nodes"] < v["nodes_needed"]:
        return "bad"
    return "good" if math.ceil(kept) >= bursts else "tight"


def of_network(v: Values) -> str:
    port = v["client_network"] * v["path_efficiency"]
    carried = v["read_demand"] <= v["gpu_nodes"] * port and v["write_demand"] <= v["writer_nodes"] * port
    store = v["storage_nodes"] * v["node_network"] * v["path_efficiency"]
    return "good" if carried and store >= max(v["read_demand"], v["write_demand"]) else "bad"


def of_feeding(v: Values) -> str:
    first, later = v["first_epoch_utilization"], v["loader_headroom"]
    if later < 0.9 or v["dataset_samples"] < v["batch_size"] * v["gpus"] or v["buffer_per_node"] > v["host_memory"]:
        return "bad"
    # Next to a warning that whole epochs fall short nothing is green: several epochs of several steps.
    steps, step, batch = v["steps_per_epoch"], v["step_compute_time"], v["batch_size"] / v["loader_rate"]
    taken = max(steps * batch + step, min(v["loader_workers"], steps) * batch + steps * step)
    whole = v["epochs"] == 1 or steps == 1 or steps * step >= 0.9 * taken
    return "good" if later >= 1.25 and first >= 0.9 and whole else "tight"


def of_link(v: Values) -> str:
    return "good" if v["loader_rate"] >= v["gpu_rate"] else "tight" if v["loader_headroom"] >= 0.9 else "bad"


def of_draining(v: Values) -> str:
    stored_every = v["checkpoint_interval"] * v["persist_every"]
    late = v["time_to_safe"] > v["checkpoint_interval"] or v["durable_time_to_safe"] > stored_every
    if late or v["write_duration"] > v["write_window"]:
        return "bad"
    return "good" if v["durable_time_to_safe"] <= stored_every / 2 else "tight"


def of_bursts(v: Values) -> str:
    late = v["write_demand"] / min(v["write_supply"], v["client_supply"], v["store_network"])
    ends = 2 * v["write_window"] * max(1, late) <= v["checkpoint_interval"] * v["persist_every"]
    every = v["checkpoint_interval"] if v["persist_every"] > 1 else v["local_interval"]
    # 86,400 s over the interval are rounded once, so that saves that just touch are left aside.
    near_ends = every is None or v["local_write_time"] <= every * (1 + 1e-12)
    if not (ends and near_ends):
        return "bad"
    return "tight" if late > 1 else "good"


def of_wear(v: Values) -> str:
    every = v["checkpoint_interval"] if v["persist_every"] > 1 else v["local_interval"]
    near = v["local_bytes_per_node"] * 86400 / every / (v["local_drives"] * v["local_capacity"]) if every else 0
    return "good" if v["drive_life"] >= v["drive_warranty"] and near <= v["drive_writes_per_day"] else "bad"


DEFINITIONS: dict[tuple[str, str], Callable[[Values], str]] = {
    ("goodput", "time_kept"): lambda v: graded(v["goodput"], 0.9, 0.75),
    ("goodput", "interval_right"): of_interval,
    ("goodput", "keeps_up"): lambda v: graded(v["running_with_rare_failures"] * (1 - v["waiting_for_spare"]), 0.9, 0.5),
    ("storage_demand", "binding"): of_binding,
    ("storage_demand", "network_carries"): of_network,
    ("storage_demand", "burst_ends"): of_bursts,
    ("storage_demand", "drives_last"): of_wear,
    ("data_loader", "fed"): of_feeding,
    ("data_loader", "limiting"): of_link,
    ("data_loader", "shuffled"): lambda v: "good" if v["shuffle_reach"] >= 0.1 or v["shuffled_on_disk"] else "bad",
    ("checkpoint", "write_in_time"): of_draining,
}


@pytest.mark.parametrize("name", ["checkpoint", "goodput", "storage_demand", "data_loader"])
def test_a_verdict_says_over_many_states_what_its_definition_says(name: str) -> None:
    calculator = CALCULATORS[name]
    judged = {verdict: DEFINITIONS[name, verdict.name] for verdict in calculator.of_role("verdict")}
    seen: dict[str, set[str]] = {verdict.name: set() for verdict in judged}
    for values in some_states(calculator):
        for verdict, definition in judged.items():
            found: Verdict = values[verdict.name]
            assert found.level == definition(values), (verdict.name, answer.filled(calculator, found.reason, values))
            seen[verdict.name].add(found.level)
    assert all(len(levels) > 1 for levels in seen.values()), seen


def test_a_checkpoint_described_once_feeds_goodput_and_the_storage_system() -> None:
    machine = joined()
    size = {"parameters": 405.85e9, "checkpoint_bytes_per_parameter": 14.0, "gpus": 16384.0, "write_bandwidth": 100e9}
    waiting = machine.evaluate(size)
    assert waiting["checkpoint_stall"] == waiting["time_to_safe"] == pytest.approx(5.6819e12 / 100e9)
    assert waiting["restore_time"] == pytest.approx(5.6819e12 / 200e9)
    assert waiting["recovery_time"] == waiting["restart_time"] + waiting["restore_time"]
    # Daly's series for 56.82 s in 11,140 s: 1,125.1 s x (1 + 0.0505 / 3 + 0.0505² / 9), the save included.
    assert waiting["checkpoint_interval"] == waiting["best_interval"] == pytest.approx(1144.4, rel=1e-3)
    assert waiting["effective_interval"] == waiting["checkpoint_interval"]
    assert waiting["written_per_day"] == pytest.approx(5.6819e12 * 86400 / waiting["best_interval"])
    behind = machine.after(waiting, {"checkpoint_mode": "asynchronous"})
    assert behind["checkpoint_stall"] < 0.1
    assert behind["checkpoint_interval"] < waiting["checkpoint_interval"]
    assert behind["goodput"] > waiting["goodput"]
    assert behind["storage_nodes_for_endurance"] > 5 * waiting["storage_nodes_for_endurance"]


def test_window_and_retention_of_the_checkpoint_size_the_storage_system() -> None:
    machine = joined()
    start = machine.evaluate({"parameters": 405.85e9, "checkpoint_bytes_per_parameter": 14.0})
    quick = machine.after(start, {"write_window": 30.0, "hot_checkpoints": 10.0, "warm_checkpoints": 100.0})
    assert quick["storage_nodes_for_write"] == pytest.approx(2 * start["storage_nodes_for_write"])
    assert quick["hot_stored"] - start["hot_stored"] == pytest.approx(7 * 5.6819e12)
    assert quick["warm_stored"] - start["warm_stored"] == pytest.approx(86 * 5.6819e12)

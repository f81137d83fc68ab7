"""The closed forms of goodput compared with an event simulation without common algebra, and with a longer one.

The simulation that runs here states its standard error; the longer one ran 300 s for each figure (its errors of about
0.0002 are the tolerance).
"""

from __future__ import annotations

import math

import pytest

from calculators.answers.answer import evaluated
from calculators.answers.input_state import valid_inputs
from calculators.subjects.storage.goodput import renewal, spares, tiers
from calculators.subjects.storage.goodput.calculator import CALCULATOR
from calculators.vocabulary.erlang import erlang_b
from tests.subjects.storage.goodput.failing_job import Job, simulated, waiting

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
LLAMA3, RSC1, RSC2 = 54 * DAY * 16384 / 419, 8 * DAY / 6.50e-3, 8 * DAY / 2.34e-3
STEPS = 120_000

# GPUs, seconds between failures of one, interval (None: the best), stall, safe after, detection, recovery, and the
# share kept in the longer simulation with its standard error.
SETTINGS = [
    (8, RSC1, 60 * MINUTE, 300, 300, 0, 300, 0.91652, 0.00001),
    (1_024, RSC1, 60 * MINUTE, 60, 60, 60, 600, 0.96022, 0.00004),
    (16_384, 8 * 8 * DAY / 5e-3 / 8, None, 300, 300, 0, 300, 0.73017, 0.00011),
    (16_384, LLAMA3, None, 51, 51, 60, 540, 0.85979, 0.00010),
    (16_384, LLAMA3, None, 0.59, 51, 60, 540, 0.93334, 0.00019),
    (16_384, LLAMA3, 60 * MINUTE, 51, 51, 60, 540, 0.79100, 0.00014),
    (16_384, RSC1, 60 * MINUTE, 0.001, 0.001, 0, 300, 0.71437, 0.00017),
    (16_384, RSC1, 5 * MINUTE, 0.001, 0.001, 0, 300, 0.93289, 0.00009),
    (32_768, RSC1, None, 60, 60, 60, 600, 0.66893, 0.00016),
    (65_536, LLAMA3, 5 * MINUTE, 1, 240, 60, 300, 0.76171, 0.00022),
    (65_536, RSC1, None, 300, 300, 60, 600, 0.33855, 0.00016),
    (100_000, RSC1, 7 * MINUTE, 0.001, 0.001, 0, 300, 0.61493, 0.00023),
    (100_000, RSC2, 2 * MINUTE, 0.001, 0.001, 0, 120, 0.94089, 0.00009),
    (100_000, RSC1, 2 * MINUTE, 1, 60, 0, 600, 0.50394, 0.00035),
    (131_072, RSC1, None, 60, 60, 60, 600, 0.29468, 0.00016),
    (131_072, RSC1, None, 1, 90, 30, 180, 0.64710, 0.00025),
    (131_072, RSC1, None, 300, 300, 60, 600, 0.16316, 0.00012),
    (131_072, LLAMA3, 30, 1, 2, 15, 60, 0.90544, 0.00011),
]
# Seconds between failures, rare share, work, safe after, detection, recovery, durable each, safe after, recovery.
TIERED = [
    (LLAMA3 / 16_384, 0.05, 119, 5, 30, 60, 30, 51, 540, 0.96778, 0.00013),
    (RSC1 / 16_384, 0.10, 299, 10, 30, 120, 12, 300, 600, 0.91394, 0.00015),
    (RSC1 / 16_384, 0.02, 299, 10, 30, 120, 48, 300, 600, 0.92632, 0.00022),
    (RSC1 / 32_768, 0.10, 59, 5, 30, 60, 30, 120, 600, 0.90102, 0.00032),
    (RSC1 / 65_536, 0.10, 59, 5, 30, 60, 30, 120, 600, 0.82050, 0.00031),
    (RSC1 / 131_072, 0.05, 59, 5, 15, 60, 15, 120, 600, 0.78803, 0.00030),
    (RSC1 / 131_072, 0.02, 29, 2, 15, 60, 20, 120, 300, 0.84829, 0.00016),
]


def work(mtbf: float, interval: float | None, stall: float, safe: float) -> float:
    if interval is None:
        interval = renewal.best_interval(renewal.best_work(stall, mtbf, None, 1, 0), stall, safe)
    return max(interval, safe) - stall


def exact(mtbf: float, work: float, stall: float, safe: float, detection: float, recovery: float) -> float:
    running = renewal.running_share(mtbf, detection, recovery)
    return renewal.one_tier_share(running, mtbf, work, stall, safe)


@pytest.mark.parametrize(
    ("gpus", "gpu_mtbf", "interval", "stall", "safe", "detection", "recovery"), [s[:7] for s in SETTINGS]
)
def test_goodput_is_that_of_a_simulation_that_runs_here(
    gpus: int, gpu_mtbf: float, interval: float | None, stall: float, safe: float, detection: float, recovery: float
) -> None:
    mtbf = gpu_mtbf / gpus
    between = work(mtbf, interval, stall, safe)
    job = Job(mtbf=mtbf, work=between, stall=stall, safe=safe, detection=detection, recovery=recovery)
    mean, error = simulated(job, steps=STEPS, seed=gpus)
    assert 0 < error < 0.008
    assert abs(exact(mtbf, between, stall, safe, detection, recovery) - mean) < 4 * error


@pytest.mark.parametrize("setting", SETTINGS)
def test_goodput_is_that_of_a_longer_simulation(setting: tuple[float, ...]) -> None:
    gpus, gpu_mtbf, interval, stall, safe, detection, recovery, found, error = setting
    mtbf = gpu_mtbf / gpus
    given = exact(mtbf, work(mtbf, interval, stall, safe), stall, safe, detection, recovery)
    assert abs(given - found) < max(2.5 * error, 0.000_02)


def two_tiers(setting: tuple[float, ...]) -> float:
    mtbf, rare, between, safe, detection, recovery, every, durable_safe, durable_recovery = setting[:9]
    one = exact(mtbf, between, 1, safe, detection, recovery)
    running = renewal.running_share(mtbf, detection, recovery)
    return tiers.kept_share(
        one, rare, running, mtbf, between, 1, safe, detection, recovery, 0, every, 0, durable_safe, durable_recovery
    )


@pytest.mark.parametrize("setting", TIERED)
def test_two_tiers_keep_what_a_longer_simulation_keeps(setting: tuple[float, ...]) -> None:
    assert two_tiers(setting) == pytest.approx(setting[9], abs=max(3 * setting[10], 0.0012))


@pytest.mark.parametrize("setting", TIERED[1:6:2])
def test_two_tiers_keep_what_a_simulation_that_runs_here_keeps(setting: tuple[float, ...]) -> None:
    mean, error = simulated(tiered(setting), steps=4 * STEPS, seed=7)
    assert 0 < error < 0.008
    assert abs(two_tiers(setting) - mean) < 4 * error + 0.001


@pytest.mark.parametrize("setting", [*TIERED[1:6:2], (900.0, 0.4, 59, 5, 30, 600, 30, 51, 2400)])
def test_two_tiers_run_as_long_as_a_simulation_does(setting: tuple[float, ...]) -> None:
    """The last one has recoveries about as long as the time between failures, by both ways to restore."""
    mtbf, rare, _, _, detection, recovery, _, _, durable_recovery = setting[:9]
    mean, error = simulated(tiered(setting), steps=4 * STEPS, seed=8, of="running")
    assert 0 < error < 0.008
    running = renewal.running_share(mtbf, detection, recovery)
    found = tiers.running_with_rare_failures(running, rare, mtbf, detection, recovery, 0, durable_recovery)
    assert abs(found - mean) < 4 * error


@pytest.mark.parametrize(("between", "stall"), [(59.0, 1.0), (720.0, 1200.0), (30.0, 300.0)])
def test_stalls_take_what_they_take_in_a_simulation(between: float, stall: float) -> None:
    """Stalls longer than the time between failures too: shares of one state were more than all of the time."""
    mtbf, detection, recovery = 788.0, 30.0, 120.0
    job = Job(mtbf=mtbf, work=between, stall=stall, safe=50, detection=detection, recovery=recovery)
    mean, error = simulated(job, steps=STEPS, seed=9, of="stalled")
    assert 0 < error < 0.008
    running = renewal.running_share(mtbf, detection, recovery)
    found = tiers.stalled_while_undisturbed(running, mtbf, between, stall, 0, 1, None)
    assert abs(found - mean) < 4 * error
    kept = renewal.one_tier_share(running, mtbf, between, stall, 50)
    assert tiers.lost_while_undisturbed(running, kept, found) == pytest.approx(running - kept - found)


def tiered(setting: tuple[float, ...]) -> Job:
    mtbf, rare, between, safe, detection, recovery, every, durable_safe, durable_recovery = setting[:9]
    return Job(
        mtbf=mtbf,
        work=between,
        stall=1,
        safe=safe,
        detection=detection,
        recovery=recovery,
        rare=rare,
        every=round(every),
        durable_safe=durable_safe,
        durable_recovery=durable_recovery,
    )


@pytest.mark.parametrize("mtbf", [300.0, 600.0, 900.0])
def test_both_ways_to_count_failures_between_durable_checkpoints_agree(
    mtbf: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By logarithms where one between near saves, 600 s apart, is unlikely, and by powers where it is likely."""
    setting = (mtbf, 0.5, 600, 10, 30, 120, 5, 60, 300)
    kept = {two_tiers(setting)}
    for half in (0.0, 1.0):
        monkeypatch.setattr(tiers, "_HALF", half)
        kept.add(two_tiers(setting))
    assert max(kept) == pytest.approx(min(kept), rel=1e-9)


@pytest.mark.parametrize("rare", [0.0, 1e-9, 0.01, 0.3, 1.0])
def test_with_every_checkpoint_durable_two_tiers_are_one(rare: float) -> None:
    one = exact(RSC1 / 16_384, 299, 1, 10, 30, 120)
    running = renewal.running_share(RSC1 / 16_384, 30, 120)
    both = tiers.kept_share(one, rare, running, RSC1 / 16_384, 299, 1, 10, 30, 120, 60, 1, 0, 10, 60)
    assert both == pytest.approx(one, rel=1e-12)


@pytest.mark.parametrize(
    ("load", "nodes", "found"), [(7.76, 0, 0.88584), (7.76, 4, 0.46660), (7.76, 8, 0.16053), (50, 60, 0.01723)]
)
def test_waiting_for_a_node_is_that_of_a_longer_simulation(load: float, nodes: int, found: float) -> None:
    assert spares.waiting_for_spare(nodes, load) == pytest.approx(found, rel=0.02)


@pytest.mark.parametrize(("load", "nodes"), [(1.0, 0), (7.76, 4), (3.0, 3)])
def test_waiting_for_a_node_is_that_of_a_simulation_that_runs_here(load: float, nodes: int) -> None:
    runs = [waiting(load, nodes, 4_000, seed) for seed in range(12)]
    mean = sum(runs) / len(runs)
    error = math.sqrt(sum((run - mean) ** 2 for run in runs) / (len(runs) - 1) / len(runs))
    assert abs(spares.waiting_for_spare(nodes, load) - mean) < 4 * error


def test_the_spares_named_are_the_fewest_that_do() -> None:
    for load in (0.0, 0.005, 0.1, 1.0, 7.76, 26.6, 500.0):
        enough = spares.spares_needed(load)
        assert erlang_b(enough + 1, load) <= 0.01
        assert enough == 0 or erlang_b(enough, load) > 0.01
    assert erlang_b(spares.spares_needed(20_000.5) + 1, 20_000.5) < 0.01


# RSC-1's rate, blocking saves of 30 s, 10 min of detection and recovery, as section 2 of the longer simulation prints.
BROKEN = [
    (1_024, 41.77, 0.9705, 0.9702, 0.9690, 0.9688, 0.9686),
    (4_096, 20.97, 0.9309, 0.9288, 0.9034, 0.9001, 0.8992),
    (16_384, 10.57, 0.8269, 0.8113, 0.6765, 0.6250, 0.6219),
    (32_768, 7.52, 0.7234, 0.6788, 0.4500, 0.2583, 0.2521),
    (65_536, 5.37, 0.5668, 0.4371, 0.1856, -0.4752, -0.4874),
    (131_072, 3.85, 0.3599, -0.0137, 0.0252, -1.9420, -1.9666),
]


@pytest.mark.parametrize(("gpus", "minutes", "best", "promised", "hourly", "meta", "linear"), BROKEN)
def test_where_the_usual_forms_break(
    gpus: int, minutes: float, best: float, promised: float, hourly: float, meta: float, linear: float
) -> None:
    given = {
        "gpus": gpus,
        "gpu_mtbf": RSC1 / HOUR,
        "checkpoint_stall": 30,
        "time_to_safe": 30,
        "detection_time": 60,
        "restart_time": 540,
        "restore_time": 0,
    }
    found = evaluated(CALCULATOR, valid_inputs(CALCULATOR, given))
    assert found["best_interval"] / MINUTE == pytest.approx(minutes, abs=0.005)
    assert found["goodput"] == pytest.approx(best, abs=0.00006)
    assert found["young_goodput"] == pytest.approx(promised, abs=0.00006)
    every_hour = evaluated(CALCULATOR, valid_inputs(CALCULATOR, {**given, "checkpoint_interval": "1 h"}))
    assert every_hour["goodput"] == pytest.approx(hourly, abs=0.00006)
    assert every_hour["meta_ettr"] == pytest.approx(meta, abs=0.00006)
    assert every_hour["linear_goodput"] == pytest.approx(linear, abs=0.00006)


def test_the_best_work_is_where_goodput_is_largest() -> None:
    for mtbf in (811.2, 11_135.0, 1e6):
        for stall in (0.01, 1.0, 30.0, 300.0):
            best = renewal.best_work(stall, mtbf, None, 1, 0)
            least = exact(mtbf, best, stall, stall, 60, 600)
            assert least >= exact(mtbf, best * 1.01, stall, stall, 60, 600)
            assert least >= exact(mtbf, best * 0.99, stall, stall, 60, 600)


def test_time_until_a_checkpoint_is_safe_costs_as_much_as_restart_time() -> None:
    late = exact(11_135, 600, 1, 301, 60, 120)
    slow = exact(11_135, 600, 1, 1, 60, 420)
    assert late == pytest.approx(slow, rel=1e-12)

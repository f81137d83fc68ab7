"""Elsewhere: the same job at its best interval, on as many GPUs, on twice and on eight times as many."""

from typing import NamedTuple

from calculators.declare import formulas_of, step
from calculators.storage import renewal, spares, tiers

TWICE, EIGHT_TIMES = 2, 8


class _Renewed(NamedTuple):
    """A job at its best interval, before all that is not failures and saves."""

    mtbf: float
    work: float
    running: float
    kept: float
    stalled: float


def _renewed(mtbf: float, stall: float, safe: float, detection: float, recovery: float) -> _Renewed:
    work = renewal.best_interval(renewal.best_work(stall, mtbf), stall, safe) - stall
    running = renewal.running_share(mtbf, detection, recovery)
    kept = renewal.one_tier_share(running, mtbf, work, stall, safe)
    return _Renewed(mtbf, work, running, kept, renewal.stalled_share(running, mtbf, work, stall, safe))


def _goodput(
    times: float,
    gpus: float,
    mtbf: float,
    checkpoint_stall: float,
    time_to_safe: float,
    detection_time: float,
    restart_time: float,
    restore_time: float,
    rare_failure_share: float | None,
    durable_every: float,
    durable_stall: float,
    durable_time_to_safe: float,
    durable_restore_time: float,
    spare_nodes: float,
    nodes_in_repair: float,
    planned_loss: float,
    corruption_delay: float,
    corruption_gpu_mtbf: float | None,
) -> float:
    recovery = renewal.recovery_time(restart_time, restore_time)
    there = _renewed(mtbf / times, checkpoint_stall, time_to_safe, detection_time, recovery)
    kept = tiers.kept_share(
        there.kept,
        rare_failure_share,
        there.mtbf,
        there.work,
        checkpoint_stall,
        time_to_safe,
        detection_time,
        recovery,
        restart_time,
        durable_every,
        durable_stall,
        durable_time_to_safe,
        durable_restore_time,
    )
    return spares.goodput(
        kept,
        spares.waiting_for_spare(spare_nodes, nodes_in_repair * times),
        planned_loss,
        spares.corruption_loss(corruption_delay, there.work, recovery, gpus * times, corruption_gpu_mtbf),
    )


@step("share", "Goodput at the best interval")
def goodput_at_best(
    gpus: float,
    mtbf: float,
    checkpoint_stall: float,
    time_to_safe: float,
    detection_time: float,
    restart_time: float,
    restore_time: float,
    rare_failure_share: float | None,
    durable_every: float,
    durable_stall: float,
    durable_time_to_safe: float,
    durable_restore_time: float,
    spare_nodes: float,
    nodes_in_repair: float,
    planned_loss: float,
    corruption_delay: float,
    corruption_gpu_mtbf: float | None,
) -> float:
    """Goodput at the best interval."""
    return _goodput(
        1,
        gpus,
        mtbf,
        checkpoint_stall,
        time_to_safe,
        detection_time,
        restart_time,
        restore_time,
        rare_failure_share,
        durable_every,
        durable_stall,
        durable_time_to_safe,
        durable_restore_time,
        spare_nodes,
        nodes_in_repair,
        planned_loss,
        corruption_delay,
        corruption_gpu_mtbf,
    )


@step("share", "Goodput on twice the GPUs")
def goodput_on_twice(
    gpus: float,
    mtbf: float,
    checkpoint_stall: float,
    time_to_safe: float,
    detection_time: float,
    restart_time: float,
    restore_time: float,
    rare_failure_share: float | None,
    durable_every: float,
    durable_stall: float,
    durable_time_to_safe: float,
    durable_restore_time: float,
    spare_nodes: float,
    nodes_in_repair: float,
    planned_loss: float,
    corruption_delay: float,
    corruption_gpu_mtbf: float | None,
) -> float:
    """Goodput on twice the GPUs, at the best interval there, with the same spares."""
    return _goodput(
        TWICE,
        gpus,
        mtbf,
        checkpoint_stall,
        time_to_safe,
        detection_time,
        restart_time,
        restore_time,
        rare_failure_share,
        durable_every,
        durable_stall,
        durable_time_to_safe,
        durable_restore_time,
        spare_nodes,
        nodes_in_repair,
        planned_loss,
        corruption_delay,
        corruption_gpu_mtbf,
    )


@step("share", "Goodput on eight times the GPUs")
def goodput_on_eight(
    gpus: float,
    mtbf: float,
    checkpoint_stall: float,
    time_to_safe: float,
    detection_time: float,
    restart_time: float,
    restore_time: float,
    rare_failure_share: float | None,
    durable_every: float,
    durable_stall: float,
    durable_time_to_safe: float,
    durable_restore_time: float,
    spare_nodes: float,
    nodes_in_repair: float,
    planned_loss: float,
    corruption_delay: float,
    corruption_gpu_mtbf: float | None,
) -> float:
    """Goodput on eight times the GPUs, at the best interval there, with the same spares."""
    return _goodput(
        EIGHT_TIMES,
        gpus,
        mtbf,
        checkpoint_stall,
        time_to_safe,
        detection_time,
        restart_time,
        restore_time,
        rare_failure_share,
        durable_every,
        durable_stall,
        durable_time_to_safe,
        durable_restore_time,
        spare_nodes,
        nodes_in_repair,
        planned_loss,
        corruption_delay,
        corruption_gpu_mtbf,
    )


@step("share", "Stalled by saves, at the best interval")
def stalled_at_best(
    mtbf: float, checkpoint_stall: float, time_to_safe: float, detection_time: float, recovery_time: float
) -> float:
    """The share of wall clock in which training waits for saves, at the best interval."""
    there = _renewed(mtbf, checkpoint_stall, time_to_safe, detection_time, recovery_time)
    return there.stalled


@step("share", "Stalled by saves, on twice the GPUs")
def stalled_on_twice(
    mtbf: float, checkpoint_stall: float, time_to_safe: float, detection_time: float, recovery_time: float
) -> float:
    """The share of wall clock in which training waits for saves, on twice the GPUs."""
    there = _renewed(mtbf / TWICE, checkpoint_stall, time_to_safe, detection_time, recovery_time)
    return there.stalled


@step("share", "Stalled by saves, on eight times the GPUs")
def stalled_on_eight(
    mtbf: float, checkpoint_stall: float, time_to_safe: float, detection_time: float, recovery_time: float
) -> float:
    """The share of wall clock in which training waits for saves, on eight times the GPUs."""
    there = _renewed(mtbf / EIGHT_TIMES, checkpoint_stall, time_to_safe, detection_time, recovery_time)
    return there.stalled


@step("share", "Done twice, at the best interval")
def lost_at_best(
    mtbf: float, checkpoint_stall: float, time_to_safe: float, detection_time: float, recovery_time: float
) -> float:
    """The share of wall clock whose work is done twice, at the best interval."""
    there = _renewed(mtbf, checkpoint_stall, time_to_safe, detection_time, recovery_time)
    return renewal.lost_share(there.running, there.kept, there.stalled)


@step("share", "Done twice, on twice the GPUs")
def lost_on_twice(
    mtbf: float, checkpoint_stall: float, time_to_safe: float, detection_time: float, recovery_time: float
) -> float:
    """The share of wall clock whose work is done twice, on twice the GPUs."""
    there = _renewed(mtbf / TWICE, checkpoint_stall, time_to_safe, detection_time, recovery_time)
    return renewal.lost_share(there.running, there.kept, there.stalled)


@step("share", "Done twice, on eight times the GPUs")
def lost_on_eight(
    mtbf: float, checkpoint_stall: float, time_to_safe: float, detection_time: float, recovery_time: float
) -> float:
    """The share of wall clock whose work is done twice, on eight times the GPUs."""
    there = _renewed(mtbf / EIGHT_TIMES, checkpoint_stall, time_to_safe, detection_time, recovery_time)
    return renewal.lost_share(there.running, there.kept, there.stalled)


@step("share", "Down, on twice the GPUs")
def down_on_twice(mtbf: float, detection_time: float, recovery_time: float) -> float:
    """The share of wall clock for noticing, restarting and loading, on twice the GPUs."""
    return 1 - renewal.running_share(mtbf / TWICE, detection_time, recovery_time)


@step("share", "Down, on eight times the GPUs")
def down_on_eight(mtbf: float, detection_time: float, recovery_time: float) -> float:
    """The share of wall clock for noticing, restarting and loading, on eight times the GPUs."""
    return 1 - renewal.running_share(mtbf / EIGHT_TIMES, detection_time, recovery_time)


FORMULAS = formulas_of(globals())

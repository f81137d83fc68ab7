"""Shortcuts: what the usual sums and other definitions of goodput make of the same numbers, to stand beside ours."""

from math import sqrt

from calculators.declare import formulas_of, step


@step("share", "By adding losses up", source="daly-2006")
def linear_goodput(
    interval: float,
    checkpoint_stall: float,
    time_to_safe: float,
    detection_time: float,
    recovery_time: float,
    mtbf: float,
) -> float:
    """Young's bookkeeping of 1974: the stall, half an interval done twice, the wait until safe, and getting up again.

    Each loss is counted as if the others left the time untouched; below zero once they are larger than the time.

    >>> round(linear_goodput(3600, 30, 30, 60, 540, 811.2), 2)  # RSC-1's rate on 131,072 GPUs, saved hourly
    -1.97
    """
    lost_by_failures = interval / 2 + time_to_safe - checkpoint_stall + detection_time + recovery_time
    return 1 - checkpoint_stall / interval - lost_by_failures / mtbf


@step("s", "Young's interval", source="daly-2006")
def young_interval(checkpoint_stall: float, mtbf: float) -> float:
    """Young's first-order best from start to start of saves [s]: his counts the work alone, the stall is added.

    >>> young_interval(2, 100)
    22.0
    """
    return sqrt(2 * checkpoint_stall * mtbf) + checkpoint_stall


@step("share", "Promised at Young's interval", source="daly-2006")
def young_goodput(
    young_interval: float,
    checkpoint_stall: float,
    time_to_safe: float,
    detection_time: float,
    recovery_time: float,
    mtbf: float,
) -> float:
    """What adding losses up promises at Young's own interval [s].

    >>> round(young_goodput(young_interval(30, 811.2), 30, 30, 60, 540, 811.2), 3)
    -0.014
    """
    lost_by_failures = young_interval / 2 + time_to_safe - checkpoint_stall + detection_time + recovery_time
    return 1 - checkpoint_stall / young_interval - lost_by_failures / mtbf


@step("share", "ETTR, Meta's form", source="kokolis")
def meta_ettr(
    interval: float, checkpoint_stall: float, detection_time: float, recovery_time: float, mtbf: float
) -> float:
    """Meta's expected ETTR of one long job that never queues: losses by failure added up, saves taken off as a share.

    >>> round(meta_ettr(3600, 30, 60, 540, 6489.23), 3)  # RSC-1's rate on 16,384 GPUs
    0.625
    """
    lost = (detection_time + recovery_time + interval / 2) / mtbf
    return (1 - lost) / (1 + checkpoint_stall / interval)


@step("share", "Availability, failures on the wall clock", source="ft-hsdp")
def wall_clock_availability(detection_time: float, recovery_time: float, mtbf: float) -> float:
    """Getting up again taken off each time between failures, which are counted on the wall clock; saves not counted.

    >>> round(wall_clock_availability(0, 10, 18), 2)  # 100,000 GPUs: 44 % printed
    0.44
    """
    return 1 - (detection_time + recovery_time) / mtbf


@step("share", "Availability, failures while running")
def running_availability(detection_time: float, recovery_time: float, mtbf: float) -> float:
    """The same where the time between failures counts from one start to the next failure, and none strikes a recovery.

    >>> round(running_availability(0, 10, 18), 2)
    0.64
    """
    return mtbf / (mtbf + detection_time + recovery_time)


@step("share", "With nodes waited for left out", source=("megatron-telemetry", "nv-one-logger"))
def goodput_while_scheduled(goodput: float, waiting_for_spare: float) -> float:
    """Goodput of the time in which the job had its nodes: NVIDIA's telemetry divides by the time of the Slurm job."""
    return goodput / (1 - waiting_for_spare)


FORMULAS = formulas_of(globals())

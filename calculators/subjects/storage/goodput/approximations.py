"""Approximations: goodput by the usual sums and by other definitions, to compare with the exact form."""

from math import sqrt

from calculators.declare import formulas_of, step


@step("share", "Goodput by adding losses (Young)", source="daly-2006")
def linear_goodput(
    interval: float,
    checkpoint_stall: float,
    time_to_safe: float,
    detection_time: float,
    recovery_time: float,
    mtbf: float,
) -> float:
    """Goodput by Young's sum of 1974: stall, half an interval of recomputed work, wait until restorable, and recovery.

    Each loss counts as if the others took no time; below 0 once the losses exceed the time.

    >>> round(linear_goodput(3600, 30, 30, 60, 540, 811.2), 2)  # RSC-1's rate on 131,072 GPUs, saved hourly
    -1.97
    """
    lost_by_failures = interval / 2 + time_to_safe - checkpoint_stall + detection_time + recovery_time
    return 1 - checkpoint_stall / interval - lost_by_failures / mtbf


@step("s", "Young's checkpoint interval", source="daly-2006")
def young_interval(checkpoint_stall: float, mtbf: float) -> float:
    """Young's first-order best interval, from start to start [s]: his counts work only, the stall is added.

    >>> young_interval(2, 100)
    22.0
    """
    return sqrt(2 * checkpoint_stall * mtbf) + checkpoint_stall


@step("share", "Goodput by adding losses, at Young's interval", source="daly-2006")
def young_goodput(
    young_interval: float,
    checkpoint_stall: float,
    time_to_safe: float,
    detection_time: float,
    recovery_time: float,
    mtbf: float,
) -> float:
    """Goodput by Young's sum at his own interval [s].

    >>> round(young_goodput(young_interval(30, 811.2), 30, 30, 60, 540, 811.2), 3)
    -0.014
    """
    lost_by_failures = young_interval / 2 + time_to_safe - checkpoint_stall + detection_time + recovery_time
    return 1 - checkpoint_stall / young_interval - lost_by_failures / mtbf


@step("share", "ETTR (Meta)", source="kokolis")
def meta_ettr(
    interval: float, checkpoint_stall: float, detection_time: float, recovery_time: float, mtbf: float
) -> float:
    """Meta's expected ETTR of one long job that never queues: failure losses added, checkpoint stalls as a divisor.

    >>> round(meta_ettr(3600, 30, 60, 540, 6489.23), 3)  # RSC-1's rate on 16,384 GPUs
    0.625
    """
    lost = (detection_time + recovery_time + interval / 2) / mtbf
    return (1 - lost) / (1 + checkpoint_stall / interval)


@step("share", "Availability, failures counted on the wall clock", source="ft-hsdp")
def wall_clock_availability(detection_time: float, recovery_time: float, mtbf: float) -> float:
    """1 minus recovery over the time between failures on the wall clock; checkpoints are not counted.

    >>> round(wall_clock_availability(0, 10, 18), 2)  # 100,000 GPUs: 44% printed
    0.44
    """
    return 1 - (detection_time + recovery_time) / mtbf


@step("share", "Availability, failures counted while running")
def running_availability(detection_time: float, recovery_time: float, mtbf: float) -> float:
    """Availability if the time between failures counts from a start to the next failure, with none during recovery.

    >>> round(running_availability(0, 10, 18), 2)
    0.64
    """
    return mtbf / (mtbf + detection_time + recovery_time)


@step("share", "Goodput while scheduled (without waits for nodes)", source=("megatron-telemetry", "nv-one-logger"))
def goodput_while_scheduled(goodput: float, waiting_for_spare: float) -> float:
    """Goodput of the time in which the job had its nodes: NVIDIA's telemetry divides by the time of the Slurm job."""
    return goodput / (1 - waiting_for_spare)


FORMULAS = formulas_of(globals())

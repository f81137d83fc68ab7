"""Racks that are one scale-up domain: how often a tray is away, and how often a rack has the trays that a job takes.

For the chapter on racks; trays fail independently here, so what takes a whole rack at once comes on top.
"""

from math import comb

from calculators.declare import step


@step("h", "Time between failures that take one tray out")
def tray_mtbf(gpu_mtbf: float, node_failure_share: float, gpus_per_node: float) -> float:
    """Mean time between failures of one tray [s].

    Each of `gpus_per_node` fails every `gpu_mtbf` [s]; a `node_failure_share` of failures takes the tray out.

    >>> tray_mtbf(8000, 0.5, 4), round(tray_mtbf(7000, 0.6, 4), 2)
    (4000.0, 2916.67)
    """
    return gpu_mtbf / (node_failure_share * gpus_per_node)


@step("share", "Time that a tray is away")
def tray_away_share(tray_mtbf: float, node_repair_time: float) -> float:
    """The share of its life that a tray is away, `node_repair_time` [s] after each `tray_mtbf` [s] of work.

    >>> tray_away_share(3.0, 1.0)
    0.25
    """
    return node_repair_time / (tray_mtbf + node_repair_time)


@step("share", "Time that a rack has the trays of its job")
def rack_ready_share(tray_away_share: float, rack_nodes: float, rack_reserve: float) -> float:
    """The share of time in which no more than `rack_reserve` of a rack's `rack_nodes` trays are away: binomial.

    >>> rack_ready_share(0.5, 3, 1)  # none or one of three: 1/8 and 3/8
    0.5
    """
    here = 1 - tray_away_share
    return sum(
        comb(round(rack_nodes), away) * tray_away_share**away * here ** (round(rack_nodes) - away)
        for away in range(round(rack_reserve) + 1)
    )


@step("share", "Of the GPUs bought, at work")
def at_work_share(rack_ready_share: float, rack_nodes: float, rack_reserve: float) -> float:
    """Of all GPUs, those at work in jobs that take a rack without its reserve, or nothing of it.

    >>> at_work_share(0.5, 4, 1)
    0.375
    """
    return rack_ready_share * (rack_nodes - rack_reserve) / rack_nodes


@step("rack", "Racks that lack a tray for their job")
def racks_short(rack_ready_share: float, racks: float) -> float:
    """Racks out of `racks` that cannot carry their part of a job, on average.

    >>> racks_short(0.75, 8)
    2.0
    """
    return racks * (1 - rack_ready_share)


@step("share", "Lost with whole domains")
def domains_lost_share(gpus_failed_share: float, gpus_per_domain: float) -> float:
    """Share of GPUs that are idle when one that failed takes its domain of `gpus_per_domain` along.

    >>> domains_lost_share(0.25, 2)
    0.4375
    """
    here: float = (1 - gpus_failed_share) ** gpus_per_domain
    return 1 - here

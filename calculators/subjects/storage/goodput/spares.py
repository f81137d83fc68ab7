"""Spare nodes and maintenance: waits for a node, planned stops, silent corruption, stragglers; and goodput."""

from functools import lru_cache
from math import ceil
from sys import float_info

from calculators.declare import formulas_of, step
from calculators.vocabulary.erlang import erlang_b

ENOUGH = 0.01  # of the wall clock: a negligible wait
_MOST_COUNTED = 10_000
_REMEMBERED = 256  # chances: a search moves one input, mostly another than those of spares
_LEAST = float_info.min  # what falls below it is not 0: times are divided by it


@lru_cache(maxsize=_REMEMBERED)
def fewest_spares(load: float) -> int:
    """Fewest spares with which all servers are busy at most 1% of the time.

    >>> fewest_spares(1)  # 1/2, 1/5, 1/16, 1/65, 1/326 are the chances with none to four
    4
    """
    taken, spares = 1.0, -1
    while taken > ENOUGH or spares < 0:
        spares += 1
        taken = load * taken / (spares + 1 + load * taken)
    return spares


def more_than_none(share: float) -> float:
    """Share above 0, so that times can be divided by it.

    >>> more_than_none(0.9), more_than_none(0) > 0
    (0.9, True)
    """
    return max(_LEAST, share)


@step("node", "Nodes in repair")
def nodes_in_repair(node_failure_share: float, node_repair_time: float | None, mtbf: float) -> float:
    """Mean number of nodes in repair by Little's law, if the job never waits; 0 without a repair time.

    `node_failure_share` of the failures, one every `mtbf` [s], send a node to repair for `node_repair_time` [s].

    >>> nodes_in_repair(0.5, 2 * 86400, 7200)
    12.0
    """
    return node_failure_share * node_repair_time / mtbf if node_repair_time else 0


@step("share", "Time waiting for a node")
def waiting_for_spare(spare_nodes: float, nodes_in_repair: float) -> float:
    """Share of wall clock in which more nodes are in repair than there are spares, by Erlang's loss formula.

    A job that waits does not fail, so the plain chance of that many nodes in repair would overstate it.

    >>> round(waiting_for_spare(4, 7.76), 3)  # 0.467 in the simulation of events
    0.467
    """
    return erlang_b(spare_nodes + 1, nodes_in_repair)


@step("node", "Spare nodes needed")
def spares_needed(nodes_in_repair: float) -> float:
    """Fewest spares with which the job waits for a node at most 1% of the time.

    Above 10,000 `nodes_in_repair` as many as those, at most 1% too many.
    """
    return ceil(nodes_in_repair) if nodes_in_repair > _MOST_COUNTED else fewest_spares(nodes_in_repair)


@step("share", "Planned stops, per hour of progress")
def planned_loss(
    time_to_safe: float, planned_stop: float, recovery_time: float, planned_interval: float | None
) -> float:
    """Time of planned stops over the time between them: a last checkpoint, the stop and the restart [s]."""
    return (time_to_safe + planned_stop + recovery_time) / planned_interval if planned_interval else 0


@step("share", "Silent corruption, per hour of progress")
def corruption_loss(
    corruption_delay: float, work: float, recovery_time: float, gpus: float, corruption_gpu_mtbf: float | None
) -> float:
    """Time lost to corrupted state over the time between such events.

    Each loses the work until detection after `corruption_delay` [s], on average half of the `work` [s] between two
    checkpoints, and a recovery; one of `gpus` is hit every `corruption_gpu_mtbf` [s].
    """
    return (corruption_delay + work / 2 + recovery_time) * gpus / corruption_gpu_mtbf if corruption_gpu_mtbf else 0


@step("share", "Time without waits, planned stops and corruption")
def undisturbed_share(waiting_for_spare: float, planned_loss: float, corruption_loss: float) -> float:
    """Share of wall clock in which the job has its nodes, no planned stop and no corrupted state.

    >>> undisturbed_share(0.1, 0.125, 0)
    0.8
    """
    return (1 - waiting_for_spare) / (1 + planned_loss) / (1 + corruption_loss)


@step("share", "Goodput", falls_with=("detection_time", "restart_time", "restore_time"))
def goodput(kept_share: float, undisturbed_share: float) -> float:
    """Share of wall clock that becomes lasting training progress; above 0. `kept_share` is that of undisturbed time."""
    return more_than_none(kept_share * undisturbed_share)


@step("share", "Time in checkpoint stalls")
def stalled_share(stalled_while_undisturbed: float, undisturbed_share: float) -> float:
    """Share of wall clock in which training waits for checkpoints of lasting work."""
    return stalled_while_undisturbed * undisturbed_share


@step("share", "Time in recomputed work")
def lost_share(lost_while_undisturbed: float, undisturbed_share: float) -> float:
    """Share of wall clock whose work a failure undoes, so that it is recomputed."""
    return lost_while_undisturbed * undisturbed_share


@step("share", "Time in detection and restart")
def down_share(down_while_undisturbed: float, undisturbed_share: float) -> float:
    """Share of wall clock for detection, restart and load, failures during them included."""
    return down_while_undisturbed * undisturbed_share


@step("share", "Time in waits for nodes, planned stops, silent corruption")
def rest_share(undisturbed_share: float) -> float:
    """Share of wall clock lost to waits for spare nodes, planned stops and silent corruption."""
    return 1 - undisturbed_share


@step("GPU", "Equivalent idle GPUs", rises_with=("gpus",))
def gpus_lost(gpus: float, goodput: float) -> float:
    """GPUs that could be idle for the same progress, if the others never failed."""
    return gpus * (1 - goodput)


@step("share", "Goodput of all GPUs paid for", falls_with=("straggler_loss", "gpus_per_node"))
def of_what_is_paid(
    goodput: float, straggler_loss: float, spare_nodes: float, gpus_per_node: float, gpus: float
) -> float:
    """Goodput over all GPUs paid for: stragglers and idle spare nodes subtracted."""
    return goodput * (1 - straggler_loss) / (1 + spare_nodes * gpus_per_node / gpus)


@step("checkpoint", "Checkpoints to retain against corruption", rises_with=("corruption_delay",))
def clean_checkpoints_needed(corruption_delay: float, interval: float, persist_every: float) -> float:
    """Number of newest checkpoints to retain so that one from before the corruption is left when it is detected.

    Persisted checkpoints are retained, every `persist_every`-th one.

    >>> clean_checkpoints_needed(7200, 3600, 1), clean_checkpoints_needed(7200, 120, 30)
    (3, 3)
    """
    return ceil(corruption_delay / (interval * persist_every)) + 1


FORMULAS = formulas_of(globals())

"""Spares and upkeep: waiting for a node, planned stops, silent corruption, slow nodes; and what is left of it all."""

from functools import lru_cache
from math import ceil
from sys import float_info

from calculators.declare import formulas_of, step

ENOUGH = 0.01  # of the wall clock: waiting that nobody would notice
_MOST_COUNTED = 10_000
_REMEMBERED = 256  # chances: a search moves one input, and the spares are mostly as they were
_LEAST = float_info.min  # what falls below it is not 0: times are divided by it


@lru_cache(maxsize=_REMEMBERED)
def erlang_b(servers: float, load: float) -> float:
    """Erlang's loss formula: the chance that `servers` are all taken at a `load`, whatever the spread of service times.

    >>> erlang_b(1, 1), erlang_b(2, 1)
    (0.5, 0.2)
    """
    found = 1.0
    for count in range(1, round(servers) + 1):
        found = load * found / (count + load * found)
        if not found:
            break
    return found


@lru_cache(maxsize=_REMEMBERED)
def fewest_spares(load: float) -> int:
    """The fewest spares with which the servers are all taken at most a hundredth of the time.

    >>> fewest_spares(1)  # 1/2, 1/5, 1/16, 1/65, 1/326 are the chances with none to four
    4
    """
    taken, spares = 1.0, -1
    while taken > ENOUGH or spares < 0:
        spares += 1
        taken = load * taken / (spares + 1 + load * taken)
    return spares


def more_than_none(share: float) -> float:
    """A share that times may be divided by: readers of a formula need not see the least number there is.

    >>> more_than_none(0.9), more_than_none(0) > 0
    (0.9, True)
    """
    return max(_LEAST, share)


@step("node", "Nodes in repair")
def nodes_in_repair(node_failure_share: float, node_repair_time: float | None, mtbf: float) -> float:
    """How many nodes are away on average, by Little's law, were the job never to wait; none where repair takes no time.

    A `node_failure_share` of the failures, one every `mtbf` [s], takes a node out for `node_repair_time` [s].

    >>> nodes_in_repair(0.5, 2 * 86400, 7200)
    12.0
    """
    return node_failure_share * node_repair_time / mtbf if node_repair_time else 0


@step("share", "Waiting for a node")
def waiting_for_spare(spare_nodes: float, nodes_in_repair: float) -> float:
    """The share of wall clock in which one node more than there are spares is away, by Erlang's loss formula.

    A job that waits does not fail, so the chance that so many nodes are away at once would overstate it.

    >>> round(waiting_for_spare(4, 7.76), 3)  # 0.467 in the simulation of events
    0.467
    """
    return erlang_b(spare_nodes + 1, nodes_in_repair)


@step("node", "Spares that would do")
def spares_needed(nodes_in_repair: float) -> float:
    """The fewest spares with which the job waits for a node at most a hundredth of the time.

    With more than ten thousand `nodes_in_repair`, as many as those: at most a hundredth too many.
    """
    return ceil(nodes_in_repair) if nodes_in_repair > _MOST_COUNTED else fewest_spares(nodes_in_repair)


@step("share", "Planned stops, for each hour kept")
def planned_loss(
    time_to_safe: float, planned_stop: float, recovery_time: float, planned_interval: float | None
) -> float:
    """Time for planned stops beside the time between them: a last save, the stop [s], and coming back [s]."""
    return (time_to_safe + planned_stop + recovery_time) / planned_interval if planned_interval else 0


@step("share", "Silent corruption, for each hour kept")
def corruption_loss(
    corruption_delay: float, work: float, recovery_time: float, gpus: float, corruption_gpu_mtbf: float | None
) -> float:
    """Time for work on corrupted state beside the time between such events.

    Each throws away what was done until it is noticed after `corruption_delay` [s], on average half of the `work` [s]
    between two saves, and a recovery; one of `gpus` meets it every `corruption_gpu_mtbf` [s].
    """
    return (corruption_delay + work / 2 + recovery_time) * gpus / corruption_gpu_mtbf if corruption_gpu_mtbf else 0


@step("share", "Goodput", falls_with=("detection_time", "restart_time", "restore_time"))
def goodput(kept_share: float, waiting_for_spare: float, planned_loss: float, corruption_loss: float) -> float:
    """The share of wall clock that becomes training progress which stays: hardly any, but never none at all.

    >>> goodput(0.9, 0, 0.125, 0)
    0.8
    """
    return more_than_none(kept_share * (1 - waiting_for_spare) / (1 + planned_loss) / (1 + corruption_loss))


@step("GPU", "GPUs as if standing still", rises_with=("gpus",))
def gpus_lost(gpus: float, goodput: float) -> float:
    """As if so many of `gpus` stood still and the others never failed."""
    return gpus * (1 - goodput)


@step("share", "Of what is paid", falls_with=("straggler_loss", "gpus_per_node"))
def of_what_is_paid(
    goodput: float, straggler_loss: float, spare_nodes: float, gpus_per_node: float, gpus: float
) -> float:
    """Kept progress at full speed beside all GPUs paid for: slow nodes and idle spares taken off."""
    return goodput * (1 - straggler_loss) / (1 + spare_nodes * gpus_per_node / gpus)


@step("checkpoint", "Checkpoints to keep against corruption", rises_with=("corruption_delay",))
def clean_checkpoints_needed(corruption_delay: float, interval: float, persist_every: float) -> float:
    """How many of the newest must be kept so that one from before the corruption is among them when it is noticed.

    Those that are kept are the durable ones, every `persist_every`-th save.

    >>> clean_checkpoints_needed(7200, 3600, 1), clean_checkpoints_needed(7200, 120, 30)
    (3, 3)
    """
    return ceil(corruption_delay / (interval * persist_every)) + 1


FORMULAS = formulas_of(globals())

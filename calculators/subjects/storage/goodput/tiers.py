"""Tiers: local checkpoints that most failures leave intact, and every n-th one persisted, for the other failures.

A job with two tiers is a walk from one local checkpoint to the next until a persisted one is reached, or until a rare
failure destroys the local ones. Derived by first passage; with every checkpoint persisted it is the form of one tier.
"""

from math import exp, expm1, log1p

from calculators.declare import formulas_of, step

_HALF = 1 / 2  # where the two equivalent forms are switched


@step("share", "Goodput before spares and maintenance", falls_with=("detection_time",))
def kept_share(
    one_tier_share: float,
    rare_failure_share: float | None,
    running_share: float,
    mtbf: float,
    work: float,
    checkpoint_stall: float,
    time_to_safe: float,
    detection_time: float,
    recovery_time: float,
    restart_time: float,
    persist_every: float,
    durable_stall: float,
    durable_time_to_safe: float,
    durable_restore_time: float,
) -> float:
    """Share of wall clock that becomes lasting progress, before spare nodes, maintenance and corruption.

    With one tier that is `one_tier_share`. With two, a `rare_failure_share` of failures falls back to the last
    persisted checkpoint; every `persist_every`-th one is persisted, stalls training for `durable_stall` [s] more and
    is restorable `durable_time_to_safe` [s] after it began. Struck is the chance of a failure during a recovery, and
    during the work up to the next restorable checkpoint; unreturned that of a rare failure before training continues;
    undone that of one before the next checkpoint is restorable; missed that of one before the next local checkpoint;
    cycle that of one before the next persisted checkpoint.
    All chances are kept as 1 - p, so that nothing cancels. If no failure is rare, or their share is not given,
    persisted checkpoints cost their stall and are never read.
    """
    if rare_failure_share is None and persist_every == 1:
        return one_tier_share
    step = work + checkpoint_stall + durable_stall / persist_every
    unhurt = exp(-(work + time_to_safe) / mtbf)
    if not rare_failure_share:
        return running_share * work / mtbf * unhurt / -expm1(-step / mtbf)
    common = 1 - rare_failure_share
    struck_again = -expm1(-recovery_time / mtbf)
    struck = -expm1(-(work + time_to_safe) / mtbf)
    unreturned = rare_failure_share * struck_again / (1 - common * struck_again)
    undone = struck * (rare_failure_share + common * unreturned) / (1 - common * struck * (1 - unreturned))
    missed = -expm1(-step / mtbf) * (rare_failure_share + common * (unreturned + (1 - unreturned) * undone))
    exposed = exp(-rare_failure_share * max(0, durable_time_to_safe - time_to_safe) / mtbf)
    first: float = (1 - undone) * (1 - missed) ** (persist_every - 1) * exposed
    cycle: float = -expm1(persist_every * log1p(-missed)) if missed < _HALF else 1 - (1 - missed) ** persist_every
    back = exp(-(restart_time + durable_restore_time) / mtbf)
    between = (mtbf + common * detection_time) / rare_failure_share + detection_time
    return persist_every * work * first / cycle * back / (back * between + (1 - back) * (mtbf + detection_time))


@step("share", "Time lost to rare failures")
def rare_share(one_tier_share: float, kept_share: float) -> float:
    """Goodput lost to failures that destroy local checkpoints, and to persisting for them, compared with one tier."""
    return one_tier_share - kept_share


@step("share", "Time running, rare failures included", falls_with=("detection_time", "restart_time"))
def running_with_rare_failures(
    running_share: float,
    rare_failure_share: float | None,
    mtbf: float,
    detection_time: float,
    recovery_time: float,
    restart_time: float,
    durable_restore_time: float,
) -> float:
    """Share of undisturbed time in which the job runs; a `rare_failure_share` of failures is restored from storage.

    Struck is the chance of a failure during a recovery from local checkpoints, which may be a rare one; after a rare
    one every further recovery is from storage, and `back` is the chance that one ends. Times are in units of a failure
    and its detection, and times `back`, so that none is infinite.
    """
    if not rare_failure_share:
        return running_share
    common = 1 - rare_failure_share
    back = exp(-(restart_time + durable_restore_time) / mtbf)
    struck = -expm1(-recovery_time / mtbf)
    from_storage = 1 - back
    from_local = struck * (back + rare_failure_share * from_storage) / (1 - common * struck)
    recovering = common * from_local + rare_failure_share * from_storage
    return mtbf / (mtbf + detection_time) * back / (back + recovering)


@step(
    "share",
    "Detection and restart, of undisturbed time",
    rises_with=("detection_time", "restart_time"),
)
def down_while_undisturbed(running_with_rare_failures: float) -> float:
    """Share of undisturbed time for detection, restart and load, failures during them included."""
    return 1 - running_with_rare_failures


@step("share", "Checkpoint stalls, of undisturbed time")
def stalled_while_undisturbed(
    running_with_rare_failures: float,
    mtbf: float,
    work: float,
    checkpoint_stall: float,
    durable_stall: float,
    persist_every: float,
    rare_failure_share: float | None,
) -> float:
    """Share of undisturbed time in which training waits for checkpoints, those of work that is lost included.

    From each start on `work` [s] and a stall follow each other until a failure: a stall is begun if the work before it
    is unhurt, and lasts as long as it or until the failure.
    """
    is_one_tier = rare_failure_share is None and persist_every == 1
    stall = checkpoint_stall + (0 if is_one_tier else durable_stall / persist_every)
    in_stalls = exp(-work / mtbf) * -expm1(-stall / mtbf)
    return running_with_rare_failures * in_stalls / -expm1(-(work + stall) / mtbf)


@step("share", "Recomputed work, of undisturbed time")
def lost_while_undisturbed(
    running_with_rare_failures: float, kept_share: float, stalled_while_undisturbed: float
) -> float:
    """Share of undisturbed time whose work a failure undoes, so that it is recomputed: the rest of the running time."""
    return max(0, running_with_rare_failures - kept_share - stalled_while_undisturbed)


FORMULAS = formulas_of(globals())

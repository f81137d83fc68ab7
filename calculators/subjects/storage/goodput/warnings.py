"""Constraints and warnings of goodput: checkpoints that cannot be, and results that need a second look."""

from calculators.declare import constraint, formulas_of, warning
from calculators.subjects.storage.goodput.spares import ENOUGH
from calculators.subjects.storage.goodput.verdicts import piles_up

OFF = 0.01
_MEASURED_GPUS = 131_072


@constraint(
    "time_to_safe", speaks="checkpoint_stall=60s&time_to_safe=59s", silent="checkpoint_stall=60s&time_to_safe=60s"
)
def safe_after_the_stall(time_to_safe: float, checkpoint_stall: float) -> str:
    """A checkpoint is not restorable before its stall ends."""
    if time_to_safe >= checkpoint_stall:
        return ""
    return (
        "A checkpoint that stalls training for {checkpoint_stall} cannot be restorable after {time_to_safe}: "
        "set at least as much"
    )


@constraint(
    "checkpoint_interval",
    speaks="checkpoint_stall=60s&checkpoint_interval=60s",
    silent="checkpoint_stall=60s&checkpoint_interval=61s",
)
def interval_beyond_the_stall(checkpoint_interval: float, checkpoint_stall: float) -> str:
    """There must be training time between two checkpoints."""
    if checkpoint_interval > checkpoint_stall:
        return ""
    return (
        "Checkpoints that stall for {checkpoint_stall} leave no training time in an interval of {checkpoint_interval}: "
        "checkpoint less often"
    )


@constraint(
    "durable_time_to_safe",
    speaks="rare_failure_share=5%&durable_stall=60s&durable_time_to_safe=50s",
    silent="durable_stall=60s&durable_time_to_safe=50s",
)
def durable_after_its_stall(rare_failure_share: float | None, durable_time_to_safe: float, durable_stall: float) -> str:
    """A persisted checkpoint is not restorable before its stall ends."""
    if rare_failure_share is None or durable_time_to_safe >= durable_stall:
        return ""
    return (
        "A persisted checkpoint that stalls training for {durable_stall} cannot be safe after {durable_time_to_safe}: "
        "set at least as much"
    )


@warning(speaks="time_to_safe=200s", silent="time_to_safe=100s")
def storage_sets_the_interval(time_to_safe: float, best_work: float, checkpoint_stall: float) -> str:
    """Checkpoints that are restorable later than the best interval."""
    if time_to_safe <= best_work + checkpoint_stall:
        return ""
    return "Storage, not the failure rate, limits the best interval: a checkpoint is restorable after {time_to_safe}."


@warning(speaks="time_to_safe=200s&checkpoint_interval=100s", silent="time_to_safe=200s&checkpoint_interval=200s")
def begins_when_the_last_is_safe(checkpoint_interval: float, time_to_safe: float) -> str:
    """An interval shorter than storage can keep."""
    if checkpoint_interval >= time_to_safe:
        return ""
    return "A checkpoint begins when the last is restorable: every {interval}, not every {checkpoint_interval}."


@warning(speaks="checkpoint_interval=4h", silent="checkpoint_interval=3h")
def longer_than_between_failures(interval: float, mtbf: float) -> str:
    """An interval longer than the MTBF."""
    if interval <= mtbf:
        return ""
    return "The interval of {interval} is longer than the MTBF of {mtbf}: most intervals end in a failure."


@warning(speaks="node_repair_time=2.5h&spare_nodes=0", silent="node_repair_time=2.5h&spare_nodes=3")
def waits_for_nodes(waiting_for_spare: float) -> str:
    """Too few spare nodes for the repair time."""
    if waiting_for_spare <= ENOUGH:
        return ""
    return (
        "With {spare_nodes} spare the job waits for a repaired node {waiting_for_spare} of the time; "
        "{spares_needed} would reduce that to 1%."
    )


@warning(
    speaks="corruption_gpu_mtbf=404years&checkpoint_interval=5min",
    silent="corruption_gpu_mtbf=404years&checkpoint_interval=5min&warm_checkpoints=22",
)
def no_clean_checkpoint(
    corruption_gpu_mtbf: float | None, clean_checkpoints_needed: float, hot_checkpoints: float, warm_checkpoints: float
) -> str:
    """Corruption detected later than the oldest retained checkpoint."""
    if corruption_gpu_mtbf is None or clean_checkpoints_needed <= hot_checkpoints + warm_checkpoints:
        return ""
    return (
        "No clean checkpoint is left when corruption is detected after {corruption_delay}: "
        "at an interval of {interval} that needs {clean_checkpoints_needed}; "
        "retained are {hot_checkpoints} hot, {warm_checkpoints} warm."
    )


@warning(speaks="planned_stop=10min", silent="planned_stop=10min&planned_interval=24h")
def stops_that_never_come(planned_interval: float | None, planned_stop: float) -> str:
    """A planned stop without an interval."""
    if planned_interval is not None or planned_stop == 0:
        return ""
    return "A planned stop takes {planned_stop}, but has no interval: set one, or it is not counted."


@warning(speaks="gpus=131072", silent="")
def sums_are_off(linear_goodput: float, goodput: float) -> str:
    """Losses too large to be added."""
    if linear_goodput >= goodput - OFF:
        return ""
    return "Spreadsheets that add losses are wrong at this size: they give {linear_goodput}."


@warning(speaks="gpus=131073", silent="gpus=131072")
def beyond_measured_sizes(gpus: float) -> str:
    """Failure rates extrapolated beyond published job sizes."""
    if gpus <= _MEASURED_GPUS:
        return ""
    return "No failure rate has been published for a job of {gpus}: the rate per GPU is extrapolated."


@warning(
    speaks="rare_failure_share=5%&checkpoint_interval=2min&persist_every=2&durable_time_to_safe=5min",
    silent="rare_failure_share=5%&checkpoint_interval=2min&persist_every=3&durable_time_to_safe=5min",
)
def persisted_checkpoints_queue(
    rare_failure_share: float | None, durable_time_to_safe: float, persist_every: float, interval: float
) -> str:
    """A persisted checkpoint that is not restorable when the next is due."""
    if not piles_up(rare_failure_share, durable_time_to_safe, persist_every, interval):
        return ""
    return "Persisted checkpoints queue: one is safe after {durable_time_to_safe}, later than the next is due."


@warning(speaks="persist_every=2", silent="")
def local_checkpoints_never_lost(rare_failure_share: float | None, persist_every: float) -> str:
    """Two tiers without a share of failures that need the persisted one."""
    if rare_failure_share is not None or persist_every == 1:
        return ""
    return (
        "One checkpoint in {persist_every} is persisted, but no failure destroys local checkpoints: "
        "set the share of failures that do, or this is the best case."
    )


FORMULAS = formulas_of(globals())

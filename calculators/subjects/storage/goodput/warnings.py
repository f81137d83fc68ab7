"""Verdicts, constraints and warnings of goodput."""

from calculators.declare import Verdict, constraint, formulas_of, step, verdict, warning
from calculators.subjects.storage.goodput.spares import ENOUGH

TIGHT_FROM, OFF = 0.75, 0.01
_NEAR, _FAR = 0.005, 0.02
_UP, _HARDLY_UP = 0.9, 0.5
_MEASURED_GPUS = 131_072
# Points by which best_work misses the best with two tiers, by its goodput: found by trying every interval.
_MISSES = ((1 / 2, "0.2 points"), (1 / 3, "0.5 points"), (0, "1.5 points"))


def _piles_up(
    rare_failure_share: float | None, durable_time_to_safe: float, persist_every: float, interval: float
) -> bool:
    """Whether a persisted checkpoint is not restorable when the next is due; with one tier never."""
    one_tier = rare_failure_share is None and persist_every == 1
    return not one_tier and durable_time_to_safe > persist_every * interval


@step("share", "Goodput counted as good")
def good_goodput() -> float:
    """Goodput from which on it counts as good: Llama 3 printed above 0.9, Gemini and ByteRobust 0.97."""
    return 0.9


@verdict("Goodput against published runs")
def time_kept(goodput: float, good_goodput: float) -> Verdict:
    """Whether goodput reaches that of large published runs; tight from 75%."""
    if goodput >= good_goodput:
        return Verdict(level="good", word="OK", reason="{goodput} of the time becomes lasting progress.")
    if goodput >= TIGHT_FROM:
        return Verdict(
            level="tight",
            word="below target",
            reason="Goodput is {goodput}; large published runs reach {good_goodput} or more.",
        )
    return Verdict(
        level="bad",
        word="too low",
        reason="Goodput is {goodput}: the equivalent of {gpus_lost} idle, of {gpus}.",
    )


@verdict("Checkpoint interval")
def interval_right(
    goodput: float,
    goodput_at_best: float,
    rare_failure_share: float | None,
    persist_every: float,
    durable_time_to_safe: float,
    interval: float,
) -> Verdict:
    """Whether goodput is within 0.5 points of the best interval's (good), or within 2 (tight).

    With two tiers, and some failures rare but not all, the best is an estimate, and the reason says how good. Persisted
    checkpoints that are not restorable when the next is due are bad at any interval.
    """
    if _piles_up(rare_failure_share, durable_time_to_safe, persist_every, interval):
        return Verdict(
            level="bad",
            word="too short",
            reason="A persisted checkpoint, one in {persist_every}, is safe after {durable_time_to_safe}: "
            "with a checkpoint every {interval} the next is due earlier.",
        )
    missing = goodput_at_best - goodput
    if missing <= _NEAR:
        most = "within 0.5 points of the best."
        if rare_failure_share and rare_failure_share < 1 < persist_every:
            points = next(points for least, points in _MISSES if goodput_at_best >= least)
            most = (
                "within 0.5 points of the {goodput_at_best} at {best_interval}, "
                f"which with two tiers is the best to {points}."
            )
        return Verdict(level="good", word="OK", reason=f"A checkpoint every {{interval}} gives {{goodput}}, {most}")
    if missing <= _FAR:
        return Verdict(
            level="tight",
            word="near the best",
            reason="A checkpoint every {best_interval} would give {goodput_at_best}.",
        )
    return Verdict(
        level="bad",
        word="far from the best",
        reason="A checkpoint every {best_interval} would give {goodput_at_best} instead of {goodput}.",
    )


@verdict("Detection and restart")
def keeps_up(running_share: float) -> Verdict:
    """Whether the job runs most of the time, checkpoints and recomputed work included."""
    if running_share >= _UP:
        return Verdict(level="good", word="OK", reason="The job runs {running_share} of the time.")
    if running_share >= _HARDLY_UP:
        return Verdict(
            level="tight",
            word="tight",
            reason="Detection, restart and load take {down_share} of the time at any interval.",
        )
    return Verdict(
        level="bad",
        word="too slow",
        reason="Detection, restart and load take {down_share} of the time at any interval, more than training.",
    )


@constraint("time_to_safe")
def safe_after_the_stall(time_to_safe: float, checkpoint_stall: float) -> str:
    """A checkpoint is not restorable before its stall ends."""
    if time_to_safe >= checkpoint_stall:
        return ""
    return (
        "A checkpoint that stalls training for {checkpoint_stall} cannot be restorable after {time_to_safe}: "
        "set at least as much"
    )


@constraint("checkpoint_interval")
def interval_beyond_the_stall(checkpoint_interval: float, checkpoint_stall: float) -> str:
    """There must be training time between two checkpoints."""
    if checkpoint_interval > checkpoint_stall:
        return ""
    return (
        "Checkpoints that stall for {checkpoint_stall} leave no training time in an interval of {checkpoint_interval}: "
        "checkpoint less often"
    )


@constraint("durable_time_to_safe")
def durable_after_its_stall(rare_failure_share: float | None, durable_time_to_safe: float, durable_stall: float) -> str:
    """A persisted checkpoint is not restorable before its stall ends."""
    if rare_failure_share is None or durable_time_to_safe >= durable_stall:
        return ""
    return (
        "A persisted checkpoint that stalls training for {durable_stall} cannot be safe after {durable_time_to_safe}: "
        "set at least as much"
    )


@warning
def storage_sets_the_interval(time_to_safe: float, best_work: float, checkpoint_stall: float) -> str:
    """Checkpoints that are restorable later than the best interval."""
    if time_to_safe <= best_work + checkpoint_stall:
        return ""
    return "Storage, not the failure rate, limits the best interval: a checkpoint is restorable after {time_to_safe}."


@warning
def begins_when_the_last_is_safe(checkpoint_interval: float, time_to_safe: float) -> str:
    """An interval shorter than storage can keep."""
    if checkpoint_interval >= time_to_safe:
        return ""
    return "A checkpoint begins when the last is restorable: every {interval}, not every {checkpoint_interval}."


@warning
def longer_than_between_failures(interval: float, mtbf: float) -> str:
    """An interval longer than the MTBF."""
    if interval <= mtbf:
        return ""
    return "The interval of {interval} is longer than the MTBF of {mtbf}: most intervals end in a failure."


@warning
def waits_for_nodes(waiting_for_spare: float) -> str:
    """Too few spare nodes for the repair time."""
    if waiting_for_spare <= ENOUGH:
        return ""
    return (
        "With {spare_nodes} spare the job waits for a repaired node {waiting_for_spare} of the time; "
        "{spares_needed} would reduce that to 1%."
    )


@warning
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


@warning
def stops_that_never_come(planned_interval: float | None, planned_stop: float) -> str:
    """A planned stop without an interval."""
    if planned_interval is not None or planned_stop == 0:
        return ""
    return "A planned stop takes {planned_stop}, but has no interval: set one, or it is not counted."


@step("share", "Time in rare failures, waits for nodes, maintenance")
def rest_share(goodput: float, stalled_share: float, lost_share: float, down_share: float) -> float:
    """Share of wall clock lost to tiers, waits for spare nodes and maintenance."""
    return max(0, 1 - goodput - stalled_share - lost_share - down_share)


@warning
def more_is_lost(rest_share: float) -> str:
    """Losses that the answer does not name."""
    if rest_share <= OFF:
        return ""
    return (
        "A further {rest_share} of the time goes to failures that destroy local checkpoints, waits for nodes, "
        "planned stops and silent corruption."
    )


@warning
def sums_are_off(linear_goodput: float, goodput: float) -> str:
    """Losses too large to be added."""
    if linear_goodput >= goodput - OFF:
        return ""
    return "Spreadsheets that add losses are wrong at this size: they give {linear_goodput}."


@warning
def beyond_measured_sizes(gpus: float) -> str:
    """Failure rates extrapolated beyond published job sizes."""
    if gpus <= _MEASURED_GPUS:
        return ""
    return "No failure rate has been published for a job of {gpus}: the rate per GPU is extrapolated."


@warning
def persisted_checkpoints_queue(
    rare_failure_share: float | None, durable_time_to_safe: float, persist_every: float, interval: float
) -> str:
    """A persisted checkpoint that is not restorable when the next is due."""
    if not _piles_up(rare_failure_share, durable_time_to_safe, persist_every, interval):
        return ""
    return "Persisted checkpoints queue: one is safe after {durable_time_to_safe}, later than the next is due."


@warning
def local_checkpoints_never_lost(rare_failure_share: float | None, persist_every: float) -> str:
    """Two tiers without a share of failures that need the persisted one."""
    if rare_failure_share is not None or persist_every == 1:
        return ""
    return (
        "One checkpoint in {persist_every} is persisted, but no failure destroys local checkpoints: "
        "set the share of failures that do, or this is the best case."
    )


FORMULAS = formulas_of(globals())

"""Verdicts of goodput: against published runs, the checkpoint interval, detection and restart."""

from calculators.declare import Verdict, formulas_of, step, verdict

TIGHT_FROM = 0.75
_ALMOST_NOTHING = 0.01  # below, lost and all GPUs read alike
_NEAR, _FAR = 0.005, 0.02
_UP, _HARDLY_UP = 0.9, 0.5
# Points by which best_work misses the best with two tiers, by its goodput: found by trying every interval.
_MISSES = ((1 / 2, "0.2 points"), (1 / 3, "0.5 points"), (0, "1.5 points"))


def piles_up(
    rare_failure_share: float | None, durable_time_to_safe: float, persist_every: float, interval: float
) -> bool:
    """Whether a persisted checkpoint is not restorable when the next is due; with one tier never."""
    one_tier = rare_failure_share is None and persist_every == 1
    return not one_tier and durable_time_to_safe > persist_every * interval


@step("share", "Goodput counted as good")
def good_goodput() -> float:
    """Goodput from which on it counts as good: Llama 3 printed above 0.9, Gemini and ByteRobust 0.97."""
    return 0.9


@verdict("Goodput against published runs", good="", tight="checkpoint_interval=1h", bad="gpus=131072")
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
        reason="Goodput is {goodput}: the equivalent of {gpus_lost} idle, of {gpus}."
        if goodput >= _ALMOST_NOTHING
        else "Goodput is {goodput}: almost no progress lasts, on any of {gpus}.",
    )


@verdict("Checkpoint interval", good="", tight="checkpoint_interval=10min", bad="checkpoint_interval=1h")
def interval_right(
    goodput: float,
    goodput_at_best: float,
    rare_failure_share: float | None,
    persist_every: float,
    durable_time_to_safe: float,
    interval: float,
    waiting_for_spare: float,
) -> Verdict:
    """Whether goodput is within 0.5 points of the best interval's (good), or within 2 (tight).

    No interval decides for a job that mostly waits for nodes, or keeps less than half at any. With two tiers, and some
    failures rare but not all, the best is an estimate, and the reason says how good. Persisted checkpoints that are
    not restorable when the next is due are bad at any interval.
    """
    if piles_up(rare_failure_share, durable_time_to_safe, persist_every, interval):
        return Verdict(
            level="bad",
            word="too short",
            reason="A persisted checkpoint, one in {persist_every}, is safe after {durable_time_to_safe}: "
            "with a checkpoint every {interval} the next is due earlier.",
        )
    missing = goodput_at_best - goodput
    if missing <= _NEAR and waiting_for_spare > 1 - _HARDLY_UP:
        return Verdict(
            level="tight",
            word="not decisive",
            reason="The job waits for a node {waiting_for_spare} of the time: no interval changes that.",
        )
    if missing <= _NEAR:
        most = "within 0.5 points of the best."
        if rare_failure_share and rare_failure_share < 1 < persist_every:
            points = next(points for least, points in _MISSES if goodput_at_best >= least)
            most = (
                "within 0.5 points of the {goodput_at_best} at {best_interval}, "
                f"which with two tiers is the best to {points}."
            )
        gives = f"A checkpoint every {{interval}} gives {{goodput}}, {most}"
        if goodput_at_best < _HARDLY_UP:
            return Verdict(level="tight", word="not decisive", reason=f"{gives} Other losses decide.")
        return Verdict(level="good", word="OK", reason=gives)
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


@verdict("Detection and restart", good="", tight="gpus=131072", bad="gpus=131072&gpu_mtbf=20000h")
def keeps_up(running_with_rare_failures: float, waiting_for_spare: float) -> Verdict:
    """Whether the job runs most of the time, checkpoints and recomputed work included, and has the nodes to."""
    running = running_with_rare_failures * (1 - waiting_for_spare)
    if running < _UP <= running_with_rare_failures or running < _HARDLY_UP <= running_with_rare_failures:
        return Verdict(
            level="tight" if running >= _HARDLY_UP else "bad",
            word="waits for nodes",
            reason="With its nodes the job runs {running_with_rare_failures} of the time, but it waits for one "
            "{waiting_for_spare} of the time; with {spares_needed} spare it would wait 1%.",
        )
    of = "of the time with its nodes" if waiting_for_spare else "of the time"
    takes = f"Detection, restart and load take {{down_while_undisturbed}} {of} at any interval"
    if running_with_rare_failures >= _UP:
        return Verdict(level="good", word="OK", reason="The job runs {running_with_rare_failures} of the time.")
    if running_with_rare_failures >= _HARDLY_UP:
        return Verdict(
            level="tight",
            word="tight",
            reason=f"{takes}.",
        )
    return Verdict(
        level="bad",
        word="too slow",
        reason=f"{takes}, more than training.",
    )


FORMULAS = formulas_of(globals())

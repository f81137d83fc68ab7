"""Where goodput stops being good: its verdicts, what inputs cannot be together, and what to be warned of."""

from calculators.declare import Verdict, constraint, formulas_of, step, verdict, warning
from calculators.subjects.storage.goodput.spares import ENOUGH

TIGHT_FROM, OFF = 0.75, 0.01
_NEAR, _FAR = 0.005, 0.02
_UP, _HARDLY_UP = 0.9, 0.5
_MEASURED_GPUS = 131_072
# How far best_work misses the best with two tiers, by what is kept at it: found by trying every interval.
_MISSES = ((1 / 2, "0.2 points"), (1 / 3, "0.5 points"), (0, "1.5 points"))


def _piles_up(
    rare_failure_share: float | None, durable_time_to_safe: float, persist_every: float, interval: float
) -> bool:
    """Whether a durable save is not safe when the next is due; with one tier there are none."""
    one_tier = rare_failure_share is None and persist_every == 1
    return not one_tier and durable_time_to_safe > persist_every * interval


@step("share", "Called good from")
def good_goodput() -> float:
    """From where on goodput is called good: Llama 3 printed above 0.9, Gemini and ByteRobust 0.97."""
    return 0.9


@verdict("Is the time kept?")
def time_kept(goodput: float, good_goodput: float) -> Verdict:
    """Whether goodput reaches what large runs print; tight from three quarters on."""
    if goodput >= good_goodput:
        return Verdict(level="good", word="time is kept", reason="{goodput} of the time becomes training that stays.")
    if goodput >= TIGHT_FROM:
        return Verdict(
            level="tight",
            word="time is kept, with losses",
            reason="{goodput} is kept; large runs print {good_goodput} and more.",
        )
    return Verdict(
        level="bad",
        word="time is lost",
        reason="Only {goodput} is kept: {gpus_lost} of {gpus} might as well stand still.",
    )


@verdict("Is the interval right?")
def interval_right(
    goodput: float,
    goodput_at_best: float,
    rare_failure_share: float | None,
    persist_every: float,
    durable_time_to_safe: float,
    interval: float,
) -> Verdict:
    """Whether the interval keeps nearly what the best one would: within half a point, or within two.

    With two tiers, and some failures rare but not all, the best is an estimate, and the words say how good. Durable
    saves that are not safe when the next is due cannot be had as often as reckoned: no interval is right then.
    """
    if _piles_up(rare_failure_share, durable_time_to_safe, persist_every, interval):
        return Verdict(
            level="bad",
            word="interval is too short",
            reason="One save in {persist_every} is durable, and safe after {durable_time_to_safe}: "
            "saved every {interval}, the next is due before.",
        )
    missing = goodput_at_best - goodput
    if missing <= _NEAR:
        most = "the best there is to half a point."
        if rare_failure_share and rare_failure_share < 1 < persist_every:
            points = next(points for least, points in _MISSES if goodput_at_best >= least)
            most = (
                "at most half a point less than the {goodput_at_best} of {best_interval}, "
                f"which with two tiers is the best to {points}."
            )
        return Verdict(
            level="good", word="interval is right", reason=f"Saving every {{interval}} keeps {{goodput}}, {most}"
        )
    if missing <= _FAR:
        return Verdict(
            level="tight", word="interval is a little off", reason="Every {best_interval} would keep {goodput_at_best}."
        )
    return Verdict(
        level="bad",
        word="interval is wrong",
        reason="Every {best_interval} would keep {goodput_at_best} instead of {goodput}.",
    )


@verdict("Can the job keep up with its failures?")
def keeps_up(running_share: float) -> Verdict:
    """Whether the job is up most of the time, saves and work done twice left aside."""
    if running_share >= _UP:
        return Verdict(level="good", word="keeps up", reason="It is up and running {running_share} of the time.")
    if running_share >= _HARDLY_UP:
        return Verdict(
            level="tight",
            word="keeps up, barely",
            reason="Noticing, restarting and loading take {down_share} of the time, whatever the interval.",
        )
    return Verdict(
        level="bad",
        word="does not keep up",
        reason="More time is spent getting up than running: {down_share} of it, whatever the interval.",
    )


@constraint("time_to_safe")
def safe_after_the_stall(time_to_safe: float, checkpoint_stall: float) -> str:
    """A save is not safe while training still hands it over."""
    if time_to_safe >= checkpoint_stall:
        return ""
    return (
        "A save that stalls training for {checkpoint_stall} cannot be safe after {time_to_safe} already: give as much"
    )


@constraint("checkpoint_interval")
def interval_beyond_the_stall(checkpoint_interval: float, checkpoint_stall: float) -> str:
    """Between two saves there must be time to train."""
    if checkpoint_interval > checkpoint_stall:
        return ""
    return (
        "Saves that stall for {checkpoint_stall} leave nothing of an interval of {checkpoint_interval}: save less often"
    )


@constraint("durable_time_to_safe")
def durable_after_its_stall(rare_failure_share: float | None, durable_time_to_safe: float, durable_stall: float) -> str:
    """Nor is a durable save."""
    if rare_failure_share is None or durable_time_to_safe >= durable_stall:
        return ""
    return (
        "A durable save that stalls training for {durable_stall} cannot be safe after {durable_time_to_safe} already: "
        "give as much"
    )


@warning
def storage_sets_the_interval(time_to_safe: float, best_work: float, checkpoint_stall: float) -> str:
    """Saves that are not safe when failures would want the next."""
    if time_to_safe <= best_work + checkpoint_stall:
        return ""
    return "Storage, not failures, sets the best interval: a save is safe after {time_to_safe} only."


@warning
def begins_when_the_last_is_safe(checkpoint_interval: float, time_to_safe: float) -> str:
    """An interval that storage cannot keep."""
    if checkpoint_interval >= time_to_safe:
        return ""
    return "A save begins only when the last is safe: every {interval}, not every {checkpoint_interval}."


@warning
def longer_than_between_failures(interval: float, mtbf: float) -> str:
    """An interval that most often ends in a failure."""
    if interval <= mtbf:
        return ""
    return "The interval of {interval} is longer than the {mtbf} between failures: most intervals never end."


@warning
def waits_for_nodes(waiting_for_spare: float) -> str:
    """Too few spares for the repair time."""
    if waiting_for_spare <= ENOUGH:
        return ""
    return (
        "With {spare_nodes} spare the job waits for a repaired node {waiting_for_spare} of the time; "
        "{spares_needed} would bring that to a hundredth."
    )


@warning
def no_clean_checkpoint(
    corruption_gpu_mtbf: float | None, clean_checkpoints_needed: float, hot_checkpoints: float, warm_checkpoints: float
) -> str:
    """Corruption noticed after every checkpoint that is kept."""
    if corruption_gpu_mtbf is None or clean_checkpoints_needed <= hot_checkpoints + warm_checkpoints:
        return ""
    return (
        "No clean checkpoint remains when corruption is noticed after {corruption_delay}: "
        "at an interval of {interval} that takes {clean_checkpoints_needed}, "
        "while the store keeps {hot_checkpoints} hot, {warm_checkpoints} warm."
    )


@warning
def stops_that_never_come(planned_interval: float | None, planned_stop: float) -> str:
    """A planned stop of which nobody said how often it comes."""
    if planned_interval is not None or planned_stop == 0:
        return ""
    return (
        "A planned stop takes {planned_stop}, but none is planned: say how often one comes, or it costs nothing here."
    )


@step("share", "Rare failures, nodes waited for, upkeep")
def rest_share(goodput: float, stalled_share: float, lost_share: float, down_share: float) -> float:
    """What is neither kept nor stalled, done twice or down: the share that tiers, spares and upkeep take."""
    return max(0, 1 - goodput - stalled_share - lost_share - down_share)


@warning
def more_is_lost(rest_share: float) -> str:
    """Losses that the sentence does not name."""
    if rest_share <= OFF:
        return ""
    return (
        "Beside these, {rest_share} of the time goes into failures that take near copies along, waiting for nodes, "
        "planned stops and silent corruption."
    )


@warning
def sums_are_off(linear_goodput: float, goodput: float) -> str:
    """Losses so large that they cannot be added up."""
    if linear_goodput >= goodput - OFF:
        return ""
    return "Spreadsheets that add up losses are off here: they say {linear_goodput}."


@warning
def beyond_measured_sizes(gpus: float) -> str:
    """Rates per GPU carried beyond what anybody published."""
    if gpus <= _MEASURED_GPUS:
        return ""
    return "Nobody has published failures of a job of {gpus}: the rate per GPU is extrapolated."


@warning
def durable_saves_pile_up(
    rare_failure_share: float | None, durable_time_to_safe: float, persist_every: float, interval: float
) -> str:
    """A durable save that is not safe when the next one is due."""
    if not _piles_up(rare_failure_share, durable_time_to_safe, persist_every, interval):
        return ""
    return "Durable saves pile up: one is safe after {durable_time_to_safe}, and the next is due before."


@warning
def near_copies_taken_to_last(rare_failure_share: float | None, persist_every: float) -> str:
    """Saves of which not each is durable, and nothing said of failures that need one that is."""
    if rare_failure_share is not None or persist_every == 1:
        return ""
    return (
        "One save in {persist_every} is durable, and no failure is said to take the others along: "
        "give the share of failures that does, or this is the best case."
    )


FORMULAS = formulas_of(globals())

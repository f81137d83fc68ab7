"""Verdict on checkpoint writes: do they finish before the next one starts, and within the time allowed?"""

from calculators.declare import Verdict, formulas_of, verdict
from calculators.subjects.storage.checkpoint.formulas import Mode

TIGHT_FROM = 0.5
_OVERLAPS = "too slow: overlaps the next checkpoint"


@verdict(
    "Checkpoint write",
    good="write_bandwidth=200GB/s",
    tight="parameters=30B&checkpoint_interval=1min&write_window=1min&write_bandwidth=10GB/s",
    bad="write_bandwidth=1GB/s",
)
def write_in_time(
    checkpoint_mode: Mode,
    persist_every: float,
    time_to_safe: float,
    checkpoint_interval: float,
    durable_time_to_safe: float,
    durable_interval: float,
    write_duration: float,
    write_window: float,
) -> Verdict:
    """Whether a write ends before the next checkpoint starts and within the time allowed; tight from half of it on."""
    which = "A checkpoint" if persist_every == 1 else "A persisted checkpoint"
    if persist_every > 1 and time_to_safe > checkpoint_interval:
        return Verdict(
            level="bad",
            word=_OVERLAPS,
            reason="A local checkpoint takes {time_to_safe}, longer than the {checkpoint_interval} until the next one: "
            "one starts every {interval}, as fast as the GPU nodes' drives allow.",
        )
    if durable_time_to_safe > durable_interval:
        until = (
            "training waits for storage all the time."
            if checkpoint_mode == "synchronous"
            else "checkpoints queue, and one starts every {effective_interval}, as fast as storage allows."
        )
        late = "" if write_duration <= write_window else " The write also exceeds the {write_window} limit."
        due = "takes {durable_time_to_safe}, longer than the {durable_interval} until the next one: "
        return Verdict(level="bad", word=_OVERLAPS, reason=f"{which} {due}{until}{late}")
    if write_duration > write_window:
        return Verdict(
            level="bad",
            word="too slow",
            reason="{write_duration} at {write_bandwidth}, limit {write_window}: that needs "
            "{required_write_bandwidth}.",
        )
    if durable_time_to_safe > durable_interval * TIGHT_FROM:
        return Verdict(
            level="tight",
            word="barely finishes",
            reason=f"{which} takes {{durable_time_to_safe}} of the {{durable_interval}} until the next one: "
            "{write_slack} spare.",
        )
    return Verdict(
        level="good",
        word="finishes before the next checkpoint",
        reason=f"{which} takes {{durable_time_to_safe}}; the next one starts {{write_slack}} later.",
    )


VERDICTS = formulas_of(globals())

"""Whether the traffic is served: targets, memory and load, a copy that fails, and caches read back."""

from calculators.declare import Verdict, formulas_of, verdict
from calculators.subjects.serving.inference.inputs import Tier

_HALF = 0.5
_ROUNDING = 1e-9


@verdict("Are the targets met?")
def targets_met(
    serving_max_sequences: float,
    max_sequences: float,
    running: float,
    balanced_running: float,
    tpot: float,
    tpot_target: float,
    ttft: float | None,
    ttft_target: float,
    fastest_tpot: float,
    unqueued_ttft: float,
) -> Verdict:
    """Whether a copy serves its sequences within both targets, and whether memory or the target holds it."""
    if running > serving_max_sequences:
        return _misfit(max_sequences, running)
    if tpot > tpot_target * (1 + _ROUNDING):
        return _too_slow(fastest_tpot, tpot_target)
    if ttft is None or ttft > ttft_target:
        return _too_late(ttft, unqueued_ttft, ttft_target)
    if running == serving_max_sequences:
        bound = "memory holds no more" if max_sequences <= serving_max_sequences else "the engine is set to no more"
        return Verdict(
            level="tight",
            word="met, at the limit",
            reason="{running} run at once in a copy, and " + bound + ": the next waits in line. "
            "The targets would allow more.",
        )
    if running < _HALF * serving_max_sequences:
        return _held(running, balanced_running)
    return Verdict(
        level="good", word="met", reason="{running} at once in a copy, {tpot} a token and {ttft} to the first."
    )


def _held(running: float, balanced_running: float) -> Verdict:
    if running < balanced_running:
        return Verdict(
            level="tight",
            word="met, with fewer than it allows",
            reason="Memory would hold {max_sequences}, the target allows {balanced_running}; {running} are asked for.",
        )
    return Verdict(
        level="tight",
        word="met, the target binds",
        reason="Memory would hold {max_sequences}; the target allows {running}.",
    )


def _misfit(max_sequences: float, running: float) -> Verdict:
    if max_sequences < 1:
        return Verdict(
            level="bad",
            word="does not fit",
            reason="Not one sequence of {context} fits beside {serving_weight_memory} of weights in {gpu_memory}: "
            "spread a copy over more GPUs, or serve narrower weights.",
        )
    if running <= max_sequences:
        return Verdict(
            level="bad",
            word="more than the engine runs",
            reason="{running} are asked for, and the engine is set to {most_sequences} at most.",
        )
    return Verdict(
        level="bad",
        word="does not fit",
        reason="{running} are more than memory holds: there is room for {max_sequences} of {context}.",
    )


def _too_slow(fastest_tpot: float, tpot_target: float) -> Verdict:
    if fastest_tpot > tpot_target:
        return Verdict(
            level="bad",
            word="too slow",
            reason="No batch is small enough: alone a sequence takes {fastest_tpot} a token, and {tpot_target} is "
            "asked for. {fixed_latency} of a step is latency, which bandwidth does not shorten; a draft, "
            "narrower weights or more GPUs for a copy may do.",
        )
    return Verdict(
        level="bad",
        word="too slow",
        reason="With {running} at once a token takes {tpot}, and {tpot_target} is asked for.",
    )


def _too_late(ttft: float | None, unqueued_ttft: float, ttft_target: float) -> Verdict:
    if unqueued_ttft > ttft_target:
        return Verdict(
            level="bad",
            word="starts too late",
            reason="The first token takes {unqueued_ttft} with nobody before it, and {ttft_target} is asked for: "
            "the prompt alone takes {prefill_time}.",
        )
    if ttft is None:
        return Verdict(
            level="bad",
            word="starts too late",
            reason="Prompts come faster than they are read, so the first token waits without end.",
        )
    return Verdict(
        level="bad",
        word="starts too late",
        reason="Prompts wait {prompt_wait} for others: the first token takes {ttft}, and {ttft_target} is asked for.",
    )


@verdict("Are there enough copies?")
def load_carried(serving_load: float | None, planned_load: float) -> Verdict:
    """Whether the copies carry the traffic, with what was planned to spare."""
    if serving_load is None:
        return Verdict(
            level="bad", word="none would do", reason="A copy serves nothing, so no number of them would do."
        )
    if serving_load >= 1:
        return Verdict(
            level="bad",
            word="overrun",
            reason="The traffic is {serving_load} of what {copies} can do: the queue grows without end.",
        )
    if serving_load > planned_load * (1 + _ROUNDING):
        return Verdict(
            level="tight",
            word="little to spare",
            reason="The traffic takes {serving_load} of what {copies} can do, where {planned_load} was planned.",
        )
    return Verdict(
        level="good", word="enough copies", reason="The traffic takes {serving_load} of what {copies} can do."
    )


@verdict("With one copy down?")
def survives(failed_load: float | None, planned_load: float) -> Verdict:
    """Whether the rest carries the traffic when one copy has failed."""
    if failed_load is None:
        return Verdict(
            level="bad",
            word="with one down, nothing is left",
            reason="There is one copy: when it fails, nobody is served.",
        )
    if failed_load >= 1:
        return Verdict(
            level="bad",
            word="with one down, overrun",
            reason="The rest would have to give {failed_load} of what it can: the queue grows until the copy is back.",
        )
    if failed_load > planned_load:
        return Verdict(
            level="tight",
            word="with one down, no room for bursts",
            reason="The rest is then at {failed_load} of what it can do, where {planned_load} was planned.",
        )
    return Verdict(
        level="good", word="with one down, carried", reason="The rest is then at {failed_load} of what it can do."
    )


@verdict("Do kept caches pay?")
def reload_pays(tier: Tier, reload_gain: float, reload_time: float, ttft_target: float) -> Verdict:
    """Whether reading a prompt's cache back from this tier beats reading the prompt again."""
    if reload_time == 0:
        return Verdict(
            level="good" if tier == "none" else "tight",
            word="nothing to keep",
            reason="No layer has attention, so no cache of {prompt} is left to read back: what a sequence leaves is "
            "its state, {state_per_sequence}.",
        )
    if reload_gain <= 1:
        return Verdict(
            level="bad" if tier != "none" else "tight",
            word="kept caches do not pay",
            reason="Reading {prompt} back takes {reload_time}, reading the prompt again is sooner done: it pays above "
            "{break_even_bandwidth} for a copy.",
        )
    if tier != "none" and reload_time > ttft_target:
        return Verdict(
            level="tight",
            word="kept caches pay, but come late",
            reason="It is {reload_gain} times sooner than reading again, and still takes {reload_time}, "
            "longer than the target.",
        )
    return Verdict(
        level="good",
        word="kept caches pay" if tier != "none" else "kept caches would pay",
        reason="Reading {prompt} back takes {reload_time}, {reload_gain} times sooner than reading the prompt again.",
    )


FORMULAS = formulas_of(globals())

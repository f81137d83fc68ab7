"""Loop between trainer and rollout engines: what decides the step, who waits for whom, and the best split of GPUs."""

import math
from functools import cache
from typing import NamedTuple

from calculators.declare import formulas_of, record, step
from calculators.subjects.post_training.post_training.formulas.batch import Batch, Judging, Rollouts, Rules
from calculators.subjects.post_training.post_training.formulas.engine import Engine, Sample
from calculators.subjects.post_training.post_training.formulas.lengths import Lengths
from calculators.subjects.post_training.post_training.formulas.trainer import Trainer
from calculators.subjects.post_training.post_training.inputs.pools import LateSamples, Placement, Routing
from calculators.subjects.post_training.post_training.inputs.work import Algorithm

TRAINER, ENGINES, VERIFIERS = "trainer", "rollout engines", "verifiers"
LONGEST, SANDBOXES, SWITCHING = "the longest answer", "sandboxes", "weights and switching"
_SANDBOXES_DECIDE = 0.98  # of the time of generation that all sandboxes in use explain
_DIGITS = 9
_MOST_SPLITS = 32  # tried at once; more are tried coarsely, then around the best
_NOTHING = 1e-9
_ROUNDED = 1 + 1e-8  # the same sum in another order, and rounded


class Rivals(NamedTuple):
    """Times that a step would take if each alone decided it [s]; None for one that is off."""

    trainer: float
    engines: float | None
    verifiers: float | None
    longest: float | None


class Outcome(NamedTuple):
    """A step [s]: what decides it, its rivals, both waits, and what the engines do."""

    step: float
    decided_by: str
    rivals: Rivals
    trainer_wait: float
    rollout_wait: float
    running: float
    generation: float
    batch: Batch
    bubble: float
    dropped: float
    staleness: float


def _close(value: float) -> float:
    """A value rounded, so that equal ones compare as equal."""
    return float(f"{value:.{_DIGITS}g}")


def preference(trainer: Trainer, gpus: float) -> Outcome:
    """Step of DPO: the trainer alone, without weight transfer."""
    step = trainer.work(gpus)
    rivals = Rivals(step, None, None, None)
    return Outcome(step, TRAINER, rivals, 0.0, 0.0, 0.0, 0.0, Batch(0.0, 0.0, 0.0), 0.0, 0.0, 0.0)


def colocated(rollouts: Rollouts, trainer: Trainer, gpus: float, copies: float, switch_time: float) -> Outcome:
    """Step where trainer and engines take turns on the same GPUs: neither waits, but engines drain."""
    rules, judging = rollouts.rules, rollouts.judging
    waited = rules.late == "waited"
    batch = rollouts.batch(copies)
    most = rollouts.running_with(min(rules.most_samples, rollouts.generated), copies)
    phase = batch.time if waited else rollouts.generation(most, copies)
    rest = max(0.0, judging.all - phase)  # the others are judged while the rest is generated
    work, switching = trainer.work(gpus), trainer.sync + switch_time
    parts = {ENGINES: phase, TRAINER: work, SWITCHING: switching, VERIFIERS: judging.one + rest}
    step = sum(parts.values())
    full = min(rollouts.slots, rollouts.generated / copies)
    busy = rollouts.generation(full, copies)
    decided = max(parts, key=lambda name: _close(parts[name]))
    return Outcome(
        step=step,
        decided_by=decided,
        rivals=Rivals(work, phase, judging.one + rest, None),
        trainer_wait=0.0,
        rollout_wait=0.0,
        running=full,
        generation=phase,
        batch=batch,
        bubble=max(0.0, 1 - busy / phase),
        dropped=0.0,
        staleness=0.0 if waited else 1.0,
    )


def on_policy(rollouts: Rollouts, trainer: Trainer, gpus: float, copies: float) -> Outcome:
    """Step where both pools take turns: every sample is from the policy that learns from it."""
    cycle, batch = trainer.cycle(gpus), rollouts.batch(copies)
    step = batch.time + rollouts.judging.one + max(0.0, rollouts.judging.all - batch.time) + cycle
    return Outcome(
        step=step,
        decided_by=TRAINER if _close(cycle) > _close(batch.time) else ENGINES,
        rivals=Rivals(cycle, batch.time, rollouts.judging.all, None),
        trainer_wait=1 - cycle / step,
        rollout_wait=1 - batch.time / step,
        running=rollouts.running_at(batch.time, copies),
        generation=batch.time,
        batch=batch,
        bubble=0.0,
        dropped=0.0,
        staleness=0.0,
    )


def overlapped(rollouts: Rollouts, trainer: Trainer, gpus: float, copies: float) -> Outcome:
    """Step where trainer and engines work at the same time: the largest of four rivals."""
    rules, cycle = rollouts.rules, trainer.cycle(gpus)
    free, running = rollouts.refilled(copies, cycle, trainer.sync)
    generation = rollouts.generation(running, copies)
    longest = None
    if rules.late == "waited":
        longest = rollouts.longest_loop(copies, cycle, rollouts.lengths.longest_of(rollouts.generated))
    rivals = Rivals(cycle, generation + trainer.sync, rollouts.judging.all, longest)
    named = {TRAINER: cycle, ENGINES: rivals.engines or 0.0, VERIFIERS: rollouts.judging.all, LONGEST: longest or 0.0}
    decided = max(named, key=lambda name: _close(named[name]))
    step = named[decided]
    if decided == ENGINES and rules.sandboxes is not None:
        used = rollouts.generated * (rollouts.one(running) + rollouts.around) / rules.sandboxes
        if used > _SANDBOXES_DECIDE * generation:
            decided = SANDBOXES
    dropped = 0.0
    if rules.late == "dropped":
        dropped = rollouts.late_share(copies, step)
        step = max(step, free / max(_NOTHING, 1 - dropped))
    each = rollouts.generated / copies
    busy = rollouts.generation(rollouts.slots if each > rollouts.slots else max(running, _NOTHING), copies)
    return Outcome(
        step=step,
        decided_by=decided,
        rivals=rivals,
        trainer_wait=max(0.0, 1 - cycle / step),
        rollout_wait=max(0.0, 1 - busy / step),
        running=running,
        generation=generation,
        batch=Batch(0.0, 0.0, 0.0),
        bubble=0.0,
        dropped=dropped,
        staleness=min(rules.staleness, rules.staleness + 1 - cycle / step),
    )


def disaggregated(rollouts: Rollouts, trainer: Trainer, gpus: float, copies: float) -> Outcome:
    """Step where trainer and engines have GPUs of their own."""
    if rollouts.rules.staleness == 0:
        return on_policy(rollouts, trainer, gpus, copies)
    return overlapped(rollouts, trainer, gpus, copies)


def best_split(
    rollouts: Rollouts, trainer: Trainer, gpus: float, group: float, ranks: float, fewest: float | None
) -> float:
    """GPUs for training, in whole groups, with which a step takes least [GPU]; the fewest of equal ones.

    At least `fewest`, which hold the trainer, where any split has so many. Every split is tried that trainer or engines
    alone do not make slower than the best; of more than 32 first every second, third and so on, then those around the
    best.
    """
    most = int((gpus - ranks) // group)
    if most <= 1:
        return group
    least = 1 if fewest is None or fewest > most * group else math.ceil(fewest / group)
    overlaps = rollouts.rules.staleness > 0

    def copies(groups: int) -> float:
        return max(1.0, (gpus - groups * group) // ranks)

    @cache
    def step_of(groups: int) -> float:
        return _close(disaggregated(rollouts, trainer, groups * group, copies(groups)).step)

    def may_take(step: float, groups: int) -> bool:
        cycle = trainer.cycle(groups * group)
        return rollouts.may_take(step, copies(groups), cycle, trainer.sync) if overlaps else cycle <= step

    low, high = least, most
    while True:
        stride = max(1, -(-(high - low + 1) // _MOST_SPLITS))
        tried = range(low, high + 1, stride)
        best = tried[len(tried) // 2]
        for groups in tried:
            if may_take(step_of(best) * _ROUNDED, groups):
                best = min(best, groups, key=lambda one: (step_of(one), one))
        if stride == 1:
            return best * group
        low, high = max(least, best - stride), min(most, best + stride)


@record("Rules of the loop")
def loop_rules(
    max_staleness: float, late_samples: LateSamples, rollout_routing: Routing, sandboxes: float | None
) -> Rules:
    """Staleness allowed, late answers, routing and sandboxes."""
    return Rules(max_staleness, late_samples, rollout_routing, sandboxes)


@step("s", "Verifiers at work")
def verifier_busy_time(
    generated_samples: float, verifier_time: float, verifier_cores: float, verifier_pool: float
) -> float:
    """Time in which the verifiers judge a step's samples on all their cores [s].

    >>> verifier_busy_time(1024, 60, 1, 100)
    614.4
    """
    return generated_samples * verifier_time * verifier_cores / verifier_pool


@record("Verification")
def judging(verifier_time: float, verifier_busy_time: float, reward_time: float) -> Judging:
    """Time to verify one sample, and all of a step: by verifiers or by the reward model's own GPUs."""
    return Judging(verifier_time, max(verifier_busy_time, reward_time))


@record("Rollouts of a step")
def rollouts(
    answer_lengths: Lengths,
    rollout_engine: Engine,
    rollout_sample: Sample,
    rollout_slots: float,
    generated_samples: float,
    samples_per_prompt: float,
    loop_rules: Rules,
    judging: Judging,
) -> Rollouts:
    """Samples of a step, their lengths, and the engine that generates them."""
    return Rollouts(
        lengths=answer_lengths,
        engine=rollout_engine,
        sample=rollout_sample,
        slots=rollout_slots,
        generated=generated_samples,
        group=samples_per_prompt,
        rules=loop_rules,
        judging=judging,
    )


@step("GPU", "Best split: GPUs that train")
def best_train_gpus(
    algorithm: Algorithm,
    placement: Placement,
    gpus: float,
    train_group: float,
    serving_tensor_parallel: float,
    rollouts: Rollouts,
    trainer: Trainer,
    fewest_train_gpus: float | None,
) -> float:
    """GPUs for training with which a step takes least [GPU], in whole training replicas that hold the trainer.

    All of them with DPO and where trainer and engines share them.
    """
    if algorithm == "dpo" or placement == "colocated":
        return gpus
    return best_split(rollouts, trainer, gpus, train_group, serving_tensor_parallel, fewest_train_gpus)


@record("Step")
def outcome(
    algorithm: Algorithm,
    placement: Placement,
    rollouts: Rollouts,
    trainer: Trainer,
    trainer_gpus: float,
    rollout_copies: float,
    switch_time: float,
) -> Outcome:
    """The step: what decides it, who waits, and what the engines do."""
    if algorithm == "dpo":
        return preference(trainer, trainer_gpus)
    if placement == "colocated":
        return colocated(rollouts, trainer, trainer_gpus, rollout_copies, switch_time)
    return disaggregated(rollouts, trainer, trainer_gpus, rollout_copies)


@step("s", "Step at the best split")
def best_step_time(
    algorithm: Algorithm,
    placement: Placement,
    rollouts: Rollouts,
    trainer: Trainer,
    best_train_gpus: float,
    gpus: float,
    serving_tensor_parallel: float,
    outcome: Outcome,
) -> float:
    """Time of a step with the best number of GPUs for training [s]."""
    if algorithm == "dpo" or placement == "colocated":
        return outcome.step
    copies = max(1.0, (gpus - best_train_gpus) // serving_tensor_parallel)
    return disaggregated(rollouts, trainer, best_train_gpus, copies).step


FORMULAS = formulas_of(globals())

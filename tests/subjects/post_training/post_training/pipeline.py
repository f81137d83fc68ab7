"""Discrete events of a post-training loop: engines that share their time among samples, verifiers, and a trainer.

It takes from the calculator the time of a decoding step, the trainer's work and the weight transfer, and nothing of the
closed form. It tests waiting, not speed.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from calculators.subjects.post_training.post_training.formulas.batch import Rollouts

_LOOKED_AT = 256.0  # tokens after which an engine's speed is looked at again, because contexts grow


class Measured(NamedTuple):
    """Mean step [s], share of it in which the trainer waits, mean and largest staleness [step]."""

    step: float
    trainer_wait: float
    staleness: float
    oldest: float


@dataclass
class Sample:
    """A sample: tokens of its turns still to write, those it holds, and the policy and batch it belongs to."""

    turns: list[float]
    held: float
    policy: int
    batch: int
    engine: int = -1


@dataclass
class Engine:
    """An engine: running samples by the token at which they finish, on a clock of tokens."""

    running: list[tuple[float, int, Sample]] = field(default_factory=list)
    clock: float = 0.0
    seen: float = 0.0
    speed: float = 0.0
    base: float = 0.0  # tokens held by running samples, each less the clock at its start
    plan: int = 0
    resident: int = 0


class Pipeline:
    """The loop, event by event."""

    def __init__(self, values: Any, seed: int) -> None:
        self.rollouts: Rollouts = values["rollouts"]
        self.rules = self.rollouts.rules
        self.work, self.sync = values["trainer_time"], values["weight_sync_time"]
        self.per_batch, self.turns = int(values["samples_per_step"]), int(values["turns"])
        self.start, self.tool_tokens, self.tool_time = (
            values[name] for name in ("input_tokens", "tool_tokens", "tool_time")
        )
        self.engines = [Engine() for _ in range(int(values["rollout_copies"]))]
        self.slots = int(self.rollouts.slots)
        self.judges = [0.0] * max(1, int(values["verifier_pool"] / values["verifier_cores"]))
        self.random = random.Random(seed)  # noqa: S311  lengths, no secrets
        self.events: list[tuple[float, int, Callable[[], None]]] = []
        self.queue: deque[Sample] = deque()
        self.done: list[Sample] = []
        self.now, self.count, self.policy, self.batches, self.in_use = 0.0, 0, 0, 0, 0
        self.busy = self.paused = False
        self.finished: list[float] = []
        self.ages: list[list[int]] = []

    def run(self, steps: int, warm: int) -> Measured:
        """The mean of steps after the first `warm`."""
        for _ in range(int(self.rules.staleness) + 1):
            self._submit()
        while len(self.finished) < steps:
            self.now, _, happen = heapq.heappop(self.events)
            happen()
        step = (self.finished[-1] - self.finished[warm - 1]) / (steps - warm)
        ages = [age for batch in self.ages[warm:] for age in batch]
        return Measured(step, 1 - (self.work + self.sync) / step, sum(ages) / len(ages), max(ages))

    def _at(self, time: float, happen: Callable[[], None]) -> None:
        self.count += 1
        heapq.heappush(self.events, (time, self.count, happen))

    def _submit(self) -> None:
        _, limit, centre, spread = self.rollouts.lengths.shape
        for _ in range(self.per_batch):
            length = min(limit, math.exp(centre + spread * self.random.gauss(0, 1)))
            turns = [length / self.turns] * self.turns
            self.queue.append(Sample(turns, self.start, self.policy, self.batches))
        self.batches += 1
        self._admit()

    def _admit(self) -> None:
        changed = set()
        while self.queue and self.in_use < self.rules.most_samples:
            number = min(
                range(len(self.engines)), key=lambda one: (self.engines[one].resident, len(self.engines[one].running))
            )
            engine = self.engines[number]
            if len(engine.running) >= self.slots:
                break
            sample = self.queue.popleft()
            sample.engine = number
            engine.resident += 1
            self.in_use += 1
            self._advance(engine)
            self._begin(engine, sample)
            changed.add(number)
        for number in changed:
            self._plan(self.engines[number])

    def _begin(self, engine: Engine, sample: Sample) -> None:
        self.count += 1
        heapq.heappush(engine.running, (engine.clock + sample.turns[0], self.count, sample))
        sample.held -= engine.clock
        engine.base += sample.held

    def _advance(self, engine: Engine) -> None:
        if not self.paused:
            engine.clock += (self.now - engine.seen) * engine.speed
        engine.seen = self.now

    def _plan(self, engine: Engine) -> None:
        """Look at an engine again when its first sample finishes a turn, or its contexts have grown."""
        engine.plan += 1
        running = len(engine.running)
        if not running or self.paused:
            engine.speed = 0.0 if not running else engine.speed
            return
        each = self.rollouts.engine.tpot(running, max(1.0, engine.base / running + engine.clock))
        engine.speed = 1 / (each + running * self.rollouts.sample.prompt_time / self.rollouts.answer)
        tokens = max(0.0, min(engine.running[0][0] - engine.clock, _LOOKED_AT))
        plan = engine.plan
        self._at(self.now + tokens / engine.speed, lambda: self._look(engine, plan))

    def _look(self, engine: Engine, plan: int) -> None:
        if plan != engine.plan:
            return
        self._advance(engine)
        while engine.running and engine.running[0][0] <= engine.clock + 1e-6:
            _, _, sample = heapq.heappop(engine.running)
            engine.base -= sample.held
            sample.held += engine.clock
            sample.turns.pop(0)
            wait = self.tool_time if self.turns > 1 else 0.0
            later = self._again if sample.turns else self._judge
            self._at(self.now + wait, lambda sample=sample, later=later: later(sample))  # type: ignore[misc]
        self._plan(engine)
        self._admit()

    def _again(self, sample: Sample) -> None:
        sample.held += self.tool_tokens
        engine = self.engines[sample.engine]
        self._advance(engine)
        self._begin(engine, sample)
        self._plan(engine)

    def _judge(self, sample: Sample) -> None:
        start = max(self.now, heapq.heappop(self.judges))
        heapq.heappush(self.judges, start + self.rollouts.judging.one)
        self._at(start + self.rollouts.judging.one, lambda: self._finish(sample))

    def _finish(self, sample: Sample) -> None:
        self.in_use -= 1
        self.engines[sample.engine].resident -= 1
        self.done.append(sample)
        self._admit()
        self._train()

    def _train(self) -> None:
        wanted = len(self.finished)
        ready = (
            [sample for sample in self.done if sample.batch == wanted]
            if self.rules.late == "waited"
            else self.done[: self.per_batch]
        )
        if self.busy or len(ready) < self.per_batch:
            return
        used = {id(sample) for sample in ready}
        self.done = [sample for sample in self.done if id(sample) not in used]
        self.ages.append([self.policy - sample.policy for sample in ready])
        self.busy = True
        self._at(self.now + self.work, self._pause)

    def _pause(self) -> None:
        for engine in self.engines:
            self._advance(engine)
            engine.plan += 1
        self.paused = True
        self._at(self.now + self.sync, self._resume)

    def _resume(self) -> None:
        self.paused = False
        self.policy += 1
        self.busy = False
        self.finished.append(self.now)
        for engine in self.engines:
            engine.seen = self.now
            self._plan(engine)
        self._submit()
        self._train()


def simulated(values: Any, *, seeds: tuple[int, ...] = (1,), steps: int = 12, warm: int = 4) -> Measured:
    """Means over some seeds; the largest staleness of all."""
    runs = [Pipeline(values, seed).run(steps, warm) for seed in seeds]
    count = len(runs)
    return Measured(
        sum(run.step for run in runs) / count,
        sum(run.trainer_wait for run in runs) / count,
        sum(run.staleness for run in runs) / count,
        max(run.oldest for run in runs),
    )

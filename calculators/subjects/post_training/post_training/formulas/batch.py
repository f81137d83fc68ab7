"""Rollouts of an engine pool: steady running, and a batch from nothing that fills, runs full and drains."""

import math
from collections.abc import Callable
from typing import NamedTuple

from calculators.subjects.post_training.post_training.formulas.engine import Engine, Sample
from calculators.subjects.post_training.post_training.formulas.lengths import Lengths, drain_places
from calculators.subjects.post_training.post_training.formulas.roots import expected_largest, rising_root
from calculators.subjects.post_training.post_training.inputs.pools import LateSamples, Routing

_FEWEST = 1e-9  # sequences in an engine that is all but empty


class Rules(NamedTuple):
    """Rules of the loop: staleness, late answers, routing, and sandboxes (None where they never run short)."""

    staleness: float
    late: LateSamples
    routing: Routing
    sandboxes: float | None

    @property
    def most_samples(self) -> float:
        """Samples that may be on their way at once."""
        return math.inf if self.sandboxes is None else self.sandboxes


class Judging(NamedTuple):
    """Verification: time of one sample, and time in which the verifiers judge a step's samples [s]."""

    one: float
    all: float


class Batch(NamedTuple):
    """A batch from nothing [s]: all of it, at full load, and draining."""

    time: float
    full: float
    drain: float


class Rollouts(NamedTuple):
    """Samples of a step, their lengths, and the engine that generates them."""

    lengths: Lengths
    engine: Engine
    sample: Sample
    slots: float
    generated: float
    group: float
    rules: Rules
    judging: Judging

    @property
    def answer(self) -> float:
        """Mean length of an answer [token]."""
        return self.lengths.shape.mean

    @property
    def around(self) -> float:
        """Time of a sample outside its engine: tools and verification [s]."""
        return self.sample.waiting + self.judging.one

    def tpot(self, running: float) -> float:
        """Time per output token with so many running sequences of mean context [s]."""
        return self.engine.tpot(running, self.sample.context)

    def one(self, running: float) -> float:
        """Time in which an engine that runs so many sequences finishes as many answers [s]."""
        return self.answer * self.tpot(running) + running * self.sample.prompt_time

    def generation(self, running: float, copies: float) -> float:
        """Time in which so many engines, each with so many running sequences, generate a step's samples [s]."""
        return self.generated * self.one(running) / (copies * running)

    def in_flight(self, running: float, copies: float, generation: float) -> float:
        """Samples on their way, those at tools and verifiers included, where engines generate a step's in this time."""
        return copies * running + self.generated / generation * self.around

    def most_in_flight(self, cycle: float, step: float) -> float:
        """Samples that may be on their way: staleness + 0.5 - trainer cycle / step batches, and sandboxes for them."""
        return min(self.rules.most_samples, (self.rules.staleness + 1 / 2 - cycle / step) * self.generated)

    def running_with(self, in_flight: float, copies: float) -> float:
        """Running sequences per engine where so many samples are on their way [sequence]."""

        def beyond(running: float) -> float:
            return self.in_flight(running, copies, self.generation(running, copies)) - in_flight

        return rising_root(beyond, _FEWEST, self.slots)

    def running_at(self, step: float, copies: float) -> float:
        """Running sequences per engine that generate a step's samples in this time, by Little's law [sequence]."""
        each = self.generated / (copies * step)
        return rising_root(lambda running: running - each * self.one(running), _FEWEST, self.slots)

    def refilled(self, copies: float, cycle: float, sync: float) -> tuple[float, float]:
        """The shortest step in which the loop refills itself [s], and running sequences per engine."""

        def beyond(running: float) -> float:
            generation = self.generation(running, copies)
            held = self.most_in_flight(cycle, max(cycle, generation + sync))
            return self.in_flight(running, copies, generation) - held

        running = rising_root(beyond, _FEWEST, self.slots)
        return max(cycle, self.generation(running, copies) + sync), running

    def may_take(self, step: float, copies: float, cycle: float, sync: float) -> bool:
        """Whether a step that overlaps with training may be as short as this, by what engines then hold."""
        if step < cycle or step <= sync:
            return False
        outside = self.in_flight(0.0, copies, step - sync)
        running = min(self.slots, (self.most_in_flight(cycle, step) - outside) / copies)
        return running > 0 and self.generation(running, copies) + sync <= step

    def longest_loop(self, copies: float, cycle: float, longest: float) -> float:
        """Step in which the longest answer and the training after it fit into the staleness [s]."""

        def loop(running: float) -> float:
            time = longest * (self.tpot(running) + running * self.sample.prompt_time / self.answer)
            return (time + self.around + cycle) / (self.rules.staleness + 1)

        each = self.generated / copies
        running = rising_root(lambda tried: tried * loop(tried) - each * self.one(tried), _FEWEST, self.slots)
        return loop(running)

    def late_share(self, copies: float, step: float) -> float:
        """Share of answers that take longer than the staleness allows at this step time."""
        time = (self.rules.staleness + 1) * step - self.sample.waiting
        return self.lengths.longer(max(0.0, time) / self.tpot(self.running_at(step, copies)))

    def batch(self, copies: float) -> Batch:
        """A batch from nothing: prompts, full engines where more samples come than they hold, and the drain."""
        each, sample, lengths = self.generated / copies, self.sample, self.lengths
        alike = each / self.group if self.rules.routing == "groups" else each
        imbalance = expected_largest(copies) * lengths.variation / math.sqrt(max(1.0, alike))
        if each <= self.slots:
            start = sample.context - lengths.age
            steps = lengths.longest_of(self.generated)
            drain = self._drain(each, steps, start, lengths.longer, 1.0)
            full = 0.0
            uneven = max(0.0, drain - steps * self.engine.tpot(1.0, start))
        else:
            steps = lengths.longest_remainder_of(self.slots * copies)
            drain = self._drain(self.slots, steps, sample.context, lengths.remaining, 1 / 2)
            whole = max(0.0, each * self.answer - self.slots * lengths.age)
            full = uneven = whole / self.slots * self.tpot(self.slots)
        prompts = each * sample.prompt_time
        return Batch(prompts + full + drain + imbalance * uneven + sample.waiting, full, drain)

    def _drain(
        self, running: float, steps: float, start: float, left: Callable[[float], float], growth: float
    ) -> float:
        """Time in which engines drain [s]: sequences finish, and those that run grow from a context."""
        tpot = self.engine.tpot
        return sum(
            tpot(max(1.0, running * left(tokens)), start + growth * tokens) * width
            for tokens, width in drain_places(steps)
        )

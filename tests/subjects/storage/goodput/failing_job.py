"""A failing job, event by event: what the closed forms are compared with. It knows none of their algebra."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

BATCHES = 16


@dataclass(frozen=True, kw_only=True)
class Job:
    """A job: seconds between failures, of work between saves, of a save and of getting up; a durable save each `every`.

    Of failures the share `rare` takes near saves along; then `durable_recovery` is needed.
    """

    mtbf: float
    work: float
    stall: float
    safe: float
    detection: float = 0
    recovery: float = 0
    rare: float = 0
    every: int = 1
    durable_safe: float = 0
    durable_recovery: float = 0

    def shares(self, failures: int, chance: random.Random) -> dict[str, float]:
        """The shares of the clock that are kept work, running, and stalled, over so many failures."""
        clock = near = durable = running = stalled = 0.0
        for _ in range(failures):
            life = chance.expovariate(1 / self.mtbf)
            running += life
            stalled += self._stalled(life)
            near, durable = self._run(life, near, durable)
            rare = chance.random() < self.rare
            clock += life + self.detection
            while (life := chance.expovariate(1 / self.mtbf)) < self._need(rare=rare):
                clock += life + self.detection
                rare = rare or chance.random() < self.rare
            clock += self._need(rare=rare)
            # The running that a recovery outlived belongs to the recovery: what follows is memoryless.
            near = durable if rare else near
        kept = near if not self.rare else durable
        return {"kept": kept / clock, "running": running / clock, "stalled": stalled / clock}

    def _need(self, *, rare: bool) -> float:
        return self.durable_recovery if rare else self.recovery

    def _stalled(self, life: float) -> float:
        """Time in stalls of a life: one after every stretch of work, the last one as long as the life lasts."""
        whole, rest = divmod(life, self.work + self.stall)
        return whole * self.stall + max(0.0, rest - self.work)

    def _run(self, life: float, near: float, durable: float) -> tuple[float, float]:
        """The newest near and durable save after a life that began from `near`."""
        position, done = near, near
        due = durable + self.every * self.work
        at = self.work
        while at <= life:
            position += self.work
            if at + self.safe <= life:
                done = position
            if position >= due - 1e-6:
                due = position + self.every * self.work
                if at + self.durable_safe <= life:
                    durable = position
            at += self.stall + self.work
        return done, durable


def simulated(job: Job, *, steps: float, seed: int, of: str = "kept") -> tuple[float, float]:
    """A share of the clock and its standard error, from batches that take about so many steps together."""
    failures = max(12, round(steps / BATCHES / (job.mtbf / (job.work + job.stall) + 3)))
    chance = random.Random(seed)  # noqa: S311  events, not secrets
    shares = [job.shares(failures, chance)[of] for _ in range(BATCHES)]
    mean = sum(shares) / BATCHES
    spread = math.sqrt(sum((share - mean) ** 2 for share in shares) / (BATCHES - 1) / BATCHES)
    return mean, spread


def waiting(load: float, spares: int, failures: int, seed: int) -> float:
    """The share of the clock a job waits whose every failure sends a node away for `load` times the running between."""
    chance = random.Random(seed)  # noqa: S311
    clock = waited = 0.0
    back: list[float] = []
    for _ in range(failures):
        clock += chance.expovariate(1)
        back = sorted([*(each for each in back if each > clock), clock + load])
        if len(back) > spares:
            first = back.pop(0)
            waited += first - clock
            clock = first
    return waited / clock

"""A benchmark of a fixed number of equal requests, all queued at once: what it measures, of a replica's full speed.

Most published throughputs are of such a run: tokens over the time until the last request is done. While the first
prompts are read few sequences decode, and at the end the last ones run in a part of the batch. The calculator gives the
speed of a full batch, so a case that states its requests is compared after this correction.
"""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calculators.subjects.serving.inference.replica import Engine

_MANY = 20  # batches, after which start and end do not count


class _Lengths(NamedTuple):
    """Lengths of each request [token]."""

    prompt: int
    output: int


def share_of_full_speed(values: Mapping[str, Any], requests: int) -> float:
    """Output tokens per second of a run of so many requests, over that of one long enough [1].

    Groups of ranks that share experts have equal parts of the requests.
    """
    slots, groups = max(1, int(values["concurrent_sequences"])), values["expert_groups"]
    lengths = _Lengths(round(values["uncached_input_tokens"]), round(values["output_tokens"]))
    engine: Engine = values["serving_engine"]
    held = values["input_tokens"] + values["output_tokens"] / 2
    own = engine._replace(cache=values["sequence_cache_time"])
    counts = requests / float(groups), float(_MANY * slots)
    measured, full = (count / _duration(own, lengths, held, slots, math.ceil(count)) for count in counts)
    return measured / full


def _duration(engine: Engine, lengths: _Lengths, held_each: float, slots: int, requests: int) -> float:
    """Time until the last of so many requests is done [s]; steps between two events are taken together."""
    per_token = engine.cache / held_each
    chunk = engine.requests.chunk
    running: deque[tuple[int, int]] = deque()  # last step, and how many end with it
    waiting, prefilling, left, batch, steps, held, now = requests, 0, 0.0, 0, 0, 0.0, 0.0
    while waiting or prefilling or batch:
        admitted = min(waiting, slots - batch - prefilling)
        waiting, prefilling, left = waiting - admitted, prefilling + admitted, left + admitted * lengths.prompt
        # The step of a replica counts the mean cache of each sequence: here it is what they hold.
        cache = per_token * held - engine.cache * batch
        if prefilling:
            room = max(chunk / 2, chunk - batch)
            if lengths.prompt <= room:
                room -= room % lengths.prompt
            taken = min(left, room)
            left -= taken
            finished, count = prefilling - math.ceil(left / lengths.prompt - 1e-9), 1
            now += engine.step(batch, taken / lengths.prompt) + cache
        else:
            finished, count = 0, running[0][0] - steps
            now += count * (engine.step(batch, 0) + cache) + per_token * batch * count * (count - 1) / 2
        steps += count
        held += batch * count
        while running and running[0][0] <= steps:
            ended = running.popleft()[1]
            batch -= ended
            held -= ended * (lengths.prompt + lengths.output - 1)
        if finished:
            prefilling -= finished
            batch += finished
            held += finished * lengths.prompt
            running.append((steps + lengths.output - 1, finished))
    return now

"""Discrete-event simulation of one replica with continuous batching and chunked prefill, step by step.

Requests come at random (gamma-distributed gaps) or from users who wait for their answers; lengths are lognormal. Every
step decodes all running sequences and prefills the oldest prompts, at most a chunk of tokens. KV-cache reads grow with
every token. Steps between two events are taken together. Independent of the calculator but for the times of a step.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Replica:
    """Times in seconds: reads of a step, per sequence, per prompt token, per token held, per token processed."""

    shared: float
    all_experts: float
    experts: float
    per_token: float
    groups: float
    decode_compute: float
    prefill_compute: float
    decode_experts: float
    prefill_experts: float
    cache: float
    token_latency: float
    sequence_latency: float
    fixed: float
    draft_tokens: float
    draft_cost: float
    accepted: float
    chunk: float
    slots: int
    prefilled: float
    cached: float
    output_tokens: float

    def step(self, batch: int, prompt_tokens: float, held: float) -> float:
        tokens = batch * (self.draft_tokens + 1) + prompt_tokens
        left = max(0.0, 1 - self.per_token / self.experts)
        in_experts = batch * self.decode_experts + prompt_tokens * self.prefill_experts
        computing = batch * self.decode_compute + prompt_tokens * self.prefill_compute - in_experts
        reading: float = self.shared + self.all_experts * (1 - left ** (tokens * self.groups))
        latency = self.fixed + tokens * self.token_latency + batch * self.sequence_latency
        drafting = self.draft_tokens * self.draft_cost * (reading + latency) if batch else 0
        exposed = max(0.0, computing - self.shared) + in_experts
        return reading + exposed + self.cache * held + latency + drafting


@dataclass(frozen=True)
class Traffic:
    """Requests per second, or users and how long they think; `varied` are coefficients of variation."""

    varied: Mapping[str, float]
    rate: float = 0.0
    users: int = 0
    think: float = 0.0

    @property
    def arrivals(self) -> float:
        return self.varied.get("arrivals", 1.0)

    @property
    def inputs(self) -> float:
        return self.varied.get("inputs", 0.0)

    @property
    def outputs(self) -> float:
        return self.varied.get("outputs", 0.0)


def replica_of(found: Any) -> Replica:
    """The replica of an answer of the calculator, from its inputs and the parts of its step."""
    output_tokens, prefilled = found.output_tokens, found.uncached_input_tokens
    decode, decode_experts = found.sequence_decode_compute_time, found.sequence_decode_expert_time
    reads = found.decode_step.reads
    prompt_share = output_tokens / found.accepted_tokens_per_step / prefilled
    return Replica(
        shared=reads.shared_read_time,
        all_experts=reads.all_experts_time if found.experts > 1 else 0.0,
        experts=found.experts,
        per_token=found.experts_per_token,
        groups=found.expert_groups,
        decode_compute=decode,
        prefill_compute=(found.sequence_compute_time - decode) * prompt_share,
        decode_experts=decode_experts,
        prefill_experts=(found.sequence_expert_time - decode_experts) * prompt_share,
        cache=found.sequence_cache_time / (found.input_tokens + output_tokens / 2),
        token_latency=2 * found.layers * found.token_allreduce_time + found.expert_layers * found.token_exchange_time,
        sequence_latency=found.sequence_own_latency,
        fixed=found.fixed_latency,
        draft_tokens=found.draft_tokens,
        draft_cost=found.draft_cost,
        accepted=found.accepted_tokens_per_step,
        chunk=found.prefill_chunk,
        slots=int(found.concurrent_sequences),
        prefilled=prefilled,
        cached=found.input_tokens - prefilled,
        output_tokens=output_tokens,
    )


def simulated(  # noqa: C901, PLR0912, PLR0915  one loop over events
    replica: Replica, traffic: Traffic, requests: int, warm_up: int, seed: int
) -> dict[str, float]:
    """Means and percentiles of TTFT and TPOT over so many requests after the warm-up, and how many ran."""
    dice = random.Random(seed)  # noqa: S311  not for secrets
    arrivals = [dice.uniform(0, traffic.think + 1) for _ in range(traffic.users)] or [_gap(dice, traffic)]
    heapq.heapify(arrivals)
    waiting: deque[tuple[float, float, float]] = deque()
    prefilling: deque[list[float]] = deque()
    running: list[tuple[float, float, float, float, float]] = []
    now = counter = held = area = began = 0.0
    first_times: list[float] = []
    token_times: list[float] = []
    done = 0
    while done < requests + warm_up:
        while arrivals and arrivals[0] <= now:
            came = heapq.heappop(arrivals)
            prompt = max(1.0, round(_length(dice, replica.prefilled, traffic.inputs)))
            waiting.append((came, prompt, max(2.0, round(_length(dice, replica.output_tokens, traffic.outputs)))))
            if not traffic.users:
                heapq.heappush(arrivals, came + _gap(dice, traffic))
        while waiting and len(running) + len(prefilling) < replica.slots:
            came, prompt, output = waiting.popleft()
            prefilling.append([came, prompt, output, prompt])
        batch = len(running)
        if not batch and not prefilling:
            now = arrivals[0]
            continue
        finished: list[list[float]] = []
        steps = 1
        if prefilling:
            room, taken = max(replica.chunk / 2, replica.chunk - batch * (replica.draft_tokens + 1)), 0.0
            while prefilling and taken < room:
                piece = min(prefilling[0][1], room - taken)
                prefilling[0][1] -= piece
                taken += piece
                if prefilling[0][1] <= 0:
                    finished.append(prefilling.popleft())
            time = replica.step(batch, taken, held)
        else:
            base, grows = replica.step(batch, 0, held), replica.cache * batch * replica.accepted
            steps = max(1, math.ceil((running[0][0] - counter) / replica.accepted - 1e-9))
            if arrivals and batch < replica.slots:
                until, half = arrivals[0] - now, base - grows / 2
                within = until / base if not grows else (math.sqrt(half * half + 2 * grows * until) - half) / grows
                steps = max(1, min(steps, math.ceil(within)))
            time = steps * base + grows * steps * (steps - 1) / 2
        now += time
        area += batch * time
        counter += replica.accepted * steps
        held += batch * replica.accepted * steps
        while running and running[0][0] <= counter + 1e-9:
            end, came, first, output, prompt = heapq.heappop(running)
            held -= prompt + counter - end + output - 1
            done += 1
            if done == warm_up:
                area, began = 0.0, now
            elif done > warm_up:
                first_times.append(first - came)
                token_times.append((now - first) / (output - 1))
            if traffic.users:
                heapq.heappush(arrivals, now + (dice.expovariate(1 / traffic.think) if traffic.think else 0.0))
        for came, _, output, prompt in finished:
            whole = prompt * (1 + replica.cached / replica.prefilled)
            heapq.heappush(running, (counter + output - 1, came, now, output, whole))
            held += whole
    first_times.sort()
    token_times.sort()
    return {
        "rate": (done - warm_up) / (now - began),
        "mean_running_sequences": area / (now - began),
        "ttft": sum(first_times) / len(first_times),
        "ttft_p95": first_times[int(0.95 * len(first_times))],
        "user_tpot": sum(token_times) / len(token_times),
        "user_tpot_p95": token_times[int(0.95 * len(token_times))],
    }


def _gap(dice: random.Random, traffic: Traffic) -> float:
    squared = traffic.arrivals**2
    return dice.gammavariate(1 / squared, squared / traffic.rate)


def _length(dice: random.Random, mean: float, variation: float) -> float:
    squared = math.log(1 + variation * variation)
    return dice.lognormvariate(math.log(mean) - squared / 2, math.sqrt(squared)) if variation else mean

"""One replica at a load: how many sequences run, how fast each gets its tokens, and how long it waits for the first.

Every running sequence gets a token a step, and a step takes longer the more run. The number of running sequences is a
birth-death chain whose death rate follows from the step time: an engine shared like this finishes requests at rates
that depend on mean lengths alone. Prefill stops decode for as long as it outlasts the weight reads of its steps.
`tests/subjects/serving/simulation.py` simulates the same engine event by event.
"""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from calculators.llm.serving.batching import Drafting, StepReads
from calculators.llm.serving.weight_reads import experts_touched
from calculators.subjects.serving.inference.queueing import Chain, Part, crossing, equilibrium, quantile

_touched = experts_touched.function
# Fitted on the simulation, which its table of scenarios judges: waits of prompts that share steps, and their tails.
_SHARED_STEP = 0.12
_WAIT_SQUARED, _LONG_WAIT = 2.6, 1.3
_BURST = 0.36
_NOISE = 1.15
_LONG_PROMPT = 0.6
_LENGTHS = 0.8
_BUSIEST = 0.98
_FULLEST = 1 - 1e-9
# Requests by length, as shares and normal deviates: short ones see fewer steps, so their mean varies more.
_BY_LENGTH = ((0.06, -1.95), (0.19, -1.0), (0.35, -0.25), (0.4, 0.9))
_LEAST_SHARE = 1e-6


class Requests(NamedTuple):
    """Lengths of requests [token] and how much they and the times between arrivals vary (squared variations [1])."""

    prefilled: float
    output_tokens: float
    chunk: float
    arrivals: float
    inputs: float
    outputs: float


class Limits(NamedTuple):
    """Slots [sequence] and capacity [request/s] of a replica, and times of one prompt [s]: prefill, transfer, reload.

    `evenly` spreads prefill over all steps instead of those in which prompts come.
    """

    slots: float
    capacity: float
    prefill: float
    transfer: float
    reload: float
    evenly: bool


class Engine(NamedTuple):
    """Step of a replica by its parts [s]: reads, compute and cache of a sequence, compute of a prompt, latencies.

    Compute in experts, a part of both, is not hidden behind reads.
    """

    reads: StepReads
    drafting: Drafting
    requests: Requests
    limits: Limits
    decode_compute: float
    prompt_compute: float
    decode_experts: float
    prompt_experts: float
    cache: float
    token_latency: float
    sequence_latency: float
    fixed_latency: float

    def reading(self, tokens: float) -> float:
        """Time to read the weights of a step that processes so many tokens [s]."""
        shared, all_experts, experts, per_token, groups = self.reads
        return shared + all_experts * _touched(experts, per_token, tokens, groups) / experts if experts > 1 else shared

    def step(self, batch: float, prompts: float, reading: float | None = None) -> float:
        """Time of a step that decodes `batch` sequences and prefills so many prompts, or a part of one [s]."""
        tokens = batch * (self.drafting.draft_tokens + 1) + prompts * self.requests.prefilled
        if reading is None:
            reading = self.reading(tokens)
        in_experts = batch * self.decode_experts + prompts * self.prompt_experts
        computing = batch * self.decode_compute + prompts * self.prompt_compute - in_experts
        latency = self.fixed_latency + tokens * self.token_latency + batch * self.sequence_latency
        drafting = self.drafting.draft_tokens * self.drafting.draft_cost * (reading + latency)
        exposed = max(0, computing - self.reads.shared_read_time) + in_experts
        return reading + exposed + batch * self.cache + latency + drafting

    def decode(self, batch: float) -> float:
        """Time per output token of a step without prefill [s]."""
        return self.step(batch, 0) / self.drafting.accepted_tokens_per_step

    def mixed(self, batch: float) -> float:
        """Time per output token where every finished sequence is replaced by one that is prefilled [s]."""
        mix = self.requests
        if not self.prompt_compute or batch <= 0:
            return self.decode(batch)
        prompts = batch * self.drafting.accepted_tokens_per_step / mix.output_tokens
        steps = prompts * max(1.0, mix.prefilled / mix.chunk) / max(1.0, (1 + mix.arrivals) / 2)
        share = -math.expm1(-steps)
        if self.limits.evenly:
            own = batch * (self.drafting.draft_tokens + 1)
            with_prompts = self.reading(own + prompts / share * mix.prefilled)
            reading = (1 - share) * self.reading(own) + share * with_prompts
            return self.step(batch, prompts, reading) / self.drafting.accepted_tokens_per_step
        return (
            (1 - share) * self.step(batch, 0) + share * self.step(batch, prompts / share)
        ) / self.drafting.accepted_tokens_per_step

    def stall(self, batch: float) -> float:
        """Time by which one prompt holds decode up [s]."""
        return self.requests.output_tokens * (self.mixed(batch) - self.decode(batch)) / batch


class Wait(NamedTuple):
    """Share of requests that wait, with mean [s] and variance of their wait."""

    share: float
    mean: float
    variance: float


class Load(NamedTuple):
    """One replica at a load; times in seconds, rates per second. `first` and `each` are TTFT and TPOT of requests."""

    rate: float
    running: float
    waiting: float
    queue: float
    ttft: float
    tpot: float
    first: tuple[Part, ...]
    each: tuple[Part, ...]

    def ttft_within(self, share: float) -> float:
        """TTFT of all but the slowest requests [s]."""
        return quantile(self.first, share)

    def tpot_within(self, share: float) -> float:
        """TPOT of all but the slowest requests [s], each request's mean."""
        return quantile(self.each, share)


def open_load(engine: Engine, rate: float, prefill_rate: float) -> Load | None:
    """Load of requests that arrive whatever the replica does; None where more arrive than it can serve.

    `rate` are requests per second of a decode replica [1/s]; `prefill_rate` those of a replica that prefills them, 0
    where it is the same replica.
    """
    mix, slots = engine.requests, engine.limits.slots
    used = rate / engine.limits.capacity
    if used >= _FULLEST or prefill_rate * engine.limits.prefill >= _FULLEST or rate * engine.limits.reload >= _FULLEST:
        return None
    about = crossing(lambda batch: batch - rate * mix.output_tokens * engine.mixed(batch), 0.0, slots)
    stall = engine.stall(max(1.0, about))
    busy = min(0.9, rate * stall)
    more = busy / (1 - busy)
    kept = 1 / (1 + _LENGTHS * min(1.0, mix.outputs))  # of a disturbance, until those that saw it are done
    spread = max(0.1, kept * (mix.arrivals * (1 + more) ** 2 + mix.inputs * more * more) + 1 - kept)
    noise = _NOISE * (mix.arrivals + max(mix.outputs, (1 + mix.outputs) / 2)) / 2
    step = engine.decode(max(1.0, about)) * engine.drafting.accepted_tokens_per_step
    own = 0 if prefill_rate else rate * (engine.limits.prefill + step)
    last = max(1.0, float(round(slots - own)))
    death = _finishing(engine, 1 - busy)
    found = equilibrium(lambda _: rate, death, about, last, last, spread, used ** (1 / noise))
    wait = noise / (engine.limits.capacity - rate)
    return _load(engine, rate, 1.0, found, Wait(found.full, wait, wait * wait), mix.arrivals, 1.0, prefill_rate)


def closed_load(engine: Engine, users: float, think: float, prefill_share: float) -> Load:
    """Load of users who each wait for an answer, think for `think` seconds and send the next request: always finite.

    `prefill_share` are the users' replicas over those that prefill for them, 0 where they are the same.
    """
    limits, output_tokens = engine.limits, engine.requests.output_tokens
    slots, others = limits.slots, max(0.0, 1 - 1 / users)

    def away(batch: float) -> float:
        """Time of a user without a slot that decodes, queues left out [s]."""
        step = engine.decode(max(1.0, batch)) * engine.drafting.accepted_tokens_per_step
        along = others * (_along(engine, step, engine.stall(max(1.0, batch))) - limits.prefill)
        return think + limits.prefill + limits.transfer + limits.reload + (0 if prefill_share else along)

    def present(batch: float) -> float:
        return batch + away(batch) * batch / (output_tokens * engine.mixed(batch)) - users if batch > 0 else -users

    about = crossing(present, 0.0, min(slots, users))
    apart = away(about)
    stall = engine.stall(max(1.0, about))
    busy = min(0.9, others * stall / (output_tokens * engine.mixed(about)) * about)
    death = _finishing(engine, 1 - busy)
    queued = users - slots - limits.capacity * apart
    found = equilibrium(
        lambda n: max(0.0, users - n) / apart,
        death,
        slots + queued if queued > 0 else about,
        slots,
        float(math.ceil(users)),
        1.0,
        0.0,
    )
    seen = [
        (weight * max(0.0, users - n), (n - slots + 1) / limits.capacity)
        for n, weight in zip(found.states, found.weights, strict=True)
    ]
    waits = [(share, wait) for share, wait in seen if wait > 0]
    whole = sum(share for share, _ in waits)
    slot = Wait(0.0, 0.0, 0.0)
    if whole > 0:
        mean = sum(share * wait for share, wait in waits) / whole
        squared = sum(share * wait * wait for share, wait in waits) / whole
        varied = mean * engine.requests.outputs / limits.capacity
        slot = Wait(whole / sum(share for share, _ in seen), mean, squared - mean * mean + varied)
    rate = found.average(death)
    if rate == 0:  # prompts take so long that hardly a sequence runs
        rate = min(limits.capacity, users / apart)
        found = found._replace(mean=rate * output_tokens * engine.mixed(1.0))
    arriving = sum(share for share, _ in seen)  # 0 where every user always waits, to the last digit
    found = found._replace(idle=seen[0][0] / arriving if arriving > 0 and found.states[0] == 0 else 0.0)
    random = think / (think + stall) if think else 0.0
    return _load(engine, rate, others, found, slot, 1.0, random, rate * prefill_share)


def _finishing(engine: Engine, decoding: float) -> Callable[[float], float]:
    """Requests per second that finish by the number of sequences, where decode runs for this share of the time."""
    each = decoding / engine.requests.output_tokens
    slots, capacity, decode = engine.limits.slots, engine.limits.capacity, engine.decode
    if engine.reads.experts > 1:
        return lambda present: capacity if present >= slots else present * each / decode(present)
    # Without experts a step is as long as the longer of two straight lines, and searches call this most.
    read, one = engine.reads.shared_read_time, engine.decode_compute
    accepted = engine.drafting.accepted_tokens_per_step
    fixed = (engine.step(0, 0) - read) / accepted
    added = (engine.step(1, 0, read) - max(read, one)) / accepted - fixed
    read, one = read / accepted, one / accepted

    def death(present: float) -> float:
        if present >= slots:
            return capacity
        reading, computing = read, present * one
        return present * each / ((max(computing, reading)) + fixed + present * added)

    return death


def _wait_in_steps(rate: float, stall: float, chunks: float, step: float, arrivals: float, inputs: float) -> Wait:
    """Wait of prompts for others where prefill shares steps with decode; `stall` of each, which takes so many chunks.

    Prompts that share a step all wait for its end; prompts longer than a step queue as for a single server.
    """
    service = chunks * step + stall
    used, busy = min(_BUSIEST, rate * service), min(0.9, rate * stall)
    together = _BURST * max(0.0, arrivals - 1) * service / (1 - used)  # behind others of the same burst
    queued = used * service / (1 - used) * (min(1.0, arrivals) + inputs) / 2
    usual = step / (1 - busy)
    seen = usual + rate * stall * stall * (arrivals + inputs) / (1 - busy * busy)  # longer steps are met more often
    shared = seen * (1 / 2 + busy * min(1.0, (1 + arrivals) / 2)) - step / 2
    mean = max(queued, (1 + _SHARED_STEP * min(1.0, arrivals)) * shared) + together
    share = min(1.0, max(used, busy) * max(1.0, (1 + arrivals) / 2))
    if mean <= 0 or share <= 0:
        return Wait(0.0, 0.0, 0.0)
    long = _LONG_WAIT * rate * (service * (1 + inputs)) ** 3 / (3 * (1 - used)) * max(1.0, arrivals)
    each = mean / share
    return Wait(share, each, max(each * each / 10, (_WAIT_SQUARED * mean * mean + long) / share - each * each))


def _wait_for_server(rate: float, service: float, arrivals: float, inputs: float) -> Wait:
    """Wait for a single server: prompts for a replica that only prefills, or reads from an offload tier."""
    used = min(_BUSIEST, rate * service)
    each = service / (1 - used) * (arrivals + inputs) / 2
    return Wait(used if each > 0 else 0.0, each, each * each)


def _load(
    engine: Engine,
    rate: float,
    others: float,
    found: Chain,
    slot: Wait,
    arrivals: float,
    apart: float,
    prefill_rate: float,
) -> Load:
    """Load with its TTFT and TPOT.

    `found.idle` is the share of arrivals that find no other request. `others` is the share of requests that a
    request may meet: all but its user's own. `apart` is the share of arrivals that come within a step, not at the end
    of an answer.
    """
    mix, met = engine.requests, rate * others
    tpot = found.mean / (rate * mix.output_tokens)
    batch = max(1.0, found.mean)
    step, stall = engine.decode(batch) * engine.drafting.accepted_tokens_per_step, engine.stall(batch)
    first, waits = _own_time(engine, found.idle, step, stall, apart, shares=not prefill_rate)
    if prefill_rate:
        prompts = _wait_for_server(prefill_rate * others, engine.limits.prefill, arrivals, mix.inputs)
    else:
        prompts = _wait_in_steps(met, stall, mix.prefilled / mix.chunk, step, arrivals, mix.inputs)
        prompts = prompts._replace(share=prompts.share * apart)
    tier = _wait_for_server(met, engine.limits.reload, arrivals, mix.inputs)
    queues = [one for one in (prompts, slot, tier) if one.share > _LEAST_SHARE]
    parts = [first]
    for queue in queues:
        parts = [
            part
            for one in parts
            for part in (
                one._replace(share=one.share * (1 - queue.share)),
                Part(one.share * queue.share, one.least, one.mean + queue.mean, one.variance + queue.variance),
            )
            if part.share > _LEAST_SHARE
        ]
    queued = sum(one.share * one.mean for one in queues)
    return Load(
        rate,
        found.mean,
        slot.share,
        queued + waits,
        first.least + first.mean + queued,
        tpot,
        tuple(parts),
        tuple(_speeds(engine, met, found, tpot, stall, arrivals)),
    )


def _along(engine: Engine, step: float, stall: float) -> float:
    """Time to prefill a mean prompt in steps that decode as well [s]."""
    return max(engine.limits.prefill, engine.requests.prefilled / engine.requests.chunk * step + stall)


def _own_time(
    engine: Engine, idle: float, step: float, stall: float, apart: float, *, shares: bool
) -> tuple[Part, float]:
    """Time to the first token but for queues, and the mean wait for the end of a step in it [s]."""
    mix = engine.requests
    if not shares:
        own = engine.limits.prefill + engine.limits.transfer + engine.limits.reload
        return Part(1.0, step, own, mix.inputs * own * own), 0.0
    chunks = mix.prefilled / mix.chunk
    alone, along = engine.limits.prefill, _along(engine, step, stall)
    beyond = idle * max(0.0, alone - step) + (1 - idle) * max(alone - step, max(0.0, chunks - 1 / 2) * step + stall)
    own = idle * alone + (1 - idle) * along + engine.limits.reload
    rest = (1 - idle) * apart * step / 2
    variance = mix.inputs * own * own + (1 - idle) * apart * step * step / 12
    least = min(step, alone) if idle == 1 else step
    return Part(1.0, least, beyond + engine.limits.reload + rest, variance), rest


def _speeds(engine: Engine, rate: float, found: Chain, tpot: float, stall: float, arrivals: float) -> Iterator[Part]:
    """TPOT of requests by length: what the number of others and prompts in between add to the fastest."""
    mix, batch = engine.requests, max(1.0, found.mean)
    around = max(1.0, batch / 20)
    low, high = max(1.0, batch - around), min(max(1.0, engine.limits.slots), batch + around)
    decoding = max(0.1, 1 - rate * stall)
    slope = (engine.decode(high) - engine.decode(low)) / (high - low) / decoding if high > low else 0.0
    death = _finishing(engine, decoding)
    back = (death(high) - death(low)) / (high - low) if high > low else 0.0
    fastest = min(engine.decode(1.0), tpot)
    deviation = math.sqrt(math.log(1 + mix.outputs))
    parts = _BY_LENGTH if mix.outputs else ((1.0, 0.0),)
    for share, deviate in parts:
        tokens = max(2.0, mix.output_tokens * math.exp(deviation * deviate - deviation * deviation / 2))
        turns = tokens * tpot * max(0.0, back)
        averaged = 2 / turns * (1 - (1 - math.exp(-turns)) / turns) if turns > _LEAST_SHARE else 1.0
        of_others = slope * slope * found.variance * averaged
        of_prompts = rate * tpot * stall * stall / tokens * (arrivals + mix.inputs) * (1 + _LONG_PROMPT * mix.inputs)
        both = (math.sqrt(of_others) + math.sqrt(of_prompts)) ** 2
        yield Part(share, fastest, tpot - fastest, both)

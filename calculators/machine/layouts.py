"""The layout is found: every way of splitting the job over its GPUs that frameworks accept, the fastest that fits.

The space: tensor ranks that share heads evenly within a scale-up domain; stages of a pipeline, as many as there are
layers at most, evenly filled but for the places of embedding and output, in groups of layers where they divide; ranks
that share sequences, in powers of two, none with fewer tokens than Llama 3's; ranks that share experts; micro-batches
of powers of two that deal out nine tenths of the batch at least; three kinds of recomputation; ZeRO's stages. Replicas
take all GPUs that are left, none remaining. What the reader pinned stays. The search leaves out only what cannot be
among the best: what does not fit with the smallest micro-batch, full recomputation and either way of sharing most, and
what arithmetic, bubble and tensor parallelism alone already make slower.
"""

import bisect
import dataclasses
import heapq
import itertools
import math
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from calculators import facts
from calculators.answers.explore.search import Search
from calculators.declare import Calculator, Values
from calculators.llm.heads import uneven_kv_heads
from calculators.subjects.network.collectives.bytes import activation_slab, tensor_bytes
from calculators.subjects.network.collectives.step import (
    bubble_share,
    compute_time,
    exposed_tensor_time,
    tensor_time,
    tokens_per_step,
)
from calculators.vocabulary.layout import ENDS

KEPT = 32
RECOMPUTED = ("none", "selective", "full")
SHARED = (1, 2, 3)  # ZeRO's stages; a pipeline would gather weights for every micro-batch of the third
FEWEST_TOKENS = float(facts.fact("llama3-layout.context_rank_tokens").value)
DEALT = 0.9  # of the batch, where replicas do not divide it
_MOST_GROUPS = 8  # of layers on a stage: beyond, hand-overs outweigh what the bubble loses
NAMES = (
    *("tensor_parallel", "pipeline_parallel", "context_parallel", "expert_parallel"),
    *("interleave", "micro_batch", "recompute", "zero_stage"),
)
_DEGREES = NAMES[:5]
_NEAR_GROUPS, _NEAR = 4, 4  # how many layouts stand in for one that cannot be: more would be a search
_ROUNDED = 1 - 1e-9  # the same sum in another order
RESULTS = ("step_time", "tokens_per_step", "training_memory")
# What layouts are made of, and what the time that each cannot undercut is made of beside.
MADE_OF = (
    *("gpus", "layers", "heads", "kv_heads", "kv_lora_rank", "experts", "gpus_per_domain", "sequence_length"),
    *("batch_tokens", "data_parallel", "micro_batches", "expert_tensor_parallel", *NAMES),
)
AT_LEAST_OF = (
    *("active_parameters", "peak_flops", "matmul_utilization", "hidden", "activation_bytes", "domain_bandwidth"),
    *("nic_reached", "tensor_overlap"),
)


@dataclass(frozen=True, kw_only=True, order=True)
class Layout:
    """A layout, ordered by what counts: time for a token [s], then how little replicas share, then memory [B]."""

    time: float
    zero_stage: int
    memory: float
    tensor_parallel: float
    pipeline_parallel: float
    context_parallel: float
    expert_parallel: float
    interleave: float
    micro_batch: float
    recompute: str

    @property
    def inputs(self) -> dict[str, Any]:
        """Its degrees, as inputs."""
        return {name: getattr(self, name) for name in NAMES}


@dataclass(frozen=True, kw_only=True)
class Found:
    """The best layouts, the fastest first; how many there are in all, and how many were calculated in full.

    Where none fits, `best` holds the one that needs least memory and `fits` is no.
    """

    best: tuple[Layout, ...]
    fits: bool
    space: int
    tried: int


@dataclass(frozen=True, kw_only=True)
class Group:
    """Layouts alike but for micro-batch, recomputation and what replicas share."""

    tensor_parallel: float
    pipeline_parallel: float
    context_parallel: float
    expert_parallel: float
    interleave: float
    micro_batches: tuple[float, ...]
    recomputed: tuple[str, ...]
    stages_shared: tuple[int, ...]

    @property
    def degrees(self) -> tuple[float, ...]:
        """What its layouts have in common."""
        return tuple(getattr(self, name) for name in _DEGREES)

    @property
    def _ways(self) -> tuple[tuple[Any, ...], ...]:
        """What its layouts may do, in the order of the names that are no degrees."""
        return self.micro_batches, self.recomputed, self.stages_shared

    @property
    def members(self) -> Iterator[tuple[Any, ...]]:
        """Every layout of it."""
        degrees = self.degrees
        return ((*degrees, *way) for way in itertools.product(*self._ways))

    def holds(self, key: tuple[Any, ...]) -> bool:
        """Whether a layout with its degrees is one of it."""
        return all(one in among for one, among in zip(key[len(_DEGREES) :], self._ways, strict=True))

    @property
    def lightest(self) -> list[tuple[Any, ...]]:
        """Those of which one needs least memory: the third stage gathers layers, which few replicas do not repay."""
        return [
            (*self.degrees, self.micro_batches[0], self.recomputed[-1], shared) for shared in self.stages_shared[-2:]
        ]


Tried = Callable[[Mapping[str, Any]], dict[str, Any]]


def search(calculator: Calculator, values: Values, pinned: frozenset[str], most: int = KEPT) -> Found:
    """The `most` fastest layouts that fit, for a job in this state; `pinned` names what the reader decided."""
    return Search(each_search(calculator, values, pinned, most)).run()


def each_search(
    calculator: Calculator, values: Values, pinned: frozenset[str], most: int = KEPT
) -> Generator[None, None, Found]:
    """The same with a pause after every layout that was calculated."""
    tried: Tried = calculator.trials(values, NAMES, RESULTS)
    weighed: Tried = calculator.trials(values, NAMES, ("training_memory",))
    space, least = 0, None
    calculated: set[tuple[Any, ...]] = set()
    waiting: list[tuple[float, tuple[Any, ...]]] = []
    for group in groups(values, pinned):
        members = list(group.members)
        space += len(members)
        memory, lightest = min((weighed(_inputs(key))["training_memory"], key) for key in group.lightest)
        calculated.update(group.lightest)
        yield
        if memory > values["gpu_memory"]:
            least = min(filter(None, (least, (memory, lightest))))
        else:
            waiting += [(at_least(values, key), key) for key in members]
    waiting.sort()
    best: list[Layout] = []
    slowest = math.inf
    for bound, key in waiting:
        if bound > slowest:
            break
        layout = _layout(tried, key)
        calculated.add(key)
        yield
        if layout.memory <= values["gpu_memory"] and layout.time <= slowest:
            bisect.insort(best, layout)
            del best[most:]
            slowest = best[-1].time if len(best) == most else math.inf
    if best:
        return Found(best=tuple(best), fits=True, space=space, tried=len(calculated))
    if least is None:  # the lightest of each group fits, or it would stand here: only an empty space has none
        return Found(best=(), fits=False, space=space, tried=len(calculated))
    return Found(best=(_layout(tried, least[1]),), fits=False, space=space, tried=len(calculated))


def fastest_of(calculator: Calculator, values: Values, pinned: frozenset[str], known: Found) -> Found | None:
    """Those of known layouts that are layouts of this job too and fit, the fastest first; else those most like them.

    Nothing where none of these fits.
    """
    tried: Tried = calculator.trials(values, NAMES, RESULTS)
    there = {group.degrees: group for group in groups(values, pinned)}
    wanted = [tuple(one.inputs.values()) for one in known.best]
    possible = [key for key in wanted if (group := there.get(key[: len(_DEGREES)])) and group.holds(key)]
    for keys in (possible, _most_like(wanted[0], there.values())):
        best = sorted(one for one in (_layout(tried, key) for key in keys) if one.memory <= values["gpu_memory"])
        if best:
            return dataclasses.replace(known, best=tuple(best), tried=len(keys))
    return None


def _most_like(wanted: tuple[Any, ...], among: Iterable[Group]) -> list[tuple[Any, ...]]:
    """Of the groups nearest by their degrees, the layouts nearest to this one and those that need least memory."""

    def far(key: tuple[Any, ...]) -> float:
        return sum(abs(math.log2(a / b)) if isinstance(a, float) else a != b for a, b in zip(key, wanted, strict=True))

    near = heapq.nsmallest(_NEAR_GROUPS, among, key=lambda group: far((*group.degrees, *wanted[len(_DEGREES) :])))
    return [key for group in near for key in (*heapq.nsmallest(_NEAR, group.members, key=far), *group.lightest)]


def _layout(tried: Tried, key: tuple[Any, ...]) -> Layout:
    found = tried(_inputs(key))
    time = found["step_time"] / found["tokens_per_step"]
    return Layout(time=time, memory=found["training_memory"], **_inputs(key))


def _inputs(key: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(NAMES, key, strict=True))


def at_least(values: Mapping[str, Any], key: tuple[Any, ...]) -> float:
    """Time for a token [s] that a layout cannot undercut: arithmetic, bubble and exposed tensor parallelism alone."""
    tensor, stages, context, _, interleave, micro_batch, recompute, _ = key
    replicas = values["gpus"] // (tensor * stages * context)
    dealt = values["batch_tokens"] // (micro_batch * values["sequence_length"] * replicas)
    micro_batches = values["micro_batches"] if "micro_batches" in _given(values) else max(1, dealt)
    tokens = tokens_per_step(micro_batch, micro_batches, values["sequence_length"], replicas)
    arithmetic = compute_time(
        values["active_parameters"],
        tokens,
        values["gpus"],
        values["peak_flops"],
        values["matmul_utilization"],
        recompute,
    )
    slab = activation_slab(
        micro_batch, values["sequence_length"], context, values["hidden"], values["activation_bytes"]
    )
    sent = tensor_bytes(slab, values["layers"], stages, micro_batches, tensor, recompute)
    there = tensor_time(sent, tensor, values["gpus_per_domain"], values["domain_bandwidth"], values["nic_reached"])
    exposed = exposed_tensor_time(there, values["tensor_overlap"])
    return (arithmetic * (1 + bubble_share(stages, micro_batches, interleave)) + exposed) / tokens * _ROUNDED


def _given(values: Mapping[str, Any]) -> frozenset[str]:
    return values.given if isinstance(values, Values) else frozenset()


def groups(values: Values, pinned: frozenset[str]) -> Iterator[Group]:
    """Every group of layouts that frameworks accept, in order of their degrees."""
    gpus, layers, heads = int(values["gpus"]), int(values["layers"]), int(values["heads"])
    domain = int(values["gpus_per_domain"])
    tensors = _kept(values, pinned, "tensor_parallel", [n for n in divisors(gpus) if n <= domain and not heads % n])
    for tensor in tensors:
        if (
            "tensor_parallel" not in pinned
            and values["kv_lora_rank"] == 0
            and uneven_kv_heads(values["kv_heads"], tensor)
        ):
            continue
        shared = divisors(gpus // tensor) if not gpus % tensor else []
        for stages in _kept(
            values, pinned, "pipeline_parallel", [n for n in shared if n <= layers and -layers % n <= ENDS]
        ):
            if gpus % (tensor * stages):
                continue
            rest = gpus // (tensor * stages)
            for context in _kept(values, pinned, "context_parallel", _contexts(values, rest)):
                if gpus % (tensor * stages * context):
                    continue
                replicas = gpus // (tensor * stages * context)
                if "data_parallel" in pinned and replicas != values["data_parallel"]:
                    continue
                batches = _kept(values, pinned, "micro_batch", _micro_batches(values, replicas))
                yield from _with_experts(values, pinned, (tensor, stages, context), batches)


def _with_experts(
    values: Values, pinned: frozenset[str], degrees: tuple[int, int, int], batches: list[int]
) -> Iterator[Group]:
    tensor, stages, context = degrees
    recomputed = (values["recompute"],) if "recompute" in pinned else RECOMPUTED
    shared = (values["zero_stage"],) if "zero_stage" in pinned else SHARED if stages == 1 else SHARED[:-1]
    ranks = int(values["gpus"]) // stages
    own_tensor = int(values["expert_tensor_parallel"]) if "expert_tensor_parallel" in _given(values) else tensor
    spread = _kept(values, pinned, "expert_parallel", divisors(int(values["experts"])))
    for expert in [n for n in spread if not ranks % (n * own_tensor)]:
        for interleave in _pieces(values, pinned, stages):
            if batches:
                yield Group(
                    tensor_parallel=float(tensor),
                    pipeline_parallel=float(stages),
                    context_parallel=float(context),
                    expert_parallel=float(expert),
                    interleave=float(interleave),
                    micro_batches=tuple(map(float, batches)),
                    recomputed=recomputed,
                    stages_shared=shared,
                )


def _pieces(values: Values, pinned: frozenset[str], stages: int) -> list[int]:
    """Groups of layers that each of so many stages may hold; one stage has nothing to interleave with."""
    layers = int(values["layers"])
    most = -(-layers // stages) if stages > 1 else 1
    tried = _kept(values, pinned, "interleave", list(range(1, min(most, _MOST_GROUPS) + 1)))
    return [n for n in tried if n == 1 or (stages > 1 and -layers % (stages * n) <= ENDS)]


def _kept(values: Values, pinned: frozenset[str], name: str, options: list[int]) -> list[int]:
    """The options, or the one that the reader pinned."""
    return [int(values[name])] if name in pinned else options


def _contexts(values: Values, rest: int) -> list[int]:
    """Ranks that may share a sequence: each takes two pieces of it, all of one length, and not too few tokens."""
    length = values["sequence_length"]
    powers = (2**power for power in range(rest.bit_length()))
    return [n for n in powers if not rest % n and (n == 1 or (not length % (2 * n) and length >= n * FEWEST_TOKENS))]


def _micro_batches(values: Values, replicas: int) -> list[int]:
    """Micro-batches of which the batch has one at least for each replica, and that leave out hardly any of it."""
    sequences = values["batch_tokens"] / (values["sequence_length"] * replicas)
    powers = [2**power for power in range(int(sequences).bit_length())]
    return [n for n in powers if sequences // n * n >= DEALT * sequences]


def divisors(number: int) -> list[int]:
    """What divides a number, the smallest first.

    >>> divisors(12)
    [1, 2, 3, 4, 6, 12]
    """
    low = [n for n in range(1, math.isqrt(number) + 1) if not number % n]
    return sorted({*low, *(number // n for n in low)})

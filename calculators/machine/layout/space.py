"""The space of layouts: every way of splitting a job over its GPUs that frameworks accept.

Tensor ranks that share heads evenly and divide a scale-up domain; stages of a pipeline, as many as there are layers
at most, evenly filled but for the places of embedding and output, or powers of two; virtual stages where layers
divide, or where they never do the highest power of two, with micro-batches in groups of the pipeline's size; ranks
that share sequences, in powers of two, none with fewer tokens or fewer expert ranks than published runs have;
micro-batches of powers of two; three kinds of recomputation; ZeRO's stages 1 to 3, in a pipeline the first, Megatron's
distributed optimizer, and the second, FSDP that keeps weights gathered after the forward pass, as Llama 3's report and
torchtitan have it. Replicas take the GPUs that are left as far as they deal out 90% of the batch; the rest stays idle.
What the reader pinned stays.

Source: Megatron-LM at commit d98e8a64, megatron/training/arguments.py, megatron/core/parallel_state.py,
transformer/transformer_config.py and transformer/moe/moe_layer.py.
"""

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from calculators import facts
from calculators.declare import Values
from calculators.llm.heads import uneven_kv_heads
from calculators.vocabulary.layout import ENDS

RECOMPUTED = ("none", "selective", "full")
SHARED = (1, 2, 3)  # ZeRO's stages
SHARED_IN_PIPELINE = (1, 2)  # the third would gather weights for every micro-batch
FEWEST_TOKENS = float(facts.fact("published-layouts.context_rank_tokens").value)
FEWEST_EXPERT_RANKS = int(facts.fact("published-layouts.expert_parallel").value)
DEALT = 0.9  # of the batch, where replicas do not divide it
_MOST_TOKENS = 65_536  # of a micro-batch: matrices reach their plateau far below, and activations only grow
_MOST_GROUPS = 8  # of layers on a stage: beyond, hand-overs outweigh what the bubble loses
_REPLICAS_TRIED = 2  # all that GPUs suffice for, and as many as divide the batch better
_FEW_REPLICAS = 8  # of which one alone may be faster
NAMES = (
    *("tensor_parallel", "pipeline_parallel", "context_parallel", "expert_parallel"),
    *("interleave", "data_parallel", "micro_batch", "recompute", "zero_stage"),
)
DEGREES = NAMES[:6]
# Inputs that decide which layouts there are.
MADE_OF = (
    *("gpus", "layers", "heads", "kv_heads", "kv_lora_rank", "experts", "gpus_per_domain", "sequence_length"),
    *("batch_tokens", "micro_batches", "expert_tensor_parallel", *NAMES),
)


@dataclass(frozen=True, kw_only=True)
class Group:
    """Layouts alike but for micro-batch, recomputation and what replicas share."""

    tensor_parallel: float
    pipeline_parallel: float
    context_parallel: float
    expert_parallel: float
    interleave: float
    data_parallel: float
    micro_batches: tuple[float, ...]
    recomputed: tuple[str, ...]
    stages_shared: tuple[int, ...]

    @property
    def degrees(self) -> tuple[float, ...]:
        """Inputs that all layouts of the space share."""
        return tuple(getattr(self, name) for name in DEGREES)

    @property
    def _ways(self) -> tuple[tuple[Any, ...], ...]:
        """Options of its layouts, in the order of the names that are no degrees."""
        return self.micro_batches, self.recomputed, self.stages_shared

    @property
    def members(self) -> Iterator[tuple[Any, ...]]:
        """Every layout of it."""
        degrees = self.degrees
        return ((*degrees, *way) for way in itertools.product(*self._ways))

    @property
    def size(self) -> int:
        """Number of layouts."""
        return math.prod(map(len, self._ways))

    def holds(self, key: tuple[Any, ...]) -> bool:
        """Whether a layout with its degrees is one of it."""
        return all(one in among for one, among in zip(key[len(DEGREES) :], self._ways, strict=True))

    @property
    def lightest(self) -> list[tuple[Any, ...]]:
        """Layouts among which one needs least memory.

        The third stage gathers layers, which few replicas do not repay; full recomputation holds one layer twice, which
        few layers do not.
        """
        ways = itertools.product(dict.fromkeys((self.recomputed[-1], self.recomputed[0])), self.stages_shared[-2:])
        return [(*self.degrees, self.micro_batches[0], recompute, shared) for recompute, shared in ways]


def groups(values: Values, pinned: frozenset[str]) -> Iterator[Group]:
    """Every group of layouts that frameworks accept, in order of their degrees; none of a batch below a sequence."""
    if not _kept(values, pinned, "micro_batch", _micro_batches(values)):
        return
    gpus, heads, domain = (int(values[name]) for name in ("gpus", "heads", "gpus_per_domain"))
    tensors = [n for n in divisors(math.gcd(heads, domain)) if not _uneven_keys(values, n)]
    for tensor in _kept(values, pinned, "tensor_parallel", tensors):
        for stages in _kept(values, pinned, "pipeline_parallel", _stages(values, gpus // tensor)):
            rest = gpus // (tensor * stages)
            for context in _kept(values, pinned, "context_parallel", _contexts(values, rest)):
                if context <= rest:
                    yield from _with_experts(values, pinned, (tensor, stages, context))


def _uneven_keys(values: Mapping[str, Any], tensor: int) -> bool:
    """Whether tensor ranks would share key-value heads unevenly; latent attention has none."""
    return values["kv_lora_rank"] == 0 and bool(uneven_kv_heads(values["kv_heads"], tensor))


def _stages(values: Mapping[str, Any], most: int) -> list[int]:
    """Stages that layers fill evenly, but for embedding and output; or powers of two, which need an explicit layout."""
    layers = int(values["layers"])
    return [n for n in range(1, min(layers, most) + 1) if -layers % n <= ENDS or not n & (n - 1)]


def _with_experts(values: Values, pinned: frozenset[str], degrees: tuple[int, int, int]) -> Iterator[Group]:
    tensor, stages, context = degrees
    recomputed = (values["recompute"],) if "recompute" in pinned else RECOMPUTED
    shared = SHARED if stages == 1 else SHARED_IN_PIPELINE
    for expert, ranks in _expert_ranks(values, pinned, degrees):
        unit = ranks // math.gcd(ranks, tensor * context)
        for interleave in _pieces(values, pinned, stages):
            for replicas, batches in _replicas(values, pinned, degrees, unit, stages if interleave > 1 else 1):
                yield Group(
                    tensor_parallel=float(tensor),
                    pipeline_parallel=float(stages),
                    context_parallel=float(context),
                    expert_parallel=float(expert),
                    interleave=float(interleave),
                    data_parallel=float(replicas),
                    micro_batches=tuple(map(float, batches)),
                    recomputed=recomputed,
                    stages_shared=(values["zero_stage"],) if "zero_stage" in pinned else shared,
                )


def _expert_ranks(values: Values, pinned: frozenset[str], degrees: tuple[int, int, int]) -> Iterator[tuple[int, int]]:
    """Expert-parallel degrees, each with the ranks that it takes: as many as in published runs at least."""
    tensor, stages, _ = degrees
    own_tensor = int(values["expert_tensor_parallel"]) if "expert_tensor_parallel" in values.given else tensor
    if "expert_parallel" in pinned:
        expert = int(values["expert_parallel"])
        yield expert, expert * own_tensor
        return
    experts = int(values["experts"])
    least = max(n for n in divisors(experts) if n <= min(FEWEST_EXPERT_RANKS, values["gpus"]))
    possible = (n for n in divisors(experts) if least <= n and n * own_tensor <= values["gpus"] // stages)
    yield from ((n, n * own_tensor) for n in possible)


def _replicas(
    values: Values, pinned: frozenset[str], degrees: tuple[int, int, int], unit: int, round_of: int
) -> Iterator[tuple[int, list[int]]]:
    """Numbers of replicas, a multiple of `unit` each, with the micro-batches that they may take.

    Micro-batches go in rounds of `round_of`.
    """
    apart = math.prod(degrees)
    most, there = int(values["gpus"]) // apart, int(values["gpus_per_domain"]) // apart
    found: dict[int, list[int]] = defaultdict(list)
    for micro_batch in _kept(values, pinned, "micro_batch", _micro_batches(values)):
        rounds = _Rounds(values, pinned, micro_batch, round_of)
        if "data_parallel" in pinned:
            wanted = int(values["data_parallel"])
            tried = [wanted] if wanted <= most and not wanted % unit and rounds.deals(wanted) else []
        else:
            tried = list(itertools.islice(rounds.replicas(most, unit), _REPLICAS_TRIED))
            if 0 < there < most:  # where replicas within one domain need no network
                tried += itertools.islice(rounds.replicas(there, unit), 1)
            elif there == 0 and 1 < most <= _FEW_REPLICAS:  # and one exchanges nothing
                tried += itertools.islice(rounds.replicas(1, unit), 1)
        for replicas in tried:
            if micro_batch not in found[replicas]:
                found[replicas].append(micro_batch)
    return ((replicas, batches) for replicas, batches in found.items() if batches)


class _Rounds:
    """Split of a batch: micro-batches of one size, in rounds of the pipeline's size where stages interleave."""

    def __init__(self, values: Values, pinned: frozenset[str], micro_batch: int, round_of: int) -> None:
        self._batch, self._tokens = values["batch_tokens"], micro_batch * values["sequence_length"]
        self._round = round_of
        self._given = int(values["micro_batches"]) if "micro_batches" in values.given else None
        self._pinned = "micro_batch" in pinned
        self._size = micro_batch

    def deals(self, replicas: int) -> bool:
        """Whether so many replicas take enough of the batch; whatever it is where the reader pinned how."""
        if self._given is not None:
            return not self._given % self._round
        each = self._micro_batches(replicas)
        return each > 0 and (self._pinned or self._share(replicas) >= DEALT)

    def replicas(self, most: int, unit: int) -> Iterator[int]:
        """Replicas that take enough of the batch, in multiples of `unit`, the most first; none after a whole batch.

        A micro-batch of n need not be tried on less than 1/2n of the replicas: smaller ones take more.
        """
        replicas = most - most % unit
        while replicas > 0 and (2 * self._size * replicas >= most or self._size == 1):
            if self.deals(replicas):
                yield replicas
                if self._given is not None or self._share(replicas) == 1:
                    return
            fewer = int(self._batch // (self._tokens * (self._micro_batches(replicas) + self._round)))
            replicas = min(fewer - fewer % unit, replicas - unit)

    def _share(self, replicas: int) -> float:
        """The part of the batch that so many replicas take in a step."""
        return float(self._micro_batches(replicas) * replicas * self._tokens / self._batch)

    def _micro_batches(self, replicas: int) -> int:
        each = int(self._batch // (self._tokens * replicas))
        if self._pinned and self._round == 1:
            return max(1, each)  # of which a batch may have too few
        return each - each % self._round


def _pieces(values: Values, pinned: frozenset[str], stages: int) -> list[int]:
    """Groups of layers that each of so many stages may hold; one stage has nothing to interleave with."""
    layers = int(values["layers"])
    if "interleave" in pinned:
        own = int(values["interleave"])
        return [own] if own == 1 or (stages > 1 and stages * own <= layers + ENDS) else []
    most = min(-(-layers // stages), _MOST_GROUPS) if stages > 1 else 1
    evenly = [n for n in range(2, most + 1) if -layers % (stages * n) <= ENDS]
    explicit = 2 ** (most.bit_length() - 1)
    unevenly = [explicit] if 1 < explicit <= layers / stages else []
    return [1, *(evenly or unevenly)]


def _kept(values: Mapping[str, Any], pinned: frozenset[str], name: str, options: Iterable[int]) -> Iterable[int]:
    """The options, or the one that the reader pinned."""
    return [int(values[name])] if name in pinned else options


def _contexts(values: Mapping[str, Any], rest: int) -> list[int]:
    """Ranks that may share a sequence: each takes two pieces of it, all of one length, and not too few tokens."""
    length = values["sequence_length"]
    powers = (2**power for power in range(rest.bit_length()))
    return [n for n in powers if n == 1 or (not length % (2 * n) and length >= n * FEWEST_TOKENS)]


def _micro_batches(values: Mapping[str, Any]) -> list[int]:
    """Micro-batches of powers of two: the batch at most, and no more tokens than make kernels faster."""
    sequences = min(values["batch_tokens"], max(_MOST_TOKENS, values["sequence_length"])) / values["sequence_length"]
    return [2**power for power in range(int(sequences).bit_length())]


def divisors(number: int) -> list[int]:
    """Divisors of a number, the smallest first.

    >>> divisors(12)
    [1, 2, 3, 4, 6, 12]
    """
    low = [n for n in range(1, math.isqrt(number) + 1) if not number % n]
    return sorted({*low, *(number // n for n in low)})

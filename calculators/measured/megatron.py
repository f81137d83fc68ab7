"""Logs of Megatron-LM, Megatron-Bridge and NeMo: one line per logged iteration, with its mean time.

Fields as Megatron-LM's training.py and Megatron-Bridge's train_utils.py print them, and NeMo's progress lines, or its
progress bar before NeMo 2. Forks that print "last/mean" are read by the last.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from calculators.measured.pieces import Reading, pieces
from calculators.measured.record import ReadError, Step, TrainingRun, number, reading

_ITERATION = re.compile(r"\biteration\s+(\d+)\s*/\s*\d+ \|(.*)$")
_NUMBER = r"(\d[\d.]*(?:,\d+)*(?:e[+-]?\d+)?)"  # with a decimal comma it is refused, not read up to the comma
_TIME = re.compile(rf"elapsed time per iteration \(ms\): +{_NUMBER}|train_step_timing in s: {_NUMBER}")
_BAR = re.compile(rf"Epoch (\d+):.*?\b(\d+)/(\d+) \[.*\btrain_step_timing in s={_NUMBER}")
_FLOPS = re.compile(rf"(?:throughput per GPU \(TFLOP/s/GPU\)|TFLOPs|TFLOPS_per_GPU): +{_NUMBER}")
_TOKENS = re.compile(rf"(?:tokens per GPU \(tokens/s/GPU\)|tokens_per_sec_per_gpu): +{_NUMBER}")
_BATCH = re.compile(r"global[ _]batch[ _]size: +(\d+)")
_STEP = re.compile(r"global_step: (\d+)")
_SKIPPED = re.compile(r"number of skipped iterations: +(\d+)")
_BRIDGE = re.compile(rf"Step Time : {_NUMBER}s GPU utilization: {_NUMBER} ?(?:MODEL_)?TFLOP/s/GPU")
_WORLD = re.compile(r"^\s*world_size \.+ (\d+)|using world size: (\d+)", re.MULTILINE)
_SEQUENCE = re.compile(r"^\s*seq_length(?: \.+|:) (\d+)", re.MULTILINE)
_MEMORY = re.compile(rf"memory \(MB\) \|.*max reserved: {_NUMBER}")
_RESERVED = re.compile(r"max_memory_reserved: (\d+)")
_MARKS = ("iteration", "Step Time", "memory (MB)", "train_step_timing")  # one of them is in every line that is read
_TERA, _MILLI, _MIB = 1e12, 1e-3, 2.0**20


class _Log:
    """State of reading: iterations by number, each with its batch size, and settings of the job."""

    def __init__(self) -> None:
        self.gpus: set[int] = set()
        self.sequence: set[int] = set()
        self.iterations: dict[int, tuple[Step, float | None]] = {}
        self.bridge: list[Step] = []
        self.memory: float | None = None
        self.batch: float | None = None
        self.skipped: dict[int, int] = {}

    def step_tokens(self, batch: float | None) -> float | None:
        """Tokens of a step; None where the log does not state one sequence length."""
        sequence = _single(self.sequence)
        return batch * sequence if batch and sequence else None

    def steps(self) -> Iterator[Step]:
        """Iterations as steps, in order, with the rate that tokens, time and GPUs give where none is printed."""
        gpus = _single(self.gpus)
        for _, (one, batch) in sorted(self.iterations.items()):
            tokens = self.step_tokens(batch)
            per_gpu = tokens / one.pace / gpus if tokens and gpus else None
            yield replace(one, tokens_per_second=one.tokens_per_second or per_gpu)


def recognizes(text: str) -> bool:
    """Whether a text is a log of Megatron or NeMo."""
    return "elapsed time per iteration (ms)" in text or "train_step_timing in s" in text or bool(_BRIDGE.search(text))


def read(text: str) -> Reading[TrainingRun]:
    """Every logged iteration; of one that was logged twice, the last. Raises ReadError."""
    log = _Log()
    for piece in pieces(text):
        for pattern, found in ((_WORLD, log.gpus), (_SEQUENCE, log.sequence)):
            found |= {int(next(filter(None, match.groups()))) for match in pattern.finditer(piece.text)}
        if any(mark in piece.text for mark in _MARKS):
            for place, line in piece.numbered():
                with reading(f"line {place}"):
                    _read(log, place, line)
        yield piece.end
    steps = [*log.steps()] or log.bridge
    if not steps:
        message = (
            "there is no whole line “iteration … | … elapsed time per iteration (ms): …” or “iteration … | … "
            "train_step_timing in s: …”: copy the whole log"
        )
        raise ReadError(message)
    return TrainingRun(
        tool="Megatron",
        steps=tuple(steps),
        gpus=_single(log.gpus),
        sequence_length=_single(log.sequence),
        step_tokens=log.step_tokens(log.batch),
        skipped=sum(log.skipped.values()),
        memory=log.memory,
    )


def _read(log: _Log, place: int, line: str) -> None:
    """Add what a line states."""
    if match := _ITERATION.search(line):
        _add(log, place, match)
    elif match := _BAR.search(line):
        epoch, done, steps = map(int, match.groups()[:3])
        seconds = number(f"line {place}", "train_step_timing in s", match[4])
        _keep(log, place, Step(number=epoch * steps + done, seconds=seconds))
    elif match := _BRIDGE.search(line):
        seconds, flops = (number(f"line {place}", "Step Time or GPU utilization", one) for one in match.groups())
        log.bridge.append(Step(number=len(log.bridge) + 1, seconds=seconds, flops=flops * _TERA))
    elif match := _MEMORY.search(line):
        log.memory = max(log.memory or 0.0, number(f"line {place}", "max reserved", match[1]) * _MIB)


def _add(log: _Log, place: int, match: re.Match[str]) -> None:
    """Add the iteration of a line."""
    rest = match[2]
    time = _TIME.search(rest)
    if not time:
        message = (
            f"line {place}: iteration {match[1]} has no “elapsed time per iteration (ms)” or “train_step_timing in s”: "
            "copy the whole line"
        )
        raise ReadError(message)
    where = f"line {place}: iteration {match[1]}"
    stated = number(where, "its time", time[1] or time[2])
    flops, rate, batch, step_number = (one.search(rest) for one in (_FLOPS, _TOKENS, _BATCH, _STEP))
    if found := _RESERVED.search(rest):
        log.memory = max(log.memory or 0.0, float(found[1]))
    # Megatron-Bridge prints the utilization of a step in a line of its own, before the iteration's.
    before = log.bridge[-1].flops if log.bridge else None
    name = int((step_number or match)[1])
    if found := _SKIPPED.search(rest):
        log.skipped[name] = int(found[1])
    log.batch = float(batch[1]) if batch else log.batch
    step = Step(
        number=name,
        seconds=stated * _MILLI if time[1] else stated,
        flops=number(where, "its TFLOP/s per GPU", flops[1]) * _TERA if flops else before,
        tokens_per_second=number(where, "its tokens/s per GPU", rate[1]) if rate else None,
    )
    _keep(log, place, step)


def _keep(log: _Log, place: int, step: Step) -> None:
    """Keep an iteration, instead of an earlier line about it."""
    if not step.seconds:
        message = f"line {place}: iteration {step.number} takes 0 ms: it is no training step, leave it out"
        raise ReadError(message)
    log.iterations[step.number] = step, log.batch


def _single(found: set[int]) -> int | None:
    """The number where a log states one; None for none and for several."""
    return next(iter(found)) if len(found) == 1 else None

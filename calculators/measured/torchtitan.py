"""Logs of torchtitan: "step: … loss: … memory: …GiB(…%) tps: … tflops: … mfu: …%".

Fields as components/metrics.py prints them; tps are tokens per second per device. Versions of 2024 print no tflops,
and every rank may log: of a step, the slowest rank counts.
"""

import re
from math import prod

from calculators.measured.pieces import Piece, Reading, pieces
from calculators.measured.record import ReadError, Step, TrainingRun, grouped

_COLOR = re.compile(r"\x1b\[[0-9;]*m")
_STEP_LINE = re.compile(r"\bstep: +\d.*\b(?:tps|wps):")
_STEP = re.compile(r"\bstep: +(\d+) +loss: .*$", re.MULTILINE)
_RATE = re.compile(r"\b(?:tps|wps): (\d[\d,.]*)")
_FLOPS = re.compile(r"\btflops: (\d[\d,.]*)")
_MEMORY = re.compile(r"memory: +(\d[\d,.]*)GiB")
_MESH = re.compile(r"Building[^\n]* mesh with parallelism: ([^\n]+)")
_DEGREE = re.compile(r"\b(pp|dp_replicate|dp_shard|cp|tp)=(\d+)")
_TOKENS = re.compile(
    r"(?<!\d)(\d+) tokens per train step"
    r"|global batch size (\d+), (?:gradient accumulation steps \d+, )?sequence length (\d+)"
)
_SEQUENCE = re.compile(r"(?:sequence length|maximum context length) (\d+)")
_TERA, _GIB = 1e12, 2.0**30


def recognizes(text: str) -> bool:
    """Whether a text is a log of torchtitan."""
    return "step" in text and bool(_STEP_LINE.search(_COLOR.sub("", text)))


class _Log:
    """State of reading: settings of the job, and steps by number as their slowest rank logged them.

    Of a step, tokens/s per GPU and, where it is printed, FLOP/s per GPU.
    """

    def __init__(self) -> None:
        self.steps: dict[int, tuple[float, float | None]] = {}
        self.gpus: int | None = None
        self.batch: tuple[str | None, ...] = ()
        self.sequence: int | None = None
        self.memory = 0.0

    def add(self, piece: Piece) -> None:
        """Read a piece. Raises ReadError."""
        piece.text = _COLOR.sub("", piece.text)
        self._add_job(piece)
        for match in _STEP.finditer(piece.text):
            number, line = int(match[1]), match[0]
            rate, flops, memory = _RATE.search(line), _FLOPS.search(line), _MEMORY.search(line)
            place = f"line {piece.line_of(match.start())}"
            if not rate or not memory:
                missing = "tps" if memory else "memory"
                message = f"{place}: step {number} has no {missing}: copy the whole line, as torchtitan printed it"
                raise ReadError(message)
            one = (
                grouped(place, "tps", rate[1]),
                grouped(place, "tflops", flops[1]) * _TERA if flops else None,
            )
            self.memory = max(self.memory, grouped(place, "memory", memory[1]) * _GIB)
            if number not in self.steps or one[0] < self.steps[number][0]:
                self.steps[number] = one

    def _add_job(self, piece: Piece) -> None:
        """Read mesh, batch and sequence length from the lines around the steps."""
        if self.gpus is None and (mesh := _MESH.search(piece.text)):
            self.gpus = prod(int(degree) for _, degree in _DEGREE.findall(mesh[1]))
        if self.sequence is None and (found := _SEQUENCE.search(piece.text)):
            self.sequence = int(found[1])
        for batch in _TOKENS.finditer(piece.text):
            self.batch = self.batch or batch.groups()
            if batch.groups() != self.batch:
                place = piece.line_of(batch.start())
                message = f"line {place}: a run with another batch begins here ({batch[0]}): give the log of one run"
                raise ReadError(message)

    @property
    def tokens(self) -> float | None:
        """Tokens of a step; None where the log does not state them."""
        if not self.batch:
            return None
        whole, batch, length = self.batch
        return float(whole) if whole else float(batch or 0) * float(length or 0)


def read(text: str) -> Reading[TrainingRun]:
    """Every logged step. Raises ReadError."""
    log = _Log()
    for piece in pieces(text):
        log.add(piece)
        yield piece.end
    if not log.steps:
        message = "there is no line “step: … loss: … tps: …”: give torchtitan's log as it was printed"
        raise ReadError(message)
    steps = (
        Step(
            number=number,
            seconds=log.tokens / rate / log.gpus if log.tokens and log.gpus and rate else None,
            flops=flops,
            tokens_per_second=rate,
        )
        for number, (rate, flops) in sorted(log.steps.items())
    )
    return TrainingRun(
        tool="torchtitan",
        steps=tuple(steps),
        gpus=log.gpus,
        sequence_length=log.sequence,
        step_tokens=log.tokens,
        memory=log.memory,
    )

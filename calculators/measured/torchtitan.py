"""Logs of torchtitan: "step: … loss: … memory: …GiB(…%) tps: … tflops: … mfu: …%".

Fields as components/metrics.py prints them; tps are tokens per second per device. Versions of 2024 print no tflops,
and every rank may log: of a step, the slowest rank counts.
"""

import re

from calculators.measured.record import ReadError, Step, TrainingRun, line_of

_COLOR = re.compile(r"\x1b\[[0-9;]*m")
_STEP_LINE = re.compile(r"\bstep: +\d.*\b(?:tps|wps):")
_STEP = re.compile(r"\bstep: +(\d+) +loss: .*$", re.MULTILINE)
_RATE = re.compile(r"\b(?:tps|wps): (\d[\d,]*)")
_FLOPS = re.compile(r"\btflops: (\d[\d,.]*)")
_MEMORY = re.compile(r"memory: +(\d[\d.]*)GiB")
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
    return bool(_STEP_LINE.search(_COLOR.sub("", text)))


def run(text: str) -> TrainingRun:
    """Every logged step. Raises ReadError."""
    text = _COLOR.sub("", text)
    mesh, batches = _MESH.search(text), list(_TOKENS.finditer(text))
    if other := next((one for one in batches if one.groups() != batches[0].groups()), None):
        place = line_of(text, other.start())
        message = f"line {place}: a run with another batch begins here ({other[0]}): give the log of one run"
        raise ReadError(message)
    gpus = None
    if mesh:
        gpus = 1
        for _, degree in _DEGREE.findall(mesh[1]):
            gpus *= int(degree)
    tokens = None
    if batches:
        whole, batch, length = batches[0].groups()
        tokens = float(whole) if whole else float(batch) * float(length)
    steps: dict[int, Step] = {}
    most = 0.0
    for match in _STEP.finditer(text):
        number, line = int(match[1]), match[0]
        rate, flops, memory = _RATE.search(line), _FLOPS.search(line), _MEMORY.search(line)
        if not rate or not memory:
            missing = "tps" if memory else "memory"
            place = line_of(text, match.start())
            message = f"line {place}: step {number} has no {missing}: copy the whole line, as torchtitan printed it"
            raise ReadError(message)
        tps = float(rate[1].replace(",", ""))
        one = Step(
            number=number,
            seconds=tokens / tps / gpus if tokens and gpus and tps else None,
            flops=float(flops[1].replace(",", "")) * _TERA if flops else None,
            tokens_per_second=tps,
        )
        most = max(most, float(memory[1]) * _GIB)
        steps[number] = max(steps.get(number, one), one, key=lambda step: step.pace)
    if not steps:
        message = "there is no line “step: … loss: … tps: …”: give torchtitan's log as it was printed"
        raise ReadError(message)
    sequence = _SEQUENCE.search(text)
    return TrainingRun(
        tool="torchtitan",
        steps=tuple(steps[number] for number in sorted(steps)),
        gpus=gpus,
        sequence_length=int(sequence[1]) if sequence else None,
        step_tokens=tokens,
        memory=most,
    )

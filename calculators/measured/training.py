"""Training logs of any known format, their steps after warm-up, and how even these are."""

from collections.abc import Callable
from statistics import median

from calculators.measured import megatron, torchtitan
from calculators.measured.pieces import Reading, pieces
from calculators.measured.record import ReadError, Step, TrainingRun, plain_text, reading
from calculators.pauses import finished

_FORMATS: tuple[tuple[Callable[[str], bool], Callable[[str], Reading[TrainingRun]]], ...] = (
    (torchtitan.recognizes, torchtitan.read),
    (megatron.recognizes, megatron.read),
)
_WARM = 1.1  # times the median: a first step that is slower still warms up
_UPPER = 0.95
_FEW = 3


def run(text: str) -> TrainingRun:
    """The steps in a text. Raises ReadError, which names the place and what to do."""
    return finished(read(text))


def read(text: str) -> Reading[TrainingRun]:
    """Read a log as `run` does, with pauses. Raises ReadError."""
    text = plain_text(text)
    with reading():
        for piece in pieces(text):
            for recognizes, read_as in _FORMATS:
                if recognizes(piece.text):
                    return (yield from read_as(text))
            yield 0
    message = (
        "this is no training log that is known here: give lines of Megatron-LM or Megatron-Bridge (“iteration … | … "
        "elapsed time per iteration (ms): …”), of NeMo (“iteration … | … train_step_timing in s: …”) or of torchtitan "
        "(“step: … loss: … tps: …”)"
    )
    raise ReadError(message)


def steady(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps after warm-up: without the first, and without those right after it that are still slower.

    The first holds initialization, compilation and graph capture. Of fewer than three steps, all.

    >>> paces = (90.0, 14.0, 10.0, 10.0, 13.0, 10.0)
    >>> [one.number for one in steady(tuple(Step(number=n, seconds=s) for n, s in enumerate(paces, 1)))]
    [3, 4, 5, 6]
    """
    if len(steps) < _FEW:
        return steps
    limit = _WARM * median(one.pace for one in steps[1:])
    first = next(place for place, one in enumerate(steps) if place and one.pace <= limit)
    return steps[first:]


def upper(values: list[float]) -> float:
    """95th percentile: the smallest value that 95% do not exceed.

    >>> upper([1.0] * 19 + [3.0])
    1.0
    """
    ordered = sorted(values)
    return ordered[max(0, -int(-_UPPER * len(ordered) // 1) - 1)]

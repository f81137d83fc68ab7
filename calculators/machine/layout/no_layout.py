"""The refusal of pinned degrees with which no layout of the GPUs exists, and the nearest values with which one does."""

import itertools
import math
from collections.abc import Generator, Mapping
from typing import Any, cast

from calculators import units
from calculators.answers.explore.search import Search
from calculators.declare import Calculator, InputError, Quantity, Values
from calculators.machine.layout.space import Group, groups

_PLURAL = {
    "micro_batch": "micro_batches",
    "recompute": "recomputed",
    "zero_stage": "stages_shared",
}  # names of the options that a group of layouts lists
_MOST_NAMED = 3
_MULTIPLES = 64  # of the pinned ranks, on each side of the GPUs that are given


def no_layout(calculator: Calculator, values: Values, pinned: frozenset[str]) -> InputError:
    """The error for a state without a layout: what is pinned, and the nearest values that have one."""
    return Search(each_no_layout(calculator, values, pinned)).run()


def each_no_layout(calculator: Calculator, values: Values, pinned: frozenset[str]) -> Generator[None, None, InputError]:
    """As `no_layout`, with pauses between what is tried.

    A pinned value is changed alone where that suffices, else as few of them as do; and the GPUs.
    """
    message = " and ".join(_pair(calculator, name, values[name]) for name in sorted(pinned))
    gpus = calculator.text("gpus", values["gpus"])
    problem = f"No layout of {gpus} has {message}" if pinned else f"No layout takes {gpus}"
    ways = yield from _nearest_pins(calculator, values, pinned)
    if len(ways) < _MOST_NAMED:
        ways += yield from _nearest_gpus(calculator, values, pinned)
    if ways:
        return InputError({"gpus": f"{problem}: {' or '.join(ways[:_MOST_NAMED])} would do"})
    batch, sequence = (calculator.text(name, values[name]) for name in ("batch_tokens", "sequence_length"))
    return InputError({"gpus": f"{problem}: a batch of {batch} has too few sequences of {sequence} for its replicas"})


def _pair(calculator: Calculator, name: str, value: Any) -> str:
    """An input and a value of it in words: "tensor parallel 3"."""
    label = calculator.inputs[name].label
    label = label[:1].lower() + label[1:] if label[1:2].islower() and label[2:3].islower() else label
    return f"{label} {value if isinstance(value, str) else units.text(value, '1')}"


def _nearest_pins(calculator: Calculator, values: Values, pinned: frozenset[str]) -> Generator[None, None, list[str]]:
    """The nearest layouts with as few of the pinned values changed as suffice, in words."""
    for count in range(1, len(pinned) + 1):
        ways = []
        for changed in itertools.combinations(sorted(pinned), count):
            near = yield from _nearest(values, pinned, changed)
            ways.append(" with ".join(_pair(calculator, name, value) for name, value in near.items()))
        if any(ways):
            return list(filter(None, ways))
    return []


def _nearest(values: Values, pinned: frozenset[str], changed: tuple[str, ...]) -> Generator[None, None, dict[str, Any]]:
    """The nearest values that these pinned inputs have in layouts with the others as they are pinned; else none."""
    choices = []
    for group in groups(values, pinned.difference(changed)):
        yield
        options = [_options(group, name) for name in changed]
        choices += [dict(zip(changed, combined, strict=True)) for combined in itertools.product(*options)]
    return min(choices, key=lambda one: _distance(values, one), default={})


def _options(group: Group, name: str) -> tuple[Any, ...]:
    """The values of an input in a group of layouts."""
    return getattr(group, _PLURAL[name]) if name in _PLURAL else (getattr(group, name),)


def _distance(values: Values, choice: Mapping[str, Any]) -> float:
    """Distance of values from those that are pinned: doublings of degrees, one for each other option."""
    return sum(
        1.0 if isinstance(value, str) else abs(math.log2(max(value, 1) / max(values[name], 1)))
        for name, value in choice.items()
        if value != values[name]
    )


def _nearest_gpus(calculator: Calculator, values: Values, pinned: frozenset[str]) -> Generator[None, None, list[str]]:
    """The nearest number of GPUs that has a layout, in words; else none."""
    degrees = ("tensor_parallel", "pipeline_parallel", "context_parallel", "data_parallel")
    ranks = math.prod(int(values[name]) for name in degrees if name in pinned)
    least, most = cast("Quantity", calculator.inputs["gpus"]).hard
    gpus = values["gpus"]
    near = round(gpus / ranks)
    tried = {ranks * n for n in range(max(1, near - _MULTIPLES), near + _MULTIPLES)}
    tried |= {ranks * 2**power for power in range(int(most / ranks).bit_length())}
    for other in sorted((one for one in tried if least <= one <= most), key=lambda one: abs(math.log2(one / gpus))):
        yield
        if any(True for _ in groups(calculator.after(values, {"gpus": float(other)}), pinned)):
            return [calculator.text("gpus", other)]
    return []

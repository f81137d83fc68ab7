"""Bands: the range that follows a result in its sentence, from published runs and from ranges that the reader typed."""

from collections.abc import Mapping
from typing import Any

from calculators.answers.explore.trials import Trials
from calculators.declare import Calculator

NO_WIDER = " at both ends of the range"


def bands(calculator: Calculator, values: Mapping[str, Any]) -> dict[str, str]:
    """The range by result as a text, "16 to 24 GPUs"."""
    return {
        name: _between(*(calculator.text(name, end) for end in ends))
        for name, ends in ends_of_bands(calculator, values).items()
    }


def ends_of_bands(calculator: Calculator, values: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """The range by result [base units], for results that have one at present.

    Published runs lay between these ends; ranges that the reader typed widen it, all at their worst or best together.
    """
    found = {}
    for name, (least, most) in calculator.bands.items():
        known = None not in (values[name], values[least], values[most])
        ends = _with_typed_ranges(calculator, values, name, (least, most) if known else (name, name))
        if ends is None and known:
            ends = values[least], values[most]
        if ends is not None:
            found[name] = ends
    return found


def bracketed(banded: Mapping[str, str], name: str) -> str:
    """A band in brackets, as it follows its result in the sentence; empty where it is a single value."""
    band = banded.get(name, "")
    return "" if not band or band.endswith(NO_WIDER) else f" ({band})"


def _with_typed_ranges(
    calculator: Calculator, values: Mapping[str, Any], name: str, ends: tuple[str, str]
) -> tuple[float, float] | None:
    """The lower end where typed ranges make the result least, and the upper end where they make it most.

    None where no range was typed that moves the result. An end that a constraint refuses does not count.
    """
    typed = {one: span for one, span in getattr(values, "ranges", {}).items() if one in calculator.behind(name)}
    if not typed or values[name] is None:
        return None
    present = {one: values[one] for one in typed}
    trials = Trials(calculator, values, typed, {name, *ends}, if_it_ran=True)
    best, worst = dict(present), dict(present)
    for one, span in typed.items():
        after = [(found[name], end) for end in span if (found := trials.after({**present, one: end}))]
        reached = [(values[name], present[one]), *(pair for pair in after if pair[0] is not None)]
        best[one], worst[one] = min(reached)[1], max(reached)[1]
    least, most = trials.after(best), trials.after(worst)
    if least is None or most is None or best == worst:
        return None
    low, high = least[ends[0]], most[ends[1]]
    return None if low is None or high is None else (low, high)


def _between(low: str, high: str) -> str:
    """Two texts as a range, their unit once: "16 to 24 GPUs"."""
    if low == high:
        return f"{low}{NO_WIDER}"
    number, _, unit = low.partition(" ")
    return f"{number} to {high}" if unit and high.endswith(f" {unit}") else f"{low} to {high}"

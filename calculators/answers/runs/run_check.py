"""A measured run next to the limits of a state: as text, as plain data, and for the page."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from calculators import units
from calculators.answers import messages
from calculators.answers.answer import evaluated
from calculators.answers.input_state import valid_inputs
from calculators.answers.runs.measurement import left_open
from calculators.declare import Calculator, CheckedRun, MeasuredResult, RunReader
from calculators.declare.measurements import NO_LIMIT
from calculators.pauses import finished


def run_of(calculator: Calculator, text: str) -> Any:
    """The run in a text. Raises ValueError for a text without one."""
    return finished(_check_of(calculator).read(text))


def checked(calculator: Calculator, given: Mapping[str, Any], run: Any) -> CheckedRun:
    """The run, next to the inputs given, else those that it states. Raises InputError, and ValueError."""
    reader = _check_of(calculator)

    def values() -> Mapping[str, Any]:
        stated = {**reader.assumed(run), **reader.given(run), **{name: one for name, one in given.items() if one != ""}}
        return evaluated(calculator, valid_inputs(calculator, stated))

    return compared(reader, run, values)


def compared(reader: RunReader, run: Any, values: Callable[[], Mapping[str, Any]]) -> CheckedRun:
    """The run next to the values of a state. Raises ValueError where a figure of it cannot be."""
    try:
        found = reader.check(run, values())
    except ArithmeticError:
        message = "A time or count of this run is 0 or no finite number, so nothing can be computed from it: correct it"
        raise ValueError(message) from None
    for one in found.results:
        if not 0 <= one.measured < math.inf:
            message = f"{one.label} of this run is {one.measured:g}: correct the values that it comes from"
            raise ValueError(message)
    return found


def _check_of(calculator: Calculator) -> RunReader:
    if calculator.run_reader is None:
        message = f"{calculator.name} reads no measured run"
        raise TypeError(message)
    return calculator.run_reader


def limits(result: MeasuredResult) -> str:
    """The limits of a figure in words."""
    if result.passing is None or result.failing is None:
        return "no limit in this state"
    best = min(result.passing, result.failing) if result.at_most else max(result.passing, result.failing)
    more, beyond = ("or less", "above") if result.at_most else ("or more", "below")
    fails = 0 < result.failing < math.inf
    fail = f", fail {beyond} {units.text(result.failing, result.unit)}" if fails else ""
    return f"pass at {units.text(best, result.unit)} {more}{fail}"


def _why(result: MeasuredResult) -> str:
    because = result.fails or (result.doubt if result.state not in {"Pass", "Fail"} else "")
    return f" ({because})" if because else ""


def sentence(result: MeasuredResult) -> str:
    """The state of a figure, the figure and its limits."""
    measured = units.text(result.measured, result.unit)
    return f"{result.state}: {result.label} {measured}; {limits(result)}{_why(result)}."


def _headed(found: CheckedRun) -> str:
    """The run behind its state, where the state has a limit at all."""
    return found.run if found.state == NO_LIMIT else f"{found.state}: {found.run}"


def report(found: CheckedRun) -> str:
    """The run for people: its state, every figure with its limits, likely reasons."""
    lines = [_headed(found), ""]
    lines += [f"  {sentence(one)}" for one in found.results if one.state != NO_LIMIT]
    lines += [f"  {one.label} {units.text(one.measured, one.unit)}." for one in found.results if one.state == NO_LIMIT]
    if found.reasons:
        lines += ["", "Likely reasons, likeliest first"]
        for place, one in enumerate(found.reasons, 1):
            lines += [f"  {place}. {one.name[:1].upper()}{one.name[1:]}. {one.looks}.", f"     Look at: {one.look_at}"]
    return "\n".join(lines) + "\n"


def described(name: str, found: CheckedRun) -> dict[str, Any]:
    """The run as plain data; numbers in base units."""
    return {
        "calculator": name,
        "run": found.run,
        "state": found.state,
        "results": [
            {
                "name": one.name,
                "label": one.label,
                "unit": units.base_symbol(one.unit),
                "measured": one.measured,
                "pass": one.passing,
                "fail": None if one.failing == math.inf else one.failing,
                "more_is_better": not one.at_most,
                "state": one.state,
                "why": one.fails or one.doubt,
            }
            for one in found.results
        ],
        "reasons": [{"name": one.name, "looks": one.looks, "look_at": one.look_at} for one in found.reasons],
    }


def nothing(problem: str = "") -> messages.Compared:
    """Response without a run, with the problem if there is one."""
    return {"curves": {}, "problem": problem, "sentence": "", "rows": [], "causes": []}


def response(calculator: Calculator, given: Mapping[str, Any], run: Any) -> messages.Compared:
    """Response to a run: its state, every figure with its limits, likely reasons, or the problem with it."""
    try:
        found = checked(calculator, given, run)
        read = left_open(calculator, _check_of(calculator).given(run), given)
        values = valid_inputs(calculator, read).values
    except ValueError as error:
        return nothing(str(error))
    inputs = calculator.inputs
    shown = ", ".join(f"{inputs[name].label} {inputs[name].box(values[name])}" for name in read)
    return {
        **nothing(),
        "sentence": f"{_headed(found)}." + (f" Read from it: {shown}." if shown else ""),
        "rows": [
            {
                "label": one.label,
                "measured": units.text(one.measured, one.unit),
                "limits": limits(one),
                "state": f"{one.state}{_why(one)}",
            }
            for one in found.results
        ],
        "causes": [
            {"name": f"{one.name[:1].upper()}{one.name[1:]}.", "looks": f"{one.looks}.", "look_at": one.look_at}
            for one in found.reasons
        ],
    }

"""Rates of a machine: what a tenth more of each gains, how far it may fall, and what the gain costs.

Each time everything downstream is solved again: the interval between saves at its best, also where the reader pinned
it, or a bad interval looks like slow storage; and the layout, among the best of the present machine.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from calculators.declare import Values
from calculators.machine.layouts import NAMES
from calculators.machine.standing import Standing

MORE = 0.1  # what a purchase can change
GROWN = 0.01  # how much longer a run may take while a rate falls
_LEAST = 1e-6  # a rate that may fall to less does nothing for this run
_HALVINGS = 16


@dataclass(frozen=True, kw_only=True)
class Rate:
    """A rate: the inputs that are it, larger or (`falls`) smaller where it is better.

    `asked` and `there` are words for what is asked and what there is, with {names} of values.
    """

    key: str
    title: str
    inputs: tuple[str, ...]
    asked: str
    there: str
    calculator: str
    falls: bool = False


RATES = (
    Rate(
        key="compute",
        title="Compute",
        inputs=("peak_flops",),
        asked="{training_flops} in the run",
        there="{peak_flops} a GPU",
        calculator="training_time",
    ),
    Rate(
        key="network",
        title="Network",
        inputs=("nic_bandwidth",),
        asked="{network_bytes} a GPU and step",
        there="{nic_bandwidth} a GPU",
        calculator="collectives",
    ),
    Rate(
        key="links",
        title="Scale-up links",
        inputs=("link_bandwidth",),
        asked="{link_bytes} a GPU and step",
        there="{link_bandwidth} a GPU",
        calculator="collectives",
    ),
    Rate(
        key="storage_write",
        title="Writing to the store",
        inputs=("write_bandwidth",),
        asked="{required_write_bandwidth} to save within {write_window}",
        there="{write_bandwidth}",
        calculator="checkpoint",
    ),
    Rate(
        key="storage_read",
        title="Reading from the store",
        inputs=("read_bandwidth",),
        asked="{read_demand} to restore within {restore_window} and train on",
        there="{read_bandwidth}",
        calculator="storage_demand",
    ),
    Rate(
        key="failures",
        title="Time between failures",
        inputs=("gpu_mtbf",),
        asked="{failures_per_day} a day",
        there="one every {mtbf}",
        calculator="goodput",
    ),
    Rate(
        key="recovery",
        title="Noticing and restarting",
        inputs=("detection_time", "restart_time"),
        asked="after {failures_per_day} a day",
        there="{detection_time} and {restart_time}",
        calculator="goodput",
        falls=True,
    ),
)


@dataclass(frozen=True, kw_only=True)
class Gain:
    """What a rate does for the run.

    `gain`: how much sooner the run would be over with a tenth more of it [share]. `slack`: how far it may fall before
    the run grows by a hundredth [share]. `saved` [USD] is what a tenth more saves on this run.
    """

    rate: Rate
    gain: float
    slack: float
    saved: float


Timed = Callable[[float], float]


def gains(found: Standing) -> Iterator[Gain]:
    """Every rate, as declared."""
    basis = _free(found)
    for rate in RATES:
        timed = _timed(found, basis, rate)
        now, better = timed(1.0), timed(1 + MORE)
        factor = _lowest(timed, now * (1 + GROWN))
        yield Gain(
            rate=rate,
            gain=now / better - 1,
            slack=1 - factor,
            saved=found.values["run_price"] * (1 - better / now),
        )


def _free(found: Standing) -> Values:
    """The machine at its best interval, reading as fast as now also where that follows from writing."""
    free = found.free
    held = {name: free[name] for rate in RATES for name in rate.inputs}
    return found.calculator.after(free, held)


def _timed(found: Standing, basis: Values, rate: Rate) -> Timed:
    """The run's time [s] where the rate is so many times what it is, everything downstream solved again."""
    calculator = found.calculator
    trial = calculator.trials(basis, (*rate.inputs, *NAMES), ("training_duration",))
    moves_steps = not calculator.behind("step_time").isdisjoint(rate.inputs)
    layouts = [one.inputs for one in (found.layout.best if moves_steps else found.layout.best[:1])]

    def timed(factor: float) -> float:
        changed = {name: basis[name] / factor if rate.falls else basis[name] * factor for name in rate.inputs}
        return min(_run(trial, {**layout, **changed}) for layout in layouts)

    return timed


def _run(trial: Callable[[Mapping[str, Any]], dict[str, Any]], changed: Mapping[str, Any]) -> float:
    try:
        return float(trial(changed)["training_duration"])
    except ArithmeticError:
        return math.inf


def _lowest(timed: Timed, longest: float) -> float:
    """The lowest factor with which the run still takes no longer than this [s], by halving."""
    low, high = math.log(_LEAST), 0.0
    if timed(_LEAST) <= longest:
        return 0.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if timed(math.exp(middle)) <= longest:
            high = middle
        else:
            low = middle
    return math.exp(high)

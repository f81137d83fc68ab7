"""How long a page waits for its exploration, per calculator, in CPython: `python -m tooling.timing [NAME …]`.

A reader drags the first slider of a page: after every move all values are computed, the closest threshold of every
verdict is searched for, and then the rest of the exploration. Printed are the milliseconds of processor time per move
(the median of all moves). In the browser the same takes about three times as long.
"""

import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress

from calculators.answers import answer, sliders
from calculators.answers.explore import margins
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, InputError, Quantity, Values
from calculators.page import exploration

_MOVES = 20


def _states(calculator: Calculator) -> Iterator[dict[str, str]]:
    """The first slider at every stop of a drag around its middle."""
    named = (calculator.inputs[name] for name in (*calculator.first_sliders, *calculator.inputs))
    declared = next(one for one in named if isinstance(one, Quantity))
    stops = sliders.stops(declared)
    start = max(0, len(stops) // 2 - _MOVES // 2)
    for stop in stops[start : start + _MOVES]:
        yield {declared.name: declared.box(stop)}


def _thresholds(calculator: Calculator, values: Values) -> object:
    verdicts = [formula.name for formula in calculator.of_role("verdict")]
    return margins.nearest(calculator, values, verdicts).run()


def _timed(calculator: Calculator) -> tuple[float, ...]:
    moves = []
    for given in _states(calculator):
        with suppress(InputError):
            start = time.process_time()
            values = answer.evaluated(calculator, parse_inputs(calculator, given))
            evaluated = time.process_time()
            _thresholds(calculator, values)
            found = time.process_time()
            list(exploration.responses(calculator, values))
            moves.append((evaluated - start, found - evaluated, time.process_time() - found))
    return tuple(statistics.median(column) * 1000 for column in zip(*moves, strict=True))


def main(names: Sequence[str]) -> None:
    """Print a line for each calculator."""
    sys.stdout.write(f"{'ms per slider move':<20} {'evaluate':>9} {'thresholds':>11} {'exploration':>12}\n")
    for name in names or CALCULATORS:
        evaluating, edges, whole = _timed(CALCULATORS[name])
        sys.stdout.write(f"{name:<20} {evaluating:>9.2f} {edges:>11.2f} {whole:>12.1f}\n")


if __name__ == "__main__":
    main(sys.argv[1:])

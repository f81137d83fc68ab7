"""Answers of the library alone: in a process of its own, many threads begin at once, before anything is remembered.

It reads states (calculator, its inputs as JSON) and writes one answer of each; what threads answer differently ends it.
Standard library only, so that every Python that is here can run it: `python -m tests.kernel < states.json`.
"""

from __future__ import annotations

import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from calculators.answers import answer, data
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import InputError
from calculators.page.machine import MACHINES

THREADS = 8
State = tuple[str, str]


def answered(state: State) -> str:
    """The answer as JSON, or the problems with the state."""
    name, given = state
    calculator = MACHINES[name]() if name in MACHINES else CALCULATORS[name]
    try:
        resolved = valid_inputs(calculator, json.loads(given))
        values = answer.evaluated(calculator, resolved)
    except InputError as error:
        return json.dumps(error.problems)
    return json.dumps([answer.sentence(calculator, values, resolved), data.described(calculator, resolved, values)])


def at_once(states: list[State]) -> list[list[str]]:
    """What each thread answers; each begins somewhere else, so that first uses of everything meet."""
    together = threading.Barrier(THREADS)

    def all_of_them(lane: int) -> list[str]:
        first = lane * len(states) // THREADS
        together.wait()
        found = [answered(state) for state in states[first:] + states[:first]]
        return found[len(states) - first :] + found[: len(states) - first]

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(all_of_them, range(THREADS)))


def main() -> None:
    """Read, answer, compare, write."""
    states: list[State] = [(name, given) for name, given in json.load(sys.stdin)]
    lanes = at_once(states)
    different = {state for lane in lanes for state, *two in zip(states, lane, lanes[0], strict=True) if len({*two}) > 1}
    if different:
        sys.exit(f"threads differ in {sorted(different)}")
    json.dump(lanes[0], sys.stdout)


if __name__ == "__main__":
    main()

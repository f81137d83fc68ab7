"""The library as a service's kernel: many threads and several processes give the answers of one."""

from __future__ import annotations

import json
import multiprocessing
import random
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from calculators.answers import answer, data
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import InputError
from tests.soak.states import drawn

EACH, THREADS, PROCESSES = 12, 8, 2
State = tuple[str, str]


def states() -> list[State]:
    """Some states of every calculator, as texts."""
    chance = random.Random(11)  # noqa: S311  states, not secrets
    return [(name, json.dumps(drawn(one, chance))) for name, one in CALCULATORS.items() for _ in range(EACH)]


def answered(state: State) -> str:
    """The answer as JSON, or the problems with the state."""
    name, given = state
    calculator = CALCULATORS[name]
    try:
        resolved = valid_inputs(calculator, json.loads(given))
        values = answer.evaluated(calculator, resolved)
    except InputError as error:
        return json.dumps(error.problems)
    return json.dumps([answer.sentence(calculator, values, resolved), data.described(calculator, resolved, values)])


@pytest.fixture(scope="module")
def alone() -> dict[State, str]:
    """The answers, one after the other."""
    return {state: answered(state) for state in states()}


def test_threads_answer_as_one_does(alone: dict[State, str]) -> None:
    asked = list(alone) * 2
    random.Random(12).shuffle(asked)  # noqa: S311
    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(answered, asked))
    assert [state for state, text in zip(asked, found, strict=True) if text != alone[state]] == []


def test_processes_answer_as_one_does(alone: dict[State, str]) -> None:
    asked = list(alone)[::3]
    with ProcessPoolExecutor(PROCESSES, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = list(pool.map(answered, asked, chunksize=8))
    assert [state for state, text in zip(asked, found, strict=True) if text != alone[state]] == []

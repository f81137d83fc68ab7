"""Layouts that were found before: which states they are known for, and which other states they may be used for."""

from __future__ import annotations

import dataclasses

import pytest

from calculators.answers.explore.search import Search
from calculators.answers.input_state import InputState, valid_inputs
from calculators.machine.description import machine
from calculators.machine.layout import memo
from calculators.machine.layout.memo import LayoutMemo
from calculators.machine.layout.sizes import Size, rungs
from calculators.machine.training_state import TrainingState, training_state
from tests.machine.test_bottlenecks import SMALL

SOUGHT = {name: text for name, text in SMALL.items() if name != "gpus"} | {"deadline": "30 d"}
FOUND = Size(gpus=8.0, word="fewest that meet the deadline", kept=True)


def state(given: dict[str, str]) -> InputState:
    return valid_inputs(machine(), given)


@pytest.fixture(scope="module")
def small() -> TrainingState:
    return training_state(SMALL)


def knowing(found: TrainingState, size: Size | None = None, *, fits: bool = True) -> LayoutMemo:
    """What remembers a search of the small job alone."""
    known = LayoutMemo()
    layout = dataclasses.replace(found.layout, fits=fits)
    known._keep(memo._key(state(SMALL)), memo._Known(found=layout, size=size))
    return known


def test_what_was_searched_for_is_known_as_it_was_found(small: TrainingState) -> None:
    known = LayoutMemo()
    assert known.at_once(state(SMALL))[1] is False
    found = Search(known.each(state(SMALL))).run()
    assert found.layout == small.layout
    again, exact = known.at_once(state(SMALL))
    assert exact
    assert again is not None
    assert dict(again.values) == dict(found.values) == dict(small.values)


@pytest.mark.parametrize(
    ("changed", "exact"),
    [
        ({"price_per_gpu_hour": "$2"}, True),
        ({"deadline": "30 d"}, True),  # GPUs are given: it is a limit alone
        ({"nic_bandwidth": "3 GB/s"}, False),
        ({"gpu_memory": "6 GiB"}, False),
        ({"batch_tokens": "262144"}, False),
        ({"micro_batch": "1"}, False),  # pinned, whatever was found
    ],
    ids=str,
)
def test_a_search_is_known_where_it_hangs_on_nothing_that_changed(
    changed: dict[str, str], *, exact: bool, small: TrainingState
) -> None:
    found, known = knowing(small).at_once(state({**SMALL, **changed}))
    assert known == exact
    assert found is not None
    assert found.size is None


def test_the_layout_that_substitutes_for_a_neighbor_is_its_fastest_of_those(small: TrainingState) -> None:
    given = {**SMALL, "nic_bandwidth": "0.3 GB/s"}
    found, _ = knowing(small).at_once(state(given))
    assert found is not None
    layouts = [small.calculator.after(found.values, one.inputs) for one in small.layout.best]
    fastest = min(one["step_time"] / one["tokens_per_step"] for one in layouts)
    assert found.values["step_time"] / found.values["tokens_per_step"] == pytest.approx(fastest)


def test_nothing_substitutes_where_nothing_fitted(small: TrainingState) -> None:
    assert knowing(small, fits=False).at_once(state({**SMALL, "nic_bandwidth": "3 GB/s"})) == (None, False)


def test_gpus_that_are_to_be_found_start_from_those_found_before(small: TrainingState) -> None:
    estimated, exact = knowing(small).at_once(state(SOUGHT))
    assert estimated is not None
    assert not exact
    assert estimated.resolved.words["gpus"] == "estimate: searching"
    assert estimated.values["gpus"] in rungs(8)
    found, exact = knowing(small, FOUND).at_once(state(SOUGHT))
    assert found is not None
    assert not exact
    assert (found.values["gpus"], found.size) == (8, FOUND)
    assert found.resolved.words["gpus"] == FOUND.word
    given, _ = knowing(small, FOUND).at_once(state({**SMALL, "gpus": "16"}))
    assert given is not None
    assert (given.values["gpus"], given.size) == (16, None)


def test_a_deadline_hangs_on_everything_where_the_gpus_are_to_be_found() -> None:
    """A store that saves more slowly takes more GPUs, and another layout of them."""
    slower = memo._key(state({**SOUGHT, "write_bandwidth": "200 MB/s"}))
    assert slower != memo._key(state(SOUGHT))
    assert memo._key(state({**SMALL, "write_bandwidth": "200 MB/s"})) == memo._key(state(SMALL))


def test_what_was_used_last_stays_cached_and_the_oldest_goes(small: TrainingState) -> None:
    known, one = LayoutMemo(), memo._Known(found=small.layout, size=None)
    for number in range(500):
        known._keep(number, one)
        known._keep("often", one)
    assert 1 < len(known._known) < 500
    assert {"often", 499, 498} <= known._known.keys()
    assert 0 not in known._known

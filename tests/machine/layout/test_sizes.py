"""How many GPUs: the fewest that make a deadline and the quickest within a budget, as trying every rung says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from calculators.answers.explore.search import Search
from calculators.answers.input_state import parse_inputs
from calculators.declare import Calculator, Values
from calculators.machine.description import machine
from calculators.machine.layout import sizes
from calculators.machine.training_state import training_state
from calculators.units import DAY

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from calculators.machine.layout.found import Tried

SMALL = {"model": "llama-2-7b", "tokens": "100B"}


def at(gpus: float, result: str) -> float:
    found = training_state({**SMALL, "gpus": f"{gpus:.0f}"})
    return float(found.values[result]) if found.layout.fits else float("inf")


@pytest.mark.parametrize("days", [3, 40])
def test_a_deadline_takes_the_fewest_gpus_that_make_it(days: int) -> None:
    found = training_state({**SMALL, "deadline": f"{days} d"})
    gpus = found.values["gpus"]
    assert found.values["training_duration"] <= days * DAY
    ladder = sizes.rungs(8)
    below = ladder[: ladder.index(gpus)][-4:]
    assert all(at(fewer, "training_duration") > days * DAY for fewer in below)
    assert found.resolved.words["gpus"] == "fewest that meet the deadline"


def test_a_budget_takes_the_gpus_that_end_soonest_within_it() -> None:
    budget = 1.1 * training_state({**SMALL, "gpus": "256"}).values["run_price"]
    found = training_state({**SMALL, "budget": f"{budget:.0f}"})
    gpus = found.values["gpus"]
    assert found.values["run_price"] <= budget
    assert gpus >= 256
    ladder = sizes.rungs(8)
    place = ladder.index(gpus)
    around = [other for other in ladder[place - 3 : place + 4] if at(other, "run_price") <= budget]
    assert min(at(other, "training_duration") for other in around) == found.values["training_duration"]


def test_a_limit_that_nothing_keeps_is_reported_as_missed() -> None:
    poor = training_state({**SMALL, "budget": "1 USD"})
    assert poor.resolved.words["gpus"].endswith("exceeds the budget")
    hasty = training_state({**SMALL, "deadline": "1 s"})
    assert [found.size.kept for found in (poor, hasty) if found.size] == [False, False]


@pytest.mark.parametrize("near", [1024.0, 1536.0])  # a rung less than 1,280 GPUs and one more
def test_where_a_deadline_is_missed_the_rungs_around_the_quickest_octave_are_walked(
    near: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = {1280.0: 10.0, near: 9.0, 32768.0: 5.0}  # the last next to 40,960, which is far

    def at(_: sizes._Tried, gpus: float, *__: object) -> Generator[None, None, float]:
        yield
        return times.get(gpus, 20.0)

    monkeypatch.setattr(sizes._Tried, "at", at)
    assert {1280.0, 40960.0} <= set(sizes.rungs(8)[::4])
    found = Search(sizes.each_sized(machine(), {"deadline": 1.0}, frozenset())).run()
    assert found is not None
    assert (found.gpus, found.kept) == (near, False)


def test_within_a_budget_the_quickest_of_two_octaves_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = sizes.rungs(8)
    times = {ladder[-8]: 2.0, ladder[-9]: 1.0}  # the second is further back than is looked

    def at(_: sizes._Tried, gpus: float, result: str, *__: object) -> Generator[None, None, float]:
        yield
        return 1.0 if result == "run_price" else times.get(gpus, 20.0)

    monkeypatch.setattr(sizes._Tried, "at", at)
    found = Search(sizes.each_sized(machine(), {"budget": 2.0}, frozenset())).run()
    assert found is not None
    assert (found.gpus, found.kept) == (ladder[-8], True)


def test_gpus_on_which_no_layout_fits_have_none_that_is_fastest() -> None:
    assert Search(sizes.each_fastest(machine(), {}, frozenset(), 8.0)).run() == {}


@pytest.mark.parametrize("limit", [{"deadline": "1 s"}, {"budget": "1B"}])
def test_no_more_gpus_are_taken_than_three_tiers_of_the_switch_join(limit: dict[str, str]) -> None:
    """Switches of eight ports: 8 x 4 leaves, 4 for each of eight rails with 4 nodes each, are 16 nodes of 8 GPUs."""
    found = training_state({**SMALL, **limit, "switch_radix": "8"})
    assert found.values["gpus"] == 128
    assert found.values["switches"] > 0


def test_octaves_are_walked_and_two_of_them_by_every_rung() -> None:
    """Octaves are four rungs. The first that is good enough is the ninth, so the seventh is where rungs begin."""
    asked = []

    class Falling(sizes._Tried):
        def at(self, gpus: float, *_: object) -> Generator[None, None, float]:
            asked.append(gpus)
            yield
            return 100 - gpus

    tried = Falling(machine(), {}, frozenset())
    assert Search(tried.nearest(range(40), "training_duration", 100 - 30)).run() == 30
    assert asked == [*range(0, 33, 4), *range(24, 31)]
    assert Search(tried.nearest(range(37), "training_duration", 100 - 36)).run() == 36  # the last, and just within
    assert Search(tried.nearest(range(37), "training_duration", 100 - 37)).run() is None


def test_gpus_that_are_given_stay_whatever_the_limits() -> None:
    found = training_state({**SMALL, "gpus": "64", "deadline": "1 s", "budget": "1 USD"})
    assert (found.values["gpus"], found.size) == (64, None)


def test_rungs_are_whole_nodes_that_layouts_divide() -> None:
    assert sizes.rungs(8)[:9] == [8, 16, 24, 32, 40, 48, 56, 64, 80]
    assert all(rung % 8 == 0 for rung in sizes.rungs(8))
    assert machine().inputs["gpus"].unit == "GPU"  # type: ignore[union-attr]


def test_rungs_reach_as_far_as_three_tiers_of_128_ports_and_not_to_a_million() -> None:
    """Such a tree joins 128³ / 4 = 524,288 GPUs."""
    assert 128**3 / 4 < sizes.rungs(8)[-1] < 1e6


@pytest.mark.parametrize("given", [{"deadline": 2 * DAY}, {"deadline": 1.0}, {"deadline": 3 * DAY, "mfu": 0.9}])
def test_a_search_that_ends_early_finds_what_a_whole_one_finds(
    given: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Layouts that cannot keep the deadline are left out, most of them on few GPUs."""
    resolved = parse_inputs(machine(), SMALL)
    explicit = Values({**resolved.explicit, **given}, {*resolved.explicit.given, *given})
    calculated, trials = [], Calculator.trials

    def counted(self: Calculator, values: Values, changed: Iterable[str], results: tuple[str, ...]) -> Tried:
        trial = trials(self, values, changed, results)
        return lambda changes: (calculated.append(results), trial(changes))[1]  # type: ignore[func-returns-value]

    monkeypatch.setattr(Calculator, "trials", counted)
    early = Search(sizes.each_sized(machine(), explicit, frozenset())).run()
    few = len(calculated)
    whole = sizes.each_fastest
    monkeypatch.setattr(sizes, "each_fastest", lambda *every: whole(*every[:4]))
    assert Search(sizes.each_sized(machine(), explicit, frozenset())).run() == early
    assert few < len(calculated) - few or "mfu" in given

"""Resources by brute force: each gain and headroom solved again from nothing, each margin, and the bottleneck."""

from __future__ import annotations

import dataclasses
import json
import math
import random
import re
from typing import TYPE_CHECKING, Any

import pytest

from calculators import units
from calculators.__main__ import main
from calculators.answers.explore.search import Search
from calculators.declare import InputError
from calculators.machine import changes
from calculators.machine.kinds import Rate
from calculators.machine.layout.search import search
from calculators.machine.report import formats, record_sections
from calculators.machine.resources import bottlenecks
from calculators.machine.resources.bottlenecks import Resource
from calculators.machine.resources.rates import MarginalGain
from calculators.machine.state import WORKLOADS, machine_state
from calculators.machine.training import RATES
from calculators.machine.training_state import TrainingState, training_state
from calculators.page import machine as page
from tests.machine.small_jobs import every_layout
from tests.soak.states import drawn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calculators.machine.state import State

SMALL = {
    "model": "none",
    "accelerator": "h100-sxm",
    "layers": "4",
    "hidden": "2048",
    "heads": "8",
    "kv_heads": "8",
    "tokens": "20B",
    "gpus": "8",
    "batch_tokens": "131072",
    "gpu_memory": "5320 MiB",
    "gpus_per_domain": "4",
    "nic_bandwidth": "2 GB/s",
    "sequence_length": "4096",
    "failure_rate": "50/day",
    "write_bandwidth": "300 MB/s",
}


@pytest.fixture(scope="module")
def small() -> TrainingState:
    return training_state(SMALL)


@pytest.fixture(scope="module")
def known(small: TrainingState) -> dict[str, Resource]:
    return {one.key: one for one in bottlenecks.resources(small)}


def solved_anew(found: TrainingState, changed: dict[str, Any]) -> float:
    """The run's time with these inputs, at its best interval, in the fastest of all layouts that fit."""
    base = {name: value for name, value in found.resolved.explicit.items() if name != "checkpoint_interval"}
    values = found.calculator.evaluate({**base, **changed})
    after = [found.calculator.after(values, layout) for layout in every_layout(values)]
    return min(float(one["training_duration"]) for one in after if one["training_memory"] <= one["gpu_memory"])


@pytest.fixture(scope="module")
def now(small: TrainingState) -> float:
    return solved_anew(small, scaled(small, RATES[0], 1.0))


def scaled(found: TrainingState, rate: Rate, factor: float) -> dict[str, Any]:
    held = {"read_bandwidth": found.values["read_bandwidth"]}
    return held | {
        name: found.values[name] / factor if rate.falls else found.values[name] * factor for name in rate.inputs
    }


@pytest.mark.daily(4)
@pytest.mark.parametrize("rate", RATES, ids=lambda rate: rate.key)
def test_a_marginal_gain_is_that_of_solving_everything_again(
    rate: Rate, small: TrainingState, known: dict[str, Resource], now: float
) -> None:
    better = solved_anew(small, scaled(small, rate, 1.1))
    assert known[rate.key].gain == pytest.approx(now / better - 1, rel=1e-9, abs=1e-12)


@pytest.mark.daily(4)
@pytest.mark.parametrize("key", ["compute", "network", "failures", "storage_write"])
def test_with_as_little_as_the_slack_leaves_the_run_takes_a_hundredth_longer(
    key: str, small: TrainingState, known: dict[str, Resource], now: float
) -> None:
    rate = next(one for one in RATES if one.key == key)
    slack = known[key].slack or 0.0
    assert 0 < slack < 1
    assert solved_anew(small, scaled(small, rate, 1 - slack)) == pytest.approx(1.01 * now, rel=2e-4)


def test_a_bad_interval_does_not_look_like_slow_storage(known: dict[str, Resource]) -> None:
    pinned = {one.key: one for one in bottlenecks.resources(training_state({**SMALL, "checkpoint_interval": "10 d"}))}
    for key in ("storage_write", "compute"):
        assert pinned[key].gain == pytest.approx(known[key].gain or 0.0, rel=1e-9)


def test_the_rate_that_gains_most_limits_and_those_close_to_it_are_balanced(known: dict[str, Resource]) -> None:
    found = bottlenecks.limit(tuple(known.values()))
    most = max(one.gain for one in known.values() if one.gain is not None)
    assert found.resource.gain == most
    close = {one.key for one in known.values() if one.gain is not None and 0.9 * most <= one.gain < most}
    assert {one.key for one in found.balanced} == close


def test_two_rates_within_ten_percent_of_each_other_are_balanced(known: dict[str, Resource]) -> None:
    twins = [dataclasses.replace(known["compute"], gain=0.05), dataclasses.replace(known["network"], gain=0.0451)]
    assert [one.key for one in bottlenecks.limit(twins).balanced] == ["network"]
    apart = [twins[0], dataclasses.replace(twins[1], gain=0.0449)]
    assert bottlenecks.limit(apart).balanced == ()


def test_a_capacity_that_is_exceeded_limits_before_any_rate_and_the_worst_of_two() -> None:
    """A server of 10.2 kW with what supports it: far more than a hall of 5 kW, a little more than racks of 10 kW."""
    found = bottlenecks.limit(
        bottlenecks.resources(training_state({**SMALL, "hall_power": "5 kW", "rack_limit": "10 kW"}))
    )
    assert (found.resource.key, found.resource.kind) == ("power", "capacity")
    only_the_rack = bottlenecks.limit(bottlenecks.resources(training_state({**SMALL, "rack_limit": "10 kW"})))
    assert only_the_rack.resource.key == "rack"
    assert only_the_rack.resource.margin == pytest.approx((10 - 10.2) / 10)


@pytest.mark.parametrize(
    ("gain", "slack", "word", "limits"),
    [
        (1.0, 0.9, "bottleneck", True),
        (1.0, 0.9, "largest gain", False),  # a capacity that is exceeded is the bottleneck
        (0.9, 0.9, "balanced", True),
        (0.89, 0.5, "more than needed", True),
        (0.89, 0.49, "in use", True),
    ],
)
def test_a_rate_is_judged_by_the_one_that_gains_most(
    small: TrainingState, gain: float, slack: float, word: str, *, limits: bool
) -> None:
    """Within a tenth of the largest gain it is balanced with it; half of it to spare is more than is needed."""
    for most in (1.0, 0.02):
        one = MarginalGain(rate=RATES[0], gain=gain * most, slack=slack, saved=0.0)
        judged = bottlenecks._rate(small, one, most, limits=limits)
        assert judged.verdict.word == word
        assert judged.verdict.level == ("tight" if gain >= 0.9 else "good")
        assert judged.verdict.level == "tight" or judged.verdict.reason == f"{slack:.0%} of it is headroom."


@pytest.mark.parametrize(
    ("key", "slack", "message"),
    [
        ("network", 0.25, "may fall to 1.5 GB/s before"),  # of 2 GB/s
        ("storage_write", 0.5, "may fall to 150 MB/s before"),  # of 300 MB/s
        ("failures", 0.5, "may fall to 240 h before"),  # 50 in a thousand GPUs a day are one each 480 h of a GPU
        ("recovery", 0.75, "may take 4 times as long before"),
        ("network", 1.0, "has no effect on this job"),
    ],
)
def test_how_far_a_rate_may_fall_is_reported_as_it_is_given(
    small: TrainingState, key: str, slack: float, message: str
) -> None:
    rate = next(one for one in RATES if one.key == key)
    assert bottlenecks._slack(small, MarginalGain(rate=rate, gain=0.1, slack=slack, saved=0.0)).startswith(message)


def test_of_what_is_exceeded_the_worst_limits_wherever_it_is(known: dict[str, Resource]) -> None:
    margins = [("memory", -0.1), ("power", -0.5), ("space", -0.2)]
    exceeded = [dataclasses.replace(known[key], margin=margin) for key, margin in margins]
    for order in (exceeded, exceeded[::-1]):
        assert bottlenecks.limit([*known.values(), *order]).resource.key == "power"


def test_after_eight_trials_there_is_a_pause() -> None:
    found = training_state({**SMALL, "gpu_memory": "8 GiB"})
    assert len(found.layout.best) == 32
    assert len(list(found.timed(RATES[0])(1.0, 0.0))) == 32 / 8
    assert not list(found.timed(RATES[0])(1.0, math.inf)), "the first is little enough"
    seven = dataclasses.replace(found, layout=dataclasses.replace(found.layout, best=found.layout.best[:7]))
    assert not list(seven.timed(RATES[0])(1.0, 0.0))


def test_a_layout_is_best_by_the_time_of_a_token_where_batches_differ() -> None:
    """Of 21 sequences some layouts deal out 20 in less time, and yet take longer for each."""
    found = training_state({**SMALL, "gpu_memory": "8 GiB", "batch_tokens": str(21 * 4096)})
    given = {"nic_bandwidth": found.values["nic_bandwidth"] * 0.3}
    after = [(found.calculator.after(found.values, {**one.inputs, **given}), one.inputs) for one in found.layout.best]
    assert len({values["tokens_per_step"] for values, _ in after}) > 1
    fastest = min(after, key=lambda one: one[0]["step_time"] / one[0]["tokens_per_step"])
    assert Search(found._best(given)).run() == fastest[1]


def test_a_limit_that_is_not_given_is_none(known: dict[str, Resource]) -> None:
    assert {key for key, one in known.items() if one.kind == "capacity" and one.margin is None} == {
        *("power", "space", "money", "deadline")
    }
    limited = {one.key: one for one in bottlenecks.resources(training_state({**SMALL, "budget": "1 USD"}))}
    assert limited["money"].verdict.word == "exceeded"


def test_a_gain_has_its_dollars_only_where_a_price_is_sourced(known: dict[str, Resource]) -> None:
    """A tenth of compute costs a tenth of the run, so a gain g saves g / (1 + g) of it for 0.1."""
    gain = known["compute"].gain or 0.0
    assert known["compute"].gain_per_dollar == pytest.approx(gain / (1 + gain) / 0.1, rel=1e-6)
    assert known["storage_write"].gain_per_dollar is None
    assert known["storage_write"].gain_per_dollar_text.startswith("no dated price")
    unpriced = {"accelerator": "mi250x"}
    other = {one.key: one for one in bottlenecks.resources(training_state({**SMALL, **unpriced}))}
    assert other["compute"].gain_per_dollar is None


def test_the_layouts_kept_are_enough_for_every_gain(small: TrainingState) -> None:
    """The best layout with a tenth more of each rate is among those kept of the present machine."""
    kept = {tuple(one.inputs.values()) for one in small.layout.best}
    for rate in RATES:
        values = small.calculator.evaluate({**small.resolved.explicit, **scaled(small, rate, 1.1)})
        again = search(small.calculator, values, small.pinned, most=1)
        assert tuple(again.best[0].inputs.values()) in kept, rate.key


def test_programs_find_the_limiting_pillar_and_all_pillars_next_to_the_results(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = [word for name, text in SMALL.items() for word in (f"--{name.replace('_', '-')}", text)]
    assert main(["machine", *arguments, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert {"results", "limiting_pillar", "pillars"} <= printed.keys()
    assert printed["limiting_pillar"]["name"] in {one["name"] for one in printed["pillars"]}
    assert {one["kind"] for one in printed["pillars"]} == {"rate", "capacity"}


QUANTITY = re.compile(r"(\d[\d,.]*) ([A-Za-z]+(?:/[a-z]+)?)")
LEVEL = ("good", "tight", "bad")
CALM = {"more than needed", "in use", "fits", "tight", "balanced", "bottleneck", "largest gain", "no limit given"}


def in_base_units(text: str) -> tuple[float, str] | None:
    """Number that a text starts with, and the unit that it is one of; None where it starts otherwise."""
    found = QUANTITY.match(text)
    for unit in ("B/s", "IOPS", "W", "B", "s", "USD"):
        try:
            return units.parse(found.group() if found else "", unit), unit
        except units.UnitError:
            continue
    return None


def short(one: Resource) -> bool:
    """Whether a reader finds more required than available in a row."""
    required, available = in_base_units(one.asked), in_base_units(one.there)
    return bool(required and available and required[1] == available[1] and required[0] > available[0])


def every_state(chance: random.Random) -> Iterator[State]:
    """A small run with any storage, and systems of every other workload."""
    bandwidths, times = ("30 MB/s", "100 MB/s", "1 GB/s"), ("1 s", "10 s", "5 min")
    storage = {"write_bandwidth": bandwidths, "read_bandwidth": bandwidths} | dict.fromkeys(
        ("write_window", "restore_window"), times
    )
    for _ in range(10):
        yield training_state({**SMALL, **{name: chance.choice(texts) for name, texts in storage.items()}})
        for workload in WORKLOADS.values():
            try:
                yield workload.state(drawn(workload.calculator(), chance))
            except InputError:
                continue


def test_no_row_that_requires_more_than_is_there_is_calm_about_it() -> None:
    """A row said “in use” at 157 of 40 GB/s next to the verdict “Checkpoint write too slow”; in every form alike."""
    found = 0
    for state in every_state(random.Random(37)):  # noqa: S311  states, not secrets
        known = bottlenecks.resources(state)
        cells, told = page.of_resources(known), list(bottlenecks.described(known))
        for one, plain in zip(known, told, strict=True):
            if not short(one):
                continue
            found += 1
            assert one.verdict.word not in CALM, one
            assert one.verdict.level == plain["level"] == cells["levels"][f"pillar.{one.key}"] != "good"
            assert cells["cells"][f"pillar.{one.key}.verdict"] == one.verdict.word
            assert str(plain["verdict"]).startswith(one.verdict.word)
            assert record_sections._pillar(one)[-1] == one.verdict.word
            assert LEVEL.index(formats.state_line(state)[0]) >= LEVEL.index(one.verdict.level), one
    assert found >= 15


@pytest.mark.parametrize(
    ("given", "state", "fixed_by"),
    [
        ({"write_bandwidth": "40 MB/s"}, "Checkpoint write too slow", "Checkpoint write"),
        ({"read_bandwidth": "30 MB/s"}, "Storage reads too slow", "Storage read bandwidth"),
    ],
)
def test_storage_that_is_short_is_in_the_line_of_the_state_and_a_change_that_ends_it_says_so(
    given: dict[str, str], state: str, fixed_by: str
) -> None:
    found = machine_state({**SMALL, **given})
    assert state in formats.state_line(found)[1].split(" · ")
    assert any(fixed_by in one.fixes for one in changes.changes(found))


@pytest.mark.parametrize(
    ("target", "word", "level"), [("6 ms", "slightly exceeded", "tight"), ("1 ms", "exceeded", "bad")]
)
def test_a_search_that_is_slightly_late_is_not_red_in_one_place_and_amber_in_another(
    target: str, word: str, level: str
) -> None:
    state = WORKLOADS["machine_rag"].state({"search_latency_target": target})
    (row,) = (one for one in bottlenecks.resources(state) if one.key == "search_latency")
    assert (row.verdict.word, row.verdict.level) == (word, level)
    assert level == state.values["search_in_time"].level


@pytest.mark.parametrize(
    "given",
    [
        {"job": "serve", "accelerator": "h200-sxm", "cache_precision": "cache-nvfp4"},
        {"model": "gpt-3-175b", "sequence_length": "4096", "gpus": "1024"},
    ],
)
def test_what_does_not_run_has_a_bottleneck_only_if_it_ran(given: dict[str, str]) -> None:
    """Next to “KV cache refused” and “Layout refused” it had one as any other."""
    known = bottlenecks.resources(machine_state(given))
    assert bottlenecks.limit(known).message.startswith("Bottleneck if it ran: Compute, 10% better ")
    assert "bottleneck" not in {one.verdict.word for one in known}


def test_what_runs_has_a_bottleneck_with_no_if() -> None:
    known = bottlenecks.resources(machine_state({"job": "serve"}))
    assert bottlenecks.limit(known).message.startswith("Bottleneck: ")
    assert [one.verdict.word for one in known].count("bottleneck") == 1


def test_rates_that_gain_nothing_are_not_balanced_with_one_another(small: TrainingState) -> None:
    known = [dataclasses.replace(one, gain=0.0) for one in bottlenecks.resources(small) if one.gain is not None]
    assert len(known) > 1
    assert bottlenecks.limit(known).balanced == ()

"""What to change next: each change, made, gives what was promised; the most valuable first, what breaks behind."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

import pytest

from calculators.__main__ import main
from calculators.declare import InputError, Quantity, Values
from calculators.facts import ages
from calculators.machine.changes import (
    Change,
    _of_menu,
    _options,
    _shown,
    _worth,
    changes,
    ranked,
    worthwhile,
)
from calculators.machine.report.change_texts import described, saved
from calculators.machine.resources import prices
from calculators.machine.serving import SERVICE
from calculators.machine.training_state import TrainingState, training_state
from calculators.units import DAY, YEAR
from tests.machine.test_asynchronous import LITTLE_DATA
from tests.machine.test_bottlenecks import SMALL

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

FINE_TUNE = {"job": "lora", "model": "llama-3-70b", "gpus": "64", "tokens": "100M"}


def test_each_change_made_by_itself_saves_what_is_reported_of_it() -> None:
    """The change's own texts, given next to all others: everything is resolved and searched for again."""
    found = training_state(SMALL)
    known = changes(found)
    assert len(known) == 8
    for change in known:
        after = training_state({**SMALL, **change.given})
        saved = found.values["training_duration"] - after.values["training_duration"]
        assert saved == pytest.approx(change.first, rel=1e-6, abs=1e-6 * found.values["training_duration"]), (
            change.title
        )
        dollars = found.values["run_price"] - after.values["run_price"]
        assert dollars == pytest.approx(change.price, rel=1e-6, abs=1e-6 * found.values["run_price"]), change.title


def test_a_gpu_with_more_memory_is_worth_what_another_layout_makes_of_it() -> None:
    found = training_state({})
    change = next(one for one in worthwhile(found) if "accelerator" in one.given)
    after = training_state(change.given)
    assert after.layout.best[0].inputs != found.layout.best[0].inputs
    assert change.first == pytest.approx(
        found.values["training_duration"] - after.values["training_duration"], rel=1e-6
    )


def test_nothing_is_recommended_that_is_not_sold_or_that_is_an_assumption() -> None:
    """Peak FLOP/s, GPU memory and ports of a switch come with a device; overlaps and failure rates are measured."""
    found = training_state({"gpus": "4096"})
    sold = {name for one in worthwhile(found) for name in one.given}
    assert sold >= {"accelerator", "switch_model", "write_bandwidth", "gpus", "checkpoint_interval"}
    quantities = {name for name in sold if isinstance(found.calculator.inputs.get(name), Quantity)}
    assert not quantities & {name for menu in found.calculator.presets for name in menu.fills}
    assert not [name for name in quantities if name.endswith(("_overlap", "_efficiency", "_share", "_rate", "_trend"))]


def test_a_change_counts_in_the_layout_that_is_then_the_fastest_of_those_that_were_best() -> None:
    """Half the network: of the layouts that were best with all of it another is the quickest by a third."""
    found = training_state(
        {**SMALL, "layers": "16", "gpu_memory": "80 GiB", "nic_bandwidth": "10 GB/s", "matmul_utilization": "55%"}
    )
    change = {"nic_bandwidth": 5e9}

    def each_token(layout: Mapping[str, Any]) -> float:
        after = found.calculator.after(found.values, {**layout, **change})
        assert after["training_memory"] <= found.values["gpu_memory"]
        return float(after["step_time"] / after["tokens_per_step"])

    def taken() -> Generator[None, None, None]:
        layouts.append((yield from found._best(change)))

    layouts: list[dict[str, Any]] = []
    assert not any(taken())
    assert each_token(layouts[0]) == min(each_token(one.inputs) for one in found.layout.best)
    assert each_token(layouts[0]) < 0.7 * each_token(found.layout.best[0].inputs)


def test_the_best_come_first_and_none_that_is_worth_more_is_left_out() -> None:
    found = training_state(SMALL)
    everything = list(worthwhile(found))
    listed = changes(found, most=4)
    unbroken = [one.first for one in listed if not one.breaks and not one.fixes]
    assert unbroken == sorted(unbroken, reverse=True)
    left_out = [one for one in everything if one not in listed and not one.breaks and not one.fixes]
    assert max(one.first for one in left_out) <= min(unbroken)


def test_every_option_of_a_choice_is_tried() -> None:
    titles = {one.title for one in worthwhile(training_state({}))}
    assert any(title.startswith("Checkpoint mode: asynchronous") for title in titles)
    assert sum(title.startswith("Cooling: ") for title in titles) >= 3


def test_what_turns_something_red_comes_after_and_what_fixes_it_before() -> None:
    given = {**SMALL, "hall_power": "25 kW"}
    found = training_state(given)
    more = next(one for one in worthwhile(found) if one.title.startswith("GPUs in the job: 16"))
    assert "Data hall power" in more.breaks
    short = training_state({**SMALL, "rack_limit": "10 kW"})
    first = changes(short)[0]
    assert "Rack power" in first.fixes
    assert not training_state({**SMALL, "rack_limit": "10 kW", **first.given}).values["rack_power"] > 11e3
    assert ranked([more, first]) == [first, more]


@pytest.mark.daily(3)
@pytest.mark.parametrize("given", [FINE_TUNE, LITTLE_DATA], ids=str)
def test_less_power_alone_is_worth_no_bad_verdict_and_a_ten_thousandth_of_the_run_nothing(
    given: dict[str, str],
) -> None:
    """Jobs that 56 GPUs would end later, at a higher price, with eight of them idle or none; saves of milliseconds."""
    found = training_state(given)
    for one in worthwhile(found):
        gains = (one.first / found.values["training_duration"], one.price / found.values["run_price"])
        assert not one.breaks or one.fixes or max(gains) > 1e-3, one.title
        assert min(gains) > -1e-3 or max(gains) > 1e-3 or one.fixes, f"{one.title}: later or dearer for less power"
        assert max(*gains, one.power / found.values["facility_power"]) > 1e-3 or one.fixes, one.title


def test_what_is_exceeded_and_grows_is_reported_to_break_further() -> None:
    found = training_state({**SMALL, "hall_power": "5 kW"})
    more = next(one for one in worthwhile(found) if one.title.startswith("GPUs in the job: 16"))
    assert "Data hall power (exceeded by more)" in more.breaks


def test_a_pinned_interval_is_offered_at_its_best_and_a_pinned_degree_as_the_search_finds_it() -> None:
    known = {
        tuple(one.given): one
        for one in worthwhile(training_state({"checkpoint_interval": "2 h", "tensor_parallel": "4"}))
    }
    assert known["checkpoint_interval",].first > 0
    assert known["tensor_parallel",].given == {"tensor_parallel": "8"}


def test_a_pinned_degree_is_offered_again_where_more_or_fewer_ranks_are_quicker() -> None:
    quick = {**SMALL, "nic_bandwidth": "50 GB/s", "gpu_memory": "8 GiB"}
    assert training_state(quick).values["tensor_parallel"] == 2
    for pinned, offered in (("1", [2]), ("2", []), ("4", [2])):
        proposed = (one for one in training_state({**quick, "tensor_parallel": pinned}).proposals() if one is not None)
        degrees = itertools.takewhile(lambda one: "gpus" not in one[0], proposed)
        assert [changed for changed, _ in degrees] == [{"tensor_parallel": option} for option in offered]


def test_a_rung_of_gpus_more_and_one_less_are_offered() -> None:
    """Of 48 GPUs, six nodes: seven nodes and five, where whole nodes of eight take all sequences of the batch."""
    given = {**SMALL, "gpus": "48", "batch_tokens": str(4096 * 6 * 7 * 5 * 8)}
    proposed = [one for one in training_state(given).proposals() if one]
    assert [changed for changed, _ in proposed] == [{"gpus": 56}, {"gpus": 40}]
    assert [after["gpus"] for _, after in proposed if after] == [56, 40]


@pytest.mark.parametrize(
    ("whole", "doubling", "value", "options"),
    [
        (False, False, 100.0, [100 * 1.1, 100 / 1.1]),
        (True, False, 100.0, [110.0, 91.0]),
        (True, False, 3.0, [4.0, 2.0]),  # a tenth is no step
        (True, True, 8.0, [16.0, 4.0]),
        (True, True, 5.0, [10.0, 2.0]),
        (True, False, 200.0, [182.0]),  # 220 is out of range
        (True, False, 182.0, [200.0, 165.0]),
        (True, False, 2.0, [3.0]),  # so is 1
        (False, False, 0.0, []),
        (False, False, None, []),
    ],
)
def test_a_quantity_moves_by_ten_percent_or_a_step(
    *, whole: bool, doubling: bool, value: float | None, options: list[float]
) -> None:
    lowest = 2.0 if value else 0.0
    hard = slider = (lowest, 200.0)
    declared = Quantity(default=2.0, unit="1", label="", hard=hard, slider=slider, whole=whole, doubling=doubling)
    assert list(_options(declared, value)) == pytest.approx(options)


def test_a_change_that_breaks_something_is_shown_last_where_it_saves_a_tenth_and_more_than_others() -> None:
    """A compressed index needs far fewer search nodes, and is built longer than a night: a trade to decide on."""
    found = training_state(SMALL)
    price = found.values["run_price"]

    def change(saved: float, *breaks: str) -> Change:
        return Change(title=f"{saved}", given={}, first=0, price=saved, power=0, gpus=0, breaks=breaks, fixes=())

    fine, much, little = change(1), change(price / 5, "Build time"), change(price / 50, "Build time")
    assert _shown(found, [fine, fine, little, much], 2) == [fine, much]
    assert _shown(found, [fine, fine, little], 2) == [fine, fine]
    assert _shown(found, [], 2) == []


def test_a_saving_has_a_word_for_more_and_for_less_and_none_for_nothing() -> None:
    found = training_state(SMALL)
    first, price, _ = found.kind.measures
    assert [saved(found, first, amount) for amount in (DAY, -DAY, 0.0)] == ["24 h earlier", "24 h later", "the same"]
    assert [saved(found, price, amount) for amount in (5.0, -5.0)] == ["$5 less", "$5 more"]
    rounded = -3e-11 * found.values[first.result]  # of six of seven GPUs, of which one was idle, 0.0291 ns
    assert saved(found, first, rounded) == "the same"


def test_of_a_menu_neither_the_present_record_is_tried_nor_another_accelerator_s_rent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried_on: list[tuple[str, str]] = []

    def chosen(_: TrainingState, menu: str, key: str) -> Generator[None, None, None]:
        tried_on.append((menu, key))
        yield

    monkeypatch.setattr(TrainingState, "chosen", chosen)
    found = training_state({"accelerator": "h100-sxm"})
    present = found.resolved.presets
    for menu in found.calculator.presets:
        assert not [one for one in _of_menu(found, menu, frozenset()) if one is not None]
    menus = {menu for menu, _ in tried_on}
    assert {"accelerator", "rent_as"} <= menus
    assert ("accelerator", "h100-sxm") not in tried_on
    assert not [(menu, key) for menu, key in tried_on if present[menu] == key]
    rents = {key for menu, key in tried_on if menu == "rent_as"}
    assert all(key.startswith("rent-h100-") for key in rents if key.startswith("rent-"))


def test_a_trial_without_an_answer_does_not_end_those_behind_it() -> None:
    found = training_state(SMALL)
    half = {**found.values, "training_duration": found.values["training_duration"] / 2}
    quick = Values(half, found.values.given)
    worth = _worth([({"nic_bandwidth": 1e9}, None), ({"nic_bandwidth": 4e9}, quick)], found, frozenset())
    assert [one.title for one in worth if one] == ["Network bandwidth per GPU: 4 GB/s instead of 2 GB/s"]


def test_the_job_itself_is_not_for_change() -> None:
    inputs = {name for one in worthwhile(training_state({})) for name in one.given}
    assert inputs.isdisjoint({"tokens", "parameters", "layers", "batch_tokens", "job", "attention_flops"})


def test_programs_find_the_changes_next_to_the_results(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["machine", "--model", "llama-2-7b", "--gpus", "16", "--tokens", "10B", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)["changes"]
    assert len(printed) == 6
    assert {"title", "given", "first_text", "price_text", "power_text", "breaks"} <= printed[0].keys()
    assert described(training_state({"model": "llama-2-7b", "gpus": "16", "tokens": "10B"})) == printed


def test_the_best_of_each_menu_is_what_trying_all_its_records_finds() -> None:
    """Each accelerator given by its name, its server with it, and the machine searched for from nothing.

    Those of which a rack is sold whole are none of them: 64 GPUs are fewer than its 72.
    """
    given = {"model": "llama-2-7b", "gpus": "64", "tokens": "100B", "write_bandwidth": "1 TB/s"}
    found = training_state(given)
    (menu,) = (one for one in found.calculator.presets if one.name == "accelerator")
    saved = {}
    for record in menu.records:
        try:
            after = training_state({**given, "accelerator": record.key})
        except InputError:
            continue
        if after.values["rack_nodes"] is None:
            saved[record.key] = found.values["training_duration"] - after.values["training_duration"]
    offered = [one for one in worthwhile(found) if "accelerator" in one.given]
    assert not any(one.fixes for one in offered)
    assert offered[0].first == pytest.approx(max(saved.values()), rel=1e-9)
    for one in offered:
        assert one.first == pytest.approx(saved[one.given["accelerator"]], rel=1e-9)


@pytest.mark.daily(3)
def test_what_is_unknown_of_the_price_of_another_accelerator_is_reported() -> None:
    """Rents of every recent device are known, and prices of servers of few."""
    owned = training_state({"paid": "own"})
    best, priced = (one for one in worthwhile(owned) if "accelerator" in one.given)
    shown = described(owned, [best, priced])
    assert shown[0]["price_text"] == "no dated price of it is known: set one"
    assert shown[0]["saves"]["run_price"] is None
    assert " less; server price of 17 December 2024, " in shown[1]["price_text"]
    assert best.first > priced.first
    own = training_state({"price_per_gpu_hour": "$4"})
    assert all(one.unpriced is None for one in worthwhile(own) if "accelerator" in one.given)


def test_a_change_at_an_old_price_says_its_day() -> None:
    """On 20 November 2026 the survey of 31 July is 112 days old."""
    with ages.CLOCK.on("2026-11-20"):
        found = training_state({"model": "llama-3-8b", "job": "lora", "gpus": "8"})
        known = [one for one in worthwhile(found) if "accelerator" in one.given]
        shown = described(found, known)
    surveyed = "GPU rent by a market survey of 31 July 2026, 112 days old: $2.90/GPU-hour, $2/GPU-hour for an H100"
    assert shown[0]["price_text"].startswith(surveyed)


def test_a_rent_is_offered_for_its_own_accelerator_alone() -> None:
    one_server = {"model": "llama-3-8b", "job": "lora", "gpus": "8"}
    with ages.CLOCK.on("2026-11-20"):
        assert any("rent_as" in one.given for one in worthwhile(training_state(one_server)))
        other = training_state({**one_server, "accelerator": "a100-sxm-80gb"})
        assert not any("rent_as" in one.given for one in worthwhile(other))


@pytest.mark.parametrize(
    ("key", "gpus", "job", "day", "is_none"),
    [
        ("rent-h100-one-year-index", "8", "lora", "2026-04-01", True),  # hours, of a contract paid for a year
        ("rent-h100-one-year-index", "8", "pretraining", "2026-04-01", False),  # five years
        ("rent-h100-one-year-index", "8", "pretraining", "2026-11-01", True),  # seven months old
        ("rent-h100-marketplace-cheap", "8", "lora", "2026-11-01", False),
        ("rent-h100-marketplace-cheap", "64", "lora", "2026-11-01", True),  # no network between two offers
        ("rent-h100-runpod-community", "64", "lora", "2026-11-10", True),
        ("rent-h100-lambda-eight", "64", "lora", "2026-10-01", False),
    ],
)
def test_a_rent_is_no_offer_where_the_job_could_not_be_rented_at_it(
    key: str, gpus: str, job: str, day: str, *, is_none: bool
) -> None:
    found = training_state({"model": "llama-3-8b", "job": job, "gpus": gpus})
    assert (found.values["training_duration"] < YEAR) == (job == "lora")
    (menu,) = (one for one in found.calculator.presets if one.name == "rent_as")
    with ages.CLOCK.on(day):
        assert prices.is_no_offer(found, menu.by_key[key]) == is_none


def test_a_rent_of_modules_is_none_of_cards() -> None:
    for accelerator, is_another in (("h100-sxm", False), ("h100-pcie", True), ("h100-nvl", True)):
        found = training_state({"model": "llama-3-8b", "job": "lora", "gpus": "8", "accelerator": accelerator})
        (menu,) = (one for one in found.calculator.presets if one.name == "rent_as")
        assert prices.is_of_another(found, menu.by_key["rent-h100-lambda-eight"]) == is_another


def test_the_reader_s_own_targets_are_not_for_change() -> None:
    """More of a replica's capacity, or a longer window, is no advice to who has asked for less."""
    stated = {"target_utilization", "spare_replicas", "write_window", "growth_years", "log_retention"}
    given = {"spare_replicas": "1", "request_rate": "20", "growth_years": "3"}
    found = SERVICE.state(given)
    slow = training_state({"model": "llama-3-8b", "gpus": "64", "write_bandwidth": "1.8 GB/s"})
    assert slow.values["write_in_time"].level == "bad"
    for state in (found, slow):
        assert not stated & {name for one in worthwhile(state) for name in one.given}


def test_a_service_is_offered_the_ranks_and_the_gpus_that_its_traffic_needs() -> None:
    few = SERVICE.state({"model": "llama-3-8b", "gpus": "8", "request_rate": "100"})
    by_name = {next(iter(one.given)): one for one in worthwhile(few)}
    assert by_name["gpus"].given == {"gpus": f"{few.values['gpus_needed']:.0f}"}
    assert "Replica capacity" in by_name["gpus"].fixes
    ranks = int(by_name["serving_tensor_parallel"].given["serving_tensor_parallel"])
    tried_ones = {n: SERVICE.state({**few.resolved.given, "serving_tensor_parallel": str(n)}) for n in (1, 2, 4, 8)}
    met = {n: one.values["gpus_by_load"] for n, one in tried_ones.items()}
    assert ranks == min(met, key=lambda n: met[n])
    enough = SERVICE.state({"model": "llama-3-8b", "request_rate": "100"})
    assert "gpus" not in {name for one in worthwhile(enough) for name in one.given}


def test_slower_kernels_hide_no_communication() -> None:
    """Without CUDA graphs a step takes longer, and what is exposed is a smaller share of it."""
    found = training_state(SMALL)
    assert found.values["communication_overlapped"].level == "bad"
    assert not any("cuda_graphs" in one.given for one in worthwhile(found))


@pytest.mark.parametrize(
    "given",
    [
        {"accelerator": "h200-sxm", "cache_precision": "cache-nvfp4"},  # which Hopper GPUs do not multiply
        {"concurrent_sequences": "1,163", "input_tokens": "110,061"},  # of which memory holds 12
    ],
)
def test_engines_that_do_not_start_are_offered_only_what_starts_them(given: dict[str, str]) -> None:
    """Next to “engines refuse the KV cache” fewer ranks saved $140,000 a year, and engines refused it as before."""
    found = SERVICE.state(given)
    assert found.calculator.unanswered is not None
    assert found.calculator.unanswered(found.values)
    for one in changes(found):
        after = SERVICE.state({**given, **one.given})
        assert not found.calculator.unanswered(after.values), one.title
        assert {"Latency targets", "Concurrent sequences"} & {*one.fixes}
    assert all("fewer" not in one["first_text"] for one in described(found))

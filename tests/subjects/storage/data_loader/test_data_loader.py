"""Data loading: the default scenario, every verdict at its boundary, recommendations and the picture."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers import answer
from calculators.answers.input_state import parse_inputs, valid_inputs
from calculators.catalog import joined
from calculators.declare import Values, Verdict, pictures
from calculators.page import exploration
from calculators.subjects.storage.data_loader.calculator import CALCULATOR

# Round numbers: a GPU consumes 100 samples/s of 1 MB; workers, reads and port deliver 1,000 each.
ROUND: dict[str, Any] = {
    "sample_bytes": "1 MB",
    "dataset_samples": 100_000,
    "batch_size": 100,
    "step_compute_time": "1 s",
    "gpus": 8,
    "gpus_per_node": 8,
    "decode_time": "10 ms",
    "loader_workers": 10,
    "read_latency": "9 ms",
    "stream_bandwidth": "1 GB/s",
    "reads_in_flight": 10,
    "node_read_bandwidth": "8 GB/s",
    "cache_bandwidth": "800 GB/s",
}
HALF = {"cache_per_node": "50 GB"}


def values(**given: Any) -> Values:
    return answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, given))


def of_round(**given: Any) -> Values:
    return values(**{**ROUND, **given})


def text(verdict: str, **given: Any) -> tuple[str, str, str]:
    found = of_round(**given)
    judged: Verdict = found[verdict]
    return judged.level, judged.word, answer.filled(CALCULATOR, judged.reason, found)


def cautions(**given: Any) -> list[str]:
    return answer.warnings(CALCULATOR, of_round(**given))


def test_a_node_of_b200_on_retinanet_is_fed_three_times_over() -> None:
    found = values()
    assert round(found["gpu_rate"]) == 505
    assert (found["workers_needed"], found["accelerator_utilization"]) == (5, 1)
    assert found["loader_headroom"] == pytest.approx(2.97, abs=0.005)
    assert found["loader_node_read"] / 1e9 == pytest.approx(1.304, abs=0.0005)
    assert found["buffer_per_node"] / 1e9 == pytest.approx(34.7, abs=0.05)
    assert found["fed"].level == "good"


def test_the_same_from_an_object_store_starves_and_a_cache_that_keeps_helps_more_than_one_that_evicts() -> None:
    half = {"store": "store-object", "cache_per_node": f"{322957 * 1170301 / 2} B"}
    starved = values(store="store-object")
    assert starved["accelerator_utilization"] == pytest.approx(0.155, abs=0.0005)
    assert starved["loader_node_read"] / 1e9 == pytest.approx(0.2, abs=0.005)
    assert starved["reads_needed"] == 78
    assert values(**half)["accelerator_utilization"] == pytest.approx(0.308, abs=0.0005)
    assert values(**half, cache_policy="lru")["accelerator_utilization"] == pytest.approx(0.183, abs=0.0005)


@pytest.mark.parametrize(
    ("given", "level", "word"),
    [
        ({"loader_workers": 5, "decode_time": "40 ms"}, "good", "OK"),  # 125 of 100
        ({"loader_workers": 5, "decode_time": "40.01 ms"}, "tight", "little headroom"),
        ({"loader_workers": 5, "decode_time": "50 ms"}, "tight", "little headroom"),  # 100
        ({"loader_workers": 5, "decode_time": "50.01 ms"}, "tight", "tight"),
        ({"loader_workers": 9, "decode_time": "100 ms"}, "tight", "tight"),  # 90
        ({"loader_workers": 9, "decode_time": "100.01 ms"}, "bad", "too slow"),
        # 80 from storage, twice that with half of the data cached.
        ({"reads_in_flight": 4, "read_latency": "49 ms", **HALF}, "tight", "too slow in the first epoch"),
        ({"reads_in_flight": 4, "read_latency": "49 ms", **HALF, "epochs": 1}, "bad", "too slow"),
        # 90 from storage
        ({"reads_in_flight": 9, "read_latency": "99 ms", **HALF, "epochs": 1}, "tight", "tight"),
        ({"reads_in_flight": 9, "read_latency": "99 ms", **HALF, "epochs": 2}, "good", "OK"),
    ],
)
def test_gpus_are_fed_from_90_percent_and_safely_with_a_quarter_to_spare(
    given: dict[str, Any], level: str, word: str
) -> None:
    assert text("fed", **given)[:2] == (level, word)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({}, ("good", "GPU", "The loader delivers 1,000 samples/s, a GPU consumes 100 samples/s.")),
        (
            {"loader_workers": 1, "decode_time": "20 ms"},
            (
                "bad",
                "CPU workers",
                "They prepare 50 samples/s, a GPU consumes 100 samples/s: it needs 2 workers.",
            ),
        ),
        (
            {"reads_in_flight": 5, "read_latency": "99 ms"},
            ("bad", "outstanding reads", "5 outstanding reads of 100 ms deliver 50 samples/s: 10 are needed."),
        ),
        (
            {"node_read_bandwidth": "760 MB/s"},
            ("tight", "network port", "760 MB/s per node is 95 samples/s per GPU, which consumes 100 samples/s."),
        ),
        (
            {"cache_per_node": "100 GB", "cache_bandwidth": "400 MB/s"},
            (
                "bad",
                "cache bandwidth",
                (
                    "The cache delivers 50 samples/s, a GPU consumes 100 samples/s: raise its bandwidth or "
                    "serve less from it."
                ),
            ),
        ),
    ],
)
def test_what_is_short_is_named_with_what_would_do(given: dict[str, Any], found: tuple[str, str, str]) -> None:
    assert text("limiting", **given) == found


@pytest.mark.parametrize(
    ("given", "level", "word"),
    [
        ({"shuffle_buffer_samples": 1250, "shuffled_on_disk": "no"}, "good", "OK"),  # 8 x 1,250 of 100,000
        ({"shuffle_buffer_samples": 1249, "shuffled_on_disk": "no"}, "bad", "too narrow"),
        ({"shuffle_buffer_samples": 1249}, "good", "OK as stored"),
        (
            {"shuffle_buffer_samples": 0, "open_shards": 2, "shard_size": "625 MB", "shuffled_on_disk": "no"},
            "good",
            "OK",
        ),
    ],
)
def test_a_shuffle_is_wide_with_ten_percent_of_the_data_in_view(given: dict[str, Any], level: str, word: str) -> None:
    assert text("shuffled", **given)[:2] == (level, word)


def test_buffers_hold_no_more_samples_than_there_are() -> None:
    one, all_of_it = of_round(shuffle_buffer_samples=100_000), of_round(shuffle_buffer_samples=10**12)
    assert one["buffer_per_node"] == all_of_it["buffer_per_node"]
    assert one["buffer_per_node"] > 8 * one["dataset_bytes"]


def test_a_cache_that_evicts_is_not_blamed_where_it_serves_as_much_as_one_that_keeps() -> None:
    """Nodes that draw their part again each epoch hit what they hold, whatever is thrown out."""
    many = cautions(gpus=8 * 10**6, cache_policy="lru", **HALF)
    assert not [one for one in many if "An LRU cache" in one]
    assert [one for one in cautions(cache_policy="lru", **HALF) if "An LRU cache" in one]


def test_where_the_port_is_shorter_no_warning_says_that_bandwidth_would_change_nothing() -> None:
    assert cautions(reads_in_flight=9, read_latency="99 ms", node_read_bandwidth="640 MB/s") == []


def test_samples_that_need_no_work_never_wait_for_processors() -> None:
    found = of_round(decode_time=0)
    assert (found["loader_rate"], found["workers_needed"]) == (found["fetch_rate"], 1)
    assert text("limiting", decode_time=0, node_read_bandwidth="400 MB/s")[1] == "network port"
    assert text("limiting", decode_time=0, reads_in_flight=5, read_latency="99 ms")[1] == "outstanding reads"
    held_up = {"cache_per_node": "100 GB", "cache_bandwidth": "400 MB/s"}
    assert text("limiting", decode_time=0, **held_up)[1] == "cache bandwidth"


def test_without_asynchronous_reads_every_worker_waits_for_one() -> None:
    alone = {name: one for name, one in ROUND.items() if name != "reads_in_flight"}
    assert values(**{**alone, "loader_workers": 7})["reads_in_flight"] == 7


def test_a_job_smaller_than_a_node_has_the_port_for_itself() -> None:
    assert of_round(gpus=1)["loader_port_rate"] == 8 * of_round()["loader_port_rate"]
    assert of_round(gpus=12)["gpus_at_work"] == 6


def test_each_piece_of_advice_feeds_the_gpus_or_is_not_given() -> None:
    starved = of_round(reads_in_flight=1, loader_workers=1, decode_time="20 ms")
    given = {one["label"]: one["changes"] for one in exploration.exploration(CALCULATOR, starved)["advice"]}
    assert given
    for changes in given.values():
        after = of_round(**{"reads_in_flight": 1, "loader_workers": 1, "decode_time": "20 ms", **changes})
        assert after["fed"].level != "bad"
    assert exploration.exploration(CALCULATOR, of_round())["advice"] == []


SHORT = {"reads_in_flight": 1, "read_latency": "19 ms"}  # 50 of the 100 samples/s that a GPU eats
NARROW = {"node_read_bandwidth": "400 MB/s"}


@pytest.mark.parametrize(
    ("speaks", "label", "changes", "silent"),
    [
        (
            {"loader_workers": 1, "decode_time": "20 ms"},
            "Use 3 workers per GPU",
            {"loader_workers": "3"},
            {"loader_workers": 3, "decode_time": "20 ms"},
        ),
        (SHORT, "Use 3 outstanding reads per GPU", {"reads_in_flight": "3"}, {**SHORT, "reads_in_flight": 3}),
        (
            {**SHORT, "loader_workers": 1, "decode_time": "20 ms"},
            "Use 3 workers and 3 outstanding reads per GPU",
            {"loader_workers": "3", "reads_in_flight": "3"},
            SHORT,
        ),
        (
            {**NARROW, "cache_per_node": "90 GB", "cache_policy": "lru"},
            "Cache a fixed part, without eviction",
            {"cache_policy": "kept"},
            {**NARROW, "cache_per_node": "90 GB"},
        ),
        (
            {**NARROW, "gpus": 16, "cache_per_node": "50 GB"},
            "Share the caches among nodes",
            {"cache_scope": "shared"},
            {**NARROW, "gpus": 16, "cache_per_node": "50 GB", "cache_scope": "shared"},
        ),
        (
            NARROW,
            "Cache the whole data set, 100 GB per node",
            {"cache_per_node": "100 GB"},
            {**NARROW, "epochs": 1},
        ),
        (
            {**NARROW, "gpus": 24, "cache_per_node": "10 GB", "cache_scope": "shared"},
            "Cache the whole data set, 34 GB per node",
            {"cache_per_node": "34 GB"},
            {**NARROW, "gpus": 24, "cache_per_node": "34 GB", "cache_scope": "shared"},
        ),
        (
            NARROW,
            "Give each node 1 GB/s of read bandwidth",
            {"node_read_bandwidth": "1 GB/s"},
            {"node_read_bandwidth": "1 GB/s"},
        ),
    ],
)
def test_a_piece_of_advice_speaks_where_it_helps_and_is_silent_elsewhere(
    speaks: dict[str, Any], label: str, changes: dict[str, Any], silent: dict[str, Any]
) -> None:
    def advised(**given: Any) -> dict[str, Any]:
        found = exploration.exploration(CALCULATOR, of_round(**given))["advice"]
        return {one["label"]: one["changes"] for one in found}

    assert advised(**speaks)[label] == changes
    assert label not in advised(**silent)


def test_each_convention_is_made_of_the_present_numbers() -> None:
    cells = answer.cells(CALCULATOR, of_round(**NARROW, gpus=16, cache_per_node="50 GB"))
    assert cells["conventions.1.2"] == "50%: fails at the required 90% (3D-UNet), fails at 85% (RetinaNet)"
    assert cells["conventions.2.2"].startswith("49.6% of a whole epoch of 62 steps without a cache, 58.7% printed")
    assert cells["conventions.3.2"] == "100 samples/s, 800 samples/s, 1,599 samples/s"  # 99.95 each
    assert cells["conventions.7.2"] == "99.95% per node, 100% shared, both without eviction"
    # Two nodes that hold half: 50 samples/s over what is missed. Half of the samples come back in the next epoch, to a
    # hit where X Y > 1/2 with both uniform from 1/2 to 1: 1/2 x (1/2 - ln 2 / 2) x 4.
    assert cells["conventions.6.2"] == (
        "50% of reads and 99.95% utilization without eviction, 30.7% and 72.1% with LRU"
    )
    shared = answer.cells(
        CALCULATOR, of_round(**NARROW, gpus=16, cache_per_node="20 GB", cache_scope="shared", cache_policy="lru")
    )
    # One cache of two fifths: 0.4 + 0.6 ln 0.6 where it evicts; 50 samples/s over 0.6, 0.907 and, alone, 0.8.
    assert shared["conventions.6.2"] == (
        "40% of reads and 83.3% utilization without eviction, 9.35% and 55.2% with LRU"
    )
    assert shared["conventions.7.2"] == "62.5% per node, 83.3% shared, both without eviction"
    once = answer.cells(CALCULATOR, of_round(**NARROW, gpus=16, cache_per_node="50 GB", epochs=1))
    assert once["conventions.6.2"] == once["conventions.7.2"] == "no cache in use"
    apart = answer.cells(CALCULATOR, of_round())
    assert apart.keys() == cells.keys()
    assert apart["conventions.5.2"] == "800 MB/s or 1.54 GB/s per node"
    assert apart["conventions.6.2"] == "no cache in use"


def test_the_picture_ends_at_what_the_gpu_eats_and_says_what_goes_on_beyond() -> None:
    """The edge is four times the limit: 100 samples/s lie at a quarter of the width."""
    picture = CALCULATOR.picture
    assert picture is not None
    drawn = pictures.drawing(picture, of_round(reads_in_flight=6, read_latency="99 ms"))
    assert drawn.places["limit"]["x1"] == "25.000%"
    assert drawn.places["1.0"] == {"x": "0.000%", "width": "15.000%"}  # 60 samples/s of 400
    assert drawn.places["4.0"]["width"] == "15.000%"
    assert drawn.places["4.1"] == {"x": "15.000%", "width": "10.000%"}  # the 40 it waits for, up to the limit
    assert drawn.cut == (0, 2)
    assert {place["width"] for name, place in drawn.places.items() if name.endswith("excess")} == {"0.000%"}


def test_storage_is_sized_from_what_gpus_would_eat_not_from_what_a_starved_loader_reaches() -> None:
    machine = joined()
    fed = machine.evaluate({"batch_size": 100.0, "step_compute_time": 1.0, "sample_bytes": 1e6})
    starved = machine.after(fed, {"reads_in_flight": 1.0, "read_latency": 1.0})
    assert starved["loader_samples_per_second"] < fed["loader_samples_per_second"]
    assert starved["samples_per_second"] == fed["samples_per_second"] == 100
    assert starved["training_read"] == fed["training_read"]


def test_together_a_workload_gives_the_rate_until_its_batch_or_its_time_is_the_reader_s() -> None:
    """RetinaNet on B200: 24 images in 47.55 ms are 504.7 a second; in 48 ms they are 500."""
    menu = {"workload": "workload-retinanet-b200"}
    filled, given = parse_inputs(joined(), menu), parse_inputs(joined(), {**menu, "step_compute_time": "48 ms"})
    assert (filled.origins["samples_per_second"], given.origins["samples_per_second"]) == ("preset", "computed")
    assert filled.values["samples_per_second"] == pytest.approx(504.7, abs=0.1)
    assert given.values["samples_per_second"] == pytest.approx(500)

"""Cautions and verdicts on loaders and goodput, each on both sides of its boundary."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.subjects.storage.data_loader import verdicts
from calculators.subjects.storage.data_loader import warnings as of_loaders
from calculators.subjects.storage.data_loader.verdicts import FED_FROM, IN_VIEW, SPARE_FROM
from calculators.subjects.storage.data_loader.warnings import OF_MEMORY
from calculators.subjects.storage.goodput import warnings as of_goodput
from calculators.subjects.storage.goodput.spares import ENOUGH

FORMULAS = {one.name: one for one in (*of_goodput.FORMULAS, *of_loaders.FORMULAS, *verdicts.FORMULAS)}
LRU, KEPT, ALONE, SHARED = "lru", "kept", "alone", "shared"


@pytest.mark.parametrize(
    ("name", "speaks", "silent"),
    [
        ("storage_sets_the_interval", [(8, 5, 2)], [(7, 5, 2), (6, 5, 2)]),
        ("begins_when_the_last_is_safe", [(5, 6)], [(6, 6), (7, 6)]),
        ("longer_than_between_failures", [(7, 6)], [(6, 6), (5, 6)]),
        ("waits_for_nodes", [(ENOUGH + 0.001,)], [(ENOUGH,), (0,)]),
        ("no_clean_checkpoint", [(1e9, 8, 3, 4)], [(1e9, 7, 3, 4), (1e9, 6, 3, 4), (None, 8, 3, 4)]),
        ("sums_are_off", [(0.489, 0.5)], [(0.49, 0.5), (0.6, 0.5)]),
        ("beyond_measured_sizes", [(131_073,)], [(131_072,), (8,)]),
        (
            "persisted_checkpoints_queue",
            [(0.05, 61, 2, 30), (None, 61, 2, 30), (0.05, 31, 1, 30)],
            [(0.05, 60, 2, 30), (0.05, 59, 2, 30), (None, 31, 1, 30)],
        ),
        ("stops_that_never_come", [(None, 1)], [(None, 0), (60, 1)]),
        ("local_checkpoints_never_lost", [(None, 2)], [(None, 1), (0.05, 2)]),
        (
            "evicts_too_early",
            [(LRU, 0.5, 0.2, 2), (LRU, 0.11, 0.02, 2), (LRU, 0.99, 0.2, 2), (LRU, 0.5, 0.495, 2)],
            [(LRU, 0.1, 0.02, 2), (LRU, 1, 0.2, 2), (KEPT, 0.5, 0.2, 2), (LRU, 0.5, 0.2, 1), (LRU, 0.5, 0.496, 2)],
        ),
        (
            "caches_apart",
            [(ALONE, 5, 2, 10, 0.5), (ALONE, 5, 2, 9, 0.5)],
            [(SHARED, 5, 2, 10, 0.5), (ALONE, 5, 2, 11, 0.5), (ALONE, 5, 2, 10, 1), (ALONE, None, 2, 10, 0)],
        ),
        ("buffers_fill_memory", [(OF_MEMORY * 100 + 1, 100)], [(OF_MEMORY * 100, 100), (0, 100)]),
        (
            "concurrency_before_bandwidth",
            [(3, 2, 50, 50), (3, 2, 40, 50)],
            [(2, 2, 50, 50), (1, 2, 40, 50), (3, 2, 51, 50)],
        ),
        (
            "first_epoch_waits",
            [(2, FED_FROM - 0.01, FED_FROM), (5, 0.1, 1)],
            [(1, FED_FROM - 0.01, FED_FROM), (2, FED_FROM, FED_FROM), (2, 0.1, FED_FROM - 0.01)],
        ),
        ("less_than_a_step", [(55, 7, 8)], [(56, 7, 8), (57, 7, 8)]),
        (
            "epochs_begin_empty",
            # Of a whole epoch, of its steps; epochs, steps.
            [(0.5, FED_FROM, 2, 2), (FED_FROM - 0.01, 1, 2, 9)],
            [(0.5, 1, 1, 2), (0.5, 1, 2, 1), (FED_FROM, 1, 2, 2), (0.5, FED_FROM - 0.01, 2, 2)],
        ),
        ("read_only_once", [(1, 0.5)], [(2, 0.5), (1, 0)]),
    ],
)
def test_a_caution_turns_at_its_boundary(
    name: str, speaks: list[tuple[Any, ...]], silent: list[tuple[Any, ...]]
) -> None:
    assert [given for given in speaks if not FORMULAS[name].function(*given)] == []
    assert [given for given in silent if FORMULAS[name].function(*given)] == []


@pytest.mark.parametrize(
    ("headroom", "first", "word"),
    [
        (FED_FROM - 0.001, 1, "too slow"),
        (FED_FROM, 1, "tight"),
        (0.999, 1, "tight"),
        (1, FED_FROM - 0.001, "too slow in the first epoch"),
        (1, FED_FROM, "little headroom"),
        (SPARE_FROM - 0.001, 1, "little headroom"),
        (SPARE_FROM, 1, "OK"),
        (9, 0.1, "too slow in the first epoch"),
    ],
)
def test_gpus_are_fed_by_degrees(headroom: float, first: float, word: str) -> None:
    judged = FORMULAS["fed"].function(headroom, first, 1, 2, 9, 800, 10, 8, 100, 100)
    assert (judged.level, judged.word) == ({"too slow": "bad", "OK": "good"}.get(word, "tight"), word)


@pytest.mark.parametrize(
    ("epoch", "epochs", "steps", "samples", "buffer", "word", "level"),
    [
        (1, 2, 9, 80, 100, "OK", "good"),
        (1, 2, 9, 79, 100, "too few samples", "bad"),
        (1, 2, 9, 80, 101, "does not fit", "bad"),
        (FED_FROM, 2, 9, 80, 100, "OK", "good"),
        (FED_FROM - 0.001, 2, 9, 80, 100, "slow epoch starts", "tight"),
        (FED_FROM - 0.001, 1, 9, 80, 100, "OK", "good"),
        (FED_FROM - 0.001, 2, 1, 80, 100, "OK", "good"),
    ],
)
def test_gpus_are_not_fed_by_what_is_not_there(
    epoch: float, epochs: float, steps: float, samples: float, buffer: float, word: str, level: str
) -> None:
    judged = FORMULAS["fed"].function(9, 1, epoch, epochs, steps, samples, 10, 8, buffer, 100)
    assert (judged.level, judged.word) == (level, word)


@pytest.mark.parametrize(
    ("given", "word", "level"),
    [
        # What a GPU eats and gets; a sample's work and the processors' rate; streams, port, cache, its hits; the share.
        ((100, 100, 1, 90, 90, 90, 900, 0, 1), "GPU", "good"),
        ((100, 99, 1, 99, 100, 100, 900, 0, FED_FROM), "CPU workers", "tight"),
        ((100, 99, 1, 98, 100, 100, 900, 0, FED_FROM - 0.01), "CPU workers", "bad"),
        ((100, 50, 0, 50, 50, 60, 900, 0, 0.5), "outstanding reads", "bad"),
        ((100, 50, 1, 51, 50, 50, 900, 0, 0.5), "outstanding reads", "bad"),
        ((100, 50, 1, 51, 51, 50, 900, 0, 0.5), "network port", "bad"),
        # Half of the reads from a cache of 60 take 1/120 s, half from a port of 50 take 1/100 s.
        ((100, 50, 1, 99, 80, 50, 60, 0.5, 0.5), "network port", "bad"),
        ((100, 50, 1, 99, 50, 80, 50, 0.5, 0.5), "outstanding reads", "bad"),
        ((100, 50, 1, 99, 80, 50, 40, 0.5, 0.5), "cache bandwidth", "bad"),
    ],
)
def test_the_link_that_takes_longest_is_short(given: tuple[float, ...], word: str, level: str) -> None:
    judged = FORMULAS["limiting"].function(*given)
    assert (judged.word, judged.level) == (word, level)


@pytest.mark.parametrize(
    ("reach", "stored", "word"),
    [(IN_VIEW, False, "OK"), (IN_VIEW, True, "OK"), (IN_VIEW - 0.01, True, "OK as stored"), (0, False, "too narrow")],
)
def test_a_shuffle_is_wide_as_stored_or_narrow(reach: float, *, stored: bool, word: str) -> None:
    judged = FORMULAS["shuffled"].function(reach, stored)
    assert (judged.word, judged.level) == (word, "bad" if word == "too narrow" else "good")


@pytest.mark.parametrize(
    ("name", "given", "refused"),
    [
        ("safe_after_the_stall", (60, 60), False),
        ("safe_after_the_stall", (59, 60), True),
        ("interval_beyond_the_stall", (61, 60), False),
        ("interval_beyond_the_stall", (60, 60), True),
        ("durable_after_its_stall", (0.05, 60, 60), False),
        ("durable_after_its_stall", (0.05, 59, 60), True),
        ("durable_after_its_stall", (None, 59, 60), False),
    ],
)
def test_checkpoints_that_cannot_be_are_refused(name: str, given: tuple[Any, ...], *, refused: bool) -> None:
    assert bool(FORMULAS[name].function(*given)) == refused

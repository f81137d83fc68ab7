"""The loader's cache: the share of hits of one that evicts the longest unused, compared with a simulation of it."""

from __future__ import annotations

import itertools
import math
import random
from collections import OrderedDict

import pytest

from calculators.subjects.storage.data_loader.cache import lru_hit_share

SAMPLES, EPOCHS, WARM = 2000, 30, 6


def simulated(cached: float, nodes: int) -> tuple[float, float]:
    """Share of hits of one node's cache and its standard error, from the epochs after `WARM`.

    Every epoch the samples are dealt out again to `nodes`, each of which reads its part in random order.
    """
    chance = random.Random(20260922)  # noqa: S311  a simulation, nothing secret
    room = round(cached * SAMPLES)
    held: OrderedDict[int, None] = OrderedDict()
    shares = []
    for epoch in range(EPOCHS * nodes):
        order = chance.sample(range(SAMPLES), SAMPLES // nodes)
        hits = 0
        for sample in order:
            if sample in held:
                hits += 1
                held.move_to_end(sample)
            else:
                held[sample] = None
                if len(held) > room:
                    held.popitem(last=False)
        if epoch >= WARM * nodes:
            shares.append(hits / len(order))
    mean = sum(shares) / len(shares)
    variance = sum((share - mean) ** 2 for share in shares) / (len(shares) - 1)
    return mean, math.sqrt(variance / len(shares))


@pytest.mark.parametrize("nodes", [1, 2, 4, 10])
@pytest.mark.parametrize("cached", [0.1, 0.35, 0.5, 0.65, 0.9])
def test_the_share_of_hits_is_that_of_a_simulation(cached: float, nodes: int) -> None:
    """Standard errors lie between 0.0003 and 0.002; four of them and the grain of 2,000 samples are allowed."""
    mean, error = simulated(cached, nodes)
    assert 0 < error < 0.003
    assert lru_hit_share(cached, nodes) == pytest.approx(mean, abs=4 * error + 1 / SAMPLES)


@pytest.mark.parametrize("cached", [0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99])
def test_one_node_has_the_closed_form_and_very_many_hit_as_often_as_there_is_room(cached: float) -> None:
    left = 1 - cached
    assert lru_hit_share(cached, 1) == pytest.approx(1 - left * (1 - math.log(left)), abs=1e-12)
    assert lru_hit_share(cached, 1_000_000) == pytest.approx(cached, abs=1e-5)


@pytest.mark.parametrize("nodes", [1, 2, 3, 8, 1000])
def test_more_room_never_means_fewer_hits_and_never_more_than_there_is_room_for(nodes: int) -> None:
    shares = [lru_hit_share(step / 1000, nodes) for step in range(1001)]
    assert shares[0] == 0
    assert shares[-1] == 1
    assert all(earlier <= later + 1e-12 for earlier, later in itertools.pairwise(shares))
    assert all(share <= step / 1000 + 1e-9 for step, share in enumerate(shares))

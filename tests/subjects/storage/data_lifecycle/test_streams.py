"""Bytes are conserved: streams against cohorts kept by hand, with no formula shared, and Little's law."""

from __future__ import annotations

import math
import random
from itertools import accumulate

import pytest

from calculators.subjects.storage.data_lifecycle.streams import TIERS, Estate, Stream, course, level, movement_between
from calculators.units import MONTH, YEAR

MONTHS = 24
GRAIN = 20  # lots in a month


def some_stream(chance: random.Random, *, whole: bool = False) -> Stream:
    """A stream with any stays, or with stays of whole months."""
    stays = [float(chance.randint(0, 9)) if whole else chance.choice([0, chance.uniform(0.01, 40)]) for _ in TIERS]
    stays[3] = float(chance.randint(1, 30))
    rate = chance.uniform(1e6, 1e8)
    history = chance.randint(1, int(sum(stays))) if whole and sum(stays) >= 1 else chance.uniform(0.1, 50)
    return Stream(
        name="some",
        initial=rate * history * MONTH,
        rate=rate,
        growth=chance.uniform(-0.5, 3),
        stays=tuple(stay * MONTH for stay in stays),  # type: ignore[arg-type]
        year=YEAR,
        passed=tuple(chance.uniform(0, 1) for _ in range(3)),  # type: ignore[arg-type]
        reduction=chance.uniform(1, 4),
        irreplaceable=chance.random() < 1 / 2,
    )


def test_bytes_in_are_bytes_held_and_moved_and_deleted_on_every_tier() -> None:
    chance = random.Random(5)  # noqa: S311  nothing is kept secret
    for _ in range(200):
        estate = Estate(tuple(some_stream(chance) for _ in range(3)), MONTHS, MONTH, 0, 0)
        start, end = sorted(chance.sample(range(MONTHS + 1), 2))
        flows = movement_between(estate, start, end)
        for tier in TIERS:
            change = estate.held[tier][end] - estate.held[tier][start]
            kept = flows.entered[tier] - flows.moved[tier] - flows.deleted[tier]
            assert math.isclose(
                change, kept, rel_tol=1e-9, abs_tol=1e-9 * (flows.entered[tier] + estate.held[tier][end])
            )


def test_what_moves_down_is_what_arrives_below() -> None:
    chance = random.Random(6)  # noqa: S311  nothing is kept secret
    for _ in range(100):
        stream = some_stream(chance, whole=True)
        flows = movement_between(Estate((stream,), MONTHS, MONTH, 0, 0), 0, MONTHS)
        arrived = sum(flows.entered) - flows.entered[stream.first]
        assert sum(flows.moved) == pytest.approx(arrived)


def cohorts(stream: Stream) -> list[list[float]]:
    """Bytes on every tier at the end of each month: lots of a twentieth of a month, aged and thinned one by one."""
    step, edges = MONTH / GRAIN, list(accumulate(stream.stays))
    parts = round(stream.history / step)
    lots = [[(part + 0.5) * stream.history / parts, stream.initial / parts] for part in range(parts)]
    growth, found = math.log1p(stream.growth) / YEAR, []
    for number in range(MONTHS * GRAIN):
        start, end = number * step, (number + 1) * step
        grown = (math.exp(growth * end) - math.exp(growth * start)) / growth if growth else step
        lots = [[age + step, bytes_] for age, bytes_ in lots]
        lots.append([step / 2, stream.rate * grown])
        lots = [lot for lot in lots if lot[0] < edges[-1]]
        if (number + 1) % GRAIN == 0:
            tiers = [0.0] * 4
            for age, bytes_ in lots:
                tier = next(one for one in TIERS if age < edges[one])
                tiers[tier] += bytes_ * math.prod(stream.passed[:tier]) / stream.reduction
            found.append(tiers)
    return found


@pytest.mark.parametrize("seed", range(6))
def test_stocks_are_those_of_cohorts_kept_by_hand(seed: int) -> None:
    stream = some_stream(random.Random(seed), whole=True)  # noqa: S311  nothing is kept secret  # noqa: S311  nothing is kept secret
    held = course(stream, MONTHS, MONTH).held
    for number, tiers in enumerate(cohorts(stream), 1):
        for tier in TIERS:
            assert held[tier][number] == pytest.approx(tiers[tier], rel=1e-9, abs=1e-9 * sum(tiers))


@pytest.mark.parametrize("share", [0.1, 0.4, 1.0])
def test_a_level_holds_its_count_whatever_its_rate(share: float) -> None:
    """Three checkpoints, written every hour while training runs, stay three."""
    saves = level("checkpoints", 1e12 / 3600 * share, 0, (0, 3 * 3600 / share, 0, 0), YEAR)
    assert course(saves, MONTHS, MONTH).held[1] == pytest.approx([3e12] * (MONTHS + 1))


def test_replicas_are_on_every_tier_and_backups_on_the_cold_one() -> None:
    kept = Stream("raw", 10, 0, 0, (0, 0, 20 * YEAR, 0), YEAR, irreplaceable=True)
    other = level("logs", 1, 0, (0, 0, 7, 0), YEAR)
    assert [tier[0] for tier in Estate((kept, other), 1, MONTH, 1, 2).held] == pytest.approx([0, 0, 27, 20])

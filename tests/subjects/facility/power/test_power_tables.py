"""The sheets of a hall: every end of its acceptance and every way of counting, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.subjects.facility.power import acceptance, tables

# Nodes of six GPUs of 700 W; figures that do not divide.
HALL = {
    "gpu_power": 700,
    "gpus_per_node": 6,
    "swing_high": 0.9,
    "node_power": 11_100,
    "average_share": 0.6,
    "rack_power": 23_000,
    "rack_limit": 25_000,
    "power_per_surviving_source": 22_000,
    "circuit_power": 9_000,
    "power_swing": 1.5e6,
    "installed_power": 2.5e6,
    "liquid_share": 0.7,
    "liquid_rise": 9,
    "air_rise": 13,
    "facility_power": 1.9e6,
    "hall_power": 3.1e6,
}


def row(begins: str, **changed: Any) -> tuple[str, ...]:
    (found,) = (one for one in acceptance.rows({**HALL, **changed}) if one[0].startswith(begins))
    return found


@pytest.mark.parametrize(
    ("begins", "changed", "ends"),
    [
        # Nine tenths of 700 W, and the three quarters at which DCGM fails it.
        ("What each GPU", {}, ("630 W or more", "525 to 630 W", "below 525 W")),
        ("What each GPU", {"swing_high": 0.7}, ("490 W or more", "nothing between", "below 490 W")),
        (
            "What a node",
            {},
            ("6.66 kW to 11.1 kW", "less than 6.66 kW: it does not burn", "more than 11.1 kW"),
        ),
        ("What a full rack", {}, ("23 kW or less", "23 to 25 kW", "more than 25 kW")),
        # 22 kW take three circuits of 9 kW; 27 kW take three as well.
        ("One feed", {}, ("22 kW or less", "22 to 27 kW", "more than 27 kW")),
        ("One feed", {"power_per_surviving_source": 27_000}, ("27 kW or less", "nothing between", "more than 27 kW")),
        ("All GPUs", {}, ("1.5 MW or less", "1.5 to 2.5 MW", "more than 2.5 MW")),
        (
            "Heat after hours of it: coolant",
            {},
            (
                "9 K or less, and no GPU slows down",
                "more than 9 K: less flow than {liquid_flow} of coolant",
                "A GPU that slows down for heat",
            ),
        ),
        (
            "Heat after hours of it: air",
            {"liquid_share": 0},
            (
                "13 K or less, and no GPU slows down",
                "more than 13 K: less flow than {air_flow} of air",
                "A GPU that slows down for heat",
            ),
        ),
        ("What the site", {}, ("1.9 MW or less", "1.9 to 3.1 MW", "more than 3.1 MW")),
    ],
)
def test_ends_of_a_hall_follow_from_its_figures(begins: str, changed: dict[str, Any], ends: tuple[str, ...]) -> None:
    assert row(begins, **changed)[1:4] == ends


def test_the_circuits_that_carry_a_lost_feed_are_counted() -> None:
    assert row("One feed")[4].endswith("as many circuits: 3")
    assert row("One feed", power_per_surviving_source=8_999)[4].endswith("as many circuits: 1")


def test_each_gpu_is_driven_to_its_rating_for_ten_minutes() -> None:
    report = 'dcgmi diag -r targeted_power -p "targeted_power.target_power=700;targeted_power.test_duration=600"'
    assert row("What each GPU")[5] == report
    assert row("Every test")[5] == "dcgmi diag -r 4 --expectedNumEntities gpu:6 -j"
    assert "90% of the median" in row("A burn-in")[1]


@pytest.mark.parametrize(
    ("gpus", "rows", "columns"),
    [(1, 1, 1), (2, 1, 2), (4, 2, 2), (6, 2, 3), (7, 1, 7), (8, 2, 4), (9, 3, 3), (12, 3, 4), (72, 8, 9), (0.5, 1, 1)],
)
def test_linpack_runs_on_a_grid_as_near_to_a_square_as_there_is(gpus: float, rows: int, columns: int) -> None:
    command = row("A burn-in", gpus_per_node=gpus)[5]
    assert f'-e "11s/.*/{rows} Ps/" -e "12s/.*/{columns} Qs/"' in command
    assert f"mpirun -np {rows * columns} " in command


COUNTED = {
    "compute_power": 1e6,
    "average_share": 0.6,
    "gpus_power": 700e3,
    "gpu_hours": 1000,
    "gpu_power": 700,
    "server_power": 1300,
    "pue": 1.2,
    "it_power": 1.1e6,
    "volts": 400,
    "amperes": 63,
    "breaker_share": 0.8,
}


def counted(begins: str) -> str:
    (found,) = (made for name, _, made in tables.rows(COUNTED) if name.startswith(begins))
    return found


@pytest.mark.parametrize(
    ("begins", "holds"),
    [
        ("A server is its GPUs", "average 600 kW:"),
        ("Energy is GPU-hours", "700 kWh for"),
        ("Energy is the server's", "1.56 MWh"),  # 1,000 h of 1.3 kW, times 1.2
        ("kVA", "34.9 kVA of"),  # 400 V x 63 A x 1.732 x 0.8
    ],
)
def test_each_way_of_counting_is_made_of_the_hall(begins: str, holds: str) -> None:
    assert holds in counted(begins)


def test_a_facility_is_its_it_times_a_published_pue() -> None:
    """1.1 MW times 1.1 or so for fleets, and 1.5 or so for the average site."""
    for begins in ("PUE of a hyper", "PUE of the average"):
        report = counted(begins)
        pue, _, power = report.partition(": ")
        assert float(power.split()[0]) == pytest.approx(1.1 * float(pue), abs=0.006)
    assert float(counted("PUE of a hyper").partition(":")[0]) < float(counted("PUE of the average").partition(":")[0])

"""Advice on a data hall: each piece at its boundary, by hand; nothing where all is good."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from calculators.subjects.facility.power import recommendations as power_advice

TIGHT, BAD = (SimpleNamespace(level=level) for level in ("tight", "bad"))

# A rack of 50 kW in a hall that takes all: of 100 GPUs none is too many.
HALL = {
    "hall_fits": BAD,
    "gpus_that_fit": 100,
    "gpus": 100,
    "node_power": 11_000,
    "rack_power": 55_000,
    "cooling_limit": 55_000,
    "rack_limit": 55_000,
    "cooling_used": 1,
    "rack_limit_used": 1,
    "hall_power_used": 1,
    "hall_power": 1e6,
    "facility_power": 1e6,
    "compute_power": 0.8e6,
    "gpus_power": 0.5e6,
    "gpu_power": 1000,
    "hall_racks_used": 1,
    "racks": 9,
    "support_racks": 2,
}
LIQUID, IMMERSION = (
    ("Cool with direct liquid", {"cooling": "direct_liquid"}),
    ("Cool with immersion", {"cooling": "immersion"}),
)


@pytest.mark.parametrize(
    ("changed", "report"),
    [
        ({}, []),
        ({"hall_fits": TIGHT, "gpus_that_fit": 99}, []),
        ({"gpus_that_fit": 99}, [("Install {gpus} only", {"gpus": 99})]),
        ({"gpus_that_fit": 1}, [("Install {gpus} only", {"gpus": 1})]),
        ({"gpus_that_fit": 0}, []),
        # Of 30 kW two nodes of 11 kW take 22; rear doors carry 55 kW, as much as the rack draws.
        (
            {"cooling_used": 1.1, "cooling_limit": 30_000},
            [
                ("Put {nodes_per_rack} in each rack", {"nodes_per_rack": 2}),
                ("Cool with rear doors", {"cooling": "rear_door"}),
                LIQUID,
                IMMERSION,
            ],
        ),
        ({"cooling_used": 1.1, "cooling_limit": 10_999, "rack_power": 55_001}, [LIQUID, IMMERSION]),
        (
            {"cooling_used": 1.1, "cooling_limit": 11_000, "rack_power": 140_001},
            [("Put {nodes_per_rack} in each rack", {"nodes_per_rack": 1}), IMMERSION],
        ),
        (
            {"rack_limit_used": 1.1, "rack_limit": 35_000},
            [
                ("Put {nodes_per_rack} in each rack", {"nodes_per_rack": 3}),
                ("Feed each rack {rack_limit}", {"rack_limit": 55_000}),
            ],
        ),
        # Of 100 kW too much 80 are the servers', to be saved by 500 kW of GPUs: 420 kW, 840 W each.
        (
            {"hall_power_used": 1.1, "hall_power": 0.9e6},
            [("Cap each GPU at {gpu_power}", {"gpu_power": 840}), ("Supply {hall_power}", {"hall_power": 1e6})],
        ),
        # Of 187.5 kW 150: 700 W, which are seven tenths; of more a cap is none.
        (
            {"hall_power_used": 1.1, "hall_power": 812_500},
            [("Cap each GPU at {gpu_power}", {"gpu_power": 700}), ("Supply {hall_power}", {"hall_power": 1e6})],
        ),
        ({"hall_power_used": 1.1, "hall_power": 812_000}, [("Supply {hall_power}", {"hall_power": 1e6})]),
        (
            {"hall_power_used": 1.1, "hall_power": 0.9e6, "gpus_power": 0},
            [("Supply {hall_power}", {"hall_power": 1e6})],
        ),
        ({"hall_racks_used": 1.1}, [("Provide {hall_racks} of rack space", {"hall_racks": 11})]),
    ],
)
def test_a_hall_is_fixed_by_what_it_lacks(changed: dict[str, Any], report: list[Any]) -> None:
    assert list(power_advice.recommendations({**HALL, **changed})) == report

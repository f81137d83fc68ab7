"""The calculator of power, and a hall in round numbers that its tests change."""

from __future__ import annotations

from typing import Any

from calculators.catalog import CALCULATORS

POWER = CALCULATORS["power"]
# Ten nodes of 10 kW, one in each rack of 20 kW: 100 kW of IT and of facility, in a hall of 200 kW and 20 racks.
ROUND: dict[str, Any] = {
    "server": "none",
    "gpus": 80,
    "gpu_power": 1000,
    "host_power_per_gpu": 250,
    "support_share": 0,
    "hall_power": "200 kW",
    "hall_racks": 20,
    "rack_limit": "20 kW",
    "node_units": 20,
    "nodes_per_rack": 1,
    "cooling_limit": "20 kW",
    "pue": 1,
    "average_share": 0.5,
    "swing_low": 0.4,
    "swing_high": 0.6,
    "rack_nodes": "no design",
}

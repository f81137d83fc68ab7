"""The menu of failure rates sets how many of the failures need a node replaced."""

import pytest

from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS


@pytest.mark.parametrize(
    ("record", "share"),
    [
        ("gpu-mtbf", 0.78),
        ("mtbf-rsc1", 1),
        ("mtbf-rsc1-jobs", 0.274),
        ("mtbf-opt", 1),
        ("mlcommons-illustrative-mtbf", 0.78),
    ],
)
def test_a_measured_rate_brings_its_share_of_node_failures(record: str, share: float) -> None:
    assert parse_inputs(CALCULATORS["goodput"], {"failures_as": record}).values["node_failure_share"] == share


def test_a_share_that_is_given_keeps_the_chosen_rate() -> None:
    values = parse_inputs(CALCULATORS["goodput"], {"node_failure_share": "50%"}).values
    assert values["gpu_mtbf"] == parse_inputs(CALCULATORS["goodput"], {}).values["gpu_mtbf"]
    assert values["node_failure_share"] == 0.5


def test_the_capstone_keeps_what_two_spares_and_hourly_synchronous_checkpoints_keep() -> None:
    offered = {
        "gpus": "1024",
        "failures_as": "mtbf-rsc1-jobs",
        "checkpoint_interval": "1h",
        "checkpoint_stall": "98.8 s",
        "time_to_safe": "98.8 s",
        "node_repair_time": "24h",
        "spare_nodes": "2",
    }
    goodput = CALCULATORS["goodput"]
    values = goodput.evaluate(parse_inputs(goodput, offered).values)
    assert values["goodput"] == pytest.approx(0.855, abs=5e-4)
    assert values["spares_needed"] == 3

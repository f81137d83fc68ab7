"""What storage demand says of a round scenario, in which every figure can be worked out by hand."""

from __future__ import annotations

from typing import Any

from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import Values

CALCULATOR = CALCULATORS["storage_demand"]
# 8 GPU nodes with a port of 10 GB/s, all of it reached; nodes of one 8 TB drive of 10 GB/s: figures to do in the head.
ROUND = {
    "workload": "none",
    "storage_node": "none",
    "drive": "none",
    "gpus": 64,
    "samples_per_second": 1,
    "sample_bytes": "1 MB",
    "files_per_sample": 0,
    "checkpoint_size": "60 GB",
    "write_window": "60 s",
    "restore_window": "60 s",
    "checkpoint_interval": "1 h",
    "prepared_data": "1 TB",
    "weight_versions": 0,
    "weights_size": "10 GB",
    "hot_checkpoints": 0,
    "data_fragments": 1,
    "parity_fragments": 1,
    "fill_share": 1,
    "drives_per_node": 2,
    "drive_capacity": "1 TB",
    "drive_read": "10 GB/s",
    "drive_write": "10 GB/s",
    "drive_writes_per_day": 3,
    "drive_warranty": "5 years",
    "node_network": "10 GB/s",
    "client_network": "10 GB/s",
    "path_efficiency": 1,
    "rule_per_gpu": "100 MB/s",
}


def found(**given: Any) -> Values:
    return answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {key: str(text) for key, text in given.items()}))


def of_round(**changed: Any) -> Values:
    return found(**{**ROUND, **changed})


def level(name: str, **changed: Any) -> tuple[str, str]:
    judged = of_round(**changed)[name]
    return judged.level, judged.word


def warned(**changed: Any) -> list[str]:
    return answer.warnings(CALCULATOR, of_round(**changed))

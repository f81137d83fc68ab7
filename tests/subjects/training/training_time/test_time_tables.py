"""Training time: what each count of a token's FLOPs makes of a run, by hand, and cautions at their boundaries."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.catalog import CALCULATORS
from calculators.subjects.training import sequence
from calculators.subjects.training.training_memory.constraints import CONSTRAINTS
from calculators.subjects.training.training_memory.warnings import WARNINGS
from calculators.subjects.training.training_time import tables

TIME = CALCULATORS["training_time"]
# 7 of 10 billion parameters at work; a head that predicts one token more, and nothing frozen.
RUN = {
    "job": "pre-training",
    "active_parameters": 7e9,
    "parameters": 10e9,
    "mtp_output_flops": 3e9,
    "frozen_parameter_flops": 0,
}


def rows(**changed: Any) -> list[tuple[str, ...]]:
    return list(tables.rows({**RUN, **changed}))


def test_parameters_are_counted_six_times_or_four() -> None:
    """6 x 7 + 3 are 45; where 14 billion of the FLOPs are gradients of what is frozen, 31."""
    first, *_, last = rows()
    assert first[0].startswith("6 FLOPs per parameter")
    assert first[2] == "45 GFLOP/token: {mfu_without_attention} MFU"
    assert last[2] == "60 GFLOP/token, or 6 FLOPs for each of {active_parameters}: 45 GFLOP/token"
    adapted, *_, frozen = rows(job="lora", frozen_parameter_flops=14e9)
    assert adapted[0].startswith("4 FLOPs per frozen parameter")
    assert adapted[2].startswith("31 GFLOP/token")
    assert frozen[2] == "40 GFLOP/token, or 4 FLOPs for each of {active_parameters}: 31 GFLOP/token"


def test_a_dense_model_has_no_experts_to_forget() -> None:
    assert [row[0] for row in rows(active_parameters=10e9)] == [row[0] for row in rows()][:-1]


@pytest.mark.parametrize(
    ("name", "speaks", "silent"),
    [
        ("faster_than_peak", [(1.01,)], [(1,), (0.5,)]),
        ("faster_than_peak_with_attention", [(1.01, 1), (1.01, 0.5)], [(1, 1), (1.01, 1.01)]),
        ("beyond_any_precision", [(2.01, 1), (2.01, 0.5)], [(2, 1), (2.01, 1.01)]),
        ("attention_left_out", [("ignored", 0.1)], [("ignored", 0.09), ("causal", 0.1)]),
        ("not_model_flops", [(1, "hardware", None)], [(0, "hardware", None), (1, "model", None), (1, "hardware", 5)]),
        ("gpus_alone", [(0,)], [(1,)]),
        (
            "far_from_optimal",
            [(201, "pre-training"), (1.9, "pre-training")],
            [(200, "pre-training"), (2, "pre-training"), (201, "full"), (1.9, "lora")],
        ),
    ],
)
def test_a_caution_on_a_run_turns_at_its_boundary(name: str, speaks: list[Any], silent: list[Any]) -> None:
    (formula,) = (one for one in (*TIME.of_role("warning"), *TIME.of_role("constraint")) if one.name == name)
    assert [given for given in speaks if not formula.function(*given)] == []
    assert [given for given in silent if formula.function(*given)] == []


LAYOUT = {one.name: one for one in (*CONSTRAINTS, *WARNINGS, *sequence.SEQUENCE)}


@pytest.mark.parametrize(
    ("name", "speaks", "silent"),
    [
        ("kv_heads_divide", [(12, 8, 0)], [(12, 8, 512), (8, 8, 0), (8, 16, 0)]),
        ("enough_layers", [(5, 4)], [(4, 4), (0, 4)]),
        # Ranks of tensors, data and context, over those of experts and of their tensors.
        ("experts_divide", [(3, 1, 2, 4, 1), (8, 2, 2, 4, 1)], [(8, 1, 2, 4, 1), (4, 2, 2, 4, 1), (3, 1, 2, 2, 3)]),
        ("beyond_nvlink", [(9,), (16,)], [(8,), (1,)]),
        ("replicated_heads", [(9, 8, 0)], [(8, 8, 0), (4, 8, 0), (9, 8, 512)]),
        ("unsplit_activations", [(2, False)], [(1, False), (2, True)]),
        (
            "uneven_sequence",
            [(10, 3, 1, False), (12, 4, 1, False), (9, 1, 2, True), (12, 2, 8, True)],
            [(12, 3, 1, False), (9, 1, 2, False), (9, 1, 3, True), (16, 2, 8, True)],
        ),
        # Of 125 layers three lack to 128, of 126 two, which embedding and output may take the place of.
        (
            "uneven_stages",
            [(7, 2, 1), (2, 3, 1), (125, 16, 8), (5, 4, 2), (8, 2, 3)],
            [(8, 2, 1), (7, 1, 1), (126, 16, 8), (128, 16, 8), (7, 4, 2)],
        ),
        ("sharding_in_a_pipeline", [(3, 2), (3, 5)], [(1, 2), (2, 2), (3, 1)]),
        ("nothing_to_share", [(1, 1), (3, 1)], [(0, 1), (1, 2)]),
        ("count_differs", [(5e9, 1.06), (5e9, 0.94)], [(5e9, 1.04), (5e9, 0.96), (0, 1.5)]),
        (
            "beyond_positions",
            [(2049, 2048, 0), (4096, 2048, 0), (2049, 2048, 2049)],
            [(2048, 2048, 0), (2047, 2048, 0), (2049, None, 2048), (2049, 2048, 2048), (9, None, 0)],
        ),
        ("beyond_table", [(2049, 2048), (2, 1)], [(2048, 2048), (2049, 0)]),
    ],
)
def test_a_layout_is_reported_at_its_boundary(name: str, speaks: list[Any], silent: list[Any]) -> None:
    assert [given for given in speaks if not LAYOUT[name].function(*given)] == []
    assert [given for given in silent if LAYOUT[name].function(*given)] == []

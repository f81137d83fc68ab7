"""Models and layouts: likely shapes worked out by hand, every check at its boundary, and how ends are said."""

from __future__ import annotations

import math
from typing import Any

import pytest

from calculators.llm import heads, shape
from calculators.vocabulary import acceptance, layout, money, nodes


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        # 70.6e9 x 128 over 2.25 + 2 x 3.5 is 9,922.5 cubed: 77.5 heads of 128, in eights 80 of 124; layers of
        # 9,920 squared x 9.2 make up what two tables of 128,256 rows leave 75.2 times.
        (
            {"parameters": 70.6e9, "gated": False},
            {"layers": 75, "hidden": 9920, "heads": 80, "kv_heads": 8, "head_dim": 124, "ffn_hidden": 34_720},
        ),
        # Eight experts: 86.25 instead of 9.25, so 4,714 wide; 40 heads of 118; layers of 4,720 squared x 86.4.
        (
            {"parameters": 70.6e9, "experts": 8},
            {"layers": 36, "hidden": 4720, "heads": 40, "kv_heads": 8, "head_dim": 118, "ffn_hidden": 16_520},
        ),
        # A million: 215.7 wide, and eight heads at least; the tables alone are more than there is, and a layer stays.
        (
            {"parameters": 1e6},
            {"layers": 1, "hidden": 216, "heads": 8, "kv_heads": 8, "head_dim": 27, "ffn_hidden": 756},
        ),
        # Ten thousand: heads are sixteen wide at least.
        (
            {"parameters": 1e4},
            {"layers": 1, "hidden": 128, "heads": 8, "kv_heads": 8, "head_dim": 16, "ffn_hidden": 448},
        ),
    ],
)
def test_a_likely_shape_is_worked_out_from_its_size(given: dict[str, Any], expected: dict[str, float]) -> None:
    assert shape.likely_shape(**given) == expected


def test_tables_take_their_part_of_the_size() -> None:
    """Without tables 75.2 layers would be 78.0: 70.6e9 over 0.905e9."""
    assert shape.likely_shape(70.6e9, gated=False, vocab=1)["layers"] == 78


def test_a_layout_takes_the_product_of_its_degrees() -> None:
    assert layout.layout_gpus(8, 5, 3, 2) == 240
    assert [layout.layout_replicas(gpus, 8, 4, 2) for gpus in (10, 127, 128, 200)] == [1, 1, 2, 3]
    assert [nodes.gpu_nodes(gpus, 8) for gpus in (1, 8, 9, 16385)] == [1, 1, 2, 2049]


@pytest.mark.parametrize(
    ("name", "speaks", "silent"),
    [
        ("stages_have_layers", [(81, 80, 1), (83, 80, 1), (21, 80, 4)], [(80, 80, 1), (41, 80, 2), (20, 80, 4)]),
        ("context_has_tokens", [(5, 9), (2, 3)], [(1, 1), (4, 8), (4, 9)]),
        ("experts_for_ranks", [(9, 8), (3, 8)], [(8, 8), (4, 8), (1, 8)]),
        ("gpus_left_over", [(6, 5)], [(5, 5), (5, 6)]),
        ("gpus_for_the_layout", [(5, 6, 6, 1, 1, 1)], [(5, 5, 5, 1, 1, 1), (6, 5, 5, 1, 1, 1)]),
        ("idle_stages", [(3, 4)], [(4, 4), (5, 4)]),
    ],
)
def test_a_layout_turns_at_its_boundary(name: str, speaks: list[Any], silent: list[Any]) -> None:
    (formula,) = (one for one in layout.FORMULAS if one.name == name)
    assert [given for given in speaks if not formula.function(*given)] == []
    assert [given for given in silent if formula.function(*given)] == []


@pytest.mark.parametrize(
    ("gpus", "degrees", "would_do"),
    [
        (16, (8, 4, 1, 1), "such as pipeline parallel 2"),
        (4, (8, 4, 1, 1), "such as tensor parallel 4, pipeline parallel 1"),
        (64, (8, 4, 32, 1), "such as data parallel 2"),
        (100, (8, 4, 32, 2), "such as data parallel 1"),
        (6, (8, 1, 1, 1), "such as tensor parallel 4"),
        (2, (1, 1, 1, 4), "or a smaller layout"),  # context parallelism alone takes more
    ],
)
def test_a_layout_that_is_too_large_is_reported_with_one_that_is_not(
    gpus: int, degrees: tuple[int, int, int, int], would_do: str
) -> None:
    (formula,) = (one for one in layout.FORMULAS if one.name == "gpus_for_the_layout")
    assert formula.function(gpus, math.prod(degrees), *degrees).endswith(would_do)


def test_stages_may_lack_two_layers_only_where_they_interleave() -> None:
    (stages,) = (one for one in layout.FORMULAS if one.name == "stages_have_layers")
    assert stages.function(82, 80, 1)
    assert not stages.function(2, 2, 2)
    assert stages.function(3, 3, 2)


def test_more_ranks_than_experts_are_not_reported_to_divide() -> None:
    (ranks,) = (one for one in layout.FORMULAS if one.name == "experts_for_ranks")
    assert ranks.function(9, 8).startswith("Expert parallel must be at most")
    assert ranks.function(3, 8).startswith("The {experts} must divide evenly")


@pytest.mark.parametrize(
    ("kv_heads", "ranks", "would_do"), [(8, 4, None), (8, 16, None), (8, 8, None), (12, 8, 6), (8, 12, 8), (7, 5, 1)]
)
def test_key_value_heads_are_shared_or_copied_evenly(kv_heads: float, ranks: float, would_do: int | None) -> None:
    report = heads.uneven_kv_heads(kv_heads, ranks)
    assert report == "" if would_do is None else report.endswith(f"try tensor parallel {would_do}")


def test_no_more_is_active_than_there_is_to_the_rounding() -> None:
    assert heads.active_within_all(70e9 * (1 + 4e-4), 70e9) == ""
    assert heads.active_within_all(70e9 * (1 + 6e-4), 70e9)
    assert heads.active_within_all(69e9, 70e9) == ""


def test_ends_are_reported_with_their_units() -> None:
    assert acceptance.at_least(95e9, 95e9, "B/s") == ("95 GB/s or more", "nothing between", "below 95 GB/s")
    assert acceptance.at_least(2e9, 900e6, "B/s")[1] == "900 MB/s to 2 GB/s"
    assert acceptance.at_least(5, 1, "GPU") == ("5 GPUs or more", "1 to 5 GPUs", "below 1 GPU")
    assert acceptance.at_least(5, 0, "GPU") == ("5 GPUs or more", "below 5 GPUs", "by no figure of this job")
    assert acceptance.at_most(60, 60, "s") == ("60 s or less", "nothing between", "more than 60 s")
    assert acceptance.at_most(70, 60, "s") == ("60 s or less", "nothing between", "more than 60 s")
    assert acceptance.at_most(0.5, 2, "1")[1] == "0.5 to 2"


def test_a_million_tokens_cost_the_hours_in_which_they_are_written() -> None:
    """3.50 $ an hour at 123 tokens/s: 442,800 in an hour."""
    assert money.cost_per_million(3.5, 123) == pytest.approx(3.5 / 0.4428)
    assert money.training_cost(7, 2.5) == 17.5

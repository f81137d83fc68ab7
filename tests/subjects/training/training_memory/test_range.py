"""The range around a calculated memory is that of published runs, and selective recomputation drops what it names."""

from __future__ import annotations

from typing import Any

import pytest

from builder.pages import cases
from calculators import facts, units
from calculators.answers.answer import evaluated
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.llm.parts import AttentionHeads, FeedForward
from calculators.subjects.training.training_memory.activations import LayerPart, Routing
from calculators.subjects.training.training_memory.memory import training_memory_high, training_memory_low
from calculators.subjects.training.training_memory.recomputation import dropped_activation

MEMORY = CALCULATORS["training_memory"]
MIXTURE = {"model": "deepseek-v3", "tensor_parallel": 1, "pipeline_parallel": 1, "data_parallel": 8}


def measured_over_calculated() -> list[float]:
    """Each measured run of the published cases over what is calculated for it, the smallest first."""
    found = []
    for case in cases.load("training_memory"):
        if case.kind == "measured" and "training_memory" in case.expect:
            calculated = evaluated(MEMORY, parse_inputs(MEMORY, case.given))["training_memory"]
            found.append(units.parse(str(case.expect["training_memory"]), "B") / calculated)
    return sorted(found)


def test_nine_in_ten_published_runs_are_above_and_nine_in_ten_below_the_ends_of_the_range() -> None:
    found = measured_over_calculated()
    least, most = (facts.fact(f"training-memory-range.{end}").value for end in ("least", "most"))
    assert len(found) >= 50
    assert sum(one >= least for one in found) >= 0.88 * len(found)
    assert sum(one <= most for one in found) >= 0.88 * len(found)
    assert training_memory_low.function(10) < 10 < training_memory_high.function(10)


def test_the_middle_of_published_runs_is_not_above_what_is_calculated_by_more_than_a_twentieth() -> None:
    found = measured_over_calculated()
    assert 0.95 < found[len(found) // 2] < 1.05


def values(**given: Any) -> dict[str, Any]:
    return evaluated(MEMORY, parse_inputs(MEMORY, {**MIXTURE, "recompute": "selective", **given}))


@pytest.mark.parametrize(
    "modules",
    ["layernorm", "mlp", "moe", "moe_act", "shared_experts", "mla_up_proj", "layernorm+moe_act", "moe+layernorm"],
)
def test_a_module_that_is_recomputed_is_not_kept(modules: str) -> None:
    """What the scores alone save is nothing with flash attention: everything else saves, and needs it as a buffer."""
    everything, less = values(), values(recompute_modules=modules)
    assert everything["dropped_memory"] == 0
    saved = everything["layer_activation"] - less["layer_activation"]
    assert saved == pytest.approx(less["recomputed_memory"])
    assert 0 < less["layer_activation"] < everything["layer_activation"]


# Of a layer per token, in values: both norms 2 · 10; what is sent to experts and back 2 · 10 on half of the layers for
# 2 · 1.5 copies; three matrices of width 40 in the dense half, 20 for each copy and for a shared expert in the other;
# 8 heads with a key of 6, a value of 4 and a query of 6 from latents, or 2 heads of keys without them.
@pytest.mark.parametrize(
    ("modules", "latents", "around", "within"),
    [
        ("core_attn", 5, 0, 0),
        ("layernorm", 5, 20, 0),
        ("mlp", 5, 0, 3 * 20),
        ("moe", 5, 30, 3 * (30 + 10)),
        ("moe_act", 5, 0, 30),
        ("shared_experts", 5, 0, 3 * 10),
        ("mla_up_proj", 5, 0, 8 * (6 + 6 + 4)),
        ("mla_up_proj", 0, 0, 0),
        ("layernorm+moe_act", 5, 20, 30),
        ("moe+layernorm", 5, 50, 3 * (30 + 10)),
        ("mla_up_proj+mlp", 5, 0, 8 * 16 + 3 * 20),
        ("mla_up_proj+layernorm+moe_act", 5, 20, 8 * 16 + 30),
        ("per-op", 5, 20, 8 * 6 + 2 * (20 + 30 + 10)),
        ("per-op", 0, 20, 2 * 6 + 2 * (20 + 30 + 10)),
    ],
)
def test_values_that_each_list_of_modules_drops_by_hand(
    modules: Any, latents: float, around: float, within: float
) -> None:
    block = FeedForward(10, 20, 40, 3, 4, 2)
    found = dropped_activation.function(
        modules, 2, block, Routing(2, 1.5, 1, 1), AttentionHeads(8, 2, 6, 4), latents, 1, LayerPart(0, 0)
    )
    assert found == LayerPart(2 * around, 2 * within)


def test_modules_together_save_as_much_as_apart() -> None:
    both, one, other = (values(recompute_modules=one) for one in ("mla_up_proj+mlp", "mla_up_proj", "mlp"))
    assert both["dropped_memory"] == pytest.approx(one["dropped_memory"] + other["dropped_memory"])

"""Time of adapters in a step: thin ones by what they move, wide ones by their FLOPs, and published LoRA runs."""

from __future__ import annotations

from statistics import median

import pytest

from calculators.llm.step.adapters import NO_ADAPTERS, Adapted, AdapterWork
from calculators.llm.step.constants import KERNELS
from calculators.llm.step.micro_batch import RankWork, StepDevice, times_of
from calculators.llm.step.shapes import ExpertWork, StepShapes
from calculators.machine.training_state import training_state
from tests.llm.test_step import H100, _shapes, _work
from tooling.step_rows import near, runs

LLAMA = [(4096, 4096), (4096, 1024), (4096, 1024), (4096, 4096), (4096, 14336), (4096, 14336), (14336, 4096)]
LORA = {"job": "lora", "batch_tokens": "262144"}


def _only(adapters: AdapterWork, **changed: object) -> StepShapes:
    return _shapes("llama-3-8b", **LORA)._replace(products=(), adapters=adapters, **changed)  # type: ignore[arg-type]


def _seconds(adapters: AdapterWork, work: RankWork, device: StepDevice = H100) -> float:
    return times_of(_only(adapters), device, work, KERNELS).adapters


def test_a_thin_adapter_takes_the_time_of_reading_and_writing_activations() -> None:
    """Llama 3 8B, rank 16, 8,192 tokens: three products for each matrix, and a sum of three tensors at either end."""
    found = times_of(_shapes("llama-3-8b", **LORA), H100, _work(), KERNELS).adapters
    tokens, rank, values = 8192, 16, 0
    for inner, outer in LLAMA:
        values += 3 * (tokens * (inner + rank) + inner * rank + tokens * (rank + outer) + rank * outer)
        values += 3 * tokens * (inner + outer)
    assert found == pytest.approx(32 * 2 * values / H100.memory)


def test_a_wide_adapter_takes_the_time_of_its_flops() -> None:
    """At a million tokens, sides of 16,384 and rank 4,096: 6 FLOPs for a parameter and token, and the sums."""
    sums = 6 * 2**20 * 2 * 16384 / H100.memory
    flops = 6 * 4096 * 2 * 16384 * 2**20
    found = _seconds(AdapterWork(4096, (Adapted(16384, 16384, 1, "none"),), 0), _work(tokens=2.0**20))
    assert found == pytest.approx(flops / (KERNELS.matrix_16 * 989e12) + sums, rel=0.04)


def test_recomputation_multiplies_and_adds_the_forward_part_once_more() -> None:
    """Rank 16 on a matrix of 4,096 by 8,192: 4 products for 3; sums of 4,096 once and of 8,192 twice."""
    one = AdapterWork(16, (Adapted(4096, 8192, 1, "none"),), 0)
    products = 2 * (8192 * (4096 + 16) + 4096 * 16 + 8192 * (16 + 8192) + 16 * 8192)
    for recompute, again in (("none", 0), ("full", 1)):
        moved = (3 + again) * products + 6 * 8192 * (4096 + (1 + again) * 8192)
        assert _seconds(one, _work(recompute=recompute)) == pytest.approx(moved / H100.memory)


def test_tensor_ranks_divide_both_matrices_of_an_adapter() -> None:
    """A row-parallel matrix of 4,096 by 8,192 over 4 ranks: 1,024 in, rank 16, 2,048 out."""
    divided = _seconds(AdapterWork(16, (Adapted(4096, 8192, 1, "rows"),), 0), _work(tensor_ranks=4.0))
    assert divided == pytest.approx(_seconds(AdapterWork(16, (Adapted(1024, 2048, 1, "none"),), 0), _work()))
    column = _seconds(AdapterWork(16, (Adapted(4096, 8192, 1, "columns"),), 0), _work(tensor_ranks=4.0))
    moved = 3 * 2 * (8192 * (4096 + 4) + 4096 * 4 + 8192 * (16 + 2048) + 16 * 2048) + 6 * 8192 * (4096 + 2048)
    assert column == pytest.approx(moved / H100.memory)


def test_adapters_of_routed_experts_are_read_once_for_each_expert() -> None:
    """64 of 128 experts on a rank of two, 2 for a token: 8,192 tokens send 16,384 rows to 128 adapters of 2,048 by 768.

    Each rank gets as many rows as it sends and holds half of the adapters.
    """
    experts = ExpertWork(4, 128, 2, 2048, 768, 3)
    one = AdapterWork(16, (Adapted(2048, 768, 4 * 128, "columns", expert=True),), 0)
    shapes = _only(one, experts=experts)
    found = times_of(shapes, H100, _work(expert_ranks=2.0), KERNELS).adapters
    rows, held = 16384, 64
    products = rows * (2048 + 16) + held * 2048 * 16 + rows * (16 + 768) + held * 16 * 768
    fed = rows / held / (rows / held + KERNELS.expert_half)
    rate = KERNELS.matrix_16 * 989e12 * fed * 16 / (16 + KERNELS.matrix_half)
    slow = [2 * rows * side * 16 / (rate * side / (side + KERNELS.matrix_half)) for side in (2048, 768)]
    moved = [2 * (rows * (side + 16) + held * side * 16) / H100.memory for side in (2048, 768)]
    assert 2 * products / H100.memory == pytest.approx(sum(moved))
    sums = 6 * rows * (2048 + 768) / H100.memory
    assert found == pytest.approx(4 * (3 * sum(map(max, slow, moved)) + sums))


def test_nothing_else_of_a_step_depends_on_the_rank() -> None:
    thin, wide = (times_of(_shapes("llama-3-8b", **LORA, lora_rank=rank), H100, _work(), KERNELS) for rank in "18")
    assert thin._replace(adapters=0) == wide._replace(adapters=0)
    assert times_of(_shapes("llama-3-8b"), H100, _work(), KERNELS).adapters == 0
    assert _shapes("llama-3-8b").adapters is NO_ADAPTERS


def test_weights_in_four_bits_are_unpacked_forward_and_backward_and_once_more_if_recomputed() -> None:
    """Each of 6.98e9 weights: 4.127 bits read, 2 bytes written; the output layer stays in 16 bits."""
    lora, qlora = (_shapes("llama-3-8b", **{**LORA, "job": job}) for job in ("lora", "qlora"))
    weights = 32 * (4096 * (4096 + 2 * 1024) + 4096 * 4096 + 3 * 4096 * 14336)
    for recompute, times in (("none", 2), ("full", 3)):
        work = _work(recompute=recompute)
        more = times_of(qlora, H100, work, KERNELS).memory - times_of(lora, H100, work, KERNELS).memory
        assert more == pytest.approx(times * weights * (0.515869140625 + 2) / H100.memory)


def test_tensor_and_expert_ranks_divide_what_is_unpacked() -> None:
    """Qwen3 30B: 48 layers of 128 experts, three matrices of 2,048 by 768."""
    shapes = _shapes("qwen3-30b-a3b", job="qlora", batch_tokens="262144")
    alone = shapes._replace(products=())
    lora = alone._replace(adapters=alone.adapters._replace(unpacked_bytes=0))
    work = _work(expert_ranks=8.0)
    more = times_of(alone, H100, work, KERNELS).memory - times_of(lora, H100, work, KERNELS).memory
    assert more == pytest.approx(2 * 48 * 16 * 3 * 2048 * 768 * 2.515869140625 / H100.memory)


def test_a_wide_rank_slows_a_step_and_a_thin_one_is_not_free() -> None:
    """Llama 3 8B on 8 GPUs: at rank 1,024 adapters have a third of the model's parameters."""
    full, thin, wide = (
        training_state({"model": "llama-3-8b", "gpus": "8", **given}).values["tokens_per_second_per_gpu"]
        for given in ({"job": "full"}, {"job": "lora"}, {"job": "lora", "lora_rank": "1024"})
    )
    assert full < thin < 1.5 * full
    assert wide < 0.85 * thin


def test_the_optimizer_passes_over_what_is_trained_alone() -> None:
    given = {"model": "llama-3-70b", "gpus": "64", "batch_tokens": "262144"}
    full, lora = (training_state({**given, "job": job}).values for job in ("full", "lora"))
    for values in (full, lora):
        ranks = values["data_parallel"] * values["context_parallel"]
        own = values["exchanged_parameters"] * values["trainable_share"] / ranks
        assert values["optimizer_time"] == pytest.approx(28 * own / values["memory_bandwidth"])
    assert lora["trainable_share"] < 0.01


def test_a_given_utilization_counts_what_frozen_weights_save() -> None:
    """4 FLOPs for each of 8.03e9 and 6 for each of 41,943,040 adapters, at 55% of peak."""
    given = {"model": "llama-3-8b", "gpus": "8", "job": "lora", "matmul_utilization": "55%", "recompute": "none"}
    values = training_state(given).values
    flops = 4 * values["parameters"] + 6 * 41_943_040
    assert values["compute_time"] == pytest.approx(flops * values["tokens_per_step"] / (8 * 989e12 * 0.55))


def test_published_lora_runs_are_met() -> None:
    """Nothing was fitted on them: AutoModel with adapters on all projections, Megatron Bridge and MLPerf on few."""
    found = [one for one in runs() if one.source.endswith("-lora")]
    everywhere = [one.error for one in found if one.source == "automodel-lora"]
    assert near(everywhere) == 1
    assert abs(median(everywhere)) <= 0.1
    assert max(abs(one.error) for one in found) <= 0.25

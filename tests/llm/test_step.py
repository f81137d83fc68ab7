"""The time of a training step from shapes: kernels by hand, what layouts change, and published runs by family."""

from __future__ import annotations

from math import prod
from statistics import median

import pytest

from calculators.declare import InputError
from calculators.llm.step.constants import KERNELS, REFERENCE_FLOPS, REFERENCE_MEMORY
from calculators.llm.step.micro_batch import RankWork, StepDevice, times_of
from calculators.llm.step.shapes import StepShapes
from calculators.machine.training_state import training_state
from calculators.vocabulary.precision import Precision
from tooling.step_rows import FITTED, NEAR, by, judged, near, runs, table

H100 = StepDevice(
    flops=989e12,
    flops_16=989e12,
    attention=500e12,
    memory=3e12,
    precision="bf16",
    launch=0,
    dense_launch=0,
    hybrid_launch=0,
)


def _shapes(model: str, **given: str) -> StepShapes:
    found = training_state({"model": model, "gpus": "64", "batch_tokens": "1048576", **given})
    return found.values["step_shapes"]  # type: ignore[no-any-return]


def _work(**changed: object) -> RankWork:
    usual = RankWork(
        tokens=8192.0,
        sequence=8192.0,
        tensor_ranks=1.0,
        expert_ranks=1.0,
        expert_tensor_ranks=1.0,
        recompute="none",
        modules="core_attn",
        fused_attention=True,
    )
    return usual._replace(**changed)  # type: ignore[arg-type]


def test_the_products_of_a_dense_layer_are_all_its_parameters() -> None:
    """Llama 3 8B: 32 layers of 4,096 × (4,096 + 2 × 1,024), 4,096 × 4,096 and three of 4,096 × 14,336."""
    products = _shapes("llama-3-8b").products
    by_hand = 32 * (4096 * (4096 + 2 * 1024) + 4096 * 4096 + 3 * 4096 * 14336)
    assert sum(one.rows * one.columns * one.layers for one in products) == by_hand


def test_a_large_product_takes_its_flops_at_the_share_of_peak_that_it_reaches() -> None:
    """At sides far above the half one: 6 FLOPs for a parameter and token over 0.75 of peak."""
    shapes = _shapes("llama-3-1-405b")
    times = times_of(shapes, H100, _work(tokens=1e9), KERNELS)
    parameters = sum(one.rows * one.columns * one.layers for one in shapes.products)
    assert times.matrices == pytest.approx(6 * parameters * 1e9 / (KERNELS.matrix_16 * 989e12), rel=0.02)


def test_full_recomputation_runs_each_product_a_fourth_time_and_selective_only_the_scores() -> None:
    shapes = _shapes("llama-3-8b")
    none, selective, full = (
        times_of(shapes, H100, _work(recompute=how), KERNELS) for how in ("none", "selective", "full")
    )
    per_op = times_of(shapes, H100, _work(recompute="selective", modules="per-op"), KERNELS)
    assert per_op.matrices == pytest.approx(none.matrices * 3.5 / 3)
    assert per_op.attention == none.attention
    assert full.matrices == pytest.approx(none.matrices * 4 / 3)
    assert selective.matrices == none.matrices
    assert full.attention == selective.attention == pytest.approx(none.attention * 4.5 / 3.5)


def test_a_module_that_is_recomputed_is_multiplied_once_more() -> None:
    """DeepSeek-V3: up-projections of latents alone, of ranks 512 and 1,536 to 128 heads."""
    shapes = _shapes("deepseek-v3", sequence_length="4096")
    none = times_of(shapes, H100, _work(expert_ranks=64.0), KERNELS)
    ups = times_of(shapes, H100, _work(expert_ranks=64.0, recompute="selective", modules="mla_up_proj"), KERNELS)
    only = shapes._replace(products=tuple(one for one in shapes.products if one.module == "mla_up_proj"))
    alone = times_of(only, H100, _work(expert_ranks=64.0), KERNELS).matrices
    assert ups.matrices - none.matrices == pytest.approx(alone / 3)
    assert (ups.experts, ups.attention) == (none.experts, none.attention)


def test_a_hybrid_of_single_blocks_has_its_dense_blocks_apart_from_its_states() -> None:
    """Nemotron-H 56B: 118 layers, 10 of attention, 54 of Mamba-2 and 54 of two matrices of 8,192 × 32,768."""
    shapes = _shapes("nemotron-h-56b")
    dense = [one for one in shapes.products if one.module == "mlp"]
    assert [(one.rows, one.columns, one.layers) for one in dense] == [(8192, 32768, 54), (32768, 8192, 54)]
    assert shapes.states.layers == 54
    assert shapes.states.width == pytest.approx(2 * 8192, rel=0.1)  # Mamba-2 widens the hidden size twice


def test_a_scan_reads_and_writes_what_the_kernels_of_mamba_ssm_do() -> None:
    """Nemotron 3 Nano: states of 128 values for each of w channels at the end of 128 tokens, so 74 w bytes a token."""
    shapes = _shapes("nemotron-3-nano")
    h100 = H100._replace(memory=KERNELS.memory * REFERENCE_MEMORY)
    layers, width, values = shapes.states
    none, full = (times_of(shapes, h100, _work(recompute=how), KERNELS).states for how in ("none", "full"))
    reached = KERNELS.state * 3.35e12
    assert none == pytest.approx(layers * 8192 * (28 * width + 46 * values / 128) / reached)
    assert full - none == pytest.approx(layers * 8192 * (6 * width + 12 * values / 128) / reached)


def test_norms_and_convolutions_around_scans_move_24_bytes_a_hidden_value_and_60_a_channel() -> None:
    shapes = _shapes("nemotron-3-nano")
    without = shapes._replace(states=shapes.states._replace(layers=0))
    found, left = (times_of(one, H100, _work(), KERNELS).memory for one in (shapes, without))
    layers, width, _ = shapes.states
    assert found - left == pytest.approx(layers * 8192 * (24 * 2688 + 60 * width) / 3e12)


@pytest.mark.parametrize(("bandwidth", "measured"), [(4.8e12, 2.032 / 1.768), (8e12, 2.032 / 1.562)])
def test_a_scan_gains_less_than_bandwidth_from_a_newer_gpu(bandwidth: float, measured: float) -> None:
    """A chunked scan of 32,768 tokens takes 2.032 ms on H100, 1.768 on H200 and 1.562 on GB200 (AIConfigurator)."""
    shapes = _shapes("nemotron-3-nano")
    slow, fast = (
        times_of(shapes, H100._replace(memory=KERNELS.memory * each), _work(), KERNELS).states
        for each in (3.35e12, bandwidth)
    )
    assert slow / fast == pytest.approx(measured, rel=0.05)


@pytest.mark.parametrize(("precision", "value"), [("bf16", 2), ("fp8", 1), ("mxfp8", 1), ("nvfp4", 0.5625)])
def test_products_that_wait_for_memory_read_what_the_precision_has(precision: Precision, value: float) -> None:
    """Inputs and weights in the precision, results in 16 bits; forward once, backward twice."""
    shapes = _shapes("llama-3-8b")
    slow = H100._replace(memory=1e6, precision=precision)
    moved = sum(
        one.layers * (value * (8192 + one.columns) * one.rows + 2 * 8192 * one.columns) for one in shapes.products
    )
    assert times_of(shapes, slow, _work(), KERNELS).matrices == pytest.approx(3 * moved / 1e6)


def test_what_lies_between_products_moves_so_many_bytes_a_token() -> None:
    """Llama 3 8B: 32 layers 4,096 wide, 32 heads and 8 key-value heads of 128, blocks of 14,336."""
    attention, block = 24 * 4096 + 12 * (32 + 2 * 8) * 128, 24 * 4096 + 16 * 14_336
    found = times_of(_shapes("llama-3-8b"), H100, _work(), KERNELS).memory
    assert found == pytest.approx(8192 * 32 * (attention + block) / 3e12)


def test_an_output_layer_is_fed_by_its_sides_as_other_products() -> None:
    """Llama 3 8B: 4,096 by 128,256, three products of bf16, and 16 bytes for each logit; half grows with the peak."""
    device = H100._replace(flops_16=1.5 * REFERENCE_FLOPS)
    half = 1.5 * KERNELS.matrix_half
    fed = prod(side / (side + half) for side in (8192, 4096, 128_256))
    products = 6 * 8192 * 4096 * 128_256 / (KERNELS.matrix_16 * fed * 1.5 * REFERENCE_FLOPS)
    found = times_of(_shapes("llama-3-8b"), device, _work(), KERNELS).logits
    assert found == pytest.approx(products + 16 * 8192 * 128_256 / 3e12)


def test_a_frozen_output_layer_has_no_gradient_of_its_own() -> None:
    """Two products in place of three; a loss of 16 bytes for each logit in both."""
    shapes = _shapes("llama-3-8b")
    whole, frozen = (times_of(one, H100, _work(), KERNELS).logits for one in (shapes, shapes._replace(frozen=True)))
    loss = 16 * 8192 * 128_256 / 3e12
    assert frozen - loss == pytest.approx((whole - loss) * 2 / 3)


def test_without_sequence_parallelism_each_tensor_rank_norms_all_tokens() -> None:
    """Llama 3 8B, 8 ranks: 48 bytes for each of 4,096 values around two blocks of 32 layers."""
    shapes = _shapes("llama-3-8b")
    apart, alike = (
        times_of(shapes, H100, _work(tensor_ranks=8.0, sequence_parallel=how), KERNELS).memory for how in (True, False)
    )
    assert alike - apart == pytest.approx(7 / 8 * 8192 * 32 * 48 * 4096 / 3e12)


@pytest.mark.parametrize(("sums", "moved"), [(4.0, 10), (2.0, 6)])
def test_gradients_that_a_kernel_of_its_own_adds_up_are_read_and_their_sum_read_and_written(
    sums: float, moved: int
) -> None:
    """Megatron-LM before February 2022: `main_grad.add_(grad)`, 2 bytes and twice those of the sum, on 8 ranks."""
    shapes = _shapes("llama-3-8b")
    fused, apart = (times_of(shapes, H100, _work(tensor_ranks=8.0, added_bytes=each), KERNELS) for each in (0, sums))
    parameters = sum(one.rows * one.columns * one.layers for one in shapes.products)
    assert apart.memory - fused.memory == pytest.approx(moved * parameters / 8 / 3e12)
    assert apart._replace(memory=0.0) == fused._replace(memory=0.0)


def test_experts_gradients_are_added_up_on_their_rank_and_those_of_frozen_weights_never() -> None:
    """Qwen3 30B: 128 experts of three matrices of 2,048 × 768 in each of 48 layers, over 8 ranks."""
    shapes = _shapes("qwen3-30b-a3b")
    dense = sum(one.rows * one.columns * one.layers for one in shapes.products)
    added = [
        times_of(one, H100, _work(expert_ranks=8.0, added_bytes=each), KERNELS).memory
        for one in (shapes, shapes._replace(frozen=True))
        for each in (0, 4.0)
    ]
    assert added[1] - added[0] == pytest.approx(10 * (dense + 48 * 128 * 3 * 2048 * 768 / 8) / 3e12)
    assert added[3] == added[2]


def test_a_search_counts_gradients_that_are_not_added_up_by_products() -> None:
    fused, apart = (
        training_state({"model": "llama-3-70b", "gpus": "256", "gradient_accumulation_fusion": how}).values
        for how in ("yes", "no")
    )
    assert apart["step_time"] > fused["step_time"]


@pytest.mark.parametrize(("recompute", "passes"), [("none", 19), ("full", 26)])
def test_scores_that_are_written_to_memory_are_read_again_by_each_kernel(recompute: str, passes: int) -> None:
    """Forward 7 bytes: product, softmax over half of the square, product; backward 12: two products, softmax, two."""
    shapes = _shapes("llama-3-8b")
    fast = H100._replace(flops_16=1e30)
    found = times_of(shapes, fast, _work(fused_attention=False, recompute=recompute), KERNELS).attention
    assert found == pytest.approx(32 * 32 * 8192 * 8192 * passes / 3e12)


@pytest.mark.parametrize(("recompute", "passes"), [("none", 3), ("full", 4)])
def test_scores_that_are_written_to_memory_are_multiplied_over_the_whole_square_and_never_twice(
    recompute: str, passes: int
) -> None:
    """Keys with queries and scores with values forward, four such products backward: 3 times 128 + 128 values a score.

    Flash attention computes half of the square, and the scores again in the backward pass.
    """
    wide = H100._replace(memory=1e30)
    found = times_of(_shapes("llama-3-8b"), wide, _work(fused_attention=False, recompute=recompute), KERNELS).attention
    flops = 32 * 32 * 8192 * 8192 * passes * 2 * (128 + 128)
    assert found == pytest.approx(flops / (KERNELS.matrix_16 * 989e12))


@pytest.mark.parametrize(("recompute", "passes"), [("none", 10), ("full", 15)])
def test_dropout_of_scores_that_are_written_to_memory_reads_and_writes_them_and_a_mask(
    recompute: str, passes: int
) -> None:
    """PyTorch's dropout, 5 bytes for a score in each direction: 2 read, 2 written, and a mask of 1; none if fused."""
    shapes = _shapes("llama-3-8b")
    for fused, more in ((False, passes), (True, 0)):
        none, some = (
            times_of(shapes, H100, _work(fused_attention=fused, recompute=recompute, dropout=how), KERNELS).attention
            for how in (False, True)
        )
        assert some - none == pytest.approx(32 * 32 * 8192 * 8192 * more / 3e12)


def test_a_last_stage_that_is_not_balanced_has_the_output_layer_besides_its_layers() -> None:
    """Nemotron 22B in NeMo 24.07: ten layers on each of four stages, and 256,000 words on the last."""
    (run,) = (one for one in runs() if one.source == "nemo-24.07" and one.family == "nemotron-22b")
    micro_batch, stage = run.values["micro_batch_times"], run.values["stage_work"]
    assert sum(stage) == pytest.approx(micro_batch.layers / 4 + micro_batch.logits)
    assert abs(run.error) <= NEAR


def test_a_graph_holds_a_layer_whole_where_there_are_no_experts() -> None:
    """Nemotron-H 56B over 8 H100 each: 1,625.5 tokens/s per GPU without graphs in NeMo 25.05, 2,069.7 with in 25.07."""
    given = {"model": "nemotron-h-56b", "gpus": "128", "tensor_parallel": "8", "training_precision": "fp8"}
    of = {graphs: training_state({**given, "cuda_graphs": graphs}).values for graphs in ("none", "parts", "step")}
    rates = {graphs: values["tokens_per_step"] / values["step_time"] for graphs, values in of.items()}
    assert rates["parts"] / rates["none"] == pytest.approx(2069.7 / 1625.5, rel=0.05)
    assert rates["step"] == rates["parts"]


def test_frozen_layers_launch_two_thirds_and_each_adapter_a_group_of_its_own() -> None:
    """Llama 3 8B: 22 groups in each of 32 layers; two adapters in each on query and value projections."""
    device = H100._replace(dense_launch=1.0)
    whole = times_of(_shapes("llama-3-8b"), device, _work(), KERNELS).launches
    shapes = _shapes("llama-3-8b", job="lora", lora_targets="query-value")
    assert whole == 22 * 32
    assert times_of(shapes, device, _work(), KERNELS).launches == pytest.approx(whole * 2 / 3 + 2 * 32)


def test_recomputed_experts_are_multiplied_and_sent_for_once_more() -> None:
    """The module `moe` of Megatron Core is the whole block: router, routed and shared experts, and the exchange."""
    kept, again = (
        training_state(
            {"model": "deepseek-v3", "gpus": "512", "expert_parallel": "64", "recompute": how}
            | {"tensor_parallel": "1", "pipeline_parallel": "8", "recompute_modules": "moe"}
        ).values
        for how in ("none", "selective")
    )
    assert again["expert_time"] == pytest.approx(1.5 * kept["expert_time"])
    assert again["micro_batch_times"].experts == pytest.approx(4 / 3 * kept["micro_batch_times"].experts)
    assert again["micro_batch_times"].matrices > kept["micro_batch_times"].matrices


def test_tensor_ranks_divide_what_norms_of_layers_with_a_state_move() -> None:
    shapes = _shapes("nemotron-h-56b")
    one, eight = (times_of(shapes, H100, _work(tensor_ranks=ranks), KERNELS).memory for ranks in (1.0, 8.0))
    assert eight == pytest.approx(one / 8)


def test_a_graph_of_the_whole_step_saves_a_dense_model_no_more_than_graphs_of_parts() -> None:
    """No published dense run has one: the host runs ahead of the GPU, and waits for experts alone."""
    rates = {
        (model, graphs): training_state({"model": model, "gpus": "64", "cuda_graphs": graphs}).values["step_time"]
        for model in ("llama-3-8b", "gpt-oss-120b")
        for graphs in ("parts", "step")
    }
    assert rates["llama-3-8b", "step"] == rates["llama-3-8b", "parts"]
    assert rates["gpt-oss-120b", "step"] < rates["gpt-oss-120b", "parts"]


def test_a_window_costs_what_it_sees() -> None:
    """Gemma 3 27B at 131,072 tokens: 52 of 62 layers see 1,024 and a tile of 128 at its edge."""
    shapes = _shapes("gemma-3-27b", sequence_length="8192")
    windowed = times_of(shapes, H100, _work(sequence=131072.0, tokens=131072.0), KERNELS).attention
    whole = shapes._replace(attention=shapes.attention._replace(window_layers=0))
    everywhere = times_of(whole, H100, _work(sequence=131072.0, tokens=131072.0), KERNELS).attention
    seen = 1024 - 1024**2 / (2 * 131072) + 128
    assert windowed / everywhere == pytest.approx((10 * 65536 + 52 * seen) / (62 * 65536))


@pytest.mark.parametrize(("precision", "value"), [("bf16", 2), ("fp8", 1)])
def test_experts_that_wait_for_memory_read_their_weights_and_tokens(precision: Precision, value: float) -> None:
    """Qwen3 30B over 8 ranks: 16 experts of three matrices of 2,048 × 768; 8 copies of each token, in and out."""
    shapes = _shapes("qwen3-30b-a3b")
    slow = H100._replace(memory=1e6, precision=precision)
    copies = 8 * 8192 * 2048
    moved = value * (16 * 3 * 2048 * 768 + copies) + 2 * copies
    found = times_of(shapes, slow, _work(expert_ranks=8.0), KERNELS).experts
    assert found == pytest.approx(3 * 48 * moved / 1e6)


def test_few_tokens_for_an_expert_slow_its_products() -> None:
    """Qwen3 30B: 8,192 tokens send 512 to each of 128 experts; of sixteen times as many the products take less each."""
    shapes = _shapes("qwen3-30b-a3b")
    few, many = (times_of(shapes, H100, _work(expert_ranks=ranks), KERNELS).experts for ranks in (1.0, 16.0))
    assert 1.3 < few / many < 2


def test_expert_parallelism_times_tensor_parallelism_counts_no_token_twice() -> None:
    shapes = _shapes("qwen3-235b-a22b")
    alone = times_of(shapes, H100, _work(expert_ranks=8.0), KERNELS).experts
    shared = times_of(shapes, H100, _work(expert_ranks=16.0, tensor_ranks=2.0), KERNELS).experts
    assert shared == pytest.approx(alone / 2, rel=0.05)


@pytest.mark.parametrize(
    ("device", "precision"), [("a100-sxm-80gb", "fp8"), ("h100-sxm", "mxfp8"), ("h100-sxm", "nvfp4")]
)
def test_a_precision_that_the_device_has_no_units_for_is_refused(device: str, precision: str) -> None:
    with pytest.raises(InputError, match="has no"):
        training_state({"accelerator": device, "training_precision": precision})


def test_a_given_share_of_peak_or_mfu_wins_over_shapes() -> None:
    """Links of earlier versions that pin either keep their step."""
    assert training_state({"matmul_utilization": "55%"}).values["kernel_utilization"] != 0.55
    values = training_state({"matmul_utilization": "55%"}).values
    times = 8 if values["recompute"] == "full" else 6
    assert values["compute_time"] == pytest.approx(
        times * values["active_parameters"] * values["tokens_per_step"] / (values["layout_gpus"] * 989e12 * 0.55)
    )
    pinned = training_state({"mfu": "38%"}).values
    assert pinned["tokens_per_second_per_gpu"] == pytest.approx(0.38 * 989e12 / pinned["model_flops_per_token"])


def test_published_runs_are_met_by_family_as_far_as_is_reported() -> None:
    """Fitted on nine models of Megatron Bridge; each model's median within 15 %, nine in ten of all within 20 %."""
    seen = by(lambda one: one.family, [one for one in runs() if one.source == FITTED], lambda one: one.error)
    print(f"\nfitted on\n{table(seen)}")  # noqa: T201  with -s
    assert all(abs(median(errors)) <= 0.15 for errors in seen.values())
    assert near([one for errors in seen.values() for one in errors]) >= 0.9


def test_runs_of_models_and_software_that_nothing_was_fitted_on_are_met_for_eight_in_ten() -> None:
    """NeMo 24.07: models of its own on H100 in FP8. LLM Foundry on A100 and H100 gave PyTorch's share alone."""
    judged = by(lambda one: one.source, [one for one in runs() if one.source != FITTED], lambda one: one.error)
    print(f"\nnever fitted\n{table(judged)}")  # noqa: T201  with -s
    assert near(judged["nemo-24.07"]) >= 0.8
    assert abs(median(judged["nemo-24.07"])) <= 0.15
    assert near([one for errors in judged.values() for one in errors]) >= 0.8
    assert abs(median(judged["llm-foundry"])) <= 0.15


def test_no_family_of_published_runs_is_off_by_more_than_15_percent_at_the_median() -> None:
    """Megatron-DeepSpeed too: kernels add gradients up and drop scores, and links run at 40% of their rate."""
    off = {name: round(median(errors), 3) for name, errors in judged().items() if abs(median(errors)) > 0.15}
    assert off == {}

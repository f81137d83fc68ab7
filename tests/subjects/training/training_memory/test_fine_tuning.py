"""Fine-tuning is a job of its own: what it trains, what it keeps, how many tokens it sees."""

from __future__ import annotations

import pytest

from calculators.answers.answer import evaluated, warnings
from calculators.answers.input_state import parse_inputs, valid_inputs
from calculators.catalog import CALCULATORS, joined
from calculators.llm.parts import FeedForward, Mixture
from calculators.llm.step.adapters import Adapted, AdapterWork
from calculators.subjects.training.training_memory.activations import Routing
from calculators.subjects.training.training_memory.recomputation import adapter_activation as declared

adapter_activation = declared.function
MEMORY, TIME = CALCULATORS["training_memory"], CALCULATORS["training_time"]
ONE_GPU = {"model": "llama-3-8b", "tensor_parallel": "1", "pipeline_parallel": "1", "data_parallel": "1"}


def test_a_fine_tune_of_a_model_from_the_menu_does_not_take_the_tokens_of_its_pre_training() -> None:
    for job in ("full", "lora", "qlora"):
        values = evaluated(TIME, valid_inputs(TIME, {"model": "llama-3-70b", "gpus": "8", "job": job}))
        assert values["tokens"] == 100e6
        assert not any("smaller model would learn" in text for text in warnings(TIME, values))
        assert not any("compute-optimal" in text for text in warnings(TIME, values))


@pytest.mark.parametrize("given", [{}, {"job": "pre-training"}])
def test_pre_training_takes_the_published_tokens_also_when_it_is_chosen_by_name(given: dict[str, str]) -> None:
    assert parse_inputs(TIME, {"model": "llama-3-70b", **given}).values["tokens"] == 15e12


def test_tokens_that_the_reader_gives_apply_to_every_job() -> None:
    assert parse_inputs(TIME, {"model": "llama-3-70b", "job": "lora", "tokens": "2B"}).values["tokens"] == 2e9


def test_adapters_alone_have_gradients_and_an_optimizer() -> None:
    full, lora, qlora = (
        evaluated(MEMORY, valid_inputs(MEMORY, {**ONE_GPU, "job": job, "recipe": "recipe-adam-bf16-16"}))
        for job in ("full", "lora", "qlora")
    )
    assert full["gradient_memory"] == 2 * full["parameters"]
    assert lora["gradient_memory"] == pytest.approx(2 * 41_943_040)
    assert lora["optimizer_memory"] == pytest.approx(12 * 41_943_040)
    assert lora["weight_memory"] == pytest.approx(2 * (full["parameters"] + 41_943_040))
    tables = 2 * 128_256 * 4096 * (2 - qlora["frozen_bytes"])
    assert qlora["weight_memory"] - tables < 0.27 * lora["weight_memory"]


def test_frozen_weights_are_gathered_without_gradients() -> None:
    """Llama 3 8B: 128,256 x 4,096 is larger than a layer; in 16 bits twice, once, and once besides 4 bits."""
    given = {**ONE_GPU, "data_parallel": "8", "zero_stage": "3", "recipe": "recipe-adam-bf16-16"}
    full, lora, qlora = (
        evaluated(MEMORY, valid_inputs(MEMORY, {**given, "job": job}))["gathered_memory"]
        for job in ("full", "lora", "qlora")
    )
    table, share = 128_256 * 4096, 41_943_040 / 8_030_261_248
    assert full == 4 * table
    assert [lora, qlora] == pytest.approx([(2 + 2 * 2 * share) * table] * 2)


def test_full_recomputation_of_a_frozen_model_repeats_a_whole_forward_pass() -> None:
    given = {"model": "llama-3-8b", "job": "lora", "recompute": "full"}
    values = evaluated(TIME, valid_inputs(TIME, given))
    assert values["recompute_flops_per_token"] == pytest.approx(2 * values["parameters"])


def _layer(**given: str) -> float:
    """Activations that one layer of Llama 3 8B keeps for one token [B]."""
    values = evaluated(MEMORY, valid_inputs(MEMORY, {**ONE_GPU, "sequence_length": "8192", **given}))
    return float(values["layer_activation"]) / 8192


def test_adapters_keep_what_their_own_gradients_need() -> None:
    """Seven adapters of rank 16 keep 224 B of outputs; 16-bit copies of inputs are six 4,096 wide and one 14,336.

    A frozen matrix then keeps none of its own: neither what norms give (two 4,096) nor the product of the gate.
    bitsandbytes kept it until 0.43.2.
    """
    full, outputs, copies = _layer(job="full"), 7 * 16 * 2, 2 * (6 * 4096 + 14336)
    assert _layer(job="lora", adapter_input_bytes="0") == full + outputs
    assert _layer(job="lora") == _layer(job="qlora") == full + outputs + copies - 2 * (2 * 4096 + 14336)
    assert _layer(job="qlora", quantized_inputs_kept="yes") == full + outputs + copies


def test_peft_keeps_a_copy_in_fp32_of_what_each_adapter_reads() -> None:
    """Llama 3.2 3B, without autocast: adapters on feed-forward blocks reserved 2.405 GB more than others.

    The others are on queries and values. A batch is at most 4 x 768 tokens, so this is 783 kB each at least, which
    copies in 16 bits would not explain.
    """
    llama = FeedForward(3072, 8192, 8192, 3, 28, 0)
    queries = AdapterWork(32, (Adapted(3072, 3072, 28, "columns"), Adapted(3072, 1024, 28, "columns")), 0)
    blocks = AdapterWork(10, (Adapted(3072, 8192, 56, "columns"), Adapted(8192, 3072, 28, "rows")), 0)
    least = (24_698_159_104 - 22_292_725_760) / (4 * 768)

    def kept(work: AdapterWork, copy: float) -> float:
        found = adapter_activation(work, "query-value", copy, 2, llama, Routing(1, 1, 1), Mixture(1, 0, 3072), 1)
        return 28 * sum(found)

    assert least < kept(blocks, 4) - kept(queries, 4) < 1.25 * least
    assert kept(blocks, 2) - kept(queries, 2) < 0.75 * least


def test_sequence_parallelism_does_not_split_what_adapters_gather() -> None:
    """Each of eight ranks of Megatron Bridge keeps both gathered inputs of a layer whole: 2 x 2 x 4,096 B."""
    ranks = {"tensor_parallel": "8", "data_parallel": "1", "adapter_input_bytes": "0"}
    outputs = 7 * 16 * 2  # whole on every rank
    assert _layer(job="lora", **ranks) == _layer(job="full", **ranks) + outputs + 2 * 2 * 4096 * 7 / 8
    apart = {**ranks, "sequence_parallel": "no"}
    assert _layer(job="lora", **apart) == _layer(job="full", **apart) + outputs


def test_adapters_of_experts_that_a_token_is_not_sent_to_cost_it_nothing() -> None:
    """DeepSeek-V3: 58 x 248 idle experts x 3 x (7,168 + 2,048) x rank 16 are 6.36e9 adapters that rest."""
    frozen = evaluated(TIME, valid_inputs(TIME, {"model": "deepseek-v3", "job": "lora", "lora_targets": "all"}))
    idle = 58 * (256 - 8) * 3 * (7168 + 2048) * 16
    assert frozen["active_adapter_parameters"] == frozen["adapter_parameters"] - idle
    assert frozen["model_flops_per_token"] == pytest.approx(4 * frozen["active_parameters"], rel=0.015)


def test_a_speed_has_the_same_utilizations_whichever_is_chosen() -> None:
    given = {"model": "llama-2-7b", "job": "lora", "measured_rate": "25206", "sequence_length": "4096"}
    found = [
        evaluated(TIME, valid_inputs(TIME, {**given, "attention_flops": one})) for one in ("ignored", "causal", "full")
    ]
    for name in ("mfu_without_attention", "mfu_causal", "mfu_full"):
        assert len({values[name] for values in found}) == 1, name


def test_a_checkpoint_of_adapters_weighs_megabytes_not_the_model() -> None:
    """Llama 3 70B at rank 16 on every matrix: 80 x 16 x 161,792 = 207,093,760, of 2 B each."""
    checkpoint = CALCULATORS["checkpoint"]
    given = {"model": "llama-3-70b", "checkpoint_bytes_per_parameter": "2"}
    lora = evaluated(checkpoint, valid_inputs(checkpoint, {**given, "job": "lora"}))
    assert lora["checkpoint_size"] == pytest.approx(2 * 207_093_760, rel=0.1)
    whole = evaluated(checkpoint, valid_inputs(checkpoint, given))
    assert whole["checkpoint_size"] == 2 * whole["parameters"]


def test_the_joined_catalogue_saves_the_adapters_that_training_counts() -> None:
    everything = joined()
    values = evaluated(everything, valid_inputs(everything, {"model": "llama-3-70b", "job": "lora"}))
    assert values["trainable_parameters"] == 207_093_760
    assert values["checkpoint_size"] == 14 * 207_093_760

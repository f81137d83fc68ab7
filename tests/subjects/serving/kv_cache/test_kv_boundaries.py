"""KV cache: formulas at numbers that do not divide, and the verdict at its boundaries, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.llm.serving import constraints, memory, weight_reads
from calculators.subjects.serving.kv_cache import capacity, decoding, verdicts
from calculators.subjects.serving.kv_cache.calculator import CALCULATOR


def test_weights_are_split_over_ranks_and_routed_experts_over_groups() -> None:
    """7 billion parameters of 1.5 B over two ranks: 5.25 GB; of 60 % in routed experts 1/3 is left on each."""
    assert memory.serving_weight_memory(7e9, 1.5, 2, 0, 1) == pytest.approx(5.25e9)
    assert memory.serving_weight_memory(7e9, 1.5, 2, 0.6, 3) == pytest.approx(5.25e9 * 0.6)
    assert (memory.expert_groups(8, 12), memory.expert_groups(8, 4)) == (1.5, 1)
    # 10 of 16 experts' worth of what is not active: 12 of 16 are unused by a token.
    assert memory.routed_share(10e9, 4e9, 16, 4) == pytest.approx(0.8)
    assert memory.routed_share(10e9, 10e9, 1, 1) == 0
    assert memory.routed_share(10e9, 4e9, 4, 5) == 0


def test_kv_cache_memory_is_what_weights_and_overhead_leave() -> None:
    assert capacity.memory_reserve(80, 0.85) == pytest.approx(12)
    assert memory.cache_budget(80, 0.85, 40, 5, None) == pytest.approx(23)
    assert memory.cache_budget(80, 0.5, 40, 5, None) == 0
    assert memory.cache_budget(80, 0.85, 40, 5, 7) == 7
    assert (capacity.cache_free(7, 5), capacity.cache_free(5, 7)) == (2, 0)
    assert memory.concurrency(7, 2) == 3.5
    assert [memory.max_sequences(fitting) for fitting in (3.5, 4, 0.9)] == [3, 4, 0]
    # 100 B of room, 9 B a sequence of 25 tokens in pages of 16: 17.36 pages.
    assert capacity.max_tokens(100, 9, 25, 16) == 17 * 16
    assert [capacity.default_context(positions) for positions in (None, 2048, 131072)] == [8192, 2048, 8192]


def longest(**changed: Any) -> float:
    """Of 1,000 B of room for four sequences over two ranks, ten layers of 0.1 B a token in blocks of 16."""
    given = {
        "cache_budget": 1000,
        "sequences": 4,
        "cache_entry": 0.2,
        "cache_share_per_gpu": 0.5,
        "attention_layers": 10,
        "global_layers": 10,
        "window_entry_ratio": 1,
        "compressed_values": 0,
        "cache_bytes": 2,
        "state_per_sequence": 0,
        "serving_tensor_parallel": 2,
        "window": 64,
        "tokens_in_flight": 1,
        "kv_block_size": 16,
    }
    formula = capacity.max_context
    return float(formula.function(*[{**given, **changed}[need] for need in formula.needs]))


def test_the_longest_context_fills_the_blocks() -> None:
    """250 B each are 156.25 blocks of 1.6 B: 15 for each of ten layers."""
    assert longest() == 15 * 16
    assert longest(cache_budget=1024) == 16 * 16
    # A state of 100 B over two ranks leaves 200 B: 125 pages.
    assert longest(state_per_sequence=100) == 12 * 16
    assert longest(state_per_sequence=1000) == 0
    # Compressed entries of a value in two bytes are as ten layers more: 20.
    assert longest(compressed_values=1) == 7 * 16


def test_windows_stop_growing() -> None:
    """Four of ten layers have full attention; six hold a window of 64 in four blocks and one: 126.25 are for four."""
    assert longest(global_layers=4) == 31 * 16
    # Windows of double entries: 12 x 5 pages leave 96.25 for four.
    assert longest(global_layers=4, window_entry_ratio=2) == 24 * 16
    # A window of 400 tokens is 25 pages, longer than fit: six pages go to incomplete blocks, and fifteen are shared.
    assert longest(global_layers=4, window=400) == 15 * 16
    assert longest(global_layers=0) == memory.LONGEST_CONTEXT


FITS = {
    "cache_budget": 10,
    "cache_memory_per_gpu": 9,
    "max_sequences": 4,
    "max_context": 500,
    "context": 400,
    "positions": 400,
}


@pytest.mark.parametrize(
    ("changed", "level", "word", "because"),
    [
        ({}, "good", "fits", "room for {max_sequences}"),
        ({"positions": None}, "good", "fits", "room for {max_sequences}"),
        ({"context": 401}, "tight", "fits, but beyond the model's context", "supports {positions}"),
        ({"cache_memory_per_gpu": 9.01}, "tight", "tight", "room for {max_sequences}"),
        ({"cache_memory_per_gpu": 10}, "tight", "tight", "room for {max_sequences}"),
        ({"cache_memory_per_gpu": 10.1}, "bad", "does not fit", "{max_sequences} of this length"),
        ({"cache_memory_per_gpu": 10.1}, "bad", "does not fit", "the longest context is {max_context}."),
        ({"cache_memory_per_gpu": 10.1, "max_sequences": 1}, "bad", "does not fit", "{max_sequences} of this length"),
        (
            {"cache_memory_per_gpu": 10.1, "max_sequences": 0},
            "bad",
            "does not fit",
            "Not even one sequence fits; for {sequences}",
        ),
        (
            {"cache_memory_per_gpu": 10.1, "max_sequences": 0, "max_context": 0},
            "bad",
            "does not fit",
            "Not even one sequence fits.",
        ),
        ({"cache_budget": 0, "cache_memory_per_gpu": 0}, "bad", "does not fit", "No memory is left"),
        ({"cache_budget": 0.1, "cache_memory_per_gpu": 0.01}, "good", "fits", "room for"),
    ],
)
def test_the_verdict_turns_at_its_boundaries(changed: dict[str, Any], level: str, word: str, because: str) -> None:
    formula = verdicts.serving_fits
    judged = formula.function(*[{**FITS, **changed}[need] for need in formula.needs])
    assert (judged.level, judged.word, because in judged.reason) == (level, word, True)


def test_a_step_reads_weights_and_cache_once() -> None:
    assert decoding.running_sequences(7, 5) == decoding.running_sequences(5, 7) == 5
    assert weight_reads.experts_touched(10, 3, 2, 1.5) == pytest.approx(10 * (1 - 0.343))
    assert weight_reads.experts_touched(1, 1, 7, 1) == 1
    assert weight_reads.shared_weights_read(7e9, 1.5, 0.6, 1e9) == pytest.approx(2.7e9)
    assert weight_reads.shared_weights_read(7e9, 1.5, 0.6, 3e9) == 0
    assert weight_reads.routed_weights_read(7e9, 1.5, 0.6, 16, 6) == pytest.approx(2.3625e9)
    assert weight_reads.model_weights_read(2.7e9, 2.3e9) == 5e9
    assert weight_reads.weights_read(3e9, 2e9, 5, 1.6) == pytest.approx(0.85e9)
    assert decoding.decode_step_time(3e9, 0.7e9, 5, 2e12) == pytest.approx(3.25e-3)
    assert decoding.decode_tokens_per_second(5, 0.03) == pytest.approx(166.67, abs=0.01)
    assert decoding.decode_tokens_per_second_per_sequence(5, 0.03) == pytest.approx(33.33, abs=0.01)
    assert decoding.decode_tokens_per_second(0, 0.03) == decoding.decode_tokens_per_second_per_sequence(0, 0.03) == 0
    assert weight_reads.lookup_table_parameters(3, 0.7, 8, 8, 100, 90, 0) == pytest.approx(2.1)
    assert weight_reads.lookup_table_parameters(3, 0.7, 8, 8, 100, 90, 5) == pytest.approx(7.1)
    # With fewer layers of attention than layers the table is what it is, and where that is more than works, its share.
    assert weight_reads.lookup_table_parameters(3, 0.7, 7, 8, 100, 90, 0) == 3
    assert weight_reads.lookup_table_parameters(3, 0.4, 7, 8, 2, 1, 0) == pytest.approx(0.6)


def test_without_attention_only_states_must_fit_and_no_context_is_too_long() -> None:
    """Of 1,000 B for four sequences 250 B each; a state of 500 B over two ranks takes just that."""
    alone = {"attention_layers": 0, "global_layers": 0}
    assert longest(**alone, state_per_sequence=500) == memory.LONGEST_CONTEXT
    assert longest(**alone, state_per_sequence=502) == 0


def test_a_model_without_attention_needs_a_state() -> None:
    report = "A model without attention layers keeps a state: give its state per sequence, which is 0 B"
    assert constraints.attention_within_layers.function(0, 10, 0) == report
    assert constraints.attention_within_layers.function(0, 10, 1) == ""
    assert constraints.attention_within_layers.function(10, 10, 0) == ""
    assert (
        constraints.attention_within_layers.function(11, 10, 0)
        == "Layers with attention must be at most {layers}, not {attention_layers}"
    )


def test_memory_is_shown_in_binary_units_and_bytes_read_in_decimal_ones() -> None:
    read = {"model_weights_read", "weights_read", "routed_weights_read", "shared_weights_read"}
    assert {name for name, one in CALCULATOR.steps.items() if one.unit == "B" and not one.binary} == read

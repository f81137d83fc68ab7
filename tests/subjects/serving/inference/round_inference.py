"""Inference of a model of round numbers, for tests that calculate by hand."""

from __future__ import annotations

from typing import Any

from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from tests.subjects.training.training_memory.answer_texts import answer_texts

CALCULATOR = CALCULATORS["inference"]


# 10 layers of 4 key-value heads 100 wide, 8B parameters in 16 bits over two GPUs of 20 GB: 1 GB for KV cache each, and
# 16 kB a token over both, so 124 sequences of 1,000 tokens (in blocks of 16). See tests/cases/inference.toml.
ROUND = {
    "attention": "gqa",
    "layers": 10,
    "heads": 8,
    "kv_heads": 4,
    "head_dim": 100,
    "hidden": 800,
    "vocab": 1000,
    "tied_embeddings": "yes",
    "parameters": "8B",
    "weight_bytes": 2,
    "serving_tensor_parallel": 2,
    "gpu_memory": "20 GB",
    "gpu_memory_utilization": 0.5,
    "overhead": "1 GB",
    "memory_bandwidth": "1 TB/s",
    "peak_flops": "100 TFLOP/s",
    "link_bandwidth": "200 GB/s",
    "bandwidth_efficiency": 0.5,
    "compute_efficiency": 0.5,
    "layer_latency": "100 us",
    "sequence_latency": "10 us",
    "allreduce_latency": "5 us",
    "allreduce_link_efficiency": 0.5,
    "allreduce_decode_efficiency": 0.5,
    "input_tokens": 900,
    "output_tokens": 100,
    "request_rate": 10,
    "prefill_schedule": "chunks",
}


def spoken(**given: Any) -> dict[str, str]:
    return answer_texts(CALCULATOR, {key: str(text) for key, text in {**ROUND, **given}.items()})


def verdict(name: str, **given: Any) -> tuple[str, str, str]:
    values = answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, {**ROUND, **given}))
    judged = answer.verdicts(CALCULATOR, values)[name]
    return judged["level"], judged["word"], judged["reason"]

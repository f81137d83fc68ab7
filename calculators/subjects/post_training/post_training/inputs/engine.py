"""Inputs on the model and its rollout engine: those of Inference's decoding step."""

import dataclasses
from typing import Any

from calculators.declare import placed
from calculators.llm.serving.engine import DRAFT
from calculators.llm.serving.engine import Engine as Settings
from calculators.llm.serving.inputs import ENGINE, Served
from calculators.llm.serving.speed import SPEED, Speed
from calculators.vocabulary.parallelism import serving_tensor_parallel

RANKS = 4
# Whole sequences are not counted in blocks here, and prefill is not mixed with decode.
_LEFT_OUT = {"kv_block_size", "tokens_in_flight", "prefill_chunk", "prefill_schedule"}
_OWN: dict[str, Any] = {"serving_tensor_parallel": placed(serving_tensor_parallel(RANKS), ENGINE)}
_FIELDS: list[tuple[str, Any, Any]] = [
    (
        field.name,
        field.type,
        _OWN.get(field.name) or dataclasses.field(default=field.default, metadata=dict(field.metadata)),
    )
    for part in (Served, Settings, Speed)
    for field in dataclasses.fields(part)
    if field.name not in _LEFT_OUT
]

Engine = dataclasses.make_dataclass("Engine", _FIELDS, frozen=True, kw_only=True)
__all__ = ["DRAFT", "ENGINE", "SPEED", "Engine"]

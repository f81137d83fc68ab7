"""The catalog: every calculator there is, by name."""

from collections.abc import Mapping
from types import MappingProxyType

from calculators import checkpoint, kv_cache, training_memory, training_time
from calculators.declare import Calculator

CALCULATORS: Mapping[str, Calculator] = MappingProxyType(
    {module.CALCULATOR.name: module.CALCULATOR for module in (checkpoint, training_memory, training_time, kv_cache)}
)

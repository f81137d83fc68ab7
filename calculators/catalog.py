"""The catalog: every calculator there is, by name."""

from collections.abc import Mapping
from types import MappingProxyType

from calculators.declare import Calculator
from calculators.serving import kv_cache
from calculators.storage import checkpoint
from calculators.training import memory as training_memory
from calculators.training import time as training_time

CALCULATORS: Mapping[str, Calculator] = MappingProxyType(
    {module.CALCULATOR.name: module.CALCULATOR for module in (checkpoint, training_memory, training_time, kv_cache)}
)

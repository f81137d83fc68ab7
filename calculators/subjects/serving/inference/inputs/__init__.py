"""Inputs of inference: what is served, and its traffic, targets, fleet, engine, KV-cache offload and speed."""

from dataclasses import dataclass

from calculators.llm.serving.engine import Engine
from calculators.llm.serving.inputs import Served
from calculators.llm.serving.speed import Speed
from calculators.subjects.serving.inference.inputs.fleet import Fleet, Offload
from calculators.subjects.serving.inference.inputs.traffic import Traffic


@dataclass(frozen=True, kw_only=True)
class Inputs(Speed, Offload, Engine, Fleet, Traffic, Served):
    """All inputs, in the order of forms from the last base to the first."""

"""Inputs of post-training: the work of a step, pools, trainer, weights, verifiers, the model and its engine."""

import dataclasses

from calculators.subjects.post_training.post_training.inputs.engine import Engine
from calculators.subjects.post_training.post_training.inputs.pools import Pools
from calculators.subjects.post_training.post_training.inputs.retention import Retention
from calculators.subjects.post_training.post_training.inputs.trainer import Trainer, Verifiers
from calculators.subjects.post_training.post_training.inputs.work import Work

# In the order of forms from the last base to the first.
Inputs = dataclasses.make_dataclass(
    "Inputs", [], bases=(Engine, Retention, Verifiers, Trainer, Pools, Work), frozen=True, kw_only=True
)

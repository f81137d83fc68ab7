"""Families of models: each a function from the keys of a configuration to a stack of layers, by its model_type."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from calculators.configuration.families import (
    dense,
    earliest,
    further_dense,
    further_mixtures,
    gemma,
    hybrids,
    latent,
    latest,
    mixtures,
    older,
    short_states,
    states,
)
from calculators.configuration.keys import Keys
from calculators.configuration.stack import Stack

_MODULES = (
    *(dense, further_dense, gemma, older, earliest),
    *(mixtures, further_mixtures, latent, hybrids, states, short_states, latest),
)
FAMILIES: Mapping[str, Callable[[Keys], Stack]] = MappingProxyType(
    {name: family for module in _MODULES for name, family in module.FAMILIES.items()}
)

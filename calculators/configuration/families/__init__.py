"""Families of models: each a function from the keys of a configuration to a stack of layers, by its model_type."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from calculators.configuration.families import (
    dense,
    dense_variants,
    gemma,
    gpt_variants,
    hybrids,
    latent,
    latest,
    mamba,
    moe,
    moe_variants,
    older,
    short_convolution,
)
from calculators.configuration.keys import Keys
from calculators.configuration.stack import Stack

_MODULES = (
    *(dense, dense_variants, gemma, older, gpt_variants),
    *(moe, moe_variants, latent, hybrids, mamba, short_convolution, latest),
)
FAMILIES: Mapping[str, Callable[[Keys], Stack]] = MappingProxyType(
    {name: family for module in _MODULES for name, family in module.FAMILIES.items()}
)

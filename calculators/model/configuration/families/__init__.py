"""Families of models: each a function from the keys of a configuration to a stack of layers, by its model_type."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from calculators.model.configuration.families import dense, gemma, hybrids, latent, mixtures, older
from calculators.model.configuration.keys import Keys
from calculators.model.configuration.stack import Stack

FAMILIES: Mapping[str, Callable[[Keys], Stack]] = MappingProxyType(
    {**dense.FAMILIES, **gemma.FAMILIES, **older.FAMILIES, **mixtures.FAMILIES, **latent.FAMILIES, **hybrids.FAMILIES}
)

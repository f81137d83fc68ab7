"""Inputs of retrieval: corpus, index, lookups, search nodes, building, GPUs and prices."""

from dataclasses import dataclass

from calculators.subjects.retrieval.retrieval.inputs.corpus import Corpus
from calculators.subjects.retrieval.retrieval.inputs.index import Index
from calculators.subjects.retrieval.retrieval.inputs.lookups import Lookups
from calculators.subjects.retrieval.retrieval.inputs.models import Models
from calculators.subjects.retrieval.retrieval.inputs.nodes import Building, Engine, Nodes


@dataclass(frozen=True, kw_only=True)
class Inputs(Models, Building, Engine, Nodes, Lookups, Index, Corpus):
    """All inputs, in the order of forms from the last base to the first."""

"""The vocabulary: a name means the same quantity in every calculator, so that they can be joined into one chain."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import pytest

from calculators import units
from calculators.catalog import CALCULATORS
from calculators.declare import Choice, Formula
from tests.each import each

DECLARED: dict[str, list[tuple[str, Any]]] = defaultdict(list)
for _calculator in CALCULATORS.values():
    for _name in (*_calculator.inputs, *_calculator.steps):
        DECLARED[_name].append((_calculator.name, _calculator.declared(_name)))
SHARED = sorted(name for name, places in DECLARED.items() if len(places) > 1)
NAMES = [pytest.param(name, id=f"names/{name}") for name in SHARED]


@each(NAMES)
def test_a_name_has_the_same_label_unit_and_dimension_everywhere(name: str) -> None:
    declared = [one for _, one in DECLARED[name]]
    if all(isinstance(one, Formula) and one.role == "verdict" for one in declared):
        return  # each page asks its own question
    assert len({one.label for one in declared}) == 1
    assert len({isinstance(one, Choice) for one in declared}) == 1
    if isinstance(declared[0], Choice):
        assert len({tuple(one.options) for one in declared}) == 1
        return
    assert len({one.unit for one in declared}) == 1
    assert len({units.unit(one.unit).dimensions for one in declared if one.unit}) <= 1
    assert len({one.binary for one in declared}) == 1


@each(NAMES)
def test_an_input_has_the_same_aliases_everywhere(name: str) -> None:
    inputs = [one for _, one in DECLARED[name] if not isinstance(one, Formula)]
    assert len({one.aliases for one in inputs}) <= 1


def test_calculators_share_a_vocabulary_at_all() -> None:
    assert {"parameters", "gpus"} <= set(SHARED)


def test_an_alias_never_means_another_input_but_for_what_serving_and_training_call_alike() -> None:
    meanings: dict[str, set[str]] = defaultdict(set)
    for calculator in CALCULATORS.values():
        for declared in calculator.inputs.values():
            for alias in (declared.name, *declared.aliases):
                meanings[alias].add(declared.name)
    for names in meanings.values():
        assert len({name.removeprefix("serving_").removeprefix("training_") for name in names}) == 1


def test_names_are_whole_lower_case_words() -> None:
    for name in DECLARED:
        assert re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name)


def test_labels_are_sentence_case_without_units() -> None:
    for name, places in DECLARED.items():
        for _, one in places:
            assert not re.search(r"[\[(](B|GB|GiB|s|h|W|USD|FLOP)[\])]", one.label), name
            assert not one.label.endswith((".", ":")), name

"""The vocabulary: a name means the same quantity in every calculator, so that they can be joined into one chain."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest

from calculators.catalog import CALCULATORS, joined
from calculators.declare import Choice, Formula

if TYPE_CHECKING:
    from collections.abc import Iterator

DECLARED: dict[str, list[tuple[str, Any]]] = defaultdict(list)
for _calculator in CALCULATORS.values():
    for _name in (*_calculator.inputs, *_calculator.steps):
        DECLARED[_name].append((_calculator.name, _calculator.declared(_name)))
SHARED = sorted(name for name, places in DECLARED.items() if len(places) > 1)


@pytest.mark.parametrize("name", sorted(CALCULATORS))
def test_its_names_mean_the_same_in_other_calculators(name: str) -> None:
    different = [text for shared in SHARED if name in dict(DECLARED[shared]) for text in differences(shared)]
    assert not different, "names are global: declare the same in calculators/vocabulary, or choose another name"
    assert joined().inputs


def differences(name: str) -> Iterator[str]:
    """In what the declarations of a name differ, with the calculators that declare it so."""
    declared = DECLARED[name]
    if all(isinstance(one, Formula) and one.role == "verdict" for _, one in declared):
        return  # each page asks its own question
    inputs = [(place, one) for place, one in declared if not isinstance(one, Formula)]
    yield from differing(name, "the label", [(place, one.label) for place, one in declared])
    yield from differing(name, "whether it is a choice", [(place, isinstance(one, Choice)) for place, one in declared])
    yield from differing(name, "the aliases", [(place, one.aliases) for place, one in inputs])
    choices = [(place, one) for place, one in declared if isinstance(one, Choice)]
    yield from differing(name, "the options", [(place, tuple(one.options)) for place, one in choices])
    numbers = [(place, one) for place, one in declared if not isinstance(one, Choice)]
    yield from differing(name, "the unit", [(place, (one.unit, one.binary)) for place, one in numbers])


def differing(name: str, what: str, stated: list[tuple[str, Any]]) -> Iterator[str]:
    if len({value for _, value in stated}) > 1:
        yield f"{name}: {what} differs: {', '.join(f'{value!r} in {place}' for place, value in stated)}"


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

"""Doctests: the examples in docstrings of calculators and builder, run wherever the tests run, and there are some."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import builder
import calculators
from calculators.catalog import CALCULATORS
from calculators.declare import Formula

NAMES = sorted(
    module.name
    for package in (calculators, builder)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
)


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_of_a_module_hold(name: str) -> None:
    module = importlib.import_module(name)
    tests = [test for test in doctest.DocTestFinder(exclude_empty=True).find(module) if test.examples]
    for formula in vars(module).values():  # a AnyFormula is no function, so doctest passes it over
        if isinstance(formula, Formula) and formula.function.__module__ == name:
            tests += doctest.DocTestFinder().find(formula.function, formula.name, module=False, globs=vars(module))
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in tests:
        runner.run(test)
    assert runner.failures == 0


@pytest.mark.parametrize("name", sorted(CALCULATORS))
def test_every_calculator_has_an_example_with_a_number(name: str) -> None:
    examples = [formula.name for formula in CALCULATORS[name].steps.values() if ">>>" in formula.doc]
    assert examples

"""Comparing states: parts always add up, and are what averaging over every order by hand gives."""

from __future__ import annotations

import contextlib
import itertools
from typing import Any

import pytest

from calculators.answers import answer, sliders
from calculators.answers.explore import attribution as attributing
from calculators.answers.explore.attribution import Changed, attribution
from calculators.answers.input_state import valid_inputs
from calculators.answers.review import comparison
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, InputError, Quantity, Verdict, step
from tests.declare.test_declare import inputs_of, sized, toy


@step("B", "Product")
def product(a: float, b: float, c: float) -> float:
    return a * b + c


TOY = toy(
    inputs_of(a=sized(label="A"), b=sized(label="B"), c=sized(label="C")),
    product,
    headline=("product",),
    answer="{product}",
)


def state(calculator: Calculator, letter: str, **given: Any) -> comparison.State:
    resolved = valid_inputs(calculator, given)
    return comparison.State(letter=letter, resolved=resolved, values=answer.evaluated(calculator, resolved))


def moved(calculator: Calculator) -> comparison.State:
    """A state with the first three quantities at other stops of their sliders, as far as that is not refused."""
    given: dict[str, str] = {}
    for declared in calculator.inputs.values():
        if isinstance(declared, Quantity) and not declared.whole and len(given) < 3:
            stops = sliders.stops(declared)
            tried = given | {declared.name: declared.box(stops[2 * len(stops) // 3])}
            with contextlib.suppress(InputError):
                state(calculator, "B", **tried)
                given = tried
    return state(calculator, "B", **given)


def over_all_orders(
    calculator: Calculator, one: comparison.State, other: comparison.State, made: list[Changed], result: str
) -> dict[str, float]:
    """What each change adds, averaged over every order in which they may be made, one by one."""
    sums = dict.fromkeys((change.name for change in made), 0.0)
    orders = list(itertools.permutations(made))
    for order in orders:
        reached, given = one.values[result], dict(one.resolved.explicit)
        for change in order:
            given = {key: value for key, value in given.items() if key not in change.names}
            given |= {key: value for key, value in other.resolved.explicit.items() if key in change.names}
            there = calculator.evaluate(given)[result]
            sums[change.name] += (there - reached) / len(orders)
            reached = there
    return sums


def test_parts_are_those_of_a_product_by_hand() -> None:
    """From 2 * 3 + 1 to 4 * 5 + 6: a adds 2 * 3 first or 2 * 5 last, so 8; b adds 2 * 2 or 4 * 2, so 6; c adds 5."""
    before, after = {"a": 2.0, "b": 3.0, "c": 1.0}, {"a": 4.0, "b": 5.0, "c": 6.0}
    found = attribution(TOY, before, after, [Changed(name=n, names=(n,)) for n in "abc"], "product").run()
    assert found
    assert found.exact
    assert [(change.name, part) for change, part in found.parts] == [("a", 8.0), ("b", 6.0), ("c", 5.0)]
    assert (found.before, found.after) == (7.0, 26.0)


@pytest.mark.parametrize("name", sorted(CALCULATORS))
def test_of_every_calculator_parts_add_up_and_average_all_orders(name: str) -> None:
    calculator = CALCULATORS[name]
    one, other = state(calculator, "A"), moved(calculator)
    for result in calculator.headline[:3]:
        if isinstance(one.values[result], Verdict):
            continue
        made = comparison.changes(calculator, one, other, result)
        found = comparison.attributed(calculator, one, other, result).run()
        assert found
        assert found.before == pytest.approx(one.values[result])
        assert found.after == pytest.approx(other.values[result])
        size = max(abs(found.before), abs(found.after), 1e-12)
        assert sum(part for _, part in found.parts) == pytest.approx(found.after - found.before, abs=1e-9 * size)
        if not found.exact or len(made) > 4:
            continue
        averaged = over_all_orders(calculator, one, other, made, result)
        for change, part in found.parts:
            assert part == pytest.approx(averaged[change.name], abs=1e-9 * size)


def test_a_menu_is_one_change_and_what_the_reader_typed_is_another() -> None:
    calculator = CALCULATORS["kv_cache"]
    one = state(calculator, "A", model="llama-3-70b")
    other = state(calculator, "B", model="llama-3-8b", context="16384")
    made = comparison.changes(calculator, one, other, "max_sequences")
    assert {change.name for change in made} == {"model", "context"}
    (menu,) = [change for change in made if change.name == "model"]
    assert {"layers", "hidden"} <= set(menu.names)


def test_beyond_eight_changes_they_are_made_in_the_order_of_the_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    """From 2 * 3 + 1 to 4 * 5 + 6 in the order a, b, c: 2 * 3, then 4 * 2, then 5."""
    monkeypatch.setattr(attributing, "MOST_EXACT", 2)
    one, other = state(TOY, "A", a="2", b="3", c="2"), state(TOY, "B", a="4", b="5", c="7")
    found = comparison.attributed(TOY, one, other, "product").run()
    assert found
    assert not found.exact
    assert [(change.name, part) for change, part in found.parts] == [("a", 6.0), ("b", 8.0), ("c", 5.0)]
    assert "in the order of the calculation" in "\n".join(comparison.lines(TOY, [one, other], "product"))


def test_only_what_differs_is_listed_and_marked() -> None:
    one, other = state(TOY, "A", a="2"), state(TOY, "B", a="3")
    report = comparison.described(TOY, [one, other]).run()
    assert report["differences"] == [{"label": "A", "A": "2 B", "B": "3 B *"}]
    assert report["attributions"][0]["parts"] == [{"change": "a", "inputs": ["a"], "part": 4.0}]


@pytest.mark.parametrize(
    "address",
    [
        "parameters=405B",
        "#parameters=405B",
        "https://example.org/guide/calculators/checkpoint/#parameters=405B&v=0.1.0&was=checkpoint_size:5.67TB",
        "calculators/checkpoint/?parameters=405B",
    ],
)
def test_a_link_is_read_whole_or_in_part(address: str) -> None:
    found = comparison.opened(CALCULATORS["checkpoint"], address, "A").run()
    assert found.values["checkpoint_size"] == 405e9 * 14


def test_what_cannot_be_compared_is_reported() -> None:
    calculator = CALCULATORS["checkpoint"]
    with pytest.raises(InputError, match="is a link to goodput, not to checkpoint"):
        comparison.opened(calculator, "calculators/goodput/#gpus=8", "A").run()
    with pytest.raises(InputError, match="State B: Model parameters must be between"):
        comparison.opened(calculator, "parameters=0", "B").run()
    resolved = valid_inputs(calculator, {})
    with pytest.raises(InputError, match="Up to 4 states can be compared, not 5"):
        comparison.states(calculator, resolved, answer.evaluated(calculator, resolved), ["gpus=8"] * 5)

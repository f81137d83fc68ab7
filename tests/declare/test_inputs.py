"""Inputs: their defaults, and how readers see and type them."""

from __future__ import annotations

from typing import Any

from calculators import facts
from calculators.declare import Preset, choice, computed, not_applicable, quantity
from calculators.declare.inputs import Choice, Quantity


def declared(field: Any) -> Any:
    return field.metadata["declared"]


def plain(*otherwise: Any, **stated: Any) -> Quantity:
    found = declared(quantity(otherwise, "B", "Size", hard=(1, 1e12), **stated))
    assert isinstance(found, Quantity)
    return found


def test_a_quantity_of_which_nothing_is_reported_is_decimal_on_a_linear_slider_over_all_it_may_be() -> None:
    size = plain(80e9)
    assert (size.slider, size.scale, size.spread) == ((1, 1e12), "linear", None)
    assert (size.whole, size.doubling, size.binary) == (False, False, False)
    assert (size.text(80e9), size.box(80e9)) == ("80 GB", "80 GB")


def test_binary_units_are_shown_and_typed_where_they_are_declared() -> None:
    size = plain(2.0**30, binary=True)
    assert (size.text(2.0**30), size.box(2.0**30)) == ("1 GiB", "1 GiB")


def test_what_may_be_nothing_is_shown_as_its_word_and_its_numbers_as_numbers() -> None:
    size = plain(not_applicable("no limit"))
    assert (size.default, size.text(None), size.box(None)) == (None, "no limit", "no limit")
    assert (size.text(2e9), size.box(2e9)) == ("2 GB", "2 GB")
    assert size.words == ("no limit",)


def test_the_first_way_that_counts_is_an_inputs_default() -> None:
    size = plain(computed("weight", "weighed", when=("scale", "balance")), computed("length", "measured"))
    assert [one.name for one in size.fallbacks] == ["weight", "length"]
    for given, name in (
        ((), "length"),
        (("scale",), "weight"),
        (("balance", "other"), "weight"),
        (("other",), "length"),
    ):
        found = size.fallback(given)
        assert found is not None
        assert found.name == name
    assert plain(computed("weight", "weighed", when=("scale",)), 4.0).fallback(("other",)) is None
    assert size.words == ("weighed", "measured")


def test_a_computed_input_yields_to_a_menu_unless_it_is_reported_to_go_before_it() -> None:
    assert not computed("weight", "weighed").over_menu
    assert computed("weight", "weighed", over_menu=True).over_menu


def test_a_choice_is_typed_by_its_key_and_seen_by_its_label() -> None:
    mode = declared(choice("b", "Mode", {"a": "The first", "b": "The second"}))
    assert isinstance(mode, Choice)
    assert (mode.default, mode.key("a"), mode.text("a"), mode.box("b")) == ("b", "a", "The first", "b")


def test_a_menu_fills_what_its_record_has_and_nothing_where_no_record_is_chosen() -> None:
    key, record = next(iter(facts.records("models").items()))
    menu = Preset(
        name="model",
        label="Model",
        records=(record,),
        fills={"size": "parameters", "nothing": "no_such_field"},
        yields_to=("layers",),
        secondary=("nothing",),
    )
    assert menu.filled(key) == {"size": record.value("parameters")}
    assert menu.filled("") == {}
    assert menu.names == {record.name: key, key: key}
    assert menu.decided_by == ("size", "layers")

"""Amounts have no arithmetic, and scales put them where they belong or say why they cannot."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import jinja2
import pytest

from builder.pages import amounts, drawing
from builder.pages.amounts import AmountError
from calculators import facts

if TYPE_CHECKING:
    from collections.abc import Callable

HALF = amounts.read("50%", "share")


@pytest.mark.parametrize("sign", [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow])
def test_an_amount_has_no_arithmetic(sign: Callable[[object, object], object]) -> None:
    with pytest.raises(TypeError):
        sign(HALF, HALF)
    with pytest.raises(TypeError):
        sign(HALF, 2)


def test_a_sum_in_a_template_stops_the_build() -> None:
    template = jinja2.Environment(autoescape=True).from_string("{{ half * 2 }}")
    with pytest.raises(TypeError):
        template.render(half=HALF)


def test_an_amount_is_shown_as_its_fact_is() -> None:
    fact = facts.fact("mfu")
    amount = amounts.of_fact(fact)
    assert str(amount) == fact.text
    assert amount.spread_text == fact.spread_text
    assert (amount.low and amount.low.base, amount.high and amount.high.base) == fact.spread


def test_what_is_counted_is_drawn_one_by_one() -> None:
    racks = amounts.read("3", "rack")
    assert len(racks.each) == 3
    with pytest.raises(AmountError, match=r"2\.5 cannot be counted out"):
        _ = amounts.read("2.5", "rack").each


def test_a_fact_that_is_a_word_is_no_amount() -> None:
    with pytest.raises(AmountError, match="no number"):
        amounts.of_fact(facts.fact("ultra-ethernet.released_on"))


def test_formulas_of_a_module_find_one_another_by_name() -> None:
    hall = amounts.computed(
        "subjects.facility.power.watts", {"node_power": 8000, "node_gpus": 8, "support_share": 0.5, "pue": 2}
    )
    assert str(hall["server_power"]) == "1 kW"
    assert str(hall["metered_power"]) == "3 kW"
    assert str(hall.but(pue=1)["metered_power"]) == "1.5 kW"


@pytest.mark.parametrize(
    ("module", "name", "given", "says"),
    [
        ("subjects.facility.power.watts", "server_power", {"node_power": 8000}, "needs node_gpus"),
        ("subjects.facility.power.watts", "sever_power", {}, "no formula 'sever_power'"),
        ("subjects.facility.power.whats", "server_power", {}, "no module calculators.subjects.facility.power.whats"),
        ("subjects.facility.power.watts", "server_power", {"node_powr": 8000}, "takes no node_powr"),
    ],
)
def test_what_cannot_be_computed_is_named(module: str, name: str, given: dict[str, float], says: str) -> None:
    with pytest.raises(AmountError, match=says):
        amounts.computed(module, given)[name]


def test_a_logarithmic_axis_gives_equal_lengths_to_equal_ratios() -> None:
    axis = drawing.logarithmic("1 kB", "1 GB", unit="B", start=100, end=700)
    assert [axis.at(mark) for mark in ("1 kB", "1 MB", "1 GB")] == ["100", "400", "700"]


def test_a_linear_axis_gives_equal_lengths_to_equal_amounts_in_either_direction() -> None:
    right = drawing.linear("0 W", "1 kW", unit="W", start=10, end=110)
    left = drawing.linear("0 W", "1 kW", unit="W", start=110, end=10)
    assert (right.at("250 W"), right.length("250 W")) == ("35", "25")
    assert (left.at("250 W"), left.length("250 W")) == ("85", "25")
    assert (right.between("100 W", "300 W"), right.middle("100 W", "300 W")) == ("20", "30")


@pytest.mark.parametrize("axis", [drawing.linear, drawing.logarithmic])
def test_a_bar_is_refused_on_an_axis_that_does_not_start_at_nothing(axis: Callable[..., drawing.Scale]) -> None:
    with pytest.raises(AmountError, match="draw a dot"):
        axis("1 W", "1 kW", unit="W", start=0, end=100).length("250 W")


def test_what_lies_beyond_an_axis_is_refused_by_name() -> None:
    axis = drawing.linear("0 W", "1 kW", unit="W", start=0, end=100)
    with pytest.raises(AmountError, match="2 kW lies outside of an axis from 0 W to 1 kW"):
        axis.at("2 kW")


def test_an_amount_of_another_kind_has_no_place_on_an_axis() -> None:
    with pytest.raises(AmountError, match="no place on an axis of B"):
        drawing.linear("0 B", "1 kB", unit="B", start=0, end=100).at(amounts.read("3 s", "s"))


@pytest.mark.parametrize(("low", "high"), [("1 s", "1 s"), ("2 s", "1 s"), ("0 s", "1 s")])
def test_an_axis_without_length_is_refused(low: str, high: str) -> None:
    with pytest.raises(AmountError, match="no axis goes"):
        drawing.logarithmic(low, high, unit="s", start=0, end=1)


def test_a_curve_follows_its_formula_along_the_whole_axis() -> None:
    x = drawing.linear("1", "49", unit="GPU", start=0, end=480)
    y = drawing.linear("0 s", "96 s", unit="s", start=96, end=0)
    path = drawing.curve(
        x, y, amounts.computed("subjects.storage.goodput.failures", {"gpu_mtbf": 96}), over="gpus", of="mtbf"
    )
    points = path.removeprefix("M").split("L")
    assert len(points) == 49
    assert (points[0], points[1], points[-1]) == ("0 0", "10 48", "480 94")


def test_a_band_goes_along_one_curve_and_back_along_the_other() -> None:
    x = drawing.linear("1", "2", unit="GPU", start=0, end=48)
    y = drawing.linear("0 s", "100 s", unit="s", start=100, end=0)
    known = amounts.computed("subjects.storage.goodput.failures", {})
    around = drawing.band(x, y, (known.but(gpu_mtbf=20), known.but(gpu_mtbf=80)), over="gpus", of="mtbf")
    points = around.removeprefix("M").removesuffix("Z").split("L")
    assert (points[0], points[48], points[49], points[-1]) == ("0 80", "48 90", "48 60", "0 20")


def test_an_amount_keeps_its_unit_where_the_input_has_another() -> None:
    """A price for each GB and month, in an input that reads a bare number per TB: 1.74 million a year for 1 PB."""
    price = amounts.of_fact(facts.fact("lustre-per-gb"))
    rent = amounts.of_result("cost", "yearly_storage_rent", {"stored": "1 PB", "storage_per_gb_month": price})
    assert rent.base == pytest.approx(1.74e6)

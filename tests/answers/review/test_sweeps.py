"""Sweeps: every point is what evaluating there gives, the words say what the points do, the picture shows them."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from calculators.answers.explore import sweeps
from calculators.answers.input_state import valid_inputs
from calculators.answers.review import sweep
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, InputError, Quantity, choice, constraint, step
from calculators.page import chart
from tests.declare.test_declare import inputs_of, sized, toy

SVG = "{http://www.w3.org/2000/svg}"


def values_of(calculator: Calculator, **given: Any) -> Any:
    return calculator.evaluate(valid_inputs(calculator, given).explicit)


@step("B", "A hill")
def hill(size: float) -> float:
    return 100 - (size - 10) ** 2 / 10


@step("B", "By mode")
def by_mode(mode: str, size: float) -> float:
    return {"a": 1.0, "b": 2.0}[mode] * size


@constraint("size")
def not_thirteen(size: float) -> str:
    return "unlucky" if 12.5 < size < 13.5 else ""


TOY = toy(
    inputs_of(size=sized(hard=(1, 1000), slider=(2, 22)), mode=choice("a", "Mode", {"a": "one", "b": "two"})),
    hill,
    by_mode,
    not_thirteen,
    answer="{hill}",
)


def test_a_hill_is_called_one_and_what_is_refused_is_left_out() -> None:
    values = TOY.evaluate({"size": 4.0})
    found = sweep.parse(TOY, values, "size=2..22")
    message = sweep.sentence(TOY, values, found)
    assert message.startswith("A hill: rises to 100 B at 10 B, then falls to 85.6 B, along size from 2 B to 22 B.")
    assert "At 10% more than the present 4 B, it is 0.48% higher." in message
    refused = [12.5 < point < 13.5 for point in found.points]
    assert [result is None for result in found.lines[0].results] == refused
    assert f"No result at {sum(refused)} of {len(refused)} values" in message


def test_what_goes_in_proportion_is_reported_so_and_a_family_has_a_line_for_each_option() -> None:
    values = TOY.evaluate({"size": 4.0})
    single = sweep.parse(TOY, values, "size", "by_mode")
    assert "At 10% more than the present 4 B, it is 10% higher." in sweep.sentence(TOY, values, single)
    found = sweep.parse(TOY, values, "size", "by-mode", "mode")
    assert [line.value for line in found.lines] == ["a", "b"]
    for one, other in zip(found.lines[0].results, found.lines[1].results, strict=True):
        assert one is None or other == pytest.approx(2 * one)
    assert "with one it rises from 2 B to 22 B; with two it rises from 4 B to 44 B." in sweep.sentence(
        TOY, values, found
    )


def test_a_verdict_that_keeps_its_word_is_reported_once_and_by_how_good_it_is_where_nothing_else_parts_it() -> None:
    collectives = CALCULATORS["collectives"]
    values = values_of(collectives)
    report = sweep.sentence(collectives, values, sweep.parse(collectives, values, "message_size"))
    assert report.endswith("NCCL algorithm: tree (LL) up to 196 KiB; tree (LL128) up to 35.5 MiB; then NVLS tree.")
    store = CALCULATORS["storage_demand"]
    values = values_of(store)
    report = sweep.sentence(store, values, sweep.parse(store, values, "storage_nodes=3..8"))
    assert report.endswith("cluster size (bad) up to 4 nodes; then cluster size (good).")


def test_a_word_that_changes_while_it_stays_as_good_is_reported_where_it_changes() -> None:
    cost = CALCULATORS["cost"]
    values = values_of(cost)
    swept = sweep.parse(cost, values, "price_per_gpu_hour=1..6")
    (turn,) = (edge for _, edge in swept.lines[0].thresholds if edge.below.level == edge.above.level)
    assert (turn.below.word, turn.above.word) == tuple(
        f"{one} costs less, at this rent" for one in ("renting", "owning")
    )
    below, above = (values_of(cost, price_per_gpu_hour=f"${price:.17g}") for price in (turn.last, turn.first))
    assert below["rent_per_useful_hour"] <= below["own_per_useful_hour"]
    assert above["rent_per_useful_hour"] >= above["own_per_useful_hour"]
    assert f"renting costs less, at this rent up to ${turn.last:.2f}/GPU-hour;" in sweep.sentence(cost, values, swept)


@pytest.mark.parametrize("name", sorted(CALCULATORS))
def test_every_point_is_what_an_evaluation_there_gives(name: str) -> None:
    calculator = CALCULATORS[name]
    values = values_of(calculator)
    one = next(name for name in calculator.first_sliders if isinstance(calculator.inputs[name], Quantity))
    found = sweep.parse(calculator, values, one)
    assert list(found.points) == sorted(set(found.points))
    assert values[one] in found.points
    for point, result in list(zip(found.points, found.lines[0].results, strict=True))[::9]:
        if result is not None:
            settled_there = {**valid_inputs(calculator, {}).explicit, one: point}
            assert calculator.evaluate(settled_there)[found.result] == pytest.approx(result)


@pytest.mark.parametrize("name", sorted(CALCULATORS))
def test_the_picture_is_well_formed_and_everything_in_it_lies_inside(name: str) -> None:
    calculator = CALCULATORS[name]
    values = values_of(calculator)
    one = next(name for name in calculator.first_sliders if isinstance(calculator.inputs[name], Quantity))
    found = sweep.parse(calculator, values, one)
    about = sweep.sentence(calculator, values, found)
    picture = ET.fromstring(chart.chart(calculator, values, found, about))  # noqa: S314  our own
    _, _, width, height = map(float, picture.attrib["viewBox"].split())
    assert picture.findtext(f"{SVG}desc") == about
    for polyline in picture.iter(f"{SVG}polyline"):
        for place in polyline.attrib["points"].split():
            x, y = map(float, place.split(","))
            assert 0 <= x <= width
            assert 0 <= y <= height
    for text in picture.iter(f"{SVG}text"):
        assert 0 <= float(text.attrib["x"]) <= width
        assert 0 <= float(text.attrib["y"]) <= height
    labels = [text.text or "" for text in picture.iter(f"{SVG}text") if "f-small" in text.attrib["class"]]
    assert len([label for label in labels if re.search(r"\d", label)]) >= 4


@pytest.mark.parametrize("name", sorted(CALCULATORS))
def test_the_words_at_edges_do_not_run_into_each_other(name: str) -> None:
    """Letters of this size are about half as wide as high, six units of the picture."""
    calculator = CALCULATORS[name]
    values = values_of(calculator)
    one = next(name for name in calculator.first_sliders if isinstance(calculator.inputs[name], Quantity))
    found = sweep.parse(calculator, values, one)
    picture = ET.fromstring(chart.chart(calculator, values, found, ""))  # noqa: S314  our own
    reports = [text for text in picture.iter(f"{SVG}text") if "→" in (text.text or "") or "←" in (text.text or "")]
    assert bool(reports) == bool(found.lines[0].thresholds)
    taken: dict[str, list[tuple[float, float]]] = {}
    for text in reports:
        width = 6 * len(text.text or "")
        start = float(text.attrib["x"]) - (width if text.attrib["text-anchor"] == "end" else 0)
        taken.setdefault(text.attrib["y"], []).append((start, start + width))
    for row in taken.values():
        row.sort()
        assert all(end <= start for (_, end), (start, _) in itertools.pairwise(row)), row


def test_a_point_is_where_the_reader_is() -> None:
    values = TOY.evaluate({"size": 12.0})
    found = sweep.parse(TOY, values, "size", "by_mode")
    picture = ET.fromstring(chart.chart(TOY, values, found, ""))  # noqa: S314  our own
    (circle,) = picture.iter(f"{SVG}circle")
    drawn = [place for line in picture.iter(f"{SVG}polyline") for place in line.attrib["points"].split()]
    assert f"{circle.attrib['cx']},{circle.attrib['cy']}" in drawn


def test_points_are_round_and_include_both_ends() -> None:
    declared = TOY.inputs["size"]
    assert isinstance(declared, Quantity)
    assert sweeps.points(declared, 0.0, 10.0)[0] == 0.0
    assert sweeps.points(declared, 2.5, 9.7, 3.3)[-1] == 9.7
    assert 3.3 in sweeps.points(declared, 2.5, 9.7, 3.3)


def test_a_hill_among_several_lines_ends_with_one_stop() -> None:
    values = TOY.evaluate({"size": 4.0})
    message = sweep.sentence(TOY, values, sweep.parse(TOY, values, "size=2..22", "hill", "mode"))
    assert "with one it rises to 100 B at 10 B, then falls to 85.6 B; with two it" in message
    assert ",;" not in message


def test_an_input_that_goes_by_ratios_can_be_swept_from_nothing() -> None:
    loader = CALCULATORS["data_loader"]
    values = loader.evaluate({"cache_policy": "kept"})
    found = sweep.parse(loader, values, "cache_per_node=0..1 TB", "cache_hit_share")
    assert found.points[0] == 0
    assert found.lines[0].results[0] == 0
    assert sweep.sentence(loader, values, found).startswith("Cache hit rate: rises from 0% to 100% along")


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (("colour",), "“colour” is not an input of Toy"),
        (("mode",), "Mode is a choice"),
        (("size=3",), "write size=FROM..TO"),
        (("size=9..3",), "the first value must be below the second"),
        (("size=0..3",), "Size must be between"),
        (("size", "speed"), "“speed” is not a numeric result; there are"),
        (("size", "", "size=3"), "is the input that is swept"),
    ],
)
def test_what_cannot_be_swept_is_reported(asked: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        sweep.parse(TOY, TOY.evaluate({}), *asked)
    assert sentence in " ".join(refused.value.problems.values())

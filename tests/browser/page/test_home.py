"""The home page: the System planner answers there, doors lead to states, counts are those of the site."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from calculators import facts
from tests.browser import reading

if TYPE_CHECKING:
    from tests.browser.conftest import Visit


def test_the_planner_searches_its_layout_on_the_home_page_too(live: Visit) -> None:
    page = live()
    place = reading.calculator(page, "machine")
    box = reading.box(place, "gpus")
    box.fill("8,192")
    box.press("Tab")
    expected = reading.ask("machine", {"gpus": "8,192"}, asks=["explore"], slice_ms=600_000)
    reading.await_truth(
        page,
        "sentence => document.querySelector('[data-calculator=machine] .answer').textContent === sentence",
        expected["sentence"],
    )
    expect(place.locator("[data-searching]")).to_be_hidden()
    expect(place.locator('[data-cell="state"]')).to_have_text(expected["cells"]["state"])
    expect(place.locator("[data-full]").last).to_have_attribute("href", re.compile("/machine/#gpus=8,192$"))


@pytest.mark.context(java_script_enabled=False)
def test_doors_and_counts_are_there_without_script(visit: Visit) -> None:
    page = visit()
    doors = page.locator(".doors a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert [door.partition("#")[0].removeprefix("./") for door in doors] == [
        "machine/",
        "machine/",
        "machine/serving/",
        "machine/rag/",
        "machine/post-training/",
        "machine/",
    ]
    assert "job=lora" in doors[1]
    assert "hall_power=2MW" in doors[5]
    counts = page.locator(".tried dt").all_inner_texts()
    assert int(counts[0].replace(",", "")) == sum(len(record.fields) for record in facts.all_records().values())
    assert "%" in counts[2]

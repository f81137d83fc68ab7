"""Charts, tables and pictures saved as files."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import expect

from tests.browser import reading
from tests.browser.review.test_review import CHECKPOINT, opened

if TYPE_CHECKING:
    from tests.browser.conftest import Visit

_WORDS = """svg => {
    const walker = document.createTreeWalker(svg, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) found.push(walker.currentNode.data);
    return found;
}"""


def test_a_chart_and_its_table_are_saved_as_files(live: Visit) -> None:
    """The chart keeps its colors without the page's style sheets, and says what it shows and where it is from."""
    page = live(CHECKPOINT)
    sweep = opened(page, "sweep")
    expect(sweep.locator("svg")).to_be_visible()
    with page.expect_download() as chart:
        reading.button(sweep, "Save chart (SVG)").click()
    assert chart.value.suggested_filename == "checkpoint-sweep.svg"
    drawn = ET.fromstring(Path(chart.value.path()).read_text("utf-8"))  # noqa: S314  our own
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    words = [text.strip() for text in drawn.itertext() if text.strip()]
    in_chart = [text.strip() for text in sweep.locator("svg").evaluate(_WORDS) if text.strip()]
    first = words.index(in_chart[0])
    assert words[first : first + len(in_chart)] == in_chart
    assert " ".join(words[:first]) == sweep.locator(".review-summary").inner_text()
    made, *address = words[first + len(in_chart) :]
    assert made.startswith("Infrastructure for AI")
    assert "".join(address).endswith(CHECKPOINT)
    with page.expect_download() as picture:
        reading.button(sweep, "Save chart (PNG)").click()
    assert picture.value.suggested_filename == "checkpoint-sweep.png"
    dots = Path(picture.value.path()).read_bytes()
    assert dots.startswith(b"\x89PNG")
    assert int.from_bytes(dots[16:20], "big") == 2 * 720
    lines = [one for one in drawn.iter() if one.tag.endswith(("path", "polyline", "line"))]
    assert lines
    assert all(one.get("stroke") for one in lines)
    with page.expect_download() as table:
        reading.button(sweep, "Save table (CSV)").click()
    assert table.value.suggested_filename == "checkpoint-sweep.csv"
    _, heads, *rows = csv.reader(Path(table.value.path()).read_text("utf-8").splitlines())
    assert heads == sweep.locator("thead th").all_text_contents()
    shown = sweep.locator("tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(one => one.textContent))"
    )
    assert rows == shown


def test_the_picture_of_the_answer_is_saved_with_its_labels_bars_and_numbers(live: Visit) -> None:
    page = live(CHECKPOINT)
    figure = page.locator("figure.picture").first
    with page.expect_download() as picture:
        page.get_by_role("button", name="Save picture (SVG)").click()
    assert picture.value.suggested_filename == "checkpoint-picture.svg"
    drawn = ET.fromstring(Path(picture.value.path()).read_text("utf-8"))  # noqa: S314  our own
    words = " ".join(" ".join(drawn.itertext()).split())
    for legend in figure.locator(".legend-name, .legend-value").all_text_contents():
        assert " ".join(legend.split()) in words
    bars = [one for one in drawn.iter() if one.tag.endswith("rect") and "tone-" in one.get("class", "")]
    assert len(bars) == figure.locator("rect[class*=tone-]").count()
    assert all(one.get("fill", "none").startswith("rgb") for one in bars)
    with page.expect_download() as dots:
        page.get_by_role("button", name="Save picture (PNG)").click()
    assert Path(dots.value.path()).read_bytes().startswith(b"\x89PNG")
    with page.expect_download() as chart:
        page.locator("figure:has([data-chart])").get_by_role("button", name="Save chart (SVG)").click()
    assert chart.value.suggested_filename == "checkpoint-sweep.svg"


_TABLE = """region => [...region.querySelectorAll("tr")].filter(one => one.checkVisibility())
    .map(row => [...row.cells].map(
        one => one.innerText.trim().split(/\\s*\\n\\s*/).join("; ").replace(/\\s+/g, " ")))"""


@pytest.mark.parametrize(
    ("path", "region", "file"),
    [
        (CHECKPOINT, "Where the field disagrees", "checkpoint-where-the-field-disagrees.csv"),
        ("machine/", "Prices", "machine-prices.csv"),
        ("machine/", "Bill of materials", "machine-bill-of-materials.csv"),
    ],
)
def test_every_table_of_a_page_is_saved_as_it_is_shown(live: Visit, path: str, region: str, file: str) -> None:
    page = live(path)
    table = page.get_by_role("region", name=region, exact=True)
    with page.expect_download() as saved:
        table.locator("xpath=following-sibling::p[1]/button").click()
    assert saved.value.suggested_filename == file
    title, *rows = csv.reader(Path(saved.value.path()).read_text("utf-8").splitlines())
    assert title == [region]
    shown = table.evaluate(_TABLE)
    assert len(shown) > 2
    assert [row for row in rows if row] == shown


def test_results_are_saved_with_their_values(live: Visit) -> None:
    page = live(CHECKPOINT)
    with page.expect_download() as saved:
        page.locator("table.results + p button").first.click()
    assert saved.value.suggested_filename == "checkpoint-results.csv"
    title, heads, first, *_ = csv.reader(Path(saved.value.path()).read_text("utf-8").splitlines())
    assert (title, heads[:2], first[:2]) == (["Results"], ["Result", "Value"], ["Checkpoint size", "5.68 TB"])

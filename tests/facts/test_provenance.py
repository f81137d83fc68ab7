"""Provenance: each source says how near we came to it, and every mark and table repeats it."""

from __future__ import annotations

import datetime
import html
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from builder.cache import Cache
from builder.pages import numbers
from builder.pages.render import Renderer
from builder.pages.view import View
from builder.paths import CONTENT
from calculators import facts
from calculators.catalog import CALCULATORS

if TYPE_CHECKING:
    from pathlib import Path

DAY = datetime.date(2026, 11, 20)
SOURCE = facts.Source(key="paper", title="A paper", read="excerpt", read_on=DAY, how="section 2")
FACT = facts.Fact(key="thing", name="Thing", value=1, kind="published", source=SOURCE)


@pytest.mark.parametrize(
    ("read", "text"),
    [
        ("opened", "read 2026-11-20"),
        ("excerpt", "excerpt seen 2026-11-20"),
        ("quotation", "quotation seen 2026-11-20"),
        ("abstract", "abstract read 2026-11-20"),
        ("secondary", "report of it read 2026-11-20"),
    ],
)
def test_only_an_opened_source_is_reported_as_read(read: str, text: str) -> None:
    assert replace(SOURCE, read=read).reading == text


def test_a_source_without_a_day_says_no_day() -> None:
    assert replace(SOURCE, read="quotation", read_on=None).reading == "quotation seen"


def test_the_day_of_a_fact_is_the_last_on_which_it_or_its_source_was_read() -> None:
    later = datetime.date(2026, 11, 22)
    assert replace(FACT, read_on=later).reading == "excerpt seen 2026-11-22"
    assert replace(FACT, source=replace(SOURCE, read_on=later), read_on=DAY).reading == "excerpt seen 2026-11-22"
    assert replace(FACT, kind="estimate", source=None).reading == ""


def test_a_fact_is_at_first_hand_when_its_source_was_opened_and_the_figure_could_be_checked() -> None:
    opened = replace(FACT, source=replace(SOURCE, read="opened"))
    assert opened.at_first_hand
    assert not replace(opened, unchecked=True).at_first_hand
    assert not FACT.at_first_hand


@pytest.mark.parametrize(
    ("stated", "text"),
    [
        ({"title": "A paper", "how": "all"}, "paper: read must be one of opened, .*, not None"),
        ({"title": "A paper", "how": "all", "read": "skimmed"}, "paper: read must be one of .*, not 'skimmed'"),
        ({"title": "A paper", "read": "opened"}, "paper: how must say which copy"),
    ],
)
def test_a_source_that_does_not_say_how_it_was_read_is_refused_by_name(stated: dict[str, str], text: str) -> None:
    with pytest.raises(facts.FactError, match=text):
        facts._source("paper", stated)


def test_no_source_is_called_opened_whose_account_says_it_was_not() -> None:
    wrong = [
        source.key
        for source in facts.sources().values()
        if source.read == "opened" and re.search(r"^not |\babstract\b|\bthat quotes?\b|\bas quoted\b", source.how)
    ]
    assert not wrong


def test_the_mark_in_prose_says_how_the_source_was_read(tmp_path: Path) -> None:
    renderer = Renderer(tmp_path, Cache())
    for record in facts.all_records().values():
        for fact in record.fields.values():
            mark = renderer._fact("guide/why.md", fact.key)
            assert fact.reading in mark, fact.key
            assert ("[†]" in mark) == (fact.source is not None and not fact.at_first_hand), fact.key


@pytest.mark.parametrize("name", CALCULATORS)
def test_the_origin_of_an_input_says_how_its_source_was_read(name: str) -> None:
    view = View(CALCULATORS[name])
    for declared in view.calculator.inputs.values():
        found = view.fact(declared)
        if found and found.source:
            assert found.reading in view.origin_html(declared, "../../"), declared.name


def test_every_row_of_the_pages_of_numbers_says_how_its_source_was_read(tmp_path: Path) -> None:
    renderer = Renderer(tmp_path, Cache())
    for table, records in numbers.tables().items():
        page = renderer._numbers_of(table)
        stated = [fact for record in records for fact in record.fields.values()]
        for fact in stated:
            assert f">{fact.reading}</td>" in page, fact.key
        assert page.count(">read 2026") == sum(fact.reading.startswith("read 2026") for fact in stated)


def test_where_sources_disagree_the_numbers_page_says_so(tmp_path: Path) -> None:
    renderer = Renderer(tmp_path, Cache())
    for table, records in numbers.tables().items():
        page = html.unescape(renderer._numbers_of(table))
        for record in records:
            assert f"Sources disagree: {record.conflict}" in page or not record.conflict, record.key


def test_no_calculator_offers_what_is_only_announced() -> None:
    announced = set(facts.records("announced"))
    offered = {record.key for c in CALCULATORS.values() for preset in c.presets for record in preset.records}
    assert announced
    assert not announced & offered
    for key in announced:
        stated = facts.records("announced")[key]
        assert stated.value("announced_in")
        assert stated.value("state")


def test_at_least_seventy_percent_of_sources_were_opened_and_the_numbers_page_counts_them(tmp_path: Path) -> None:
    reads = [source.read for source in facts.sources().values()]
    assert numbers.opened() == (sum(read == "opened" for read in reads), len(reads))
    assert reads.count("opened") / len(reads) >= 0.7
    renderer = Renderer(tmp_path, Cache())
    page = renderer.page(CONTENT / numbers.INDEX)
    assert f"Of {len(reads)} sources, {reads.count('opened')} were opened" in page

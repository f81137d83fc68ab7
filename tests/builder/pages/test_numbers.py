"""Numbers: every record has one line in the index and one place on the page of its facts file, and links lead there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from builder.cache import Cache
from builder.pages import numbers
from builder.pages.glossary import Glossary
from builder.pages.render import Renderer
from calculators import facts

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def renderer(tmp_path: Path) -> Renderer:
    return Renderer(tmp_path, Cache())


def anchors(page: str) -> list[str]:
    return re.findall(r' id="([^"]+)"', page)


def test_the_index_has_a_line_for_every_record_that_leads_to_its_page(renderer: Renderer) -> None:
    words = renderer._words("numbers/index.md", root="../")
    index = words["numbers"]()
    assert set(anchors(index)) == {*facts.all_records(), *numbers.tables()}
    for key in facts.all_records():
        assert f'href="../{numbers.place(key)}"' in index, key


def test_every_record_appears_once_on_the_page_of_its_facts_file(renderer: Renderer) -> None:
    for table, records in numbers.tables().items():
        assert sorted(anchors(renderer._numbers_of(table))) == sorted(record.key for record in records)


def test_a_mark_in_prose_leads_to_the_page_of_the_facts_file(renderer: Renderer) -> None:
    assert "](../numbers/accelerators.md#h100-sxm)" in renderer._fact("guide/node.md", "h100-sxm.gpu_memory")
    assert "](numbers/rules.md#mfu)" in renderer._fact("index.md", "mfu")


def test_a_record_names_the_pages_that_use_it(renderer: Renderer) -> None:
    assert "Used in" not in renderer._numbers_of("rules")
    renderer._noted("guide/failure.md", "mfu")
    renderer._noted("index.md", "mfu")
    page = renderer._numbers_of("rules")
    assert 'Used in <a href="../../guide/failure/">guide/failure</a>, <a href="../../">home</a>' in page


def test_a_line_of_the_index_can_be_found_by_kind_and_by_how_its_source_was_read() -> None:
    for record in facts.all_records().values():
        marks = numbers.marks(record).split()
        for fact in record.fields.values():
            assert fact.kind in marks
            assert fact.source is None or fact.source.read in marks
            assert not fact.unchecked or "unchecked" in marks
        assert set(marks) <= {*facts.KINDS, *numbers.readings()}


def test_the_glossary_leads_back_to_the_chapters_that_use_a_term() -> None:
    glossary = Glossary()
    for page in ("guide/failure.md", "guide/failure.md", "guide/glossary.md", "index.md"):
        glossary.link("goodput", "", page, "../../")
    assert glossary.chapters("goodput") == [("failure.md", "Failure as routine")]
    assert glossary.chapters("all-reduce") == []


def test_a_term_is_spelled_as_within_a_sentence_unless_it_is_a_name() -> None:
    glossary = Glossary()
    assert ">all-reduce</a>" in glossary.link("all-reduce", "", "guide/why.md", "../")
    assert ">MFU</a>" in glossary.link("mfu", "", "guide/why.md", "../")
    assert ">as said</a>" in glossary.link("mfu", "as said", "guide/why.md", "../")


def test_memory_of_accelerators_side_by_side_is_in_one_unit() -> None:
    """288 GB, as the B300's source states it, are 268.2 GiB."""
    records = numbers.tables()["accelerators"]
    texts = {record.key: numbers.side_text(record, "gpu_memory") for record in records}
    assert {text.split()[-1] for text in texts.values()} == {"GiB"}
    assert texts["b300-sxm"] == "268 GiB"
    assert numbers.side_text(records[0], "no_such_field") == ""

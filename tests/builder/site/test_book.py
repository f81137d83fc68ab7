"""The book: chapters become what paper can hold, and the EPUB is what its standard asks for."""

from __future__ import annotations

import datetime
import io
import posixpath
import re
import zipfile
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from builder.cache import Cache
from builder.pages import menu
from builder.paths import TEMPLATES
from builder.site import book, epub, markup
from builder.site.chapter import Chapter

if TYPE_CHECKING:
    from pathlib import Path

WHEN = datetime.datetime(2026, 11, 22, 10, tzinfo=datetime.UTC)
KEYS = {"guide/one/": "one", "guide/two/": "two"}
ONE = """<html><article class="x">
<h1 id="first">First<a class="headerlink" href="#first">#</a></h1>
<p>Of 80 GB<a class="cite" href="../../numbers/node/#h100" title="Datasheet; read 2026-11-20">°</a>, and
900 W<a class="cite" href="../../numbers/node/#h100" title="Datasheet; read 2026-11-20">°</a>.</p>
<div class="card-frame"><ai-calculator data-engine="idle"><h2 class="card-question">How big?</h2>
<p class="answer">It weighs <output aria-live="off">5 TB</output>.</p><input type="range"><button>Go</button>
</ai-calculator></div>
<wide-figure role="group" tabindex="0"><svg viewBox="0 0 9 9" aria-labelledby="t"><title id="t">Bars</title>
<pattern id="hatch" patternUnits="userSpaceOnUse"></pattern><rect fill="url(#hatch)" x="0"/>
<use xlink:href="#hatch"/></svg></wide-figure>
<div class="exercise" id="exercise-1"><p>Why?</p>
<details class="folded"><summary>Answer</summary><p>Because.</p></details></div>
<p>See <a href="../two/#place">two</a>, <a href="../../calculators/cost/#gpus=8">cost</a>, <a href="https://example.org/">far</a>.</p>
</article></html>"""
TWO = '<article><h1 id="second">Second</h1><h2 id="place">Place</h2><p>A &amp; B<br></p></article>'


def xml(text: bytes) -> ET.Element:
    """What a file of ours says, if it is XML at all."""
    return ET.fromstring(text)  # noqa: S314  our own text


@pytest.fixture
def chapters() -> list[Chapter]:
    return [book.chapter(ONE, "guide/one/", KEYS), book.chapter(TWO, "guide/two/", KEYS)]


def test_a_card_becomes_its_answer_and_what_only_a_screen_can_use_is_left_out(chapters: list[Chapter]) -> None:
    text = markup.written(chapters[0].body)
    assert '<p class="book-question">How big?</p>' in text
    assert '<p class="book-said">It weighs <span>5 TB</span>.</p>' in text
    for gone in ("<ai-calculator", "<input", "<button", "headerlink", "<details", "data-"):
        assert gone not in text


def test_marks_of_facts_become_numbers_of_a_list_that_names_each_source_once(chapters: list[Chapter]) -> None:
    text = markup.written(chapters[0].body)
    assert text.count('<sup class="book-source"><a href="#one--source-1">1</a></sup>') == 2
    assert text.count('<li id="one--source-1"><a href="numbers/node/#h100">Datasheet; read 2026-11-20</a></li>') == 1


def test_answers_are_at_the_end_under_the_number_of_their_exercise(chapters: list[Chapter]) -> None:
    text = markup.written(chapters[0].body)
    assert text.index("Why?") < text.index(">Answers</h2>") < text.index("Because.") < text.index(">Sources</h2>")
    assert '<p class="book-answer"><strong>1.</strong></p><p>Because.</p>' in text


def test_names_are_the_chapters_own_and_all_that_refers_to_them_follows(chapters: list[Chapter]) -> None:
    text = markup.written(chapters[0].body)
    for message in (
        'aria-labelledby="one--t"',
        'fill="url(#one--hatch)"',
        'xlink:href="#one--hatch"',
        'id="one--hatch"',
    ):
        assert message in text
    assert 'href="#two--place"' in text


def test_the_page_to_print_has_a_list_of_chapters_and_headings_one_level_down(chapters: list[Chapter]) -> None:
    page = book.printed(chapters)
    assert '<li><a href="#one">First</a></li><li><a href="#two">Second</a></li>' in page
    assert '<section class="book-chapter" id="two"><h2 id="two--second">Second</h2><h3 id="two--place">' in page
    assert 'href="../calculators/cost/#gpus=8"' in page
    assert 'href="https://example.org/"' in page
    assert '<h1 id="two--second">' in markup.written(chapters[1].body), "printing changed the chapter"


def unpacked(chapters: list[Chapter], site_url: str | None = "https://example.org/guide/") -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(epub.packed(chapters, site_url, "1.2", WHEN, Cache()))) as archive:
        assert archive.infolist()[0].filename == "mimetype"
        assert archive.infolist()[0].compress_type == zipfile.ZIP_STORED
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_epub_begins_with_its_type_and_lists_every_file(chapters: list[Chapter]) -> None:
    files = unpacked(chapters)
    assert files["mimetype"] == b"application/epub+zip"
    assert b'full-path="EPUB/package.opf"' in files["META-INF/container.xml"]
    package = xml(files["EPUB/package.opf"])
    opf = "{http://www.idpf.org/2007/opf}"
    items = {each.attrib["id"]: each.attrib for each in package.iter(f"{opf}item")}
    assert {f"EPUB/{each['href']}" for each in items.values()} == {
        name for name in files if name.startswith("EPUB/") and name != "EPUB/package.opf"
    }
    assert items["nav"]["properties"] == "nav"
    assert items["c-one"]["properties"] == "svg"
    assert "properties" not in items["c-two"]
    assert [each.attrib["idref"] for each in package.iter(f"{opf}itemref")] == ["nav", "c-one", "c-two"]


def test_every_page_of_the_epub_is_xml_whose_links_resolve(chapters: list[Chapter]) -> None:
    files = unpacked(chapters)
    pages = {name: xml(content) for name, content in files.items() if name.endswith(".xhtml")}
    names = {
        f"{name}#{each.attrib['id']}" for name, page in pages.items() for each in page.iter() if "id" in each.attrib
    }
    for name, page in pages.items():
        for each in page.iter("{http://www.w3.org/1999/xhtml}a"):
            link = each.attrib["href"]
            if not link.startswith("https://"):
                target = posixpath.join("EPUB", link)
                assert target in names or target in files, (name, link)
    assert b'href="https://example.org/guide/calculators/cost/#gpus=8"' in files["EPUB/one.xhtml"]
    assert b'<svg viewBox="0 0 9 9"' in files["EPUB/one.xhtml"]
    assert b"tabindex" not in files["EPUB/one.xhtml"]
    assert b"wide-figure" not in files["EPUB/one.xhtml"]


def test_without_an_address_links_into_the_site_are_words(chapters: list[Chapter]) -> None:
    page = unpacked(chapters, None)["EPUB/one.xhtml"].decode()
    assert "<span>cost</span>" in page
    assert "calculators/cost" not in page
    assert 'href="two.xhtml#two--place"' in page


def test_the_same_chapters_make_the_same_epub(chapters: list[Chapter]) -> None:
    again = [book.chapter(ONE, "guide/one/", KEYS), book.chapter(TWO, "guide/two/", KEYS)]
    assert epub.packed(chapters, None, "1.2", WHEN, Cache()) == epub.packed(again, None, "1.2", WHEN, Cache())


def test_the_style_of_the_epub_has_no_variables(chapters: list[Chapter]) -> None:
    style = unpacked(chapters)["EPUB/style.css"].decode()
    assert "var(" not in style
    assert ".f-live { stroke: #1d4ed8" in style


@pytest.mark.parametrize("text", ["<p><b>one</p>", "<p>one", "one</p>"])
def test_markup_that_does_not_nest_is_refused(text: str) -> None:
    with pytest.raises(markup.MarkupError):
        markup.read(text)


def test_what_figures_spell_with_capitals_keeps_them() -> None:
    figures = "".join(path.read_text("utf-8") for path in (TEMPLATES / "figures").glob("*.j2"))
    spelled = set(re.findall(r"<[a-z]+[^<>{}]*?\s([a-z]+[A-Z]\w*)=", figures))
    assert "viewBox" in spelled
    for name in spelled:
        assert markup.written(markup.read(f'<svg {name}="1"></svg>')) == f'<svg {name}="1"></svg>'


def test_the_guide_is_all_in_the_book(homeless: Path) -> None:
    page = (homeless / "print" / "index.html").read_text("utf-8")
    for name in menu.guide():
        assert f'<section class="book-chapter" id="{name.removesuffix(".md").rpartition("/")[2]}">' in page
    for _, name in menu.chapters():
        chapter = page.partition(f'id="{name.removesuffix(".md").rpartition("/")[2]}">')[2].partition("</section>")[0]
        assert chapter.count('class="exercise"') == chapter.count('class="book-answer"') >= 5, name
    with zipfile.ZipFile(homeless / epub.FILE) as archive:
        assert archive.testzip() is None
        for name in archive.namelist():
            if name.endswith(".xhtml"):
                xml(archive.read(name))

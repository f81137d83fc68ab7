"""What becomes of pages between MkDocs and the site: placeholders, the search's entries, and its settings."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import jinja2

from builder.cache import Cache
from builder.paths import TEMPLATES
from builder.theme import search
from builder.theme.plugin import SitePlugin

if TYPE_CHECKING:
    from pathlib import Path

MARK = '<div id="html-0a1b"></div>'


def plugin(cache: Cache | None = None) -> SitePlugin:
    html = {MARK: '<ai-calculator id="one"><select><option>Two</option></select></ai-calculator>'}
    return SitePlugin(html, "ours.js", cache or Cache())


def page(content: str = "", **about: Any) -> Any:
    return SimpleNamespace(content=content, url="guide/x/", title="X", meta=about, present_anchor_ids={"top"})


def indexed(ours: SitePlugin, shown: Any, entries: list[dict[str, str]]) -> str:
    """What Material's search plugin sees of a page; it adds an entry unless the page says that it is left out."""
    before, after = ours.on_page_context.methods  # in MkDocs the search plugin comes between
    before({}, page=shown, config=SimpleNamespace(plugins={"material/search": _material(entries)}))
    seen = str(shown.content)
    if not shown.meta["search"].get("exclude"):
        entries.append({"location": shown.url, "text": seen})
    after({}, page=shown)
    return seen


def _material(entries: list[dict[str, str]]) -> SimpleNamespace:
    return SimpleNamespace(search_index=SimpleNamespace(entries=entries))


def test_finished_html_comes_into_its_place_and_its_anchors_can_be_linked_to() -> None:
    filled = page()
    html = plugin().on_page_content(f"<p>a</p>{MARK}", page=filled)
    assert html.startswith('<p>a</p><ai-calculator id="one">')
    assert filled.present_anchor_ids == {"top", "one"}


def test_the_search_sees_a_page_without_its_menus_and_the_site_has_it_whole() -> None:
    whole = "<p>a</p><nav>menu</nav><td>one</td><td>two</td>"
    shown = page(whole, title="Name")
    assert indexed(plugin(), shown, []) == "<p>a</p><td>one</td> <td>two</td> "
    assert shown.meta["search"] == {"boost": 2.0}
    assert shown.content == whole


def test_a_page_that_has_not_changed_is_read_for_the_search_once() -> None:
    cache, built = Cache(), []
    for content in ("<p>a</p>", "<p>a</p>", "<p>b</p>"):
        entries: list[dict[str, str]] = [{"location": "guide/w/", "text": "before it"}]
        shown = page(content)
        with cache.one_build():
            indexed(plugin(cache), shown, entries)
        built.append((entries[1:], "exclude" in shown.meta["search"]))
    first, again, changed = built
    assert first == ([{"location": "guide/x/", "text": "<p>a</p>"}], False)
    assert again == (first[0], True)
    assert changed == ([{"location": "guide/x/", "text": "<p>b</p>"}], False)


def test_pages_name_our_worker_where_material_names_its_own() -> None:
    env = plugin().on_env(jinja2.Environment(autoescape=True))
    text = '"search": "../assets/javascripts/workers/search.a7633da7.min.js"'
    assert env.filters["with_our_search"](text) == '"search": "../ours.js"'


def test_entries_are_parted_from_the_settings_and_name_their_page(tmp_path: Path) -> None:
    (tmp_path / "search").mkdir()
    entries = [
        {"location": "a/", "title": "How much?", "text": "x"},
        {"location": "a/#b", "title": "Part", "text": "y"},
        {"location": "c/", "title": "Cost of c", "text": ""},
    ]
    (tmp_path / search.INDEX).write_text(json.dumps({"config": {"separator": " "}, "docs": entries}), "utf-8")
    search.finish(tmp_path, {"a/": "Amount", "c/": "Cost"})
    titles = [entry["title"] for entry in json.loads((tmp_path / search.ENTRIES).read_text("utf-8"))]
    assert titles == ["Amount: How much?", "Part", "Cost of c"]
    assert json.loads((tmp_path / search.INDEX).read_text("utf-8")) == {"config": {"separator": " "}, "docs": []}


def test_no_figure_repeats_a_drawing_by_href() -> None:
    """The theme sets href of every element that has one as it changes the page; of <use> it cannot."""
    drawn = [path for path in TEMPLATES.rglob("*.j2") if "<use href" in path.read_text("utf-8")]
    assert not drawn

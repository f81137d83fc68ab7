"""The last step refuses a site that breaks a promise, and names the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from builder.cache import Cache
from builder.site import finalize, promises

if TYPE_CHECKING:
    from pathlib import Path

ELSEWHERE = "https://elsewhere.example/thing"


def page(body: str = "", head: str = "") -> str:
    """A page as the site generator writes it."""
    return f'<!doctype html><html><head><meta charset="utf-8">{head}</head><body>{body}</body></html>'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site of three pages that keeps its promises."""
    (tmp_path / "guide").mkdir()
    links = '<a href="guide/#one">One</a> <a href="https://elsewhere.example/">A source</a> <a href="#">Up</a>'
    (tmp_path / "index.html").write_text(page(links, "<script>one()</script>"), "utf-8")
    (tmp_path / "guide" / "index.html").write_text(page('<h2 id="one">One</h2><a href="../">Home</a>'), "utf-8")
    (tmp_path / "404.html").write_text(page('<a href="/some-repo/">Home</a>'), "utf-8")
    (tmp_path / "site.css").write_text("body { background: url(data:image/png;base64,AA) }", "utf-8")
    return tmp_path


def put(site: Path, body: str = "", head: str = "") -> None:
    """Replace the chapter."""
    (site / "guide" / "index.html").write_text(page('<h2 id="one">One</h2>' + body, head), "utf-8")


def refused(site: Path) -> str:
    """The breaches for which the site is refused."""
    with pytest.raises(promises.PromiseError) as caught:
        finalize.finalize(site, Cache())
    return str(caught.value)


def test_a_site_that_keeps_its_promises_is_sealed(site: Path) -> None:
    finalize.finalize(site, Cache())
    promises.check(site)


def test_every_page_gets_one_policy_for_all_before_anything_it_governs(site: Path) -> None:
    finalize.finalize(site, Cache())
    heads = [path.read_text("utf-8").partition("<head>")[2] for path in site.rglob("*.html")]
    policies = {head.partition('content="')[2].partition('"')[0] for head in heads}
    assert all(head.startswith('<meta charset="utf-8"><meta http-equiv="Content-Security-Policy"') for head in heads)
    (policy,) = policies
    scripts = next(part for part in policy.split("; ") if part.startswith("script-src"))
    assert "'sha256-" in scripts
    assert "unsafe-inline" not in policy
    assert "'unsafe-eval'" not in policy


@pytest.mark.parametrize(
    "body",
    [
        f'<script src="{ELSEWHERE}"></script>',
        '<script src="//elsewhere.example/thing"></script>',
        f'<img src="{ELSEWHERE}" alt="">',
        f'<iframe src="{ELSEWHERE}"></iframe>',
        f'<video src="{ELSEWHERE}"></video>',
        f'<link rel="stylesheet" href="{ELSEWHERE}">',
        f'<link rel="preload" as="font" href="{ELSEWHERE}">',
        f'<link rel="preconnect" href="{ELSEWHERE}">',
        f'<link rel="shortcut icon" href="{ELSEWHERE}">',
    ],
)
def test_a_page_that_fetches_from_another_origin_is_refused(site: Path, body: str) -> None:
    put(site, body)
    text = refused(site)
    assert "guide/index.html fetches" in text
    assert "another origin" in text


@pytest.mark.parametrize("rule", [f"url({ELSEWHERE})", f"url('{ELSEWHERE}')", "url(//elsewhere.example/x)"])
def test_a_style_sheet_that_fetches_from_another_origin_is_refused(site: Path, rule: str) -> None:
    (site / "site.css").write_text(f"body {{ background: {rule} }}", "utf-8")
    assert refused(site) == "site.css fetches something from another origin"


def test_a_style_sheet_that_imports_from_another_origin_is_refused(site: Path) -> None:
    (site / "site.css").write_text(f'@import "{ELSEWHERE}";', "utf-8")
    assert refused(site) == "site.css fetches something from another origin"


@pytest.mark.parametrize("link", ["../nothing/", "nothing.html", "../../", "../index.htm", "../nothing/#one"])
def test_a_dead_link_is_refused(site: Path, link: str) -> None:
    put(site, f'<a href="{link}">x</a>')
    assert refused(site) == f"guide/index.html links to {link}, which is not there"


@pytest.mark.parametrize("body", ['<td style="text-align: right;">1</td>', "<style>p { color: red }</style>"])
def test_an_inline_style_is_refused(site: Path, body: str) -> None:
    put(site, body)
    assert refused(site) == "guide/index.html has inline styles, which its policy refuses"


def test_two_places_of_one_name_are_refused(site: Path) -> None:
    put(site, '<h2 id="two">x</h2><p id="other">x</p><noscript><p id="two">x</p></noscript>')
    assert refused(site) == "guide/index.html has two places called two"


@pytest.mark.parametrize("link", ["#two", "../guide/#two", "index.html#two", "../#one"])
def test_a_dead_anchor_is_refused(site: Path, link: str) -> None:
    put(site, f'<a href="{link}">x</a>')
    assert refused(site) == f"guide/index.html links to {link}, which has no such anchor"


@pytest.mark.parametrize("link", ["#one", "../guide/#one", "../#parameters=405B", "#__search", "index.html?q=x#one"])
def test_anchors_states_of_calculators_and_the_themes_switches_pass(site: Path, link: str) -> None:
    put(site, f'<a href="{link}">x</a>')
    finalize.finalize(site, Cache())


@pytest.mark.parametrize("link", ["/", "/guide/", "/guide/#one"])
def test_an_absolute_link_is_refused_because_the_site_has_no_fixed_place(site: Path, link: str) -> None:
    put(site, f'<a href="{link}">x</a>')
    assert refused(site) == f"guide/index.html links to {link}, which is not there"


def test_a_page_without_a_policy_is_refused(site: Path) -> None:
    finalize.finalize(site, Cache())
    put(site)
    with pytest.raises(promises.PromiseError, match=r"^guide/index\.html has no content policy$"):
        promises.check(site)


def test_all_breaches_are_reported_at_once(site: Path) -> None:
    put(site, '<a href="nothing/">x</a><a href="#two">y</a>', f'<script src="{ELSEWHERE}"></script>')
    assert len(refused(site).splitlines()) == 3

"""While serving, a page shows a new build by itself, under a policy as strict as the site's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from builder.serving.serve import SiteServer, running

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"


def write_page(folder: Path, text: str) -> None:
    """Build the smallest site."""
    head = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}"><title>A page</title>'
    (folder / "index.html").write_text(
        f"<!doctype html><head>{head}</head><body><p>{text}</p></body>", encoding="utf-8"
    )


def test_a_page_shows_a_new_build_by_itself(browser: Browser, tmp_path: Path) -> None:
    write_page(tmp_path, "before")
    with running(SiteServer(tmp_path, prefix="/some-repo/", live=True)) as server:
        page = browser.new_page()
        page.goto(server.url + "#parameters=405B")
        expect(page.locator("p")).to_have_text("before")
        write_page(tmp_path, "after")
        server.load()
        expect(page.locator("p")).to_have_text("after")
        assert page.url.endswith("#parameters=405B")
        page.close()

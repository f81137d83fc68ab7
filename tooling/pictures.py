"""Pictures made with a browser from a built site: `python -m tooling.pictures [SITE_DIR]` draws all of them again.

They are committed: content/social.png (what other sites show next to a link to this one, drawn in social.svg),
content/apple-touch-icon.png (content/favicon.svg for home screens) and docs/calculator.png (the README's).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from builder.paths import ROOT
from builder.serving.serve import SiteServer, running
from tooling import browsers

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SOCIAL = (1200, 630)
TOUCH = (180, 180)
SCREEN = (1440, 900)
START_SECONDS = 60


def opened(browser: Browser, address: str, size: tuple[int, int]) -> Page:
    """A page of the site in a window of this size, its fonts there."""
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="light",
        reduced_motion="reduce",
        bypass_csp=True,  # it refuses the drawing that `drawn` puts in
    )
    page.goto(address)
    page.evaluate("() => document.fonts.ready")
    return page


def drawn(browser: Browser, address: str, svg: str, size: tuple[int, int], target: Path) -> None:
    """Photograph an SVG that fills the window, with the fonts and colours of the site's own pages."""
    page = opened(browser, address, size)
    page.evaluate(
        """async svg => {
            document.body.innerHTML = svg;
            document.body.style.cssText = "margin: 0; display: block; line-height: 0";
            Object.assign(document.querySelector("body > svg").style, { width: "100vw", height: "100vh" });
            document.documentElement.style.overflow = "hidden";
            await Promise.all([...document.fonts].map((font) => font.load()));
        }""",
        svg,
    )
    page.screenshot(path=target)
    page.close()


def photographed(browser: Browser, address: str, target: Path) -> None:
    """Photograph a calculator with its engine running."""
    page = opened(browser, address, SCREEN)
    page.locator(".calculator[data-engine=live]").wait_for(timeout=START_SECONDS * 1000)
    page.mouse.move(SCREEN[0] - 1, SCREEN[1] - 1)
    page.screenshot(path=target)
    page.close()


def main() -> None:
    """Draw every picture from the site in the folder given, or in site/."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "site")
    mark = (
        (ROOT / "content/favicon.svg").read_text("utf-8").replace('rx="5"', "")
    )  # phones round the corners themselves
    with running(SiteServer(folder)) as site, sync_playwright() as playwright:
        browser = browsers.launched(playwright, "chromium")
        drawn(browser, site.url, (ROOT / "tooling/social.svg").read_text("utf-8"), SOCIAL, ROOT / "content/social.png")
        drawn(browser, site.url, mark, TOUCH, ROOT / "content/apple-touch-icon.png")
        (ROOT / "docs").mkdir(exist_ok=True)
        photographed(browser, f"{site.url}calculators/checkpoint/", ROOT / "docs/calculator.png")
        browser.close()


if __name__ == "__main__":
    main()

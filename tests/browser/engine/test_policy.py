"""What the site promises: no foreign code, no other origin, no cookies, and nothing readers type is kept or sent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from builder.serving.serve import SiteServer, running
from tests import daily
from tests.browser import reading
from tests.browser.engine.test_engine import PAGE, engine_of
from tooling import browsers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import BrowserContext, Page, Worker

    from tests.browser.conftest import Visit

in_chromium = pytest.mark.skipif(
    browsers.chosen() != "chromium", reason="only there Playwright reaches workers and sees all their requests"
)
META = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
REFUSED = r"requires 'Trusted|Content Security Policy|violates the following|Refused to|Failed to load resource|blocked"
# Out of the debugger's hands, since some of what a debugger runs is exempt from the policy.
_LATER = "() => new Promise((resolve) => setTimeout(async () => resolve(await (%s)().catch((e) => `refused: ${e}`))))"
_EVAL = _LATER % "async () => String((0, eval)('6 * 7'))"
_FUNCTION = _LATER % "async () => String(new Function('return 6 * 7')())"
_FETCH = """(url) => new Promise((resolve) =>
  setTimeout(() => fetch(url).then(() => resolve("came"), () => resolve("refused"))))"""
TYPED = "123.456 GB/s"
pytestmark = pytest.mark.daily(1)
OF_EVERY_KIND = ("", "about/", "calculators/", "guide/", "guide/storage/", "machine/", "numbers/storage/", "records/")


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[SiteServer]:
    """Another origin, which counts what it is asked."""
    (tmp_path / "index.html").write_text("<!doctype html><title>Elsewhere</title>", encoding="utf-8")
    with running(SiteServer(tmp_path)) as server:
        yield server


def policies(site: SiteServer) -> dict[str, str]:
    """The content policy of every page, by its name."""
    found = {}
    for name, file in site.files.items():
        if name.endswith(".html"):
            text = file.body.decode()
            (policy,) = META.findall(text)
            assert text.index(policy) < text.index("<script"), f"{name}: a script comes before the policy"
            found[name] = policy
    return found


def test_every_page_has_the_same_strict_policy(site: SiteServer) -> None:
    """One for all, because instant navigation shows a page under the policy of the page it came from."""
    (policy,) = set(policies(site).values())
    rules = {rule.split()[0]: rule.split()[1:] for rule in policy.split(";")}
    allowed = {"'self'", "'wasm-unsafe-eval'"}
    assert all(source in allowed or source.startswith("'sha256-") for source in rules["script-src"])
    assert rules["default-src"] == rules["connect-src"] == rules["base-uri"] == ["'self'"]
    assert rules["object-src"] == rules["form-action"] == ["'none'"]
    assert rules["worker-src"] == ["'self'", "blob:"]
    assert rules["style-src"] == ["'self'"]
    assert rules["require-trusted-types-for"] == ["'script'"]
    assert f"\n  Content-Security-Policy: {policy}\n" in site.files["_headers"].body.decode()
    assert "http" not in policy
    assert "*" not in policy


@in_chromium
@pytest.mark.expects_problems(REFUSED, r"request to another origin")
def test_the_page_runs_no_text_and_asks_no_other_origin(visit: Visit, elsewhere: SiteServer) -> None:
    page = visit(PAGE)
    assert page.evaluate(_EVAL).startswith("refused: EvalError")
    assert page.evaluate(_FUNCTION).startswith("refused: EvalError")
    assert page.evaluate(_FETCH, elsewhere.url) == "refused"
    page.evaluate(
        """(url) => new Promise((resolve) => setTimeout(() => {
          const attempt = (deed) => { try { deed(); } catch {} }; // Trusted Types refuse by an error
          const add = (name, attributes) =>
            attempt(() => document.body.append(Object.assign(document.createElement(name), attributes)));
          add("script", {textContent: "window.ran = 'an inline script'"});
          add("script", {src: url + "a.js"});
          add("img", {src: url + "a.png"});
          add("iframe", {src: url});
          add("link", {rel: "stylesheet", href: url + "a.css"});
          const script = document.createElement("script");
          script.append("window.ran = 'a text in a script'");
          attempt(() => document.body.append(script));
          const image = document.createElement("img");
          attempt(() => image.setAttribute("onerror", "window.ran = 'a handler'"));
          image.src = "nothing";
          document.body.append(image);
          const form = Object.assign(document.createElement("form"), {action: url});
          document.body.append(form);
          form.submit();
          navigator.sendBeacon(url, "secret");
          try { new EventSource(url); } catch {}
          try { new WebSocket(url.replace("http", "ws")); } catch {}
          try { new Worker(url + "a.js"); } catch {}
          setTimeout(resolve, 500);
        }))""",
        elsewhere.url,
    )
    assert page.evaluate("() => window.ran") is None
    assert not elsewhere.sent


@in_chromium
@pytest.mark.expects_problems(REFUSED)
@pytest.mark.parametrize("theme_ran", [False, True], ids=["before the theme's script", "after it"])
def test_a_plain_text_becomes_no_markup_and_no_program(visit: Visit, theme_ran: bool) -> None:  # noqa: FBT001
    page = visit("about/")
    if theme_ran:  # from then on the policy for what it needs is there
        reading.await_truth(page, "() => 'document$' in window")
    else:
        page.route("**/assets/start-*.js", lambda route: route.abort())
        page.reload()
    passed = page.evaluate(
        """() => new Promise((resolve) => setTimeout(() => {
          const make = (name) => document.createElement(name);
          const page = "<!doctype html>" + document.querySelector("meta[http-equiv]").outerHTML;
          const deeds = {
            innerHTML: () => { make("div").innerHTML = "<img src=x onerror=1>"; },
            "innerHTML of a link": () => { make("div").innerHTML = "<a href=elsewhere>x</a>"; },
            "innerHTML of a class": () => { make("div").innerHTML = '<div class="other">x</div>'; },
            "innerHTML of a page": () => { make("div").innerHTML = page; },
            outerHTML: () => { document.querySelector("h1").outerHTML = "<script>1</script>"; },
            insertAdjacentHTML: () => document.body.insertAdjacentHTML("beforeend", "<img src=x onerror=1>"),
            srcdoc: () => { make("iframe").srcdoc = "<p onclick=1>x"; },
            fragment: () => document.createRange().createContextualFragment("<img src=x onerror=1>"),
            parser: () => new DOMParser().parseFromString("<p id=x>x", "text/html"),
            write: () => document.write("<p id=x>x"),
            "a script's address": () => { make("script").src = "/other.js"; },
            "a script's text": () => { make("script").textContent = "1"; },
            worker: () => new Worker(URL.createObjectURL(new Blob(["1"]))),
            "a policy": () => trustedTypes.createPolicy("more", {}),
            "the same policy": () => trustedTypes.createPolicy("folded", {}),
          };
          resolve(Object.keys(deeds).filter((name) => {
            try { deeds[name](); return true; } catch { return false; }
          }));
        }))"""
    )
    assert passed == []


@in_chromium
@pytest.mark.expects_problems(REFUSED, r"request to another origin")
def test_the_engines_worker_is_bound_by_it_too(visit: Visit, elsewhere: SiteServer) -> None:
    page = visit(PAGE)
    reading.await_live(page)
    worker: Worker = engine_of(page)
    assert worker.evaluate(_EVAL).startswith("refused: EvalError")
    assert worker.evaluate(_FUNCTION).startswith("refused: EvalError")
    assert worker.evaluate(_FETCH, elsewhere.url) == "refused"
    imported = _LATER % f"async () => (await import({elsewhere.url + 'a.js'!r}), 'came')"
    assert worker.evaluate(imported).startswith("refused")
    assert not elsewhere.sent


def test_a_request_to_another_origin_would_be_noticed(page: Page, elsewhere: SiteServer, problems: list[str]) -> None:
    """The watch that every test here is under is awake."""
    page.goto("about:blank")
    page.evaluate("(url) => fetch(url, {mode: 'no-cors'}).catch(() => {})", elsewhere.url)
    noticed = list(problems)
    problems.clear()
    assert f"request to another origin: {elsewhere.url}" in noticed


@in_chromium
@pytest.mark.long
@pytest.mark.context(service_workers="allow")
def test_a_whole_visit_asks_no_other_origin_and_leaves_nothing_of_the_reader(
    context: BrowserContext, page: Page, site: SiteServer, site_pages: tuple[str, ...]
) -> None:
    """Pages of every kind, calculators, search, light and dark, being kept. `context` fails at any other origin.

    All pages are under the one policy that the tests above look at: every day others are visited.
    """
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    site.sent.clear()
    calculators = {reading.path_of(name): name for name in daily.share(reading.NAMES, 8)}
    others = sorted({*site_pages} - {reading.path_of(name) for name in reading.NAMES})
    visited = {*daily.share(others, 16), *OF_EVERY_KIND}
    assert {*visited, *calculators} <= set(site_pages)
    for path in (*visited, *calculators):
        page.goto(site.url + path, wait_until="domcontentloaded")
        expect(page.locator("h1, .card").first).to_be_visible()
        entries = "() => performance.getEntriesByType('resource').map(({name}) => name)"
        assert all(url.startswith((site.url, "blob:", "data:")) for url in page.evaluate(entries))
        name = calculators.get(path)
        if name is None:
            continue
        reading.await_live(page)
        place = reading.calculator(page, name)
        reading.open_groups(place)
        place.locator("[data-box]").first.fill(TYPED)
        place.locator("[data-slider]").last.fill("1")
        expect(place.locator("[data-problem]:visible, [data-origin=yours]").first).to_be_attached()
        place.get_by_role("button", name="Copy link").click()
    page.locator("label[for=__palette_1]:visible, label[for=__palette_0]:visible").first.click()
    page.keyboard.press("/")
    page.keyboard.type("checkpoint")
    expect(page.locator(".md-search-result__link").first).to_be_visible()
    reading.await_truth(page, "async () => !!(await navigator.serviceWorker?.getRegistration())?.active")
    assert len(asked) > len(visited) + len(calculators)

    stored = page.evaluate(
        """async () => ({
          local: {...localStorage}, session: {...sessionStorage}, cookie: document.cookie,
          databases: (await indexedDB.databases()).map(({name}) => name),
          kept: (await Promise.all((await caches.keys()).map(async (name) =>
            (await (await caches.open(name)).keys()).map(({url}) => url)))).flat(),
        })"""
    )
    assert stored["cookie"] == ""
    assert context.cookies() == []
    assert stored["databases"] == []
    assert all(key.endswith("__palette") for key in stored["local"]), "more than light or dark is kept"
    assert stored["local"]
    assert "123.456" not in repr(stored)
    assert all(re.fullmatch(r"[^?#]*(\?__WB_REVISION__=[0-9a-f]+)?", url) for url in stored["kept"])
    assert not [path for path in site.sent if "123.456" in path or "?" in path]

"""The server behind `make serve` and the browser tests: it behaves like GitHub Pages, and never changes a file."""

from __future__ import annotations

import gzip
import http.client
import shutil
from typing import TYPE_CHECKING

import pytest

from builder.serving.serve import SiteServer, running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGE = b"<!doctype html><html><body><p>A page.</p></body></html>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A site of a few files."""
    (tmp_path / "chapter").mkdir()
    (tmp_path / "index.html").write_bytes(PAGE)
    (tmp_path / "404.html").write_bytes(b"<p>Not here.")
    (tmp_path / "chapter" / "index.html").write_bytes(PAGE)
    (tmp_path / "engine.mjs").write_bytes(b"export {};" * 100)
    (tmp_path / "engine.wasm").write_bytes(b"\0asm")
    return tmp_path


@pytest.fixture
def server(folder: Path) -> Iterator[SiteServer]:
    """That site, under a prefix."""
    with running(SiteServer(folder, prefix="/some-repo/")) as started:
        yield started


def answer(server: SiteServer, path: str, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    """Ask for one path, and read the whole answer."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=10)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


@pytest.mark.parametrize("path", ["/some-repo/", "/some-repo/index.html", "/some-repo/chapter/", "/some-repo/?q=1"])
def test_a_page_is_served_as_it_was_built(server: SiteServer, path: str) -> None:
    response, body = answer(server, path)
    assert (response.status, body) == (200, PAGE)


@pytest.mark.parametrize(
    ("name", "media_type"), [("engine.mjs", "text/javascript; charset=utf-8"), ("engine.wasm", "application/wasm")]
)
def test_modules_and_wasm_have_the_types_that_browsers_insist_on(
    server: SiteServer, name: str, media_type: str
) -> None:
    response, _ = answer(server, f"/some-repo/{name}")
    assert response.headers["Content-Type"] == media_type


def test_a_folder_without_its_slash_redirects(server: SiteServer) -> None:
    response, _ = answer(server, "/some-repo/chapter")
    assert (response.status, response.headers["Location"]) == (301, "/some-repo/chapter/")


@pytest.mark.parametrize("path", ["/some-repo/nothing", "/some-repo/nothing/", "/some-repo/../secret"])
def test_what_is_missing_gets_the_sites_own_page(server: SiteServer, path: str) -> None:
    response, body = answer(server, path)
    assert (response.status, body) == (404, b"<p>Not here.")


@pytest.mark.parametrize("path", ["/", "/index.html", "/some-repo", "/__live__/reload.js"])
def test_nothing_is_served_outside_the_prefix(server: SiteServer, path: str) -> None:
    assert answer(server, path)[0].status == 404


def test_text_is_compressed_for_those_who_accept_it(server: SiteServer) -> None:
    response, body = answer(server, "/some-repo/engine.mjs", **{"Accept-Encoding": "gzip"})
    assert response.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(body) == b"export {};" * 100


def test_an_unchanged_file_is_not_sent_twice(server: SiteServer) -> None:
    first, _ = answer(server, "/some-repo/engine.mjs")
    second, body = answer(server, "/some-repo/engine.mjs", **{"If-None-Match": first.headers["ETag"]})
    assert (second.status, body) == (304, b"")


def test_a_build_in_progress_is_not_seen(server: SiteServer, folder: Path) -> None:
    shutil.rmtree(folder)
    assert answer(server, "/some-repo/")[1] == PAGE


def test_the_reload_script_goes_into_served_pages_only(folder: Path) -> None:
    with running(SiteServer(folder, live=True)) as live:
        _, body = answer(live, "/")
        response, script = answer(live, "/__live__/reload.js")
    assert b'<script src="/__live__/reload.js" data-build=' in body
    assert (response.status, b"EventSource" in script) == (200, True)
    assert (folder / "index.html").read_bytes() == PAGE

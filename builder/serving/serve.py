"""A built site served the way GitHub Pages serves it: for tests, and for writing, where every save shows at once.

The site is read into memory whole, so a page never meets a half-written build, and a failed build leaves the last good
one in place. The reload script is put into the HTML on its way out, never into a file, and comes from the same origin,
so the pages' own content security policy lets it pass.
"""

from __future__ import annotations

import gzip
import hashlib
import sys
import threading
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from watchfiles import watch

from builder.paths import ROOT
from builder.serving.build_process import BuildProcess

if TYPE_CHECKING:
    from collections.abc import Iterator

WATCHED = ("content", "templates", "calculators", "builder", "tests/cases", "mkdocs.yml")
HEARTBEAT_SECONDS = 15.0
GLANCE_MILLISECONDS = 100
LIVE = "__live__/"
RELOAD_SCRIPT = b"""\
// Shows the newest build: reloads the page when the server has one that this page does not come from.
const { src, dataset } = document.currentScript;
new EventSource(new URL("events", src)).addEventListener("message", async ({ data: newest }) => {
  if (newest === dataset.build) return;
  const workers = (await navigator.serviceWorker?.getRegistrations()) ?? [];
  await Promise.all(workers.map((worker) => worker.unregister()));
  if (self.caches) await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
  location.reload();
});
"""
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".gz": "application/gzip",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".toml": "text/plain; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
    ".zip": "application/zip",
}
COMPRESSED = ("text/", "application/json", "application/manifest", "application/wasm", "application/xml", "image/svg")


@dataclass(frozen=True)
class File:
    """One file of the site, as it goes out."""

    media_type: str
    body: bytes

    @cached_property
    def tag(self) -> str:
        """ETag of a file."""
        return f'"{hashlib.blake2b(self.body, digest_size=12).hexdigest()}"'

    @cached_property
    def gzipped(self) -> bytes | None:
        """The body compressed, where the media type is worth it."""
        return gzip.compress(self.body, compresslevel=6) if self.media_type.startswith(COMPRESSED) else None


class SiteServer(ThreadingHTTPServer):
    """Serves the files of one folder from memory, under a path prefix."""

    daemon_threads = True

    def __init__(
        self, folder: Path, *, host: str = "127.0.0.1", port: int = 0, prefix: str = "/", live: bool = False
    ) -> None:
        super().__init__((host, port), Handler)
        self.folder = folder
        self.prefix = prefix
        self.live = live
        self.files: dict[str, File] = {}
        self.build = ""
        self.changed = threading.Condition()
        self.sent: Counter[str] = Counter()  # bytes by path, for those who count
        self.load()

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"http://{self.server_address[0]!s}:{self.server_address[1]}"

    @property
    def url(self) -> str:
        """Address of the site's front page."""
        return self.origin + self.prefix

    def load(self) -> None:
        """Read the folder again and notify open pages if anything in it changed."""
        paths = [path for path in sorted(self.folder.rglob("*")) if path.is_file()]
        files = {(name := path.relative_to(self.folder).as_posix()): self._read(name, path) for path in paths}
        build = hashlib.blake2b(repr([(name, file.tag) for name, file in files.items()]).encode(), digest_size=12)
        with self.changed:
            self.files, self.build = files, build.hexdigest()
            self.changed.notify_all()

    def _read(self, name: str, path: Path) -> File:
        """One file; where nothing has changed the one that is known, with what was worked out for it."""
        body = path.read_bytes()
        known = self.files.get(name)
        if known and known.body == body:
            return known
        return File(MEDIA_TYPES.get(path.suffix.lower(), "application/octet-stream"), body)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing when a browser hangs up; that is no error of ours."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]  # typeshed names the socket


class Handler(BaseHTTPRequestHandler):
    """Answers one browser's requests."""

    server: SiteServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # headers and body are two writes; waiting between them would cost 40 ms each time

    def do_GET(self) -> None:
        """Send a file, a redirect to a folder's slash, or the site's own page for what is not there."""
        site = self.server
        address = urlsplit(self.path).path
        name = unquote(address.removeprefix(site.prefix))
        if not address.startswith(site.prefix):
            self.answer(HTTPStatus.NOT_FOUND, File("text/plain", b"Outside the site's path.\n"))
        elif site.live and name == LIVE + "events":
            self.events()
        elif site.live and name == LIVE + "reload.js":
            self.answer(HTTPStatus.OK, File(MEDIA_TYPES[".js"], RELOAD_SCRIPT))
        elif (page := str(PurePosixPath(name, "index.html"))) in site.files and (name and not name.endswith("/")):
            self.send_response(HTTPStatus.MOVED_PERMANENTLY)
            self.send_header("Location", address + "/")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif file := site.files.get(page if not name or name.endswith("/") else name):
            self.answer(HTTPStatus.OK, file)
        else:
            nothing = File(MEDIA_TYPES[".html"], b"<!doctype html><title>Not found</title><p>Not found.</p>")
            self.answer(HTTPStatus.NOT_FOUND, site.files.get("404.html", nothing))

    do_HEAD = do_GET  # noqa: N815 - http.server finds it by this name

    def answer(self, status: HTTPStatus, file: File) -> None:
        """Send a file, compressed where the browser takes it, or word that the browser's copy is still good."""
        if self.server.live and file.media_type.startswith("text/html"):
            file = File(file.media_type, with_reload_script(file.body, self.server.prefix, self.server.build))
        if status == HTTPStatus.OK and self.headers.get("If-None-Match", "").removeprefix("W/") == file.tag:
            self.send_response(HTTPStatus.NOT_MODIFIED)
            self.send_header("ETag", file.tag)
            self.end_headers()
            return
        body = file.body
        self.send_response(status)
        if file.gzipped is not None:
            self.send_header("Vary", "Accept-Encoding")
            if "gzip" in self.headers.get("Accept-Encoding", ""):
                body = file.gzipped
                self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Type", file.media_type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-cache" if self.server.live else "max-age=600")
        self.send_header("ETag", file.tag)
        self.end_headers()
        if self.command != "HEAD":
            self.server.sent[self.path] += len(body)
            self.wfile.write(body)

    def events(self) -> None:
        """Send an open page the newest build's number, now and at every change, until it disconnects."""
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        report = ""
        while True:
            with self.server.changed:
                if report == self.server.build:
                    self.server.changed.wait(timeout=HEARTBEAT_SECONDS)
                report = self.server.build
            self.wfile.write(f"data: {report}\n\n".encode())

    def log_message(self, *arguments: object) -> None:
        """Keep the terminal for the build's own words."""


def with_reload_script(page: bytes, prefix: str, build: str) -> bytes:
    """Return the page with the reload script at the end of its body."""
    script = f'<script src="{prefix}{LIVE}reload.js" data-build="{build}"></script>'.encode()
    start, end, rest = page.rpartition(b"</body>")
    return start + script + end + rest if end else page + script


@contextmanager
def running(server: SiteServer) -> Iterator[SiteServer]:
    """Keep a server answering from a thread of its own for as long as the `with` block runs."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def changes() -> Iterator[list[str]]:
    """Yield the names of the source files that were saved, together when they were saved together.

    The first time, at once, it may yield none: from then on nothing is missed, however long the next call takes.
    """
    paths = [ROOT / name for name in WATCHED if (ROOT / name).exists()]
    batches = watch(*paths, debounce=200, step=50, rust_timeout=GLANCE_MILLISECONDS, yield_on_timeout=True)
    for number, batch in enumerate(batches):
        if batch or not number:
            yield sorted({Path(path).relative_to(ROOT).as_posix() for _, path in batch})


def serve(host: str, port: int, site_url: str | None, *, site_dir: Path = ROOT / "site") -> None:
    """Build the site, serve it where `site_url` would have it, rebuild on every save; one build at a time."""
    prefix = (urlsplit(site_url).path if site_url else "/").rstrip("/") + "/"
    builds = BuildProcess(site_dir, site_url)
    saved = changes()
    next(saved)  # so that a save counts while the first build runs
    builds.built("start")
    try:
        server = SiteServer(site_dir, host=host, port=port, prefix=prefix, live=True)
    except OSError as error:
        sys.exit(f"Cannot listen on {host}, port {port}: {error.strerror}. `build.py serve --port 8001` takes another.")
    with running(server):
        print(f"Serving on {server.url} (Ctrl-C stops)", flush=True)
        try:
            for names in saved:
                if builds.built(", ".join(names), names):
                    server.load()
        except KeyboardInterrupt:
            print("\nstopped")

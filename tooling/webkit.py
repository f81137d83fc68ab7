"""WebKitGTK, the nearest to Safari that runs on Linux: found, and started on a screen that is not visible.

Playwright does not drive a stock one; WebDriver does, by selenium.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service
from urllib3.exceptions import HTTPError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selenium.webdriver.remote.webdriver import WebDriver

DRIVER, SCREEN = "WebKitWebDriver", "Xvfb"
BROWSERS = ("webkit2gtk-4.1/MiniBrowser", "webkitgtk-6.0/MiniBrowser", "webkit2gtk-4.0/MiniBrowser")
LAUNCHES = 3  # about one launch in fifteen hangs: the browser ends before its driver has reached it
LAUNCH_SECONDS = 20
WINDOW = (1440, 960)
ONCE_COMPILED = {"JSC_useOMGJIT": "0"}  # WebAssembly, in a browser for tests alone: see tooling/browsers.py
PATIENCE_SECONDS = 40  # for anything after that; longer than any wait inside the tests


class NoWebKitError(Exception):
    """There is no WebKitGTK that starts; the message says why."""


def executable() -> Path | None:
    """Path of the little browser that comes with the library."""
    places = (Path(base) for base in ("/usr/lib", "/usr/libexec", "/usr/lib64"))
    return next((path for base in places for name in BROWSERS for path in sorted(base.glob(f"**/{name}"))), None)


@contextmanager
def screen() -> Iterator[str]:
    """Keep a screen of its own, which is not visible; yields its name."""
    command = [SCREEN, "-displayfd", "1", "-screen", "0", "1440x1000x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            if not server.stdout or not (number := server.stdout.readline().strip()):
                raise NoWebKitError(f"{SCREEN} does not start")
            yield f":{number}"
        finally:
            server.terminate()


@contextmanager
def session(display: str) -> Iterator[WebDriver]:
    """One try to start the browser, on this screen."""
    options = Options()
    options.binary_location = str(executable())
    options.add_argument("--automation")
    environment = {**os.environ, **ONCE_COMPILED, "DISPLAY": display, "GDK_BACKEND": "x11"}
    service = Service(shutil.which(DRIVER), env=environment)
    service.start()
    try:
        wire = ClientConfig(service.service_url, timeout=LAUNCH_SECONDS)
        driver = webdriver.Remote(RemoteConnection(client_config=wire), options=options)
        wire.timeout = 2 * PATIENCE_SECONDS  # the driver speaks first
        driver.set_script_timeout(PATIENCE_SECONDS)
        driver.set_page_load_timeout(PATIENCE_SECONDS)
        driver.set_window_size(*WINDOW)
        yield driver
    finally:
        service.process.kill()  # the browser ends with its driver
        service.process.wait()


@contextmanager
def launched() -> Iterator[WebDriver]:
    """Keep a running WebKitGTK, with nothing of an earlier one in it; a launch that fails is tried again."""
    missing = [name for name in (DRIVER, SCREEN) if not shutil.which(name)]
    if missing or not executable():
        raise NoWebKitError(f"there is no {', no '.join(missing or ['MiniBrowser'])}")
    with screen() as display, ExitStack() as kept:
        yield _started(display, kept)


def _started(display: str, kept: ExitStack) -> WebDriver:
    """Start the browser, in as many tries as it may take."""
    why = ""
    for _ in range(LAUNCHES):
        try:
            return kept.enter_context(session(display))
        except (WebDriverException, HTTPError, OSError) as error:
            why = next(iter(str(error).strip().splitlines()), type(error).__name__)
            print(f"WebKitGTK did not start: {why}", file=sys.stderr)
    raise NoWebKitError(f"it did not start in {LAUNCHES} tries; the last time: {why}")

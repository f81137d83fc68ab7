"""Which browsers the tests drive, and how they are started: `python -m tooling.browsers firefox` finds one or gets one.

Playwright's own browser if installed, else the system's; if there is neither, Playwright's download, else Debian's.
WebKitGTK, which is not Playwright's, is in `tooling.webkit`; it comes from Debian only.
The variable BROWSER chooses `chromium` (the default), `firefox` or `webkit`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Error, sync_playwright
from selenium.common.exceptions import WebDriverException
from urllib3.exceptions import HTTPError

from tooling import webkit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

SYSTEM = {
    "chromium": (
        "chromium",
        "chromium-browser",
        "google-chrome-stable",
        "google-chrome",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
    ),
    "firefox": ("firefox-esr", "firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"),
}
DEBIAN = {
    "chromium": ("chromium", "fonts-dejavu-core"),
    "firefox": ("firefox-esr", "fonts-dejavu-core"),
    "webkit": ("webkit2gtk-driver", "xvfb", "fonts-dejavu-core"),
}
KNOWN = tuple(DEBIAN)
LIGHT = "chromium-headless-shell"  # Chromium without its windows, as Playwright's own is: half the work a test

# Chromium talks to its maker at every start; a test must depend on this machine alone.
QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)
# WebAssembly is compiled quickly, and not once more for speed: pages that are gone after seconds gain nothing from it.
ONCE_COMPILED = "--js-flags=--liftoff-only"
ONCE_COMPILED_BY_FIREFOX = {"javascript.options.wasm_optimizingjit": False}
DOWNLOAD_SECONDS = 90  # networks that refuse it say so at once, or never
APT_SECONDS = 240
LAUNCHES = 2
LAUNCH_MS = 45_000


class NoBrowserError(Exception):
    """There is no browser to run the tests in; the message says how to get one."""


def chosen() -> str:
    """Name of the browser that BROWSER asks for; editors set it to a path of their own, which is not for us."""
    asked = os.environ.get("BROWSER")
    return asked if asked in KNOWN else "chromium"


def system_path(name: str) -> str | None:
    """Path of the system's own browser of this name."""
    return next((path for candidate in SYSTEM[name] if (path := shutil.which(candidate))), None)


def launch_options(playwright: Playwright, name: str, *, light: bool = False, brief: bool = False) -> dict[str, Any]:
    """Arguments for Playwright's `launch`: its own browser if it is there, else the system's.

    For tests, since what is timed is what readers have: a light one is Chromium without its windows where there is
    one, a brief one is for pages that are gone after seconds.
    """
    if name == "webkit":
        raise NoBrowserError("Playwright does not drive WebKitGTK; what runs there is in tests/browser/core")
    own = Path(getattr(playwright, name).executable_path).exists()
    windowless = shutil.which(LIGHT) if light and name == "chromium" else None
    path = None if own else windowless or system_path(name)
    if not own and path is None:
        message = f"No {name} found: `playwright install {name}`, or install the system's package {DEBIAN[name][0]}"
        raise NoBrowserError(message)
    options: dict[str, Any] = {"timeout": LAUNCH_MS, **({"executable_path": path} if path else {})}
    if name == "chromium":
        root = ["--no-sandbox"] if os.geteuid() == 0 else []  # its sandbox does not start as root
        options["args"] = [*QUIET, *root, *((ONCE_COMPILED,) if brief else ())]
    elif path:
        options["channel"] = "moz-firefox"  # a stock Firefox, over WebDriver BiDi
    if name == "firefox" and brief:
        options["firefox_user_prefs"] = ONCE_COMPILED_BY_FIREFOX
    return options


def launched(playwright: Playwright, name: str | None = None, *, light: bool = False, brief: bool = False) -> Browser:
    """Return a running browser, the chosen one unless named; a launch that fails is tried again."""
    name = name or chosen()
    options = launch_options(playwright, name, light=light, brief=brief)
    for left in reversed(range(LAUNCHES)):
        try:
            browser: Browser = getattr(playwright, name).launch(**options)
        except Error as error:
            if not left:
                raise
            print(f"{name} did not start, trying again: {first_line(error)}", file=sys.stderr)
        else:
            return browser
    raise AssertionError


def first_line(error: Exception) -> str:
    """Say what an error is, shortly."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def works(name: str, *, light: bool = False) -> bool:
    """Whether this browser is here, starts, and shows a page; with `light`, one without windows counts too."""
    try:
        if name == "webkit":
            with webkit.launched() as driver:
                driver.get("about:blank")
            return True
        with sync_playwright() as playwright:
            browser = launched(playwright, name, light=light)
            browser.new_page().goto("about:blank")
            browser.close()
    except (NoBrowserError, webkit.NoWebKitError):
        return False
    except (Error, WebDriverException, HTTPError) as error:
        print(f"{name} is here but does not work: {first_line(error)}", file=sys.stderr)
        return False
    return True


def obtain(name: str, *, light: bool = False) -> None:
    """Get a browser that is not here yet: Playwright's, or Debian's where we may install packages."""
    print(f"no {name} here yet: getting one", flush=True)
    if name != "webkit":
        install = [sys.executable, "-m", "playwright", "install", name]
        with suppress(subprocess.TimeoutExpired):
            done = subprocess.run(install, check=False, capture_output=True, timeout=DOWNLOAD_SECONDS)
            if done.returncode == 0 and works(name, light=light):
                return
    packaged(DEBIAN[name])


def packaged(packages: tuple[str, ...]) -> None:
    """Install Debian's packages, where there are any and we may; the test that needs them shows the outcome."""
    if not shutil.which("apt-get"):
        return
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    apt = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "DPkg::Lock::Timeout=60"]
    for step in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        with suppress(subprocess.TimeoutExpired):
            subprocess.run([*apt, *step], check=False, timeout=APT_SECONDS, capture_output=True)


def lighten() -> None:
    """Get the Chromium without windows where Playwright has none of its own: tests then take half the work."""
    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path).exists()
    if not own and not shutil.which(LIGHT):
        packaged((LIGHT,))


def found(name: str, *, light: bool = False) -> bool:
    """Whether this browser is here and works, got just now if need be; with `light`, one without windows, for tests."""
    if light and name == "chromium":
        lighten()
    if works(name, light=light):
        return True
    obtain(name, light=light)
    return works(name, light=light)


def missing(name: str) -> str:
    """Say that a browser is missing and how to install it by hand."""
    by_playwright = "" if name == "webkit" else f"playwright install --with-deps {name}, or "
    packages = " ".join(DEBIAN[name])
    return f"The tests need {name}, and it could not be installed. By hand: {by_playwright}apt-get install {packages}"


def main() -> None:
    """See that the named browsers, or the chosen one, are here and work; get them if not."""
    for name in sys.argv[1:] or [chosen()]:
        if not found(name):
            sys.exit(missing(name))


if __name__ == "__main__":
    main()

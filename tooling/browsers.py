"""Which browser the tests drive, and how it is started: `python -m tooling.browsers` finds one or gets one.

Playwright's own browser if installed, else the system's; if there is neither, Playwright's download, else Debian's.
The variable BROWSER chooses `chromium` (the default) or `firefox`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Error, sync_playwright

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
DEBIAN = {"chromium": "chromium", "firefox": "firefox-esr"}

# Chromium talks to its maker at every start; a test must depend on this machine alone.
QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)
DOWNLOAD_SECONDS = 300


class NoBrowserError(Exception):
    """There is no browser to run the tests in; the message says how to get one."""


def chosen() -> str:
    """Name of the browser that BROWSER asks for; editors set it to a path of their own, which is not for us."""
    return "firefox" if os.environ.get("BROWSER") == "firefox" else "chromium"


def system_path(name: str) -> str | None:
    """Path of the system's own browser of this name."""
    return next((path for candidate in SYSTEM[name] if (path := shutil.which(candidate))), None)


def launch_options(playwright: Playwright, name: str) -> dict[str, Any]:
    """Arguments for Playwright's `launch`: its own browser if it is there, else the system's."""
    own = Path(getattr(playwright, name).executable_path).exists()
    path = None if own else system_path(name)
    if not own and path is None:
        message = f"No {name} found: `playwright install {name}`, or install the system's package {DEBIAN[name]}"
        raise NoBrowserError(message)
    options: dict[str, Any] = {"executable_path": path} if path else {}
    if name == "chromium":
        root = ["--no-sandbox"] if os.geteuid() == 0 else []  # its sandbox does not start as root
        options["args"] = [*QUIET, *root]
    elif path:
        options["channel"] = "moz-firefox"  # a stock Firefox, over WebDriver BiDi
    return options


def launched(playwright: Playwright, name: str | None = None) -> Browser:
    """Return a running browser, the chosen one unless named."""
    name = name or chosen()
    browser: Browser = getattr(playwright, name).launch(**launch_options(playwright, name))
    return browser


def works(name: str) -> bool:
    """Whether this browser is here and starts."""
    try:
        with sync_playwright() as playwright:
            launched(playwright, name).close()
    except NoBrowserError:
        return False
    except Error as error:
        print(f"{name} is here but does not start: {error.message.splitlines()[0]}", file=sys.stderr)
        return False
    return True


def obtain(name: str) -> None:
    """Get a browser that is not here yet: Playwright's, or Debian's where we may install packages."""
    print(f"no {name} here yet: getting one", flush=True)
    install = [sys.executable, "-m", "playwright", "install", name]
    try:
        done = subprocess.run(install, check=False, capture_output=True, timeout=DOWNLOAD_SECONDS)
        if done.returncode == 0 and works(name):
            return
    except subprocess.TimeoutExpired:
        pass
    if shutil.which("apt-get"):
        sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
        packages = [DEBIAN[name], "fonts-dejavu-core"]
        apt = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
        for step in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
            subprocess.run([*apt, *step], check=False, stdout=subprocess.DEVNULL)


def main() -> None:
    """See that the chosen browser is here and starts; get it if not."""
    name = chosen()
    if works(name):
        return
    obtain(name)
    if not works(name):
        hint = f"playwright install --with-deps {name}, or the system's package {DEBIAN[name]}"
        sys.exit(f"The tests need {name}, and it could not be installed. Install it by hand: {hint}")


if __name__ == "__main__":
    main()

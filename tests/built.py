"""Sites that are built once for all tests that look at them."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from builder.paths import ROOT
from tooling.suite import ORDER

if TYPE_CHECKING:
    from pathlib import Path


def built_once(tmp_path_factory: pytest.TempPathFactory, name: str, site_url: str) -> Path:
    """A site for an address, or for none, built by whichever of xdist's workers asks first, for all of them."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    folder, done, failed = shared / name, shared / f"{name}.done", shared / f"{name}.failed"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists() and not failed.exists():
            command = [sys.executable, "build.py", "build", "--site-dir", str(folder)]
            environment = {**os.environ, "SITE_URL": site_url, **ORDER}
            build = subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True)
            outcome = failed if build.returncode else done
            outcome.write_text(build.stdout + build.stderr, encoding="utf-8")
    if failed.exists():
        pytest.fail(f"the site does not build:\n{failed.read_text(encoding='utf-8')}", pytrace=False)
    return folder

"""Release: which version this is, and the moment it bears: the last commit's, so that two builds are equal."""

from __future__ import annotations

import datetime
import os
import subprocess
import tomllib
from contextlib import contextmanager
from typing import TYPE_CHECKING

from builder.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT = ROOT / "pyproject.toml"
_VARIABLE = "SOURCE_DATE_EPOCH"  # https://reproducible-builds.org/specs/source-date-epoch/


def version() -> str:
    """Return the version in pyproject.toml."""
    found: str = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["version"]
    return found


def moment() -> datetime.datetime:
    """Return when this release was made: SOURCE_DATE_EPOCH if set, else the last commit, else the project file."""
    if given := os.environ.get(_VARIABLE):
        seconds = int(given)
    else:
        asked = subprocess.run(
            ["git", "log", "-1", "--format=%ct"], check=False, cwd=ROOT, capture_output=True, text=True
        )
        seconds = int(asked.stdout) if asked.stdout.strip() else int(PROJECT.stat().st_mtime)
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC)


@contextmanager
def fixed_clock() -> Iterator[None]:
    """Have MkDocs and fontTools, which read the variable, write that moment where they would write the present."""
    given = os.environ.get(_VARIABLE)
    os.environ[_VARIABLE] = str(int(moment().timestamp()))
    try:
        yield
    finally:
        if given is None:  # the next build in this process may come after another commit
            del os.environ[_VARIABLE]

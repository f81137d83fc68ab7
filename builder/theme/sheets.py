"""Sheets: Material's style sheets, cut to the rules that pages use."""

from __future__ import annotations

import json
import subprocess
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import material

from builder.paths import ROOT, TEMPLATES

if TYPE_CHECKING:
    from collections.abc import Iterator

_UNUSED = Path(__file__).with_name("unused.mjs")
# On a page only after Material's script or a reader changed it: states, results of the search, attributes.
_IN_MOTION = (
    "--active",
    "--passed",
    "--indeterminate",
    "focus-visible",
    "data-md-",
    "md-search-result",
    "md-toggle",
    "md-typeset__",
    "^mark$",
)


class SheetError(Exception):
    """Material's style sheet cannot be cut; Node has printed why."""


@contextmanager
def material_sheets(pages: Path | None) -> Iterator[list[str]]:
    """Let our style sheet import Material's, whose names change with their content: a page then needs one only.

    Only the rules for elements of `pages` or named by our scripts; half of Material's are for others.

    """
    folder = Path(material.__file__).parent / "templates/assets/stylesheets"
    with TemporaryDirectory() as scratch:
        sheets = {name: Path(scratch) / f"{name}.css" for name in ("main", "palette")}
        for name, sheet in sheets.items():
            sheet.write_bytes(next(folder.glob(f"{name}.*.min.css")).read_bytes())
        if pages:
            _purge(Path(scratch), list(sheets.values()), pages)
        yield [f"--alias:material/{name}.css={sheet}" for name, sheet in sheets.items()]


def _purge(folder: Path, sheets: list[Path], pages: Path) -> None:
    """Write each sheet over, without the rules for what is on no page and in no script of ours."""
    looked_at = (pages / "**/*.html", TEMPLATES / "browser/**/*.ts", ROOT / "calculators/**/*.py")
    job = {"pages": list(map(str, looked_at)), "sheets": list(map(str, sheets)), "always": _IN_MOTION}
    (folder / "job.json").write_text(json.dumps(job), "utf-8")
    if subprocess.run(["node", str(_UNUSED), str(folder)], check=False, cwd=ROOT).returncode:
        raise SheetError("Material's style sheet cannot be cut to what pages use")

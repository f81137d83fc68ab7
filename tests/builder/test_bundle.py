"""The style sheet: Material's, but for a rule that makes a browser style the whole page anew."""

from __future__ import annotations

import re
from pathlib import Path

import material

from builder.site import bundle

SHEETS = Path(material.__file__).parent / "templates/assets/stylesheets"


def test_material_is_taken_over_but_for_the_rule_for_all_elements() -> None:
    with bundle.material_sheets() as options:
        paths = dict(option.removeprefix("--alias:material/").split("=") for option in options)
        ours = {name: Path(path).read_text("utf-8") for name, path in paths.items()}
    theirs = {f"{name}.css": next(SHEETS.glob(f"{name}.*.min.css")).read_text("utf-8") for name in ("main", "palette")}
    assert ours.keys() == theirs.keys()
    missing = [
        rule for name in theirs for rule in re.findall(r"[^{}]+\{[^{}]*\}", theirs[name]) if rule not in ours[name]
    ]
    assert len(missing) == 1
    assert missing[0].startswith("[data-md-color-switching] *,")

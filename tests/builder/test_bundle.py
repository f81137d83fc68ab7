"""The style sheet: Material's, but for a rule that has a browser style the whole page anew, and what no page has."""

from __future__ import annotations

import re
from pathlib import Path

import material

from builder.site import bundle

SHEETS = Path(material.__file__).parent / "templates/assets/stylesheets"


def sheets(pages: Path | None) -> dict[str, str]:
    """What our style sheet imports, by name."""
    with bundle.material_sheets(pages) as options:
        paths = dict(option.removeprefix("--alias:material/").split("=") for option in options)
        return {name: Path(path).read_text("utf-8") for name, path in paths.items()}


def test_material_is_taken_over_but_for_the_rule_for_all_elements() -> None:
    ours = sheets(None)
    theirs = {f"{name}.css": next(SHEETS.glob(f"{name}.*.min.css")).read_text("utf-8") for name in ("main", "palette")}
    assert ours.keys() == theirs.keys()
    missing = [
        rule for name in theirs for rule in re.findall(r"[^{}]+\{[^{}]*\}", theirs[name]) if rule not in ours[name]
    ]
    assert len(missing) == 1
    assert missing[0].startswith("[data-md-color-switching] *,")


def test_rules_for_what_no_page_has_are_left_out(tmp_path: Path) -> None:
    tmp_path.joinpath("index.html").write_text('<nav class="md-nav"><a class="md-nav__link">A</a></nav>', "utf-8")
    kept = sheets(tmp_path)["main.css"]
    assert ".md-nav__link" in kept
    assert ".md-nav__link--passed" in kept, "the theme's script says where one is"
    assert ".md-search-result__item" in kept, "the theme's script writes what was found"
    for without in (".md-consent", ".md-banner", ".md-feedback"):
        assert without not in kept
        assert without in sheets(None)["main.css"]

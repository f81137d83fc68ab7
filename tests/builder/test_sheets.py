"""Material's style sheets without the rules that no page uses."""

from __future__ import annotations

from pathlib import Path

import material

from builder.theme.sheets import material_sheets

SHEETS = Path(material.__file__).parent / "templates/assets/stylesheets"


def sheets(pages: Path | None) -> dict[str, str]:
    """What our style sheet imports, by name."""
    with material_sheets(pages) as options:
        paths = dict(option.removeprefix("--alias:material/").split("=") for option in options)
        return {name: Path(path).read_text("utf-8") for name, path in paths.items()}


def test_material_is_taken_over_whole_where_no_pages_are_given() -> None:
    theirs = {f"{name}.css": next(SHEETS.glob(f"{name}.*.min.css")).read_text("utf-8") for name in ("main", "palette")}
    assert sheets(None) == theirs


def test_rules_for_what_no_page_has_are_left_out(tmp_path: Path) -> None:
    tmp_path.joinpath("index.html").write_text('<nav class="md-nav"><a class="md-nav__link">A</a></nav>', "utf-8")
    kept = sheets(tmp_path)["main.css"]
    assert ".md-nav__link" in kept
    assert ".md-nav__link--passed" in kept, "the theme's script says where one is"
    assert ".md-search-result__item" in kept, "the theme's script writes what was found"
    for without in (".md-consent", ".md-banner", ".md-feedback"):
        assert without not in kept
        assert without in sheets(None)["main.css"]

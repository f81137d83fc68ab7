"""What becomes of Material's own scripts: a line of each is another; a Material that lacks the line is refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from builder.site import theme

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = 'let o=x("meta",{name:"color-scheme"});document.head.appendChild(o);let n=1'


def script(site_dir: Path, text: str) -> Path:
    """A site with this as Material's script."""
    path = site_dir / "assets/javascripts/bundle.0a1b2c3d.min.js"
    path.parent.mkdir(parents=True)
    path.write_text(text, "utf-8")
    return path


def test_the_second_color_scheme_is_made_but_not_put_into_the_page(tmp_path: Path) -> None:
    path = script(tmp_path, SCRIPT)
    theme.keep_one_color_scheme(tmp_path)
    after = path.read_text("utf-8")
    assert after.split() == ["let", 'o=x("meta",{name:"color-scheme"})', ";let", "n=1"]
    assert len(after) == len(SCRIPT), "what stands after it would be elsewhere than the source map says"


def test_a_script_that_does_so_in_another_way_stops_the_build(tmp_path: Path) -> None:
    script(tmp_path, SCRIPT.replace("appendChild(o)", "append(o)"))
    with pytest.raises(ValueError, match=r"bundle\.0a1b2c3d\.min\.js does not say .* as it did"):
        theme.keep_one_color_scheme(tmp_path)


def test_nodes_of_the_search_whose_names_would_be_one_have_two(tmp_path: Path) -> None:
    """With "2" before node 507 and with "25" before node 07 the text was the same."""
    path = tmp_path / "assets/javascripts/workers/search.0a1b2c3d.min.js"
    path.parent.mkdir(parents=True)
    path.write_text("for(;;){var s=r[i],o=this.edges[s];e=e+s+o.id}return e},t.more()", "utf-8")
    theme.keep_words_apart(tmp_path)
    assert 'e=e+s+o.id+"."}return e}' in path.read_text("utf-8")
    with pytest.raises(ValueError, match="as it did"):
        theme.keep_words_apart(tmp_path)


def test_what_can_be_searched_is_fetched_once_the_search_opens(tmp_path: Path) -> None:
    before = (
        'function ks(){return location.protocol==="file:"?_t(`${new URL("search/search_index.js",Or.base)}`)'
        '.pipe(m(()=>__index),Z(1)):ze(new URL("search/search_index.json",Or.base))}let n=1'
    )
    path = script(tmp_path, before)
    theme.await_search(tmp_path)
    after = path.read_text("utf-8")
    assert re.sub(" +", " ", after).startswith('function ks(){return Je("search").pipe(Re(')
    assert after.count("search_index") == 1
    assert len(after) == len(before), "what stands after it would be elsewhere than the source map says"
    with pytest.raises(ValueError, match="as it did"):
        theme.await_search(tmp_path)

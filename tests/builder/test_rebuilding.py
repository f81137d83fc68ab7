"""While serving: the site is always what a build from nothing gives, and a mistake leaves the last good one."""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING

import pytest

from builder.paths import CACHE
from builder.site import integrity
from tooling import copies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tooling.copies import Copy

CHAPTER = "content/guide/storage.md"
MENTIONS = '\n## Tried here\n\nIt is {{ fact("mfu") }}, see [numbers](../numbers/index.md#mfu).\n'


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Copy]:
    """The repository, copied and served."""
    cache = CACHE if CACHE.exists() else None  # so that only what is tested here is made again
    with copies.served(copies.copied(tmp_path / "copy", cache)) as served:
        yield served


def differences(one: Path, other: Path) -> list[str]:
    """The names of files that are not the same in both folders."""
    contents = [
        {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (one, other)
    ]
    return sorted(name for name in {*contents[0], *contents[1]} if contents[0].get(name) != contents[1].get(name))


def adding(text: str) -> Callable[[str], str]:
    """An edit that adds something at the end."""
    return lambda before: before + text


def failure(copy: Copy, name: str, change: Callable[[str], str]) -> str:
    """What the server says when a save makes the build fail."""
    heard = len(copy.log)
    copy.save(name, change)
    copies.waited_for(lambda: "the build failed; the last good one stays" in copy.log[heard:], "a failed build")
    return copy.log[heard:]


@pytest.mark.daily(3)
@pytest.mark.long
def test_the_site_follows_every_save(copy: Copy, tmp_path: Path) -> None:
    """One test, since a copy that is served takes half a minute to begin with."""
    a_failed_build_says_why_and_leaves_the_last_good_one_standing(copy)
    what_is_saved_during_a_build_is_built_next(copy)
    a_site_rebuilt_again_and_again_is_what_a_build_from_nothing_gives(copy, tmp_path)


def a_site_rebuilt_again_and_again_is_what_a_build_from_nothing_gives(copy: Copy, tmp_path: Path) -> None:
    """Changed Python counts, and starts a process that remembers nothing: here with no site to begin from either."""
    copy.save(CHAPTER, adding(MENTIONS))
    copy.save("content/guide/failure.md", lambda text: text.replace("title: ", "title: Tried ", 1))
    copy.seconds_until("guide/why/", "Tried ")  # the navigation names it
    copy.seconds_until("guide/storage/", "Tried here")
    style = re.compile(r"site-\w{8}\.css")
    before = style.findall(copy.page(""))
    copy.save("templates/calculator/page.html.j2", lambda text: text.replace("Recommendations", "What would serve"))
    copy.save("templates/theme/main.html", adding("{% block footer %}Tried below{{ super() }}{% endblock %}\n"))
    copy.save("templates/browser/styles/prose.css", adding("\n.tried { color: red; }\n"))
    copy.seconds_until("calculators/checkpoint/", "What would serve")
    copy.seconds_until("guide/why/", "Tried below")
    copies.waited_for(lambda: style.findall(copy.page("")) != before, "another style sheet")
    rebuilt = copy.site_dir.rename(tmp_path / "rebuilt")
    assert "SyntaxError" in failure(copy, "builder/theme/access.py", adding("\nthis is no Python\n"))
    assert copy.page("")
    copy.save(
        "builder/theme/access.py", lambda text: text.replace("\nthis is no Python\n", "").replace("Search", "Tried")
    )
    copy.seconds_until("", 'aria-label="Tried"')
    for page in copy.site_dir.rglob("*.html"):
        page.write_bytes(page.read_bytes().replace(b'aria-label="Tried"', b'aria-label="Search"'))
    integrity.finalize(copy.site_dir)
    assert differences(rebuilt, copy.site_dir) == []


def a_failed_build_says_why_and_leaves_the_last_good_one_standing(copy: Copy) -> None:
    message = failure(copy, "content/guide/money.md", adding("\nIt costs 80 GB, [nowhere](nowhere.md).\n"))
    assert "content/guide/money.md: line" in message
    assert "It costs" not in copy.page("guide/money/")

    # What is wrong stays wrong until it is put right, whatever else is saved.
    assert "nowhere.md" in failure(copy, "content/guide/money.md", lambda text: text.replace("80 GB", "much"))
    assert "nowhere.md" in failure(copy, "content/guide/power.md", adding("\nTried in passing.\n"))
    assert "Tried in passing" not in copy.page("guide/power/")

    copy.save("content/guide/money.md", lambda text: text.replace(", [nowhere](nowhere.md)", ""))
    copy.seconds_until("guide/power/", "Tried in passing")
    assert "It costs much." in copy.page("guide/money/")


def what_is_saved_during_a_build_is_built_next(copy: Copy) -> None:
    heard = len(copy.log)
    copy.save("content/guide/seeing.md", adding("\nTried first.\n"))
    copies.waited_for(lambda: "building" in copy.log[heard:], "a build")
    late = threading.Timer(0.2, copy.save, ("content/guide/networks.md", adding("\nTried second.\n")))
    late.start()
    copy.seconds_until("guide/networks/", "Tried second.")
    assert "Tried first." in copy.page("guide/seeing/")

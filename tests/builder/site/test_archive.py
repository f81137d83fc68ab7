"""The release archive: the same sources give the same bytes, whatever the clock, the folder or the order of sets.

One build may take from .cache/ what was made before; the other makes everything again. That the engine answers it need
not see again, where it has made the very same bytes of it.
"""

from __future__ import annotations

import datetime
import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from builder import release
from builder.paths import CACHE, ROOT
from builder.site import archive, fonts

WHEN = datetime.datetime(2026, 11, 20, 12, 0, 0, tzinfo=datetime.UTC)


def built(folder: Path, seed: str, **differently: str) -> Path:
    """Build the site into `folder`, with Python's sets in another order."""
    environment = {key: value for key, value in os.environ.items() if key not in {"SITE_URL", "SITE_DIR"}}
    command = [sys.executable, str(ROOT / "build.py"), "build", "--site-dir", str(folder)]
    environment |= {"PYTHONHASHSEED": seed, "TZ": f"UTC{int(seed):+d}", **differently}
    done = subprocess.run(command, cwd=folder.anchor, env=environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site of a few files."""
    folder = tmp_path / "site"
    (folder / "guide").mkdir(parents=True)
    (folder / "index.html").write_text("<p>Home", "utf-8")
    (folder / "guide" / "index.html").write_text("<p>Guide", "utf-8")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    (folder / ".nojekyll").touch()
    return folder


@pytest.mark.daily(3)
@pytest.mark.long
def test_two_builds_of_the_same_sources_give_the_same_archive(homeless: Path, tmp_path: Path) -> None:
    first, cache = homeless, tmp_path / "cache"
    cache.mkdir()
    for name in ("*_proof-*.txt", "*.gz"):  # and files packed as small as can be, which are named by their content
        for made in CACHE.glob(name):
            shutil.copy(made, cache)
    second = built(tmp_path / "further" / "down" / "second", "2", BUILD_CACHE=str(cache), LANG="de_DE.UTF-8")
    files = {
        folder: {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (first, second)
    }
    assert files[first].keys() == files[second].keys()
    assert [name for name, content in files[first].items() if content != files[second][name]] == []
    packed = [archive.write(folder, tmp_path / "a.zip", WHEN).read_bytes() for folder in (first, second)]
    assert hashlib.sha256(packed[0]).digest() == hashlib.sha256(packed[1]).digest()


def test_the_archive_is_one_folder_of_plain_readable_files(site: Path, tmp_path: Path) -> None:
    (site / "index.html").chmod(0o600)
    with zipfile.ZipFile(archive.write(site, tmp_path / "guide-1.2.zip", WHEN)) as packed:
        entries = packed.infolist()
        assert packed.testzip() is None
        assert packed.read("guide-1.2/guide/index.html") == b"<p>Guide"
    assert [entry.filename for entry in entries] == [
        "guide-1.2/.nojekyll",
        "guide-1.2/guide/index.html",
        "guide-1.2/index.html",
        "guide-1.2/picture.png",
    ]
    assert {entry.external_attr >> 16 for entry in entries} == {0o100644}
    assert {entry.date_time for entry in entries} == {(2026, 11, 20, 12, 0, 0)}


def test_a_font_subset_again_is_the_same_bytes() -> None:
    fonts.write_subsets()
    again = fonts.subset_of((fonts._PACKAGES / fonts.FACES["inter"]).read_bytes())
    assert again == (fonts.FOLDER / "inter.woff2").read_bytes()


def test_neither_the_times_nor_the_permissions_of_the_files_matter(site: Path, tmp_path: Path) -> None:
    before = archive.write(site, tmp_path / "a.zip", WHEN).read_bytes()
    (site / "index.html").chmod(0o755)
    os.utime(site / "index.html", (0, 0))
    assert archive.write(site, tmp_path / "a.zip", WHEN).read_bytes() == before


def test_a_folder_that_is_no_site_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(archive.ArchiveError, match="is no built site"):
        archive.write(tmp_path / "empty", tmp_path / "a.zip", WHEN)
    assert not list(tmp_path.glob("*.zip"))


def test_the_moment_of_a_release_is_what_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert release.moment().isoformat() == "2023-11-14T22:13:20+00:00"


def test_the_moment_of_a_release_does_not_move_with_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert release.moment() == release.moment() < datetime.datetime.now(datetime.UTC)


def test_sources_without_a_history_have_the_moment_of_the_project_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    project = tmp_path / "pyproject.toml"
    project.write_text('[project]\nversion = "3.2.1"\n', "utf-8")
    os.utime(project, (1_700_000_000, 1_700_000_000))
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(release, "PROJECT", project)
    assert (release.version(), int(release.moment().timestamp())) == ("3.2.1", 1_700_000_000)

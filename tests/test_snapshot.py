"""The snapshot of Python's memory: the same sources give the same bytes, also made anew, elsewhere, at another time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from builder import packages, questions, runtime
from calculators.bridge import respond

ROOT = Path(__file__).resolve().parent.parent
_MAKE = """
import sys
from pathlib import Path
from builder import runtime, snapshot
job = {"calculators": "calculators.zip", "library": "library.zip", "questions": ['{"calculator": "checkpoint"}']}
files = {name: Path(name).read_bytes() for name in ("calculators.zip", "library.zip")}
about, made = runtime.run(snapshot.SCRIPT, "make", job, files)
Path(sys.argv[1]).write_bytes(repr(about).encode() + made["made.memory"])
"""


def making(target: Path, **differently: str) -> subprocess.Popen[str]:
    """Begin to make a snapshot in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "BUILD_CACHE": str(target.parent / "cache"), **differently}
    return subprocess.Popen([sys.executable, "-c", _MAKE, target.name], cwd=target.parent, env=environment, text=True)


def test_two_snapshots_made_from_scratch_are_the_same_bytes(tmp_path: Path) -> None:
    first, second = tmp_path / "first" / "memory", tmp_path / "further" / "down" / "memory"
    packed = packages.packages()
    for target in (first, second):
        target.parent.mkdir(parents=True)
        (target.parent / "calculators.zip").write_bytes(packed.calculators)
        (target.parent / "library.zip").write_bytes(packed.library)
    makers = [
        making(first, TZ="Asia/Tokyo", LANG="C", PYTHONHASHSEED="1"),
        making(second, TZ="America/New_York", LANG="de_DE.UTF-8", PYTHONHASHSEED="2"),
    ]
    assert [maker.wait() for maker in makers] == [0, 0]
    one, other = first.read_bytes(), second.read_bytes()
    assert len(one) == len(other)
    differences = [place for place, (here, there) in enumerate(zip(one, other, strict=True)) if here != there]
    assert len(differences) == 0, f"they differ in {len(differences)} bytes, first at {differences[0]:#x}"


def test_what_answers_otherwise_than_python_here_is_refused() -> None:
    with pytest.raises(runtime.Unusable, match="1 answers from it are not those of Python here, first null"):
        questions.compare(["{", "null"], [respond("{"), "nothing"])


def test_a_runtime_that_fails_says_why(tmp_path: Path) -> None:
    script = tmp_path / "fails.mjs"
    script.write_text('process.stderr.write("there is no memory\\n"); process.exit(1);', "utf-8")
    with pytest.raises(runtime.Unusable, match="Node did not make it: there is no memory"):
        runtime.run(script, "make", {}, {})

"""The snapshot of Python's memory: one that does not work is refused (that it is reproducible, test_archive shows)."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.engine import questions, runtime
from calculators.bridge import respond


def test_what_answers_otherwise_than_python_here_is_refused() -> None:
    with pytest.raises(runtime.Unusable, match="1 answers from it are not those of Python here, first null"):
        questions.compare(["{", "null"], [respond("{"), "nothing"])


def test_a_runtime_that_fails_says_why(tmp_path: Path) -> None:
    script = tmp_path / "fails.mjs"
    script.write_text('process.stderr.write("there is no memory\\n"); process.exit(1);', "utf-8")
    with pytest.raises(runtime.Unusable, match="Node did not make it: there is no memory"):
        runtime.run(script, "make", {}, {})

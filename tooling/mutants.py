"""Mutants: do the tests notice a change of the arithmetic? `make mutants MODULES=calculators/storage/checkpoint.py`.

cosmic-ray changes one thing at a time in a copy of the repository (a sign, a comparison, a number, a condition) and
runs the tests of that folder, the module's doctests and the published cases. What survives is printed as a diff; more
than a tenth of a module is a failure. A survivor that no test could notice has a comment beside its line saying why.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from builder.paths import ROOT

PARTS = ("builder", "calculators", "content", "pyproject.toml", "templates", "tests", "tooling", "README.md")
COSMIC_RAY = ROOT / ".cache/mutants/bin/cosmic-ray"
FILTER = COSMIC_RAY.with_name("cr-filter-operators")
MOST_SURVIVORS = 0.1
ENGINE = ("answers", "declare", "facts", "units")  # no case is about them
SECONDS_EACH = 240.0
# Types are written with |, and no test could notice another operator there.
NOT_ARITHMETIC = ("core/ReplaceBinaryOperator_BitOr_.*", "core/RemoveDecorator")


@dataclass(frozen=True)
class Judgement:
    """How many changes of a module the tests noticed, and those that they did not."""

    module: str
    noticed: int
    survivors: tuple[str, ...]

    @property
    def share(self) -> float:
        """The part that survived."""
        total = self.noticed + len(self.survivors)
        return len(self.survivors) / total if total else 0.0


def tests_of(module: str) -> list[str]:
    """What is run against a change of a module: its doctests, the tests of its folder, and what rests on the folder."""
    subject = Path(module).parent.relative_to("calculators").parts[:1]
    own = ROOT.joinpath("tests", *subject)
    chosen = [own.relative_to(ROOT).as_posix()] if subject and own.is_dir() else []
    if subject and subject[0] in ENGINE:
        return [module, *chosen, "tests/test_bridge.py", "tests/test_command_line.py"]
    return [module, *chosen, "tests/test_published_cases.py"]


def judged(module: str, folder: Path) -> Judgement:
    """Change a module in the copy of the repository in `folder`, one thing at a time."""
    command = " ".join([sys.executable, "-m pytest -q -x -p no:cacheprovider", *tests_of(module)])
    config, session = folder / "mutants.toml", folder / "mutants.sqlite"
    excluded = ", ".join(json.dumps(name) for name in NOT_ARITHMETIC)
    config.write_text(
        f"[cosmic-ray]\nmodule-path = {json.dumps(module)}\ntimeout = {SECONDS_EACH}\nexcluded-modules = []\n"
        f"test-command = {json.dumps(command)}\n\n[cosmic-ray.distributor]\nname = 'local'\n\n"
        f"[cosmic-ray.filters.operators-filter]\nexclude-operators = [{excluded}]\n",
        "utf-8",
    )
    session.unlink(missing_ok=True)
    for step in (
        [COSMIC_RAY, "init", config, session],
        [FILTER, session, config],
        [COSMIC_RAY, "baseline", config],
        [COSMIC_RAY, "exec", config, session],
    ):
        subprocess.run([str(part) for part in step], cwd=folder, check=True, env={**os.environ, "CI": "true"})
    dumped = subprocess.run(
        [str(COSMIC_RAY), "dump", str(session)], cwd=folder, check=True, capture_output=True, text=True
    )
    results = [json.loads(line)[1] for line in dumped.stdout.splitlines()]
    run = [result for result in results if result and result["worker_outcome"] == "normal"]
    survivors = tuple(result["diff"] for result in run if result["test_outcome"] == "survived")
    return Judgement(module, len(run) - len(survivors), survivors)


def main() -> None:
    """Judge the modules that the command line names."""
    failed = False
    for module in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            for part in PARTS:
                source = ROOT / part
                copy = shutil.copytree if source.is_dir() else shutil.copy2
                copy(source, folder / part)
            found = judged(module, folder)
        print("\n".join(found.survivors))
        print(f"{module}: {found.noticed} noticed, {len(found.survivors)} survived ({found.share:.0%})", flush=True)
        failed = failed or found.share > MOST_SURVIVORS
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

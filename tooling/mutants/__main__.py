"""Mutants: do the tests notice a change of the arithmetic? `make mutants MODULES=calculators/units/reading.py`.

cosmic-ray changes one thing at a time in a copy of the repository (a sign, a comparison, a number, a condition) and
runs, of the module's doctests, the tests of its folder and the published cases, those that execute what changed
(touching.py finds them). What survives is printed as a diff; more than 10 % of a module is a failure. A survivor that
equivalent.toml explains is printed with its reason and not counted. `SAMPLE=30` tries that many of each module's
changes, evenly over its lines, instead of all. Modules of one folder are judged one after the other in `JOBS` copies,
as many as there are cores by default: the first run of their tests, which finds out what executes what, serves all.
A calculator's name (`make mutants MODULES=cost SAMPLE=24`) is the modules of its formulas and verdicts together: the
sample is drawn evenly over all their lines, and tried on the calculator's own tests, those of its subject, of measured
runs and of other folders that import it, and what is derived from it in the tests of every calculator.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from builder.paths import ROOT
from tooling.mutants.equivalent import reason
from tooling.mutants.keeper import kept

if TYPE_CHECKING:
    from collections.abc import Iterator

PARTS = (
    "README.md",
    "builder",
    "calculators",
    "content",
    "docs",
    "mkdocs.yml",
    "pyproject.toml",
    "templates",
    "tests",
    "tooling",
)
PROGRAMS = ROOT / ".cache/mutants/bin"
MOST_SURVIVORS = 0.1
ENGINE = ("answers", "page", "declare", "facts", "units")  # no case is about them
RESTING = ("tests/derived/test_bridge.py", "tests/cli/test_command_line.py")
OF_ALL = ("test_*.py", "cli/test_*.py", "derived/test_*.py")  # tests of no calculator or folder alone
_NO_CALCULATORS = frozenset({"browser", "builder", "tooling"})
DERIVED = (
    "tests/derived/test_published_cases.py",
    "tests/derived/test_examples.py",
    "tests/derived/test_properties.py",
    "tests/derived/test_units_of_results.py",
    "tests/derived/test_ranges_of_inputs.py",
)
# What of a calculator is no formula and no verdict: what readers type, and what they read.
NO_FORMULAS = re.compile(
    r"/(inputs|acceptance|aliases|calculator|commands|log_text|recommendations|tables|tender|warnings|__init__)\b"
)
EXAMPLES = "tests/derived/test_doctests.py::test_the_examples_of_a_module_hold[{}]"
LONGEST = 3600.0  # seconds; the keeper ends a run much sooner
# Types are written with |, where another operator changes nothing that runs. An operator on bits raises on a float,
# which every test notices and none deserves credit for. By identity nothing is compared but None: a name or a number
# is or is not the same object by chance, and that both are equal, or not, is tried.
NOT_ARITHMETIC = (
    "core/ReplaceBinaryOperator_BitOr_.*",
    "core/ReplaceBinaryOperator_.*_(RShift|LShift|BitOr|BitAnd|BitXor)$",
    "core/RemoveDecorator",
    "core/ReplaceComparisonOperator_(Eq|NotEq|Lt|LtE|Gt|GtE)_Is(Not)?$",
    "core/ReplaceComparisonOperator_Is(Not)?_(Eq|NotEq|Lt|LtE|Gt|GtE)$",
)


@dataclass(frozen=True)
class Judgement:
    """Counts of a module's changes that tests noticed, that they did not, and that nothing can notice."""

    module: str
    noticed: int
    survivors: tuple[str, ...]
    equivalent: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """The part that survived."""
        total = self.noticed + len(self.survivors)
        return len(self.survivors) / total if total else 0.0

    def __str__(self) -> str:
        """Return the survivors and the count."""
        count = f"{self.module}: {self.noticed} noticed, {len(self.survivors)} survived ({self.share:.0%})"
        count += f", {len(self.equivalent)} equivalent" if self.equivalent else ""
        return "\n".join([*self.equivalent, *self.survivors, count])


def judgement(name: str, noticed: int, survivors: list[tuple[str, str, str]]) -> Judgement:
    """Part survivors, each a module, its source and a diff, that the list of equivalents explains from the others."""
    reasons = [(diff, reason(module, source, diff)) for module, source, diff in survivors]
    explained = tuple(f"equivalent, {why}:\n{diff}" for diff, why in reasons if why)
    return Judgement(name, noticed, tuple(diff for diff, why in reasons if not why), explained)


def formulas_of(calculator: str) -> list[str]:
    """Modules of a calculator's formulas and verdicts; none where no calculator has that name."""
    found = [one.relative_to(ROOT).as_posix() for one in ROOT.glob(f"calculators/subjects/*/{calculator}/**/*.py")]
    return sorted(one for one in found if not NO_FORMULAS.search(one))


def subject_of(module: str) -> tuple[str, ...]:
    """The folder in calculators/ whose tests are a module's: a calculator's own; none where there is no such."""
    parts = Path(module).parent.relative_to("calculators").parts
    found = parts if parts[:1] == ("subjects",) else parts[:1]
    return found if ROOT.joinpath("tests", *found).is_dir() else ()


def tests_of(module: str) -> list[str]:
    """Tests that are run against a change of a module, the likeliest to notice first.

    The likeliest are its doctests, the tests, of its folder or of the whole, whose file has a word of its name, and
    those of other folders whose file has its whole name; the others the rest of that folder and what rests on it, and
    of a module next to the folders, which rests on all of them, every test of calculators.
    """
    path = Path(module)
    subject = subject_of(module)
    words = {path.stem, *path.stem.split("_")}
    own = sorted(ROOT.joinpath("tests", *subject).rglob("test_*.py")) if subject else []
    of_all = sorted(one for pattern in OF_ALL for one in ROOT.glob(f"tests/{pattern}"))
    near = [one for one in (*own, *of_all) if words & set(one.stem.split("_"))]
    siblings = [
        one
        for one in sorted(ROOT.glob("tests/*/**/test_*.py"))
        if one.relative_to(ROOT).parts[1] not in _NO_CALCULATORS and one not in of_all
    ]
    near += [one for one in siblings if one not in own and set(path.stem.split("_")) <= set(one.stem.split("_"))]
    likely = [EXAMPLES.format(".".join(path.with_suffix("").parts).removesuffix(".__init__"))]
    likely += [one.relative_to(ROOT).as_posix() for one in near]
    rest = own if subject else [*of_all, *siblings]
    others = [one.relative_to(ROOT).as_posix() for one in rest if one not in near]
    others += [] if not subject else RESTING if subject[0] in ENGINE else ["tests/derived/test_published_cases.py"]
    return [*likely, *others]


def tests_of_calculator(module: str) -> list[str]:
    """Tests that are run against a change of one of a calculator's modules.

    Its own, those of its subject and of all subjects, those of measured runs, files of other folders that import the
    calculator, and the tests of every calculator, of which its name chooses (`chosen_by`).
    """
    folders = Path(module).parts[1:4]
    own = ROOT.joinpath("tests", *folders)
    found = {*own.rglob("test_*.py"), *own.parent.glob("test_*.py"), *own.parent.parent.glob("test_*.py")}
    found |= {*ROOT.glob("tests/measured/test_*.py"), *_importing(folders)}
    paths = sorted({one.relative_to(ROOT).as_posix() for one in found} - {*DERIVED})
    return [EXAMPLES.format(".".join(Path(module).with_suffix("").parts)), *paths, *DERIVED]


def _importing(folders: tuple[str, ...]) -> Iterator[Path]:
    """Files of tests of calculators that import one of them, or something of its package."""
    package = re.compile(
        rf"\b{'.'.join(('calculators', *folders))}\b|^from calculators import .*\b{folders[-1]}\b", re.MULTILINE
    )
    for one in ROOT.glob("tests/**/test_*.py"):
        if one.relative_to(ROOT).parts[1] not in _NO_CALCULATORS and package.search(one.read_text("utf-8")):
            yield one


def chosen_by(calculator: str) -> str:
    """Pytest's -k for a calculator: of the files for every calculator, the tests that have its name."""
    derived = " or ".join(Path(one).name for one in DERIVED)
    return f"{calculator} or not ({derived})"


def tried(name: str, modules: list[str], folder: Path, command: str, sample: int) -> Judgement:
    """Change modules in the copy of the repository in `folder`, one thing at a time; `sample` 0 is all of them."""
    config, session = (folder / f"{name.replace('/', '.')}.{kind}" for kind in ("toml", "sqlite"))
    excluded = ", ".join(json.dumps(name) for name in NOT_ARITHMETIC)
    config.write_text(
        f"[cosmic-ray]\nmodule-path = {json.dumps(modules)}\ntimeout = {LONGEST}\nexcluded-modules = []\n"
        f"test-command = {json.dumps(command)}\n\n[cosmic-ray.distributor]\nname = 'local'\n\n"
        f"[cosmic-ray.filters.operators-filter]\nexclude-operators = [{excluded}]\n",
        "utf-8",
    )
    steps: list[tuple[object, ...]] = [
        ("cosmic-ray", "init", config, session),
        ("cr-filter-operators", session, config),
        ("python", "-m", "tooling.mutants.sample", session, sample),
        ("cosmic-ray", "exec", config, session),
    ]
    for program, *arguments in steps:
        subprocess.run([str(PROGRAMS / str(program)), *map(str, arguments)], cwd=folder, check=True)
    dumped = subprocess.run(
        [str(PROGRAMS / "cosmic-ray"), "dump", str(session)], cwd=folder, check=True, capture_output=True, text=True
    )
    results = [json.loads(line) for line in dumped.stdout.splitlines()]
    run = [(item, result) for item, result in results if result and result["worker_outcome"] == "normal"]
    survived = [
        (item["mutations"][0]["module_path"], result["diff"])
        for item, result in run
        if result["test_outcome"] == "survived"
    ]
    survivors = [(module, (folder / module).read_text("utf-8"), diff) for module, diff in survived]
    return judgement(name, len(run) - len(survivors), survivors)


def judged(modules: list[str], sample: int, calculator: str = "") -> bool:
    """Judge modules, one by one or as a calculator, in a copy of the repository of their own; say whether all did well.

    Prints what it finds.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for part in PARTS:
            source = ROOT / part
            copy = shutil.copytree if source.is_dir() else shutil.copy2
            copy(source, folder / part)
        well = True
        tests = {module: tests_of_calculator(module) if calculator else tests_of(module) for module in modules}
        together = {calculator: modules} if calculator else {module: [module] for module in modules}
        with kept(folder, tests, keyword=chosen_by(calculator) if calculator else "") as command:
            for name, those in together.items():
                found = tried(name, those, folder, command, sample)
                print(found, flush=True)
                well = well and found.share <= MOST_SURVIVORS
        return well


def portions(modules: list[str], jobs: int) -> list[list[str]]:
    """Modules that share their tests, whose first run records for all of them, in a portion for each job."""
    together: dict[tuple[str, ...], list[str]] = {}
    for module in dict.fromkeys(modules):
        together.setdefault(subject_of(module), []).append(module)
    parts = (those[job::jobs] for those in together.values() for job in range(jobs))
    return [part for part in parts if part]


def main() -> None:
    """Judge the modules and calculators that the command line names, as many at a time as there are cores."""
    sample = int(os.environ.get("SAMPLE") or 0)
    jobs = int(os.environ.get("JOBS") or os.cpu_count() or 1)
    calculators = {name: formulas_of(name) for name in sys.argv[1:]}
    alone = [name for name, found in calculators.items() if not found]
    with ThreadPoolExecutor(jobs) as pool:
        running = [pool.submit(judged, modules, sample) for modules in portions(alone, jobs)]
        running += [pool.submit(judged, found, sample, name) for name, found in calculators.items() if found]
        well = [each.result() for each in running]
    sys.exit(0 if all(well) else 1)


if __name__ == "__main__":
    main()

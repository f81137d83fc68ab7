"""Which changes of the arithmetic are tried, on which tests: none that means nothing, and on those that execute it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from difflib import unified_diff
from pathlib import Path

import pytest

from builder.paths import ROOT
from tooling.mutants import __main__ as mutants
from tooling.mutants.equivalent import LIST
from tooling.mutants.keeper import kept
from tooling.mutants.meant import meaning
from tooling.mutants.touching import OUTSIDE, changed

SUMS = """from functools import cache
RATE = 3
def double(a):
    return a * 2
@cache
def cached():
    return 5
def shared(a):
    if a > 1:
        return a
    return 1
"""
CONFTEST = """from pathlib import Path
import pytest
@pytest.fixture(autouse=True)
def reported(request):
    with Path("ran").open("a") as ran:
        ran.write(f"{request.node.name} ")
"""
TESTS = """import subprocess, sys
from calculators import sums
def test_doubled():
    assert sums.double(4) == 8
def test_cached():
    assert sums.cached() == 5
def test_cached_again():
    assert sums.cached() == 5
def test_small():
    assert sums.shared(0) == 1
def test_elsewhere():
    subprocess.run([sys.executable, "-c", "pass"], check=True)
"""
SHARING = """import pytest
from calculators import sums
@pytest.fixture(scope="module")
def large():
    return sums.shared(2)
def test_large(large):
    assert large == 2
def test_as_large(large):
    assert large == 2
"""
BRANCHES = """def side(a, b):
    \"""What it says.\"""
    if a:
        c = (1 +
             b)
    elif b:
        c = 2
    return [
        c, b]
"""


def tried(source: str, operator: str, sign: str) -> list[bool]:
    """Whether each place where `sign` is in `source` is changed by that operator of cosmic-ray."""
    meant = meaning(source)
    lines = enumerate(source.split("\n"), 1)
    places = [(number, found.start()) for number, line in lines for found in re.finditer(re.escape(sign), line)]
    return [not meant.why_not(f"core/{operator}", place) for place in places]


@pytest.mark.parametrize(
    ("source", "operator", "sign", "expected"),
    [
        ("def area(*, a, b): return a * b", "ReplaceBinaryOperator_Mul_Div", "*", [False, True]),
        ("def area(a, /, b): return (a) / (b / 2)", "ReplaceBinaryOperator_Div_Mul", "/", [False, True, True]),
        ("first, *others = [*a, 2 *\\\n  len(b)]", "ReplaceBinaryOperator_Mul_Add", "*", [False, False, True]),
        ('said = "größer — “so”" * 2', "ReplaceBinaryOperator_Mul_Add", "*", [True]),
        ("much = 1e21 + 1e15", "NumberReplacer", "1e", [False, True]),
        ("count = 10**21 + 7", "NumberReplacer", "10", [True]),
        ("all(zip(a, b, strict=True)), read(a, strict=True)", "ReplaceTrueWithFalse", "True", [False, True]),
        (
            'if kind == "a" and "b" == other and a == b: pass',
            "ReplaceComparisonOperator_Eq_LtE",
            "==",
            [False] * 2 + [True],
        ),
        ('if kind == "a" and a == b: pass', "ReplaceComparisonOperator_Eq_NotEq", "==", [True, True]),
        ("if TYPE_CHECKING: pass\nif CHECKING: pass", "AddNot", "if", [False, True]),
        ("class A:\n    b: int = 1\nc: int = 1", "NumberReplacer", "1", [False, True]),
        ("a = quantity(1, 'B')\nb = other(1)", "NumberReplacer", "1", [False, True]),
        ("def _count(a):\n  b = 1\n  return quantity(a)\nc = _count(1)", "NumberReplacer", "1", [True, False]),
        ("def _w(a, *, b=9):\n  return quantity(a)\nb = 9", "NumberReplacer", "9", [False, True]),
        ("def v(b=9):\n  return _w(b)\ndef _w(a):\n  return quantity(a)\nc = 9", "NumberReplacer", "9", [False, True]),
        ("_R = (9, 2)\n_S = 9\nS = 9\na = quantity(_S, hard=_R) + _S", "NumberReplacer", "9", [False, True, True]),
        (
            "_T: dict = {'a': 9}\ndef v(a):\n  low = _T[a]\n  return quantity(low)\nc = 9",
            "NumberReplacer",
            "9",
            [False, True],
        ),
        ("number(1, hard=(1, 5), slider=(1, 2), more=1)", "NumberReplacer", "1", [True, False, False, True]),
    ],
)
def test_what_cannot_change_anything_is_not_tried(source: str, operator: str, sign: str, expected: list[bool]) -> None:
    assert tried(source, operator, sign) == expected


@pytest.mark.parametrize(
    ("change", "left"),
    [
        ("ReplaceBinaryOperator_Div_FloorDiv", True),
        ("ReplaceBinaryOperator_Div_BitXor", False),
        ("ReplaceBinaryOperator_BitAnd_Add", True),
        ("ReplaceBinaryOperator_BitOr_Add", False),
        ("ReplaceComparisonOperator_Lt_Eq", True),
        ("ReplaceComparisonOperator_Lt_IsNot", False),
        ("ReplaceComparisonOperator_Is_IsNot", True),
        ("ReplaceComparisonOperator_IsNot_Lt", False),
    ],
)
def test_what_proves_nothing_about_the_tests_is_not_tried(change: str, *, left: bool) -> None:
    assert left != any(re.match(one, f"core/{change}") for one in mutants.NOT_ARITHMETIC)


def test_a_change_is_tried_on_the_tests_that_execute_it_alone(tmp_path: Path) -> None:
    """Each change leaves the sums right, so that all tests run that may; but the last."""
    for folder in ("calculators", "tests", "tooling/mutants"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "__init__.py").touch()
    shutil.copy(ROOT / "tooling/mutants/touching.py", tmp_path / "tooling/mutants")
    module, ran = tmp_path / "calculators/sums.py", tmp_path / "ran"
    module.write_text(SUMS)
    for name, source in {"conftest.py": CONFTEST, "test_sums.py": TESTS, "test_sharing.py": SHARING}.items():
        (tmp_path / "tests" / name).write_text(source)
    everyone = {"doubled", "cached", "cached_again", "large", "as_large", "small", "elsewhere"}
    with kept(tmp_path, {"calculators/sums.py": ["tests/test_sharing.py", "tests/test_sums.py"]}) as command:
        for before, after, those in (
            ("a * 2", "2 * a", {"doubled", "elsewhere"}),
            ("return 5", "return 4 + 1", {"cached", "cached_again", "elsewhere"}),
            ("return a\n", "return a * 1\n", {"large", "as_large", "elsewhere"}),
            ("a > 1", "a >= 2", {"large", "as_large", "small", "elsewhere"}),
            ("RATE = 3", "RATE = 4", everyone),
        ):
            ran.unlink(missing_ok=True)
            module.write_text(SUMS.replace(before, after))
            assert subprocess.run(shlex.split(command), check=False).returncode == 0
            assert {name.removeprefix("test_") for name in ran.read_text().split()} == those
        module.write_text(SUMS.replace("a * 2", "a * 3"))
        assert subprocess.run(shlex.split(command), check=False).returncode == 1


@pytest.mark.parametrize(
    ("before", "after", "statements"),
    [
        ("(a, b)", "(a, b=1)", {OUTSIDE}),
        ("if a:", "if not a:", {3}),
        ("     b)", "    -b)", {4}),
        ("elif b", "elif not b", {6}),
        ("c = 2", "c = 3", {7}),
        ("c, b]", "c]", {8}),
    ],
)
def test_what_changed_is_the_innermost_statement(before: str, after: str, statements: set[int]) -> None:
    assert changed(BRANCHES, BRANCHES.replace(before, after)) == statements


def test_modules_of_one_folder_share_the_first_run_of_their_tests() -> None:
    modules = [
        "calculators/guide/loss.py",
        "calculators/subjects/facility/power/watts.py",
        "calculators/guide/packing.py",
    ]
    assert mutants.portions(modules, 1) == [[modules[0], modules[2]], [modules[1]]]
    assert mutants.portions(modules, 2) == [[modules[0]], [modules[2]], [modules[1]]]
    assert set(mutants.tests_of(modules[0])) >= {
        "tests/guide/test_interval.py",
        "tests/derived/test_published_cases.py",
    }
    alone = mutants.tests_of("calculators/bridge.py")
    assert {
        "tests/page/test_incoming_link.py",
        "tests/derived/test_bridge.py",
        "tests/derived/test_published_cases.py",
    } <= set(alone)
    assert len(alone) == len(set(alone))
    assert "tests/subjects/network/collectives/test_collectives_measurement.py" in mutants.tests_of(
        "calculators/answers/runs/measurement.py"
    )


def survivor(module: str, before: str, after: str) -> str:
    """A change of a module that no test noticed, as cosmic-ray prints it."""
    source = (ROOT / module).read_text("utf-8")
    assert source.count(before) == 1
    changed_source = source.replace(before, after)
    return "\n".join(unified_diff(source.split("\n"), changed_source.split("\n"), "a", "b", lineterm=""))


def test_a_survivor_that_the_list_explains_is_not_counted() -> None:
    module = "calculators/subjects/storage/data_loader/cache.py"
    source = (ROOT / module).read_text("utf-8")
    equivalent = survivor(module, "if epochs == 1:", "if epochs <= 1:")
    counted = survivor(module, "if epochs == 1:", "if epochs == 2:")
    found = mutants.judgement("data_loader", 8, [(module, source, equivalent), (module, source, counted)])
    assert found.survivors == (counted,)
    assert found.share == pytest.approx(1 / 9)
    assert "equivalent, there is at least one epoch:\n" in str(found)
    elsewhere = "calculators/moved.py"
    assert mutants.judgement("moved", 8, [(elsewhere, source, equivalent)]).survivors == (equivalent,)


def test_a_calculators_changes_are_those_of_its_formulas_and_verdicts_tried_on_tests_of_its_own() -> None:
    modules = mutants.formulas_of("cost")
    folder = "calculators/subjects/money/cost/"
    assert {f"{folder}{name}.py" for name in ("owning", "renting", "verdicts")} <= set(modules)
    assert not {f"{folder}{name}.py" for name in ("inputs", "tables", "warnings", "__init__")} & set(modules)
    assert mutants.formulas_of("calculators/units/reading.py") == []
    tests = mutants.tests_of_calculator(f"{folder}owning.py")
    assert tests[0].endswith("[calculators.subjects.money.cost.owning]")
    assert {
        "tests/subjects/money/cost/test_cost.py",
        "tests/measured/test_storage.py",
        "tests/cli/test_offers.py",
    } <= set(tests)
    assert len(tests) == len(set(tests))
    assert all(ROOT.joinpath(one.partition("::")[0]).exists() for one in tests)


def test_of_the_tests_of_every_calculator_those_with_its_name_are_run_and_all_of_other_files(tmp_path: Path) -> None:
    every = "def test_a(): pass\ndef test_of_cost(): pass\n"
    for name in ("test_examples", "test_measured", "test_properties"):
        (tmp_path / f"{name}.py").write_text(every)
    arguments = ["-q", "--collect-only", "-c", "/dev/null", "--rootdir", str(tmp_path), "-k", mutants.chosen_by("cost")]
    asked = [sys.executable, "-m", "pytest", *arguments, str(tmp_path)]
    plain = {name: text for name, text in os.environ.items() if name != "PYTEST_ADDOPTS"}
    shown = subprocess.run(asked, cwd=tmp_path, check=True, capture_output=True, text=True, env=plain)
    assert [one for one in shown.stdout.splitlines() if "::" in one] == [
        "test_examples.py::test_of_cost",
        "test_measured.py::test_a",
        "test_measured.py::test_of_cost",
        "test_properties.py::test_of_cost",
    ]


def test_the_list_of_equivalent_changes_names_functions_that_exist() -> None:
    sources = "\n".join(path.read_text("utf-8") for path in (ROOT / "calculators").rglob("*.py"))
    names = {key.rpartition(":")[2].rpartition(".")[2] for key in tomllib.loads(LIST.read_text("utf-8"))} - {"*"}
    defined = re.compile(r"(?:def |class |^)(\w+)", re.MULTILINE)
    assert names - set(defined.findall(sources)) == set()


def test_the_copy_has_every_file_that_tests_of_calculators_read() -> None:
    """Else they fail before anything is changed, and nothing is tried."""
    out = {"browser", "builder", "tooling"}
    tests = [one for one in ROOT.glob("tests/**/*.py") if one.relative_to(ROOT).parts[1] not in out]
    read = {name for one in tests for name in re.findall(r'ROOT / "([\w.-]+)', one.read_text("utf-8"))}
    assert "docs" in read
    assert read - set(mutants.PARTS) == set()

"""The command line of a machine: what it asks first, what it lists otherwise, and what it refuses."""

from __future__ import annotations

import re

import pytest

from calculators.cli import machine as command
from calculators.declare import Choice
from calculators.machine.description import machine
from calculators.machine.machines import existing
from calculators.machine.state import WORKLOADS
from calculators.machine.training import TRAINING
from calculators.machine.workload import Workload

ALL = [pytest.param(None, id="train"), *(pytest.param(one, id=one.kind.name) for one in WORKLOADS.values())]


@pytest.mark.parametrize("workload", ALL)
def test_its_help_lists_the_short_form_first_and_every_other_input_and_menu_behind(workload: Workload | None) -> None:
    calculator, kind = (workload.calculator(), workload.kind) if workload else (machine(), TRAINING)
    listed = command._parser(workload).format_help()
    _, _, both = listed.partition("\nmain inputs:\n")
    first, _, rest = both.partition("\nother inputs, computed or defaults unless given:\n")
    flags = [{one.replace("-", "_") for one in re.findall(r"--([\w-]+)(?:,| [A-Z])", part)} for part in (first, rest)]
    asked = {name for field in kind.form for name in field.names}
    assert asked <= flags[0]
    known = {*calculator.inputs, *(menu.name for menu in calculator.presets)}
    assert known - asked <= flags[1]
    assert flags[0].isdisjoint(known - asked)
    assert flags[1].isdisjoint(asked)


@pytest.mark.parametrize("workload", ALL)
def test_its_help_names_what_may_be_chosen(workload: Workload | None) -> None:
    calculator = workload.calculator() if workload else machine()
    listed = re.sub(r"\s+", "", command._parser(workload).format_help())
    for declared in calculator.inputs.values():
        message = f"{declared.label}: {', '.join(declared.options)}" if isinstance(declared, Choice) else declared.label
        assert re.sub(r"\s+", "", message) in listed
    for menu in calculator.presets:
        message = f"{menu.label}: none, {', '.join(record.key for record in menu.records)}"
        assert re.sub(r"\s+", "", message) in listed
    assert re.sub(r"\s+", "", f"start from a published system: {', '.join(existing())}") in listed
    also = "orserve,rag,rl,whichhaveinputsoftheirown"
    assert listed.count(also) == (workload is None)
    if workload is None:
        job = calculator.inputs["job"]
        assert isinstance(job, Choice)
        assert re.sub(r"\s+", "", f"{job.label}: {', '.join(job.options)}, {also}") in listed


def test_with_help_it_gives_all_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(["--help"])
    assert ended.value.code == 0
    assert "\nmain inputs:\n" in capsys.readouterr().out


def test_what_is_no_input_is_refused_by_its_flag_with_a_code_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--layer", "3", "--head", "2"]) == 2
    assert capsys.readouterr().err == (
        "unknown option --layer (did you mean --layers?)\nunknown option --head (did you mean --heads?)\n"
    )
    with pytest.raises(SystemExit) as ended:
        command.main(["--json", "--markdown"])
    assert ended.value.code == 2, "one way of printing at a time"


def test_every_problem_is_reported_on_a_line_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--gpus", "many", "--tokens", "few"]) == 2
    report = capsys.readouterr().err.splitlines()
    assert [sum(label in text for text in report) for label in ("Training tokens", "GPUs in the job")] == [1, 1]
    assert len(report) == 2

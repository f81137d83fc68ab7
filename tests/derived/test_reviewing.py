"""The command line in a design review: margins, solutions, sweeps, tornados and comparisons, for any calculator."""

from __future__ import annotations

import io
import itertools
import json
import re
from typing import Any

import pytest

from calculators.__main__ import main
from calculators.answers.explore.search import Search
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from calculators.cli.patience import OutOfTimeError, Patience
from calculators.machine.description import machine
from calculators.machine.training_state import each_training_state

NAMES = sorted(CALCULATORS)
Captured = pytest.CaptureFixture[str]


def run(capsys: Captured, *arguments: str) -> str:
    """What is printed where nothing is wrong."""
    code = main(arguments)
    captured = capsys.readouterr()
    assert (code, captured.err) == (0, "")
    return captured.out


def refused(capsys: Captured, *arguments: str) -> str:
    """The one sentence that says what was wrong."""
    code = main(arguments)
    captured = capsys.readouterr()
    assert (code, captured.out) == (2, "")
    assert len(captured.err.splitlines()) == 1
    return captured.err.rstrip("\n")


def as_json(capsys: Captured, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(capsys, *arguments, "--json"))
    return found


@pytest.mark.parametrize(
    ("alone", "message"),
    [
        (("--for", "gpus"), "--for needs --solve"),
        (("--result", "goodput"), "--result needs --sweep or --compare"),
        (("--lines", "gpus=1,2"), "--lines needs --sweep"),
        (("--svg",), "--svg needs --sweep"),
        (("--margins", "--svg"), "--svg needs --sweep"),
        (("--format", "html"), "--format needs --record"),
        (("--notes", "Ask."), "--notes needs --record"),
        (("--record-title", "Saves"), "--record-title needs --record"),
        (("--alternative", "gpus=8"), "--alternative needs --record"),
    ],
)
def test_an_option_without_the_one_it_belongs_to_is_refused(
    alone: tuple[str, ...], message: str, capsys: Captured
) -> None:
    assert refused(capsys, "goodput", *alone) == message


def test_two_sweeps_are_a_heat_map_as_text_as_data_and_as_a_picture(capsys: Captured) -> None:
    """405B parameters of 14 B in 60 s are 94.5 GB/s: half of that takes 2 minutes."""
    axes = ("--sweep", "write-bandwidth=47.25GB/s,94.5GB/s", "--sweep", "parameters=405B,810B")
    asked = ("checkpoint", *axes, "--result", "write_duration")
    *_, first, last = run(capsys, *asked).splitlines()
    assert (first.split()[0], last.split()[0]) == ("405B", "810B")
    assert "2 min ✕" in first
    assert [[cell["result"] for cell in row] for row in as_json(capsys, *asked)["cells"]] == [
        [pytest.approx(120), pytest.approx(60)],
        [pytest.approx(240), pytest.approx(120)],
    ]
    assert run(capsys, *asked, "--svg").startswith("<svg")
    assert refused(capsys, *asked, "--sweep", "gpus") == "--sweep is given at most twice: one input across, one down"
    assert refused(capsys, *asked, "--lines", "gpus=1,2") == "--lines needs a single --sweep"


@pytest.mark.daily(5)
@pytest.mark.parametrize("name", NAMES)
def test_margins_are_reported_of_every_verdict_as_text_and_as_data(name: str, capsys: Captured) -> None:
    verdicts = CALCULATORS[name].of_role("verdict")
    asked = (name, "--margins", "--patience", "1h")
    text, data = run(capsys, *asked), as_json(capsys, *asked)
    assert list(data["margins"]) == [formula.name for formula in verdicts]
    for formula in verdicts:
        assert formula.label in text
        assert f"Closest threshold: {data['margins'][formula.name]['nearest']}" in text


def test_the_margin_of_a_checkpoint_is_the_bandwidth_it_needs(capsys: Captured) -> None:
    """Its verdict turns where bytes by window pass the bandwidth: 405B parameters of 14 B in 60 s are 94.5 GB/s."""
    data = as_json(capsys, "checkpoint", "--parameters", "405B", "--margins")
    found = {one["input"]: one for one in data["margins"]["write_in_time"]["margins"]}
    (edge,) = found["write_bandwidth"]["up"]
    assert edge["first"] == pytest.approx(405e9 * 14 / 60)
    assert found["write_bandwidth"]["text"] == "finishes before the next checkpoint from 94.5 GB/s on"


def test_one_exploration_is_reported_at_a_time(capsys: Captured) -> None:
    assert refused(capsys, "checkpoint", "--margins", "--markdown") == ("--margins and --markdown cannot be combined")


def test_solving_says_one_value_and_it_gives_the_result_when_put_back(capsys: Captured) -> None:
    """14 B for each of 405B parameters in 60 s: a window of 94.5 s would need 60 GB/s."""
    asked = ("checkpoint", "--parameters", "405B", "--solve", "required_write_bandwidth=60GB/s")
    data = as_json(capsys, *asked, "--for", "write-window")
    (one,) = data["solutions"][0]["answers"]
    assert one["value"] == pytest.approx(405e9 * 14 / 60e9)
    assert (one["met"], one["usual"]) == (True, True)
    assert "Checkpoint write time limit: 94.5 s; now 60 s." in run(capsys, *asked, "--for", "write_window")


def test_solving_out_of_reach_says_how_far_the_input_reaches(capsys: Captured) -> None:
    out = run(capsys, "checkpoint", "--solve", "checkpoint_size=1EB", "--for", "parameters", "--for", "gpus")
    assert (
        "Model parameters: no value from 1M parameters to 1,000T parameters reaches it; the result is at most 14 PB."
        in out
    )
    assert "GPUs in the job has no effect:" in out


def test_solving_outside_the_usual_range_says_so(capsys: Captured) -> None:
    out = run(capsys, "checkpoint", "--parameters", "405B", "--solve", "checkpoint_size=14PB", "--for", "parameters")
    assert "1,000T parameters (outside the typical range, " in out


def test_solving_for_menus_names_the_records_that_reach_it(capsys: Captured) -> None:
    """8.03 billion parameters of 14 B are 112 GB; 70.6 billion are 988 GB."""
    data = as_json(capsys, "checkpoint", "--solve", "checkpoint_size=500GB", "--for", "model")
    (menu,) = data["solutions"]
    reached = {one["record"]: one["result"] for one in menu["answers"]}
    assert reached["llama-3-8b"] == pytest.approx(8.03e9 * 14, rel=1e-3)
    assert "llama-3-70b" not in reached


def test_what_fits_in_a_megawatt_is_an_at_most(capsys: Captured) -> None:
    out = run(capsys, "power", "--solve", "facility_power<=1MW", "--for", "gpus")
    assert re.search(r"target at most 1 MW, now [\d.]+ MW\.\n  GPUs in the job: \d+ GPUs and below \(\d+ kW\)", out)
    data = as_json(capsys, "power", "--solve", "facility_power<=1MW", "--for", "gpus")
    assert data["wanted"] == {"at_most": 1e6}
    assert data["solutions"][0]["answers"][0]["results"][0] <= 1e6


def test_a_verdict_is_solved_for_by_its_level(capsys: Captured) -> None:
    out = run(capsys, "checkpoint", "--parameters", "405B", "--solve", "write_in_time=good", "--for", "write_bandwidth")
    assert "Storage write bandwidth: from 94.5 GB/s on; now 40 GB/s." in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--solve", "speed=3"), "“speed” is not a result; there are checkpoint_size, "),
        (("--solve", "checkpoint_size"), "write checkpoint_size=VALUE"),
        (("--solve", "checkpoint_size=3 s"), "Checkpoint size: “3 s” is not an amount of data"),
        (("--solve", "write_in_time=often"), "use good, tight, bad"),
        (("--solve", "checkpoint_size=3 TB", "--for", "colour"), "“colour” is not an input of"),
    ],
)
def test_what_cannot_be_solved_is_reported(arguments: tuple[str, ...], sentence: str, capsys: Captured) -> None:
    assert sentence in refused(capsys, "checkpoint", *arguments)


def test_a_sweep_is_reported_as_a_table_as_data_and_as_a_picture(capsys: Captured) -> None:
    """A write of 5.67 TB: 405 billion parameters of 14 B; at 40 GB/s it takes 142 s."""
    asked = ("checkpoint", "--parameters", "405B", "--sweep", "write_bandwidth=10GB/s..1TB/s")
    data = as_json(capsys, *asked)
    assert data["result"]["name"] == "write_duration"
    for point, result in zip(data["points"], data["lines"][0]["results"], strict=True):
        assert result == pytest.approx(405e9 * 14 / point)
    (edge,) = data["lines"][0]["edges"]
    assert edge["first"] == pytest.approx(405e9 * 14 / 60)
    out = run(capsys, *asked)
    assert data["sentence"] in out
    assert sum(line.endswith("  now") for line in out.splitlines()) == 1
    assert run(capsys, *asked, "--svg").startswith("<svg ")
    assert "--sweep" in refused(capsys, "checkpoint", "--sweep", "write_bandwidth", "--markdown")


def test_a_tornado_ranks_what_moves_a_result_and_says_how_its_range_was_made(capsys: Captured) -> None:
    """Utilization between 30 and 45 %: time goes with its inverse, so the middle of 37.5 % takes 0.8 of 30 %'s."""
    asked = ("training_time", "--mfu", "30-45%", "--tornado", "training_duration")
    data = as_json(capsys, *asked)
    (mfu,) = [swing for swing in data["swings"] if swing["input"] == "mfu"]
    assert mfu["hedge"] == "yours"
    assert mfu["at_low"] * 0.30 == pytest.approx(data["result"]["likely"] * 0.375)
    assert mfu["at_high"] * 0.45 == pytest.approx(data["result"]["likely"] * 0.375)
    sizes = [abs(swing["at_high"] - swing["at_low"]) for swing in data["swings"]]
    assert sizes == sorted(sizes, reverse=True)
    assert data["range"]["p10"] < data["range"]["p50"] < data["range"]["p90"]
    assert "gpus" in data["without_hedge"]
    out = run(capsys, *asked)
    assert data["sentence"] in out
    assert "30% to 45% (your range)" in out
    assert "not a confidence interval" in out
    assert "is not a numeric result" in refused(capsys, "checkpoint", "--tornado", "write_in_time")
    assert "from a triangular distribution over that range (by ratio on a logarithmic slider)" in run(
        capsys, "goodput", "--tornado", "goodput"
    )


def test_states_are_side_by_side_and_the_difference_is_attributed(capsys: Captured) -> None:
    """Twice the parameters through half the bandwidth takes four times as long: 1 s, 4 s, of which each makes half."""
    links = ("parameters=1B&write_bandwidth=14GB/s", "parameters=2B&write_bandwidth=7GB/s")
    data = as_json(capsys, "checkpoint", "--result", "write_duration", "--compare", *links)
    (found,) = data["attributions"]
    assert (found["before"], found["after"]) == (pytest.approx(1.0), pytest.approx(4.0))
    assert {part["change"]: part["part"] for part in found["parts"]} == {
        "parameters": pytest.approx(1.5),
        "write_bandwidth": pytest.approx(1.5),
    }
    out = run(capsys, "checkpoint", "--result", "write_duration", "--compare", *links)
    assert "Write duration from A to B, averaged over every order of the changes (Shapley):" in out
    one = as_json(capsys, "checkpoint", "--parameters", "1B", "--compare", links[1])
    assert [state["state"] for state in one["states"]] == ["A", "B"]
    pinned = "parameters=2B&pin=parameters%3D1B%26write_bandwidth%3D14GB/s&pin=parameters%3D3B"
    held = as_json(capsys, "checkpoint", "--compare", pinned)
    assert [state["link"] for state in held["states"]] == [
        "parameters=1B&write_bandwidth=14GB/s",
        "parameters=3B",
        "parameters=2B",
    ]


@pytest.mark.parametrize(
    ("option", "asked", "meant"),
    [
        ("--tornado", "write_bandwidth", "did you mean required_write_bandwidth, average_write_bandwidth,"),
        ("--solve", "total_size=1TB", "“total_size” is not a result; did you mean checkpoint_size or"),
        ("--explain", "bogus", "and 39 more that --json lists"),
    ],
)
def test_a_name_that_no_result_has_leads_to_those_that_are_like_it(
    option: str, asked: str, meant: str, capsys: Captured
) -> None:
    assert meant in refused(capsys, "checkpoint", option, asked)


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_search_says_how_far_it_is_and_ends_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step a second: of ten seconds every second one is reported, and the eleventh step is too many."""
    screen, clock = _Terminal(), iter(range(100))
    monkeypatch.setattr("sys.stderr", screen)  # also one that was replaced after the import
    patience = Patience("sweep", 10, lambda: float(next(clock)))
    assert patience.run(Search(item for item in [None] * 4)) is None
    with pytest.raises(OutOfTimeError, match="--sweep stopped after 10 s and 11 steps"):
        patience.run(Search(item for item in [None] * 100))
    assert re.findall(r"(\d+) steps", screen.getvalue()) == ["2", "4", "6", "8", "10"]


@pytest.mark.parametrize("asked", [("--sweep", "gpus"), ("--tornado", "stall_share"), ("--margins",)])
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_what_takes_too_long_says_how_far_it_came(
    asked: tuple[str, ...], form: tuple[str, ...], capsys: Captured
) -> None:
    assert "1 step, before its end; --patience" in refused(capsys, "checkpoint", *asked, "--patience", "1 ns", *form)


def test_a_solution_that_takes_too_long_is_reported_as_far_as_it_was_found(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second input has no time left."""
    started: list[Search[Any]] = []

    def once(self: Patience, search: Search[Any]) -> Any:
        started.append(search)
        if len(started) > 1:
            raise OutOfTimeError({"patience": "stopped"})
        return search.run()

    monkeypatch.setattr(Patience, "run", once)
    asked = ("checkpoint", "--solve", "stall_share=1%", "--for", "write_bandwidth", "--for", "gpus")
    *_, first, last = run(capsys, *asked).splitlines()
    assert first.strip().startswith("Storage write bandwidth")
    assert last == "stopped. Not tried: GPUs in the job."
    started.clear()
    found = as_json(capsys, *asked)
    assert [one["input"] for one in found["solutions"]] == ["write_bandwidth"]
    assert found["unfinished"] == "stopped. Not tried: GPUs in the job."


def test_margins_that_take_too_long_are_reported_as_far_as_they_were_found(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time ends while the inputs are tried one by one: the closest threshold is known, an option is not."""

    def most_of(_: Patience, search: Search[Any]) -> Any:
        for _step in itertools.islice(search.pauses, 650):
            pass
        raise OutOfTimeError({"patience": "stopped"})

    whole = as_json(capsys, "checkpoint", "--margins")["margins"]["write_in_time"]
    monkeypatch.setattr(Patience, "run", most_of)
    text, found = run(capsys, "checkpoint", "--margins"), as_json(capsys, "checkpoint", "--margins")
    some = found["margins"]["write_in_time"]
    assert some["nearest"] == whole["nearest"]
    assert f"Closest threshold: {whole['nearest']}" in text
    assert 0 < len(some["margins"]) < len(whole["margins"])
    assert all(one in whole["margins"] for one in some["margins"])
    assert found["unfinished"].startswith("stopped. Found until then: what is above")
    assert text.splitlines()[-1] == found["unfinished"]


def test_a_record_that_takes_too_long_says_what_it_lacks(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sensitivity is found, the two parts after it have no time left."""
    started: list[Search[Any]] = []

    def once(_: Patience, search: Search[Any]) -> Any:
        started.append(search)
        if len(started) > 1:
            raise OutOfTimeError({"patience": "stopped"})
        return search.run()

    monkeypatch.setattr(Patience, "run", once)
    sentence = "stopped. Not in this record: recommended changes, closest thresholds."
    text = run(capsys, "checkpoint", "--record")
    assert f"## Not computed\n\n{sentence}\n" in text
    assert "Computing" not in text
    started.clear()
    found = as_json(capsys, "checkpoint", "--record")
    assert found["unfinished"] == sentence
    assert found["moves"]
    started.clear()
    assert f'record,unfinished,,,,"{sentence}"' in run(capsys, "checkpoint", "--record", "--format", "csv")
    monkeypatch.undo()
    whole = run(capsys, "checkpoint", "--record")
    assert "Not computed" not in whole
    assert "Closest threshold" in whole


def test_a_record_ends_within_its_patience(capsys: Captured) -> None:
    """A system searches a minute for all its thresholds."""
    found = as_json(capsys, "machine", "--record", "--patience", "1 ms")
    missing = "bottleneck and recommendations of the system, range and sensitivity, recommended changes, closest"
    assert missing in found["unfinished"]
    assert found["answer"]


def test_the_search_for_the_layout_is_reported_and_takes_of_the_patience(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It took six seconds of a deadline without a word, and twenty more could follow. It is never stopped."""
    given = {"model": "llama-3-8b", "gpus": "64"}
    search = each_training_state(valid_inputs(machine(), given))
    steps = sum(1 for _ in search)
    screen = _Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr("calculators.cli.patience._EVERY", -1)
    found = as_json(capsys, "machine", "--model", "llama-3-8b", "--gpus", "64", "--record", "--patience", "1 ms")
    assert screen.getvalue().startswith("\r--record: 1 steps in 0 s")
    assert f"after 0 s and {steps + 1:,} steps, before its end" in found["unfinished"]


def test_patience_is_a_time(capsys: Captured) -> None:
    assert refused(capsys, "checkpoint", "--margins", "--patience", "long").startswith("--patience: ")
    assert "needs --margins or --solve" in refused(capsys, "checkpoint", "--patience", "1min")

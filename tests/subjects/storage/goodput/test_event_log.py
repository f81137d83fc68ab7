"""Logs of jobs that ran: where the clock went, each definition of goodput by hand, and refusals of bad logs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calculators.__main__ import main
from calculators.subjects.storage.goodput.event_log import EVENTS
from calculators.subjects.storage.goodput.log_text import LogError
from calculators.subjects.storage.goodput.measured import definitions, described, forecast, report
from tests.measured.job_logs import clock, cluster

Captured = pytest.CaptureFixture[str]
LOGS = Path(__file__).parents[3] / "logs"
EVENT_LOG = (LOGS / "goodput-events.csv").read_text("utf-8")
SLURM_LOG = (LOGS / "goodput-slurm.txt").read_text("utf-8")


def test_the_worked_log_adds_up_by_hand() -> None:
    found = clock(EVENT_LOG)
    # Runs of 900 + 870 + 30, 900 + 810 and 1,200 s; the first failure undoes 870 + 30, the second 810.
    assert (found.kept, found.lost, found.stalled) == (900 + 900 + 1200, 900 + 810, 90)
    assert (found.noticing, found.starting, found.waiting, found.queued) == (600, 900, 300, 600)
    assert (found.failures, found.stalls, found.saves) == (2, 3, (90, 90))
    assert found.elapsed == 7200 - 600


def test_each_definition_of_the_worked_log_is_the_one_by_hand() -> None:
    found = {one.name: one.value for one in definitions(clock(EVENT_LOG))}
    assert found == pytest.approx(
        {
            "This calculator": 3000 / 6600,
            "Google, runtime goodput": 3000 / 6600,
            "Meta, ETTR": 3000 / 7200,
            "NVIDIA, while scheduled": 3000 / 6300,
            "Availability, wall clock": 4800 / 6600,
            "Steps without checkpoints": 3000 / 4710,
        }
    )
    assert all(one.source and one.of for one in definitions(clock(EVENT_LOG)))


def test_googles_worked_example_gives_what_google_prints() -> None:
    """Its guide prints 50 % of 200 min: 100 effective, 40 lost, 10 saving, 10 loading, 15 restarting, 25 slower."""
    found = clock((LOGS / "goodput-steps.csv").read_text("utf-8"))
    assert (found.steps_kept, found.step_time) == (50, 120)
    values = {one.name: one.value for one in definitions(found)}
    assert values["Google, at the reference speed"] == 0.5
    assert (found.lost, found.stalled, found.starting, found.noticing) == (40 * 60, 10 * 60, 10 * 60, 15 * 60)
    assert values["This calculator"] == (100 + 25) / 200, "slower steps stay as well: time kept is no speed"


def test_accounting_gives_upper_bounds_and_steps_do_not_count() -> None:
    found = clock(SLURM_LOG)
    assert (found.kept, found.waiting, found.queued, found.failures) == (23.5 * 3600, 1800, 1800, 2)
    assert found.at_most
    assert "at most" in report(SLURM_LOG)
    assert described(SLURM_LOG)["definitions"][2]["value"] == pytest.approx(23.5 / 24.5)
    assert forecast(found) is None


def _accounting(*states: str) -> str:
    rows = (f"1|{state}|0|{3 * number}|{3 * number + 2}\n" for number, state in enumerate(states))
    return "JobID|State|Submit|Start|End\n" + "".join(rows)


def test_what_a_user_the_scheduler_or_a_time_limit_ended_has_not_failed() -> None:
    text = _accounting("NODE_FAIL", "CANCELLED by 7", "PREEMPTED", "TIMEOUT", "OUT_OF_MEMORY", "PREEMPTED", "COMPLETED")
    found = clock(text)
    assert (found.failures, found.interruptions, found.stops) == (2, 4, 6)
    assert (found.kept, found.waiting) == (7 * 2, 6 * 1), "each interruption keeps the wait that it caused"
    printed = report(text)
    assert "1 NODE_FAIL, 1 OUT_OF_MEMORY, 1 CANCELLED, 2 PREEMPTED, 1 TIMEOUT" in printed
    assert "is an interruption, not a failure" in printed
    assert "ended by hand" in printed
    assert (described(text)["failures"], described(text)["interruptions"]) == (2, 4)


def test_an_attempt_that_goes_on_has_neither_failed_nor_been_interrupted() -> None:
    assert clock(_accounting("FAILED", "RUNNING")).stops == 1
    assert "ended by hand" not in report(_accounting("FAILED", "COMPLETED"))


def test_a_job_stopped_from_outside_loses_what_one_that_failed_loses() -> None:
    before = "time,event\n0,started\n60,training\n600,save\n630,resumed\n700,safe\n"
    ran = before + "930,{}\n990,started\n1090,training\n1990,ended\n"
    stopped, failed = clock(ran.format("stopped")), clock(ran.format("failed"))
    assert (stopped.failures, stopped.interruptions) == (0, 1)
    assert (failed.failures, failed.interruptions) == (1, 0)
    assert stopped.kept == failed.kept == 540 + 900
    assert stopped.lost == failed.lost == 300, "what was trained since the save began"
    assert (stopped.waiting, failed.noticing) == (60, 60)
    assert forecast(stopped) == pytest.approx(forecast(failed))


def test_the_forecast_is_the_exact_form_with_the_means_of_the_log() -> None:
    found = forecast(clock(EVENT_LOG))
    # By hand: two failures in 4,800 s of running, each noticed and replaced in 450 s, starts of 300 s; three saves of
    # 30 s, safe after 90, with 1,570 s of work between. 2,400 / 2,850 e^(-0.125) runs, of it the job keeps
    # 1,570 / 2,400 e^(-1,660 / 2,400) / (1 - e^(-1,600 / 2,400)).
    assert found == pytest.approx(0.743155 * 0.654167 * 0.500741 / 0.486583, rel=1e-5)


def test_dates_are_read_as_well_as_seconds() -> None:
    text = "time,event\n2026-11-22T00:00:00,started\n2026-11-22T00:01:00,training\n2026-11-22T01:01:00,ended\n"
    found = clock(text)
    assert (found.starting, found.kept) == (60, 3600)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The log is empty"),
        ("when,what\n1,started\n", "The first line must be time,event"),
        ("time,event\n", "The log holds no event"),
        ("time,event\n1\n", "Line 2: a time and an event are needed"),
        ("time,event\nsoon,started\n", "Line 2: “soon” is not a time"),
        ("time,event\n1e400,started\n", "Line 2: “1e400” is not a time"),
        ("time,event,step\n1,started,nan\n", "Line 2: “nan” is not a step"),
        ("time,event,step\n1,started,many\n", "Line 2: “many” is not a step; write the number"),
        ("time,event\n1,launched\n", "Line 2: “launched” is not an event; use one of queued"),
        ("time,event\n2,started\n1,training\n", "Line 3: its time is before the line above"),
        ("time,event\n1,started\n2,save\n", "Line 3: “save” while the job is starting"),
        ("time,event\n1,training\n2,safe\n", "Line 3: “safe”, but no checkpoint is under way"),
        ("# saved nightly\n\ntime,event\n\n1,launched\n", "Line 5: “launched” is not an event"),
        ("time,event\n0,training\n9,ended\n12,training\n", "Line 4: “training” after the job ended"),
        (
            f"time,event\n0,{'a' * 140_000}\n",
            "Line 2: a cell has more than 131,072 characters: close its quotation mark",
        ),
        ("#\nJobID|State|Submit|Start|End\n#\n1|FAILED|1|soon|6\n", "Line 4: “soon” is not a time"),
        ("JobID|State|Submit|Start|End\n1| |1|2|6\n", "Line 2: State is empty"),
        ("JobID|State|Submit|Start|End\n1|FAILED|1|2|6\n1|FAI", "Line 3: it ends before Submit; is the file whole?"),
        (
            _accounting("FAILED", "LOST"),
            "Line 3: “LOST” is not a state of an attempt that had nodes; use one of COMPLETED",
        ),
        ("JobID|State\n1|FAILED\n", "The accounting lacks Submit, Start, End"),
        ("JobID|State|Submit|Start|End\n1|FAILED|5|4|6\n", "Line 2: Submit, Start and End must follow each other"),
        ("JobID|State|Submit|Start|End\n1.batch|FAILED|1|4|6\n", "holds no attempt"),
        ("JobID|State|Submit|Start|End\n1|PENDING|1|Unknown|Unknown\n", "holds no attempt of a job that had nodes"),
        ("JobID|State|Submit|Start|End\n1|RUNNING|1|2|Unknown\n", "Line 2: this attempt is still running"),
        ("JobID|State|Submit|Start|End\n1|FAILED|1|2|9\n2|FAILED|1|8|9\n", "Line 3: this attempt begins while another"),
        (
            "JobID|State|Submit|Start|End\n7+0|FAILED|1|2|9\n7+1|FAILED|1|2|9\n",
            ("Line 3: 7+1 overlaps 7+0, a component of the same heterogeneous job: give the lines of one component"),
        ),
        (
            "JobID|State|Submit|Start|End\n7_1|FAILED|1|2|9\n7_2|FAILED|1|3|9\n",
            ("Line 3: 7_2 overlaps 7_1, a task of the same array: give the lines of one task"),
        ),
        ("State|Submit|Start|End\nFAILED|1|2|9\nFAILED|1|2|9\n", "another runs; print JobID as well"),
        ("JobID|JobName|State|Submit|Start|End\n1|a|b|FAILED|1|2|9\n", "Line 2: it has 7 cells under 6 names"),
        (
            "time,event\n2026-11-01T00:00:00,started\n2026-11-01T00:10:00+01:00,training\n",
            "Line 3: this time is written as a date with its offset from UTC, those above as a date without an offset",
        ),
        (
            "time,event\n0,started\n2026-11-01T00:10:00,training\n",
            "as a date without an offset, those above in seconds",
        ),
        # Milliseconds since 1970, as some tools write them: read as seconds they would lie beyond any date.
        ("time,event\n1793491200000,started\n", "Line 2: “1793491200000” is not a time"),
        (
            "JobID|State|Submit|Start|End\n1|FAILED|2026-11-01T00:00:00Z|2026-11-01T00:10:00|2026-11-01T01:10:00\n",
            "Line 2: this time is written as a date without an offset",
        ),
    ],
)
def test_a_log_that_cannot_be_read_is_refused_with_line_and_reason(text: str, message: str) -> None:
    with pytest.raises(LogError) as error:
        clock(text)
    assert message in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "JobIDRaw|State|Submit|Start|End\n1|FAILED|1|5|9\n1.batch|CANCELLED|5|5|9\n1|COMPLETED|9|10|20\n",
        " jobid | State | SUBMIT | Start | End \n 1 | failed | 1 | 5 | 9 \n 1 | Completed | 9 | 10 | 20 \n",
        "JobID|State|Submit|Start|End|\n1|FAILED|1|5|9|\n1.extern|COMPLETED|5|5|9|\n1|COMPLETED|9|10|20|\n",
        "JobID|State|Submit|Start|End\n1+0|FAILED|1|5|9\n1+0.batch|CANCELLED|5|5|9\n1+0|COMPLETED|9|10|20\n",
    ],
)
def test_accounting_is_read_however_its_columns_are_written(text: str) -> None:
    found = clock(text)
    assert (found.running, found.waiting, found.queued, found.failures, found.jobs) == (14, 1, 4, 1, 1)


def test_times_with_their_offset_are_one_clock() -> None:
    """From 00:30 at one hour east to 09:45 in UTC are 10 h 15 min, of which the first attempt took ten."""
    rows = "1|NODE_FAIL|2026-11-01T00:00+01:00|2026-11-01T00:30+01:00|2026-11-01T10:30+01:00\n"
    rows += "1|COMPLETED|2026-11-01T09:30Z|2026-11-01T09:45Z|2026-11-01T15:45Z\n"
    found = clock(f"JobID|State|Submit|Start|End\n{rows}")
    assert (found.queued, found.waiting, found.running) == (1800, 900, 16 * 3600)


def test_attempts_under_several_numbers_are_reported_as_taken_for_one_job() -> None:
    rows = "7_1|TIMEOUT|0|10|20\n7_2|COMPLETED|0|20|40\n"
    assert "The attempts have 2 job numbers: they count as one job" in report(f"JobID|State|Submit|Start|End\n{rows}")
    assert "numbers" not in report(_accounting("FAILED", "COMPLETED"))


def test_a_checkpoint_may_become_safe_after_the_job_ended() -> None:
    found = clock("time,event\n0,training\n60,save\n65,resumed\n90,ended\n99,safe\n")
    assert (found.elapsed, found.kept, found.saves) == (90, 85, (39,))


def test_an_attempt_withdrawn_before_it_had_nodes_is_none() -> None:
    rows = "1|CANCELLED by 7|1|None|5\n1|FAILED|1|5|9\n"
    assert clock(f"JobID|State|Submit|Start|End\n{rows}") == clock("\ufeffState|Submit|Start|End\nFAILED|1|5|9\n")


def test_a_log_in_which_nothing_ran_is_refused() -> None:
    with pytest.raises(LogError, match="Nothing ran"):
        definitions(clock("time,event\n1,queued\n2,ended\n"))


def test_the_command_line_prints_every_definition_with_its_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["goodput", "--log", str(LOGS / "goodput-events.csv")]) == 0
    printed = capsys.readouterr().out
    for wanted in ("Google", "Meta, ETTR", "41.7%", "NVIDIA", "47.6%", "arXiv:2410.21680", "ml-goodput-measurement"):
        assert wanted in printed
    assert main(["goodput", "--json", "--log", str(LOGS / "goodput-slurm.txt")]) == 0
    assert json.loads(capsys.readouterr().out)["failures"] == 2


def test_the_command_line_says_what_is_wrong_with_a_log(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["goodput", "--log", str(tmp_path / "none.csv")]) == 2
    assert "none.csv" in capsys.readouterr().err
    (tmp_path / "bad.csv").write_text("time,event\n1,launched\n", "utf-8")
    assert main(["goodput", "--log", str(tmp_path / "bad.csv")]) == 2
    assert "“launched” is not an event" in capsys.readouterr().err
    (tmp_path / "packed.csv").write_bytes(b"\xff\xfe\x00")
    assert main(["goodput", "--log", str(tmp_path / "packed.csv")]) == 2
    assert "this is not text" in capsys.readouterr().err
    assert main(["goodput", "--log", str(tmp_path / "bad.csv"), "--margins"]) == 2
    assert "--log and --margins cannot be combined" in capsys.readouterr().err


def test_every_event_is_explained() -> None:
    assert all(EVENTS.values())


# Job 1 holds 4 nodes for 10 days, job 2 two nodes for 5 days until one of them fails, job 3 two nodes for 5 days.
CLUSTER = """\
JobID|State|Submit|Start|End|NNodes|AllocTRES
1|COMPLETED|2026-11-01T00:00:00|2026-11-01T00:00:00|2026-11-11T00:00:00|4|billing=8,gres/gpu=32,node=4
2|NODE_FAIL|2026-11-01T00:00:00|2026-11-02T00:00:00|2026-11-07T00:00:00|2|billing=8,gres/gpu=16,node=2
2.batch|CANCELLED|2026-11-02T00:00:00|2026-11-02T00:00:00|2026-11-07T00:00:00|1|node=1
3|CANCELLED by 7|2026-11-01T00:00:00|2026-11-02T00:00:00|2026-11-07T00:00:00|2|billing=8,gres/gpu=16,node=2
"""


def test_accounting_of_a_cluster_gives_its_failure_rate_and_where_node_time_went(
    tmp_path: Path, capsys: Captured
) -> None:
    file = tmp_path / "cluster.txt"
    file.write_text(CLUSTER, "utf-8")
    assert main(["goodput", "--log", str(file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["node_days"] == {"COMPLETED": 40, "NODE_FAIL": 10, "CANCELLED": 10}
    assert (found["jobs"], found["node_failures"]) == (3, 1)
    assert found["node_failures_per_1000_node_days"] == pytest.approx(1000 / 60)
    # 320 + 80 + 80 GPU-days for one failure
    assert found["gpu_mtbf"] == pytest.approx(480 * 86_400)
    main(["goodput", "--log", str(file)])
    assert "Node failures (NODE_FAIL): 1, 16.67 in 1,000 node-days" in capsys.readouterr().out


def test_nodes_of_a_cluster_are_read_from_its_allocated_resources() -> None:
    """AllocTRES has node=4 too: without a column NNodes the accounting gives the same node-days."""
    rows = [line.split("|") for line in CLUSTER.splitlines()]
    without = "\n".join("|".join([*row[:5], row[6]]) for row in rows)
    assert cluster(without) == cluster(CLUSTER)


def test_jobs_at_the_same_time_without_nodes_are_asked_for_them() -> None:
    rows = "\n".join("|".join(line.split("|")[:5]) for line in CLUSTER.splitlines())
    with pytest.raises(LogError, match=r"of a whole cluster with nodes .*NNodes,AllocTRES"):
        described(rows)

"""Slurm accounting: lines of public files that were once misread or refused, the repository named."""

from __future__ import annotations

import pytest

from calculators.subjects.storage.goodput.cluster import report
from calculators.subjects.storage.goodput.log_text import LogError
from tests.measured.job_logs import clock, cluster

NCCL_HEAD = "#       size         count      type   redop    root     time   algbw   busbw  #wrong"


# burmist-git/CPU_usage_sacct, sacct_output.csv: columns as sacct prints them without --parsable2
def test_accounting_in_columns_is_read_with_its_cut_states() -> None:
    found = clock(
        "JobID             State              Submit               Start                 End \n"
        "------------ ---------- ------------------- ------------------- ------------------- \n"
        "37616724     OUT_OF_ME+ 2026-06-26T20:46:00 2026-06-26T20:47:00 2026-06-26T20:49:00 \n"
        "37616724.ba+ OUT_OF_ME+ 2026-06-26T20:47:00 2026-06-26T20:47:00 2026-06-26T20:49:00 \n"
        "37616730     CANCELLED+ 2026-06-26T20:50:00 2026-06-26T20:50:30 2026-06-26T20:51:30 \n"
    )
    assert (found.failures, found.interruptions, found.running, found.queued) == (1, 1, 180, 60)
    assert found.states == {"OUT_OF_MEMORY": 1, "CANCELLED": 1}


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_accounting_with_another_delimiter_is_read(delimiter: str) -> None:
    rows = (
        ("JobID", "State", "Submit", "Start", "End"),
        ("7", "NODE_FAIL", "2026-06-26T20:46:00", "2026-06-26T20:47:00", "2026-06-26T20:49:00"),
    )
    found = clock("\n".join(delimiter.join(row) for row in rows))
    assert (found.failures, found.running) == (1, 120)


# ubccr/xdmod, dsi-clinic/cluster-impact, jeonkiho/tghthon26: sacct --noheader
def test_accounting_without_column_names_says_so() -> None:
    row = "4107166|4107166|ub-hpc|2015-06-26T19:51:25|2015-06-28T15:14:49|2015-07-01T13:17:53|CANCELLED by 102216|3\n"
    with pytest.raises(LogError, match=r"^Line 1 has no column names .* without --noheader"):
        clock(row)


# mahendrapaipuri/ceems, a test of its API: 20 names, and 19 cells in each row
def test_a_row_with_a_cell_less_is_refused_where_it_is() -> None:
    head = "JobID|Submit|Start|End|State|NNodes|Ncpus|NodeList\n"
    row = "1|2023-02-21T14:37:02|2023-02-21T14:37:07|2023-02-21T15:26:29|COMPLETED|billing=80,cpu=160|compute-0\n"
    with pytest.raises(LogError, match=r"^Line 2: it has 7 cells under 8 names"):
        clock(head + row)


# many tables print Start and End alone; a cluster's node time needs no more, a job's wait does
def test_a_cluster_is_read_without_the_times_of_submission() -> None:
    head = "JobID|State|Start|End|NNodes|AllocTRES\n"
    jobs = "1|COMPLETED|0|86400|2|node=2,gres/gpu=16\n2|NODE_FAIL|3600|90000|1|node=1,gres/gpu=8\n"
    found = cluster(head + jobs)
    assert (found.jobs, found.node_days, found.failures) == (2, {"COMPLETED": 2, "NODE_FAIL": 1}, 1)
    with pytest.raises(LogError, match="lacks Submit"):
        clock(head + jobs.splitlines()[0])


# dsi-clinic/cluster-impact, tests/fixtures/sacct.txt: a cluster that accounts for GPUs by their type alone
def test_gpus_of_a_cluster_are_counted_by_type_where_nothing_counts_them_all() -> None:
    head = "JobID|State|Start|End|AllocTRES|NNodes\n"
    jobs = (
        "1|COMPLETED|0|86400|billing=8,cpu=8,gres/gpu:a100=2,mem=64G,node=1|1\n"
        "2|NODE_FAIL|3600|90000|gres/gpu:h100=4,gres/gpu:l40s=1,node=1|1\n"
    )
    found = cluster(head + jobs)
    assert found.gpu_days == 2 + 5
    both = cluster(head + jobs.replace("gres/gpu:a100=2", "gres/gpu=2,gres/gpu:a100=2"))
    assert both == found, "of a cluster that states both, each GPU counts once"


# mahendrapaipuri/ceems, pkg/api/testdata/sacct: accounting of a day, taken while a job runs
def test_a_cluster_is_read_while_jobs_are_running() -> None:
    head = "JobID|State|Submit|Start|End|NNodes\n"
    ended = "1|COMPLETED|0|0|86400|2\n"
    going = "2|RUNNING|3600|3600|Unknown|4\n"
    found = cluster(head + ended + going)
    assert (found.jobs, found.running, found.node_days) == (1, 1, {"COMPLETED": 2})
    assert "Left out: 1 attempt still running." in report(found)
    for rows in (going, ended.replace("86400", "3600") + going):
        with pytest.raises(LogError, match="this attempt is still running; leave it out"):
            clock(head + rows)

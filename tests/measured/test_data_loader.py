"""MLPerf Storage runs and reads of fio next to what a data loader needs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calculators.answers.runs import run_check
from calculators.catalog import CALCULATORS
from calculators.declare import CheckedRun
from calculators.measured.record import ReadError

LOGS = Path(__file__).parents[1] / "logs"
LOADER = CALCULATORS["data_loader"]


def _checked(file: str, **given: str) -> CheckedRun:
    return run_check.checked(LOADER, given, run_check.run_of(LOADER, (LOGS / file).read_text("utf-8")))


def test_a_submission_of_its_own_workload_passes_at_the_utilization_that_it_states() -> None:
    found = _checked("mlperf-storage-ddn.json", workload="workload-unet3d-h100")
    assert found.run.startswith("MLPerf Storage, 36 accelerators on 18 hosts; the model gives ")
    assert [one.state for one in found.results] == ["Pass"]
    assert found.results[0].measured == pytest.approx(0.935852472392038)


def test_a_report_without_utilization_has_it_by_its_rate() -> None:
    # 39.69278747839868 samples/s of two accelerators; a busy one takes 7 in 0.323 s (mlcommons/storage, unet3d_h100).
    found = _checked("mlperf-storage-report.json", workload="workload-unet3d-h100")
    assert found.results[0].measured == pytest.approx(39.69278747839868 / 2 / (7 / 0.323))
    assert found.state == "Pass"


@pytest.mark.parametrize(
    ("workload", "doubt"),
    [
        ("workload-unet3d-a100", "by a busy accelerator of the run, 11 samples/s here: choose its workload and"),
        ("workload-resnet50-h100", "samples of 147 MB in the run, 115 kB here: choose its workload"),
    ],
)
def test_a_run_of_another_workload_is_not_checked(workload: str, doubt: str) -> None:
    found = _checked("mlperf-storage-hpe.json", workload=workload)
    assert found.state == "Not checked"
    assert doubt in found.results[0].doubt
    assert found.reasons == ()  # its accelerators were busy


def test_starved_accelerators_fail_with_what_to_look_at() -> None:
    run = json.loads((LOGS / "mlperf-storage-hpe.json").read_text("utf-8"))
    run["metric"] |= {"train_au_mean_percentage": 50, "train_throughput_mean_samples_per_second": 21.6}
    run["metric"]["train_io_mean_MB_per_second"] = 21.6 * 146600628 / 2**20
    found = run_check.checked(LOADER, {"workload": "workload-unet3d-h100"}, run_check.run_of(LOADER, json.dumps(run)))
    assert found.state == "Fail"
    assert [one.name for one in found.reasons] == ["slower than storage and workers entered"]


def _random_read(mean_ns: float, size: int, jobs: int) -> str:
    run = json.loads((LOGS / "fio-randread-one-job.json").read_text("utf-8"))
    (job,) = run["jobs"]
    job["job options"] |= {"numjobs": str(jobs), "bs": str(size)}
    job["read"]["clat_ns"]["mean"] = job["read"]["lat_ns"]["mean"] = mean_ns
    return json.dumps(run)


@pytest.mark.parametrize(
    ("milliseconds", "jobs", "state"),
    [(5, 96, "Pass"), (20, 96, "Investigate"), (30, 96, "Fail"), (5, 1, "Not checked")],
)
def test_a_read_takes_at_most_what_outstanding_reads_allow(milliseconds: float, jobs: int, state: str) -> None:
    # 12 outstanding reads for 505 samples/s at 90%: 12 / (0.9 × 504.73) = 26.4 ms; a read of 6.2 MB takes 6.7 ms here.
    given = {"workload": "workload-retinanet-b200", "sample_bytes": "6.22MB"}
    text = _random_read(milliseconds * 1e6, 6_220_000, jobs)
    assert run_check.checked(LOADER, given, run_check.run_of(LOADER, text)).state == state


def test_reads_of_another_size_are_not_checked_and_no_reads_are_refused() -> None:
    found = _checked("fio-randread-one-job.json", workload="workload-raw-images")
    assert found.results[0].doubt == "reads of 4.1 kB, and a sample is 6.22 MB"
    with pytest.raises(ReadError, match="use storage_demand --measured for bandwidth"):
        _checked("mdtest-4.1-create.txt")

"""Storage measurements: what published outputs of five tools state, the verdict next to a job, and what is refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from calculators import storage_demand
from calculators.__main__ import main
from calculators.measured import storage
from calculators.measured.record import ReadError

LOGS = Path(__file__).parent.parent / "logs"
MIB = 2**20
FILES = sorted(
    file.name for file in LOGS.iterdir() if file.name.startswith(("fio-", "ior-", "mdtest-", "elbencho-", "mlperf-"))
)
FORMATS = ["fio-randread-one-job.json", "ior-4.1-write.txt", "mdtest-4.1-create.txt", "elbencho-random-4k.csv"]
FORMATS.append("mlperf-storage-hpe.json")


def text(name: str) -> str:
    return (LOGS / name).read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "nodes", "bandwidth", "rate"),
    [
        # fio-3.1 states KiB/s only: 30,156 × 1,024
        ("fio-randread-one-job.json", 1, 30156 * 1024, 7539.107682),
        ("fio-randwrite-32-jobs.json", 1, 81115 * 1024, 20278.969814),
        ("fio-mixed-interrupted.json", 1, 31383676, 7662.030309),
        ("ior-4.1-write.txt", 80, 361270 * MIB, 180641),
        ("ior-3.2-read.txt", 48, 1428.43 * MIB, None),
        ("ior-3.3-read.txt", 16, 83737 * MIB, 1886068),
        ("mdtest-4.1-create.txt", 80, None, 119113.150),
        ("mdtest-1.9-create.txt", 48, None, 7937.048),
        ("mdtest-3.3-create.txt", 16, None, 4386192.871),
        ("elbencho-buffered-one-thread.csv", 4, 2788 * MIB, 2788),
        ("elbencho-direct-32-threads.csv", 4, 4467 * MIB, 4467),
        ("elbencho-random-4k.csv", 4, 13 * MIB, 3430),
        # DLIO's MB are MiB: 39.771 samples/s of 146,600,628 B (3D-UNet) are 5,830 MB/s, 5,560 MiB/s
        ("mlperf-storage-hpe.json", 1, 39.771037104809814 * 146600628, 39.771037104809814),
        ("mlperf-storage-ddn.json", 18, 708.8530913360294 * 146600628, 708.8530913360294),
        ("mlperf-storage-report.json", None, 39.69278747839868 * 146600628, 39.69278747839868),
    ],
)
def test_a_published_output_is_read_to_the_digit(
    name: str, nodes: int | None, bandwidth: float | None, rate: float | None
) -> None:
    found = storage.runs(text(name))[0]
    assert found.nodes == nodes
    assert found.bandwidth == (None if bandwidth is None else pytest.approx(bandwidth, rel=1e-6))
    assert found.rate == rate


def test_options_of_a_run_are_those_that_its_output_states() -> None:
    one = storage.runs(text("fio-randread-one-job.json"))[0]
    assert (one.jobs, one.depth, one.request, one.is_random, one.is_direct) == (1, 1, 4096, True, True)
    many = storage.runs(text("fio-randwrite-32-jobs.json"))[0]
    assert (many.kind, many.jobs, many.depth) == ("write", 32, 16)
    ior = storage.runs(text("ior-4.1-write.txt"))[0]
    assert (ior.jobs, ior.request, ior.is_synced, ior.is_shared_file) == (8, 2 * MIB, True, False)
    assert ior.latency == pytest.approx(640 / 180641)
    assert storage.runs(text("mdtest-1.9-create.txt"))[0].is_shared_file
    assert not storage.runs(text("mdtest-3.3-create.txt"))[0].is_shared_file


def report(capsys: pytest.CaptureFixture[str], file: Path, *options: str) -> dict[str, object]:
    assert main(["storage_demand", "--gpus=512", "--measured", str(file), "--json", *options]) == 0
    return dict(json.loads(capsys.readouterr().out))


@pytest.mark.parametrize(
    ("name", "state", "reason"),
    [
        ("fio-randread-one-job.json", "Not checked", "few tasks per node"),
        ("fio-mixed-interrupted.json", "Fail", "small requests"),
        ("ior-4.1-write.txt", "Investigate", None),
        ("ior-3.2-read.txt", "Fail", "small requests"),
        ("mdtest-3.3-create.txt", "Pass", None),
        ("mdtest-1.9-create.txt", "Investigate", "one directory for all tasks"),
        ("elbencho-buffered-one-thread.csv", "Fail", "no fsync"),
        ("elbencho-random-4k.csv", "Not checked", "few tasks per node"),
        ("mlperf-storage-hpe.json", "Investigate", "fewer nodes than the job"),
    ],
)
def test_a_run_has_the_verdict_and_the_likeliest_reason_that_it_deserves(
    capsys: pytest.CaptureFixture[str], name: str, state: str, reason: str | None
) -> None:
    found = report(capsys, LOGS / name)
    assert found["state"] == state
    reasons = found["reasons"]
    assert isinstance(reasons, list)
    assert (reasons[0]["name"] if reasons else None) == reason


def test_limits_are_those_of_the_acceptance_table(capsys: pytest.CaptureFixture[str]) -> None:
    found = report(capsys, LOGS / "ior-4.1-write.txt", "--checkpoint-size=10TB", "--write-window=100s")
    results = {one["name"]: one for one in found["results"]}  # type: ignore[attr-defined]
    assert results["write_bandwidth"]["fail"] == pytest.approx(10e12 / 100)
    assert results["checkpoint_time"]["measured"] == pytest.approx(10e12 / (361270 * MIB))
    assert results["checkpoint_time"]["fail"] == 100
    assert results["checkpoint_time"]["state"] == "Investigate"


@pytest.mark.parametrize(
    ("name", "nodes", "needed"),
    [
        ("fio-randread-one-job.json", 1, "request_demand"),
        ("mlperf-storage-hpe.json", 1, "training_read"),
        ("mdtest-3.3-create.txt", 16, "metadata_demand"),
    ],
)
def test_limits_of_a_run_are_in_proportion_to_its_nodes(
    capsys: pytest.CaptureFixture[str], name: str, nodes: int, needed: str
) -> None:
    found = report(capsys, LOGS / name, "--files-per-sample=0.5")
    job = storage_demand(gpus=512, files_per_sample=0.5).values
    assert job["gpu_nodes"] == 64
    limits = found["results"][0]  # type: ignore[index]
    assert limits["fail"] == pytest.approx(job[needed] * nodes / 64) != 0
    if needed == "metadata_demand":
        assert limits["pass"] == pytest.approx(job["storage_nodes"] * job["node_metadata_rate"] * nodes / 64)


@pytest.mark.parametrize(("size", "alike"), [(2047, False), (2048, True), (4096, True), (8192, True), (8193, False)])
def test_random_reads_of_half_to_twice_the_size_are_alike(
    capsys: pytest.CaptureFixture[str], size: int, *, alike: bool
) -> None:
    read = report(capsys, LOGS / "fio-randread-one-job.json", f"--read-size={size}")["results"][0]  # type: ignore[index]
    assert read["why"].startswith("requests of 4.1 kB, and the job reads") != alike


def test_random_reads_of_two_nodes_are_next_to_what_two_nodes_need(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = json.loads(text("fio-randread-one-job.json"))
    (job,) = run.pop("jobs")
    file = tmp_path / "fio.json"
    file.write_text(json.dumps({**run, "client_stats": [{**job, "hostname": host} for host in "ab"]}), "utf-8")
    read = report(capsys, file)["results"][0]  # type: ignore[index]
    assert read["fail"] == pytest.approx(storage_demand(gpus=512)["request_demand"] * 2 / 64)


def test_one_task_is_in_the_singular(capsys: pytest.CaptureFixture[str]) -> None:
    reasons = report(capsys, LOGS / "fio-randread-one-job.json")["reasons"]
    assert reasons[0]["looks"] == "1 task per node; the acceptance commands use 8"  # type: ignore[index]


def test_a_rate_of_a_cache_does_not_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = text("ior-4.1-write.txt").replace(" -C ", " ").replace("constant task offset", "no tasks offsets")
    row = next(line for line in lines.splitlines() if line.startswith("write"))
    file = tmp_path / "ior.txt"
    file.write_text(lines + row.replace("write", "read ", 1) + "\n", "utf-8")
    found = report(capsys, file)
    read = next(one for one in found["results"] if one["name"] == "read_bandwidth")  # type: ignore[attr-defined]
    assert read["state"] == "Not checked"
    assert "page cache" in read["why"]


def test_the_slowest_of_several_clients_counts_for_all() -> None:
    printed = text("fio-mixed-interrupted.json")
    whole = json.loads(printed[printed.index("{") :])
    job = whole.pop("jobs")[0]
    slow = json.loads(json.dumps(job))
    slow["read"]["bw_bytes"] = 10_000_000
    every = [{**job, "hostname": "a"}, {**slow, "hostname": "b"}, {**job, "jobname": "All clients", "hostname": ""}]
    (read, _) = storage.runs(json.dumps({**whole, "client_stats": every}))
    assert (read.nodes, read.slowest_node, read.bandwidth) == (2, 10_000_000, 31383676 + 10_000_000)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_a_truncated_file_is_refused_with_its_place(name: str, share: float) -> None:
    whole = text(name)
    cut = whole[: int(len(whole) * share)]
    try:
        found = storage.runs(cut)
    except ReadError as error:
        message = str(error)
        assert "\n" not in message
        assert ":" in message
    else:  # what is cut off came after the results
        assert found == storage.runs(whole)


@pytest.mark.parametrize("name", FORMATS)
def test_a_doubled_file_is_refused_with_its_place(name: str) -> None:
    with pytest.raises(ReadError, match=r"^line \d+: "):
        storage.runs(text(name) * 2)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_other_encodings_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, encoding: str) -> None:
    file = tmp_path / name
    file.write_text(text(name), encoding)
    assert report(capsys, file) == report(capsys, LOGS / name)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (gzip.compress(b"x" * 99, mtime=0), "compressed (gzip): unpack it"),
        (b"\x7fELF\0\0\0\1", "not plain text"),
        (b"\xff\x00\xc3\x28" * 9, "UTF-8"),
        (b"", "nothing in it"),
        (b"hello\n", "no output of storage"),
    ],
    ids=["gzip", "program", "bytes", "empty", "words"],
)
def test_what_is_no_output_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, words: str
) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    assert main(["storage_demand", "--measured", str(file)]) == 2
    message = capsys.readouterr().err
    assert words in message
    assert message.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("fio-randread-one-job.json", "fio-3.1", "fio-2.2.10", "fio-2.2.10"),
        ("fio-randread-one-job.json", '"iops"', '"ops"', "no iops"),
        ("ior-4.1-write.txt", "wr/rd(s)", "io(s)", "io(s)"),
        ("elbencho-random-4k.csv", "MiB/s [last]", "MB/s", "MiB/s [last]"),
        ("elbencho-random-4k.csv", "WRITE,", "SHRED,", "SHRED"),
        ("mlperf-storage-hpe.json", "train_io_mean_MB_per_second", "train_io", "train_io_mean_MB_per_second"),
        ("mdtest-1.9-create.txt", "7937.048 ", "x ", "must be a number"),
    ],
)
def test_an_unknown_version_column_or_value_is_named(name: str, old: str, new: str, words: str) -> None:
    with pytest.raises(ReadError) as caught:
        storage.runs(text(name).replace(old, new))
    assert words in str(caught.value)


def test_every_excerpt_has_a_line_of_its_source() -> None:
    readme = text("README.md")
    assert [name for name in FILES if f"`{name}`" not in readme] == []
    assert len(FILES) >= 15

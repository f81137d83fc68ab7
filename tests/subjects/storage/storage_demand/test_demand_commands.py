"""The commands that test a store: every figure in them, worked out by hand for states whose figures do not divide."""

from __future__ import annotations

from typing import Any

import pytest

from calculators.answers import answer
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import InputError
from calculators.subjects.storage.storage_demand import acceptance, commands
from calculators.subjects.storage.storage_demand import tender as demand_tender

CALCULATOR = CALCULATORS["storage_demand"]
MIB = 1_048_576
# 7 GPU nodes, 3 of which write; nodes of the store with 2 drives of 10 GB/s behind a port of 10 GB/s.
STATE = {
    "workload": "none",
    "storage_node": "none",
    "drive": "none",
    "gpus": 56,
    "samples_per_second": 1000,
    "sample_bytes": "1 MB",
    "files_per_sample": 0.5,
    "operations_per_file": 3,
    "checkpoint_size": "1.234 TB",
    "write_window": "70 s",
    "restore_window": "100 s",
    "restore_copies": 3,
    "checkpoint_interval": "1 h",
    "writer_nodes": 3,
    "prepared_data": "1 TB",
    "weights_replicas": 0,
    "weight_versions": 0,
    "hot_checkpoints": 0,
    "data_fragments": 5,
    "parity_fragments": 2,
    "fill_share": 1,
    "drives_per_node": 2,
    "drive_capacity": "10 TB",
    "drive_read": "10 GB/s",
    "drive_write": "10 GB/s",
    "drive_writes_per_day": 3,
    "node_network": "10 GB/s",
    "node_iops": 30_000,
    "node_metadata_rate": 7_000,
    "client_network": "11 GB/s",
    "path_efficiency": 1,
    "storage_nodes": 10,
    "read_size": "300 kB",
}


def sheet(name: str, **changed: Any) -> dict[str, tuple[str, ...]]:
    """A sheet's rows by their first cell, as they are printed."""
    values = answer.evaluated(
        CALCULATOR, valid_inputs(CALCULATOR, {k: str(v) for k, v in {**STATE, **changed}.items()})
    )
    found = next(one for one in CALCULATOR.tables if one.name == name)
    rows = ([answer.filled(CALCULATOR, cell, values) for cell in row] for row in found.rows(values))
    return {first: tuple(others) for first, *others in rows}


def one(name: str, begins: str, **changed: Any) -> tuple[str, ...]:
    (row,) = (row for first, row in sheet(name, **changed).items() if first.startswith(begins))
    return row


def options(command: str) -> dict[str, str]:
    """Options of a job file of fio."""
    return dict(line.split("=") for line in command.splitlines() if "=" in line and not line.startswith("#"))


@pytest.mark.parametrize(
    ("name", "most", "more"),
    [("checkpoint_size", "1e21 B", "1.001e21 B"), ("kv_read", "1e15 B/s", "1.001e15 B/s")],
)
def test_no_storage_system_holds_a_zettabyte_or_reads_a_petabyte_a_second(name: str, most: str, more: str) -> None:
    assert valid_inputs(CALCULATOR, {name: most}).values[name] == float(most.partition(" ")[0])
    with pytest.raises(InputError) as refused:
        valid_inputs(CALCULATOR, {name: more})
    assert name in refused.value.problems


@pytest.mark.parametrize(
    ("each", "size"),
    # A file is whole MiB, at least one: 1.234 TB over 3 x 8 writers is 49,034.8 MiB each.
    [(1.234e12 / 24, "49035M"), (3 * MIB, "3M"), (3 * MIB + 1, "4M"), (1, "1M"), (0, "1M")],
)
def test_a_checkpoint_is_written_in_large_requests(each: float, size: str) -> None:
    command = commands.fio_checkpoint("save", "write", each, "end_fsync=1")
    assert options(command) == {
        "directory": "/mnt/store",
        "rw": "write",
        "bs": "16777216",
        "ioengine": "libaio",
        "direct": "1",
        "iodepth": "4",
        "numjobs": "8",
        "group_reporting": "1",
        "filename_format": "$clientuid.$jobnum.$filenum",
        "size": size,
        "end_fsync": "1",
    }


def test_files_of_a_steady_rate_last_as_long_as_the_test() -> None:
    """A node's 7 GB/s over eight jobs: 300 s take 250,340 MiB each; 60 s take 50,068 MiB."""
    long = options(commands.fio_steady("read", "randread", 300_000, 32, 7e9))
    assert (long["size"], long["runtime"], long["time_based"]) == ("250340M", "300", "1")
    assert (long["rw"], long["bs"], long["iodepth"]) == ("randread", "300000", "32")
    odd = commands.fio_steady("read", "read", MIB, 16, (MIB + 0.5) * 8 / 300)
    assert options(odd)["size"] == "2M", "half a byte more than one"
    short = options(commands.fio_steady("read", "read", MIB, 16, 7e9, 60))
    assert (short["size"], short["runtime"], short["bs"], short["iodepth"]) == ("50068M", "60", "1048576", "16")


@pytest.mark.parametrize(
    ("nodes", "size", "asked"),
    [
        # 49,034.8 MiB for each of 24 writers are 3,064.7 requests of 16 MiB: 3,065 of them.
        (3, 1.234e12, "-np 24 ior -a POSIX -F -e -g -C -Q 8 -t 16m -b 49040m -k -w -o /mnt/store/ior/save"),
        (5, 5 * 8 * 16 * MIB, "-np 40 ior -a POSIX -F -e -g -C -Q 8 -t 16m -b 16m -k -w -o /mnt/store/ior/save"),
        (5, 5 * 8 * 16 * MIB + 4, "-np 40 ior -a POSIX -F -e -g -C -Q 8 -t 16m -b 32m -k -w -o /mnt/store/ior/save"),
        (1, 0, "-np 8 ior -a POSIX -F -e -g -C -Q 8 -t 16m -b 16m -k -w -o /mnt/store/ior/save"),
    ],
)
def test_ior_writes_whole_requests(nodes: float, size: float, asked: str) -> None:
    assert commands.ior(nodes, size, "-w") == f"mpirun --hostfile hosts {asked}"


@pytest.mark.parametrize(
    ("nodes", "rate", "tasks", "files"),
    [
        (3, 1000.5, 24, 2502),  # 60,030 files over 24 tasks are 2,501.25
        (3, 400, 24, 1000),
        (3, 400.1, 24, 1001),  # 1,000.25
        (3, 399, 24, 1000),  # 997.5, and a thousand at least
        (1, 0, 8, 1000),
        (0.5, 0, 8, 1000),
    ],
)
def test_mdtest_has_files_for_a_minute(nodes: float, rate: float, tasks: int, files: int) -> None:
    expected = f"mpirun --hostfile hosts -np {tasks} mdtest -F -u -i 3 -n {files} -N 8 -d /mnt/store/mdtest"
    assert commands.mdtest(nodes, rate) == expected


def test_an_emulated_accelerator_reads_its_samples_ninety_percent_of_the_time() -> None:
    """21.67183 samples/s of 146,600,628 B x 0.9 are 2.8594 GB/s; 10 GB/s are read by 3.497 of them."""
    assert commands.emulated_accelerators(10e9) == pytest.approx(3.4972, abs=1e-4)


@pytest.mark.parametrize(("nodes", "accelerators", "hosts"), [(7, 20, 7), (7, 5, 5), (7, 7, 7)])
def test_mlperf_runs_on_no_more_hosts_than_it_emulates_accelerators(nodes: int, accelerators: int, hosts: int) -> None:
    sized, generated, run = commands.mlperf_training(nodes, accelerators).splitlines()
    client = f"--accelerator-type h100 --num-client-hosts {hosts} --client-host-memory-in-gb MEMORY"
    assert sized.startswith(f"mlpstorage training datasize --model unet3d {client} --max-accelerators {accelerators} ")
    assert f" --num-processes {accelerators} " in generated
    assert run.startswith(f"mlpstorage training run --model unet3d {client} --num-accelerators {accelerators} ")


@pytest.mark.parametrize(
    ("size", "model"),
    # 112.7 GB, 979.3 GB, 5.683 TB and 16.56 TB: 546 GB, 3.33 TB and 11.12 TB lie half-way.
    [
        (1e9, "llama3-8b"),
        (0.545e12, "llama3-8b"),
        (0.547e12, "llama3-70b"),
        (3.33e12, "llama3-70b"),
        (3.332e12, "llama3-405b"),
        (11.12e12, "llama3-405b"),
        (11.13e12, "llama3-1t"),
        (1e15, "llama3-1t"),
    ],
)
def test_the_nearest_of_mlperfs_models_is_written(size: float, model: str) -> None:
    processes = {"llama3-8b": 8, "llama3-70b": 64, "llama3-405b": 512, "llama3-1t": 1024}[model]
    assert commands.nearest_model(size)[0] == model
    command = commands.mlperf_checkpointing({"write_demand": 1e9, "checkpoint_size": size})
    assert f"--model {model} --num-processes {processes} " in command


def test_mlperfs_model_may_take_as_long_as_it_is_large() -> None:
    """979,252,543,488 B are 912 GiB, and take 55.6 s at 17.63 GB/s."""
    command = commands.mlperf_checkpointing({"write_demand": 1.234e12 / 70, "checkpoint_size": 1.234e12})
    assert command.endswith("# 912 GiB: each write may last 55.5 s; judge by seconds, not by mean rates")
    largest = commands.mlperf_checkpointing({"write_demand": 1e9, "checkpoint_size": 1e15})
    assert "# 15,427 GiB: each write may last 4.6 h;" in largest, "16,564,174,094,592 B are 15,426.6 GiB"
    caches_alone = {"write_demand": 3e9, "checkpoint_size": 0}
    assert commands.mlperf_checkpointing(caches_alone) == "None: no checkpoints are written here"


def test_the_tender_lists_what_the_job_needs() -> None:
    """Training reads 56 GB/s, a restore 3 x 1.234 TB in 100 s, which is 37.02 GB/s; a save is written at 17.63 GB/s.

    Of the 93.02 GB/s each of 7 nodes reads 13.29 GB/s, which is 475,236.2 MiB a job in 300 s.
    """
    tender = sheet("tender")
    read = tender["Reads, all GPU nodes at once, sustained"]
    assert read[0] == "93 GB/s: 13.3 GB/s for each of 7 nodes"
    assert options(read[2])["size"] == "475237M"
    assert (options(read[2])["bs"], options(read[2])["iodepth"]) == ("1048576", "16")
    saved = tender["Write of one checkpoint, all writers at once, until it is restorable"]
    assert saved[0] == "1.23 TB within 70 s: 17.6 GB/s, 5.88 GB/s for each of 3 nodes"
    assert (options(saved[2])["size"], options(saved[2])["end_fsync"]) == ("49035M", "1")
    restored = tender["Restore"]
    assert restored[0] == "1.23 TB within 100 s, replicas that read: 3; 37 GB/s"
    assert options(restored[2])["size"] == "63045M", "3.702 TB over 7 nodes and 8 jobs are 63,044.7 MiB"
    requests = options(tender["Read requests"][2])
    assert (requests["bs"], requests["rw"], requests["iodepth"]) == ("300000", "randread", "32")
    assert requests["size"] == "475237M"
    assert "-np 56 mdtest -F -u -i 3 -n 90000 " in tender["Metadata"][2], "84,000 a second for 60 s over 56 tasks"
    emulated = tender["Training as MLPerf Storage emulates it"][2]
    assert "--num-client-hosts 7 " in emulated
    assert "--num-accelerators 20 " in emulated, "56 GB/s over 2.859 GB/s are 19.6"
    assert "55.5 s" in tender["Checkpoints as MLPerf Storage writes them"][2]
    assert "5 fragments read, one written" in tender["Rebuild under load"][1]
    assert "1 fragment read, one" in one("tender", "Rebuild", data_fragments=1)[1]


def test_files_are_rounded_up_to_whole_mebibytes() -> None:
    """Half a byte a second, or a third of one, beyond whole MiB makes a file one MiB larger."""
    given = {key: str(text) for key, text in STATE.items()}
    values = {**answer.evaluated(CALCULATOR, valid_inputs(CALCULATOR, given))}
    slow = values | {"read_supply": 7 * (2 * MIB + 0.5)}
    accepted = {row[0][:9]: row[-1] for row in acceptance.rows(slow)}
    assert options(accepted["Read by {"])["size"] == options(accepted["Random re"])["size"] == "76M", "75 MiB and 19 B"
    small = values | {"checkpoint_size": 24 * 5 * MIB + 8, "restore_copies": 7}
    needed = {row[0][:7]: row[-1] for row in demand_tender.rows(small)}
    assert options(needed["Write o"])["size"] == "6M"
    assert options(needed["Restore"])["size"] == "16M", "7 x (120 MiB and 8 B) over 56 are 15 MiB and a byte"
    odd = values | {"checkpoint_size": 8 * 5 * MIB + 4, "restore_copies": 7}
    assert options({row[0][:7]: row[-1] for row in demand_tender.rows(odd)}["Restore"])["size"] == "6M"


def test_a_tender_without_checkpoints_needs_no_writes() -> None:
    tender = sheet("tender", checkpoint_size=0, files_per_sample=0, cache_hit_share=1)
    assert [first for first, row in tender.items() if row[0] == "None: no checkpoints are written here"] == [
        "Write of one checkpoint, all writers at once, until it is restorable",
        "Restore",
        "Checkpoints as MLPerf Storage writes them",
        "Endurance",
    ]
    assert tender["Checkpoints as MLPerf Storage writes them"][1:] == ("None: no checkpoints are written here",) * 2
    assert tender["Metadata"][0].startswith("None from training")
    assert "--num-accelerators 1 " in tender["Training as MLPerf Storage emulates it"][2]
    worn = sheet("tender", checkpoint_size=0, kv_written="3 GB/s", kv_read="2 GB/s")
    assert worn["Checkpoints as MLPerf Storage writes them"] == ("None: no checkpoints are written here",) * 3
    assert "None" not in sheet("tender")["Checkpoints as MLPerf Storage writes them"][1]


# The store reads 100 GB/s, its readers take in 77 GB/s; it writes 10 nodes x 2 x 10 / (7/5) / 2 ports: 100 GB/s of
# ports, 142.9 of drives, and three writers send 33 GB/s. Each limit decides somewhere.
@pytest.mark.parametrize(
    ("begins", "changed", "report"),
    [
        ("Read by one node", {}, ("13.3 GB/s or more", "nothing between", "below 13.3 GB/s")),
        ("Read by one node", {"samples_per_second": 1}, ("11 GB/s or more", "5.3 to 11 GB/s", "below 5.3 GB/s")),
        ("Read by one node", {"path_efficiency": 0.5}, ("13.3 GB/s or more", "nothing between", "below 13.3 GB/s")),
        (
            "Read by one node",
            {"samples_per_second": 1, "path_efficiency": 0.5},
            ("5.5 GB/s or more", "5.3 to 5.5 GB/s", "below 5.3 GB/s"),
        ),
        ("Read by 7 nodes", {"samples_per_second": 100}, ("77 GB/s or more", "42.6 to 77 GB/s", "below 42.6 GB/s")),
        (
            "Read by 7 nodes",
            {"samples_per_second": 100, "storage_nodes": 6},
            ("60 GB/s or more", "42.6 to 60 GB/s", "below 42.6 GB/s"),
        ),
        (
            "Read by 7 nodes",
            {"samples_per_second": 100, "drive_read": "2.7 GB/s"},
            ("54 GB/s or more", "42.6 to 54 GB/s", "below 42.6 GB/s"),
        ),
        # 10 nodes x 30,000, or 77 GB/s over 300 kB; and 56 GB/s over 300 kB.
        ("Random reads", {}, ("256,667 IOPS or more", "186,667 to 256,667 IOPS", "below 186,667 IOPS")),
        (
            "Random reads",
            {"node_iops": 20_000},
            ("200,000 IOPS or more", "186,667 to 200,000 IOPS", "below 186,667 IOPS"),
        ),
        # 1.234 TB at 33 GB/s; at 60 GB/s of six nodes where all seven write; 78.5 s where drives are slow.
        ("Write of one checkpoint", {}, ("37.4 s or less", "37.4 to 70 s", "more than 70 s")),
        (
            "Write of one checkpoint",
            {"writer_nodes": 7, "storage_nodes": 6},
            ("20.6 s or less", "20.6 to 70 s", "more than 70 s"),
        ),
        ("Write of one checkpoint", {"drive_write": "1.1 GB/s"}, ("70 s or less", "nothing between", "more than 70 s")),
        # 1.234 TB at 77 GB/s; 100 s for three copies.
        ("The same checkpoint read", {}, ("16 s or less", "16 to 33.3 s", "more than 33.3 s")),
        # 979.25 GB at 33 GB/s; at 17.63 GB/s.
        ("Checkpoint of MLPerf", {}, ("29.7 s or less", "29.7 to 55.5 s", "more than 55.5 s")),
        # 7,000 x 10; 56 x 1,000 x 0.5 x 3.
        ("Files", {}, ("84,000 IOPS or more", "nothing between", "below 84,000 IOPS")),
        ("Files", {"storage_nodes": 13}, ("91,000 IOPS or more", "84,000 to 91,000 IOPS", "below 84,000 IOPS")),
        # 77 GB/s over 2.859 GB/s are 26.9 whole ones, 56 GB/s are 19.6, so 20.
        # Less than one is one: a store of a port of 1 GB/s, and a job that reads nothing.
        (
            "MLPerf Storage training",
            {"cache_hit_share": 1, "storage_nodes": 1, "node_network": "1 GB/s"},
            ("1 GPU or more", "nothing between", "below 1 GPU"),
        ),
        ("MLPerf Storage training", {}, ("26 GPUs or more", "20 to 26 GPUs", "below 20 GPUs")),
        # 24 saves of 1.234 TB, 1.4 times, over 20 drives of 10 TB.
        # Twenty drives of 10 TB over 1.4; 1 TB of prepared data, 80 % full; two years on it has doubled twice.
        ("Usable", {"fill_share": 0.8}, ("143 TB or more", "1.25 to 143 TB", "below 1.25 TB")),
        ("Usable", {"growth": 1, "growth_years": 2}, ("143 TB or more", "4 to 143 TB", "below 4 TB")),
        # 48 TB read and written over 0.3 x 19 drives x 10 GB/s.
        (
            "One drive pulled",
            {"fill_share": 0.8, "rebuild_share": 0.3},
            (
                "Rebuilt within 14 min, reads and checkpoints as above",
                "Slower than that, with 93 GB/s read and checkpoints within 70 s",
                "Reads below 93 GB/s, a checkpoint over 70 s, or any byte that differs",
            ),
        ),
        ("Wear", {"checkpoint_size": 0}, ("None: no checkpoints are written here",) * 3),
        ("Wear", {}, ("0.207 or less", "0.207 to 3", "more than 3")),
    ],
)
def test_ends_of_acceptance_follow_from_the_job_and_the_hardware(
    begins: str, changed: dict[str, Any], report: tuple[str, str, str]
) -> None:
    assert one("acceptance", begins, **changed)[:3] == report


def test_commands_of_acceptance_drive_what_the_hardware_carries() -> None:
    """Of 77 GB/s each node reads 11 GB/s, which is 393,391 MiB a job in 300 s, and 78,679 MiB in a minute."""
    alone = options(one("acceptance", "Read by one node")[4])
    assert (alone["size"], alone["runtime"]) == ("78679M", "60")
    assert (alone["bs"], alone["iodepth"]) == ("1048576", "16")
    together = options(one("acceptance", "Read by 7 nodes")[4])
    assert (together["size"], together["runtime"]) == ("393391M", "300")
    assert (together["bs"], together["iodepth"]) == ("1048576", "16")
    requests = options(one("acceptance", "Random reads")[4])
    assert (requests["size"], requests["bs"], requests["iodepth"]) == ("393391M", "300000", "32")
    assert (
        "-np 24 ior -a POSIX -F -e -g -C -Q 8 -t 16m -b 49040m -k -w "
        in one("acceptance", "Write of one checkpoint")[4]
    )
    assert (
        "-np 24 ior -a POSIX -F -e -g -C -Q 8 -t 16m -b 49040m -k -r "
        in one("acceptance", "The same checkpoint read")[4]
    )
    assert "-np 56 mdtest -F -u -i 3 -n 75000 " in one("acceptance", "Files")[4], "70,000 x 60 s over 56 tasks"
    assert "--num-accelerators 20 " in one("acceptance", "MLPerf Storage training")[4]

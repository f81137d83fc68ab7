"""The table for a tender: what it holds, in every state the same rows, and where it comes out."""

from __future__ import annotations

import pytest

from calculators.__main__ import main
from calculators.answers import answer
from tests.subjects.storage.storage_demand.asked_demand import CALCULATOR, found, of_round


def test_the_tender_holds_the_readers_figures() -> None:
    cells = answer.cells(CALCULATOR, of_round())
    assert cells["tender.0.1"] == "1.06 GB/s: 133 MB/s for each of 8 nodes"
    assert "size=895M" in cells["tender.1.3"], "60 GB over 8 nodes and 8 jobs, in whole MiB"
    assert "rw=write" in cells["tender.1.3"]
    assert "-np 64 mdtest -F -u -i 3 -n 1000" in cells["tender.4.3"]
    assert "--num-accelerators 1 " in cells["tender.5.3"]
    assert "--checkpoint-folder" in cells["tender.5.3"], "mlpstorage refuses to run 3D-UNet without one"
    assert "--model llama3-8b --num-processes 8" in cells["tender.6.3"]


def test_the_tender_adds_the_caches_of_a_serving_fleet() -> None:
    """60 GB in 60 s are 1 GB/s, plus 3 GB/s of new caches; without checkpoints drives still take 259 TB per day."""
    both = answer.cells(CALCULATOR, of_round(kv_written="3 GB/s", kv_read="2 GB/s"))
    assert "GB/s for KV-cache reads, and the larger of a restore" in both["tender.0.2"]
    assert both["tender.1.1"].startswith("60 GB within 60 s and 3 GB/s of new KV caches: 4 GB/s, ")
    assert both["tender.8.2"].startswith("Checkpoints and new KV caches per day × ")
    alone = answer.cells(CALCULATOR, of_round(kv_written="3 GB/s", checkpoint_size=0))
    assert alone["tender.1.1"].startswith("3 GB/s of new KV caches: 3 GB/s, ")
    assert alone["tender.8.1"].startswith("259 TB per day for 5 years: ")


def test_one_node_is_singular() -> None:
    cells = answer.cells(CALCULATOR, of_round(gpus=8, storage_nodes=1))
    assert cells["acceptance.1.0"] == "Read by 1 node at once: the slowest node × all"
    assert cells["acceptance.2.4"].startswith("IOPS of 1 node, or the bandwidth's limit")


def test_every_state_has_the_same_rows() -> None:
    assert answer.cells(CALCULATOR, of_round()).keys() == answer.cells(CALCULATOR, found()).keys()


def test_the_tender_comes_out_of_the_command_line_and_in_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["storage_demand", "--tender", "--gpus", "64"]) == 0
    tender = capsys.readouterr().out
    assert tender.startswith("### Requirements for a tender\n")
    assert "```text\nmpirun --hostfile hosts -np 64 mdtest" in tender
    assert main(["storage_demand", "--markdown", "--gpus", "64"]) == 0
    assert tender.strip() in capsys.readouterr().out
    assert main(["storage_demand", "--conventions"]) == 0
    assert "| 1 GB/s per GPU |" in capsys.readouterr().out

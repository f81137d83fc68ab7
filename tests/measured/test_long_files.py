"""Long files: read piece by piece they say what they say as a whole, and a page sees how far reading is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from calculators import bridge
from calculators.answers.runs import page_run
from calculators.catalog import CALCULATORS
from calculators.measured import gpu_power, nccl_tests, pieces, training
from calculators.page import long_file
from calculators.pauses import finished

if TYPE_CHECKING:
    from collections.abc import Callable

LOGS = Path(__file__).parents[1] / "logs"
READERS: dict[str, Callable[[str], pieces.Reading[Any]]] = {
    "nccl": nccl_tests.read,
    "megatron": training.read,
    "torchtitan": training.read,
    "nvidia-smi-busy": gpu_power.read,
    "nvidia-smi-idle": gpu_power.read,
}
FILES = sorted(path.name for path in LOGS.iterdir() if path.name.startswith(tuple(READERS)))
DMON = "#Entity  GPUTL  POWER\nGPU 0  100  690.1\nGPU 1  99  401.2\n#Entity  POWER  GPUTL\nGPU 0  688.3  100\n"
EXPORTED = "".join(
    f'{field}{{gpu="{gpu}",Hostname="a"}} {value}\n'
    for watts in (512.5, 600)
    for gpu in range(2)
    for field, value in (("DCGM_FI_DEV_POWER_USAGE", watts), ("DCGM_FI_DEV_GPU_UTIL", 97))
)


@pytest.fixture
def one_line_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of one line."""
    monkeypatch.setattr(pieces, "_PIECE", 1)


def _asked(ask: str, calculator: str, **more: Any) -> dict[str, Any]:
    return dict(json.loads(bridge.respond(json.dumps({"asks": [ask], "calculator": calculator, **more}))))


def _sent(calculator: str, text: str, each: int) -> tuple[int, list[str]]:
    """Send a text in pieces; return how many, and the sentences on the way."""
    parts = [text[place : place + each] for place in range(0, len(text), each)]
    answers = [
        _asked("piece", calculator, measured=part, size=len(text), pieces=number) for number, part in enumerate(parts)
    ]
    return len(parts), [one["waiting"] for one in answers]


@pytest.fixture
def _new_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python of its own: no file is there yet."""
    monkeypatch.setattr(long_file, "FILE", long_file.LongFile())


@pytest.mark.usefixtures("one_line_each")
@pytest.mark.parametrize("text", ["a\r\nb\rc\n\nd", "a\u2028b\x0cc\nd\n", "", "\n"])
def test_lines_of_pieces_are_the_lines_of_the_text(text: str) -> None:
    numbered = [line for piece in pieces.pieces(text) for line in piece.numbered()]
    assert numbered == list(enumerate(text.splitlines(), 1))


@pytest.mark.parametrize("name", FILES)
def test_a_file_read_line_by_line_is_the_file_read_at_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (LOGS / name).read_text("utf-8")
    read = next(reader for start, reader in READERS.items() if name.startswith(start))
    whole = finished(read(text))
    monkeypatch.setattr(pieces, "_PIECE", 1)
    pauses = [*read(text)]
    assert len(pauses) >= len(text.splitlines()) - 1
    assert vars(finished(read(text))) == vars(whole)


@pytest.mark.parametrize("text", [DMON, EXPORTED])
def test_power_of_dcgm_is_read_alike_in_pieces(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = gpu_power.runs(text)
    assert [len(gpu.watts) for gpu in whole] == ([2, 1] if text == DMON else [2, 2])
    monkeypatch.setattr(pieces, "_PIECE", 1)
    assert gpu_power.runs(text) == whole


@pytest.mark.usefixtures("one_line_each")
def test_a_second_table_in_a_later_piece_is_named_by_its_line() -> None:
    table = (
        "#  size  count  type  redop  root  time  algbw  busbw\n  1048576  262144  float  sum  -1  100.0  10.49  19.6\n"
    )
    with pytest.raises(ValueError, match=r"^Line 4: the table of a second run"):
        nccl_tests.run(f"{table}a line between\n{table}")


@pytest.mark.usefixtures("_new_file", "one_line_each")
@pytest.mark.parametrize(
    ("calculator", "file"),
    [
        ("collectives", "nccl-falls-at-large.txt"),
        ("training_time", "megatron-gpt2-64.txt"),
        ("power", "nvidia-smi-busy.csv"),
        ("storage_demand", "ior-4.1-write.txt"),
        ("data_loader", "mlperf-storage-ddn.json"),
    ],
)
def test_a_file_sent_in_pieces_is_compared_as_a_pasted_text(calculator: str, file: str) -> None:
    text = (LOGS / file).read_text("utf-8")
    count, loaded = _sent(calculator, text, 500)
    assert loaded[-1].startswith("Loaded ")
    assert loaded[-1].endswith(f" of {page_run.size(len(text))}.")
    answer, waits = _asked("file", calculator, pieces=count, slice_ms=0), []
    while answer.get("waiting"):
        waits.append(answer["waiting"])
        answer = _asked("file", calculator, pieces=count, slice_ms=0, cursor=answer["cursor"])
    assert waits[0].startswith("Read ")
    assert answer["compared"] == _asked("measured", calculator, measured=text)["compared"]
    assert answer["progress"].endswith(" read.")
    again = _asked("file", calculator, pieces=count, slice_ms=50, given={})
    assert again["compared"] == answer["compared"], "it is read once"


@pytest.mark.usefixtures("_new_file")
def test_a_long_file_that_holds_no_run_says_so_in_every_state() -> None:
    count, _ = _sent("power", "a shopping list\n" * 9, 40)
    answers = [_asked("file", "power", pieces=count, slice_ms=1000) for _ in range(2)]
    assert {one["compared"]["problem"][:27] for one in answers} == {"line 1 names no power.draw,"}


@pytest.mark.usefixtures("_new_file")
def test_a_file_that_python_lost_is_not_read_in_part() -> None:
    count, _ = _sent("power", (LOGS / "nvidia-smi-busy.csv").read_text("utf-8"), 300)
    compared = _asked("file", "power", pieces=count + 1, slice_ms=1000)["compared"]
    assert compared["problem"].startswith("Python ended while it read this file")
    assert "python -m calculators power --measured FILE" in compared["problem"]


@pytest.mark.parametrize("name", [name for name, one in CALCULATORS.items() if one.run_reader or one.measurement])
def test_a_file_above_the_limit_names_the_limit_and_the_command(name: str) -> None:
    problem = _asked("measured", name, measured="", size=page_run.LONGEST + 1)["compared"]["problem"]
    assert problem == f"More than 100 MB: give a part of it, or run python -m calculators {name} --measured FILE."
    assert not _asked("measured", name, measured="", size=page_run.LONGEST)["compared"]["problem"]

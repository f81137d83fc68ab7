"""Files that readers give, damaged in every way files are: read, or refused in one sentence of ours."""

from __future__ import annotations

import gzip
import json
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from calculators import configuration, files
from calculators.__main__ import main
from calculators.answers.runs import measurement
from calculators.catalog import CALCULATORS, LOGS
from calculators.measured import gpu_power, prometheus, request_log, storage, training
from calculators.subjects.serving.inference import benchmark
from tests.configuration.configurations import LLAMA
from tests.measured.test_serving import scrape

if TYPE_CHECKING:
    from collections.abc import Callable

LOGS_OF_TESTS = Path(__file__).parents[1] / "logs"
# What Python says to programmers
_OF_PYTHON = re.compile(
    r"Traceback|codec|set_int_max|int\(\)|float\(\)|JSONDecode|NoneType|<class|Error|Expecting|char \d+|convert|literal"
)
_LONGEST_SENTENCE = 900  # ten keys of a configuration are wrong at once


# Requests of Mooncake's form, two a second
REQUESTS = "\n".join(
    json.dumps({"timestamp": 500 * n, "input_length": 1000 + n, "output_length": 100 + n, "hash_ids": [1, n]})
    for n in range(40)
)
RUNS: dict[str, Callable[[str], object]] = {
    "fio-randread-one-job.json": storage.runs,
    "ior-3.3-read.txt": storage.runs,
    "mdtest-3.3-create.txt": storage.runs,
    "elbencho-random-4k.csv": storage.runs,
    "mlperf-storage-ddn.json": storage.runs,
    "megatron-primus-8.txt": training.run,
    "torchtitan-gb300-128.txt": training.run,
    "nvidia-smi-busy.csv": gpu_power.runs,
    "aiperf-agent-c2.json": benchmark.runs,
}


def a_configuration(text: str) -> object:
    return configuration.read(text)


def a_log(text: str) -> object:
    return [each(text) for each in LOGS["goodput"]]


def a_measurement(text: str) -> object:
    collectives = CALCULATORS["collectives"]
    return measurement.compared(collectives, {}, measurement.run_of(collectives, text))


READERS: dict[str, tuple[Callable[[str], object], str]] = {
    "config.json": (a_configuration, json.dumps(LLAMA, indent=2)),
    "events": (a_log, (LOGS_OF_TESTS / "goodput-events.csv").read_text("utf-8")),
    "steps": (a_log, (LOGS_OF_TESTS / "goodput-steps.csv").read_text("utf-8")),
    "slurm": (a_log, (LOGS_OF_TESTS / "goodput-slurm.txt").read_text("utf-8")),
    "nccl-tests": (a_measurement, (LOGS_OF_TESTS / "nccl-normal.txt").read_text("utf-8")),
    "requests": (request_log.log, REQUESTS),
    "scrape": (prometheus.traffic, scrape(105, hits=21_000)),
    **{name: (read, (LOGS_OF_TESTS / name).read_text("utf-8")) for name, read in RUNS.items()},
}


def damaged(text: str) -> list[bytes]:
    """The file in a hundred bad states, by chance but always the same."""
    chance = random.Random(37)  # noqa: S311  the same each time
    whole = text.encode()
    found = [
        *(whole[: chance.randrange(len(whole))] for _ in range(25)),
        whole + whole,
        whole + b"\n" + whole,
        *(text.encode(code) for code in ("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-32")),
        text.replace("a", "ä").encode("cp1252"),
        gzip.compress(whole),
        b"PK\x03\x04" + whole,
        bytes(chance.randrange(256) for _ in range(500)),
        b"",
        b"\0" * 50,
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"model_type": "llama", "hidden_size": ' + b"9" * 5000 + b"}",
        text.replace("1", "9" * 5000).encode(),
        re.sub(r"\d+", "9" * 5000, text, count=3).encode(),
        *(
            re.sub(r"(?<=[ :,])\d+(\.\d+)?(?=[,\s])", odd, text).encode()
            for odd in ("Infinity", "1e308", "1e-320", "-1")
        ),
        text.replace("0", "NaN").encode(),
        text.replace(",", "\0").encode(),
        text.replace("\n", "\r").encode(),
        whole.replace(b"2", "٢".encode()),
        re.sub(r"\d+", "9" * 400, text).encode(),
        re.sub(r"(\d)\.(\d)", r"\1..\2", text).encode(),
        re.sub(r"(?<=: )[\d.]+", '"many"', text).encode(),
        re.sub(r"(?<=: )[\d.]+", "[]", text).encode(),
        whole[: len(whole) // 2] + b"[" * 100_000 + whole[len(whole) // 2 :],
    ]
    for _ in range(60):
        place = chance.randrange(len(whole))
        noise = bytes(chance.randrange(32, 127) for _ in range(chance.randrange(1, 6)))
        found.append(whole[:place] + noise + whole[place + chance.randrange(4) :])
    return found


def sentence_of(read: Callable[[str], object], content: bytes) -> str:
    """What is said of a file, from its bytes as the command line reads them; empty where it is read."""
    try:
        read(files.decoded(content))
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("kind", READERS)
def test_a_damaged_file_is_read_or_refused_in_a_sentence(kind: str) -> None:
    read, text = READERS[kind]
    assert sentence_of(read, text.encode()) == ""
    refusals = 0
    for content in damaged(text):
        message = sentence_of(read, content)
        refusals += message != ""
        assert not _OF_PYTHON.search(message), (content[:80], message)
        assert len(message) < _LONGEST_SENTENCE, content[:80]
        assert message == "" or len(message.split()) > 3, message
    assert refusals > 10


@pytest.mark.parametrize("kind", READERS)
def test_a_damaged_file_that_a_browser_made_text_of_is_refused_alike(kind: str) -> None:
    """Browsers write a mark for each byte that is no UTF-8, and take the mark of UTF-8 away."""
    read, text = READERS[kind]
    for content in damaged(text):
        message = sentence_of(read, content.decode("utf-8", "replace").encode())
        assert not _OF_PYTHON.search(message), (content[:80], message)
        assert len(message) < _LONGEST_SENTENCE


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_is_read_in_these_encodings(code: str) -> None:
    for read, text in READERS.values():
        assert read(files.decoded(text.encode(code))) == read(text)


@pytest.mark.parametrize(
    ("content", "place", "cure"),
    [
        (b'{"model_type": "llama",\n "x": ', "line 2, column", "paste the whole file"),
        (b'{"model_type": "llama"}\n{"a": 1}', "line 2, column 1", "paste one file only"),
        (b'{"model_type": llama}', "line 1, column 16", "paste the file as it was downloaded"),
        (b'{"model_type": "llama", "n": ' + b"9" * 5000 + b"}", "5,000 digits: 9999999999…", "no dimension"),
        (gzip.compress(b"{}", mtime=0), "compressed (gzip)", "unpack it first"),
        ('{"ä": 1}'.encode("cp1252"), "from byte 3 on", "save it as UTF-8"),
        (b'{"x": NaN}', "NaN", "may hold"),
    ],
)
def test_what_is_wrong_is_reported_with_its_place_and_its_cure(content: bytes, place: str, cure: str) -> None:
    message = sentence_of(a_configuration, content)
    assert place in message
    assert cure in message


@pytest.mark.parametrize("size", [3_090_000, 19_900_000])
def test_a_large_configuration_is_read(size: int) -> None:
    """As large as that of MiniMax-M3, and twenty million characters."""
    idle = json.dumps({**LLAMA, "id2label": {str(n): "x" * 100 for n in range(size // 114)}})
    assert size * 0.9 < len(idle) <= 20_000_000
    assert configuration.read(idle).stack == configuration.read(json.dumps(LLAMA)).stack
    with pytest.raises(ValueError, match="at most 20,000,000"):
        configuration.read(" " * 20_000_001)


def test_the_command_line_reads_files_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def report(name: str, content: bytes, *arguments: str) -> tuple[Any, str]:
        file = tmp_path / name
        file.write_bytes(content)
        code = main([*arguments, str(file)])
        return code, capsys.readouterr().err

    config = json.dumps(LLAMA).encode("utf-8-sig")
    assert report("config.json", config, "model", "--config") == (0, "")
    for arguments in (("model", "--config"), ("goodput", "--log"), ("collectives", "--measured")):
        code, message = report("packed.gz", gzip.compress(b"{}"), *arguments)
        assert code == 2
        assert "compressed (gzip): unpack it first" in message


def no_number(stated: str) -> None:
    pytest.fail(f"{stated} is not JSON")


@pytest.mark.parametrize("name", [*RUNS, "nccl-normal.txt", "vllm-0.25-metrics.txt", "goodput-events.csv", "requests"])
@pytest.mark.parametrize("odd", ["", "Infinity", "1e308", "1e-320", "0"])
def test_what_is_printed_of_a_run_as_json_is_json(
    name: str, odd: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The limit of a latency that has none was printed as Infinity, which no other program reads."""
    text = REQUESTS if name == "requests" else (LOGS_OF_TESTS / name).read_text("utf-8")
    file = tmp_path / "file"
    file.write_text(re.sub(r"(?<=[ :,])\d+(\.\d+)?(?=[,\s])", odd, text) if odd else text, "utf-8")
    read = 0
    for arguments in (
        ("benchmark",),
        ("goodput", "--log"),
        *((one, "--measured") for one in ("inference", "collectives", "storage_demand", "training_time", "power")),
    ):
        code = main([*arguments, str(file), "--json"])
        printed, message = capsys.readouterr()
        assert not _OF_PYTHON.search(message), message
        if code == 0:
            read += 1
            json.loads(printed, parse_constant=no_number)
    assert read or odd

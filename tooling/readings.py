"""How long readers take for a megabyte of what they read, in CPython: `python -m tooling.readings`.

A published file of each kind is made a megabyte long by rows like its own.
Printed is the least processor time of five readings. In the browser the same takes about three times as long.
"""

import json
import time
from collections.abc import Callable, Iterator

from builder.paths import ROOT
from calculators.measured import gpu_power, nccl_tests, prometheus, request_log, storage, training
from calculators.subjects.serving.inference import benchmark
from calculators.subjects.storage.goodput import event_log
from tooling.figure import ROUNDS, Figure

Rows = Callable[[int], str]
_FOLDER = ROOT / "tests" / "logs"
_MEGABYTE = 10**6
_BUDGET = 200
# Tools that write the same row again: reader, and the first line of what is repeated
_REPEATED: dict[str, tuple[Callable[[str], object], int]] = {
    "nccl-normal.txt": (nccl_tests.run, 2),
    "ior-4.1-write.txt": (storage.runs, 31),
    "megatron-primus-8.txt": (training.run, 0),
    "nemo-qwen3-30b-16.txt": (training.run, 0),
    "torchtitan-gb300-128.txt": (training.run, 1),
    "nvidia-smi-busy.csv": (gpu_power.runs, 2),
    "dcgm-exporter-idle-node.txt": (gpu_power.runs, 0),
    "sglang-qwen-3b-c32.jsonl": (benchmark.runs, 0),
}


def _text(name: str) -> str:
    return (_FOLDER / name).read_text("utf-8")


def _grown(head: str, row: Rows, tail: str = "") -> str:
    """A text of a megabyte: a head, rows by their number, a tail."""
    rows = [row(number) for number in range(_MEGABYTE // len(row(10**4)))]
    return head + "".join(rows) + tail


def _repeated(name: str, first: int) -> str:
    lines = _text(name).strip().splitlines()
    rows = "\n".join(lines[first:]) + "\n"
    return _grown("".join(f"{line}\n" for line in lines[:first]), lambda _: rows)


def _second(number: int) -> str:
    """A date and time so many seconds after the start of November 2026."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(1793491200 + number))


def texts() -> Iterator[tuple[str, Callable[[str], object], str]]:
    """Each kind of file, its reader, and a megabyte of it."""
    for name, (read, first) in _REPEATED.items():
        yield name, read, _repeated(name, first)
    name = "elbencho-random-4k.csv"
    head, _, row = _text(name).splitlines(keepends=True)
    yield name, storage.runs, _grown(head, lambda number: row.replace("45248", str(45248 + number)))
    name = "fio-randread-one-job.json"
    stated = json.loads(_text(name))
    job = json.dumps(stated["jobs"][0], indent=1)
    yield name, storage.runs, _grown(f'{{"fio version": "fio-3.1", "jobs": [{job}', lambda _: f",\n{job}", "]}")
    name = "vllm-0.25-metrics.txt"
    scrape = _text(name)
    yield name, prometheus.traffic, _grown("", lambda number: scrape.replace('engine="0"', f'engine="{number}"'))
    name = "goodput-slurm.txt"
    head = _text(name).partition("\n")[0] + "\n"

    def attempt(number: int) -> str:
        begin, start, end = (_second(60 * number + seconds) for seconds in (0, 20, 60))
        return f"4711|pretrain|NODE_FAIL|{begin}|{start}|{end}\n"

    yield name, event_log.read, _grown(head, attempt)
    asked = {"timestamp": 0, "input_length": 1012, "output_length": 104, "hash_ids": [*range(8)]}
    yield (
        "requests.jsonl",
        request_log.log,
        _grown("", lambda number: json.dumps(asked | {"timestamp": 500 * number}) + "\n"),
    )
    yield (
        "requests.csv",
        request_log.log,
        _grown(
            "TIMESTAMP,ContextTokens,GeneratedTokens\n", lambda number: f"{_second(number)},{4000 + number % 99},10\n"
        ),
    )


def figures() -> Iterator[Figure]:
    """The time that each reader takes for a megabyte [ms]."""
    for name, read, text in texts():
        times = []
        for _ in range(ROUNDS):
            start = time.process_time()
            read(text)
            times.append(time.process_time() - start)
        yield Figure(f"reading a megabyte: {name}", min(times) * 1000 * _MEGABYTE / len(text), "ms", _BUDGET)


if __name__ == "__main__":
    for figure in figures():
        print(figure, flush=True)

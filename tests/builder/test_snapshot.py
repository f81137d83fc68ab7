"""The snapshot: made of what it says, tried before it is used (that it is reproducible, test_archive shows)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from builder import disk_cache
from builder.engine import engine, packages, questions, runtime, snapshot
from calculators.bridge import respond
from calculators.catalog import CALCULATORS
from calculators.page.machine import MACHINES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DAY = "2026-11-29"
PAGE = 4096
CUSTOM, IMPORT, CODE, DATA = 0, 2, 10, 11
NOTHING = b"\x03\x00\x00\x0b"  # three bytes: no locals, unreachable, end


@pytest.fixture(scope="module")
def made() -> snapshot.Snapshot:
    """What this build makes, from .cache/ if it is there."""
    return snapshot.snapshot(packages.packages())


def number(module: bytes, place: int) -> tuple[int, int]:
    """Read an unsigned LEB128: its value, and where the next thing begins."""
    value = shift = 0
    while True:
        byte = module[place]
        place += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, place


def sections(module: bytes) -> dict[int, bytes]:
    """A module's sections by their number."""
    found, place = {}, 8
    while place < len(module):
        kind = module[place]
        length, place = number(module, place + 1)
        found[kind] = module[place : place + length]
        place += length
    return found


def ask(made: snapshot.Snapshot, asked: list[str], **other: Any) -> list[str]:
    """Start the snapshot as browsers do and ask."""
    job = {"of": made.info | other, "questions": asked, "host": str(snapshot.HOST)}
    found, _ = runtime.run(snapshot.SCRIPT, "ask", job, {"wasm": made.wasm, "image": made.image})
    return list(found)


@pytest.mark.daily(3)
def test_it_answers_as_python_here_does(made: snapshot.Snapshot) -> None:
    asked = list(questions.at_random(60, seed=7))
    assert ask(made, asked) == [respond(question) for question in asked]


def test_its_memory_is_whole_pages_in_order_and_no_more(made: snapshot.Snapshot) -> None:
    ranges = made.info["ranges"]
    assert sum(to - start for start, to in ranges) == len(made.image)
    assert all(start % PAGE == to % PAGE == 0 for start, to in ranges)
    edges = [edge for pair in ranges for edge in pair]
    assert edges == sorted(set(edges))
    assert edges[-1] <= made.info["length"]


def test_its_webassembly_holds_no_data_and_takes_its_memory_from_outside(made: snapshot.Snapshot) -> None:
    found = sections(made.wasm)
    assert made.wasm.startswith(b"\0asm\1\0\0\0")
    assert not {CUSTOM, DATA} & set(found)
    assert b"\3env\6memory" in found[IMPORT]
    assert b"GOT." not in found[IMPORT]


def test_its_functions_keep_their_places_but_most_are_never_reached_and_do_nothing(made: snapshot.Snapshot) -> None:
    there = runtime.PYODIDE / "pyodide.asm.wasm"
    theirs, ours = (sections(module)[CODE] for module in (there.read_bytes(), made.wasm))
    assert number(ours, 0)[0] == number(theirs, 0)[0]
    assert len(ours) < len(theirs) / 2
    assert ours.count(NOTHING) > number(ours, 0)[0] / 2


def test_its_memory_has_no_modules_that_wait_to_be_imported(made: snapshot.Snapshot) -> None:
    in_a_module_of_the_loader = b"FrozenImporteri"  # a name, and the mark of what is behind it
    assert in_a_module_of_the_loader in (runtime.PYODIDE / "pyodide.asm.wasm").read_bytes()
    assert in_a_module_of_the_loader not in made.image


def test_its_memory_has_no_tables_of_codecs_that_no_answer_reads(made: snapshot.Snapshot) -> None:
    in_the_map_of_jis_x_0208 = "亜唖娃阿哀愛挨姶逢葵茜穐".encode("utf-16-le")
    assert in_the_map_of_jis_x_0208 in (runtime.PYODIDE / "pyodide.asm.wasm").read_bytes()
    assert in_the_map_of_jis_x_0208 not in made.image


def test_it_reads_letters_and_digits_of_every_script_as_python_here_does(made: snapshot.Snapshot) -> None:
    texts = ["".join(map(chr, range(first, first + 256))) for first in (0x80, 0x370, 0x900, 0x3000, 0x1F00, 0xFF00)]
    texts += ["１２", "٣٤ GB", "Ⅷ", "²"]
    asked = [json.dumps({"calculator": "checkpoint", "given": {"gpus": text}}) for text in texts]
    assert ask(made, asked) == [respond(question) for question in asked]


def test_a_memory_that_is_too_short_or_too_long_is_refused(made: snapshot.Snapshot) -> None:
    *others, (start, to) = made.info["ranges"]
    with pytest.raises(runtime.Unusable, match="memory is not complete"):
        ask(made, ["{}"], ranges=[*others, [start, to + PAGE]])
    with pytest.raises(runtime.Unusable, match="memory is too long"):
        ask(made, ["{}"], ranges=[*others, [start, to - PAGE]])


@pytest.mark.daily(3)
def test_a_text_far_larger_than_its_memory_makes_it_grow(made: snapshot.Snapshot) -> None:
    long = json.dumps({"calculator": "checkpoint", "given": {"gpus": "9" * 40_000_000}})
    (answer,) = ask(made, [long])
    assert "gpus" in json.loads(answer)["problems"]


def test_it_has_what_python_here_has_of_clocks(made: snapshot.Snapshot) -> None:
    """Explorations answer in slices, by the clock."""
    asked = json.dumps({"calculator": "checkpoint", "asks": ["explore"], "slice_ms": 1000})
    (answer,) = ask(made, [asked])
    assert "failure" not in json.loads(answer)


@pytest.mark.daily(3)
def test_a_search_as_long_as_a_system_needs_does_not_end_it(made: snapshot.Snapshot) -> None:
    """The garbage collector reaches functions of its own after many steps, on systems with thousands of layouts."""
    asked = [
        json.dumps({"calculator": name, "asks": ["explore"], "slice_ms": 600_000, "day": DAY}) for name in MACHINES
    ]
    answers = [json.loads(answer) for answer in ask(made, asked)]
    assert all(answer["advice"] and not answer.get("failure") for answer in answers)


def test_questions_at_random_set_every_kind_of_input_and_are_the_same_each_time() -> None:
    asked = [json.loads(question) for question in questions.at_random()]
    assert asked == [json.loads(question) for question in questions.at_random()]
    assert {one["calculator"] for one in asked} == set(CALCULATORS)
    answers = [json.loads(respond(json.dumps(one))) for one in asked]
    assert not [answer["failure"] for answer in answers if "failure" in answer]
    right = sum("problems" not in answer for answer in answers)
    assert len(answers) / 4 < right < len(answers)


def test_what_answers_differently_from_python_here_is_refused() -> None:
    asked = ["{", "null"]
    with pytest.raises(runtime.Unusable, match="1 answers from it are not those of Python here, first null"):
        questions.compare(asked, [respond("{"), "nothing"], questions.answers(asked))


def test_a_runtime_that_fails_says_why(tmp_path: Path) -> None:
    script = tmp_path / "fails.mjs"
    script.write_text('process.stderr.write("there is no memory\\n"); process.exit(1);', "utf-8")
    with pytest.raises(runtime.Unusable, match="Node did not make it: there is no memory"):
        runtime.run(script, "make", {}, {})


def test_without_a_snapshot_the_site_starts_plainly_and_the_build_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(_: packages.Packages) -> snapshot.Snapshot:
        raise runtime.Unusable("it answers nonsense")

    monkeypatch.setattr(engine, "snapshot", refuse)
    written = engine.write(tmp_path)
    assert "NO SNAPSHOT: it answers nonsense" in capsys.readouterr().out
    assert set(written.manifest["files"]) == {"loader", "glue", "wasm", "library", "calculators"}
    assert "snapshot" not in written.manifest


PACKED = packages.Packages(b"calculators", b"library", "for this test")


class Node:
    """Makes a snapshot of these bytes and answers as the test says, instead of Node."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.image = b""
        self.says: Callable[[str], str] = respond
        self.asked: list[str] = []
        for kind in ("everything", "as_pages_ask", "at_random"):
            monkeypatch.setattr(questions, kind, lambda *_: iter(["{", "null"]))
        monkeypatch.setattr(disk_cache, "CACHE", folder)
        monkeypatch.setattr(runtime, "run", self.run)

    def run(self, _script: object, command: str, job: dict[str, list[str]], _files: object) -> tuple[object, object]:
        if command == "make":
            return {"ranges": []}, {"made.wasm": b"", "made.image": self.image}
        self.asked += job["questions"]
        return [self.says(question) for question in job["questions"]], {}


@pytest.fixture
def node(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Node:
    return Node(monkeypatch, tmp_path)


def test_a_snapshot_that_answers_differently_is_not_kept(node: Node, tmp_path: Path) -> None:
    node.says = lambda _: "wrong"
    with pytest.raises(runtime.Unusable, match="are not those of Python here"):
        snapshot.snapshot(PACKED)
    assert not list(tmp_path.iterdir())


def test_the_very_same_snapshot_made_again_need_not_answer_again_and_any_other_must(node: Node, tmp_path: Path) -> None:
    snapshot.snapshot(PACKED)
    assert sorted(node.asked) == sorted(["null", *(["{", "null"] * 2)])  # a third of everything, and the rest
    proof = next(tmp_path.glob("snapshot_proof-*.txt"))

    def again() -> list[str]:
        for path in tmp_path.iterdir():
            if path != proof:
                path.unlink()
        node.asked.clear()
        snapshot.snapshot(PACKED)
        return node.asked

    assert again() == []
    node.image = b"another"
    node.says = lambda _: "wrong"
    with pytest.raises(runtime.Unusable, match="are not those of Python here"):
        again()
    node.says = respond
    assert len(again()) == 5

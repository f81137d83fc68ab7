"""Own facts: a file's records and numbers are taken; what cannot be read is named by line, and nothing else is lost."""

import difflib
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from calculators import units
from calculators.answers import links
from calculators.answers.input_state import valid_inputs
from calculators.catalog import CALCULATORS
from calculators.facts import overlay, stated
from calculators.facts.overlay_records import Overlay
from calculators.units.currencies import RATES

ROOT = Path(__file__).parents[2]
CONTRACT = """
[overlay]
name = "Acme tender"
date = 2026-11-01
rates = { EUR = 1.08 }

[accelerators.h100-contract]
like = "h100-sxm"
name = "H100, our contract"
price_per_gpu_hour = "1.85 EUR"

[drives.our-qlc]
like = "d5-p5336"
drive_write = "3–4 GB/s"

[facts]
capital-rate = "6 %"
h100-sxm.gpu_memory = 79.6
"""


@pytest.fixture(autouse=True)
def _no_rates() -> Iterator[None]:
    RATES.clear()
    yield
    RATES.clear()


def read(tmp_path: Path, text: str, name: str = "own.toml") -> Overlay:
    """What a file with this text states."""
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return overlay.read([path], stated.stated_records())


def run(tmp_path: Path, *arguments: str, text: str = CONTRACT) -> subprocess.CompletedProcess[str]:
    """The command line with a file of own facts."""
    path = tmp_path / "own.toml"
    path.write_text(text, "utf-8")
    command = [sys.executable, "-m", "calculators", arguments[0], "--facts", str(path), *arguments[1:]]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1795780800"}
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=environment)


def test_ten_lines_are_an_accelerator_a_drive_and_two_numbers(tmp_path: Path) -> None:
    found = read(tmp_path, CONTRACT)
    assert not found.problems
    contract = found.records["h100-contract"].parsed()
    assert contract["name"] == "H100, our contract (yours)"
    assert contract["price_per_gpu_hour"]["value"] == pytest.approx(1.85 * 1.08)
    assert contract["price_per_gpu_hour"]["price_class"] == "rent"
    assert "price_per_gpu_hour" not in contract["related"]
    assert contract["related"]["links"] == "nccl-links-hopper"
    write = found.records["drive-our-qlc"].parsed()["drive_write"]
    assert (write["low"], write["value"], write["high"]) == (3, 3.5, 4)
    assert found.records["capital-rate"].parsed()["value"] == 0.06
    assert found.records["h100-sxm"].parsed()["gpu_memory"]["value"] == 79.6


def test_three_calculators_take_one_file_and_say_whose_it_is(tmp_path: Path) -> None:
    cost = run(tmp_path, "cost", "--accelerator", "h100-contract")
    assert cost.returncode == 0, cost.stderr
    assert "at $2/GPU-hour (yours)" in cost.stdout
    memory = json.loads(run(tmp_path, "kv_cache", "--json").stdout)
    assert memory["inputs"]["gpu_memory"]["value"] == pytest.approx(79.6 * 2**30)
    storage = json.loads(run(tmp_path, "storage_demand", "--drive", "drive-our-qlc", "--json").stdout)
    assert storage["inputs"]["drive_write"]["value"] == 3.5e9


def test_a_table_says_the_same(tmp_path: Path) -> None:
    rows = (
        "kind,record,field,value\noverlay,,name,Acme tender\noverlay,,date,2026-11-01\n"
        'drives,our-qlc,like,d5-p5336\ndrives,our-qlc,drive_write,3–4 GB/s\ndrives,our-qlc,name,"QLC, ours"\n'
        "facts,capital-rate,,6 %\n"
    )
    found = read(tmp_path, rows, "own.csv")
    assert not found.problems
    assert found.records["drive-our-qlc"].parsed()["name"] == "QLC, ours (yours)"
    assert found.records["drive-our-qlc"].parsed()["drive_write"]["high"] == 4
    assert (
        found.records["capital-rate"].parsed()["value"]
        == read(tmp_path, CONTRACT).records["capital-rate"].parsed()["value"]
    )


WRONG = {
    "a unit that does not exist": ('[drives.x]\nlike = "d5-p5336"\n\ndrive_read = "7 GBB/s"', "line 4", "drive_read"),
    "a field that no drive has": (
        '[drives.x]\nlike = "d5-p5336"\ndrive_rread = 7',
        "line 3",
        "no record has drive_rread",
    ),
    "a base that is not there": ('[drives.x]\nlike = "d5-p5366"', "line 2", "did you mean d5-p5336"),
    "fields that are missing": ("[drives.x]\ndrive_capacity = 61", "line 1", "lacks drive_read"),
    "a menu that does not exist": ("[drvies.x]\ndrive_capacity = 61", "line 1", "did you mean drives"),
    "a fact that does not exist": ("[facts]\ncapital-rat = 0.1", "line 2", "did you mean capital-rate"),
    "a fact of several fields": ("[facts]\nh100-sxm = 80", "line 2", "write h100-sxm."),
    "nothing where something is": ('[drives.x]\nlike = "d5-p5336"\ndrive_read = 0', "line 3", "more than 0"),
    "no finite number": ('[drives.x]\nlike = "d5-p5336"\ndrive_read = nan', "line 3", "finite"),
    "a value outside of its range": (
        '[drives.x]\nlike = "d5-p5336"\ndrive_read = { value = 7, low = 8 }',
        "line 3",
        "between low and high",
    ),
    "a currency without a rate": ('[facts]\ncolocation-per-kilowatt = "150 CHF"', "line 2", "no rate of CHF"),
    "a day that is none": ('[overlay]\ndate = "November"', "line 2", "2026-11-28"),
    "a rate of nothing": ("[overlay]\nrates = { EUR = 0 }", "line 2", "dollars for one EUR"),
    "half a header": ("[drives.x", "line 1", "left out"),
    "no table at all": ("drive_read = 7", "line 1", "before the first table"),
    "capitals in a key": ("[drives.OUR]\ndrive_read = 7", "line 1", "small letters"),
    "a word for a number": ('[drives.x]\nlike = "d5-p5336"\ndrive_read = true', "line 3", "number or a text"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_what_cannot_be_read_is_named_by_line_and_the_rest_counts(tmp_path: Path, kind: str) -> None:
    text, line, words = WRONG[kind]
    good = '\n\n[accelerators.good]\nlike = "h100-sxm"\n'
    found = read(tmp_path, text + good)
    assert len(found.problems) == 1
    assert f"own.toml, {line}:" in found.problems[0]
    assert words in found.problems[0]
    assert "good" in found.records


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (CONTRACT.replace("contract", "Verträge").encode("cp1252"), "save it as UTF-8"),
        (b"\0" * 20, "not plain text"),
        (b"\x1f\x8b packed", "unpack it first"),
        (b"prices of lot 2", "line 1"),
        (b"# nothing yet", ""),
        (b"", ""),
        (
            b"[facts]\ncapital-rate = " + b"9" * 5000,
            "line 2: “capital-rate = 9999999999999999999999999…”: a number has more digits",
        ),
        (b"[facts]\ncapital-rate = " + b"[" * 5000, "line 1: this is nested deeper"),
        (b'[accelerators.x]\nlike = "' + b"9" * 5000 + b'"', "line 2: there is no 9999"),
        (b"kind,record,field,value\n" + b'"a' * 200_000, "line 2: a cell has more than 131,072 characters"),
    ],
)
def test_a_file_that_is_none_is_refused_in_a_sentence(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(content)
    found = overlay.read([path], stated.stated_records())
    assert len(found.problems) == (words != "")
    assert words in "".join(found.problems)
    assert len("".join(found.problems)) < 600
    assert not found.records


DRIVES = [f'[drives.lot-{number}]\nlike = "d5-p5336"\ndrive_read = 7\n' for number in range(1001)]


def test_a_price_list_is_read_up_to_a_thousand_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page starts with them: they are read in one piece, and a published record that many are like is parsed once."""
    parsed, times = stated.Stated.parsed, Counter[str]()

    def counted(one: stated.Stated) -> Mapping[str, Any]:
        times[one.key] += 1
        return parsed(one)

    monkeypatch.setattr(stated.Stated, "parsed", counted)
    found = read(tmp_path, "".join(DRIVES[:1000]))
    assert (len(found.records), found.problems) == (1000, [])
    assert found.records["drive-lot-999"].parsed()["drive_read"]["where"] == "line 3000"
    assert times["drive-d5-p5336"] == 2  # for its fields, and to be like it


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("".join(DRIVES), "1,001 records and facts: give those you use, at most 1,000"),
        ("[facts]\n" + "".join(f"a{number} = 1\n" for number in range(40_000)), "40,000 records and facts"),
        ("[drives]\n" + "".join(f"a{number} = {{}}\n" for number in range(1001)), "1,001 records and facts"),
        ("[overlay]\n" + "# a note\n" * 60_000, "540,010 characters: give what you use, in at most 500,000"),
    ],
)
def test_more_than_a_page_can_read_is_refused_with_the_limit(tmp_path: Path, text: str, words: str) -> None:
    found = read(tmp_path, text)
    assert not found.records
    (problem,) = found.problems
    assert problem.startswith("own.toml cannot be read: it has ")
    assert words in problem


def test_of_many_problems_the_first_are_named_and_the_rest_counted(tmp_path: Path) -> None:
    rates = ", ".join(f"X{number} = 1" for number in range(5000))
    found = read(tmp_path, f"[overlay]\nrates = {{ {rates} }}\n")
    assert len(found.problems) == 101
    assert found.problems[-1] == "And 4,900 more of such problems."


@pytest.mark.parametrize(
    ("head", "line", "suggested"),
    [
        ("", '[drives.lot-{0}]\nlike = "d5-p53{0}"\n', "did you mean d5-p5336?"),
        ("[facts]\n", "capital-rat{0} = 0.05\n", "did you mean capital-rate?"),
    ],
)
def test_a_similar_name_is_sought_for_the_first_problems_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: str, line: str, suggested: str
) -> None:
    """Sought among all facts for each of 900 misspelt ones, it took two seconds at the start of every command."""
    sought: list[str] = []
    similar = difflib.get_close_matches

    def counted(typed: str, names: list[str], n: int, cutoff: float) -> list[str]:
        sought.append(typed)
        return similar(typed, names, n, cutoff)

    monkeypatch.setattr(difflib, "get_close_matches", counted)
    found = read(tmp_path, head + "".join(line.format(number) for number in range(10, 910)))
    assert len(found.problems) == 101
    assert suggested in found.problems[0]
    assert len(sought) == 20


def test_a_file_in_utf_16_is_read(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(CONTRACT.encode("utf-16"))
    assert not overlay.read([path], stated.stated_records()).problems


def test_impossible_values_are_refused_where_they_are_used(tmp_path: Path) -> None:
    text = '[accelerators.odd]\nlike = "h100-sxm"\npeak_flops = 1e30\n[facts]\ncapital-rate = "400 %"\n'
    chosen = run(tmp_path, "training_time", "--accelerator", "odd", text=text)
    assert chosen.returncode == 2
    assert "NVIDIA H100 SXM 80 GB (yours): Peak FLOP/s per GPU must be between" in chosen.stderr
    default = run(tmp_path, "cost", text=text)
    assert default.returncode == 0
    assert "must be between 0% and 100%, not 400%; the published value is used." in default.stderr


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = run(tmp_path, "cost", "--facts", str(tmp_path / "none.toml"))
    assert done.returncode == 2
    assert "none.toml" in done.stderr


def test_amounts_in_another_currency_are_read_at_its_rate() -> None:
    from calculators.units.currencies import Rate  # noqa: PLC0415

    with pytest.raises(units.UnitError, match="no rate of EUR"):
        units.parse("2.50 EUR", "USD/GPU-hour")
    RATES["EUR"] = Rate(dollars=1.08)
    for text in ("2.50 EUR", "€2.50", "2.50 €/h", "2.50 EUR/GPU-hour"):
        assert units.parse(text, "USD/GPU-hour") == pytest.approx(2.7), text
    assert units.parse("3M EUR", "USD") == pytest.approx(3.24e6)
    assert "at 1.08 USD for one EUR" in units.reading("2.50 EUR", "USD/GPU-hour").note
    assert units.reading("2.50", "USD/GPU-hour").note == ""


def test_a_link_has_own_numbers_where_it_is_asked_for_them_and_no_key_of_a_record(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(CONTRACT, "utf-8")
    asked = {"asks": ["link"], "calculator": "cost", "given": {"accelerator": "h100-contract", "gpus": "64"}}
    program = (
        "import json; from calculators.bridge import respond\n"
        f"for more in ({{}}, {{'own': True}}): print(respond(json.dumps({asked} | more)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "CALCULATORS_FACTS": str(path)},
    )
    plain, shared = (json.loads(line)["stamped"] for line in done.stdout.splitlines())
    assert "accelerator=h100-contract" in plain
    assert "capital_rate" not in plain
    given, notices = links.read_link(CALCULATORS["cost"], shared)
    assert notices == []
    opened = valid_inputs(CALCULATORS["cost"], given)  # without the file
    assert opened.values["price_per_gpu_hour"] == pytest.approx(1.85 * 1.08)
    assert (opened.values["capital_rate"], opened.values["gpus"]) == (0.06, 64)
    assert "h100-contract" not in shared


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[overlay]\nrates = 5\n", "rates must be a table such as { EUR = 1.08 }"),
        ("[overlay]\ndate = 2026-10-01T10:00:00\n", "date must be a day such as 2026-11-28, not 2026-10-01 10:00:00"),
        ("[facts]\nmfu = " + "9" * 400 + "\n", "mfu must be a finite number up to 1e+300, not 99999999999999999999…"),
    ],
)
def test_what_is_no_table_no_day_and_no_number_is_named(tmp_path: Path, text: str, problem: str) -> None:
    assert problem in " ".join(read(tmp_path, text).problems)

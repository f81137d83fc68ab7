"""Facts: every number says what kind of number it is, where it was read and when, and nothing is stated in vain."""

from __future__ import annotations

import datetime
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from calculators import facts
from calculators.catalog import CALCULATORS
from calculators.facts.stated import cut, merged
from calculators.vocabulary.models import models

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = Path(facts.__file__).parent
FACTS = [fact for record in facts.all_records().values() for fact in record.fields.values()]


def culprits(wrong: Callable[[facts.Fact], object]) -> list[str]:
    """The keys of all facts of which something wrong is true."""
    return [fact.key for fact in FACTS if wrong(fact)]


def test_a_fact_says_its_kind_and_all_but_conventions_and_estimates_their_source() -> None:
    assert culprits(lambda fact: fact.kind not in facts.KINDS) == []
    sourced = [fact for fact in FACTS if fact.kind not in facts.NEEDS_NO_SOURCE]
    assert [f.key for f in sourced if f.source is None or not re.match(r"https?://", f.source.url)] == []


def test_a_fact_says_when_it_was_read_or_that_it_could_not_be_checked() -> None:
    tomorrow = datetime.datetime.now(tz=datetime.UTC).date() + datetime.timedelta(days=1)

    def wrong(fact: facts.Fact) -> bool:
        if fact.kind in facts.NEEDS_NO_SOURCE or fact.unchecked:
            return False
        read = fact.read_on or (fact.source.read_on if fact.source else None)
        return not (read or (fact.source and fact.source.how)) or (read is not None and read > tomorrow)

    assert culprits(wrong) == []


def test_a_hedge_holds_the_value() -> None:
    hedged = [fact for fact in FACTS if fact.spread]
    assert hedged
    assert [f.key for f in hedged if not (f.spread and f.spread[0] <= f.value <= f.spread[1] and f.spread_text)] == []


def test_a_fact_that_could_not_be_checked_says_why() -> None:
    records = facts.all_records()
    unchecked = [fact for fact in FACTS if fact.unchecked]
    assert [f.key for f in unchecked if not (f.note or records[f.key.rpartition(".")[0] or f.key].note)] == []


def test_a_fact_can_be_shown() -> None:
    assert culprits(lambda fact: not fact.text or not fact.name) == []


def test_rates_of_computation_say_whether_they_are_dense() -> None:
    for record in facts.records("accelerators").values():
        for name, fact in record.fields.items():
            if fact.unit.endswith("FLOP/s"):
                assert fact.density in {"dense", "sparse"}, f"{record.key}.{name}"


def test_every_source_is_used() -> None:
    cited = {fact.source.key for fact in FACTS if fact.source}
    cited |= {source.key for c in CALCULATORS.values() for formula in c.formulas for source in formula.sources}
    root = FOLDER.parent.parent
    pages = [*(root / "content").rglob("*.md"), *(root / "tests" / "cases").glob("*.toml")]
    text = "".join(path.read_text("utf-8") for path in pages)
    sources = facts.sources()
    assert not {key for key in set(sources) - cited if key not in text and sources[key].url not in text}


def test_a_source_has_a_title_and_an_address_that_can_be_opened() -> None:
    def wrong(source: facts.Source) -> bool:
        return not source.title or (
            bool(source.url) and not re.fullmatch(r"https?://[^\s/]+\.[^\s/]+(/\S*)?", source.url)
        )

    assert [key for key, source in facts.sources().items() if wrong(source)] == []


def test_keys_are_lower_case_words_with_dashes() -> None:
    for key in (*facts.all_records(), *facts.sources()):
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", key), key


def test_facts_read_before_a_day_are_listed_and_undated_ones_are_not() -> None:
    newest = max(fact.read_on for fact in FACTS if fact.read_on)
    old = facts.read_before(newest + datetime.timedelta(days=1))
    assert {fact.key for fact in FACTS if fact.read_on} <= set(old)
    undated = {fact.key for fact in FACTS if not fact.read_on and not (fact.source and fact.source.read_on)}
    assert undated.isdisjoint(old)
    assert facts.read_before(datetime.date(1990, 1, 1)) == ()


def test_a_fact_without_a_value_is_an_error_that_names_it() -> None:
    for key in ("nothing", "h100-sxm.colour", ""):
        with pytest.raises(facts.FactError, match=f"no fact '{key}'"):
            facts.fact(key)


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        ('kind = "rumour"\nvalue = 1', "kind must be one of"),
        ('kind = "measured"\nvalue = 1', "needs a source with an address"),
        ('kind = "estimate"\nvalue = 1\nlow = 2', "must lie between low and high"),
        ('kind = "estimate"\nvalue = 3\nhigh = 2', "must lie between low and high"),
        ('kind = "estimate"\nvalue = 1\nunit = "furlong"', "'furlong' is not a unit"),
        ('kind = "estimate"\nvalue = 1\nsource = "hearsay"', "no source 'hearsay'"),
        ('kind = "estimate"\nspeed = { value = 1, colour = "red" }', "no fact has colour"),
    ],
)
def test_a_record_that_says_something_impossible_is_refused_by_name(stated: str, message: str) -> None:
    with pytest.raises(facts.FactError, match=rf"^odd.*{message}"):
        facts._record("toys", "odd", tomllib.loads(stated))


def test_records_read_one_by_one_say_what_their_file_says() -> None:
    for path in FOLDER.glob("*/*.toml"):
        text = path.read_text("utf-8")
        assert {one.key: one.parsed() for one in cut(path.stem, text)} == tomllib.loads(text), path.name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("value = 3\n[odd]\nvalue = 1", "toys.toml: there is something before the first record"),
        ("# Toys\n\nvalue = 3", "toys.toml: there is something before the first record"),
        ("[odd]\nvalue = 1\nvalue = 2", "odd in toys.toml: Cannot overwrite a value"),
        ("[odd]\nvalue = 1\n[odd]\nvalue = 2", "odd in toys.toml: Cannot declare"),
        ("[odd]\nvalue = 1\n [even]\nvalue = 2", "toys.toml: odd holds more than a record"),
    ],
)
def test_a_file_that_is_no_list_of_records_is_refused(text: str, message: str) -> None:
    with pytest.raises(facts.FactError, match=f"^{message}"):
        _ = [one.parsed() for one in cut("toys", text)]


def test_what_a_record_says_of_its_fields_is_a_part_of_it() -> None:
    text = "[one]\nvalue = 1\n[two]\nvalue = 2\n[two.more]\nvalue = 3\n[three]\nvalue = 4\n"
    assert [(one.key, one.parsed()) for one in cut("toys", text)] == [
        ("one", {"value": 1}),
        ("two", {"value": 2, "more": {"value": 3}}),
        ("three", {"value": 4}),
    ]


def test_a_record_that_two_files_state_is_refused(tmp_path: Path) -> None:
    paths = [tmp_path / "games.toml", tmp_path / "toys.toml"]
    for path in paths:
        path.write_text('[chess]\nkind = "estimate"\nvalue = 1\n', "utf-8")
    with pytest.raises(facts.FactError, match=r"^toys\.toml: chess is stated twice"):
        merged(paths)


def test_the_presets_are_as_many_as_promised() -> None:
    assert len(models()) >= 50
    assert {record.value("attention") for record in models()} == {"mha", "gqa", "mla", "hybrid", "compressed"}


def test_an_open_conflict_is_a_sentence() -> None:
    for record in facts.all_records().values():
        assert not record.conflict or record.conflict.rstrip().endswith("."), record.key


def test_a_folder_of_facts_is_a_subject_with_its_sources_and_at_most_twenty_files() -> None:
    folders = [path for path in FOLDER.iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert len(folders) >= 8
    for folder in folders:
        assert (folder / "sources.toml").is_file(), folder.name
        assert len([*folder.iterdir()]) <= 20, folder.name
    assert [*FOLDER.glob("*.toml")] == []

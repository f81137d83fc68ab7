"""Facts: every number says what kind of number it is, where it was read and when, and nothing is stated in vain."""

from __future__ import annotations

import datetime
import re
import tomllib
from pathlib import Path

import pytest

from calculators import facts
from calculators.catalog import CALCULATORS

FOLDER = Path(facts.__file__).parent
FACTS = [fact for record in facts.all_records().values() for fact in record.fields.values()]
IDS = [fact.key for fact in FACTS]


@pytest.mark.parametrize("fact", FACTS, ids=IDS)
def test_a_fact_says_its_kind_and_all_but_conventions_and_estimates_their_source(fact: facts.Fact) -> None:
    assert fact.kind in facts.KINDS
    if fact.kind not in facts.NEEDS_NO_SOURCE:
        assert fact.source is not None
        assert fact.source.url.startswith(("https://", "http://"))


@pytest.mark.parametrize("fact", FACTS, ids=IDS)
def test_a_fact_says_when_it_was_read_or_that_nobody_could_check_it(fact: facts.Fact) -> None:
    if fact.kind in facts.NEEDS_NO_SOURCE or fact.unchecked:
        return
    assert fact.source is not None
    read = fact.read_on or fact.source.read_on
    assert read or fact.source.how, f"{fact.key} says neither read_on nor unchecked, and its source not how it was read"
    assert not read or read <= datetime.datetime.now(tz=datetime.UTC).date() + datetime.timedelta(days=1)


@pytest.mark.parametrize("fact", FACTS, ids=IDS)
def test_a_hedge_holds_the_value(fact: facts.Fact) -> None:
    if fact.spread:
        low, high = fact.spread
        assert low <= fact.value <= high
        assert fact.spread_text


@pytest.mark.parametrize("fact", FACTS, ids=IDS)
def test_a_fact_that_nobody_could_check_says_why(fact: facts.Fact) -> None:
    record = facts.all_records()[fact.key.rpartition(".")[0] or fact.key]
    if fact.unchecked:
        assert fact.note or record.note


@pytest.mark.parametrize("fact", FACTS, ids=IDS)
def test_a_fact_can_be_shown(fact: facts.Fact) -> None:
    assert fact.text
    assert fact.name


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


@pytest.mark.parametrize("source", facts.sources().values(), ids=facts.sources().keys())
def test_a_source_has_a_title_and_an_address_that_can_be_opened(source: facts.Source) -> None:
    assert source.title
    assert not source.url or re.fullmatch(r"https?://[^\s/]+\.[^\s/]+(/\S*)?", source.url)


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


def test_a_fact_nobody_stated_is_an_error_that_names_it() -> None:
    for key in ("nothing", "h100-sxm.colour", ""):
        with pytest.raises(facts.FactError, match=f"no fact '{key}'"):
            facts.fact(key)


@pytest.mark.parametrize(
    ("stated", "said"),
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
def test_a_record_that_says_something_impossible_is_refused_by_name(stated: str, said: str) -> None:
    with pytest.raises(facts.FactError, match=rf"^odd.*{said}"):
        facts._record("toys", "odd", tomllib.loads(stated))


def test_the_presets_are_as_many_as_promised() -> None:
    assert len(facts.records("models")) >= 14
    attentions = {record.value("attention") for record in facts.records("models").values()}
    assert {"gqa", "mla", "hybrid"} <= attentions


def test_an_open_conflict_is_a_sentence() -> None:
    for record in facts.all_records().values():
        assert not record.conflict or record.conflict.rstrip().endswith("."), record.key

"""What the record of a review says of a machine alone: where the run goes, its pillars, what to change next."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from calculators.answers.explore.search import Pauses, search
from calculators.answers.messages import Section
from calculators.answers.record.contents import Own, section
from calculators.machine import bill, changes, pillars, runner_up, told
from calculators.machine.pillars import Pillar
from calculators.machine.service import Service
from calculators.machine.standing import Standing

_CHANGES_ON_PAPER = 5


@search
def each_part(found: Standing | Service) -> Pauses[Own]:
    """All of it, with a pause after every trial."""
    known = yield from pillars.each_pillar(found)
    tried = []
    for one in changes.each_change(found):
        tried += [one] if one is not None else []
        yield
    best = changes.described(found, changes.ranked(tried)[: changes.MOST])
    run = [] if isinstance(found, Service) else told.run_taken_apart(found)
    layout = {} if isinstance(found, Service) else runner_up.described(found)
    return Own(
        sections=list(_sections(found, known, best, run)),
        data={
            **({"breakdown": run, "layout": layout} if run else {}),
            "limiting_pillar": told.limiting(found, known),
            "pillars": list(pillars.described(known)),
            "changes": best,
            "bill": list(bill.bill(found)),
        },
        rows=list(_rows(known, best, run)),
    )


def _sections(
    found: Standing | Service,
    known: Sequence[Pillar],
    best: Sequence[Mapping[str, Any]],
    run: Sequence[Mapping[str, Any]],
) -> Iterator[Section]:
    if isinstance(found, Standing):
        parts = [(part["label"], part["text"], part["share_text"]) for part in run if part["value"]]
        yield section(
            "run", "Run time by cause", runner_up.sentences(found), ("", "Time", "Share of wall clock"), parts
        )
    shown = [_pillar(one) for one in known if one.margin is not None or one.gain is not None]
    columns = ("Resource", "Required", "Available", "Gain from 10% more, or margin", "Headroom", "")
    yield section("pillars", "Bottleneck", [pillars.limit(known).said], columns, shown)
    yield section(
        "changes",
        "Recommendations",
        [],
        ("Change", "Gain", "Money", "Power", ""),
        [_change(one) for one in best],
        most=_CHANGES_ON_PAPER,
    )


def _pillar(one: Pillar) -> tuple[str, ...]:
    return (one.title, one.asked, one.there, told.gain_or_margin(one), told.spare(one), one.verdict.word)


def _change(one: Mapping[str, Any]) -> tuple[str, ...]:
    return (one["title"], one["first_text"], one["price_text"], one["power_text"], changes.effects(one))


def _rows(
    known: Sequence[Pillar], best: Sequence[Mapping[str, Any]], run: Sequence[Mapping[str, Any]]
) -> Iterator[Mapping[str, object]]:
    """Rows of the table of everything."""
    for part in run:
        yield {"section": "run", **{name: part[name] for name in ("name", "label", "value", "unit", "text")}}
    for one in known:
        value = one.margin if one.gain is None else one.gain
        text = f"{one.verdict.word}. {one.asked}; {one.there}"
        yield {"section": "pillar", "name": one.key, "label": one.title, "value": value, "unit": "share", "text": text}
    for change in best:
        text = "; ".join(part for part in _change(change)[1:] if part)
        yield {"section": "change", "label": change["title"], "text": text}

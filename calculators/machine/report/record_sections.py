"""Sections of a design record that a system alone has: run time by cause, resources, recommendations."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from calculators.answers.explore.search import Pauses, search
from calculators.answers.messages import Section
from calculators.answers.record.contents import Own, section
from calculators.machine import changes
from calculators.machine.layout import runner_up
from calculators.machine.report import bill, change_texts, formats
from calculators.machine.resources import bottlenecks
from calculators.machine.resources.bottlenecks import Resource
from calculators.machine.state import State
from calculators.machine.training_state import TrainingState

_CHANGES_ON_PAPER = 5


@search
def each_part(found: State) -> Pauses[Own]:
    """All of it, with a pause after every trial."""
    known = yield from bottlenecks.each_resource(found)
    best = change_texts.described(found, (yield from changes.each_best(found)))
    run = formats.run_taken_apart(found) if isinstance(found, TrainingState) else []
    layout = runner_up.described(found) if isinstance(found, TrainingState) else {}
    return Own(
        sections=list(_sections(found, known, best, run)),
        data={
            **({"breakdown": run, "layout": layout} if run else {}),
            "limiting_pillar": formats.limiting(found, known),
            "pillars": list(bottlenecks.described(known)),
            "changes": best,
            "bill": list(bill.bill(found)),
            "bill_prices": list(bill.priced(found)),
        },
        rows=[*_rows(known, best, run), *_priced(found)],
    )


def _sections(
    found: State,
    known: Sequence[Resource],
    best: Sequence[Mapping[str, Any]],
    run: Sequence[Mapping[str, Any]],
) -> Iterator[Section]:
    if isinstance(found, TrainingState):
        parts = [(part["label"], part["text"], part["share_text"]) for part in run if part["value"]]
        yield section(
            "run", "Run time by cause", runner_up.sentences(found), ("", "Time", "Share of wall clock"), parts
        )
    shown = [_pillar(one) for one in known if one.margin is not None or one.gain is not None]
    columns = ("Resource", "Required", "Available", "Gain from 10% more, or margin", "Headroom", "")
    yield section("pillars", "Bottleneck", [bottlenecks.limit(known).message], columns, shown)
    yield section(
        "changes",
        "Recommendations",
        [],
        ("Change", "Gain", "Money", "Power", ""),
        [_change(one) for one in best],
        most=_CHANGES_ON_PAPER,
    )


def _pillar(one: Resource) -> tuple[str, ...]:
    return (one.title, one.asked, one.there, formats.gain_or_margin(one), formats.spare(one), one.verdict.word)


def _change(one: Mapping[str, Any]) -> tuple[str, ...]:
    return (one["title"], one["first_text"], one["price_text"], one["power_text"], change_texts.effects(one))


def _priced(found: State) -> Iterator[Mapping[str, object]]:
    for one in bill.priced(found):
        label = f"{one['part']}: {one['title']}"
        yield {"section": "price", "label": label, "value": one["amount"], "unit": "USD", "text": one["amount_text"]}


def _rows(
    known: Sequence[Resource], best: Sequence[Mapping[str, Any]], run: Sequence[Mapping[str, Any]]
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

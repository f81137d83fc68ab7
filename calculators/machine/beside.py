"""Two machines side by side: what a second one makes of the same job, and which parts of the run the difference is."""

from collections.abc import Mapping, Sequence
from typing import Any

from calculators.answers import answer
from calculators.declare import InputError
from calculators.machine import breakdown, pillars
from calculators.machine.changes import saved
from calculators.machine.kinds import Machine
from calculators.machine.standing import Standing

BESIDE = "beside"


def changed(given: Mapping[str, Any], words: Sequence[str]) -> dict[str, Any]:
    """What is given of the second machine: as the first, but for INPUT=VALUE. Raises InputError for anything else."""
    texts = dict(given)
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or not name.strip():
            raise InputError({BESIDE: f"A second machine is told by INPUT=VALUE, not “{word}”"})
        plain = name.strip().lstrip("-").replace("-", "_")
        texts = {key: one for key, one in texts.items() if key.replace("-", "_") != plain} | {plain: text.strip()}
    return texts


def described(one: Machine, other: Machine, limits: Sequence[str] = ()) -> dict[str, Any]:
    """Both, measure by measure and part by part, and in a sentence what the second one saves.

    `limits` are the limiting pillars of both by their keys, where these are known.
    """
    return {
        "sentences": [answer.sentence(each.calculator, each.values) for each in (one, other)],
        "limiting_pillars": list(limits) or [pillars.limit(pillars.pillars(each)).pillar.key for each in (one, other)],
        "measures": [
            _row(one, other, measure.result) | {"saved_text": saved(one, measure, _less(one, other, measure.result))}
            for measure in one.kind.measures
        ],
        "parts": _parts(one, other),
        "said": said(one, other),
    }


def said(one: Machine, other: Machine) -> str:
    """What the second one saves, and where most of it comes from."""
    gains = ", ".join(saved(one, measure, _less(one, other, measure.result)) for measure in one.kind.measures)
    parts = _parts(one, other)
    if not parts:
        return f"The second: {gains}."
    whole = _less(one, other, one.kind.measures[0].result)
    largest = max(parts, key=lambda part: part["saved"] * (1 if whole >= 0 else -1))
    return f"The second: {gains}; most of it is “{largest['label']}”, {largest['texts'][0]} and {largest['texts'][1]}."


def _parts(one: Machine, other: Machine) -> list[dict[str, Any]]:
    """The run of each taken apart; the differences add up to that of the time."""
    if not isinstance(one, Standing) or not isinstance(other, Standing):
        return []
    return [
        _row(one, other, part.result) | {"saved": _less(one, other, part.result), "calculator": part.calculator}
        for part in breakdown.PARTS
    ]


def _row(one: Machine, other: Machine, name: str) -> dict[str, Any]:
    return {
        "name": name,
        "label": one.calculator.steps[name].label,
        "values": [each.values[name] for each in (one, other)],
        "texts": [each.calculator.text(name, each.values[name]) for each in (one, other)],
    }


def _less(one: Machine, other: Machine, name: str) -> float:
    return float(one.values[name] - other.values[name])


def lines(one: Machine, other: Machine) -> list[str]:
    """Both as a table in Markdown, and the sentence."""
    told = described(one, other)
    rows = [*told["measures"], *told["parts"]]
    return [
        "## Two machines",
        "",
        *(f"{place}. {sentence}" for place, sentence in enumerate(told["sentences"], start=1)),
        "",
        told["said"],
        "",
        "| | First | Second |",
        "|---|--:|--:|",
        *(f"| {row['label']} | {row['texts'][0]} | {row['texts'][1]} |" for row in rows),
        f"| Limiting pillar | {told['limiting_pillars'][0]} | {told['limiting_pillars'][1]} |",
    ]

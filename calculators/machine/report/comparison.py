"""Comparison of two systems on the same job, and the parts of the run that make the difference."""

from collections.abc import Mapping, Sequence
from typing import Any

from calculators import units
from calculators.answers import answer, baseline
from calculators.declare import Formula, InputError
from calculators.machine import breakdown
from calculators.machine.kinds import Machine
from calculators.machine.report.change_texts import saved
from calculators.machine.resources import bottlenecks
from calculators.machine.state import kind_of
from calculators.machine.training_state import TrainingState

OPTION = "beside"
_MOST_NAMED = 4  # of what differs; a sentence holds no more


def changed(given: Mapping[str, Any], words: Sequence[str]) -> dict[str, Any]:
    """Inputs of the second system: those of the first with INPUT=VALUE changed.

    Raises InputError for anything else, and where they are of two workloads.
    """
    texts = dict(given)
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or not name.strip():
            raise InputError({OPTION: f"A second system is given as INPUT=VALUE, not “{word}”"})
        plain = name.strip().lstrip("-").replace("-", "_")
        texts = {key: one for key, one in texts.items() if key.replace("-", "_") != plain} | {plain: text.strip()}
    if kind_of(texts) is not kind_of(given):
        raise InputError(
            {OPTION: "Systems for different workloads have different results: compare two of the same workload"}
        )
    return texts


def described(one: Machine, other: Machine, limits: Sequence[str] = ()) -> dict[str, Any]:
    """Both, measure by measure and part by part, and in a sentence what the second one saves.

    `limits` are the bottlenecks of both by their keys, where these are known.
    """
    return {
        "sentences": [answer.sentence(each.calculator, each.values, each.resolved) for each in (one, other)],
        "limiting_pillars": list(limits)
        or [bottlenecks.limit(bottlenecks.resources(each)).resource.key for each in (one, other)],
        "measures": [
            _row(one, other, measure.result) | {"saved_text": saved(one, measure, _less(one, other, measure.result))}
            for measure in one.kind.measures
        ],
        "parts": _parts(one, other),
        "unlike": unlike(one, other),
        "said": summary(one, other),
    }


def unlike(one: Machine, other: Machine) -> list[str]:
    """Inputs that differ: "Storage write bandwidth 400 GB/s instead of 100 GB/s"."""
    return baseline.unlike(one.calculator, one.resolved, other.resolved)


def summary(one: Machine, other: Machine) -> str:
    """Sentence on the second system: inputs that differ, savings, and the part that saves most."""
    gains = ", ".join(_gains(one, other)) or "the same"
    changes = unlike(one, other)
    more = f"; and {len(changes) - _MOST_NAMED} more" if len(changes) > _MOST_NAMED else ""
    listed = f"Differences: {'; '.join(changes[:_MOST_NAMED])}{more}. " if changes else ""
    parts = _parts(one, other)
    if not any(part["saved"] for part in parts):
        return f"{listed}Second system: {gains}."
    whole = _less(one, other, one.kind.measures[0].result)
    largest = (max if whole >= 0 else min)(parts, key=lambda part: part["saved"])
    most = f"“{largest['label']}”, {largest['texts'][0]} and {largest['texts'][1]}"
    return f"{listed}Second system: {gains}; mostly {most}."


def _gains(one: Machine, other: Machine) -> list[str]:
    """Gains of each measure that differs."""
    less = {measure: _less(one, other, measure.result) for measure in one.kind.measures}
    return [saved(one, measure, amount) for measure, amount in less.items() if amount]


def _parts(one: Machine, other: Machine) -> list[dict[str, Any]]:
    """The run of each taken apart; the differences add up to that of the time."""
    # Both are of one kind.
    if not isinstance(one, TrainingState) or not isinstance(other, TrainingState):
        return []
    rows = [
        _row(one, other, part.result)
        | {"saved": (less := _less(one, other, part.result)), "saved_text": _time(less), "calculator": part.calculator}
        for part in breakdown.PARTS
    ]
    times = units.texts_in_one_unit([value for row in rows for value in row["values"]], "s")
    return [row | {"texts": list(pair)} for row, *pair in zip(rows, times[::2], times[1::2], strict=True)]


def _time(less: float) -> str:
    """Time that a part of the run saves [s], negative if it takes more."""
    return f"{units.text(abs(less), 's')} {'less' if less > 0 else 'more'}" if less else "the same"


def _row(one: Machine, other: Machine, name: str) -> dict[str, Any]:
    """A result of both, in one unit."""
    declared = one.calculator.steps[name]
    values = [each.values[name] for each in (one, other)]
    is_measured = isinstance(declared, Formula)
    texts = (
        units.texts_in_one_unit(values, declared.unit) if is_measured else [declared.text(value) for value in values]
    )
    return {"name": name, "label": declared.label, "values": values, "texts": list(texts)}


def _less(one: Machine, other: Machine, name: str) -> float:
    return float(one.values[name] - other.values[name])


def lines(one: Machine, other: Machine) -> list[str]:
    """Both as a table in Markdown, and the sentence."""
    both = described(one, other)
    rows = [*both["measures"], *both["parts"]]
    return [
        "## Two systems compared",
        "",
        *(f"{place}. {sentence}" for place, sentence in enumerate(both["sentences"], start=1)),
        "",
        both["said"],
        "",
        "| | First | Second |",
        "|---|--:|--:|",
        *(f"| {row['label']} | {row['texts'][0]} | {row['texts'][1]} |" for row in rows),
        f"| Bottleneck | {both['limiting_pillars'][0]} | {both['limiting_pillars'][1]} |",
    ]

"""Sweep as text, table and data: a result along one input, once or for several values of a second."""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from calculators import units
from calculators.answers.explore.search import Run, Search
from calculators.answers.explore.sweeps import Line, Sweep, sweep
from calculators.answers.explore.thresholds import Threshold
from calculators.answers.input_state import parse_value
from calculators.answers.suggestions import not_an_input, suggestion
from calculators.declare import Calculator, Choice, InputError, Quantity, Values

_MOST_ROWS = 15
_SAME = 1e-9


def parse(
    calculator: Calculator,
    values: Values,
    asked_sweep: str,
    asked_result: str = "",
    asked_lines: str = "",
    *,
    run: Run = Search.run,
) -> Sweep:
    """The sweep of "INPUT" or "INPUT=FROM..TO", of a result, for "INPUT=VALUE,VALUE". Raises InputError."""
    name, _, ends = asked_sweep.partition("=")
    declared = _quantity(calculator, name.strip(), "sweep")
    first, dots, last = (part.strip() for part in ends.partition(".."))
    if ends and not dots:
        raise InputError({"sweep": f"“{asked_sweep}”: write {declared.name}=FROM..TO"})
    span = ends_of(declared, first, last)
    result = _result(calculator, values, asked_result, declared.name)
    swept: Sweep = run(
        sweep(calculator, values, declared.name, result, span, _family(calculator, declared, asked_lines))
    )
    return swept


def ends_of(declared: Quantity, first: str, last: str) -> tuple[float, float]:
    """Where a sweep begins and ends, from their texts; the slider's end where there is none. Raises InputError."""
    low, high = (
        _read(declared, text, "sweep") if text else end
        for text, end in zip((first, last), declared.slider, strict=True)
    )
    if low >= high:
        ends = f"{declared.text(low)} to {declared.text(high)}"
        raise InputError({"sweep": f"{declared.label} from {ends}: the first value must be below the second"})
    return low, high


def first_number(calculator: Calculator, values: Mapping[str, Any], moved_by: str = "") -> str:
    """The first headline that is a number; if one is named, and moves any, the first that this input moves."""
    numbers = [name for name in (*calculator.headline, *calculator.steps) if isinstance(values[name], int | float)]
    if not moved_by:
        return numbers[0]
    moved = (name for name in numbers if moved_by in calculator.behind(name))
    return next(moved, numbers[0])


def sentence(calculator: Calculator, values: Mapping[str, Any], found: Sweep) -> str:
    """Sentence on a sweep: course of the result, verdicts, effect of 10% more."""
    declared = _quantity(calculator, found.name, "sweep")
    label = calculator.steps[found.result].label
    ends = (declared.text(found.points[0]), declared.text(found.points[-1]))
    way = f"along {_lower(declared.label)} from {ends[0]} to {ends[1]}"
    if found.family:
        shapes = [f"{_named(calculator, found, line)} it {_shape(calculator, found, line)}" for line in found.lines]
        return f"{label}, {way}: {'; '.join(shapes)}."
    (line,) = found.lines
    shape = _shape(calculator, found, line)
    text_lines = [f"{label}: {shape}{',' * (', then ' in shape)} {way}."]
    if found.more is not None:
        text_lines.append(_more(declared, values[found.name], found.more))
    text_lines += _judged(calculator, declared, line)
    refused = sum(result is None for result in line.results)
    if refused:
        text_lines.append(
            f"No result at {refused} of {len(line.results)} values: "
            "refused by a constraint or a framework, or not a finite number."
        )
    return " ".join(text_lines)


def lines(calculator: Calculator, values: Values, found: Sweep) -> list[str]:
    """The sentence and a table, for a terminal; the present value is marked."""
    rows = table(calculator, values, found)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    text_lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    marked = [
        line + ("  now" if point == values[found.name] else "")
        for line, point in zip(text_lines[1:], shown_points(found, values), strict=True)
    ]
    return [sentence(calculator, values, found), "", text_lines[0], *marked]


def table(calculator: Calculator, values: Mapping[str, Any], found: Sweep) -> list[list[str]]:
    """The heads of a sweep's columns, then a row for each of the points shown."""
    declared = _quantity(calculator, found.name, "sweep")
    heads = [declared.label, *(_heading(calculator, found, line) for line in found.lines)]
    return [
        heads,
        *([declared.text(found.points[at]), *_cells(calculator, found, at)] for at in _shown(found, values)),
    ]


def shown_points(found: Sweep, values: Mapping[str, Any]) -> list[float]:
    """The points of a sweep that a table shows."""
    return [found.points[at] for at in _shown(found, values)]


def described(calculator: Calculator, values: Values, found: Sweep) -> dict[str, Any]:
    """All points as plain data, in base units."""
    declared = _quantity(calculator, found.name, "sweep")
    formula = calculator.steps[found.result]
    family = calculator.inputs[found.family] if found.family else None
    return {
        "input": {"name": found.name, "unit": units.base_symbol(declared.unit), "now": values[found.name]},
        "result": {
            "name": found.result,
            "unit": units.base_symbol(formula.unit),
            "now": values[found.result],
        },
        "family": found.family or None,
        "points": list(found.points),
        "lines": [
            {
                "value": family.key(line.value) if isinstance(family, Choice) else line.value,
                "results": list(line.results),
                "edges": [
                    {
                        "verdict": name,
                        "last": threshold.last,
                        "first": threshold.first,
                        "below": threshold.below.word,
                        "above": threshold.above.word,
                    }
                    for name, threshold in line.thresholds
                ],
            }
            for line in found.lines
        ],
        "sentence": sentence(calculator, values, found),
    }


def _named(calculator: Calculator, found: Sweep, line: Line) -> str:
    return f"with {_heading(calculator, found, line)}"


def _heading(calculator: Calculator, found: Sweep, line: Line) -> str:
    """Heading of a line's column."""
    if not found.family:
        return calculator.steps[found.result].label
    return _short(calculator.inputs[found.family].text(line.value))


def _short(text: str) -> str:
    return text.partition(":")[0]


def _shown(found: Sweep, values: Mapping[str, Any]) -> list[int]:
    """The numbers of the points that a table shows: both ends, the present one, and some between them."""
    every = math.ceil(len(found.points) / _MOST_ROWS)
    shown = {*range(0, len(found.points), every), len(found.points) - 1}
    return sorted(shown | {at for at, point in enumerate(found.points) if point == values[found.name]})


def _cells(calculator: Calculator, found: Sweep, at: int) -> list[str]:
    formula = calculator.steps[found.result]
    results = [line.results[at] for line in found.lines]
    return ["refused" if result is None else formula.text(result) for result in results]


def _shape(calculator: Calculator, found: Sweep, line: Line) -> str:
    """Course of a line: rises, falls, is flat, has a peak or a minimum, or moves up and down."""
    formula = calculator.steps[found.result]
    known = [(point, result) for point, result in zip(found.points, line.results, strict=True) if result is not None]
    if not known:
        return "cannot be computed"
    results = [result for _, result in known]
    first, last, least, most = (formula.text(one) for one in (results[0], results[-1], min(results), max(results)))
    turns = _turns(results)
    declared = calculator.inputs[found.name]
    at = {"up-down": max(known, key=lambda one: one[1])[0], "down-up": min(known, key=lambda one: one[1])[0]}
    return {
        "": f"stays {first}",
        "up": f"rises from {first} to {last}",
        "down": f"falls from {first} to {last}",
        "up-down": f"rises to {most} at {declared.text(at['up-down'])}, then falls to {last}",
        "down-up": f"falls to {least} at {declared.text(at['down-up'])}, then rises to {last}",
    }.get("-".join(turns), f"moves up and down between {least} and {most}")


def _turns(results: Sequence[float]) -> list[str]:
    """Directions of a line, one after the other."""
    found: list[str] = []
    for one, other in itertools.pairwise(results):
        if not math.isclose(one, other, rel_tol=_SAME):
            way = "up" if other > one else "down"
            found += [way] if found[-1:] != [way] else []
    return found


def _more(declared: Quantity, present: float, more: float) -> str:
    start = f"At 10% more than the present {declared.text(present)}, it is"
    if math.isclose(more, 1, abs_tol=_SAME):
        return f"{start} the same."
    by = units.text(abs(more - 1), "share", digits=2)
    return f"{start} {by} {'higher' if more > 1 else 'lower'}."


def _judged(calculator: Calculator, declared: Quantity, line: Line) -> list[str]:
    """Words of each verdict that changes along the line, one after the other."""
    text_lines = []
    for formula in calculator.of_role("verdict"):
        thresholds = [threshold for name, threshold in line.thresholds if name == formula.name]
        if thresholds:
            verdicts = [*(threshold.below for threshold in thresholds), thresholds[-1].above]
            words = [verdict.word for verdict in verdicts]
            if len(set(words)) == 1:
                words = [f"{verdict.word} ({verdict.level})" for verdict in verdicts]
            ends = zip(thresholds, itertools.pairwise(words), strict=True)
            words_shown = [
                f"{word} up to {_last(declared, threshold)}"
                for threshold, (word, following) in ends
                if word != following
            ]
            label = formula.label if formula.label.endswith("?") else f"{formula.label}:"
            text_lines.append(f"{label} {'; '.join(words_shown)}; then {words[-1]}.")
    return text_lines


def _last(declared: Quantity, threshold: Threshold) -> str:
    if declared.whole:
        return declared.text(threshold.last)
    return units.text_toward(threshold.last, -math.inf, declared.unit, binary=declared.binary)


def _family(calculator: Calculator, swept: Quantity, asked_lines: str) -> tuple[str, list[Any]]:
    """Second input and its values; a choice without values means all its options."""
    if not asked_lines:
        return "", []
    name, _, texts = asked_lines.partition("=")
    canonical = calculator.canonical_names.get(name.strip().replace("-", "_"), "")
    declared = calculator.inputs.get(canonical)
    if declared is None:
        raise InputError({"lines": not_an_input(calculator, name)})
    if declared.name == swept.name:
        raise InputError({"lines": f"“{name}” is the input that is swept; name another one"})
    if isinstance(declared, Choice) and not texts:
        return declared.name, [option.value for option in declared.options.values()]
    if not texts:
        raise InputError({"lines": f"“{asked_lines}” has no values; write {declared.name}=VALUE,VALUE"})
    return declared.name, [_read(declared, text.strip(), "lines") for text in texts.split(",")]


def _result(calculator: Calculator, values: Values, asked_result: str, moved_by: str) -> str:
    if not asked_result:
        return first_number(calculator, values, moved_by)
    name = calculator.result_aliases.get(asked_result.replace("-", "_"), asked_result.replace("-", "_"))
    if name not in calculator.steps or not isinstance(values[name], int | float):
        meant = suggestion(calculator, name, list(_numbers(calculator, values)))
        raise InputError({"result": f"“{asked_result}” is not a numeric result; {meant}"})
    return name


def _numbers(calculator: Calculator, values: Mapping[str, Any]) -> Iterable[str]:
    return (name for name in calculator.steps if isinstance(values[name], int | float))


def _read(declared: Quantity | Choice, text: str, flag: str) -> Any:
    try:
        return parse_value(declared, text)
    except ValueError as error:
        raise InputError({flag: str(error)}) from None


def _quantity(calculator: Calculator, name: str, flag: str) -> Quantity:
    declared = calculator.inputs.get(calculator.canonical_names.get(name.replace("-", "_"), ""))
    if declared is None:
        raise InputError({flag: f"{not_an_input(calculator, name)}; --help lists them"})
    if isinstance(declared, Choice):
        raise InputError({flag: f"{declared.label} is a choice; only a quantity can be swept"})
    return declared


def _lower(label: str) -> str:
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]

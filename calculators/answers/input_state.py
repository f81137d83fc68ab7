"""Input state: a value and its origin for every input, parsed from the reader's texts, or the problems with them."""

import itertools
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from calculators import units
from calculators.answers.suggestions import close_name, not_an_input
from calculators.declare import AnyFormula, Calculator, Choice, Input, InputError, Quantity, Values
from calculators.facts import Fact
from calculators.facts.overlay_records import OWN
from calculators.files import shown
from calculators.problems import listed

Origin = Literal["default", "preset", "computed", "yours"]
CANNOT_CALCULATE = "These inputs together give no finite number; move one of them back into its typical range."
_COUNTED_IN_THOUSANDS = 1e3
_LEAST_MEANT = 1e-3
_LONGEST_NAME = 40
_MOST_NAMED = 20
_NAME = re.compile(r"\{(\w+)\}")
_NUMBER = re.compile(r"[\d.,]+(?:[eE][+-]?\d+)?")
_NOT_LETTERS = re.compile(r"[\W_]")


@dataclass(frozen=True, kw_only=True)
class InputState:
    """`values` of every input in base units; `problems` by input; `unknown` holds the keys that are not inputs.

    `explicit` holds the values that the reader or a menu set; `words` says how an input was computed ("counted").
    """

    values: Mapping[str, Any]
    explicit: Values
    origins: Mapping[str, Origin]
    words: Mapping[str, str]
    presets: Mapping[str, str]
    given: Mapping[str, str]
    problems: Mapping[str, str] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()


def parse_value(declared: Input, given: object) -> Any:
    """Value of one input in base units. Raises ValueError with a sentence for the reader."""
    if isinstance(declared, Choice):
        return _option(declared, str(given))
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        message = f"{declared.label} must be a number, not {shown(given)}"
        raise ValueError(message)  # noqa: TRY004  the reader's mistake, like any other
    typed = given.strip() if isinstance(given, str) else _number_text(given)
    try:
        value = units.parse(typed, declared.unit, doubling=declared.doubling)
    except units.UnitError as error:
        message = f"{declared.label}: {error}"
        raise ValueError(message) from None
    return within_range(declared, value, typed)


def read_range(declared: Input, given: object) -> tuple[float, float] | None:
    """Ends of a range in base units ("30–45%"); None for a single value. Raises ValueError as `parse_value` does."""
    if not isinstance(declared, Quantity) or not isinstance(given, str):
        return None
    try:
        ends = units.read_range(given, declared.unit, doubling=declared.doubling)
    except units.UnitError as error:
        message = f"{declared.label}: {error}"
        raise ValueError(message) from None
    if ends is None:
        return None
    low, high = (within_range(declared, end, given.strip()) for end in ends)
    return low, high


def _middle(declared: Quantity, ends: tuple[float, float]) -> float:
    """Middle of a range on the scale of the input's slider, with which results are calculated."""
    low, high = ends
    middle = math.sqrt(low * high) if declared.scale == "log" and low > 0 else (low + high) / 2
    return float(round(middle)) if declared.whole else middle


def typed_text(declared: Input, resolved: InputState) -> str:
    """The reader's value of an input as its box and links write it: exactly, a range by its ends."""
    ends = resolved.explicit.ranges.get(declared.name)
    if ends is None or not isinstance(declared, Quantity):
        return declared.box(resolved.values[declared.name])
    return units.exact_range(*ends, declared.unit, binary=declared.binary, doubling=declared.doubling)


def parsing_notes(calculator: Calculator, resolved: InputState) -> list[str]:
    """Notes on how the reader's texts were parsed: 128k tokens as 131,072, a range as its middle."""
    own = (name for name in resolved.given if resolved.origins.get(name) == "yours" and name not in resolved.problems)
    quantities = (declared for name in own if isinstance(declared := calculator.inputs[name], Quantity))
    found = ((declared.label, _remark(declared, resolved)) for declared in quantities)
    return [f"{label}: {note}." for label, note in found if note]


def _remark(declared: Quantity, resolved: InputState) -> str:
    if declared.name in resolved.explicit.ranges:
        middle, ends = declared.text(resolved.values[declared.name]), typed_text(declared, resolved)
        return f"results use {middle}, the middle of {ends}; their uncertainty covers the whole range"
    typed = resolved.given[declared.name].strip()
    return _missing_unit(declared, typed, resolved.values[declared.name]) or (
        units.reading(typed, declared.unit, doubling=declared.doubling).note
    )


def _missing_unit(declared: Quantity, typed: str, value: float) -> str:
    """Note on a bare number read as bytes, where the result is implausibly small and a unit would make it plausible."""
    if declared.unit.partition("/")[0] != "B" or value >= declared.slider[0] or not _NUMBER.fullmatch(typed):
        return ""
    meant = _suggestion(declared, typed).removeprefix("; did you mean ").rstrip("?")
    return f"“{typed}” was read as {declared.text(value)}; write {meant} if that is meant" if meant else ""


def _number_text(number: float) -> str:
    try:
        return repr(float(number)).removesuffix(".0")
    except OverflowError:  # a whole number beyond what a float can hold
        return "a number too large"


def _option(declared: Choice, given: str) -> Any:
    synonyms = {"true": "yes", "1": "yes", "on": "yes", "false": "no", "0": "no", "off": "no"}
    typed = given.strip().lower()
    found = _matching(typed, {key: key for key in declared.options})
    if len(found) != 1 and synonyms.get(typed) in declared.options:
        found = [synonyms[typed]]
    if len(found) != 1:
        raise ValueError(_no_such_option(declared.label, found or declared.options, given))
    return declared.options[found[0]].value


def _matching(typed: str, names: Mapping[str, str]) -> list[str]:
    """Keys of the name that was typed, else of all names that begin with it.

    Case, spaces, hyphens, underscores and points make no difference: gpt3, GPT-3, gpt_3.
    A number is not cut in two: an H20 is no H200, a qwen3-3 no qwen3-32b.
    """
    meant = _plainly(typed[: 2 * _LONGEST_NAME])  # longer than any name
    exact = [key for name, key in names.items() if _plainly(name) == meant]
    prefixed = [key for name, key in names.items() if meant and _begins(name, meant)]
    return list(dict.fromkeys(exact or prefixed))


def _begins(name: str, start: str) -> bool:
    """Whether a name begins so, and no number of it goes on after that: gpt-3-175b after gpt3, h200 not after h20."""
    plain = _plainly(name)
    rest = plain.removeprefix(start)
    if not plain.startswith(start):
        return False
    words = itertools.accumulate(len(_plainly(word)) for word in _NOT_LETTERS.split(name))
    return len(start) in words or not (start[-1].isdigit() and rest[:1].isdigit())


def _plainly(name: str) -> str:
    return _NOT_LETTERS.sub("", name).lower()


def _no_such_option(label: str, known: Iterable[str], given: str) -> str:
    names = list(known)
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    typed = given.strip()[:_LONGEST_NAME]
    return f"{label} must be one of {', '.join(names[:_MOST_NAMED])}{more}, not “{typed}”{close_name(typed, names)}"


def within_range(declared: Quantity, value: float, typed: str) -> float:
    """`value` if it lies in the hard range and is whole where it must be. Raises ValueError otherwise."""
    low, high = declared.hard
    if not low <= value <= high:
        shown = typed[:_LONGEST_NAME]
        least, most = (units.text(end, declared.unit, binary=declared.binary, label=False) for end in (low, high))
        message = f"{declared.label} must be between {least} and {most}, not {shown}"
        none = f"; for none write “{declared.not_applicable}”" if value == 0 and declared.not_applicable else ""
        raise ValueError(message + (none or _suggestion(declared, typed)))
    if declared.whole and value != round(value):
        message = f"{declared.label} must be a whole number, not {typed[:_LONGEST_NAME]}"
        raise ValueError(message)
    return value


def _suggestion(declared: Quantity, typed: str) -> str:
    """The unit that was probably meant by a bare number out of range: "; did you mean 80 GiB?".

    Small counts have no suffix to suggest. Where a slider begins at 0, values below 1/1,000 of its end are implausible.
    """
    if units.is_count(declared.unit) and declared.hard[0] < _COUNTED_IN_THOUSANDS:
        return ""
    low, high = declared.slider
    least = low or high * _LEAST_MEANT
    for rung in units.rungs(declared.unit, binary=declared.binary):
        try:
            value = units.parse(f"{typed} {rung}", declared.unit, doubling=declared.doubling)
        except units.UnitError:
            continue  # not a number with one unit: not with another either
        if least <= value <= high:
            space = "" if units.is_count(declared.unit) or rung == "%" else " "
            return f"; did you mean {typed}{space}{rung}?"
    return ""


def parse_inputs(calculator: Calculator, given: Mapping[str, Any]) -> InputState:
    """State of every input: the reader's text, else what a menu fills, else the default."""
    names = calculator.canonical_names
    texts: dict[str, Any] = {}
    unknown: list[str] = []
    typed_names = {names.get(key.replace("-", "_")) for key in given}
    for key, text in (calculator.completes(given) if calculator.completes else given).items():
        name = names.get(key.replace("-", "_"))
        if name is None:
            unknown.append(key)
        elif name not in calculator.inputs or not _means_default(calculator.inputs[name], text):
            texts[name] = text
    problems: dict[str, str] = {}
    presets, filled = _presets(calculator, texts, problems)
    explicit = dict(filled)
    origins: dict[str, Origin] = {**dict.fromkeys(calculator.inputs, "default"), **dict.fromkeys(filled, "preset")}
    ranges: dict[str, tuple[float, float]] = {}
    for name in filter(texts.__contains__, calculator.inputs):
        declared = calculator.inputs[name]
        try:
            ends = read_range(declared, texts[name])
            if ends is not None and isinstance(declared, Quantity):
                ranges[name], explicit[name] = ends, _middle(declared, ends)
            else:
                explicit[name] = parse_value(declared, texts[name])
            origins[name] = "yours"
            if (
                isinstance(declared, Choice)
                and explicit[name] == calculator.defaults[name]
                and calculator.decides(name)
            ):
                del explicit[name]  # choosing the default option must not change inputs computed from it
        except ValueError as error:
            problems[name] = str(error)
    _release_overridden(calculator, filled, explicit, origins)
    words = _words(calculator, explicit)
    origins.update(dict.fromkeys(words, "computed"))
    pinned = Values(explicit, explicit, ranges)
    known = _inputs(calculator, pinned)
    constraints = [one for one in calculator.input_constraints if known.keys() >= set(one.needs)]
    # A constraint on known inputs says more than that the rest cannot be computed.
    problems = problems or _violations(calculator, known, constraints)
    if not problems and len(known) < len(calculator.inputs):
        problems[""] = CANNOT_CALCULATE
    return InputState(
        values={name: known.get(name) for name in calculator.inputs},
        explicit=pinned,
        origins=origins,
        words=words,
        presets=presets,
        given={name: str(text) for name, text in texts.items() if name in typed_names},
        problems=problems,
        unknown=tuple(unknown),
    )


def _means_default(declared: Input, text: object) -> bool:
    """Whether a text leaves the input at its default: an empty box, or the word that the box shows by default."""
    if not isinstance(declared, Quantity) or not declared.words or not isinstance(text, str):
        return False
    words = (*declared.words, "none") if declared.not_applicable else declared.words
    return text.strip().lower() in {"", *(word.lower() for word in words)}


def _release_overridden(
    calculator: Calculator, filled: Mapping[str, Any], explicit: dict[str, Any], origins: dict[str, Origin]
) -> None:
    """Remove values that a menu filled but that follow from inputs which the reader changed.

    The active parameters of a dense model are all its parameters, also after the reader changes their number; a model
    with other dimensions has another size.
    """
    yours = {name for name, origin in origins.items() if origin == "yours"}
    for name, declared in calculator.computed_inputs.items():
        fallback = declared.fallback(explicit)
        if origins[name] != "preset" or fallback is None:
            continue
        other = fallback.name
        copied = other in yours and filled[name] == filled.get(other)
        if copied or (fallback.over_menu and not yours.isdisjoint(calculator.behind(name))):
            del explicit[name]
            origins[name] = "default"


def _words(calculator: Calculator, explicit: Mapping[str, Any]) -> dict[str, str]:
    """Origin of each computed input, where neither the reader nor a menu set it."""
    found = {name: one.fallback(explicit) for name, one in calculator.computed_inputs.items() if name not in explicit}
    return {name: fallback.word for name, fallback in found.items() if fallback is not None}


def _inputs(calculator: Calculator, explicit: Values) -> dict[str, Any]:
    """The value of every input, without those that cannot be computed."""
    try:
        values = calculator.evaluate(explicit, inputs_alone=True)
    except (ArithmeticError, ValueError, TypeError):
        return calculator.computable_inputs(explicit)
    return {name: values[name] for name in calculator.inputs}


def _presets(
    calculator: Calculator, texts: Mapping[str, Any], problems: dict[str, str]
) -> tuple[dict[str, str], dict[str, Any]]:
    """The record chosen in each menu, and the values that the records fill.

    A default record fills nothing once the reader sets one of the inputs that decide it: two models never mix.
    """
    chosen: dict[str, str] = {}
    filled: dict[str, Any] = {}
    for preset in calculator.presets:
        default = "" if any(name in texts for name in preset.decided_by) else preset.default
        given = str(texts.get(preset.name, default))
        if given.strip().lower() in {"none", ""}:
            chosen[preset.name] = ""
            continue
        found = [given] if given in preset.by_key else _matching(given, {**preset.short_names, **preset.names})
        if len(found) == 1:
            key = found[0]
        else:
            other = preset.elsewhere(given, texts) if preset.elsewhere else ""
            problems[preset.name] = other or _no_such_option(preset.label, found or preset.by_key, given)
            key = preset.default
        chosen[preset.name] = key
        for name, value in preset.filled(key).items():
            try:
                filled[name] = _of_record(calculator.inputs[name], value, preset.by_key[key].fields[preset.fills[name]])
            except ValueError as error:
                problems[preset.name] = f"{preset.by_key[key].name}: {error}"
    return chosen, filled


def _of_record(declared: Input, value: Any, known: Fact) -> Any:
    """Value that a record fills in. Raises ValueError where the reader's own record states an impossible one."""
    if isinstance(declared, Choice):
        return _option(declared, value) if isinstance(value, str) else value
    return within_range(declared, value, known.text) if known.kind == OWN and value is not None else value


def _violations(calculator: Calculator, values: Mapping[str, Any], constraints: Iterable[AnyFormula]) -> dict[str, str]:
    """Problems that these constraints find in the inputs together, the first sentence for each input."""
    found: dict[str, str] = {}
    for one in constraints:
        if sentence := one.function(*[values[need] for need in one.needs]):
            named = _NAME.sub(lambda match: calculator.text(match[1], values[match[1]]), sentence)
            found.setdefault(one.about, named)
    return found


def valid_inputs(calculator: Calculator, given: Mapping[str, Any]) -> InputState:
    """The state of `parse_inputs` if it has no problem. Raises InputError with all of them, unknown names included."""
    resolved = parse_inputs(calculator, given)
    unknown = [key[:_LONGEST_NAME] for key in resolved.unknown]
    problems = {**resolved.problems, **listed(unknown, lambda key: not_an_input(calculator, key))}
    if problems:
        raise InputError(problems)
    return resolved

"""Input state: from the texts that a reader gave to a value for every input, with its origin, or to problems."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from calculators import units
from calculators.answers.suggestions import close_name, not_an_input
from calculators.declare import AnyFormula, Calculator, Choice, Input, InputError, Quantity, Values

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
    """`values` for every input in base units; `problems` by input; `unknown` names the keys nobody declared.

    `explicit` holds those that the reader or a menu gave; `words` says of computed ones how ("counted").
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
    """The value in base units of what was given for one input. Raises ValueError with a sentence for the reader."""
    if isinstance(declared, Choice):
        return _option(declared, str(given))
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        message = f"{declared.label} must be a number, not {given!r}"
        raise ValueError(message)  # noqa: TRY004  the reader's mistake, like any other
    typed = given.strip() if isinstance(given, str) else _typed(given)
    try:
        value = units.parse(typed, declared.unit, doubling=declared.doubling)
    except units.UnitError as error:
        message = f"{declared.label}: {error}"
        raise ValueError(message) from None
    return within_range(declared, value, typed)


def read_range(declared: Input, given: object) -> tuple[float, float] | None:
    """The ends of a range in base units, where one was given ("30–45 %"). Raises ValueError like read."""
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
    """What stands for a range: its middle, on the scale of the input's slider."""
    low, high = ends
    middle = math.sqrt(low * high) if declared.scale == "log" and low > 0 else (low + high) / 2
    return float(round(middle)) if declared.whole else middle


def typed_text(declared: Input, resolved: InputState) -> str:
    """The reader's own value of an input, as its box and a link say it: exactly, a range by its ends."""
    ends = resolved.explicit.ranges.get(declared.name)
    if ends is None or not isinstance(declared, Quantity):
        return declared.box(resolved.values[declared.name])
    return units.exact_range(*ends, declared.unit, binary=declared.binary, doubling=declared.doubling)


def parsing_notes(calculator: Calculator, resolved: InputState) -> list[str]:
    """What readers should know of how their own values were read: 128k tokens as 131,072, a range as its middle."""
    own = (name for name in resolved.given if resolved.origins.get(name) == "yours" and name not in resolved.problems)
    quantities = (declared for name in own if isinstance(declared := calculator.inputs[name], Quantity))
    found = ((declared.label, _remark(declared, resolved)) for declared in quantities)
    return [f"{label}: {remark}." for label, remark in found if remark]


def _remark(declared: Quantity, resolved: InputState) -> str:
    if declared.name in resolved.explicit.ranges:
        middle, ends = declared.text(resolved.values[declared.name]), typed_text(declared, resolved)
        return f"results use {middle}, the middle of {ends}; their uncertainty covers the whole range"
    typed = resolved.given[declared.name].strip()
    return _missing_unit(declared, typed, resolved.values[declared.name]) or (
        units.reading(typed, declared.unit, doubling=declared.doubling).remark
    )


def _missing_unit(declared: Quantity, typed: str, value: float) -> str:
    """What a bare number of bytes was read as, where it is far less than usual and with a unit it would not be."""
    if declared.unit.partition("/")[0] != "B" or value >= declared.slider[0] or not _NUMBER.fullmatch(typed):
        return ""
    meant = _suggestion(declared, typed).removeprefix("; did you mean ").rstrip("?")
    return f"“{typed}” was read as {declared.text(value)}; write {meant} if that is meant" if meant else ""


def _typed(number: float) -> str:
    try:
        return repr(float(number))
    except OverflowError:  # a whole number beyond what a float can hold
        return "a number too large"


def _option(declared: Choice, given: str) -> Any:
    synonyms = {"true": "yes", "1": "yes", "on": "yes", "false": "no", "0": "no", "off": "no"}
    typed = given.strip().lower()
    found = _begun(typed, {key: key for key in declared.options})
    if len(found) != 1 and synonyms.get(typed) in declared.options:
        found = [synonyms[typed]]
    if len(found) != 1:
        raise ValueError(_no_such(declared.label, found or declared.options, given))
    return declared.options[found[0]].value


def _begun(typed: str, names: Mapping[str, str]) -> list[str]:
    """The keys of what was typed: of the name that it is, else of all names that begin with it.

    Case, spaces, hyphens, underscores and points make no difference: gpt3, GPT-3, gpt_3.
    """
    meant = _plainly(typed[: 2 * _LONGEST_NAME])  # longer than any name
    exact = [key for name, key in names.items() if _plainly(name) == meant]
    begun = [key for name, key in names.items() if meant and _plainly(name).startswith(meant)]
    return list(dict.fromkeys(exact or begun))


def _plainly(name: str) -> str:
    return _NOT_LETTERS.sub("", name).lower()


def _no_such(label: str, known: Iterable[str], given: str) -> str:
    names = list(known)
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    typed = given.strip()[:_LONGEST_NAME]
    return f"{label} must be one of {', '.join(names[:_MOST_NAMED])}{more}, not “{typed}”{close_name(typed, names)}"


def within_range(declared: Quantity, value: float, typed: str) -> float:
    """`value` unchanged if it lies in the hard range and is whole where it must be. Raises ValueError otherwise."""
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
    """For a bare number out of range, the unit that was probably meant: "; did you mean 80 GiB?".

    Of what is counted from a few on, a number too small lacks no thousands. Where a slider begins at nothing, what is
    less than a thousandth of its end is nothing anybody means.
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
    """The state of every input: what was given, else what a menu fills, else its default."""
    names = calculator.canonical_names
    texts: dict[str, Any] = {}
    unknown: list[str] = []
    own = {names.get(key.replace("-", "_")) for key in given}
    for key, text in (calculator.completes(given) if calculator.completes else given).items():
        name = names.get(key.replace("-", "_"))
        if name is None:
            unknown.append(key)
        elif name not in calculator.inputs or not _gives_nothing(calculator.inputs[name], text):
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
                del explicit[name]  # to choose what stands there anyway must not make others what they otherwise are
        except ValueError as error:
            problems[name] = str(error)
    _yield_to_the_reader(calculator, filled, explicit, origins)
    words = _words(calculator, explicit)
    origins.update(dict.fromkeys(words, "computed"))
    pinned = Values(explicit, explicit, ranges)
    known = _inputs(calculator, pinned)
    checks = [check for check in calculator.input_constraints if known.keys() >= set(check.needs)]
    # What is wrong with what is known says more than that the rest cannot be computed.
    problems = problems or _checks(calculator, known, checks)
    if not problems and len(known) < len(calculator.inputs):
        problems[""] = CANNOT_CALCULATE
    return InputState(
        values={name: known.get(name) for name in calculator.inputs},
        explicit=pinned,
        origins=origins,
        words=words,
        presets=presets,
        given={name: str(text) for name, text in texts.items() if name in own},
        problems=problems,
        unknown=tuple(unknown),
    )


def _gives_nothing(declared: Input, text: object) -> bool:
    """Whether a text asks for what the input is otherwise: an empty box, or the word that stands in it then."""
    if not isinstance(declared, Quantity) or not declared.words or not isinstance(text, str):
        return False
    words = (*declared.words, "none") if declared.not_applicable else declared.words
    return text.strip().lower() in {"", *(word.lower() for word in words)}


def _yield_to_the_reader(
    calculator: Calculator, filled: Mapping[str, Any], explicit: dict[str, Any], origins: dict[str, Origin]
) -> None:
    """Let go of what a menu filled where the reader changed what it would otherwise be.

    The active parameters of a dense model are all of them, whatever the reader makes of all; and a model with other
    dimensions has another size.
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
    """How each input is computed that nobody gave, of those that are computed."""
    found = {name: one.fallback(explicit) for name, one in calculator.computed_inputs.items() if name not in explicit}
    return {name: fallback.word for name, fallback in found.items() if fallback is not None}


def _inputs(calculator: Calculator, explicit: Values) -> dict[str, Any]:
    """The value of every input, but of those that cannot be computed."""
    try:
        values = calculator.evaluate(explicit, inputs_alone=True)
    except (ArithmeticError, ValueError, TypeError):
        return calculator.computable_inputs(explicit)
    return {name: values[name] for name in calculator.inputs}


def _presets(
    calculator: Calculator, texts: Mapping[str, Any], problems: dict[str, str]
) -> tuple[dict[str, str], dict[str, Any]]:
    """Which record each menu stands on, and what the records fill.

    A preset nobody chose fills nothing once the reader gives one of its inputs: two models are never mixed unasked.
    """
    chosen: dict[str, str] = {}
    filled: dict[str, Any] = {}
    for preset in calculator.presets:
        unasked = "" if any(name in texts for name in preset.decided_by) else preset.default
        given = str(texts.get(preset.name, unasked))
        if given.strip().lower() in {"none", ""}:
            chosen[preset.name] = ""
            continue
        found = [given] if given in preset.by_key else _begun(given, preset.names)
        if len(found) == 1:
            key = found[0]
        else:
            problems[preset.name] = _no_such(preset.label, found or preset.by_key, given)
            key = preset.default
        chosen[preset.name] = key
        for name, value in preset.filled(key).items():
            declared = calculator.inputs[name]
            filled[name] = (
                _option(declared, value) if isinstance(declared, Choice) and isinstance(value, str) else value
            )
    return chosen, filled


def _checks(calculator: Calculator, values: Mapping[str, Any], checks: Iterable[AnyFormula]) -> dict[str, str]:
    """What these checks say of the inputs together; the first sentence per input counts."""
    found: dict[str, str] = {}
    for check in checks:
        if sentence := check.function(*[values[need] for need in check.needs]):
            named = _NAME.sub(lambda match: calculator.text(match[1], values[match[1]]), sentence)
            found.setdefault(check.about, named)
    return found


def valid_inputs(calculator: Calculator, given: Mapping[str, Any]) -> InputState:
    """Like parse_inputs, but raises InputError with every problem, unknown names included."""
    resolved = parse_inputs(calculator, given)
    problems = dict(resolved.problems)
    for key in resolved.unknown:
        problems[key[:_LONGEST_NAME]] = not_an_input(calculator, key)
    if problems:
        raise InputError(problems)
    return resolved

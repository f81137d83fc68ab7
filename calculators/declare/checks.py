"""Checks of a calculator on import: every mistake is refused, naming the culprit."""

import dataclasses
import graphlib
import itertools
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from types import CodeType, FunctionType
from typing import Any, NoReturn, get_args

from calculators import units
from calculators.declare.calculator import Calculator
from calculators.declare.errors import DeclarationError
from calculators.declare.formulas import VALUE_ROLES, AnyFormula, Formula
from calculators.declare.inputs import Choice, Preset, Quantity
from calculators.declare.pictures import Bars, Tone

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_IN_SENTENCES = re.compile(r"\{(\w+)\}")
_ALMOST_NAMED = re.compile(r"\{[\w\s.:!]+\}")
_BRACE = re.compile(r"[{}]")
# Options of the command line, and keys that end a link: no input could be reached under these names.
_COMMANDS = frozenset(
    {"help", "json", "markdown", "explain", "log", "measured"}
    | {"margins", "solve", "for", "sweep", "result", "lines", "svg", "tornado", "compare", "verdict"}
    | {"record", "record_title", "format", "notes", "alternative", "config", "patience", "xlsx"}
)
_STAMPS = frozenset({"v", "was"})
_MOST_GUARDS = 9


def check_calculator(calculator: Calculator) -> None:
    """Refuse an inconsistent calculator. Raises DeclarationError."""
    refuse = _Refusal(calculator.name)
    if not dataclasses.is_dataclass(calculator.inputs_type):
        refuse("Inputs", "must be a dataclass of declared inputs")
    _check_names(calculator, refuse)
    values = {*calculator.inputs, *(one.name for one in calculator.formulas if one.role in VALUE_ROLES)}
    for declared in calculator.inputs.values():
        _check_input(calculator, declared, values, refuse)
    for formula in calculator.formulas:
        _check_formula(formula, values, refuse)
    _check_circles(calculator, refuse)
    for preset in calculator.presets:
        _check_preset(calculator, preset, refuse)
    _check_page(calculator, values, refuse)
    for picture in filter(None, (calculator.picture, calculator.second_picture)):
        _check_picture(calculator, picture, values, refuse)


@dataclasses.dataclass(frozen=True)
class _Refusal:
    """Raises a DeclarationError that names the culprit."""

    calculator: str

    def __call__(self, culprit: str, what: str) -> NoReturn:
        message = f"{self.calculator}.{culprit}: {what}"
        raise DeclarationError(message)


def _check_names(calculator: Calculator, refuse: _Refusal) -> None:
    computes_itself = {
        name
        for name, declared in calculator.computed_inputs.items()
        if name in {one.name for one in declared.fallbacks}
    }
    if not _NAME.fullmatch(calculator.name):
        refuse("name", f"is {calculator.name!r}, which is not made of lower-case words with underscores between them")
    names = [
        *calculator.inputs,
        *(formula.name for formula in calculator.formulas if formula.name not in computes_itself),
    ]
    declared = Counter(names)
    for name in names:
        if declared[name] > 1:
            refuse(name, "is declared twice")
        if not _NAME.fullmatch(name):
            refuse(name, "is not made of lower-case words with underscores between them")
    spoken = [alias for preset in calculator.presets for alias in (preset.name, *preset.aliases)]
    spoken += [table.name for table in calculator.tables]
    spoken += [alias for one in calculator.inputs.values() for alias in (one.name, *one.aliases)]
    answering = Counter(spoken)
    for name in spoken:
        if name in _COMMANDS:
            refuse(name, f"cannot be reached: --{name} is the command line's own")
        if name in _STAMPS:
            refuse(name, f"cannot be reached: a link ends in {name}=…, which is no part of its state")
        if answering[name] > 1:
            refuse(name, "is a name of two inputs or menus")


def _check_input(
    calculator: Calculator, declared: Quantity | Choice, values: Collection[str], refuse: _Refusal
) -> None:
    if declared.group not in calculator.groups:
        refuse(declared.name, f"is in the group {declared.group!r}, which has no title")
    if not declared.label:
        refuse(declared.name, "has no label")
    _check_plain(declared.name, (declared.help,), refuse)
    if isinstance(declared, Choice):
        _check_options(declared, refuse)
        return
    _check_unit(declared.name, declared.unit, refuse)
    for one in declared.fallbacks:
        if one.name not in values:
            refuse(declared.name, f"is computed from {one.name}, which is neither an input nor a formula")
        for guard in one.when:
            if guard not in calculator.inputs:
                refuse(declared.name, f"is computed when {guard} is given, which is no input")
    if declared.default is None and not declared.not_applicable and all(one.when for one in declared.fallbacks):
        refuse(declared.name, "has neither a default nor a word for having none")
    _check_range(declared, refuse)


def _check_options(declared: Choice, refuse: _Refusal) -> None:
    if declared.default not in declared.options:
        refuse(declared.name, f"has no option {declared.default}")
    plain = [re.sub(r"[\W_]", "", key).lower() for key in declared.options]
    values = [option.value for option in declared.options.values()]
    for key, name, option in zip(declared.options, plain, declared.options.values(), strict=True):
        if plain.count(name) > 1 or values.count(option.value) > 1:
            refuse(declared.name, f"has the option {key}, which looks like another option")


def _check_range(declared: Quantity, refuse: _Refusal) -> None:
    (low, high), (start, end) = declared.hard, declared.slider
    if declared.default is not None and not low <= declared.default <= high:
        refuse(declared.name, f"default {declared.default:g} lies outside {low:g} to {high:g}")
    if not low <= start < end <= high:
        refuse(declared.name, "the slider must lie within the hard range")
    if declared.scale not in {"linear", "log"}:
        refuse(declared.name, f"has the scale {declared.scale!r}, which is neither linear nor log")
    if declared.scale == "log" and start <= 0:
        refuse(declared.name, "a log slider starts above 0")
    if declared.spread and not low <= min(declared.spread) <= max(declared.spread) <= high:
        refuse(declared.name, "the spread must lie within the hard range")
    if declared.spread and declared.default is not None:
        least, most = declared.spread
        if not least <= declared.default <= most:
            refuse(declared.name, "the default must lie within its spread")


def _check_formula(formula: AnyFormula, values: Collection[str], refuse: _Refusal) -> None:
    for need in formula.needs:
        if need not in values:
            refuse(formula.name, f"needs {need}, which is neither an input nor a formula")
    for named in (*formula.rises_with, *formula.falls_with, *filter(None, [formula.about])):
        if named not in values:
            refuse(formula.name, f"names {named}, which is neither an input nor a formula")
    for named in formula.rises_with:
        if named in formula.falls_with:
            refuse(formula.name, f"rises and falls with {named}")
    _check_returned(formula, refuse)
    if formula.role == "step":
        _check_unit(formula.name, formula.unit, refuse)
    if formula.role in {"step", "record"}:
        return
    _check_sentences(formula.name, formula.function, values, refuse)


def _check_returned(formula: AnyFormula, refuse: _Refusal) -> None:
    given = formula.function.__annotations__.get("return")
    returned = getattr(given, "__name__", str(given))
    if (formula.role in {"constraint", "warning"}) != (returned == "str") or (formula.role == "verdict") != (
        returned == "Verdict"
    ):
        refuse(formula.name, f"is a {formula.role} and returns {returned}")
    if formula.role in {"step", "record"} and given is None:
        refuse(formula.name, "does not say what it returns")
    if formula.role in VALUE_ROLES and not formula.label:
        refuse(formula.name, "has no label")


def _check_sentences(culprit: str, function: Callable[..., Any], values: Collection[str], refuse: _Refusal) -> None:
    for text in _sentences(function):
        _check_names_said(culprit, text, values, refuse)


def _check_names_said(culprit: str, text: str, values: Collection[str], refuse: _Refusal) -> None:
    for named in _IN_SENTENCES.findall(text):
        if named not in values:
            refuse(culprit, f"contains {{{named}}}, which is neither an input nor a formula")
    for almost in _ALMOST_NAMED.findall(_IN_SENTENCES.sub("", text)):
        refuse(culprit, f"contains {almost}, which is not a plain name")


def _check_plain(culprit: str, texts: Collection[str], refuse: _Refusal) -> None:
    """Refuse braces in texts that have no placeholders."""
    for text in texts:
        if _BRACE.search(text):
            refuse(culprit, f"contains {text!r}, where no braces are filled in")


def _sentences(function: Callable[..., Any]) -> Iterator[str]:
    """Every text in a function, and in the module's constants and functions that it names."""
    known: Mapping[str, Any] = function.__globals__
    waiting: list[Any] = [function.__code__]
    seen: set[int] = set()
    while waiting:
        found = waiting.pop()
        if id(found) in seen:
            continue
        seen.add(id(found))
        if isinstance(found, CodeType):
            waiting += [*found.co_consts, *(known.get(name) for name in found.co_names)]
        elif isinstance(found, FunctionType) and found.__module__ == function.__module__:
            waiting.append(found.__code__)
        elif isinstance(found, tuple):
            waiting += found
        elif isinstance(found, str) and found != function.__doc__:
            yield found


def _check_unit(name: str, unit: str, refuse: _Refusal) -> None:
    try:
        units.unit(unit)
    except units.UnitError as error:
        refuse(name, str(error))


def _check_circles(calculator: Calculator, refuse: _Refusal) -> None:
    """Refuse dependencies that form a circle for any choice of given inputs.

    What does not go round with every input computed in all its ways at once does so in no choice of them. Where
    something does, every choice that matters for it is looked at.
    """
    suspects = _left_over(_left_over(calculator.wiring))
    ways = [one for name in suspects for one in getattr(calculator.computed_inputs.get(name), "fallbacks", ())]
    guards = sorted({guard for one in ways for guard in one.when})
    if len(guards) > _MOST_GUARDS:
        refuse(guards[0], f"is one of {len(guards)} inputs that decide what others are; {_MOST_GUARDS} can be checked")
    for count in range(len(guards) + 1) if suspects else ():
        for given in itertools.combinations(guards, count):
            needs = calculator.needs(given, suspects)
            if not _left_over(needs):
                continue
            try:
                graphlib.TopologicalSorter(needs).prepare()
            except graphlib.CycleError as error:
                where = f" when {' and '.join(given)} is given" if given else ""
                refuse(error.args[1][0], f"goes round in a circle{where}: " + " -> ".join(error.args[1]))


def _left_over(needs: Mapping[str, Collection[str]]) -> dict[str, set[str]]:
    """By what each is needed, of what is left when all goes that needs nothing of it: circles, and what needs them.

    Of that once more, only circles and what is between circles is left, and what each needs.
    """
    waiting = {name: {one for one in needed if one in needs} for name, needed in needs.items()}
    needed_by: dict[str, set[str]] = {name: set() for name in needs}
    for name, needed in waiting.items():
        for one in needed:
            needed_by[one].add(name)
    ready = [name for name, needed in waiting.items() if not needed]
    for done in ready:  # which grows meanwhile
        for name in needed_by.pop(done):
            waiting[name].remove(done)
            if not waiting[name]:
                ready.append(name)
    return needed_by


def _check_preset(calculator: Calculator, preset: Preset, refuse: _Refusal) -> None:
    for name in (*preset.fills, *preset.yields_to):
        if name not in calculator.inputs:
            refuse(preset.name, f"fills {name}, which is no input")
    for name, field in preset.fills.items():
        if preset.records and not any(field in record.fields for record in preset.records):
            refuse(preset.name, f"fills {name} with {field}, which none of its records has")
    for name in preset.secondary:
        if name not in preset.fills:
            refuse(preset.name, f"has the secondary input {name}, which it does not fill")
    if preset.default and preset.default not in preset.by_key:
        refuse(preset.name, f"has no record {preset.default}")
    if preset.group not in calculator.groups:
        refuse(preset.name, f"is in the group {preset.group!r}, which has no title")


def _check_page(calculator: Calculator, values: Collection[str], refuse: _Refusal) -> None:
    _check_texts(calculator, values, refuse)
    _check_first(calculator, refuse)
    _check_other_names(calculator, values, refuse)
    _check_bands(calculator, refuse)
    _check_sections(calculator, values, refuse)


def _check_texts(calculator: Calculator, values: Collection[str], refuse: _Refusal) -> None:
    for part in ("title", "question", "assumptions", "omits"):
        if not getattr(calculator, part):
            refuse(part, "is empty")
    _check_names_said("answer", calculator.answer, values, refuse)
    if _BRACE.search(_IN_SENTENCES.sub("", calculator.answer)):
        refuse("answer", "has a brace that holds no name")
    for part in ("title", "question"):
        _check_plain(part, (getattr(calculator, part),), refuse)
    for part in ("assumptions", "omits", "groups"):
        held = getattr(calculator, part)
        _check_plain(part, held.values() if isinstance(held, Mapping) else held, refuse)


def _check_first(calculator: Calculator, refuse: _Refusal) -> None:
    """Check sliders and headlines, which a page shows first."""
    for slider in calculator.first_sliders:
        if slider not in calculator.inputs:
            refuse(slider, "is a first slider but no input of this calculator")
    if not calculator.headline:
        refuse("headline", "names no result")
    for headline in calculator.headline:
        if headline not in calculator.steps:
            refuse(headline, "is a headline but no formula of this calculator")
    for part, listed in (("headlines", calculator.headline), ("first sliders", calculator.first_sliders)):
        for name, times in Counter(listed).items():
            if times > 1:
                refuse(name, f"is listed twice in {part}")


def _check_sections(calculator: Calculator, values: Collection[str], refuse: _Refusal) -> None:
    """Check groups, recommendations and tables."""
    held = {one.group for one in (*calculator.inputs.values(), *calculator.presets)}
    for group in calculator.groups:
        if group not in held:
            refuse(group, "is a group that holds no input")
    if calculator.recommendations is not None:
        _check_sentences("recommendations", calculator.recommendations, values, refuse)
        if not calculator.recommendations_heading:
            refuse("recommendations", "has no heading")
    for table in calculator.tables:
        _check_sentences(table.name, table.rows, values, refuse)


def _check_bands(calculator: Calculator, refuse: _Refusal) -> None:
    for name, ends in calculator.bands.items():
        for one in (name, *ends):
            if one not in calculator.steps:
                refuse(name, f"has {one} in its band, which is no formula of this calculator")
            if calculator.steps[one].unit != calculator.steps[name].unit:
                refuse(name, f"has a band that ends at {one}, which is measured in another unit")


def _check_other_names(calculator: Calculator, values: Collection[str], refuse: _Refusal) -> None:
    for old, new in calculator.result_aliases.items():
        if new not in values:
            refuse(old, f"is another name of {new}, which is neither an input nor a formula")
        if old in calculator.steps:
            refuse(old, f"is another name of {new} and a formula of its own")


def _check_picture(calculator: Calculator, picture: Bars, values: Collection[str], refuse: _Refusal) -> None:
    drawn = [(segment.value, segment.tone) for row in picture.rows for segment in row.segments]
    _check_rows(picture, refuse)
    links = [name for row in picture.rows for name in (row.below, row.narrow) if name]
    for name in (*links, *(name for name, _ in drawn), *filter(None, [picture.limit])):
        if name not in values:
            refuse("picture", f"draws {name}, which is neither an input nor a formula")
    for name, tone in drawn:
        if tone not in get_args(Tone):
            refuse("picture", f"draws {name} in the tone {tone!r}; there are {', '.join(get_args(Tone))}")
    if picture.limit and not picture.limit_label:
        refuse("picture", f"draws {picture.limit} as a line that nothing names")
    declared = {name: calculator.declared(name) for name in (*(name for name, _ in drawn), picture.limit) if name}
    measured = {name: one.unit for name, one in declared.items() if isinstance(one, Quantity | Formula)}
    first = next(iter(measured), "")
    for name in declared:
        if measured.get(name) != measured.get(first):
            refuse("picture", f"draws {name} on one scale with {first}, which is measured in another unit")


def _check_rows(picture: Bars, refuse: _Refusal) -> None:
    if not all([picture.rows, *(row.segments for row in picture.rows)]):
        refuse("picture", "draws a row of nothing" if picture.rows else "has no rows")
    for row in picture.rows:
        for name, times in Counter(segment.value for segment in row.segments).items():
            if times > 1:
                refuse("picture", f"draws {name} twice in one row")

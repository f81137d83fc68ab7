"""Transfer of a state: what one calculator passes to the next, and notices that say so.

Names mean the same everywhere, so what the reader set in one calculator holds in the next, and so does the record of a
menu, or what it fills where the menus differ. What the first computes and the second takes as an input is pinned,
unless it has its default value. What was set in the first and is computed in the second cannot be pinned: the notice
gives both values. What a calculator in between does not take comes from the one before it.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calculators import units
from calculators.answers.answer import evaluated
from calculators.answers.input_state import InputState, parse_inputs, typed_text, within_range
from calculators.declare import Calculator, Choice, Input, InputError, Values, Verdict

Texts = dict[str, str]
_SAME = 1e-9
_MOST_NAMED = 6
_DIGITS, _ROUNDS = 4, 3


@dataclass(frozen=True, kw_only=True)
class Source:
    """A state to import from; `values` is None where its inputs are wrong.

    `exact`: every value that would differ is pinned, to its last digit: a data hall a digit too small does not fit.
    """

    calculator: Calculator
    state: InputState
    values: Values | None
    exact: bool = False


def source(calculator: Calculator, given: Mapping[str, Any]) -> Source:
    """The state of a calculator with these texts, and its values."""
    state = parse_inputs(calculator, given)
    try:
        return Source(calculator=calculator, state=state, values=evaluated(calculator, state))
    except InputError:
        return Source(calculator=calculator, state=state, values=None)


def import_states(target: Calculator, sources: Sequence[Source]) -> tuple[Texts, list[str]]:
    """Texts by input that these states give `target`, the latest state first, and notices that say so.

    An earlier state gives only inputs that no later calculator takes or computes.
    """
    texts: Texts = {}
    notices: list[str] = []
    known: set[str] = set()
    for one in sources:
        found, pinned = _imported(one, target, texts, known)
        notices += _notices(one.calculator, target, found, pinned)
        texts |= found | pinned
        known |= {*one.calculator.canonical_names.values(), *one.calculator.steps}
    return texts, [*notices, *_consequences(sources[0], target, texts)]


def _imported(one: Source, target: Calculator, texts: Texts, known: Collection[str]) -> tuple[Texts, Texts]:
    """Inputs set in a state and values pinned from it, beyond the `texts` of later states."""
    if one.calculator is target:
        return {name: text for name, text in one.state.given.items() if name not in texts}, {}
    found = {name: text for name, text in _set(one, target).items() if name not in known and name not in texts}
    of_job = _without_spares(one, target)
    found = {name: text for name, text in found.items() if name not in of_job}
    pinned = of_job | _pinned(one, target, texts | found | of_job)
    return found, {name: text for name, text in pinned.items() if name not in known}


def _without_spares(one: Source, target: Calculator) -> Texts:
    """GPUs of a job whose layout leaves some as spares, for a calculator in which all GPUs belong to the layout."""
    is_of_layouts = "layout_gpus" in one.calculator.steps and "layout_gpus" in target.steps
    if one.values is None or not is_of_layouts or not one.values.get("idle_gpus"):
        return {}
    return {"gpus": target.inputs["gpus"].box(one.values["layout_gpus"])}


def _set(one: Source, target: Calculator) -> Texts:
    """The records chosen there, or what they fill there where the menu here does not; and the reader's own inputs."""
    there, texts = one.state, Texts()
    usual = source(target, {}).state.values
    menus = {preset.name: preset for preset in target.presets}
    for preset in one.calculator.presets:
        key, menu = there.presets[preset.name], menus.get(preset.name)
        known = menu is not None and (key in menu.by_key or not key)
        if menu and known and key != menu.default:
            texts[preset.name] = key or "none"
        for name in preset.filled(key):
            filled_here = menu is not None and known and name in menu.fills
            is_news = name in usual and there.origins[name] == "preset" and not _equal(usual[name], there.values[name])
            if is_news and not filled_here:
                texts |= _text(one, target, name)
    for name, origin in there.origins.items():
        if origin == "yours" and name in target.inputs and name not in there.problems:
            texts |= _text(one, target, name)
    return texts


def _text(one: Source, target: Calculator, name: str) -> Texts:
    """The text of an input there, if the same input here takes it."""
    mine, other = one.calculator.inputs[name], target.inputs[name]
    if isinstance(other, Choice) != isinstance(mine, Choice):
        return {}
    text = typed_text(mine, one.state)
    return {} if isinstance(other, Choice) and text not in other.options else {name: text}


def _pinned(one: Source, target: Calculator, texts: Texts) -> Texts:
    """Values there that are inputs here and would differ with these texts."""
    pinned: Texts = {}
    values = dict(_computed(one))
    for _ in range(_ROUNDS if one.exact else 1):  # what is pinned may move other inputs
        here = parse_inputs(target, texts | pinned).values
        found = {
            name: _pinned_text(target.inputs[name], value, exact=one.exact)
            for name, value in values.items()
            if name in target.inputs and name not in texts | pinned and not _equal(here[name], value)
        }
        pinned |= {name: text for name, text in found.items() if text}
    return pinned


def _computed(one: Source) -> Iterable[tuple[str, Any]]:
    """Values by name: all if they go along exactly, else results and computed inputs that differ from the default."""
    if one.values is None or one.exact:
        return (one.values or {}).items()
    usual: Mapping[str, Any] = source(one.calculator, {}).values or {}
    names = [*one.calculator.steps, *(name for name, origin in one.state.origins.items() if origin == "computed")]
    numbers = ((name, one.values[name]) for name in names)
    return [
        (name, value)
        for name, value in numbers
        if isinstance(value, int | float)
        and not isinstance(value, bool)
        and name in usual
        and not _equal(usual[name], value)
    ]


def _pinned_text(declared: Input, value: Any, *, exact: bool) -> str:
    """A value as the text of an input; empty where the input cannot take it, a choice only the exact value."""
    if isinstance(declared, Choice):
        return next((key for key, option in declared.options.items() if exact and option.value == value), "")
    if not isinstance(value, int | float):
        return ""
    if declared.whole or exact:
        text = declared.box(value)
    else:
        text = units.text(value, declared.unit, binary=declared.binary, label=False, digits=_DIGITS)
    try:
        within_range(declared, value, text)
    except ValueError:
        return ""
    return text


def _notices(calculator: Calculator, target: Calculator, texts: Texts, pinned: Texts) -> list[str]:
    """A sentence for what was imported from a state, if anything was."""
    labels = _listed(target, texts)
    if calculator is target:
        return [f"Set here before: {labels}."] if labels else []
    parts = [
        *([f"{labels} as set there"] if labels else []),
        *([f"{_listed(target, pinned)} as calculated there"] if pinned else []),
    ]
    return [f"Imported from “{calculator.title}”: {'; '.join(parts)}."] if parts else []


def _consequences(one: Source, target: Calculator, texts: Texts) -> Iterator[str]:
    """Sentences for inputs computed from what was imported, and for results that were an input there."""
    here = source(target, texts)
    for name, declared in target.computed_inputs.items():
        way = declared.fallback(here.state.explicit)
        if way and not texts.keys().isdisjoint(way.when) and here.state.origins[name] == "computed":
            yield f"{declared.label} is now {declared.text(here.state.values[name])} ({way.word})."
    for name, origin in one.state.origins.items():
        if origin != "yours" or name not in target.steps or here.values is None:
            continue
        value, given = here.values[name], one.state.values[name]
        if not isinstance(value, Verdict) and not _equal(value, given):
            was = one.calculator.inputs[name].text(given)
            yield f"{target.steps[name].label} is calculated here: {target.text(name, value)}, not {was} as set there."


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=_SAME)
    return bool(one == other)


def _listed(target: Calculator, names: Iterable[str]) -> str:
    """The labels of inputs and menus in a list, the first few of them."""
    menus = {preset.name: preset.label for preset in target.presets}
    labels = [menus.get(name) or target.inputs[name].label for name in names]
    shown, more = labels[:_MOST_NAMED], len(labels) - _MOST_NAMED
    if more > 0:
        return f"{', '.join(shown)} and {more} more"
    return f"{', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else "".join(shown)

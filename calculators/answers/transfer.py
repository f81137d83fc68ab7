"""Transfer of a state: what one calculator passes to the next, and notices that say so.

Names mean the same everywhere, so what the reader set in one calculator holds in the next, and so does the record of a
menu, or what it fills where the menus differ. What the first computes and the second takes as an input is pinned,
unless it has its default value. What was set in the first and is computed in the second cannot be pinned: the notice
gives both values. What a calculator in between does not take comes from the one before it.
"""

import math
from collections.abc import Container, Iterator, Mapping
from typing import Any

from calculators import units
from calculators.answers.answer import evaluated
from calculators.answers.input_state import InputState, parse_inputs, typed_text, within_range
from calculators.declare import Calculator, Choice, Input, InputError, Quantity, Values, Verdict

Texts = dict[str, str]
_SAME = 1e-9
_MOST_NAMED = 6
_DIGITS, _ROUNDS = 4, 3


def import_given(source: Calculator, given: Mapping[str, Any], target: Calculator) -> tuple[Texts, list[str]]:
    """What `source`, in the state that is given, gives `target`: texts by name, and sentences that say so."""
    there = parse_inputs(source, given)
    texts, notices = import_state(source, there, target)
    return texts, [*notices, *consequences(source, there, target, texts)]


def import_state(source: Calculator, there: InputState, target: Calculator) -> tuple[Texts, list[str]]:
    """The same without what follows from it: what came along, and a sentence for it."""
    texts = _menus(source, there, target) | _own(source, there, target)
    pinned = _to_pin(source, there, target, texts)
    return texts | pinned, _import_notices(source, target, texts, pinned)


def merge_earlier_state(
    source: Calculator, there: InputState, target: Calculator, texts: Texts, known: Container[str]
) -> tuple[Texts, list[str]]:
    """What an earlier state gives beyond those after it, which gave `texts` and have a say in what is `known`.

    To the calculator that it is a state of, it gives all that was set there.
    """
    if source is target:
        again = {name: text for name, text in there.given.items() if name not in texts}
        return again, [f"Set here before: {_listed([_label(target, name) for name in again])}."] if again else []
    found = _menus(source, there, target) | _own(source, there, target)
    more = {name: text for name, text in found.items() if name not in known and name not in texts}
    wanted = _to_pin(source, there, target, texts | more)
    pinned = {name: text for name, text in wanted.items() if name not in known and name not in texts}
    return more | pinned, _import_notices(source, target, more, pinned)


def _to_pin(source: Calculator, there: InputState, target: Calculator, texts: Texts) -> Texts:
    """What is computed there, asked for here, and would be otherwise here with these texts."""
    here = parse_inputs(target, texts)
    pinned = {}
    for name, value in _computed(source, there):
        text = _pinnable(target, name, value, _DIGITS)
        if text and not _alike(here.values[name], value):
            pinned[name] = text
    return pinned


def import_exact_state(
    source: Calculator, there: InputState, values: Values, target: Calculator
) -> tuple[Texts, list[str]]:
    """The same where all values are known, so that `target` computes with each of them as `source` does.

    Whatever would be otherwise here is pinned, exactly: a hall as large as it must be is too small by a digit less.
    """
    texts = _menus(source, there, target) | _own(source, there, target)
    pinned: Texts = {}
    for _ in range(_ROUNDS):  # what is pinned may move what was alike before
        here = parse_inputs(target, texts | pinned).values
        found = {
            name: _as_text(declared, values[name])
            for name, declared in target.inputs.items()
            if name in values and name not in texts | pinned and not _alike(here[name], values[name])
        }
        pinned |= {name: text for name, text in found.items() if text}
    return texts | pinned, _import_notices(source, target, texts, pinned)


def _as_text(declared: Input, value: Any) -> str:
    """A value as the text of an input, a choice by its key; nothing where it cannot stand there."""
    if isinstance(declared, Choice):
        return next((key for key, option in declared.options.items() if option.value == value), "")
    return _pinned(declared, value, None) if isinstance(value, int | float) else ""


def consequences(source: Calculator, there: InputState, target: Calculator, texts: Texts) -> list[str]:
    """Sentences for what follows here from all that came along, and for what is computed otherwise than given there."""
    return [*_followed(target, texts), *_differently(source, there, target, texts)]


def _import_notices(source: Calculator, target: Calculator, texts: Texts, pinned: Texts) -> list[str]:
    """A sentence for what came along and what was pinned, if anything did."""
    labels = [_label(target, name) for name in texts]
    parts = []
    if labels:
        parts.append(f"{_listed(labels)} as set there")
    if pinned:
        names = [target.inputs[name].label for name in pinned]
        parts.append(f"{_listed(names)} as calculated there")
    return [f"Imported from “{source.title}”: {'; '.join(parts)}."] if parts else []


def _menus(source: Calculator, there: InputState, target: Calculator) -> Texts:
    """The records chosen there, or what they fill there where the menu here does not."""
    texts: Texts = {}
    usual = parse_inputs(target, {}).values
    menus = {preset.name: preset for preset in target.presets}
    for preset in source.presets:
        key, menu = there.presets[preset.name], menus.get(preset.name)
        known = menu is not None and (key in menu.by_key or not key)
        if menu and known and key != menu.default:
            texts[preset.name] = key or "none"
        for name in preset.filled(key):
            filled_here = menu is not None and known and name in menu.fills
            is_news = name in usual and there.origins[name] == "preset" and not _alike(usual[name], there.values[name])
            if is_news and not filled_here:
                texts |= _text(source, there, target, name)
    return texts


def _own(source: Calculator, there: InputState, target: Calculator) -> Texts:
    """What the reader gave there and is asked for here."""
    texts: Texts = {}
    for name, origin in there.origins.items():
        if origin == "yours" and name in target.inputs and name not in there.problems:
            texts |= _text(source, there, target, name)
    return texts


def _text(source: Calculator, there: InputState, target: Calculator, name: str) -> Texts:
    """A value as it stands there, if it can stand here."""
    mine, other = source.inputs[name], target.inputs[name]
    if isinstance(other, Choice) != isinstance(mine, Choice):
        return {}
    text = typed_text(mine, there)
    return {} if isinstance(other, Choice) and text not in other.options else {name: text}


def _computed(source: Calculator, there: InputState) -> Iterator[tuple[str, float]]:
    """What is computed there and is not what it is by default: results, and inputs nobody gave."""
    try:
        values, usual = evaluated(source, there), evaluated(source, parse_inputs(source, {}))
    except InputError:
        return
    names = [name for name, origin in there.origins.items() if origin == "computed"]
    for name in (*source.steps, *names):
        value = values[name]
        if isinstance(value, int | float) and not isinstance(value, bool) and not _alike(usual[name], value):
            yield name, value


def _pinnable(target: Calculator, name: str, value: float, digits: int) -> str:
    """A number as the text of an input here; nothing where it is none, or out of its range."""
    declared = target.inputs.get(name)
    return _pinned(declared, value, digits) if isinstance(declared, Quantity) else ""


def _pinned(declared: Quantity, value: float, digits: int | None) -> str:
    """A number as the text of a quantity, exactly unless in so many digits; nothing where it is out of its range."""
    if declared.whole or digits is None:
        text = declared.box(value)
    else:
        text = units.text(value, declared.unit, binary=declared.binary, label=False, digits=digits)
    try:
        within_range(declared, value, text)
    except ValueError:
        return ""
    return text


def _followed(target: Calculator, texts: Texts) -> Iterator[str]:
    """What is computed here because of what came along: the ranks that so many GPUs make."""
    here = parse_inputs(target, texts)
    for name, declared in target.computed_inputs.items():
        way = declared.fallback(here.explicit)
        if way and not texts.keys().isdisjoint(way.when) and here.origins[name] == "computed":
            yield f"{declared.label} is now {declared.text(here.values[name])} ({way.word})."


def _differently(source: Calculator, there: InputState, target: Calculator, texts: Texts) -> Iterator[str]:
    """What was given there and is computed here, with both values."""
    own = [name for name, origin in there.origins.items() if origin == "yours" and name in target.steps]
    if not own:
        return
    try:
        values = evaluated(target, parse_inputs(target, texts))
    except InputError:
        return
    for name in own:
        value, given = values[name], there.values[name]
        if isinstance(value, Verdict) or _alike(value, given):
            continue
        was = source.inputs[name].text(given)
        yield f"{target.steps[name].label} is calculated here: {target.text(name, value)}, not {was} as set there."


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=_SAME)
    return bool(one == other)


def _label(target: Calculator, name: str) -> str:
    menu = next((preset for preset in target.presets if preset.name == name), None)
    return menu.label if menu else target.inputs[name].label


def _listed(labels: list[str]) -> str:
    shown, more = labels[:_MOST_NAMED], len(labels) - _MOST_NAMED
    if more > 0:
        return f"{', '.join(shown)} and {more} more"
    return f"{', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else shown[0]

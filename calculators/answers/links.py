"""Links: a state as the readable fragment of an address (#parameters=405B&checkpoint_interval=30min) and back.

Two keys at its end are not inputs: the version that made the link, and the value of the first headline then
(`&v=0.1.0&was=checkpoint_size:5.67TB`). If another version computes another value, opening the link says what changed;
within one version a difference only means that the link was edited by hand.
A link from one calculator to another ends in `&from=checkpoint`: all before it is the state of that calculator
(transfer.py). States that the reader pinned follow, each a link of its own in a `&pin=`; so do the calculators visited
before, each a link in a `&with=`, for later calculators with inputs that this one does not have.
"""

import re
import urllib.parse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calculators.answers import ledger, provenance
from calculators.answers.input_state import InputState, parse_inputs, typed_text
from calculators.answers.suggestions import close_name
from calculators.declare import Calculator, Quantity
from calculators.facts.overlay_records import OWN
from calculators.version import VERSION

LONGEST_LINK = 8000
MOST_KEYS = 100
MOST_PINS = 4
MOST_BEFORE = 3
VERSION_KEY, RESULT_KEY, FROM_KEY, PINNED_KEY, BEFORE_KEY = "v", "was", "from", "pin", "with"
_READABLE = "/:,.+-()"
# Controls, format characters, spaces other than " ", surrogates and private use: the same in every Python.
_UNPRINTABLE = re.compile(
    r"[\x00-\x1f\x7f-\xa0\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f"
    r"\u3000\ud800-\uf8ff\ufeff\ufff0-\uffff\U000e0000-\U0010ffff]"
)

Part = tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Made:
    """The version that made a link, and a result then: its name and its text."""

    version: str
    result: str
    text: str


def link(calculator: Calculator, resolved: InputState) -> str:
    """Fragment (without #) with all that differs from the defaults. It reads back to the same values."""
    return encoded(differing(calculator, resolved))


def stamped(calculator: Calculator, resolved: InputState, values: Mapping[str, Any]) -> str:
    """The link with its version stamp and the value of the first headline; never empty."""
    return stamp(calculator, values, differing(calculator, resolved))


def stamp(calculator: Calculator, values: Mapping[str, Any], parts: list[Part], pins: Sequence[str] = ()) -> str:
    """The link of these parts with its stamp, followed by the pinned links as far as the maximum length allows."""
    headline = calculator.headline[0]
    gave = f"{headline}:{calculator.text(headline, values[headline]).replace(' ', '')}"
    own = encoded([*parts, (VERSION_KEY, VERSION), (RESULT_KEY, gave)])
    pinned_parts = [(PINNED_KEY, pin) for pin in pins[:MOST_PINS]]
    whole = f"{own}&{encoded(pinned_parts)}" if pinned_parts else own
    return whole if len(whole) <= LONGEST_LINK else own


def pinned(fragment: str) -> tuple[str, ...]:
    """The links pinned in a link."""
    return _values_of(fragment, PINNED_KEY)[:MOST_PINS]


def before(fragment: str) -> tuple[str, ...]:
    """Links of the calculators that the reader visited before, the latest first."""
    return _values_of(fragment, BEFORE_KEY)[:MOST_BEFORE]


def _values_of(fragment: str, wanted: str) -> tuple[str, ...]:
    text = fragment.removeprefix("#")
    if len(text) > LONGEST_LINK:
        return ()
    try:
        pairs = urllib.parse.parse_qsl(text, max_num_fields=MOST_KEYS)
    except ValueError:
        return ()
    return tuple(value for key, value in pairs if key == wanted)


def differing(calculator: Calculator, resolved: InputState) -> list[Part]:
    """The texts by name that lead to this state, menus first."""
    parts: list[Part] = []
    for preset in calculator.presets:
        chosen = resolved.presets[preset.name]
        changed = any(resolved.origins[name] == "yours" for name in preset.fills)
        # What completes a state may choose another record where none is given; parts without effect go below.
        if chosen != preset.default or (chosen and (changed or calculator.completes)):
            parts.append((preset.name, chosen or "none"))
    for name, declared in calculator.inputs.items():
        if resolved.origins[name] == "yours":
            parts.append((name, typed_text(declared, resolved).replace(" ", "")))
    return _needed(calculator, parts)


def with_own_numbers(calculator: Calculator, resolved: InputState, parts: list[Part]) -> list[Part]:
    """The parts with the numbers of the reader's own records instead of their keys, and with the reader's own facts.

    They lead to the same values where those records and facts are not known.
    """
    menus: list[Part] = []
    filled: dict[str, str] = {}
    for preset in calculator.presets:
        record = preset.by_key.get(resolved.presets[preset.name])
        if record is None or all(one.kind != OWN for one in record.fields.values()):
            continue
        menus.append((preset.name, "none"))
        for name, source in preset.fills.items():
            if source in record.fields and resolved.origins[name] == "preset" and resolved.values[name] is not None:
                filled[name] = calculator.inputs[name].box(resolved.values[name]).replace(" ", "")
    for name, declared in calculator.inputs.items():
        known = provenance.fact(calculator, resolved, name)
        if known is not None and known.kind == OWN and resolved.values[name] is not None:
            filled.setdefault(name, declared.box(resolved.values[name]).replace(" ", ""))
    spelled = {*dict(menus), *filled}
    return [*menus, *(part for part in parts if part[0] not in spelled), *filled.items()]


def encoded(parts: list[Part]) -> str:
    """Fragment (without #) of these parts."""
    return "&".join(f"{key}={urllib.parse.quote(text, safe=_READABLE)}" for key, text in parts)


def _needed(calculator: Calculator, parts: list[Part]) -> list[Part]:
    """The parts without which the state would differ, menus included, and whose prices are the reader's."""
    prices = [name for name, one in calculator.inputs.items() if isinstance(one, Quantity) and one.unit[:3] == "USD"]

    def state(given: list[Part]) -> tuple[object, ...]:
        resolved = parse_inputs(calculator, dict(given))
        yours = [resolved.origins[name] == "yours" for name in prices]
        return resolved.values, resolved.explicit.ranges, resolved.presets, yours

    needed, full = list(parts), state(parts)
    for _ in range(2):  # twice, because what one part needed another may no longer need
        before = needed
        for part in parts:
            rest = [other for other in needed if other != part]
            if len(rest) < len(needed) and state(rest) == full:
                needed = rest
        if needed == before:
            break
    return needed


def pinned_notice(fragment: str) -> list[str]:
    """A sentence for the states pinned in a link, if there are any."""
    count = len(pinned(fragment))
    if not count:
        return []
    states = "another state" if count == 1 else f"{count} other states"
    return [f"The link also holds {states}: see “Compare states side by side”."]


def read_link(calculator: Calculator, fragment: str) -> tuple[dict[str, str], list[str]]:
    """Texts by declared name that a fragment sets, and a sentence for every part that could not be used."""
    notices: list[str] = []
    given: dict[str, str] = {}
    text = fragment.removeprefix("#")
    if len(text) > LONGEST_LINK:
        return {}, [f"The link has {len(text):,} characters, more than the {LONGEST_LINK:,} allowed; it was ignored."]
    names = calculator.canonical_names
    try:
        pairs = urllib.parse.parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_KEYS)
    except ValueError:
        return {}, [f"The link sets more than {MOST_KEYS} inputs; it was ignored."]
    for key, value in pairs:
        name = names.get(key.replace("-", "_"))
        if key in {VERSION_KEY, RESULT_KEY, FROM_KEY, PINNED_KEY, BEFORE_KEY}:
            continue
        if name is None:
            meant = close_name(key, names)
            notices.append(
                f"The link sets “{_short(key)}”, which is not an input of this calculator{meant}; it was ignored."
            )
        elif name in given:
            notices.append(f"The link sets {name} twice; “{_short(value)}” was ignored.")
        else:
            given[name] = value
    return given, notices


def comes_from(fragment: str) -> str:
    """Name of the calculator whose state a fragment holds, if it is not the one that the link leads to."""
    own, *_ = fragment.removeprefix("#").partition(f"&{BEFORE_KEY}=")
    _, mark, name = f"&{own}".rpartition(f"&{FROM_KEY}=")
    return name.replace("-", "_") if mark and len(fragment) <= LONGEST_LINK else ""


def version_stamp(fragment: str) -> Made | None:
    """The version stamp of a link; None where it has none or cannot be read."""
    text = fragment.removeprefix("#")
    if len(text) > LONGEST_LINK:
        return None
    try:
        pairs = dict(urllib.parse.parse_qsl(text, max_num_fields=MOST_KEYS))
    except ValueError:
        return None
    result, _, was = pairs.get(RESULT_KEY, "").partition(":")
    return Made(version=pairs.get(VERSION_KEY, ""), result=result, text=was) if was else None


def changed_since(
    calculator: Calculator, then: Made | None, resolved: InputState, values: Mapping[str, Any]
) -> list[str]:
    """Both values and what changed, if the version that made a link computed another value than this one."""
    if then is None or then.version == VERSION:
        return []
    by = f"version {_short(then.version)}" if then.version else "another version"
    formula = calculator.steps.get(then.result)
    if formula is None:
        return [f"This link was made with {by}, whose result “{_short(then.result)}” no longer exists."]
    now = formula.text(values[then.result])
    if now.replace(" ", "") == then.text.replace(" ", ""):
        return []
    was = f"{formula.label} was {_short(then.text)} when this link was made, with {by}"
    changed = ledger.since(calculator, resolved, formula.name, then.version)
    return [f"{was}; now it is {now}, with version {VERSION}.", *changed]


def _short(text: Any, longest: int = 40) -> str:
    shown = _UNPRINTABLE.sub("�", str(text))
    return shown if len(shown) <= longest else shown[:longest] + "…"

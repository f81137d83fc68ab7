"""Links: a state as the readable fragment of an address (#parameters=405B&checkpoint_interval=30min) and back."""

import urllib.parse
from typing import Any

from calculators.answers.resolve import Resolved, resolve
from calculators.declare import Calculator

LONGEST_LINK = 4000
MOST_KEYS = 100
_READABLE = "/:,.+-()"


def link(calculator: Calculator, resolved: Resolved) -> str:
    """The fragment, without its #, for what differs from the defaults. It reads back to the same values."""
    parts: list[tuple[str, str]] = []
    for preset in calculator.presets:
        chosen = resolved.presets[preset.name]
        changed = any(resolved.origins[name] == "yours" for name in preset.fills)
        if chosen != preset.default or (changed and chosen):
            parts.append((preset.name, chosen or "none"))
    for name, declared in calculator.inputs.items():
        if resolved.origins[name] == "yours":
            text = declared.box(resolved.values[name])
            zero = getattr(declared, "zero", "")
            parts.append((name, "0" if zero and text == zero else text.replace(" ", "")))
    return "&".join(f"{key}={urllib.parse.quote(text, safe=_READABLE)}" for key, text in _needed(calculator, parts))


def _needed(calculator: Calculator, parts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Without what stands the same, menus included, when the link does not mention it."""

    def state(given: list[tuple[str, str]]) -> tuple[object, object]:
        resolved = resolve(calculator, dict(given))
        return resolved.values, resolved.presets

    kept, full = list(parts), state(parts)
    for _ in range(2):  # twice, because what one part needed another may no longer need
        before = kept
        for part in parts:
            rest = [other for other in kept if other != part]
            if len(rest) < len(kept) and state(rest) == full:
                kept = rest
        if kept == before:
            break
    return kept


def read_link(calculator: Calculator, fragment: str) -> tuple[dict[str, str], list[str]]:
    """What a fragment gives, by declared name, and a sentence for everything in it that could not be used."""
    notices: list[str] = []
    given: dict[str, str] = {}
    text = fragment.removeprefix("#")
    if len(text) > LONGEST_LINK:
        return {}, [
            f"The link is {len(text):,} characters long, those made here at most {LONGEST_LINK:,}; none of it was used."
        ]
    names = calculator.canonical_names
    try:
        pairs = urllib.parse.parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_KEYS)
    except ValueError:
        return {}, [f"The link names more than {MOST_KEYS} inputs; none of it was used."]
    for key, value in pairs:
        name = names.get(key.replace("-", "_"))
        if name is None:
            notices.append(f"The link names “{_short(key)}”, which is no input of this calculator; it was passed over.")
        elif name in given:
            notices.append(f"The link gives {name} twice; “{_short(value)}” was passed over.")
        else:
            given[name] = value
    return given, notices


def _short(text: Any, longest: int = 40) -> str:
    shown = "".join(letter if letter.isprintable() else "�" for letter in str(text))
    return shown if len(shown) <= longest else shown[:longest] + "…"

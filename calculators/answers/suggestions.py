"""Suggestions: existing names that a reader may have meant by a mistyped one."""

import difflib
from collections.abc import Iterable, Sequence

from calculators.declare import Calculator

_MOST = 6
_LONGEST = 40


def close_name(typed: str, names: Iterable[str]) -> str:
    """The most similar name as " (did you mean X?)"; empty where none is similar."""
    found = difflib.get_close_matches(typed.replace("-", "_").lower(), list(names), n=1, cutoff=0.75)
    return f" (did you mean {found[0]}?)" if found else ""


def not_an_input(calculator: Calculator, typed: str) -> str:
    """The error for a name that is not an input or menu of a calculator."""
    shown = typed[:_LONGEST]
    return f"“{shown}” is not an input of {calculator.title}{close_name(shown, calculator.canonical_names)}"


def suggestion(calculator: Calculator, query: str, names: Sequence[str]) -> str:
    """Results that were probably meant: similar spelling, or a word in common; else the headlines."""
    if not names:
        return f"{calculator.title} has none"
    query = query.replace("-", "_")
    words = set(query.split("_"))
    main = [*(name for name in calculator.headline if name in names), *names]
    shared = {name: len(words & set(name.split("_"))) for name in main}
    related = sorted(filter(shared.__getitem__, shared), key=lambda name: -shared[name])
    found = list(dict.fromkeys([*difflib.get_close_matches(query, names, n=1, cutoff=0.85), *related]))[:_MOST]
    if found:
        return f"did you mean {', '.join(found[:-1])}{' or ' * (len(found) > 1)}{found[-1]}?"
    first = list(dict.fromkeys(main))[:_MOST]
    more = len(names) - len(first)
    return f"there {'are' if len(names) > 1 else 'is only'} {', '.join(first)}" + (
        f", and {more} more that --json lists" if more > 0 else ""
    )

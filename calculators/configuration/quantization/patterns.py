"""Patterns with which quantization files name modules: names, beginnings, globs and regular expressions."""

import re
from collections.abc import Callable, Iterable

_ROOTS = ("model", "language_model", "backbone", "transformer", "text_model", "decoder")
_PREFIXES = ("", "model.", "model.language_model.", "language_model.model.")

_REFERS = re.compile(r"\\\d|\(\?[^:]")  # to a group by its number, or whatever else only holds in an expression alone

Matcher = Callable[[Iterable[str]], bool]


def matcher(patterns: Iterable[object]) -> Matcher:
    """Function that says whether any of a module's names is covered by one of the patterns.

    A name covers itself and what is inside it, wherever it occurs between dots: `self_attn` covers
    `model.layers.0.self_attn.q_proj`, and `model.layers.1` does not cover `model.layers.10`. `*` matches any text;
    `re:` begins a regular expression, as in compressed-tensors.

    >>> covered = matcher(["lm_head", "model.layers.*.self_attn", "model.layers.1.mlp*", "re:.*shared_experts.*"])
    >>> covered(["layers.3.self_attn.q_proj"]), covered(["layers.1.mlp.up_proj"]), covered(["layers.10.mlp.up_proj"])
    (True, True, False)
    """
    names: set[str] = set()
    starts: set[str] = set()
    expressions: list[re.Pattern[str]] = []
    for pattern in patterns:
        text = str(pattern)
        if text.startswith("re:"):
            expressions += _compiled(text[3:])
        elif "*" not in text:
            names.add(_without_roots(text))
        elif text.endswith("*") and "*" not in text[:-1]:
            starts.add(_without_roots(text[:-1]))
        else:
            whole = re.escape(_without_roots(text)).replace(r"\*", ".*")
            expressions += _compiled(rf"(?:.*\.)?{whole}(?:\..*)?$")
    names.discard("")
    lengths = {name.count(".") + 1 for name in names}
    beginnings, together = tuple(starts), _together(expressions)

    def covered(module: Iterable[str]) -> bool:
        return any(
            name.startswith(beginnings)
            or not names.isdisjoint(_runs(name, lengths))
            or any(one.match(prefix + name) for one in together for prefix in _PREFIXES)
            for name in module
        )

    return covered


def _compiled(expression: str) -> list[re.Pattern[str]]:
    """Compiled expression; nothing where it is none."""
    try:
        return [re.compile(expression)]
    except re.error:
        return []


def _together(expressions: list[re.Pattern[str]]) -> list[re.Pattern[str]]:
    """Combine the expressions into one, but for those that refer to groups or set flags."""
    apart = [one for one in expressions if _REFERS.search(one.pattern)]
    alike = [f"(?:{one.pattern})" for one in expressions if one not in apart]
    return [*apart, *(_compiled("|".join(alike)) if alike else [])]


def _without_roots(name: str) -> str:
    """Name from its layer on, whatever the model is called in a checkpoint."""
    segments = name.split(".")
    while segments and segments[0] in _ROOTS:
        segments = segments[1:]
    return ".".join(segments)


def _runs(name: str, lengths: Iterable[int]) -> set[str]:
    """Every run of so many segments of a name."""
    segments = name.split(".")
    return {
        ".".join(segments[first : first + length]) for length in lengths for first in range(len(segments) - length + 1)
    }

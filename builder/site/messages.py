"""Messages: templates/browser/messages.ts, made from calculators/answers/messages.py.

`python -m builder.site.messages` writes it again. The messages of page and bridge are declared once, in Python;
here its types are written down as TypeScript's.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from builder.paths import TEMPLATES
from calculators.answers import messages

TARGET = TEMPLATES / "browser/messages.ts"
_HEAD = """/**
 * Requests of the page to calculators/bridge.py, and its responses. Made from calculators/answers/messages.py, which
 * says more of it, by `python -m builder.site.messages`; a change belongs there.
 */

export type Texts = Readonly<Record<string, string>>;
"""
_PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", types.NoneType: "null"}


class UntoldError(Exception):
    """A type for which TypeScript has nothing that this module knows."""


def typescript(source: types.ModuleType = messages) -> str:
    """Return the module's named literals and typed dictionaries as TypeScript, in their order."""
    named = {name: kind for name, kind in vars(source).items() if _is_told(source, name, kind)}
    aliases = {kind: name for name, kind in named.items() if not isinstance(kind, type)}
    blocks = [
        _interface(name, kind, aliases) if isinstance(kind, type) else f"export type {name} = {_report(kind, {})};\n"
        for name, kind in named.items()
    ]
    return "\n".join([_HEAD, *blocks])


def _is_told(source: types.ModuleType, name: str, kind: Any) -> bool:
    if name.startswith("_"):
        return False
    return typing.get_origin(kind) is Literal or (typing.is_typeddict(kind) and kind.__module__ == source.__name__)


def _interface(name: str, kind: type, aliases: dict[Any, str]) -> str:
    lines = [f"/** {line} */" for line in (inspect.getdoc(kind) or "").splitlines()[:1]]
    lines.append(f"export interface {name} {{")
    optional: frozenset[str] = getattr(kind, "__optional_keys__", frozenset())
    for field, hint in typing.get_type_hints(kind).items():
        lines.append(f"  readonly {field}{'?' if field in optional else ''}: {_report(hint, aliases)};")
    return "\n".join([*lines, "}\n"])


def _report(hint: Any, aliases: dict[Any, str]) -> str:
    """Write one type down."""
    if known := aliases.get(hint) or _PLAIN.get(hint):
        return known
    if typing.is_typeddict(hint):
        return str(hint.__name__)
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return " | ".join(f'"{part}"' for part in parts)
    if origin is Sequence:
        inner = _report(parts[0], aliases)
        return f"readonly {f'({inner})' if ' ' in inner else inner}[]"
    if origin is Mapping and parts[0] is str:
        return "Texts" if parts[1] is str else f"Readonly<Record<string, {_report(parts[1], aliases)}>>"
    if origin in {types.UnionType, typing.Union}:
        return " | ".join(_report(part, aliases) for part in parts)
    raise UntoldError(f"{hint} has no counterpart in TypeScript here")


if __name__ == "__main__":
    TARGET.write_text(typescript(), "utf-8")

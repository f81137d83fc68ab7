"""Published systems: states of the short form, to compare with."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from calculators import facts
from calculators.declare import DeclarationError, InputError

LIKE, LAID_OUT = "like", "laid_out"
FOUND, PUBLISHED = "found", "published"


@dataclass(frozen=True, kw_only=True)
class Existing:
    """One of them: what is given of it, the sources of that, what was fitted to its own run, its published layout."""

    key: str
    name: str
    about: str
    given: Mapping[str, str]
    sources: Mapping[str, str]
    fitted: frozenset[str]
    layout: Mapping[str, str]


@cache
def existing() -> Mapping[str, Existing]:
    """Every one by its key. Raises DeclarationError where one names a source that is not described."""
    stated = tomllib.loads(Path(__file__).with_name("machines.toml").read_text("utf-8"))
    found = {}
    for key, entry in stated.items():
        if unknown := entry["from"].keys() - facts.sources().keys():
            raise DeclarationError(f"machines.toml: {key} is from {min(unknown)}, which is no source")
        found[key] = Existing(
            key=key,
            name=entry["name"],
            about=entry["about"],
            given=entry["given"],
            sources=entry["from"],
            fitted=frozenset(entry["fitted"]),
            layout=entry["layout"],
        )
    return MappingProxyType(found)


def beneath(given: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs given, over those of the published system named. Raises InputError for an unknown one."""
    texts = dict(given)
    key, laid_out = str(texts.pop(LIKE, "") or ""), str(texts.pop(LAID_OUT, "") or FOUND)
    if not key:
        return texts
    if key not in existing():
        raise InputError({LIKE: f"Unknown system “{key}”; use one of {', '.join(existing())}"})
    if laid_out not in {FOUND, PUBLISHED}:
        raise InputError({LAID_OUT: f"Unknown layout “{laid_out}”; use {FOUND} or {PUBLISHED}"})
    one = existing()[key]
    return {**one.given, **(one.layout if laid_out == PUBLISHED else {}), **texts}


def layout_of(given: Mapping[str, Any]) -> Mapping[str, str]:
    """The published layout of the machine that it is like; nothing where it is like none."""
    key = str(given.get(LIKE, "") or "")
    return existing()[key].layout if key else {}

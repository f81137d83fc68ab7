"""Joining several calculators into one by the names of inputs and results.

An input of one that another computes is computed; a formula or an input listed in several is one. Two different
formulas of one name, two different inputs of one name, and different defaults of which none is preferred are
declaration errors.
"""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from calculators.declare.calculator import Calculator
from calculators.declare.errors import DeclarationError
from calculators.declare.formulas import AnyFormula
from calculators.declare.inputs import Choice, Input, Preset, Quantity, computed


def join(
    name: str,
    parts: Sequence[Calculator],
    *,
    prefer: Mapping[str, str] | None = None,
    overrides: Mapping[str, Quantity] | None = None,
    **page: Any,
) -> Calculator:
    """One calculator of `parts`.

    `prefer` names, for an input or menu of several parts, the part whose default wins; `overrides` replaces the
    declarations of inputs. `page` are further fields of the Calculator; the first part's are used where it has none.
    """
    joining = _Joining(name, tuple(parts), dict(prefer or {}), dict(overrides or {}))
    inputs = joining.inputs()
    fields = [
        (one.name, Any, dataclasses.field(default=_default(one), metadata={"declared": one})) for one in inputs.values()
    ]
    first = parts[0]
    stated: dict[str, Any] = {
        "title": " and ".join(part.title for part in parts),
        "question": first.question,
        "answer": first.answer,
        "headline": first.headline,
        "groups": {key: title for part in reversed(parts) for key, title in part.groups.items()},
        "assumptions": _once(text for part in parts for text in part.assumptions),
        "omits": _once(text for part in parts for text in part.omits),
        "bands": {name: ends for part in parts for name, ends in part.bands.items()},
        "result_aliases": joining.result_aliases(inputs),
        **page,
    }
    return Calculator(
        name=name,
        inputs_type=dataclasses.make_dataclass("Inputs", fields, frozen=True, kw_only=True),
        formulas=tuple(joining.formulas().values()),
        presets=tuple(joining.presets()),
        **stated,
    )


def _default(declared: Input) -> Any:
    return declared.default


def _once(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


@dataclasses.dataclass(frozen=True)
class _Joining:
    name: str
    parts: tuple[Calculator, ...]
    prefer: Mapping[str, str]
    overrides: Mapping[str, Quantity]

    def formulas(self) -> dict[str, AnyFormula]:
        """Formulas of all parts, without repetition."""
        found: dict[str, tuple[Calculator, AnyFormula]] = {}
        for part in self.parts:
            for formula in part.formulas:
                first, known = found.setdefault(formula.name, (part, formula))
                if known != formula:
                    self._refuse(formula.name, f"is a different formula in {first.name} and in {part.name}")
        return {name: formula for name, (_, formula) in found.items()}

    def result_aliases(self, inputs: Mapping[str, Input]) -> dict[str, str]:
        """Older names of results of all parts, without those that a part now uses for something else."""
        used = {*inputs, *(name for part in self.parts for name in part.steps)}
        aliases = {old: new for part in self.parts for old, new in part.result_aliases.items()}
        return {old: new for old, new in aliases.items() if old not in used}

    def inputs(self) -> dict[str, Input]:
        """Inputs of all parts, without repetition; those that a part computes become computed."""
        computing = {name: part for part in reversed(self.parts) for name in part.steps}
        declared_in: dict[str, list[tuple[Calculator, Input]]] = {}
        for part in self.parts:
            for name, declared in part.inputs.items():
                declared_in.setdefault(name, []).append((part, declared))
        spoken = {*declared_in, *(preset.name for part in self.parts for preset in part.presets)}
        found: dict[str, Input] = {}
        for name, places in declared_in.items():
            one = self.overrides.get(name) or self._one_of(name, places, is_computed=name in computing)
            if name in computing and name not in self.overrides:
                one = self._computed(one, computing[name])
            # What is another name of this input in one part may be another input's name in the next.
            aliases = tuple(alias for alias in one.aliases if alias not in spoken)
            spoken.update(aliases)
            found[name] = dataclasses.replace(one, name=name, aliases=aliases)
        return found

    def presets(self) -> list[Preset]:
        """Menus of all parts, without repetition: union of the inputs they fill, records known to all."""
        offered: dict[str, list[tuple[Calculator, Preset]]] = {}
        for part in self.parts:
            for preset in part.presets:
                offered.setdefault(preset.name, []).append((part, preset))
        spoken = {*offered, *(name for part in self.parts for name in part.canonical_names if name in part.inputs)}
        found = []
        for name, places in offered.items():
            (first_part, first), *others = places
            for part, preset in others:
                if preset.label != first.label:
                    self._refuse(name, f"has different labels in {first_part.name} and in {part.name}")
            winner = self._winner(name, [(part, preset.default) for part, preset in places])
            chosen = next(preset for part, preset in places if part is winner)
            keys = set.intersection(*(set(preset.by_key) for _, preset in places))
            yields = tuple(dict.fromkeys(one for _, preset in places for one in preset.yields_to))
            secondary = tuple(dict.fromkeys(one for _, preset in places for one in preset.secondary))
            records = tuple(record for record in chosen.records if record.key in keys)
            fills = {
                field: key
                for _, preset in reversed(places)
                for field, key in preset.fills.items()
                if any(key in record.fields for record in records)
            }
            secondary = tuple(one for one in secondary if one in fills)
            aliases = tuple(alias for alias in chosen.aliases if alias not in spoken)
            one = dataclasses.replace(chosen, records=records, fills=fills, yields_to=yields)
            found.append(dataclasses.replace(one, secondary=secondary, aliases=aliases))
        return found

    def _one_of(self, name: str, places: list[tuple[Calculator, Input]], *, is_computed: bool) -> Input:
        """Declaration of an input that several parts have."""
        first_part, first = places[0]
        for part, declared in places[1:]:
            if what := _difference(first, declared):
                self._refuse(name, f"is declared differently in {first_part.name} and in {part.name}: {what}")
        if is_computed and name not in self.prefer:
            return first
        winner = self._winner(name, [(part, _defaults(declared)) for part, declared in places])
        return next(declared for part, declared in places if part is winner)

    def _winner(self, name: str, places: list[tuple[Calculator, Any]]) -> Calculator:
        """The part whose default wins. Raises DeclarationError where they differ and none is named."""
        preferred = self.prefer.get(name, "")
        if preferred:
            named = [part for part, _ in places if part.name == preferred]
            if not named:
                self._refuse(name, f"prefers {preferred}, which has none of that name")
            return named[0]
        (first_part, first), *others = places
        for part, default in others:
            if default != first:
                self._refuse(name, f"has one default in {first_part.name} and another in {part.name}: say which wins")
        return first_part

    def _computed(self, declared: Input, part: Calculator) -> Input:
        """An input that a part computes under its name."""
        formula = part.steps[declared.name]
        if not isinstance(declared, Quantity) or declared.unit != formula.unit:
            self._refuse(declared.name, f"is declared in another unit than {part.name} computes it in")
        if any(one.name == declared.name for one in declared.fallbacks):
            return declared
        way = computed(declared.name, f"from {part.title[0].lower()}{part.title[1:]}")
        return dataclasses.replace(declared, fallbacks=(way,))

    def _refuse(self, culprit: str, what: str) -> NoReturn:
        message = f"{self.name}.{culprit}: {what}"
        raise DeclarationError(message)


def _difference(one: Input, other: Input) -> str:
    """Difference between two declarations of one name; empty without one."""
    if isinstance(one, Choice) or isinstance(other, Choice):
        same = isinstance(one, Choice) and isinstance(other, Choice) and one.options == other.options
        return "" if same else "the options differ"
    for what in ("unit", "label", "hard", "whole", "binary"):
        if getattr(one, what) != getattr(other, what):
            return f"the {what} differs"
    return ""


def _defaults(declared: Input) -> Any:
    """Defaults of an input in comparable form."""
    return (
        declared.default
        if isinstance(declared, Choice)
        else (declared.fallbacks, declared.default, declared.not_applicable)
    )

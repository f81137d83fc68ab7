"""Joining for a machine: calculators without the menus it answers itself, and inputs that it computes in one way."""

import dataclasses
from collections.abc import Collection, Mapping
from typing import Any

from calculators.declare import Calculator, Computed, Input, Preset, Quantity


def part_without(calculator: Calculator, menus: Collection[str]) -> Calculator:
    """A calculator without menus whose answers the machine computes."""
    kept = tuple(preset for preset in calculator.presets if preset.name not in menus)
    return dataclasses.replace(
        calculator, presets=kept, groups=groups_held(calculator.groups, (*calculator.inputs.values(), *kept))
    )


def groups_held(groups: Mapping[str, str], held: tuple[Input | Preset, ...]) -> dict[str, str]:
    """The groups that are not empty."""
    names = {one.group for one in held}
    return {name: title for name, title in groups.items() if name in names}


def served_by(declared: Quantity, way: Computed) -> Quantity:
    """The input, otherwise computed in this way and in no other."""
    return dataclasses.replace(declared, fallbacks=(way,), default=None, fact=None, spread=None)


def nothing(declared: Quantity) -> Quantity:
    """The input of a job that has none of it: its lowest value, whatever a menu or calculator says."""
    return dataclasses.replace(declared, default=declared.hard[0], fallbacks=(), fact=None, spread=None)


def as_sure_as_what_is_behind(declared: Quantity) -> Quantity:
    """The input without a range of its own: it is computed here, and as wrong as what it is computed from."""
    return dataclasses.replace(declared, spread=None)


def inputs_type(inputs: Mapping[str, Input]) -> type:
    """The dataclass of these inputs."""
    fields: list[Any] = [
        (name, Any, dataclasses.field(default=one.default, metadata={"declared": one})) for name, one in inputs.items()
    ]
    return dataclasses.make_dataclass("Inputs", fields, frozen=True, kw_only=True)

"""A machine as its page needs it: the short form, the run taken apart, pillars, changes, bill, existing machines."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from builder.pages import menu
from builder.pages.influence import influence
from builder.pages.view import Group, View
from calculators.answers.explore.search import Search
from calculators.catalog import CALCULATORS
from calculators.declare import Input, Preset, Quantity
from calculators.machine import breakdown, changes
from calculators.machine.layout import runner_up
from calculators.machine.machines import LIKE, existing
from calculators.machine.report import bill, formats
from calculators.machine.resources import bottlenecks
from calculators.machine.step import accuracy, parts
from calculators.machine.training_state import TrainingState, training_state
from calculators.page import machine
from calculators.page.machine import MACHINES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from builder.pages.view import CaseRow
    from calculators.machine.report.bill import Price
    from calculators.machine.resources.bottlenecks import Resource


_ASSUMED = 13  # more are in their groups
_SHORT = 16  # characters of a title that is its own short form


@dataclass(frozen=True, kw_only=True)
class Question:
    """One question of the short form, with the menus and inputs that answer it."""

    title: str
    presets: tuple[Preset, ...]
    inputs: tuple[Input, ...]


class Whole:
    """Values that the templates show of one system, in its default state."""

    def __init__(self, which: str) -> None:
        """Solve the system, and find its bottlenecks and the changes that would gain most."""
        self.name = which
        self.calculator = MACHINES[which]()
        self.found = machine.found_state(self.calculator, {})
        self.view = View(self.calculator, machine=self.found)
        self.pillars: tuple[Resource, ...] = Search(bottlenecks.each_resource(self.found)).run()
        self.report = machine.of_resources(self.pillars)
        self.changes = machine.recommendations(self.found, changes.changes(self.found))

    @property
    def cells(self) -> Mapping[str, str]:
        """Texts by their places."""
        return self.report["cells"]

    @property
    def definition(self) -> str:
        """Definition of the bottleneck."""
        return bottlenecks.definition(self.found.kind)

    @property
    def workloads(self) -> list[tuple[str, str]]:
        """Systems for each workload: what it is called, and the address of its page from the root."""
        names = {name: MACHINES[name]().title.partition(": ")[2] for name in MACHINES}
        return [(word[:1].upper() + word[1:], menu.address(name)) for name, word in names.items()]

    @property
    def place(self) -> str:
        """Address of its page, from the root."""
        return menu.address(self.name)

    @property
    def trains(self) -> bool:
        """Whether it is one that trains."""
        return isinstance(self.found, TrainingState)

    @cached_property
    def form(self) -> list[Question]:
        """The questions of the first screen."""
        menus = {preset.name: preset for preset in self.calculator.presets}
        return [
            Question(
                title=field.title,
                presets=tuple(menus[name] for name in field.names if name in menus),
                inputs=tuple(self.calculator.inputs[name] for name in field.names if name in self.calculator.inputs),
            )
            for field in self.found.kind.form
        ]

    @cached_property
    def other_menus(self) -> list[Preset]:
        """The menus that the short form does not show."""
        asked = {name for field in self.found.kind.form for name in field.names}
        return [preset for preset in self.calculator.presets if preset.name not in asked]

    @cached_property
    def other_inputs(self) -> list[Group]:
        """All other inputs, in their groups; those first that move the answer most."""
        asked = {name for field in self.found.kind.form for name in field.names}
        kept = (
            Group(
                key=group.key,
                title=group.title,
                inputs=tuple(one for one in group.inputs if one.name not in asked),
                is_open=False,
            )
            for group in self.view.groups()
        )
        return [group for group in kept if group.inputs]

    @property
    def run(self) -> Sequence[Mapping[str, Any]]:
        """The run taken apart."""
        return formats.run_taken_apart(self.found) if isinstance(self.found, TrainingState) else []

    @property
    def step(self) -> Sequence[Mapping[str, Any]]:
        """A step taken apart, parts that take no time in the default state too."""
        return parts.taken_apart(self.calculator, self.found.values) if self.trains else []

    @property
    def accuracy(self) -> Sequence[accuracy.Family]:
        """Error of the calculated speed of a step against published runs, by family."""
        return accuracy.FAMILIES

    @property
    def bill(self) -> Sequence[Mapping[str, Any]]:
        """Bill of materials."""
        return list(bill.bill(self.found))

    @property
    def prices(self) -> Mapping[str, Sequence[Price]]:
        """Priced items, by part."""
        return bill.prices_of(self.calculator)

    @property
    def compared(self) -> list[tuple[str, str]]:
        """Rows of the comparison with another machine."""
        return machine.compared_rows(self.found)

    @cached_property
    def machines(self) -> list[tuple[str, str, str]]:
        """Machines that exist: what they are called, their description, and the state of the short form."""
        return [(one.name, one.about, machine.link("machine", one.given)) for one in existing().values()]

    @cached_property
    def layouts(self) -> list[tuple[str, str]]:
        """Of machines that exist and whose layout was published: what is found for them, and how far that one is."""
        report_of = ((one, training_state({LIKE: one.key})) for one in existing().values() if one.layout)
        return [(one.name, " ".join(runner_up.of_published(found))) for one, found in report_of if found.published]

    @cached_property
    def published(self) -> list[CaseRow]:
        """Published figures and those computed here, misses too."""
        return [*self.view.cases, *self.view.misses] if self.trains else []

    @property
    def tones(self) -> Mapping[str, str]:
        """Tone of each part of the run."""
        return {part.result: part.tone for part in breakdown.PARTS}

    @property
    def parts(self) -> list[tuple[str, str]]:
        """The calculators that it joins: what they are called for short, and their addresses from the root."""
        return [(self.title_of(name), menu.address(name)) for name in machine.parts_of(self.name)]

    @property
    def openings(self) -> list[tuple[str, str]]:
        """Where the system can be opened: its calculators, and the years of its data."""
        return [*self.parts, (self.title_of("data_lifecycle"), menu.address("data_lifecycle"))]

    def address_of(self, calculator: str) -> str:
        """Address of one of its calculators, from the root."""
        return menu.address(calculator)

    def title_of(self, calculator: str) -> str:
        """Short title of one of its calculators."""
        title = CALCULATORS[calculator].title
        return title if len(title) <= _SHORT else calculator.replace("_", " ").capitalize()

    @cached_property
    def assumptions(self) -> list[Input]:
        """Main inputs with a source, and the other uncertain inputs that move the answer most."""
        form = [one for question in self.form for one in question.inputs]
        asked = [one for one in form if self.view.fact(one)]
        origins, moves = self.found.resolved.origins, influence(self.calculator, self.view.values)
        with_range = [
            one
            for one in self.calculator.inputs.values()
            if isinstance(one, Quantity) and one.spread and one not in form and origins[one.name] != "computed"
        ]
        moving = sorted((one for one in with_range if moves[one.name]), key=lambda one: -moves[one.name])
        return [*asked, *moving[:_ASSUMED]]

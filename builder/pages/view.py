"""A calculator as its page needs it: the default answer, the working, the published cases, and labels for all of it."""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from builder.pages import accuracy, cases, menu, numbers
from builder.pages.formulas import working
from builder.pages.influence import influence
from calculators import units
from calculators.answers import answer, links, sliders
from calculators.answers.input_state import parse_inputs
from calculators.answers.runs import measurement
from calculators.declare import AnyFormula, Calculator, Choice, Input, Preset, Quantity, Table
from calculators.page import exploration
from calculators.page import machine as page

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from builder.pages.accuracy import Record
    from builder.pages.cases import Case, Outcome
    from calculators.declare.pictures import Bars
    from calculators.facts import Fact, Source
    from calculators.machine.state import State

_PATTERNS = {
    "gradients": "lines",
    "activations": "hatch",
    "stall": "hatch",
    "write": "dots",
    "other": "dots",
    "free": "",
}
_ANSWER_PART = re.compile(r"\*\*\{(?P<strong>\w+)\}\*\*|\{(?P<plain>\w+)\}")
_LONG = 290
_ROWS = 8  # of published figures before those that are folded
_CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, kw_only=True)
class Group:
    """A named group of inputs; open when it holds some of those that matter most."""

    key: str
    title: str
    inputs: tuple[Input, ...]
    is_open: bool


@dataclass(frozen=True, kw_only=True)
class CaseRow:
    """A published figure and what the calculator gives."""

    name: str
    where: str
    url: str
    label: str
    printed: str
    ours: str
    error: str
    evidence: str
    why: str
    off: float


class View:
    """Values that the templates show of one calculator, from its declaration and its default answer."""

    def __init__(
        self, calculator: Calculator, given: Mapping[str, Any] | None = None, machine: State | None = None
    ) -> None:
        """Compute the answer for `given`, by default for nothing given; of a machine it is known."""
        self.calculator = calculator
        self.given = dict(given or {})
        self.slug = menu.slug(calculator)
        self.resolved = parse_inputs(calculator, given or {}) if machine is None else machine.resolved
        self.values = answer.evaluated(calculator, self.resolved) if machine is None else machine.values
        self.answer: Mapping[str, Any] = (
            answer.answer(calculator, self.resolved, self.values) if machine is None else page.numbers_of(machine)
        )
        self.exploration: Mapping[str, Any] = (
            exploration.exploration(calculator, self.values) if machine is None else {"idle": {}}
        )

    @property
    def fragment(self) -> str:
        """Fragment of a link to this state, empty for the defaults."""
        link = links.link(self.calculator, self.resolved) if self.given else ""
        return link and f"#{link}"

    @cached_property
    def workings(self) -> Mapping[str, working.Working]:
        """Every step's formula as MathML, in words and in numbers."""
        steps = self.calculator.steps.items()
        return {
            name: working.working(self.calculator, formula, self.values)
            for name, formula in steps
            if formula.role == "step"
        }

    def label(self, name: str) -> str:
        """The label of an input or result."""
        return self.calculator.declared(name).label

    def spoken_label(self, name: str) -> str:
        """The label as written within a sentence."""
        label = self.label(name)
        return label if label[1:2].isupper() else label[0].lower() + label[1:]

    def last_stop(self, declared: Quantity) -> int:
        """The number of the last stop of an input's slider."""
        return len(sliders.stops(declared)) - 1

    def answer_parts(self) -> list[tuple[str, str]]:
        """The answer's sentence in parts: ("text", words), or a name: ("strong", a result's), ("plain", a value's).

        ("choice", an input's) is in the words of its option; ("band", a result's) follows a result that has one;
        ("aged", its) is the age of old prices behind an amount of money.
        """
        parts: list[tuple[str, str]] = []
        end = 0
        for match in _ANSWER_PART.finditer(self.calculator.answer):
            parts.append(("text", self.calculator.answer[end : match.start()]))
            name = match["strong"] or match["plain"]
            is_choice = isinstance(self.calculator.declared(name), Choice)
            parts.append(("choice" if is_choice else "strong" if match["strong"] else "plain", name))
            parts += [("band", name)] if name in self.calculator.bands else []
            parts += [("aged", name)] if f"aged.{name}" in self.answer["cells"] else []
            end = match.end()
        return [*parts, ("text", self.calculator.answer[end:])]

    def has_range(self, name: str) -> bool:
        """Whether the answer's sentence has a range of this result already: its band, or one in brackets."""
        return name in self.calculator.bands or f"{{{name}}}** (" in self.calculator.answer

    def verdict_names(self) -> list[str]:
        """The names of the verdicts, as declared."""
        return [formula.name for formula in self.calculator.of_role("verdict")]

    @property
    def is_long(self) -> bool:
        """Whether the answer's sentence would push what else belongs on the first screen off it."""
        return len(self.answer["sentence"]) > _LONG

    @property
    def is_red(self) -> bool:
        """Whether any verdict is bad, so that recommendations are shown."""
        return any(verdict["level"] == "bad" for verdict in self.answer["verdicts"].values())

    def sheet_rows(self, sheet: Table) -> list[list[tuple[str, str]]]:
        """Rows of a table as cells: each with its place, by which it is updated, and its text."""
        rows = sheet.rows(self.values)
        return [
            [(key := f"{sheet.name}.{row}.{place}", self.answer["cells"][key]) for place, _ in enumerate(texts)]
            for row, texts in enumerate(rows)
        ]

    @cached_property
    def curves(self) -> Mapping[str, Mapping[str, str]]:
        """The model's curves, without a run."""
        return measurement.curves(self.calculator, self.values)

    curve_box: ClassVar[Mapping[str, int]] = MappingProxyType(
        {
            "width": measurement.WIDTH,
            "height": measurement.HEIGHT,
            "left": measurement.LEFT,
            "end": measurement.WIDTH - measurement.RIGHT,
            "bottom": measurement.HEIGHT - measurement.BOTTOM,
        }
    )

    crossings: ClassVar[int] = measurement.MOST_CROSSINGS

    def curve_levels(self) -> list[str]:
        """The heights at which results are marked."""
        return measurement.levels()

    def curve_ticks(self) -> list[tuple[str, str]]:
        """The places along the input that are marked, with their texts."""
        return measurement.ticks(self.calculator)

    def legend(self, picture: Bars) -> list[tuple[str, str]]:
        """Every value in a picture's legend, once, with its tone."""
        tones = {s.value: s.tone for row in picture.rows for s in row.segments}
        return [(name, tone) for name, tone in tones.items() if name in picture.shown]

    def pattern(self, tone: str) -> str:
        """The pattern drawn over a tone, so that color is never the only signal."""
        return _PATTERNS.get(tone, "")

    def main_results(self) -> list[str]:
        """The results readers came for, in the order the calculator states them."""
        return list(self.calculator.headline)

    def intermediate_results(self) -> list[str]:
        """The other numbers of the graph, in the order in which they are computed."""
        main = set(self.main_results())
        return [n for n, formula in self.calculator.steps.items() if formula.role == "step" and n not in main]

    def in_order(self) -> list[str]:
        """Every formula: results first, then verdicts, then the values on the way."""
        return list(dict.fromkeys((*self.main_results(), *self.verdict_names(), *self.intermediate_results())))

    def groups(self) -> list[Group]:
        """The inputs in their groups: what matters most first and open, then by how much it moves the answer."""
        moves = influence(self.calculator, self.values)
        first = {name: place for place, name in enumerate(self.calculator.first_sliders)}
        declared = self.calculator.inputs.values()
        titles = {**self.calculator.groups}
        titles.update({d.group: d.group.capitalize() or "Other" for d in declared if d.group not in titles})
        found = []
        for key, title in titles.items():
            members = [d for d in declared if d.group == key]
            members.sort(key=lambda d: (first.get(d.name, len(first)), not moves[d.name]))
            is_open = any(d.name in first for d in members)
            if members:
                found.append(Group(key=key, title=title, inputs=tuple(members), is_open=is_open))
        return sorted(found, key=lambda g: (not g.is_open, 0 if g.is_open else -max(moves[d.name] for d in g.inputs)))

    def first_inputs(self) -> list[Input]:
        """The sliders for places with room for a few."""
        return [self.calculator.inputs[name] for name in self.calculator.first_sliders]

    def model_menu(self) -> Preset | None:
        """The menu of models, where the calculator has one."""
        return next((preset for preset in self.calculator.presets if preset.name == "model"), None)

    def note(self, formula: AnyFormula) -> str:
        """A formula's docstring as HTML, without its doctests."""
        text = re.split(r"^\s*>>>", formula.doc, maxsplit=1, flags=re.MULTILINE)[0]
        return _CODE.sub(r"<code>\1</code>", html.escape(" ".join(text.split()), quote=False))

    def range_text(self, declared: Input) -> str:
        """Between which values an input means something."""
        if isinstance(declared, Choice):
            return ", ".join(declared.options)
        return " and ".join(
            units.text(end, declared.unit, binary=declared.binary, label=False) for end in declared.hard
        )

    def hedge_text(self, declared: Input) -> str:
        """The spread of an input's default."""
        if isinstance(declared, Choice) or declared.spread is None:
            return ""
        return " to ".join(
            units.text(end, declared.unit, binary=declared.binary, label=False) for end in declared.spread
        )

    def fact(self, declared: Input) -> Fact | None:
        """The fact that an input's present value comes from, if any."""
        for preset in self.calculator.presets:
            record = next((r for r in preset.records if r.key == self.resolved.presets[preset.name]), None)
            field = preset.fills.get(declared.name)
            if record and field and self.resolved.origins[declared.name] == "preset":
                return record.fields.get(field)
        return declared.fact if isinstance(declared, Quantity) else None

    def origin_html(self, declared: Input, root: str) -> str:
        """Where an input's default comes from, linked to the page of numbers; `root` leads to the site's root."""
        found = self.fact(declared)
        if found is None:
            return "a choice of the reader's" if isinstance(declared, Choice) else "an example, to be replaced by yours"
        title = found.source.title if found.source else found.kind
        message = f"{found.kind}; {found.reading}" if found.reading else found.kind
        return f'<a href="{root}{numbers.place(found.key)}">{html.escape(title)}</a> ({message})'

    def sources(self) -> list[Source]:
        """Every source this page uses, each once."""
        cited = [source for formula in self.calculator.formulas for source in formula.sources]
        for declared in self.calculator.inputs.values():
            found = self.fact(declared)
            if found and found.source:
                cited.append(found.source)
        return list({source.key: source for source in cited}.values())

    @cached_property
    def cases(self) -> list[CaseRow]:
        """Published figures that are reproduced."""
        return [row for case, outcomes in self._held() if not _is_own(case) for row in self._rows(case, outcomes)]

    @cached_property
    def with_another(self) -> frozenset[str]:
        """Results that may be followed by other prefixes or a band."""
        return frozenset((*self.calculator.amounts_of_data, *self.calculator.bands))

    def first_cases(self) -> list[CaseRow]:
        """First cases to show: of every source one before any has two."""
        return _read_through(self.cases, lambda row: row.url)

    def first_misses(self) -> list[CaseRow]:
        """First misses to show: of every reason the worst before any has two, and no reason left out."""
        worst_first = sorted(self.misses, key=lambda row: -row.off)
        shown = _read_through(worst_first, lambda row: row.why, len({row.why for row in self.misses}))
        return [row for row in self.misses if row in shown]

    def more_published(self) -> int:
        """Number of published figures that only the page of figures lists, missed ones too."""
        return len(self.cases) + len(self.misses) - len(self.first_cases()) - len(self.first_misses())

    @property
    def is_record_long(self) -> bool:
        """Whether there are more published figures than its page shows."""
        return bool(self.more_published() or self.other_cases)

    @cached_property
    def other_cases(self) -> list[CaseRow]:
        """Outputs of other tools that were run, and results worked out by hand."""
        return [row for case, outcomes in self._held() if _is_own(case) for row in self._rows(case, outcomes)]

    @cached_property
    def misses(self) -> list[CaseRow]:
        """Published figures that are not."""
        return [row for case, outcomes in self.judged if case.why for row in self._rows(case, outcomes)]

    @cached_property
    def accuracy(self) -> list[Record]:
        """Error over all published figures, the missed ones too."""
        return accuracy.accuracy(self.judged)

    def reproduced(self, named: str, within: float) -> str:
        """Cases named so that come out within a share of what was printed, those missed counted too."""
        return accuracy.reproduced(self.judged, named, within)

    @cached_property
    def judged(self) -> list[tuple[Case, tuple[Outcome, ...]]]:
        """Every case of the calculator with its outcomes."""
        return [(case, cases.evaluate(case)) for case in cases.load(self.calculator.name)]

    def _held(self) -> list[tuple[Case, tuple[Outcome, ...]]]:
        return [(case, outcomes) for case, outcomes in self.judged if not case.why]

    def _rows(self, case: Case, outcomes: tuple[Outcome, ...]) -> list[CaseRow]:
        return [
            CaseRow(
                name=case.name,
                where=case.where,
                url=case.url,
                label=self.label(outcome.result),
                printed=outcome.printed_text,
                ours=outcome.ours_text,
                error=outcome.error_text,
                evidence=f"{case.kind.replace('_', ' ')}, {case.strength.replace('_', ' ')}",
                why=case.why,
                off=abs(outcome.error),
            )
            for outcome in outcomes
        ]


def _read_through(rows: list[CaseRow], kind: Callable[[CaseRow], str], least: int = 0) -> list[CaseRow]:
    """The first of these rows, in their order, one of each kind before any has two; `least` of them if that is more."""
    before = Counter[str]()
    turns = []
    for place, row in enumerate(rows):
        turns.append((before[kind(row)], place))
        before[kind(row)] += 1
    return [rows[place] for place in sorted(place for _, place in sorted(turns)[: max(_ROWS, least)])]


def _is_own(case: Case) -> bool:
    return case.strength in accuracy.OUR_OWN

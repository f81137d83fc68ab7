"""The calculators as functions: `from calculators import checkpoint; checkpoint(parameters="405B").checkpoint_size`."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from calculators import units
from calculators.answers import answer, explain, links, transfer
from calculators.answers.input_state import InputState, parsing_notes, valid_inputs
from calculators.answers.record.contents import AuthorTexts, contents
from calculators.answers.review import comparison, margins, solve, uncertainty
from calculators.answers.review import sweep as swept
from calculators.declare import Calculator, Values, Verdict
from calculators.page import chart
from calculators.page.record import FORMATS


@dataclass(frozen=True)
class Question:
    """A calculator to be called with inputs by name: texts as people write them, or numbers in the declared unit."""

    calculator: Calculator

    def __call__(self, **given: float | str) -> "Result":
        """The answer. Raises calculators.declare.InputError, with a sentence for each input that was wrong."""
        resolved = valid_inputs(self.calculator, given)
        return Result(self.calculator, dict(given), resolved, answer.evaluated(self.calculator, resolved))

    def __repr__(self) -> str:
        """What it answers."""
        return f"<{self.calculator.name}: {self.calculator.question}>"


@dataclass(frozen=True, repr=False)
class Result:
    """One answer. Every input and result is an attribute, in base units (bytes, seconds, FLOP, watts, dollars)."""

    calculator: Calculator
    given: Mapping[str, Any]
    resolved: InputState
    values: Values = field(repr=False)

    @property
    def sentence(self) -> str:
        """The answer in a sentence."""
        return answer.sentence(self.calculator, self.values)

    @property
    def warnings(self) -> list[str]:
        """Why results may lie outside what the formulas are good for."""
        return answer.warnings(self.calculator, self.values)

    @property
    def remarks(self) -> list[str]:
        """How what was given was read, where that is not plain: a context of 128k as 131,072 tokens."""
        return parsing_notes(self.calculator, self.resolved)

    @property
    def link(self) -> str:
        """The fragment of the address that opens the calculator's page in this state."""
        return links.link(self.calculator, self.resolved)

    def text(self, name: str) -> str:
        """An input or result as readers see it: "5.67 TB"."""
        return self.calculator.text(name, self[name])

    def working(self, name: str) -> str:
        """The formulas that lead to a result, each with the present numbers in it."""
        shown = answer.texts(self.calculator, self.values)
        return "\n".join(
            f"{step.name} = {explain.substituted(self.calculator, step, shown)} = {shown[step.name]}"
            for step in explain.chain(self.calculator, name)
        )

    def margins(self) -> "Told":
        """For each verdict how far every input may move before it changes, the nearest first."""
        text = "\n".join(margins.lines(self.calculator, self.values))
        return Told(text, margins.described(self.calculator, self.values))

    def solve(self, result: str, value: float | str, *inputs: str) -> "Told":
        """Which value of these inputs (or of any) gives the result: a text, a number in base units, or a level."""
        asked = f"{result}={value if isinstance(value, str) else self._shown(result, value)}"
        name, wanted = solve.target(self.calculator, asked)
        found = solve.solutions(self.calculator, self.resolved, self.values, name, wanted, inputs).run()
        text = "\n".join(solve.lines(self.calculator, self.values, name, wanted, found))
        return Told(text, {"result": name, "wanted": wanted, "solutions": [dict(one.data) for one in found]})

    def sweep(self, name: str, start: str = "", end: str = "", *, result: str = "", lines: str = "") -> "Told":
        """A result along an input, from `start` to `end` or over its slider; `lines`: "other_input=VALUE,VALUE"."""
        asked = f"{name}={start}..{end}" if start or end else name
        found = swept.asked(self.calculator, self.values, asked, result, lines)
        said = swept.described(self.calculator, self.values, found)
        text = "\n".join(swept.lines(self.calculator, self.values, found))
        return Told(text, said, chart.chart(self.calculator, self.values, found, said["sentence"]))

    def tornado(self, result: str) -> "Told":
        """How sure a result is: what moves it, its assumed range, and the widest it can be."""
        name = uncertainty.result_named(self.calculator, self.values, result)
        text = "\n".join(uncertainty.lines(self.calculator, self.values, name))
        return Told(text, uncertainty.described(self.calculator, self.values, name).run())

    def compare(self, *others: "Result | str", result: str = "") -> "Told":
        """This answer beside others, or links of the same calculator, and what each change makes of the difference."""
        addresses = [self.link, *(one if isinstance(one, str) else one.link for one in others)]
        name = uncertainty.result_named(self.calculator, self.values, result, "result") if result else ""
        found = comparison.states(self.calculator, self.resolved, self.values, addresses)
        text = "\n".join(comparison.lines(self.calculator, found, name))
        return Told(text, comparison.described(self.calculator, found, name).run())

    def carried(self, other: "Question") -> "Result":
        """What another calculator answers when all that it shares with this one goes along."""
        source = transfer.Source(calculator=self.calculator, state=self.resolved, values=self.values)
        given, _ = transfer.import_states(other.calculator, [source])
        return other(**given)

    def record(
        self,
        *,
        form: str = "md",
        title: str = "",
        notes: str = "",
        alternatives: "Sequence[Result | str]" = (),
    ) -> "Told":
        """The record of a review as text in this form ("md", "json", "csv", "html"), and as plain data."""
        links_of = [one if isinstance(one, str) else one.link for one in alternatives]
        said = AuthorTexts(title=title, notes=notes, alternatives=links_of)
        found = contents(self.calculator, self.resolved, self.values, said).run()
        return Told(FORMATS[form](found), found.data)

    def _shown(self, result: str, value: float) -> str:
        formula = self.calculator.steps[self.calculator.result_aliases.get(result, result)]
        return units.exact_text(value, formula.unit, binary=formula.binary)

    def __getitem__(self, name: str) -> Any:
        """An input or result by its name, or an older name of it."""
        if name not in self.values:
            name = self.calculator.result_aliases.get(name) or self.calculator.canonical_names.get(name, name)
        return self.values[name]

    def __getattr__(self, name: str) -> Any:
        """An input or result by its name."""
        if not name.startswith("_"):
            try:
                return self[name]
            except KeyError:
                pass
        message = f"{self.calculator.name} has neither an input nor a result {name!r}"
        raise AttributeError(message)

    def __dir__(self) -> list[str]:
        """The names of all inputs and results too."""
        return [*super().__dir__(), *self.values, *self.calculator.result_aliases]

    def __repr__(self) -> str:
        """The question asked and the answer in a sentence."""
        asked = ", ".join(f"{name}={value!r}" for name, value in self.given.items())
        return f"{self.calculator.name}({asked}): {self.sentence}"

    def _repr_html_(self) -> str:
        """The answer for a notebook: sentence, verdicts, headline results, and the working folded."""
        texts = [
            self.sentence,
            *answer.verdict_lines(self.calculator, self.values),
            *self.warnings,
            *self.remarks,
        ]
        said = [f"<p>{html.escape(text)}</p>" for text in texts]
        rows = [
            f"<tr><th>{html.escape(self.calculator.steps[name].label)}</th><td>{html.escape(self.text(name))}</td></tr>"
            for name in self.calculator.headline
            if not isinstance(self[name], Verdict)
        ]
        working = html.escape("\n\n".join(self.working(name) for name in self.calculator.headline[:1]))
        return (
            "".join(said) + f"<table>{''.join(rows)}</table>"
            f"<details><summary>The working</summary><pre>{working}</pre></details>"
        )


@dataclass(frozen=True, repr=False)
class Told:
    """What an exploration found: as text, as plain data in base units and, of a sweep, as a picture in SVG."""

    text: str
    data: Mapping[str, Any]
    picture: str = ""

    def __repr__(self) -> str:
        """The text."""
        return self.text

    def _repr_svg_(self) -> str | None:
        """The picture for a notebook."""
        return self.picture or None

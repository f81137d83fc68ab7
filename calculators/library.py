"""The calculators as functions: `from calculators import checkpoint; checkpoint(parameters="405B").checkpoint_size`."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from calculators import units
from calculators.answers import answer, explain, links, transfer
from calculators.answers.input_state import InputState, parsing_notes, valid_inputs
from calculators.answers.record.contents import AuthorTexts, contents
from calculators.answers.review import comparison, heat_map, margins, solve, uncertainty
from calculators.answers.review import sweep as swept
from calculators.answers.review.solution import plain
from calculators.declare import Calculator, Values, Verdict
from calculators.page import chart
from calculators.page import heat_map as map_picture
from calculators.page.record import FORMATS


@dataclass(frozen=True)
class Question:
    """Callable calculator: inputs by name, as text or as numbers in the declared unit."""

    calculator: Calculator

    def __call__(self, **given: float | str) -> "Result":
        """Answer to these inputs. Raises calculators.declare.InputError with a sentence for each invalid input."""
        resolved = valid_inputs(self.calculator, given)
        return Result(self.calculator, dict(given), resolved, answer.evaluated(self.calculator, resolved))

    def __repr__(self) -> str:
        """Name and question of the calculator."""
        return f"<{self.calculator.name}: {self.calculator.question}>"


@dataclass(frozen=True, repr=False)
class Result:
    """Answer. Every input and result is an attribute, in base units (bytes, seconds, FLOP, watts, dollars)."""

    calculator: Calculator
    given: Mapping[str, Any]
    resolved: InputState
    values: Values = field(repr=False)

    @property
    def sentence(self) -> str:
        """The answer in a sentence."""
        return answer.sentence(self.calculator, self.values, self.resolved)

    @property
    def warnings(self) -> list[str]:
        """Warnings: reasons why results may lie outside the formulas' validity."""
        return answer.warnings(self.calculator, self.values)

    @property
    def remarks(self) -> list[str]:
        """Remarks on how inputs were read: a context of 128k as 131,072 tokens."""
        return parsing_notes(self.calculator, self.resolved)

    @property
    def link(self) -> str:
        """Link fragment that opens the calculator's page in this state."""
        return links.link(self.calculator, self.resolved)

    def text(self, name: str) -> str:
        """Text of an input or result: "5.67 TB"."""
        return self.calculator.text(name, self[name])

    def working(self, name: str) -> str:
        """Formulas behind a result, with current numbers."""
        shown = answer.texts(self.calculator, self.values)
        return "\n".join(
            f"{step.name} = {explain.substituted(self.calculator, step, shown)} = {shown[step.name]}"
            for step in explain.formulas_behind(self.calculator, name)
        )

    def margins(self) -> "Exploration":
        """Margins: for each verdict, how far every input may move before it changes, closest first."""
        text = "\n".join(margins.lines(self.calculator, self.values))
        return Exploration(text, margins.described(self.calculator, self.values)["margins"])

    def solve(self, result: str, value: float | str, *inputs: str) -> "Exploration":
        """Values of these inputs (by default any) that give the result: a text, a number in base units, or a level.

        A text that begins with <= or >= is a limit: `solve("facility_power", "<=1MW", "gpus")` is what fits in 1 MW.
        """
        text = value if isinstance(value, str) else self._shown(result, value)
        query = f"{result}{text}" if text.lstrip().startswith(("<", ">", "≤", "≥")) else f"{result}={text}"
        name, wanted = solve.target(self.calculator, query)
        found = solve.solutions(self.calculator, self.resolved, self.values, name, wanted, inputs).run()
        text = "\n".join(solve.lines(self.calculator, self.values, name, wanted, found))
        return Exploration(
            text, {"result": name, "wanted": plain(wanted), "solutions": [dict(one.data) for one in found]}
        )

    def sweep(self, name: str, start: str = "", end: str = "", *, result: str = "", lines: str = "") -> "Exploration":
        """Sweep of a result along an input, from `start` to `end` or over its slider; `lines`: "other_input=A,B"."""
        query = f"{name}={start}..{end}" if start or end else name
        found = swept.parse(self.calculator, self.values, query, result, lines)
        data = swept.described(self.calculator, self.values, found)
        text = "\n".join(swept.lines(self.calculator, self.values, found))
        return Exploration(text, data, chart.chart(self.calculator, self.values, found, data["sentence"]))

    def heat_map(self, across: str, down: str, *, result: str = "", verdict: str = "") -> "Exploration":
        """A result and its worst verdict for pairs of values: each axis "input", "input=FROM..TO" or "input=A,B"."""
        found = heat_map.parse(self.calculator, self.values, (across, down), result, verdict)
        text = "\n".join(heat_map.lines(self.calculator, self.values, found))
        picture = map_picture.drawn(self.calculator, self.values, found)
        return Exploration(text, heat_map.described(self.calculator, self.values, found), picture)

    def tornado(self, result: str) -> "Exploration":
        """Uncertainty of a result: inputs that move it, likely range, widest range."""
        name = uncertainty.result_named(self.calculator, self.values, result)
        text = "\n".join(uncertainty.lines(self.calculator, self.values, name))
        return Exploration(text, uncertainty.described(self.calculator, self.values, name).run())

    def compare(self, *others: "Result | str", result: str = "") -> "Exploration":
        """Comparison with other answers or links of the same calculator; each change's share of the difference."""
        addresses = [self.link, *(one if isinstance(one, str) else one.link for one in others)]
        name = uncertainty.result_named(self.calculator, self.values, result, "result") if result else ""
        found = comparison.states(self.calculator, self.resolved, self.values, addresses)
        text = "\n".join(comparison.lines(self.calculator, found, name))
        return Exploration(text, comparison.described(self.calculator, found, name).run())

    def carry_to(self, other: "Question") -> "Result":
        """Answer of another calculator, with all shared inputs carried over."""
        source = transfer.Source(calculator=self.calculator, state=self.resolved, values=self.values)
        given, _ = transfer.import_states(other.calculator, [source])
        return other(**given)

    carried = carry_to

    def record(
        self,
        *,
        form: str = "md",
        title: str = "",
        notes: str = "",
        alternatives: "Sequence[Result | str]" = (),
    ) -> "Exploration":
        """Design record as text in this format ("md", "json", "csv", "html"), and as plain data."""
        links_of = [one if isinstance(one, str) else one.link for one in alternatives]
        texts = AuthorTexts(title=title, notes=notes, alternatives=links_of)
        found = contents(self.calculator, self.resolved, self.values, texts)
        return Exploration(FORMATS[form](found), found.data)

    def _shown(self, result: str, value: float) -> str:
        formula = self.calculator.steps[self.calculator.result_aliases.get(result, result)]
        return units.exact_text(value, formula.unit, binary=formula.binary)

    def __getitem__(self, name: str) -> Any:
        """Input or result by its name or an older name."""
        if name not in self.values:
            name = self.calculator.result_aliases.get(name) or self.calculator.canonical_names.get(name, name)
        return self.values[name]

    def __getattr__(self, name: str) -> Any:
        """Input or result by its name."""
        if not name.startswith("_"):
            try:
                return self[name]
            except KeyError:
                pass
        message = f"{self.calculator.name} has neither an input nor a result {name!r}"
        raise AttributeError(message)

    def __dir__(self) -> list[str]:
        """Names of attributes, all inputs and results included."""
        return [*super().__dir__(), *self.values, *self.calculator.result_aliases]

    def __repr__(self) -> str:
        """Call and answer in one sentence."""
        given = ", ".join(f"{name}={value!r}" for name, value in self.given.items())
        return f"{self.calculator.name}({given}): {self.sentence}"

    def _repr_html_(self) -> str:
        """The answer for a notebook: sentence, verdicts, headline results, and the working folded."""
        texts = [
            self.sentence,
            *answer.verdict_lines(self.calculator, self.values),
            *self.warnings,
            *self.remarks,
        ]
        paragraphs = [f"<p>{html.escape(text)}</p>" for text in texts]
        rows = [
            f"<tr><th>{html.escape(self.calculator.steps[name].label)}</th><td>{html.escape(self.text(name))}</td></tr>"
            for name in self.calculator.headline
            if not isinstance(self[name], Verdict)
        ]
        working = html.escape("\n\n".join(self.working(name) for name in self.calculator.headline[:1]))
        return (
            "".join(paragraphs) + f"<table>{''.join(rows)}</table>"
            f"<details><summary>Working</summary><pre>{working}</pre></details>"
        )


@dataclass(frozen=True, repr=False)
class Exploration:
    """Result of an exploration: text, plain data in base units and, of a sweep or heat map, a picture in SVG."""

    text: str
    data: Mapping[str, Any]
    picture: str = ""

    def __repr__(self) -> str:
        """The text."""
        return self.text

    def _repr_svg_(self) -> str | None:
        """The picture for a notebook."""
        return self.picture or None

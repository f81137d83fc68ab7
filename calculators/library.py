"""The calculators as functions: `from calculators import checkpoint; checkpoint(parameters="405B").checkpoint_size`."""

import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from calculators.answers import answer, explain, links
from calculators.answers.resolve import Resolved, settled
from calculators.declare import Calculator, Values, Verdict


@dataclass(frozen=True)
class Question:
    """A calculator to be called with inputs by name: texts as people write them, or numbers in the declared unit."""

    calculator: Calculator

    def __call__(self, **given: float | str) -> "Result":
        """The answer. Raises calculators.declare.InputError, with a sentence for each input that was wrong."""
        resolved = settled(self.calculator, given)
        return Result(self.calculator, dict(given), resolved, answer.evaluated(self.calculator, resolved))

    def __repr__(self) -> str:
        """What it answers."""
        return f"<{self.calculator.name}: {self.calculator.question}>"


@dataclass(frozen=True, repr=False)
class Result:
    """One answer. Every input and result is an attribute, in base units (bytes, seconds, FLOP, watts, dollars)."""

    calculator: Calculator
    given: Mapping[str, Any]
    resolved: Resolved
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

    def __getitem__(self, name: str) -> Any:
        """An input or result by its name, or an older name of it."""
        return self.values[self.calculator.also_called.get(name, name)]

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
        return [*super().__dir__(), *self.values, *self.calculator.also_called]

    def __repr__(self) -> str:
        """The question asked and the answer in a sentence."""
        asked = ", ".join(f"{name}={value!r}" for name, value in self.given.items())
        return f"{self.calculator.name}({asked}): {self.sentence}"

    def _repr_html_(self) -> str:
        """The answer for a notebook: sentence, verdicts, headline results, and the working folded."""
        verdicts = answer.worst_first(answer.verdicts(self.calculator, self.values))
        texts = [self.sentence, *(f"{answer.began(one['word'])}. {one['reason']}" for one in verdicts), *self.warnings]
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

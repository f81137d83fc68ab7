"""Exercises: a question, and an answer that is folded until it is opened and whose numbers are computed.

A page writes them as `{% call(gives) exercise("checkpoint", model="llama-3-70b") %}`: the question, a line of three
strokes, the answer. In it `gives("write_duration")` is that calculator's result in that state, `gives("write_duration",
write_window="30 s")` the same with something changed. The answer ends with a link that opens the state.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from builder.pages import amounts

if TYPE_CHECKING:
    from collections.abc import Callable

_BETWEEN = "\n---\n"
_WAY = "Open the calculator in this state"


class ExerciseError(Exception):
    """An exercise that is none. Says what it lacks."""


@dataclass(kw_only=True)
class _Given:
    """Results of an exercise's calculator in its state; `asked` lists those that the answer used."""

    which: str
    state: dict[str, Any]
    asked: list[str] = field(default_factory=list)

    def __call__(self, name: str, **changed: Any) -> amounts.Amount:
        """A result, in this state or with something changed."""
        self.asked.append(name)
        return amounts.of_result(self.which, name, {**self.state, **changed})


@dataclass(kw_only=True)
class Exercises:
    """Exercises of one page, numbered in order. `opened` makes the link to a calculator's state."""

    opened: Callable[..., str]
    count: int = 0

    def one(self, which: str, *, caller: Callable[..., str], **state: Any) -> str:
        """A question with its folded answer, as Markdown within HTML."""
        given = _Given(which=which, state=state)
        question, stroke, answer = caller(given).partition(_BETWEEN)
        if not stroke:
            message = "an exercise has no line of three strokes between question and answer"
            raise ExerciseError(message)
        if not given.asked:
            message = f"an exercise's answer uses no result of {which}: its numbers must be computed"
            raise ExerciseError(message)
        self.count += 1
        return "\n".join(
            [
                f'<div class="exercise" id="exercise-{self.count}" markdown="1">',
                "",
                f"**Exercise {self.count}.** {question.strip()}",
                "",
                f'<details class="folded" markdown="1"><summary>Answer to exercise {self.count}</summary>',
                "",
                answer.strip(),
                "",
                f"{self.opened(which, _WAY, **state)}.",
                "",
                "</details>",
                "",
                "</div>",
            ]
        )

"""A run of the reader's own on a page, as a pasted text."""

from collections.abc import Mapping
from typing import Any

from calculators import files, units
from calculators.answers import messages
from calculators.answers.messages import Question
from calculators.answers.runs import measurement, run_check
from calculators.declare import Calculator, Values

LONGEST = 100_000_000  # characters that a page reads


def of_text(calculator: Calculator, given: Mapping[str, Any], values: Values, question: Question) -> messages.Compared:
    """Response to a pasted text, or to a file that is too long to send, of which the page states the size."""
    text = question.get("measured", "")
    if max(question.get("size", 0), len(text)) > LONGEST:
        problem = f"More than {size(LONGEST)}: give a part of it, or {command(calculator)}"
        return nothing(calculator, values, problem)
    if not text.strip():
        return nothing(calculator, values)
    reader = run_check if calculator.run_reader else measurement
    try:
        run = reader.run_of(calculator, files.plain(text))
    except ValueError as error:
        return nothing(calculator, values, str(error))
    return of_run(calculator, given, values, run)


def of_run(calculator: Calculator, given: Mapping[str, Any], values: Values, run: Any) -> messages.Compared:
    """Response to a run that was read."""
    if calculator.run_reader:
        return run_check.response(calculator, given, run)
    return measurement.response(calculator, given, values, run)


def nothing(calculator: Calculator, values: Values, problem: str = "") -> messages.Compared:
    """Response without a run, with the problem if there is one."""
    if calculator.run_reader:
        return run_check.nothing(problem)
    return measurement.nothing(calculator, values, problem)


def command(calculator: Calculator) -> str:
    """Command that reads a file which a page cannot."""
    return f"run python -m calculators {calculator.name} --measured FILE."


def size(characters: int) -> str:
    """Size of a text for readers."""
    return units.text(float(characters), "B")

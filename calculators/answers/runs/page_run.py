"""A run of the reader's own on a page: a pasted text, or a long file that the page sends in pieces.

A long file is read once, with pauses, and then set against every state that is asked for.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import files, units
from calculators.answers import messages
from calculators.answers.messages import Answer, Question
from calculators.answers.runs import measurement, run_check
from calculators.declare import Calculator, Values
from calculators.declare.measurements import Reading

LONGEST = 100_000_000  # characters that a page reads


def of_text(calculator: Calculator, given: Mapping[str, Any], values: Values, question: Question) -> messages.Compared:
    """Response to a pasted text, or to a file that is too long to send, of which the page states the size."""
    text = question.get("measured", "")
    if max(question.get("size", 0), len(text)) > LONGEST:
        problem = f"More than {_size(LONGEST)}: give a part of it, or {_command(calculator)}"
        return _nothing(calculator, values, problem)
    if not text.strip():
        return _nothing(calculator, values)
    reader = run_check if calculator.run_reader else measurement
    try:
        run = reader.run_of(calculator, files.plain(text))
    except ValueError as error:
        return _nothing(calculator, values, str(error))
    return _of_run(calculator, given, values, run)


class LongFile:
    """The file that a page sends: its pieces, then its run or the problem with it."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._sent = 0
        self._length = 0
        self._reading: Reading | None = None
        self._run: Any = None
        self._problem: str | None = None

    def add(self, question: Question) -> Answer:
        """Keep the next piece; the response says how much is here."""
        if question.get("pieces", 0) == self._sent:
            self._pieces.append(question.get("measured", ""))
            self._sent += 1
            self._length += len(self._pieces[-1])
        return {"waiting": f"Loaded {_size(self._length)} of {_size(question.get('size', 0))}."}

    def responses(
        self, calculator: Calculator, given: Mapping[str, Any], values: Values, question: Question
    ) -> Iterator[Answer]:
        """How far reading is, then the response for a state."""
        if question.get("pieces") != self._sent:
            lost = f"Python ended while it read this file, likely for want of memory: {_command(calculator)}"
            yield {"compared": _nothing(calculator, values, lost), "waiting": ""}
            return
        while self._run is None and self._problem is None:
            yield {"waiting": f"Read {_size(self._advance(calculator))} of {_size(self._length)}."}
        if self._problem is None:
            compared = _of_run(calculator, given, values, self._run)
        else:
            compared = _nothing(calculator, values, self._problem)
        yield {"compared": compared, "progress": f"{_size(self._length)} read.", "waiting": ""}

    def _advance(self, calculator: Calculator) -> int:
        """Read on; return the characters read so far."""
        try:
            if self._reading is None:
                text = "".join(self._pieces)
                self._pieces.clear()
                reader = calculator.run_reader or calculator.measurement
                assert reader is not None  # noqa: S101  the page of another calculator has no place for a file
                self._reading = reader.read(files.plain(text))
            return next(self._reading)
        except StopIteration as end:
            self._run = end.value
        except ValueError as error:
            self._problem = str(error)
        self._reading = None
        return self._length


def _of_run(calculator: Calculator, given: Mapping[str, Any], values: Values, run: Any) -> messages.Compared:
    if calculator.run_reader:
        return run_check.response(calculator, given, run)
    return measurement.response(calculator, given, values, run)


def _nothing(calculator: Calculator, values: Values, problem: str = "") -> messages.Compared:
    if calculator.run_reader:
        return run_check.nothing(problem)
    return measurement.nothing(calculator, values, problem)


def _command(calculator: Calculator) -> str:
    return f"run python -m calculators {calculator.name} --measured FILE."


def _size(characters: int) -> str:
    return units.text(float(characters), "B")

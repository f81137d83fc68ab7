"""A long file of the reader's own, which a page sends in pieces to a Python of its own.

It is read once, with pauses, and then set against every state that is asked for.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import files
from calculators.answers.messages import Answer, Question
from calculators.answers.runs import page_run
from calculators.declare import Calculator, Values
from calculators.declare.measurements import Reading


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
        return {"waiting": f"Loaded {page_run.size(self._length)} of {page_run.size(question.get('size', 0))}."}

    def responses(
        self, calculator: Calculator, given: Mapping[str, Any], values: Values, question: Question
    ) -> Iterator[Answer]:
        """How far reading is, then the response for a state."""
        if question.get("pieces") != self._sent:
            lost = f"Python ended while it read this file, likely for want of memory: {page_run.command(calculator)}"
            yield {"compared": page_run.nothing(calculator, values, lost), "waiting": ""}
            return
        while self._run is None and self._problem is None:
            yield {"waiting": f"Read {page_run.size(self._advance(calculator))} of {page_run.size(self._length)}."}
        if self._problem is None:
            compared = page_run.of_run(calculator, given, values, self._run)
        else:
            compared = page_run.nothing(calculator, values, self._problem)
        yield {"compared": compared, "progress": f"{page_run.size(self._length)} read.", "waiting": ""}

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


FILE = LongFile()

"""Response of the Explore panel: what every one of its questions is answered with."""

from collections.abc import Generator, Sequence

from calculators.answers.messages import Answer, Review, Table

LOOKING = "Still testing other inputs."
MORE_VALUES = "Still calculating more values, and where verdicts change."
Parts = Generator[Answer, None, None]


def review(
    *,
    problem: str = "",
    sentences: Sequence[str] = (),
    drawing: str = "",
    tables: Sequence[Table] = (),
    notes: Sequence[str] = (),
) -> Review:
    """The response, empty where nothing is said."""
    return Review(problem=problem, sentences=sentences, drawing=drawing, tables=tables, notes=notes)

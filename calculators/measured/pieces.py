"""Reading of long texts in pieces of whole lines, with a pause after each, so that a page can show how far it is."""

from collections.abc import Generator, Iterator
from typing import TypeVar

Found = TypeVar("Found")
Reading = Generator[int, None, Found]  # yields the characters read so far, and returns what was found
_PIECE = 1 << 16  # characters: a few milliseconds of reading


class Piece:
    """Whole lines of a text: the number of the first one, and where in the text they end."""

    def __init__(self, text: str, line: int, end: int) -> None:
        self.text = text
        self.lines = text.splitlines()
        self.line = line
        self.end = end

    def numbered(self) -> Iterator[tuple[int, str]]:
        """Lines with their numbers in the whole text."""
        return enumerate(self.lines, self.line)

    def line_of(self, position: int) -> int:
        """Number in the whole text of the line at a position in this piece."""
        return self.line + self.text.count("\n", 0, position)


def pieces(text: str) -> Iterator[Piece]:
    r"""The pieces of a text; their lines are the lines that it has as a whole.

    >>> [line for piece in pieces("a\r\nb\n\nc") for line in piece.numbered()]
    [(1, 'a'), (2, 'b'), (3, ''), (4, 'c')]
    """
    place, line = 0, 1
    while place < len(text):
        end = text.find("\n", place + _PIECE) + 1 or len(text)
        piece = Piece(text[place:end], line, end)
        yield piece
        place, line = end, line + len(piece.lines)

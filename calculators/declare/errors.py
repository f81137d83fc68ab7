"""Errors: ours in a declaration, and the reader's in an input."""

from collections.abc import Mapping


class DeclarationError(Exception):
    """Our own mistake in a declaration, raised on import, naming the culprit."""


class InputError(ValueError):
    """What the reader gave cannot be calculated with. `problems` maps each input's name to a sentence."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        """Keep all problems at once, one per input."""
        super().__init__("; ".join(problems.values()))
        self.problems = dict(problems)

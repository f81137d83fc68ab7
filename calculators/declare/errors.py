"""Errors in a declaration (ours) and in an input (the reader's)."""

from collections.abc import Mapping


class DeclarationError(Exception):
    """Mistake in a declaration, raised on import, naming the culprit."""


class InputError(ValueError):
    """Inputs that cannot be used. `problems` maps each input's name to a sentence."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        """Store one sentence per input."""
        super().__init__("; ".join(problems.values()))
        self.problems = dict(problems)

"""Calculators for AI infrastructure: declarations, formulas, and everything derived from them.

Each calculator is a function of this package, under the name that the command line knows it by:

>>> from calculators import checkpoint
>>> saved = checkpoint(parameters="405B", write_window="60 s")
>>> saved.checkpoint_size, saved.text("required_write_bandwidth")
(5670000000000.0, '94.5 GB/s')
"""

import importlib.util
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calculators.library import Question


def __getattr__(name: str) -> "Question":
    """Calculator of this name, imported on first use."""
    if name.startswith("_") or importlib.util.find_spec(f"{__name__}.{name}"):
        raise AttributeError(name)  # a module of this package: the import goes on to look for it
    from calculators.catalog import CALCULATORS  # noqa: PLC0415  the catalog imports every calculator
    from calculators.library import Question  # noqa: PLC0415

    if name not in CALCULATORS:
        message = f"there is no calculator {name!r}; there are {', '.join(CALCULATORS)}"
        raise AttributeError(message)
    return Question(CALCULATORS[name])


def __dir__() -> list[str]:
    """Names of the package, calculators included."""
    from calculators.catalog import CALCULATORS  # noqa: PLC0415  the catalog imports every calculator

    return sorted({*globals(), *CALCULATORS})

"""Acceptance criteria of benchmark tables: text for pass, investigate and fail."""

from calculators import facts, units

NAME, TITLE = "acceptance", "Acceptance"
COLUMNS = ("Test", "Pass", "Investigate", "Fail", "Why these ends", "Command")
PASSED = float(facts.fact("acceptance-share").value)
PASSED_INSIDE = float(facts.fact("acceptance-share").high or PASSED)  # a node or a card alone: the strictest check


def at_least(passing: float, failing: float, unit: str) -> tuple[str, str, str]:
    """Pass, investigate and fail criteria where more is better; nothing to investigate if the ends are out of order.

    >>> at_least(400e9, 95e9, "B/s")
    ('400 GB/s or more', '95 to 400 GB/s', 'below 95 GB/s')
    >>> at_least(90e9, 95e9, "B/s")
    ('95 GB/s or more', 'nothing between', 'below 95 GB/s')
    """
    passes = f"{units.text(max(passing, failing), unit)} or more"
    if passing <= failing:
        return passes, "nothing between", f"below {units.text(failing, unit)}"
    if failing <= 0:
        return passes, f"below {units.text(passing, unit)}", "by no figure of this job"
    return passes, _between(failing, passing, unit), f"below {units.text(failing, unit)}"


def at_most(passing: float, failing: float, unit: str) -> tuple[str, str, str]:
    """Pass, investigate and fail criteria where less is better.

    >>> at_most(15, 60, "s")
    ('15 s or less', '15 to 60 s', 'more than 60 s')
    """
    passes = f"{units.text(min(passing, failing), unit)} or less"
    between = _between(passing, failing, unit) if passing < failing else "nothing between"
    return passes, between, f"more than {units.text(failing, unit)}"


def _between(low: float, high: float, unit: str) -> str:
    """Text of a range, its unit once where both ends share it."""
    first, last = units.text(low, unit), units.text(high, unit)
    number, _, label = first.partition(" ")
    said_once = label and last.partition(" ")[2] in (label, f"{label}s")
    return f"{number} to {last}" if said_once else f"{first} to {last}"

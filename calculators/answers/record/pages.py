"""Pages: a record as a page of the site is told of it, part by part like an exploration."""

from collections.abc import Iterator

from calculators.answers.explore.search import Search
from calculators.answers.messages import Answer, RecordWanted
from calculators.answers.record import formats
from calculators.answers.record.contents import Own, Said, contents
from calculators.answers.resolve import Resolved
from calculators.declare import Calculator, InputError, Values

_KEPT = ("md", "json", "csv")


def parts(
    calculator: Calculator,
    resolved: Resolved,
    values: Values,
    wanted: RecordWanted,
    own: Search[Own] | None = None,
) -> Iterator[Answer]:
    """Nothing until it is whole, then all of it; what is wrong with an alternative as a problem."""
    try:
        found = yield from contents(calculator, resolved, values, said(wanted), own).slices()
    except InputError as error:
        yield {"problems": error.problems}
        return
    yield {
        "record": {
            "title": found.title,
            "calculator": calculator.title,
            "day": found.data["day"],
            "version": found.data["version"],
            "link": found.data["link"],
            "sections": list(found.sections),
            "files": {name: formats.FORMATS[name](found) for name in _KEPT},
        }
    }


def said(wanted: RecordWanted) -> Said:
    """What a page wants of a record, whatever came of it on the way."""
    alternatives = [str(text) for text in wanted.get("alternatives", ())]
    plain = {name: str(wanted.get(name, "")) for name in ("title", "notes", "day", "address")}
    return Said(alternatives=alternatives, **plain)

"""An incoming link: the inputs that it gives a calculator, its own or those of the calculators before it."""

from contextlib import suppress

from calculators.answers import links, transfer
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, InputError
from calculators.page import machine

Texts = dict[str, str]


def read(calculator: Calculator, fragment: str) -> tuple[Texts, list[str], links.Made | None]:
    """Texts by input, notices about the link, and its version stamp where it is a link to this calculator.

    A link from another calculator gives what that calculator's state gives. Inputs that it does not take come from the
    state before it (`&with=`), in which inputs set later hold as they were set later.
    """
    origin = _named(links.comes_from(fragment)) or calculator
    given, notices = links.read_link(origin, fragment)
    if origin is calculator:
        return given, [*notices, *links.pinned_notice(fragment)], links.made(fragment)
    sources = [_source(origin, given, exact=calculator.name not in machine.MACHINES)]
    later = given
    for way in links.before(fragment):
        earlier = _named(links.comes_from(way))
        if earlier is not None:
            own = links.read_link(earlier, way)[0]
            own |= {name: text for name, text in later.items() if name in earlier.canonical_names.values()}
            sources.append(_source(earlier, own))
            later = own | later
    texts, imported = transfer.import_states(calculator, sources)
    return texts, [*notices, *imported], None


def _named(name: str) -> Calculator | None:
    """A calculator or machine by its name."""
    return machine.MACHINES[name]() if name in machine.MACHINES else CALCULATORS.get(name)


def _source(calculator: Calculator, given: Texts, *, exact: bool = False) -> transfer.Source:
    """The state to import from; of a machine with its layout found, and `exact` if asked."""
    if calculator.name in machine.MACHINES:
        with suppress(InputError):
            found = machine.stands(calculator, given)
            return transfer.Source(calculator=calculator, state=found.resolved, values=found.values, exact=exact)
    return transfer.source(calculator, given)

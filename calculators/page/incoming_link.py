"""An incoming link: the inputs that it gives a calculator, its own or those of the calculators before it."""

from collections.abc import Generator

from calculators.answers import links, transfer
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, InputError
from calculators.machine.machines import beneath
from calculators.page import machine

Texts = dict[str, str]
Read = tuple[Texts, list[str], links.Made | None]
Sources = Generator[None, None, transfer.Source]
Systems = machine.Page | machine.Estimates


def read(calculator: Calculator, fragment: str, systems: Systems) -> Generator[None, None, Read]:
    """Texts by input, notices about the link, and its version stamp where it is a link to this calculator.

    There are pauses where a system that the link comes from has to be found; `systems` knows those found before. A
    link from another calculator gives what that calculator's state gives. Inputs that it does not take come from the
    state before it (`&with=`), in which inputs set later hold as they were set later.
    """
    origin = _named(links.comes_from(fragment)) or calculator
    given, notices = links.read_link(origin, fragment)
    if origin is calculator:
        return given, [*notices, *links.pinned_notice(fragment)], links.version_stamp(fragment)
    first = yield from _source(origin, given, systems, exact=calculator.name not in machine.MACHINES)
    sources = [first]
    later = given
    for way in links.before(fragment):
        earlier = _named(links.comes_from(way))
        if earlier is not None:
            own = links.read_link(earlier, way)[0]
            own |= {name: text for name, text in later.items() if name in earlier.canonical_names.values()}
            sources.append((yield from _source(earlier, own, systems)))
            later = own | later
    texts, imported = transfer.import_states(calculator, sources)
    return texts, [*notices, *imported], None


def _named(name: str) -> Calculator | None:
    """A calculator or machine by its name."""
    return machine.MACHINES[name]() if name in machine.MACHINES else CALCULATORS.get(name)


def _source(calculator: Calculator, given: Texts, systems: Systems, *, exact: bool = False) -> Sources:
    """The state to import from; of a machine with its layout found, and `exact` if asked."""
    if calculator.name in machine.MACHINES:
        try:
            found = yield from systems.each(calculator, machine.state(calculator, beneath(given)))
        except InputError:
            return transfer.source(calculator, given)
        return transfer.Source(calculator=calculator, state=found.resolved, values=found.values, exact=exact)
    return transfer.source(calculator, given)

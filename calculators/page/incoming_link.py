"""An incoming link: what it gives a calculator, from whichever calculators the reader imported."""

from contextlib import suppress

from calculators.answers import links, transfer
from calculators.answers.input_state import InputState, parse_inputs
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, InputError, Values
from calculators.page import machine

Texts = dict[str, str]


def read(calculator: Calculator, fragment: str) -> tuple[Texts, list[str], links.Made | None]:
    """The texts by name, what there is to say of the link, and what it says of its making if it is of this calculator.

    A link from another calculator gives what that one's state gives. What that one is not asked for comes from the
    state before it (`&with=`), in which whatever the later ones set stands as they set it.
    """
    source = _named(links.comes_from(fragment)) or calculator
    given, notices = links.read_link(source, fragment)
    if source is calculator:
        return given, [*notices, *links.pinned_notice(fragment)], links.made(fragment)
    there, values = _state(source, given)
    if values is None or calculator.name in machine.MACHINES:
        texts, imported = transfer.import_state(source, there, calculator)
    else:
        texts, imported = transfer.import_exact_state(source, there, values, calculator)
    known, later = _asked(source), given
    for way in links.before(fragment):
        earlier = _named(links.comes_from(way))
        if earlier is None:
            continue
        own = links.read_link(earlier, way)[0]
        own |= {name: text for name, text in later.items() if name in earlier.canonical_names.values()}
        more, told = transfer.merge_earlier_state(earlier, _state(earlier, own)[0], calculator, texts, known)
        texts, imported = texts | more, [*imported, *told]
        known, later = known | _asked(earlier), own | later
    return texts, [*notices, *imported, *transfer.consequences(source, there, calculator, texts)], None


def _asked(calculator: Calculator) -> frozenset[str]:
    """The names in which a calculator has a say: its inputs, menus and results."""
    return frozenset({*calculator.canonical_names.values(), *calculator.steps})


def _named(name: str) -> Calculator | None:
    """A calculator or machine by its name."""
    return machine.MACHINES[name]() if name in machine.MACHINES else CALCULATORS.get(name)


def _state(source: Calculator, given: Texts) -> tuple[InputState, Values | None]:
    """How a calculator stands; a machine with its layout found, and all of its values."""
    if source.name in machine.MACHINES:
        with suppress(InputError):
            found = machine.stands(source, given)
            return found.resolved, found.values
    return parse_inputs(source, given), None

"""Options of the command line for a design review: margins, solve, sweep, tornado, compare, record."""

import argparse
import datetime
import json
from typing import Any

from calculators import units
from calculators.answers.explore.search import Search
from calculators.answers.input_state import InputState
from calculators.answers.record.contents import AuthorTexts, Own, contents
from calculators.answers.review import comparison, heat_map, margins, published, solve, sweep, uncertainty
from calculators.answers.review.solution import Found, plain
from calculators.cli.patience import USUAL, OutOfTimeError, Patience
from calculators.declare import Calculator, InputError, Values
from calculators.page import chart
from calculators.page import heat_map as map_picture
from calculators.page.record import FORMATS

OPTIONS = ("margins", "solve", "sweep", "tornado", "compare", "record")
WITH_THEM = ("for", "result", "lines", "svg", "verdict", "format", "notes", "record_title", "alternative", "patience")
_ALLOWED = ("json",)
_DEFAULT_FORMAT = "md"
_AXES = 2
_NEEDS = {
    "for": ("solve",),
    "result": ("sweep", "compare"),
    "lines": ("sweep",),
    "svg": ("sweep",),
    "verdict": ("sweep",),
    **dict.fromkeys(("format", "notes", "record_title", "alternative"), ("record",)),
    "patience": ("margins", "solve", "sweep", "tornado", "record"),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that print an exploration instead of the answer, each with --json."""
    group = parser.add_argument_group(
        "design review", "one of them at a time; with --json as data, values in base units"
    )
    group.add_argument(
        "--margins", action="store_true", help="for each verdict, how far every input may move before it changes"
    )
    group.add_argument(
        "--solve",
        metavar="RESULT=VALUE",
        help="the value of an input, or the option, that gives this result; RESULT<=VALUE for at most, RESULT>=VALUE "
        "for at least (in quotes); for a verdict, VALUE is good, tight or bad",
    )
    group.add_argument(
        "--for",
        metavar="INPUT",
        action="append",
        default=[],
        help="with --solve, the input or menu that may move; may be given several times (default: any that reaches it)",
    )
    group.add_argument(
        "--sweep",
        metavar="INPUT[=FROM..TO]",
        action="append",
        default=[],
        help="a result along an input, from one value to another (default: over its slider); given twice, a heat map "
        "of both inputs, which may also be INPUT=VALUE,VALUE",
    )
    group.add_argument("--result", default="", help="with --sweep or --compare, the result (default: a first headline)")
    group.add_argument(
        "--lines",
        metavar="INPUT=VALUE,VALUE",
        default="",
        help="with --sweep, a second input with one line for each value; of a choice, all options",
    )
    group.add_argument(
        "--verdict",
        default="",
        metavar="VERDICT",
        help="with two --sweep, the verdict of each cell (default: the worst)",
    )
    group.add_argument("--svg", action="store_true", help="with --sweep, the chart as a picture in SVG")
    group.add_argument(
        "--tornado",
        metavar="RESULT",
        help="uncertainty of a result: what moves it, strongest first, its likely range, and the widest",
    )
    group.add_argument(
        "--compare",
        metavar="LINK",
        nargs="+",
        help="up to four states next to each other and the effect of each change; one link: against this state",
    )
    group.add_argument(
        "--patience",
        default=USUAL,
        metavar="TIME",
        help="how long --margins, --solve, --sweep, --tornado or --record may search (default: %(default)s)",
    )
    group.add_argument(
        "--record",
        action="store_true",
        help="the design record: answer, range, margins, assumptions with sources, limits of the model",
    )
    group.add_argument(
        "--format",
        choices=(*FORMATS,),
        default=_DEFAULT_FORMAT,
        help="with --record, the form: %(choices)s (default: %(default)s)",
    )
    group.add_argument("--notes", default="", help="with --record, your notes")
    group.add_argument("--record-title", default="", help="with --record, its title (default: the question)")
    group.add_argument(
        "--alternative",
        metavar="LINK",
        action="append",
        default=[],
        help="with --record, the link of an alternative; up to three",
    )


def output(
    calculator: Calculator,
    resolved: InputState,
    values: Values,
    options: argparse.Namespace,
    others: tuple[str, ...],
    place: str = "",
    own: Search[Own] | None = None,
    patience: Patience | None = None,
) -> str | None:
    """The text of the review option that was given; nothing where none was. `others` are options that exclude it.

    `place` is the address of the calculator's page, if that is not among the calculators; `own` is a section of the
    record for this kind of calculator alone; `patience` is that of a command whose state was searched for with it.
    """
    given = [name for name in OPTIONS if getattr(options, name)]
    for name, needed in _NEEDS.items():
        if getattr(options, name) not in ("", False, [], None, _DEFAULT_FORMAT, USUAL) and not any(
            one in given for one in needed
        ):
            message = f"--{name.replace('_', '-')} needs --{' or --'.join(needed)}"
            raise InputError({name: message})
    if not given:
        return None
    clash = [*given[1:], *(name for name in others if name not in _ALLOWED and getattr(options, name, None))]
    if clash:
        message = f"--{given[0]} and --{clash[0].replace('_', '-')} cannot be combined"
        raise InputError({clash[0]: message})
    patience = patience or patience_of(options)
    if options.record:
        place = place or f"calculators/{calculator.name.replace('_', '-')}/"
        return _record(calculator, resolved, values, options, patience, place, own)
    text, data = _REVIEWS[given[0]](calculator, resolved, values, options, patience)
    if options.json:
        return json.dumps({"calculator": calculator.name, **data}, indent=2, ensure_ascii=False) + "\n"
    return "\n".join(text) + "\n"


def patience_of(options: argparse.Namespace) -> Patience:
    """Patience of the review option that was given, or of a search for the layout, from now on. Raises InputError."""
    return Patience(next((name for name in OPTIONS if getattr(options, name)), "layout"), _seconds(options.patience))


def _seconds(patience: str) -> float:
    """How long a search may take [s]. Raises InputError."""
    try:
        seconds = units.parse(patience, "s")
    except units.UnitError as error:
        raise InputError({"patience": f"--patience: {error}"}) from None
    if seconds <= 0:
        raise InputError({"patience": f"--patience must be more than 0 s, not {patience}; write for example 5min"})
    return seconds


_Review = tuple[list[str], dict[str, Any]]


def _margins(
    calculator: Calculator, _resolved: InputState, values: Values, options: argparse.Namespace, patience: Patience
) -> _Review:
    if options.json:
        return [], margins.described(calculator, values, patience.run)
    return margins.lines(calculator, values, patience.run), {}


def _solve(
    calculator: Calculator, resolved: InputState, values: Values, options: argparse.Namespace, patience: Patience
) -> _Review:
    """Solutions input by input, also where time ran out before all of them."""
    result, wanted = solve.target(calculator, options.solve)
    named = getattr(options, "for")
    names = named or solve.movable(calculator, result)
    labels = {**calculator.inputs, **{menu.name: menu for menu in calculator.presets}}
    found = list[Found]()
    unfinished: dict[str, Any] = {}
    for place, name in enumerate(names):
        search = solve.solutions(calculator, resolved, values, result, wanted, [name])
        try:
            found = [*found, *patience.run(search)]
        except OutOfTimeError as error:
            untried = ", ".join(labels[one].label if one in labels else one for one in names[place:])
            unfinished = {"unfinished": f"{error.problems['patience']}. Not tried: {untried}."}
            break
    found = [one for one in found if one.reached or named]
    data = {"result": result, "wanted": plain(wanted), "solutions": [dict(one.data) for one in found]}
    if unfinished:
        sentence_text = solve.lines(calculator, values, result, wanted, found) if found else []
        return [*sentence_text, *unfinished.values()], {**data, **unfinished}
    return solve.lines(calculator, values, result, wanted, found), data


def _sweep(
    calculator: Calculator, _resolved: InputState, values: Values, options: argparse.Namespace, patience: Patience
) -> _Review:
    if len(options.sweep) > 1:
        return _heat_map(calculator, values, options, patience)
    if options.verdict:
        raise InputError({"verdict": "--verdict needs two --sweep: it judges the cells of a heat map"})
    found = sweep.parse(calculator, values, options.sweep[0], options.result, options.lines, run=patience.run)
    if options.svg:
        return [chart.chart(calculator, values, found, sweep.sentence(calculator, values, found))], {}
    return sweep.lines(calculator, values, found), sweep.described(calculator, values, found)


def _heat_map(calculator: Calculator, values: Values, options: argparse.Namespace, patience: Patience) -> _Review:
    if len(options.sweep) > _AXES:
        raise InputError({"sweep": "--sweep is given at most twice: one input across, one down"})
    if options.lines:
        raise InputError({"lines": "--lines needs a single --sweep"})
    found = heat_map.parse(calculator, values, options.sweep, options.result, options.verdict, run=patience.run)
    if options.svg:
        return [map_picture.drawn(calculator, values, found)], {}
    return heat_map.lines(calculator, values, found), heat_map.described(calculator, values, found)


def _tornado(
    calculator: Calculator, _resolved: InputState, values: Values, options: argparse.Namespace, patience: Patience
) -> _Review:
    result = uncertainty.result_named(calculator, values, options.tornado)
    error = published.error(calculator.name)
    if options.json:
        whole: dict[str, Any] = patience.run(uncertainty.described(calculator, values, result))
        return [], {**whole, "formulas": error}
    return [*uncertainty.lines(calculator, values, result, patience.run), *([error] if error else [])], {}


def _compare(
    calculator: Calculator, resolved: InputState, values: Values, options: argparse.Namespace, _patience: Patience
) -> _Review:
    result = uncertainty.result_named(calculator, values, options.result, "result") if options.result else ""
    compared = comparison.states(calculator, resolved, values, options.compare)
    return comparison.lines(calculator, compared, result), comparison.described(calculator, compared, result).run()


def _record(
    calculator: Calculator,
    resolved: InputState,
    values: Values,
    options: argparse.Namespace,
    patience: Patience,
    place: str,
    own: Search[Own] | None,
) -> str:
    texts = AuthorTexts(
        title=options.record_title,
        notes=options.notes,
        alternatives=options.alternative,
        day=datetime.datetime.now().astimezone().date().isoformat(),
        address=place,
    )
    wanted = "json" if options.json else options.format
    return FORMATS[wanted](contents(calculator, resolved, values, texts, own, patience.run))


_REVIEWS = {"margins": _margins, "solve": _solve, "sweep": _sweep, "tornado": _tornado, "compare": _compare}

"""Contents of a design record: sections of sentences and tables, and the same as plain data.

They include what an exploration finds, so they take as long.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from calculators import units
from calculators.answers import answer, differences, links, prices, provenance
from calculators.answers.explore.search import Run, Search, StoppedError
from calculators.answers.input_state import InputState, parsing_notes
from calculators.answers.messages import Answer, Section
from calculators.answers.record.explored import Explored, each_part, unexplored
from calculators.declare import Calculator, Choice, Values, Verdict
from calculators.facts import Fact, ages
from calculators.version import VERSION

_ROWS_ON_PAPER, _INPUTS_ON_PAPER = 10, 4
_LISTED_ON_PAPER = 10  # assumptions and omissions; inputs set and warnings are never cut
_MOST_VERDICTS = 6  # beyond, good verdicts share one sentence
_ORIGINS = {"yours": "entered", "preset": "preset", "default": "default", "computed": "computed"}


@dataclass(frozen=True, kw_only=True)
class AuthorTexts:
    """Texts that the author adds to a record: title, notes, links of alternatives, day, address of the page."""

    title: str = ""
    notes: str = ""
    alternatives: Sequence[str] = ()
    day: str = ""
    address: str = ""


@dataclass(frozen=True, kw_only=True)
class Own:
    """Contents of a record for one kind of calculator only: sections after the answer, plain data, rows of the CSV."""

    sections: Sequence[Section] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    rows: Sequence[Mapping[str, object]] = ()


NOTHING = Own()


@dataclass(frozen=True, kw_only=True)
class Contents:
    """A record: its title, its sections in order, and the same as plain data with values in base units."""

    calculator: Calculator
    title: str
    sections: Sequence[Section]
    data: Mapping[str, Any]
    own: Own = NOTHING


def contents(
    calculator: Calculator,
    resolved: InputState,
    values: Values,
    author: AuthorTexts,
    own: Search[Own] | None = None,
    run: Run = Search.run,
) -> Contents:
    """The whole record, with its `own` part if it has one, or as far as `run` comes, which it then says.

    Raises InputError where an alternative cannot be opened.
    """
    found, own_part = unexplored(calculator, values), NOTHING
    try:
        own_part = NOTHING if own is None else run(own)
        for part in each_part(calculator, resolved, values, author.alternatives):
            found = found.with_more(run(part))
    except StoppedError as error:
        alternatives = any(map(str.strip, author.alternatives)) and not found.alternatives
        missing = [
            *(["bottleneck and recommendations of the system"] if own is not None and own_part is NOTHING else []),
            *(["alternatives"] if alternatives else []),
            *found.missing,
        ]
        found = replace(found, stopped=f"{error.sentence}. Not in this record: {', '.join(missing)}.")
    return written(calculator, resolved, values, author, own_part, found)


def written(
    calculator: Calculator,
    resolved: InputState,
    values: Values,
    author: AuthorTexts,
    own: Own = NOTHING,
    rest: Explored | None = None,
) -> Contents:
    """The record with as much of the `rest` as is known; it says what is still being computed."""
    known = rest or unexplored(calculator, values)
    data: dict[str, Any] = {
        "title": author.title or calculator.question,
        "calculator": calculator.name,
        "question": calculator.question,
        "version": VERSION,
        "day": author.day,
        "link": _link(author, links.stamped(calculator, resolved, values)),
        "answer": answer.sentence(calculator, values, resolved),
        "verdicts": _verdicts(calculator, values, known.found),
        "sure": known.sure,
        "given": list(differences.differences(calculator, resolved, links.differing(calculator, resolved))),
        "menus": _menus(calculator, resolved),
        "inputs": _inputs(calculator, resolved, values, known.found),
        "results": _results(calculator, values),
        "moves": list(known.found.get("swings", ())),
        "would_help": list(known.found.get("advice", ())),
        "alternatives": known.alternatives,
        "assumes": list(calculator.assumptions),
        "leaves_out": list(calculator.omits),
        "warnings": answer.warnings(calculator, values),
        "remarks": parsing_notes(calculator, resolved),
        "prices": list(prices.confirmations(calculator, resolved, values)),
        "notes": author.notes,
        **({"unfinished": known.stopped} if known.stopped else {}),
        **own.data,
    }
    if aged := prices.aged(calculator, resolved, values):
        data["verdicts"] = [{**one, "reason": prices.with_age(one["reason"], aged)} for one in data["verdicts"]]
        data["sure"] = {**data["sure"], "sentence": prices.with_age(data["sure"]["sentence"], aged)}
    sections = list(_sections(calculator, data, own, known.pending))
    return Contents(calculator=calculator, title=data["title"], sections=sections, data=data, own=own)


def _link(author: AuthorTexts, stamped: str) -> str:
    return f"{author.address}#{stamped}"


def _verdicts(calculator: Calculator, values: Values, found: Answer) -> list[dict[str, Any]]:
    edges = found.get("edges", {})
    judged = answer.verdicts(calculator, values)
    return [
        {"name": name, "label": calculator.steps[name].label, **judged[name], "nearest_edge": edges.get(name, "")}
        for name in judged
    ]


def _menus(calculator: Calculator, resolved: InputState) -> list[dict[str, str]]:
    chosen = [(preset, preset.by_key.get(resolved.presets[preset.name])) for preset in calculator.presets]
    return [
        {
            "name": preset.name,
            "label": preset.label,
            "text": record.name if record else "none",
            "key": record.key if record else "",
        }
        for preset, record in chosen
    ]


def _inputs(calculator: Calculator, resolved: InputState, values: Values, found: Answer) -> list[dict[str, Any]]:
    """Every input that has a part in the answer: the reader's own first, then what moves most, then as declared."""
    moving = {swing["name"]: place for place, swing in enumerate(found.get("swings", ()))}
    ranges = {swing["name"]: swing["hedge"] for swing in found.get("swings", ())}
    idle = found.get("idle", {})
    names = [name for name in calculator.inputs if resolved.origins[name] == "yours" or name not in idle]
    names.sort(key=lambda name: -1 if resolved.origins[name] == "yours" else moving.get(name, len(moving)))
    return [_input(calculator, resolved, values, name) | {"hedge": ranges.get(name, "")} for name in names]


def _input(calculator: Calculator, resolved: InputState, values: Values, name: str) -> dict[str, Any]:
    declared, known = calculator.inputs[name], provenance.fact(calculator, resolved, name)
    source = known.source if known else None
    origin = resolved.origins[name]
    by = provenance.computing(calculator, resolved, name)
    return {
        "name": name,
        "label": declared.label,
        "value": declared.box(values[name]) if isinstance(declared, Choice) else values[name],
        "unit": "" if isinstance(declared, Choice) else units.base_symbol(declared.unit),
        "text": declared.text(values[name]),
        "origin": origin,
        "from": resolved.words.get(name) or _ORIGINS[origin],
        "source": source.title if source else by or ("reader" if origin == "yours" else "assumption"),
        "url": source.url if source else "",
        "kind": known.kind if known else "computed" if by else "given" if origin == "yours" else "assumption",
        "read": _read(known),
        "unchecked": bool(known and known.unchecked),
    }


def _read(known: Fact | None) -> str:
    """Reading of a value's source and its day; of a price, its age."""
    if known is None or known.priced_on is None:
        return known.reading if known else ""
    return f"{known.reading}, {units.counted(ages.age(known.priced_on), 'day')} old"


def _results(calculator: Calculator, values: Values) -> list[dict[str, Any]]:
    shown = answer.texts(calculator, values)
    return [
        {
            "name": name,
            "label": formula.label,
            "value": values[name],
            "unit": units.base_symbol(formula.unit),
            "text": shown[name],
        }
        for name, formula in calculator.steps.items()
        if not isinstance(values[name], Verdict)
    ]


def _sections(calculator: Calculator, data: Mapping[str, Any], own: Own, pending: str) -> Iterator[Section]:
    yield section("question", "Question", [data["question"]] if data["title"] != data["question"] else [])
    if "unfinished" in data:
        yield section("unfinished", "Not computed", [data["unfinished"]])
    yield section("notes", "Notes", [line for line in data["notes"].splitlines() if line.strip()])
    yield section("answer", "Answer", _answer_texts(data))
    if data["alternatives"]:
        yield _alternatives(calculator, data)
    yield from own.sections
    given = [one["text"] for one in data["given"]]
    yield section("given", "Inputs set", given or ["None: every input has its default."], listed=True)
    chosen = [one for one in data["menus"] if one["key"]]
    rows = [[one["label"], one["text"], "menu", "", "", ""] for one in chosen]
    rows += [_assumed(one) for one in data["inputs"]]
    yield section(
        "assumptions",
        "Assumptions",
        data["assumes"],
        ("Input", "Value", "From", "Source", "Kind", "Read"),
        rows,
        listed=True,
        most=max(_ROWS_ON_PAPER, len(chosen) + _INPUTS_ON_PAPER),
        most_texts=_LISTED_ON_PAPER,
    )
    swings = [(one["label"], one["hedge"], one["result"]) for one in data["moves"]]
    about = calculator.declared(data["sure"]["result"]["name"]).label
    later = (pending,) if pending else ()
    yield section("moves", "Sensitivity", later, ("Input", "Range", about), swings, most=_ROWS_ON_PAPER // 2)
    if not data["alternatives"]:
        yield _alternatives(calculator, data)
    left_out, most_texts = [*data["warnings"], *data["leaves_out"]], len(data["warnings"]) + _LISTED_ON_PAPER
    yield section("omits", "Not modeled", left_out, listed=True, most_texts=most_texts)
    yield section("prices", "Prices to confirm before signing", data["prices"], listed=True)
    by = f"{calculator.title}, Infrastructure for AI, version {data['version']}"
    made = f"{by}{', ' if data['day'] else ''}{data['day']}."
    yield section("made", "Made with", [made, data["link"]])


def section(
    key: str,
    heading: str,
    texts: Sequence[str],
    columns: Sequence[str] = (),
    rows: Sequence[Sequence[str]] = (),
    *,
    listed: bool = False,
    most: int = 0,
    most_texts: int = 0,
) -> Section:
    """Section of which the page shows `most` rows and `most_texts` texts, and files show all."""
    shown, sentences = min(len(rows), most or len(rows)), min(len(texts), most_texts or len(texts))
    left = [
        f"{more} more {what}{'' if more == 1 else 's'}"
        for more, what in ((len(texts) - sentences, "sentence"), (len(rows) - shown, "row"))
        if more
    ]
    is_one = (len(texts) - sentences) + (len(rows) - shown) == 1
    return {
        "key": key,
        "heading": heading,
        "texts": list(texts),
        "listed": listed,
        "shown_texts": sentences,
        "columns": list(columns),
        "rows": [list(row) for row in rows],
        "shown": shown,
        "more": f"{' and '.join(left)} {'is' if is_one else 'are'} in the files of this record." if left else "",
    }


def _answer_texts(data: Mapping[str, Any]) -> list[str]:
    texts = [data["answer"]]
    judged = data["verdicts"]
    well = [one for one in judged if one["level"] == "good"] if len(judged) > _MOST_VERDICTS else []
    for one in judged:
        if one in well:
            continue
        edge = f" Closest threshold: {one['nearest_edge']}" if one["nearest_edge"] else ""
        texts.append(f"{one['label']}: {one['word']}. {one['reason']}{edge}".strip())
    if well:
        texts.append(f"Good: {'; '.join(_judged(one) for one in well)}.")
    texts.append(f"{data['sure']['sentence']} {data['sure']['method'] if data['moves'] else ''}".strip())
    return [*texts, *data["remarks"]]


def _judged(one: Mapping[str, Any]) -> str:
    return f"{one['label']}: {one['word']}"


def _assumed(one: Mapping[str, Any]) -> list[str]:
    value = one["text"] + (f" ({one['hedge']})" if one["hedge"] else "")
    kind = one["kind"] + (", unchecked" if one["unchecked"] else "")
    return [one["label"], value, one["from"], one["source"], kind, one["read"]]


def _alternatives(calculator: Calculator, data: Mapping[str, Any]) -> Section:
    """The alternatives: inputs that differ, results, and how much each change contributes."""
    compared = data["alternatives"]
    if not compared:
        helping = [f"{one['label']}: {one['outcome']}" for one in data["would_help"]]
        return section(
            "alternatives", calculator.recommendations_heading if helping else "Alternatives", helping, listed=True
        )
    letters = [state["state"] for state in compared["states"]]
    first, *others = compared["results"]
    results = [first, *(row for row in others if len({row[letter].removesuffix(" *") for letter in letters}) > 1)]
    rows = [[row["label"], *(row[letter] for letter in letters)] for row in (*compared["differences"], *results)]
    texts = [f"{state['state']}: {text}" for state in compared["states"] for text in state["notices"]]
    texts += [_attributed(calculator, one) for one in compared["attributions"]]
    heads = ("", "A, this answer", *letters[1:])
    return section("alternatives", "Alternatives considered", texts, heads, rows)


def _attributed(calculator: Calculator, found: Mapping[str, Any]) -> str:
    formula = calculator.steps[found["result"]]
    ends = f"{formula.label} from {found['from']} to {found['to']}"
    if found["method"] == "none":
        return f"{ends}: the difference cannot be attributed, because a state between them has no result."
    if not found["parts"]:
        return f"{ends}: {formula.text(found['after'])} in both; no input differs."
    parts = [f"{_named(calculator, part['change'])} {_signed(formula.text(part['part']))}" for part in found["parts"]]
    text = f"{ends}: {formula.text(found['before'])} to {formula.text(found['after'])}; {', '.join(parts)}."
    return f"{text} {found.get('sentence', '')}".strip()


def _named(calculator: Calculator, change: str) -> str:
    menu = next((preset for preset in calculator.presets if preset.name == change), None)
    return menu.label if menu else calculator.inputs[change].label


def _signed(text: str) -> str:
    return text if text[:1] in {"-", "−"} else f"+{text}"

"""Messages: what a page asks of the bridge and what it is told, as types. The page's own types are made from these.

A question names a calculator, how it stands, and what to tell of it. A state is the reader's own texts (`given`) or
what follows the # of an address (`fragment`); `stops` are sliders at a numbered stop and go before both.

Everything asked is told in one answer, but for explorations, which may take long: they are told in slices. The first
slice begins when "explore" or a question of the bench is asked with `slice_ms`; as long as an answer holds a `cursor`,
asking again with that cursor continues where it stopped. Whatever else is asked between two slices is answered; only
the newest explorations can be continued. Without `slice_ms` all is told at once.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypedDict

Ask = Literal[
    "answer",
    "explore",
    "link",
    "markdown",
    "described",
    "measured",
    "imported",
    "record",
    "choices",
    "solve",
    "sweep",
    "tornado",
    "margins",
    "compare",
]
Level = Literal["good", "tight", "bad"]


class RecordWanted(TypedDict):
    """What the reader says of a record: title, notes, links of alternatives; the day; the address of the calculator."""

    title: NotRequired[str]
    notes: NotRequired[str]
    alternatives: NotRequired[Sequence[str]]
    day: NotRequired[str]
    address: NotRequired[str]


class Question(TypedDict):
    """What a page asks. `python` names the formulas to be written as Python; without it, all are.

    `measured` is what the reader pasted of a run of their own, to be held against the model; `imported` a file that
    stands in place of a menu. `record` is what they say of the record they want; it is told in slices like an
    exploration. Of an exploration that is asked for in slices with the answer only the cursor is told, so that the
    answer need not wait. `review` is what the reader chose on the bench, by the names that answers/bench.py reads;
    `states` are links to compare, and those that a copied link takes along. `provisional` lets a machine answer before
    its layout was searched for; an exploration tells the answer once more unless it is given, and no. A page that gives
    its question a `number` is told what is different `since` the answer to an earlier one, if it says which of them it
    has (answers/since.py).
    """

    asks: Sequence[Ask]
    calculator: str
    given: NotRequired[Mapping[str, str]]
    fragment: NotRequired[str]
    stops: NotRequired[Mapping[str, int]]
    python: NotRequired[Sequence[str]]
    slice_ms: NotRequired[float]
    cursor: NotRequired[int]
    measured: NotRequired[str]
    imported: NotRequired[str]
    record: NotRequired[RecordWanted]
    review: NotRequired[Mapping[str, str]]
    states: NotRequired[Sequence[str]]
    provisional: NotRequired[bool]
    number: NotRequired[int]
    since: NotRequired[int]


class Judgement(TypedDict):
    """A verdict: its level, its word, and its reason with the numbers in it."""

    level: Level
    word: str
    reason: str


class Control(TypedDict):
    """How one control stands: the text of its box, where its value comes from, the value in words, the slider's stop.

    `word` says the origin to the reader ("preset", "counted", "yours"); `note` what they should know about the value
    as it stands, such as that the chosen record does not hold it.
    """

    box: str
    origin: str
    word: str
    note: str
    text: str
    stop: NotRequired[int]


class Difference(TypedDict):
    """What the reader or a link set otherwise than by default: an input's or preset's name, and a whole phrase."""

    name: str
    text: str


class Swing(TypedDict):
    """How far one hedged input moves the first headline: texts, and the places of its bar."""

    name: str
    label: str
    hedge: str
    result: str
    x: str
    width: str
    now: str


class Advice(TypedDict):
    """A change that would help: what it is, what comes of it, and the texts of the inputs after it.

    `parts` are more texts of it by their places, where what comes of it is told measure by measure.
    """

    label: str
    outcome: str
    changes: Mapping[str, str]
    parts: NotRequired[Mapping[str, str]]


class Imported(TypedDict):
    """What a pasted file says in place of a menu's record.

    A sentence, remarks, a strip of letters (lines, one letter a layer) and a row for each part; and the texts of the
    inputs that it changes. Or a `problem` that names all that was not understood.
    """

    problem: str
    sentence: str
    remarks: Sequence[str]
    strip: str
    parts: Sequence[Mapping[str, str]]
    changes: Mapping[str, str]


class Compared(TypedDict):
    """The model's curves, and a measured run beside them where one was pasted.

    `curves`: what is drawn -> attribute -> value, or what is written as "text". A run has a sentence, texts for each
    place and for each likely cause, the likeliest first; or a `problem` where what was pasted holds no run.
    """

    curves: Mapping[str, Mapping[str, str]]
    problem: str
    sentence: str
    rows: Sequence[Mapping[str, str]]
    causes: Sequence[Mapping[str, str]]


class Section(TypedDict):
    """A part of a record: sentences, a list if `listed`, and a table; `said` and `shown` of them stand on the page."""

    key: str
    heading: str
    texts: Sequence[str]
    listed: bool
    said: int
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    shown: int
    more: str


class Recorded(TypedDict):
    """The record of a review, and the same as the text of a file in each format ("md", "json", "csv")."""

    title: str
    calculator: str
    day: str
    version: str
    link: str
    sections: Sequence[Section]
    files: Mapping[str, str]


class Choosable(TypedDict):
    """Something to choose on the bench: a result (`number` or `verdict`) or what may move it.

    `text` is how it stands: in a box for what has one, else in words; `ends` are those of a quantity's slider.
    """

    name: str
    label: str
    kind: Literal["number", "verdict", "quantity", "choice", "menu"]
    text: str
    ends: NotRequired[Sequence[str]]


class Row(TypedDict):
    """A row of a table: its texts, the places of those to mark, and what the reader may do with it.

    `changes` are the texts of inputs after it is used; `hedge` is an input of which a range may be typed.
    """

    cells: Sequence[str]
    marked: Sequence[int]
    changes: NotRequired[Mapping[str, str]]
    hedge: NotRequired[str]


class Table(TypedDict):
    """A table of the bench; what is `folded` stands behind its title until it is asked for."""

    title: str
    folded: bool
    heads: Sequence[str]
    rows: Sequence[Row]


class Review(TypedDict):
    """What the bench shows of one exploration, or the `problem` with what was asked."""

    problem: str
    sentences: Sequence[str]
    drawing: str
    tables: Sequence[Table]
    notes: Sequence[str]


class Answer(TypedDict):
    """What a page is told: what it asked for, as far as it could be computed.

    `failure` is there when nothing could be told; `problems` when inputs are wrong, each a sentence by input.
    """

    failure: NotRequired[str]
    # Told as what became different since the answer of this number; the names that are no more, by their key.
    since: NotRequired[int]
    gone: NotRequired[Mapping[str, Sequence[str]]]
    problems: NotRequired[Mapping[str, str]]
    # The state: the texts that lead to it, what was wrong with the link, how controls and menus stand.
    given: NotRequired[Mapping[str, str]]
    notices: NotRequired[Sequence[str]]
    controls: NotRequired[Mapping[str, Control]]
    presets: NotRequired[Mapping[str, str]]
    # "answer"
    texts: NotRequired[Mapping[str, str]]
    also: NotRequired[Mapping[str, str]]
    verdicts: NotRequired[Mapping[str, Judgement]]
    # The picture's places in percent, its legend in one unit, and what of it is not true to scale.
    picture: NotRequired[Mapping[str, Mapping[str, str]]]
    legend: NotRequired[Mapping[str, str]]
    picture_note: NotRequired[str]
    python: NotRequired[Mapping[str, str]]
    warnings: NotRequired[Sequence[str]]
    # The cells of sheets by sheet, row and column, "tender.0.1"; choices in the answer's sentence, "answer.mode".
    cells: NotRequired[Mapping[str, str]]
    # What has a level without being a verdict: pillars of a machine, by the places of their cells.
    levels: NotRequired[Mapping[str, Level]]
    # The layout of a machine is still to be searched for: what is told is that of a neighboring state, or nothing.
    searching: NotRequired[bool]
    # How the reader's own texts were read where that is not plain: 128k tokens as 131,072.
    remarks: NotRequired[Sequence[str]]
    sentence: NotRequired[str]
    # "link": what the address says (nothing for the defaults), what a copied link says (always with its version), what
    # differs from the defaults, and how much of each group ("2 changed").
    link: NotRequired[str]
    stamped: NotRequired[str]
    differences: NotRequired[Sequence[Difference]]
    groups: NotRequired[Mapping[str, str]]
    # "explore"; with a `cursor` there is more to come, and what is there is not yet all of it.
    cursor: NotRequired[int]
    about: NotRequired[str]
    swings: NotRequired[Sequence[Swing]]
    band: NotRequired[str]
    # The nearest edge of each verdict, and the assumed range of the first headline.
    edges: NotRequired[Mapping[str, str]]
    likely: NotRequired[str]
    # A result along the input that matters most, as a picture in SVG, and the sentence that says what it shows.
    chart: NotRequired[str]
    chart_shows: NotRequired[str]
    # Two results against each other as a picture in SVG, where the calculator has one, and what it shows.
    tradeoff: NotRequired[str]
    tradeoff_shows: NotRequired[str]
    advice: NotRequired[Sequence[Advice]]
    # Inputs that do not change the answer as the others stand at present: by name, in words.
    idle: NotRequired[Mapping[str, str]]
    # "markdown"; of a machine "described": everything as JSON
    markdown: NotRequired[str]
    described: NotRequired[str]
    # "measured"
    compared: NotRequired[Compared]
    # "imported": what a pasted file says in place of a menu.
    imported: NotRequired[Imported]
    # "record"
    record: NotRequired[Recorded]
    # "choices": what there is to choose, and the quantities that move the chosen result, the strongest first.
    results: NotRequired[Sequence[Choosable]]
    movable: NotRequired[Sequence[Choosable]]
    deciding: NotRequired[Sequence[str]]
    # "solve", "sweep", "tornado", "margins", "compare"
    review: NotRequired[Review]

"""Messages between page and bridge, as types. The page's own types are generated from these.

A request names a calculator, its state and the parts wanted. A state is the reader's own texts (`given`) or
what follows the # of an address (`fragment`); `stops` are sliders at a numbered stop and go before both.

All parts come in one response, except explorations, which may take long and come in slices. The first
slice begins with a request for "explore" or a review that has `slice_ms`; while a response holds a `cursor`,
a request with that cursor continues where it stopped. Other requests between two slices are answered; only
the newest explorations can be continued. Without `slice_ms` everything comes at once. Any other request with
`slice_ms` comes in slices too where a layout has to be found first: those before its response hold `waiting`, a
sentence that says how far the search has come.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypedDict

Ask = Literal[
    "answer",
    "explore",
    "link",
    "markdown",
    "summary",
    "described",
    "measured",
    "piece",
    "file",
    "imported",
    "record",
    "choices",
    "solve",
    "sweep",
    "map",
    "tornado",
    "margins",
    "compare",
    "own",
    "offers",
    "spreadsheet",
]
Level = Literal["good", "tight", "bad"]


class RecordWanted(TypedDict):
    """Author's part of a design record: title, notes, links of alternatives; the day; the calculator's address.

    `offered` are links to states that may become alternatives, to be named.
    """

    title: NotRequired[str]
    notes: NotRequired[str]
    alternatives: NotRequired[Sequence[str]]
    offered: NotRequired[Sequence[str]]
    day: NotRequired[str]
    address: NotRequired[str]


class Question(TypedDict):
    """Request of a page. `python` names the formulas to be written as Python (default: all).

    `day` is the reader's, from which prices age. `measured` is benchmark output that the reader pasted, to compare
    with the model. A longer one comes as a file of `size` bytes in `pieces`: each as `measured` of a request for
    "piece", with the number of those before it; a request for "file" compares them, in slices. `imported` is a file
    that replaces a menu's record. `record` is the author's part of a design record, which comes in slices like an
    exploration. A request for the answer and an exploration in slices gets only the latter's cursor, so that the
    answer need not wait. `review` has the settings of the explore panel, by the names that page/review.py reads;
    `states` are links to compare, also carried by a copied link;
    the first is the baseline of an answer. `provisional` lets the System planner answer before
    its layout is found, and a calculator that a link from it leads to, whose estimate comes in the first slice;
    an exploration repeats the answer unless it is given and false. A page that gives
    its request a `number` receives what differs `since` an earlier response, if it says which of them it
    has (answers/deltas.py). `own`: a link to copy has the reader's own numbers.
    """

    asks: Sequence[Ask]
    calculator: str
    given: NotRequired[Mapping[str, str]]
    fragment: NotRequired[str]
    stops: NotRequired[Mapping[str, int]]
    python: NotRequired[Sequence[str]]
    slice_ms: NotRequired[float]
    cursor: NotRequired[int]
    day: NotRequired[str]
    measured: NotRequired[str]
    size: NotRequired[int]
    pieces: NotRequired[int]
    imported: NotRequired[str]
    record: NotRequired[RecordWanted]
    review: NotRequired[Mapping[str, str]]
    states: NotRequired[Sequence[str]]
    provisional: NotRequired[bool]
    own: NotRequired[bool]
    number: NotRequired[int]
    since: NotRequired[int]


class Judgement(TypedDict):
    """Verdict: level, state word, and reason with numbers."""

    level: Level
    word: str
    reason: str


class Control(TypedDict):
    """State of one control: text of its box, origin and text of its value, stop of its slider.

    `word` is the origin for readers ("preset", "derived", "yours"); `note` a comment on the value,
    such as that the chosen record does not publish it.
    """

    box: str
    origin: str
    word: str
    note: str
    text: str
    stop: NotRequired[int]


class Difference(TypedDict):
    """Difference from the default: name of an input or preset, and a phrase."""

    name: str
    text: str


class Swing(TypedDict):
    """Effect of one input's range on the first headline: texts, and positions of its bar."""

    name: str
    label: str
    hedge: str
    result: str
    x: str
    width: str
    now: str


class Advice(TypedDict):
    """Recommendation: the change, its outcome, and texts of the inputs after it.

    `parts` are further texts by place, where the outcome is listed result by result.
    """

    label: str
    outcome: str
    changes: Mapping[str, str]
    parts: NotRequired[Mapping[str, str]]


class Imported(TypedDict):
    """Result of a pasted file that replaces a menu's record.

    A sentence, remarks, a strip of letters (lines, one letter a layer) and a row for each part; and the texts of the
    inputs that it changes. Or a `problem` that names everything not understood.
    """

    problem: str
    sentence: str
    remarks: Sequence[str]
    strip: str
    parts: Sequence[Mapping[str, str]]
    changes: Mapping[str, str]


class Compared(TypedDict):
    """Curves of the model, if it draws any, and a measured run where one was pasted.

    `curves`: element -> attribute -> value, or its text as "text". A run has a sentence, texts for each
    point or figure and for each likely cause, likeliest first; or a `problem` where the text contains no run.
    """

    curves: Mapping[str, Mapping[str, str]]
    problem: str
    sentence: str
    rows: Sequence[Mapping[str, str]]
    causes: Sequence[Mapping[str, str]]


class OwnFacts(TypedDict):
    """Own facts in use: what was read, what could not be, and own records (keys and names) by menu of a calculator."""

    named: Sequence[str]
    problems: Sequence[str]
    menus: Mapping[str, Mapping[str, str]]


class Offers(TypedDict):
    """Bids side by side: problems, a sentence, texts by cell ("a.price", "a.residual.assumed"), the table as CSV."""

    problems: Sequence[str]
    sentence: str
    cells: Mapping[str, str]
    csv: str


class Section(TypedDict):
    """Section of a record: texts, a list if `listed`, a table, and drawings in SVG next to it.

    Pages show `shown_texts` and `shown` rows.
    """

    key: str
    heading: str
    texts: Sequence[str]
    listed: bool
    shown_texts: int
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    shown: int
    more: str
    drawings: NotRequired[Sequence[str]]


class Recorded(TypedDict):
    """Design record; when whole, also as the text of a file in each format ("md", "json", "csv")."""

    title: str
    calculator: str
    day: str
    version: str
    link: str
    sections: Sequence[Section]
    files: Mapping[str, str]
    pending: str  # what is still being computed; empty when the record is whole
    named: NotRequired[Mapping[str, str]]  # by link, in which inputs a state differs from the recorded one


class Choosable(TypedDict):
    """Option in a menu of the explore panel: a result (`number` or `verdict`) or an input that may move it.

    `text` is its value, as in its box if it has one; `group` its heading in the menu; `ends` are those of a quantity's
    slider.
    """

    name: str
    label: str
    kind: Literal["number", "verdict", "quantity", "choice", "menu"]
    text: str
    group: str
    ends: NotRequired[Sequence[str]]


class CellOption(TypedDict):
    """State behind a cell: its worst verdict's level, which state it is in words, and texts of the inputs in it."""

    level: Level | Literal[""]
    title: str
    changes: Mapping[str, str]


class Row(TypedDict):
    """Row of a table: texts, indexes of cells to mark, and actions.

    `changes` are texts of inputs after "Use this value"; `hedge` is an input whose range may be typed; `options`: of
    each cell but the first, the state that it takes over.
    """

    cells: Sequence[str]
    marked: Sequence[int]
    changes: NotRequired[Mapping[str, str]]
    hedge: NotRequired[str]
    options: NotRequired[Sequence[CellOption]]


class Table(TypedDict):
    """Table of the explore panel; `folded`: closed until opened."""

    title: str
    folded: bool
    heads: Sequence[str]
    rows: Sequence[Row]


class Review(TypedDict):
    """Exploration as the explore panel shows it, or the `problem` with the request."""

    problem: str
    sentences: Sequence[str]
    drawing: str
    tables: Sequence[Table]
    notes: Sequence[str]


class Answer(TypedDict):
    """Response to a page: the requested parts, as far as they could be computed.

    `failure`: nothing could be computed; `problems`: a sentence for each invalid input.
    """

    failure: NotRequired[str]
    # Delta to the response of this number; names that are gone, by their key.
    since: NotRequired[int]
    gone: NotRequired[Mapping[str, Sequence[str]]]
    problems: NotRequired[Mapping[str, str]]
    # The state: its texts, problems of the link, controls and menus.
    given: NotRequired[Mapping[str, str]]
    notices: NotRequired[Sequence[str]]
    controls: NotRequired[Mapping[str, Control]]
    presets: NotRequired[Mapping[str, str]]
    # "answer"
    texts: NotRequired[Mapping[str, str]]
    also: NotRequired[Mapping[str, str]]
    verdicts: NotRequired[Mapping[str, Judgement]]
    # Positions in the picture in percent, its legend in one unit, and bars not to scale.
    picture: NotRequired[Mapping[str, Mapping[str, str]]]
    legend: NotRequired[Mapping[str, str]]
    picture_note: NotRequired[str]
    python: NotRequired[Mapping[str, str]]
    warnings: NotRequired[Sequence[str]]
    # Cells of tables by table, row and column, "tender.0.1"; choices in the answer's sentence, "answer.mode".
    cells: NotRequired[Mapping[str, str]]
    # Levels outside verdicts: bottlenecks of a system, by their cells.
    levels: NotRequired[Mapping[str, Level]]
    # The layout of a system is still being searched for: values are of a neighboring state, or missing.
    searching: NotRequired[bool]
    # How far a system's exploration is: "Searching, 2 of 3: bottlenecks."
    progress: NotRequired[str]
    waiting: NotRequired[str]
    # Remarks on how texts were read: 128k tokens as 131,072.
    remarks: NotRequired[Sequence[str]]
    sentence: NotRequired[str]
    # "link": the fragment of the address (empty for the defaults), that of a copied link (always with its version), how
    # the state differs from the defaults, and how many inputs differ in each group.
    link: NotRequired[str]
    stamped: NotRequired[str]
    differences: NotRequired[Sequence[Difference]]
    groups: NotRequired[Mapping[str, str]]
    # "explore"; with a `cursor` there is more to come.
    cursor: NotRequired[int]
    about: NotRequired[str]
    swings: NotRequired[Sequence[Swing]]
    band: NotRequired[str]
    # The closest threshold of each verdict, and the estimated range of the first headline.
    edges: NotRequired[Mapping[str, str]]
    likely: NotRequired[str]
    # A result along the input that matters most, as a picture in SVG, and its sentence.
    chart: NotRequired[str]
    chart_shows: NotRequired[str]
    # Two results against each other as a picture in SVG, where the calculator has one, and its sentence.
    tradeoff: NotRequired[str]
    tradeoff_shows: NotRequired[str]
    # With a baseline, the difference from it behind each number and verdict of the answer: by name, a text.
    against: NotRequired[Mapping[str, str]]
    advice: NotRequired[Sequence[Advice]]
    # Inputs that do not change the answer at present: by name, a sentence.
    idle: NotRequired[Mapping[str, str]]
    # "markdown", and the short "summary"; of a system "described": everything as JSON
    markdown: NotRequired[str]
    described: NotRequired[str]
    # "spreadsheet": an .xlsx file in base 64; formulas are read from their source, which a snapshot does not have.
    spreadsheet: NotRequired[str]
    # "measured"
    compared: NotRequired[Compared]
    # "imported": a pasted file that replaces a menu's record.
    imported: NotRequired[Imported]
    own: NotRequired[OwnFacts]
    offers: NotRequired[Offers]
    # "record"
    record: NotRequired[Recorded]
    # "choices": results and inputs to choose, and the quantities that move the chosen result, strongest first.
    results: NotRequired[Sequence[Choosable]]
    movable: NotRequired[Sequence[Choosable]]
    deciding: NotRequired[Sequence[str]]
    # "solve", "sweep", "map", "tornado", "margins", "compare"
    review: NotRequired[Review]
